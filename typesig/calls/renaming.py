"""The same tool under another name, or with arguments that are sent in another form."""

from __future__ import annotations

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
