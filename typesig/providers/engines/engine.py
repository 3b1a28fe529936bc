"""An engine of constrained decoding: one row with all that the library knows of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from typesig.algebra.loss import Loss
from typesig.algebra.nodes import Type
from typesig.notations.json_schema.writing.writer import Style
from typesig.providers.dialects.dialect import Dialect
from typesig.providers.engines.enforced import Enforced
from typesig.providers.rows.provider import EngineName

#: The forms in which engines take what a model may write.
Syntax: TypeAlias = Literal["json_schema", "structural_tag", "lark", "regex", "gbnf"]


class Whole(NamedTuple):
    """A type with its definitions, expressible and without notes.

    #: place: where it stands, for losses
    """

    type: Type
    names: Mapping[str, Type]
    place: tuple[str, ...] = ()


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
