"""`Toolset.stream(dialect=…)`: a text of an open model while it arrives, whatever its pieces."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dialect_forms import EACH_FORM
from tests.generators import LAW
from tests.growth import assert_growth
from typesig import Issue, Ledger, Policy, Toolset, TypesigError, tools_of
from typesig.providers.dialects.call_writer import write_calls
from typesig.providers.dialects.dialect import Dialect, JsonForm, PythonForm
from typesig.providers.dialects.lexer import Argument, Rethought, Thought, Told
from typesig.providers.dialects.registry import DIALECTS
from typesig.tools.streams.dialects import DialectStream, ReadCall

EACH = pytest.mark.parametrize("row", DIALECTS.values(), ids=list(DIALECTS))


def book(city: str, days: int, tags: list[str] | None = None) -> str:
    """Book."""
    return city


def now() -> str:
    """Return the hour."""
    return "12"


TOOLS = tools_of([book, now])
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("book", {"city": "B, n", "days": 2, "tags": ["a,b", "c"]}),
    ("now", {}),
    ("book", {"city": "x", "days": 3}),
]
WANTED = [
    (0, "book", "city", "B, n"),
    (0, "book", "days", 2),
    (0, "book", "tags", ["a,b", "c"]),
    (2, "book", "city", "x"),
    (2, "book", "days", 3),
]


def cut(text: str, places: Iterable[int]) -> Iterator[str]:
    last = 0
    for place in [*sorted(places), len(text)]:
        yield text[last:place]
        last = place


def told(text: str, row: Dialect, places: Iterable[int]) -> list[Any]:
    """Return what a stream tells, with pieces of text that follow each other as one."""
    out: list[Any] = []
    for each in TOOLS.stream(chunks=cut(text, places), dialect=row):
        if out and isinstance(each, Told | Thought) and type(out[-1]) is type(each):
            out[-1] = type(each)(out[-1].text + each.text)
        elif isinstance(each, ReadCall):
            outcome = each.outcome
            out.append((each.name, each.id, outcome.result if outcome.ok else outcome.report()))
        else:
            out.append(str(each) if isinstance(each, Issue) else each)
    return out


#: Eleven ways of cutting a text into pieces, by character among them.
CUTS = [
    lambda size: [],
    lambda size: range(size),
    lambda size: [0, 0, size, size],
    *[lambda size, step=step: range(step, size, step) for step in (2, 3, 5, 7, 11, 13, 64)],
    lambda size: [size // 2],
    lambda size: [size - 1],
]


@EACH
@LAW
@given(data=st.data())
def test_what_is_told_does_not_depend_on_the_pieces(row: Dialect, data: st.DataObject) -> None:
    own = st.sampled_from(
        [*row.marks, "{", "[", "}", "]", '"', "\n", ",", '{"name": "book", "arguments": {"city": "']
    )
    calls = st.just(write_calls(CALLS, row)) | st.just(write_calls([("nope", {"a": 1})], row))
    text = "".join(data.draw(st.lists(own | calls | st.text(max_size=4), max_size=6)))
    whole = told(text, row, [])
    random = data.draw(st.lists(st.integers(0, len(text)), max_size=5))

    assert whole == told(text, row, random)
    for places in CUTS:
        assert whole == told(text, row, places(len(text)))


@pytest.mark.parametrize(
    "row",
    # Of lines of Python, each call is told when all are whole.
    [
        row
        for row in DIALECTS.values()
        if not (isinstance(row.form, PythonForm) and row.form.is_lines)
    ],
    ids=lambda row: row.name,
)
def test_arguments_are_told_when_they_have_ended(row: Dialect) -> None:
    news = told(write_calls(CALLS, row), row, [])
    found = [(n.number, n.name, n.key, n.value) for n in news if isinstance(n, Argument)]

    assert WANTED == found
    calls = [each for each in news if not isinstance(each, Argument | Told)]
    assert ["book", "now", "book"] == [each[0] for each in calls]


def test_an_argument_is_told_before_its_call_is_whole() -> None:
    stream = TOOLS.stream(dialect="hermes")

    assert [] == stream.feed('<tool_call>{"name": "book", "arguments": {"city": "Bern"')
    assert [Argument("book", "city", "Bern", "data", 0)] == stream.feed(', "days": 2')
    assert [Argument("book", "days", 2, "data", 0)] == stream.feed("}")[:1]


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        pytest.param(
            "hermes",
            '<tool_call>{"arguments": {"city": "a", "days": 1}, "name": "book"}',
            [("city", "a"), ("days", 1)],
            id="the name behind the arguments",
        ),
        pytest.param(
            "hermes",
            '<tool_call>{"id": {"x": {}}, "name": "book", "arguments": {"city": "a", "o": {"b": [1,2]}}}',
            [("city", "a"), ("o", {"b": [1, 2]})],
            id="other members, and nested ones",
        ),
        pytest.param(
            "hermes",
            '<tool_call>{"name": "book", "arguments": {"a" 1, "b": 2, "c": x, "d": 3}}',
            [("b", 2), ("d", 3)],
            id="members that cannot be read",
        ),
        pytest.param(
            "hermes",
            '<tool_call>{"name": 1, "arguments": {"b": 2}}',
            [],
            id="a name that is none",
        ),
        pytest.param(
            "hermes",
            '<tool_call>{x, "name": "book", "arguments": [1, 2]}',
            [],
            id="arguments that are none",
        ),
        pytest.param("hermes", '<tool_call>{"name": "book", "arguments": {}}', [], id="none"),
        pytest.param(
            "hermes",
            '<tool_call>{"name": "book", "arguments": {"a": "\\"<tool_call>", "b": "{,"}}',
            [("a", '"<tool_call>'), ("b", "{,")],
            id="marks and brackets in texts",
        ),
        pytest.param(
            "granite-3.1",
            '<tool_call>[{"name": "book", "arguments": {"a": 1}}, {"name": "now", "arguments": {"b": 2}}',
            [("a", 1), ("b", 2)],
            id="a list",
        ),
        pytest.param("mistral", '[TOOL_CALLS]f[ARGS]{"a": {"b": 1}, "c"', [("a", {"b": 1})], id="a head"),
        pytest.param("mistral", '[TOOL_CALLS]f g[ARGS]{"a": 1,', [], id="no name"),
        pytest.param("gemma-4", '<|tool_call>call:f{a:{b:<|"|>,<|"|>},c:1,', [("a", {"b": ","}), ("c", 1)], id="bare"),
        pytest.param("pythonic", "[f(a=[1, (2, 3)], b='x,'), g(c={'d': 1}, e=h(1))]", [("a", [1, [2, 3]]), ("b", "x,"), ("c", {"d": 1})], id="Python"),
        pytest.param("qwen3-coder", "<function=f><parameter=a>1</parameter><parameter=a>2</parameter></function>", [("a", "1")], id="a key twice"),
        pytest.param("qwen3-coder", "<function=f g><parameter=a>1</parameter></function>", [], id="no name of tags"),
    ],
)  # fmt: skip
def test_arguments_that_have_ended_are(name: str, text: str, wanted: list[Any]) -> None:
    stream = TOOLS.stream(dialect=name)
    found = [each for each in stream.feed(text) if isinstance(each, Argument)]

    assert wanted == [(each.key, each.value) for each in found]


def test_texts_of_arguments_are_data_by_their_types() -> None:
    text = write_calls(
        [("book", {"city": "7", "days": 2}), ("nope", {"a": "7"})], DIALECTS["glm-4.7"]
    )
    news = list(TOOLS.stream(chunks=[text], dialect="glm-4.7"))
    found = [(n.key, n.value, n.spelt) for n in news if isinstance(n, Argument)]

    assert [("city", "7", "data"), ("days", 2, "data"), ("a", "7", "texts")] == found


def test_a_broken_call_has_a_number_of_its_own() -> None:
    text = '<tool_call>{"name": "book", "arguments": {"city": "a", "days": <tool_call>{"name": "book", "arguments": {"city": "b"}}'  # fmt: skip
    news = told(text, DIALECTS["hermes"], [])

    assert [(0, "a"), (1, "b")] == [(n.number, n.value) for n in news if isinstance(n, Argument)]


def test_a_stream_tells_of_all_that_a_text_says() -> None:
    text = (
        "<think>Hm.</think>So.\n" + write_calls([("now", {})], DIALECTS["hermes"]) + "<tool_call>"
    )
    stream = TOOLS.stream(chunks=[text, None], dialect="hermes")

    assert "<stream in hermes>" == repr(stream)
    assert ["Thought", "Told", "ReadCall", "Issue"] == [type(n).__name__ for n in stream]
    assert "<stream in hermes, closed>" == repr(stream)
    reading = stream.close()
    assert ("So.\n", "Hm.", "hermes") == (reading.text, reading.reasoning, reading.dialect)
    assert reading == TOOLS.read(text, dialect="hermes") or reading.calls[0].outcome.ok
    assert [] == list(TOOLS.stream(chunks=[], dialect="hermes"))


def test_asynchronous_pieces_are_taken() -> None:
    async def pieces() -> AsyncIterator[str | None]:
        yield "a"
        yield None
        yield '<tool_call>{"name": "now"'

    async def run() -> list[Any]:
        return [each async for each in TOOLS.stream(chunks=pieces(), dialect="hermes")]

    assert ["Told", "Issue"] == [type(each).__name__ for each in asyncio.run(run())]


def test_reasoning_that_the_prompt_began_is_told_at_once() -> None:
    stream = TOOLS.stream(chunks=["Hm.</think>", "So."], dialect="hermes", thinking=True)

    assert [Thought("Hm."), Told("So.")] == list(stream)
    assert [Told("Hm."), Rethought(), Told("So.")] == list(
        TOOLS.stream(chunks=["Hm.</think>", "So."], dialect="hermes")
    )
    assert ("So.", "Hm.") == stream.close()[:2]


def test_the_mode_and_the_ledger_are_those_of_the_stream() -> None:
    ledger = Ledger()
    text = write_calls([("book", {"city": "x", "days": "2"}), ("nope", {})], DIALECTS["hermes"])
    strict = TOOLS.stream(chunks=[f"{text}</tool_call><tool_call>{{"], dialect="hermes", mode="strict", ledger=ledger)  # fmt: skip

    assert [False, False] == [call.outcome.ok for call in strict.close().calls]
    assert 3 == sum(row.times for row in ledger.rows())
    assert TOOLS.stream(chunks=[text], dialect="hermes", mode=Policy()).close().calls[0].outcome.ok


def test_a_refused_tool_is_told_as_such() -> None:
    tools = Toolset([TOOLS["now"]], refused={"old": TypesigError("no")})
    call = tools.stream(chunks=[write_calls([("old", {})], DIALECTS["hermes"])], dialect="hermes")

    assert ['the tool "old" is refused by the host; use another tool'] == [
        str(each) for each in call.close().calls[0].outcome.errors
    ]


def test_pieces_are_taken_by_close_unless_they_were_before() -> None:
    stream = TOOLS.stream(chunks=["a", "b"], dialect="hermes")

    assert "ab" == stream.close().text
    assert stream.close() is stream.close()
    fed = TOOLS.stream(chunks=["a"], dialect="hermes")
    fed.feed("c")
    assert "c" == fed.close().text


def test_wrong_use_is_told() -> None:
    stream = TOOLS.stream(dialect="hermes")
    with pytest.raises(TypesigError, match="a piece of a stream is text, not bytes"):
        stream.feed(b"a")  # type: ignore[arg-type]
    with pytest.raises(TypesigError, match="the stream has no pieces to iterate over; call feed"):
        list(stream)
    stream.close()
    with pytest.raises(TypesigError, match="the stream is closed; make another one"):
        stream.feed("a")
    with pytest.raises(TypesigError, match="name the one of the model"):
        TOOLS.stream(dialect="auto")
    with pytest.raises(TypesigError, match="there is no dialect 'x'"):
        TOOLS.stream(dialect="x")
    with pytest.raises(TypesigError, match="stream takes the name of a tool, or else the dialect"):
        TOOLS.stream()  # type: ignore[call-overload]
    with pytest.raises(TypesigError, match="stream takes the name of a tool, or else the dialect"):
        TOOLS.stream("now", dialect="hermes")  # type: ignore[call-overload]


def many_arguments(row: Dialect, size: int) -> str:
    return write_calls([("book", {f"a{n}": "x, y" for n in range(size)})], row)


@EACH_FORM
@pytest.mark.once
def test_a_stream_takes_time_in_proportion_to_the_text(row: Dialect) -> None:
    def run(text: str) -> None:
        stream = DialectStream(row, tools_of([]))
        for char in text:
            stream.feed(char)
        stream.close()

    assert_growth(lambda size: many_arguments(row, size), run, (16, 64, 256), spare=4000)
    if isinstance(row.form, JsonForm):
        assert_growth(
            lambda size: (*row.opens, "")[0] + '{"a": {"b": [' + '{"c": 1},' * size,
            run,
            (16, 64, 256),
            spare=4000,
        )
