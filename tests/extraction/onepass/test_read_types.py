"""Plans of types and decode plans that few hints have: what they make is what the check makes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

import pytest
from pydantic import BaseModel, field_validator

import typesig
from tests.extraction.onepass.test_read_records import POLICY, apart, state
from typesig.algebra import nodes
from typesig.algebra.constructors import make_both, make_enum, make_not, make_one, make_union
from typesig.algebra.definitions import Definition
from typesig.algebra.rows.values import Keyword
from typesig.extraction.onepass.object_makers import find_defaults, is_pure, match_branches
from typesig.extraction.onepass.plan_reader import make_plain_plan, make_read_plan
from typesig.extraction.python_types import decoders
from typesig.extraction.python_types.decoders import Decode, HostError, LeafDecoder
from typesig.extraction.python_types.plan_decoder import decode_by_plan
from typesig.extraction.python_types.text_readers import find_parser
from typesig.json_backends import UNREAD
from typesig.validation.check.check import compile_checker
from typesig.validation.check_state import CheckState
from typesig.validation.plain_data import to_plain
from typesig.validation.policy import ENABLED, STRICT, Policy

RECORD = typesig.parse("() -> {a :int, b :datetime?}").returns
TUPLE = typesig.parse("() -> [:int, :string]").returns
DEFAULTS = typesig.parse(
    '() -> {a :int = 3, b [:int] = [], c {d :int = 1} = {}, e :string = "x"}'
).returns
WORDS = LeafDecoder(str.upper, True)
ITEMS = decoders.ItemsDecoder(None)
NAMED = (
    Definition("maybe", nodes.Maybe(nodes.INT)),
    Definition("tree", make_union([nodes.INT, nodes.List(nodes.Ref("tree"))])),
)

DATA: list[Any] = [
    None, 1, 2.5, "a", "1", "2026-01-31T10:00:00Z", [], [1], [1, "a"], ["a"], [[1], [[2]]], {"a": 1},
    {"a": "x"}, {}, {"b": [1]}, {"1": 2}, {"a": 1, "b": "2026-01-31T10:00:00+01:30"}, Keyword("k"),
    {"a": 1, "z": 2}, {"c": {}}, True, {"kind": "x", "n": 1}, {"kind": "y"}, {"n": 2},
]  # fmt: skip

TYPES: list[tuple[nodes.Type, Decode]] = [
    (make_one([nodes.INT, nodes.STRING]), None),
    (make_both([nodes.INT, make_not(make_enum([1]))]), None),
    (nodes.List(make_one([nodes.INT, nodes.FLOAT])), None),
    (nodes.KEYWORD, None),
    (make_enum([1.5, "a"]), None),
    (make_enum(["a"]), ITEMS),
    (TUPLE, ITEMS),
    (nodes.Tuple((nodes.INT,), nodes.FLOAT), None),
    (nodes.Set(nodes.ANY), None),
    (nodes.Set(nodes.List(nodes.INT)), None),
    (nodes.Set(nodes.INT), decoders.MapDecoder(None, None)),
    (nodes.MapOf(nodes.INT, nodes.INT), ITEMS),
    (nodes.MapOf(nodes.KEYWORD, nodes.INT), None),
    (nodes.MapOf(nodes.STRING, nodes.STRING), decoders.MapDecoder(WORDS, None)),
    (RECORD, ITEMS),
    (RECORD, None),
    (DEFAULTS, None),
    (nodes.List(nodes.INT), decoders.MapDecoder(None, None)),
    (nodes.Maybe(nodes.List(nodes.INT)), ITEMS),
    (make_union([nodes.INT, nodes.STRING]), ITEMS),
    (make_union([nodes.INT, nodes.Ref("maybe")]), None),
    (make_union([nodes.STRING, nodes.Ref("tree")]), None),
    (make_union([nodes.STRING, nodes.Ref("maybe")]), None),
    (make_union([nodes.STRING, make_not(nodes.INT)]), None),
    (nodes.Ref("tree"), None),
    (typesig.parse('() -> {kind :enum["x"], n :int} | {kind :enum["x", "y"], n :int?}').returns, None),
    (typesig.parse("() -> {a :int, ** :int} | {b [:int]}").returns, None),
    (typesig.parse("() -> {a :int}! | {a :int, b [:int]?}").returns, None),
]  # fmt: skip
POLICIES = [POLICY, ENABLED, STRICT, ENABLED.for_output(), Policy(extras="reject")]


def read_by_check(t: nodes.Type, decode: Decode, policy: Policy, value: Any) -> Any:
    """Return what the check and the decoder make of *value*; `UNREAD` if they say anything."""
    run = CheckState(5)
    made = compile_checker(t, NAMED, policy)(value, run)
    if run.found:
        return UNREAD
    try:
        return decode_by_plan(decode, made)
    except (HostError, TypeError, AttributeError):
        return UNREAD


@pytest.mark.parametrize("place", range(len(TYPES)))
@pytest.mark.parametrize("is_compiled", [False, pytest.param(True, marks=pytest.mark.generated)])
def test_any_type_is_read_as_by_the_check(place: int, is_compiled: bool) -> None:
    t, decode = TYPES[place]
    for policy in POLICIES:
        plan = make_read_plan(t, NAMED, decode, policy)
        plain = make_plain_plan(t, NAMED, policy)
        if is_compiled:
            plan.compile()
            plain.compile()
        for value in DATA:
            made, expected = plan.read(value), read_by_check(t, decode, policy, value)

            assert made is UNREAD or state(made) == state(expected)
            made, checked = plain.read(value), read_by_check(t, None, policy, value)
            assert made is UNREAD or state(made) == state(to_plain(checked))


def test_branches_are_matched_by_their_types() -> None:
    union = decoders.make_union(
        ((bool, WORDS), (bool, None)), None, None, (nodes.Maybe(nodes.STRING), nodes.INT)
    )
    twice = decoders.make_union(((bool, WORDS), (bool, None)), None, None, (nodes.INT, nodes.INT))
    nullable = decoders.make_union(
        ((bool, decoders.NullableDecoder(WORDS)), (bool, None)), None, None,
        (nodes.Maybe(nodes.STRING), nodes.INT),
    )  # fmt: skip

    assert [WORDS, None] == match_branches((nodes.STRING, nodes.INT), union)
    assert [None, WORDS] == match_branches((nodes.INT, nodes.STRING), nullable)
    assert match_branches((nodes.STRING, nodes.BOOL), union) is None
    assert match_branches((nodes.INT, nodes.STRING), twice) is None
    assert match_branches((nodes.INT, nodes.STRING), ITEMS) is None
    assert [None, None] == match_branches((nodes.INT, nodes.STRING), None)


def test_a_text_that_another_function_decodes_has_no_parser() -> None:
    t = nodes.Refinement(nodes.STRING, ())
    assert find_parser(t.constraints, str) is None
    contract = typesig.contract(date)
    constraints, decode = contract.signature.returns.constraints, contract._host.returns
    assert find_parser(constraints, decode.make) is not None
    assert find_parser(constraints, str) is None
    assert find_parser(constraints, type(decode.make)(str, "x")) is None


class Model(BaseModel):
    n: int
    note: str | None = None


class Validated(BaseModel):
    n: int

    @field_validator("n")
    @classmethod
    def keep(cls, n: int) -> int:
        return n + 1


@dataclass
class Holder:
    models: list[Model]
    model: Model | None = None
    others: list[date] = None  # type: ignore[assignment]


@dataclass
class Node:
    model: Validated
    inner: list[Node]


@dataclass
class First:
    kind: Literal["x"]


@dataclass
class Second:
    kind: Literal["x", "y"]
    n: int


HINTS: list[tuple[Any, list[Any]]] = [
    (Holder, [{"models": [{"n": 1}], "model": {"n": 2}, "others": ["2026-01-31"]}, {"models": []},
              {"models": [{"n": "1"}]}, {"models": [{"n": 1, "note": None}], "model": {"n": "2"}}, {"models": [{"n": 1}], "others": None}]),
    (dict[str, Validated], [{"a": {"n": 1}}, {"a": {"n": "x"}}]),
    (Model | Validated, [{"n": 1}]),
    (Node, [{"model": {"n": 1}, "inner": [{"model": {"n": 1}, "inner": []}]}]),
    (First | Second, [{"kind": "x"}, {"kind": "x", "n": 1}, {"kind": "y", "n": 1}, {"kind": "z"}]),
    (list[datetime], [["2026-01-31T10:00:00+01:30", "2026-01-31T10:00:00.5Z"]]),
    (tuple[datetime, dict[int, set[str]]], [["2026-01-31T10:00:00Z", {"1": ["a", "b"]}]]),
]  # fmt: skip


@pytest.mark.parametrize(("hint", "samples"), HINTS, ids=lambda each: str(each)[:30])
def test_models_within_other_data_are_read_as_by_the_check(hint: Any, samples: list[Any]) -> None:
    contract = typesig.contract(hint, recursive=True)
    for data in samples:
        with apart():
            outcome = contract._with_mode("enabled").read(data)
            expected = outcome.errors, outcome.ok and (state(outcome.result), outcome.value)
        for _ in range(3):
            outcome = contract.read(data)

            assert expected == (
                outcome.errors,
                outcome.ok and (state(outcome.result), outcome.value),
            )


def test_decode_plans_that_run_functions_of_others_are_known() -> None:
    parts = (decoders.FieldPlan("n", "n", None, False),)
    lazy = decoders.LazyDecoder({"x": ITEMS}, "x")

    assert is_pure(decoders.TupleDecoder((None, WORDS), tuple, lazy))
    assert is_pure(decoders.MapDecoder(WORDS, lazy, dict))
    assert is_pure(decoders.UnionDecoder(((bool, lazy), (bool, WORDS))))
    assert is_pure(decoders.RecordDecoder(parts, None))
    assert not is_pure(LeafDecoder(lambda value: value))
    assert not is_pure(decoders.ItemsDecoder(None, lambda value: value))
    assert not is_pure(decoders.MapDecoder(None, None, lambda value: value))
    assert not is_pure(decoders.RecordDecoder(parts, Validated))
    assert not is_pure(decoders.RecordDecoder(parts, decoders.DictFactory(dict)))
    assert find_defaults(lambda n: n) is None
