"""Texts with mistakes that have one reading: each is read by default, with a warning of each repair.

To add a case, add a line to `corpus/answers/repairs.txt`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW
from typesig import contract
from typesig.contracts.rehearsals.mistakes import Style, write_in_style
from typesig.validation.policy import ModeName

CORPUS = Path(__file__).resolve().parents[2] / "corpus" / "answers" / "repairs.txt"
LINES = enumerate(CORPUS.read_text(encoding="utf-8").split("\n"), 1)
CASES = [
    pytest.param(*line.split("\t"), id=str(number))
    for number, line in LINES
    if line and not line.startswith(";")
]
LENIENT_ONLY = [
    ("[:any]", "[1 2 3]", [1, 2, 3], ["missing_comma"]),
    ("[:any]", '[1 "a" null true {"b": 2} [3] -4.5]', [1, "a", None, True, {"b": 2}, [3], -4.5], ["missing_comma"]),
    ("[:any]", """['a' "b" 2 None]""", ["a", "b", 2, None], ["missing_comma", "python_literal", "single_quotes"]),
    ("[:int]", "[1000 2000]", [1000, 2000], ["missing_comma"]),
    ("[:int]", "[1\n200]", [1, 200], ["missing_comma"]),
    (":string", r'"\d+\.\w"', r"\d+\.\w", ["unknown_escape"]),
    ("{p :string}", r'{"p": "C:\Users\me"}', {"p": r"C:\Users\me"}, ["unknown_escape"]),
    ("{p :string}", r'{"p": "c:\temp\Users\new"}', {"p": r"c:\temp\Users\new"}, ["unknown_escape"]),
    ("{p :string}", r'{"p": "\\d \d \u0041 \/"}', {"p": r"\d \d A /"}, ["unknown_escape"]),
    ("{p :string}", r"{'p': 'it\'s \d'}", {"p": r"it's \d"}, ["odd_escape", "single_quotes", "unknown_escape"]),
    ("{p :string}", r'{"p": "C:\users"}', {"p": r"C:\users"}, ["unknown_escape"]),
    ("[:any]", "/* 1 */ {}, /* 2 */ {}", [{}, {}], ["comment", "joined_values", "prose"]),
    ("[:any]", "{}, {}", [{}, {}], ["joined_values"]),
    ("[{a :int}]", '/* 1 */ {"a": 1}, /* 2 */ {"a": 2}', [{"a": 1}, {"a": 2}], ["comment", "joined_values", "prose"]),
    ("[{a :int}]", '{"a": 1}, # one\n{"a": 1} # two', [{"a": 1}, {"a": 1}], ["comment", "joined_values", "prose"]),
    ("[{a :int}]", '// 1\n{"a": 1}\n// 2\n{"a": 2}', [{"a": 1}, {"a": 2}], ["comment", "joined_values", "prose"]),
    ("[{a :int}]", '{"a": 1} /* x */ {"a": 2,} // y\n,{"a": 3}', [{"a": 1}, {"a": 2}, {"a": 3}], ["comment", "extra_comma", "joined_values"]),
]  # fmt: skip

REFUSED = [
    *[("[:int]", text) for text in ("[1 000]", "[1 000 000]", "[12 345]", "[100 200]", "[1-2]")],
    *[("[:int]", f"[1, 2] {text}") for text in ("and 3", "and more", "etc.", "...", "or [3]", ", 3")],
    *[("[:int]", text) for text in ("[1] Smith", "As [1, 2] say", "[1, 2] and [3, 4]", "[x] done")],
    *[("{p :string}", f'{{"p": "{text}"}}') for text in (r"\d\n", r"\x41", "\\\n", "C:\\Users\\")],
    *[("[{a :int}]", text) for text in ('{"a": 1}, // ...\n{"a": 2}', '{"a": 1}\n# 2\n{"a": 2}')],
    *[("{a :int}", text) for text in ('/* 1 */ {"a": 1}, /* 2 */ {"a": 2}', '{"a": 1, "a": 2,}')],
    *[("{a :int}", text) for text in ("{'a': 1", "{a: 1, b", "```json\n{'a': 1", "{a: NaN}", "{a: 1e999}")],
    (":any", "[" * 200 + "'a'" + "]" * 200),
]  # fmt: skip


@pytest.mark.parametrize(("hint", "text", "value", "rules"), LENIENT_ONLY)
def test_a_guess_is_made_in_lenient_only(
    hint: str, text: str, value: Any, rules: list[str]
) -> None:
    outcome = contract(hint).read(text, "lenient")

    assert json.dumps(value) == json.dumps(outcome.value)
    assert rules == rules_of(outcome)
    assert not contract(hint).read(text).ok


@pytest.mark.parametrize(("hint", "text"), REFUSED)
def test_a_text_with_several_readings_is_refused_in_every_mode(hint: str, text: str) -> None:
    assert not contract(hint).read(text).ok
    assert not contract(hint).read(text, "lenient").ok


READING: tuple[ModeName, ...] = ("enabled", "lenient", "warn_only", "disabled")
EXACT: tuple[ModeName, ...] = ("strict", "json")


def rules_of(outcome: Any) -> list[str]:
    return sorted(warning.rule for warning in outcome.warnings)


@pytest.mark.parametrize(("hint", "text", "value", "rules"), CASES)
def test_a_text_with_one_reading_is_read_by_default(
    hint: str, text: str, value: str, rules: str
) -> None:
    asked, sent, meant = contract(hint), json.loads(text), json.loads(value)

    for mode in READING:
        outcome = asked.read(sent, mode)
        assert json.dumps(meant) == json.dumps(outcome.value), mode
        assert rules.split() == rules_of(outcome)
        assert json.dumps(meant) == json.dumps(asked.read(sent.encode(), mode).value)
    for mode in EXACT:
        assert not asked.read(sent, mode).ok
    again = asked.read(json.dumps(meant))
    assert (json.dumps(meant), ()) == (json.dumps(again.value), again.warnings)


@pytest.mark.parametrize(("hint", "text", "value", "rules"), CASES)
def test_a_stream_of_it_ends_as_the_whole(hint: str, text: str, value: str, rules: str) -> None:
    stream = contract(hint).stream()
    sent = json.loads(text)
    for start in range(0, len(sent), 3):
        stream.feed(sent[start : start + 3])
    outcome = stream.close()

    assert json.dumps(json.loads(value)) == json.dumps(outcome.value)
    assert rules.split() == rules_of(outcome)


@pytest.mark.parametrize(("hint", "text", "value", "rules"), CASES)
def test_it_is_read_as_the_arguments_of_a_call(
    hint: str, text: str, value: str, rules: str
) -> None:
    meant = json.loads(value)
    if "{" + hint[1:-1] + "}" != hint:
        # Arguments are a record.
        return
    ran: list[Any] = []

    def act(**given: Any) -> str:
        ran.append(given)
        return "done"

    called = typesig.tool(f"({hint[1:-1]}) -> :string")(act)
    sent = json.loads(text)

    outcome = called.call(sent)
    assert "done" == outcome.value
    assert rules.split() == rules_of(outcome)
    assert [json.dumps(meant)] == [json.dumps(each) for each in ran]
    assert not called.call(sent, mode="strict").ok
    assert not called.call(sent, mode="json").ok


# Laws

TEXTS = st.one_of(
    st.sampled_from(
        ["", "a", "it's", 'say "hi" now', "a, b", "x: y", "{", "}", "[1]", "```", "// no", "# no",
         "http://x/y", "a\\b", "None", "true", "...", "é", "“q”", "it’s", "key = 1", ", ", " ", "NaN"]
    ),
    st.text(" ab\",:'{}[]/#.=1“”‘’`é", max_size=8),
)  # fmt: skip
KEYS = st.one_of(st.sampled_from(["id", "name", "a b", "x-y", "1", "true", "None"]), TEXTS)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXTS,
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=8,
)
WHOLES = VALUES.filter(lambda value: isinstance(value, dict | list) and bool(value))
OBJECTS = st.dictionaries(KEYS, VALUES, min_size=1, max_size=3)

QUOTES: list[tuple[str, str, str]] = [
    ("'", "'", "single_quotes"),
    ("“", "”", "typographic_quotes"),
    ("‘", "’", "typographic_quotes"),
    ("`", "`", "backtick_quotes"),
]

#: Ways to spoil a text, each with what it changes in the style, and its repair.
STYLES: list[tuple[dict[str, Any], str]] = [
    *[({"quote": opened, "close": closed}, rule) for opened, closed, rule in QUOTES],
    ({"bare_keys": True}, "bare_key"),
    ({"words": ("True", "False", "None")}, "python_literal"),
    ({"words": ("TRUE", "FALSE", "NULL")}, "literal_case"),
    ({"last": ","}, "extra_comma"),
    ({"comma": ", // {\n"}, "comment"),
    ({"comma": ', # "a": 1\n'}, "comment"),
    ({"comma": ' /* "x", [ */, '}, "comment"),
    ({"comma": ",\u00a0"}, "odd_blank"),
]
AROUND: list[tuple[str, str, str]] = [
    ("```json\n", "\n```", "code_fence"),
    ("```\n", "\n```\n", "code_fence"),
    ("Here is what you asked for:\n\n", "\n\nLet me know if that helps!", "prose"),
    ("<think>Perhaps so.</think>\n", "", "reasoning"),
    ("\ufeff", "", "byte_order_mark"),
    ("", "<|im_end|>", "special_token"),
]


@st.composite
def spoilt(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> tuple[Any, str, set[str]]:
    """Draw a value, its text with several mistakes that have one reading, and their repairs."""
    value = draw(values)
    chosen = draw(st.lists(st.sampled_from(STYLES), min_size=1, max_size=4))
    style, rules = Style(), set[str]()
    for parts, _ in chosen:
        # A later choice may take the place of an earlier one.
        style = style._replace(**parts)
    text = write_in_style(value, style)
    for parts, rule in STYLES:
        if parts.items() <= style._asdict().items():
            usual = {name: getattr(Style(), name) for name in parts}
            rules |= {rule} if write_in_style(value, style._replace(**usual)) != text else set()
    if draw(st.booleans()):
        before, behind, rule = draw(st.sampled_from(AROUND))
        text = before + text + behind
        rules.add(rule)
    return value, text, rules


ANY = contract(":any")


@LAW
@given(spoilt(WHOLES))
def test_mistakes_with_one_reading_are_read_as_the_value_with_a_warning_each(
    case: tuple[Any, str, set[str]],
) -> None:
    value, text, rules = case
    if not rules:
        return
    outcome, lenient = ANY.read(text), ANY.read(text, "lenient")

    assert json.dumps(value) == json.dumps(outcome.value) == json.dumps(lenient.value)
    assert rules <= set(rules_of(outcome)) <= rules | {"odd_escape"}
    assert rules_of(outcome) == rules_of(lenient)
    again = ANY.read(json.dumps(outcome.value))
    assert (json.dumps(value), ()) == (json.dumps(again.value), again.warnings)
    for mode in EXACT:
        assert not ANY.read(text, mode).ok


@LAW
@given(spoilt(OBJECTS), st.sampled_from(["enabled", "lenient", "warn_only", "strict"]), st.data())
def test_arguments_that_were_cut_never_run(
    case: tuple[Any, str, set[str]], mode: ModeName, data: st.DataObject
) -> None:
    _, text, _ = case
    ran: list[Any] = []

    @typesig.tool
    def act(**given: Any) -> str:
        ran.append(given)
        return "done"

    act.call(text[: data.draw(st.integers(1, text.rindex("}")))], mode=mode)
    assert [] == ran
