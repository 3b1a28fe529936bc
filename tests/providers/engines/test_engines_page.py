"""The page on engines is written from their rows."""

from __future__ import annotations

from tests.engines_page import PAGE, page


def test_the_page_of_engines_is_written_from_the_rows() -> None:
    text = PAGE.read_text(encoding="utf-8")

    assert 2 == text.count("<!-- en") - text.count("<!-- end -->")
    assert page(text) == text, "run python -m tests.engines_page"
