"""EDN: texts and their values, values and their texts, and the messages for mistakes.

To add a form, add its row to `READS`; a mistake is a row of `MISTAKES`.
"""

from __future__ import annotations

import enum
import pickle
import sys
import threading
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import LAW
from typesig import TypesigError
from typesig.algebra import Keyword
from typesig.errors import SignatureSyntaxError, TooDeep, TooLarge, Unsupported
from typesig.limits import MAX_DIGITS, MAX_EDN_DEPTH, MAX_TEXT
from typesig.notations.edn import Symbol, is_name, read, write
from typesig.notations.edn.reader import WORDS
from typesig.notations.edn.rules import CHARS, TAGS

K, S = Keyword, Symbol


def exact(value: Any) -> Any:
    """Return *value* with its classes, so that 1 does not equal True, nor :a "a"."""
    if isinstance(value, dict):
        return dict, [(exact(key), exact(inner)) for key, inner in value.items()]
    if isinstance(value, set | frozenset):
        return frozenset, {exact(member) for member in value}
    if isinstance(value, list | tuple):
        return type(value), tuple([exact(inner) for inner in value])
    return type(value), repr(value)


READS: list[tuple[str, Any]] = [
    # words
    ("nil", None),
    ("true", True),
    ("false", False),
    # numbers
    ("0", 0),
    ("-0", 0),
    ("+5", 5),
    ("-12", -12),
    ("42N", 42),
    ("9" * MAX_DIGITS, 10**MAX_DIGITS - 1),
    ("-" + "9" * MAX_DIGITS + "N", 1 - 10**MAX_DIGITS),
    ("1.5", 1.5),
    ("-0.0", -0.0),
    ("1e3", 1000.0),
    ("+1.25E-2", 0.0125),
    ("1e07", 1e7),
    ("1M", Decimal(1)),
    ("-1.50M", Decimal("-1.50")),
    ("1e400M", Decimal("1E+400")),
    # texts
    ('""', ""),
    ('"a b"', "a b"),
    (r'"\"\\\n\t\r\b\f"', '"\\\n\t\r\b\f'),
    (r'"\u00e9\u00E9"', "éé"),
    (r'"\ud83d\ude00"', "😀"),
    (r'"\ud83d"', "\ud83d"),
    ('"two\nlines\t"', "two\nlines\t"),
    ('"[ ; #_ \\" }"', '[ ; #_ " }'),
    # characters
    (r"\a", "a"),
    (r"\u", "u"),
    (r"\é", "é"),
    (r"\u00e9", "é"),
    (r"[\newline \return \space \tab \backspace \formfeed]", ["\n", "\r", " ", "\t", "\b", "\f"]),
    (r"[\( \] \" \; \\ \,]", ["(", "]", '"', ";", "\\", ","]),
    (r"[\a]", ["a"]),
    # keywords
    (":a", K("a")),
    (":a/b", K("a/b")),
    ("::node", K("node")),
    ("::my/node", K("my/node")),
    (":a.b-c/d_e*", K("a.b-c/d_e*")),
    ("[:> :>= :=> :-> :? :+ :not= :1 :true]", [K(n) for n in (">", ">=", "=>", "->", "?", "+", "not=", "1", "true")]),
    (":größe", K("größe")),
    (":a:b#c'", K("a:b#c'")),
    # symbols
    ("int?", S("int?")),
    ("clojure.core/map", S("clojure.core/map")),
    ("[/ - + . -> +a .b $ a' %1 & <= truey ns/nil]", [S(n) for n in ("/", "-", "+", ".", "->", "+a", ".b", "$", "a'", "%1", "&", "<=", "truey", "ns/nil")]),
    ("größe", S("größe")),
    # collections
    ("[]", []),
    ("()", ()),
    ("{}", {}),
    ("#{}", frozenset()),
    ("[1 [2] (3 [4])]", [1, [2], (3, [4])]),
    ('{:a 1, "b" {:c nil}, d [1], 2 3, nil 4, 1.5 5}', {K("a"): 1, "b": {K("c"): None}, S("d"): [1], 2: 3, None: 4, 1.5: 5}),
    ("#{:a \"b\" c nil true}", frozenset([True, K("a"), "b", S("c"), None])),
    ("[:a :a]", [K("a"), K("a")]),
    ("[1 1.0 true 1M]", [1, 1.0, True, Decimal(1)]),
    ('[:a "a" a]', [K("a"), "a", S("a")]),
    # separators
    ("[1,2,,3 ,]", [1, 2, 3]),
    (' \t\r\n\f,[1"a":b(c)d]', [1, "a", K("b"), (S("c"),), S("d")]),
    ("; before\n1 ; behind", 1),
    ("[1 ; ]\n 2]", [1, 2]),
    ("a;b", S("a")),
    # discarded values
    ("#_ a 1", 1),
    ("1 #_a", 1),
    ("#_#_a b 1", 1),
    ("[#_ 1 2 #_3]", [2]),
    ("[#_[1 #_ 2] 3]", [3]),
    ("{:a #_1 2 #_:b #_3}", {K("a"): 2}),
    ("#{#_1 1}", frozenset({1})),
    ("(#_;1\n2 3)", (3,)),
    # discarded values that would be refused
    ("[#_#inst \"2027\" #_1/2 #_##NaN #_{:a 1 :a 2} #_#{1 1} #_{[] 1} #_{1} #_\"\\q\" 3]", [3]),
    ("[#_#foo #_1 2 3]", [3]),
    ("#_[1/2 #_3 #foo 4] 5", 5),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), READS, ids=[text[:40] for text, _ in READS])
def test_a_text_is_read(text: str, value: Any) -> None:
    assert exact(value) == exact(read(text))


WRITES: list[tuple[Any, str]] = [
    (None, "nil"),
    (True, "true"),
    (False, "false"),
    (-12, "-12"),
    (1.0, "1.0"),
    (-0.0, "-0.0"),
    (1e16, "1e+16"),
    (1e-7, "1e-07"),
    (Decimal("1.50"), "1.50M"),
    (Decimal("1E+3"), "1E+3M"),
    (Decimal("-0"), "-0M"),
    ("", '""'),
    ('a "b" \\ /', r'"a \"b\" \\ /"'),
    ("\n\r\t\b\f\0\x7f\u200b", r'"\n\r\t\b\f\u0000\u007f\u200b"'),
    ("é😀\U000e0001\ud83d", r'"é😀\udb40\udc01\ud83d"'),
    (K("a/b"), ":a/b"),
    (S("int?"), "int?"),
    ([], "[]"),
    ([1, [2], (3,)], "[1 [2] (3)]"),
    ({}, "{}"),
    ({K("min"): 1, K("max"): 5}, "{:min 1 :max 5}"),
    ({"a": {None: []}, S("b"): K("c")}, '{"a" {nil []} b :c}'),
    ({3, 1, 2}, "#{1 2 3}"),
    (frozenset({"b", K("c"), S("a"), None, 1.5}), '#{"b" 1.5 :c a nil}'),
    (set(), "#{}"),
    ([K("map"), {K("closed"): True}, [K("id"), K("int")]], "[:map {:closed true} [:id :int]]"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "text"), WRITES, ids=[text for _, text in WRITES])
def test_a_value_is_written(value: Any, text: str) -> None:
    assert text == write(value)
    assert exact(value) == exact(read(text))


class Level(enum.IntEnum):
    LOW = 1


class Colour(enum.StrEnum):
    RED = "red"


def test_a_subclass_is_written_as_what_it_descends_from() -> None:
    class Names(list[str]):
        pass

    assert '[1 "red" ["a"]]' == write([Level.LOW, Colour.RED, Names(["a"])])


def test_a_value_is_written_where_decimals_were_never_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "decimal")

    assert "[a]" == write([S("a")])
    with pytest.raises(Unsupported):
        write(object())


LIMIT_OF_DIGITS = f"a number may have {MAX_DIGITS} digits"

CANNOT: list[tuple[Any, type[TypesigError], str]] = [
    (float("nan"), Unsupported, "EDN has no form for nan; write nil, or a number"),
    ([0, {"a": [float("inf")]}], Unsupported, '1."a".0: EDN has no form for inf; write nil, or a number'),
    ([Decimal("NaN")], Unsupported, "0: EDN has no form for NaN; write nil, or a number"),
    ({K("a"): Decimal("-Infinity")}, Unsupported, ":a: EDN has no form for -Infinity; write nil, or a number"),
    (K("a b"), Unsupported, "the keyword 'a b' has no form in EDN; write it as a text"),
    (K(""), Unsupported, "the keyword '' has no form in EDN; write it as a text"),
    (K("a/b/c"), Unsupported, "the keyword 'a/b/c' has no form in EDN; write it as a text"),
    ([K("x " * 50)], Unsupported, "0: the keyword 'x x x x x x x x x x x x x x … has no form in EDN; write it as a text"),
    ("\ud83d\ude00", Unsupported, "EDN has no form for a text with the two surrogates of one character"),
    ([object()], Unsupported, "0: EDN has no form for a value of object; write its text"),
    ({(1, 2): 3}, Unsupported, "a list cannot be a key; a keyword, symbol, text or number can"),
    ([{frozenset(): 3}], Unsupported, "0: a set cannot be a key; a keyword, symbol, text or number can"),
    ({(1, 2)}, Unsupported, "a list cannot be the member of a set; a keyword, symbol, text or number can"),
    (10**MAX_DIGITS, TooLarge, LIMIT_OF_DIGITS),
    (-(10**100_000), TooLarge, LIMIT_OF_DIGITS),
    (Decimal("1" * (MAX_DIGITS + 1)), TooLarge, LIMIT_OF_DIGITS),
    (Decimal("1E+401"), TooLarge, LIMIT_OF_DIGITS),
    ("x" * MAX_TEXT, TooLarge, f"an EDN text may have {MAX_TEXT} characters, this value takes more"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "error", "message"), CANNOT, ids=[m[:40] for *_, m in CANNOT])
def test_a_value_without_a_form_is_refused_with_its_place(
    value: Any, error: type[TypesigError], message: str
) -> None:
    with pytest.raises(error) as caught:
        write(value)

    assert message == str(caught.value)


def nested(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels - 1):
        value = [value]
    return value


def test_a_value_nests_up_to_the_limit_both_ways() -> None:
    deepest = nested(MAX_EDN_DEPTH)

    assert deepest == read(write(deepest))
    with pytest.raises(
        TooDeep, match=f"^EDN may nest {MAX_EDN_DEPTH} levels, this value has more$"
    ):
        write([deepest])
    with pytest.raises(TooDeep, match=f"^EDN may nest {MAX_EDN_DEPTH} levels, this text has more$"):
        read("[" + write(deepest) + "]")


def test_brackets_in_texts_comments_and_characters_do_not_count_as_depth() -> None:
    much = "[" * 1000

    assert [much] == read(f'["{much}" ; {much}\n]')
    assert ["["] * 1000 == read("[" + r"\[ " * 1000 + "]")


def test_a_value_that_contains_itself_is_too_deep_and_one_that_shares_is_too_large() -> None:
    loop: list[Any] = []
    loop.append({"a": (loop, loop)})
    shared: list[Any] = []
    for _ in range(100):
        shared = [shared, shared]

    with pytest.raises(TooDeep):
        write(loop)
    with pytest.raises(TooLarge):
        write(shared)


SECOND = "a text has one value, and this is a second one; write a vector for more: [1 2]"
MISSING = "each #_ discards one, and a tag is followed by one"
CHARACTER = (
    r"a character is one letter after a backslash, \a, or one of \newline \return \space \tab "
    r"\backspace \formfeed; more letters are a text"
)
DIGIT = "this is not a number, and a name does not begin with a digit"
QUOTE = "a quote is Clojure's own: take the {} away, nothing is evaluated here"
EVALUATED = "nothing is evaluated: write the value"
FORMS = "a keyword, symbol, text or number can"

#: What is wrong, its line, its column, its width and the sentence.
MISTAKES: list[tuple[str, int, int, int, str]] = [
    # how many values
    ("", 1, 1, 1, "an empty text has no value; write nil"),
    (" \n ; x", 2, 5, 1, "an empty text has no value; write nil"),
    ("1 2", 1, 3, 1, SECOND),
    ("[1]\n[2]", 2, 1, 1, SECOND),
    (":a bcd", 1, 4, 3, SECOND),
    ("#_a", 1, 4, 1, f"a value is missing at the end: {MISSING}"),
    ("1 #_", 1, 5, 1, f"a value is missing at the end: {MISSING}"),
    ("#foo", 1, 5, 1, f"a value is missing at the end: {MISSING}"),
    ("[1 #_]", 1, 6, 1, f"a value is missing before it: {MISSING}"),
    ("(#_ #_ a)", 1, 9, 1, f"a value is missing before it: {MISSING}"),
    # brackets
    ("}", 1, 1, 1, "} closes nothing: take it away"),
    ("1 ]", 1, 3, 1, "] closes nothing: take it away"),
    ("{:a [1\n 2)}", 2, 3, 1, "the [ at line 1 column 5 is closed by ]"),
    ("#{1]", 1, 4, 1, "the #{ at line 1 column 1 is closed by }"),
    ('(1 \\[ "["', 1, 10, 1, "the text ends too early: the ( at line 1 column 1 is not closed; write )"),
    ("[\n[1] {\n 2 [3]", 3, 7, 1, "the text ends too early: the { at line 2 column 5 is not closed; write }"),
    # maps and sets
    ("{:a}", 1, 2, 2, "a map is keys and values, and this key has no value"),
    ("{:a 1 bc}", 1, 7, 2, "a map is keys and values, and this key has no value"),
    ("{:a 1\n :a 2}", 2, 2, 2, ":a occurs twice"),
    ("{:a 1 ::a 2}", 1, 7, 3, "::a occurs twice"),
    ("{1 a 1N b}", 1, 6, 2, "1N occurs twice"),
    ("#{nil 1 nil}", 1, 9, 3, "nil occurs twice"),
    ('#{"' + "x" * 40 + '" "' + "x" * 40 + '"}', 1, 46, 42, '"' + "x" * 28 + "… occurs twice"),
    ('#{"a\nb" "a\nb"}', 2, 4, 5, '"aU+000Ab" occurs twice'),
    ('{:a 1 "a" 2}', 1, 7, 3, ':a and "a" are two keys in EDN, but equal in Python: keep one of them'),
    ('{"a" 1 \\a 2}', 1, 8, 2, '"a" and \\a are two keys in EDN, but equal in Python: keep one of them'),
    ("{1 a true b}", 1, 6, 4, "1 and true are two keys in EDN, but equal in Python: keep one of them"),
    ("#{0 1.0 1}", 1, 9, 1, "1.0 and 1 are two members in EDN, but equal in Python: keep one of them"),
    ("#{1M 1}", 1, 6, 1, "1M and 1 are two members in EDN, but equal in Python: keep one of them"),
    ("{[1] 2}", 1, 2, 1, f"a vector cannot be a key here; {FORMS}"),
    ("{:a 1 (1) 2}", 1, 7, 1, f"a list cannot be a key here; {FORMS}"),
    ("{{} 2}", 1, 2, 1, f"a map cannot be a key here; {FORMS}"),
    ("#{1 #{2}}", 1, 5, 2, f"a set cannot be the member of a set here; {FORMS}"),
    # known forms that are refused
    ("[1/2]", 1, 2, 3, "a ratio has no form here: write it as a decimal, as in 0.5M"),
    ("##NaN", 1, 1, 5, "##NaN has no form here: write a number, or nil"),
    ("[##-Inf]", 1, 2, 6, "##-Inf has no form here: write a number, or nil"),
    ('{:a #inst "2027"}', 1, 5, 5, 'the tag #inst has no form here: write only its text, as in "2027-01-31T10:00:00Z"'),
    ('#uuid "x"', 1, 1, 5, "the tag #uuid has no form here: write only its text"),
    ("#my/tag [1 2]", 1, 1, 7, "the tag #my/tag has no form here: write only the value after it"),
    ("[1/2 ##Inf]", 1, 2, 3, "a ratio has no form here: write it as a decimal, as in 0.5M"),
    ("{#foo 1 2}", 1, 2, 4, "the tag #foo has no form here: write only the value after it"),
    # numbers
    ("1" * 401, 1, 1, 401, LIMIT_OF_DIGITS),
    ("0." + "1" * 400, 1, 1, 402, LIMIT_OF_DIGITS),
    ("1" * 401 + "M", 1, 1, 402, LIMIT_OF_DIGITS),
    ("1e999", 1, 1, 5, "this number is too large for a float"),
    ("1e401M", 1, 1, 6, "the exponent of a decimal goes up to 400"),
    ("1e-99999999999999999999M", 1, 1, 24, "the exponent of a decimal goes up to 400"),
    ("1e99999999999999999999M", 1, 1, 23, "the exponent of a decimal goes up to 400"),
    ("0x1F", 1, 1, 4, "numbers are decimal in EDN"),
    ("2r101", 1, 1, 5, "numbers are decimal in EDN"),
    ("-007", 1, 1, 4, "a number does not begin with 0: take the 0 away"),
    ("1.", 1, 1, 2, "a digit follows the point, as in 1.0"),
    ("-.5", 1, 1, 3, "a digit precedes the point, as in 0.5"),
    ("1_000", 1, 1, 5, "a number has no _ between its digits"),
    ("1.5e", 1, 1, 4, "a digit follows the e, as in 1e9"),
    ("1.5N", 1, 1, 4, "N follows only whole numbers; take it away"),
    ("[12a]", 1, 2, 3, DIGIT),
    ("1.0.0", 1, 1, 5, DIGIT),
    # texts and characters
    ('[:a "b]', 1, 5, 1, "this text has no closing double quote"),
    ("“a”", 1, 1, 3, "texts are written in straight double quotes"),
    ("‘a’", 1, 1, 3, "texts are written in straight double quotes"),
    ('["a\n\\q"]', 2, 1, 2, r"\q is not an escape; a backslash is written \\"),
    ('"\\\n"', 1, 2, 2, r"\U+000A is not an escape; a backslash is written \\"),
    (r'"\/"', 1, 2, 2, r"\/ is not an escape; a backslash is written \\"),
    (r'"a\u12"', 1, 3, 2, r"\u is followed by four hexadecimal digits, as in \u00e9"),
    (r"\ab", 1, 1, 3, CHARACTER),
    (r"\u12", 1, 1, 4, r"\u is followed by four hexadecimal digits, as in \u00e9"),
    (r"\o12", 1, 1, 4, r"a character is written by its number as \u00e9, in hexadecimal digits"),
    ("[1 \\ ]", 1, 4, 1, r"a character is missing after the backslash; a blank is \space"),
    # keywords and symbols
    (':"a"', 1, 1, 1, 'a keyword has no quotes: write :a, or the text "a"'),
    ("[: a]", 1, 2, 1, "a name follows the colon, as in :a"),
    ("::", 1, 1, 2, "a name follows the colon, as in :a"),
    (":::a", 1, 1, 4, "a keyword begins with one colon"),
    (":a/b/c", 1, 1, 6, "a name has one / at most, between its namespace and itself: :a/b"),
    (":a/", 1, 1, 3, "a name follows the /, as in :a/b"),
    (":/a", 1, 1, 3, "a namespace precedes the /, as in :a/b"),
    (":a:", 1, 1, 3, "a keyword does not end in a colon: take it away"),
    ("{name: 1}", 1, 2, 5, "the colon of a keyword comes first: write :name"),
    ("a/b/c", 1, 1, 5, "a name has one / at most, between its namespace and itself: a/b"),
    ("a/", 1, 1, 2, "a name follows the /, as in a/b"),
    ("/a", 1, 1, 2, "a namespace precedes the /, as in a/b"),
    (":a:/b", 1, 1, 5, "a namespace does not end in a colon"),
    ("a/1", 1, 1, 3, "a name does not begin with a digit"),
    ("a/'b", 1, 1, 4, "a/'b is not a name: each part of a name begins with a letter"),
    (":a|b", 1, 3, 1, "| means nothing here"),
    ("a\0b", 1, 2, 1, "U+0000 means nothing here"),
    ("\ufeff1", 1, 1, 1, "U+FEFF means nothing here"),
    # Clojure that is not EDN
    ("'(1)", 1, 1, 1, QUOTE.format("'")),
    ("`x", 1, 1, 2, QUOTE.format("`")),
    ("~x", 1, 1, 2, EVALUATED),
    ("@x", 1, 1, 2, EVALUATED),
    ("#=(f)", 1, 1, 2, EVALUATED),
    ("^{:a 1} x", 1, 1, 1, "metadata is Clojure's own: take it away"),
    (r'[:re #"\d+"]', 1, 6, 1, r'a pattern is written as text, each of its backslashes twice: "\\d+"'),
    ("#(inc %)", 1, 1, 1, "functions are Clojure's own: EDN has none"),
    ("#'x", 1, 1, 3, "variables are Clojure's own: EDN has none"),
    ("#?(:clj 1)", 1, 1, 2, "reader conditionals are Clojure's own: write the branch that is meant"),
    ("#!x", 1, 1, 3, "a comment begins with ;"),
    ("#:a{:b 1}", 1, 1, 3, "a map has no namespace of its own: write it in each key, as in {:a/b 1}"),
    ("##", 1, 1, 2, "there is no such value; write a number, or nil"),
    ("# a", 1, 1, 1, "a tag is # and a name; a set is #{1 2}, and #_ discards the next value"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line", "column", "width", "message"), MISTAKES, ids=[row[0][:30] for row in MISTAKES]
)
def test_a_mistake_has_its_place(
    text: str, line: int, column: int, width: int, message: str
) -> None:
    with pytest.raises(SignatureSyntaxError) as caught:
        read(text)
    error = caught.value

    assert (line, column, width, message) == (error.line, error.column, error.width, error.message)
    assert text.split("\n")[line - 1] == error.text


def test_every_remedy_is_that_of_some_mistake() -> None:
    told = {message for *_, message in MISTAKES}
    untold = [message for _, message in WORDS if message.split("{name}")[0] not in {
        shown[: len(message.split("{name}")[0])] for shown in told
    }]  # fmt: skip

    assert [] == untold
    assert all(any(f"#{tag} " in message for message in told) for tag in TAGS)
    assert all(any(f"\\{name}" in text for text, _ in READS) for name in CHARS)


def test_a_mistake_is_shown_with_a_caret() -> None:
    with pytest.raises(SignatureSyntaxError) as caught:
        read("{:a 1\n :bc 2 :bc 3}")

    assert str(caught.value) == (
        "cannot parse this signature, line 2 column 8\n"
        "   :bc 2 :bc 3}\n"
        "         ^^^\n"
        "  :bc occurs twice"
    )


def test_a_mistake_in_one_text_does_not_affect_the_next() -> None:
    for broken in ("[1/2 }", "1/2", "[#_1/2"):
        with pytest.raises(SignatureSyntaxError):
            read(broken)

        assert 1 == read("1")


def test_edn_is_read_from_text() -> None:
    with pytest.raises(TypesigError, match=r"^EDN is read from text, not from bytes: decode it$"):
        read(b"[1]")  # type: ignore[arg-type]


@pytest.mark.needs_process
def test_threads_read_at_the_same_time() -> None:
    wrong: list[str] = []

    def work(number: int) -> None:
        for _ in range(50):
            if read(f"[{number} {{:a {number}}}]") != [number, {K("a"): number}]:
                wrong.append("a value of another thread")  # pragma: no cover
            try:
                read(f"[{number} 1/2]")
            except SignatureSyntaxError as error:
                if error.column != 3 + len(str(number)):
                    wrong.append("a mistake of another thread")  # pragma: no cover

    threads = [threading.Thread(target=work, args=(10**n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [] == wrong


# symbols and names


@pytest.mark.parametrize("name", ["", "a b", "1", "-1", "+1a", ".5", "-.5", "a/1", "a/", "nil", "true", "false", ":a", "a:", "a/b/c", "#a", "'a", "//"])  # fmt: skip
def test_a_symbol_that_would_not_be_read_back_is_refused(name: str) -> None:
    with pytest.raises(TypesigError) as caught:
        Symbol(name)

    assert f"{name!r} is not a symbol: it would not be read back as one" == str(caught.value)


def test_a_symbol_is_a_value_of_its_own() -> None:
    symbol = Symbol("a")

    assert symbol == Symbol("a")
    assert hash(symbol) == hash(Symbol("a"))
    assert symbol == pickle.loads(pickle.dumps(symbol))
    assert symbol != "a"
    assert symbol != Keyword("a")
    assert "Symbol('a')" == repr(symbol)
    with pytest.raises(AttributeError):
        symbol.name = "b"


# laws

NAME_LETTERS = "ab1٣é-+.*/:#'_?<=>! |"
NAMES = st.text(NAME_LETTERS, min_size=1, max_size=6)


@LAW
@given(NAMES)
def test_a_text_is_a_name_if_it_reads_back_as_a_keyword(text: str) -> None:
    try:
        got = read(f":{text}")
    except SignatureSyntaxError:
        got = None

    assert is_name(text) == (exact(got) == exact(Keyword(text)) if text[0] != ":" else False)


@LAW
@given(NAMES)
def test_a_text_is_a_symbol_if_it_reads_back_as_one(text: str) -> None:
    try:
        got = read(text)
    except SignatureSyntaxError:
        got = None
    try:
        made = Symbol(text)
    except TypesigError:
        made = None

    assert made == (got if isinstance(got, Symbol) and got.name == text else None)


def symbols() -> st.SearchStrategy[Symbol]:
    return st.from_regex(r"[a-z?!*][a-z0-9?/]{0,4}", fullmatch=True).filter(
        lambda name: is_name(name) and "/" not in name and name not in ("nil", "true", "false")
    ).map(Symbol)  # fmt: skip


KEYWORDS = st.one_of(st.sampled_from(["a", "b", "a/b", ">=", "1"]), NAMES.filter(is_name)).map(K)
WORDS_OF_EDN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-3, 3),
    st.floats(allow_nan=False, allow_infinity=False),
    st.decimals(allow_nan=False, allow_infinity=False).filter(lambda d: abs(d.adjusted()) <= 400),
    st.text(max_size=8),
    st.sampled_from(["a", "b", "\x00", '"', "\\", "\ud800"]),
    KEYWORDS,
    symbols(),
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    WORDS_OF_EDN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(WORDS_OF_EDN, inner, max_size=4),
        st.frozensets(WORDS_OF_EDN, max_size=4),
    ),
    max_leaves=12,
)


@LAW
@given(VALUES)
def test_a_written_value_reads_back_with_its_classes(value: Any) -> None:
    assert exact(value) == exact(read(write(value)))


@LAW
@given(VALUES)
def test_a_value_that_is_read_back_is_written_the_same(value: Any) -> None:
    text = write(value)

    assert text == write(read(text))
    assert "\n" not in text


def fails_well(text: str) -> None:
    """Read *text*: either a mistake has a place in it, or the value can be written."""
    error: SignatureSyntaxError | None = None
    value: Any = None
    try:
        value = read(text)
    except SignatureSyntaxError as caught:
        error = caught
    if error is None:
        assert exact(value) == exact(read(write(value)))
    else:
        assert text.split("\n")[error.line - 1] == error.text
        assert 1 <= error.column <= len(error.text) + 1
        assert str(error)


@LAW
@given(st.text(max_size=20))
def test_any_text_is_read_or_its_mistake_has_a_place(text: str) -> None:
    fails_well(text)


SOUP = st.lists(
    st.sampled_from([
        *"[](){}:/\\\"#'^@~_;,. \n0129-+eENMx|é", "#{", "#_", "##", "##Inf", "#inst", "nil", "true",
        ":a", "::b", '"a"', "\\a", "\\space", "1/2", "1.5", "1M", "a/b", "\\u00e9", "\ud83d",
    ]),
    max_size=14,
).map("".join)  # fmt: skip


@LAW
@given(SOUP)
def test_any_soup_of_pieces_is_read_or_its_mistake_has_a_place(text: str) -> None:
    fails_well(text)


@LAW
@given(VALUES, st.integers(0, 10**6), st.sampled_from([*"[]{}()#_:\"\\;/1a ", "#_", "#{", ""]), st.integers(0, 2))  # fmt: skip
def test_a_text_with_one_change_is_read_or_its_mistake_has_a_place(
    value: Any, at: int, piece: str, cut: int
) -> None:
    text = write(value)
    at %= len(text) + 1

    fails_well(text[:at] + piece + text[at + cut :])


MANY = 20_000
HOSTILE: dict[str, tuple[str, type[TypesigError] | None]] = {
    "a million brackets": ("[" * 10**6, TooLarge),
    "brackets": ("[" * MAX_TEXT, TooDeep),
    "sets": ("#{" * MANY, TooDeep),
    "closing brackets": ("]" * MAX_TEXT, SignatureSyntaxError),
    "a text without end": ('"' + "x" * (MAX_TEXT - 1), SignatureSyntaxError),
    "brackets in a text without end": ('"' + "[" * (MAX_TEXT - 1), SignatureSyntaxError),
    "escapes without end": ('"' + '\\"' * MANY, SignatureSyntaxError),
    "escapes": ('"' + "\\n" * MANY + '"', None),
    "wrong escapes": ('"' + "\\q" * MANY + '"', SignatureSyntaxError),
    "discards of nothing": ("#_" * MANY, SignatureSyntaxError),
    "discards": ("#_ " * (MANY // 2) + "a " * (MANY // 2 + 1), None),
    "mistakes that are not discarded": ("[" + "1/2 " * 10_000 + "#_a " * 10_000 + "]", SignatureSyntaxError),
    "tags": ("#a " * MANY + "1", SignatureSyntaxError),
    "numbers": ("[" + "1 " * MANY + "]", None),
    "the same": ("#{" + "1 " * MANY + "}", SignatureSyntaxError),
    "keys of one hash": ("{" + " ".join(f"{n * (2**61 - 1)} 1" for n in range(1, 5000)) + "}", None),
    "digits": ("1" * MAX_TEXT, SignatureSyntaxError),
    "points": ("1." * MANY, SignatureSyntaxError),
    "slashes": ("a/" * MANY, SignatureSyntaxError),
    "colons": (":" * MAX_TEXT, SignatureSyntaxError),
    "a name of all letters": ("a" * (MAX_TEXT - 1) + "@", SignatureSyntaxError),
    "comments": (";\n" * MANY, SignatureSyntaxError),
    "blanks": (" ," * MANY, SignatureSyntaxError),
    "quotes": ("'" * MAX_TEXT, SignatureSyntaxError),
    "backslashes": ("\\" * MAX_TEXT, SignatureSyntaxError),
    "lines": ("[" + "1\n" * MANY + "}", SignatureSyntaxError),
    "exponents": ("[" + "1e400M " * 10_000 + "]", None),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_read_or_refused(name: str) -> None:
    text, error = HOSTILE[name]

    if error is None:
        read(text)
        return
    with pytest.raises(error) as caught:
        read(text)
    # However long the text, the message is short.
    assert len(str(caught.value)) < 500
