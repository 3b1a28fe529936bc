"""Datetimes, dates and durations: as JSON spells them, without an offset, and in results."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import typesig
from typesig import Policy, TypesigError, tool
from typesig.algebra import Keyword
from typesig.algebra.rows.formats import FORMATS, WRITTEN_FORMS
from typesig.cli import commands
from typesig.validation.policy import MODES, STRICT

SPELT = "2026-01-31T10:00:00+02:00"
NAIVE = "2026-01-31T10:00:00"


def lines(outcome: Any) -> list[str]:
    return [str(issue) for issue in (*outcome.errors, *outcome.warnings)]


@pytest.mark.parametrize("mode", ["enabled", "strict", "warn_only", "json"])
def test_a_datetime_with_an_offset_is_read_without_a_warning(mode: Any) -> None:
    found = typesig.parse("(at :datetime) -> :any").validate_input({"at": SPELT}, mode)

    assert [] == lines(found)
    assert dt.timedelta(hours=2) == found.result["at"].utcoffset()


def test_a_call_and_a_contract_read_a_datetime_without_a_warning() -> None:
    @tool
    def show(at: dt.datetime) -> dt.datetime:
        return at

    assert [] == lines(show.call({"at": SPELT}))
    assert [] == lines(typesig.contract(":datetime").read(f'"{SPELT}"'))


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (NAIVE, f'string "{NAIVE}"'),
        (NAIVE.replace("T", " "), 'string "2026-01-31 10:00:00"'),
        (dt.datetime(2026, 1, 31, 10), f"datetime {NAIVE}"),
    ],
)
def test_a_datetime_without_an_offset_is_refused_or_read_in_the_zone_of_the_policy(
    value: Any, told: str
) -> None:
    s = typesig.parse("(at :datetime) -> :any")
    refused = s.validate_input({"at": value})
    read = s.validate_input({"at": value}, Policy(naive_datetime="Europe/Berlin"))
    strict = s.validate_input({"at": value}, STRICT.changed(naive_datetime="UTC"))

    assert [f"at: expected datetime, got {told} (add an offset: {NAIVE}±HH:MM, or Z for UTC)"] == (
        lines(refused)
    )
    assert [f"at: coerced {told} to datetime in Europe/Berlin"] == lines(read)
    assert dt.datetime(2026, 1, 31, 9, tzinfo=dt.UTC) == read.result["at"]
    assert dt.datetime(2026, 1, 31, 10, tzinfo=dt.UTC) == strict.result["at"]


def test_the_zone_of_a_policy_does_not_change_other_values() -> None:
    s = typesig.parse("(at :datetime) -> :datetime")
    policy = Policy(naive_datetime="UTC")

    assert [] == lines(s.validate_input({"at": SPELT}, policy))
    assert not s.validate_input({"at": "2026-01-31"}, policy).ok
    assert not s.validate_input({"at": 5}, policy).ok
    assert not s.validate_output(dt.datetime(2026, 1, 31), policy).ok


@pytest.mark.parametrize("name", ["Mars", "", "../x", "Europe", 3])
def test_an_unknown_zone_is_an_error_where_the_policy_is_made(name: Any) -> None:
    with pytest.raises(TypesigError) as caught:
        Policy(naive_datetime=name)

    assert (
        f"there is no time zone {name!r}; write UTC or an IANA name such as Europe/Berlin "
        "(Python takes these from the system, or from the package tzdata)" == str(caught.value)
    )


@pytest.mark.parametrize("text", [SPELT, NAIVE, "2026-01-31T10:00:00Z", "soon"])
def test_the_remedy_for_a_text_in_a_result_does_not_recommend_a_text(text: str) -> None:
    found = typesig.parse(":datetime").validate_output(text)

    assert [
        f'expected datetime, got string "{text}" '
        "(give the datetime itself, with an offset, not its text)"
    ] == lines(found)


@pytest.mark.parametrize(
    ("shown", "text", "hint"),
    [
        ("date", "31.1.2027", " (write it as 2027-01-31)"),
        ("date", "2026-02-30", ""),
        ("duration", "1h", " (write it as PT1H)"),
        ("time", "11pm", " (write it as 23:00:00)"),
        ("offset-time", "11:00:00", " (add an offset: 11:00:00±HH:MM, or Z for UTC)"),
        ("date-time", "2027-01-31", " (write it as 2027-01-31THH:MM:SSZ)"),
        ("whole-duration", "PT2.5H", " (write it as PT2H30M)"),
        ("email", "me", ""),
    ],
)
def test_an_error_about_a_format_shows_its_form(shown: str, text: str, hint: str) -> None:
    found = typesig.coerce(text, f":string[{shown}]")

    assert [f'expected string[{shown}], got string "{text}"{hint}'] == lines(found)


def test_the_forms_of_formats_show_no_value() -> None:
    assert [] == [text for text in WRITTEN_FORMS.values() if any(c.isdigit() for c in text)]
    assert WRITTEN_FORMS.keys() <= FORMATS.keys()


STORED = {"at": SPELT, "kind": "a", "tags": ["x"], "by": {"1": 2}}
EVENT = "{at :datetime, kind :keyword, tags #{:keyword}, by :map[:int :int]}"


def test_a_result_in_json_is_decoded_and_not_coerced_in_mode_json() -> None:
    s = typesig.parse(EVENT)
    found = s.validate_output(STORED, "json")

    assert not s.accepts(STORED)
    assert [] == lines(found)
    assert Keyword("a") == found.result["kind"]
    assert {Keyword("x")} == found.result["tags"]
    assert {1: 2} == found.result["by"]
    assert not typesig.parse(":int").validate_output("1", "json").ok
    assert not typesig.parse("(n :int) -> :any").validate_input({"n": "1"}, "json").ok
    assert s.validate_output(STORED, MODES["enabled"].changed(json_results=True)).ok


def test_the_command_line_decodes_the_results_in_a_file(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_text(f'{{"at": "{SPELT}"}}\n')
    bad.write_text(f'{{"at": "{NAIVE}"}}\n')
    passed = CliRunner().invoke(commands.typesig, ["check", "{at :datetime}", str(good)])
    failed = CliRunner().invoke(commands.typesig, ["check", "{at :datetime}", str(bad)])

    assert (0, "1 value: 1 fit, 0 do not\n") == (passed.exit_code, passed.stdout)
    assert 1 == failed.exit_code
    assert "add an offset" in failed.stdout
