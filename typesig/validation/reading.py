"""Reading what a model sent: data as it is, text as JSON, or mended as the policy allows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from typesig.algebra.nodes import Type
from typesig.algebra.values import exact
from typesig.validation.issues import Issue
from typesig.validation.json_text import BadJson, NotJson, read_json
from typesig.validation.policy import Policy
from typesig.validation.subject import READ

if TYPE_CHECKING:
    from typesig.validation.mending import Fits


class Read(NamedTuple):
    """What became of what a model sent.

    #: data: the data; if there is an error, what was sent, as text if it was bytes
    #: warnings: those of repairs; error: why it cannot be read, or None
    #: fault: where in the text reading stopped, as an index, or `READ`
    """

    data: Any
    warnings: tuple[Issue, ...] = ()
    error: Issue | None = None
    fault: int = READ


def read_sent(
    sent: Any, what: str, t: Type, names: Mapping[str, Type], policy: Policy, fits: Fits
) -> Read:
    """Return the data of what a model *sent*, the warnings of repairs, and an error or None.

    *what* begins the message, as in "the answer is"; *t* is the type that is wanted, with the types
    of its references, and *fits* tells whether data fits it.
    """
    if not issubclass(type(sent), str | bytes):
        return Read(sent)
    sent = exact(sent)
    try:
        return Read(read_json(sent))
    except NotJson as error:
        message, at = str(error), error.at
    except BadJson as error:
        return Read(sent, (), Issue("json", (), "", f"{what} {error}"), error.at)
    # Loaded only for text that is not JSON.
    from typesig.validation.mending import Unmended, mended
    from typesig.validation.wanted import wanted_of

    text = sent.decode() if isinstance(sent, bytes) else sent
    try:
        made = mended(text, message, policy, wanted_of(t, names), fits)
    except Unmended as error:
        # The place in a fence, for example, says more than that of the fence.
        place = at if error.place is None else error.place
        return Read(text, (), Issue("json", (), "", f"{what} {error}", error.hint), place)
    except BadJson as error:
        return Read(text, (), Issue("json", (), "", f"{what} {error}"), at)
    return Read(made.data, tuple(made.warnings))
