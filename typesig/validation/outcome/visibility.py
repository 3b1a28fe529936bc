"""Which parts of what a model sent may be shown to it again: no firewalled parts, no secrets.

The parts of a value are followed together with the shapes that judge them, so that a value is known
as a secret also where it is of a wrong kind.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any, NamedTuple, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.names import folded
from typesig.algebra.rows.values import kind_of
from typesig.algebra.traversal import item_types, level
from typesig.validation.rows.secrets import (
    Firewalled,
    any_secret,
    names_one,
    unhidden_form,
)
from typesig.validation.rows.subject import Subject

#: What stands for the value of a secret.
SECRET = '"<Secret>"'

#: What stands for what is left out.
CUT = "…"

#: The shapes that judge a value; empty if its type is not known.
Shapes = tuple[nodes.Type, ...]


class Entry(NamedTuple):
    """What the shapes of a map say about one key.

    #: firewalled: whether a model is not shown the entry
    #: secret: whether the value is a secret, or may be one
    #: shapes: those of the value; fields: the fields that the key stands for
    """

    firewalled: bool
    secret: bool
    shapes: Shapes
    fields: tuple[nodes.Field, ...]


class Visibility:
    """Tells which parts of a value may be shown; keeps what it found out about each key."""

    def __init__(self, subject: Subject | None, wrong: Container[int] = ()) -> None:
        self.names: Mapping[str, nodes.Type] = {}
        self.whole: Shapes = ()
        self._secrets: frozenset[str] = frozenset()
        self._firewalled: Firewalled | None = None
        self._wrong = wrong
        self._is_unchecked = False
        if subject is not None:
            self.names = {d.name: d.type for d in subject.definitions}
            self.whole = self._level([subject.type])
            self._is_unchecked = subject.policy.on_issue != "fail"
            if subject.may_hide:
                named = frozenset(folded(name) for name in subject.secrets)
                self._secrets = named if any_secret(self.whole, self.names, named) else frozenset()
                self._firewalled = Firewalled(self.names, [subject.type])
        self._forms = frozenset(unhidden_form(name) for name in self._secrets)
        self._entries: dict[tuple[Shapes, str], Entry] = {}
        self._items: dict[tuple[Shapes, int], Shapes] = {}
        self._with_secrets: dict[Shapes, bool] = {}

    def _level(self, types: Iterable[nodes.Type]) -> Shapes:
        found = [shape for t in types for shape in level(t, self.names)]
        return tuple(dict.fromkeys(found))

    def entry(self, shapes: Shapes, key: str) -> Entry:
        """Return what *shapes* say about the entry of *key* in a map."""
        known = self._entries.get((shapes, key))
        if known is None:
            known = self._entries[shapes, key] = self._entry(shapes, key)
        return known

    def _entry(self, shapes: Shapes, key: str) -> Entry:
        fields: list[nodes.Field] = []
        below: list[nodes.Type] = []
        is_data = False
        for shape in shapes:
            match shape:
                case nodes.Record(declared, extra, matching):
                    found = [f for f in declared if f.name == key or f.key == folded(key)]
                    fields += found
                    below += [f.type for f in found]
                    below += [m.type for m in matching if m.test()(key)]
                    below += [] if found or extra is None else [extra]
                case nodes.MapOf(_, value):
                    below.append(value)
                    is_data = True
                case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():
                    pass  # the level has the types within, too
                case _:
                    assert_never(shape)
        form = unhidden_form(key)
        is_private = folded(key).startswith("_")
        is_named = self._firewalled is not None and form in self._firewalled.forms
        # The keys of a map may be any; elsewhere one like a firewalled name may stand for it.
        is_data = is_data or nodes.ANY in shapes
        looks_firewalled = is_private and is_named if is_data else is_private or is_named
        firewalled = any(f.firewalled for f in fields) if fields else looks_firewalled
        # What a model sends under a wrong key may well be a secret that belongs elsewhere.
        is_record = any(isinstance(shape, nodes.Record) for shape in shapes)
        misplaced = not fields and is_record and bool(self._secrets)
        secret = misplaced or form in self._forms
        return Entry(firewalled, secret, self._level(below), tuple(fields))

    def item(self, shapes: Shapes, index: int) -> Shapes:
        """Return the shapes of the item at *index* of a list."""
        # Only a tuple tells its items apart; in a wrong one a hidden value may be at any place.
        tells = any(isinstance(shape, nodes.Tuple) for shape in shapes)
        tells = tells and not (self._may_hold_secrets(shapes) or self._may_be_firewalled(shapes))
        place = index if tells else 0
        known = self._items.get((shapes, place))
        if known is None:
            at = index if tells else None
            parts = [part for shape in shapes for part in item_types(shape, at)]
            known = self._items[shapes, place] = self._level(parts)
        return known

    def conceals(self, shapes: Shapes, value: Any) -> str:
        """Return what is shown instead of *value*, which may be hidden; empty if it is shown."""
        if self._secrets:
            return SECRET if self._may_be_secret(shapes, value) else ""
        is_wrong = self._is_unchecked or id(value) in self._wrong
        if self._firewalled is None:
            return ""
        if isinstance(value, str) and self._firewalled.is_told_of(str.__str__(value)):
            return CUT
        hides = is_wrong and self._may_be_firewalled(shapes) and not _enters(shapes, value)
        return CUT if hides else ""

    def _may_be_secret(self, shapes: Shapes, value: Any) -> bool:
        if "" in self._secrets or self._is_unchecked or id(value) in self._wrong:
            return True
        if isinstance(value, str) and names_one(str.__str__(value), self._forms):
            # A whole object may have been written into one of its texts.
            return True
        return not _enters(shapes, value) and self._may_hold_secrets(shapes)

    def _may_be_firewalled(self, shapes: Shapes) -> bool:
        return self._firewalled is not None and self._firewalled.stands_in(shapes)

    def _may_hold_secrets(self, shapes: Shapes) -> bool:
        known = self._with_secrets.get(shapes)
        if known is None:
            known = any_secret(shapes, self.names, self._secrets)
            self._with_secrets[shapes] = known
        return known

    @property
    def is_open(self) -> bool:
        """Whether text of unknown content may be shown: nothing in the type is hidden."""
        return not self._secrets and (self._firewalled is None or not self._firewalled.forms)


def _enters(shapes: Shapes, value: Any) -> bool:
    """Return whether the parts of *value* are judged by shapes of their own."""
    match kind_of(value):
        case "map":
            return any(isinstance(shape, nodes.Record | nodes.MapOf) for shape in shapes)
        case "list":
            return any(
                isinstance(shape, nodes.List | nodes.Set | nodes.Tuple | nodes.Counted)
                for shape in shapes
            )
        case _:
            return False
