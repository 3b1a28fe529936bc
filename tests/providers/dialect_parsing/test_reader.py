"""What breaks parsers of calls, in each dialect: nothing raw is shown, and no call runs half."""

from __future__ import annotations

import json
from typing import Any

import pytest

from typesig import tools_of
from typesig.providers.dialect_parsing.members import UnreadableCall, read_python_calls
from typesig.providers.dialect_parsing.reader import read_events
from typesig.providers.dialects.call_writer import write_calls
from typesig.providers.dialects.dialect import BareForm, Dialect, HeadForm, JsonForm, TagForm
from typesig.providers.dialects.lexer import DialectCall, Fault, Told
from typesig.providers.dialects.registry import DIALECTS

EACH = pytest.mark.parametrize("row", DIALECTS.values(), ids=list(DIALECTS))


def put(
    text: str = "",
    count: int = 0,
    share: float = 0.5,
    is_on: bool = False,
    many: list[int | str] | None = None,
    either: int | str | None = None,
) -> str:
    return text


TOOLS = tools_of([put])


def said(text: str, row: Dialect) -> tuple[str, list[str], list[str]]:
    """Return the text, the names of the calls, and the faults."""
    events = read_events(text, row)
    words = "".join(each.text for each in events if isinstance(each, Told))
    calls = [each.name for each in events if isinstance(each, DialectCall)]
    return words, calls, [each.kind for each in events if isinstance(each, Fault)]


def result(arguments: dict[str, Any], row: Dialect) -> Any:
    [call] = TOOLS.read(write_calls([("put", arguments)], row), dialect=row).calls
    return call.outcome.result


@pytest.mark.parametrize("row", [r for r in DIALECTS.values() if r.section], ids=lambda r: r.name)
def test_the_marks_around_all_calls_may_be_missing(row: Dialect) -> None:
    written = write_calls([("f", {"a": "x"}), ("g", {})], row)
    assert row.section is not None
    opened = written.replace(row.section.open, "")
    closed = written.replace(row.section.close, "")

    assert (["f", "g"], []) == said(opened, row)[1:]
    assert (["f", "g"], []) == said(closed, row)[1:]
    assert "" == said(opened.replace(row.section.close, ""), row)[0].strip()


@pytest.mark.parametrize(
    "row", [r for r in DIALECTS.values() if r.closes and not r.section], ids=lambda r: r.name
)
def test_the_mark_behind_a_call_may_be_missing_where_brackets_close_it(row: Dialect) -> None:
    written = write_calls([("f", {"a": "x"})], row)
    cut = written.removesuffix(row.closes[0])

    if isinstance(row.form, TagForm):
        assert ("", [], ["cut"]) == said(cut, row)
    else:
        assert ("", ["f"], []) == said(cut, row)


@EACH
def test_prose_stands_before_between_and_behind_calls(row: Dialect) -> None:
    one = write_calls([("f", {"a": "x"})], row)
    words, calls, faults = said(f"I call it.\n{one}\nAnd again:\n{one}\nDone.", row)

    assert (["f", "f"], []) == (calls, faults)
    assert ["I call it.", "And again:", "Done."] == words.split("\n")[:1] + [
        line for line in words.split("\n")[1:] if line
    ]


@EACH
def test_a_call_may_have_no_arguments(row: Dialect) -> None:
    written = write_calls([("put", {})], row)
    texts = [written]
    if isinstance(row.form, JsonForm):
        key = row.form.arguments[0]
        texts += [written.replace(f', "{key}": {{}}', end) for end in ("", f', "{key}": null')]
    if isinstance(row.form, JsonForm | HeadForm | BareForm):
        texts += [written.replace("{}", "{\n}"), written.replace("{}", "{ }")]
    for text in texts:
        [call] = TOOLS.read(text, dialect=row).calls

        assert "" == call.outcome.result["text"]


@EACH
@pytest.mark.parametrize("name", ["get-weather", "shop.get_weather", "a.b-c", "get_weather_2"])
def test_names_have_hyphens_and_dots(row: Dialect, name: str) -> None:
    assert ("", [name], []) == said(write_calls([(name, {"a": "x"})], row), row)


@EACH
@pytest.mark.parametrize(
    "text",
    [
        "<b>a & b</b>",
        "1 < 2 > 0",
        "[a] {b} (c), d: e",
        "say \"hi\" and 'ho'",
        "back\\slash \\n \\",
        " spaces ",
        "\n\nlines\n",
        "```json\n{}\n```",
        "é 漢 🙂",
        "{'a': 1,}",
        "C:\\dir\\",
        "</",
        "<|",
        "null and void",
    ],
)
def test_a_text_is_read_as_it_was_written(row: Dialect, text: str) -> None:
    assert text == result({"text": text}, row)["text"]


@EACH
def test_a_text_may_begin_like_the_mark_that_ends_it(row: Dialect) -> None:
    ends = [*row.closes, *(row.section or ())[1:]]
    if isinstance(row.form, TagForm):
        ends.append(row.form.value_end)
    for mark in ends:
        if any(each in mark[:-1] for each in ends):
            continue

        assert mark[:-1] == result({"text": mark[:-1]}, row)["text"]


@EACH
@pytest.mark.parametrize("text", ["null", "None", "nil", "true", "1", "1.0", "[]", '"a"', ""])
def test_a_text_that_looks_like_data_is_text_where_the_type_says_so(
    row: Dialect, text: str
) -> None:
    assert text == result({"text": text}, row)["text"]


@EACH
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("count", 2**80),
        ("count", -7),
        ("share", 1e-9),
        ("share", 3),
        ("share", -2.5e20),
        ("is_on", True),
        ("many", [1, "1", "a"]),
        ("many", None),
        ("either", "a"),
        ("either", 7),
        ("either", None),
    ],
)
def test_values_keep_their_types(row: Dialect, key: str, value: Any) -> None:
    found = result({key: value}, row)[key]

    assert (value, type(value)) == (found, type(found)) or (value == found and key == "share")


@EACH
def test_numbers_that_json_lacks_are_refused(row: Dialect) -> None:
    written = write_calls([("put", {"share": 1.25})], row)
    for word in ("NaN", "Infinity", "1e999"):
        reading = TOOLS.read(written.replace("1.25", word), dialect=row)

        assert () == tuple(each for each in reading.calls if each.outcome.ok)
        assert "" == reading.text.strip()


@pytest.mark.parametrize("row", [r for r in DIALECTS.values() if isinstance(r.form, TagForm)], ids=lambda r: r.name)  # fmt: skip
@pytest.mark.parametrize(("text", "value"), [("True", True), ("FALSE", False), ("true", True)])
def test_a_word_for_a_truth_value_is_one(row: Dialect, text: str, value: bool) -> None:
    assert value is result({"is_on": text}, row)["is_on"]


@EACH
def test_a_broken_call_is_never_run_or_shown(row: Dialect) -> None:
    written = write_calls([("put", {"text": "x" * 9, "count": 1})], row)
    for at in range(1, len(written)):
        for text in (written[:at], written[:at] + written[at + 1 :]):
            reading = TOOLS.read(text, dialect=row)

            assert len(reading.calls) <= 1
            for mark in row.marks:
                assert mark not in reading.text


@pytest.mark.parametrize("row", [r for r in DIALECTS.values() if isinstance(r.form, JsonForm)], ids=lambda r: r.name)  # fmt: skip
def test_arguments_may_be_encoded_twice_or_wrapped(row: Dialect) -> None:
    form = row.form
    assert isinstance(form, JsonForm)
    written = write_calls([("put", {"count": 1})], row)
    plain = '{"count": 1}'
    twice = written.replace(plain, json.dumps(plain))
    wrapped = written.replace(f'{{"{form.name[0]}"', f'{{"function": {{"{form.name[0]}"')
    wrapped = wrapped.replace(f"{plain}}}", f"{plain}}}}}")

    assert [1] == [c.outcome.result["count"] for c in TOOLS.read(twice, dialect=row).calls]
    assert [1] == [c.outcome.result["count"] for c in TOOLS.read(wrapped, dialect=row).calls]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(1, 2)", [1, 2]),
        ("-3", -3),
        ("{'a': [None, True]}", {"a": [None, True]}),
        ("[true, null]", [True, None]),
        ("'a' 'b'", "ab"),
        ("'it''s'", "its"),
        ('"it\'s [a, (b)]"', "it's [a, (b)]"),
        ("'''a\n\"b\"'''", 'a\n"b"'),
        (r"'a\\'", "a\\"),
        (r"'a\'b'", "a'b"),
        ("1e3", 1000.0),
    ],
)
def test_python_calls_have_the_literals_of_python(text: str, value: Any) -> None:
    events = read_events(f"[f(a={text}, b=1)]", DIALECTS["pythonic"])

    assert [{"a": value, "b": 1}] == [e.arguments for e in events if isinstance(e, DialectCall)]


def test_arguments_of_python_calls_may_have_reserved_names() -> None:
    text = "[fly(from='a, from=b', to=\"c\", class =1,\n in=[2], x=(lambda_ := 1))]"
    good = text.replace(", x=(lambda_ := 1)", "")
    events = read_events(good, DIALECTS["pythonic"])

    assert [{"from": "a, from=b", "to": "c", "class": 1, "in": [2]}] == [
        each.arguments for each in events if isinstance(each, DialectCall)
    ]
    assert [] == said(text, DIALECTS["pythonic"])[1]
    read = said("[f(reserved__a=1, reserved__if=2)]", DIALECTS["pythonic"])
    assert (["f"], []) == read[1:]
    with pytest.raises(UnreadableCall):
        list(read_python_calls("[f(from=1", 0))
    for broken in ("[f(from='a]", "[f(from=1]", "[f(if a)]", "[f(from='''a)]"):
        assert [] == said(f"<|python_start|>{broken}<|python_end|>", DIALECTS["pythonic"])[1]


def test_marks_that_a_tokenizer_skipped_leave_text() -> None:
    for row in DIALECTS.values():
        if row.bare or isinstance(row.form, TagForm):
            continue
        written = write_calls([("f", {"a": "x"})], row)
        for mark in row.marks:
            written = written.replace(mark, "")

        assert [] == said(written, row)[1]


@pytest.mark.parametrize(
    ("name", "text", "faults"),
    [
        ("pythonic", "[put(share=NaN)]", ["broken"]),
        ("pythonic", "[put(a=1), see]", ["broken"]),
        ("pythonic", "[put(), see]", ["broken"]),
        ("pythonic", "[see(appendix)]", []),
        ("pythonic", "[f(x) for x in y]", []),
        ("llama-json", '{"name": "put" "parameters": {}}', ["broken"]),
        ("llama-json", '{"name": 5, "age": 3}', []),
        ("llama-json", '{"x": "put" "parameters": {}}', []),
    ],
)
def test_what_no_mark_opens_is_text_unless_it_was_meant_for_a_call(
    name: str, text: str, faults: list[str]
) -> None:
    assert ("" if faults else text, [], faults) == said(text, DIALECTS[name])
