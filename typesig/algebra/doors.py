"""The doors of the algebra: what `Signature` asks of rooms below, which are loaded when it asks.

A toolset asks here, too, for what is made of several tools.

No other module imports against the order of rooms.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import Type
from typesig.algebra.rows.values import Const

if TYPE_CHECKING:
    from typesig.contracts.chains.links import Chain as Chain
    from typesig.contracts.chains.links import Pipeline as Pipeline
    from typesig.notations.texts.notation import NotationName as NotationName
    from typesig.programs.code import Code as Code
    from typesig.programs.code import CodeStyle as CodeStyle
    from typesig.programs.runner import Runner as Runner
    from typesig.validation.issues.ledger import Ledger as Ledger
    from typesig.validation.outcome.outcome import Outcome as Outcome
    from typesig.validation.rows.policy import ModeName as ModeName
    from typesig.validation.rows.policy import Policy as Policy
    from typesig.validation.verdicts import Judges as Judges


def flaw_of_default(t: Type, default: Const, definitions: tuple[Definition, ...]) -> str:
    """Return why *default* does not fit *t*, or an empty text."""
    from typesig.validation.verdicts import flaw_of_default

    return flaw_of_default(t, default, definitions)


def notations() -> Any:
    """Return the room that reads and writes notations."""
    from typesig import notations

    return notations


def shorthand() -> Any:
    """Return the writer of shorthand."""
    from typesig.notations.shorthand import writer

    return writer


def schemas() -> Any:
    """Return the writer of JSON Schemas."""
    from typesig.notations.json_schema.writing import rendering

    return rendering


def markup() -> Any:
    """Return what rich and notebooks show."""
    from typesig.validation.outcome import outcome_markup

    return outcome_markup


@cache
def verdicts() -> Any:
    """Return the module of the checks, found once: an import takes as long as a small check."""
    from typesig.validation import verdicts

    return verdicts


def chaining() -> Any:
    """Return the module that finds which tool feeds which."""
    from typesig.contracts.chains import chaining

    return chaining


def pipelines() -> Any:
    """Return the module that checks pipelines of tools."""
    from typesig.contracts.chains import pipelines

    return pipelines


def programs() -> Any:
    """Return the module of tools that programs call."""
    from typesig.programs import code

    return code
