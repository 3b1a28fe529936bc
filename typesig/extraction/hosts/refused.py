"""The parts of a value that a check has refused, as a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from typesig.validation.rows.run import Run


class Bad(dict[str | int, "Bad | None"]):
    """The parts of a value that were refused, by their steps; None is for a part as a whole."""


class BadInBranch(Bad):
    """The same of a value in a union, as one branch of the union refuses it."""


#: No part was refused.
NO_BAD = Bad()

B = TypeVar("B", bound=Bad)


def bad_parts(run: Run, kind: type[B]) -> B | None:
    """Return the parts that *run* found errors in; None if they are not known, or are all."""
    bad = kind()
    if run.unseen:
        return None
    for found in run.found:
        if found.warning:
            continue
        if not found.steps or found.is_limit:
            return None
        inside: Bad | None = bad
        for step in reversed(found.steps[1:]):
            inside = None if inside is None else inside.setdefault(step, kind())
        if inside is not None:
            inside[found.steps[0]] = None
    return bad
