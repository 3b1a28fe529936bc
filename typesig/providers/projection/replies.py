"""Replies to calls, and to items that wait for the host: results, refusals, exceptions."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias, assert_never

from typesig import json_backends
from typesig.calls.protocols import Show
from typesig.calls.results import ToolResult
from typesig.calls.running import WaitMode
from typesig.errors import TypesigError, format_value
from typesig.limits import MAX_CALLS
from typesig.notations.texts.quoting import escape_surrogates, escape_surrogates_in_data
from typesig.providers.projection.tool_projection import ProjectedTool
from typesig.providers.registry.answers import HOST, CallFormat, is_for_host
from typesig.providers.registry.calls import Reply, Stop, WireCall, get_caller
from typesig.validation.issues.excerpt import quote_text
from typesig.validation.outcome.check_context import NOT_WHOLE, PassthroughContext
from typesig.validation.outcome.constructors import ValidOutcome
from typesig.validation.outcome.outcome import Outcome

# --- Replies to calls: results, refusals of calls that are not run, and exceptions of tools ---

#: Makes a reply of all its parts, in half of the time that its class takes.
build_reply: Callable[..., Reply] = tuple.__new__


def make_reply(
    form: CallFormat, call: WireCall, one: ProjectedTool, outcome: Outcome[Any]
) -> Reply:
    """Return the reply to *call* of the tool *one*, which has this *outcome*."""
    is_passed = type(outcome) is ValidOutcome
    if not (is_passed or outcome.ok):
        return Reply(call, escape_surrogates(one.feedback(call.arguments, outcome)), True)
    # A whole result without any warning is the usual case.
    notice = escape_surrogates(outcome.notice) if outcome._told is not None else ""
    if is_passed and not form.takes_texts and not notice:
        data = one.encode(outcome)
        if is_plain_data(data):
            return build_reply(Reply, (call, "", False, data, False, (), None, (), ""))
    text = outcome._write_text()
    if text[0] == '"':
        # A text is sent as it is, without quotes.
        text = escape_surrogates(outcome.for_model())
    data, typed = None, False
    if form.takes_data:
        data, typed = one.encode(outcome), one.result.schema is not None
        if one.result.is_whole or "\\ud" in text:
            # The text does not have all of a whole result.
            data = escape_surrogates_in_data(data)
    if is_passed and not notice:
        # It has no media, as most have.
        return build_reply(Reply, (call, text, False, data, typed, (), None, (), ""))
    result: object = outcome.result
    if isinstance(result, ToolResult):
        held = result.content, result.meta, result.media()
        return Reply(call, text, False, data, typed, *held, notice)
    return Reply(call, text, False, data, typed, media=outcome.media, notice=notice)


def add_call_note(error: Exception, call: WireCall) -> Exception:
    """Add a note to *error* about the call that raised it."""
    named = f" (call {call.id})" if call.id else ""
    error.add_note(f"raised by the tool {call.name}{named}; the other calls have ended")
    return error


def merge_errors(errors: list[BaseException]) -> BaseException:
    """Return the only error of *errors*, which is not empty, or an exception group."""
    if len(errors) == 1:
        return errors[0]
    return BaseExceptionGroup(f"{len(errors)} calls of tools raised", errors)


def _show_text(about: PassthroughContext, value: Any) -> Any:
    """Text of *value* for a model, or `NOT_WHOLE` if it is not known."""
    text = about.showing.text(value)
    if text is None:
        return NOT_WHOLE
    if text[0] != '"':
        return text
    # A text is sent as it is, without quotes.
    return escape_surrogates(value) if type(value) is str else NOT_WHOLE


def _show_data(about: PassthroughContext, value: Any) -> Any:
    """Return the data of *value* in a 1-tuple, or `NOT_WHOLE` if it is not plain."""
    data = about.showing.data(value)
    return (data,) if data is not NOT_WHOLE and is_plain_data(data) else NOT_WHOLE


def is_plain_data(data: Any) -> bool:
    """Whether *data* contains neither lone surrogates nor the text "$ref"."""
    codec = json_backends.find_loaded_codec()
    try:
        made = b"" if codec is None else codec.dumps(data)
    except Exception:
        # It has a surrogate.
        return False
    # One character is searched for in a part of the time.
    return bool(made) and (_DOLLAR not in made or b"$ref" not in made)


_DOLLAR = ord("$")

#: What shows whole values where texts are sent, and where data is.
SHOWN: dict[bool, Show] = {True: _show_text, False: _show_data}


def _drop_version(caller: str) -> str:
    """Remove the version suffix from *caller*, the type of a vendor's program runner."""
    return _VERSION.sub("", caller)


_VERSION = re.compile(r"_\d{8}$")


def is_allowed(one: ProjectedTool, call: WireCall) -> bool:
    """Whether the definition of *one* allows the caller of *call*; True if unknown."""
    caller, allowed = get_caller(call), one.definition.get("allowed_callers")
    return allowed is None or caller is None or _drop_version(caller) in map(_drop_version, allowed)


def format_forbidden(name: str, caller: str | None) -> str:
    """Message that *caller* may not call the tool *name*."""
    if caller == "direct":
        return f"this call was not run: only a program may call {name}; write one that does"
    return f"this call was not run: no program may call {name}; call it yourself"


def format_stopped(stop: Stop, arguments: object) -> str:
    """Text for the model about a call that is incomplete or unreadable."""
    match stop:
        case "length":
            return (
                "this call was not run: the answer reached its limit of length before the call "
                "was whole; send it again with shorter arguments, or as several calls"
            )
        case "stopped":
            return "this call was not run: the answer was stopped before its end; send it again"
        case "many":
            return (
                f"this call was not run: only the first {MAX_CALLS} calls of an answer are; "
                "send it again"
            )
        case "malformed":
            told = f" ({quote_text(arguments)})" if isinstance(arguments, str) and arguments else ""
            return (
                f"your call could not be read, so no tool was run{told}; call one of the tools "
                "again, with arguments as it declares them"
            )
        case "unread":
            return f"this call was not run: {arguments}"
        case _:
            assert_never(stop)


# --- Items that wait for the host: its functions answer them, or they are refused ---
# `handle` treats an answer in which nothing waits as the last one, so none of them is left out.

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
