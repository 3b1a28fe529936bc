"""An object that raises where a hint names it costs its own part of the signature, with a warning."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from typing import Any, Literal, Union

import pytest

from typesig import extract
from typesig.extraction.callables.generics import get_parameters


@pytest.fixture
def lazy() -> Iterator[types.ModuleType]:
    """Return a module whose attributes raise when they are asked for."""
    module = types.ModuleType("lazy_parts")

    def read(name: str) -> Any:
        errors = {
            "Frame": ImportError("no frames"),
            "Row": RuntimeError("no"),
            "Key": KeyError("k"),
        }
        raise errors.get(name, AttributeError(name))

    module.__dict__["__getattr__"] = read
    sys.modules[module.__name__] = module
    yield module
    del sys.modules[module.__name__]


def of(lazy: types.ModuleType, text: str) -> Any:
    # The names in a dataclass are looked up in the module in which it is defined.
    space = vars(lazy)
    space["lib"] = lazy
    head = "from __future__ import annotations\nfrom typing import *\nimport dataclasses\n"
    exec(head + text, space)
    return space["f"]


@pytest.mark.parametrize(
    ("text", "signature", "place", "hint", "said"),
    [
        ("def f(x: int) -> lib.Frame: ...", "(x :int) -> :any", "returns", "lib.Frame", "ImportError: no frames"),
        ("def f(x: int) -> list[lib.Row]: ...", "(x :int) -> [:any]", "returns", "lib.Row", "RuntimeError: no"),
        ("def f(x: lib.Frame, y: int) -> int: ...", "(x :any, y :int) -> :int", "x", "lib.Frame", "ImportError: no frames"),
        ("def f(x: lib.Key | None) -> int: ...", "(x :any?) -> :int", "x", "lib.Key", "KeyError: 'k'"),
        ("def f(*args: lib.Row) -> int: ...", "(args? [:any]) -> :int", "*args", "lib.Row", "RuntimeError: no"),
        (
            "@dataclasses.dataclass\nclass D:\n    a: lib.Frame\n    b: int\ndef f(x: D) -> int: ...",
            "(x {a :any, b :int}) -> :int", "x.a", "lib.Frame", "ImportError: no frames",
        ),
    ],
)  # fmt: skip
def test_a_hint_that_raises_is_any_with_a_warning_and_the_rest_stays(
    lazy: types.ModuleType, text: str, signature: str, place: str, hint: str, said: str
) -> None:
    found = extract(of(lazy, text))

    remedy = "correct it, or give an explicit signature"
    assert signature == str(found.signature)
    assert [f"{place}: {hint}: reading it raises {said}, so it became :any; {remedy}"] == [
        str(warning) for warning in found.warnings
    ]


def test_metadata_that_raises_is_left_out_with_a_warning(lazy: types.ModuleType) -> None:
    found = extract(of(lazy, "def f(x: Annotated[int, lib.Row]) -> int: ..."))

    assert "(x :int) -> :int" == str(found.signature)
    assert ["the metadata lib.Row is left out: reading it raises RuntimeError: no"] == [
        warning.reason for warning in found.warnings
    ]


def test_a_tag_of_a_result_is_not_asked_for_its_hash() -> None:
    class Tag:
        is_broken = False

        def __hash__(self) -> int:
            if self.is_broken:
                raise OSError("no hash")
            return 1

    def f(x: int): ...

    f.__annotations__["return"] = Union[  # noqa: UP007 - its parts are hashed here
        tuple[Literal[Tag()], int], tuple[Literal["error"], str]  # type: ignore[valid-type]
    ]
    Tag.is_broken = True
    found = extract(f)

    assert found.signature is not None
    assert ["x"] == [param.name for param in found.signature.params]
    assert found.warnings


def test_the_type_parameters_of_a_class_that_raises_are_none() -> None:
    class Meta(type):
        def __getattr__(cls, name: str) -> Any:
            raise RuntimeError(f"no {name}")

    class Odd(metaclass=Meta):
        def take(self, x: int) -> int:
            return x

    Odd.__qualname__, Odd.__module__ = "Odd", __name__
    globals()["Odd"] = Odd
    Odd.take.__qualname__ = "Odd.take"
    try:
        found = extract(Odd.take)
    finally:
        del globals()["Odd"]

    assert "(x :int) -> :int" == str(found.signature)


def test_a_module_that_raises_for_the_class_around_a_function_has_none(
    lazy: types.ModuleType,
) -> None:
    function = of(lazy, "def f(x: int) -> int: ...")
    function.__module__, function.__qualname__ = lazy.__name__, "Frame.f"

    assert "(x :int) -> :int" == str(extract(function).signature)


def test_the_parameters_of_a_generic_class_that_raises_are_none() -> None:
    class Meta(type):
        def __getattr__(cls, name: str) -> Any:
            raise RuntimeError(f"no {name}")

    class Odd(metaclass=Meta):
        pass

    assert () == get_parameters(Odd)
