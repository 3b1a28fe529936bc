"""Messages about mistakes that notations have in common."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from typesig.algebra.constructors import InapplicableConstraint
from typesig.algebra.rows.formats import FORMATS
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
    is_bound = error.constraint.name in ("above", "below")
    return f"{error}; a length is a range, as in [1..5]" if is_bound else str(error)


def cut(word: str) -> str:
    """Return *word*, cut if it is long."""
    return word if len(word) <= 30 else word[:29] + "…"


def wanted(expected: Collection[str], words: Mapping[str, str]) -> str:
    """Return what may stand at a place, where the grammar has the terminals *expected*.

    *words* has what messages call the terminals; those without a row are not offered.
    """
    offered = [word for name, word in words.items() if name in expected] or ["the end"]
    last = offered.pop()
    return f"expected {', '.join(offered)} or {last}" if offered else f"expected {last}"
