"""The work of a diff, and of looking for what is hidden, grows in proportion to the contracts."""

from __future__ import annotations

import pytest

from tests.contracts.pairs import lock_of
from tests.growth import assert_growth
from typesig.contracts import Lock, diff, hidden_in

pytestmark = pytest.mark.once

SIZES = (24, 48, 96)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(lambda n: ("a :int", f"{_fields(n, 'b')}"), id="fields that came"),
        pytest.param(lambda n: (_fields(n, "b"), _fields(n, "c")), id="fields of other names"),
        pytest.param(
            lambda n: (_fields(n, "b"), _fields(n, "b", "[]")), id="fields of other types"
        ),
        pytest.param(
            lambda n: (f"a {_enum(n, 'b')}", f"a {_enum(n, 'c')}"), id="values of an enum"
        ),
        pytest.param(lambda n: (f"a {_union(n, 'b')}", f"a {_union(n, 'c')}"), id="members"),
        pytest.param(lambda n: (_fields(n, "b"), _fields(n, "b", note=' "x"')), id="texts"),
    ],
)
def test_a_diff_takes_time_in_proportion(changed: object) -> None:
    def make(size: int) -> tuple[Lock, Lock]:
        old, new = changed(size)  # type: ignore[operator]
        return lock_of(f"({old}) -> :nil"), lock_of(f"({new}) -> :nil")

    # What was compared before is remembered, which is not the same in each run of the tests.
    assert_growth(make, lambda pair: diff(*pair), SIZES, spare=30_000)


@pytest.mark.parametrize(
    "unit",
    ["<a", "<a>", "</a>", "<a></a>", "<!--", "<!---->", "\n[a]:", "a" + " " * 99, "f ", "`g`"],
)
def test_looking_for_what_is_hidden_takes_time_in_proportion(unit: str) -> None:
    def make(size: int) -> Lock:
        texts = {"description": unit * size, "raw": {"name": "\u200b \x1b" * size}}
        return Lock({**lock_of("() -> :nil", **texts).tools, **lock_of("() -> :nil", "g").tools})

    assert_growth(make, hidden_in, SIZES)


def _fields(size: int, name: str, brackets: str = "", note: str = "") -> str:
    begin, end = brackets[:1], brackets[1:]
    return ", ".join(f"{name}{n}? {begin}:int{end}{note}" for n in range(size))


def _enum(size: int, name: str) -> str:
    return f":enum[{' '.join(f'{name}{n}' for n in range(size))}]"


def _union(size: int, name: str) -> str:
    return "|".join(f'{{k :enum["{name}{n}"], {name} :int}}!' for n in range(size))
