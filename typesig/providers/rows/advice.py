"""Advice: features that some models or endpoints of a provider refuse.

A projection follows advice where that changes nothing for the model; the rest is told by `check`.
A profile has its advice; the functions that find what is against it are here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from typesig.algebra.nodes import Annotation, Maybe, Record, Ref, Refinement, Type, Union
from typesig.algebra.traversal import get_children, iter_types
from typesig.graphs import iter_components
from typesig.validation.issues.excerpt import quote_text

#: Returns what is against the advice in types that share definitions, in words, or None.
Finder = Callable[[Iterable[Type], Mapping[str, Type]], str | None]


class Advice(NamedTuple):
    """A piece of advice on schemas: a finder of violations and the refusing party.

    #: find: finds what is against it; refused: who refuses it
    #: date: the month in which the page was read
    """

    find: Finder
    refused: str
    date: str
    page: str


def find_first_key_clash(wholes: Iterable[Type], names: Mapping[str, Type]) -> str | None:
    """Find objects of one union that begin with the same key; return a message or None."""
    for union in _iter_unions(wholes):
        seen: set[str] = set()
        for member in union.members:
            opened = _unwrap(member, names)
            if isinstance(opened, Record) and opened.fields:
                first = opened.fields[0].name
                if first in seen:
                    return f"objects of one union begin with the same key {quote_text(first)}"
                seen.add(first)
    return None


def find_union(wholes: Iterable[Type], names: Mapping[str, Type]) -> str | None:
    """Find a union in the types *wholes*; return a message or None."""
    found = next(_iter_unions(wholes), None)
    return None if found is None else f"a union of {len(found.members)} types has no type itself"


def _iter_unions(wholes: Iterable[Type]) -> Iterator[Union]:
    """All unions in the types *wholes*, nested unions included."""
    return (part for whole in wholes for part in iter_types(whole) if isinstance(part, Union))


def _unwrap(t: Type, names: Mapping[str, Type]) -> Type:
    """Unwrap references, annotations, constraints and nulls of *t*."""
    while isinstance(t, Ref | Annotation | Refinement | Maybe):
        t = names[t.name] if isinstance(t, Ref) else t.inner
    return t


def find_required_cycle(wholes: Iterable[Type], names: Mapping[str, Type]) -> str | None:
    """Find a type that contains itself in required fields; return a message or None."""
    for found, leads_back in iter_components(
        {name: sorted(_find_required_names(t)) for name, t in names.items()}
    ):
        if leads_back:
            return f"the type {quote_text(min(found))} contains itself in what is required"
    return None


def _find_required_names(t: Type) -> set[str]:
    """Find the names that *t* refers to, other than in optional fields."""
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
            pending += get_children(part)
    return found
