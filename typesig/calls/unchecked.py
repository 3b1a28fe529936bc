"""Arguments whose values no check sees: in the mode `disabled`, and where a hint has no type."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from typesig.algebra.constructors import bare
from typesig.algebra.nodes import ANY, NIL
from typesig.algebra.rows.names import folded
from typesig.algebra.rows.values import is_text
from typesig.calls.binding import Binding
from typesig.validation.issues.issues import Issue
from typesig.validation.rows.keys import KeyPlan
from typesig.validation.rows.policy import Policy
from typesig.validation.rows.run import MISSPELT, Found, Run


def unchecked_issues(binding: Binding, value: Mapping[str, Any]) -> list[Issue]:
    """Warn of the arguments in *value* that no check has seen, as their hints have no JSON form."""
    types = {field.name: field.type for field in binding.signature.params}
    return [
        Issue("unchecked", (name,), "", why)
        for name, why in binding.unchecked.items()
        if name in value and bare(types.get(name, NIL)) == ANY
    ]


def select_arguments(
    binding: Binding, data: dict[str, Any], mine: Container[str], policy: Policy
) -> tuple[dict[str, Any], list[Found]]:
    """Select the arguments in *data* that the function takes, without a check of their values.

    The function cannot be called with names that it lacks, and *mine* are for the host to give: the
    findings name those that were dropped, and those that were meant for an absent name.
    """
    names = {param.name for param in binding.host.params}
    plan, run = KeyPlan(binding.signature.params), Run(policy.max_issues)
    kept: dict[str, Any] = {}
    for key, item in data.items():
        is_host = folded(str(key)) in mine
        if not is_host and (binding.takes_any or key in names):
            kept[key] = item
            continue
        may_be_meant = policy.refuse_misspelt and not is_host and is_text(key)
        meant = plan.misspelt(key, data, run.work.misspelt) if may_be_meant else ""
        if meant:
            found = Found("extra", hint=meant, rule=MISSPELT)
        else:
            found = Found("dropped", rule="extras", warning=True)
        found.steps.append(str(key))
        run.add(found)
    return kept, run.found
