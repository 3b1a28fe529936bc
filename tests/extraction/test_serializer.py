"""The option `results`: how objects of a class become data."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

import pytest

from typesig import TypesigError, contract, extract, tool, tools_of

T = TypeVar("T")


class Issue:
    size: int

    def __init__(self, number: int) -> None:
        self.number = number
        self.size = number

    @property
    def raw(self) -> dict[str, int]:
        return {"n": self.number}

    @functools.cached_property
    def kept(self) -> list[int]:
        return [self.number]

    def to_data(self) -> dict[str, int]:
        return self.raw

    @classmethod
    def kind(cls) -> str:
        return cls.__name__

    def bare(self):  # type: ignore[no-untyped-def]
        return self.number

    def same(self) -> Issue:
        return self


class Bug(Issue):
    pass


class Page(Generic[T]):
    def __init__(self, *items: T) -> None:
        self.items = items

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)


def number_of(issue: Issue) -> int:
    return issue.number


SOURCES: list[tuple[Any, str, Any]] = [
    ("raw", ":map[:int]", {"n": 1}),
    ("kept", "[:int]", [1]),
    ("to_data", ":map[:int]", {"n": 1}),
    ("kind", ":string", "Issue"),
    ("size", ":int", 1),
    ("bare", ":any", 1),
    ("number", ":any", 1),
    (number_of, ":int", 1),
    (lambda issue: issue.number, ":any", 1),
    (functools.partial(number_of), ":any", 1),
]


@pytest.mark.parametrize(("source", "returns", "value"), SOURCES)
def test_a_class_becomes_data_wherever_it_stands(source: Any, returns: str, value: Any) -> None:
    def whole() -> Issue:
        return Issue(1)

    def listed() -> list[Issue]:
        return [Issue(1)]

    def mapped() -> dict[str, Issue]:
        return {"a": Issue(1)}

    def maybe() -> Issue | None:
        return Issue(1)

    def beside() -> tuple[Issue, int]:
        return Issue(1), 2

    def each() -> Iterator[Issue]:
        yield Issue(1)

    def paged() -> Page[Issue]:
        return Page(Issue(1))

    expected: list[tuple[Callable[..., Any], str, Any]] = [
        (whole, returns, value),
        (listed, f"[{returns}]", [value]),
        (mapped, ":map" if returns == ":any" else f":map[{returns}]", {"a": value}),
        (maybe, f"{returns}?", value),
        (beside, f"[{returns}, :int]", [value, 2]),
        (each, f"[{returns}]", [value]),
        (paged, f"[{returns}]", [value]),
    ]
    for function, shown, data in expected:
        found = tool(results={Issue: source, Page: list})(function)
        assert str(found.signature) == f"() -> {shown}"
        assert found.warnings == ()
        outcome = found.call({})
        assert (outcome.value, outcome.errors) == (data, ())


def test_subclasses_and_explicit_signatures_and_toolsets() -> None:
    def find() -> Bug:
        return Bug(3)

    assert tools_of([find], results={Issue: "raw"})["find"].call({}).value == {"n": 3}
    assert tools_of([find], results={Issue: "raw", Bug: "kind"})["find"].call({}).value == "Bug"
    assert tool("-> {n :int}", results={Issue: "raw"})(find).call({}).value == {"n": 3}
    assert tool("() -> {n :int}", results={Issue: "raw"})(find).call({}).value == {"n": 3}


def test_an_argument_is_not_read_by_results() -> None:
    def show(issue: Issue) -> int:
        return 1

    assert str(extract(show, results={Issue: "raw"}).signature) == "(issue :any) -> :int"


def test_a_class_that_returns_itself_is_any() -> None:
    def find() -> Issue:
        return Issue(1)

    found = extract(find, results={Issue: "same"})
    assert str(found.signature) == "() -> :any"
    assert "results" in found.warnings[0].remedy


def test_a_source_that_raises_is_an_error_of_the_call() -> None:
    def find() -> list[Issue]:
        return [Issue(1)]

    outcome = tool(results={Issue: "nothing"})(find).call({})
    assert [str(each) for each in outcome.errors] == [
        "[0]: nothing of Issue raises AttributeError: 'Issue' object has no attribute 'nothing'"
    ]

    def plain() -> Page:  # type: ignore[type-arg]
        return Page(1)

    assert tool(results={Page: list})(plain).call({}).value == [1]


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ({"Issue": "raw"}, "results has classes as keys, not 'Issue'"),
        ({str: "raw"}, "results takes no str, which is data already"),
        ({Issue: "no name"}, "results has the name of an attribute or a method, or a callable"),
        ({Issue: 3}, "results has the name of an attribute or a method, or a callable"),
        ([Issue], "results takes a map by classes"),
    ],
)
def test_what_results_cannot_be_is_refused(results: Any, message: str) -> None:
    with pytest.raises(TypesigError, match=message):
        tool(results=results)(number_of)
    with pytest.raises(TypeError, match="results"):
        contract(Issue, results=results)  # type: ignore[call-overload]
