"""Methods of `Signature` that use packages below the algebra, loaded on first use.

A toolset asks here, too, for what is made of several tools.

No other module imports against the order of rooms.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
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
    from typesig.validation.policy import ModeName as ModeName
    from typesig.validation.policy import Policy as Policy
    from typesig.validation.verdicts import CheckCache as CheckCache


def find_default_flaw(t: Type, default: Const, definitions: tuple[Definition, ...]) -> str:
    """Return the reason why *default* does not fit *t*, or an empty text if it fits."""
    from typesig.validation.verdicts import find_default_error

    return find_default_error(t, default, definitions)


def _import_lazily(module: str) -> Callable[[], Any]:
    """Build a function that imports *module* once: an import takes as long as a small check."""
    return cache(partial(import_module, f"typesig.{module}"))


#: The room that reads and writes notations, the writer of shorthand, and that of JSON Schemas.
notations = _import_lazily("notations")
shorthand = _import_lazily("notations.shorthand.writer")
schemas = _import_lazily("notations.json_schema.writer")
#: What rich and notebooks show.
markup = _import_lazily("validation.outcome.outcome_markup")
#: The module of the checks.
verdicts = _import_lazily("validation.verdicts")
#: What finds which tool feeds which, what checks pipelines, and the tools that programs call.
chaining = _import_lazily("contracts.chains.link_finder")
pipelines = _import_lazily("contracts.chains.link_finder")
programs = _import_lazily("programs.code")
