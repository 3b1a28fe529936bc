"""Where the parts of a type stand, as losses name them."""

from __future__ import annotations

import pytest

import typesig
from typesig.algebra.traversal import get_children, get_placed_children


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("[:int]", ["items"]),
        ("#{:int}", ["items"]),
        ("[:int, :string, ** :bool]", ["0", "1", "items"]),
        (":map[:keyword :int]", ["keys", "values"]),
        ("{a :int, /x/ :string, ** :bool}", ["a", "/x/", "**"]),
        ("{a :int}!", ["a"]),
        (":int|:string", ["0", "1"]),
        (":one[:int, :string]", ["0", "1"]),
        (":not[:int]", ["not"]),
        (":count[2.. :int]", ["contains"]),
    ],
)
def test_each_part_of_a_type_has_a_place(text: str, places: list[str]) -> None:
    t = typesig.parse(text).returns

    expected = [("r", place) for place in places]

    assert [*zip(get_children(t), expected, strict=True)] == get_placed_children(t, ("r",))


@pytest.mark.parametrize("text", [":int", ":int?", ":int[1..]", '(:int "a count")'])
def test_what_stands_around_a_type_has_its_place(text: str) -> None:
    t = typesig.parse(text).returns

    assert [(child, ("r",)) for child in get_children(t)] == get_placed_children(t, ("r",))
