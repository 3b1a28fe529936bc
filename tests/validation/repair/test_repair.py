"""What a model answers, and what it is read as; each case is a line of `corpus/answers`.

To add a case, add a line to `corpus/answers/answers.txt`.
"""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import typesig
from tests.mistakes_page import MISTAKES, PAGE, Mistake, page
from typesig import Policy, TypesigError, contract, tool
from typesig.limits import MAX_ATTEMPTS, MAX_CANDIDATES, MAX_VALUE_DEPTH
from typesig.validation.json_text import _make_not_json
from typesig.validation.policy import DEFAULT_REPAIRS, LENIENT, MODES, REPAIRS, ModeName

CORPUS = Path(__file__).resolve().parents[2] / "corpus" / "answers" / "answers.txt"


def cases() -> list[tuple[int, list[str]]]:
    """Return the cases with the numbers of their lines."""
    lines = enumerate(CORPUS.read_text(encoding="utf-8").split("\n"), 1)
    return [(n, line.split("\t")) for n, line in lines if line and not line.startswith(";")]


CASES = [pytest.param(*parts, id=str(number)) for number, parts in cases()]


def told(outcome: Any) -> str:
    """Return the outcome as the last part of a line has it."""
    if not outcome.ok:
        return f"=! {outcome.errors[0]}"
    rules = " ".join(warning.rule for warning in outcome.warnings)
    return f"=> {json.dumps(outcome.value, ensure_ascii=False)} {rules}".rstrip()


@pytest.mark.parametrize(("mode", "hint", "text", "expected"), CASES)
def test_an_answer_is_read_as_its_line_says(mode: Any, hint: str, text: str, expected: str) -> None:
    assert expected == told(contract(hint).read(json.loads(text), mode))


ROWS = [row for rows in MISTAKES.values() for row in rows]


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_each_mistake_is_read_in_the_modes_that_the_table_says(row: Mistake) -> None:
    modes: tuple[ModeName, ...] = ("strict", "enabled", "lenient")
    outcomes = [contract(row.hint).read(row.text, mode) for mode in modes]
    first = modes.index(row.reads) if row.reads != "never" else 3

    assert [at >= first for at in range(3)] == [outcome.ok for outcome in outcomes]
    assert {row.meant} - {""} == {json.dumps(each.value) for each in outcomes if each.ok}


def test_the_table_of_mistakes_is_that_of_the_rows() -> None:
    text = PAGE.read_text(encoding="utf-8")

    assert page(text) == text, "run python -m tests.mistakes_page"
    assert "`strict`" in page("<!-- mistakes -->\n<!-- end -->")


def test_every_repair_has_a_mistake_in_the_table() -> None:
    used = {w.rule for row in ROWS for w in contract(row.hint).read(row.text, "lenient").warnings}

    assert set() == REPAIRS.keys() - used


def test_no_case_stands_twice() -> None:
    rows = [tuple(parts[:3]) for _, parts in cases()]

    assert len(rows) == len(set(rows)) >= 300


def test_every_repair_has_a_case() -> None:
    used = {rule for _, parts in cases() if parts[3].startswith("=>") for rule in parts[3].split()}

    assert set() == REPAIRS.keys() - used


def test_strict_and_json_read_no_text_that_is_not_json() -> None:
    for _, (_mode, hint, text, _expected) in cases():
        modes: tuple[ModeName, ...] = ("strict", "json")
        for mode in modes:
            assert not contract(hint).read(json.loads(text), mode).ok


def test_the_default_mode_reads_nothing_that_the_lenient_mode_refuses() -> None:
    for _, (mode, hint, text, expected) in cases():
        if mode == "enabled" and expected.startswith("=>"):
            lenient = contract(hint).read(json.loads(text), "lenient")
            assert contract(hint).read(json.loads(text)).value == lenient.value


def test_the_modes_have_the_repairs_that_their_rows_say() -> None:
    guesses = {
        *("missing_comma", "extra_bracket", "missing_bracket", "bare_text", "key_equals"),
        *("undefined", "quotes_in_text", "unknown_escape", "several_values", "joined_values"),
        *("word_in_prose", "plain_text"),
    }
    assert guesses == REPAIRS.keys() - DEFAULT_REPAIRS
    assert {
        "enabled": DEFAULT_REPAIRS,
        "lenient": frozenset(REPAIRS),
        "warn_only": DEFAULT_REPAIRS,
        "strict": frozenset(),
        "json": frozenset(),
        "disabled": DEFAULT_REPAIRS,
    } == {name: policy.repairs for name, policy in MODES.items()}


def test_a_policy_turns_repairs_on_and_off_beside_coercions() -> None:
    policy = Policy().on("key_equals", "int_from_whole_float")

    assert {"key_equals"} == policy.repairs - DEFAULT_REPAIRS
    assert "int_from_whole_float" in policy.coercions
    assert Policy() == policy.off("key_equals", "int_from_whole_float")
    assert {"a": 1} == contract("{a :int}").read("{a = 1.0}", policy).value
    assert not contract("{a :int}").read("{'a': 1}", policy.off("single_quotes")).ok
    assert not contract("[:int]").read("So: [1]", Policy().off("prose")).ok


def test_an_unknown_repair_is_refused() -> None:
    with pytest.raises(TypesigError, match="there is no repair 'quotes'; there are code_fence, "):
        Policy(repairs=["quotes"])  # type: ignore[list-item]
    with pytest.raises(TypesigError, match="repairs are several ids, such as "):
        Policy(repairs="prose")  # type: ignore[arg-type]


@tool
def move(item: str, steps: int = 1) -> str:
    """Move an item."""
    return f"{item} {steps}"


@tool
def look(at: str = "", deep: bool = False) -> str:
    """Look."""
    return at


CALLS = [
    ("enabled", '```json\n{"item": "a"}\n```', "a 1", ["code_fence"]),
    ("enabled", 'I call it: {"item": "a"}', "a 1", ["prose"]),
    ("enabled", '<think>b</think>{"item": "a", "steps": "2"}', "a 2", ["reasoning", "int_from_string"]),
    ("lenient", "{'item': 'a',}", "a 1", ["single_quotes", "extra_comma"]),
    ("lenient", '{"item": "a"}<|call|>', "a 1", ["special_token"]),
    ("disabled", '```\n{"item": "a"}\n```', "a 1", ["code_fence"]),
]  # fmt: skip


@pytest.mark.parametrize(("mode", "text", "result", "rules"), CALLS)
def test_the_text_of_arguments_is_mended_like_an_answer(
    mode: Any, text: str, result: str, rules: list[str]
) -> None:
    outcome = move.call(text, mode=mode)

    assert result == outcome.result
    assert rules == [warning.rule for warning in outcome.warnings]


REFUSED_CALLS = [
    ('{"item": "a"}{"item": "b"}', "several values at line 1 column 1; send one JSON value"),
    ('{"item": "a"}\n{"item": "a"}', "several values at line 1 column 1; send one JSON value"),
    ('```\n{"item": "a"}\n```\n```\n{"item": "b"}\n```', "several values at line 1 column 1; send one JSON value"),
    ('{"item": "a", "steps": ', "the text ends too early: a list or an object is not closed at line 1 column 1; send the whole text"),
    ('{"item": "a", "steps": 1 ', "the text ends too early: a list or an object is not closed at line 1 column 1; send the whole text"),
    ('{"item": "a", "steps": [1]', "the text ends too early: a list or an object is not closed at line 1 column 1; send the whole text"),
    ('{"item": "a', "the text ends too early: a text is not closed at line 1 column 10; send the whole text"),
    ("move the item", "send JSON text alone"),
    ("move(item='a')", "send JSON text alone"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "hint"), REFUSED_CALLS)
@pytest.mark.parametrize("mode", ["enabled", "lenient"])
def test_arguments_that_are_cut_or_several_are_refused(mode: Any, text: str, hint: str) -> None:
    outcome = move.call(text, mode=mode)

    assert [hint] == [error.hint for error in outcome.errors]


@pytest.mark.parametrize("text", ["I call it with {} now.", "{x: 1}", "look {at}", "[]x"])
def test_garbage_is_no_call_of_a_tool_that_needs_nothing(text: str) -> None:
    assert not look.call(text, mode="lenient").ok


def test_a_report_says_what_was_mended_and_what_is_still_wrong() -> None:
    outcome = contract("{id :int}").read('So: {"id": "x"}')

    assert (
        "Answer validation errors:\n"
        '- id: expected int, got string "x"\n\n'
        "Answer validation warnings:\n"
        "- removed the text around the JSON (line 1 column 1)"
    ) == outcome.report()


def test_what_is_mended_passes_with_warnings_where_errors_are_warnings() -> None:
    outcome = contract("{id :int}").read('So: {"id": "x"}', "warn_only")

    assert {"id": "x"} == outcome.value
    assert ["mended", "type"] == [warning.code for warning in outcome.warnings]


def test_nothing_is_checked_of_what_is_mended_where_nothing_is_checked() -> None:
    outcome = contract("{id :int}").read('So: {"id": "x"}', "disabled")

    assert {"id": "x"} == outcome.value


def test_limits_of_a_search_are_refusals() -> None:
    asked = contract("[:int]")

    assert not asked.read("{see} " * (MAX_ATTEMPTS + 1) + "So: [1]").ok
    assert asked.read("{see} " * MAX_ATTEMPTS + "So: [1]").ok
    many = " then ".join(f'{{"a": {n}}}' for n in range(MAX_CANDIDATES + 1))
    assert not contract("{a :int}").read(many, LENIENT).ok
    deep = "[" * MAX_VALUE_DEPTH + "1," + "]" * MAX_VALUE_DEPTH
    assert contract(":any").read(deep, LENIENT).ok
    assert not contract(":any").read("['[']" + "[" + deep + "]", LENIENT).ok
    rows = "".join(f'{{"a": {n}}}\n' for n in range(1_000))
    assert 1_000 == len(contract("[{a :int}]").read(rows, LENIENT).value)


def test_brackets_that_quotes_hide_are_counted() -> None:
    deep = "[" * 130 + "]" * 130

    outcome = contract(":any").read(f"['\"', {deep}, '\"']", LENIENT)

    assert ["the answer is nested too deep: at most 128 levels"] == [str(e) for e in outcome.errors]


def test_a_stack_that_is_nearly_full_is_a_refusal() -> None:
    text = "[" * 120 + "1," + "]" * 120
    asked = contract(":any")

    def down(levels: int) -> Any:
        return down(levels - 1) if levels else asked.read(text, LENIENT)

    left = sys.getrecursionlimit() - len(inspect.stack())
    outcome = down(left - 200)

    assert ["nested too deep"] == [error.hint for error in outcome.errors]


TREE = typesig.parse(":Tree|[:Tree] where Tree = {id :int, kids [:Tree]?}")


def test_a_named_type_says_what_is_wanted() -> None:
    asked = contract(TREE)

    assert {"id": 1} == asked.read("{id: 1}", LENIENT).value
    assert [{"id": 1}, {"id": 2}] == asked.read("{id: 1} {id: 2}", LENIENT).value
    assert not asked.read("{x: 1}", LENIENT).ok
    other = contract(":A|:B where A = {id :int}, B = :A|:string")
    assert {"id": 1} == other.read("{id: 1}", LENIENT).value


def test_bytes_are_mended_like_text() -> None:
    assert {"a": "é"} == contract("{a :string}").read("{'a': 'é'}".encode(), LENIENT).value
    assert not contract("{a :string}").read(b"{'a': '\xff'}", LENIENT).ok


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        (
            "object",
            '{"a":1, }',
            "Expecting property name enclosed in double quotes at line 1 column 9",
        ),
        ("array", "[1,\n]", "Expecting value at line 2 column 1"),
    ],
)
def test_a_trailing_comma_is_told_as_older_pythons_do(kind: str, text: str, message: str) -> None:
    newer = json.JSONDecodeError(
        f"Illegal trailing comma before end of {kind}", text, text.index(",")
    )

    assert f"not valid JSON: {message}" == str(_make_not_json(newer))
