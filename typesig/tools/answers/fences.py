"""Answers of JSON in a code fence: read as the JSON alone is, with a warning.

Models often write them, and the search for a value in any text takes about fifty times as long.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from typesig.calls.decoding import AnswerContext
from typesig.calls.generated.quick_answers import Reader
from typesig.limits import MAX_VALUES
from typesig.validation.issues.issues import Issue
from typesig.validation.mending.repair import unwrap_fence
from typesig.validation.outcome.constructors import make_valid_outcome
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.rows.json_text import BadJson, read_digits, read_json
from typesig.validation.rows.policy import Policy

#: The usual path of data, as `Contract._outcome` has it.
Judge: TypeAlias = Callable[[Any, Policy, tuple[Issue], None, bool, bool], Outcome[Any]]


def read_fence(
    source: str, policy: Policy, reader: Reader | None, about: AnswerContext, judge: Judge
) -> Outcome[Any] | None:
    """Read *source* as JSON in a code fence; None if it does not conform.

    *reader* is the fast path of JSON text, *about* that of the policy, and *judge* the usual path.
    """
    fenced = unwrap_fence(source)
    if fenced is None:
        return None
    text, warning = fenced
    known = None if reader is None else reader(text)
    if known is not None:
        return _add_warning(known, about, warning)
    try:
        data, written = read_digits(text) if about.keeps_digits else (read_json(text), False)
    except BadJson:
        return None
    outcome = judge(data, policy, (warning,), None, len(text) <= MAX_VALUES, written)
    return outcome if outcome.ok else None


def _add_warning(known: Outcome[Any], about: AnswerContext, warning: Issue) -> Outcome[Any]:
    """Add *warning* to *known*, an outcome of the fast path."""
    notes = known._told
    if not isinstance(notes, tuple):
        # Nothing was decoded.
        return about.make_outcome(known._result, known._result, (warning,), True)
    assert known._about is not None
    value, _, is_text = notes
    return make_valid_outcome(known._result, known._about, (value, (warning,), is_text))
