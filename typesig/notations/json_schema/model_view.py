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
from typing import NamedTuple, assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import find_kinds, make_noted, record, strip_annotations
from typesig.algebra.redaction import find_used_names
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.frozen import RECORDS
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import get_children, iter_types, rebuild


def view_result(signature: Signature) -> tuple[nodes.Type, Mapping[str, nodes.Type]]:
    """Return the result type of *signature* and its definitions as a model sees them."""
    view = ModelView(signature.names, [signature.returns], closing=True)
    return view.view(signature.returns), view.view_definitions()


def view_arguments(signature: Signature) -> tuple[nodes.Record, Mapping[str, nodes.Type]]:
    """Return the arguments of *signature* and the definitions as a model sees them."""
    arguments = signature.arguments
    view = ModelView(signature.names, [arguments], closing=False)
    shown = view.view(arguments)
    assert isinstance(shown, nodes.Record)
    return shown, view.view_definitions()


def is_list(t: nodes.Type, names: Mapping[str, nodes.Type]) -> bool:
    """Whether *t* is a list, a set or a tuple, nullable or not."""
    t = strip_annotations(t)
    if isinstance(t, nodes.Refinement | nodes.Maybe):
        return is_list(t.inner, names)
    if isinstance(t, nodes.Ref):
        return is_list(names[t.name], names)
    return isinstance(t, nodes.List | nodes.Set | nodes.Tuple | nodes.ItemCount)


def wrap_list(t: nodes.Type) -> nodes.Type:
    """Return the closed record whose field `items` is of type *t*."""
    return record([nodes.Field("items", t)], None)


class ModelView:
    """Conversion of types and definitions to the simplified form for a model.

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
            parts = [part for t in (*wholes, *names.values()) for part in iter_types(t)]
            self.exact = find_used_names(
                names, [below for part in parts for below in iter_exact_parts(part)]
            )

    def view_definitions(self) -> Mapping[str, nodes.Type]:
        """Return the definitions in the form for a model."""
        if not self.names:
            return self.names
        return {n: t if n in self.exact else self.view(t) for n, t in self.names.items()}

    def view(self, t: nodes.Type) -> nodes.Type:
        """Return the type *t* in the form for a model."""
        if not t.flags & RECORDS:
            return t
        match t:
            case nodes.Record():
                return self._record(t)
            case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():
                if is_exact_below(t):
                    return t
                return rebuild(t, [self.view(part) for part in get_children(t)])
            case _:
                assert_never(t)

    def _record(self, t: nodes.Record) -> nodes.Record:
        """Return the record type *t* in the form for a model, possibly closed."""
        overlap = find_overlapping_keys(t)
        fields = [f if f.name in overlap.fields else self._view_field(f) for f in t.fields]
        matching = t.matching
        if not overlap.patterns:
            matching = tuple([nodes.PatternField(m.pattern, self.view(m.type)) for m in matching])
        extra = None if t.extra is None else self.view(t.extra)
        return nodes.Record(tuple(fields), None if self.is_shown_closed(t) else extra, matching)

    def is_shown_closed(self, t: nodes.Record) -> bool:
        """Whether a model sees the open record *t* as closed; it needs names."""
        return self.closing and t.extra == nodes.ANY and bool(t.fields or t.matching)

    def _view_field(self, field: nodes.Field) -> nodes.Field:
        """Return *field* in the form for a model; an optional field loses null."""
        shown = self.view(field.type)
        return field.with_type(strip_null(shown) if is_shown_without_null(field) else shown)


def is_shown_without_null(field: nodes.Field) -> bool:
    """Whether *field* is optional and nullable, and a model sees it without null."""
    return not field.required and isinstance(strip_annotations(field.type), nodes.Maybe)


def strip_null(t: nodes.Type) -> nodes.Type:
    """Return *t* without nil: the inner type of a nullable type."""
    if isinstance(t, nodes.Annotation):
        inner = strip_null(t.inner)
        return t if inner is t.inner else make_noted(inner, t.text, t.title)
    return t.inner if isinstance(t, nodes.Maybe) else t


def iter_exact_parts(part: nodes.Type) -> Iterator[nodes.Type]:
    """Yield the direct parts of *part* that the form for a model leaves unchanged."""
    if isinstance(part, nodes.Record):
        overlap = find_overlapping_keys(part)
        yield from (field.type for field in part.fields if field.name in overlap.fields)
        if overlap.patterns:
            yield from (m.type for m in part.matching)
    elif is_exact_below(part):
        yield from get_children(part)


def is_exact_below(part: nodes.Type) -> bool:
    """Whether the form for a model leaves all types inside *part* unchanged."""
    match part:
        case nodes.One() | nodes.Both() | nodes.Not() | nodes.ItemCount() | nodes.Set():
            return True
        case nodes.Refinement(inner, constraints):
            return any(_depends_on_count(constraint, inner) for constraint in constraints)
        case nodes.Leaf() | nodes.Container() | nodes.Wrapper() | nodes.Union() | nodes.Ref():
            return False
        case _:
            assert_never(part)


def _depends_on_count(constraint: Constraint, inner: nodes.Type) -> bool:
    """Whether *constraint* compares items of *inner*, or counts its keys."""
    kinds = find_kinds(inner)
    is_size = constraint.row.sort == "size" and (kinds is None or "map" in kinds)
    return is_size or constraint.row.sort == "items"


class OverlappingKeys(NamedTuple):
    """The keys of a record to which both a field and a pattern, or two patterns, apply.

    #: fields: the names of the fields that a pattern is found in
    #: patterns: whether the types of the patterns are affected
    """

    fields: frozenset[str]
    patterns: bool


_NO_OVERLAP = OverlappingKeys(frozenset(), False)


def find_overlapping_keys(t: nodes.Record) -> OverlappingKeys:
    """Return the keys of the record *t* to which more than one type applies."""
    if not t.matching:
        return _NO_OVERLAP
    tests = [m.test() for m in t.matching]
    fields = frozenset(f.name for f in t.fields if any(test(f.name) for test in tests))
    return OverlappingKeys(fields, bool(fields) or len(tests) > 1)
