"""Types settled to what an engine enforces: wider ones where it must be, never narrower ones.

`settled_whole` takes expressible types.  An intersection or a negation is taken apart to
alternatives of plain types, by the same clauses as in proofs, and each kind of values is settled by
itself: `numbers`, `texts`, `arrays` and `objects`.  So what an engine is given has unions, records,
lists and refined scalars alone.  Everything that is widened is a loss.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import NamedTuple, assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import enum
from typesig.algebra.loss import Loss
from typesig.algebra.rows.constraints import Constraint, ConstraintName
from typesig.algebra.rows.values import Const
from typesig.algebra.signature import fresh_name
from typesig.algebra.traversal import transform
from typesig.algebra.views.redaction import used
from typesig.engine_limits import MAX_BRANCHES
from typesig.errors import TooDeep, TooLarge, Unsupported
from typesig.notations.json_schema.keywords.constraints import KEYWORDS
from typesig.notations.json_schema.keywords.kinds import (
    ALL,
    JSON_KINDS,
    KINDS,
    NEVER,
    WHOLE,
    JsonKind,
    json_kinds,
)
from typesig.providers.engines.arrays import arrays
from typesig.providers.engines.engine import Enforced, Engine, Path, Whole
from typesig.providers.engines.numbers import is_exact, numbers
from typesig.providers.engines.objects import objects
from typesig.providers.engines.settler import Settler, alternatives, constants
from typesig.providers.engines.texts import texts
from typesig.providers.rewriting.describing import is_sendable
from typesig.relations.limits.bounds import Limit
from typesig.relations.limits.normal_form import Clause, Heights, Parts, Scope

_BOTH_BOUNDS: tuple[ConstraintName, ...] = ("at_least", "at_most")


class Settled(NamedTuple):
    """What an engine enforces of a type, with definitions, and what is lost."""

    type: nodes.Type
    names: Mapping[str, nodes.Type]
    losses: tuple[Loss, ...]


def settled_whole(title: str, enforced: Enforced, whole: Whole) -> Settled:
    """Return what the engine *title*, which has *enforced*, holds a model to of *whole*.

    The type is `NEVER` if no value fits.  Raises `TooLarge` and `TooDeep`.
    """
    names = {name: _exact(t) for name, t in whole.names.items()}
    t = _exact(whole.type)
    try:
        try:
            made = _Settling(title, enforced, names).whole(t, whole.place)
        except TooLarge:
            # Once more, with no intersection or negation written out.
            made = _Settling(title, enforced, names, 1).whole(t, whole.place)
        full = inhabited(made.names)
        if len(full) < len(made.names):
            # What refers to a type without values is settled again, without it.
            left = {name: each if name in full else NEVER for name, each in made.names.items()}
            again = _Settling(title, enforced, left).whole(made.type, whole.place)
            made = again._replace(losses=made.losses)
    except RecursionError:
        raise TooDeep("its types nest too deep for a grammar") from None
    return made


def settled_answer(engine: Engine, whole: Whole) -> Settled:
    """Return what *engine* holds an answer to; raise `Unsupported` if no value of it fits."""
    made = settled_whole(engine.title, engine.enforces, whole)
    if made.type == NEVER:
        place = ".".join(whole.place)
        raise Unsupported(f"{place}: no value fits, so that {engine.title} has nothing to write")
    return made


def _exact(t: nodes.Type) -> nodes.Type:
    """Return *t* with exact names and without defaults, which an engine does not write."""

    def step(part: nodes.Type) -> nodes.Type:
        if not isinstance(part, nodes.Record):
            return part
        fields = [nodes.Field(f.name, f.type, f.required, None, True) for f in part.fields]
        return nodes.Record(tuple(fields), part.extra, part.matching)

    return transform(t, step)


class _Choice(NamedTuple):
    """A type that can be met in several ways.

    #: wanted: whether a value must be of it; clauses: the ways
    """

    part: nodes.Type
    wanted: bool
    clauses: tuple[Clause, ...]


class _Settling(Settler):
    """Settles types of every shape."""

    def __init__(
        self,
        title: str,
        enforced: Enforced,
        names: Mapping[str, nodes.Type],
        branches: int = MAX_BRANCHES,
    ) -> None:
        super().__init__(title, enforced, names)
        self._branches = branches
        self._scope = Scope(names, self.prover.work)
        self._made: dict[str, nodes.Type] = {}
        self._asked: list[str] = []
        self._open: dict[tuple[frozenset[nodes.Type], frozenset[nodes.Type]], str] = {}
        self._known: dict[tuple[frozenset[nodes.Type], frozenset[nodes.Type]], nodes.Type] = {}
        self._taken = set(names)

    def whole(self, t: nodes.Type, at: Path) -> Settled:
        """Return *t*, which stands at *at*, with the definitions that it needs."""
        made = self.settled(t, at)
        while self._asked:
            name = self._asked.pop()
            if name not in self._made:
                self._made[name] = NEVER
                self._made[name] = self.settled(self.names[name], ("definitions", name))
        kept = used(self._made, [made])
        names = {name: self._made[name] for name in sorted(kept)}
        return Settled(made, names, tuple(dict.fromkeys(self.losses)))

    def met(self, pos: Parts, neg: Parts, at: Path) -> nodes.Type:
        """Return what is written for the values of all of *pos* and of none of *neg*."""
        self.spend()
        pos = tuple(dict.fromkeys([part for part in pos if part != nodes.ANY]))
        neg = tuple(dict.fromkeys(neg))
        if not neg and not pos:
            return nodes.ANY
        if not neg and len(pos) == 1:
            match pos[0]:
                case nodes.Ref(name):
                    return self._reference(name)
                case nodes.Scalar():
                    return pos[0]
                case nodes.One(members):
                    return self._one(members, at)
                case nodes.Maybe(inner):
                    return alternatives([self.settled(inner, at), nodes.NIL])
                case nodes.Union(members):
                    return alternatives([self.settled(m, at) for m in members])
                case _:
                    pass
        return self._conjunction(pos, neg, at)

    def _reference(self, name: str) -> nodes.Type:
        if self.names[name] == NEVER:
            return NEVER
        self._asked.append(name)
        return nodes.Ref(name)

    def _one(self, members: Parts, at: Path) -> nodes.Type:
        """Return what is written for the values of exactly one of *members*."""
        out = []
        shared = 0
        for place, member in enumerate(members):
            others = members[:place] + members[place + 1 :]
            near = tuple([other for other in others if not self.apart(member, other)])
            shared += len(near)
            if 2**shared > self._branches:
                self.lose(at, "exactly one of several types", "at least one of them")
                return alternatives([self.settled(member, at) for member in members])
            out.append(self.met((member,), near, at))
        return alternatives(out)

    def _conjunction(self, pos: Parts, neg: Parts, at: Path) -> nodes.Type:
        key = frozenset(pos), frozenset(neg)
        if key in self._known:
            return self._known[key]
        if key in self._open:
            # It contains itself: it is given a name.
            name = self._open[key] or fresh_name("both", self._taken)
            self._open[key] = name
            self._taken.add(name)
            return nodes.Ref(name)
        self._open[key] = ""
        before = len(self.losses)
        made = self._taken_apart(pos, neg, at)
        name = self._open.pop(key)
        if name:
            self._made[name] = made
            made = nodes.Ref(name)
        if len(self.losses) == before:
            # What is lost is told for each place.
            self._known[key] = made
        return made

    def _taken_apart(self, pos: Parts, neg: Parts, at: Path) -> nodes.Type:
        found = self._atoms(pos, neg)
        if found is None:
            return NEVER
        atoms, choices = found
        choices.sort(key=lambda choice: len(choice.clauses))
        while prod([len(choice.clauses) for choice in choices]) > self._branches:
            choices.pop()
            self.lose(at, "an intersection or a negation of many types", "a part of it")
        if not choices:
            return self._leaf(atoms[0], atoms[1], at)
        first, *rest = choices
        beside = tuple([choice.part for choice in rest if choice.wanted])
        against = tuple([choice.part for choice in rest if not choice.wanted])
        return alternatives(
            [
                self.met(atoms[0] + with_ + beside, atoms[1] + without + against, at)
                for with_, without in first.clauses
            ]
        )

    def _atoms(self, pos: Parts, neg: Parts) -> tuple[Clause, list[_Choice]] | None:
        """Return the atoms of a conjunction and what has several ways, or None if it is empty."""
        todo = [(part, False) for part in reversed(neg)] + [(part, True) for part in reversed(pos)]
        seen: dict[nodes.Type, bool] = {}
        atoms: dict[nodes.Type, bool] = {}
        choices: list[_Choice] = []
        while todo:
            part, wanted = todo.pop()
            if part in seen:
                if seen[part] is not wanted:
                    return None
                continue
            self.spend()
            seen[part] = wanted
            clauses = (
                self._scope.find_clauses(part) if wanted else self._scope.find_negated_clauses(part)
            )
            if clauses is None:
                atoms[part] = wanted
            elif not clauses:
                return None
            elif len(clauses) == 1:
                todo += [(each, False) for each in reversed(clauses[0][1])]
                todo += [(each, True) for each in reversed(clauses[0][0])]
            else:
                choices.append(_Choice(part, wanted, clauses))
        kept = tuple([part for part, wanted in atoms.items() if wanted])
        out = tuple([part for part, wanted in atoms.items() if not wanted])
        return (kept, out), choices

    # One way: each kind of values by itself

    def _leaf(self, pos: Parts, neg: Parts, at: Path) -> nodes.Type:
        for part in pos:
            if isinstance(part, nodes.Enum):
                return self._enum(part, pos, neg, at)
        kinds = ALL
        for part in pos:
            kinds &= json_kinds(part)
        return alternatives([self._of_kind(kind, pos, neg, at) for kind in KINDS if kind in kinds])

    def _of_kind(self, kind: JsonKind, pos: Parts, neg: Parts, at: Path) -> nodes.Type:
        """Return what is written for the values of *kind* among those of a clause of atoms."""
        limits: list[Limit] = []
        shapes: list[nodes.Type] = []
        others: list[nodes.Type] = []
        for part in pos:
            if not isinstance(part, nodes.Refined):
                shapes.append(part)
            elif kind in KEYWORDS[part.constraints[0].name]:
                limits.append((part.constraints[0], True))
        for part in neg:
            if isinstance(part, nodes.Refined):
                if kind not in KEYWORDS[part.constraints[0].name]:
                    # Every value of the kind meets the constraint.
                    return NEVER
                limits.append((part.constraints[0], False))
            elif part == WHOLE[kind]:
                return NEVER
            elif kind in json_kinds(part):
                others.append(part)
        if not shapes and not limits and not others:
            return WHOLE[kind]
        match kind:
            case "null":
                return NEVER if constants(others, kind) else nodes.NIL
            case "boolean":
                left = {True, False} - {value.value for value in constants(others, kind)}
                return nodes.BOOL if len(left) == 2 else enum(left) if left else NEVER
            case "number":
                return numbers(self, tuple(shapes), tuple(others), limits, at)
            case "string":
                return texts(self, tuple(others), limits, at)
            case "array":
                return arrays(self, tuple(shapes), tuple(others), limits, at)
            case "object":
                return objects(self, tuple(shapes), tuple(others), limits, at)
            case _:
                assert_never(kind)

    def _enum(self, t: nodes.Enum, pos: Parts, neg: Parts, at: Path) -> nodes.Type:
        """Return those of the constants of *t* that are of all of *pos* and of none of *neg*."""
        rest = tuple([part for part in pos if part != t])
        allows = self.prover.judge.allows
        kept = [v for v in t.values if not (rest or neg) or allows((rest, neg), v.thaw())]
        out: list[nodes.Type] = []
        same: list[Const] = []
        for value in kept:
            if not is_sendable(value.thaw()):
                self.drop(at, "a text that UTF-8 has no form for")
            elif is_exact(self, value):
                same.append(value)
            elif value.kind in ("int", "float"):
                scalar = nodes.INT if value.kind == "int" else nodes.FLOAT
                limits = [(Constraint(name, value.value), True) for name in _BOTH_BOUNDS]
                out.append(numbers(self, (scalar,), (), limits, at))
            else:
                self.lose(at, "a constant with a number of many digits", "any such value")
                out.append(WHOLE[JSON_KINDS[value.kind]])
        return alternatives([nodes.Enum(tuple(same)), *out] if same else out)


def inhabited(names: Mapping[str, nodes.Type]) -> frozenset[str]:
    """Return those of *names* that have a value, which ends after a number of steps.

    >>> from typesig.algebra.nodes import Maybe, Ref, Tuple
    >>> sorted(inhabited({"a": Maybe(Ref("b")), "b": Tuple((Ref("b"), Ref("a")))}))
    ['a']
    """
    # What has no value is written as a name of itself.
    endless = {name: nodes.Ref(name) if t == NEVER else t for name, t in names.items()}
    return frozenset([name for name, high in Heights(endless).named.items() if high is not None])
