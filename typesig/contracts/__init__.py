"""Contracts over time: lock files, differences between versions, chains and rehearsals.

In: toolsets, or locks that were written before.  Out: a lock as text, and the changes from one set
of tools to another, each an instance of a rule with a severity and, where it breaks something, an
example that the check itself refuses; which tools of others are refused by a lock; what texts hide.

`rules` has the rules, `lock` the file with the contracts of tools; `shape_changes` compares types,
for which `comparison` asks the relations, and `description_changes` all else.  To add a rule, add
its row to `rules`, report it where its part is compared, and add its pair to
`tests/contracts/pairs.py`; `python -m tests.rules_page` writes the page of the rules anew.  To
compare a new shape, add its row to `COMPARISONS` in `shape_changes`.  `chains` finds which tool
feeds which, and `rehearsals` calls tools as a careless model does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typesig.lazy_imports import make_lazy_package

if TYPE_CHECKING:
    from typesig.contracts.hidden import HIDDEN as HIDDEN
    from typesig.contracts.hidden import Hidden as Hidden
    from typesig.contracts.hidden import hidden_in as hidden_in
    from typesig.contracts.lock import Lock as Lock
    from typesig.contracts.lock_diff import Diff as Diff
    from typesig.contracts.lock_diff import Finding as Finding
    from typesig.contracts.lock_diff import diff as diff
    from typesig.contracts.pins import ContractBroken as ContractBroken
    from typesig.contracts.rules import RULES as RULES

#: Each public name, and the module that defines it.
_HOMES = {
    "ContractBroken": "typesig.contracts.pins",
    "Diff": "typesig.contracts.lock_diff",
    "Finding": "typesig.contracts.lock_diff",
    "HIDDEN": "typesig.contracts.hidden",
    "Hidden": "typesig.contracts.hidden",
    "Lock": "typesig.contracts.lock",
    "RULES": "typesig.contracts.rules",
    "diff": "typesig.contracts.lock_diff",
    "hidden_in": "typesig.contracts.hidden",
}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__, __dir__ = make_lazy_package(__name__, _HOMES)
