"""Advice: what some models or endpoints of a provider refuse, and others take.

A projection follows advice where that changes nothing for the model; the rest is told by `check`.
A profile has its advice; the functions that find what is against it are here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from typesig.algebra.nodes import Maybe, Noted, Record, Ref, Refined, Type, Union
from typesig.algebra.traversal import children, walk
from typesig.graphs import components
from typesig.validation.issues.excerpt import text

#: Returns what is against the advice in types that share definitions, in words, or None.
Finder = Callable[[Iterable[Type], Mapping[str, Type]], str | None]


class Advice(NamedTuple):
    """One piece of advice.

    #: find: finds what is against it; refused: who refuses it
    #: date: the month in which the page was read
    """

    find: Finder
    refused: str
    date: str
    page: str


def first_key(wholes: Iterable[Type], names: Mapping[str, Type]) -> str | None:
    """Find two objects of one union that begin with the same key."""
    for union in _unions(wholes):
        seen: set[str] = set()
        for member in union.members:
            opened = _opened(member, names)
            if isinstance(opened, Record) and opened.fields:
                first = opened.fields[0].name
                if first in seen:
                    return f"objects of one union begin with the same key {text(first)}"
                seen.add(first)
    return None


def any_union(wholes: Iterable[Type], names: Mapping[str, Type]) -> str | None:
    """Find a union."""
    found = next(_unions(wholes), None)
    return None if found is None else f"a union of {len(found.members)} types has no type itself"


def _unions(wholes: Iterable[Type]) -> Iterator[Union]:
    return (part for whole in wholes for part in walk(whole) if isinstance(part, Union))


def _opened(t: Type, names: Mapping[str, Type]) -> Type:
    """Return *t* without its name, its notes and constraints, and without null."""
    while isinstance(t, Ref | Noted | Refined | Maybe):
        t = names[t.name] if isinstance(t, Ref) else t.inner
    return t


def required_cycle(wholes: Iterable[Type], names: Mapping[str, Type]) -> str | None:
    """Find a type that contains itself in what is required."""
    for found, leads_back in components({name: sorted(_needed(t)) for name, t in names.items()}):
        if leads_back:
            return f"the type {text(min(found))} contains itself in what is required"
    return None


def _needed(t: Type) -> set[str]:
    """Return the names that *t* refers to, except for those in optional fields."""
    pending, found = [t], set[str]()
    while pending:
        part = pending.pop()
        if isinstance(part, Ref):
            found.add(part.name)
        elif isinstance(part, Record):
            pending += [field.type for field in part.fields if field.required]
            pending += [each.type for each in part.matching]
            pending += [] if part.extra is None else [part.extra]
        else:
            pending += children(part)
    return found
