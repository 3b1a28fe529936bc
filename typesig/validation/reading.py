"""Reading what a model sent: data as it is, text as JSON, or mended as the policy allows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from typesig.algebra.nodes import Type
from typesig.validation.issues import Issue
from typesig.validation.json_text import BadJson, NotJson, read_json
from typesig.validation.policy import Policy

if TYPE_CHECKING:
    from typesig.validation.mending import Fits


def read_sent(
    sent: object, what: str, t: Type, names: Mapping[str, Type], policy: Policy, fits: Fits
) -> tuple[Any, list[Issue], Issue | None]:
    """Return the data of what a model *sent*, the warnings of repairs, and an error or None.

    *what* begins the message, as in "the answer is"; *t* is the type that is wanted, with the types
    of its references, and *fits* tells whether data fits it.
    """
    if not isinstance(sent, str | bytes):
        return sent, [], None
    try:
        return read_json(sent), [], None
    except NotJson as error:
        message = str(error)
    except BadJson as error:
        return None, [], Issue("json", (), "", f"{what} {error}")
    # Loaded only for text that is not JSON.
    from typesig.validation.mending import Unmended, mended
    from typesig.validation.wanted import wanted_of

    text = sent.decode() if isinstance(sent, bytes) else sent
    try:
        made = mended(text, message, policy, wanted_of(t, names), fits)
    except Unmended as error:
        return None, [], Issue("json", (), "", f"{what} {error}", error.hint)
    except BadJson as error:
        return None, [], Issue("json", (), "", f"{what} {error}")
    return made.data, made.warnings, None
