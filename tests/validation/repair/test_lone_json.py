"""Texts with one JSON value in them: what is found quickly is what the search finds."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import LAW
from typesig import contract
from typesig.validation.json_text import read_json
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.repair import lone_json, repair
from typesig.validation.repair.candidates import CandidateSearch
from typesig.validation.repair.lone_json import _make_lone, find_lone_json


@dataclass
class Row:
    id: int
    name: str = "a"


BEFORE = [
    "", "Here is the result: ", "Sure!\n\n", "I need [1] and {x}.\n", "<think>plan [2] \"a\" {}</think>\n",
    "<think>no end ", "plan </think>", "[THINK]x[/THINK]", "Do not send ", "Don't use this: ", "id,name\n",
    "id\n", "# Title\n", "\ufeff", "\"key\": ", "`code` ", "say \"hi\" ", "say \"hi ", "x", "answer (", "print(",
    "  ", "- ", "5 ", "1, ", "<|start|>", "// note\n", "/* note */", "a/b c ", "List", "the array] ", "null ",
    "Note \\\" ", "<answer>", "**JSON**\n", "…", "Example: {\"id\": 9} but: ", "~ ", "Not this, but ",
]  # fmt: skip
FENCES = [
    ("", ""), ("```json\n", "\n```"), ("```\n", "\n```"), ("~~~\n", "\n~~~"), ("````json\n", "\n````"),
    ("  ```JSON\r\n", "\r\n```"), ("```json ", " ```"), ("```json\n", ""), ("```json\n", "\n``"),
    ("```\n```json\n", "\n```\n```"), ("```python\n", "\n````"), ("\n```json\n", "```"),
]  # fmt: skip
VALUES = [
    '[{"id": 1, "name": "b"}]', '{"id": 1}', '{"items": [{"id": 1}]}', "[1, 2]", "[1]", "{}", "[]", "[x]",
    '{"id": "1"}', '{"id": 1.0}', '{"other": 1}', '[{"other": 2}]', '{"id": 1, "id": 2}', '{"id": NaN}',
    '{"name": "</think>", "id": 1}', '{"name": "```", "id": 1}', '{"id": 1,}', "{'id': 1}", '{"id": 1', "[1, 2",
    '[[1], [2]]', '[[{"id": 1}]]', '{"id": 1, "name": "a{[\\"b"}', '{"Id": 1}', "[1.50]", "5", '"text"',
    '[{"id": 1}, {"id": 2}]', '{"id": 1} {"id": 2}', '{"id": 1}, {"id": 2}', '{"id": ' + "9" * 401 + "}",
    "[" * 130 + "]" * 130, '["' + "[" * 140 + '"]', '{\n "id": 1,\n "name": "x"\n}',
]  # fmt: skip
AFTER = [
    "", " Hope this helps", "\n\nDone.", ".", "...", "…", ", ...", ", and more", ",", "}", "]", " // done",
    " # done", "\n# Done", "\n", '"', " \"quoted\"", " [1]", "\n```", " </think>", "<|end|>", "\n```json\n[3]\n```",
    " or {\"id\": 2}", ": no", " /* c */", "; ok", ")", " (see a/b)", "`", "\n- one\n- two",
]  # fmt: skip
HINTS: list[Any] = [
    list[Row],
    Row,
    list[int],
    dict[str, int],
    dict[str, Any] | str,
    list[list[Row]],
    "[:any]",
    Any,
]


@st.composite
def texts(draw: st.DrawFn) -> str:
    parts = [draw(st.sampled_from(BEFORE)) for _ in range(draw(st.integers(0, 2)))]
    begin, end = draw(st.sampled_from(FENCES))
    parts += [begin, draw(st.sampled_from(VALUES)), end]
    parts += [draw(st.sampled_from(AFTER)) for _ in range(draw(st.integers(0, 2)))]
    return "".join(parts)


@LAW
@given(texts())
def test_what_is_found_is_the_only_candidate_of_the_search(source: str) -> None:
    lone = find_lone_json(source)
    if lone is None:
        return
    try:
        data = read_json(lone.text)
    except ValueError:
        return
    search = CandidateSearch(source)
    if len(json.dumps(data)) < 100:
        assert search.refused is None
        assert [data] == [each.data for each in search.candidates]
        assert lone.repairs == search.candidates[0].repairs
        assert lone.says_more == search.says_more


@LAW
@given(
    texts(),
    st.sampled_from(HINTS),
    st.sampled_from(["enabled", "lenient", "strict", "json", "warn_only"]),
)
def test_a_text_is_read_as_the_search_reads_it(source: str, hint: Any, mode: Any) -> None:
    asked = contract(hint, mode=mode)
    for _ in range(22):
        asked.read('[{"id": 1}]')
        asked.read('{"id": 1, "name": "b"}')
    with pytest.MonkeyPatch.context() as patch:
        _search_only(patch)
        expected = _describe(contract(hint, mode=mode).read(source))
    assert expected == _describe(contract(hint, mode=mode).read(source))
    for _ in range(4):
        assert expected == _describe(asked.read(source))


def _search_only(patch: pytest.MonkeyPatch) -> None:
    """Leave all texts to the search."""
    patch.setattr(lone_json, "find_lone_json", lambda _: None)
    patch.setattr(repair, "find_lone_json", lambda _: None)
    patch.setattr("typesig.tools.answers.lone_answers.find_lone_json", lambda _: None)


def _describe(outcome: Outcome[Any]) -> Any:
    """Return all that an outcome tells."""
    warnings = [(each.code, each.path, str(each), each.rule) for each in outcome.warnings]
    errors = [(each.code, each.path, str(each)) for each in outcome.errors]
    made = (repr(outcome.result), repr(outcome.value)) if outcome.ok else None
    return made, warnings, errors, outcome.report()


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Here: [1.5, 2].", "[1.5, 2]"),
        ('{"a": "b"} is it', '{"a": "b"}'),
        ("<think>a [1]</think>\n[1.5, 2]", "[1.5, 2]"),
        ("a </think> [1.5, 2]", "[1.5, 2]"),
        ("So:\n```json\n[1]\n```\nDone.", "[1]"),
        ("~~~\n[1]\n~~~", "[1]"),
        ("a/b\n[1.5, 2]", "[1.5, 2]"),
    ],
)
def test_the_only_value_is_found(source: str, text: str) -> None:
    lone = find_lone_json(source)

    assert lone is not None
    assert text == lone.text


DEEP = "[" + ", ".join(['["a"]'] * 130) + "]"


@pytest.mark.parametrize(
    "source",
    [
        "\ufeffSo: [1.5, 2]", '"a" [1.5, 2]', "5 [1.5, 2]", "print([1.5, 2])", "no brackets", "<think>[1.5, 2]",
        "<|a|> [1.5, 2]", "a[1.5, 2]", "See [1] here", '"a": [1.5, 2]', "```json\nx [1]\n```", "So:\n```\n[1.5, 2]\nx",
        'So: {"a": 1} or [3]', "So: [1.5, 2], ...", "Do not send [1.5, 2]", "So: ][1, 2", "So: [1, 2 }",
        'So: ["</think>"]', f'A "quote: {DEEP}', f"<think>[</think> {DEEP}", "So: [1.5, 2]...", "<think>a</think> b",
    ],
)  # fmt: skip
def test_other_texts_are_left_to_the_search(source: str) -> None:
    assert find_lone_json(source) is None


@pytest.mark.parametrize("before", ['A "quote": ', "A [note]: "])
def test_brackets_before_a_value_that_close_are_no_depth(before: str) -> None:
    lone = find_lone_json(f"<think>{before}</think>{DEEP}")

    assert lone is not None
    assert DEEP == lone.text


ROWS = '[{"id": 1, "name": "b"}]'


@pytest.mark.parametrize(
    ("source", "rules"),
    [
        (f"Here it is: {ROWS} Done.", ["prose"]),
        (f"```json\n{ROWS}\n```", ["code_fence"]),
        (f"So:\n```json\n{ROWS}\n```\nDone.", ["prose", "code_fence"]),
        (f"<think>I need rows.</think>\n{ROWS}", ["reasoning"]),
        (f"Here: {ROWS.replace('1', '1.0')}", ["prose", "int_from_whole_float"]),
    ],
)
def test_each_reading_of_the_only_value_is_the_same(source: str, rules: list[str]) -> None:
    asked = contract(list[Row])
    for _ in range(30):
        outcome = asked.read(source)
        assert [Row(1, "b")] == outcome.result
        assert 1 == outcome.value[0]["id"]
        assert rules == [each.rule for each in outcome.warnings][: len(rules)]


@pytest.mark.parametrize(
    ("hint", "source"),
    [
        # No list or object stands there.
        (list[Row], "```json\n5\n```"),
        (list[Row], "Here is no value"),
        (list[Row], "</think> [1.5, 2] ]["),
        # A bracket that is not closed, and the end of reasoning within a text.
        (Row, "So: {"),
        (Row, '<think>x So: {"name": "</think>"}'),
        # Data that has no key of the type, and data that may be a part of a text.
        (Row, 'So: {"other": 1}'),
        (str, 'So: {"id": 1}'),
    ],
)
def test_no_value_is_taken_that_the_search_does_not_take(hint: Any, source: str) -> None:
    asked = contract(hint)
    for _ in range(25):
        asked.read(f"{ROWS}")
        asked.read(ROWS[1:-1])
    with pytest.MonkeyPatch.context() as patch:
        _search_only(patch)
        expected = _describe(contract(hint).read(source))
    assert expected == _describe(asked.read(source)) == _describe(contract(hint).read(source))


def test_a_table_is_no_prose_before_a_value() -> None:
    outcome = contract(list[Row]).read("id,name\n1,[2.5]")

    assert "table" in [each.rule for each in outcome.warnings] or not outcome.ok


def test_a_value_that_ends_where_it_begins_is_none() -> None:
    assert _make_lone("} {", 0, 2, 1, {}, False) is None
