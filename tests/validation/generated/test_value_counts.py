"""Values of a long value are counted by its type as they are by a walk."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW, conforming, lone_signatures
from typesig.algebra.nodes import INT, Annotation, List
from typesig.algebra.rows.builtin import count_places
from typesig.validation.generated import value_counts
from typesig.validation.generated.value_counts import count_values

COUNTED = [
    (":int", 1),
    (":enum[1 :a]", 1),
    ("[:int]", []),
    ("[:int]", (1, 2)),
    ("#{:string}", {"a", "b"}),
    ("[:int|:string]", [1, "a"]),
    ("[[:int]?]", [[1], None, []]),
    ("[[:int[1..]]][1..]", [[1, 2], [3]]),
    (":map[:string [:int]]", {"a": [1], "b": []}),
    (":map[:int]", {"a": 1}),
    ("{a :int, b [:string], c? {d [:int]}}", {"a": 1, "b": ["x"], "c": {"d": [1, 2]}}),
    ("[{a :int, b? [:string]}]", [{"a": 1}, {"a": 2, "b": ["x", "y"]}] * 1_500),
    ("[{a [:int]}!]", [{"a": [1]}]),
]

UNKNOWN = [
    ("[:any]", [[1]]),
    (":map", {"a": [1]}),
    (":enum[[1] [2]]", [1]),
    ("[[:int]|{a :int}]", [[1], {"a": 1}]),
    ("[:int, [:int]]", [1, [2]]),
    ("{a [:int], ** :int}", {"a": [1], "b": 2}),
    (":T where T = [:T]", [[], []]),
    (":one[[:int], [:string]]", [1]),
    ("{a [:int]} & {b :int}", {"a": [1], "b": 2}),
]


def type_of(text: str) -> Any:
    return typesig.parse(text).returns


@pytest.mark.parametrize(("text", "value"), COUNTED)
def test_a_value_is_counted_by_its_type(text: str, value: Any) -> None:
    assert typesig.parse(text).accepts(value)
    assert count_places(value) == count_values(type_of(text), value)


@pytest.mark.parametrize(("text", "value"), UNKNOWN)
def test_a_type_that_does_not_tell_which_values_have_parts_counts_nothing(
    text: str, value: Any
) -> None:
    assert count_values(type_of(text), value) is None


class Odd(list[Any]):
    def __len__(self) -> int:
        raise AssertionError


def test_a_description_does_not_change_the_count() -> None:
    noted = Annotation(List(Annotation(INT, "an id")), "the ids")

    assert 4 == count_values(List(noted), [[1, 2]])


def test_methods_of_other_classes_are_not_called() -> None:
    for text, value in (("[:int]", Odd()), ("{a :int}", Odd()), (":map[:int]", Odd())):
        assert count_values(type_of(text), value) is None


@LAW
@given(st.data())
def test_the_count_is_that_of_the_walk(data: st.DataObject) -> None:
    signature = data.draw(lone_signatures())
    value = data.draw(conforming(signature.returns, signature.names))

    assert count_values(signature.returns, value) in (None, count_places(value))


def test_a_long_list_of_records_is_not_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    signature = typesig.parse("[{a :int, b [:string]}]")
    rows = [{"a": n, "b": ["x"] * (n % 3)} for n in range(400)]
    monkeypatch.setattr("typesig.validation.generated.source.MAX_VALUES", 1 + 3 * 400 + 399)
    monkeypatch.setattr("typesig.validation.generated.source.MAX_UNWATCHED", 100)
    monkeypatch.setattr("typesig.validation.generated.source.count_places", None)

    for _ in range(6):
        assert signature.validate_output(rows).ok
    with monkeypatch.context() as patch:
        patch.setattr("typesig.validation.generated.source.MAX_VALUES", 1 + 3 * 400 + 398)
        patch.setattr("typesig.algebra.rows.builtin.MAX_VALUES", 1 + 3 * 400 + 398)
        patch.setattr("typesig.algebra.rows.builtin.MAX_UNWATCHED", 100)
        errors = signature.validate_output(rows).errors
        assert ["more than 10000000 values"] == [str(error)[:25] for error in errors]


def test_a_chunk_is_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value_counts, "CHUNK", 2)
    value = [[[1], [2, 3]], [], [[4]] * 3]

    assert count_places(value) == count_values(type_of("[[[:int]]]"), value)
