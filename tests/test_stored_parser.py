"""A parser made from the stored tables reads a text as the parser made from the grammar does."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from tests.generators import LAW
from typesig.notations import tables
from typesig.notations.compact import rules as compact_rules
from typesig.notations.edn import rules as edn_rules
from typesig.notations.gram import rules as gram_rules
from typesig.notations.shorthand import rules as shorthand_rules
from typesig.notations.tokens import Mistake

RULES: dict[str, Any] = {
    "shorthand": shorthand_rules.Rules,
    "compact": compact_rules.Rules,
    "edn": edn_rules.Rules,
    "gram": gram_rules.Rules,
}
CORPORA = Path(__file__).parent / "corpus"
TEXTS = {
    name: [
        line
        for line in (CORPORA / f"{name}.txt").read_text(encoding="utf-8").split("\n")
        if 0 < len(line) < 200
    ]
    for name in RULES
}
PIECES = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    '"',
    "\\",
    "\n",
    ";",
    ":",
    ",",
    "?",
    "-",
    "1",
    "a",
    "é",
    "/",
    "",
]


@cache
def parsers(name: str) -> list[tuple[Any, Any]]:
    """Return the parser of the stored tables, and that of the grammar, each with its rules."""
    makers = (tables.load_parser, tables.build_parser)
    return [(make(name, rules), rules) for make in makers for rules in [RULES[name]()]]


def outcome(made: tuple[Any, Any], text: str) -> Any:
    """Return the value of *text*, or what is known of the mistake."""
    parser, rules = made
    for kept in vars(rules).values():
        # What the rules collected of the text before.
        if isinstance(kept, list):
            kept.clear()
    try:
        return repr(parser.parse(text))
    except UnexpectedToken as error:
        token = error.token
        place = (token.type, str(token), token.start_pos, token.line, token.column)
        return place, error.expected, error.accepts
    except UnexpectedCharacters as error:
        return error.pos_in_stream, error.line, error.column, error.allowed
    except Mistake as mistake:
        return mistake.message, mistake.token.start_pos, mistake.width, mistake.code


def assert_read_alike(name: str, text: str, is_first: bool = False) -> None:
    stored, built = parsers(name)
    if is_first:
        # A parser reads its first texts in another way than those after them.
        rules = RULES[name]()
        stored = (tables.load_parser(name, rules), rules)
    assert outcome(built, text) == outcome(stored, text)


def test_each_grammar_is_compared() -> None:
    assert set(tables.PACKAGES) == RULES.keys()


@pytest.mark.parametrize("name", RULES)
def test_a_text_of_the_corpus_is_read_alike(name: str) -> None:
    for text in TEXTS[name]:
        assert_read_alike(name, text)


@LAW
@given(st.integers(0, 2**32))
def test_an_altered_text_is_read_alike(seed: int) -> None:
    random = Random(seed)
    for name in RULES:
        for _ in range(5):
            text = random.choice(TEXTS[name])
            at = random.randint(0, len(text))
            text = text[:at] + random.choice(PIECES) + text[at + random.randint(0, 2) :]
            assert_read_alike(name, text)
            assert_read_alike(name, text, is_first=True)
