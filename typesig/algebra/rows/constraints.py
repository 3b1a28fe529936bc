"""Constraints: what a refinement asks of a value, one row each.

A constraint applies to values of some kinds, and values of other kinds meet it, as with the
keywords of JSON Schema: `1..5` bounds a number, the characters of a text, the items of a list.
To add a constraint, add its name to `ConstraintName` and its row to `CONSTRAINTS`, whose order is
that of canonical text.  The type checker then points at each `match` over names, and a test at
each table keyed by them; where only the sort of a constraint matters, the row says it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple, TypeAlias, assert_never

from typesig.algebra.rows.builtin import VisitBudget
from typesig.algebra.rows.formats import FORMATS
from typesig.algebra.rows.frozen import NestedValue
from typesig.algebra.rows.values import Const, Kind, get_kind, to_builtin, to_const
from typesig.errors import TypesigError, format_value
from typesig.limits import MAX_NEAR_NAME, MAX_VALUE_DEPTH

#: Tells whether a value of one of the kinds of a constraint meets it.
Test = Callable[[Any], bool]

ConstraintName: TypeAlias = Literal[
    "at_least", "above", "at_most", "below", "multiple_of", "pattern", "format", "unique"
]

#: What a constraint looks at: a number; a size, or a number; the characters of a text; the items of
#: a list, each with the others.
ConstraintSort: TypeAlias = Literal["number", "size", "text", "items"]

#: The constraints that programs write as comparisons.
COMPARISONS: dict[str, ConstraintName] = {
    ">": "above",
    ">=": "at_least",
    "<": "below",
    "<=": "at_most",
}

NUMBERS: frozenset[Kind] = frozenset({"int", "float"})
TEXTS: frozenset[Kind] = frozenset({"string", "keyword"})
SIZED: frozenset[Kind] = frozenset({"string", "keyword", "list", "set", "map"})
LISTS: frozenset[Kind] = frozenset({"list"})

#: The constraints whose tests only compare, and the kinds of constants that they compare.
_BOUNDS = frozenset({"at_least", "above", "at_most", "below"})
_BOUNDED: frozenset[Kind] = frozenset({"int", "float", "string"})


class ConstraintRow(NamedTuple):
    """Definition of a constraint: its kinds of values, its test and its argument check.

    #: sort: what it looks at; word: what a message calls it
    #: kinds: the kinds of values that it applies to; other values meet it
    #: meaning: makes the test from the argument
    #: check: returns the argument in canonical form, or raises
    #: tightest: returns the stricter of two arguments; None if both constraints are kept
    """

    name: ConstraintName
    sort: ConstraintSort
    word: str
    kinds: frozenset[Kind]
    meaning: Callable[[Any], Test]
    check: Callable[[Any], object]
    tightest: Callable[[Any, Any], Any] | None


class Constraint(NestedValue):
    """A constraint on values: its name and its argument."""

    __slots__ = ("argument", "name")
    __match_args__ = ("name", "argument")
    _DEPTH = 0
    name: ConstraintName
    argument: Const

    def __init__(self, name: ConstraintName, argument: object) -> None:
        row = CONSTRAINTS[name]
        self._fill(
            name, to_const(row.check(argument.thaw() if isinstance(argument, Const) else argument))
        )

    @property
    def row(self) -> ConstraintRow:
        """Row of the constraint in the table `CONSTRAINTS`."""
        return CONSTRAINTS[self.name]

    def test(self) -> Test:
        """Return the predicate for values of the kinds that the constraint limits."""
        return self.row.meaning(self.argument.thaw())

    def is_within_bound(self, value: Const) -> bool:
        """Whether the constraint is a bound that *value*, a number or text, satisfies."""
        # The tests of other constraints, such as patterns, take long to make.
        is_known = self.name in _BOUNDS and value.kind in _BOUNDED & self.row.kinds
        return is_known and self.test()(value.value)


def _get_size(value: Any) -> Any:
    """Return *value* if it is a number, otherwise its length; fast for int and float."""
    return value if type(value) is int or type(value) is float else _measure(value)


def _measure(value: Any) -> Any:
    """Return *value* if its kind is a number, otherwise its length."""
    return value if get_kind(value) in NUMBERS else len(value)


def _test_at_least(bound: Any) -> Test:
    """Build the test that the number or length of a value is *bound* or more."""
    return lambda value: _get_size(value) >= bound


def _test_at_most(bound: Any) -> Test:
    """Build the test that the number or length of a value is *bound* or less."""
    return lambda value: _get_size(value) <= bound


def _test_above(bound: Any) -> Test:
    """Build the test that a number is greater than *bound*."""
    return lambda value: value > bound


def _test_below(bound: Any) -> Test:
    """Build the test that a number is less than *bound*."""
    return lambda value: value < bound


def _test_multiple_of(step: Any) -> Test:
    """Build the test that a number is an exact decimal multiple of *step*."""
    exact = _to_fraction(step)

    def test(value: Any) -> bool:
        if type(value) is int and type(step) is int:
            return value % step == 0
        # NaN and the infinities are not a multiple of anything.
        return bool(value - value == 0 and _to_fraction(value) % exact == 0)

    return test


def _to_fraction(number: Any) -> Any:
    """Convert *number* to an exact fraction of its shortest decimal text; keep integers."""
    if type(number) is int:
        return number
    from fractions import Fraction

    # The shortest decimal text counts: 0.3 is a multiple of 0.1, as people and JSON Schema mean it.
    return Fraction(repr(float(number)))


def _test_pattern(pattern: str) -> Test:
    """Build the test that a string contains a match of the ECMA-262 regex *pattern*."""
    from typesig.patterns import build_search

    return build_search(pattern)


def is_unique(items: Iterable[Any]) -> bool:
    """Whether all *items* are different values; `1` and `1.0` are different."""
    seen: set[object] = set()
    for item in to_builtin(items):
        key = get_identity(item)
        if key in seen:
            return False
        seen.add(key)
    return True


def get_identity(
    value: Any, depth: int = 0, watch: VisitBudget | None = None, in_json: bool = False
) -> object:
    """Return a hashable key that two values share only if they are the same value.

    *in_json* tells whether they are compared as JSON has them, where `1.0` is `1` and a keyword is
    a text.  Raises `Overfull` for a value with more places than `MAX_VALUES`.
    """
    kind = get_kind(value)
    if depth > MAX_VALUE_DEPTH:
        # Too deep, or inside itself: only the same object has the same key.
        return kind, id(value)
    depth += 1
    match kind:
        case "int" | "float" if in_json:
            return "number", value
        case "keyword" if in_json:
            return "string", str.__str__(value)
        case "nil" | "bool" | "int" | "float" | "string" | "keyword" | "datetime" | "object":
            return kind, value if _is_hashable(value) else id(value)
        case "list" | "map" | "set":
            data, watch = to_builtin(value), watch or VisitBudget(value)
            watch.visit(len(data))
            parts = [*data, *data.values()] if kind == "map" else data
            found = [get_identity(part, depth, watch, in_json) for part in parts]
            if kind == "map":
                return kind, frozenset(zip(found, found[len(data) :], strict=False))
            return kind, tuple(found) if kind == "list" else frozenset(found)
        case _:
            assert_never(kind)


def _is_hashable(value: object) -> bool:
    """Whether *value* can be hashed without an error."""
    # Any exception, since an object of the user may raise another one than `TypeError`.
    try:
        hash(value)
    except Exception:
        return False
    return True


def _check_number(value: Any) -> object:
    """Return the bound *value*, or raise `TypesigError` if it is not a number."""
    if get_kind(value) not in NUMBERS:
        raise TypesigError(f"a bound must be a number, not {format_value(value)}")
    return value


def _check_positive(value: Any) -> object:
    """Return the step *value*, or raise `TypesigError` if it is not a number above 0."""
    if get_kind(value) not in NUMBERS or not value > 0:
        raise TypesigError(f"a step must be a number above 0, not {format_value(value)}")
    return value


def _check_regex(value: Any) -> object:
    """Return the canonical form of the regex *value*; raise if it is invalid or slow."""
    if type(value) is not str:
        raise TypesigError(f"a pattern must be text, not {format_value(value)}")
    from typesig.patterns import to_canonical_pattern

    value = to_canonical_pattern(value)
    # Refuses a text that is not a regular expression of ECMA-262, or one that could run for hours.
    # Loaded by the first pattern, as what reads patterns is.
    from typesig.algebra.rows.pattern_budget import check_pattern

    check_pattern(value)
    return value


def _check_format(value: Any) -> object:
    """Return the format name *value*, or raise `TypesigError` if it is unknown."""
    if value in FORMATS:
        return value
    from difflib import get_close_matches

    is_near = isinstance(value, str) and len(value) <= MAX_NEAR_NAME
    near = get_close_matches(value, FORMATS, 1) if is_near else []
    hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(FORMATS)}"
    raise TypesigError(f"there is no format {format_value(value)}; {hint}")


def _check_true(value: Any) -> object:
    """Return the argument *value* of `unique`; raise `TypesigError` unless it is True."""
    if value is not True:
        raise TypesigError("unique takes no argument")
    return value


CONSTRAINTS: dict[ConstraintName, ConstraintRow] = {
    row.name: row
    for row in (
        ConstraintRow(
            "at_least", "size", "a range", NUMBERS | SIZED, _test_at_least, _check_number, max
        ),
        ConstraintRow("above", "number", "a bound", NUMBERS, _test_above, _check_number, max),
        ConstraintRow(
            "at_most", "size", "a range", NUMBERS | SIZED, _test_at_most, _check_number, min
        ),
        ConstraintRow("below", "number", "a bound", NUMBERS, _test_below, _check_number, min),
        ConstraintRow(
            "multiple_of", "number", "a step", NUMBERS, _test_multiple_of, _check_positive, None
        ),
        ConstraintRow("pattern", "text", "a pattern", TEXTS, _test_pattern, _check_regex, None),
        ConstraintRow(
            "format", "text", "a format", TEXTS, lambda name: FORMATS[name], _check_format, None
        ),
        ConstraintRow("unique", "items", "unique", LISTS, lambda _: is_unique, _check_true, None),
    )
}

_ORDER = {name: place for place, name in enumerate(CONSTRAINTS)}


def sort_constraints(constraints: Iterable[Constraint]) -> tuple[Constraint, ...]:
    """Return *constraints* in the order of their rows, without duplicates and looser bounds."""
    kept: dict[object, Constraint] = {}
    for new in constraints:
        tightest = new.row.tightest
        slot: object = new if tightest is None else new.name
        old = kept.get(slot)
        if old is not None and tightest is not None:
            held = tightest(old.argument.value, new.argument.value)
            new = old if held is old.argument.value else new
        kept[slot] = new
    return tuple(sorted(kept.values(), key=lambda c: _ORDER[c.name]))
