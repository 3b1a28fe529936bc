"""Calls that a model wrote as text: each dialect is read back, whatever the pieces are."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.dialect_forms import EACH_FORM
from tests.generators import LAW
from tests.growth import assert_growth
from typesig.errors import TypesigError, Unsupported
from typesig.limits import MAX_CALLS, MAX_DIALECT_PYTHON, MAX_JSON
from typesig.providers.dialect_parsing.reader import Reader, read_events
from typesig.providers.dialects.call_writer import write_calls
from typesig.providers.dialects.dialect import Dialect, TagForm
from typesig.providers.dialects.lexer import DialectCall, Event, Fault, Rethought, Thought, Told
from typesig.providers.dialects.registry import DIALECTS, get_dialect

EACH = pytest.mark.parametrize("row", DIALECTS.values(), ids=list(DIALECTS))
ALL_MARKS = sorted({mark for row in DIALECTS.values() for mark in row.marks})

PIECES = st.sampled_from(
    [*ALL_MARKS, "{", "}", "[", "]", '"', "'", "\\", "\n", "<", ">", "|", "name", '{"name": "f"']
)
TEXTS = st.lists(PIECES | st.text(max_size=4), max_size=6).map("".join)
ENCODABLE = TEXTS.filter(lambda text: not any("\ud800" <= char <= "\udfff" for char in text))
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
)
DATA = st.recursive(
    SCALARS | ENCODABLE,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ENCODABLE, inner, max_size=3),
    max_leaves=8,
)
KEYS = st.from_regex(r"[a-z][a-z_0-9]{0,8}_", fullmatch=True)
ARGUMENTS = st.dictionaries(KEYS, DATA, max_size=3)
CALLS = st.lists(st.tuples(KEYS, ARGUMENTS), min_size=1, max_size=3)


def parts(events: list[Event]) -> tuple[str, str, list[Event]]:
    """Return the text, the reasoning, and what else is told."""
    text, thoughts, others = "", "", list[Event]()
    for event in events:
        match event:
            case Told():
                text += event.text
            case Thought():
                thoughts += event.text
            case Rethought():
                text, thoughts = "", text + thoughts
            case _:
                others.append(event)
    return text, thoughts, others


def in_pieces(text: str, row: Dialect, cuts: list[int]) -> list[Event]:
    reader, events, last = Reader(row), list[Event](), 0
    for cut in [*sorted(cuts), len(text)]:
        events += reader.feed(text[last:cut])
        last = cut
    return events + reader.close()


def data_of(call: Event) -> tuple[str, Any]:
    assert isinstance(call, DialectCall)
    if call.spelt == "json":
        assert isinstance(call.arguments, str)
        return call.name, json.loads(call.arguments)
    return call.name, dict(call.arguments)  # type: ignore[arg-type]


def texts_of(arguments: dict[str, Any]) -> dict[str, str]:
    return {
        key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for key, value in arguments.items()
    }


@EACH
@LAW
@given(calls=CALLS)
def test_calls_that_are_written_in_a_dialect_are_read_back(
    row: Dialect, calls: list[tuple[str, dict[str, Any]]]
) -> None:
    try:
        written = write_calls(calls, row)
    except Unsupported:
        assume(False)
    text, thoughts, read = parts(read_events(f"Yes.\n{written}", row))
    wanted = calls
    if isinstance(row.form, TagForm):
        wanted = [(name, texts_of(arguments)) for name, arguments in calls]

    assert "Yes." == text.strip()
    assert "" == thoughts
    assert wanted == [data_of(each) for each in read]


@EACH
@LAW
@given(data=st.data())
def test_every_cut_gives_the_same_and_no_mark_is_shown(row: Dialect, data: st.DataObject) -> None:
    own = st.sampled_from([*row.marks, *row.marks, "{", "[", "}", "]", '"', "\n", "f", "a(b=1)"])
    calls = st.just(write_calls([("f", {"a": "x"})], row))
    text = "".join(data.draw(st.lists(own | calls | TEXTS, max_size=8)))
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=4))
    whole = parts(read_events(text, row))

    assert whole == parts(in_pieces(text, row, cuts))
    assert whole == parts(in_pieces(text, row, list(range(len(text)))))
    assert [] == [mark for mark in row.marks if mark in whole[0]]


@EACH
@LAW
@given(calls=CALLS, data=st.data())
def test_a_call_that_is_cut_off_is_never_run(
    row: Dialect, calls: list[tuple[str, dict[str, Any]]], data: st.DataObject
) -> None:
    try:
        written = write_calls(calls, row)
    except Unsupported:
        assume(False)
    whole = [each for each in read_events(written, row) if isinstance(each, DialectCall)]
    cut = written[: data.draw(st.integers(0, len(written)))]
    read = [each for each in read_events(cut, row) if isinstance(each, DialectCall)]

    assert whole[: len(read)] == read


@pytest.mark.parametrize(
    "row", [row for row in DIALECTS.values() if not row.bare], ids=lambda row: row.name
)
def test_a_broken_call_does_not_take_a_good_one_behind_it(row: Dialect) -> None:
    written = write_calls([("f", {"a": "x"})], row)
    if isinstance(row.form, TagForm):
        end = written.index(row.form.key_open) + len(row.form.key_open) + 1
    else:
        end = written.rindex('x"' if '"x"' in written else "x")
    broken = written[:end] + (row.closes[0] if row.closes else "")
    text, _, read = parts(read_events(f"{broken}\n{written}", row))

    assert "" == text.strip()
    assert ["Fault", "DialectCall"] == [type(each).__name__ for each in read]


@EACH
def test_text_that_only_begins_like_a_mark_is_text(row: Dialect) -> None:
    for mark in row.marks:
        text = f"a {mark[:-1]}"

        if not any(each in text for each in row.marks):
            assert (text, "", []) == parts(read_events(text, row))


@EACH
def test_a_call_that_is_cut_off_is_told_with_its_name(row: Dialect) -> None:
    written = write_calls([("f", {"a": "long text"})], row)
    read = parts(in_pieces(written[: written.index("text")], row, []))

    assert ("", "") == read[:2]
    assert ["cut"] == [each.kind for each in read[2] if isinstance(each, Fault)]


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        pytest.param("hermes", "<tool_call>{}</tool_call>", [Fault("broken", 0)], id="no name"),
        pytest.param(
            "hermes", '<tool_call>{"name": "f"}', ["f {}"], id="no end tag and no arguments"
        ),
        pytest.param(
            "hermes",
            '<tool_call>{"name": "f", "arguments": {"a": 1,},}</tool_call>',
            ['f {"a": 1,}'],
            id="trailing commas",
        ),
        pytest.param(
            "hermes",
            '<tool_call>{"name": "f"}\n{"name": "g"}</tool_call>',
            ["f {}", "g {}"],
            id="two calls run together",
        ),
        pytest.param(
            "hermes", '<tool_call>```json\n{"name": "f"}\n```</tool_call>', ["f {}"], id="a fence"
        ),
        pytest.param(
            "hermes",
            '<tool_call>{"name": "f", "arguments": {"a": "</tool_call>"}}</tool_call>',
            ['f {"a": "</tool_call>"}'],
            id="the end tag in a text",
        ),
        pytest.param(
            "hermes",
            '<tool_call>{"name": "f", "arguments": "{\\"a\\": 1}"}</tool_call>',
            ['f "{\\"a\\": 1}"'],
            id="arguments encoded twice",
        ),
        pytest.param(
            "hermes",
            '<tool_call>{"function": {"name": "f", "arguments": {}}}</tool_call>',
            ["f {}"],
            id="an object around the call",
        ),
        pytest.param(
            "hermes",
            '<tool_call>{"name": "f", "arguments": {"a": "<tool_call>{\\"name\\": \\"g\\"}</tool_call>',
            [Fault("broken", 0, "f"), Fault("broken", 45)],
            id="a call in the text of a call that is cut off",
        ),
        pytest.param(
            "hermes",
            '<tool_call>{"name": "f", "name": "g"}</tool_call>',
            [Fault("broken", 0, "f")],
            id="two names",
        ),
        pytest.param(
            "hermes",
            '<tool_call>{"name": "f", "arguments": {}, "parameters": {}}</tool_call>',
            [Fault("broken", 0, "f")],
            id="arguments twice",
        ),
        pytest.param(
            "hermes",
            '<tool_call>{name: "f"}</tool_call>',
            [Fault("broken", 0)],
            id="a bare key",
        ),
        pytest.param(
            "hermes",
            '<tool_call>{"name" "f"}</tool_call>',
            [Fault("broken", 0)],
            id="no colon",
        ),
        pytest.param(
            "hermes",
            '<tool_call>{"\\x": "f"}</tool_call>',
            [Fault("broken", 0)],
            id="a key that is no JSON",
        ),
        pytest.param(
            "hermes", '<tool_call>[1]</tool_call>', [Fault("broken", 0)], id="a list of no calls"
        ),
        pytest.param(
            "hermes",
            '<tool_call>so {"name": "f"}</tool_call>',
            [Fault("broken", 0, "f")],
            id="prose before the object",
        ),
        pytest.param(
            "hermes",
            '<tool_call>{"name": \\ "f"}</tool_call>',
            [Fault("broken", 0, "")],
            id="a backslash outside of a string",
        ),
        pytest.param("hermes", "a </tool_call>", [Fault("stray", 2)], id="a stray end tag"),
        pytest.param("hermes", "<think>a", [Fault("unclosed", 0)], id="endless reasoning"),
        pytest.param(
            "mistral",
            "[TOOL_CALLS]f[CALL_ID]abc123def[ARGS]{}",
            ["f {} abc123def"],
            id="an id",
        ),
        pytest.param("mistral", '[TOOL_CALLS]f{"a": 1}', ['f {"a": 1}'], id="no second mark"),
        pytest.param("mistral", "[THINK]a[TOOL_CALLS]f{}", ["f {}"], id="no end of reasoning"),
        pytest.param(
            "mistral", "[TOOL_CALLS]a b{}", [Fault("broken", 0)], id="prose for a name"
        ),
        pytest.param(
            "kimi-k2",
            "<|tool_call_begin|>functions.f:3<|tool_call_argument_begin|>{}<|tool_call_end|>",
            ["f {} functions.f:3"],
            id="the head is the id",
        ),
        pytest.param(
            "kimi-k2",
            "<|tool_call_begin|>functions.f:0<|tool_call_end|>",
            ["f  functions.f:0"],
            id="no object",
        ),
        pytest.param(
            "deepseek-v3",
            "<｜tool▁call▁begin｜>f\n{}<｜tool▁call▁end｜>",
            [Fault("broken", 0)],
            id="no kind",
        ),
        pytest.param(
            "harmony",
            "<|start|>assistant to=functions.f<|channel|>commentary<|message|>{}",
            ["f {}"],
            id="the recipient behind the role",
        ),
        pytest.param(
            "llama-json", '{"name": "f", "parameters": {}}; {"name": "g"}', ["f {}", "g {}"],
            id="objects side by side",
        ),
        pytest.param("llama-json", '{"a": 1}\n{b', [], id="objects that are no calls"),
        pytest.param("llama-json", "a {", [], id="a bracket within a line"),
        pytest.param(
            "llama-json",
            '{"a" <|python_tag|>{"name": "f"}',
            ["f {}"],
            id="text that begins like an object",
        ),
        pytest.param(
            "gemma-4", '<|tool_call>:f{a:[1,{b:<|"|>x<|"|>}]}<tool_call|>',
            ['f {"a":[1,{"b":"x"}]}'], id="no word before the name",
        ),
        pytest.param("gemma-4", "<|tool_call>f g{}", [Fault("broken", 0)], id="two names, bare"),
        pytest.param("gemma-4", '<|tool_call>call:f{a:<|"|>', [Fault("cut", 0, "f")], id="cut"),
    ],
)  # fmt: skip
def test_a_text_is_read_as(name: str, text: str, wanted: list[Any]) -> None:
    found: list[Any] = []
    for each in parts(read_events(text, DIALECTS[name]))[2]:
        is_call = isinstance(each, DialectCall)
        found.append(
            f"{each.name} {each.arguments}{f' {each.id}' if each.id else ''}" if is_call else each  # type: ignore[union-attr]
        )

    assert wanted == found


@pytest.mark.parametrize(
    "text",
    [
        "[1]",
        "[f(1)]",
        "[f() for x in y]",
        "[f(**a)]",
        "[f(a=1, a=2)]",
        "[f(a={1})]",
        "[f(a={1: 2})]",
        "[f(a={'b': 1, 'b': 2})]",
        "[f(a=open('b'))]",
        "[f(a=1 + 1)]",
        "[f(a=b)]",
        "[f(a=b'c')]",
        "[f(a=1j)]",
        "[f(a=012)]",
        "[f()()]",
        "a [f()]",
    ],
)
def test_a_list_of_python_that_is_no_call_with_literals_is_not_run(text: str) -> None:
    read = parts(read_events(f"<|python_start|>{text}<|python_end|>", DIALECTS["pythonic"]))

    assert "" == read[0].strip()
    assert ["broken"] == [each.kind for each in read[2] if isinstance(each, Fault)]


def test_python_calls_are_read_as_their_literals() -> None:
    text = """[a.f(a=-1, b=(1, 2.5), c=null, d={'e': [true, None]}, g='x' 'y'), h()]"""
    read = parts(read_events(text, DIALECTS["pythonic"]))[2]
    wanted = {"a": -1, "b": [1, 2.5], "c": None, "d": {"e": [True, None]}, "g": "xy"}

    assert [("a.f", wanted), ("h", {})] == [data_of(each) for each in read]


def test_python_text_has_a_limit_and_a_depth() -> None:
    row = DIALECTS["pythonic"]
    long = f"[f(a='{'x' * MAX_DIALECT_PYTHON}')]"
    deep = f"[f(a={'[' * 5000}{']' * 5000})]"

    assert "" == parts(read_events(f"<|python_start|>{long}", row))[0]
    assert [Fault("broken", 0)] == parts(read_events(f"<|python_start|>{long}", row))[2]
    assert [Fault("broken", 0)] == parts(read_events(f"<|python_start|>{deep}", row))[2]


def test_reasoning_that_began_in_the_prompt_is_no_text() -> None:
    text = "I think.</think>So."

    assert ("So.", "I think.", []) == parts(read_events(text, DIALECTS["hermes"]))
    assert [Thought("I think."), Told("So.")] == read_events(
        text, DIALECTS["hermes"], thinking=True
    )
    assert [Told("a"), Rethought()] == read_events("a</think>", DIALECTS["hermes"])
    assert [Told("a "), Told("<"), Rethought()] == read_events("a <</think>", DIALECTS["hermes"])


def test_only_so_many_calls_are_read() -> None:
    read = read_events('<tool_call>{"name": "f"}</tool_call>' * 200, DIALECTS["hermes"])

    assert MAX_CALLS + 1 == len(read)
    assert Fault("many", MAX_CALLS * 36, "f") == read[-1]


def test_a_text_beyond_the_limit_is_told() -> None:
    reader = Reader(DIALECTS["hermes"])
    reader.feed("x" * MAX_JSON)
    reader.feed("y")

    assert [Fault("large", MAX_JSON)] == reader.close()
    assert [] == reader.close()
    with pytest.raises(TypesigError, match="the reader is closed; make another one"):
        reader.feed("z")


def test_a_mark_that_the_rest_of_two_marks_makes_is_not_shown() -> None:
    text = "a<tool_</tool_call>call>b"

    assert "ab" == parts(read_events(text, DIALECTS["hermes"]))[0]


def test_an_object_that_is_no_call_is_text_without_the_marks_in_it() -> None:
    text = '{"<|eot_id|><|eot_id|>a"}'

    assert ('{"a"}', "", []) == parts(read_events(text, DIALECTS["llama-json"]))


def test_a_mark_that_is_only_spoken_of_does_not_take_the_text_behind_it() -> None:
    read = parts(read_events("Write <tool_call> first.", DIALECTS["hermes"]))

    assert ("Write  first.", "", [Fault("stray", 6)]) == read


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        pytest.param(
            "<parameter=a>1</function> </tool_call>", "f {'a': '1'}", id="no end tag of the text"
        ),
        pytest.param("<parameter=a>1</function>", "cut", id="no end tag, and nothing behind"),
        pytest.param(
            "<parameter=a>1</function><function=g></function>",
            "broken g {}",
            id="no end tag, and another call",
        ),
        pytest.param(
            "<parameter=a>1</tool_call> x</parameter></function>",
            "f {'a': '1</tool_call> x'}",
            id="the end of all in a text",
        ),
        pytest.param(
            "<parameter=a>1<parameter=b>2</parameter></function>",
            "f {'a': '1', 'b': '2'}",
            id="no end tag before the next argument",
        ),
        pytest.param("<parameter=a>1</tool_call>", "cut", id="the end of all alone"),
        pytest.param(
            "<parameter=a>1</parameter></tool_call>", "f {'a': '1'}", id="no end of the call"
        ),
        pytest.param(
            "<parameter=a></parameter> x</parameter></function>",
            "f {'a': '</parameter> x'}",
            id="the end tag in a text",
        ),
        pytest.param(
            "<parameter=a></parameter></parameter></function>",
            "f {'a': '</parameter>'}",
            id="the end tag alone in a text",
        ),
        pytest.param(
            "<parameter=a></function> x</parameter></function>",
            "f {'a': '</function> x'}",
            id="the end of a call in a text",
        ),
        pytest.param(
            "<parameter=a></function></parameter></function>",
            "f {'a': '</function>'}",
            id="the end of a call before that of the text",
        ),
        pytest.param(
            "<parameter=a>\n <b> \n\n</parameter></function>",
            "f {'a': ' <b> \\n'}",
            id="blanks around the text",
        ),
        pytest.param("</function>", "f {}", id="no arguments"),
        pytest.param("<parameter=a><function=g></function></tool_call>", "ambiguous", id="a call in a text"),
        pytest.param("x <parameter=a>1</parameter></function>", "broken", id="prose between tags"),
        pytest.param("<parameter=>1</parameter></function>", "broken", id="no key"),
        pytest.param(
            "<parameter=a>1</parameter><parameter=a>2</parameter></function>",
            "broken",
            id="a key twice",
        ),
        pytest.param("<function=", "broken cut", id="another call begins"),
        pytest.param("<parameter=a>1</parameter>", "cut", id="the end is missing"),
        pytest.param("<parameter=a>1", "cut", id="the text is cut off"),
    ],
)  # fmt: skip
def test_a_call_with_tags_is_read_as(text: str, wanted: str) -> None:
    found = []
    for each in read_events(f"<tool_call><function=f>{text}", DIALECTS["qwen3-coder"]):
        is_call = isinstance(each, DialectCall)
        found.append(f"{each.name} {each.arguments}" if is_call else each.kind)  # type: ignore[union-attr]

    assert wanted == " ".join(found)


def test_a_line_break_in_two_characters_between_tags_is_none() -> None:
    text = "<tool_call>f\\n<arg_key>a</arg_key>\\n<arg_value>1</arg_value>\\n</tool_call>"
    read = read_events(text, DIALECTS["glm-4.5"])

    assert [("f", {"a": "1"})] == [data_of(each) for each in read]


def test_an_unknown_dialect_is_told_with_those_that_there_are() -> None:
    with pytest.raises(
        TypesigError, match=r"there is no dialect 'x'; there are hermes, longcat, granite-3.0"
    ):
        get_dialect("x")

    assert DIALECTS["hermes"] is get_dialect("hermes") is get_dialect(DIALECTS["hermes"])


def test_what_a_dialect_cannot_spell_is_refused() -> None:
    for name, arguments in (
        ("gemma-4", {"a": '<|"|>'}),
        ("glm-4.5", {"a": "</arg_value>"}),
        ("pythonic", {"a b": 1}),
    ):
        with pytest.raises(Unsupported):
            write_calls([("f", arguments)], DIALECTS[name])
    with pytest.raises(Unsupported, match="Python calls have no name 'a b'"):
        write_calls([("a b", {})], DIALECTS["pythonic"])


HOSTILE: dict[str, Callable[[Dialect, int], str]] = {
    "opens": lambda row, size: row.opens[0] * size,
    "quotes": lambda row, size: f'{row.opens[0]}{{"' * size,
    "escaped quotes": lambda row, size: f'{row.opens[0]}{{\\"' * size,
    "brackets": lambda row, size: row.opens[0] + "{" * size,
    "lines": lambda row, size: "{\n[\n" * size,
    "halves": lambda row, size: row.opens[0][:-1] * size,
    "nested halves": lambda row, size: row.opens[0][:-1] * size + row.opens[0][-1:] * size,
    "calls": lambda row, size: write_calls([("f", {"a": "x"})] * size, row),
    "open and escaped": lambda row, size: f'{row.opens[0]}{{"\\"{(row.closes or ("",))[0]}' * size,
    "even": lambda row, size: row.opens[0] + '{"' + f'{row.opens[0]}{{""{row.opens[0]}' * size,
    "open and closed": lambda row, size: f'{row.opens[0]}{{"{(row.closes or ("",))[0]}' * size,
}


@EACH_FORM
@pytest.mark.once
@pytest.mark.parametrize("kind", list(HOSTILE))
def test_reading_takes_time_in_proportion_to_the_text(row: Dialect, kind: str) -> None:
    assert_growth(
        lambda size: HOSTILE[kind](row, size), lambda text: read_events(text, row), (64, 256, 1024),
        spare=4000,
    )  # fmt: skip


@pytest.mark.once
def test_reading_pieces_takes_time_in_proportion_to_the_text() -> None:
    row = DIALECTS["qwen3-coder"]

    def run(text: str) -> None:
        in_pieces(text, row, list(range(len(text))))

    assert_growth(
        lambda size: "<function=f><parameter=a></parameter>" + " \n" * size, run, (64, 256, 1024)
    )


def test_lists_and_objects_with_bare_keys_are_written_and_read() -> None:
    row, arguments = DIALECTS["gemma-4"], {"a": [1, "x", {"b": [True, None]}]}
    [read] = parts(read_events(write_calls([("f", arguments)], row), row))[2]

    assert ("f", arguments) == data_of(read)
