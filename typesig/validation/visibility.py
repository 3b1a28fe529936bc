"""Which parts of what a model sent may be shown to it again: no firewalled parts, no secrets.

The parts of a value are followed together with the shapes that judge them, so that a value is known
as a secret also where it is of a wrong kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, assert_never

from typesig.algebra.names import folded
from typesig.algebra.nodes import (
    Both,
    Enum,
    Field,
    List,
    MapOf,
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
from typesig.algebra.traversal import level
from typesig.algebra.values import kind_of
from typesig.validation.secrets import has_secret, parts_at
from typesig.validation.subject import Subject

#: The shapes that judge a value; empty if its type is not known.
Shapes = tuple[Type, ...]


class Entry(NamedTuple):
    """What the shapes of a map say about one key.

    #: firewalled: whether a model is not shown the entry
    #: secret: whether the value is a secret, or may be one
    #: shapes: those of the value; fields: the fields that the key stands for
    """

    firewalled: bool
    secret: bool
    shapes: Shapes
    fields: tuple[Field, ...]


class Visibility:
    """Tells which parts of a value may be shown; keeps what it found out about each key."""

    def __init__(self, subject: Subject | None) -> None:
        self.names: Mapping[str, Type] = {}
        self.whole: Shapes = ()
        self._secrets: frozenset[str] = frozenset()
        if subject is not None:
            self.names = {d.name: d.type for d in subject.definitions}
            self.whole = self._level([subject.type])
            self._secrets = frozenset(folded(name) for name in subject.secrets)
        self._entries: dict[tuple[Shapes, str], Entry] = {}
        self._items: dict[tuple[Shapes, int], Shapes] = {}
        self._with_secrets: dict[Shapes, bool] = {}

    def _level(self, types: Iterable[Type]) -> Shapes:
        found = [shape for t in types for shape in level(t, self.names)]
        return tuple(dict.fromkeys(found))

    def entry(self, shapes: Shapes, key: str) -> Entry:
        """Return what *shapes* say about the entry of *key* in a map."""
        known = self._entries.get((shapes, key))
        if known is None:
            known = self._entries[shapes, key] = self._entry(shapes, key)
        return known

    def _entry(self, shapes: Shapes, key: str) -> Entry:
        fields: list[Field] = []
        below: list[Type] = []
        is_data = False
        for shape in shapes:
            match shape:
                case Record(declared, extra, matching):
                    found = [f for f in declared if f.name == key or f.key == folded(key)]
                    fields += found
                    below += [f.type for f in found]
                    below += [m.type for m in matching if m.test()(key)]
                    below += [] if found or extra is None else [extra]
                case MapOf(_, value):
                    below.append(value)
                    is_data = True
                case Scalar() | List() | Set() | Tuple() | Enum() | Not():
                    pass
                case Maybe() | Union() | One() | Both() | Refined() | Noted() | Ref():
                    pass  # the level has the types within, too
                case _:
                    assert_never(shape)
        looks_firewalled = folded(key).startswith("_") and not is_data
        firewalled = any(f.firewalled for f in fields) if fields else looks_firewalled
        # What a model sends under a wrong key may well be a secret that belongs elsewhere.
        is_record = any(isinstance(shape, Record) for shape in shapes)
        misplaced = not fields and is_record and self._may_hold_secrets(shapes)
        secret = misplaced or folded(key) in self._secrets
        return Entry(firewalled, secret, self._level(below), tuple(fields))

    def item(self, shapes: Shapes, index: int) -> Shapes:
        """Return the shapes of the item at *index* of a list."""
        # Only a tuple tells its items apart; in a wrong one a secret may be at any place.
        tells = any(isinstance(shape, Tuple) for shape in shapes)
        tells = tells and not self._may_hold_secrets(shapes)
        place = index if tells else 0
        known = self._items.get((shapes, place))
        if known is None:
            parts: list[Type] = []
            for shape in shapes:
                if isinstance(shape, Tuple) and tells:
                    at = shape.items[index : index + 1]
                    parts += at or ([] if shape.rest is None else [shape.rest])
                elif isinstance(shape, List | Set | Tuple):
                    parts += parts_at(shape, index)
            known = self._items[shapes, place] = self._level(parts)
        return known

    def conceals(self, shapes: Shapes, value: Any) -> bool:
        """Return whether *value* is not to be shown as a whole, since it may be a secret."""
        if "" in self._secrets or not self._secrets:
            return bool(self._secrets)
        kind = kind_of(value)
        if kind == "map" and any(isinstance(shape, Record | MapOf) for shape in shapes):
            return False
        if kind == "list" and any(isinstance(shape, List | Set | Tuple) for shape in shapes):
            return False
        return self._may_hold_secrets(shapes)

    def _may_hold_secrets(self, shapes: Shapes) -> bool:
        known = self._with_secrets.get(shapes)
        if known is None:
            known = has_secret(shapes, self.names, self._secrets)
            self._with_secrets[shapes] = known
        return known

    @property
    def is_open(self) -> bool:
        """Whether text of unknown content may be shown: nothing in the type is hidden."""
        return not self._secrets
