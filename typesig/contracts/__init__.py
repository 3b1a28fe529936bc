"""Contracts over time: lock files, differences between versions, chains and rehearsals.

In: toolsets, or locks that were written before.  Out: a lock as text, and the changes from one set
of tools to another, each an instance of a rule with a severity and, where it breaks something, an
example that the check itself refuses; which tools of others are refused by a lock; what texts hide.

`rows` has the rules, `locks` the contracts of tools and their file, `comparing` how types differ,
for which `sides` asks the relations; `telling` compares all else.  To add a rule, add its row to
`rows.rules`, report it where its part is compared, and add its pair to `tests/contracts/pairs.py`;
`python -m tests.rules_page` writes the page of the rules anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typesig.lazy_imports import make_lazy_package

if TYPE_CHECKING:
    from typesig.contracts.hidden import Hidden as Hidden
    from typesig.contracts.hidden import hidden_in as hidden_in
    from typesig.contracts.lock_diff import Diff as Diff
    from typesig.contracts.lock_diff import diff as diff
    from typesig.contracts.locks.lock import Lock as Lock
    from typesig.contracts.pins import ContractBroken as ContractBroken
    from typesig.contracts.rows.findings import Finding as Finding
    from typesig.contracts.rows.hiding import HIDDEN as HIDDEN
    from typesig.contracts.rows.rules import RULES as RULES

#: Each public name, and the module that defines it.
_HOMES = {
    "ContractBroken": "typesig.contracts.pins",
    "Diff": "typesig.contracts.lock_diff",
    "Finding": "typesig.contracts.rows.findings",
    "HIDDEN": "typesig.contracts.rows.hiding",
    "Hidden": "typesig.contracts.hidden",
    "Lock": "typesig.contracts.locks.lock",
    "RULES": "typesig.contracts.rows.rules",
    "diff": "typesig.contracts.lock_diff",
    "hidden_in": "typesig.contracts.hidden",
}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__, __dir__ = make_lazy_package(__name__, _HOMES)
