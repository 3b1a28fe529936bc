"""Walking types, written once: children, rebuild, fold, substitute, references.

An operation that treats all shapes alike uses these functions and needs no `match` of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar, assert_never

from typesig.algebra import constructors, nodes
from typesig.algebra.rows.frozen import NAMES, NOTES
from typesig.algebra.rows.identity_cache import cache_by_identity
from typesig.algebra.rows.scalars import SCALARS

R = TypeVar("R")


def children(t: nodes.Type) -> tuple[nodes.Type, ...]:
    """Return the types directly within *t*, in the order in which they are written."""
    match t:
        case nodes.Leaf() | nodes.Ref():
            return ()
        case nodes.List(item) | nodes.Set(item) | nodes.Counted(item):
            return (item,)
        case nodes.Tuple(items, rest):
            return items if rest is None else (*items, rest)
        case nodes.MapOf(key, value):
            return (key, value)
        case nodes.Record(fields, extra, matching):
            types = [field.type for field in fields] + [m.type for m in matching]
            return tuple(types if extra is None else [*types, extra])
        case nodes.Maybe(inner) | nodes.Not(inner) | nodes.Refined(inner) | nodes.Noted(inner):
            return (inner,)
        case nodes.Joined():
            return t.members
        case _:
            assert_never(t)


def placed(t: nodes.Type, at: tuple[str, ...]) -> list[tuple[nodes.Type, tuple[str, ...]]]:
    """Return the children of *t*, which stands at *at*, each with its own place, for losses."""
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
        case nodes.Joined(members):
            steps = [*map(str, range(len(members)))]
        case nodes.Not():
            steps = ["not"]
        case nodes.Counted():
            steps = ["contains"]
        case nodes.Leaf() | nodes.Through():
            return [(child, at) for child in children(t)]
        case _:
            assert_never(t)
    return [(child, (*at, step)) for child, step in zip(children(t), steps, strict=True)]


def item_types(t: nodes.Type, index: int | None = None) -> tuple[nodes.Type, ...]:
    """Return the types of the item at *index* of a list or set of *t*, or of all its items."""
    match t:
        case nodes.List(item) | nodes.Set(item) | nodes.Counted(item):
            return (item,)
        case nodes.Tuple(items, rest):
            behind = () if rest is None else (rest,)
            return (*items, *behind) if index is None else items[index : index + 1] or behind
        case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():
            return ()
        case _:
            assert_never(t)


def other_types(t: nodes.Type) -> tuple[nodes.Type, ...]:
    """Return the types of the values of a map of *t* whose keys it does not declare by name."""
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
    old = children(t)
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
            also = tuple([nodes.Matching(m.pattern, p) for m, p in found])
            return nodes.Record(new, None if extra is None else parts[-1], also)
        case nodes.Maybe():
            return constructors.maybe(parts[0])
        case nodes.Union():
            return constructors.union(parts)
        case nodes.One():
            return constructors.one(parts)
        case nodes.Both():
            return constructors.both(parts)
        case nodes.Not():
            return constructors.negated(parts[0])
        case nodes.Counted(_, at_least, at_most):
            return constructors.counted(parts[0], at_least, at_most)
        case nodes.Refined(_, constraints):
            return constructors.refined(parts[0], constraints)
        case nodes.Noted(_, text, title):
            return constructors.noted(parts[0], text, title)
        case _:
            assert_never(t)


def fold(t: nodes.Type, step: Callable[[nodes.Type, tuple[R, ...]], R]) -> R:
    """Return `step(t, results)`, where *results* are those of its children, from the leaves up."""
    return step(t, tuple([fold(child, step) for child in children(t)]))


def transform(t: nodes.Type, step: Callable[[nodes.Type], nodes.Type]) -> nodes.Type:
    """Return *t* with *step* applied to each part, from the leaves up."""
    return step(rebuild(t, [transform(child, step) for child in children(t)]))


def walk(t: nodes.Type) -> Iterator[nodes.Type]:
    """Yield *t* and each part of it, the outer before the inner; references are not followed."""
    pending = [t]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(children(current)))


def distinct_parts(wholes: Iterable[nodes.Type]) -> Iterator[nodes.Type]:
    """Yield *wholes* and each part of them once, also one that many parts share.

    Types that share their parts take little memory, but exponential time to `walk`.
    """
    pending, seen = list(wholes), set[int]()
    while pending:
        current = pending.pop()
        if id(current) not in seen:
            seen.add(id(current))
            yield current
            pending.extend(reversed(children(current)))


def without_notes(t: nodes.Type) -> nodes.Type:
    """Return *t* without descriptions and titles; members that differ only in them are merged."""
    while isinstance(t, nodes.Noted):
        t = t.inner
    if not t.flags & NOTES:
        return t
    return transform(t, lambda part: part.inner if isinstance(part, nodes.Noted) else part)


def without_repeated_notes(t: nodes.Type) -> nodes.Type:
    """Return *t* without descriptions of what the same description around it describes already."""
    if not t.flags & NOTES:
        return t
    if isinstance(t, nodes.Noted):
        if not t.inner.flags & NOTES:
            return t
        inner = t.inner if t.text is None else _without_note(t.inner, t.text)
        if inner is not t.inner:
            t = constructors.noted(inner, t.text, t.title)
    return rebuild(t, [without_repeated_notes(child) for child in children(t)])


def _without_note(t: nodes.Type, text: str) -> nodes.Type:
    if isinstance(t, nodes.Noted) and t.text == text and t.title is None:
        return _without_note(t.inner, text)
    if isinstance(t, nodes.Maybe | nodes.Union):
        return rebuild(t, [_without_note(child, text) for child in children(t)])
    return t


def references(t: nodes.Type) -> frozenset[str]:
    """Return the names that *t* refers to."""
    return _references(t) if t.flags & NAMES else _NONE


@cache_by_identity
def _references(t: nodes.Type) -> frozenset[str]:
    """Return the same; signatures of one document share the types that they refer to."""
    return frozenset([part.name for part in walk(t) if isinstance(part, nodes.Ref)])


_NONE: frozenset[str] = frozenset()


def leading_to(found: Iterable[str], names: Mapping[str, nodes.Type]) -> frozenset[str]:
    """Return *found*, and the names of *names* that refer to them, directly or by other names."""
    users: dict[str, list[str]] = {}
    for name, t in names.items():
        for used in references(t):
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


def level(
    t: nodes.Type, definitions: Mapping[str, nodes.Type], negations: bool = False
) -> Iterator[nodes.Type]:
    """Yield the shapes that judge the same value as *t*: itself, its members, what it refers to.

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
            case nodes.Around() | nodes.Joined():
                pending.extend(reversed(children(current)))
            case nodes.Not(inner):
                pending.extend([inner] if negations else [])
            case nodes.Leaf() | nodes.Container():
                pass
            case _:
                assert_never(current)
        yield current


def admits_nil(
    t: nodes.Type, definitions: Mapping[str, nodes.Type], known: dict[str, bool] | None = None
) -> bool:
    """Tell whether nil is a value of *t*; *known* keeps the answer of each name."""
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
            return any(admits_nil(member, definitions, known) for member in members)
        case nodes.One(members):
            return sum(admits_nil(member, definitions, known) for member in members) == 1
        case nodes.Both(members):
            return all(admits_nil(member, definitions, known) for member in members)
        case nodes.Not(inner):
            return not admits_nil(inner, definitions, known)
        case nodes.Refined(inner, constraints):
            return admits_nil(inner, definitions, known) and all(
                constraint.test()(None)
                for constraint in constraints
                if "nil" in constraint.row.kinds
            )
        case nodes.Noted(inner):
            return admits_nil(inner, definitions, known)
        case nodes.Ref(name):
            if name not in known:
                known[name] = admits_nil(definitions.get(name, nodes.NIL), definitions, known)
            return known[name]
        case _:
            assert_never(t)


def with_types(
    fields: Sequence[nodes.Field], step: Callable[[nodes.Type], nodes.Type]
) -> tuple[nodes.Field, ...]:
    """Return *fields* with *step* applied to the type of each."""
    return tuple([field.with_type(step(field.type)) for field in fields])
