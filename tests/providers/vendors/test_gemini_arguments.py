"""Arguments that Gemini streams in parts are those of the whole call, however they were cut."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW
from tests.growth import assert_growth
from tests.providers.projection.test_call_handler import as_objects
from tests.providers.vendors.test_streamed_answers import TEXTS, Pieces, pieces
from typesig import TypesigError
from typesig.limits import MAX_VALUE_DEPTH
from typesig.providers.vendors import gemini_arguments

RAN: list[Any] = []


@typesig.tool
def book(**parts: Any) -> Any:
    """Book what is asked."""
    RAN.append(parts)
    return parts


WIRE = typesig.tools_of([book]).project("gemini")

LEAVES = st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from([0.5, -2.25]) | TEXTS
NAMES = (
    st.from_regex(r"[a-z_][a-z0-9_]{0,3}", fullmatch=True) | TEXTS | st.sampled_from(["'\"\\", ""])
)
# A part has a value that is no list and no object, so that an empty one has no part.
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3)
        | st.dictionaries(NAMES, inner, min_size=1, max_size=3)
    ),
    max_leaves=6,
)
ARGUMENTS = st.dictionaries(NAMES, VALUES, max_size=3)


def step_text(step: Any, quotes: str) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    if step.isascii() and step.isidentifier() and quotes == "":
        return f".{step}"
    written = json.dumps(step, ensure_ascii=quotes == '"')
    if quotes == "'":
        inner = written[1:-1].replace('\\"', '"').replace("'", "\\'")
        return f"['{inner}']"
    return f"[{written}]"


def leaves_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield from leaves_of(item, (*path, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves_of(item, (*path, index))
    else:
        yield path, value


def parts_of(arguments: Any, cut: Pieces, quotes: str) -> Iterator[Any]:
    """Yield the parts of *arguments*, the texts cut, in the spelling of JSON."""
    for path, value in leaves_of(arguments):
        at = {"jsonPath": "$" + "".join(step_text(step, quotes) for step in path)}
        if value is None:
            yield {**at, "nullValue": None if quotes else "NULL_VALUE"}
        elif isinstance(value, bool):
            yield {**at, "boolValue": value}
        elif isinstance(value, str):
            texts = cut(value)
            for text in texts[:-1]:
                yield {**at, "stringValue": text, "willContinue": True}
            yield {**at, "stringValue": texts[-1]}
        else:
            yield {**at, "numberValue": float(value)}


def candidate(*parts: Any, reason: str | None = None) -> Any:
    ended = {} if reason is None else {"finishReason": reason}
    return {"candidates": [{"index": 0, "content": {"role": "model", "parts": [*parts]}, **ended}]}


def whole_of(calls: Any) -> Any:
    asked = [
        {"functionCall": {"name": "book", "id": f"c{n}", "args": sent}, "thoughtSignature": f"s{n}"}
        for n, sent in enumerate(calls)
    ]
    return candidate(*asked, reason="STOP")


def chunks_of(calls: Any, cut: Pieces, quotes: str, count: int, is_ended_alone: bool) -> list[Any]:
    """Return the chunks of *calls*, with at most *count* parts of arguments in each."""
    chunks = []
    for n, sent in enumerate(calls):
        parts = [*parts_of(sent, cut, quotes)]
        groups = [parts[at : at + count] for at in range(0, len(parts), count)]
        asked: list[Any] = [{"name": "book", "id": f"c{n}"}, *({"partialArgs": g} for g in groups)]
        asked += [{}] if is_ended_alone or not groups else []
        for at, call in enumerate(asked):
            goes_on = {} if at == len(asked) - 1 else {"willContinue": True}
            signed = {} if at else {"thoughtSignature": f"s{n}"}
            chunks.append(candidate({"functionCall": {**call, **goes_on}, **signed}))
    return [*chunks, candidate(reason="STOP")]


def whole_text(text: str) -> list[str]:
    return [text]


@LAW
@given(
    calls=st.lists(ARGUMENTS, max_size=3),
    cut=pieces(),
    quotes=st.sampled_from(["", "'", '"']),
    count=st.integers(1, 4),
    is_ended_alone=st.booleans(),
)
def test_arguments_in_parts_are_the_arguments_however_they_were_cut(
    calls: Any, cut: Pieces, quotes: str, count: int, is_ended_alone: bool
) -> None:
    whole, chunks = whole_of(calls), chunks_of(calls, cut, quotes, count, is_ended_alone)

    assert whole == WIRE.assembled(chunks)
    assert WIRE.handle(whole) == WIRE.handle(chunks)


@LAW
@given(arguments=ARGUMENTS, cut=pieces(), data=st.data())
def test_a_call_some_of_whose_parts_are_missing_at_the_end_does_not_run(
    arguments: Any, cut: Pieces, data: st.DataObject
) -> None:
    *chunks, last = chunks_of([arguments], cut, "", 1, True)
    kept = chunks[: data.draw(st.integers(1, len(chunks) - 1))]
    RAN.clear()
    [message] = WIRE.handle([*kept, last])

    assert "this call was not run: the answer reached its limit of length" in json.dumps(message)
    assert [] == RAN


SENT = {"room": "Elm", "seats": [{"n": 3, "by": None}], "now": True}


def test_objects_of_the_client_and_other_spellings_are_read() -> None:
    chunks = chunks_of([SENT], whole_text, "", 2, True)
    named = json.loads(
        json.dumps(chunks)
        .replace("jsonPath", "json_path")
        .replace("Value", "_value")
        .replace("willContinue", "will_continue")
        .replace("partialArgs", "partial_args")
        .replace("functionCall", "function_call")
    )
    empty = {"string_value": None, "number_value": None, "null_value": None, "bool_value": None}
    for each in named:
        for part in each["candidates"][0]["content"]["parts"]:
            call = part["function_call"]
            filled = [{**empty, **partial} for partial in call.get("partial_args", [])]
            part["function_call"] = {"id": None, "will_continue": None, **call}
            part["function_call"]["partial_args"] = filled or None
    expected = WIRE.handle(whole_of([SENT]))

    assert expected == WIRE.handle(as_objects(chunks))
    assert json.dumps(expected).replace("functionResponse", "function_response") == json.dumps(
        WIRE.handle(named)
    )


def test_what_stands_between_the_parts_of_a_call_is_kept() -> None:
    said = [
        candidate({"functionCall": {"name": "book", "willContinue": True, "args": {"a": 1}}}),
        candidate({"text": "so"}),
        candidate({"functionCall": {"partialArgs": [{"jsonPath": "$.b", "boolValue": False}]}}),
        candidate({"functionCall": {"name": "book", "args": {}}}, reason="STOP"),
    ]
    [found] = WIRE.assembled(said)["candidates"]

    assert [
        {"functionCall": {"name": "book", "args": {"a": 1, "b": False}}},
        {"text": "so"},
        {"functionCall": {"name": "book", "args": {}}},
    ] == found["content"]["parts"]


def test_another_call_does_not_go_on_with_one_that_has_not_ended() -> None:
    opened = {"name": "book", "id": "a", "willContinue": True}
    said = [candidate({"functionCall": opened}), candidate({"functionCall": {"name": "book", "id": "b", "args": {}}}, reason="STOP")]  # fmt: skip
    RAN.clear()
    first, second = WIRE.handle(said)[0]["parts"]

    assert "this call was not run" in json.dumps(first)
    assert {"id": "b", "name": "book", "response": {"output": {}}} == second["functionResponse"]
    assert [{}] == RAN


def test_a_text_that_goes_on_does_not_run() -> None:
    part = {"jsonPath": "$.a", "stringValue": "El", "willContinue": True}
    said = candidate({"functionCall": {"name": "book", "partialArgs": [part]}}, reason="STOP")

    assert "this call was not run" in json.dumps(WIRE.handle([said]))
    done = candidate({"functionCall": {"partialArgs": [{"jsonPath": "$.a"}]}}, reason="STOP")
    begun = candidate({"functionCall": {"name": "book", "partialArgs": [part]}, "thought": True})
    [found] = WIRE.assembled([begun, done])["candidates"]

    assert {"name": "book", "args": {"a": "El"}} == found["content"]["parts"][0]["functionCall"]


def test_the_last_part_alone_is_not_run() -> None:
    part = {"jsonPath": "$.a", "stringValue": "m"}
    call = {"name": "book", "will_continue": False, "partial_args": [part]}
    RAN.clear()

    assert "this call was not run" in json.dumps(WIRE.handle({"function_call": call}))
    assert [] == RAN


NO_PATH = "it is not a path of names and indices, such as $.NAME[INDEX].NAME"
X = {"stringValue": "x"}


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ([{"jsonPath": "$", **X}], f"'$': {NO_PATH}"),
        ([{"jsonPath": "", **X}], f"'': {NO_PATH}"),
        ([{**X}], f"None: {NO_PATH}"),
        (["x"], f"None: {NO_PATH}"),
        ([{"jsonPath": 5, **X}], f"5: {NO_PATH}"),
        ([{"jsonPath": "a.b", **X}], f"'a.b': {NO_PATH}"),
        ([{"jsonPath": "$..a", **X}], f"'$..a': {NO_PATH}"),
        ([{"jsonPath": "$.a[*]", **X}], f"'$.a[*]': {NO_PATH}"),
        ([{"jsonPath": "$.a[-1]", **X}], f"'$.a[-1]': {NO_PATH}"),
        ([{"jsonPath": "$.a[0:2]", **X}], f"'$.a[0:2]': {NO_PATH}"),
        ([{"jsonPath": "$.a[?@.b]", **X}], f"'$.a[?@.b]': {NO_PATH}"),
        ([{"jsonPath": "$['a", **X}], f'"$[\'a": {NO_PATH}'),
        ([{"jsonPath": r"$['\x']", **X}], f'"$[\'\\\\x\']": {NO_PATH}'),
        ([{"jsonPath": "$.a[1]", **X}], "'$.a[1]': its index is beyond the end of the list"),
        ([{"jsonPath": "$.a[999999999]", **X}], "'$.a[999999999]': its index is beyond the end of the list"),
        ([{"jsonPath": "$[0]", **X}], "'$[0]': it leads through a value of another kind"),
        ([{"jsonPath": "$.a", **X}, {"jsonPath": "$.a[0]", **X}], "'$.a[0]': it leads through a value of another kind"),
        ([{"jsonPath": "$.a", **X}, {"jsonPath": "$.a.b", **X}], "'$.a.b': it leads through a value of another kind"),
        ([{"jsonPath": "$.a[0]", **X}, {"jsonPath": "$.a.b", **X}], "'$.a.b': it leads through a value of another kind"),
        ([{"jsonPath": "$.a", **X}, {"jsonPath": "$.a", **X}], "'$.a': it goes on after its end"),
        ([{"jsonPath": "$.a", **X}, {"jsonPath": "$.a", "boolValue": True}], "'$.a': it has another value already"),
        ([{"jsonPath": "$.a.b", **X}, {"jsonPath": "$.a", **X}], "'$.a': it has another value already"),
        ([{"jsonPath": "$.a"}], "'$.a': it has no value"),
        ([{"jsonPath": "$.a", "nullValue": None, "willContinue": True}], "'$.a': it has no value"),
        ([{"jsonPath": "$.a", "boolValue": True, **X}], "'$.a': its value has no known form"),
        ([{"jsonPath": "$.a", "numberValue": "NaN"}], "'$.a': its value has no known form"),
        ([{"jsonPath": "$.a", "numberValue": True}], "'$.a': its value has no known form"),
        ([{"jsonPath": "$" + ".a" * (MAX_VALUE_DEPTH + 1), **X}], "it has more than 128 steps"),
    ],
)  # fmt: skip
def test_what_cannot_be_placed_is_an_error_that_names_it(parts: Any, told: str) -> None:
    said = candidate({"functionCall": {"name": "book", "partialArgs": parts}}, reason="STOP")
    RAN.clear()
    with pytest.raises(TypesigError) as raised:
        WIRE.handle([said])

    begin, end = "the stream has an argument that cannot be placed, ", "; no tool was run: ask the model again"  # fmt: skip
    assert str(raised.value).startswith(begin)
    assert str(raised.value).endswith(f"{told}{end}")
    assert [] == RAN


def test_arguments_that_are_no_object_are_an_error() -> None:
    said = candidate({"functionCall": {"name": "book", "willContinue": True, "args": [1]}})
    with pytest.raises(TypesigError, match=r"cannot be placed, '\$': it is not an object; no tool"):
        WIRE.handle([said])


def test_the_deepest_path_is_read() -> None:
    part = {"jsonPath": "$" + ".a" * MAX_VALUE_DEPTH, **X}
    said = candidate({"functionCall": {"name": "book", "partialArgs": [part]}}, reason="STOP")
    value = WIRE.assembled([said])["candidates"][0]["content"]["parts"][0]["functionCall"]["args"]
    for _ in range(MAX_VALUE_DEPTH):
        value = value["a"]

    assert "x" == value


@pytest.mark.once
@pytest.mark.parametrize(("start", "more"), [("$['", "\\"), ("$", "['a"), ("$.", "a"), ("$", "[")])
def test_a_long_path_that_cannot_be_read_takes_linear_time(start: str, more: str) -> None:
    def run(path: str) -> None:
        part = {"jsonPath": path, "stringValue": "x", "boolValue": True}
        with pytest.raises(TypesigError):
            WIRE.assembled([candidate({"functionCall": {"partialArgs": [part]}}, reason="STOP")])

    assert_growth(lambda size: start + more * size, run, (1_000, 4_000, 16_000))


@pytest.mark.once
def test_many_parts_of_a_text_and_a_list_take_linear_time() -> None:
    piece = {"jsonPath": "$.a", "stringValue": "x" * 50, "willContinue": True}

    def parts(size: int) -> list[Any]:
        items = [{"jsonPath": f"$.b[{n}]", "numberValue": n} for n in range(size)]
        calls = [{"partialArgs": [piece, item], "willContinue": True} for item in items]
        return [*[candidate({"functionCall": call}) for call in calls], candidate(reason="STOP")]

    def run(said: list[Any]) -> None:
        [found] = WIRE.assembled(said)["candidates"]
        arguments = found["content"]["parts"][0]["functionCall"]["args"]

        assert 50 * len(arguments["b"]) == len(arguments["a"])

    assert_growth(parts, run, (50, 200, 800))


@pytest.mark.parametrize("path", ['$["a"][0]', "$['a'][0]", "$.a[0]"])
def test_a_name_in_a_path_has_either_quotes_or_none(path: str) -> None:
    assert ("a", 0) == gemini_arguments._parse_path(path)


def test_the_parts_of_a_text_are_joined() -> None:
    parts = [{"jsonPath": "$.a", "stringValue": text, "willContinue": True} for text in ("El", "m")]
    calls = [{"name": "book", "partialArgs": parts[:1], "willContinue": True}]
    calls += [{"partialArgs": parts[1:], "willContinue": True}, {}]
    said = [candidate({"functionCall": call}) for call in calls]
    [found] = WIRE.assembled([*said, candidate(reason="STOP")])["candidates"]

    assert {"a": "Elm"} == found["content"]["parts"][0]["functionCall"]["args"]
