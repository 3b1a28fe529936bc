"""Whether a default fits its type: an accepted signature accepts its own defaults."""

from __future__ import annotations

from functools import lru_cache

from typesig.algebra.nodes import Type
from typesig.algebra.signature import Definition
from typesig.algebra.values import Const
from typesig.validation.policy import STRICT
from typesig.validation.verdicts import checked

# An undeclared key is the sender's mistake in `strict`; a default of an open record may have some.
_FIRST_ERROR = STRICT.changed(extras="keep", max_issues=1)


@lru_cache(maxsize=1024)
def flaw_of_default(t: Type, default: Const, definitions: tuple[Definition, ...]) -> str:
    """Return what a check in mode `strict` finds in *default*, or an empty text.

    JSON's spelling of a datetime, a keyword or a set is read, as it is in any argument.
    """
    errors = checked(t, definitions, default.thaw(), _FIRST_ERROR, "input").errors
    return str(errors[0]) if errors else ""
