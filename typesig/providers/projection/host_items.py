"""Items that wait for the host: its functions answer them, or they are refused.

`handle` treats an answer in which nothing waits as the last one, so none of them is left out.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias, assert_never

from typesig.calls.running import WaitMode
from typesig.errors import TypesigError, format_value
from typesig.limits import MAX_CALLS
from typesig.providers.rows.calls import Reply, Stop, WireCall
from typesig.providers.rows.items import HOST, is_for_host

#: What answers items that are not calls of tools, by their type: a function from the item, as a
#: plain dict, to the item that answers it, or to an awaitable of that for `ahandle`.  With None,
#: items of the type are left alone.
HostItems: TypeAlias = Mapping[
    str, Callable[[dict[str, Any]], dict[str, Any] | Awaitable[dict[str, Any]]] | None
]


def check_host_items(host_items: object) -> HostItems:
    """Return *host_items*; raise `TypesigError` if they are not functions by type."""
    if host_items is None:
        return {}
    if not isinstance(host_items, Mapping) or not all(
        isinstance(kind, str) and (answer is None or callable(answer))
        for kind, answer in host_items.items()
    ):
        raise TypesigError(
            "host_items are functions by the types of items, not "
            f"{format_value(host_items)}; write "
            'host_items={"mcp_approval_request": approve}'
        )
    return host_items


def keep_answerable(calls: Sequence[WireCall], host_items: HostItems) -> list[WireCall]:
    """Drop the items from *calls* that *host_items* maps to None; refuse unknown items.

    Raises `TypesigError` for an item that waits for the host and is not in *host_items*, or that
    is not whole.
    """
    kept: list[WireCall] = []
    for call in calls:
        if not is_for_host(call):
            kept.append(call)
            continue
        if call.name not in host_items:
            raise TypesigError(_format_unanswered(call))
        if host_items[call.name] is None:
            continue
        if call.stop is not None:
            raise TypesigError(
                f"{_describe_item(call)} was not answered: {_format_stop(call.stop)}"
            )
        kept.append(call)
    return kept


def _describe_item(call: WireCall) -> str:
    """Name and id of an item that waits for the host, for messages."""
    return f"the item {call.name}{'' if call.id is None else f' ({format_value(call.id)})'}"


def _format_unanswered(call: WireCall) -> str:
    """Message that an item waits for the program, with the remedy."""
    answer = call.extra[HOST]
    wanted = f"an item {answer}" if answer else "the item that answers it"
    return (
        f"{_describe_item(call)} waits for your program, and handle runs only calls of tools: "
        f'write handle(…, host_items={{"{call.name}": answer}}) with a function that returns '
        f"{wanted}, or None for items that need no answer; no tool was run"
    )


def _format_stop(stop: Stop) -> str:
    """Write the reason for which an item was not answered, by its *stop* code."""
    match stop:
        case "length":
            return "it is not whole; ask the model again"
        case "stopped":
            return "the answer was stopped before its end; ask the model again"
        case "many":
            return f"only the first {MAX_CALLS} calls and items of an answer are"
        case "malformed" | "unread":
            return "it could not be read"
        case _:
            assert_never(stop)


async def answer_item(call: WireCall, host_items: HostItems, waiting: WaitMode) -> Reply:
    """Answer *call*, an item of the host, with the function for its type."""
    answer, item = host_items[call.name], call.arguments
    assert answer is not None
    assert isinstance(item, dict)
    refusal = f"host_items[{call.name!r}] is a coroutine function: write await ….ahandle(…)"
    run = partial(answer, item)
    made = run() if inspect.iscoroutinefunction(answer) else await waiting.run_off_thread(run)
    found: object = await waiting.await_value(made, refusal)
    if not isinstance(found, dict):
        raise TypesigError(
            f"host_items[{call.name!r}] returns the item that answers, a dict, not "
            f"{format_value(found)}"
        )
    return Reply(call, "", False, found)
