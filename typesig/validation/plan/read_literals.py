"""Reading constants: enums and literals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
