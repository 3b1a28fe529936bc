"""Sentinels in hints: objects that mean a missing value, which no model can send."""

from __future__ import annotations

import typing
from typing import TYPE_CHECKING, Any

from typesig.extraction.callables.generics import LITERAL, UNIONS
from typesig.extraction.hosts.enums import is_enum

if TYPE_CHECKING:
    from typesig.extraction.hints.context import HintContext


def is_sentinel(branch: Any) -> bool:
    """Whether *branch* of a union is a sentinel of msgspec or of PEP 661."""
    return getattr(branch, "__name__", "") == "UnsetType" or is_missing(branch)


def is_missing(value: Any) -> bool:
    """Whether *value* is a sentinel of PEP 661, such as pydantic's `MISSING`."""
    kind = type(value)
    return kind.__name__ in ("Sentinel", "sentinel") and kind.__module__ in _HOMES


_HOMES = ("builtins", "typing", "typing_extensions")


def find_sentinel(hint: Any) -> Any:
    """Return the PEP 661 sentinel among the branches of the union *hint*, or None."""
    branches = typing.get_args(hint) if type(hint) in UNIONS else ()
    return next((b for b in branches if is_missing(b)), None)


def drop_sentinel(context: HintContext, hint: Any, default: Any) -> list[Any] | None:
    """Return the branches of *hint* without the sentinel *default*; None if no sentinel.

    Sentinels are the only member of an enum, `object()`, and what has no JSON form, as in
    `a: str | NotGiven = NOT_GIVEN`.
    """
    cls: Any = type(default)
    branches = (hint,) if type(hint) is LITERAL else typing.get_args(hint)
    is_only = is_enum(cls) and len(cls) == 1
    others = [branch for branch in branches if branch is not cls and branch is not default]
    if is_only:
        others = [each for branch in others for each in _drop_member(branch, default)]
    elif not (cls is object or is_missing(default)):
        is_plain = cls.__module__ == "builtins"
        if is_plain or len(others) == len(branches) or context.has_form(cls):
            return None
    return others if others and others != list(branches) else None


def _drop_member(branch: Any, member: Any) -> list[Any]:
    """Remove the enum *member* from *branch* if it is a `Literal`; return the branches."""
    if typing.get_origin(branch) is not typing.Literal:
        return [branch]
    values = typing.get_args(branch)
    kept = tuple(value for value in values if value is not member)
    if len(kept) == len(values):
        return [branch]
    return [typing.Literal[kept]] if kept else []
