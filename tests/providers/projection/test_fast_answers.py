"""Answers of the usual form are read at once, to the same calls as by the forms of the vendor."""

from __future__ import annotations

import copy
import json
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, NotRequired

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict
from typing_extensions import TypedDict

import typesig
from tests.generators import LAW
from typesig.algebra.rows.builtin import as_builtin
from typesig.errors import TypesigError
from typesig.providers.projection import messages
from typesig.providers.projection.call_reader_closures import FastReader, make_reader
from typesig.providers.projection.call_readers import compile_reader
from typesig.providers.registry.calls import WireCall
from typesig.providers.vendors.registry import find_vendor

CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
ITEM = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}", "status": None}
USE = {"type": "tool_use", "id": "u", "name": "f", "input": {"a": 1, "b": [1, {"c": None}]}}
PART = {"functionCall": {"id": "g", "name": "f", "args": {"a": 1}}}

#: Whole answers as plain dicts, by provider.
ANSWERS: dict[str, list[dict[str, Any]]] = {
    "openai": [
        {"role": "assistant", "content": None, "tool_calls": [CALL, CALL]},
        {
            "object": "chat.completion",
            "choices": [
                {
                    "index": 0,
                    "finish_reason": "tool_calls",
                    "message": {"role": "assistant", "tool_calls": [CALL]},
                }
            ],
        },
        {
            "object": "response",
            "status": "completed",
            "output": [{"type": "reasoning", "summary": []}, ITEM, {**ITEM, "caller": None}],
        },
    ],
    "anthropic": [
        {
            "type": "message",
            "role": "assistant",
            "stop_reason": "tool_use",
            "content": [{"type": "text", "text": "so"}, USE, {**USE, "toolset_name": None}],
        }
    ],
    "gemini": [
        {
            "candidates": [
                {
                    "finishReason": "STOP",
                    "content": {
                        "role": "model",
                        "parts": [
                            {"text": "so"},
                            {**PART, "thoughtSignature": "s"},
                            {"function_call": {"name": "f", "args": {}}, "thought": False},
                        ],
                    },
                }
            ]
        }
    ],
}

CASES = [(name, answer) for name, answers in ANSWERS.items() for answer in answers]

#: What stands in place of any part of an answer, or beside its members.
ODD: list[Any] = [
    None,
    "",
    "x",
    1,
    2.0,
    [],
    {},
    [None],
    {"type": "x"},
    True,
    CALL,
    USE,
    PART,
    "length",
]

#: Members of answers of all providers.
NAMES = sorted(
    {"type", "role", "choices", "output", "delta", "stop_reason", "tool_calls", "function_call"}
    | {"finish_reason", "finishReason", "status", "caller", "toolset_name", "custom", "refusal"}
    | {"thought_signature", "willContinue", "partial_args", "object", "parts", "content", "input"}
)


class Model(BaseModel):
    """An object of an SDK, which takes members that it does not declare."""

    model_config = ConfigDict(extra="allow")


class Reason(StrEnum):
    """Why an answer ended, as some SDKs have it."""

    STOP = "STOP"


def _as_objects(value: Any, choose: Any) -> Any:
    """Return *value* with objects for some of its dicts, but for the arguments of calls."""
    if isinstance(value, list):
        return [_as_objects(each, choose) for each in value]
    if not isinstance(value, dict):
        return value
    made = {
        key: part if key in ("args", "input") else _as_objects(part, choose)
        for key, part in value.items()
    }
    if not choose():
        return made
    if not choose() or not all(key.isidentifier() for key in made):
        return Model(**made)
    fields: Any = dict.fromkeys(made, (Any, ...))
    from pydantic import create_model

    return create_model("Declared", **fields).model_construct(**made)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    if not isinstance(value, dict | list):
        return found
    for key, part in value.items() if isinstance(value, dict) else enumerate(value):
        found += _places(part, (*path, key))
    return found


def _changed(answer: Any, data: st.DataObject) -> Any:
    """Return a copy of *answer*, one part of which is another, or is absent, or is beside it."""
    made = copy.deepcopy(answer)
    *above, last = data.draw(st.sampled_from(_places(made)))
    holder = made
    for step in above:
        holder = holder[step]
    how = data.draw(st.sampled_from(["other", "absent", "beside"]))
    odd = copy.deepcopy(data.draw(st.sampled_from(ODD)))
    if how == "absent":
        del holder[last]
    elif how == "beside" and isinstance(holder, dict):
        holder[data.draw(st.sampled_from(NAMES))] = odd
    else:
        holder[last] = odd
    return made


def _usual(provider: str) -> FastReader:
    """Return the fast reader of the answers of *provider*, in both forms, which do the same."""
    rows = find_vendor(provider).calls.answers
    closure, source = make_reader(rows), compile_reader(rows)

    def read(answer: Any) -> Any:
        found = source(answer)
        assert closure(answer) == found
        return found

    return read


def _by_forms(provider: str, answer: Any) -> list[WireCall] | None:
    """Return the calls that the forms of the vendor read in *answer*, None if it is refused."""
    try:
        return list(messages._read_calls(find_vendor(provider), as_builtin(answer)))
    except TypesigError:
        return None


@pytest.mark.parametrize(("provider", "answer"), CASES)
def test_the_usual_answers_are_read_at_once(provider: str, answer: Any) -> None:
    found = _usual(provider)(answer)

    assert found
    assert _by_forms(provider, answer) == found


@pytest.mark.parametrize(("provider", "answer"), CASES)
def test_the_objects_of_an_sdk_are_read_at_once(provider: str, answer: Any) -> None:
    objects = _as_objects(answer, lambda: True)
    found = _usual(provider)(objects)

    assert found
    assert _by_forms(provider, objects) == found


@LAW
@given(data=st.data())
def test_what_is_read_at_once_is_what_the_forms_read(data: st.DataObject) -> None:
    provider, answer = data.draw(st.sampled_from(CASES))
    for _ in range(data.draw(st.integers(0, 2))):
        answer = _changed(answer, data)
        if not _places(answer):
            break
    answer = _as_objects(answer, lambda: data.draw(st.booleans()))
    found = _usual(provider)(answer)
    if found is not None:
        assert _by_forms(provider, answer) == found


class Odd(str):
    """A text whose methods are its own."""

    def __len__(self) -> int:
        raise ValueError("no")


#: A place in one of `CASES`, and what makes an answer that is left to the forms if it stands there.
LEFT: list[tuple[int, tuple[Any, ...], Any]] = [
    (0, ("stop_reason",), None),
    (0, ("tool_calls",), None),
    (0, ("tool_calls", 0, "id"), 1),
    (0, ("tool_calls", 0, "function", "name"), None),
    (0, ("function_call",), {"name": "f"}),
    (1, ("type",), "x"),
    (1, ("choices", 0, "finish_reason"), "length"),
    (1, ("choices", 0, "delta"), None),
    (1, ("choices",), []),
    (1, ("choices",), {}),
    (2, ("output", 0, "type"), "unknown_call"),
    (4, ("candidates", 0, "content", "parts", 0), {"text": 1}),
    (2, ("status",), "failed"),
    (2, ("incomplete_details",), {"reason": "content_filter"}),
    (2, ("output", 0, "type"), 1),
    (2, ("output", 1, "call_id"), 1),
    (2, ("output", 1, "arguments"), 1),
    (2, ("output", 1, "status"), "incomplete"),
    (2, ("output", 1, "caller"), {"type": "program"}),
    (3, ("stop_reason",), "max_tokens"),
    (3, ("stop_reason",), None),
    (3, ("role",), "user"),
    (3, ("type",), "x"),
    (3, ("content", 0, "type"), None),
    (3, ("content", 1, "name"), None),
    (3, ("content", 1, "toolset_name"), ["x"]),
    (4, ("candidates", 0, "finishReason"), "MAX_TOKENS"),
    (4, ("candidates", 0, "content", "parts", 1, "functionCall", "willContinue"), True),
]

#: The same of answers that are read at once, though they are rare.
READ: list[tuple[int, tuple[Any, ...], Any]] = [
    (0, ("role",), "user"),
    (0, ("tool_calls", 0, "id"), None),
    (0, ("more",), [Odd("x")]),
    (2, ("status",), "incomplete"),
    (2, ("output", 1), {**ITEM, "type": "custom_tool_call", "input": "x"}),
    (3, ("content", 1, "toolset_name"), "x"),
    (3, ("content", 1, "input"), {"a": [Odd("x")]}),
    (4, ("candidates", 0, "content", "parts", 1, "functionCall", "args"), {"a": 1.5, "b": 2.0}),
    (4, ("candidates", 0, "content", "parts", 1, "functionCall", "args"), None),
]


def _with(case: int, place: tuple[Any, ...], other: Any) -> tuple[str, Any]:
    """Return the provider and the answer of a case that has *other* in a place."""
    provider, answer = CASES[case]
    holder = answer = copy.deepcopy(answer)
    for step in place[:-1]:
        holder = holder[step]
    holder[place[-1]] = other
    return provider, answer


@pytest.mark.parametrize(("case", "place", "other"), LEFT)
def test_other_answers_are_left_to_the_forms(case: int, place: Any, other: Any) -> None:
    provider, answer = _with(case, place, other)

    assert _usual(provider)(answer) is None


@pytest.mark.parametrize(("case", "place", "other"), READ)
def test_rare_answers_are_read_as_the_forms_read_them(case: int, place: Any, other: Any) -> None:
    provider, answer = _with(case, place, other)
    found = _usual(provider)(answer)

    assert found
    assert _by_forms(provider, answer) == found


def test_members_that_are_not_asked_for_are_read_past() -> None:
    class Message(BaseModel):
        model_config = ConfigDict(extra="allow")
        tool_calls: list[Any]

    known = Message(tool_calls=[CALL], reasoning_content="so")  # type: ignore[call-arg]
    asked = Message(tool_calls=[CALL], function_call={"name": "f"})  # type: ignore[call-arg]

    assert _by_forms("openai", known) == _usual("openai")(known)
    assert _usual("openai")(known)
    assert _usual("openai")(asked) is None


def test_an_object_with_the_other_spelling_is_answered_as_objects_are() -> None:
    class Part(BaseModel):
        functionCall: Any  # noqa: N815

    answer = {"candidates": [{"content": {"parts": [Part(**PART)]}}]}
    found = _usual("gemini")(answer)

    assert found
    assert _by_forms("gemini", answer) == found
    assert "key" not in found[0].extra


def test_the_reason_of_an_enum_is_read() -> None:
    answer = copy.deepcopy(ANSWERS["gemini"][0])
    answer["candidates"][0] |= {"finishReason": Reason.STOP}

    assert _usual("gemini")(answer) == _by_forms("gemini", answer)


@pytest.mark.parametrize(
    "odd", [{"a": Odd("x")}, {Odd("a"): 1}, OrderedDict(a=1), {"a": 1.5}, {"a": (1, {2})}]
)
def test_arguments_that_are_not_plain_are_read_as_the_forms_read_them(odd: Any) -> None:
    use, part = {**USE, "input": odd}, {"functionCall": {"name": "f", "args": odd}}
    message = {"role": "assistant", "stop_reason": "tool_use", "content": [use]}
    response = {"candidates": [{"content": {"parts": [part]}}]}

    for provider, answer in (("anthropic", message), ("gemini", response)):
        usual, meant = _usual(provider)(answer), _by_forms(provider, answer)

        assert (usual is None) is (type(odd) is OrderedDict)
        # Odd texts are equal to the plain ones, and written in another way.
        assert usual is None or repr(usual) == repr(meant)


def test_classes_that_answer_for_their_members_are_left_to_the_forms() -> None:
    class Own(BaseModel):
        content: list[Any]
        stop_reason: str

        @property
        def role(self) -> str:
            return "assistant"

    class Asked(Own):
        def __getattribute__(self, name: str) -> Any:
            return super().__getattribute__(name)

    usual = _usual("anthropic")

    for cls in (Own, Asked, object):
        answer = cls(content=[USE], stop_reason="tool_use") if cls is not object else object()
        assert usual(answer) is None
    assert _by_forms("anthropic", Own(content=[USE], stop_reason="tool_use"))


@typesig.tool
def f(a: int = 0) -> dict[str, Any]:
    """Return what Gemini reads as a reference, or what no text can have."""
    return {"$ref": a} if a else {"text": "\ud800"}


@pytest.mark.parametrize("provider", ANSWERS)
@pytest.mark.parametrize("a", [0, 1, "many"])
def test_a_usual_answer_is_answered_as_any_other(
    provider: str, a: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = typesig.tools_of([f]).project(provider)  # type: ignore[arg-type]
    answer = _answer_with(provider, {"a": a})
    found = [wire.handle(answer) for _ in range(4)]
    monkeypatch.setattr(messages, "read_calls_fast", lambda *_: None)
    object.__setattr__(wire, "_answer", lambda _: None)

    assert [wire.handle(answer)] * 4 == found


@dataclass
class Point:
    """What is written by generated code."""

    x: float
    name: str | None = None


class Row(TypedDict):
    """What is a dict, with what a model does not see."""

    title: str
    tags: list[str]
    note: NotRequired[str | None]
    _key: NotRequired[str]


class Noted(TypedDict):
    """What may be in a union, of which it is not known what a model sees."""

    text: str
    note: NotRequired[str | None]


class Referring(TypedDict("Named", {"$ref": str})):  # type: ignore[misc]
    """What Gemini reads as a reference."""


ROW: Row = {"title": "é", "tags": ["$ref", "$"], "note": None, "_key": "k"}

#: The hint of a result, and results.
RESULTS: list[tuple[Any, list[Any]]] = [
    (str, ["", "é", '"', "\ud800", Reason.STOP]),
    (str | None, [None, "a"]),
    (Literal["a", "b"], ["a"]),
    (int, [0, 10**30, True, "no"]),
    (float, [1.0, 1e-7, 1e22, float("nan")]),
    (Row, [ROW, {**ROW, "more": 1}, {**ROW, "tags": ["\ud800"]}, {"title": "a", "tags": []}]),
    (list[Row], [[], [ROW], [ROW, ROW]]),
    (list[int], [[1, 2]]),
    (int | Noted, [{"text": "a", "note": None}, {"text": "a"}, 1]),
    (dict[str, list[int]], [{"a": [1]}, {"$ref": []}, {"\ud800": []}]),
    (Referring, [{"$ref": "a"}]),
    (Point, [Point(1.5), Point(1e-9, "\ud800"), Point(2.0, "a")]),
    (list[Point], [[Point(1.5)], []]),
    (datetime, [datetime(2026, 1, 1)]),
    (Any, [{"a": [1, {"b": None}]}, "a", None, object()]),
]


@pytest.mark.parametrize("provider", ANSWERS)
@pytest.mark.parametrize(("hint", "results"), RESULTS, ids=[str(hint) for hint, _ in RESULTS])
def test_a_result_is_sent_at_once_as_it_is_of_an_outcome(
    provider: str, hint: Any, results: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def f(n: int) -> Any:
        return results[n]

    f.__annotations__["return"] = hint
    wire = typesig.tools_of([typesig.tool(f)]).project(provider)  # type: ignore[arg-type]
    sent = [*range(len(results)), "0", 0]
    answers = [_answer_with(provider, {"n": n}) for n in sent]
    found = [wire.handle(each) for _ in range(4) for each in answers]
    object.__setattr__(wire, "_answer", lambda _: None)

    assert [wire.handle(each) for each in answers] * 4 == found


def _answer_with(provider: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of *provider* that calls `f` with *arguments*."""
    if provider == "openai":
        asked = {"name": "f", "arguments": json.dumps(arguments)}
        return {"role": "assistant", "tool_calls": [{**CALL, "function": asked}]}
    if provider == "anthropic":
        content = [{**USE, "input": arguments}]
        return {"role": "assistant", "stop_reason": "tool_use", "content": content}
    part = {"functionCall": {"name": "f", "args": arguments}}
    return {"candidates": [{"content": {"parts": [part]}}]}


@pytest.mark.parametrize("provider", ["anthropic", "gemini"])
def test_what_is_sent_at_once_is_not_what_the_tool_holds(provider: str) -> None:
    held: Row = {"title": "a", "tags": ["b"]}

    def f() -> Row:
        return held

    wire = typesig.tools_of([typesig.tool(f)]).project(provider)  # type: ignore[arg-type]
    for _ in range(4):
        [message] = wire.handle(_answer_with(provider, {}))
        if provider == "gemini":
            [part] = message["parts"]
            part["functionResponse"]["response"]["output"]["tags"].append("c")

    assert {"title": "a", "tags": ["b"]} == held
