"""Feedback on a call in the form in which the model was told to send it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typesig.algebra.rows.builtin import as_builtin
from typesig.algebra.rows.frozen import HIDDEN
from typesig.algebra.rows.values import exact
from typesig.calls.call import read_as_sent
from typesig.providers.rows.codecs import decoded
from typesig.providers.rows.faults import Decoding
from typesig.validation.check.check import compiled_arguments
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.rows.coercions import CoercionId
from typesig.validation.rows.policy import Policy
from typesig.validation.rows.run import Run
from typesig.validation.rows.settled import settled
from typesig.validation.rows.subject import Subject
from typesig.validation.verdicts import walked

if TYPE_CHECKING:
    from typesig.calls.binding import Binding
    from typesig.providers.projection.projection import Projected


def feedback_as_sent(one: Projected, sent: object, outcome: Outcome[Any], policy: Policy) -> str:
    """Return the feedback on *outcome*, which has errors, of a call of *one* with what was *sent*.

    Where values have another form in the definition and they do not fit the type of that form, or
    have something twice, the feedback is by that type.  Otherwise, or if they cannot be read, or
    have private parts, which only the tool knows, it is that of the tool, whose type says the most.
    """
    binding = one.called.binding
    if outcome.stage != "input" or not _is_rewritten(one) or _has_private(binding):
        return outcome.feedback()
    seen, run = one.shown, Run(policy.max_issues)
    read = read_as_sent(binding, sent, policy, run)
    if read.error is not None or not issubclass(type(read.data), dict):
        return outcome.feedback()
    data = as_builtin(exact(read.data))
    _find_faults(one, data, run, policy)
    undeclared = policy.for_call().extras
    undeclared = "keep" if binding.takes_any and undeclared == "drop" else undeclared
    check = compiled_arguments(seen, policy, undeclared, binding.takes_any)
    walked(check, data, run)
    errors, warnings = settled(run.found, policy, "input")
    if not errors:
        return outcome.feedback()
    told: Outcome[Any] = Outcome(
        stage="input",
        errors=errors,
        warnings=warnings,
        unseen=run.unseen,
        subject=Subject(data, seen.arguments, seen.definitions, policy, True, one.name),
    )
    return told.feedback()


def _find_faults(one: Projected, data: Any, run: Run, policy: Policy) -> None:
    """Add to *run* what *data* has twice, at its places in what was sent."""
    how = Decoding([], _DATA in policy.coercions)
    try:
        decoded(one.codec, data, how)
    except RecursionError:
        # The check tells it.
        return
    for fault in how.faults or ():
        # What is read from text, the check tells too.
        if fault.code != "parsed":
            run.add(fault.found(fault.sent))


_DATA: CoercionId = "data_from_string"


def _is_rewritten(one: Projected) -> bool:
    """Return whether arguments have another form, or other names, than the tool's."""
    kinds = ("renamed", "rewritten")
    # The path of a loss begins with the tool.
    return any(loss.kind in kinds and len(loss.path) > 1 for loss in one.losses)


def _has_private(binding: Binding) -> bool:
    """Return whether arguments have firewalled parts or secrets."""
    signature = binding.signature
    if binding.host.secrets or signature.secrets - {""}:
        return True
    types = (signature.arguments, *[each.type for each in signature.definitions])
    return any(t.flags & HIDDEN for t in types)
