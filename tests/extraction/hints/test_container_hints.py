"""Numpy's scalars and arrays, recognised by module and name, with small classes in their place."""

from __future__ import annotations

import sys
import types
from typing import Any, Generic, TypeVar

import pytest

from typesig import contract, tool

S = TypeVar("S")
D = TypeVar("D")


def _keep(self: Any, value: Any) -> None:
    self.held = value


def _wrap(self: Any, value: Any) -> None:
    self.held = (value + 128) % 256 - 128


def _refuse(self: Any, value: Any) -> None:
    if not 0 <= value < 256:
        raise OverflowError(f"Python integer {value} out of bounds for uint8")
    self.held = value


def _keep_array(self: Any, parts: Any, dtype: Any = None) -> None:
    self.parts, self.dtype = parts, dtype


@pytest.fixture
def np(monkeypatch):
    """Return a module with classes of the same module and names as those of numpy."""
    module: Any = types.ModuleType("numpy")

    def made(name: str, *bases: Any, **body: Any) -> Any:
        cls = types.new_class(name, bases, {}, lambda space: space.update(body))
        cls.__module__ = "numpy"
        setattr(module, name, cls)
        return cls

    generic = made(
        "generic",
        __init__=_keep,
        __int__=lambda self: int(self.held),
        __float__=lambda self: float(self.held),
        __bool__=lambda self: bool(self.held),
        __str__=lambda self: str(self.held),
        __eq__=lambda self, other: type(self) is type(other) and self.held == other.held,
        __hash__=None,
    )
    integer, floating = made("integer", generic), made("floating", generic)
    made("int64", integer)
    made("int8", integer, __init__=_wrap)
    made("uint8", integer, __init__=_refuse)
    made("float32", floating)
    made("float64", floating, float)
    made("bool_", generic)
    made("str_", str, generic)
    made("datetime64", generic)
    made("dtype", Generic[D])
    body = {"__init__": _keep_array, "tolist": lambda self: self.parts}
    module.array = made("ndarray", Generic[S, D], **body)
    monkeypatch.setitem(sys.modules, "numpy", module)
    return module


def received(hint: Any, sent: Any) -> Any:
    got: list[Any] = []

    def take(value):  # type: ignore[no-untyped-def]
        got.append(value)

    take.__annotations__ = {"value": hint, "return": None}
    outcome = tool(take).call({"value": sent})
    assert [] == [str(error) for error in outcome.errors]
    return got[0]


def returned(hint: Any, value: Any) -> Any:
    def give():  # type: ignore[no-untyped-def]
        return value

    give.__annotations__ = {"return": hint}
    outcome = tool(give).call({})
    assert [] == [str(error) for error in outcome.errors]
    return outcome.value


@pytest.mark.parametrize(
    ("name", "text", "sent"),
    [
        ("int64", ":int", 3),
        ("float32", ":float", 1.5),
        ("float64", ":float", 1.5),
        ("bool_", ":bool", True),
        ("str_", ":string", "a"),
        ("datetime64", ":string", "2020-01-02"),
    ],
)
def test_a_scalar_of_numpy_is_the_scalar_of_its_kind(np, name, text, sent):
    cls = getattr(np, name)

    assert f"() -> {text}" == str(contract(cls).signature)
    assert cls is type(received(cls, sent))
    assert cls(sent) == received(cls, sent)
    assert sent == returned(cls, cls(sent))
    assert type(sent) is type(returned(list[cls], [cls(sent)])[0])


def test_a_number_that_a_scalar_of_numpy_cannot_hold_is_an_error(np):
    assert ["int8 cannot hold 300 (got int 300)"] == [
        str(error) for error in contract(np.int8).read(300).errors
    ]


def test_the_reason_why_a_scalar_of_numpy_refuses_a_number_is_given(np):
    assert ["Python integer -1 out of bounds for uint8 (got int -1)"] == [
        str(error) for error in contract(np.uint8).read(-1).errors
    ]
    assert 255 == contract(np.uint8).read(255).result.held


def test_an_array_is_lists_within_lists(np):
    hint = np.ndarray[Any, np.dtype[np.float64]]
    found = contract(hint)

    assert "() -> :Array where Array = [:float|:Array]" == str(found.signature)
    got = received(hint, [[1.5, 2.0], [3.0, 4.0]])
    assert ([[1.5, 2.0], [3.0, 4.0]], np.float64) == (got.parts, got.dtype)
    assert [[1.0]] == returned(hint, np.ndarray([[1.0]]))
    assert not found.read(["a"]).ok
    assert not found.read(1).ok


def test_two_arrays_of_different_items_have_different_names(np):
    def take(a, b, c):  # type: ignore[no-untyped-def]
        pass

    ints, floats = (np.ndarray[Any, np.dtype[item]] for item in (np.int64, np.float64))
    take.__annotations__ = {"a": ints, "b": floats, "c": ints, "return": None}

    assert (
        "(a :Array, b :Array2, c :Array) -> :nil "
        "where Array = [:int|:Array], Array2 = [:float|:Array2]"
    ) == str(tool(take).signature)


def test_an_array_of_a_known_shape_has_its_depth(np):
    hint = np.ndarray[tuple[int, int], np.dtype[np.int64]]

    assert "() -> [[:int]]" == str(contract(hint).signature)
    assert [[1, 2]] == received(hint, [[1, 2]]).parts
    assert [[1]] == returned(hint, np.ndarray([[1]]))


def test_an_array_of_anything_is_a_list(np):
    assert "() -> [:any]" == str(contract(np.ndarray).signature)
    assert [1, "a"] == returned(np.ndarray, np.ndarray([1, "a"]))
