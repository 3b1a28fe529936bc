"""The page on providers is written from projections and from the rows of limits."""

from __future__ import annotations

from tests.providers_page import PAGE, page


def test_the_page_is_written_from_the_code() -> None:
    text = PAGE.read_text(encoding="utf-8")

    assert "<!-- losses -->" in text
    assert page(text) == text, "run python -m tests.providers_page"
