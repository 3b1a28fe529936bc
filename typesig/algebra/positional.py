"""Parameters without a name, of notations that need none: `arg1`, `arg2`, … by their place.

The name itself is the mark, so that signatures that take the same are equal: whoever writes
parameters without names leaves out those that stand at their own place, and reading gives them
back.
"""

from __future__ import annotations

from typesig.algebra.nodes import Field


def positional_name(place: int) -> str:
    """Return the name of the parameter without one at *place*, counted from 1.

    >>> positional_name(2)
    'arg2'
    """
    return f"arg{place}"


def has_positional_name(field: Field, place: int) -> bool:
    """Tell whether the parameter *field* at *place* has the name of one without."""
    return field.name == positional_name(place)
