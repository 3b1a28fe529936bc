"""Proofs that no number, no text and no value of the kinds with few values is left."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from enum import Enum as PythonEnum
from typing import Any

from typesig.algebra.nodes import DATETIME, FLOAT, KEYWORD, Enum, Refinement, Type
from typesig.algebra.rows.values import Kind
from typesig.limits import MAX_COUNTED
from typesig.patterns import EMPTY, Anchor, Chars, Charset, Sequence
from typesig.relations import bounds
from typesig.relations.conformance import Prover
from typesig.relations.normal_form import Clause, has_own_test
from typesig.relations.sampling.text_samples import (
    FORMAT_TEXTS,
    are_disjoint,
    get_min_length,
    parse_pattern,
)


class _KeywordEnum(PythonEnum):
    """A sample enum; its member counts as a keyword and as no other kind of value."""

    MEMBER = object()


#: A value of each sort that types can tell apart.  `DATETIME` is the only scalar with a test of its
#: own on these kinds that the sorts account for.
DATETIMES = (datetime(2026, 1, 31, tzinfo=UTC), datetime(2026, 1, 31))
OBJECTS = (object(), _KeywordEnum.MEMBER)

_NOT_FINITE = (float("nan"), float("inf"), -float("inf"))


def _exclude_keyword(kind: Kind, clause: Clause) -> Clause:
    """Return *clause* without `KEYWORD` where a value of *kind* may be a keyword as well.

    A member of a Python enum is a keyword and may be of another kind too, so a plain value of that
    kind proves nothing about such members.
    """
    if kind in ("nil", "bool", "object", "keyword"):
        return clause
    pos, neg = clause
    kept = tuple([part for part in pos if part != KEYWORD])
    return kept, tuple([part for part in neg if part != KEYWORD])


def allows_none_of(prover: Prover, kind: Kind, clause: Clause, values: Iterable[Any]) -> bool:
    """Whether the atoms of *clause* allow none of *values*, which are of *kind*."""
    judged = _exclude_keyword(kind, clause)
    return not any(prover.judge.allows(judged, value) for value in values)


def has_no_enum_value(prover: Prover, kind: Kind, clause: Clause) -> bool | None:
    """Whether *clause* allows no value of its enums; None if there is no enum to decide it."""
    enums = [part for part in clause[0] if isinstance(part, Enum)]
    if not enums:
        return None
    is_nesting = kind in ("list", "set", "map")
    if is_nesting and any(map(prover.has_keywords, (*clause[0], *clause[1]))):
        # A text within the enum's value may be a keyword in a value that equals it.
        return None
    values = [value for value in enums[0].values if value.kind == kind]
    if kind == "string":
        # The texts that all enums list, and that no excluded enum lists.
        for t, wanted in [(t, True) for t in clause[0]] + [(t, False) for t in clause[1]]:
            if isinstance(t, Enum):
                listed = set(t.values)
                values = [text for text in values if (text in listed) is wanted]
    return allows_none_of(prover, kind, clause, [value.thaw() for value in values])


def has_no_value(kind: Kind, values: tuple[Any, ...], prover: Prover, clause: Clause) -> bool:
    """Whether *clause* is proved to allow no value of *kind*, by trying *values*.

    *values* are all values of the kind, or one of each sort that types can tell apart.
    """
    is_told = kind in ("nil", "bool") or not _distinguishes_values(kind, clause)
    return is_told and allows_none_of(prover, kind, clause, values)


def _distinguishes_values(kind: Kind, clause: Clause) -> bool:
    """Whether *clause* may tell values of *kind* apart, so that samples prove nothing."""

    def decides_kind(part: Type) -> bool:
        if isinstance(part, Refinement):
            return any(kind in constraint.row.kinds for constraint in part.constraints)
        return part != DATETIME and has_own_test(part, kind)

    return any(map(decides_kind, (*clause[0], *clause[1])))


def has_no_int(prover: Prover, clause: Clause) -> bool:
    """Whether it is proved that *clause* allows no int."""
    found = has_no_enum_value(prover, "int", clause)
    if found is not None:
        return found
    left = bounds.read_bounds(bounds.find_limits(clause))
    step, low, high = left.step, left.least, left.most
    if any(step % missed.numerator == 0 for missed in left.missed):
        return True
    if low is None or high is None:
        return False
    low, high = -(-low // step), high // step
    if high - low >= MAX_COUNTED:
        return False
    return allows_none_of(prover, "int", clause, [n * step for n in range(low, high + 1)])


def has_no_float(prover: Prover, clause: Clause) -> bool:
    """Whether it is proved that *clause* allows no float, not even nan or an infinity."""
    found = has_no_enum_value(prover, "float", clause)
    if found is not None:
        return found
    if not allows_none_of(prover, "float", clause, _NOT_FINITE):
        return False
    if FLOAT in clause[1]:
        return True
    left = bounds.read_bounds(bounds.find_limits(clause))
    if left.empty or any((s / m).denominator == 1 for s in left.steps for m in left.missed):
        return True
    if left.low is None or left.low != left.high:
        return False
    return allows_none_of(prover, "float", clause, bounds.as_floats(left.low))


def has_no_text(kind: Kind, prover: Prover, clause: Clause) -> bool:
    """Whether *clause* is proved to allow no text of *kind*: string or keyword."""
    found = has_no_enum_value(prover, kind, clause)
    if found is not None:
        return found
    limits = bounds.read_text_limits(bounds.find_limits(clause))
    low, high = limits.low, limits.high
    for name in limits.formats:
        row = FORMAT_TEXTS[name]
        low = max(low, row.low)
        high = row.high if high is None else high if row.high is None else min(high, row.high)
    low = max([low, *map(get_min_length, limits.patterns)])
    if high is not None and low > high:
        return True
    count = len(limits.formats) + len(limits.patterns)
    prover.work.take(count * count // 4)
    if _has_contradicting_texts(limits):
        return True
    # No keyword is empty.
    return high == 0 and allows_none_of(prover, kind, clause, [""] if kind == "string" else [])


def _has_contradicting_texts(limits: bounds.TextLimits) -> bool:
    """Whether it is certain that no text meets the formats and patterns of *limits*."""
    implied = {n for name in limits.formats for n in (name, *FORMAT_TEXTS[name].within)}
    if implied & set(limits.not_formats) or set(limits.patterns) & set(limits.not_patterns):
        return True
    if any(parse_pattern(pattern) == EMPTY for pattern in limits.not_patterns):
        return True
    if any(are_disjoint(a, b) for a in limits.formats for b in limits.formats):
        return True
    heads = [_get_first_characters(pattern) for pattern in limits.patterns]
    # Two sets of characters at one place that have none in common.
    return any(
        not any(low <= last and first <= high for low, high in one for first, last in other)
        for a in heads
        for b in heads
        for one, other in zip(a, b, strict=False)
    )


def _get_first_characters(pattern: str) -> list[Charset]:
    """Return the characters that a text matching *pattern* may begin with, place by place."""
    node = parse_pattern(pattern)
    parts = node.parts if isinstance(node, Sequence) else ()
    if not parts or parts[0] != Anchor("^"):
        return []
    out: list[Charset] = []
    for part in parts[1:]:
        if not isinstance(part, Chars):
            break
        out.append(part.ranges)
    return out
