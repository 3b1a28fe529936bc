"""What is sent: a type with its codec, the place of a type, and a tool before it has its form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from typesig.algebra.constructors import maybe, noted
from typesig.algebra.nodes import ANY, Noted, Type
from typesig.providers.rows.codecs import Coding, Nullable

Path = tuple[str, ...]


class Place(NamedTuple):
    """Where a type stands.

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

    def below(self, *steps: str) -> Place:
        """Return the place of a part."""
        return self._replace(path=(*self.path, *steps))


class Wire(NamedTuple):
    """What is sent in place of a type.

    #: nullable: whether null may be sent as a value
    """

    type: Type
    codec: Coding = None
    nullable: bool = False

    def parts(self) -> tuple[Type, str | None, str | None]:
        """Return the type without its notes, their text and their title."""
        return _parts(self.type)

    def described(self, text: str | None, title: str | None = None) -> Wire:
        """Return the same with *text* at the end of its description."""
        return self._replace(type=described(self.type, text, title)) if text or title else self

    def introduced(self, text: str | None, title: str | None = None) -> Wire:
        """Return the same with *text* at the beginning of its description."""
        inner, held, held_title = _parts(self.type)
        made = described(noted(inner, text, title or held_title), held)
        return self._replace(type=made)

    def or_null(self) -> Wire:
        """Return the type of the same values and null."""
        inner, text, title = _parts(self.type)
        made = inner if inner == ANY else maybe(inner)
        codec = self.codec
        if codec is not None and not isinstance(codec, Nullable):
            codec = Nullable(codec)
        return Wire(noted(made, text, title), codec, True)


def _parts(t: Type) -> tuple[Type, str | None, str | None]:
    """Return *t* without its notes, and their texts as one."""
    texts: list[str] = []
    title: str | None = None
    while isinstance(t, Noted):
        texts += [t.text] if t.text else []
        title = title or t.title
        t = t.inner
    return t, "\n".join(texts) or None, title


def described(t: Type, text: str | None, title: str | None = None) -> Type:
    """Return *t* with one note: its description, with *text* behind it, and its title."""
    inner, held, old_title = _parts(t)
    joined = " ".join([part for part in (held, text) if part])
    return noted(inner, joined or None, title or old_title)


class WireTool(NamedTuple):
    """A tool as it is sent, before a provider gives it a form.

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
