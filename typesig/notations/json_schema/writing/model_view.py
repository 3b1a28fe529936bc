"""The types that a model is shown: what `input_schema` and `to_json_schema` write unless exact.

Objects of a result are closed; an optional field `T?` is shown as `T`; a list at the root is
wrapped in `items`.  The writer then writes these types as it writes any other.

A part of a type is left as it is where another part decides about the same value: below
exactly-one, negations, numbers of items, intersections, bounds on the size of a map, unique items,
and patterns of keys that overlap with fields or each other.  There a value that was made to fit one
part might no longer fit another.  `ModelView` tells which parts these are;
`typesig.validation.outcome.model_data`, which rewrites values for a model, asks it too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from typesig.algebra.constructors import bare, kinds_of, noted, record
from typesig.algebra.nodes import (
    ANY,
    Both,
    Counted,
    Enum,
    Field,
    List,
    MapOf,
    Matching,
    Maybe,
    Not,
    Noted,
    One,
    Record,
    Ref,
    Refined,
    Scalar,
    Set,
    Tuple,
    Type,
    Union,
)
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.frozen import RECORDS
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import children, rebuild, walk
from typesig.algebra.views.redaction import used


def result_view(signature: Signature) -> tuple[Type, Mapping[str, Type]]:
    """Return the result of *signature*, and its definitions, as a model is shown them."""
    view = ModelView(signature.names, [signature.returns], closing=True)
    return view.shown(signature.returns), view.definitions()


def arguments_view(signature: Signature) -> tuple[Record, Mapping[str, Type]]:
    """Return the arguments of *signature*, and its definitions, as a model is shown them."""
    arguments = signature.arguments
    view = ModelView(signature.names, [arguments], closing=False)
    shown = view.shown(arguments)
    assert isinstance(shown, Record)
    return shown, view.definitions()


def is_list(t: Type, names: Mapping[str, Type]) -> bool:
    """Tell whether *t* is a list, a set or a tuple, nullable or not."""
    t = bare(t)
    if isinstance(t, Refined | Maybe):
        return is_list(t.inner, names)
    if isinstance(t, Ref):
        return is_list(names[t.name], names)
    return isinstance(t, List | Set | Tuple | Counted)


def wrapped_list(t: Type) -> Type:
    """Return the closed record whose field `items` is of type *t*."""
    return record([Field("items", t)], None)


class ModelView:
    """Types with the definitions *names*, as a model is shown them.

    #: closing: whether records are closed, as they are in what a model answers
    #: exact: the names whose definitions stay as they are
    """

    __slots__ = ("closing", "exact", "names")

    def __init__(self, names: Mapping[str, Type], wholes: Iterable[Type], closing: bool) -> None:
        self.names = names
        self.closing = closing
        self.exact: set[str] = set()
        if names:
            parts = [part for t in (*wholes, *names.values()) for part in walk(t)]
            self.exact = used(names, [below for part in parts for below in exact_below(part)])

    def definitions(self) -> Mapping[str, Type]:
        """Return the definitions as a model is shown them."""
        if not self.names:
            return self.names
        return {n: t if n in self.exact else self.shown(t) for n, t in self.names.items()}

    def shown(self, t: Type) -> Type:
        """Return *t* as a model is shown it."""
        if not t.flags & RECORDS:
            return t
        match t:
            case Scalar() | Enum() | Ref() | Set() | One() | Both() | Not() | Counted():
                return t
            case Refined() if is_exact_below(t):
                return t
            case Record():
                return self._record(t)
            case List() | Tuple() | MapOf() | Maybe() | Union() | Refined() | Noted():
                return rebuild(t, [self.shown(part) for part in children(t)])
            case _:
                assert_never(t)

    def _record(self, t: Record) -> Record:
        overlap = overlapping_keys(t)
        fields = [f if f.name in overlap.fields else self._field(f) for f in t.fields]
        matching = t.matching
        if not overlap.patterns:
            matching = tuple([Matching(m.pattern, self.shown(m.type)) for m in matching])
        extra = None if t.extra is None else self.shown(t.extra)
        return Record(tuple(fields), None if self.closes(t) else extra, matching)

    def closes(self, t: Record) -> bool:
        """Tell whether the open record *t* is shown closed; one without names stays open."""
        return self.closing and t.extra == ANY and bool(t.fields or t.matching)

    def _field(self, field: Field) -> Field:
        shown = self.shown(field.type)
        return field.with_type(without_null(shown) if is_shown_without_null(field) else shown)


def is_shown_without_null(field: Field) -> bool:
    """Tell whether the optional *field* is nullable and is shown as if it were not."""
    return not field.required and isinstance(bare(field.type), Maybe)


def without_null(t: Type) -> Type:
    """Return *t*, which is no longer nullable."""
    if isinstance(t, Noted):
        inner = without_null(t.inner)
        return t if inner is t.inner else noted(inner, t.text, t.title)
    return t.inner if isinstance(t, Maybe) else t


def exact_below(part: Type) -> Iterator[Type]:
    """Yield the types directly in *part* that are shown as they are."""
    if isinstance(part, Record):
        overlap = overlapping_keys(part)
        yield from (field.type for field in part.fields if field.name in overlap.fields)
        if overlap.patterns:
            yield from (m.type for m in part.matching)
    elif is_exact_below(part):
        yield from children(part)


def is_exact_below(part: Type) -> bool:
    """Tell whether the types in *part*, which is not a record, are shown as they are."""
    match part:
        case One() | Both() | Not() | Counted() | Set():
            return True
        case Refined(inner, constraints):
            return any(_counts(constraint, inner) for constraint in constraints)
        case Scalar() | List() | Tuple() | MapOf() | Record() | Maybe() | Enum() | Union():
            return False
        case Noted() | Ref():
            return False
        case _:
            assert_never(part)


def _counts(constraint: Constraint, inner: Type) -> bool:
    """Tell whether *constraint* compares items, or counts the keys of a map."""
    match constraint.name:
        case "unique":
            return True
        case "at_least" | "at_most":
            kinds = kinds_of(inner)
            return kinds is None or "map" in kinds
        case "above" | "below" | "multiple_of" | "pattern" | "format":
            return False
        case _:
            assert_never(constraint.name)


class OverlappingKeys:
    """The keys of a record that more than one of its types applies to.

    #: fields: the names of the fields that a pattern is found in
    #: patterns: whether the types of the patterns are affected
    """

    __slots__ = ("fields", "patterns")

    def __init__(self, fields: frozenset[str], patterns: bool) -> None:
        self.fields = fields
        self.patterns = patterns


_NO_OVERLAP = OverlappingKeys(frozenset(), False)


def overlapping_keys(t: Record) -> OverlappingKeys:
    """Return the keys of *t* that more than one of its types applies to."""
    if not t.matching:
        return _NO_OVERLAP
    tests = [m.test() for m in t.matching]
    fields = frozenset(f.name for f in t.fields if any(test(f.name) for test in tests))
    return OverlappingKeys(fields, bool(fields) or len(tests) > 1)
