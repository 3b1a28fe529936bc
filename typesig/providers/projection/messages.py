"""Reads calls from the arguments of `handle`: answers, parts of answers, and streams."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import Any

from typesig.algebra.rows.builtin import as_builtin
from typesig.calls.running import WaitMode
from typesig.errors import TooLarge, TypesigError
from typesig.extraction.callables.warnings import get_exception_message
from typesig.limits import MAX_EVENTS
from typesig.providers.projection.call_readers import get_call_reader
from typesig.providers.registry.calls import (
    EventFormat,
    WireCall,
    flatten_messages,
    is_several,
    make_answer_error,
)
from typesig.providers.registry.vendor import Vendor
from typesig.providers.vendors.registry import find_likeness


def read_stream(message: object) -> object:
    """Read the events of *message* into a list if it is a stream; else return it.

    What the stream raises passes.
    """
    if type(message) is dict:
        return message
    if _is_sync(message):
        return _read_whole(message)
    if _is_async(message):
        raise TypesigError("this is an asynchronous stream: write await ….ahandle(…)")
    return message


async def receive_message(message: object, waiting: WaitMode) -> object:
    """Collect the events of *message*, which may be asynchronous if *waiting* awaits."""
    if not waiting.awaits:
        return read_stream(message)
    if _is_async(message):
        found: list[Any] = []
        async for event in message:  # type: ignore[attr-defined]
            found.append(event)
            _check_count(found)
        return _check_not_empty(found)
    if _is_sync(message):
        # A stream waits for the network.
        return await waiting.run_off_thread(partial(_read_whole, message))
    return message


def _is_sync(message: object) -> bool:
    """Whether *message* is a synchronous iterator."""
    return hasattr(type(message), "__next__")


def _is_async(message: object) -> bool:
    """Whether *message* is an asynchronous iterator."""
    return hasattr(type(message), "__anext__")


def _read_whole(stream: Any) -> list[Any]:
    """List the events of *stream*; raise an error if it is empty or too large."""
    found = list(islice(stream, MAX_EVENTS + 1))
    _check_count(found)
    return _check_not_empty(found)


def _check_count(found: list[Any]) -> None:
    """Raise `TooLarge` if more events were *found* than a stream may have."""
    if len(found) > MAX_EVENTS:
        raise TooLarge(f"the stream has more than {MAX_EVENTS} events")


def _check_not_empty(found: list[Any]) -> list[Any]:
    """Return the events *found*; raise `TypesigError` if there are no events."""
    if not found:
        raise TypesigError(
            "the stream has no events: it was read before; keep its events in a list, and pass that"
        )
    return found


def build_answer(vendor: Vendor, events: object) -> dict[str, Any]:
    """Build the full answer from the *events* of its stream; see `Projection.assembled`."""
    found = read_stream(events)
    if vendor.calls.events is None:
        raise TypesigError(f"{vendor.title} has no streams of answers")
    if not is_several(found):
        raise make_answer_error(events, "assembled takes a stream, or its events in a list")
    return _build_answer(vendor, vendor.calls.events, flatten_messages(found))


def read_calls(vendor: Vendor, message: object) -> list[WireCall]:
    """Read the calls in *message*; raise `TypesigError` if it cannot be read."""
    if type(message) is WireCall:
        return [message]
    usual = read_calls_fast(vendor, message)
    if usual is not None:
        return usual
    try:
        return _read_calls(vendor, as_builtin(message))
    except TypesigError:
        raise
    except Exception as error:
        # An object of others, whose methods may raise anything.
        name, why = type(message).__name__, get_exception_message(error)
        raise TypesigError(f"the answer, {name}, cannot be read: it raises {why}") from None


def read_calls_fast(vendor: Vendor, message: object) -> list[WireCall] | None:
    """Read the calls in *message* by the fast reader; return None if it cannot."""
    found = get_call_reader(vendor.calls.answers).read(message)
    if found is None:
        return None
    return [
        call._replace(arguments=as_builtin(call.arguments))
        if type(call.arguments) is dict
        else call
        for call in found
    ]


def _read_calls(vendor: Vendor, message: object) -> list[WireCall]:
    """Read the calls in *message*: an answer, its parts, or the events of a stream."""
    form, each = vendor.calls, flatten_messages(message)
    if form.events is not None and is_several(message) and any(map(form.events.is_event, each)):
        return form.read(_build_answer(vendor, form.events, each))
    like = partial(_describe_likeness, vendor)
    if form.items is None or not is_several(message):
        return [call for one in each for call in form.read_one(one, like)]
    table, remedy = form.items
    found = [call for one in table.remove_answered(each) for call in form.read_one(one, like)]
    if not found:
        table.check_resolved(each, remedy)
    return found


def _build_answer(vendor: Vendor, form: EventFormat, events: list[Any]) -> dict[str, Any]:
    """Build an answer from the *events* of a stream; refuse events of other vendors."""
    for event in events:
        found = "" if form.is_event(event) else _describe_likeness(vendor, event)
        if found:
            raise make_answer_error(event, vendor.calls.wanted, found)
    return form.assembled(events)


def _describe_likeness(vendor: Vendor, message: object) -> str:
    """Hint that *message* looks like another vendor's, or an empty text."""
    found = find_likeness(vendor, message)
    if found is None:
        return ""
    other, title = found
    return f'it looks like {title}, for which the projection is project("{other.name}")'
