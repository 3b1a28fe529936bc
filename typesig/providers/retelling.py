"""Feedback on a call in the form in which the model was told to send it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typesig.algebra.frozen import HIDDEN
from typesig.algebra.values import exact
from typesig.providers.projection import signature_sent
from typesig.validation.arguments import mended_arguments
from typesig.validation.check import compiled_arguments
from typesig.validation.json_text import BadJson, read_json
from typesig.validation.outcome import Outcome
from typesig.validation.policy import Policy
from typesig.validation.run import Run
from typesig.validation.subject import Subject
from typesig.validation.verdicts import settled, walked

if TYPE_CHECKING:
    from typesig.providers.profile import Profile
    from typesig.providers.projection import Projected
    from typesig.tools.binding import Binding


def feedback_as_sent(
    profile: Profile, one: Projected, sent: object, outcome: Outcome[Any], policy: Policy
) -> str:
    """Return the feedback on *outcome*, which has errors, of a call of *one* with what was *sent*.

    Where *profile* gave values another form and they do not fit the type of that form, the feedback
    is by that type.  Otherwise, or if they cannot be read, or have private parts, which only the
    tool knows, it is that of the tool, whose type says the most.
    """
    binding = one.tool.binding
    if outcome.stage != "input" or not _is_rewritten(one) or _has_private(binding):
        return outcome.feedback()
    try:
        data = read_json(sent) if isinstance(sent, str | bytes) else sent
    except BadJson:
        return outcome.feedback()
    seen, run = signature_sent(profile, one), Run(policy.max_issues)
    data = mended_arguments(data, seen, policy, run, one.name, (), binding.takes_any)
    if not isinstance(data, dict):
        return outcome.feedback()
    undeclared = policy.for_call().extras
    undeclared = "keep" if binding.takes_any and undeclared == "drop" else undeclared
    check = compiled_arguments(seen, policy, undeclared, binding.takes_any)
    walked(check, exact(data), run)
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
