"""A plain function is read without `inspect`, with the same result as any other callable."""

from __future__ import annotations

import functools
import inspect
import json
import shutil
import sys
import textwrap
import types

import pytest

from typesig.calls.functions import is_coroutine_function
from typesig.calls.running import is_awaitable
from typesig.extraction.callables import callables
from typesig.extraction.callables.callables import read_callee
from typesig.extraction.callables.parameters import (
    EMPTY,
    Param,
    read_function_parts,
    read_signature,
)
from typesig.notations.json_schema.writer import annotate_schema


def every(a, b: int, /, c, d: str = "x", *e: float, f, g: bool = True, **h: int) -> list[int]:
    """Take each kind of parameter."""


def nothing():
    pass


def named(*, a: int, b=None):
    pass


class Owner:
    def method(self, a: int = 1) -> int:
        """Be a method."""

    def cls(cls, a):  # noqa: N805 - no class method, but its parameter is called so
        pass

    @staticmethod
    def fixed(self, a):
        pass


def local():
    def inner(a: int):
        return a

    return inner


lambda_: object = lambda a, b=2: a  # noqa: E731

FUNCTIONS = [every, nothing, named, Owner.method, Owner.cls, Owner.fixed, local(), lambda_]
MODULES = (inspect, json, shutil, textwrap, functools)
FUNCTIONS += [
    each
    for module in MODULES
    for each in vars(module).values()
    if type(each) is types.FunctionType and each.__module__ == module.__name__
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__qualname__)
def test_a_plain_function_is_read_as_any_callable(function, monkeypatch):
    found = read_callee(function)
    monkeypatch.setattr(callables, "_is_plain", lambda target: False)
    expected = read_callee(function)

    assert expected.scope.module is found.scope.module
    assert [s for s in expected.scope.spaces if s] == [s for s in found.scope.spaces if s]
    assert expected._replace(scope=found.scope) == found


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="annotations are read by a library")
@pytest.mark.parametrize("function", FUNCTIONS[:8], ids=lambda each: each.__qualname__)
def test_the_parameters_of_a_plain_function_are_those_of_its_signature(function):
    expected = read_signature(inspect.signature(function))

    params, returns = read_function_parts(function)

    assert (tuple(expected.params.values()), expected.returns) == (params, returns)


def test_a_parameter_without_a_hint_may_have_the_mark_of_inspect():
    """As in functions that code makes from the signatures of others."""

    def made(a, b=1, *, c=2): ...

    empty = inspect.Parameter.empty
    made.__annotations__ = {"a": empty, "b": int, "return": empty}
    made.__defaults__ = (empty,)

    found = read_callee(made)

    kind, key = "POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY"
    assert (Param("a", kind), Param("b", kind, EMPTY, int), Param("c", key, 2)) == found.params
    assert EMPTY is found.returns
    made.__kwdefaults__ = {"c": empty}
    assert Param("c", key) == read_callee(made).params[2]


def test_a_function_is_read_where_nothing_has_imported_inspect(monkeypatch):
    with monkeypatch.context() as patched:
        patched.delitem(sys.modules, "inspect")
        found = read_callee(every)

    assert read_callee(every).params == found.params


async def coroutine():
    pass


async def generator():
    yield


def marked():
    pass


if sys.version_info >= (3, 12):
    inspect.markcoroutinefunction(marked)


class Awaited:
    async def __call__(self):
        pass


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (every, False), (coroutine, True), (generator, False), (local, False), (len, False),
        (marked, sys.version_info >= (3, 12)), (functools.partial(coroutine), True),
        (functools.partial(every), False), (Awaited(), True), (Awaited().__call__, True),
        (dict, False),
    ],
)  # fmt: skip
def test_a_coroutine_function_is_known_as_inspect_knows_it(function, expected):
    assert expected == is_coroutine_function(function)
    assert expected == (inspect.iscoroutinefunction(function) or type(function) is Awaited)


class Future:
    def __await__(self):
        yield


@types.coroutine
def iterated():
    yield


@pytest.mark.parametrize(
    "make", [int, dict, coroutine, generator, iterated, local, lambda: iter(()), Future]
)
def test_a_value_is_awaitable_if_inspect_says_so(make):
    value = make()
    assert inspect.isawaitable(value) == is_awaitable(value)
    if inspect.iscoroutine(value):
        value.close()


def test_whether_a_wrapped_function_receives_its_class_may_be_told():
    @functools.wraps(every)
    def wrapper(*args, **kwargs):
        return every(*args, **kwargs)

    assert ["a", "b"] == [p.name for p in read_callee(wrapper).params[:2]]
    assert ["b", "c"] == [p.name for p in read_callee(classmethod(wrapper)).params[:2]]
    assert ["a", "b"] == [p.name for p in read_callee(staticmethod(wrapper)).params[:2]]


def test_a_schema_without_words_stays_as_it_is():
    assert {"type": "string"} == annotate_schema({"type": "string"}, None, None)
