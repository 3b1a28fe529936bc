"""The programs that check the rows of data engines, each where its engine is installed."""

from __future__ import annotations

import json
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from examples.bulk import rows

PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"

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
    assert ERRORS == [one["errors"] for one in kept]


@pytest.mark.needs_process
def test_a_program_loses_no_row_between_the_parts_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("dask.bag")
    from examples.bulk import dask_bag

    monkeypatch.setattr(dask_bag, "BLOCK", 100)
    source, bad = tmp_path / "rows.jsonl", tmp_path / "bad"
    lines = [
        b'{"id": %d, "title": "\xff", "note": "\xe2\x80\xa8"}\r' % number for number in range(50)
    ]
    source.write_bytes(b"\n".join([*lines, b"", b"1"]))

    assert "51 rows: 0 fit, 51 do not" == dask_bag.check(source, bad, "synchronous")
    found = [line for file in bad.iterdir() for line in file.read_text("ascii").splitlines()]
    kept = {json.loads(line)["line"].encode("utf-8", "surrogateescape") for line in found}
    assert {*lines, b"1"} == kept


def test_each_row_has_its_errors() -> None:
    lines = rows.lines_of(rows.ROWS.read_bytes())
    reports = [rows.report(rows.CONTRACT, line) for line in lines]

    assert "" == reports[0]
    assert ERRORS == [json.loads(text)["errors"] for text in reports[1:]]
    assert lines[1:] == [json.loads(text)["line"].encode() for text in reports[1:]]


def test_a_report_keeps_each_byte_of_a_line() -> None:
    for line in (b"\xff", b'"\xe2\x80\xa8', b"{\r", "\u00e9".encode()):
        found = rows.report(rows.CONTRACT, line)

        assert found.isascii()
        assert line == json.loads(found)["line"].encode("utf-8", "surrogateescape")


def test_only_a_line_feed_ends_a_line() -> None:
    text = "1\u2028\n\n \r\n2\x0b\r3\n4"

    assert ["1\u2028", "2\x0b\r3", "4"] == [line.decode() for line in rows.lines_of(text.encode())]


@pytest.mark.parametrize("program", ["dask_bag", "ray_data", "spark_rdd"])
def test_a_program_without_its_engine_says_how_to_install_it(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, extra = {
        "dask_bag": ("dask", "dask"),
        "ray_data": ("ray", "ray"),
        "spark_rdd": ("pyspark", "spark"),
    }[program]

    def missing(module: str) -> None:
        assert name == module.partition(".")[0]
        raise ModuleNotFoundError

    monkeypatch.setattr(rows, "import_module", missing)
    with pytest.raises(SystemExit) as ended:
        import_module(f"examples.bulk.{program}").check(rows.ROWS, tmp_path / "bad")

    assert f"this program needs {name}: pip install 'typesig[{extra}]'" == ended.value.code
    extras = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["optional-dependencies"]
    assert any(each.startswith(name) for each in extras[extra])
    text = (PROJECT.parent / "examples" / "bulk" / f"{program}.py").read_text("utf-8")
    assert f"pip install 'typesig[{extra}]'" in text
