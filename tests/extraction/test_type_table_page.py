"""The tables of the page on hints are up to date and have a row for each hint of the code."""

from __future__ import annotations

import typing
from typing import Any

import pytest

from tests.type_table.page import PAGE, hints, written
from typesig.extraction.hints import container_hints
from typesig.extraction.python_types.leaves import LEAVES


def test_the_tables_of_the_page_are_up_to_date() -> None:
    # If not: python -m tests.type_table.page
    assert written() == PAGE.read_text(encoding="utf-8")


def _class_name(hint: Any) -> str:
    cls = type(None) if hint is None else typing.get_origin(hint) or hint
    return getattr(cls, "__qualname__", "") or getattr(cls, "__name__", "")


SHOWN = {_class_name(hint) for hint in hints()}


# The page tells of the scalars of numpy and msgspec in sentences: its hints need neither.
SCALARS = sorted({name for home, name in LEAVES if home not in ("numpy", "msgspec")})


@pytest.mark.parametrize("name", SCALARS)
def test_every_scalar_of_the_code_is_on_the_page(name: str) -> None:
    assert name in SHOWN


@pytest.mark.parametrize(
    "name", [*container_hints.LISTS, *container_hints.SETS, *container_hints.MAPS]
)
def test_every_collection_of_the_code_is_on_the_page(name: str) -> None:
    # `typing.AbstractSet` is `collections.abc.Set`.
    assert name in SHOWN | {"AbstractSet"}
