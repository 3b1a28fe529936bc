"""The programs of the cookbook run, and its page shows them and what they print."""

from __future__ import annotations

import importlib
import re

import pytest

from tests.cookbook_page import NEEDS, PAGE, names, printed, shown, source


def test_the_page_shows_each_program_once_as_it_is() -> None:
    marked = re.findall(
        r"^<!-- program: (\w+) -->$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )

    assert names() == sorted(marked)
    assert {name: source(name) for name in names()} == {
        name: text for name, (text, _) in shown().items()
    }, "run python -m tests.cookbook_page"


@pytest.mark.parametrize("name", names())
def test_a_program_prints_what_the_page_shows(name: str) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    # A program may have a script of answers, which is used up.
    importlib.reload(importlib.import_module(f"examples.cookbook.{name}"))

    assert shown()[name][1] == printed(name)


@pytest.mark.parametrize("name", names())
def test_a_program_is_whole_and_short(name: str) -> None:
    text = source(name)

    assert "examples" not in text
    assert 75 > text.count("\n")
