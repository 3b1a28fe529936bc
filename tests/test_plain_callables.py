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

from typesig.extraction import callables
from typesig.extraction.callables import callee_of
from typesig.notations.json_schema.writer import noted_schema


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
    found = callee_of(function)
    monkeypatch.setattr(callables, "_is_plain", lambda target: False)
    expected = callee_of(function)

    assert expected.scope.module is found.scope.module
    assert [s for s in expected.scope.spaces if s] == [s for s in found.scope.spaces if s]
    assert parts_of(expected.params) == parts_of(found.params)
    assert expected._replace(scope=found.scope, params=found.params) == found


def parts_of(params):
    return [(p.name, p.kind, p.default, p.annotation) for p in params]


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="annotations are read by a library")
@pytest.mark.parametrize("function", FUNCTIONS[:8], ids=lambda each: each.__qualname__)
def test_the_parameters_of_a_plain_function_are_those_of_its_signature(function):
    signature = inspect.signature(function)

    params, returns = callables._parts_of(function)

    assert parts_of(signature.parameters.values()) == parts_of(params)
    assert signature.return_annotation is returns


def test_whether_a_wrapped_function_receives_its_class_may_be_told():
    @functools.wraps(every)
    def wrapper(*args, **kwargs):
        return every(*args, **kwargs)

    assert ["a", "b"] == [p.name for p in callee_of(wrapper).params[:2]]
    assert ["b", "c"] == [p.name for p in callee_of(classmethod(wrapper)).params[:2]]
    assert ["a", "b"] == [p.name for p in callee_of(staticmethod(wrapper)).params[:2]]


def test_a_schema_without_words_stays_as_it_is():
    assert {"type": "string"} == noted_schema({"type": "string"}, None, None)
