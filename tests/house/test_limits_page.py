"""The page of limits names each limit, with its value and meaning."""

from __future__ import annotations

from tests.limits_page import MODULES, PAGE, entries, page


def test_the_page_is_written_from_the_module() -> None:
    text = PAGE.read_text(encoding="utf-8")

    assert "<!-- limits -->" in text
    assert page(text) == text, "run python -m tests.limits_page"


def test_each_limit_has_a_heading_and_a_comment_of_two_sentences() -> None:
    found = {name: (heading, counts, beyond) for heading, name, _, counts, beyond in entries()}

    assert {name for module in MODULES for name in vars(module) if name.isupper()} == found.keys()
    assert [] == [name for name, parts in found.items() if not all(parts)]


def test_no_limit_is_set_twice() -> None:
    names = [name for _, name, *_ in entries()]

    assert sorted(set(names)) == sorted(names)
