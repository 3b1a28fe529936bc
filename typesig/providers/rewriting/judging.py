"""Which values conform to a type, for codecs that have to tell the members of a union apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typesig.algebra.nodes import Type
from typesig.providers.rows.codecs import Accepts
from typesig.validation.check.check import Compiler
from typesig.validation.rows.policy import ENABLED
from typesig.validation.rows.run import Run

_POLICY = ENABLED.for_output()


class Judge:
    """Makes tests of types that share definitions.

    #: names: the definitions, which may be completed until a test is first used
    """

    def __init__(self, names: Mapping[str, Type]) -> None:
        self.names = dict(names)
        self._compiler: Compiler | None = None

    def accepts(self, t: Type) -> Accepts:
        """Return the test of whether a value conforms to *t*, compiled when it is first used."""
        made: list[Any] = []

        def test(value: Any) -> bool:
            if not made:
                if self._compiler is None:
                    self._compiler = Compiler(self.names, _POLICY)
                made.append(self._compiler.checker(t))
            run = Run(1)
            made[0](value, run)
            return not run.errors

        return test
