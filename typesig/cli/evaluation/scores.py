"""Scores of answers: which are valid, which are right, and how certain the shares are."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any, NamedTuple

from typesig.algebra.signature import Signature
from typesig.calls.call import read_arguments
from typesig.cli.evaluation.tasks import RightCall, RightValues, Task
from typesig.tools.toolset import Toolset
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.policy import get_first_policy


class SentCall(NamedTuple):
    """A call that a model wrote: a name, and unchecked arguments, or the outcome of their check."""

    name: str
    arguments: object
    outcome: Outcome[Any] | None = None


class ReadAnswer(NamedTuple):
    """The calls in an answer.

    #: calls: None if none were found; is_repaired: whether the text around them had mistakes
    """

    calls: Sequence[SentCall] | None
    is_repaired: bool = False


class Score(NamedTuple):
    """The result of one task.

    #: right: whether the calls are those that the task asks for; valid: whether there is a call,
    #:     and all of them exist and conform; as_sent: whether they do so without repair
    #: errors: the feedback on calls that do not conform, empty if all do
    """

    right: bool
    valid: bool
    as_sent: bool
    errors: str


def score_answer(task: Task, answer: ReadAnswer) -> Score:
    """Score *answer*, the calls that a model answered *task* with."""
    calls = answer.calls
    if calls is None:
        return Score(False, False, False, "The answer has no calls.")
    outcomes = [_check_call(task.tools, call) for call in calls]
    errors = "\n".join([each.feedback() for each in outcomes if not each.ok])
    if errors:
        return Score(False, False, False, errors)
    made = [
        (call.name, _drop_filled(outcome.value, call.arguments))
        for call, outcome in zip(calls, outcomes, strict=True)
    ]
    as_sent = not answer.is_repaired and not any(each.warnings for each in outcomes)
    is_right = are_right(made, task.right, {one.name: one.signature for one in task.tools})
    return Score(is_right, bool(calls), bool(calls) and as_sent, "")


def _check_call(tools: Toolset, call: SentCall) -> Outcome[Any]:
    """Check *call* of one of *tools* without running it."""
    if call.outcome is not None:
        return call.outcome
    if call.name not in tools:
        return tools.call(call.name, {})
    # The functions of a module must not run.
    return read_arguments(tools[call.name].binding, call.arguments, get_first_policy())


def _drop_filled(value: Any, sent: Any) -> Any:
    """Copy the arguments *value* without the defaults that were filled in below those *sent*."""
    if isinstance(sent, str):
        try:
            sent = json.loads(sent)
        except ValueError:
            return value
    if not isinstance(sent, dict):
        return value
    return {key: _drop_missing(each, sent.get(key, each)) for key, each in value.items()}


def _drop_missing(value: Any, sent: Any) -> Any:
    """Copy *value* without the keys that *sent* lacks."""
    if isinstance(value, dict) and isinstance(sent, dict) and sent.keys() <= value.keys():
        return {key: _drop_missing(value[key], sent[key]) for key in sent}
    if isinstance(value, list) and isinstance(sent, list) and len(value) == len(sent):
        return [_drop_missing(*pair) for pair in zip(value, sent, strict=True)]
    return value


def are_right(
    made: Iterable[tuple[str, dict[str, Any]]],
    right: Iterable[RightCall],
    signatures: dict[str, Signature],
) -> bool:
    """Whether the calls *made* are those that are *right*, in any order."""
    left = list(right)
    for name, given in made:
        defaults = {
            field.name: field.default.value
            for field in signatures[name].params
            if field.default is not None
        }
        fitting = [each for each in left if _is_right_call(name, given, each, defaults)]
        if not fitting:
            return False
        left.remove(fitting[0])
    return not left


def _is_right_call(
    name: str, given: dict[str, Any], right: RightCall, defaults: dict[str, Any]
) -> bool:
    """Whether a call of *name* with the arguments *given* is the *right* one."""
    # An argument with its default says the same as none.
    told = {
        key: value
        for key, value in given.items()
        if key in right.values or key not in defaults or not _is_equal(value, defaults[key])
    }
    if name != right.name or any(key not in right.values for key in told):
        return False
    for key, values in right.values.items():
        may_lack = None in values or any(
            key in defaults and _is_equal(defaults[key], value) for value in values
        )
        allowed = [*values, *([defaults[key]] if None in values and key in defaults else [])]
        if not any(_is_equal(told[key], each) for each in allowed) if key in told else not may_lack:
            return False
    return True


def _is_equal(ours: Any, theirs: Any) -> bool:
    """Whether two values are equal: texts without regard to case and outer blanks."""
    if isinstance(ours, str) and isinstance(theirs, str):
        return ours.strip().casefold() == theirs.strip().casefold()
    if isinstance(ours, bool) or isinstance(theirs, bool):
        return ours is theirs
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(_is_equal, ours, theirs))
    if isinstance(theirs, RightValues):
        return (
            isinstance(ours, dict)
            and ours.keys() <= theirs.keys()
            and all(
                any(_is_equal(ours[key], each) for each in values)
                if key in ours
                else None in values
                for key, values in theirs.items()
            )
        )
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(_is_equal(ours[k], theirs[k]) for k in ours)
    return bool(ours == theirs)


#: The quantile of the normal distribution for an interval of 95 %.
_QUANTILE = 1.959964


def find_interval(count: int, total: int) -> tuple[float, float]:
    """Wilson's interval of 95 % for the share of *count* in *total*.

    >>> [round(end, 2) for end in find_interval(8, 10)]
    [0.49, 0.94]
    """
    if not total:
        return 0.0, 1.0
    share, square = count / total, _QUANTILE**2
    middle = share + square / (2 * total)
    spread = _QUANTILE * sqrt(share * (1 - share) / total + square / (4 * total**2))
    whole = 1 + square / total
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)
