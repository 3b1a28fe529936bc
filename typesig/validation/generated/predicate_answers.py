"""Answers of generated predicates, and the functions that the predicates call.

True: the check finds nothing and returns the same value.  False: it finds something.  0: it may
only change the value.  None: the predicate does not know.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Literal, TypeAlias

from typesig.algebra.rows.constraints import Test
from typesig.algebra.rows.values import Keyword, Kind, get_kind, is_text
from typesig.validation.keys import KeyPlan

Answer: TypeAlias = Literal[0] | bool | None

#: The classes whose values conform to what their class tells; of others the check decides.
KNOWN: frozenset[type] = frozenset({
    type(None), str, bool, int, float, list, tuple, dict, set, frozenset, datetime, Keyword, bytes,
    complex, range, object,
})  # fmt: skip


def hard(*values: object) -> Answer:
    """Answer where one of *values* is refused, or coerced with a warning."""
    return False if all(type(value) in KNOWN for value in values) else None


def soft(*values: object) -> Answer:
    """Answer where one of *values* is refused, or changed without a warning."""
    return 0 if all(type(value) in KNOWN for value in values) else None


def worst(*answers: Answer) -> Answer:
    """Answer for a value that no branch with one of *answers* accepts."""
    if None in answers:
        return None
    return False if all(answer is False for answer in answers) else 0


def soften(answer: Answer) -> Answer:
    """Turn the *answer* of a strict check into that of a check that may coerce the value."""
    return 0 if answer is False else answer


def invert(answer: Answer) -> Answer:
    """Turn the *answer* of a type into that of its negation."""
    return None if type(answer) is not bool else not answer


def judge_item_count(answers: list[Answer], at_least: int, at_most: int | None) -> Answer:
    """Answer whether the number of conforming items is within bounds."""
    if not all(type(answer) is bool for answer in answers):
        return None
    found = answers.count(True)
    return at_least <= found and (at_most is None or found <= at_most)


def rank_records(
    value: Any, answers: tuple[Answer, ...], counts: tuple[Callable[[Any], int], ...], certain: bool
) -> Answer:
    """Answer for a union of records, which picks the best match, from that of each record.

    *counts* count the keys of *value* that each record leaves undeclared; *certain* is whether all
    findings are errors.
    """
    if True not in answers:
        return worst(*answers)
    if certain and all(type(answer) is bool for answer in answers):
        return True
    first = answers.index(True)
    refused = all(answer is False for answer in answers[:first])
    return True if refused and counts[first](value) == 0 else None


def find_only_match(answers: tuple[Answer, ...]) -> int | None:
    """Find the index of the only True in *answers*; -1 if not exactly one, None if unknown.

    >>> find_only_match((False, True)), find_only_match((True, True)), find_only_match((True, None))
    (1, -1, None)
    """
    if not all(type(answer) is bool for answer in answers):
        return None
    return answers.index(True) if answers.count(True) == 1 else -1


def join_tests(tests: tuple[tuple[frozenset[Kind], Test], ...]) -> Test:
    """Join tests of constraints, each for values of some kinds, into one test."""

    def meets(value: Any) -> bool:
        kind = get_kind(value)
        return all(test(value) for kinds, test in tests if kind in kinds)

    return meets


def make_key_judge(plan: KeyPlan, refused: frozenset[str]) -> Callable[[dict[Any, Any]], Answer]:
    """Make the predicate of the keys of a map that may have unknown ones."""
    known = set(plan.names - refused)

    def answer(data: dict[Any, Any]) -> Answer:
        if data.keys() <= known:
            return True
        made, twice, near = plan.rename_keys(data)
        if made is not data or twice or near:
            return 0
        for key in data:
            if key in known:
                continue
            if type(key) is not str:
                return None if is_text(key) else False
            if key in refused:
                return False
            if plan.get_near_names(key):
                # What stays undeclared beside a near name is told, or may stand for it elsewhere.
                if plan.reads_near:
                    return None
            elif len(known) < _MOST_KEYS:
                known.add(key)
        return True

    return answer


#: How many undeclared keys of one record are remembered.
_MOST_KEYS = 1_000


def make_closed_judge(plan: KeyPlan, folds: bool) -> Callable[[dict[Any, Any]], Answer]:
    """Make the predicate of a map that has more keys than *plan* declares."""

    def answer(data: dict[Any, Any]) -> Answer:
        if not folds:
            return False
        others = [key for key in data if key not in plan.names]
        return 0 if any(plan.get_declared_name(key) is not None for key in others) else False

    return answer


#: The functions and constants of generated source by name.
NAMES: Mapping[str, object] = {
    "hard": hard, "soft": soft, "worst": worst, "soften": soften, "invert": invert,
    "judge_item_count": judge_item_count, "rank_records": rank_records,
    "find_only_match": find_only_match, "infinity": math.inf,
    "minus_infinity": -math.inf,
}  # fmt: skip
