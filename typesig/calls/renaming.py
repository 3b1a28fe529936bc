"""The same tool under another name, with arguments in another form, or with another function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from typesig.calls.binding import SentForm
from typesig.calls.called import Called
from typesig.calls.functions import checked_name

T = TypeVar("T", bound=Called)


def renamed(one: T, name: str, sent: SentForm | None = None) -> T:
    """Return the tool *one* with another name; raise `ExtractionError` if it cannot be one.

    *sent* is the form in which its arguments are sent, if it is not the usual one.
    """
    other: Any = object.__new__(type(one))
    binding = one.binding._replace(name=checked_name(name, own=False), sent=sent)
    # The short way of its calls has another name and another form.
    short = {"name": name, "binding": binding, "_shared": {}}
    other.__dict__.update({**one.__dict__, **short})
    return other  # type: ignore[no-any-return]


def replaced(one: T, function: Callable[..., Any]) -> T:
    """Return the tool *one* with *function* in place of its own, which is never called.

    *function* takes what a call binds, without the instance of a method.
    """
    other: Any = object.__new__(type(one))
    # The short way of its calls has the other function.
    short = {"_function": function, "_call": function, "_shared": {}}
    other.__dict__.update({**one.__dict__, **short, "_receiver": None, "_receives": False})
    return other  # type: ignore[no-any-return]
