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

from typesig.algebra import nodes
from typesig.algebra.constructors import bare, kinds_of, noted, record
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.frozen import RECORDS
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import children, rebuild, walk
from typesig.algebra.views.redaction import used


def result_view(signature: Signature) -> tuple[nodes.Type, Mapping[str, nodes.Type]]:
    """Return the result of *signature*, and its definitions, as a model is shown them."""
    view = ModelView(signature.names, [signature.returns], closing=True)
    return view.shown(signature.returns), view.definitions()


def arguments_view(signature: Signature) -> tuple[nodes.Record, Mapping[str, nodes.Type]]:
    """Return the arguments of *signature*, and its definitions, as a model is shown them."""
    arguments = signature.arguments
    view = ModelView(signature.names, [arguments], closing=False)
    shown = view.shown(arguments)
    assert isinstance(shown, nodes.Record)
    return shown, view.definitions()


def is_list(t: nodes.Type, names: Mapping[str, nodes.Type]) -> bool:
    """Tell whether *t* is a list, a set or a tuple, nullable or not."""
    t = bare(t)
    if isinstance(t, nodes.Refined | nodes.Maybe):
        return is_list(t.inner, names)
    if isinstance(t, nodes.Ref):
        return is_list(names[t.name], names)
    return isinstance(t, nodes.List | nodes.Set | nodes.Tuple | nodes.Counted)


def wrapped_list(t: nodes.Type) -> nodes.Type:
    """Return the closed record whose field `items` is of type *t*."""
    return record([nodes.Field("items", t)], None)


class ModelView:
    """Types with the definitions *names*, as a model is shown them.

    #: closing: whether records are closed, as they are in what a model answers
    #: exact: the names whose definitions stay as they are
    """

    __slots__ = ("closing", "exact", "names")

    def __init__(
        self, names: Mapping[str, nodes.Type], wholes: Iterable[nodes.Type], closing: bool
    ) -> None:
        self.names = names
        self.closing = closing
        self.exact: set[str] = set()
        if names:
            parts = [part for t in (*wholes, *names.values()) for part in walk(t)]
            self.exact = used(names, [below for part in parts for below in exact_below(part)])

    def definitions(self) -> Mapping[str, nodes.Type]:
        """Return the definitions as a model is shown them."""
        if not self.names:
            return self.names
        return {n: t if n in self.exact else self.shown(t) for n, t in self.names.items()}

    def shown(self, t: nodes.Type) -> nodes.Type:
        """Return *t* as a model is shown it."""
        if not t.flags & RECORDS:
            return t
        match t:
            case nodes.Record():
                return self._record(t)
            case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():
                if is_exact_below(t):
                    return t
                return rebuild(t, [self.shown(part) for part in children(t)])
            case _:
                assert_never(t)

    def _record(self, t: nodes.Record) -> nodes.Record:
        overlap = overlapping_keys(t)
        fields = [f if f.name in overlap.fields else self._field(f) for f in t.fields]
        matching = t.matching
        if not overlap.patterns:
            matching = tuple([nodes.Matching(m.pattern, self.shown(m.type)) for m in matching])
        extra = None if t.extra is None else self.shown(t.extra)
        return nodes.Record(tuple(fields), None if self.closes(t) else extra, matching)

    def closes(self, t: nodes.Record) -> bool:
        """Tell whether the open record *t* is shown closed; one without names stays open."""
        return self.closing and t.extra == nodes.ANY and bool(t.fields or t.matching)

    def _field(self, field: nodes.Field) -> nodes.Field:
        shown = self.shown(field.type)
        return field.with_type(without_null(shown) if is_shown_without_null(field) else shown)


def is_shown_without_null(field: nodes.Field) -> bool:
    """Tell whether the optional *field* is nullable and is shown as if it were not."""
    return not field.required and isinstance(bare(field.type), nodes.Maybe)


def without_null(t: nodes.Type) -> nodes.Type:
    """Return *t*, which is no longer nullable."""
    if isinstance(t, nodes.Noted):
        inner = without_null(t.inner)
        return t if inner is t.inner else noted(inner, t.text, t.title)
    return t.inner if isinstance(t, nodes.Maybe) else t


def exact_below(part: nodes.Type) -> Iterator[nodes.Type]:
    """Yield the types directly in *part* that are shown as they are."""
    if isinstance(part, nodes.Record):
        overlap = overlapping_keys(part)
        yield from (field.type for field in part.fields if field.name in overlap.fields)
        if overlap.patterns:
            yield from (m.type for m in part.matching)
    elif is_exact_below(part):
        yield from children(part)


def is_exact_below(part: nodes.Type) -> bool:
    """Tell whether the types in *part*, which is not a record, are shown as they are."""
    match part:
        case nodes.One() | nodes.Both() | nodes.Not() | nodes.Counted() | nodes.Set():
            return True
        case nodes.Refined(inner, constraints):
            return any(_counts(constraint, inner) for constraint in constraints)
        case nodes.Leaf() | nodes.Container() | nodes.Around() | nodes.Union() | nodes.Ref():
            return False
        case _:
            assert_never(part)


def _counts(constraint: Constraint, inner: nodes.Type) -> bool:
    """Tell whether *constraint* compares items, or counts the keys of a map."""
    kinds = kinds_of(inner)
    is_size = constraint.row.sort == "size" and (kinds is None or "map" in kinds)
    return is_size or constraint.row.sort == "items"


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


def overlapping_keys(t: nodes.Record) -> OverlappingKeys:
    """Return the keys of *t* that more than one of its types applies to."""
    if not t.matching:
        return _NO_OVERLAP
    tests = [m.test() for m in t.matching]
    fields = frozenset(f.name for f in t.fields if any(test(f.name) for test in tests))
    return OverlappingKeys(fields, bool(fields) or len(tests) > 1)
