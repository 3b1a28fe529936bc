"""Walking types, written once: children, rebuild, fold, substitute, references.

An operation that treats all shapes alike uses these functions and needs no `match` of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar, assert_never

from typesig.algebra.constructors import (
    both,
    counted,
    map_of,
    maybe,
    negated,
    noted,
    one,
    refined,
    union,
)
from typesig.algebra.nodes import (
    NIL,
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
from typesig.algebra.rows.frozen import NAMES, NOTES
from typesig.algebra.rows.scalars import SCALARS

R = TypeVar("R")


def children(t: Type) -> tuple[Type, ...]:
    """Return the types directly within *t*, in the order in which they are written."""
    match t:
        case Scalar() | Enum() | Ref():
            return ()
        case List(item) | Set(item) | Counted(item):
            return (item,)
        case Tuple(items, rest):
            return items if rest is None else (*items, rest)
        case MapOf(key, value):
            return (key, value)
        case Record(fields, extra, matching):
            types = [field.type for field in fields] + [m.type for m in matching]
            return tuple(types if extra is None else [*types, extra])
        case Maybe(inner) | Not(inner) | Refined(inner) | Noted(inner):
            return (inner,)
        case Union(members) | One(members) | Both(members):
            return members
        case _:
            assert_never(t)


def rebuild(t: Type, parts: Sequence[Type]) -> Type:
    """Return *t* with *parts* as its children, or *t* itself if no child changed."""
    old = children(t)
    if not old:
        return t
    if len(old) == len(parts) and all(a is b for a, b in zip(old, parts, strict=True)):
        return t
    match t:
        case Scalar() | Enum() | Ref():
            return t  # pragma: no cover - without children, and so returned above
        case List():
            return List(parts[0])
        case Set():
            return Set(parts[0])
        case Tuple(items, rest):
            count = len(items)
            return Tuple(tuple(parts[:count]), None if rest is None else parts[count])
        case MapOf():
            return map_of(parts[0], parts[1])
        case Record(fields, extra, matching):
            count = len(fields)
            new = tuple([f.with_type(p) for f, p in zip(fields, parts, strict=False)])
            found = zip(matching, parts[count:], strict=False)
            also = tuple([Matching(m.pattern, p) for m, p in found])
            return Record(new, None if extra is None else parts[-1], also)
        case Maybe():
            return maybe(parts[0])
        case Union():
            return union(parts)
        case One():
            return one(parts)
        case Both():
            return both(parts)
        case Not():
            return negated(parts[0])
        case Counted(_, at_least, at_most):
            return counted(parts[0], at_least, at_most)
        case Refined(_, constraints):
            return refined(parts[0], constraints)
        case Noted(_, text, title):
            return noted(parts[0], text, title)
        case _:
            assert_never(t)


def fold(t: Type, step: Callable[[Type, tuple[R, ...]], R]) -> R:
    """Return `step(t, results)`, where *results* are those of its children, from the leaves up."""
    return step(t, tuple([fold(child, step) for child in children(t)]))


def transform(t: Type, step: Callable[[Type], Type]) -> Type:
    """Return *t* with *step* applied to each part, from the leaves up."""
    return step(rebuild(t, [transform(child, step) for child in children(t)]))


def walk(t: Type) -> Iterator[Type]:
    """Yield *t* and each part of it, the outer before the inner; references are not followed."""
    pending = [t]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(children(current)))


def distinct_parts(wholes: Iterable[Type]) -> Iterator[Type]:
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


def without_notes(t: Type) -> Type:
    """Return *t* without descriptions and titles; members that differ only in them are merged."""
    while isinstance(t, Noted):
        t = t.inner
    if not t.flags & NOTES:
        return t
    return transform(t, lambda part: part.inner if isinstance(part, Noted) else part)


def without_repeated_notes(t: Type) -> Type:
    """Return *t* without descriptions of what the same description around it describes already."""
    if not t.flags & NOTES:
        return t
    if isinstance(t, Noted) and t.text is not None:
        t = noted(_without_note(t.inner, t.text), t.text, t.title)
    return rebuild(t, [without_repeated_notes(child) for child in children(t)])


def _without_note(t: Type, text: str) -> Type:
    if isinstance(t, Noted) and t.text == text and t.title is None:
        return _without_note(t.inner, text)
    if isinstance(t, Maybe | Union):
        return rebuild(t, [_without_note(child, text) for child in children(t)])
    return t


def references(t: Type) -> frozenset[str]:
    """Return the names that *t* refers to."""
    if not t.flags & NAMES:
        return _NONE
    return frozenset([part.name for part in walk(t) if isinstance(part, Ref)])


_NONE: frozenset[str] = frozenset()


def leading_to(found: Iterable[str], names: Mapping[str, Type]) -> frozenset[str]:
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


def substitute(t: Type, names: Mapping[str, Type]) -> Type:
    """Return *t* with each reference to one of *names* replaced by its type."""

    def step(part: Type) -> Type:
        return names.get(part.name, part) if isinstance(part, Ref) else part

    return transform(t, step) if t.flags & NAMES else t


def level(t: Type, definitions: Mapping[str, Type], negations: bool = False) -> Iterator[Type]:
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
            case Ref(name):
                if name in definitions:
                    pending.append(definitions[name])
            case Maybe() | Union() | One() | Both() | Refined() | Noted():
                pending.extend(reversed(children(current)))
            case Not(inner):
                pending.extend([inner] if negations else [])
            case Scalar() | List() | Set() | Tuple() | MapOf() | Record() | Enum() | Counted():
                pass
            case _:
                assert_never(current)
        yield current


def admits_nil(
    t: Type, definitions: Mapping[str, Type], known: dict[str, bool] | None = None
) -> bool:
    """Tell whether nil is a value of *t*; *known* keeps the answer of each name."""
    known = {} if known is None else known
    match t:
        case Scalar(name):
            row = SCALARS[name]
            return (not row.kinds or "nil" in row.kinds) and (row.fits is None or row.fits(None))
        case List() | Set() | Tuple() | MapOf() | Record() | Counted():
            return False
        case Maybe():
            return True
        case Enum(values):
            return any(value.kind == "nil" for value in values)
        case Union(members):
            return any(admits_nil(member, definitions, known) for member in members)
        case One(members):
            return sum(admits_nil(member, definitions, known) for member in members) == 1
        case Both(members):
            return all(admits_nil(member, definitions, known) for member in members)
        case Not(inner):
            return not admits_nil(inner, definitions, known)
        case Refined(inner, constraints):
            return admits_nil(inner, definitions, known) and all(
                constraint.test()(None)
                for constraint in constraints
                if "nil" in constraint.row.kinds
            )
        case Noted(inner):
            return admits_nil(inner, definitions, known)
        case Ref(name):
            if name not in known:
                known[name] = admits_nil(definitions.get(name, NIL), definitions, known)
            return known[name]
        case _:
            assert_never(t)


def with_types(fields: Sequence[Field], step: Callable[[Type], Type]) -> tuple[Field, ...]:
    """Return *fields* with *step* applied to the type of each."""
    return tuple([field.with_type(step(field.type)) for field in fields])
