"""Compare the fields of two records, or the parameters of two tools."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from typesig.algebra import nodes
from typesig.algebra.rows.names import fold_name
from typesig.contracts.comparing.comparison import TypeComparison, pair_unique
from typesig.contracts.locks.places import Path, format_place


class FieldPairs(NamedTuple):
    """Matched fields of two records, and the fields of one record only.

    #: both: pairs of fields of one name; changed: pairs of fields that are told as one change,
    #:     with the name of the change
    """

    both: list[tuple[nodes.Field, nodes.Field]]
    changed: list[tuple[str, nodes.Field, nodes.Field]]
    gone: list[nodes.Field]
    come: list[nodes.Field]


def pair_fields(a: Sequence[nodes.Field], b: Sequence[nodes.Field]) -> FieldPairs:
    """Match the fields *a* with the fields *b*, including renamed ones."""
    olds, news = {f.name: f for f in a}, {f.name: f for f in b}
    both = [(f, news[f.name]) for f in a if f.name in news]
    gone = [f for f in a if f.name not in news]
    come = [f for f in b if f.name not in olds]
    changed: list[tuple[str, nodes.Field, nodes.Field]] = []
    for key in (_get_spelling, _get_bare_name, _get_contract):
        matched = pair_unique(key, gone, come)
        changed += [(_change(old, new), old, new) for old, new in matched]
        paired_up = {f.name for pair in matched for f in pair}
        gone = [f for f in gone if f.name not in paired_up]
        come = [f for f in come if f.name not in paired_up]
    return FieldPairs(both, changed, gone, come)


def _get_spelling(field: nodes.Field) -> Hashable:
    """Return a key that is equal for all spellings of one field name."""
    return (field.name, True) if field.exact else (fold_name(field.name), field.firewalled)


def _get_bare_name(field: nodes.Field) -> Hashable:
    """Return a key that is equal for a visible name and its firewalled form."""
    return field.name if field.exact else fold_name(field.name).lstrip("_")


def _get_contract(field: nodes.Field) -> Hashable:
    """All attributes of the field except its name."""
    return field.type, field.required, field.default, field.exact, field.firewalled


def _change(old: nodes.Field, new: nodes.Field) -> str:
    """Name the change between two matched fields: hidden, shown, respelt or renamed."""
    if old.firewalled is not new.firewalled:
        return "hidden" if new.firewalled else "shown"
    return "respelt" if _get_spelling(old) == _get_spelling(new) else "renamed"


def _make_refusing_record(
    sent: nodes.Record, one: nodes.Field | None, other: nodes.Field | None
) -> nodes.Record:
    """Build a type that refuses *sent* records with *one* in place of *other*."""
    if other is not None:
        return nodes.Record((other,), nodes.ANY)
    rest = tuple([f for f in sent.fields if f != one])
    return nodes.Record(rest, None, sent.matching)


def compare_records(walk: TypeComparison, path: Path, a: nodes.Record, b: nodes.Record) -> None:
    """Report the differences between the fields and extra keys of *a* and *b*."""
    _RecordComparison(walk, path, a, b).compare()


class _RecordComparison:
    """Comparison of the fields and extra keys of two record types."""

    def __init__(self, walk: TypeComparison, path: Path, a: nodes.Record, b: nodes.Record) -> None:
        self.walk, self.path, self.a, self.b = walk, path, a, b
        is_param = format_place(path) == "params" and walk.way == "input"
        self.owner = "param" if is_param else f"{walk.way}-field"
        if a.matching or b.matching or not {a.extra, b.extra} <= {None, nodes.ANY}:
            # A name that comes or goes may have been, or be, one of the others.
            walk.sound = False

    def compare(self) -> None:
        """Report all changes of fields, their order, key patterns and extra."""
        pairs = pair_fields(self.a.fields, self.b.fields)
        for change, old, new in pairs.changed:
            self.report_change(change, old, new)
        for field in pairs.gone:
            self.report_removed(field)
        for field in pairs.come:
            self.report_added(field)
        for old, new in pairs.both:
            self.compare_pair(old, new)
        names = [f.name for f, _ in pairs.both]
        kept = set(names)
        now = [f.name for f in self.b.fields if f.name in kept]
        if names != now:
            was, told = ", ".join(names), ", ".join(now)
            self.walk.add(self.path, "reordered", was, told, of=self.owner)
        self.compare_patterns()
        self.compare_extra()

    def field(
        self,
        change: str,
        name: str,
        old: nodes.Field | None,
        new: nodes.Field | None,
        told: bool = True,
    ) -> None:
        """Report a *change* of field *name*, with the types that yield an example."""
        text = self.walk.sides.field_text
        before, after = (text(f) if f is not None and told else "" for f in (old, new))
        if self.walk.way == "input":
            pair = (self.a, _make_refusing_record(self.a, old, new), False)
        else:
            pair = (_make_refusing_record(self.b, new, old), self.b, False)
        path = (*self.path, name)
        self.walk.add(path, change, before, after, pair=pair, of=self.owner)

    def report_change(self, change: str, old: nodes.Field, new: nodes.Field) -> None:
        """Report that *old* became *new* under another name or visibility."""
        places = format_place((*self.path, old.name)), format_place((*self.path, new.name))
        self.walk.moves.append(places)
        if change == "renamed":
            self.field(change, old.name, old, new)
            return
        self.field(change, new.name, old, new)
        self.compare_pair(old, new, is_named_anew=True)

    def report_removed(self, field: nodes.Field) -> None:
        """Report that the old record's *field* was removed."""
        change = "removed-required" if field.required else "removed-optional"
        self.field(change, field.name, field, None)

    def report_added(self, field: nodes.Field) -> None:
        """Report that the new record has the additional *field*."""
        is_refused = self.walk.way == "output" and self.a.extra is None
        change = "added-required" if field.required else "added-optional"
        self.field("added-to-closed" if is_refused else change, field.name, None, field)

    def compare_pair(self, old: nodes.Field, new: nodes.Field, is_named_anew: bool = False) -> None:
        """Report changes between *old* and *new*, two fields that match."""
        name = new.name
        if old.required != new.required:
            change = "became-required" if new.required else "became-optional"
            plain = nodes.Field(old.name, old.type, new.required, None, old.exact)
            self.field(change, name, old, plain, told=False)
        if old.exact != new.exact and not is_named_anew:
            change = "name-exact" if new.exact else "name-folded"
            self.walk.add((*self.path, name), change, of=self.owner)
            self.walk.sound = False
        self.walk.compare_types((*self.path, name), old.type, new.type)

    def compare_patterns(self) -> None:
        """Report changed types, additions and removals of key patterns."""
        olds = {m.pattern: m.type for m in self.a.matching}
        news = {m.pattern: m.type for m in self.b.matching}
        for pattern, t in olds.items():
            word = f"/{pattern}/"
            if pattern in news:
                self.walk.compare_types((*self.path, word), t, news[pattern])
            else:
                change = "unlimited" if self.b.extra is not None else "refused"
                self.walk.add(self.path, f"key-pattern-{change}", f"{word} {self.text(t)}")
        for pattern, t in news.items():
            if pattern not in olds:
                change = "limited" if self.a.extra is not None else "allowed"
                told = f"/{pattern}/ {self.text(t)}"
                self.walk.add(self.path, f"key-pattern-{change}", new=told)

    def text(self, t: nodes.Type) -> str:
        """Write *t* with the definition names of its own signature."""
        return self.walk.sides.text(t)

    def compare_extra(self) -> None:
        """Report changes of the type that undeclared fields may have."""
        a, b = self.a.extra, self.b.extra
        if a == b:
            return
        if b is None:
            pair = (self.a, nodes.Record(self.a.fields, None, self.a.matching), True)
            self.walk.add(self.path, "extra-refused", pair=pair)
        elif a is not None:
            self.walk.compare_types((*self.path, "**"), a, b)
        elif b == nodes.ANY:
            self.walk.add(self.path, "extra-accepted")
        else:
            pair = (self.a, nodes.Record(self.a.fields, b, self.a.matching), False)
            self.walk.add(self.path, "extra-described", new=self.text(b), pair=pair)
