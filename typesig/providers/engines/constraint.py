"""A constraint on a model's text in an engine's syntax, with a reader for the text."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from typesig.algebra.loss import Loss
from typesig.providers.engines.engine import Syntax
from typesig.providers.rows.provider import EngineName

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
