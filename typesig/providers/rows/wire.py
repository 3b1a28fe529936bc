"""Sent types with their codecs, the places of types, and tools before formatting."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from typesig.algebra.constructors import make_maybe, make_noted
from typesig.algebra.nodes import ANY, Annotation, Type
from typesig.providers.rows.codecs import NullableCodec, OptionalCodec

Path = tuple[str, ...]


class TypePlace(NamedTuple):
    """The location of a type within a signature, with its nesting level.

    #: path: the path from the signature; level: how many objects there are around it
    #: exact: whether other types judge the same values, so that nulls must not be left out
    #: inside: the names whose definitions are written around it
    #: is_open: whether undeclared keys of an open record mean something here
    """

    path: Path
    level: int = 0
    exact: bool = False
    inside: frozenset[str] = frozenset()
    is_open: bool = False

    def add_steps(self, *steps: str) -> TypePlace:
        """Return the location of a part of this type, at the path *steps* below."""
        # Made for each part of a type, and faster than `_replace`.
        return _new_place(TypePlace, ((*self.path, *steps), *self[1:]))


_new_place: Callable[[Any, tuple[Any, ...]], TypePlace] = tuple.__new__


class SentType(NamedTuple):
    """The type that is sent in place of another, with its codec.

    #: nullable: whether null may be sent as a value
    """

    type: Type
    codec: OptionalCodec = None
    nullable: bool = False

    def parts(self) -> tuple[Type, str | None, str | None]:
        """Split the type into the bare type, the description and the title."""
        return _split_annotations(self.type)

    def append_description(self, text: str | None, title: str | None = None) -> SentType:
        """Append *text* to the description of *t*; use *title* as the title if not None."""
        return (
            self._replace(type=append_description(self.type, text, title))
            if text or title
            else self
        )

    def insert_description(self, text: str | None, title: str | None = None) -> SentType:
        """Insert *text* at the beginning of the description."""
        inner, held, held_title = _split_annotations(self.type)
        made = append_description(make_noted(inner, text, title or held_title), held)
        return self._replace(type=made)

    def allow_null(self) -> SentType:
        """Allow null besides the values of the type."""
        inner, text, title = _split_annotations(self.type)
        made = inner if inner == ANY else make_maybe(inner)
        codec = self.codec
        if codec is not None and not isinstance(codec, NullableCodec):
            codec = NullableCodec(codec)
        return SentType(make_noted(made, text, title), codec, True)


def _split_annotations(t: Type) -> tuple[Type, str | None, str | None]:
    """Split *t* into the bare type, its texts joined, and its title."""
    texts: list[str] = []
    title: str | None = None
    while isinstance(t, Annotation):
        texts += [t.text] if t.text else []
        title = title or t.title
        t = t.inner
    return t, "\n".join(texts) or None, title


def append_description(t: Type, text: str | None, title: str | None = None) -> Type:
    """Return *t* with one note: its description, with *text* behind it, and its title."""
    inner, held, old_title = _split_annotations(t)
    joined = " ".join([part for part in (held, text) if part])
    return make_noted(inner, joined or None, title or old_title)


class SentTool(NamedTuple):
    """The parts of a tool definition in sent form, before a provider formats them.

    #: parameters: the schema of its arguments; results: that of its result, or None
    #: beside: what others have in their definition of it, by key
    """

    name: str
    title: str | None
    description: str | None
    parameters: dict[str, Any]
    results: dict[str, Any] | None = None
    annotations: Mapping[str, Any] = {}
    beside: Mapping[str, Any] = {}
