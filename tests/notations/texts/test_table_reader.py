"""The reader of parse tables reads a text as lark does by the grammar, or finds the same mistake."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

import typesig
from tests import parse_tables as tables
from tests.generators import EXAMPLES, LAW, signatures
from typesig.notations.compact.rules import CompactParserRules as CompactRules
from typesig.notations.edn.rules import EdnParserRules as EdnRules
from typesig.notations.gram.rules import GramParserRules as GramRules
from typesig.notations.shorthand.rules import ShorthandParserRules as ShorthandRules
from typesig.notations.texts import table_reader
from typesig.notations.texts.table_reader import FILE_NAME, TableReader, UnexpectedPart

RULES = {
    "shorthand": ShorthandRules,
    "compact": CompactRules,
    "edn": EdnRules,
    "gram": GramRules,
}

#: Texts in which one place has several terminals, or ends, or repeats.
TEXTS: dict[str, list[str]] = {
    "shorthand": [
        "", " ", "; words", "(where :where) -> :int where where = :int", "(a :x)where x=:int", ":int; (\n",
        ':enum[:enum[1]{"a":true,"b"::k,"c":"x","d"::"k l"}:map[1]]', "(tags[:int])->[:int]", ":map[:int[1..][:int]]",
        ":int|[:int]&[:int]?", ":map[1..][2..]", ":map[[:int][1..]]", ":string[/a/,1..2,>=1,<2,%3,..4,email]?",
        "{:id :int? :enum [:int], :map[:int]}!", "{a :int = -1, /x/[:int], **[:int]}!", "(a? :int) -> :int?? ",
        ':"a b"[1..]? where "a b" = :int, b = #{:int}', "[:int, ** :string]", "(a :int \"b\"", "(a :int -> :int", "-", ":int - :int",
        ':int[1..5].', ":int €", "(a :int = 1_0)", "{a}", '("a" :int', '"', ":not[:one[:int, :nil], :int]", "->:int = \"a\" \"b\"", ":int where",
    ],
    "compact": [
        "", "(a bool=true, b [true], c [true false], where int, map map[map map], enum)", "() where X=(int), Y=[int]",
        "=(a int=1)! -> [int] ; words\nwhere X = int", "(a [low high], b [1,-2.5], c [int, string], d [int])->[a b]",
        "(a ; words\n)", "(a, ; words\n b ; more\n) -> {/x/ int \"y\" ; z\n}", "(a[int])", "(a [1][1])", "(a int [1..2])", "(a map[1..2]?, b map[unique])",
        "(a string[email, /a/])", "(a int?[1..])", '(a any={"a":true,"b"::k})', "(a #{int}|not[nil]&one[a, b])", "(a ->)", "(a €", "(a :int)", "(a [int x])",
    ],
    "gram": [
        "", "Int", "IO Int", "Maybe Maybe IO", "(IO: Int, Maybe: Maybe Int, a-b: [Text]) --> IO {IO: Int}", "(a-->b)", "() ==> (::Int)", "() --> (::Int)",
        '(a::String {default:{a:[1,null,"x"]}})==>(b::Int)~~>(::Text)', "(a: Int)-->Int-->", "(a: Int) -> Int", "(Int", "(::Int) Int", "a-", "€", "(a::Int {})==>(Int)",
    ],
    "edn": [
        "", ",", "#_", "#_ #_ 1 2 3", "[1 #_2 3]", "{:a 1, b 2.5, \"c\" #{1N 2M 1/2 ##Inf}}", "#inst \"x\"", "#a/b #_c d", "\\a", "\\newline", "a/b", "/", "1a", "-", "- 1", ".5", "[1", "1 2", ")", ":", "::a", "a;b\nc", "é", "€", "\"a",
    ],
}  # fmt: skip

PIECES = [
    "(", ")", "[", "]", "{", "}", '"', "\\", "\n", ";", ":", ",", "?", "-", "1", "a", "é", "/", "", "=", "=(", "->", "-->", "::", "**", "..", "#{", "#_", "!", "|", "&", "true", "where ", "map[", ":map[", ":enum[", "enum[", "not[", " [", "IO ", "Maybe ", '"a"', ":a", "1.5", ">", "%", "#", "€", "\\a", "'",
]  # fmt: skip


@cache
def corpus(name: str) -> list[str]:
    """Return the texts of a grammar: its corpus, and those above."""
    path = Path(__file__).resolve().parents[2] / "corpus" / f"{name}.txt"
    lines = path.read_text(encoding="utf-8").split("\n")
    return [*[line.replace("⏎", "\n") for line in lines if line[:1] != ";"], *TEXTS[name]]


@cache
def readers(name: str) -> tuple[Any, TableReader]:
    """Return lark's parser of a grammar, and the reader of its tables, which makes trees, too."""
    stored = json.loads(table_reader.read_file(name, FILE_NAME))
    methods = {method for _, _, method, _ in stored["rules"] if method}
    return tables.build_parser(name), TableReader(
        stored, type("Trees", (), {m: tree(m) for m in methods})
    )


def tree(method: str) -> Any:
    return lambda _rules, *parts: (method, *map(plain, parts))


def plain(part: Any) -> Any:
    """Return a tree or a token of either reader as a tuple."""
    if isinstance(part, Tree):
        return (str(part.data), *map(plain, part.children))
    if isinstance(part, Token | table_reader.Token):
        return part.type, str(part), part.start_pos
    return part


def in_grammar(name: str, text: str) -> Any:
    """Return the tree that lark makes of a text, or the mistake that it finds."""
    try:
        return plain(readers(name)[0].parse(text))
    except UnexpectedToken as error:
        is_end = error.token.type == "$END"
        at = len(text) if is_end else error.token.start_pos
        return at, "" if is_end else str(error.token), True, error.accepts
    except UnexpectedCharacters as error:
        at = error.pos_in_stream
        return at, text[at], False, error.interactive_parser.accepts()  # type: ignore[attr-defined]


def by_tables(name: str, text: str) -> Any:
    """Return the tree that the reader of tables makes of a text, or the mistake that it finds."""
    try:
        return readers(name)[1].parse(text, None)
    except UnexpectedPart as error:
        return error.at, error.met, error.is_token, error.expected


def assert_read_alike(name: str, text: str) -> None:
    assert in_grammar(name, text) == by_tables(name, text), text


def test_each_grammar_is_compared() -> None:
    assert set(tables.PACKAGES) == RULES.keys() == TEXTS.keys()


@pytest.mark.once
@pytest.mark.parametrize("name", RULES)
def test_a_text_of_the_corpus_is_read_as_by_the_grammar(name: str) -> None:
    for text in corpus(name):
        assert_read_alike(name, text)


@LAW
@given(signatures())
def test_a_signature_is_read_as_by_the_grammar(signature: typesig.Signature) -> None:
    for notation in ("shorthand", "compact", "gram", "gram_path", "edn"):
        text = typesig.render(signature, notation, lossy=True)
        name = notation.removesuffix("_path")

        assert isinstance(by_tables(name, text)[0], str)
        assert_read_alike(name, text)


@LAW
@given(st.integers(0, 2**32))
def test_an_altered_text_is_read_as_by_the_grammar(seed: int) -> None:
    random = Random(seed)
    for name in RULES:
        for _ in range(EXAMPLES):
            text = random.choice(corpus(name))
            for _ in range(random.randint(1, 3)):
                at = random.randint(0, len(text))
                text = text[:at] + random.choice(PIECES) + text[at + random.randint(0, 2) :]
            assert_read_alike(name, text)


#: What a long text begins with, and what it repeats.
LONG = [
    ("shorthand", "(", "a :int, "),
    ("shorthand", ":enum[", "a "),
    ("shorthand", "(a :any = {", '"b"::"c", '),
    ("shorthand", "", "; words\n"),
    ("shorthand", "", "["),
    ("compact", "(", "a int=1, ; words\n"),
    ("compact", "(a [", "b "),
    ("gram", "(", "a: Int, "),
    ("gram", "", "Maybe "),
    ("edn", "[", "1 :a "),
    ("edn", "", "#_ "),
]


@pytest.mark.once
@pytest.mark.parametrize(("name", "first", "unit"), LONG)
def test_a_text_is_read_in_linear_time(name: str, first: str, unit: str) -> None:
    def cpu_time(size: int) -> float:
        text = first + unit * (size // len(unit))
        began = process_time()
        by_tables(name, text)
        return process_time() - began

    least, most = (min(cpu_time(size) for _ in range(3)) for size in (1_000, 8_000))

    assert most < 8 * 4 * least + 0.01


@pytest.mark.parametrize("name", RULES)
def test_every_rule_of_a_grammar_has_a_method(name: str) -> None:
    made = table_reader.load_reader(name, RULES[name])

    assert isinstance(made, TableReader)


def test_a_rule_without_a_method_raises() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'maybe'"):
        table_reader.load_reader("gram", object)


@pytest.mark.needs_process
def test_reading_needs_no_lark() -> None:
    code = """
import sys
sys.modules["lark"] = None
import typesig
for text, notation in [("(a :int) -> :int", "shorthand"), ("(a int) -> int", "compact"),
                       ("(a: Int) --> Int", "gram"), ("[:=> [:cat :int] :int]", "edn")]:
    typesig.parse(text, notation)
    try:
        typesig.parse(text[:-1] + "?>", notation)
    except typesig.errors.SignatureSyntaxError as error:
        print(error.column)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert ("", "17\n12\n16\n24\n") == (ran.stderr, ran.stdout)
