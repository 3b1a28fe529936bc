"""Functions of a module whose own names are other ones than those of the module."""

from __future__ import annotations

import random
import sys
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


OTHER = """
import functools

def helper(a: int, b: int = 2) -> int:
    return a + b

def make():
    def inner(q: str) -> str:
        return q
    return inner

def _wrap(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs)
    return wrapper

class Client:
    def get(self, id: int) -> int:
        return id

short = lambda: 3
made = make()
wrapped = _wrap(helper)
get = Client().get
shared = functools.partial(helper, b=3)
"""

HELD = {
    "part": ("functools.partial(other_shop.helper, b=5)", "a partial of a function of another"),
    "twice": (
        "functools.partial(functools.partial(other_shop.helper), b=5)",
        "a partial of a function of another",
    ),
    "text": ("functools.partial(json.dumps, indent=2)", "a partial of a function of another"),
    "shared": ("other_shop.shared", "a partial of a function of another"),
    "bound": ("other_shop.Client().get", "a bound method of a class of another"),
    "variable": ("os.environ.get", "a bound method of a class of another"),
    "short": ("other_shop.short", "a lambda of another"),
    "brief": ("other_shop.short", "a lambda of another"),
    "search": ("other_shop.make()", "a function that another module made"),
}


@pytest.fixture
def other(monkeypatch: pytest.MonkeyPatch) -> Any:
    made = types.ModuleType("other_shop")
    exec(OTHER, made.__dict__)
    monkeypatch.setitem(sys.modules, "other_shop", made)
    return made


FINE = "import functools, json, os, other_shop\ndef fine(a: int) -> int: ...\n"


@pytest.mark.parametrize("name", HELD)
def test_what_is_made_of_another_modules_functions_is_listed_as_left_out(
    name: str, other: Any
) -> None:
    text, kind = HELD[name]
    held = module(f"{FINE}{name} = {text}\n_private = {text}\n")
    tools = tools_of(held, True)

    assert ("fine",) == tools.names
    [warning] = tools.warnings
    assert f"shop_of_names.{name}" == warning.place
    assert kind in warning.reason
    assert "so it is left out" in warning.reason
    assert ("fine",) == tools_of(module(f"{FINE}__all__ = ['fine']\n{name} = {text}\n"), True).names
    assert () == tools_of(module(f"{FINE}__all__ = ['fine']\n{name} = {text}\n"), True).warnings
    assert "fine" in tools_of(held, "inferred").names


def test_what_a_module_exports_by_name_is_a_tool(other: Any) -> None:
    text = "import functools, other_shop\n__all__ = ['part', 'bound', 'search']\n"
    for name in ("part", "bound", "search"):
        text += f"{name} = {HELD[name][0]}\n"

    tools = tools_of(module(text), True)
    assert (("part", "bound", "search"), ()) == (tools.names, tools.warnings)


@pytest.mark.parametrize(
    "text",
    [
        "from other_shop import helper, made, wrapped, get",
        "import other_shop as it; h = it.helper; wrapped = it.wrapped",
        "from math import sqrt; from os.path import join; from random import randint",
        "add = [].append; upper = 'a'.upper; n = 3; cls = functools.partial",
    ],
)
def test_plain_imports_are_not_listed(text: str, other: Any) -> None:
    tools = tools_of(module(f"{FINE}{text}\n"), True)

    assert (("fine",), ()) == (tools.names, tools.warnings)
    assert isinstance(random.randint, types.MethodType)


def test_what_a_module_holds_is_not_listed_if_only_tools_are_wanted(other: Any) -> None:
    text = f"{FINE}from typesig import tool\nfine = tool(fine)\npart = {HELD['part'][0]}\n"

    assert () == tools_of(module(text)).warnings


def test_a_bound_callable_object_is_listed(other: Any) -> None:
    class Run:
        def __call__(self, held: Any) -> None: ...

    held = module(FINE)
    held.run = types.MethodType(Run(), 3)
    held.run.__func__.__module__ = "other_shop"

    [warning] = tools_of(held, True).warnings
    assert "shop_of_names.run" == warning.place
