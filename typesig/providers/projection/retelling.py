"""Feedback on a call in the form in which the model was told to send it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typesig.algebra.rows.builtin import as_builtin
from typesig.algebra.rows.frozen import HIDDEN
from typesig.algebra.rows.values import exact
from typesig.calls.call import read_as_sent
from typesig.providers.rows.codecs import Coding, decoded
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
    from typesig.algebra.signature import Signature
    from typesig.calls.binding import Binding


def feedback_as_sent(
    binding: Binding,
    shown: Signature,
    codec: Coding,
    sent: object,
    outcome: Outcome[Any],
    policy: Policy,
) -> str:
    """Return the feedback on *outcome*, of a call of the tool of *binding* with what was *sent*.

    *shown* has its arguments as the model is shown them, and *codec* decodes them.

    Where values have another form in the definition and they do not fit the type of that form, or
    have something twice, the feedback is by that type.  Otherwise, or if they cannot be read, or
    have private parts, which only the tool knows, it is that of the tool, whose type says the most.
    """
    if outcome.stage != "input" or _has_private(binding):
        return outcome.feedback()
    run = Run(policy.max_issues)
    read = read_as_sent(binding, sent, policy, run)
    if read.error is not None or not issubclass(type(read.data), dict):
        return outcome.feedback()
    data = as_builtin(exact(read.data))
    _find_faults(codec, data, run, policy)
    undeclared = policy.for_call().extras
    undeclared = "keep" if binding.takes_any and undeclared == "drop" else undeclared
    check = compiled_arguments(shown, policy, undeclared, binding.takes_any)
    walked(check, data, run)
    errors, warnings = settled(run.found, policy, "input")
    if not errors:
        return outcome.feedback()
    told: Outcome[Any] = Outcome(
        stage="input",
        errors=errors,
        warnings=warnings,
        unseen=run.unseen,
        subject=Subject(data, shown.arguments, shown.definitions, policy, True, binding.name),
    )
    return told.feedback(words=outcome._words.name)


def _find_faults(codec: Coding, data: Any, run: Run, policy: Policy) -> None:
    """Add to *run* what *data* has twice, at its places in what was sent."""
    how = Decoding([], _DATA in policy.coercions, policy._reads_near)
    try:
        decoded(codec, data, how)
    except RecursionError:
        # The check tells it.
        return
    for fault in how.faults or ():
        # What is read from text, the check tells too.
        if fault.code != "parsed":
            run.add(fault.found(fault.sent))


_DATA: CoercionId = "data_from_string"


def _has_private(binding: Binding) -> bool:
    """Return whether arguments have firewalled parts or secrets."""
    signature = binding.signature
    if binding.host.secrets or signature.secrets - {""}:
        return True
    types = (signature.arguments, *[each.type for each in signature.definitions])
    return any(t.flags & HIDDEN for t in types)
