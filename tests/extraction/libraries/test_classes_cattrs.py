"""Classes that have a hook in the global converter of cattrs, and no other reader."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import attrs
import pytest

import typesig
from typesig import contract, extract, tool
from typesig.errors import ExtractionError

cattrs: Any = pytest.importorskip("cattrs")

T = TypeVar("T")


class Money:
    """A class of its own, which only its hooks read."""

    def __init__(self, cents: int) -> None:
        self.cents = cents


class Euros(Money):
    """Hooks of a class are those of its descendants."""


class Wrapper(Generic[T]):
    """A generic class with a hook."""

    def __init__(self, held: object) -> None:
        self.held = held


class Silent:
    """A class without hooks."""


class Listed(list[int]):
    """A class that cattrs refuses as it is."""


@attrs.define
class Point:
    x: int
    y: int


class Line:
    """A class whose hook reads a class of attrs."""

    def __init__(self, start: Point) -> None:
        self.start = start


@dataclass
class Order:
    price: Money
    count: int = 1


def to_money(value: Any, cls: Any) -> Money:
    return cls(round(value["euros"] * 100))


@pytest.fixture(autouse=True)
def hooks(monkeypatch: pytest.MonkeyPatch) -> None:
    converter = cattrs.Converter()
    converter.register_structure_hook(Money, to_money)
    converter.register_unstructure_hook(Money, lambda money: {"euros": money.cents / 100})
    converter.register_structure_hook_func(
        lambda hint: getattr(hint, "__origin__", hint) is Wrapper, lambda value, _: Wrapper(value)
    )
    converter.register_structure_hook(Line, lambda v, _: Line(converter.structure(v, Point)))
    converter.register_structure_hook(Order, lambda value, _: None)
    monkeypatch.setattr(cattrs, "global_converter", converter)


def errors_of(hint: Any, text: str) -> list[str]:
    return [str(error) for error in contract(hint).read(text).errors]


def test_a_class_that_only_cattrs_reads_is_any_with_a_warning():
    def pay(price: Money) -> Money:
        return price

    found = extract(pay)

    assert "(price :any) -> :any" == str(found.signature)
    assert [
        "price: Money: cattrs reads it, but does not tell what its JSON is, so it became :any; "
        "give an explicit signature",
        "returns: Money: cattrs reads it, but does not tell what its JSON is, so it became :any; "
        "give an explicit signature",
    ] == [str(warning) for warning in found.warnings]
    with pytest.raises(ExtractionError, match="cattrs reads it"):
        extract(pay, strict=True)


def test_cattrs_decodes_arguments_and_encodes_results():
    @tool
    def double(price: Money, more: list[Euros]) -> dict[str, Money]:
        assert [Euros] == [type(each) for each in more]
        return {"twice": Money(price.cents * 2)}

    found = double.call({"price": {"euros": 1.5}, "more": [{"euros": 1}]})

    assert {"twice": {"euros": 3.0}} == found.for_model()


def test_an_explicit_signature_states_what_cattrs_reads():
    @tool("(price {euros :float}) -> {euros :float}")
    def keep(price: Money) -> Money:
        return price

    assert {"euros": 2.0} == keep.call({"price": {"euros": 2}}).for_model()
    assert not keep.call({"price": {}}).ok
    assert () == keep.warnings


def test_a_generic_class_has_the_hook_of_its_arguments():
    assert [1] == contract(Wrapper[int]).read("[1]").result.held


def test_a_field_of_a_record_is_read_by_cattrs_and_the_record_is_not():
    found = contract(Order)

    assert "{price :any, count :int = 1}" == typesig.render(found.signature.returns)
    assert 250 == found.read('{"price": {"euros": 2.5}}').result.price.cents


@pytest.mark.parametrize(
    ("hint", "text", "errors"),
    [
        (Money, "{}", ["KeyError: 'euros' (got map {})"]),
        (list[Money], "[3]", ["[0]: 'int' object is not subscriptable (got int 3)"]),
        (
            Line,
            "{}",
            [
                "required field missing @ $.x (got map {})",
                "required field missing @ $.y (got map {})",
            ],
        ),
    ],
)
def test_what_a_hook_refuses_is_an_error_at_its_place(hint, text, errors):
    assert errors == errors_of(hint, text)


@pytest.mark.parametrize("hint", [Silent, Listed, list[Silent], type[int]])
def test_a_class_without_a_hook_has_no_form(hint):
    (warning,) = contract(hint).warnings

    assert "has no JSON form" in warning.reason


def test_an_object_without_a_hook_has_no_json_form():
    def give() -> Any:
        return Silent()

    (error,) = tool(give).call({}).errors
    assert "a value of Silent has no JSON form" == str(error)


def test_cattrs_is_not_asked_if_it_is_not_loaded(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delitem(sys.modules, "cattrs")

    (warning,) = contract(Money).warnings
    assert "the class has no JSON form of its own, so it became :any" == warning.reason
