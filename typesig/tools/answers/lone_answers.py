"""Answers that are JSON with other text around it: read as the JSON alone is, with warnings.

Models often write them: in a code fence, behind reasoning, or between two sentences.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from typesig.calls.decoding import AnswerContext, OnePass
from typesig.calls.generated.answer_readers import Reader, make_answer_reader
from typesig.limits import MAX_VALUES
from typesig.validation.issues.issues import Issue
from typesig.validation.json_text import BadJson, is_wrapped, read_digits, read_json
from typesig.validation.outcome.constructors import make_valid_outcome
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.policy import Policy, RepairId
from typesig.validation.repair.lone_json import (
    LoneJson,
    LoneTargets,
    find_lone_json,
    get_lone_targets,
    make_warning,
    make_warnings,
    write_place,
)

#: The usual path of data, as `Contract._make_outcome` has it.
Judge: TypeAlias = Callable[[Any, Policy, tuple[Issue, ...], None, bool, bool], Outcome[Any]]

#: The path of data that conforms, as `Contract._decode_valid` has it.
Decoder: TypeAlias = Callable[[Any, Policy, tuple[Issue, ...], bool], "Outcome[Any] | None"]

_IN_FENCE: tuple[Issue, ...] = (make_warning("code_fence", write_place("", 0)),)
_BEGIN, _END = "```json\n", "\n```"
_FENCE_ALONE = {"code_fence"}


class WrappedReader:
    """Reader of valid JSON with other text around it, by the fast path of JSON text.

    #: read: the outcome of a text, None if more has to be done
    """

    __slots__ = ("_about", "_reader", "_repairs", "_targets")

    def __init__(self, known: OnePass, about: AnswerContext, policy: Policy) -> None:
        """*about* is the context of the outcomes of what *known* reads, under *policy*."""
        # Data within other text is not coerced at once.
        self._reader: Reader = make_answer_reader(known, about)
        self._about, self._repairs = about, policy.repairs
        self._targets = get_lone_targets(about.type, about.definitions)

    def read(self, source: Any) -> Outcome[Any] | None:
        """Return the outcome of *source*; None if it is not JSON in other text, or not valid."""
        if type(source) is not str or not is_wrapped(source):
            return None
        if source.startswith(_BEGIN) and source.endswith(_END) and "code_fence" in self._repairs:
            text, warnings = source[len(_BEGIN) : -len(_END)], _IN_FENCE
        else:
            lone = _find_lone(source, self._repairs, self._targets)
            if lone is None:
                return None
            text, warnings = lone.text, make_warnings(source, lone.repairs)
        known = self._reader(text) if text[:1] in ("{", "[") else None
        return None if known is None else _add_warnings(known, self._about, warnings)


def read_lone(
    source: str, policy: Policy, about: AnswerContext, judge: Judge, decode: Decoder
) -> Outcome[Any] | None:
    """Read the only JSON value in *source*; None if it does not conform or others may count.

    *about* is the context of outcomes under *policy*, *judge* the usual path of data, and *decode*
    that of data that conforms.
    """
    targets = get_lone_targets(about.type, about.definitions)
    lone = _find_lone(source, policy.repairs, targets)
    if lone is None:
        return None
    text, warnings = lone.text, make_warnings(source, lone.repairs)
    try:
        data, written = read_digits(text) if about.keeps_digits else (read_json(text), False)
    except BadJson:
        return None
    is_counted = len(text) <= MAX_VALUES
    if lone.repairs.keys() == _FENCE_ALONE:
        outcome = judge(data, policy, warnings, None, is_counted, written)
        return outcome if outcome.ok else None
    # In other text, what does not conform is tried under stricter policies, too.
    return None if written else decode(data, policy, warnings, is_counted)


def _find_lone(source: str, repairs: frozenset[RepairId], targets: LoneTargets) -> LoneJson | None:
    """Find the only JSON value in *source*, None if it takes others than *repairs*."""
    lone = find_lone_json(source)
    if lone is None or not repairs.issuperset(lone.repairs) or not targets.may_take(lone, source):
        return None
    return lone


def _add_warnings(
    known: Outcome[Any], about: AnswerContext, warnings: tuple[Issue, ...]
) -> Outcome[Any]:
    """Add *warnings* to *known*, an outcome of the fast path."""
    notes = known._told
    if not isinstance(notes, tuple):
        # Nothing was decoded.
        return about.make_outcome(known._result, known._result, warnings, True)
    assert known._about is not None
    value, _, is_text = notes
    made = make_valid_outcome(known._result, known._about, (value, warnings, is_text))
    if is_text and type(value) is not str and about.get_plain_plan().keeps:
        # Nothing is made of it when it is read.
        made._value = value
    return made
