"""How the fields of a record, or the parameters of a tool, changed."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from typesig.algebra import nodes
from typesig.algebra.rows.names import folded
from typesig.contracts.comparing.pairing import sole_pairs
from typesig.contracts.comparing.walk import Walk
from typesig.contracts.locks.places import Path, place_of


class Paired(NamedTuple):
    """The fields of two records: those of both, and those of one only.

    #: both: pairs of fields of one name; changed: pairs of fields that are told as one change,
    #:     with the name of the change
    """

    both: list[tuple[nodes.Field, nodes.Field]]
    changed: list[tuple[str, nodes.Field, nodes.Field]]
    gone: list[nodes.Field]
    come: list[nodes.Field]


def paired(a: Sequence[nodes.Field], b: Sequence[nodes.Field]) -> Paired:
    """Return which of the fields *a* became which of *b*."""
    olds, news = {f.name: f for f in a}, {f.name: f for f in b}
    both = [(f, news[f.name]) for f in a if f.name in news]
    gone = [f for f in a if f.name not in news]
    come = [f for f in b if f.name not in olds]
    changed: list[tuple[str, nodes.Field, nodes.Field]] = []
    for key in (_spelling, _bare_name, _contract):
        matched = sole_pairs(key, gone, come)
        changed += [(_change(old, new), old, new) for old, new in matched]
        paired_up = {f.name for pair in matched for f in pair}
        gone = [f for f in gone if f.name not in paired_up]
        come = [f for f in come if f.name not in paired_up]
    return Paired(both, changed, gone, come)


def _spelling(field: nodes.Field) -> Hashable:
    """Return what two spellings of one name have in common; exact names have one spelling."""
    return (field.name, True) if field.exact else (folded(field.name), field.firewalled)


def _bare_name(field: nodes.Field) -> Hashable:
    """Return what the name has in common with that which is hidden from the model."""
    return field.name if field.exact else folded(field.name).lstrip("_")


def _contract(field: nodes.Field) -> Hashable:
    """Return all of the field but its name."""
    return field.type, field.required, field.default, field.exact, field.firewalled


def _change(old: nodes.Field, new: nodes.Field) -> str:
    if old.firewalled is not new.firewalled:
        return "hidden" if new.firewalled else "shown"
    return "respelt" if _spelling(old) == _spelling(new) else "renamed"


def _refusing(
    sent: nodes.Record, one: nodes.Field | None, other: nodes.Field | None
) -> nodes.Record:
    """Return what refuses a record *sent* with the field *one* where *other* is expected."""
    if other is not None:
        return nodes.Record((other,), nodes.ANY)
    rest = tuple([f for f in sent.fields if f != one])
    return nodes.Record(rest, None, sent.matching)


def compare_records(walk: Walk, path: Path, a: nodes.Record, b: nodes.Record) -> None:
    """Report how the fields of *a* and *b* differ, and what else they accept."""
    _Records(walk, path, a, b).compare()


class _Records:
    def __init__(self, walk: Walk, path: Path, a: nodes.Record, b: nodes.Record) -> None:
        self.walk, self.path, self.a, self.b = walk, path, a, b
        is_param = place_of(path) == "params" and walk.way == "input"
        self.owner = "param" if is_param else f"{walk.way}-field"
        if a.matching or b.matching or not {a.extra, b.extra} <= {None, nodes.ANY}:
            # A name that comes or goes may have been, or be, one of the others.
            walk.sound = False

    def compare(self) -> None:
        pairs = paired(self.a.fields, self.b.fields)
        for change, old, new in pairs.changed:
            self.changed(change, old, new)
        for field in pairs.gone:
            self.gone(field)
        for field in pairs.come:
            self.come(field)
        for old, new in pairs.both:
            self.pair(old, new)
        names = [f.name for f, _ in pairs.both]
        kept = set(names)
        now = [f.name for f in self.b.fields if f.name in kept]
        if names != now:
            was, told = ", ".join(names), ", ".join(now)
            self.walk.add(self.path, "reordered", was, told, of=self.owner)
        self.matching()
        self.extra()

    def field(
        self,
        change: str,
        name: str,
        old: nodes.Field | None,
        new: nodes.Field | None,
        told: bool = True,
    ) -> None:
        """Report a change of a field; an example is a record that the change alone refuses."""
        text = self.walk.sides.field_text
        before, after = (text(f) if f is not None and told else "" for f in (old, new))
        if self.walk.way == "input":
            pair = (self.a, _refusing(self.a, old, new), False)
        else:
            pair = (_refusing(self.b, new, old), self.b, False)
        path = (*self.path, name)
        self.walk.add(path, change, before, after, pair=pair, of=self.owner)

    def changed(self, change: str, old: nodes.Field, new: nodes.Field) -> None:
        places = place_of((*self.path, old.name)), place_of((*self.path, new.name))
        self.walk.moves.append(places)
        if change == "renamed":
            self.field(change, old.name, old, new)
            return
        self.field(change, new.name, old, new)
        self.pair(old, new, is_named_anew=True)

    def gone(self, field: nodes.Field) -> None:
        change = "removed-required" if field.required else "removed-optional"
        self.field(change, field.name, field, None)

    def come(self, field: nodes.Field) -> None:
        is_refused = self.walk.way == "output" and self.a.extra is None
        change = "added-required" if field.required else "added-optional"
        self.field("added-to-closed" if is_refused else change, field.name, None, field)

    def pair(self, old: nodes.Field, new: nodes.Field, is_named_anew: bool = False) -> None:
        name = new.name
        if old.required != new.required:
            change = "became-required" if new.required else "became-optional"
            plain = nodes.Field(old.name, old.type, new.required, None, old.exact)
            self.field(change, name, old, plain, told=False)
        if old.exact != new.exact and not is_named_anew:
            change = "name-exact" if new.exact else "name-folded"
            self.walk.add((*self.path, name), change, of=self.owner)
            self.walk.sound = False
        self.walk.types((*self.path, name), old.type, new.type)

    def matching(self) -> None:
        olds = {m.pattern: m.type for m in self.a.matching}
        news = {m.pattern: m.type for m in self.b.matching}
        for pattern, t in olds.items():
            word = f"/{pattern}/"
            if pattern in news:
                self.walk.types((*self.path, word), t, news[pattern])
            else:
                change = "unlimited" if self.b.extra is not None else "refused"
                self.walk.add(self.path, f"key-pattern-{change}", f"{word} {self.text(t)}")
        for pattern, t in news.items():
            if pattern not in olds:
                change = "limited" if self.a.extra is not None else "allowed"
                told = f"/{pattern}/ {self.text(t)}"
                self.walk.add(self.path, f"key-pattern-{change}", new=told)

    def text(self, t: nodes.Type) -> str:
        return self.walk.sides.text(t)

    def extra(self) -> None:
        a, b = self.a.extra, self.b.extra
        if a == b:
            return
        if b is None:
            pair = (self.a, nodes.Record(self.a.fields, None, self.a.matching), True)
            self.walk.add(self.path, "extra-refused", pair=pair)
        elif a is not None:
            self.walk.types((*self.path, "**"), a, b)
        elif b == nodes.ANY:
            self.walk.add(self.path, "extra-accepted")
        else:
            pair = (self.a, nodes.Record(self.a.fields, b, self.a.matching), False)
            self.walk.add(self.path, "extra-described", new=self.text(b), pair=pair)
