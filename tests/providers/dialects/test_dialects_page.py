"""The page on dialects is written from their rows."""

from __future__ import annotations

from tests.dialects_page import PAGE, page


def test_the_page_of_dialects_is_written_from_the_rows() -> None:
    text = PAGE.read_text(encoding="utf-8")

    assert "<!-- dialects -->" in text
    assert page(text) == text, "run python -m tests.dialects_page"
