"""Smart constructors: forms that mean the same become the same form.

Readers make types only with these functions, so that equal types are equal values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, assert_never

from typesig.algebra import nodes
from typesig.algebra.nodes import strip_annotations as strip_annotations
from typesig.algebra.rows.constraints import Constraint, sort_constraints
from typesig.algebra.rows.scalars import SCALARS
from typesig.algebra.rows.values import Const, Kind, to_const
from typesig.errors import TypesigError


def make_maybe(inner: nodes.Type) -> nodes.Type:
    """Return the type of *inner* or nil, without a nil within a nil."""
    return inner if isinstance(inner, nodes.Maybe) or inner == nodes.NIL else nodes.Maybe(inner)


def make_union(members: Iterable[nodes.Type]) -> nodes.Type:
    """Return the union of *members*: flat, without duplicates, nil turned into a maybe.

    >>> make_union([nodes.NIL, nodes.STRING]) == make_maybe(nodes.STRING)
    True
    """
    found: dict[nodes.Type, None] = {}
    nullable = False
    for given in members:
        nullable = nullable or isinstance(given, nodes.Maybe) or given == nodes.NIL
        member = given.inner if isinstance(given, nodes.Maybe) else given
        if member != nodes.NIL:
            found.update(
                dict.fromkeys(member.members if isinstance(member, nodes.Union) else (member,))
            )
    flat = list(found)
    if not flat:
        if nullable:
            return nodes.NIL
        raise TypesigError("a union has one type or more")
    whole = flat[0] if len(flat) == 1 else nodes.Union(tuple(flat))
    return make_maybe(whole) if nullable else whole


def make_both(members: Iterable[nodes.Type]) -> nodes.Type:
    """Return the intersection of *members*: flat, without duplicates; a single member is itself."""
    found: dict[nodes.Type, None] = {}
    for member in members:
        found.update(dict.fromkeys(member.members if isinstance(member, nodes.Both) else (member,)))
    flat = list(found)
    if not flat:
        raise TypesigError("an intersection has one type or more")
    return flat[0] if len(flat) == 1 else nodes.Both(tuple(flat))


def make_one(members: Iterable[nodes.Type]) -> nodes.Type:
    """Return the type of values that fit exactly one of *members*; a single member is itself."""
    given = tuple(members)
    return given[0] if len(given) == 1 else nodes.One(given)


def make_enum(values: Iterable[object]) -> nodes.Enum:
    """Return the enum of *values* (JSON values and keywords), without duplicates."""
    return nodes.Enum(tuple(dict.fromkeys(to_const(value) for value in values)))


def map_of(key: nodes.Type, value: nodes.Type) -> nodes.Type:
    """Return the map of *key* to *value*; a map of text to anything is the scalar `map`."""
    return nodes.MAP if key == nodes.STRING and value == nodes.ANY else nodes.MapOf(key, value)


def record(
    fields: Iterable[nodes.Field],
    extra: nodes.Type | None = nodes.ANY,
    matching: Iterable[nodes.PatternField] = (),
) -> nodes.Record:
    """Return the record of *fields*: open by default, closed if *extra* is None."""
    return nodes.Record(tuple(fields), extra, tuple(matching))


def make_not(inner: nodes.Type) -> nodes.Type:
    """Return the negation of *inner*: `make_not(negated(t))` is *t*."""
    return inner.inner if isinstance(inner, nodes.Not) else nodes.Not(inner)


def make_counted(item: nodes.Type, at_least: int, at_most: int | None = None) -> nodes.Type:
    """Return the lists with *at_least* to *at_most* items of *item*; None is no limit.

    Lists without such an item, with one or more, and of any items, have forms of other shapes.
    Raises `TypesigError` if *at_least* is negative or above *at_most*.

    >>> make_counted(nodes.STRING, 0, 0) == nodes.List(make_not(nodes.STRING))
    True
    """
    made = nodes.ItemCount(item, at_least, at_most)
    if at_most is None and at_least == 0:
        return nodes.List(nodes.ANY)
    if at_most is None and at_least == 1:
        return make_both([nodes.List(nodes.ANY), make_not(nodes.List(make_not(item)))])
    if at_most == 0:
        return nodes.List(make_not(item))
    if item == nodes.ANY:
        bounds = [Constraint("at_least", at_least)] if at_least else []
        bounds += [] if at_most is None else [Constraint("at_most", at_most)]
        return make_refined(nodes.List(nodes.ANY), bounds)
    return made


class InapplicableConstraint(TypesigError):
    """A constraint that applies to none of the kinds of values that its type has."""

    def __init__(self, constraint: Constraint, kinds: frozenset[Kind]) -> None:
        self.constraint = constraint
        listed = " or ".join(sorted(kinds)) or "a type without values"
        super().__init__(f"{constraint.row.word} does not apply to {listed}")


def make_refined(inner: nodes.Type, constraints: Iterable[Constraint]) -> nodes.Type:
    """Return *inner* with *constraints*, in canonical order, the tightest bounds kept.

    Raises `InapplicableConstraint` if a constraint applies to no kind of value of *inner*.
    """
    given = tuple(constraints)
    if isinstance(inner, nodes.Refinement):
        given = inner.constraints + given
        inner = inner.inner
    if not given:
        return inner
    kinds = find_kinds(inner)
    for constraint in given:
        if kinds is not None and not kinds & constraint.row.kinds:
            raise InapplicableConstraint(constraint, kinds)
    return nodes.Refinement(inner, sort_constraints(given))


def split_constraints(t: nodes.Type) -> tuple[nodes.Type, tuple[Constraint, ...]]:
    """Split *t* into its type without constraints, and the constraints."""
    return (t.inner, t.constraints) if isinstance(t, nodes.Refinement) else (t, ())


def make_fixed_list(types: Sequence[nodes.Type]) -> nodes.Type:
    """Return the type of the lists with one item of each of *types*, in that order."""
    if len(types) > 1:
        return nodes.Tuple(tuple(types))
    # Tuples have two positions or more: this is a list of that length.
    size = [Constraint("at_least", len(types)), Constraint("at_most", len(types))]
    return make_refined(nodes.List(types[0] if types else nodes.ANY), size)


def make_noted(inner: nodes.Type, text: str | None = None, title: str | None = None) -> nodes.Type:
    """Return *inner* with a description and a title; an empty text counts as None."""
    text, title = text or None, title or None
    if text is None and title is None:
        return inner
    if isinstance(inner, nodes.Annotation):
        # Two notes merge if neither overwrites the other; else one stays around the other.
        if inner.title is None and (inner.text is None or text is None):
            return nodes.Annotation(inner.inner, inner.text or text, title)
        if inner.text is None and title is None:
            return nodes.Annotation(inner.inner, text, inner.title)
    return nodes.Annotation(inner, text, title)


def get_description(t: nodes.Type) -> str | None:
    """Return the outermost description of *t*, or None."""
    while isinstance(t, nodes.Annotation) and t.text is None:
        t = t.inner
    return t.text if isinstance(t, nodes.Annotation) else None


def get_title(t: nodes.Type) -> str | None:
    """Return the outermost title of *t*, or None."""
    while isinstance(t, nodes.Annotation) and t.title is None:
        t = t.inner
    return t.title if isinstance(t, nodes.Annotation) else None


def find_kinds(t: nodes.Type) -> frozenset[Kind] | None:
    """Return the kinds that values of *t* can have, or None if any kind or unknown."""
    match t:
        case nodes.Scalar(name):
            return SCALARS[name].kinds or None
        case nodes.List() | nodes.Tuple() | nodes.ItemCount():
            return frozenset({"list"})
        case nodes.Set():
            return frozenset({"set"})
        case nodes.MapOf() | nodes.Record():
            return frozenset({"map"})
        case nodes.Maybe(inner):
            return _unite_kinds((inner, nodes.NIL))
        case nodes.Enum(values):
            return frozenset(value.kind for value in values)
        case nodes.Union(members) | nodes.One(members):
            return _unite_kinds(members)
        case nodes.Both(members):
            found: frozenset[Kind] | None = None
            for member in members:
                kinds = find_kinds(member)
                if kinds is not None:
                    found = kinds if found is None else found & kinds
            return found
        case nodes.Refinement(inner) | nodes.Annotation(inner):
            return find_kinds(inner)
        case nodes.Not() | nodes.Ref():
            return None
        case _:
            assert_never(t)


def _unite_kinds(members: Iterable[nodes.Type]) -> frozenset[Kind] | None:
    """Unite the value kinds of types *members*; None if the kinds of a type are unknown."""
    found: set[Kind] = set()
    for member in members:
        kinds = find_kinds(member)
        if kinds is None:
            return None
        found |= kinds
    return frozenset(found)


def make_field(
    name: str,
    type: nodes.Type,
    *,
    required: bool = True,
    default: Any = ...,
    exact: bool = False,
    text: str | None = None,
) -> nodes.Field:
    """Return a field; *default* is a JSON value, `...` for no default; *text* is a description."""
    fixed = None if default is ... else to_const(default)
    return nodes.Field(name, make_noted(type, text), required, fixed, exact)


# --- The key types of typed maps: a keyword key may also be its text ---
# JSON has no keywords, so in a key a text stands for one.  `get_map_key_type` says so as a type,
# which the check, proofs and samples share.


def get_map_key_type(key: nodes.Type, named: Callable[[str], nodes.Type]) -> nodes.Type:
    """Return the type of the keys that a map with the key type *key* accepts.

    *named* returns the same for the type of a name.
    """

    def convert(t: nodes.Type) -> nodes.Type:
        match t:
            case nodes.Scalar():
                return _make_keyword_type() if t == nodes.KEYWORD else t
            case nodes.Container():
                return t
            case nodes.Maybe(inner):
                return make_maybe(convert(inner))
            case nodes.Enum(values):
                return make_enum(
                    [*values, *[text for value in values for text in _get_keyword_texts(value)]]
                )
            case nodes.Union(members):
                return make_union(map(convert, members))
            case nodes.One(members):
                return make_one(map(convert, members))
            case nodes.Both(members):
                return make_both(map(convert, members))
            case nodes.Not(inner):
                return make_not(convert(inner))
            case nodes.Refinement(inner, constraints):
                # All constraints of texts are constraints of keywords too.
                return nodes.Refinement(convert(inner), constraints)
            case nodes.Annotation(inner):
                return convert(inner)
            case nodes.Ref(name):
                return named(name)
            case _:
                assert_never(t)

    return convert(key)


def _make_keyword_type() -> nodes.Type:
    """Build the type of keywords and of strings that keywords can be written as."""
    return nodes.Union(
        (nodes.KEYWORD, nodes.Refinement(nodes.STRING, (Constraint("pattern", "^[^:]"),)))
    )


def _get_keyword_texts(value: Const) -> list[str]:
    """Return the text of the constant *value* if it is a keyword with a text form."""
    text = str.__str__(value.value) if value.kind == "keyword" else ""
    return [text] if text else []
