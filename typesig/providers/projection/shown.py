"""What a model is shown of a whole value, which a call then returns in place of its outcome."""

from __future__ import annotations

from typing import Any

from typesig import loaded_json
from typesig.calls.called import Show
from typesig.notations.texts.quoting import encodable
from typesig.validation.outcome.about import NOT_WHOLE, AboutWhole


def _shown_text(about: AboutWhole, value: Any) -> Any:
    """Return the text of *value* that is sent to a model, or `NOT_WHOLE` if it is not known."""
    text = about.showing.text(value)
    if text is None:
        return NOT_WHOLE
    if text[0] != '"':
        return text
    # A text is sent as it is, without quotes.
    return encodable(value) if type(value) is str else NOT_WHOLE


def _shown_data(about: AboutWhole, value: Any) -> Any:
    """Return the data of *value* in a tuple, or `NOT_WHOLE` if more is to be known of it."""
    data = about.showing.data(value)
    return (data,) if data is not NOT_WHOLE and is_data_alone(data) else NOT_WHOLE


def is_data_alone(data: Any) -> bool:
    """Tell whether *data* is seen to have no lone surrogate, and no text like a reference."""
    codec = loaded_json.loaded_codec()
    try:
        made = b"" if codec is None else codec.dumps(data)
    except Exception:
        # It has a surrogate.
        return False
    # One character is searched for in a part of the time.
    return bool(made) and (_DOLLAR not in made or b"$ref" not in made)


_DOLLAR = ord("$")

#: What shows whole values where texts are sent, and where data is.
SHOWN: dict[bool, Show] = {True: _shown_text, False: _shown_data}
