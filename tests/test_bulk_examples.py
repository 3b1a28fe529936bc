"""The programs that check the rows of data engines, each where its engine is installed."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

from examples.bulk import rows

ERRORS = [
    ['score: expected float, got string "9.5"'],
    ["tags[1]: expected string, got nil"],
    ["score: expected float, got nil (missing)"],
    ['the answer is not valid JSON: the key "id" occurs twice'],
    ['score: expected float, got string "8"'],
]


@pytest.mark.needs_process
# Engines warn of their own parts.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("program", "engine"),
    [("dask_bag", "dask.bag"), ("ray_data", "ray.data"), ("spark_rdd", "pyspark.sql")],
)
def test_a_program_keeps_the_rows_that_do_not_fit(
    program: str, engine: str, tmp_path: Path
) -> None:
    pytest.importorskip(engine)
    bad = tmp_path / "bad"
    said = import_module(f"examples.bulk.{program}").check(rows.ROWS.resolve(), bad)
    files = [bad] if bad.is_file() else sorted(bad.glob("[!._]*"))
    kept = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]

    assert "6 rows: 1 fit, 5 do not" == said
    assert rows.ROWS.read_text("utf-8").splitlines()[1:] == [one["line"] for one in kept]
    assert ERRORS == [one["errors"] for one in kept if one["errors"]]


def test_each_row_has_its_errors() -> None:
    lines = rows.ROWS.read_text("utf-8").splitlines()

    assert [[], *ERRORS] == [rows.checked(line)["errors"] for line in lines]
    assert lines == [rows.checked(line)["line"] for line in lines]


def test_a_program_without_its_engine_says_how_to_install_it() -> None:
    with pytest.raises(SystemExit) as ended:
        rows.engine("no_such_engine.bag", "no-such-engine[bag]")

    assert (
        "this program needs no_such_engine: pip install 'no-such-engine[bag]'" == ended.value.code
    )
