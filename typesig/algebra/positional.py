"""Positional names: `arg1`, `arg2`, …, for parameters of notations that do not name them.

Such a notation leaves out the name of a parameter that has the positional name of its place, and
reading gives it the same name again, so a round trip gives an equal signature.
"""

from __future__ import annotations

from typesig.algebra.nodes import Field


def positional_name(place: int) -> str:
    """Return the name of an unnamed parameter at *place*, counted from 1.

    >>> positional_name(2)
    'arg2'
    """
    return f"arg{place}"


def has_positional_name(field: Field, place: int) -> bool:
    """Tell whether the parameter *field* at *place* has the name of an unnamed parameter."""
    return field.name == positional_name(place)
