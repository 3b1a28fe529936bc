"""Losses: what a notation does not express, as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypeAlias

from typesig.algebra.rows.frozen import Frozen

#: What was done instead.  `omitted`: a part that does not affect which values conform was left out.
#: `renamed`: a name was changed.  `widened`: a type that more values conform to took its place;
#: `narrowed`: a type that fewer values conform to.  `rewritten`: values have another form, which is
#: undone when they are read.  `refused`: the whole was left out.
LossKind: TypeAlias = Literal["omitted", "renamed", "widened", "narrowed", "rewritten", "refused"]


class Loss(Frozen):
    """A part of a signature that a notation leaves out or writes differently.

    #: kind: what became of it; `rewritten` alone means the same, in another form
    #: path: the place in the type, such as ("returns", "items")
    #: what: what could not be expressed; why: the reason; became: what was written instead

    >>> str(Loss("widened", ("items",), "a pattern", "it has no end", "text"))
    'items: a pattern: it has no end; became text'
    """

    __slots__ = ("became", "kind", "path", "what", "why")
    __match_args__ = ("kind", "path", "what", "why", "became")
    kind: LossKind
    path: tuple[str, ...]
    what: str
    why: str
    became: str

    def __init__(
        self, kind: LossKind, path: tuple[str, ...], what: str, why: str, became: str = "nothing"
    ) -> None:
        self._fill(kind, path, what, why, became)

    def below(self, *path: str) -> Loss:
        """Return the loss with the steps *path* put before its own path."""
        return Loss(self.kind, (*path, *self.path), self.what, self.why, self.became)

    def to_json(self) -> dict[str, Any]:
        """Return the loss as JSON data."""
        about = {"kind": self.kind, "path": [*self.path], "what": self.what}
        return {**about, "why": self.why, "became": self.became}

    def __str__(self) -> str:
        """Return the loss on one line."""
        place = ".".join(self.path)
        return f"{place + ': ' if place else ''}{self.what}: {self.why}; became {self.became}"

    def __rich_repr__(self) -> Iterator[Any]:
        from typesig.markup import cut

        yield self.kind
        yield "path", cut(".".join(self.path)), ""
        for name in ("what", "why", "became"):
            yield name, cut(getattr(self, name))

    def _repr_html_(self) -> str:
        """Write the loss as HTML for notebooks: its kind in bold and its text as code."""
        from typesig.markup import cut, make_element

        return f"<div>{make_element('b', self.kind)} {make_element('code', cut(str(self)))}</div>"


#: Losses in the order in which they were met.
Losses: TypeAlias = tuple[Loss, ...]


def select_changing(losses: Iterable[Loss]) -> list[Loss]:
    """Return the *losses* that change the signature: all but the kind `omitted`."""
    return [loss for loss in losses if loss.kind != "omitted"]
