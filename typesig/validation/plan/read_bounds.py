"""Reading values within bounds."""

from __future__ import annotations

from typing import Any

from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.values import Kind
from typesig.validation.generated.conditions import limits_of
from typesig.validation.plan.operations import Mismatch, Run, Source
from typesig.validation.plan.read_leaves import ValueReader


class BoundsReader(ValueReader):
    """A value of *inner*, of one kind, that meets constraints.

    #: on_result: whether the result of *inner* has to meet them, and not the value
    """

    __slots__ = ("constraints", "inner", "keeps", "kind", "on_result")

    def __init__(
        self,
        inner: ValueReader,
        kind: Kind,
        constraints: tuple[Constraint, ...],
        on_result: bool = False,
    ) -> None:
        self.inner = inner
        self.kind = kind
        self.constraints = tuple([each for each in constraints if kind in each.row.kinds])
        self.on_result = on_result
        self.keeps = inner.keeps

    def closure(self) -> Run:
        """Return the reading with its tests."""
        inner, on_result = self.inner.closure(), self.on_result
        tests = [each.test() for each in self.constraints]

        def run(value: Any) -> Any:
            made = inner(value)
            part = made if on_result else value
            for test in tests:
                if not test(part):
                    raise Mismatch
            return made

        return run

    def emit(self, source: Source, var: str) -> str:
        """Add the reading, then the tests."""
        made = source.place(self.inner, var)
        if made != var:
            name = source.variable()
            source.add(f"{name} = {made}")
            made = name
        part = made if self.on_result else var
        for test in limits_of(self.kind, self.constraints, part, source.constants):
            source.refuse(test)
        return made
