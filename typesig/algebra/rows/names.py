"""The names of fields and parameters: which need no quotes, and which are one name."""

from __future__ import annotations

from typing import Any

from typesig.errors import TypesigError, format_value


def is_plain(name: str) -> bool:
    """Whether *name* can be written without quotes in a signature."""
    if not name.isascii():
        return False
    # A letter or an underscore, then letters, digits, underscores and hyphens.
    return name.isidentifier() or (name[:1] != "-" and fold_name(name).isidentifier())


def fold_name(name: str) -> str:
    """Return *name* as keys are compared: with underscores for hyphens."""
    return name.replace("-", "_")


def check_names(fields: tuple[Any, ...]) -> None:
    """Raise `TypesigError` if two of *fields* have one name, or names that fold to one key."""
    if len({field.name.replace("-", "_") for field in fields}) == len(fields):
        return
    names: set[str] = set()
    keys: dict[str, str] = {}
    for field in fields:
        if field.name in names:
            raise TypesigError(f"the name {format_value(field.name)} occurs twice")
        names.add(field.name)
        # An exact name is looked up before any folding, so a folded name may be equal to it.
        if not field.exact and keys.setdefault(field.key, field.name) != field.name:
            raise TypesigError(
                f"{format_value(keys[field.key])} and {format_value(field.name)} are one "
                "name here, since hyphen "
                "and underscore are the same; quote one to keep it exactly"
            )


def make_positional_name(place: int) -> str:
    """Return the name of the unnamed parameter at position *place*, from 1: `arg1`.

    A notation that does not name parameters leaves out a name that is this one, and reads it back.

    >>> make_positional_name(2)
    'arg2'
    """
    return f"arg{place}"


def has_positional_name(field: Any, place: int) -> bool:
    """Whether *field*, the parameter at position *place*, has the name `arg` + *place*."""
    return bool(field.name == make_positional_name(place))
