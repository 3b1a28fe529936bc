"""Ruling out numbers, texts, and the kinds with few values."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from enum import Enum as PythonEnum
from typing import TYPE_CHECKING, Any

from typesig.algebra.nodes import FLOAT, KEYWORD, Enum
from typesig.limits import MAX_COUNTED
from typesig.patterns import EMPTY, Anchor, Chars, Charset, Sequence
from typesig.relations.bounds import Limit, as_floats, bounds, limits_of, sizes
from typesig.relations.clauses import Way
from typesig.relations.formatted import FORMATTED, apart
from typesig.relations.judging import accepts
from typesig.relations.patterns import least, tree

if TYPE_CHECKING:
    from typesig.relations.emptiness import Prover


class _Member(PythonEnum):
    """An enum, whose member is a keyword and nothing else."""

    MEMBER = object()


#: One of each sort that types can tell from the others.
_VALUES: dict[str, tuple[Any, ...]] = {
    "nil": (None,),
    "bool": (True, False),
    "datetime": (datetime(2026, 1, 31, tzinfo=UTC), datetime(2026, 1, 31)),
    "object": (object(), _Member.MEMBER),
}

_NOT_FINITE = (float("nan"), float("inf"), -float("inf"))


def _judged(prover: Prover, kind: str, clause: Way) -> Way:
    """Return *clause* as values of *kind* are judged by it.

    A value of another kind is a keyword too where it is a member of a Python enum, and then it may
    be any of its kind: nothing is said against such values for being or not being keywords.
    """
    if kind in ("nil", "bool", "object", "keyword"):
        return clause
    pos, neg = clause
    return tuple([p for p in pos if p != KEYWORD]), tuple([p for p in neg if p != KEYWORD])


def fits(prover: Prover, clause: Way, value: Any) -> bool:
    """Tell whether the atoms of *clause* allow *value*."""
    prover.step()
    pos, neg = clause
    return all(accepts(part, prover.definitions, value) for part in pos) and not any(
        accepts(part, prover.definitions, value) for part in neg
    )


def none_of(prover: Prover, kind: str, clause: Way, values: Iterable[Any]) -> bool:
    """Tell whether the atoms of *clause* allow none of *values*, all being of *kind*."""
    judged = _judged(prover, kind, clause)
    return not any(fits(prover, judged, value) for value in values)


def listed(prover: Prover, kind: str, clause: Way) -> bool | None:
    """Tell whether no value of an enum is left; None where there is no enum to go by."""
    enums = [part for part in clause[0] if isinstance(part, Enum)]
    if not enums:
        return None
    if kind in ("list", "map") and any(map(prover.has_keywords, (*clause[0], *clause[1]))):
        # What is text in the enum may be a keyword in a value that equals it.
        return None
    values = [value.thaw() for value in enums[0].values if value.kind == kind]
    return none_of(prover, kind, clause, values)


def finite(prover: Prover, kind: str, clause: Way) -> bool:
    """Tell whether no value of a kind with few sorts of values is left."""
    return none_of(prover, kind, clause, _VALUES[kind])


def whole_numbers(prover: Prover, kind: str, clause: Way) -> bool:
    """Tell whether no int is left."""
    found = listed(prover, kind, clause)
    if found is not None:
        return found
    left = bounds(limits_of(clause))
    step, low, high = left.step, left.least, left.most
    if any(step % missed.numerator == 0 for missed in left.missed):
        return True
    if low is None or high is None:
        return False
    low, high = -(-low // step), high // step
    if high - low >= MAX_COUNTED:
        return False
    return none_of(prover, kind, clause, [n * step for n in range(low, high + 1)])


def floats(prover: Prover, kind: str, clause: Way) -> bool:
    """Tell whether no float is left, nan and the infinite ones among them."""
    found = listed(prover, kind, clause)
    if found is not None:
        return found
    if not none_of(prover, kind, clause, _NOT_FINITE):
        return False
    if FLOAT in clause[1]:
        return True
    left = bounds(limits_of(clause))
    if left.empty or any((s / m).denominator == 1 for s in left.steps for m in left.missed):
        return True
    if left.low is None or left.low != left.high:
        return False
    return none_of(prover, kind, clause, as_floats(left.low))


def texts(prover: Prover, kind: str, clause: Way) -> bool:
    """Tell whether no text, or no keyword, is left."""
    found = listed(prover, kind, clause)
    if found is not None:
        return found
    limits = limits_of(clause)
    formats, patterns = _said(limits, "format"), _said(limits, "pattern")
    low, high = sizes(limits)
    for name in formats[True]:
        row = FORMATTED[name]
        low = max(low, row.low)
        high = row.high if high is None else high if row.high is None else min(high, row.high)
    low = max([low, *map(least, patterns[True])])
    if high is not None and low > high:
        return True
    if _broken(formats, patterns):
        return True
    return high == 0 and none_of(prover, kind, clause, [""] if kind == "string" else [])


def _said(limits: list[Limit], name: str) -> dict[bool, list[str]]:
    """Return the arguments of what *limits* say by *name*: what is wanted, and what is not."""
    said: dict[bool, list[str]] = {True: [], False: []}
    for constraint, wanted in limits:
        if constraint.name == name:
            said[wanted].append(constraint.argument.value)
    return said


def _broken(formats: dict[bool, list[str]], patterns: dict[bool, list[str]]) -> bool:
    implied = {other for name in formats[True] for other in (name, *FORMATTED[name].within)}
    if implied & set(formats[False]) or set(patterns[True]) & set(patterns[False]):
        return True
    if any(tree(pattern) == EMPTY for pattern in patterns[False]):
        return True
    if any(apart(a, b) for a in formats[True] for b in formats[True]):
        return True
    heads = [_head(pattern) for pattern in patterns[True]]
    return any(_clash(a, b) for a in heads for b in heads)


def _head(pattern: str) -> list[Charset]:
    """Return what a text in which *pattern* is found begins with, character by character."""
    node = tree(pattern)
    parts = node.parts if isinstance(node, Sequence) else ()
    if not parts or parts[0] != Anchor("^"):
        return []
    out: list[Charset] = []
    for part in parts[1:]:
        if not isinstance(part, Chars):
            break
        out.append(part.ranges)
    return out


def _clash(a: list[Charset], b: list[Charset]) -> bool:
    """Tell whether two beginnings have no character in common at some place."""
    return any(
        not any(low <= last and first <= high for low, high in one for first, last in other)
        for one, other in zip(a, b, strict=False)
    )
