"""Functions of a module whose own names are other ones than those of the module."""

from __future__ import annotations

import types
from typing import Any

import pytest

from typesig import tools_of

SHOP = """
import functools
from typesig import tool

def _make():
    def inner(q: str) -> str:
        return q
    return inner

search, other = _make(), _make()

def fine(a: int, b: int = 2) -> int:
    return a + b

def _wrap(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs)
    return wrapper

again = _wrap(fine)
part = functools.partial(fine, b=5)
short = lambda: 3

class _Client:
    def get(self, id: int) -> int:
        return id

get = _Client().get
same = fine
"""


def module(text: str) -> Any:
    made = types.ModuleType("shop_of_names")
    exec(text, made.__dict__)
    return made


def test_tools_have_the_names_of_the_module() -> None:
    tools = tools_of(module(SHOP), True)

    assert ("search", "other", "fine", "again", "part", "short", "get") == tools.names
    assert 6 == tools["part"].call({"a": 1}).result
    assert 7 == tools["get"].call({"id": "7"}).result
    assert [3, "q"] == [tools["short"].call({}).result, tools["other"].call({"q": "q"}).result]


def test_what_no_tool_can_be_made_of_is_listed() -> None:
    tools = tools_of(module("f = lambda x: x\ndef g(a: int) -> int: ...\n"), True)

    assert ("g",) == tools.names
    assert 1 == len(tools.warnings)
    assert "left out" in str(tools.warnings[0])


@pytest.mark.parametrize("undecorated", [True, False])
def test_a_second_tool_of_a_name_is_left_out_with_a_warning(undecorated: bool) -> None:
    text = """
from typesig import tool
def _make():
    @tool
    def inner(q: str) -> str:
        return q
    return inner
a, b = _make(), _make()
"""
    tools = tools_of(module(text), undecorated)

    assert ("inner",) == tools.names
    assert ["another tool is called inner, so it is left out; rename one with @tool(name=…)"] == [
        str(each) for each in tools.warnings
    ]
