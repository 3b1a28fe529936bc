"""Readers that check and decode data of one type by a plan.

The plan reads values in which the check finds no error and no warning; any other value is left to
the checker and the decoder.  Classes whose constructors run user code make objects only from data
that conforms as a whole.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from typesig.algebra import nodes
from typesig.algebra.definitions import Definition
from typesig.algebra.rows.builtin import count_places
from typesig.extraction.onepass.read_plans import ReadPlanner
from typesig.extraction.python_types.decoders import Decode
from typesig.json_backends import UNREAD
from typesig.limits import MAX_FILLED, MAX_VALUES
from typesig.validation.plan.operations import Run
from typesig.validation.plan.read_leaves import ResultReader, TwoPassReader, ValueReader
from typesig.validation.plan.read_lists import ListReader
from typesig.validation.plan.read_records import ObjectMaker, RecordReader
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
    #: operation: reads a value
    #: keeps: whether the object of each value is the value itself
    #: limit: how many values data may have that has lists within others, 0 if the plan counts them
    #: is_pure: whether it runs no function of others
    """

    __slots__ = ("_calls", "_is_compiled", "is_pure", "keeps", "limit", "operation", "run")

    def __init__(self, operation: ValueReader, limit: int, is_pure: bool = True) -> None:
        self.operation = operation
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
            self.run = self.operation.compile()
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
    t: nodes.Type,
    definitions: tuple[Definition, ...],
    decode: Decode,
    policy: Policy,
    hands_over: bool = True,
) -> ReadPlan:
    """Make the plan that reads data of *t* under *policy*, and decodes it by *decode*.

    *hands_over* is whether pydantic makes models.
    """
    planner = ReadPlanner(t, definitions, policy, hands_over=hands_over)
    operation = planner.read(t, decode)
    limit = MAX_FILLED // planner.filled if planner.filled else MAX_VALUES
    is_pure, bound = planner.is_pure, planner.bound
    if not is_pure:
        last = _make_last(operation) if planner.is_pure_below else None
        operation = last or TwoPassReader(planner.read(t, None), operation)
    return ReadPlan(operation, 0 if bound.is_flat else limit, is_pure)


def _make_last(operation: ValueReader) -> ValueReader | None:
    """Return *operation* if it makes its objects when all data has been checked; None for another.

    It makes an object, or a list of objects, of the whole data; parts run no function of others.
    """
    match operation:
        case RecordReader(maker=ObjectMaker()):
            return operation
        case ListReader(item=RecordReader(fields=fields, maker=ObjectMaker() as maker), build=None):
            rows = RecordReader(fields, ObjectMaker(_return_made, takes_dict=True))
            build = maker.build if maker.takes_dict else partial(_build_by_name, maker.build)
            return ResultReader(ListReader(rows, None, operation.most), partial(_map, build))
        case _:
            return None


def _return_made(made: dict[str, Any]) -> dict[str, Any]:
    """Return the values of the fields of an object that is made later."""
    return made


def _build_by_name(build: Callable[..., Any], made: dict[str, Any]) -> Any:
    """Make an object of the values of its fields."""
    return build(**made)


def _map(build: Callable[[Any], Any], made: list[Any]) -> list[Any]:
    """Return the object that *build* makes of each item."""
    return [*map(build, made)]


def make_plain_plan(t: nodes.Type, definitions: tuple[Definition, ...], policy: Policy) -> ReadPlan:
    """Make the plan that checks data of *t* under *policy* and returns its plain form."""
    planner = ReadPlanner(t, definitions, policy, is_plain=True)
    operation = planner.read(t, None)
    limit = MAX_FILLED // planner.filled if planner.filled else MAX_VALUES
    return ReadPlan(operation, 0 if planner.bound.is_flat else limit)


class PlanReader:
    """Reader of data of one type, which it checks and decodes in one pass."""

    __slots__ = ("_decode", "_definitions", "_hands_over", "_plans", "_type")

    takes_text: Literal[False] = False

    def __init__(
        self,
        t: nodes.Type,
        definitions: tuple[Definition, ...],
        decode: Decode,
        hands_over: bool = True,
    ) -> None:
        """*hands_over* is whether pydantic makes models."""
        self._hands_over = hands_over
        self._type = t
        self._definitions = definitions
        self._decode = decode
        self._plans: dict[Policy, ReadPlan] = {}

    def find_plan(self, policy: Policy) -> ReadPlan | None:
        """Return the plan under *policy*; None if there are plans for many others."""
        plan = self._plans.get(policy)
        if plan is None and len(self._plans) < _MOST_POLICIES and not policy.verbose:
            # Of two threads that make it at the same time, either result is kept.
            parts = self._type, self._definitions, self._decode
            plan = make_read_plan(*parts, policy, self._hands_over)
            self._plans[policy] = plan
        return plan

    def read(self, data: Any, policy: Policy, is_counted: bool = False) -> Any:
        """Check and decode *data*; return `UNREAD` if it must be checked first."""
        plan = self._plans.get(policy) or self.find_plan(policy)
        return UNREAD if plan is None else plan.read(data, is_counted)
