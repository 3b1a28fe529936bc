"""Whatever items an answer is made of: each call is answered once, or an error names what is not."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

import typesig
from tests.generators import LAW
from typesig import TypesigError, tool
from typesig.providers.registry.answers import ItemTable
from typesig.providers.vendors import anthropic, openai_events
from typesig.providers.vendors.registry import VENDORS


@tool
def double(n: int) -> int:
    """Double *n*."""
    return 2 * n


TOOLS = typesig.tools_of([double])


class Model(BaseModel):
    """An object of an SDK."""

    model_config = ConfigDict(extra="allow")


class Part(NamedTuple):
    """An item of an answer, and whether it is a call, waits for the host, or is silent."""

    item: dict[str, Any]
    waits: str


NAMES = st.sampled_from(["double", "Double", "crm.double", "", "doubel", "shell"])
SENT = st.sampled_from([{"n": 2}, {"n": "x"}, {}, {"n": None, "m": 1}])
FIELDS: Any = st.dictionaries(
    st.sampled_from(["created_by", "phase", "action", "results_of", "title"]),
    st.sampled_from([None, "a", 1, {}, [1]]),
    max_size=2,
)
_NUMBERS = itertools.count()


def numbered(prefix: str) -> Any:
    return st.builds(lambda: f"{prefix}{next(_NUMBERS)}")


def unknown(kinds: list[str]) -> Any:
    """Draw items of types that no row has, which look like calls."""
    return st.builds(
        lambda kind, id, fields: Part({**fields, "type": kind, "id": id}, "host"),
        st.sampled_from(kinds),
        numbered("u"),
        FIELDS,
    )


def of_table(table: ItemTable) -> Any:
    """Draw items of the types of *table* that are no calls of tools."""
    kinds = [row for row in table.rows.values() if row.use in ("text", "server", "host")]

    def made(row: Any, id: str, fields: Any, at_server: bool) -> Part:
        item = {**fields, "type": row.kind, "id": id, "call_id": id}
        waits = "host" if row.use == "host" else "silent"
        if row.at_server is not None and at_server:
            path, text = row.at_server
            value: Any = text
            for name in reversed(path[1:]):
                value = {name: value}
            item[path[0]], waits = value, "silent"
        return Part(item, waits)

    return st.builds(made, st.sampled_from(kinds), numbered("i"), FIELDS, st.booleans())


RESPONSES = st.lists(
    st.one_of(
        st.builds(
            lambda id, name, sent, space, fields: Part(
                {
                    **fields,
                    "type": "function_call",
                    "call_id": id,
                    "name": name,
                    "arguments": json.dumps(sent),
                    **space,
                },
                "call",
            ),
            numbered("c"),
            NAMES,
            SENT,
            st.sampled_from(
                [{}, {"namespace": None}, {"namespace": "crm"}, {"namespace": "double"}]
            ),
            FIELDS,
        ),
        of_table(openai_events.ITEMS),
        unknown(["new_call", "tool_calls", "approval_request", "new.invocation", "NewToolUse"]),
    ),
    max_size=5,
)

BLOCKS = st.lists(
    st.one_of(
        st.builds(
            lambda id, name, sent, fields: Part(
                {**fields, "type": "tool_use", "id": id, "name": name, "input": sent}, "call"
            ),
            numbered("c"),
            NAMES,
            SENT,
            FIELDS,
        ),
        of_table(anthropic.ITEMS),
        unknown(["new_tool_use", "desktop_tooluse", "access_request"]),
    ),
    max_size=5,
)

PARTS = st.lists(
    st.one_of(
        st.builds(
            lambda id, name, sent, key: Part({key: {"id": id, "name": name, "args": sent}}, "call"),
            numbered("c"),
            NAMES,
            SENT,
            st.sampled_from(["functionCall", "function_call"]),
        ),
        st.builds(
            lambda key, id: Part({key: {"id": id}}, "host"),
            st.sampled_from(["robotCall", "robot_call", "accessRequest"]),
            numbered("u"),
        ),
        st.sampled_from(
            [
                Part({"text": "a"}, "silent"),
                Part({"text": "b", "thought": True}, "silent"),
                Part({"toolCall": {"id": "t"}}, "silent"),
                Part({"executableCode": {"code": "1"}}, "silent"),
                Part({"inlineData": {"data": "a"}}, "silent"),
            ]
        ),
    ),
    max_size=5,
)

CHAT = st.lists(
    st.builds(
        lambda id, name, sent: Part(
            {
                "id": id,
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(sent)},
            },
            "call",
        ),
        numbered("c"),
        NAMES,
        SENT,
    ),
    max_size=5,
)


def as_objects(value: Any, choose: Any) -> Any:
    """Return *value* with objects for some of its dicts, but for arguments."""
    if isinstance(value, list):
        return [as_objects(each, choose) for each in value]
    if not isinstance(value, dict):
        return value
    made = {
        key: part if key in ("args", "input") else as_objects(part, choose)
        for key, part in value.items()
    }
    return Model(**made) if choose() else made


def whole(spelling: str, items: list[Any]) -> list[tuple[Any, bool]]:
    """Return answers with *items*, and whether each tells by itself that it is the last one."""
    match spelling:
        case "responses":
            return [({"status": "completed", "output": items}, True), (items, True)]
        case "blocks":
            ended = {"type": "message", "role": "assistant", "content": items}
            return [({**ended, "stop_reason": "end_turn"}, True), (items, False)]
        case "parts":
            content = {"role": "model", "parts": items}
            return [({"candidates": [{"content": content, "finishReason": "STOP"}]}, True)]
        case _:
            message = {"role": "assistant", "content": None, "tool_calls": items}
            reason = "tool_calls" if items else "stop"
            return [({"choices": [{"message": message, "finish_reason": reason}]}, True)]


def answers_in(found: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the answers to single calls in the messages *found*."""
    for message in found:
        parts = message.get("content") if message.get("role") == "user" else None
        parts = message.get("parts", parts)
        yield from parts if isinstance(parts, list) else [message]


SPELLINGS = {"responses": RESPONSES, "blocks": BLOCKS, "parts": PARTS, "chat": CHAT}
PROFILES = [
    (name, profile.api, spelling)
    for name, vendor in VENDORS.items()
    for profile in vendor.profiles
    if not profile.strict and name != "mcp"
    for spelling in (
        [{"responses": "responses", "chat": "chat"}.get(profile.api, "")]
        if vendor.calls is VENDORS["openai"].calls
        else ["blocks" if name == "anthropic" else "parts"]
    )
]


@pytest.mark.parametrize(("provider", "api", "spelling"), PROFILES)
@LAW
@given(data=st.data())
def test_each_item_that_waits_is_answered_once_or_an_error_names_it(
    provider: Any, api: str, spelling: str, data: st.DataObject
) -> None:
    wire = TOOLS.project(provider, api=api)
    parts = data.draw(SPELLINGS[spelling])
    items = [part.item for part in parts]
    waiting = [part.item for part in parts if part.waits == "host"]
    calls = [part for part in parts if part.waits == "call"]
    kinds = {item.get("type", next(iter(item))) for item in waiting}
    host_items = {kind: lambda item: {"answer_to": item["id"]} for kind in kinds}
    for answer, is_last in whole(spelling, items):
        message = as_objects(answer, lambda: data.draw(st.booleans()))
        if waiting:
            with pytest.raises(TypesigError, match=r"waits for your program"):
                wire.handle(message)
        if not (is_last or calls or waiting) and any(
            part.item["type"] in anthropic.ITEMS.uses for part in parts
        ):
            with pytest.raises(TypesigError, match="has no result yet"):
                wire.handle(message)
            continue
        found = list(answers_in(wire.handle(message, host_items=host_items)))
        assert len(calls) + len(waiting) == len(found)
        told = [each["answer_to"] for each in found if "answer_to" in each]
        assert [item.get("id", next(iter(item.values()))) for item in waiting] == [
            each if spelling != "parts" else {"id": each} for each in told
        ]
