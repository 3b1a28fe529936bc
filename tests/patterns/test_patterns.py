"""Patterns: the meaning of ECMA-262, two engines with equal results, and bounded searches."""

from __future__ import annotations

import copy
import pickle
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import typesig
from tests.generators import EXAMPLES, LAW
from typesig.algebra.rows.constraints import Constraint
from typesig.errors import TooLarge, TypesigError
from typesig.graphs import find_strongly_connected
from typesig.limits import (
    LEAST_SEARCHED,
    MAX_KNOWN_SETS,
    MAX_PATTERN,
    MAX_PATTERN_DEPTH,
    MAX_REPEAT,
    MAX_SEARCHED,
)
from typesig.patterns import (
    backtracking,
    charset,
    reader,
    search,
    to_canonical_pattern,
    to_whole_pattern,
)
from typesig.patterns.automaton import UnboundedPattern
from typesig.patterns.nodes import Node, trim_optional_ends
from typesig.patterns.simulation import Simulation


def clear_caches() -> None:
    search.analyze_pattern.cache_clear()
    charset.find_script.cache_clear()


@pytest.fixture
def without_re2(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "re2", None)
    clear_caches()
    yield
    clear_caches()


@pytest.fixture(params=["re", "re2"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    if request.param == "re2":
        pytest.importorskip("re2")
    else:
        monkeypatch.setitem(sys.modules, "re2", None)
    clear_caches()
    yield request.param
    clear_caches()


def plain(pattern: str) -> Node:
    return trim_optional_ends(
        reader.parse_pattern(to_canonical_pattern(pattern)), head=True, tail=True
    )


# A row is a pattern, texts that it is found in, and texts that it is not found in.

MEANING: list[tuple[str, list[str], list[str]]] = [
    # Anchors and lines.
    ("", ["", "a"], []),
    ("^a$", ["a"], ["a\n", "\na", "ba", "ab"]),
    ("b", ["b", "abc"], ["", "a"]),
    (r"\Aa\Z", ["a"], ["a\n", "ba"]),
    (r"a\z", ["ba"], ["ab"]),
    ("^.$", ["a", "é", "\U0001f600", "\x85", "\v", "\f"], ["", "\n", "\r", "\u2028", "\u2029", "ab"]),
    ("^[^]$", ["a", "\n", "\u2028", "\U0001f600"], ["", "ab"]),
    ("^(?s).$", ["\n", "a"], [""]),
    ("^(?s:.)(?-s:.)$", ["\na"], ["a\n"]),
    ("[]", [], ["", "a", "]"]),
    ("a|[]", ["a"], ["b"]),
    ("(^a|^b)c", ["ac", "bc"], ["aac", "c"]),
    (r"\bab\b", ["ab", "x ab.", "éab"], ["abc", "_ab"]),
    (r"a\B", ["ab"], ["a", "aé", "a b"]),
    (r"^\B$", [""], ["a"]),
    # Escapes for sets.
    (r"^\d$", ["0", "9"], ["٣", "a", ""]),
    (r"^\w$", ["a", "Z", "_", "7"], ["é", "-", "ſ"]),
    (r"^\s$", [" ", "\t", "\v", "\f", "\n", "\r", "\xa0", "\ufeff", "\u2028", "\u3000", "\u1680"], ["\x85", "\x1c", "\u200b", "a"]),
    (r"^\S\D\W$", ["aa-", "\x85x\x85"], [" a-", "a1-", "aaa"]),
    (r"^\p{L}\P{L}$", ["é1", "a-"], ["1a", "aa"]),
    (r"^\p{Lu}\p{Letter}\p{gc=Nd}\p{General_Category=Zs}$", ["Éé٣\xa0"], ["éé1 "]),
    (r"^[\p{LC}\pN]+$", ["aÉ1"], ["-"]),
    (r"^[^\P{Lu}]\p{ASCII}\p{Any}$", ["Éa\n"], ["éaa", "Ééa"]),
    (r"^\p{Co}\p{Cn}$", ["\ue000\U000fffff"], ["aa"]),
    # Escapes for characters.
    (r"^\u00e9\xe9\u{1F600}\ud83d\ude00$", ["éé😀😀"], ["ee"]),
    (r"^[\ud83d\ude00-\ud83d\ude02]$", ["😀", "😁"], ["😃"]),
    (r"\ud83d", [], ["a", "😀"]),
    (r"^[^\ud800-\udfff]$", ["a", "\ue000", "\ud7ff"], [""]),
    (r"^\cJ\f\n\r\t\v\0$", ["\n\f\n\r\t\v\0"], [""]),
    (r"^[\b\cA]$", ["\b", "\x01"], ["b", "c"]),
    (r"^\-\_\/\@\ \é$", ["-_/@ é"], [""]),
    ("^\\\n$", ["\n"], ["n"]),
    ("^\U0001f600\x07$", ["😀\x07"], [""]),
    # Literal braces and brackets.
    ("^{a}$", ["{a}"], ["a"]),
    ("^a{b{1,x}]$", ["a{b{1,x}]"], ["ab"]),
    ("^[[][]$", [], ["[", "[["]),
    (r"^[[\]]$", ["[", "]"], ["\\"]),
    # Classes.
    (r"^[\w\s-]+$", ["a -"], ["."]),
    (r"^[a\-z]$", ["a", "-", "z"], ["b"]),
    (r"^[\d-z]$", ["1", "-", "z"], ["a"]),
    (r"^[+--]$", ["+", ",", "-"], ["."]),
    (r"^[a-\d]$", ["a", "-", "1"], ["b"]),
    (r"^[-a]$", ["-", "a"], ["b"]),
    (r"^[a-]$", ["-", "a"], ["b"]),
    (r"^[a-c-e]$", ["b", "-", "e"], ["d"]),
    (r"^[^\D]$", ["1"], ["a", "٣"]),
    (r"^[\S]$", ["a"], [" "]),
    (r"^[\s\S]$", ["a", "\n"], [""]),
    (r"^[^a-y]$", ["z", "\n", "é", "\U0010ffff"], ["b"]),
    # Groups and repetitions.
    ("^(?<year>[0-9]{4})-(?P<month>[0-9]{2})$", ["2026-01"], ["2026-1"]),
    ("^(?:a|bc)+?d??$", ["abca", "bcd"], ["b"]),
    ("^(a|b|c)+$", ["abcabc"], ["", "d"]),
    ("^a{2}b{1,2}c{2,}$", ["aabcc", "aabbccc"], ["abcc", "aabbbcc", "aabc"]),
    ("^a{0}b$", ["b"], ["ab"]),
    ("^a{1}$", ["a"], ["aa"]),
    ("^(?:ab){1000}(?:c){1500,2500}d{1200,}$", ["ab" * 1000 + "c" * 2000 + "d" * 1300], ["ab" * 1000 + "c" * 1499 + "d" * 1200, "ab" * 1000 + "c" * 1500 + "d"]),
    ("^(|a)*b$", ["b", "aab"], ["a"]),
    ("^(?:a?)*$", ["", "aa"], ["b"]),
    ("^(?:a?|bc?)+d$", ["d", "abcad"], ["cd"]),
    ("^(?:(?:)|a{0,2}){2,3}$", ["", "aaaaaa"], ["a" * 7]),
    (r"^(?:\b)*a(?:^)?(?:$)+$", ["a"], ["aa"]),
    (r"^(?:\ba?)*$", ["", "a"], ["aa", "b"]),
    (r"^(?:\ba?)?$", ["", "a"], ["aa", "b"]),
    (r"^(?:|\ba?)+$", ["", "a"], ["aa", "b"]),
    ("^(?:a*b)*$", ["", "aabb"], ["a"]),
    ("a*", ["", "b"], []),
    ("(?:xa*|yb*)(?:c|)", ["x", "y"], ["c"]),
    ("(?:|a)b{2,}", ["bb"], ["b"]),
    ("(?:a?b?)?c{3}d*", ["ccc"], ["cc"]),
    # Case.
    ("(?i)ab", ["ab", "AB", "xaBx"], ["ba"]),
    ("^(?i:straße)x$", ["STRAẞEx"], ["straßeX", "strassex"]),
    ("^(?i)[k-s]$", ["K", "\u212a", "ſ"], ["j"]),
    ("^(?i)[^a]$", ["b"], ["a", "A"]),
    ("^(?:a(?i)b|c)d$", ["aBd", "Cd"], ["Abd", "aBD"]),
    ("^(?i-s:a)b$", ["Ab"], ["AB"]),
    ("^(?i)σ$", ["ς", "Σ"], ["s"]),
]  # fmt: skip

LOOKS: list[tuple[str, list[str], list[str]]] = [
    ("^(?!aws:).+$", ["aw", "xaws:"], ["aws:", "aws:x", ""]),
    ("^(?=.*[0-9])(?=.*[a-z]).{2,8}$", ["a1", "1xxxxxxa"], ["aa", "11", "a1" * 5]),
    (r"(?<=\$)[0-9]+", ["$1"], ["1", "$"]),
    ("(?<!a)b", ["b", "cb"], ["ab"]),
    (r"^[0-9a-z.-]*(?<!\.)$", ["a.b", ""], ["a."]),
    ("(?<=.*a)b", ["ab"], ["b"]),
    ("^(?=^[a-z-]+$).{3,5}$", ["a-b"], ["ab", "a-b-c-"]),
    ("^(?:(?=a)a|(?!a)b)*$", ["abab", ""], ["c"]),
    ("^(?=a)*b$", ["b"], ["a"]),
    (r"^(?=a\b)+a$", ["a"], ["ab"]),
    (r"^(?=.{1,3}$)a*a*a*$", ["aaa"], ["aaaa"]),
]


@pytest.mark.parametrize(("pattern", "found", "missed"), MEANING, ids=[row[0] for row in MEANING])
def test_a_pattern_means_what_it_means_in_ecma_262(
    pattern: str, found: list[str], missed: list[str], engine: str
) -> None:
    test = Constraint("pattern", pattern).test()

    assert (found, missed) == (list(filter(test, found)), [t for t in missed if not test(t)])


def test_a_part_that_is_empty_only_at_some_places_must_match_there() -> None:
    pytest.importorskip("re2")
    for pattern in (r"^(?:\ba?)+$", r"^(?:\ba?){2,3}$", r"^(?:a?\b){1,2}$"):
        test = Constraint("pattern", pattern).test()

        assert (True, False, False) == (test("a"), test(""), test("aa"))


def test_re2_searches_for_what_re_may_not() -> None:
    pytest.importorskip("re2")
    test = Constraint("pattern", r"^(\w+\s?)*b{1001,2100}$").test()

    assert (True, False) == (test("a " + "b" * 1001), test("a " + "b" * 999))
    assert (False, False) == (test("\ud800"), test("b" * (MAX_SEARCHED + 1)))


def test_short_patterns_of_linear_time_are_searched_by_re_beside_re2() -> None:
    quick = search._build_quick_search(reader.parse_pattern("^[a-z]+$"))

    assert quick is not None
    assert (True, False, False) == (quick("ab"), quick("a1"), quick("a" * (MAX_SEARCHED + 1)))
    assert search._build_quick_search(reader.parse_pattern(r"^(\w+\s?)*$")) is None


def test_a_pattern_that_takes_re2_too_much_memory_has_no_search_by_re2(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("re2")
    monkeypatch.setattr(search.limits, "MAX_RE2_MEMORY", 2_000)

    assert search._build_re2_search(reader.parse_pattern("(?:ab){1000}")) is None


@pytest.mark.parametrize(("pattern", "found", "missed"), LOOKS, ids=[row[0] for row in LOOKS])
def test_re_searches_for_lookaheads_and_lookbehinds(
    pattern: str, found: list[str], missed: list[str]
) -> None:
    test = Constraint("pattern", pattern).test()

    assert (found, missed) == (list(filter(test, found)), [t for t in missed if not test(t)])


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"^[a-z]+(-[a-z]+)*$", "ab-c"),
        (r"^\d{4}-\d{2}-\d{2}$", "2026-01-31"),
        (r"^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}$", "a.b@c-d.example"),
        (r"^(?:[a-z0-9]+\.)+[a-z]+$", "a1.example.org"),
        (r"^arn:aws[a-zA-Z-]*:iam::\d{12}:role/.+$", "arn:aws:iam::123456789012:role/x"),
        (r"^x-", "x-y"),
        (r"^[^\s]+$", "abc"),
        (r"[a-z]{1,63}", "a"),
        (r"^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$", "1.0-a.b"),
        (r"^#[0-9a-fA-F]{6}$", "#00ffAA"),
        (r"^([0-9a-f]{2}:){5}[0-9a-f]{2}$", "00:11:22:33:44:55"),
        (r"^(?:[0-9a-f]{2})*$", "00ff"),
        (r"^/(?:[^/~]|~0|~1)*(?:/(?:[^/~]|~0|~1)*)*$", "/a~1b/c"),
        (r"^[\u0020-\uD7FF\uE000-\uFFFD\uD800\uDC00-\uDBFF\uDFFF\r\n\t]*$", "a😀"),
        (r"^([\p{L}\p{Z}\p{N}_.:/=+\-@]*)$", "Größe 1"),
        (r"^.{0,65535}$", "a"),
        (r"^(?:[^,]{1,100},){0,500}[^,]*$", "a,b"),
        (r"^\S+@\S+$", "a@b"),
        (r"^(a|ab)*c$", "aababc"),
        (r"^(.|\n)*$", "a\nb"),
        (r"^.*foo.*$", "a foo b"),
        (r"^\d+\d+$", "12"),
        (r"\d+\d+x", "12x"),
        (r"^[a-z]{1,40}[a-z0-9]{1,40}$", "ab1"),
        (r"^(?:[ab]|ac)*a$", "acba"),
    ],
)
def test_an_ordinary_pattern_needs_no_extra(pattern: str, text: str, without_re2: None) -> None:
    assert Constraint("pattern", pattern).test()(text)


# Refused patterns.

EXTRA = ", or install the extra: pip install 'typesig[re2]'"
WAY = "so that a search could take too long: write it so that each character of a text can be read in one way"

REFUSED: list[tuple[str, str]] = [
    ("(", "is not a regular expression: missing ), unterminated subpattern at position 0"),
    ("a)", "is not a regular expression: unbalanced parenthesis at position 1"),
    ("[a", "is not a regular expression: unterminated character set at position 0"),
    ("[a-", "is not a regular expression: unterminated character set at position 0"),
    ("a\\", "is not a regular expression: bad escape (end of pattern) at position 1"),
    ("[\\", "is not a regular expression: bad escape (end of pattern) at position 1"),
    ("[z-a]", "is not a regular expression: bad character range z-a at position 1"),
    ("*a", "is not a regular expression: nothing to repeat at position 0"),
    ("^*", "is not a regular expression: nothing to repeat at position 1"),
    (r"\b+", "is not a regular expression: nothing to repeat at position 2"),
    ("{2}", "is not a regular expression: nothing to repeat at position 0"),
    ("(?i)+", "is not a regular expression: nothing to repeat at position 4"),
    ("a**", "is not a regular expression: multiple repeat at position 2"),
    ("a{2}{3}", "is not a regular expression: multiple repeat at position 4"),
    ("a{3,2}", "is not a regular expression: min repeat greater than max repeat at position 1"),
    ("a{,2}", "is not a regular expression: a count without its least, such as {0,3}, at position 1"),
    ("a++", "is not a regular expression: a possessive quantifier, which ECMA-262 does not have, at position 1"),
    ("(?>a)", "is not a regular expression: an atomic group, which patterns do not have, at position 0"),
    ("(?(1)a)", "is not a regular expression: a conditional group, which patterns do not have, at position 0"),
    ("(?#a)", "is not a regular expression: a comment, which patterns do not have, at position 0"),
    ("(?P=a)", "is not a regular expression: a back-reference, which patterns do not have, at position 0"),
    ("(?m)a", "is not a regular expression: an unknown extension ?m, which patterns do not have, at position 0"),
    ("(?", "is not a regular expression: an unknown extension ?, which patterns do not have, at position 0"),
    ("(?)", "is not a regular expression: an unknown extension ?) at position 0"),
    ("(?<1>a)", "is not a regular expression: a group without a valid name at position 0"),
    ("(?P<>a)", "is not a regular expression: a group without a valid name at position 0"),
    ("(?<n", "is not a regular expression: a group without a valid name at position 0"),
    (r"(?<\u{110000}>a)", "is not a regular expression: a group without a valid name at position 0"),
    ("(?<n>a)(?<n>b)", "is not a regular expression: another group with the name n at position 7"),
    ("(?:(?<n>a)|b)(?P<n>c)", "is not a regular expression: another group with the name n at position 13"),
    ("(?<=a)+", "is not a regular expression: a repeated lookbehind, which ECMA-262 does not have, at position 6"),
    ("x(?<!a){2}", "is not a regular expression: a repeated lookbehind, which ECMA-262 does not have, at position 7"),
    ("(?ii:a)", "is not a regular expression: a flag that a group sets twice at position 0"),
    ("(?i-i:a)", "is not a regular expression: a flag that a group sets twice at position 0"),
    (r"(a)\1", "is not a regular expression: a back-reference, which cannot be searched in bounded time, at position 3"),
    (r"\k<a>", "is not a regular expression: a back-reference, which cannot be searched in bounded time, at position 0"),
    (r"\07", "is not a regular expression: an octal escape, which is written \\xHH, at position 0"),
    (r"\x1", "is not a regular expression: bad escape \\x at position 0"),
    (r"\u12", "is not a regular expression: bad escape \\u at position 0"),
    (r"\u{110000}", "is not a regular expression: bad escape \\u at position 0"),
    (r"[\a]", "is not a regular expression: bad escape \\a at position 1"),
    (r"\c1", "is not a regular expression: bad escape \\c at position 0"),
    (r"\p", "is not a regular expression: a property has no name at position 0"),
    (r"\p{gc=Greek}", "is not a regular expression: the property {gc=Greek}, which is not a general category (scripts need the extra: pip install 'typesig[re2]') at position 0"),
    (r"\p{Nope}", "is not a regular expression: the property {Nope}, which is not a general category (scripts need the extra: pip install 'typesig[re2]') at position 0"),
    ("(?<=ab?)c", f"looks behind for texts of several lengths, {WAY}"),
    ("(?<=(?<=a)b)c", f"looks behind for texts of several lengths, {WAY}"),
    ("(?<=(?=a*b+a*)c)", f"looks ahead from where it looks behind, {WAY}"),
    (r"^(?=a)(\w+\s?)*$", f"repeats what can be read in several ways, {WAY}"),
    ("^(?=b)" + "a?" * 500 + "$", f"is too large, {WAY}"),
    ("(?<=(?=a{0,2000}ab)c)", f"looks ahead from where it looks behind, {WAY}"),
    ("(?<=a{100000})b", f"has too many repetitions that overlap, {WAY}"),
]  # fmt: skip

WILD: list[str] = [
    r"^(a+)+$",
    r"^(aa|aa)*$",
    r"^(\w+\s?)*$",
    r"^(.*,)*$",
    r"^(a|b|ab)*c$",
    r"^(a?b?)*$",
    r"^(\b|a)*$",
    r"^(x(a?|b?))*$",
    r"^a*a*a*b$",
    r"^.*.*.*.*.*.*x",
    r"^(?:a?){30}a{30}$",
    r"^(?:aa?){30}$",
    r"^(a|b|cd){1,17}$",
    r"^(?:ab){5000}$",
    "^" + "a?" * 500 + "$",
    "^(?:" + "a?" * 500 + "b)*$",
    "^(?:" + "|".join(f"w{n}" for n in range(300)) + ")*$",
    "^(?:" + "|".join(f"w{n}" for n in range(400)) + ")*$",
    "^" + "|".join(f"[\\u{n:04x}-\\uf000]x" for n in range(0x400, 0x5C0)) + "$",
]  # fmt: skip

#: Patterns that are too large for all engines but RE2.
LARGE: list[tuple[str, str]] = [
    ("^(" + "|".join(f"w{n}x" for n in range(1000)) + ")*$", f"is too large, {WAY}{EXTRA}"),
    ("a" * 5000 + "$", f"is too large, {WAY}{EXTRA}"),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "why"), REFUSED, ids=[row[0][:30] for row in REFUSED])
def test_an_invalid_pattern_is_refused_with_the_place(pattern: str, why: str, engine: str) -> None:
    with pytest.raises(TypesigError) as raised:
        Constraint("pattern", pattern)

    assert f"the pattern {reader.quote_pattern(pattern)} {why}" == str(raised.value)


@pytest.mark.parametrize("pattern", WILD, ids=[pattern[:30] for pattern in WILD])
def test_a_pattern_that_re_could_take_too_long_for_is_searched_without_the_extra(
    pattern: str, without_re2: None
) -> None:
    test = Constraint("pattern", pattern).test()
    start = time.process_time()
    test("a" * 100_000 + "!")

    assert 20 > time.process_time() - start


@pytest.mark.parametrize(("pattern", "why"), LARGE, ids=[row[0][:30] for row in LARGE])
def test_a_pattern_that_is_too_large_needs_the_extra(
    pattern: str, why: str, without_re2: None
) -> None:
    with pytest.raises(TypesigError) as raised:
        Constraint("pattern", pattern)

    assert f"the pattern {reader.quote_pattern(pattern)} {why}" == str(raised.value)


#: Texts that the grammar of ECMA-262 has with the flag `u`, and texts that it does not have.
VALID = [
    "", "|", "a|", "()", "(?:)", "^$", r"\b\B", "(?=a)(?!b)(?<=c)(?<!d)", "(?:(?=a))*", "-,/:<=>!",
    "a*?b+?c??d{1}?e{1,}?f{1,2}?", "a{2,2}", "a{0}", "a{99999999999999999999}",
    r"\d\D\s\S\w\W", r"\f\n\r\t\v\0", r"\cA\cz", r"\x0f\uFFFF\u{0}\u{00000010FFFF}",
    r"\^\$\\\.\*\+\?\(\)\[\]\{\}\|\/", r"\ud83d\ude00", r"\ud83d", "[]", "[^]", "[a-z0-9-]",
    "[-a]", "[a-c-e]", "[--/]", "[+--]", r"[\d-]", r"[-\d]", r"[\b\-\]]", r"[\ud83d\ude00-\ud83d\ude02]",
    "[[(){}|*+?.^$]", r"[\0\cA\x41-\u{42}]", r"(a)\1", r"\1(a)", r"(a)(b)\2\1", r"(?<n>a)\1\k<n>", r"\k<n>(?<n>a)",
    r"(a)(?<b>b)(?:c)(?=d)(e)\3", "(?<n>a)|(?<n>b)", "(?:(?<n>a)|(?<n>b))c", "(?<a>(?<b>c))",
    "(?:(?<n>a)|b)|(?<n>c)", "(?<$>a)(?<_1>b)(?<été>c)(?<日本>d)(?<a\u200d>e)", "(?<\u309b>a)",
    r"(?<\u0061>a)\k<a>", r"(?<\u{61}b>a)", r"(?<\ud835\udc9c>a)", "(?<𝒜>a)",
    "(?i:a)(?s-m:b)(?ims:c)(?-i:d)", r"\p{L}\P{Lu}\p{Letter}\p{gc=Nd}\p{General_Category=punct}",
    r"\p{Any}\p{ASCII}\p{Emoji}\p{White_Space}", r"\p{Script=Greek}\p{sc=Grek}\p{scx=Latn}",
    r"[\p{L}\P{N}]", "x" * 20_000, "(" * 20_000 + ")" * 20_000, "(?<n>a)|" * 2_000,
]  # fmt: skip
INVALID = [
    "(", ")", "(a", "a)", "(" * 50, "(" * 20_000, "[", "[a", "[^", "[a-", "\\", "[\\", "{", "}", "]", "a{",
    "a{1", "a{1,2", "a{,2}", "x{a}", "{}", "a]", "*", "+", "?", "{1}", "^*", "$+", r"\b?", r"\B{2}",
    "a**", "a+*", "a???", "a{1}{2}", "a++", "(*a)", "|*", "(?:*a)", "a{2,1}",
    "a{20000000000000000000,10000000000000000000}", "(?=a)*", "(?!a)+", "(?<=a)+", "(?<!a){2}",
    "[z-a]", r"[\d-z]", r"[a-\d]", r"[\w-\d]", r"[\p{L}-z]", r"[\u{42}-\x41]", r"\a", r"\_", r"\-",
    r"\é", r"\A", r"\Z", r"\z", r"\e", r"\U0010FFFF", r"\c", r"\c1", r"\cé", r"[\c_]", r"\x", r"\x1",
    r"\xg0", r"\u", r"\u12", r"\u{}", r"\u{12", r"\u{110000}", r"\u{1000000000}", r"\00", r"\07", r"[\1]",
    r"[\B]", r"[\k<n>]", r"\1", r"(a)\2", r"(?:a)\1", r"(?=a)\1", r"(a)\10", r"\99999999999999999999",
    r"\k", r"\k<n>", r"\k<", r"(?<n>a)\k<m>", r"(?<n>a)\k", r"(?<n>a)\k<n", "(?<n>a)(?<n>b)",
    r"(?<n>a)(?<\u006e>b)", "(?<n>(?<n>a))", "((?<n>a))|b(?<m>(?<m>c))", "(?:(?<n>a)|b)(?<n>c)",
    "(?<n>a)(?:b|(?<n>c))", "(?:a|(?<n>b)|c(?:d|(?<m>e))(?<m>f))", "(?<>a)", "(?<1>a)", "(?<a-b>c)",
    "(?< a>b)", "(?<a", "(?<\u200d>a)", r"(?<\x61>a)", r"(?<\u{110000}>a)", r"(?<\>a)", "(?a)", "(?",
    "(?P<n>a)", "(?P=n)", "(?#a)", "(?>a)", "(?i)a", "(?ii:a)", "(?i-i:a)", "(?-:a)", "(?x:a)", "(?-i",
    r"\p", r"\pL", r"\p{}", r"\p{Nope}", r"\p{Greek}", r"\p{gc=Greek}", r"\p{gc=Any}", r"\p{sc=Any}",
    r"\p{L=Lu}", r"\p{l}", r"\p{L", r"\P{^L}", r"\p{RGI_Emoji}", r"\p{Script}",
]  # fmt: skip


@pytest.mark.parametrize("text", VALID, ids=lambda text: text[:30])
def test_the_format_regex_accepts_what_ecma_262_has(text: str) -> None:
    assert typesig.parse(":string[regex]").accepts(text)


@pytest.mark.parametrize("text", INVALID, ids=lambda text: text[:30])
def test_the_format_regex_accepts_nothing_else(text: str) -> None:
    assert not typesig.parse(":string[regex]").accepts(text)


#: What the patterns of types do not have, though the grammar of ECMA-262 has it.
NOT_SEARCHED = ("a back-reference", "an unknown extension", "more than", "the property", "too long")
PIECES = st.sampled_from(
    [*VALID[:60], *INVALID[6:60], "(", ")", "|", "a", "*", "{1,2}", "(?<n>", "(?:"]
)


@settings(max_examples=30 * EXAMPLES, deadline=None)
@given(st.lists(PIECES.filter(lambda text: len(text) < 50), max_size=5).map("".join))
def test_a_valid_pattern_is_a_pattern_of_types_or_is_refused_for_another_reason(text: str) -> None:
    why = ""
    try:
        reader.parse_pattern(text)
    except TypesigError as error:
        why = str(error)
    valid = typesig.parse(":string[regex]").accepts(text)

    assert not valid or not why or any(reason in why for reason in NOT_SEARCHED)


def test_groups_of_different_alternatives_share_a_name() -> None:
    test = Constraint("pattern", "^(?:(?<n>a)|(?P<n>b)|c(?<m>d))$").test()

    assert [True, True, True, False] == [test(text) for text in ("a", "b", "cd", "ab")]


#: The last of them needs a set of its own for nearly each text, so that nothing is remembered.
SIMULATED = [
    (r"^(a+)+$", ["a", "aaa"], ["", "ab"]),
    (r"^(\w+\s?)*$", ["", "ab cd "], ["a  b", "-"]),
    (r"^(a|b|ab)*c$", ["c", "abac"], ["ab", "cc"]),
    (r"(?:\ba*)+b\B", ["bb", "aabx", "a bx"], ["b", "-ab"]),
    (r"^(?:[^\u0000-\u00ff]+|\d+){2,}$", ["Ж1", "😀😀"], ["é1", "1", "Ж"]),
    (r"^(?:a|b)*a(?:a|b){400}$", ["a" * 401, "ba" * 300], ["b" * 500, "ab" * 300, "a" * 400]),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "found", "not_found"), SIMULATED)
def test_the_simulation_finds_what_the_pattern_matches(
    pattern: str, found: list[str], not_found: list[str]
) -> None:
    test = search._build_simulated_search(plain(pattern))
    assert test is not None
    assert [True] * len(found) + [False] * len(not_found) == [test(t) for t in found + not_found]


def test_the_simulation_forgets_sets_that_it_has_no_room_for() -> None:
    simulation = Simulation(plain(r"^(?:[a-z]|\d)*a(?:[a-z]|\d){60}$"))
    letters = Random(1)
    for _ in range(20):
        text = "".join(letters.choices("abc1", k=200))
        assert (text[-61] == "a") is simulation.has_match(text)
    assert len(simulation._known) <= MAX_KNOWN_SETS


def test_the_simulation_remembers_few_characters_after_a_set() -> None:
    simulation = Simulation(plain(r"^(.|\n)*$x(a+)+"))
    every = "".join(map(chr, range(0x4E00, 0x4E00 + 2 * MAX_KNOWN_SETS)))

    assert not simulation.has_match(every)
    assert all(len(known.after) <= MAX_KNOWN_SETS for known in simulation._known.values())


def test_the_simulation_searches_no_text_beyond_its_length() -> None:
    simulation = Simulation(plain(r"(?:a|b){300}|(?:b|c){300}"))

    assert simulation.has_match("a" * simulation.length)
    assert not simulation.has_match("a" * (simulation.length + 1))


@pytest.mark.parametrize("pattern", [
    "^(?=a)(a+)+$", "^(?:ab){4001}$", "x(?:" + "|" * 8000 + ")(a+)+y",
    "|".join(f"[{chr(n)}-\uf000]x" for n in range(0x400, 0x400 + 1300)),
])  # fmt: skip
def test_what_the_simulation_cannot_search_is_left_to_the_other_engines(pattern: str) -> None:
    assert search._build_simulated_search(reader.parse_pattern(pattern)) is None


@pytest.mark.parametrize("pattern", [row[0] for row in LARGE] + WILD, ids=lambda text: text[:30])
def test_the_extra_searches_for_patterns_that_re_refuses(pattern: str) -> None:
    pytest.importorskip("re2")
    test = Constraint("pattern", pattern).test()
    start = time.process_time()
    test("a" * 100_000 + "!")

    assert 20 > time.process_time() - start


#: Modules with the name of RE2's that are not google-re2.
FOREIGN = [
    "",
    "raise OSError('no library')",
    "from re import compile, error",
    "from re import compile, error\n\nclass Options:\n    case_sensitive = True\n",
]


@pytest.mark.parametrize("source", FOREIGN)
def test_a_foreign_module_named_re2_is_not_used(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without_re2: None
) -> None:
    monkeypatch.delitem(sys.modules, "re2")
    (tmp_path / "re2.py").write_text(source, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    test = Constraint("pattern", r"^\d+$").test()

    assert [True, False] == [test("12"), test("a")]


@pytest.mark.parametrize("source", FOREIGN)
def test_what_needs_the_extra_says_so_beside_a_foreign_module(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without_re2: None
) -> None:
    monkeypatch.delitem(sys.modules, "re2")
    (tmp_path / "re2.py").write_text(source, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(TypesigError) as large:
        Constraint("pattern", LARGE[1][0])
    with pytest.raises(TypesigError) as script:
        Constraint("pattern", r"\p{Greek}")

    assert str(large.value).endswith(LARGE[1][1])
    assert "(scripts need the extra: pip install 'typesig[re2]')" in str(script.value)


def test_the_extra_is_not_suggested_if_it_cannot_help(without_re2: None) -> None:
    pattern = r"^(?:\p{L}{1,200}x){1,200}$"
    with pytest.raises(TypesigError) as raised:
        Constraint("pattern", pattern)

    assert f"the pattern /{pattern}/ repeats what can be read in several ways, {WAY}" == str(
        raised.value
    )


def test_re_searches_for_patterns_too_large_for_the_extra() -> None:
    pytest.importorskip("re2")
    for pattern in (r"^\p{L}{1,200}$", "^(?:(?:[a-z]{150}){40}-)?$", "^(?:[a-z]{999}-){1,15}$"):
        test = Constraint("pattern", pattern).test()

        assert (pattern == r"^\p{L}{1,200}$") is test("a" * 200)


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("a" * (MAX_PATTERN + 1), f"a pattern may have {MAX_PATTERN} characters, this one has {MAX_PATTERN + 1}"),
        ("(" * 5000, f"a pattern may nest {MAX_PATTERN_DEPTH} groups, /{'(' * 59}…/ has more"),
        ("a{99999999999}", f"the pattern /a{{99999999999}}/ repeats more than {MAX_REPEAT} times at position 1"),
        ("a{100001,}", f"the pattern /a{{100001,}}/ repeats more than {MAX_REPEAT} times at position 1"),
    ],
    ids=["long", "deep", "a count", "a least count"],
)  # fmt: skip
def test_a_pattern_beyond_the_limits_is_an_error(pattern: str, why: str) -> None:
    with pytest.raises(TooLarge) as raised:
        Constraint("pattern", pattern)

    assert why == str(raised.value)


def test_a_signature_with_an_unbounded_pattern_is_refused_when_it_is_read(
    without_re2: None,
) -> None:
    with pytest.raises(TypesigError, match="repeats what can be read in several ways"):
        typesig.parse(":string[/^(?=a)(a+)+$/]")


def test_only_the_extra_knows_scripts(engine: str) -> None:
    if engine == "re":
        with pytest.raises(TypesigError, match=r"\{Greek\}, which is not a general category"):
            Constraint("pattern", r"\p{Greek}")
        return
    test = Constraint("pattern", r"^\p{Script=Greek}[\p{sc=Cyrillic}][^\p{Greek}]$").test()

    assert (True, False) == (test("αжa"), test("ααa"))


# Texts.


def test_no_pattern_is_found_in_a_text_with_a_lone_surrogate(engine: str) -> None:
    tests = [Constraint("pattern", pattern).test() for pattern in ("", "a", ".", "[^]")]

    assert [False] * 8 == [test(text) for test in tests for text in ("a\ud800", "\udfffa")]


def test_no_pattern_is_found_in_a_text_beyond_the_limit(engine: str) -> None:
    test = Constraint("pattern", "a").test()

    assert (True, False) == (test("a" * MAX_SEARCHED), test("a" * (MAX_SEARCHED + 1)))


def test_the_length_that_re_searches_depends_on_the_pattern(without_re2: None) -> None:
    lengths = [
        backtracking.find_search_bounds(plain(p))[0]
        for p in ("^[a-z]+$", "^[a-z]+[a-z0-9]+$", "^a+a+a+$", "^a{1,9}a+$")
    ]

    assert lengths[0] == MAX_SEARCHED
    assert LEAST_SEARCHED < lengths[1] < 10_000
    assert lengths[2] < LEAST_SEARCHED
    assert 100_000 < lengths[3]


def test_a_pattern_may_limit_the_length_of_the_texts_it_matches(without_re2: None) -> None:
    lengths = {
        "^[a-z]{1,63}$": 63,
        "^(?=.{1,9}$)a*a*$": 9,
        "(?=^.{1,9}$)^a*a*$": 9,
        "(?=^.{1,9}$)a*a*$": 9,
        "^a{1,3}$|^b{1,5}$": 5,
        "^a{1,3}$|^b+$": None,
        "(?!b)(^a{1,3}$)": 3,
        "^(?=a+)a{1,3}": None,
        "(?=a$)a": None,
        "^a": None,
        "a$": None,
        "a": None,
    }

    assert lengths == {
        pattern: backtracking.find_max_text_length(plain(pattern)) for pattern in lengths
    }


@pytest.mark.parametrize(
    ("pattern", "pump", "last"),
    [
        (r"^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}$", "a@a.", "!"),
        (r"^(?:[a-z0-9]+\.)+[a-z]+$", "a.", "!"),
        (r"^\d+\d+$", "1", "x"),
        (r"\d+\d+x", "1", "!"),
        (r"^(a|ab)*c$", "ab", "!"),
        (r"^.*foo.*bar$", "foo", ""),
        (r"(?!\s*$).+y", " ", ""),
        (r"^[a-z-]*(?<!-)$", "a-", ""),
        (r"[a-z]@[a-z]+\.com", "a@", "!"),
        (r"foo[0-9]+bar", "foo1", "!"),
        (r"(?:a{0,300}b{2}c){2,}", "a", "!"),
        (r"^(?=.*b)(?=.*c)[abc]+$", "ab", ""),
        (r"^(?:.{0,300})(?:[ab]){2,}$", "a", "\n"),
    ],
)
def test_the_worst_text_that_is_searched_by_re_takes_a_short_time(
    pattern: str, pump: str, last: str, without_re2: None
) -> None:
    length = backtracking.find_search_bounds(plain(pattern))[0]
    test = Constraint("pattern", pattern).test()
    text = (pump * length)[: length - len(last)] + last
    start = time.process_time()
    test(text)

    assert 10 > time.process_time() - start


# Laws.

_ATOMS = [
    "a",
    "b",
    "[ab]",
    "[^a]",
    ".",
    r"\d",
    r"\w",
    r"\s",
    r"\b",
    "^",
    "$",
    "(?i:a)",
    "é",
    r"\W",
    "-",
]
_SIGNS = ["", "", "", "*", "+", "?", "{2}", "{1,3}", "{2,}", "*?"]


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    group = st.builds("(?:{}){}".format, inner, st.sampled_from(_SIGNS))
    return st.one_of(
        group,
        st.lists(inner, min_size=2, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda each: f"(?:{'|'.join(each)})"),
    )


REGEXES = st.recursive(st.sampled_from(_ATOMS), _grown, max_leaves=6)
TEXTS = st.text(
    st.sampled_from(["a", "b", "A", "1", " ", "é", "\n", "\u2028", "😀", "-", "_", "٣"]), max_size=8
)


def searches(pattern: str) -> list[Callable[[str], bool]]:
    """Return the searches of all engines that take *pattern*."""
    node = plain(pattern)
    found = [search._build_re2_search(node), search._build_simulated_search(node)]
    try:
        backtracking.find_search_bounds(node)
        found.append(search._build_python_search(node, MAX_SEARCHED))
    except UnboundedPattern:
        pass
    return [search for search in found if search is not None]


@settings(LAW, max_examples=100)
@given(REGEXES, st.lists(TEXTS, min_size=1, max_size=6))
@example(r"\b", ["aéa"])
@example(r"^(?:\ba?)+$", ["", "a"])
@example("(?:a?){2,3}$", ["aa", ""])
@example("(?:|a)+$", ["aa"])
def test_both_engines_give_the_same_result(pattern: str, texts: list[str]) -> None:
    verdicts = {tuple([search(text) for text in texts]) for search in searches(pattern)}

    assert len(verdicts) <= 1


@settings(LAW, max_examples=100)
@given(REGEXES, TEXTS)
@example(r"^(?:\ba?)+$", "")
@example(r"^(?:a?\b){2,3}$", "a")
def test_the_result_is_that_of_re_for_patterns_that_mean_the_same_there(
    pattern: str, text: str
) -> None:
    # Python differs in sets beyond ASCII, and in `$` before a final line end.
    same = f"(?a){pattern}".replace("$", r"\Z").replace(".", r"[^\n\r\u2028\u2029]")
    same = same.replace(r"\s", r"[\s\u2028]").replace(r"(?i:a)", "[aA]")
    expected = re.search(same, text) is not None

    assert all(expected is search(text) for search in searches(pattern))


@settings(LAW, max_examples=100)
@given(st.text(max_size=20), st.text(max_size=5), st.text(max_size=5))
def test_an_escaped_text_is_found_anywhere(text: str, left: str, right: str) -> None:
    test = Constraint("pattern", re.escape(text)).test()

    assert test(left + text + right)


@settings(max_examples=30 * EXAMPLES, deadline=None)
@given(st.text(st.sampled_from("()[]{}*+?|^$\\.,-:=!<>dwsbBpPuxkc019aiP\u2028é"), max_size=24))
def test_any_text_is_a_pattern_or_an_error(text: str) -> None:
    try:
        test = Constraint("pattern", text).test()
        verdict = str(test("a"))
    except TypesigError as error:
        verdict = str(error)

    assert verdict.startswith(("the pattern /", "True", "False"))


# The parts.


def test_a_constraint_with_a_pattern_is_copied_and_pickled() -> None:
    constraint = Constraint("pattern", "^a+$")

    assert constraint == pickle.loads(pickle.dumps(constraint)) == copy.deepcopy(constraint)
    assert pickle.loads(pickle.dumps(constraint)).test()("aa")


@pytest.mark.needs_process
def test_only_the_first_pattern_loads_the_extra() -> None:
    import subprocess

    code = (
        "import sys\n"
        "from typesig.algebra.rows import constraints\nfrom typesig.patterns import backtracking, search\n"
        "print(sorted({'re2', 'unicodedata'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]" == ran.stdout.strip()


def test_every_character_has_its_category_in_unicode() -> None:
    from unicodedata import category

    kinds = charset._group_by_category()
    step = 257  # a sample, and the ends of each range
    wrong = [
        (kind, code)
        for kind, ranges in kinds.items()
        for low, high in ranges
        for code in (low, high, *range(low, high, step))
        if category(chr(code)) != kind
    ]

    assert [] == wrong
    assert 0x110000 == sum(high - low + 1 for ranges in kinds.values() for low, high in ranges)


@settings(LAW, max_examples=100)
@given(st.lists(st.tuples(st.integers(0, 0x10FFFF), st.integers(0, 300)), max_size=6))
def test_the_complement_of_the_complement_is_the_set(pairs: list[tuple[int, int]]) -> None:
    ranges = charset.make_charset((low, min(low + more, charset.LAST)) for low, more in pairs)
    rest = charset.make_complement(ranges)

    assert ranges == charset.make_complement(rest)
    assert charset.ALL == charset.make_charset([*ranges, *rest])


def test_a_component_comes_before_those_that_lead_to_it() -> None:
    parts = find_strongly_connected([(1, 2), (0, 3), (3,), (3,), ()])

    assert [[3], [2], [0, 1], [4]] == [sorted(part) for part in parts]


def test_a_pattern_with_an_anchor_within_is_not_that_of_whole_texts() -> None:
    assert [None] * 3 == [to_whole_pattern(each) for each in (r"^a\bb$", "^a(?=b)b$", "^a^b$")]
    assert "^ab$" == to_whole_pattern("^ab$")
