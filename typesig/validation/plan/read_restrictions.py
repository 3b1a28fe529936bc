"""Reading values that are restricted: constants, and values within bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.values import Kind
from typesig.validation.generated.conditions import limits_of
from typesig.validation.plan.operations import Mismatch, Run, Source
from typesig.validation.plan.read_leaves import ValueReader


class MemberReader(ValueReader):
    """One of several constants, told apart by class and value.

    #: members: what a constant becomes, by its class and its value
    """

    __slots__ = ("keeps", "members")

    def __init__(self, members: Mapping[type, Mapping[Any, Any]], keeps: bool) -> None:
        self.members = members
        self.keeps = keeps

    def closure(self) -> Run:
        """Return the look-up."""
        members = self.members
        if len(members) == 1:
            (only, known) = next(iter(members.items()))

            def run(value: Any) -> Any:
                if type(value) is only and (made := known.get(value, known)) is not known:
                    return made
                raise Mismatch

            return run

        def find(value: Any) -> Any:
            known = members.get(type(value))
            if known is not None and (made := known.get(value, known)) is not known:
                return made
            raise Mismatch

        return find

    def emit(self, source: Source, var: str) -> str:
        """Add the look-up of the member."""
        if len(self.members) > 1:
            return super().emit(source, var)
        (only, known) = next(iter(self.members.items()))
        bind = source.constants.bind
        source.refuse(f"type({var}) is not {bind(only)}")
        if self.keeps:
            constants = [*known]
            test = f"!= {bind(constants[0])}" if len(constants) == 1 else f"not in {bind(known)}"
            source.refuse(f"{var} {test}")
            return var
        made, table = source.variable(), bind(known)
        source.add(f"{made} = {table}.get({var}, {table})")
        source.refuse(f"{made} is {table}")
        return made


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
        self.kind: Kind = kind
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
