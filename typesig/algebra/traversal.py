"""Traversal of types: children, rebuilding, folding, substitution, references.

An operation that treats all shapes alike uses these functions and needs no `match` of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar, assert_never

from typesig.algebra import constructors, nodes
from typesig.algebra.rows.frozen import NAMES, NOTES, cache_by_identity
from typesig.algebra.rows.scalars import SCALARS

R = TypeVar("R")


def get_children(t: nodes.Type) -> tuple[nodes.Type, ...]:
    """Return the types directly within *t*, in the order in which they are written."""
    match t:
        case nodes.Leaf() | nodes.Ref():
            return ()
        case nodes.List(item) | nodes.Set(item) | nodes.ItemCount(item):
            return (item,)
        case nodes.Tuple(items, rest):
            return items if rest is None else (*items, rest)
        case nodes.MapOf(key, value):
            return (key, value)
        case nodes.Record(fields, extra, matching):
            types = [field.type for field in fields] + [m.type for m in matching]
            return tuple(types if extra is None else [*types, extra])
        case (
            nodes.Maybe(inner)
            | nodes.Not(inner)
            | nodes.Refinement(inner)
            | nodes.Annotation(inner)
        ):
            return (inner,)
        case nodes.Combination():
            return t.members
        case _:
            assert_never(t)


def get_placed_children(
    t: nodes.Type, at: tuple[str, ...]
) -> list[tuple[nodes.Type, tuple[str, ...]]]:
    """Return the children of *t*, whose path is *at*, each with its own path."""
    match t:
        case nodes.List() | nodes.Set():
            steps = ["items"]
        case nodes.Tuple(items, rest):
            steps = [*map(str, range(len(items))), *([] if rest is None else ["items"])]
        case nodes.MapOf():
            steps = ["keys", "values"]
        case nodes.Record(fields, extra, matching):
            steps = [field.name for field in fields] + [f"/{m.pattern}/" for m in matching]
            steps += [] if extra is None else ["**"]
        case nodes.Combination(members):
            steps = [*map(str, range(len(members)))]
        case nodes.Not():
            steps = ["not"]
        case nodes.ItemCount():
            steps = ["contains"]
        case nodes.Leaf() | nodes.Through():
            return [(child, at) for child in get_children(t)]
        case _:
            assert_never(t)
    return [(child, (*at, step)) for child, step in zip(get_children(t), steps, strict=True)]


def get_item_types(t: nodes.Type, index: int | None = None) -> tuple[nodes.Type, ...]:
    """Return the types for item *index* of the lists and sets of *t*, or for all items."""
    match t:
        case nodes.List(item) | nodes.Set(item) | nodes.ItemCount(item):
            return (item,)
        case nodes.Tuple(items, rest):
            behind = () if rest is None else (rest,)
            return (*items, *behind) if index is None else items[index : index + 1] or behind
        case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():
            return ()
        case _:
            assert_never(t)


def get_other_types(t: nodes.Type) -> tuple[nodes.Type, ...]:
    """Return the types of the values of undeclared keys in the maps and records of *t*."""
    match t:
        case nodes.MapOf(_, value):
            return (value,)
        case nodes.Record(_, extra, matching):
            patterns = tuple([m.type for m in matching])
            return patterns if extra is None else (*patterns, extra)
        case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():
            return ()
        case _:
            assert_never(t)


def rebuild(t: nodes.Type, parts: Sequence[nodes.Type]) -> nodes.Type:
    """Return *t* with *parts* as its children, or *t* itself if no child changed."""
    old = get_children(t)
    if not old:
        return t
    if len(old) == len(parts) and all(a is b for a, b in zip(old, parts, strict=True)):
        return t
    match t:
        case nodes.Leaf() | nodes.Ref():
            return t  # pragma: no cover - without children, and so returned above
        case nodes.List():
            return nodes.List(parts[0])
        case nodes.Set():
            return nodes.Set(parts[0])
        case nodes.Tuple(items, rest):
            count = len(items)
            return nodes.Tuple(tuple(parts[:count]), None if rest is None else parts[count])
        case nodes.MapOf():
            return constructors.map_of(parts[0], parts[1])
        case nodes.Record(fields, extra, matching):
            count = len(fields)
            new = tuple([f.with_type(p) for f, p in zip(fields, parts, strict=False)])
            found = zip(matching, parts[count:], strict=False)
            also = tuple([nodes.PatternField(m.pattern, p) for m, p in found])
            return nodes.Record(new, None if extra is None else parts[-1], also)
        case nodes.Maybe():
            return constructors.make_maybe(parts[0])
        case nodes.Union():
            return constructors.make_union(parts)
        case nodes.One():
            return constructors.make_one(parts)
        case nodes.Both():
            return constructors.make_both(parts)
        case nodes.Not():
            return constructors.make_not(parts[0])
        case nodes.ItemCount(_, at_least, at_most):
            return constructors.make_counted(parts[0], at_least, at_most)
        case nodes.Refinement(_, constraints):
            return constructors.make_refined(parts[0], constraints)
        case nodes.Annotation(_, text, title):
            return constructors.make_noted(parts[0], text, title)
        case _:
            assert_never(t)


def fold(t: nodes.Type, step: Callable[[nodes.Type, tuple[R, ...]], R]) -> R:
    """Fold *t* from its leaves up: `step(t, results)` gets the results of the children."""
    return step(t, tuple([fold(child, step) for child in get_children(t)]))


def transform(t: nodes.Type, step: Callable[[nodes.Type], nodes.Type]) -> nodes.Type:
    """Apply *step* to each type in *t*, from the leaves up, and return the new type."""
    return step(rebuild(t, [transform(child, step) for child in get_children(t)]))


def iter_types(t: nodes.Type) -> Iterator[nodes.Type]:
    """Yield *t* and all types in it, outer before inner, without following references."""
    pending = [t]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(get_children(current)))


def get_declared_parts(t: nodes.Type) -> Sequence[nodes.Type]:
    """Return the parts of *t*, without the type of the undeclared keys of an open record."""
    if isinstance(t, nodes.Record) and t.extra == nodes.ANY:
        return [field.type for field in t.fields] + [each.type for each in t.matching]
    return get_children(t)


def iter_distinct_parts(
    wholes: Iterable[nodes.Type],
    get_parts: Callable[[nodes.Type], Sequence[nodes.Type]] = get_children,
) -> Iterator[nodes.Type]:
    """Yield the types *wholes* and all types in them, each shared type only once.

    Types that share their parts take little memory, but exponential time to `iter_types`.
    """
    pending, seen = list(wholes), set[int]()
    while pending:
        current = pending.pop()
        if id(current) not in seen:
            seen.add(id(current))
            yield current
            pending.extend(reversed(get_parts(current)))


def drop_annotations(t: nodes.Type) -> nodes.Type:
    """Return *t* without descriptions and titles; members that differ only in them are merged."""
    while isinstance(t, nodes.Annotation):
        t = t.inner
    if not t.flags & NOTES:
        return t
    return transform(t, lambda part: part.inner if isinstance(part, nodes.Annotation) else part)


def drop_repeated_annotations(t: nodes.Type) -> nodes.Type:
    """Drop descriptions that repeat the description of an enclosing type."""
    if not t.flags & NOTES:
        return t
    if isinstance(t, nodes.Annotation):
        if not t.inner.flags & NOTES:
            return t
        inner = t.inner if t.text is None else _drop_annotation(t.inner, t.text)
        if inner is not t.inner:
            t = constructors.make_noted(inner, t.text, t.title)
    return rebuild(t, [drop_repeated_annotations(child) for child in get_children(t)])


def _drop_annotation(t: nodes.Type, text: str) -> nodes.Type:
    """Remove the untitled description *text* from *t*, or from branches of its union."""
    if isinstance(t, nodes.Annotation) and t.text == text and t.title is None:
        return _drop_annotation(t.inner, text)
    if isinstance(t, nodes.Maybe | nodes.Union):
        return rebuild(t, [_drop_annotation(child, text) for child in get_children(t)])
    return t


def find_references(t: nodes.Type) -> frozenset[str]:
    """Return the names that *t* refers to."""
    return _references(t) if t.flags & NAMES else _NONE


@cache_by_identity
def _references(t: nodes.Type) -> frozenset[str]:
    """Return the names of the references in *t*, cached for types that signatures share."""
    return frozenset([part.name for part in iter_types(t) if isinstance(part, nodes.Ref)])


_NONE: frozenset[str] = frozenset()


def find_names_leading_to(found: Iterable[str], names: Mapping[str, nodes.Type]) -> frozenset[str]:
    """Return *found* and the names in *names* that refer to them, also indirectly."""
    users: dict[str, list[str]] = {}
    for name, t in names.items():
        for used in find_references(t):
            users.setdefault(used, []).append(name)
    pending = list(found)
    reached = set(pending)
    while pending:
        more = [user for user in users.get(pending.pop(), ()) if user not in reached]
        reached.update(more)
        pending += more
    return frozenset(reached)


def substitute(t: nodes.Type, names: Mapping[str, nodes.Type]) -> nodes.Type:
    """Return *t* with each reference to one of *names* replaced by its type."""

    def step(part: nodes.Type) -> nodes.Type:
        return names.get(part.name, part) if isinstance(part, nodes.Ref) else part

    return transform(t, step) if names and t.flags & NAMES else t


def iter_same_value_types(
    t: nodes.Type, definitions: Mapping[str, nodes.Type], negations: bool = False
) -> Iterator[nodes.Type]:
    """Yield *t*, its members and named types, all applied to the same value as *t*.

    Lists, maps and records are yielded but not entered, since their parts judge other values.
    Negated types are entered only with *negations*.  A part that several members share is yielded
    once: a type is small as a graph, and may be large as a tree.
    """
    pending, seen = [t], set[int]()
    while pending:
        current = pending.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        match current:
            case nodes.Ref(name):
                if name in definitions:
                    pending.append(definitions[name])
            case nodes.Wrapper() | nodes.Combination():
                pending.extend(reversed(get_children(current)))
            case nodes.Not(inner):
                pending.extend([inner] if negations else [])
            case nodes.Leaf() | nodes.Container():
                pass
            case _:
                assert_never(current)
        yield current


def strip_wrappers(t: nodes.Type, definitions: Mapping[str, nodes.Type]) -> nodes.Type:
    """Return *t* without references, annotations, constraints and nil around it."""
    while isinstance(t, nodes.Wrapper | nodes.Ref):
        t = t.inner if isinstance(t, nodes.Wrapper) else definitions[t.name]
    return t


def allows_nil(
    t: nodes.Type, definitions: Mapping[str, nodes.Type], known: dict[str, bool] | None = None
) -> bool:
    """Whether nil is a value of *t*; *known* caches the result for each named type."""
    known = {} if known is None else known
    match t:
        case nodes.Scalar(name):
            row = SCALARS[name]
            return (not row.kinds or "nil" in row.kinds) and (row.fits is None or row.fits(None))
        case nodes.Container():
            return False
        case nodes.Maybe():
            return True
        case nodes.Enum(values):
            return any(value.kind == "nil" for value in values)
        case nodes.Union(members):
            return any(allows_nil(member, definitions, known) for member in members)
        case nodes.One(members):
            return sum(allows_nil(member, definitions, known) for member in members) == 1
        case nodes.Both(members):
            return all(allows_nil(member, definitions, known) for member in members)
        case nodes.Not(inner):
            return not allows_nil(inner, definitions, known)
        case nodes.Refinement(inner, constraints):
            return allows_nil(inner, definitions, known) and all(
                constraint.test()(None)
                for constraint in constraints
                if "nil" in constraint.row.kinds
            )
        case nodes.Annotation(inner):
            return allows_nil(inner, definitions, known)
        case nodes.Ref(name):
            if name not in known:
                known[name] = allows_nil(definitions.get(name, nodes.NIL), definitions, known)
            return known[name]
        case _:
            assert_never(t)


def with_types(
    fields: Sequence[nodes.Field], step: Callable[[nodes.Type], nodes.Type]
) -> tuple[nodes.Field, ...]:
    """Return *fields* with *step* applied to the type of each field."""
    return tuple([field.with_type(step(field.type)) for field in fields])
