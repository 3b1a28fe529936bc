"""Lower types to those an engine enforces, wider if needed; and write them as schemas."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any, NamedTuple, assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import make_enum
from typesig.algebra.redaction import find_used_names
from typesig.algebra.rows.constraints import Constraint, ConstraintName
from typesig.algebra.rows.values import Const
from typesig.algebra.signature import make_unique_name
from typesig.algebra.traversal import transform
from typesig.errors import TooDeep, TooLarge, Unsupported
from typesig.limits.engines import MAX_BRANCHES
from typesig.notations.json_schema.keywords import (
    ALL,
    JSON_KINDS,
    KEYWORDS,
    KINDS,
    NEVER,
    WHOLE,
    JsonKind,
    find_json_kinds,
)
from typesig.notations.json_schema.writer import write_document
from typesig.providers.engines.containers import lower_arrays, lower_objects
from typesig.providers.engines.engine import (
    Engine,
    EngineGrammar,
    LoweredType,
    LoweringState,
    Path,
    RootType,
    SchemaSupport,
    WriteBounds,
    get_constants,
    unite_types,
)
from typesig.providers.engines.scalars import is_exact, lower_numbers, lower_texts
from typesig.providers.engines.write_bounds import limit_type
from typesig.providers.registry.provider import NameRule, use_legal_names
from typesig.providers.rewriting.descriptions import is_sendable
from typesig.relations.bounds import Limit
from typesig.relations.normal_form import Clause, Heights, Parts, Scope

# --- Lower types to those an engine enforces: wider if needed, never narrower ---
# `lower_type` takes expressible types.  An intersection or a negation is taken apart to
# alternatives of plain types, by the same clauses as in proofs, and each kind of values is settled
# by itself: `lower_numbers`, `lower_texts`, `lower_arrays` and `lower_objects`.  So what an engine
# is given has unions, records, lists and refined scalars alone.  Everything that is widened is a
# loss.

_BOTH_BOUNDS: tuple[ConstraintName, ...] = ("at_least", "at_most")


def lower_type(title: str, enforced: SchemaSupport, whole: RootType) -> LoweredType:
    """Lower *whole* for the engine *title*, which enforces *enforced*.

    The type is `NEVER` if no value fits.  Raises `TooLarge` and `TooDeep`.
    """
    names = {name: _make_exact(t) for name, t in whole.names.items()}
    t = _make_exact(whole.type)
    try:
        try:
            made = _TypeLowerer(title, enforced, names).lower_root(t, whole.place)
        except TooLarge:
            # Once more, with no intersection or negation written out.
            made = _TypeLowerer(title, enforced, names, 1).lower_root(t, whole.place)
        full = find_inhabited(made.names)
        if len(full) < len(made.names):
            # What refers to a type without values is settled again, without it.
            left = {name: each if name in full else NEVER for name, each in made.names.items()}
            again = _TypeLowerer(title, enforced, left).lower_root(made.type, whole.place)
            made = again._replace(losses=made.losses)
    except RecursionError:
        raise TooDeep("its types nest too deep for a grammar") from None
    return made


def lower_answer(engine: Engine, whole: RootType) -> LoweredType:
    """Lower the type of an answer; raise `Unsupported` if no value fits."""
    made = lower_type(engine.title, engine.enforces, whole)
    if made.type == NEVER:
        place = ".".join(whole.place)
        raise Unsupported(f"{place}: no value fits, so that {engine.title} has nothing to write")
    return made


def _make_exact(t: nodes.Type) -> nodes.Type:
    """Copy *t* with exact field names and without defaults."""

    def step(part: nodes.Type) -> nodes.Type:
        if not isinstance(part, nodes.Record):
            return part
        fields = [nodes.Field(f.name, f.type, f.required, None, True) for f in part.fields]
        return nodes.Record(tuple(fields), part.extra, part.matching)

    return transform(t, step)


class _ClauseChoice(NamedTuple):
    """A type in a conjunction that several alternative clauses satisfy.

    #: wanted: whether a value must be of it; clauses: the ways
    """

    part: nodes.Type
    wanted: bool
    clauses: tuple[Clause, ...]


class _TypeLowerer(LoweringState):
    """A rewriter of types of every shape to types that an engine enforces."""

    def __init__(
        self,
        title: str,
        enforced: SchemaSupport,
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

    def lower_root(self, t: nodes.Type, at: Path) -> LoweredType:
        """Lower *t*, located at *at*, together with the definitions that it needs."""
        made = self.lower(t, at)
        while self._asked:
            name = self._asked.pop()
            if name not in self._made:
                self._made[name] = NEVER
                self._made[name] = self.lower(self.names[name], ("definitions", name))
        kept = find_used_names(self._made, [made])
        names = {name: self._made[name] for name in sorted(kept)}
        return LoweredType(made, names, tuple(dict.fromkeys(self.losses)))

    def intersect(self, pos: Parts, neg: Parts, at: Path) -> nodes.Type:
        """Lower the type of the values in all types *pos* and in no type of *neg*."""
        self.count_types()
        pos = tuple(dict.fromkeys([part for part in pos if part != nodes.ANY]))
        neg = tuple(dict.fromkeys(neg))
        if not neg and not pos:
            return nodes.ANY
        if not neg and len(pos) == 1:
            match pos[0]:
                case nodes.Ref(name):
                    if self.names[name] == NEVER:
                        return NEVER
                    self._asked.append(name)
                    return nodes.Ref(name)
                case nodes.Scalar():
                    return pos[0]
                case nodes.One(members):
                    return self._lower_one(members, at)
                case nodes.Maybe(inner):
                    return unite_types([self.lower(inner, at), nodes.NIL])
                case nodes.Union(members):
                    return unite_types([self.lower(m, at) for m in members])
                case _:
                    pass
        return self._lower_conjunction(pos, neg, at)

    def _lower_one(self, members: Parts, at: Path) -> nodes.Type:
        """Lowered type of values of exactly one of *members*."""
        out = []
        shared = 0
        for place, member in enumerate(members):
            others = members[:place] + members[place + 1 :]
            near = tuple([other for other in others if not self.is_disjoint(member, other)])
            shared += len(near)
            if 2**shared > self._branches:
                self.lose(at, "exactly one of several types", "at least one of them")
                return unite_types([self.lower(member, at) for member in members])
            out.append(self.intersect((member,), near, at))
        return unite_types(out)

    def _lower_conjunction(self, pos: Parts, neg: Parts, at: Path) -> nodes.Type:
        """Lower the intersection of *pos* without *neg*, with results cached."""
        key = frozenset(pos), frozenset(neg)
        if key in self._known:
            return self._known[key]
        if key in self._open:
            # It contains itself: it is given a name.
            name = self._open[key] or make_unique_name("both", self._taken)
            self._open[key] = name
            self._taken.add(name)
            return nodes.Ref(name)
        self._open[key] = ""
        before = len(self.losses)
        made = self._lower_clauses(pos, neg, at)
        name = self._open.pop(key)
        if name:
            self._made[name] = made
            made = nodes.Ref(name)
        if len(self.losses) == before:
            # What is lost is told for each place.
            self._known[key] = made
        return made

    def _lower_clauses(self, pos: Parts, neg: Parts, at: Path) -> nodes.Type:
        """Lower the intersection of *pos* without *neg*, split at unions."""
        found = self._find_atoms(pos, neg)
        if found is None:
            return NEVER
        atoms, choices = found
        choices.sort(key=lambda choice: len(choice.clauses))
        while prod([len(choice.clauses) for choice in choices]) > self._branches:
            choices.pop()
            self.lose(at, "an intersection or a negation of many types", "a part of it")
        if not choices:
            return self._lower_atoms(atoms[0], atoms[1], at)
        first, *rest = choices
        beside = tuple([choice.part for choice in rest if choice.wanted])
        against = tuple([choice.part for choice in rest if not choice.wanted])
        return unite_types(
            [
                self.intersect(atoms[0] + with_ + beside, atoms[1] + without + against, at)
                for with_, without in first.clauses
            ]
        )

    def _find_atoms(self, pos: Parts, neg: Parts) -> tuple[Clause, list[_ClauseChoice]] | None:
        """Split *pos* and *neg* into atoms and open choices; return None if empty."""
        todo = [(part, False) for part in reversed(neg)] + [(part, True) for part in reversed(pos)]
        seen: dict[nodes.Type, bool] = {}
        atoms: dict[nodes.Type, bool] = {}
        choices: list[_ClauseChoice] = []
        while todo:
            part, wanted = todo.pop()
            if part in seen:
                if seen[part] is not wanted:
                    return None
                continue
            self.count_types()
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
                choices.append(_ClauseChoice(part, wanted, clauses))
        kept = tuple([part for part, wanted in atoms.items() if wanted])
        out = tuple([part for part, wanted in atoms.items() if not wanted])
        return (kept, out), choices

    # One way: each kind of values by itself

    def _lower_atoms(self, pos: Parts, neg: Parts, at: Path) -> nodes.Type:
        """Lower the intersection of union-free *pos* without *neg*, by JSON kind."""
        for part in pos:
            if isinstance(part, nodes.Enum):
                return self._lower_enum(part, pos, neg, at)
        kinds = ALL
        for part in pos:
            kinds &= find_json_kinds(part)
        return unite_types(
            [self._lower_kind(kind, pos, neg, at) for kind in KINDS if kind in kinds]
        )

    def _lower_kind(self, kind: JsonKind, pos: Parts, neg: Parts, at: Path) -> nodes.Type:
        """Lower the values of the JSON kind *kind* in all of *pos* and none of *neg*."""
        limits: list[Limit] = []
        shapes: list[nodes.Type] = []
        others: list[nodes.Type] = []
        for part in pos:
            if not isinstance(part, nodes.Refinement):
                shapes.append(part)
            elif kind in KEYWORDS[part.constraints[0].name]:
                limits.append((part.constraints[0], True))
        for part in neg:
            if isinstance(part, nodes.Refinement):
                if kind not in KEYWORDS[part.constraints[0].name]:
                    # Every value of the kind meets the constraint.
                    return NEVER
                limits.append((part.constraints[0], False))
            elif part == WHOLE[kind]:
                return NEVER
            elif kind in find_json_kinds(part):
                others.append(part)
        if not shapes and not limits and not others:
            return WHOLE[kind]
        match kind:
            case "null":
                return NEVER if get_constants(others, kind) else nodes.NIL
            case "boolean":
                left = {True, False} - {value.value for value in get_constants(others, kind)}
                return nodes.BOOL if len(left) == 2 else make_enum(left) if left else NEVER
            case "number":
                return lower_numbers(self, tuple(shapes), tuple(others), limits, at)
            case "string":
                return lower_texts(self, tuple(others), limits, at)
            case "array":
                return lower_arrays(self, tuple(shapes), tuple(others), limits, at)
            case "object":
                return lower_objects(self, tuple(shapes), tuple(others), limits, at)
            case _:
                assert_never(kind)

    def _lower_enum(self, t: nodes.Enum, pos: Parts, neg: Parts, at: Path) -> nodes.Type:
        """Keep the constants of *t* that all of *pos* and none of *neg* accept."""
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
                out.append(lower_numbers(self, (scalar,), (), limits, at))
            else:
                self.lose(at, "a constant with a number of many digits", "any such value")
                out.append(WHOLE[JSON_KINDS[value.kind]])
        return unite_types([nodes.Enum(tuple(same)), *out] if same else out)


def find_inhabited(names: Mapping[str, nodes.Type]) -> frozenset[str]:
    """Find the names in *names* whose types have a value of finite depth.

    >>> from typesig.algebra.nodes import Maybe, Ref, Tuple
    >>> sorted(find_inhabited({"a": Maybe(Ref("b")), "b": Tuple((Ref("b"), Ref("a")))}))
    ['a']
    """
    # What has no value is written as a name of itself.
    endless = {name: nodes.Ref(name) if t == NEVER else t for name, t in names.items()}
    return frozenset([name for name, high in Heights(endless).named.items() if high is not None])


# --- JSON Schemas for engines: lowered types, written by the one writer of schemas ---

# XGrammar does not compile a schema with long names of definitions.
_NAMES = NameRule("A-Za-z_", "A-Za-z0-9_", 32)


def write_answer_schema(engine: Engine, whole: RootType, bounds: WriteBounds) -> EngineGrammar:
    """Return the schema of an answer; raise `Unsupported` if no value fits."""
    made = lower_answer(engine, whole)
    made = limit_type(made, bounds, engine.enforces, whole, spells=False)
    return EngineGrammar("json_schema", write_schema(engine, made), made.losses)


def write_schema(engine: Engine, made: LoweredType) -> dict[str, Any]:
    """Write the lowered type *made* as a JSON Schema in the style of *engine*."""
    t, names = use_legal_names(made.type, made.names, _NAMES)
    return write_document(t, names, engine.style)
