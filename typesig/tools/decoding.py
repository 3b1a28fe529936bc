"""Checked values as the host's own objects, and the issue if the host refuses one."""

from __future__ import annotations

from typing import Any

from typesig.extraction.decoders import Decode, HostError
from typesig.validation.excerpt import shown
from typesig.validation.issues import Issue


def decode_value(
    decode: Decode, value: Any, path: tuple[str, ...], taker: str
) -> tuple[Any, Issue | None]:
    """Return what *decode* makes of *value*, or *value* itself and why it was refused.

    *path* is the place of the value; *taker* is named in messages as who refuses it.
    """
    if decode is None:
        return value, None
    try:
        return decode(value), None
    except HostError as error:
        whole = (*path, *reversed(error.steps))
        return value, Issue("host", whole, "", error.message, f"got {shown(value)}")
    except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError):
        # The signature accepts a value that the hint cannot hold.
        message = f"{taker} does not take such a value"
        return value, Issue("host", path, "", message, f"got {shown(value)}")
