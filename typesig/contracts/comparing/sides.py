"""Decide whether a type that one side sends fits the type that the other accepts.

Of input, the model sends by the old contract, and the tool takes by the new one; of output, the
tool sends by the new contract, and those who read it take by the old one.  A sender goes by its
contract and sends declared names only, though an open record takes others: otherwise each optional
parameter that is added would break a call that happened to send its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal, TypeAlias

from typesig.algebra import nodes
from typesig.algebra.definitions import sort_definitions
from typesig.algebra.rows.frozen import RECORDS
from typesig.algebra.signature import Signature, make_type_signature, make_unique_name
from typesig.algebra.traversal import find_names_leading_to, get_children, rebuild, substitute
from typesig.limits import MAX_PART_STEPS
from typesig.limits.contracts import MAX_DIFF_STEPS
from typesig.notations.shorthand.writer import write_field, write_type
from typesig.relations.proofs.subtyping import Relations, join_definitions

Way: TypeAlias = Literal["input", "output"]

#: Shapes within which a narrower part does not make a narrower whole, or may make it empty.
_KEPT = (nodes.One, nodes.Not, nodes.ItemCount, nodes.Both)


def to_sent_type(t: nodes.Type) -> nodes.Type:
    """Convert *t* to the type of values that a sender writes: without undeclared fields.

    >>> from typesig import parse
    >>> to_sent_type(parse("[{a :int = 3}]").returns) == parse("[{a? :int}!]").returns
    True
    """
    if isinstance(t, _KEPT):
        return t
    if isinstance(t, nodes.Record):
        fields = [
            nodes.Field(f.name, to_sent_type(f.type), f.required, None, f.exact) for f in t.fields
        ]
        matching = [nodes.PatternField(m.pattern, to_sent_type(m.type)) for m in t.matching]
        is_open = t.extra is None or (t.extra == nodes.ANY and bool(t.fields))
        extra = None if is_open or t.extra is None else to_sent_type(t.extra)
        return nodes.Record(tuple(fields), extra, tuple(matching))
    return (
        rebuild(t, [to_sent_type(child) for child in get_children(t)]) if t.flags & RECORDS else t
    )


class Sides:
    """Old and new types with shared definitions, and the checks of their compatibility.

    #: definitions: those of both, by name; new types refer to them by the names that `new` gives
    """

    def __init__(self, old: Signature, new: Signature) -> None:
        definitions, self._renamed = join_definitions(old, new)
        self.definitions: Mapping[str, nodes.Type] = {d.name: d.type for d in definitions}
        self._sent = self._find_sent_names()
        every = dict(self.definitions)
        for name, other in self._sent.items():
            every[other] = self._as_sent(self.definitions[name])
        self._every = sort_definitions(every)
        self._relations = Relations(self._every)
        self._known: dict[tuple[nodes.Type, nodes.Type], bool | None] = {}
        self._left = MAX_DIFF_STEPS
        self._own = {other: nodes.Ref(name) for name, other in self._find_renamed().items()}

    def rename_new(self, t: nodes.Type) -> nodes.Type:
        """Adapt *t*, a type of the new signature, to the shared definitions."""
        return substitute(t, self._renamed)

    def _find_renamed(self) -> dict[str, str]:
        """Map the names of renamed new definitions to their shared names."""
        refs = self._renamed
        return {name: t.name for name, t in refs.items() if isinstance(t, nodes.Ref)}

    def text(self, t: nodes.Type) -> str:
        """Write *t* with the definition names of its own signature."""
        return write_type(substitute(t, self._own))

    def field_text(self, field: nodes.Field) -> str:
        """Write *field* with the definition names of its own signature."""
        return write_field(field.with_type(substitute(field.type, self._own)))

    def _find_sent_names(self) -> dict[str, str]:
        """Choose names for the sent forms of definitions whose sent form differs."""
        names = self.definitions
        changed = find_names_leading_to(
            [name for name, t in names.items() if to_sent_type(t) != t], names
        )
        taken = set(names)
        out: dict[str, str] = {}
        for name in sorted(changed):
            out[name] = make_unique_name(name, taken)
            taken.add(out[name])
        return out

    def _as_sent(self, t: nodes.Type) -> nodes.Type:
        """Narrow *t* to the values that a sender bound by its contract sends."""
        return _rename(to_sent_type(t), self._sent)

    def fits(self, way: Way, a: nodes.Type, b: nodes.Type) -> bool | None:
        """Whether the change from *a* to *b* breaks nothing; None if unknown."""
        return self._is_subtype(a, b) if way == "input" else self._is_subtype(b, a)

    def _is_subtype(self, sender: nodes.Type, taker: nodes.Type) -> bool | None:
        """Whether all values sent as *sender* fit *taker*; None if unknown; cached."""
        key = sender, taker
        if key not in self._known:
            with self._limit_question() as relations:
                self._known[key] = relations.is_subtype(self._as_sent(sender), taker)
        return self._known[key]

    @contextmanager
    def _limit_question(self) -> Iterator[Relations]:
        """Yield the relations with a separate step budget for one question."""
        work = self._relations.work
        work.left = steps = min(MAX_PART_STEPS, self._left)
        yield self._relations
        self._left -= steps - max(work.left, 0)

    def find_example(
        self, way: Way, a: nodes.Type, b: nodes.Type, is_open: bool = False
    ) -> tuple[Any] | None:
        """Find a value that the change from *a* to *b* makes invalid, as a 1-tuple.

        With *is_open*, it may have undeclared names.
        """
        sender, taker = (a, b) if way == "input" else (b, a)
        first = sender if is_open else self._as_sent(sender)
        with self._limit_question() as relations:
            found = relations.counterexample(first, taker)
        return found if found is not None and self._is_real(sender, taker, found[0]) else None

    def _is_real(self, sender: nodes.Type, taker: nodes.Type, value: Any) -> bool:
        """Whether validation accepts *value* as *sender* but refuses it as *taker*."""
        before, after = (
            make_type_signature(sender, self._every),
            make_type_signature(taker, self._every),
        )
        return before.accepts(value) and not after.accepts(value)


def _rename(t: nodes.Type, names: Mapping[str, str]) -> nodes.Type:
    """Let references in *t*, a sent type, refer to the sent forms of definitions."""
    if isinstance(t, _KEPT):
        return t
    if isinstance(t, nodes.Ref):
        return nodes.Ref(names.get(t.name, t.name))
    return rebuild(t, [_rename(child, names) for child in get_children(t)])
