"""Defaults that classes fill in themselves, in the data that outcomes show.

The check leaves these fields out, so that a class gets none of them and its objects have its own
defaults.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import Type
from typesig.validation.check.check import compiled
from typesig.validation.check.record_checks import fills_within
from typesig.validation.generated.program import shortcut
from typesig.validation.rows.check_state import CheckState
from typesig.validation.rows.policy import Policy
from typesig.validation.verdicts import run_checker


def filling_policy(
    t: Type, names: Mapping[str, Type], policy: Policy, nested: Policy
) -> Policy | None:
    """Return the policy to fill in defaults of *t* after a check by *nested*, or None.

    It is None if the check has filled them in, or if there are none.
    """
    if nested.defaults or not policy.defaults or not fills_within(t, names):
        return None
    return nested.changed(defaults=True, extras="keep")


def fill_defaults(
    value: Any, t: Type, definitions: tuple[Definition, ...], filling: Policy | None
) -> Any:
    """Fill in the defaults of *t* in the checked data *value*; see `filling_policy`.

    Data in which the defaults would be too large stays without them.
    """
    if filling is None or shortcut(t, definitions, filling).passes(value):
        return value
    run = CheckState(filling.max_issues)
    made = run_checker(compiled(t, definitions, filling), value, run)
    return value if any(found.code == "filled" for found in run.found) else made
