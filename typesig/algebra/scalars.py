"""The scalars: what each stands for, one row each.

To add one, add a row here; the totality test then names every operation that lacks its own row
(the spelling in each notation, the coercions, the samples).
"""

from __future__ import annotations

from typing import NamedTuple


class ScalarRow(NamedTuple):
    """What a scalar stands for.

    #: kinds: the kinds of the values that conform; empty for any kind
    #: spoken: the word that a bare `coerce` uses for it (seed 003)
    """

    name: str
    kinds: frozenset[str]
    spoken: str


def _row(name: str, *kinds: str, spoken: str = "") -> ScalarRow:
    return ScalarRow(name, frozenset(kinds or (name,)), spoken or name)


SCALARS: dict[str, ScalarRow] = {
    row.name: row
    for row in (
        _row("string"),
        _row("int", spoken="integer"),
        _row("float", "float", "int"),
        _row("bool", spoken="boolean"),
        _row("keyword"),
        ScalarRow("any", frozenset(), "any"),
        _row("nil"),
        _row("datetime"),
        _row("map"),
    )
}
