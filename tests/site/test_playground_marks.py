"""Marks in the editors of the playground: each mistake has its place in the text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.growth import assert_growth
from tests.site.playing import Asking, marks

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def parts(data: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each part of *data* with its path."""
    yield path, data
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        if isinstance(value, dict | list):
            yield from parts(value, (*path, str(key)))
        else:
            yield (*path, str(key)), value


def texts(source: str, answer: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the severity and the text of each mark, whose units are those of JavaScript."""
    units = source.encode("utf-16-le", "surrogatepass")
    return [
        (
            mark["severity"],
            units[2 * mark["from"] : 2 * mark["to"]].decode("utf-16-le", "surrogatepass"),
        )
        for mark in answer["marks"]
    ]


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(JSON) | st.dictionaries(st.text(), JSON), st.sampled_from([None, 2]), st.booleans())
def test_each_part_of_json_data_has_its_place(data: Any, indent: int | None, ascii: bool) -> None:
    text = json.dumps(data, indent=indent, ensure_ascii=ascii)
    places = marks.find_places(text, set())

    assert places.keys() == {path for path, _ in parts(data)}
    for path, value in parts(data):
        key, span = places[path]

        assert json.loads(text[slice(*span)]) == value
        if path and text[key.start] == '"' and key != span:
            assert json.loads(text[slice(*key)]) == path[-1]


@settings(deadline=None)
@given(st.text(alphabet="{}[]:,'\"\\/* a1\n😀"))
def test_any_text_has_places_within_it(text: str) -> None:
    for place in marks.find_places(text, {("a",)}).values():
        for start, end in place:
            assert 0 <= start <= end <= len(text)


@pytest.mark.once
@pytest.mark.parametrize("piece", ["{", '["', '{"a":', "/*", '"', "'\\", ":", "{a:", "{}", "a,"])
def test_places_are_found_in_linear_time(piece: str) -> None:
    assert_growth(
        lambda size: piece * size, lambda text: marks.find_places(text, set()), (100, 400, 1_600)
    )


def test_data_that_nests_deep_has_places_down_to_a_depth() -> None:
    places = marks.find_places('{"a":' * 100 + "1" + "}" * 100, set())

    assert 60 == len(places)


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("(a :itn) -> :int", ":itn"),
        ("  \n(a :int,\n b :itn) -> :int", ":itn"),
        ('(a :string "😀", b :itn) -> :int', ":itn"),
        ("(a: Txt) --> Int", "Txt"),
        ("[:map [:id :int]", "]"),
        ('{"type": "object" "x"}', '"'),
        ("def f(n: int: ...", ":"),
        ("class A(\n    'x': 1)", ":"),
        ("def f(n: Foo): ...", "def f(n: Foo): ..."),
        ("import json\n\n    \ndef f():\n    return 1\nf(2)  # why\n", "f(2)  # why"),
    ],
)
def test_a_mistake_in_what_is_pasted_has_its_place(source: str, shown: str) -> None:
    error = Asking().open(source)["error"]

    assert [("error", shown)] == texts(source, error)


@pytest.mark.parametrize("source", ["[:map [:id :itn]]", "import json"])
def test_a_mistake_without_a_place_has_no_mark(source: str) -> None:
    assert [] == Asking().open(source)["error"]["marks"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('{"a": "x", "b": {"c": 1}}', [("error", '"x"'), ("error", "1")]),
        ('{"a": 1, "b": {}, "z": null}', [("error", "{")]),
        ("{'a': 1, b: {c: 2}}", [("error", "2"), ("warning", "'"), ("warning", "b")]),
        ('😀 {x} {"a": "1", "b": {"c": ""}}', [("warning", "😀"), ("warning", '"1"')]),
        ('{"a": ', [("error", " ")]),
        ("six", [("error", "s")]),
    ],
)
def test_each_error_and_warning_about_arguments_has_its_place(
    text: str, shown: list[tuple[str, str]]
) -> None:
    asking = Asking()
    asking.open("(a :int, b {c :string}, z :int?) -> :int")

    assert shown == texts(text, asking.read(text))


def test_an_unknown_argument_is_marked_at_its_name() -> None:
    asking, text = Asking(), '{"seats": 6, "flor": 2}'
    asking.open("def f(seats: int, floor: int | None = None) -> int: ...")

    assert [("error", '"flor"')] == texts(text, asking.read(text))


def test_an_error_in_a_result_has_no_place_in_the_arguments() -> None:
    asking = Asking()
    asking.open("def f(n: int) -> int:\n    return 'x'")

    assert [] == asking.read('{"n": 1}', call=True)["marks"]


def test_many_mistakes_have_a_limited_number_of_marks() -> None:
    asking = Asking()
    asking.open("(a [:int]) -> :int")

    assert len(asking.read(json.dumps({"a": ["x"] * 500}))["marks"]) <= 100
