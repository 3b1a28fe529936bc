"""`Toolset.read`: calls in the text of an open model, checked by the types of the tools."""

from __future__ import annotations

import json
from datetime import date
from typing import Any, Literal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW
from typesig import TypesigError, tools_of
from typesig.errors import Unsupported
from typesig.providers.dialects.call_writer import write_calls
from typesig.providers.dialects.dialect import Dialect
from typesig.providers.dialects.lexer import Argument, Rethought, Thought, Told
from typesig.providers.dialects.registry import DIALECTS
from typesig.tools.streams.dialects import DialectStream, ReadCall


def book(
    city: str,
    days: int,
    rate: float = 1.5,
    vip: bool = False,
    tags: list[str] = [],  # noqa: B006  # a default that is data
    counts: dict[str, int] = {},  # noqa: B006
    note: str | None = None,
    kind: Literal["a", "b", 1] = "a",
    ref: int | str = 0,
    when: date | None = None,
) -> str:
    """Book."""
    return city


TOOLS = tools_of([book])
WORDS = st.text(max_size=8).filter(lambda text: not any("\ud800" <= c <= "\udfff" for c in text))
#: A text that JSON or Python would write for something else has two meanings where its type has.
NO_DATA = WORDS.filter(lambda text: text.strip().lower() not in ("null", "none"))


def is_no_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return True
    return False


ARGUMENTS = st.fixed_dictionaries(
    {"city": WORDS, "days": st.integers(-(10**20), 10**20)},
    optional={
        "rate": st.floats(allow_nan=False, allow_infinity=False),
        "vip": st.booleans(),
        "tags": st.lists(WORDS, max_size=3),
        "counts": st.dictionaries(WORDS, st.integers(), max_size=3),
        "note": st.none() | NO_DATA,
        "kind": st.sampled_from(["a", "b", 1]),
        "ref": st.integers() | WORDS.filter(is_no_json),
        "when": st.none() | st.dates().map(date.isoformat),
    },
)


@pytest.mark.parametrize("row", DIALECTS.values(), ids=list(DIALECTS))
@LAW
@given(arguments=ARGUMENTS)
def test_the_arguments_that_a_model_writes_are_those_of_a_call(
    row: Dialect, arguments: dict[str, Any]
) -> None:
    try:
        written = write_calls([("book", arguments)], row)
    except Unsupported:
        assume(False)
    [call] = TOOLS.read(written, dialect=row.name).calls
    sent = TOOLS["book"].stream([json.dumps(arguments)]).close()

    assert sent.result == call.outcome.result
    assert sent.warnings == call.outcome.warnings


def arguments_of(text: str, mode: Any = None, **texts: str) -> Any:
    tags = "".join(f"<parameter={key}>{value}</parameter>" for key, value in texts.items())
    tools = typesig.Toolset(TOOLS, mode=mode)
    [call] = tools.read(f"<function={text}>{tags}</function>", dialect="qwen3-coder").calls
    return call.outcome


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("city", "42", "42"),
        ("city", "null", "null"),
        ("city", '"Bern"', '"Bern"'),
        ("city", " Bern ", " Bern "),
        ("days", " 3 ", 3),
        ("days", "3.0", 3),
        ("rate", "3", 3.0),
        ("rate", "1e3", 1000.0),
        ("vip", "true", True),
        ("vip", "True", True),
        ("vip", "FALSE", False),
        ("tags", '["a"]', ["a"]),
        ("note", "null", None),
        ("note", "None", None),
        ("note", "NULL", None),
        ("note", "the answer is null", "the answer is null"),
        ("kind", "b", "b"),
        ("kind", '"b"', "b"),
        ("kind", "1", 1),
        ("ref", "7", 7),
        ("ref", "seven", "seven"),
        ("when", "2026-01-02", date(2026, 1, 2)),
        ("When", "2026-01-02", date(2026, 1, 2)),
    ],
)
def test_a_text_becomes_what_its_type_asks_for(key: str, text: str, value: Any) -> None:
    outcome = arguments_of("book", **{"city": "x", "days": "1", key: text})

    assert value == outcome.result[key.lower()]


def test_json_with_a_mistake_is_read_where_the_mode_mends_it() -> None:
    texts = {"city": "x", "days": "1", "tags": "['a',]"}

    assert ["a"] == arguments_of("book", **texts).result["tags"]
    assert not arguments_of("book", "strict", **texts).ok


def test_a_word_that_is_mended_is_told_with_its_argument() -> None:
    outcome = arguments_of("book", city="x", days="1", vip="True")

    assert ["vip: read a literal of Python"] == [str(w) for w in outcome.warnings]


@pytest.mark.parametrize(
    ("texts", "error"),
    [
        ({"days": "many"}, 'days: expected int, got string "many"'),
        ({"days": "[1]"}, "days: expected int, got list [1]"),
        ({"days": "NaN"}, 'days: expected int, got string "NaN"'),
        ({"days": "1", "vip": "1"}, "vip: expected bool, got int 1"),
        ({"days": "null"}, "days: expected int, got nil"),
    ],
)
def test_a_text_that_does_not_fit_is_an_error_at_its_argument(
    texts: dict[str, str], error: str
) -> None:
    outcome = arguments_of("book", city="x", **texts)

    assert [error] == [str(each) for each in outcome.errors]


def test_an_argument_that_is_not_declared_is_left_to_the_mode() -> None:
    texts = {"city": "x", "days": "1", "verbose": "2"}

    assert not arguments_of("book", "strict", **texts).ok
    assert arguments_of("book", **texts).ok


def test_a_call_of_an_unknown_tool_is_told_with_the_nearest_name() -> None:
    outcome = arguments_of("bok", city="x")

    assert ['there is no tool "bok"; did you mean book?'] == [str(e) for e in outcome.errors]


def test_what_cannot_be_read_is_an_issue_and_no_text() -> None:
    text = (
        'Hi. <tool_call>{"name": "book", "arguments": 1</tool_call>'
        '<tool_call>{"x": 1}</tool_call>'
        '<tool_call>{"name": "book", "argum'
    )
    read = TOOLS.read(text, dialect="hermes")
    send = "send it again as the prompt shows calls"

    assert ("Hi. ", "", ()) == read[:3]
    assert [
        f"the call of book cannot be read; {send} (at character 4)",
        f"a call cannot be read; {send} (at character 58)",
        "the call of book is cut off; send the whole call (at character 89)",
    ] == [str(each) for each in read.issues]


@pytest.mark.parametrize("row", DIALECTS.values(), ids=list(DIALECTS))
def test_the_dialect_of_a_text_is_found(row: Dialect) -> None:
    written = write_calls([("book", {"city": "x", "days": 1}), ("book", {"city": "y"})], row)
    found = TOOLS.read(written)

    assert ["book", "book"] == [call.name for call in found.calls]
    assert ("x", 1) == tuple(found.calls[0].outcome.result[key] for key in ("city", "days"))
    assert () == found.issues


def test_a_text_without_calls_has_no_dialect() -> None:
    assert ("Use {x} and <b>.", "", (), (), "") == TOOLS.read("Use {x} and <b>.")


def test_wrong_use_is_told() -> None:
    with pytest.raises(TypesigError, match="a dialect is read from text, not int"):
        TOOLS.read(1)  # type: ignore[arg-type]
    with pytest.raises(TypesigError, match="there is no dialect 'x'"):
        TOOLS.read("a", dialect="x")


def test_a_call_in_a_stream_is_told_when_it_is_whole() -> None:
    stream = DialectStream(DIALECTS["hermes"], TOOLS)
    call = '<tool_call>{"name": "book", "arguments": {"city": "x", "days": 1}'

    assert [Told("Hm.")] == stream.feed("Hm.")
    assert [Rethought(), Told("So ")] == stream.feed("</think>So ")
    assert [Thought("hm")] == stream.feed("<think>hm")
    assert [] == stream.feed("</think><tool")
    assert [Argument("book", "city", "x", "data", 0)] == stream.feed(f"{call[5:-1]}")
    assert [Argument("book", "days", 1, "data", 0)] == stream.feed(f"{call[-1:]}")
    [read] = stream.feed("}")
    assert isinstance(read, ReadCall)
    assert ("x", 1) == (read.outcome.result["city"], read.outcome.result["days"])
    assert stream.close() == stream.close()
    assert ("So ", "Hm.hm") == stream.close()[:2]
