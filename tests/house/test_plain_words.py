"""Names and docstrings that any Python developer understands: how many may be unclear."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.plain_words import PACKAGE, PlainWords, count_plain_words, list_twice_named

pytestmark = pytest.mark.once

PATHS = sorted(PACKAGE.rglob("*.py"))

MOST_VAGUE = 40


@cache
def count_words() -> PlainWords:
    """Count the names and docstrings, once a test asks: each process collects all tests."""
    return count_plain_words(PATHS)


def test_functions_are_named_by_verbs() -> None:
    assert 100 * count_words().verbs / count_words().functions >= 50
    assert count_words().share("participle", count_words().functions) < 4


def test_classes_are_named_by_nouns() -> None:
    assert count_words().share("class", count_words().classes) < 2


def test_few_names_are_vague() -> None:
    assert len(count_words().places["vague"]) <= MOST_VAGUE


def test_docstrings_are_no_riddles() -> None:
    assert count_words().share("riddle", count_words().docstrings) < 2


@pytest.mark.parametrize(
    "package",
    [path.parent for path in sorted(PACKAGE.glob("*/__init__.py"))],
    ids=lambda path: path.name,
)
def test_a_class_name_stands_for_one_class_of_a_package(package: Path) -> None:
    assert [] == list_twice_named(package)
