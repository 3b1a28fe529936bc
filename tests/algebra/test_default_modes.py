"""A mode that is given once: to a tool, a toolset or a contract, for every later call or reading."""

from __future__ import annotations

import asyncio
import io
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import typesig
from tests.generators import LAW
from typesig import Policy, Toolset, TypesigError, contract, tool, tools_of
from typesig.validation.coercions import COERCIONS
from typesig.validation.policy import ENABLED, MODES, STRICT

SENT = {"n": "3"}
REJECTING = Policy(extras="reject")


@tool
def plain(n: int) -> int:
    return n


@tool(mode="strict")
def strict(n: int) -> int:
    return n


@tool(mode="enabled")
def enabled(n: int) -> int:
    return n


@tool(mode=REJECTING)
def rejecting(n: int) -> int:
    return n


class Shop:
    @tool(mode="strict")
    def buy(self, n: int) -> int:
        return n


@dataclass
class Point:
    x: int


def ran(call: Callable[..., Any], *arguments: Any, **options: Any) -> bool:
    return bool(call(*arguments, **options).ok)


def test_a_call_without_a_mode_takes_that_of_the_tool() -> None:
    assert [True, False, True] == [ran(one.call, SENT) for one in (plain, strict, enabled)]
    assert not ran(Shop().buy.call, SENT)
    assert not asyncio.run(Shop().buy.acall(SENT)).ok
    assert not ran(rejecting.call, {"n": 3, "x": 1})


def test_a_mode_of_a_call_comes_before_that_of_the_tool() -> None:
    assert ran(strict.call, SENT, mode="enabled")
    assert asyncio.run(strict.acall(SENT, mode=ENABLED)).ok
    assert not ran(plain.call, SENT, mode="strict")


def test_a_toolset_has_a_mode_for_the_tools_that_have_none() -> None:
    tools = tools_of([plain, strict, enabled], mode="strict")

    assert [False, False, True] == [ran(tools.call, name, SENT) for name in tools.names]
    assert [True, True, True] == [ran(tools.call, n, SENT, mode="enabled") for n in tools.names]
    assert not asyncio.run(tools.acall("plain", SENT)).ok
    lax = tools_of([plain, strict], mode="enabled")
    assert [True, False] == [ran(lax.call, name, SENT) for name in lax.names]


def test_a_toolset_leaves_its_tools_as_they_are() -> None:
    tools = tools_of([plain], mode="strict")

    assert plain is tools["plain"]
    assert plain.mode is None
    assert ran(tools["plain"].call, SENT)


def test_what_is_made_of_a_toolset_keeps_its_mode() -> None:
    tools = tools_of([plain], mode="strict")

    assert not ran(tools.prefixed("x_").call, "x_plain", SENT)
    assert not ran(tools.select("plain").call, "plain", SENT)
    assert not ran(tools_of(tools).call, "plain", SENT)
    assert ran(tools_of(tools, mode="enabled").call, "plain", SENT)
    assert not ran(Toolset([plain], mode="strict").call, "plain", SENT)


def test_the_sum_of_two_toolsets_keeps_the_mode_of_each() -> None:
    one = tools_of([plain], mode="strict")
    two = tools_of([plain]).prefixed("b_")
    for both in (one + two, two + one):
        assert not ran(both.call, "plain", SENT)
        assert ran(both.call, "b_plain", SENT)


@pytest.mark.parametrize("hint", [list[int], ":int", "() -> [:int]", plain, Point, int | None])
def test_a_reading_without_a_mode_takes_that_of_the_contract(hint: Any) -> None:
    for text in ('["3"]', '"3"', '{"x": "3"}'):
        strictly = contract(hint).read(text, mode="strict")
        usually = contract(hint).read(text)

        assert repr(strictly) == repr(contract(hint, mode="strict").read(text))
        assert repr(usually) == repr(contract(hint, mode="strict").read(text, mode="enabled"))


def test_a_contract_of_a_contract_has_the_new_mode() -> None:
    answer = contract(list[int], mode="strict")

    assert answer is contract(answer)
    assert ran(contract(answer, mode="enabled").read, '["3"]')
    assert not ran(answer.read, '["3"]')


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (plain, "<tool plain(n :int) -> :int>"),
        (enabled, "<tool enabled(n :int) -> :int>"),
        (strict, "<tool strict(n :int) -> :int mode='strict'>"),
        (Shop().buy, "<tool buy(n :int) -> :int mode='strict'>"),
        (rejecting, "<tool rejecting(n :int) -> :int mode=Policy(extras='reject')>"),
        (tools_of([plain]), "Toolset(plain)"),
        (tools_of([plain], mode="enabled"), "Toolset(plain)"),
        (tools_of([plain, enabled], mode="strict"), "Toolset(plain mode='strict', enabled mode='strict')"),
        (contract(int), "<contract :int>"),
        (contract(int, mode=Policy()), "<contract :int>"),
        (contract(int, mode="warn_only"), "<contract :int mode='warn_only'>"),
    ],
)  # fmt: skip
def test_the_repr_shows_a_mode_that_is_not_the_usual_one(value: Any, expected: str) -> None:
    assert expected == repr(value)


def test_rich_shows_modes() -> None:
    out = io.StringIO()
    console = Console(file=out, width=1000, color_system=None)
    for value in (strict, tools_of([plain], mode="strict"), contract(int, mode="strict")):
        console.print(value)

    assert [
        "Tool('strict', signature='(n :int) -> :int', mode='strict')",
        "Toolset(Tool('plain', signature='(n :int) -> :int'), modes={'plain': 'strict'})",
        "Contract(':int', mode='strict')",
    ] == out.getvalue().splitlines()


@pytest.mark.parametrize(
    "value",
    [
        strict,
        Shop().buy,
        tools_of([plain, strict], mode="strict"),
        tools_of([plain], mode=REJECTING),
        contract(int, mode="strict"),
        contract(Point, mode=REJECTING),
        contract("{a :int}", mode="strict"),
        contract(plain, mode="strict"),
    ],
    ids=repr,
)
def test_a_mode_is_pickled(value: Any) -> None:
    assert repr(value) == repr(pickle.loads(pickle.dumps(value)))


def test_a_contract_is_pickled_with_its_hint_and_options() -> None:
    answer = pickle.loads(pickle.dumps(contract(Point, optional="exact", mode="strict")))

    assert Point(3) == answer.read('{"x": 3}').result
    assert not ran(answer.read, '{"x": "3"}')
    assert repr(contract(":int")) == repr(pickle.loads(pickle.dumps(contract(":int"))))


@pytest.mark.parametrize(
    "make",
    [
        lambda mode: tool(mode=mode)(plain.__wrapped__),
        lambda mode: tools_of([plain], mode=mode),
        lambda mode: Toolset([], mode=mode),
        lambda mode: contract(int, mode=mode),
    ],
)
@pytest.mark.parametrize("mode", ["lax", 3, ["strict"]])
def test_an_unknown_mode_is_refused_at_once(make: Callable[[Any], Any], mode: Any) -> None:
    with pytest.raises(TypesigError) as raised:
        make(mode)

    assert (
        f"there is no mode {mode!r}; there are enabled, lenient, warn_only, strict, json, disabled"
        == str(raised.value)
    )


def test_the_mode_of_a_tool_cannot_be_changed() -> None:
    with pytest.raises(AttributeError, match="a tool's mode cannot be changed: make another tool"):
        strict.mode = "enabled"


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (Policy(), "Policy()"),
        (REJECTING, "Policy(extras='reject')"),
        (STRICT, "Policy(coercions=[], extras='reject', repairs=[])"),
        (Policy(["int_from_string"]), "Policy(coercions=['int_from_string'])"),
        (Policy(on_issue="warn", max_issues=3), "Policy(on_issue='warn', max_issues=3)"),
    ],
)
def test_the_repr_of_a_policy_shows_what_is_not_usual(policy: Policy, expected: str) -> None:
    assert expected == repr(policy)


@LAW
@given(st.lists(st.sampled_from(sorted(COERCIONS))), st.sampled_from(sorted(MODES)))
def test_the_repr_of_a_policy_evaluates_to_it(ids: Any, mode: Any) -> None:
    policy = MODES[mode].changed(coercions=ids)

    assert policy == eval(repr(policy))


def test_lenient_guesses_what_people_commonly_want_and_warns() -> None:
    s = typesig.parse('(n :int, level :enum["low" "high"]) -> :any')
    sent = {"n": 4.0, "level": "LOW"}
    read = s.validate_input(sent, "lenient")

    assert not s.validate_input(sent).ok
    assert {"n": 4, "level": "low"} == read.result
    assert ["int_from_whole_float", "enum_ignoring_case"] == [w.rule for w in read.warnings]
