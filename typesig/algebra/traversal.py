"""Walking types, written once: children, rebuild, fold, substitute, references.

An operation that treats all shapes alike is built on these and needs no `match` of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar, assert_never

from typesig.algebra.constructors import both, map_of, maybe, negated, noted, one, refined, union
from typesig.algebra.frozen import NAMES, NOTES
from typesig.algebra.nodes import (
    NIL,
    Both,
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
from typesig.algebra.scalars import SCALARS

R = TypeVar("R")


def children(t: Type) -> tuple[Type, ...]:
    """Return the types directly within *t*, in the order in which they are written."""
    match t:
        case Scalar() | Enum() | Ref():
            return ()
        case List(item) | Set(item):
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
    """Return *t* with *parts* in the places of its children; the same *t* where none changed."""
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
        case Refined(_, constraints):
            return refined(parts[0], constraints)
        case Noted(_, text, title):
            return noted(parts[0], text, title)
        case _:
            assert_never(t)


def fold(t: Type, step: Callable[[Type, tuple[R, ...]], R]) -> R:
    """Return what *step* makes of *t* and of what it made of its children, from the leaves up."""
    return step(t, tuple([fold(child, step) for child in children(t)]))


def transform(t: Type, step: Callable[[Type], Type]) -> Type:
    """Return *t* with *step* applied to every part, from the leaves up."""
    return step(rebuild(t, [transform(child, step) for child in children(t)]))


def walk(t: Type) -> Iterator[Type]:
    """Yield *t* and everything within it, outside first; references are not followed."""
    pending = [t]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(children(current)))


def without_notes(t: Type) -> Type:
    """Return *t* without descriptions and titles; what they alone told apart becomes one."""
    while isinstance(t, Noted):
        t = t.inner
    if not t.flags & NOTES:
        return t
    return transform(t, lambda part: part.inner if isinstance(part, Noted) else part)


def references(t: Type) -> frozenset[str]:
    """Return the names that *t* refers to."""
    if not t.flags & NAMES:
        return _NONE
    return frozenset([part.name for part in walk(t) if isinstance(part, Ref)])


_NONE: frozenset[str] = frozenset()


def substitute(t: Type, names: Mapping[str, Type]) -> Type:
    """Return *t* with each reference in *names* replaced by what it names there."""

    def step(part: Type) -> Type:
        return names.get(part.name, part) if isinstance(part, Ref) else part

    return transform(t, step) if t.flags & NAMES else t


def level(t: Type, definitions: Mapping[str, Type], negations: bool = False) -> Iterator[Type]:
    """Yield the shapes that see the very value *t* sees: itself, union members, what a name means.

    Lists, maps and records are yielded but not entered, for they look at other values; nor is what
    a value must not be, which says nothing of its parts, unless *negations* are asked for.
    """
    pending, seen = [t], set[str]()
    while pending:
        current = pending.pop()
        match current:
            case Ref(name):
                if name not in seen and name in definitions:
                    seen.add(name)
                    pending.append(definitions[name])
            case Maybe() | Union() | One() | Both() | Refined() | Noted():
                pending.extend(reversed(children(current)))
            case Not(inner) if negations:
                pending.append(inner)
        yield current


def admits_nil(
    t: Type, definitions: Mapping[str, Type], known: dict[str, bool] | None = None
) -> bool:
    """Tell whether nil is a value of *t*; *known* keeps what names came to."""
    known = {} if known is None else known
    match t:
        case Scalar(name):
            kinds = SCALARS[name].kinds
            return not kinds or "nil" in kinds
        case List() | Set() | Tuple() | MapOf() | Record():
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
        case Refined(inner) | Noted(inner):
            # No constraint speaks of nil.
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
