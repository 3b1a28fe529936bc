"""An engine of constrained decoding, what it makes, and the state of lowering types to it."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from typesig.algebra.constructors import make_union
from typesig.algebra.definitions import Definition
from typesig.algebra.loss import Loss
from typesig.algebra.nodes import ANY, NIL, Enum, Maybe, Type, Union
from typesig.algebra.rows.values import Const
from typesig.errors import TooLarge
from typesig.limits.engines import (
    MAX_SETTLED,
    MAX_WRITTEN_DIGITS,
    MAX_WRITTEN_ITEMS,
    MAX_WRITTEN_TEXT,
)
from typesig.notations.json_schema.keywords import JSON_KINDS, KINDS, NEVER, WHOLE, JsonKind
from typesig.notations.json_schema.writer import Style
from typesig.providers.dialects.dialect import Dialect
from typesig.providers.registry.provider import EngineName
from typesig.relations.bounds import Limit
from typesig.relations.normal_form import Parts, limit
from typesig.relations.proofs.emptiness import EmptinessProver

# --- An engine of constrained decoding, as one table entry ---

Path: TypeAlias = tuple[str, ...]

#: Whether a text may, must or must not have calls of tools.
CallChoice: TypeAlias = Literal["auto", "required", "none"]


class SchemaSupport(NamedTuple):
    """The parts of JSON Schema that an engine enforces.

    #: lengths: whether texts have lengths; raw_length: the greatest, if positive, where a text with
    #:     a length has no character that JSON writes as an escape
    #: formats: the names in `format`, each with what the engine lets through beyond it, or empty
    #: takes: tells whether it takes a pattern; narrows: whether a model may write only the texts of
    #:     a pattern that have no escapes
    #: many_patterns: whether a text may have several patterns and formats
    #: lengths_beside: whether lengths may stand beside a pattern or a format
    #: key_patterns: whether types of keys by pattern are enforced; open_patterns: beside other keys
    #: forbidden: whether a property of an open object may be forbidden
    #: steps: which numbers may be multiples of others; bounded_steps: whether between bounds, too
    #: long_constants: whether it spells a constant with 17 digits, not with the fewest
    #: most_size: the greatest size that it counts to
    #: most_bound: the greatest bound of a number that is exact
    #: most_digits: the most digits of a bound behind its point; most_step: the greatest of a step
    """

    lengths: bool = True
    raw_length: int = 0
    formats: Mapping[str, str] = {}
    takes: Callable[[str], bool] = bool
    narrows: Callable[[str], bool] = lambda _: False
    many_patterns: bool = True
    lengths_beside: bool = True
    key_patterns: bool = True
    open_patterns: bool = True
    forbidden: bool = True
    steps: Literal["all", "integers", "none"] = "all"
    bounded_steps: bool = True
    long_constants: bool = False
    most_size: int = 2**31 - 1
    most_bound: int = 2**53
    most_digits: int = 15
    most_step: int = 10_000


#: The forms in which engines take what a model may write.
Syntax: TypeAlias = Literal["json_schema", "structural_tag", "lark", "regex", "gbnf"]


class RootType(NamedTuple):
    """An expressible root type without annotations, and the definitions it refers to.

    #: place: where it stands, for losses
    #: is_arguments: whether it has the arguments of a tool, of which undeclared ones are decided
    """

    type: Type
    names: Mapping[str, Type]
    place: Path = ()
    is_arguments: bool = False


#: Tells that something, at a place, is widened to something else.
LossRecorder: TypeAlias = Callable[[Path, str, str], None]


def make_loss_recorder(losses: list[Loss], title: str) -> LossRecorder:
    """Build a function that adds constraints not enforced by *title* to *losses*."""

    def lose(at: Path, what: str, became: str) -> None:
        losses.append(Loss("widened", at, what, f"{title} does not enforce it", became))

    return lose


class WriteBounds(NamedTuple):
    """The bounds of values whose type sets none; None is no bound.

    #: longest: the most characters of a text; digits: the most digits of a number, before its point
    #:     and behind it; items: the most items of a list or a map
    #: closed: whether objects with declared keys have no others
    """

    longest: int | None = MAX_WRITTEN_TEXT
    digits: int | None = MAX_WRITTEN_DIGITS
    items: int | None = MAX_WRITTEN_ITEMS
    closed: bool = True


#: No bounds: every value that conforms.
UNBOUNDED = WriteBounds(None, None, None, False)


class ToolCalls(NamedTuple):
    """The calls that a model may write, and the dialect in which they are written.

    #: tools: the argument types by tool name; bounds: those of arguments
    #: choice: whether the text may, must or must not have calls; with a call, it has no prose
    #: parallel: whether it may have several calls
    """

    tools: Mapping[str, RootType]
    dialect: Dialect
    bounds: WriteBounds = UNBOUNDED
    choice: CallChoice = "auto"
    parallel: bool = True


class EngineGrammar(NamedTuple):
    """The grammar for an engine, as text or JSON data, and its losses."""

    syntax: Syntax
    grammar: Any
    losses: tuple[Loss, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """The properties of an engine of constrained decoding, as a row of a table.

    #: name: the name that `project` takes; title: the name in tables; source: where this is known
    #:     from, with the version that was tried
    #: syntax: the form of what it takes for an answer; calls: that for a text with calls
    #: enforces: what it holds a model to; style: how it spells schemas
    #: has_schemas: whether what it takes for texts with calls has JSON Schemas within
    #: of_answer: what it takes for an answer; of_tools: for a text with calls
    #: weaker: what it is asked to enforce where it refuses more, from most to least
    #: find_refusal: why it refuses a grammar, or empty; empty where it is not installed
    """

    name: EngineName
    title: str
    source: str
    syntax: Syntax
    calls: Syntax
    enforces: SchemaSupport
    style: Style
    has_schemas: bool
    of_answer: Callable[[Engine, RootType, WriteBounds], EngineGrammar]
    of_tools: Callable[[Engine, ToolCalls], EngineGrammar]
    weaker: tuple[SchemaSupport, ...] = ()
    find_refusal: Callable[[EngineGrammar], str] = lambda _: ""


# --- A constraint on a model's text in an engine's syntax, with a reader for the text ---

R = TypeVar("R")


@dataclass(frozen=True, slots=True, repr=False)
class Constraint(Generic[R]):
    """A constraint on a model's text in an engine's syntax, with a reader.

    #: engine: the name of the engine; syntax: the form of the grammar
    #: grammar: a JSON Schema or a structural tag as plain data, or the text of a grammar
    #: losses: what it does not say; the engine lets such texts through, and `read` refuses them

    >>> from typesig import contract
    >>> made = contract("{n :int[1..9]}").project("llguidance")
    >>> made.grammar["properties"]
    {'n': {'type': 'integer', 'minimum': 1, 'maximum': 9}}
    >>> made.read('{"n": 3}').value
    {'n': 3}
    """

    engine: EngineName
    syntax: Syntax
    grammar: Any
    losses: tuple[Loss, ...]
    _reader: Callable[[str], R]

    def __repr__(self) -> str:
        return f"<constraint for {self.engine}: {self.syntax}>"

    @property
    def text(self) -> str:
        """The grammar as text, for the functions of the engine."""
        if isinstance(self.grammar, str):
            return self.grammar
        return json.dumps(self.grammar, ensure_ascii=False, separators=(",", ":"))

    def read(self, text: str) -> R:
        """Read a text that was written under this constraint.

        For a contract it is the `Outcome` of its check, for tools the `Reading` by the dialect.
        """
        return self._reader(text)


# --- Try grammars in an engine that is installed, and widen those that it refuses ---


def write_accepted(
    engine: Engine, at: Path, write: Callable[[Engine], EngineGrammar]
) -> EngineGrammar:
    """Return the strictest grammar of *write* that *engine* takes.

    If it takes none, the widest one has a loss at *at*.
    """
    made = write(engine)
    why = engine.find_refusal(made)
    for enforced in engine.weaker:
        if not why:
            return made
        made = write(replace(engine, enforces=enforced))
        why = engine.find_refusal(made)
    if why:
        loss = Loss("refused", at, "the grammar", f"{engine.title} refuses it: {why}")
        return made._replace(losses=(*made.losses, loss))
    return made


def find_llguidance_refusal(made: EngineGrammar) -> str:
    """Compile *made* with llguidance; return the first line of its error, or an empty string.

    Without the package, nothing is refused.
    """
    try:
        from llguidance import LLMatcher, LLTokenizer  # pyright: ignore[reportMissingImports]
    except ImportError:
        return ""
    if made.syntax == "json_schema":
        grammar = LLMatcher.grammar_from_json_schema(json.dumps(made.grammar))
    else:
        grammar = LLMatcher.grammar_from_lark(made.grammar)
    error: str = LLMatcher.validate_grammar(grammar, LLTokenizer("byte"))
    return error.partition("\n")[0][:200]


# --- State shared by the lowering of all shapes: support, definitions and losses ---
# `LoweringState` is all that the modules of single kinds know; `settling` has the one for every
# shape.


class LoweredType(NamedTuple):
    """A type that an engine enforces, with definitions and losses."""

    type: Type
    names: Mapping[str, Type]
    losses: tuple[Loss, ...]


class LoweringState(ABC):
    """State and operations that the lowering of every shape shares.

    #: enforced: what the engine enforces; lose: records what is widened, and to what
    #: names: the definitions, exact and without notes
    #: prover: what proves that types have no value in common
    """

    def __init__(self, title: str, enforced: SchemaSupport, names: Mapping[str, Type]) -> None:
        self.enforced = enforced
        self.names = names
        self.losses: list[Loss] = []
        self.lose = make_loss_recorder(self.losses, title)
        self.prover = EmptinessProver(tuple([Definition(n, t) for n, t in names.items()]))
        self._left = MAX_SETTLED

    @abstractmethod
    def intersect(self, pos: Parts, neg: Parts, at: Path) -> Type:
        """Lower the type of the values in all types *pos* and in no type of *neg*."""

    def lower_alternatives(
        self, ways: Iterable[Type], shapes: Parts, others: Parts, limits: list[Limit], at: Path
    ) -> Type:
        """Lower the union of *ways*, each intersected with *shapes* and *limits*.

        None of them is of one of *others*.
        """
        kept = tuple([limit(each) for each, wanted in limits if wanted])
        gone = tuple([limit(each) for each, wanted in limits if not wanted])
        return unite_types(
            [self.intersect((*shapes, *kept, way), (*others, *gone), at) for way in ways]
        )

    def lower(self, t: Type, at: Path) -> Type:
        """Lower *t*, located at *at*, to a type that the engine enforces."""
        return self.intersect((t,), (), at)

    def count_types(self, count: int = 1) -> None:
        """Count *count* schemas; raise `TooLarge` if there are too many."""
        self._left -= count
        if self._left < 0:
            raise TooLarge(f"a grammar may hold {MAX_SETTLED} types, this one would hold more")

    def limit_size(self, found: tuple[int, int | None], at: Path) -> tuple[int, int | None]:
        """Drop size limits in *found* that exceed the engine's; record the loss."""
        low, high = found
        most = self.enforced.most_size
        if low > most or (high is not None and high > most):
            self.lose(at, "so large a size", "any size")
        return low if low <= most else 0, None if high is None or high > most else high

    def drop(self, at: Path, what: str) -> None:
        """Record the loss of a part at *at* because a model cannot write it."""
        self.losses.append(Loss("narrowed", at, what, "a model cannot write it"))

    def is_disjoint(self, one: Type, other: Type) -> bool:
        """Whether *one* and *other* provably have no value in common."""
        return self.prover.prove((one, other))


def unite_types(members: Iterable[Type]) -> Type:
    """Make the union of *members*; a union of all JSON kinds becomes `any`."""
    found = [member for member in members if member != NEVER]
    if not found:
        return NEVER
    made = make_union(found)
    inner, null = (made.inner, {NIL}) if isinstance(made, Maybe) else (made, set())
    members = {*inner.members, *null} if isinstance(inner, Union) else {inner}
    return ANY if ANY in members or members.issuperset(WHOLES) else made


def get_constants(others: Iterable[Type], kind: JsonKind) -> list[Const]:
    """Constants of *kind* in the enums of *others*."""
    values = [value for other in others if isinstance(other, Enum) for value in other.values]
    return [value for value in values if JSON_KINDS[value.kind] == kind]


#: The types of all values of each kind.
WHOLES = tuple([WHOLE[kind] for kind in KINDS])
