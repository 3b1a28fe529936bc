"""Readers that check and decode data of one type by a plan.

The plan reads values in which the check finds no error and no warning; any other value is left to
the checker and the decoder.  Classes whose constructors run user code make objects only from data
that conforms as a whole.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from typesig.algebra import nodes
from typesig.algebra.definitions import Definition
from typesig.algebra.rows.builtin import count_places
from typesig.extraction.onepass.read_plans import ReadPlanner
from typesig.extraction.python_types.decoders import Decode
from typesig.json_backends import UNREAD
from typesig.limits import MAX_FILLED, MAX_VALUES
from typesig.validation.plan.operations import Run
from typesig.validation.plan.read_leaves import TwoPassReader, ValueReader
from typesig.validation.policy import Policy

#: Reads a value, or raises.
Take = Callable[[Any], Any]

#: The policies that a contract has plans for.
_MOST_POLICIES = 8

#: The calls of a plan before source is compiled, which takes as long as many of them; the items of
#: lists count as calls.
_COLD_CALLS = 50


class ReadPlan:
    """The plan that reads data of one type under one policy.

    #: run: returns the object for a value; raises `Mismatch` or another exception for a value that
    #:     the check and the decoder have to see
    #: keeps: whether the object of each value is the value itself
    #: limit: how many values data may have that has lists within others, 0 if the plan counts them
    #: is_pure: whether it runs no function of others
    """

    __slots__ = ("_calls", "_is_compiled", "_operation", "is_pure", "keeps", "limit", "run")

    def __init__(self, operation: ValueReader, limit: int, is_pure: bool = True) -> None:
        self._operation = operation
        self._calls = 0
        self._is_compiled = False
        self.keeps = operation.keeps
        self.limit = limit
        self.is_pure = is_pure
        closure = operation.closure()

        def run_cold(value: Any) -> Any:
            # Of two threads that compile at the same time, either result is kept.
            self._calls += 1 + (len(value) if type(value) in (list, dict) else 0)
            if self._calls > _COLD_CALLS:
                return self.compile()(value)
            return closure(value)

        self.run: Run = run_cold

    def compile(self) -> Run:
        """Compile the plan if it has not been, and return the function."""
        if not self._is_compiled:
            self.run = self._operation.compile()
            self._is_compiled = True
        return self.run

    def read(self, value: Any, is_counted: bool = False) -> Any:
        """Read *value*; return `UNREAD` if it must be checked first.

        *is_counted* is whether it has at most `MAX_VALUES` values, each where it stands.
        """
        try:
            is_small = not self.limit or (is_counted and self.limit == MAX_VALUES)
            if not is_small and count_places(value) > self.limit:
                return UNREAD
            return self.run(value)
        except Exception:
            # The value does not conform, or a method of a part, or of a class, raises.
            return UNREAD


def make_read_plan(
    t: nodes.Type, definitions: tuple[Definition, ...], decode: Decode, policy: Policy
) -> ReadPlan:
    """Make the plan that reads data of *t* under *policy*, and decodes it by *decode*."""
    planner = ReadPlanner(t, definitions, policy)
    operation = planner.read(t, decode)
    if not planner.is_pure:
        operation = TwoPassReader(ReadPlanner(t, definitions, policy).read(t, None), operation)
    limit = MAX_FILLED // planner.filled if planner.filled else MAX_VALUES
    return ReadPlan(operation, 0 if planner.bound.is_flat else limit, planner.is_pure)


def make_plain_plan(t: nodes.Type, definitions: tuple[Definition, ...], policy: Policy) -> ReadPlan:
    """Make the plan that checks data of *t* under *policy* and returns its plain form."""
    planner = ReadPlanner(t, definitions, policy, is_plain=True)
    operation = planner.read(t, None)
    limit = MAX_FILLED // planner.filled if planner.filled else MAX_VALUES
    return ReadPlan(operation, 0 if planner.bound.is_flat else limit)


class PlanReader:
    """Reader of data of one type, which it checks and decodes in one pass."""

    __slots__ = ("_decode", "_definitions", "_plans", "_type")

    takes_text: Literal[False] = False

    def __init__(self, t: nodes.Type, definitions: tuple[Definition, ...], decode: Decode) -> None:
        self._type = t
        self._definitions = definitions
        self._decode = decode
        self._plans: dict[Policy, ReadPlan] = {}

    def find_plan(self, policy: Policy) -> ReadPlan | None:
        """Return the plan under *policy*; None if there are plans for many others."""
        plan = self._plans.get(policy)
        if plan is None and len(self._plans) < _MOST_POLICIES and not policy.verbose:
            # Of two threads that make it at the same time, either result is kept.
            plan = make_read_plan(self._type, self._definitions, self._decode, policy)
            self._plans[policy] = plan
        return plan

    def read(self, data: Any, policy: Policy, is_counted: bool = False) -> Any:
        """Check and decode *data*; return `UNREAD` if it must be checked first."""
        plan = self._plans.get(policy) or self.find_plan(policy)
        return UNREAD if plan is None else plan.read(data, is_counted)
