"""The report of a call whose tool was found by another spelling of its name."""

from __future__ import annotations

from typing import Any

from typesig.calls.called import Called
from typesig.calls.names import respelled_issue
from typesig.validation.issues.ledger import Ledger, note_in
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.outcome.passed import add_warnings
from typesig.validation.rows.policy import ModeName, Policy, first_policy


def report_name(
    outcome: Outcome[Any],
    name: str,
    one: Called,
    mode: ModeName | Policy | None,
    ledger: Ledger | None,
    known_as: str | None = None,
) -> Outcome[Any]:
    """Copy the *outcome* of a call of *one* with a warning that it was called as *name*.

    The model reads it as well, unless the policy of *mode* tells it nothing.  *known_as* is the
    name that the model was shown, if it is not that of *one*; *ledger* counts the warning.
    """
    issue = respelled_issue(name, one.name if known_as is None else known_as)
    note_in(ledger, (), [issue], one.binding.signature, one.binding.name)
    tells = first_policy(mode, one.mode).tell_model
    return add_warnings(outcome, [issue], (issue,) if tells else ())
