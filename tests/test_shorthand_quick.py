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
    ":int & :any", ":int|:string & :any|:nil", "{a :int} & {b :int} & {}", "(a :int? & :any?) -> :int|[:int]", "(:int?)", '((:int "a")|:nil)?', "(:int)[1..]",
    ":not[:int]", ":not[:not[:int]]?", ":one[:int, :string]", ":one[:one[:int, :a?], [:int], :not[:int]] where a = :int", ":enum where enum = :int, not = :enum",
    ":string[/a/]", ":string[/^[a-z]\\/\\\\/, 1.., email]", ':string[/"];/]', "[:string[/a/]]", "{/a/ :int}", '{a :int, /^x-/ :int "x", /y/ :int?, ** :int}', "{/a/[:int], ** [:int]}", "{** :int?}",
    "(a :int, ** :int) -> :int", "(** :int|:nil) -> :int", "(a? :int, b ? [:int?] = [1] \"b\", \"c\"? :int?) -> :int",
    "[:int, ** :string]", "[:int, :int?, **[:int]]", '{:id :int}', '{:id :int? :enum [:int], :map[:int], :"a b" :int}!?', '{:enum [:int]}[1..]',
    "(a [:int] = [1, 2], b :map = {}, c :any = {\"a\":[1,[]],\"b\" : true, \"c\":nil,\"d\"::k,\"e\":\"x\",\"f\":{}, \"g\"::\"k l\"}, d :any = [\"x\", :k, {}]) -> :int",
    ":enum[:enum[1]]", ":enum[:map[1][2]{}{\"a\":1}[3]]", ':enum[[], {"a": [nil]}, :"k l" True -1-2 1e3 2.5E-1 -0 0.0]', ':enum[""[":"]:""]',
    ':"a b"[1..]? where "a b" = :int, "" = :string', ":int[1e3..]", "(tags[:int]) -> :int", ":map[:int[1..][:int]]", ":map[:int?[:int]]", ":map[[:int][1..][:int]]", "()->[:int]", ":int[..5, ..6]", ":int[1.. , 2..]",
    f"(a :int = -{'9' * 399}) -> :int", "[" * 127 + ":int" + "]" * 127,
]  # fmt: skip

LEFT = [
    "", "(", "(a :int", "(a :int -> :int", "(a :int) :int", "(a :int) -> :int :int", "a", ":x",
    "(a :int, a :int) -> :int", "(a-b :int, a_b :int) -> :int",
    "(a :int = x) -> :int", "(a :int = []) -> :int", '(a :int = "x") -> :int',
    "[:int", "[:int}", "tags[:int]",
    ":int??", ":enum[", ":enum[]", ":enum[->]", "{a}",
    "(a :int = 1.) -> :int", "(a :int = 01) -> :int", "(a :int = 1e3) -> :int", '"a"', "é", "->",
    f"(a :int = {'9' * 401}) -> :int", f"(a :float = {'9' * 400}e1) -> :int", "[" * 2000, "(a :int,) -> :int",
    "(a :int b :int) -> :int", "(1 :int) -> :int", "(a = 1) -> :int", ":int |", ":enum[1,]",
    "{a :int = 1", "(a :int = ->) -> :int", '(a :int "', '(a :int "x', '(a :int "x\\")', '(a :int "\\x") -> :int', '(" :int) -> :int', '("a" :int, "a" :int) -> :int', '(a :string = ") -> :int',
    '(a :int "\n") -> :int', '(a :int "\\\n") -> :int', ":int ; x\n :int", ";", ";:int", "(a ;) -> :int", "tags ;\n[:int]", "(/x/ :int) -> :int",
    ":int[", ":int[]", ":int[5]", ":int[1..", ":int[5..1]", ":int[1.]", ":int[1...2]", ":int[>]", ":int[> a]",
    ":int[%0]", ":int[..]", ":int[->..1]", ":int[1..2,]", ":int[1..2 3..4]", ":int[1..][2..]", ":int?[1..]",
    ":int[email]", ":string[unique]", ":string[mail]", ":list[int]", ":list[:int]", ":int[:int]", ":map[]", ":map[:int",
    ":map[:int, :int]", ":map[1..][unique]", ":map[1..][1..]", ":map[unique]", ":map[:int :int :int]", "#{}", "#{:int", "#:int",
    ":enum", ":a where a", ":a where a =", ":a where = :int",
    ":a where a = :int,", ":a where a = :b where b = :int", ":a, a = :int", ":a where a = :int b = :int", ":a where a = :int, a = :int", ":a where int = :int", ":a where a = :a",
    ":int where", "(a :int) -> :int where 1 = :int",
    ":int[1 ..2", ":int[01..]", ":a[1..", "(a :int[1..] = 0) -> :int",
    ":int &", ":int & |:int", "(:int", '(:int "a" "b")', ":not", ":not[:int", ":not[:int, :int]", ":one[:int]", ":one[:int, :int", ":one", ':""', ':"a', ':"a"', ":", "[: ]",
    ":string[/a]", ":string[/a\\/]", ":string[//]", ":string[/(/]", ":string[/a\\", ":string[/a\n/]", "{/a/}", "{/a/ :int,}", "{/a/ :int, b :int}", "{/a/ :int, /a/ :int}", "{/a/ :int",
    "{** :int}!", "(** :int)! -> :int", "{** :int, a :int}", "{** :int", "(** ) -> :int", "[** :int]", "[:int, ** :int, :int]", "[:int, **", "(a?) -> :int", "(a?? :int) -> :int",
    "{:id}", "{:id :int", "{: :int}", "{:id :int,}", "{:id :int, :id :int}", "{:id :int, a :int}", '{:id :int "x"}', "{[:int]}", '{:"a :int}',
    "(a :any = [1,]) -> :int", "(a :any = [x]) -> :int", "(a :any = [1) -> :int", "(a :any = {a:1}) -> :int", '(a :any = {"a" 1}) -> :int', '(a :any = {"a":1,}) -> :int', '(a :any = {"a":x}) -> :int',
    '(a :any = {"a":1, "a":2}) -> :int', '(a :any = {"a":1', '(a :any = {"a"', "(a :any = {", '(a :any = "a":1) -> :int', ":enum[[x]]", ":enum[:]", ':enum[:":a"]', ":enum[{]",
    "(a :any = 1_0) -> :int", "(a :any = 1e) -> :int", "(a :any = 12x) -> :int", "(a :any = -01) -> :int", "(a :any = 1e999) -> :int", "(a :any = 1.5.5) -> :int", "(a :any = -) -> :int",
    '"a" = :int', ":int where a :int", ":int where /a/ = :int", ':int where "a = :int', "(a :int) : int", "(a :int)! :int", "-> ", "() -> :int! ", ":map[:int][:int]", ":map[:int",
]  # fmt: skip

PIECES = [
    "(", ")", "[", "]", "{", "}", "!", "?", ",", "=", "|", "->", ":int", ":string", ":enum[", " ",
    ":map[", ":keyword", "a", "b-c", "where", "true", "nil", "1", "-2", "1.50", '"t"', ";", "**",
    '"', "\\", "\n", '"a b"', '\\"', ":x", "where", ",", "unique", "email", ">", "<=", "%", "][", "}[", ":int[", '"\\n"', "..", "0", "00", "1.", "e5", "&", "#{", ":not[", "é",
    ":one[", "(:int)", "{:id :int", '{"a":', ':"x"', ':"x"[', ":[", ":", "/a/", "/a\\/", "//", "**:int", "where x = ", "?", "[[", ")[", "![", "{}", "- ", "1e5", "_", ".5", "\r", "\f", "'",
]  # fmt: skip


#: The texts to alter; the grammar takes long to read a long one.
SHORT = [text for text in READ if len(text) < 300]


def in_grammar(text):
    """Return the signature that the grammar reads, or None."""
    try:
        return reader.read(text)
    except TypesigError:
        return None


def assert_the_same(text):
    expected, found = in_grammar(text), quick.read(text)
    assert expected == found
    assert repr(expected) == repr(found)


@pytest.mark.parametrize("text", READ)
def test_a_text_without_a_mistake_is_read_quickly(text):
    assert quick.read(text) is not None
    assert_the_same(text)


@pytest.mark.parametrize("text", LEFT)
def test_a_text_with_a_mistake_is_left_to_the_grammar(text):
    assert quick.read(text) is None
    with pytest.raises(TypesigError):
        typesig.parse(text)


def test_each_text_of_the_corpus_is_read_as_the_grammar_reads_it():
    for text in LINES:
        assert_the_same(text)


def test_types_deeper_than_the_stack_are_left_to_the_grammar():
    def read_below(frames):
        return quick.read(text) if frames == 0 else read_below(frames - 1)

    text = "[" * 100 + ":int" + "]" * 100

    assert quick.read(text) is not None
    assert read_below(sys.getrecursionlimit() - 250) is None


@LAW
@given(signatures())
def test_a_signature_is_read_quickly_as_the_grammar_reads_it(signature):
    for text in (signature_text(signature), signature_text(signature, described=False)):
        assert quick.read(text) is not None
        assert_the_same(text)


@LAW
@given(st.integers(0, 2**32))
def test_an_altered_text_is_read_as_the_grammar_reads_it(seed):
    random = Random(seed)
    for _ in range(EXAMPLES):
        text = random.choice([*LINES, *SHORT])
        for _ in range(random.randint(0, 3)):
            at = random.randint(0, len(text))
            cut = random.randint(0, 2)
            text = text[:at] + random.choice([*PIECES, ""]) + text[at + cut :]
        assert_the_same(text)


@pytest.mark.needs_process
def test_a_text_without_a_mistake_needs_no_lark():
    code = (
        "import sys, typesig\n"
        "typesig.parse('(q :string[/^a/], r :not[:nil] & :any, ** :int) -> [{id :int} & {:a :int}]')\n"
        "assert 'lark' not in sys.modules\n"
    )

    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode


def test_a_signature_without_notation_is_parsed_once():
    text = "(a :int) -> :int"

    assert typesig.parse(text) is typesig.parse(text) is typesig.parse(text, "shorthand")


def test_a_text_without_a_notation_is_shorthand_where_losses_are_asked_for_too() -> None:
    assert (typesig.parse("() -> :int"), ()) == typesig.parse_with_losses("() -> :int")
