"""From what is given to `handle` to the calls in it: answers, parts of them, and streams."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import Any

from typesig.algebra.rows.builtin import as_builtin
from typesig.calls.waiting import Waiting
from typesig.errors import TooLarge, TypesigError
from typesig.extraction.callables.warnings import said_by
from typesig.limits import MAX_EVENTS
from typesig.providers.generated.usual_answers import usual_reader
from typesig.providers.rows.calls import EventFormat, WireCall, flat, is_several, no_answer
from typesig.providers.rows.vendor import Vendor
from typesig.providers.vendors.vendors import likeness


def events_of(message: object) -> object:
    """Return the events of *message* in a list if it is a stream, else *message*.

    What the stream raises passes.
    """
    if type(message) is dict:
        return message
    if _is_sync(message):
        return _read_whole(message)
    if _is_async(message):
        raise TypesigError("this is an asynchronous stream: write await ….ahandle(…)")
    return message


async def arrived(message: object, waiting: Waiting) -> object:
    """Return the same as `events_of`, for asynchronous streams too if *waiting* awaits."""
    if not waiting.awaits:
        return events_of(message)
    if _is_async(message):
        found: list[Any] = []
        async for event in message:  # type: ignore[attr-defined]
            found.append(event)
            _check_count(found)
        return _not_empty(found)
    if _is_sync(message):
        # A stream waits for the network.
        return await waiting.off(partial(_read_whole, message))
    return message


def _is_sync(message: object) -> bool:
    return hasattr(type(message), "__next__")


def _is_async(message: object) -> bool:
    return hasattr(type(message), "__anext__")


def _read_whole(stream: Any) -> list[Any]:
    found = list(islice(stream, MAX_EVENTS + 1))
    _check_count(found)
    return _not_empty(found)


def _check_count(found: list[Any]) -> None:
    if len(found) > MAX_EVENTS:
        raise TooLarge(f"the stream has more than {MAX_EVENTS} events")


def _not_empty(found: list[Any]) -> list[Any]:
    if not found:
        raise TypesigError(
            "the stream has no events: it was read before; keep its events in a list, and pass that"
        )
    return found


def assembled(vendor: Vendor, events: object) -> dict[str, Any]:
    """Return the whole answer whose stream has *events*; see `Projection.assembled`."""
    found = events_of(events)
    if vendor.calls.events is None:
        raise TypesigError(f"{vendor.title} has no streams of answers")
    if not is_several(found):
        raise no_answer(events, "assembled takes a stream, or its events in a list")
    return _assembled(vendor, vendor.calls.events, flat(found))


def calls_in(vendor: Vendor, message: object) -> list[WireCall]:
    """Return the calls in *message*; raise `TypesigError` if it cannot be read."""
    if type(message) is WireCall:
        return [message]
    usual = usual_calls(vendor, message)
    if usual is not None:
        return usual
    try:
        return _read(vendor, as_builtin(message))
    except TypesigError:
        raise
    except Exception as error:
        # An object of others, whose methods may raise anything.
        name, why = type(message).__name__, said_by(error)
        raise TypesigError(f"the answer, {name}, cannot be read: it raises {why}") from None


def usual_calls(vendor: Vendor, message: object) -> list[WireCall] | None:
    """Return the calls in *message* if it has a usual form of the vendor's answers, else None."""
    return usual_reader(vendor.calls.answers)(message)


def _read(vendor: Vendor, message: object) -> list[WireCall]:
    form, each = vendor.calls, flat(message)
    if form.events is not None and is_several(message) and any(map(form.events.is_event, each)):
        return form.read(_assembled(vendor, form.events, each))
    like = partial(_likeness, vendor)
    if form.items is None or not is_several(message):
        return [call for one in each for call in form.read_one(one, like)]
    table, remedy = form.items
    found = [call for one in table.remove_answered(each) for call in form.read_one(one, like)]
    if not found:
        table.check_resolved(each, remedy)
    return found


def _assembled(vendor: Vendor, form: EventFormat, events: list[Any]) -> dict[str, Any]:
    for event in events:
        found = "" if form.is_event(event) else _likeness(vendor, event)
        if found:
            raise no_answer(event, vendor.calls.wanted, found)
    return form.assembled(events)


def _likeness(vendor: Vendor, message: object) -> str:
    """Return what *message* looks like if it is of another vendor, and what to do."""
    found = likeness(vendor, message)
    if found is None:
        return ""
    other, title = found
    return f'it looks like {title}, for which the projection is project("{other.name}")'
