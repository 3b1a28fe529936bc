"""Model-visible forms of valid results, returned by calls in place of outcomes."""

from __future__ import annotations

from typing import Any

from typesig import json_backends
from typesig.calls.protocols import Show
from typesig.notations.texts.quoting import escape_surrogates
from typesig.validation.outcome.check_context import NOT_WHOLE, PassthroughContext


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
