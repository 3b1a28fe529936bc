"""A rehearsal: what becomes of the mistakes of a careless model, and no function runs."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, Literal, Never

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW, signatures
from typesig import TypesigError, tool, tools_of
from typesig.algebra.nodes import STRING
from typesig.algebra.signature import Signature
from typesig.cli.commands import typesig as command
from typesig.contracts.rehearsals import rehearsal
from typesig.contracts.rehearsals.mistakes import CHANGES, MISTAKES
from typesig.contracts.rehearsals.rehearsal import FATES, RehearsalRow, call_of, rehearse
from typesig.providers.registry.provider import SPELLING_NAMES
from typesig.providers.vendors.registry import VENDORS
from typesig.validation.coercions import COERCIONS
from typesig.validation.policy import REPAIRS


def search(
    user_id: int,
    max_price: float,
    words: list[str],
    level: Literal["low", "very_high"],
    when: datetime,
    fast: bool,
    note: None,
    size: int = 3,
) -> str:
    """Never run."""
    raise AssertionError("a function ran")


def count(n: int) -> int:
    """Never run, either."""
    raise AssertionError("a function ran")


def row_of(report: rehearsal.Rehearsal, name: str = "search") -> RehearsalRow:
    return next(row for row in report.rows if row.tool == name)


@pytest.mark.once
def test_every_mistake_is_sent_to_every_tool_by_every_provider() -> None:
    report = rehearse(tools_of([search, count]))
    row = row_of(report)
    reports = [report, *(rehearse(tools_of([search]), ["openai"], seed=n) for n in (1, 2, 3))]
    made = {each.mistake for one in reports for each in row_of(one).sent}

    assert [(row.tool, row.provider) for row in report.rows] == [
        (name, provider) for name in ("search", "count") for provider in SPELLING_NAMES
    ]
    # Nothing of these is spoilt: hyphens stand for underscores, and no text has such characters.
    assert {"keys with hyphens", "line break", "unescaped quotes"} == {*MISTAKES, *CHANGES} - made
    assert len(row.sent) == sum(map(row.count_fate, FATES))


def test_a_mistake_is_mended_with_a_warning_or_refused_and_never_let_through() -> None:
    report = rehearse(tools_of([search, count]))

    assert 0 == report.let_through
    assert all(row.count_fate("mended") and row.count_fate("refused") for row in report.rows)


def test_the_mode_tells_what_is_mended() -> None:
    tools = tools_of([count])
    strict, usual, lenient = (
        row_of(rehearse(tools, ["mcp"], mode=mode), "count").count_fate("mended")
        for mode in ("strict", "enabled", "lenient")
    )

    assert strict < usual < lenient


def test_what_a_mode_lets_through_is_told_with_an_example() -> None:
    report = rehearse(tools_of([count]), ["mcp"], mode="disabled")
    text = report.text()

    assert 0 < report.let_through
    assert "\nLet through without a warning:\n" in text
    assert '- count, numbers with words (mcp): {"n": "about ' in text


def test_what_is_read_as_other_values_is_told() -> None:
    def find(query: str = "x") -> str:
        return query

    row = row_of(rehearse(tools_of([find]), ["mcp"]), "find")
    text = rehearse(tools_of([find]), ["openai", "mcp"]).text()

    assert {"null for all", "nothing"} <= row.mistakes("changed").keys()
    assert "a misspelt key" in row.mistakes("refused")
    assert "\nRead as other values than were meant, with a warning:\n" in text
    assert (
        '- find, null for all (openai, mcp): {"query": null} (query: nil taken as absent)' in text
    )


def test_a_long_call_is_cut_in_the_text() -> None:
    def find(**texts: str) -> str:
        return ""

    @tool(
        '(a_long_name_of_a_parameter_of_this_tool :string, another_long_name :string = "x") -> :nil'
    )
    def take(**given: str) -> None:
        return None

    found = rehearsal._write_arguments({"x": "y" * 200})

    assert 100 == len(found)
    assert found.endswith("…")
    assert rehearse(tools_of([find, take])).rows


def test_a_tool_that_cannot_be_rehearsed_is_told() -> None:
    @tool
    def never(n: Never) -> int:
        return 1

    @tool
    def odd(n: int) -> int:
        return n

    refused = rehearse(tools_of([never]), ["mcp"])
    projected = tools_of([odd]).project("mcp")
    lost = rehearsal._explain_omission(projected, "odd")

    assert refused.rows[0].skipped
    assert "skipped" in refused.to_json()["rows"][0]
    assert "never, mcp: " in refused.text()
    assert "it has no definition" == lost


def test_a_tool_that_a_provider_refuses_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "typesig.providers.projection.projection.project_tool", lambda *_: _refuse()
    )

    report = rehearse(tools_of([count]), ["mcp"])

    assert "no, it is not taken" in report.rows[0].skipped


def _refuse() -> None:
    raise TypesigError("no, it is not taken")


def test_no_more_calls_are_sent_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsal, "MAX_REHEARSED", 10)
    report = rehearse(tools_of([count, search]), ["mcp"])

    assert ["", "only 10 calls are sent"] == [row.skipped for row in report.rows]


def test_a_rehearsal_is_the_same_for_the_same_seed() -> None:
    tools = tools_of([search])
    one, same, other = (rehearse(tools, ["gemini"], seed=seed).to_json() for seed in (1, 1, 2))

    assert one == same
    assert one["rows"] != other["rows"]
    assert one == json.loads(json.dumps(one))


def test_a_function_that_is_no_tool_is_in_the_report() -> None:
    def plain(a):  # type: ignore[no-untyped-def]
        return a

    [warning] = rehearse(tools_of([count, plain]), ["mcp"]).warnings

    assert "plain has no hints, so it is left out" in warning


@pytest.mark.parametrize(
    ("providers", "options", "told"),
    [
        (["nobody"], {}, "there is no provider 'nobody'"),
        (["mcp"], {"seed": "1"}, "seed is an int, not '1'"),
    ],
)
def test_wrong_use_is_an_error(providers: Any, options: Any, told: str) -> None:
    with pytest.raises(TypesigError) as caught:
        rehearse(tools_of([count]), providers, **options)

    assert told in str(caught.value)


def test_the_mistakes_try_every_mending_that_a_call_can_have() -> None:
    found = set()
    for seed in range(3):
        ledger = typesig.Ledger()
        [row] = rehearse(tools_of([search]), ["mcp"], seed=seed, mode="lenient").rows
        one = tools_of([search]).project("mcp").tools["search"]
        for sent in row.sent:
            one.read(sent.arguments, "lenient", ledger=ledger)
        found |= {each.id for each in ledger.rows() if each.fate == "mended"}
    # Those of answers that are no calls, and those of types that this tool does not have.
    answers = {
        "several_values", "joined_values", "missing_bracket", "word_in_prose", "plain_text", "table",
    }  # fmt: skip
    others = {
        "string_from_keyword", "keyword_from_string", "datetime_from_string", "decimal_from_number",
        "list_from_set", "float_from_int", "enum_from_string", "naive_datetime", "triple_quotes",
        "other_format", "number_form", "bare_text", "odd_escape", "unknown_escape",
        "quotes_in_text", "line_break_in_text",
    }  # fmt: skip

    assert set() == {*REPAIRS, *COERCIONS} - found - answers - others


@pytest.mark.parametrize("provider", SPELLING_NAMES)
def test_a_call_is_read_back_from_the_message_of_its_provider(provider: Any) -> None:
    for api in VENDORS[provider].apis:
        [call] = VENDORS[provider].calls.read(call_of(provider, api, "f", {"a": 1}))
        sent = call.arguments

        assert ("f", {"a": 1}) == (call.name, json.loads(sent) if isinstance(sent, str) else sent)


@pytest.mark.once
@LAW
@given(data=st.data())
def test_whatever_a_tool_takes_it_can_be_rehearsed(data: st.DataObject) -> None:
    drawn = data.draw(signatures())

    @tool(Signature(drawn.params, STRING, drawn.names, drawn.extra), name="f")
    def run(**sent: Any) -> str:
        raise AssertionError("a function ran")

    report = rehearse(tools_of([run]), strict=data.draw(st.booleans()))

    assert json.loads(json.dumps(report.to_json())) == report.to_json()
    assert report.text().endswith("\nseed 0")


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(command, ["rehearse", *arguments])


def test_the_command_prints_the_report() -> None:
    result = invoke("examples.explicit", "--vendor", "mcp", "--seed", "2")
    lines = result.output.splitlines()

    assert 0 == result.exit_code
    assert "tool      provider  calls  mended  changed  refused  let through" == lines[0]
    assert lines[-1] == "seed 2"


def test_the_command_prints_json() -> None:
    result = invoke("examples.explicit", "--vendor", "mcp", "--strict", "--json")

    assert 0 == result.exit_code
    assert ["forecast", "mood"] == [row["tool"] for row in json.loads(result.output)["rows"]]


def test_the_command_fails_if_something_was_let_through() -> None:
    assert 1 == invoke("examples.explicit", "--vendor", "mcp", "--mode", "disabled").exit_code


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        ([], 2, "typesig: rehearse takes a module, or --mcp with a server\n"),
        (["no_module_x"], 2, "typesig: there is no module no_module_x; name one that can be imported from here\n"),
        (["textwrap"], 1, "typesig: textwrap has no public functions with hints\n"),
    ],
)  # fmt: skip
def test_wrong_use_of_the_command_is_told(arguments: list[str], status: int, told: str) -> None:
    result = invoke(*arguments)

    assert status == result.exit_code
    assert result.output.endswith(told)
