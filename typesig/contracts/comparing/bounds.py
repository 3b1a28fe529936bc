"""Compare constraints: bounds, steps, patterns, formats and unique items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typesig.algebra import nodes
from typesig.algebra.constructors import find_kinds, make_refined
from typesig.algebra.rows.constraints import NUMBERS, TEXTS, Constraint, ConstraintName
from typesig.contracts.comparing.comparison import TypeComparison
from typesig.contracts.locks.places import Path
from typesig.notations.texts.literals import write_constraints

#: What a range is called by the kinds that it applies to.
_FAMILIES: tuple[tuple[frozenset[str], tuple[str, str]], ...] = (
    (frozenset(NUMBERS), ("minimum", "maximum")),
    (frozenset(TEXTS), ("min-length", "max-length")),
    (frozenset({"list", "set"}), ("min-items", "max-items")),
    (frozenset({"map"}), ("min-properties", "max-properties")),
)

_LOWER: tuple[ConstraintName, ...] = ("at_least", "above")
_UPPER: tuple[ConstraintName, ...] = ("at_most", "below")

#: The constraints that are compared as tests, and the name of each in the rules.
_TESTS: dict[ConstraintName, str] = {
    "multiple_of": "multiple-of",
    "pattern": "pattern",
    "format": "format",
}


def get_bound_names(t: nodes.Type) -> tuple[str, str] | None:
    """Return the rule names of the bounds of *t*, such as `minimum`; None if mixed."""
    kinds = find_kinds(t)
    for of, names in _FAMILIES:
        if kinds and kinds - {"nil"} <= of:
            return names
    return None


def compare_refined(walk: TypeComparison, path: Path, a: nodes.Type, b: nodes.Type) -> bool:
    """Report how constraints of *a* and *b* differ; False if to compare as wholes.

    Returns False, and reports nothing, if they have to be compared as wholes.
    """
    one, other = _split_constraints(a)[0], _split_constraints(b)[0]
    named = get_bound_names(one)
    if named is None or named != get_bound_names(other):
        return False
    if one == other and walk.fits(a, b) and walk.fits(b, a):
        return False
    walk.compare_types(path, one, other)
    _Limits(walk, path, a, b).compare(named)
    return True


class _Limits:
    """Comparison of the constraints of two types.

    An example is a value of all that was valid, which the one constraint refuses.
    """

    def __init__(self, walk: TypeComparison, path: Path, a: nodes.Type, b: nodes.Type) -> None:
        self.walk, self.path, self.a, self.b = walk, path, a, b
        self.one, self.old = _split_constraints(a)
        self.other, self.new = _split_constraints(b)

    def compare(self, named: tuple[str, str]) -> None:
        """Report changed bounds and tests; *named* are the names of the two bounds."""
        lower, upper = named
        self.compare_bound(lower, _end(self.old, _LOWER), _end(self.new, _LOWER))
        self.compare_bound(upper, _end(self.old, _UPPER), _end(self.new, _UPPER))
        for name, word in _TESTS.items():
            gone = [c for c in self.old if c.name == name and c not in self.new]
            come = [c for c in self.new if c.name == name and c not in self.old]
            self.compare_tests(word, gone, come)
        self.compare_unique()

    def add(
        self, change: str, old: Constraint | None, new: Constraint | None, told: bool = True
    ) -> None:
        """Report the *change* of constraint *old* to *new*."""
        if self.walk.way == "input":
            pair = (self.a, _with(self.other, new), False)
        else:
            pair = (_with(self.one, old), self.b, False)
        texts = (_write_bound(old), _write_bound(new)) if told else ("", "")
        self.walk.add(self.path, change, *texts, pair=pair)

    def compare_bound(self, name: str, old: Constraint | None, new: Constraint | None) -> None:
        """Report the bound *name* as added, removed, raised or lowered."""
        if old is None or new is None:
            if old is not new:
                self.add(f"{name}-{'added' if old is None else 'removed'}", old, new)
            return
        sign = 1 if name.startswith("min") else -1
        before, after = _get_position(old, sign), _get_position(new, sign)
        if before != after:
            is_up = (before < after) is (sign == 1)
            self.add(f"{name}-{'raised' if is_up else 'lowered'}", old, new)

    def compare_tests(self, name: str, gone: list[Constraint], come: list[Constraint]) -> None:
        """Report steps, patterns or formats removed (*gone*), added (*come*) or changed."""
        if len(gone) == len(come) == 1:
            [old], [new] = gone, come
            if name == "pattern":
                self.add("pattern-changed", old, new)
                return
            a, b = make_refined(self.one, gone), make_refined(self.other, come)
            self.walk.report_move(self.path, a, b, name, _write_bound(old), _write_bound(new))
            return
        for each in gone:
            self.add(f"{name}-removed", each, None)
        for each in come:
            self.add(f"{name}-added", None, each)

    def compare_unique(self) -> None:
        """Report whether the constraint of unique items was added or removed."""
        was = next((c for c in self.old if c.name == "unique"), None)
        now = next((c for c in self.new if c.name == "unique"), None)
        if was != now:
            self.add(f"unique-{'added' if was is None else 'removed'}", was, now, told=False)


def _split_constraints(t: nodes.Type) -> tuple[nodes.Type, tuple[Constraint, ...]]:
    """Split *t* into its inner type and its constraints."""
    return (t.inner, t.constraints) if isinstance(t, nodes.Refinement) else (t, ())


def _end(constraints: Sequence[Constraint], names: Sequence[ConstraintName]) -> Constraint | None:
    """Return the strictest bound of *constraints* with one of *names*, or None."""
    found = [c for c in constraints if c.name in names]
    # Of equal ends, the one that excludes its own number is stricter.
    sign = 1 if names is _LOWER else -1
    return max(found, key=lambda c: _get_position(c, sign), default=None)


def _get_position(end: Constraint, sign: int) -> tuple[Any, bool]:
    """Build a sort key of bound *end*: its value times *sign*, and exclusiveness."""
    return sign * end.argument.value, end.name in ("above", "below")


def _with(inner: nodes.Type, constraint: Constraint | None) -> nodes.Type:
    """Refine *inner* by *constraint*; None returns *inner* unchanged."""
    return inner if constraint is None else make_refined(inner, [constraint])


def _write_bound(end: Constraint | None) -> str:
    """Write *end* as its number if inclusive, as a constraint otherwise."""
    if end is None:
        return ""
    if end.name in ("at_least", "at_most"):
        return repr(end.argument.value)
    return write_constraints([end])
