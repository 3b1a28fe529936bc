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
    "(a :X) where X=int", "(a :X?, b :\"Y z\"[1..]) -> :X ; d\nwhere X=[:X], \"Y z\"=map", "() where X=int, Y=(:X), Z= (:X)",
    "(a int[1..2])", "(a string[email, /a/], b [int][unique, ..3]?)", "(a#{int})", "(a int & any | nil)", "(a int, ** int)", "(** int?)", "(** string)",
    "(a enum[1])", '(a enum[a, :k, :"k l", 1, null, [1, {"a":[true]}]])', "(a one[int, string], b not[int]?)", "(a map[1..2], b map[int][1..]?, c map[int? string])",
    '(a "\\n")', '(a "")', '(a (int ""))', '("a\\tb" string="x\\ny")', "(a [int, ** string], b [int, int, **int])",
    "(a {/x/ int, ; d\n /y/ int \"e\", ** int})", "(a {b, /x/ int ; d\n})", "(a float=-1, b float=1e3, c float=0.5)", "(a any={}, b any=:k, c any={\"a\":1, \"b\" : [nil]})",
]  # fmt: skip

LEFT = [
    "", "(", "(a", "(a int", "int", "(a int) int", "(a x)", "(a int,)",
    "tags[int]", "(a int??)",
    "(a [])", "(a [x])", "(a [int x])", "(a [X y])", "(a [x y)", '(a ["x" "y"])', '(a ["x",y])',
    "(a int, a int)",
    "(a-b, a_b)", "(a int=x)", '(a int="x")', "(a=1.)", "(a=01)", "(a=1e3)", "(a=->)", "(a=[)",
    "(a=[1)", "(a=[1,])", "(a={})", "(a=:k)", '(a "x" ; y\n)',
    "(a ; x\n, b)", "(a (int)", "(a (int b))", "(a map[int)", '(a ["x",nil])', '(a [1,["x"]])', "(a map[int int int])", "(a [low ", "(a map[int int ", "(map[int)", "(1 int)",
    "(a [int}", "(a {x int", "(a, b", "-> int", "() -> ", "é", f"(a={'9' * 101})", "(a " + "[" * 2000,
    "(a int /x/ int)", "(a [", "(a {", "(a (", "(a map[",
    "(a :int)", "(a :enum) where enum=int", '(a :"")', "(a :X)", "(a :)", "() where X", "() where X=int, X=int", "() where X=int ; d", "() where 1=int", "() ; d", "()! ! -> int", "(** int)!", "(/x/ int)",
    "(a int[1..2][1..2])", "(a int [1..2])", "(a int?[1..])", "(a[1..2])", "(a string[/a])", "(a {/x/ int, b})", "(a {/x/ int, /x/ int})", "(a {/x/})", '(a {/x/ int "d" ; e\n})', "(a {** int, b})", "(a {** int ; d\n})",
    "(a enum[])", "(a enum[1 2])", "(a enum[1, ])", "(a enum [1])", "(a one[int])", "(a not[int, int])", "(a ['x'])", "(a [true, int])", "(a [1, x])", "(a [low true])", "(a ;\n int)", "( ; d\n a)",
    "(a [1][1])", '(a "x"[1])', "(a -> int)", '(a "x" "y")', "(a any={x:1})", "(a int) -> int \"d\" ; e", "(a int =(1))", "(map[int] int)", "(a [int map[int]])", "(a #{int)", "(a [int, **])", "(a boolean)", "() where X=(int", "() where X==int", "(a=(int))", "= (a)", "(map[int])", "() where =(int)",
]  # fmt: skip

PIECES = [
    "(", ")", "[", "]", "{", "}", "!", "?", ",", "=", "|", "->", "int", "string", "enum[", " ", "\n",
    "map[", "map", "a", "b-c", "b_c", "where", "true", "nil", "1", "-2", "1.50", '"t"', ";", "; d\n",
    ":x", '"\\n"', "..", "0", "00", "1.", "e5", "&", "#{", "not[", "é", "=(", "**", "X",
    "enum[", "one[", "where X=int", ":X", "int[1..]", "[a b]", "[1,2]", "[true", "** int", "int?", ": ", "/a/", "//", ":[", '{"a":', "? ", "=[", "={", "'",
]  # fmt: skip


def in_grammar(text: str) -> typesig.Signature | None:
    """Return the signature that the grammar reads, or None."""
    try:
        return reader.read(text)
    except TypesigError:
        return None


def assert_the_same(text: str) -> None:
    expected, found = in_grammar(text), quick.read(text)
    assert expected == found
    assert repr(expected) == repr(found)


@pytest.mark.parametrize("text", READ)
def test_a_text_without_a_mistake_is_read_quickly(text: str) -> None:
    assert quick.read(text) is not None
    assert_the_same(text)


@pytest.mark.parametrize("text", LEFT)
def test_a_text_with_a_mistake_is_left_to_the_grammar(text: str) -> None:
    assert quick.read(text) is None
    with pytest.raises(TypesigError):
        typesig.parse(text, "compact")


def test_each_text_of_the_corpus_is_read_as_the_grammar_reads_it() -> None:
    for text in LINES:
        assert_the_same(text)


@LAW
@given(signatures())
def test_a_signature_is_read_quickly_as_the_grammar_reads_it(
    signature: typesig.Signature,
) -> None:
    text = typesig.render(signature, "compact", lossy=True)

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
            cut = random.randint(0, 2)
            text = text[:at] + random.choice([*PIECES, ""]) + text[at + cut :]
        assert_the_same(text)


@pytest.mark.needs_process
def test_a_text_without_a_mistake_needs_no_lark() -> None:
    code = (
        "import sys, typesig\n"
        "typesig.parse('(q string[/^a/], r not[nil] & any, ** int) -> [{id int}!]', 'compact')\n"
        "assert 'lark' not in sys.modules\n"
    )

    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode
