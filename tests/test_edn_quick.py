"""The quick reader of EDN reads a text as the grammar does, or leaves it to the grammar."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import EXAMPLES, LAW
from tests.test_edn import READS, exact
from typesig.notations.edn import quick, reader

CORPUS = (Path(__file__).parent / "corpus" / "edn.txt").read_text(encoding="utf-8")
LINES = [line for line in CORPUS.split("\n") if line and not line.startswith(";")]

READ = [
    "nil", "true", "-0.0", "+5", "42N", "1e07", "a", "-", "+a", "/", "a/b", ":a", "::a", ":a/b", ":1", '""', '"a\\n\\u00e9\\"\\\\"', '"a\nb"',
    "[]", "()", "{}", "#{}", "[1 (2, #{:a}) {:b [] \"c\" {1 2}}]", "; x [\n [:int?, int?] ; é]", "[1\"a\"[2]a#{1 2}]", "{:b 1 a 3}",
]  # fmt: skip

LEFT = [
    "", ";", "1 2", "[", "]", "[1)", "(", "{1}", "{1 2 1 3}", "{[] 1}", "#{1 1}", "#{{}}", "{1 2, true 3}", '"', '"\\"', '"\\', '"\\/"', '"\\q"', '"\\u00"', ":", ":/a", ":::a", ":a:", "a:", "a/b/c", "1a", "01", "1.", ".5", "1/2", "1M", "##Inf", "#inst \"x\"", "#_a b", "\\a", "é", "@a", "a\u00a0b",
    "9" * 401, "1e999", "[1 2", "{1 2", "#{1", "#", "+5a", "[" * 400 + "]" * 400 + "}",
]  # fmt: skip

PIECES = [
    "[", "]", "(", ")", "{", "}", "#{", "#", '"', "\\", "\n", ";", ":", ":a", "a", "/", "1", "-", ".", "N", "M", "e5", "nil", ", ", " ", "#_", "é", "@", '"b"', '\\"', "\\n", "\\/", "{:a 1}", "'", "",
]  # fmt: skip


def assert_the_same(text: str) -> None:
    found = quick.read(text)
    if found is not None:
        assert exact(reader.read(text)) == exact(found[0])


@pytest.mark.parametrize("text", READ)
def test_a_common_text_is_read_quickly(text: str) -> None:
    assert quick.read(text) is not None
    assert_the_same(text)


@pytest.mark.parametrize("text", LEFT)
def test_any_other_text_is_left_to_the_grammar(text: str) -> None:
    assert quick.read(text) is None


def test_each_text_of_the_corpus_is_read_quickly() -> None:
    for text in LINES:
        assert quick.read(text) is not None
        assert_the_same(text)


@pytest.mark.parametrize("text", [text for text, _ in READS])
def test_each_form_is_read_as_the_grammar_reads_it(text: str) -> None:
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
        found: Any = quick.read(text)
        if found is not None:
            assert exact(reader.read(text)) == exact(found[0])


@pytest.mark.needs_process
def test_a_common_text_needs_no_lark() -> None:
    code = (
        "import sys, typesig\n"
        "typesig.parse('[:=> [:cat [:map {:closed true} [:id :int]]] [:maybe :string]]', 'edn')\n"
        "assert 'lark' not in sys.modules\n"
    )

    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode
