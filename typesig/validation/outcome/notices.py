"""Notices: the line that a model reads of arguments that were dropped or guessed.

The result of a call stays as it is; the line is beside it.  A lossless coercion, such as `"5"` for
5, has no notice: its warning is for the host.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from typesig.limits import MAX_COMPLAINT, MAX_REPORT
from typesig.validation.issues.excerpt import cut_line
from typesig.validation.issues.issues import Issue, IssueCode
from typesig.validation.issues.words import Words
from typesig.validation.rows.coercions import GUESSES
from typesig.validation.rows.policy import Policy
from typesig.validation.rows.repairs import DEFAULT_REPAIRS, REPAIRS

#: The codes of warnings that a model reads: of keys, and of a tool's name.
_CODES: frozenset[IssueCode] = frozenset({"dropped", "extra", "renamed", "called"})

#: The coercions and repairs that guess; `2.0` for 2 has one meaning only.
GUESSED: frozenset[str] = (GUESSES - {"int_from_whole_float"}) | (REPAIRS.keys() - DEFAULT_REPAIRS)


def select_notices(warnings: Iterable[Issue]) -> tuple[Issue, ...]:
    """Select the *warnings* that a model reads."""
    return tuple([each for each in warnings if each.code in _CODES or each.rule in GUESSED])


def write_notice(issues: Sequence[Issue], words: Words) -> str:
    """Write the warnings *issues* on one line for a model; empty if there are none."""
    if not issues:
        return ""
    told = [cut_line(issue._write_line(words), MAX_COMPLAINT) for issue in issues[:MAX_REPORT]]
    more = len(issues) - len(told)
    told += [f"and {more} more"] if more else []
    return f"Warnings about this call: {'; '.join(told)}"


def select_notices_for_policy(policy: Policy, warnings: tuple[Issue, ...]) -> tuple[Issue, ...]:
    """Select the *warnings* of arguments that a model reads under *policy*."""
    return select_notices(warnings) if warnings and policy.tell_model else ()
