"""The quick reader of shorthand reads a text as the grammar does, or leaves it to the grammar."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import EXAMPLES, LAW, signatures
from typesig.errors import TypesigError
from typesig.notations.shorthand import quick, reader
from typesig.notations.shorthand.writer import signature_text

CORPUS = (Path(__file__).parent / "corpus" / "shorthand.txt").read_text(encoding="utf-8")
LINES = [line for line in CORPUS.split("\n") if line and not line.startswith(";")]

READ = [
    "() -> :any",
    "-> :int",
    ":string?",
    "{}",
    "{a :int}!?",
    '(query :string "words", limit :int = 10 "rows")! -> [{id :int, at :datetime?}] "the rows"',
    '(a :enum["x", "y" 1 -2.5 nil true :k w] = "x", b :double?, c :boolean = false) -> :nil',
    "(a [:int, :string?], b :int | :string = 2)\n -> [[:map]]",
    "(a :keyword = :k, b-c :float = -0.5, where :int) -> {where {a :int}}",
]

LEFT = [
    "", "(", "(a :int", "(a :int -> :int", "(a :int) :int", "(a :int) -> :int :int", "a", ":x",
    "(a :x) -> :int where x = :int", "(a? :int) -> :int", '("a b" :int) -> :int', ":int ; comment",
    "(a :int, ** :int) -> :int", "(a :int, a :int) -> :int", "(a-b :int, a_b :int) -> :int",
    "(a :int = x) -> :int", "(a :int = []) -> :int", '(a :int = "x") -> :int', ":int[1..2]",
    "[:int", "[:int}", "tags[:int]", "(tags[:int]) -> :int", ":map[:int]", "#{:int}", ":int & :any",
    "(:int)", ":int??", ":enum[", ":enum[]", ":enum[->]", ":enum[:enum[1]]", "{:id :int}", "{a}",
    "(a :int = 1.) -> :int", "(a :int = 01) -> :int", "(a :int = 1e3) -> :int", '"a"', "é", "->",
    f"(a :int = {'9' * 101}) -> :int", '(a :int "\\n") -> :int', "[" * 2000, "(a :int,) -> :int",
    "(a :int b :int) -> :int", "(1 :int) -> :int", "(a = 1) -> :int", ":int |", ":enum[1,]",
    "{a :int = 1", "(a :int = ->) -> :int",
]  # fmt: skip

PIECES = [
    "(", ")", "[", "]", "{", "}", "!", "?", ",", "=", "|", "->", ":int", ":string", ":enum[", " ",
    ":map[", ":keyword", "a", "b-c", "where", "true", "nil", "1", "-2", "1.50", '"t"', ";", "**",
    ":x", '"\\n"', "..", "0", "00", "1.", "e5", "&", "#{", ":not[", "é",
]  # fmt: skip


def in_grammar(text):
    """Return the signature that the grammar reads, or None."""
    try:
        return reader.read(text)
    except TypesigError:
        return None


def assert_the_same(text):
    found = quick.read(text)
    if found is not None:
        expected = in_grammar(text)
        assert expected == found
        assert repr(expected) == repr(found)


@pytest.mark.parametrize("text", READ)
def test_a_common_text_is_read_quickly(text):
    assert quick.read(text) is not None
    assert_the_same(text)


@pytest.mark.parametrize("text", LEFT)
def test_any_other_text_is_left_to_the_grammar(text):
    assert quick.read(text) is None


@LAW
@given(signatures())
def test_a_signature_is_read_as_the_grammar_reads_it(signature):
    assert_the_same(signature_text(signature))
    assert_the_same(signature_text(signature, described=False))


@LAW
@given(st.integers(0, 2**32))
def test_an_altered_text_is_read_as_the_grammar_reads_it(seed):
    random = Random(seed)
    for _ in range(EXAMPLES):
        text = random.choice([*LINES, *READ])
        for _ in range(random.randint(0, 3)):
            at = random.randint(0, len(text))
            cut = random.randint(0, 2)
            text = text[:at] + random.choice([*PIECES, ""]) + text[at + cut :]
        assert_the_same(text)


@pytest.mark.needs_process
def test_a_common_text_needs_no_lark():
    code = (
        "import sys, typesig\n"
        "typesig.parse('(query :string, limit :int = 10) -> [{id :int, title :string}]')\n"
        "assert 'lark' not in sys.modules\n"
    )

    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode


def test_a_signature_without_notation_is_parsed_once():
    text = "(a :int) -> :int"

    assert typesig.parse(text) is typesig.parse(text) is typesig.parse(text, "shorthand")


def test_a_text_without_a_notation_is_shorthand_where_losses_are_asked_for_too() -> None:
    assert (typesig.parse("() -> :int"), ()) == typesig.parse_with_losses("() -> :int")
