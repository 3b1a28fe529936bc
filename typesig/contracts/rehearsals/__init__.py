"""Tests made from signatures: tools are called with generated arguments.

In: toolsets.  Out: cases, which a test runner runs, and the report of a rehearsal, in which a
careless model calls the tools and no function runs.

`rehearsal` draws arguments, calls tools with them, and sends the mistakes of the careless model,
which are rows of `mistakes`; `tool_cases` makes the cases, and those of a lock; `plugin` hands them
to pytest.

pytest loads this front and `plugin` in every environment with typesig, so they import nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typesig.lazy_imports import make_lazy_package

if TYPE_CHECKING:
    from typesig.contracts.rehearsals.rehearsal import Rehearsal as Rehearsal
    from typesig.contracts.rehearsals.rehearsal import rehearse as rehearse
    from typesig.contracts.rehearsals.tool_cases import Case as Case
    from typesig.contracts.rehearsals.tool_cases import cases as cases

#: Each public name, and the module that defines it.
_HOMES = {
    "Case": "typesig.contracts.rehearsals.tool_cases",
    "Rehearsal": "typesig.contracts.rehearsals.rehearsal",
    "cases": "typesig.contracts.rehearsals.tool_cases",
    "rehearse": "typesig.contracts.rehearsals.rehearsal",
}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__, __dir__ = make_lazy_package(__name__, _HOMES)
