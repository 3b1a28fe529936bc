"""Extraction takes time in proportion to what a function, a class or a module has."""

from __future__ import annotations

import dataclasses
import enum
import functools
import sys
import types
import typing
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner

from tests.growth import assert_growth
from typesig import extract, tool, tools_of
from typesig.algebra.nodes import STRING
from typesig.cli.commands import typesig
from typesig.extraction.docstrings import docs
from typesig.extraction.encoder import encode
from typesig.extraction.hints import common_hints
from typesig.extraction.python_types import leaves


def taking(hint: Any, doc: str | None = None) -> Callable[..., Any]:
    """Return a function whose one parameter has *hint*."""

    def take(x): ...

    take.__annotations__ = {"x": hint, "return": int}
    take.__doc__ = doc
    return take


def defined(source: str, name: str = "f") -> Any:
    """Return what *source* binds to *name*."""
    space: dict[str, Any] = {"typing": typing, "tool": tool, "__name__": "grown"}
    exec(source, space)
    return space[name]


def enum_of(size: int, base: Any = enum.Enum, value: Callable[[int], Any] = str) -> Any:
    return base("Choice", {f"M{n}": value(n) for n in range(size)})


def nested(size: int, wrap: Callable[[Any], Any]) -> Any:
    hint: Any = int
    for _ in range(size):
        hint = wrap(hint)
    return hint


def descendant(size: int) -> Any:
    cls: Any = object
    for n in range(size):
        cls = type(f"C{n}", (cls,), {"__annotations__": {f"a{n}": int}})
    return dataclasses.dataclass(cls)


def wrapped(size: int) -> Any:
    made = taking(int)
    for _ in range(size):
        made = functools.wraps(made)(lambda *args: None)
    return made


def overloaded(size: int) -> Any:
    return defined(
        "".join(
            f"@typing.overload\ndef many(x: typing.Literal[{n}]) -> list[typing.Literal['a{n}']]: ...\n"
            for n in range(size)
        )
        + "def many(x): ...",
        "many",
    )


def params(size: int) -> str:
    return ", ".join(f"p{n}: int = {n}" for n in range(size))


CALLABLES: dict[str, Callable[[int], Any]] = {
    "enum": lambda n: taking(enum_of(n)),
    "enum of ints": lambda n: taking(enum_of(n, enum.IntEnum, int)),
    "enum of texts": lambda n: taking(enum_of(n, enum.StrEnum)),
    "enum of lists": lambda n: taking(enum_of(n, enum.Enum, lambda value: [value])),
    "flag": lambda n: taking(enum_of(n, enum.IntFlag, lambda value: 1 << value)),
    "literal": lambda n: taking(typing.Literal[tuple(map(str, range(n)))]),
    "literal of members": lambda n: taking(typing.Literal[tuple(enum_of(n))]),
    "union of literals": lambda n: taking(
        typing.Union[tuple(typing.Literal[f"v{each}"] for each in range(n))]  # noqa: UP007
    ),
    "dataclass": lambda n: taking(
        dataclasses.make_dataclass("D", [(f"a{each}", int) for each in range(n)])
    ),
    "typed dict": lambda n: taking(typing.TypedDict("T", {f"a{each}": int for each in range(n)})),
    "params": lambda n: defined(f"def f({params(n)}): ..."),
    "params in text": lambda n: defined(
        f"from __future__ import annotations\ndef f({params(n)}): ..."
    ),
    "described params": lambda n: taking(
        int, "F.\n\nArgs:\n" + "".join(f"    a{each} (int): the a\n" for each in range(n))
    ),
    "overloads": overloaded,
    "ancestors": lambda n: taking(descendant(n)),
    "decorators": wrapped,
    "prose": lambda n: taking(int, "some words\n\n" * n),
    "parentheses in a docstring": lambda n: taking(int, f"F.\n\nArgs:\n    x {'(' * n}: d"),
    "a list of parameters": lambda n: taking(
        int,
        "F.\n\n:Parameters:\n"
        + "".join(f"  * *a{each}* (``int``) --\n    the a\n" for each in range(n)),
    ),
    "marks in a line of a list": lambda n: taking(
        int, f"F.\n\n**Parameters:**\n\n- **x** {'*(`' * n}"
    ),
    "blanks in a line of a list": lambda n: taking(int, f"F.\n\nParameters:\n\n- x{' ' * n}y: d"),
    "what is raised": lambda n: taking(int, "F.\n\n" + ":raises A: b\n" * n),
    "blanks behind what is raised": lambda n: taking(int, f"F.\n\n:raises {' ' * n}A"),
    "lines below what is raised": lambda n: taking(int, f"F.\n\nRaises\n{'-' * n}x\nA\n    b"),
    "a call in a docstring": lambda n: taking(int, f"F.\n\n:calls: {'`a <' * n}"),
    "blanks in a call": lambda n: taking(int, f"F.\n\n:calls: `a{' ' * n}b"),
    "choices in a docstring": lambda n: taking(int, f"F.\n\nArgs:\n    x: d {'(choices: [' * n}"),
    "blanks before choices": lambda n: taking(
        int, f"F.\n\nArgs:\n    x: d{' ' * n}(choices: [1])y"
    ),
    "blanks in a docstring": lambda n: taking(int, f"F.\n\nArgs:\n    x{' ' * n}y: d"),
}

#: Hints within hints; deeper ones cannot be made.
DEEP: dict[str, Callable[[int], Any]] = {
    "lists in lists": lambda n: taking(nested(n, lambda hint: list[hint])),
    "optional lists": lambda n: taking(nested(n, lambda hint: typing.Optional[list[hint]])),  # noqa: UP045
    "annotated lists": lambda n: taking(nested(n, lambda hint: typing.Annotated[list[hint], ""])),
}


def without_caches(run: Callable[[Any], object]) -> Callable[[Any], object]:
    def alone(made: Any) -> object:
        leaves._have_own_values.cache_clear()
        docs._read.cache_clear()
        common_hints._read_literal.cache_clear()
        return run(made)

    return alone


@pytest.mark.once
@pytest.mark.parametrize("make", CALLABLES.values(), ids=CALLABLES)
def test_the_work_of_extract_is_in_proportion_to_what_the_callable_has(make):
    assert_growth(make, without_caches(extract), (50, 200, 800), spare=50_000)


@pytest.mark.once
@pytest.mark.parametrize("make", DEEP.values(), ids=DEEP)
def test_the_work_of_extract_is_in_proportion_to_the_depth_of_a_hint(make):
    assert_growth(make, without_caches(extract), (60, 120, 240), spare=250)


@pytest.mark.once
@pytest.mark.parametrize("name", ["enum", "dataclass", "params", "overloads"])
def test_the_work_of_a_prompt_is_in_proportion_to_what_the_tool_has(name):
    run = without_caches(lambda function: tool(function).prompt())
    assert_growth(CALLABLES[name], run, (50, 200, 800), spare=50_000)


@pytest.mark.once
def test_the_work_of_encoding_members_of_an_enum_is_in_proportion_to_their_number():
    def make(size: int) -> list[Any]:
        return list(enum_of(size, enum.IntEnum, int))

    assert_growth(make, without_caches(encode), (50, 200, 800), spare=250)


def module_of(size: int) -> types.ModuleType:
    """Return a module with *size* functions that are tools."""
    made = types.ModuleType("grown")
    made.__dict__["tool"] = tool
    exec("".join(f"@tool\ndef f{n}(x: int) -> int: 'F.'\n" for n in range(size)), made.__dict__)
    sys.modules["grown"] = made
    return made


def instance_of(size: int) -> Any:
    """Return an instance of a class with *size* methods that are tools."""
    methods = "".join(f"    @tool\n    def f{n}(self, x: int) -> int: 'F.'\n" for n in range(size))
    cls = defined(f"class f:\n{methods}")
    cls.__module__ = __name__
    return cls()


def listed(_module: object) -> None:
    assert 0 == CliRunner().invoke(typesig, ["list", "grown"]).exit_code


OPERATIONS: dict[str, tuple[Callable[[int], Any], Callable[[Any], object]]] = {
    "tools_of a module": (module_of, tools_of),
    "tools_of an instance": (instance_of, tools_of),
    "tools_of functions": (
        lambda n: [defined(f"def f{each}(x: int): ...\nf = f{each}") for each in range(n)],
        tools_of,
    ),
    "typesig list": (module_of, listed),
    "prompt": (lambda n: tools_of(module_of(n)), lambda tools: tools.prompt()),
    "repr": (lambda n: tools_of(module_of(n)), repr),
    "prefixed": (lambda n: tools_of(module_of(n)), lambda tools: tools.prefixed("a")),
    "select": (lambda n: tools_of(module_of(n)), lambda tools: tools.select(*tools.names)),
    "sum": (
        lambda n: (tools_of(module_of(n)), tools_of(module_of(n)).prefixed("a")),
        lambda pair: pair[0] + pair[1],
    ),
    "calls": (
        lambda n: tools_of(module_of(n)),
        lambda tools: [tools.call(name, {"x": 1}) for name in tools.names],
    ),
    "unknown name": (lambda n: tools_of(module_of(n)), lambda tools: tools.call("nope")),
}


@pytest.mark.once
@pytest.mark.parametrize(("make", "run"), OPERATIONS.values(), ids=OPERATIONS)
def test_the_work_of_a_toolset_is_in_proportion_to_its_tools(make, run):
    try:
        assert_growth(make, run, (30, 100, 300), spare=800)
    finally:
        sys.modules.pop("grown", None)


def test_a_hint_that_doubles_with_each_level_is_read_within_the_limit_of_hints():
    found = extract(taking(nested(40, lambda hint: tuple[hint, hint])))

    assert ["there are more than 10000 hints within hints; from here on they became :any"] == [
        warning.reason for warning in found.warnings
    ]


@pytest.mark.parametrize(
    "wrap",
    [
        lambda hint: list[hint],
        lambda hint: typing.Optional[list[hint]],  # noqa: UP045
        lambda hint: typing.Annotated[list[hint], "deep"],
        lambda hint: dict[str, hint],
        lambda hint: typing.Union[str, tuple[hint, int]],  # noqa: UP007
    ],
)
def test_a_hint_that_nests_900_levels_is_any_with_a_warning_where_the_limit_is(wrap):
    found = extract(taking(nested(200, wrap)))
    deeper = extract(taking(types.GenericAlias(list, (nested(900, lambda hint: list[hint]),))))

    assert ["it nests too deep, so it became :any"] == [w.reason for w in deeper.warnings]
    assert all("it nests too deep, so it became :any" == w.reason for w in found.warnings)
    assert all("[…]" == w.hint[-3:] for w in deeper.warnings)
    assert found.warnings


def test_a_default_that_doubles_with_each_level_is_not_shown():
    default: list[Any] = []
    for _ in range(60):
        default = [default, default]

    def take(x: list[Any] = default) -> None: ...

    found = extract(take)

    assert "(x? [:any]) -> :nil" == str(found.signature)
    assert ["the default is not shown: it has more than 1000 values"] == [
        w.reason for w in found.warnings
    ]


def test_more_blanks_in_a_row_than_the_limit_are_read_as_one():
    found = extract(taking(int, f"F.\n\nArgs:\n    x: the{' ' * 200}x"))

    assert found.signature is not None
    assert "the x" == typing.cast("Any", found.signature.params[0].type).text


def test_an_item_whose_parentheses_are_not_around_a_type_is_unread():
    found = extract(taking(STRING, "F.\n\nArgs:\n    x (((: the x\n    y (int): the y"))

    assert ["this part of the docstring does not follow its style"] == [
        w.reason for w in found.warnings if w.hint == "x (((: the x"
    ]


def test_the_rest_of_a_docstring_beyond_the_limit_is_not_read():
    found = extract(taking(int, "word " * 1_000_000))

    assert found.description is not None
    assert 999_999 == len(found.description)
    assert ["the docstring has more than 1000000 characters; the rest is not read"] == [
        w.reason for w in found.warnings
    ]
