"""The quick reader of compact text reads a text as the grammar does, or leaves it to the grammar."""

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
from typesig.notations.compact import quick, reader

CORPUS = (Path(__file__).parent / "corpus" / "compact.txt").read_text(encoding="utf-8")
LINES = [line for line in CORPUS.split("\n") if line and not line.startswith(";")]

READ = [
    "()", "() -> int", "()! -> string?", "(q)", "(q int)", "(q?, r int?)", "=(max_results int=10)",
    '(a "words", b int=1 "rows")! -> [{id int, at datetime?}] "the rows"',
    "(a, ; words\n b ; rows\n) -> int ; a count",
    '(a [low high], b [yes no]="yes")',
    '(a ["x y","z"], b [1,-2.5,true], c [false], d ["one"]="one")',
    "(a [int, string?], b int | string = 2)\n -> [[map]]",
    '(a [string]=[], b [any]=["x",1,null,[true]])', '("Content-Type", "_from" int)',
    "(a map[int], b map[int string], c map[[x y] {z}])", "(a (int?), b (string \"why\")|nil)",
    "(a {b int}!)", "(a {}, where int, map map, enum int)", "(_x int)",
    "(a {x, ; in\n y {z ; out\n}\n}!, b)", "(a ;\n)", '("" int)', "(a ;; b\n)", "(a,;b\n c)", '=("a b" int, a_b)',
]  # fmt: skip

LEFT = [
    "", "(", "(a", "(a int", "int", "(a int) int", "(a x)", "(a :X) where X=int", "(a int,)",
    "(a int[1..2])", "(a string[email])", "tags[int]", "(a#{int})", "(a int & any)", "(a int??)",
    "(a [])", "(a [x])", "(a [int x])", "(a [X y])", "(a [x y)", '(a ["x" "y"])', '(a ["x",y])',
    "(a enum[1])", "(a one[int, string])", "(a not[int])", "(a int, ** int)", "(a int, a int)",
    "(a-b, a_b)", "(a int=x)", '(a int="x")', "(a=1.)", "(a=01)", "(a=1e3)", "(a=->)", "(a=[)",
    "(a=[1)", "(a=[1,])", "(a={})", "(a=:k)", '(a "\\n")', '(a "")', '(a "x" ; y\n)',
    "(a ; x\n, b)", "(a (int)", "(a (int b))", "(a (int \"\"))", "(a map[int)", "(a map[1..2])", '(a ["x",nil])', '(a [1,["x"]])', "(a map[int int int])", "(a [low ", "(a map[int int ", "(map[int)", "(1 int)",
    "(a [int}", "(a {x int", "(a, b", "-> int", "() -> ", "é", f"(a={'9' * 101})", "(a " + "[" * 2000,
    "(a int /x/ int)", "(a [int, ** string])", "(a [", "(a {", "(a (", "(a map[",
]  # fmt: skip

PIECES = [
    "(", ")", "[", "]", "{", "}", "!", "?", ",", "=", "|", "->", "int", "string", "enum[", " ", "\n",
    "map[", "map", "a", "b-c", "b_c", "where", "true", "nil", "1", "-2", "1.50", '"t"', ";", "; d\n",
    ":x", '"\\n"', "..", "0", "00", "1.", "e5", "&", "#{", "not[", "é", "=(", "**", "X",
]  # fmt: skip


def in_grammar(text: str) -> typesig.Signature | None:
    """Return the signature that the grammar reads, or None."""
    try:
        return reader.read(text)
    except TypesigError:
        return None


def assert_the_same(text: str) -> None:
    found = quick.read(text)
    if found is not None:
        expected = in_grammar(text)
        assert expected == found
        assert repr(expected) == repr(found)


@pytest.mark.parametrize("text", READ)
def test_a_common_text_is_read_quickly(text: str) -> None:
    assert quick.read(text) is not None
    assert_the_same(text)


@pytest.mark.parametrize("text", LEFT)
def test_any_other_text_is_left_to_the_grammar(text: str) -> None:
    assert quick.read(text) is None


@LAW
@given(signatures())
def test_a_signature_is_read_as_the_grammar_reads_it(signature: typesig.Signature) -> None:
    assert_the_same(typesig.render(signature, "compact", lossy=True))


@LAW
@given(st.integers(0, 2**32))
def test_an_altered_text_is_read_as_the_grammar_reads_it(seed: int) -> None:
    random = Random(seed)
    for _ in range(EXAMPLES):
        text = random.choice([*LINES, *READ])
        for _ in range(random.randint(0, 3)):
            at = random.randint(0, len(text))
            cut = random.randint(0, 2)
            text = text[:at] + random.choice([*PIECES, ""]) + text[at + cut :]
        assert_the_same(text)


@pytest.mark.needs_process
def test_a_common_text_needs_no_lark() -> None:
    code = (
        "import sys, typesig\n"
        "typesig.parse('(query, limit int=10) -> [{id int, title}]', 'compact')\n"
        "assert 'lark' not in sys.modules\n"
    )

    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode
