"""Functions below `contextmanager`: a call returns an object without a JSON form, and says so."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from typesig import Tool, extract, tool
from typesig.errors import ExtractionError


@contextlib.contextmanager
def session(size: int) -> Iterator[int]:
    """Open a session."""
    yield size


@contextlib.asynccontextmanager
async def stream(size: int) -> AsyncIterator[int]:
    yield size


@contextlib.contextmanager
def unhinted(size: int):  # type: ignore[no-untyped-def]
    yield size


def passed_on(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return wrapper


def plain(size: int) -> Iterator[int]:
    yield size


class Shop:
    @contextlib.contextmanager
    def method(self, size: int) -> Iterator[int]:
        yield size

    @classmethod
    @contextlib.contextmanager
    def of_class(cls, size: int) -> Iterator[int]:
        yield size

    @staticmethod
    @contextlib.contextmanager
    def static(size: int) -> Iterator[int]:
        yield size

    @contextlib.contextmanager
    def __call__(self, size: int) -> Iterator[int]:
        yield size


WARNING = (
    "returns: Iterator[int]: the function returns a context manager, which has no JSON form; "
    "write a function that enters it and returns data"
)

ROWS = {
    "function": session,
    "async": stream,
    "decorated": passed_on(session),
    "above a decorator": contextlib.contextmanager(passed_on(plain)),
    "bound": Shop().method,
    "unbound": Shop.method,
    "class method": Shop.of_class,
    "static method": Shop.static,
    "object": Shop(),
    "partial": functools.partial(session),
}


@pytest.mark.parametrize("name", ROWS)
def test_the_result_of_a_context_manager_is_any_with_a_warning(name: str) -> None:
    found = extract(ROWS[name])
    warning = WARNING.replace("Iterator", "AsyncIterator") if name == "async" else WARNING

    assert str(found.signature) == "(size :int) -> :any"
    assert [str(each) for each in found.warnings] == [warning]
    assert [each.kind for each in found.warnings] == ["any"]


def test_a_context_manager_without_a_result_hint_has_a_warning() -> None:
    assert [str(each) for each in extract(unhinted).warnings] == [
        WARNING.replace(" Iterator[int]:", "")
    ]


@pytest.mark.parametrize("name", ROWS)
def test_strict_extraction_refuses_a_context_manager(name: str) -> None:
    with pytest.raises(ExtractionError, match="the function returns a context manager"):
        extract(ROWS[name], strict=True)


@pytest.mark.parametrize("mode", ["enabled", "strict", "warn_only"])
def test_a_call_does_not_return_a_context_manager_as_data(mode: Any) -> None:
    outcome = tool(session).call({"size": 1}, mode=mode)

    assert not outcome.ok
    assert outcome.report() == (
        "The tool ran; what it returned does not fit its signature.\n\nTool validation errors:\n"
        "- a value of _GeneratorContextManager has no JSON form"
    )


def test_an_async_call_does_not_return_a_context_manager_as_data() -> None:
    outcome = asyncio.run(tool(stream).acall({"size": 1}))

    assert [str(issue) for issue in outcome.errors] == [
        "a value of _AsyncGeneratorContextManager has no JSON form"
    ]


@pytest.mark.parametrize("signature", ["(size :int) -> [:int]", "-> [:int]"])
def test_an_explicit_signature_does_not_hide_a_context_manager(signature: str) -> None:
    made: Tool[..., Any] = tool(signature)(session)

    assert str(made.signature) == "(size :int) -> [:int]"
    assert [str(each) for each in made.warnings] == [WARNING]


def test_a_function_that_enters_a_context_manager_is_a_tool() -> None:
    @tool
    def opened(size: int) -> list[int]:
        with session(size) as found:
            return [found]

    assert opened.warnings == ()
    assert opened.call({"size": 1}).value == [1]


def test_a_generator_below_another_decorator_is_still_a_list() -> None:
    made = tool(passed_on(plain))

    assert str(made.signature) == "(size :int) -> [:int]"
    assert made.call({"size": 1}).value == [1]


class Handle:
    """No record."""


NO_CLASS = "the class has no JSON form of its own, so it became :any"


@pytest.mark.parametrize(
    ("hint", "said"),
    [
        (contextlib.ExitStack, f"ExitStack: {NO_CLASS}; return data, a dataclass or a TypedDict"),
        (
            Handle,
            f"Handle: {NO_CLASS}; make it a dataclass or a TypedDict, return data, or give the option results",
        ),
        (
            Callable[[], int],
            "collections.abc.Callable[[], int]: the hint has no JSON form, so it became :any; "
            "return data, a dataclass or a TypedDict",
        ),
    ],
)
def test_a_result_without_a_json_form_asks_for_data(hint: Any, said: str) -> None:
    def opened(): ...  # type: ignore[no-untyped-def]

    opened.__annotations__ = {"return": hint}

    assert [str(each) for each in extract(opened).warnings] == [f"returns: {said}"]


@pytest.mark.parametrize("code", [None, 3])
def test_a_contextlib_without_code_is_not_asked(monkeypatch: Any, code: Any) -> None:
    # A type checker at run time may have replaced its functions.
    monkeypatch.setattr(contextlib, "contextmanager", code)

    assert extract(passed_on(plain)).warnings == ()
