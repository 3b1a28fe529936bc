"""The page on differences is true: each row is put to typesig, pydantic and msgspec."""

from __future__ import annotations

import pytest

import typesig
from tests import differences_page
from tests.differences_page import HINTS, ROWS, Row


def named(row: Row) -> str:
    return f"{row.hint} {row.text[:20]}"


def test_the_table_is_what_the_rows_are() -> None:
    text = differences_page.PAGE.read_text(encoding="utf-8")

    assert differences_page.page(text) == text


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_typesig_decides_as_the_page_tells(row: Row) -> None:
    assert row.typesig == typesig.contract(HINTS[row.hint]).read(row.text, "strict").ok


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_pydantic_decides_as_the_page_tells(row: Row) -> None:
    pydantic = pytest.importorskip("pydantic")
    try:
        pydantic.TypeAdapter(HINTS[row.hint]).validate_json(row.text, strict=True)
        taken = True
    except pydantic.ValidationError:
        taken = False
    except pydantic.PydanticUserError:
        # Before Python 3.12 it reads only the TypedDict of typing_extensions.
        return

    assert row.pydantic in (taken, None)


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_msgspec_decides_as_the_page_tells(row: Row) -> None:
    msgspec = pytest.importorskip("msgspec")
    try:
        msgspec.json.decode(row.text.encode(), type=HINTS[row.hint], strict=True)
        taken = True
    except msgspec.ValidationError:
        taken = False

    assert row.msgspec in (taken, None)
