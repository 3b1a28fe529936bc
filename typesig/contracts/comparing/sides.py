"""What one side sends and the other one takes, and whether that fits: the truth of a diff.

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
from typesig.algebra.definitions import ordered
from typesig.algebra.rows.frozen import RECORDS
from typesig.algebra.signature import Signature, fresh_name, lone
from typesig.algebra.traversal import children, leading_to, rebuild, substitute
from typesig.contract_limits import MAX_DIFF_STEPS
from typesig.limits import MAX_PART_STEPS
from typesig.notations.shorthand.writer import field_text, type_text
from typesig.relations.proofs.subtyping import Relations, join_definitions

Way: TypeAlias = Literal["input", "output"]

#: Shapes within which a narrower part does not make a narrower whole, or may make it empty.
_KEPT = (nodes.One, nodes.Not, nodes.Counted, nodes.Both)


def sent(t: nodes.Type) -> nodes.Type:
    """Return the values of *t* that a sender sends: those without undeclared names.

    >>> from typesig import parse
    >>> sent(parse("[{a :int = 3}]").returns) == parse("[{a? :int}!]").returns
    True
    """
    if isinstance(t, _KEPT):
        return t
    if isinstance(t, nodes.Record):
        fields = [nodes.Field(f.name, sent(f.type), f.required, None, f.exact) for f in t.fields]
        matching = [nodes.Matching(m.pattern, sent(m.type)) for m in t.matching]
        is_open = t.extra is None or (t.extra == nodes.ANY and bool(t.fields))
        extra = None if is_open or t.extra is None else sent(t.extra)
        return nodes.Record(tuple(fields), extra, tuple(matching))
    return rebuild(t, [sent(child) for child in children(t)]) if t.flags & RECORDS else t


class Sides:
    """The types of two signatures with shared definitions, and the relations between them.

    #: definitions: those of both, by name; new types refer to them by the names that `new` gives
    """

    def __init__(self, old: Signature, new: Signature) -> None:
        definitions, self._renamed = join_definitions(old, new)
        self.definitions: Mapping[str, nodes.Type] = {d.name: d.type for d in definitions}
        self._sent = self._sent_names()
        every = dict(self.definitions)
        for name, other in self._sent.items():
            every[other] = self._as_sent(self.definitions[name])
        self._every = ordered(every)
        self._relations = Relations(self._every)
        self._known: dict[tuple[nodes.Type, nodes.Type], bool | None] = {}
        self._left = MAX_DIFF_STEPS
        self._own = {other: nodes.Ref(name) for name, other in self._renamed_names().items()}

    def new(self, t: nodes.Type) -> nodes.Type:
        """Return *t*, a type of the new signature, with its references to the definitions here."""
        return substitute(t, self._renamed)

    def _renamed_names(self) -> dict[str, str]:
        refs = self._renamed
        return {name: t.name for name, t in refs.items() if isinstance(t, nodes.Ref)}

    def text(self, t: nodes.Type) -> str:
        """Return *t* as text, with the names of its own signature."""
        return type_text(substitute(t, self._own))

    def field_text(self, field: nodes.Field) -> str:
        """Return *field* as text, with the names of its own signature."""
        return field_text(field.with_type(substitute(field.type, self._own)))

    def _sent_names(self) -> dict[str, str]:
        """Return a name for what is sent of each definition where that is not the whole."""
        names = self.definitions
        changed = leading_to([name for name, t in names.items() if sent(t) != t], names)
        taken = set(names)
        out: dict[str, str] = {}
        for name in sorted(changed):
            out[name] = fresh_name(name, taken)
            taken.add(out[name])
        return out

    def _as_sent(self, t: nodes.Type) -> nodes.Type:
        return _renamed(sent(t), self._sent)

    def fits(self, way: Way, a: nodes.Type, b: nodes.Type) -> bool | None:
        """Return whether the change from *a* to *b* breaks nothing; None if that is unknown."""
        return self._is_subtype(a, b) if way == "input" else self._is_subtype(b, a)

    def _is_subtype(self, sender: nodes.Type, taker: nodes.Type) -> bool | None:
        key = sender, taker
        if key not in self._known:
            with self._question() as relations:
                self._known[key] = relations.is_subtype(self._as_sent(sender), taker)
        return self._known[key]

    @contextmanager
    def _question(self) -> Iterator[Relations]:
        """Give the relations steps of their own, so that no answer depends on those before it."""
        work = self._relations.work
        work.left = steps = min(MAX_PART_STEPS, self._left)
        yield self._relations
        self._left -= steps - max(work.left, 0)

    def example(
        self, way: Way, a: nodes.Type, b: nodes.Type, is_open: bool = False
    ) -> tuple[Any] | None:
        """Return a 1-tuple of a value that was valid and no longer is, or None if none is found.

        With *is_open*, it may have undeclared names.
        """
        sender, taker = (a, b) if way == "input" else (b, a)
        first = sender if is_open else self._as_sent(sender)
        with self._question() as relations:
            found = relations.counterexample(first, taker)
        return found if found is not None and self._is_real(sender, taker, found[0]) else None

    def _is_real(self, sender: nodes.Type, taker: nodes.Type, value: Any) -> bool:
        """Return whether the check itself takes *value* as *sender*, and refuses it as *taker*."""
        before, after = lone(sender, self._every), lone(taker, self._every)
        return before.accepts(value) and not after.accepts(value)


def _renamed(t: nodes.Type, names: Mapping[str, str]) -> nodes.Type:
    """Return *t*, something that is sent, with references to what is sent of definitions."""
    if isinstance(t, _KEPT):
        return t
    if isinstance(t, nodes.Ref):
        return nodes.Ref(names.get(t.name, t.name))
    return rebuild(t, [_renamed(child, names) for child in children(t)])
