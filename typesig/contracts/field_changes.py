"""Compare the fields of two records or two tools, and the constraints of their types."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from typesig.algebra import nodes
from typesig.algebra.constructors import find_kinds, make_refined, split_constraints
from typesig.algebra.rows.constraints import NUMBERS, TEXTS, Constraint, ConstraintName
from typesig.algebra.rows.names import fold_name
from typesig.contracts.comparison import TypeComparison, pair_unique
from typesig.notations.texts.literals import write_constraints
from typesig.relations.proofs.differences import Path, format_place

# --- Compare the fields of two records, or the parameters of two tools ---


def _get_spelling(field: nodes.Field) -> Hashable:
    """Return a key that is equal for all spellings of one field name."""
    return (field.name, True) if field.exact else (fold_name(field.name), field.firewalled)


#: What two fields have in common if they are one: all spellings of a name, a visible name and its
#: firewalled form, or all but the name.
_LIKENESSES: tuple[Callable[[nodes.Field], Hashable], ...] = (
    _get_spelling,
    lambda field: field.name if field.exact else fold_name(field.name).lstrip("_"),
    lambda field: (field.type, field.required, field.default, field.exact, field.firewalled),
)


def _change(old: nodes.Field, new: nodes.Field) -> str:
    """Name the change between two matched fields: hidden, shown, respelt or renamed."""
    if old.firewalled is not new.firewalled:
        return "hidden" if new.firewalled else "shown"
    return "respelt" if _get_spelling(old) == _get_spelling(new) else "renamed"


def _make_refusing_record(
    sent: nodes.Record, one: nodes.Field | None, other: nodes.Field | None
) -> nodes.Record:
    """Build a type that refuses *sent* records with *one* in place of *other*."""
    if other is not None:
        return nodes.Record((other,), nodes.ANY)
    rest = tuple([f for f in sent.fields if f != one])
    return nodes.Record(rest, None, sent.matching)


def compare_records(walk: TypeComparison, path: Path, a: nodes.Record, b: nodes.Record) -> None:
    """Report the differences between the fields and extra keys of *a* and *b*."""
    _RecordComparison(walk, path, a, b).compare()


class _RecordComparison:
    """Comparison of the fields and extra keys of two record types."""

    def __init__(self, walk: TypeComparison, path: Path, a: nodes.Record, b: nodes.Record) -> None:
        self.walk, self.path, self.a, self.b = walk, path, a, b
        is_param = format_place(path) == "params" and walk.way == "input"
        self.owner = "param" if is_param else f"{walk.way}-field"
        if a.matching or b.matching or not {a.extra, b.extra} <= {None, nodes.ANY}:
            # A name that comes or goes may have been, or be, one of the others.
            walk.sound = False

    def compare(self) -> None:
        """Report all changes of fields, their order, key patterns and extra."""
        olds, news = {f.name for f in self.a.fields}, {f.name: f for f in self.b.fields}
        both = [(f, news[f.name]) for f in self.a.fields if f.name in news]
        gone = [f for f in self.a.fields if f.name not in news]
        come = [f for f in self.b.fields if f.name not in olds]
        for key in _LIKENESSES:
            matched = pair_unique(key, gone, come)
            for old, new in matched:
                self.report_change(_change(old, new), old, new)
            paired_up = {f.name for pair in matched for f in pair}
            gone = [f for f in gone if f.name not in paired_up]
            come = [f for f in come if f.name not in paired_up]
        for field in gone:
            change = "removed-required" if field.required else "removed-optional"
            self.field(change, field.name, field, None)
        is_refused = self.walk.way == "output" and self.a.extra is None
        for field in come:
            change = "added-required" if field.required else "added-optional"
            self.field("added-to-closed" if is_refused else change, field.name, None, field)
        for old, new in both:
            self.compare_pair(old, new)
        names = [f.name for f, _ in both]
        now = [f.name for f in self.b.fields if f.name in olds]
        if names != now:
            was, told = ", ".join(names), ", ".join(now)
            self.walk.add(self.path, "reordered", was, told, of=self.owner)
        self.compare_patterns()
        self.compare_extra()

    def field(
        self,
        change: str,
        name: str,
        old: nodes.Field | None,
        new: nodes.Field | None,
        told: bool = True,
    ) -> None:
        """Report a *change* of field *name*, with the types that yield an example."""
        text = self.walk.sides.field_text
        before, after = (text(f) if f is not None and told else "" for f in (old, new))
        if self.walk.way == "input":
            pair = (self.a, _make_refusing_record(self.a, old, new), False)
        else:
            pair = (_make_refusing_record(self.b, new, old), self.b, False)
        path = (*self.path, name)
        self.walk.add(path, change, before, after, pair=pair, of=self.owner)

    def report_change(self, change: str, old: nodes.Field, new: nodes.Field) -> None:
        """Report that *old* became *new* under another name or visibility."""
        places = format_place((*self.path, old.name)), format_place((*self.path, new.name))
        self.walk.moves.append(places)
        if change == "renamed":
            self.field(change, old.name, old, new)
            return
        self.field(change, new.name, old, new)
        self.compare_pair(old, new, is_named_anew=True)

    def compare_pair(self, old: nodes.Field, new: nodes.Field, is_named_anew: bool = False) -> None:
        """Report changes between *old* and *new*, two fields that match."""
        name = new.name
        if old.required != new.required:
            change = "became-required" if new.required else "became-optional"
            plain = nodes.Field(old.name, old.type, new.required, None, old.exact)
            self.field(change, name, old, plain, told=False)
        if old.exact != new.exact and not is_named_anew:
            change = "name-exact" if new.exact else "name-folded"
            self.walk.add((*self.path, name), change, of=self.owner)
            self.walk.sound = False
        self.walk.compare_types((*self.path, name), old.type, new.type)

    def compare_patterns(self) -> None:
        """Report changed types, additions and removals of key patterns."""
        olds = {m.pattern: m.type for m in self.a.matching}
        news = {m.pattern: m.type for m in self.b.matching}
        for pattern, t in olds.items():
            word = f"/{pattern}/"
            if pattern in news:
                self.walk.compare_types((*self.path, word), t, news[pattern])
            else:
                change = "unlimited" if self.b.extra is not None else "refused"
                told = f"{word} {self.walk.sides.text(t)}"
                self.walk.add(self.path, f"key-pattern-{change}", told)
        for pattern, t in news.items():
            if pattern not in olds:
                change = "limited" if self.a.extra is not None else "allowed"
                told = f"/{pattern}/ {self.walk.sides.text(t)}"
                self.walk.add(self.path, f"key-pattern-{change}", new=told)

    def compare_extra(self) -> None:
        """Report changes of the type that undeclared fields may have."""
        a, b = self.a.extra, self.b.extra
        if a == b:
            return
        if b is None:
            pair = (self.a, nodes.Record(self.a.fields, None, self.a.matching), True)
            self.walk.add(self.path, "extra-refused", pair=pair)
        elif a is not None:
            self.walk.compare_types((*self.path, "**"), a, b)
        elif b == nodes.ANY:
            self.walk.add(self.path, "extra-accepted")
        else:
            pair = (self.a, nodes.Record(self.a.fields, b, self.a.matching), False)
            told = self.walk.sides.text(b)
            self.walk.add(self.path, "extra-described", new=told, pair=pair)


# --- Compare constraints: bounds, steps, patterns, formats and unique items ---

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
    one, other = split_constraints(a)[0], split_constraints(b)[0]
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
        self.one, self.old = split_constraints(a)
        self.other, self.new = split_constraints(b)

    def compare(self, named: tuple[str, str]) -> None:
        """Report changed bounds and tests; *named* are the names of the two bounds."""
        lower, upper = named
        self.compare_bound(lower, _end(self.old, _LOWER), _end(self.new, _LOWER))
        self.compare_bound(upper, _end(self.old, _UPPER), _end(self.new, _UPPER))
        for name, word in _TESTS.items():
            gone = [c for c in self.old if c.name == name and c not in self.new]
            come = [c for c in self.new if c.name == name and c not in self.old]
            self.compare_tests(word, gone, come)
        was, now = (
            next((c for c in each if c.name == "unique"), None) for each in (self.old, self.new)
        )
        if was != now:
            self.add(f"unique-{'added' if was is None else 'removed'}", was, now, told=False)

    def add(
        self, change: str, old: Constraint | None, new: Constraint | None, told: bool = True
    ) -> None:
        """Report the *change* of constraint *old* to *new*."""
        if self.walk.way == "input":
            pair = (self.a, _refine_type(self.other, new), False)
        else:
            pair = (_refine_type(self.one, old), self.b, False)
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


def _end(constraints: Sequence[Constraint], names: Sequence[ConstraintName]) -> Constraint | None:
    """Return the strictest bound of *constraints* with one of *names*, or None."""
    found = [c for c in constraints if c.name in names]
    # Of equal ends, the one that excludes its own number is stricter.
    sign = 1 if names is _LOWER else -1
    return max(found, key=lambda c: _get_position(c, sign), default=None)


def _get_position(end: Constraint, sign: int) -> tuple[Any, bool]:
    """Build a sort key of bound *end*: its value times *sign*, and exclusiveness."""
    return sign * end.argument.value, end.name in ("above", "below")


def _refine_type(inner: nodes.Type, constraint: Constraint | None) -> nodes.Type:
    """Refine *inner* by *constraint*; None returns *inner* unchanged."""
    return inner if constraint is None else make_refined(inner, [constraint])


def _write_bound(end: Constraint | None) -> str:
    """Write *end* as its number if inclusive, as a constraint otherwise."""
    if end is None:
        return ""
    if end.name in ("at_least", "at_most"):
        return repr(end.argument.value)
    return write_constraints([end])
