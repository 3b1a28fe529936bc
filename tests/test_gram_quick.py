"""The quick reader of gram reads a text as the grammar does, or leaves it to the grammar."""

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
from typesig.notations.gram import quick, reader

CORPUS = (Path(__file__).parent / "corpus" / "gram.txt").read_text(encoding="utf-8")
LINES = [line for line in CORPUS.split("\n") if line and not line.startswith(";")]

READ = [
    "Int", "IO Int", "IO (Int)", "() --> Int", "()-->IO (Maybe [Text])", "(a-b: Int, Text, Maybe: Text, IO: Int) --> IO {}", '("a b": Maybe Int, "": Text) --> {"x\\n": Int, y: (Number)}',
    "(a: Int)-->Int", "(Int, (Maybe Int), [Integer])\n\t--> Any", "Maybe Maybe Int", "(arg2: Int) --> Int", "(x-: Int) --> Int", "(Int, arg1x: Int) --> Int",
]  # fmt: skip

LEFT = [
    "", "(", "(Int)", "IO", "Maybe", "Txt", "(a: Int", "(a: Int -> Int", "(a: Int) -> Int", "(a: Int) ==> Int", "(a Int) --> Int", "(: Int) --> Int", "(a:) --> Int", "(a: Int,) --> Int", "(IO Int) --> Int",
    "(Int, arg1: Int) --> Int", "(a: Int, a: Int) --> Int", "(a-b: Int, a_b: Int) --> Int", "[Int", "[Int}", "{a}", "{a: Int", "{a: Int, a: Int}", "{a: Int,}", "{Int}", "{a::Int}", "{1: Int}", "{[: Int}",
    '{"a: Int}', '{"\\q": Int}', "(a::Int)==>(::Int)", "(::Int)", "Int Int", "() --> Int Int", "(a: Int) --> IO IO Int", "é", "(a: Int) --", "(Int) --> (Int", "(a: Int = 1) --> Int", "Maybe " * 2000,
]  # fmt: skip

PIECES = [
    "(", ")", "[", "]", "{", "}", ",", ":", "::", "-->", "==>", "-", "Int", "Text", "Maybe", "IO", "a", "arg1", "a-b", '"a"', '"', "\\", " ", "\n", "1", "é", "IO ", "Maybe ", "a: Int", "",
]  # fmt: skip


def in_grammar(text: str) -> typesig.Signature | None:
    """Return the signature that the grammar reads, or None."""
    try:
        return reader.read(text)
    except TypesigError:
        return None


def assert_the_same(text: str) -> None:
    expected, found = in_grammar(text), quick.read(text)
    # The path form is left to the grammar.
    if found is not None or "::" not in text:
        assert (expected, expected and expected.io) == (found, found and found.io)
        assert repr(expected) == repr(found)


@pytest.mark.parametrize("text", READ)
def test_a_text_without_a_mistake_is_read_quickly(text: str) -> None:
    assert quick.read(text) is not None
    assert_the_same(text)


@pytest.mark.parametrize("text", LEFT)
def test_any_other_text_is_left_to_the_grammar(text: str) -> None:
    assert quick.read(text) is None


def test_each_text_of_the_corpus_is_read_as_the_grammar_reads_it() -> None:
    for text in LINES:
        assert_the_same(text)


@LAW
@given(signatures())
def test_a_signature_is_read_quickly_as_the_grammar_reads_it(
    signature: typesig.Signature,
) -> None:
    text = typesig.render(signature, "gram", lossy=True)

    assert quick.read(text) is not None
    assert_the_same(text)


@LAW
@given(st.integers(0, 2**32))
def test_an_altered_text_is_read_as_the_grammar_reads_it(seed: int) -> None:
    random = Random(seed)
    for _ in range(EXAMPLES):
        text = random.choice([*LINES, *READ])
        for _ in range(random.randint(0, 3)):
            at = random.randint(0, len(text))
            text = text[:at] + random.choice(PIECES) + text[at + random.randint(0, 2) :]
        assert_the_same(text)


@pytest.mark.needs_process
def test_a_text_without_a_mistake_needs_no_lark() -> None:
    code = (
        "import sys, typesig\n"
        "typesig.parse('(name: Text, age: Maybe Int) --> IO [{id: Int}]', 'gram')\n"
        "assert 'lark' not in sys.modules\n"
    )

    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode
