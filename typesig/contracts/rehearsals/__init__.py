"""Tests that are made from signatures: tools are called with arguments that their types generate.

In: toolsets.  Out: cases, which a test runner runs, and the report of a rehearsal, in which a
careless model calls the tools and no function runs.

`conforming` draws arguments, and `calling` calls tools with them; `trying` makes the cases, and
`locking` those of a lock; `plugin` hands them to pytest.  `rehearsing` sends the mistakes of the
careless model: those of text are rows of `spoiling`, those of data rows of `changing`; `spelling`
has the messages of vendors.

pytest loads this front and `plugin` in every environment with typesig, so they import nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typesig.fronts import front

if TYPE_CHECKING:
    from typesig.contracts.rehearsals.rehearsing import Rehearsal as Rehearsal
    from typesig.contracts.rehearsals.rehearsing import rehearse as rehearse
    from typesig.contracts.rehearsals.trying import Case as Case
    from typesig.contracts.rehearsals.trying import cases as cases

#: Each public name, and the module that defines it.
_HOMES = {
    "Case": "typesig.contracts.rehearsals.trying",
    "Rehearsal": "typesig.contracts.rehearsals.rehearsing",
    "cases": "typesig.contracts.rehearsals.trying",
    "rehearse": "typesig.contracts.rehearsals.rehearsing",
}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__, __dir__ = front(__name__, _HOMES)
