"""An engine of constrained decoding, as one table entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from typesig.algebra.loss import Loss
from typesig.algebra.nodes import Type
from typesig.limits.engines import MAX_WRITTEN_DIGITS, MAX_WRITTEN_ITEMS, MAX_WRITTEN_TEXT
from typesig.notations.json_schema.writer import Style
from typesig.providers.dialects.dialect import Dialect
from typesig.providers.rows.provider import EngineName

Path: TypeAlias = tuple[str, ...]

#: Whether a text may, must or must not have calls of tools.
CallChoice: TypeAlias = Literal["auto", "required", "none"]


def accept_pattern(_: str) -> bool:
    """Narrow no pattern, for an engine that takes characters however they are written."""
    return False


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
    narrows: Callable[[str], bool] = accept_pattern
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


def accept_grammar(_: EngineGrammar) -> str:
    """Find no refusal, for an engine whose grammars need no trial."""
    return ""


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
    find_refusal: Callable[[EngineGrammar], str] = accept_grammar
