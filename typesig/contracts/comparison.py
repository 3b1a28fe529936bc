"""One comparison of two types, for input or output: its changes and open questions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from typesig.algebra import nodes
from typesig.algebra.definitions import sort_definitions
from typesig.algebra.rows.frozen import RECORDS
from typesig.algebra.signature import Signature, make_type_signature, make_unique_names
from typesig.algebra.traversal import find_names_leading_to, get_children, rebuild, substitute
from typesig.limits import MAX_PART_STEPS
from typesig.limits.contracts import MAX_DIFF_STEPS
from typesig.notations.shorthand.writer import write_field, write_type
from typesig.relations.proofs.differences import Path, format_place
from typesig.relations.proofs.subtyping import Relations, join_definitions

# --- Decide whether a type that one side sends fits the type that the other accepts ---
# Of input, the model sends by the old contract, and the tool takes by the new one; of output, the
# tool sends by the new contract, and those who read it take by the old one.  A sender goes by its
# contract and sends declared names only, though an open record takes others: otherwise each
# optional parameter that is added would break a call that happened to send its name.

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
        self._own = {
            ref.name: nodes.Ref(name)
            for name, ref in self._renamed.items()
            if isinstance(ref, nodes.Ref)
        }

    def rename_new(self, t: nodes.Type) -> nodes.Type:
        """Adapt *t*, a type of the new signature, to the shared definitions."""
        return substitute(t, self._renamed)

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
        return make_unique_names(sorted(changed), names)

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


#: Two types between which an example is looked for, and whether it may have undeclared names.
Pair = tuple[nodes.Type, nodes.Type, bool]


class Change(NamedTuple):
    """A change of a tool and its place, before a severity is assigned."""

    rule: str
    place: str
    old: str = ""
    new: str = ""
    why: str = ""
    pair: Pair | None = None


#: The arguments of a tool without parameters.
NO_ARGUMENTS = nodes.Record((), nodes.ANY)

_UNKNOWN = "neither a proof nor a value that no longer fits was found"


class TypeComparison:
    """Comparison of two input types or two output types, with the changes found.

    #: found: the changes; sound: whether parts that fit make wholes that fit, as far as was seen
    #: moves: the places of fields that have another name now, before and after
    #: seen: pairs of types that are compared, or were, which ends the comparison of recursive ones
    """

    def __init__(
        self,
        sides: Sides,
        way: Way,
        compare: Callable[[TypeComparison, Path, nodes.Type, nodes.Type], None],
    ) -> None:
        self.sides = sides
        self.way: Way = way
        self._compare = compare
        self.found: list[Change] = []
        self.sound = True
        self.moves: list[tuple[str, str]] = []
        self.seen: set[tuple[nodes.Type, nodes.Type]] = set()

    def add(
        self,
        path: Path,
        change: str,
        old: str = "",
        new: str = "",
        why: str = "",
        pair: Pair | None = None,
        of: str = "",
    ) -> None:
        """Report *change* at *path*, under the rule named by *of* or else the direction."""
        rule = f"{of or self.way}-{change}"
        self.found.append(Change(rule, format_place(path), old, new, why, pair))

    def compare_types(self, path: Path, a: nodes.Type, b: nodes.Type) -> None:
        """Report the differences between *a* and *b*, at *path* in the new contract."""
        if a != b:
            self._compare(self, path, a, b)

    def fits(self, a: nodes.Type, b: nodes.Type) -> bool | None:
        """Whether the change from *a* to *b* breaks nothing; None if unknown."""
        return self.sides.fits(self.way, a, b)

    def report_whole(self, path: Path, a: nodes.Type, b: nodes.Type) -> None:
        """Report one change from *a* to *b*: widened, narrowed, rewritten or changed."""
        self.report_move(path, a, b, "type", self.sides.text(a), self.sides.text(b))

    def report_move(
        self, path: Path, a: nodes.Type, b: nodes.Type, what: str, old: str, new: str
    ) -> None:
        """Report a part as widened, narrowed or changed, by the relation of *a* and *b*."""
        fits = self.fits(a, b)
        back = self.fits(b, a)
        is_input, why = self.way == "input", ""
        if fits and back:
            self.add(path, "type-rewritten", old, new)
            return
        if fits:
            change = f"{what}-{'widened' if is_input else 'narrowed'}"
        elif fits is None:
            change, why = f"{what}-{'unknown' if what == 'type' else 'changed'}", _UNKNOWN
        elif back:
            change = f"{what}-{'narrowed' if is_input else 'widened'}"
        else:
            change = f"{what}-changed"
        self.add(path, change, old, new, why, (a, b, False))

    def root(self, path: Path, a: nodes.Type, b: nodes.Type, breaks: bool) -> None:
        """Report a breaking change of the whole type unless a part already *breaks*.

        So the relation has the last word.
        """
        if a == b or breaks:
            return
        if self.way == "input" and a == NO_ARGUMENTS:
            # Other names may be given, but a model that knows none gives none.
            a = nodes.Record(())
        fits = self.fits(a, b)
        if fits is False or (fits is None and not self.sound):
            self.report_whole(path, a, b)


# --- Match the parts of an old contract with those of a new one ---

T = TypeVar("T")


def pair_unique(
    key: Callable[[T], Hashable], gone: Iterable[T], come: Iterable[T]
) -> list[tuple[T, T]]:
    """Match items of *gone* and *come* whose *key* is unique on both sides.

    What has None for a key is in no pair.

    >>> pair_unique(len, ["a", "bc", "de"], ["x", "yz"])
    [('a', 'x')]
    """
    olds, news = _group_by(key, gone), _group_by(key, come)
    return [
        (parts[0], news[each][0])
        for each, parts in olds.items()
        if each is not None and len(parts) == 1 and len(news.get(each, ())) == 1
    ]


def _group_by(key: Callable[[T], Hashable], parts: Iterable[T]) -> dict[Hashable, list[T]]:
    """Group *parts* into lists by the result of *key*."""
    out: dict[Hashable, list[T]] = {}
    for part in parts:
        out.setdefault(key(part), []).append(part)
    return out
