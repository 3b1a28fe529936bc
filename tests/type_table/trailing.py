"""Strings below the fields of a class in its source."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import typing_extensions as te

from tests.type_table.rows import Row, param


@dataclass
class Trailing:
    size: int
    """in metres"""

    name: str = "a"
    """what it is called

    in two paragraphs
    """

    tags: list[str] = field(default_factory=list)


class TrailingDict(te.TypedDict):
    size: int
    """in metres"""
    name: te.NotRequired[str]
    """what it is called"""


class TrailingSequel(TrailingDict):
    part: int
    r"""the number
    of the part"""


@dataclass
class TrailingChild(Trailing):
    """A child.

    Attributes:
        size: in feet
    """

    size: int
    """Its docstring says so first."""
    more: int = 0
    ""
    last: int = 0
    1  # noqa: B018 - not a string
    "nobody's"


def _within() -> Any:
    @dataclass
    class Local:
        size: int
        """in metres"""

        name: str = "a"
        "what it is called"

    return Local


TrailingLocal = _within()

_SIZES = {"value.size": "in metres", "value.name": "what it is called"}

ROWS: tuple[Row, ...] = (
    param(
        "strings below fields",
        Trailing,
        (({"size": 1}, Trailing(1)), ({"size": 1, "name": "b"}, Trailing(1, "b"))),
        ({}, {"size": "x"}),
        texts={"value.size": "in metres", "value.name": "what it is called\n\nin two paragraphs"},
        shorthand='{size :int, name :string = "a", tags [:string] = []}',
    ),
    param(
        "strings below fields",
        TrailingDict,
        (({"size": 1}, {"size": 1}), ({"size": 1, "name": "b"}, {"size": 1, "name": "b"})),
        ({}, {"size": "x"}),
        texts=_SIZES,
        shorthand="{size :int, name? :string}",
    ),
    param(
        "strings below fields",
        TrailingSequel,
        (({"size": 1, "part": 2}, {"size": 1, "part": 2}),) * 2,
        ({"size": 1}, {"part": "x"}),
        texts={**_SIZES, "value.part": "the number of the part"},
        shorthand="{size :int, name? :string, part :int}",
    ),
    param(
        "Attributes sections of records",
        TrailingChild,
        (({"size": 1}, TrailingChild(1)), ({"size": 1, "last": 3}, TrailingChild(1, last=3))),
        ({}, {"size": "x"}),
        texts={
            "value.size": "in feet",
            "value.name": "what it is called\n\nin two paragraphs",
            "value.more": None,  # type: ignore[dict-item]
            "value.last": None,  # type: ignore[dict-item]
        },
        shorthand='{size :int, name :string = "a", tags [:string] = [], more :int = 0, last :int = 0}',
    ),
    param(
        "strings below fields",
        TrailingLocal,
        (({"size": 1}, TrailingLocal(1)),) * 2,
        ({}, {"size": "x"}),
        texts=_SIZES,
        shorthand='{size :int, name :string = "a"}',
    ),
)
