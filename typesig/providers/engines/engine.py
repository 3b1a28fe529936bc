"""An engine of constrained decoding: one row with all that the library knows of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from typesig.algebra.loss import Loss
from typesig.algebra.nodes import Type
from typesig.notations.json_schema.writing.writer import Style
from typesig.providers.dialects.dialect import Dialect
from typesig.providers.rows.provider import EngineName

Path: TypeAlias = tuple[str, ...]


class Enforced(NamedTuple):
    """What an engine enforces of a JSON Schema.

    #: lengths: whether texts have lengths
    #: formats: the names in `format`, each with what the engine lets through beyond it, or empty
    #: takes: tells whether it takes a pattern
    #: many_patterns: whether a text may have several patterns and formats
    #: lengths_beside: whether lengths may stand beside a pattern or a format
    #: open_patterns: whether types of keys by pattern are enforced beside other keys
    #: forbidden: whether a property of an open object may be forbidden
    #: steps: which numbers may be multiples of others; bounded_steps: whether between bounds, too
    #: long_constants: whether it spells a constant with 17 digits, not with the fewest
    #: most_size: the greatest size that it counts to
    #: most_bound: the greatest bound of a number that is exact
    #: most_digits: the most digits of a bound behind its point; most_step: the greatest of a step
    """

    lengths: bool = True
    formats: Mapping[str, str] = {}
    takes: Callable[[str], bool] = bool
    many_patterns: bool = True
    lengths_beside: bool = True
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


class Whole(NamedTuple):
    """A type with its definitions, expressible and without notes.

    #: place: where it stands, for losses
    """

    type: Type
    names: Mapping[str, Type]
    place: Path = ()


#: Tells that something, at a place, is widened to something else.
Lose: TypeAlias = Callable[[Path, str, str], None]


def losing(losses: list[Loss], title: str) -> Lose:
    """Return what adds to *losses* what the engine *title* does not enforce."""

    def lose(at: Path, what: str, became: str) -> None:
        losses.append(Loss("widened", at, what, f"{title} does not enforce it", became))

    return lose


class Calls(NamedTuple):
    """What calls of tools are: the arguments of each, by its name, and how a call is spelt."""

    tools: Mapping[str, Whole]
    dialect: Dialect


class Written(NamedTuple):
    """What an engine takes: a text, or JSON data; and what it does not say."""

    syntax: Syntax
    grammar: Any
    losses: tuple[Loss, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """An engine; no part has a default, so that a type checker tells which one is missing.

    #: name: the name that `project` takes; title: the name in tables; source: where this is known
    #:     from, with the version that was tried
    #: syntax: the form of what it takes for an answer; calls: that for a text with calls
    #: enforces: what it holds a model to; style: how it spells schemas
    #: has_schemas: whether what it takes for texts with calls has JSON Schemas within
    #: of_answer: what it takes for an answer; of_tools: for a text with calls
    """

    name: EngineName
    title: str
    source: str
    syntax: Syntax
    calls: Syntax
    enforces: Enforced
    style: Style
    has_schemas: bool
    of_answer: Callable[[Engine, Whole], Written]
    of_tools: Callable[[Engine, Calls], Written]
