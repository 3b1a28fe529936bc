"""Grammars as text: of numbers, texts, lists and objects, in each syntax; and what is told of them."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from typing import Any

import pytest

import typesig
from tests.engines import spelled
from tests.gbnf import Gbnf
from tests.providers.engines.answers import UNBOUNDED
from typesig import Toolset, TypesigError, contract, from_json_schema
from typesig.errors import TooDeep, TooLarge, Unsupported
from typesig.limits.engines import MAX_GRAMMAR, MAX_REGEX, MAX_REPEATED
from typesig.providers.grammars import regex_text, shapes
from typesig.providers.grammars.gbnf_text import write_gbnf
from typesig.providers.grammars.grammars import write_grammar
from typesig.providers.grammars.lark_text import write_lark
from typesig.providers.grammars.regex_text import write_regex
from typesig.providers.grammars.scalars import make_integers, make_numbers
from typesig.providers.grammars.shapes import (
    EMPTY,
    Chars,
    Free,
    Grammar,
    Literal,
    Part,
    Reference,
    Schema,
    Terminal,
    make_chars,
    make_choice,
    make_repeat,
    make_sequence,
)

INT, TEXT = {"type": "integer"}, {"type": "string"}


def _write_regex(grammar):
    return write_regex(grammar.root, grammar.rules)


def made(schema: Any) -> tuple[Gbnf, list[str]]:
    """Return the judge of *schema* by GBNF, and the losses."""
    found = contract(from_json_schema(schema)).project("gbnf", **UNBOUNDED)
    return Gbnf(found.grammar), [str(loss) for loss in found.losses]


def judged(part: Part) -> Gbnf:
    return Gbnf(write_gbnf(Grammar(part, {})))


def closed(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    """Return the schema of a closed object."""
    needed = {"required": list(required)} if required else {}
    return {
        "type": "object", "properties": properties, **needed, "additionalProperties": False,
    }  # fmt: skip


# Numbers

_ENDS = [None, -1200, -101, -100, -9, -1, 0, 1, 7, 10, 99, 100, 123, 1999, 2000]
_RANGES = [(a, b) for a in _ENDS for b in _ENDS if a is None or b is None or a <= b]


@pytest.mark.parametrize(("low", "high"), _RANGES)
def test_a_range_of_integers_has_exactly_those_between(low: int | None, high: int | None) -> None:
    judge = judged(make_integers(low, high))
    near = [each for end in (low, high, 0) if end is not None for each in range(end - 12, end + 13)]
    tried = {*near, -5000, 5000, 10**12, -(10**12), *range(-1300, 2100, 37)}

    assert [] == [
        n for n in tried
        if judge.accepts(str(n)) is not ((low is None or n >= low) and (high is None or n <= high))
    ]  # fmt: skip
    assert not any(map(judge.accepts, ("", "-", "01", "1.0", "+1", " 1")))


_POINTS = [
    None,
    "-12.5",
    "-1",
    "-0.05",
    "0",
    "0.05",
    "0.5",
    "1",
    "1.25",
    "1.3",
    "9.99",
    "10",
    "12.5",
]
_SPANS = [
    (a, b) for a in _POINTS for b in _POINTS
    if a is None or b is None or Fraction(a) < Fraction(b)
]  # fmt: skip
_TRIED = [
    f"{sign}{whole}{rest}"
    for sign in ("", "-")
    for whole in ("0", "1", "2", "9", "10", "11", "12", "13", "100")
    for rest in ("", ".0", ".00", ".04", ".05", ".050", ".051", ".1", ".2", ".25", ".250", ".26",
                 ".4", ".49", ".5", ".50", ".51", ".9", ".98", ".99", ".990", ".991")
]  # fmt: skip


@pytest.mark.parametrize(("low", "high"), _SPANS)
@pytest.mark.parametrize("strict", [False, True])
def test_a_range_of_numbers_has_exactly_those_between(
    low: str | None, high: str | None, strict: bool
) -> None:
    least, most = (None if end is None else Fraction(end) for end in (low, high))
    judge = judged(
        make_numbers(least, most, strict and low is not None, strict and high is not None)
    )

    def wanted(text: str) -> bool:
        value = Fraction(text)
        above = least is None or value > least or (value == least and not strict)
        return above and (most is None or value < most or (value == most and not strict))

    assert [] == [text for text in _TRIED if judge.accepts(text) is not wanted(text)]
    assert not any(map(judge.accepts, ("", "-", "1.", ".5", "01")))


@pytest.mark.parametrize("value", ["0", "-3", "2.5", "0.05"])
def test_a_range_of_one_number_has_it_with_zeros_behind(value: str) -> None:
    judge = judged(make_numbers(Fraction(value), Fraction(value)))
    zeros = f"{value}{'' if '.' in value else '.'}00"

    assert (True, True, False) == (
        judge.accepts(value), judge.accepts(zeros), judge.accepts(f"{zeros}1"),
    )  # fmt: skip


def test_a_number_without_bounds_may_have_an_exponent_that_leaves_it_finite() -> None:
    judge, losses = made({"type": "number"})

    assert all(map(judge.accepts, ("0", "-0", "12.50", "1e5", "1E-07", "-2.5e+99")))
    assert not any(map(judge.accepts, ("1e400", "1.", "Infinity", "0x1", "1e")))
    assert [] == losses


# Types

#: A schema, values that can be written, and some that cannot.
JUDGED: list[tuple[Any, list[Any], list[Any]]] = [
    (TEXT, ["", "a\n\"\\/é\U0001f600", "\x00\x7f\u2028"], [1, None]),
    ({**TEXT, "minLength": 2, "maxLength": 3}, ["ab", "a\n\"", "\U0001f600é"], ["a", "abcd"]),
    ({**TEXT, "pattern": "^[a-c\"\\n]+$"}, ["abc", "\"\n"], ["", "d"]),
    ({**TEXT, "pattern": "b"}, ["b", "abc", "\n\"b\\"], ["", "ac"]),
    ({**TEXT, "pattern": "^(?:ab|cd)$|x$"}, ["ab", "cd", "..x"], ["abc", "xy"]),
    ({**TEXT, "pattern": "^a"}, ["a", "ab"], ["ba", ""]),
    ({**TEXT, "format": "uuid"}, ["12345678-1234-1234-1234-123456789abc"], ["12345678", ""]),
    ({**TEXT, "format": "date"}, ["2024-02-29", "0001-12-31"], ["2023-02-29", "0000-01-01"]),
    ({**TEXT, "format": "ipv6"}, ["::1", "1:2:3:4:5:6:7:8"], [":", "1:2"]),
    ({**TEXT, "format": "duration"}, ["P1Y2M", "PT1H", "P3W"], ["P", "PT", "P1W1D"]),
    ({"enum": ["a\"b", 1, 2.5, 1.0, True, None, [1, {"k": []}]]},
     ["a\"b", 1, 2.5, True, None, [1, {"k": []}]], ["ab", 2, False, [1], {}]),
    ({"const": "\x01\n"}, ["\x01\n"], ["\n"]),
    ({"type": "number", "minimum": 0.5, "exclusiveMaximum": 2}, [0.5, 1, 1.99], [0.4, 2, -1]),
    ({"type": "number", "exclusiveMinimum": 0, "maximum": 1}, [0.001, 1], [0, 1.5]),
    ({"type": "array", "prefixItems": 2 * [closed({"a": INT, "b": INT})], "items": False,
      "minItems": 2}, [[{}, {"b": 1}], [{"a": 1, "b": 2}, {}]], [[{}], [{"b": 1, "a": 1}, {}]]),
    ({"type": "boolean"}, [True, False], [None, 0]),
    ({"type": "array", "items": INT}, [[], [1], [1, 2, 3]], [["a"], {}, 1]),
    ({"type": "array", "items": INT, "minItems": 2, "maxItems": 3}, [[1, 2], [1, 2, 3]],
     [[], [1], [1, 2, 3, 4]]),
    ({"type": "array", "maxItems": 0}, [[]], [[1]]),
    ({"type": "array", "prefixItems": [INT, TEXT], "items": False, "minItems": 2}, [[1, "a"]],
     [[1], [1, "a", 1], ["a", 1]]),
    ({"type": "array", "prefixItems": [INT], "items": TEXT, "minItems": 2, "maxItems": 3},
     [[1, "a"], [1, "a", "b"]], [[1], [1, 2], [1, "a", "b", "c"]]),
    (closed({}), [{}], [{"a": 1}]),
    (closed({"a": INT, "b": TEXT}, "a"), [{"a": 1}, {"a": 1, "b": ""}],
     [{}, {"b": ""}, {"b": "", "a": 1}, {"a": 1, "c": 1}]),
    (closed({"a": INT, "b": INT, "c": INT}, "b"), [{"b": 1}, {"a": 1, "b": 1, "c": 1}],
     [{"a": 1}, {"b": 1, "a": 1}]),
    (closed({"a": INT, "b": INT, "c": INT}),
     [{}, {"a": 1}, {"b": 1}, {"c": 1}, {"a": 1, "c": 1}, {"b": 1, "c": 1}], [{"d": 1}, {"a": ""}]),
    ({"type": "object", "properties": {"ab": INT}, "additionalProperties": TEXT},
     [{}, {"ab": 1}, {"ab": 1, "a": "x", "abc": ""}, {"a\"": "x", "": "y"}],
     [{"ab": "x"}, {"a": 1}]),
    ({"type": "object", "properties": {"ab": INT}, "required": ["ab"]},
     [{"ab": 1, "x": [None, {"y": 1.5}]}], [{}, {"x": 1}]),
    ({"type": "object", "properties": {"ab": False}}, [{}, {"a": 1}], [{"ab": 1}]),
    ({"type": "object", "additionalProperties": INT, "minProperties": 1, "maxProperties": 2},
     [{"a": 1}, {"a": 1, "b": 2}], [{}, {"a": 1, "b": 2, "c": 3}]),
    ({"type": "object", "properties": {"a": INT}, "required": ["a"], "minProperties": 2,
      "maxProperties": 3}, [{"a": 1, "b": None}], [{"a": 1}]),
    ({"type": "object", "patternProperties": {"^x": INT, "^y": TEXT},
      "additionalProperties": False}, [{}, {"x": 1, "y": "", "x2": 3}], [{"x": ""}, {"z": 1}]),
    ({"anyOf": [INT, TEXT, {"type": "null"}]}, [1, "a", None], [True, 1.5]),
    ({"$ref": "#/$defs/t", "$defs": {"t": closed({"v": INT, "l": {"$ref": "#/$defs/t"}}, "v")}},
     [{"v": 1}, {"v": 1, "l": {"v": 2, "l": {"v": 3}}}], [{}, {"v": 1, "l": {}}]),
    ({}, [None, 1, "a", [1, [{"a": {}}]], {"a": [1.5, True]}], []),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "good", "bad"), JUDGED, ids=lambda each: json.dumps(each)[:50])
def test_a_model_writes_values_of_the_type_and_no_others(
    schema: Any, good: list[Any], bad: list[Any]
) -> None:
    judge, losses = made(schema)

    assert [] == losses
    assert [] == [value for value in good if not judge.accepts(spelled(value))]
    assert [] == [value for value in good if not judge.accepts(json.dumps(value, indent=2))]
    assert [] == [value for value in good if not judge.accepts(json.dumps(value))]
    assert [] == [value for value in bad if judge.accepts(spelled(value))]


def test_an_escape_of_two_units_is_one_character() -> None:
    judge, _ = made({**TEXT, "maxLength": 1})

    assert all(map(judge.accepts, ('"\\ud83d\\ude00"', '"\\u00e9"', '"\\/"', '"\\n"')))
    assert not any(map(judge.accepts, ('"\\ud83d"', '"\\ude00"', '"\\u00e"', '"\\x41"', '"\n"')))


def told(what: str, became: str, place: str = "returns") -> str:
    return f"{place}: {what}: GBNF does not enforce it; became {became}"


#: A schema, and what is told.
WIDENED: list[tuple[Any, list[str]]] = [
    ({**INT, "multipleOf": 3}, [told("a step", "any number")]),
    ({**TEXT, "pattern": "^a", "minLength": 2},
     [told("a length beside a pattern or a format", "the pattern or the format")]),
    ({**TEXT, "pattern": "(?:^a|b)c"}, [told("the pattern (?:^a|b)c", "any text")]),
    ({**TEXT, "pattern": "a{3000}"}, [told("the pattern a{3000}", "any text")]),
    ({**TEXT, "pattern": "[]"}, [told("the pattern []", "any text")]),
    ({**TEXT, "format": "email"}, [told("the format email", "such a text of any length or address")]),
    ({**TEXT, "format": "regex"}, [told("the format regex", "any text")]),
    ({**TEXT, "maxLength": MAX_REPEATED + 1}, [told("so large a size", "any size")]),
    ({"type": "object", "properties": {"a" * 99: INT}},
     [told("other keys than the declared ones", "any keys", "returns.**")]),
    ({"type": "object", "properties": {"x": INT}, "patternProperties": {"^x": INT},
      "additionalProperties": False},
     [told("declared keys apart from those of a pattern", "any of them", "returns./^x/")]),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "losses"), WIDENED, ids=lambda each: json.dumps(each)[:50])
def test_what_a_grammar_does_not_say_is_told(schema: Any, losses: list[str]) -> None:
    assert losses == made(schema)[1]


def test_a_type_without_values_has_no_grammar() -> None:
    with pytest.raises(Unsupported) as caught:
        contract(from_json_schema({"not": {}})).project("gbnf", **UNBOUNDED)
    assert "returns: no value fits, so that GBNF has nothing to write" == str(caught.value)


def test_types_with_names_that_are_alike_have_rules_of_their_own() -> None:
    names = {"a b": INT, "ab": TEXT, "é": {"type": "boolean"}, "ext": {"type": "null"}}
    parts = {key: {"$ref": f"#/$defs/{key.replace(' ', '%20')}"} for key in names}
    judge, losses = made({**closed(parts, *parts), "$defs": names})

    assert [] == losses
    assert judge.accepts('{"a b":1,"ab":"x","é":true,"ext":null}')
    assert not judge.accepts('{"a b":"x","ab":"x","é":true,"ext":null}')


# Syntaxes


def test_a_record_is_written_in_each_syntax() -> None:
    asked = contract(from_json_schema(closed({"a": {**INT, "minimum": 1, "maximum": 12}}, "a")))
    lark, regex = (
        asked.project("openai-grammar", **UNBOUNDED),
        asked.project("openai-grammar", syntax="regex", **UNBOUNDED),
    )

    assert ("gbnf", "lark", "regex") == (
        asked.project("gbnf", **UNBOUNDED).syntax,
        lark.syntax,
        regex.syntax,
    )
    assert (
        'root ::= "{" jsonblank "\\"a\\":" jsonblank ([1-9] | "1" [0-2]) jsonblank "}"\n'
        'jsonblank ::= (" " | "\\x0A" [\\x09\\x20]{0,40})?\n'
    ) == asked.project("gbnf", **UNBOUNDED).text
    assert (
        'start: "{" jsonblank "\\"a\\":" jsonblank T0 jsonblank "}"\n'
        "jsonblank: T1?\n"
        "T0: /[1-9]|1[0-2]/\n"
        "T1: / |\\x{a}[\\x{9}\\x{20}]{0,40}/\n"
    ) == lark.text
    blank = "(?:(?: |\\x{a}[\\x{9}\\x{20}]{0,40})?)"
    assert f'\\{{{blank}"a":{blank}(?:[1-9]|1[0-2]){blank}\\}}' == regex.text
    assert {"a": 3} == lark.read('{"a": 3}').value
    assert pickle.loads(pickle.dumps(regex)).read('{"a": 30}').errors


def test_a_value_within_its_own_kind_has_no_regular_expression() -> None:
    tree = {"$ref": "#/$defs/t", "$defs": {"t": {"type": "array", "items": {"$ref": "#/$defs/t"}}}}

    with pytest.raises(Unsupported) as caught:
        contract(from_json_schema(tree)).project("openai-grammar", syntax="regex", **UNBOUNDED)
    assert (
        "a value that may contain values of its own kind has no regular expression; "
        'write project("openai-grammar", syntax="lark")'
    ) == str(caught.value)


def test_a_grammar_has_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = contract(from_json_schema(closed({f"k{n}": TEXT for n in range(99)})))
    monkeypatch.setattr(regex_text, "MAX_REGEX", 1000)
    with pytest.raises(TooLarge) as caught:
        wide.project("openai-grammar", syntax="regex", **UNBOUNDED)
    assert (
        "the regular expression has more than 1000 characters; "
        'write project("openai-grammar", syntax="lark")'
    ) == str(caught.value)
    monkeypatch.setattr(shapes, "MAX_GRAMMAR", 100)
    with pytest.raises(TooLarge, match="a grammar may have 100 parts, this one would have more"):
        wide.project("gbnf", **UNBOUNDED)
    assert (MAX_GRAMMAR, MAX_REGEX) > (100, 1000)


def test_a_grammar_that_nests_too_deep_is_refused() -> None:
    part: Part = Literal("a")
    for _ in range(3000):
        part = shapes.Sequence((part, Literal("b")))

    with pytest.raises(TooDeep, match="its types nest too deep for a grammar"):
        write_grammar(Grammar(part, {}), "gbnf")


def test_an_unknown_syntax_is_told() -> None:
    project: Any = contract(int).project

    with pytest.raises(TypesigError) as caught:
        project("openai-grammar", syntax="bnf")
    assert "there is no syntax 'bnf'; there are lark, regex" == str(caught.value)
    with pytest.raises(TypesigError) as caught:
        project("gbnf", syntax="lark")
    assert "gbnf has no option 'syntax'; there is longest, digits, items, closed" == str(
        caught.value
    )


def test_each_shape_is_written_in_each_syntax() -> None:
    free = Free(("</a>", "<b>"), "{", "</a>")
    whole = make_sequence(
        make_repeat(
            make_choice([Literal("x\n"), Chars(((0x61, 0x61), (0x100, 0x10FFFF)))]), 2, None
        ),
        make_repeat(Reference("r"), 3, 3),
        make_repeat(EMPTY, 0, 0),
    )
    rules = {"r": Terminal(make_choice([Literal("/"), make_repeat(Chars(((0, 0x10FFFF),)), 2, 5)]))}
    grammar = Grammar(whole, rules)

    assert (
        'root ::= ("x\\x0A" | [a\\u0100-\\U0010FFFF]){2,} r{3}\n'
        'r ::= "/" | [\\x00-\\U0010FFFF]{2,5}\n'
    ) == write_gbnf(grammar)
    assert (
        'start: ("x\\n" | T0){2,} r{3,3}\nr: T1\nT0: /[a\\x{100}-\\x{10ffff}]/\n'
        "T1: /\\/|(?s:.){2,5}/\n"
    ) == write_lark(grammar)
    assert "(?:x\\x{a}|[a\\x{100}-\\x{10ffff}]){2,}(?:\\/|(?s:.){2,5}){3}" == _write_regex(grammar)
    assert (
        "start: free0\n"
        "T0: (/(?s:.)*/ & ~/(?s:.)*(?:<b>)(?s:.)*/ & ~/[\\x{9}-\\x{d}\\x{1c}-\\x{20}\\x{85}"
        "\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}-\\x{2029}\\x{202f}\\x{205f}\\x{3000}]*[{]"
        '(?s:.)*/) "</a>"\n'
        "free0[lazy]: T0\n"
    ) == write_lark(Grammar(free, {}))
    assert "(?s:.)*" == _write_regex(Grammar(Free(), {}))
    assert 'start: %json {"type":"null"}\n' == write_lark(Grammar(Schema('{"type":"null"}'), {}))
    assert 'root ::= ""\n' == write_gbnf(Grammar(EMPTY, {}))
    assert 'start: ""\n' == write_lark(Grammar(EMPTY, {}))


def test_a_terminal_that_stands_twice_is_written_once() -> None:
    word = Terminal(make_repeat(Chars(((0x61, 0x7A),)), 1, None))

    assert 'start: T0 ("," T0)+\nT0: /[a-z]+/\n' == write_lark(
        Grammar(make_sequence(word, make_repeat(make_sequence(",", word), 1, None)), {})
    )
    assert "(?:a|b)c" == _write_regex(
        Grammar(make_sequence(make_choice([Literal("a"), Literal("b")]), "c"), {})
    )


def test_a_format_of_ours_is_written_by_its_pattern() -> None:
    judge = Gbnf(contract(":string[base64]").project("gbnf", **UNBOUNDED).text)

    assert judge.accepts('"YWI="')
    assert not judge.accepts('"YW"')


def test_what_a_syntax_has_no_form_for_is_refused() -> None:
    with pytest.raises(Unsupported, match="GBNF has no parts of JSON Schema"):
        write_gbnf(Grammar(Schema("{}"), {}))
    with pytest.raises(Unsupported, match="a regular expression has no parts of JSON Schema"):
        _write_regex(Grammar(Schema("{}"), {}))
    with pytest.raises(Unsupported, match="does not tell what a text has not"):
        _write_regex(Grammar(Free(("a",)), {}))


@pytest.mark.parametrize(
    ("free", "good", "bad"),
    [
        (Free(), ["", "a\n{"], []),
        (Free(("<a>", "<ab")), ["", "<<a", "<b", "<a <"], ["<a>", "x<ab", "<<a>x"]),
        (Free(("</a>",), "", "<aab"), ["<aab", "x<a<aab", "</a<aab"], ["", "</a><aab", "<aab<aab"]),
        (Free((), "", "aba"), ["aba", "aaba"], ["ababa", "ab"]),
        (Free((), "{["), ["", "a{", " \t", "a\n{"], ["{", " {", "\n\t[x"]),
        (Free((), "{", "\n"), ["\n", " \n", "a{\n"], ["{\n", " {\n", "a\nb\n"]),
    ],
)
def test_free_text_has_no_marks_and_ends_with_the_first_end(
    free: Free, good: list[str], bad: list[str]
) -> None:
    judge = Gbnf(write_gbnf(Grammar(free, {})))

    assert [] == [text for text in good if not judge.accepts(text)]
    assert [] == [text for text in bad if judge.accepts(text)]


@pytest.mark.parametrize(("low", "high"), [(0, 2000), (1, 2000), (7, 2000), (2000, 2000)])
def test_as_many_repetitions_as_llama_cpp_refuses_are_written_in_parts(low: int, high: int) -> None:
    judge = Gbnf(write_gbnf(Grammar(make_repeat(make_chars("az"), low, high), {})))

    assert [True] * 3 == [judge.accepts("a" * count) for count in (low, max(low, 1999), high)]
    assert [False] * 2 == [judge.accepts("a" * count) for count in (max(low - 1, 0) or 2001, 2001)]


@pytest.mark.parametrize("high", [99, 2000, None])
def test_what_is_repeated_is_a_rule_where_llama_cpp_would_make_too_many(high: int | None) -> None:
    # Lists of lists: 100 times 100 rules, if the inner ones were made for each of the outer ones.
    inner = make_repeat(make_choice([make_sequence("a", make_chars("09")), Literal("b")]), 0, 100)
    text = write_gbnf(Grammar(make_repeat(make_sequence("[", inner, "]"), 0, high), {}))

    judge = Gbnf(text)
    assert judge.accepts("[a1b][]" * 40)
    assert not judge.accepts(f"[{'b' * 101}]")
    # The same repetition is one rule.
    once = text.count(" ::= ")
    twice = Grammar(make_sequence(make_repeat(make_sequence("[", inner, "]"), 0, high), ";",
                                  make_repeat(make_sequence("[", inner, "]"), 0, high)), {})  # fmt: skip
    assert once == write_gbnf(twice).count(" ::= ")


def test_a_listing_of_many_calls_is_a_grammar_for_llama_cpp() -> None:
    schema = {"type": "object", "properties": {
        "tags": {"type": "array", "items": {"type": "string"}}, "size": {"type": "number"},
    }}  # fmt: skip
    tools = Toolset([
        typesig.tool(from_json_schema(schema, {}), name=f"tool{n}")(lambda **each: None)
        for n in range(12)
    ])  # fmt: skip
    judge = Gbnf(contract(tools.call_signature(parallel=True)).project("gbnf").text)

    call = '{"name":"tool3","arguments":{"tags":["a","b"],"size":1.5}}'
    assert judge.accepts(f"[{call},{call}]")
