"""The corpora: one file for each notation, one case on each line, which survives a round trip.

To add a case, add a line to `corpus/*.txt`; lines that begin with a semicolon are headings.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import typesig
from typesig.notations import NOTATIONS, readable

FOLDER = Path(__file__).resolve().parents[1] / "corpus"


def cases(notation: str) -> list[Any]:
    """Return the cases of the corpus of *notation*, with their line numbers as ids."""
    text = (FOLDER / f"{notation}.txt").read_text(encoding="utf-8")
    rows = enumerate(text.split("\n"), 1)
    return [pytest.param(line, id=f"{n}") for n, line in rows if line and not line.startswith(";")]


def test_every_notation_has_a_corpus():
    assert set(readable()) == {path.stem for path in FOLDER.glob("*.txt")}


@pytest.mark.parametrize("notation", readable())
def test_a_corpus_has_no_case_twice(notation):
    lines = [case.values[0] for case in cases(notation)]

    assert len(lines) == len(set(lines))


@pytest.mark.parametrize("line", cases("shorthand"))
def test_a_line_of_shorthand_survives_a_round_trip(line):
    s = typesig.parse(line)

    assert line == typesig.render(s)
    assert s == typesig.parse(typesig.render(s))


def written_as(source: Any, notation: str, named: bool) -> Any:
    """Return *source* read and written again, as a function if it is a function."""
    from typesig.notations.malli.parser import is_function

    s = typesig.parse(source, notation)
    written, losses = NOTATIONS[notation].render(s, not is_function(source), named=named)

    assert () == losses
    assert s == NOTATIONS[notation].expressible(s, named=named)
    return written


@pytest.mark.parametrize("line", cases("compact"))
def test_a_line_of_the_compact_notation_survives_a_round_trip(line):
    assert_round_trip(line.replace("⏎", "\n"), "compact", lone=False)


@pytest.mark.parametrize("line", cases("edn"))
def test_a_line_of_edn_survives_a_round_trip(line):
    assert line == written_as(line, "edn", ":catn" in line)


@pytest.mark.parametrize("line", cases("malli"))
def test_a_line_of_malli_survives_a_round_trip(line):
    written = written_as(json.loads(line), "malli", '":catn"' in line)

    # As text, which also compares the order of properties and the kinds of numbers.
    assert line == json.dumps(written, separators=(",", ":"))


@pytest.mark.parametrize("line", cases("json_schema"))
def test_a_json_schema_survives_a_round_trip(line):
    schema = json.loads(line)
    s = typesig.parse(schema, "json_schema")
    pair = isinstance(schema, dict) and schema.keys() == {"input", "output"}
    written = typesig.render(s, "json_schema")

    assert s == NOTATIONS["json_schema"].expressible(s)
    # As text, which also compares the order of keys.
    assert line == json.dumps(
        written if pair else written["output"], separators=(",", ":"), ensure_ascii=False
    )


@pytest.mark.parametrize("line", cases("gram"))
def test_a_line_of_gram_survives_a_round_trip(line):
    assert_round_trip(line, "gram", lone="-->" not in line)


@pytest.mark.parametrize("line", cases("gram_path"))
def test_a_line_of_grams_path_form_survives_a_round_trip(line):
    assert_round_trip(line, "gram_path", lone="==>" not in line)


def assert_round_trip(line: str, notation: str, lone: bool) -> None:
    language = NOTATIONS[notation]
    s = typesig.parse(line, notation)
    written, losses = language.render(s, lone)

    assert line == written
    assert () == losses
    assert s == language.expressible(s)
