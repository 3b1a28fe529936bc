"""Messages about mistakes that shorthand and the compact notation have in common."""

from __future__ import annotations

from typing import assert_never

from typesig.algebra.constructors import InapplicableConstraint
from typesig.algebra.formats import FORMATS
from typesig.limits import MAX_NEAR_NAME


def unknown_flag(word: str) -> str:
    """Return the message for *word*, which is not the name of a format."""
    from difflib import get_close_matches

    known = [*FORMATS, "unique"]
    near = get_close_matches(word, known, 1) if len(word) <= MAX_NEAR_NAME else []
    hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
    return f'there is no format "{cut(word)}"; {hint}'


def inapplicable(error: InapplicableConstraint) -> str:
    """Return the message for a constraint that does not apply to its type."""
    match error.constraint.name:
        case "above" | "below":
            return f"{error}; a length is a range, as in [1..5]"
        case "at_least" | "at_most" | "multiple_of" | "pattern" | "format" | "unique":
            return str(error)
        case name:
            assert_never(name)


def cut(word: str) -> str:
    """Return *word*, cut if it is long."""
    return word if len(word) <= 30 else word[:29] + "…"
