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
    "(a :int[1..], b :int[..5] = 5, c :float[-1.5..2], d :int[>0, <=9, %3]?) -> :string[email]",
    "(a [:string][1..5, unique], b [[:int][2..]]) -> {a :int}[1..] \"rows\"",
    ":enum[a b][1..]", ":map[1..]", ":map[>=1]", ":map[:int][..3]", ":map[:enum[a] :int?]",
    ":map[:string :any]", "#{:int}", "{a #{:string[1..]}? = nil}", ":map[[:int]]", ":map[{a :int}! #{:int}]",
    ":int[1..1]", ":int[-0..]", ":float[1.0..1.50]", ":double[>=0]", ":string[ 1 .. 2 ]", ":int[1..5]|:nil",
    "(a :x) -> :int where x = :int", ":Node where Node = {kids [:Node]}", "-> :a? where a = :b?, b = :int[1..]",
    "(where :where) -> :int where where = :int", ":a-b_c where a-b_c = [:a-b_c?]",
    '("Content-Type" :string, "a" :int = 1, "" :int?) -> {"a b" [:int] "words"}!', '(a :string = "\\"x\\u00e9\\n" "\\\\ \\/") -> :enum["a\\tb"]',
    "; first\n(a :int, ; the a\n b :int ;; the b [\n) -> ; result\n[:int] ; end", ';\n:int;"', '(a :int "\\ud83d\\ude00") -> :int ";"',
]  # fmt: skip

LEFT = [
    "", "(", "(a :int", "(a :int -> :int", "(a :int) :int", "(a :int) -> :int :int", "a", ":x",
    "(a? :int) -> :int",
    "(a :int, ** :int) -> :int", "(a :int, a :int) -> :int", "(a-b :int, a_b :int) -> :int",
    "(a :int = x) -> :int", "(a :int = []) -> :int", '(a :int = "x") -> :int', ":string[/a/]",
    "[:int", "[:int}", "tags[:int]", "(tags[:int]) -> :int", ":int & :any",
    "(:int)", ":int??", ":enum[", ":enum[]", ":enum[->]", ":enum[:enum[1]]", "{:id :int}", "{a}",
    "(a :int = 1.) -> :int", "(a :int = 01) -> :int", "(a :int = 1e3) -> :int", '"a"', "é", "->",
    f"(a :int = {'9' * 101}) -> :int", "[" * 2000, "(a :int,) -> :int",
    "(a :int b :int) -> :int", "(1 :int) -> :int", "(a = 1) -> :int", ":int |", ":enum[1,]",
    "{a :int = 1", "(a :int = ->) -> :int", '(a :int "', '(a :int "x', '(a :int "x\\")', '(a :int "\\x") -> :int', '(" :int) -> :int', '("a" :int, "a" :int) -> :int', '(a :string = ") -> :int',
    '(a :int "\n") -> :int', '(a :int "\\\n") -> :int', ":int ; x\n :int", ";", ";:int", "(a ;) -> :int", "tags ;\n[:int]", "(/x/ :int) -> :int",
    ":int[", ":int[]", ":int[5]", ":int[1..", ":int[5..1]", ":int[1.]", ":int[1...2]", ":int[>]", ":int[> a]",
    ":int[%0]", ":int[..]", ":int[->..1]", ":int[1..2,]", ":int[1..2 3..4]", ":int[1..][2..]", ":int?[1..]",
    ":int[email]", ":string[unique]", ":string[mail]", ":list[int]", ":list[:int]", ":int[:int]", ":map[]", ":map[:int",
    ":map[:int, :int]", ":map[1..][unique]", ":map[1..][1..]", ":map[unique]", ":map[:int :int :int]", "#{}", "#{:int", "#:int",
    ":one[:int, :string]", ":not[:int]", ":enum", ":enum where enum = :int", ":a where a", ":a where a =", ":a where = :int",
    ":a where a = :int,", ":a where a = :b where b = :int", ":a, a = :int", ":a where a = :int b = :int", ":a where a = :int, a = :int", ":a where int = :int", ":a where a = :a",
    ':"a b" where "a b" = :int', ":int where", "(a :int) -> :int where 1 = :int", "{a :int}![1..]", "(:int)[1..]",
    ":int[1 ..2", ":int[1e3..]", ":int[01..]", ":string[/a/, 1..]", ":int|[:int]", ":a[1..", "(a :int[1..] = 0) -> :int",
]  # fmt: skip

PIECES = [
    "(", ")", "[", "]", "{", "}", "!", "?", ",", "=", "|", "->", ":int", ":string", ":enum[", " ",
    ":map[", ":keyword", "a", "b-c", "where", "true", "nil", "1", "-2", "1.50", '"t"', ";", "**",
    '"', "\\", "\n", '"a b"', '\\"', ":x", "where", ",", "unique", "email", ">", "<=", "%", "][", "}[", ":int[", '"\\n"', "..", "0", "00", "1.", "e5", "&", "#{", ":not[", "é",
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
