"""Long files on the command line: processes, progress, summaries, and rows that are kept."""

from __future__ import annotations

import json
import pickle
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner, Result

import typesig
from tests.cli.inputs import test_output
from typesig.cli import checking
from typesig.cli.commands import typesig as command
from typesig.cli.inputs import data
from typesig.cli.inputs.data import read_lines
from typesig.errors import TypesigError
from typesig.limits import MAX_LINES, MAX_PATH, MAX_SUMMARY
from typesig.relations import Inference
from typesig.validation.issues.issues import Issue

ROOT = Path(__file__).resolve().parents[3]
ROW = "{id :int, tags [:string], note :string?}"

Screen = test_output.Screen


@pytest.fixture(autouse=True)
def _in_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(command, arguments, input=stdin)


def said(result: Result) -> tuple[int, str, str]:
    return result.exit_code, result.stdout, result.stderr


def messy(count: int) -> str:
    """Return *count* lines, of which some do not fit and some cannot be read."""
    draw = random.Random(7)
    lines = []
    for number in range(count):
        row: dict[str, Any] = {"id": number, "tags": ["a"] * draw.randrange(3)}
        match draw.randrange(8):
            case 0:
                row["id"] = str(number)
            case 1:
                row["tags"].append(None)
            case 2:
                row[f"k{draw.randrange(5)}"] = {"x": number}
            case 3:
                lines.append('{"id": 1, "id": 2}')
                continue
            case 4:
                lines.append("")
                continue
        lines.append(json.dumps(row))
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("value", ["1", "2", "all"])
@pytest.mark.parametrize("arguments", [("check", ":int"), ("infer",)])
def test_a_number_of_processes_is_refused(arguments: tuple[str, ...], value: str) -> None:
    result = run(*arguments, "--jobs", value, stdin="1\n")

    assert 2 == result.exit_code
    assert "there is no --jobs any more: leave it out, the result is the same" in result.stderr
    assert "--jobs" not in run(arguments[0], "--help").stdout


# calls of a tool

TOOLS = """
from pathlib import Path
from typesig import tool

with Path("imports.txt").open("a") as log:
    log.write("x")

@tool(mode="strict")
def book(room: str, seats: int) -> str:
    raise AssertionError("it runs")
"""


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the target of a tool, calls of which are in `calls.jsonl`."""
    (tmp_path / "bulk_tools.py").write_text(TOOLS)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setitem(sys.modules, "bulk_tools", ModuleType("bulk_tools"))
    good, bad = {"room": "Elm", "seats": 2}, {"room": "Elm", "seats": "2"}
    used: list[dict[str, Any]] = [
        {"type": "tool_use", "id": "c", "name": name, "input": given}
        for name, given in (("book", bad), ("other", {}), ("book", good), ("book", {}))
    ]
    cut = {"role": "assistant", "content": used[:1], "stop_reason": "max_tokens"}
    rows = [good, used[2], used, cut, {"role": "assistant", "content": "Elm."}, used[1], bad]
    lines = [*map(json.dumps, rows), "{", json.dumps(used[3])]
    Path("calls.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return "bulk_tools.py:book"


def test_calls_of_a_tool_are_checked(calls: str) -> None:
    result = run("check", calls, "calls.jsonl")

    assert result.stdout.endswith("\n9 calls: 3 fit, 6 do not; 2 of other tools\n")
    assert "x" == Path("imports.txt").read_text()


def test_the_errors_of_calls_are_counted_by_path(calls: str) -> None:
    result = run("check", calls, "calls.jsonl", "--summary")

    assert [
        '2  seats (type), first in calls.jsonl:3: call 1: expected int, got string "2"',
        "2  room (missing), first in calls.jsonl:3: call 4: expected string, got nil (missing)",
        "2  seats (missing), first in calls.jsonl:3: call 4: expected int, got nil (missing)",
        "1  the call (call), first in calls.jsonl:4: the answer ended before this call was whole",
    ] == result.stdout.splitlines()[:4]
    assert result.stdout.splitlines()[4].startswith("1  the call (json), first in calls.jsonl:8: ")


def test_a_row_with_several_calls_is_kept_once(calls: str) -> None:
    run("check", calls, "calls.jsonl", "--bad", "bad.jsonl")
    rows = [json.loads(line) for line in Path("bad.jsonl").read_text().splitlines()]

    assert [f"calls.jsonl:{n}" for n in (3, 4, 7, 8, 9)] == [row["place"] for row in rows]
    errors = rows[0]["errors"]
    assert [(1, "seats"), (4, "room"), (4, "seats")] == [(e["call"], e["path"]) for e in errors]
    assert json.loads(Path("calls.jsonl").read_text().splitlines()[2]) == rows[0]["row"]
    assert all("call" not in e for row in rows[1:] for e in row["errors"])


def test_a_result_is_checked_against_a_tool(calls: str) -> None:
    Path("results.jsonl").write_text('"a"\n3\n' * 4)
    result = run("check", calls, "results.jsonl", "--output")

    assert "8 values: 4 fit, 4 do not" == result.stdout.splitlines()[-1]


def test_a_limit_of_the_inference_is_told_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typesig.relations.observations.MAX_PLACES", 5)
    text = '1\n{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1}\n'
    result = run("infer", stdin=text)

    assert 2 == result.exit_code
    assert result.stderr.startswith("typesig: standard input:2: samples[1].f: there are more than")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (b"1\n2\n3\n4", [1, 2, 3, 4]),
        (b"\n \n1\n\n\r\n2\r\n\n3\n\n", [3, 6, 8]),
        (b"[1,\n2]\n", [0]),
        (b"", [0]),
        (b" \n", [0]),
        (b"1", [0]),
        (b"\n1\n\n", [0]),
        (b"1\n" + b"x" * 30 + b"\n2\n", [1, 2, 3]),
        (b"1\n2\n" + b"y" * 61 + b"\n\n3\n", [1, 2, 3, 4, 6]),
        (b"\xef\xbb\xbf1\n2\n", [1, 2]),
        (b"1\r2\n3\n4\n", [0]),
        (b"1\n2\n\x0c\n3\x0b\n", [1, 2, 4]),
        (b"1" * 55 + b"\n2\n3\n", [1, 2, 3, 4]),
    ],
)
def test_lines_have_their_numbers(
    monkeypatch: pytest.MonkeyPatch, text: bytes, lines: list[int]
) -> None:
    monkeypatch.setattr(data, "_TOO_LONG", 50)
    Path("rows").write_bytes(text)
    found = [*read_lines("rows")]

    assert lines == [number for number, _ in found]
    assert lines != [0] or [text] == [line for _, line in found]


def test_a_mode_that_checks_nothing_takes_every_row() -> None:
    result = run("check", ":int", "--mode", "disabled", stdin='1\n"x"\n')

    assert (0, "2 values: 2 fit, 0 do not\n", "") == said(result)


def test_a_file_that_is_no_list_of_lines_is_read_no_further_than_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("typesig.cli.inputs.data._TOO_LONG", 10)
    Path("long.json").write_text("[1,\n" + "2,\n" * 100)
    [(number, text)] = read_lines("long.json")

    assert (0, b"[1,\n2,\n2,\n") == (number, text)


# progress


def test_progress_is_lines_where_standard_error_is_no_terminal() -> None:
    result = run("check", ":int", "--progress", stdin="1\n" * 20_001)

    assert "10000 values…\n20000 values…\n" == result.stderr
    assert "20001 values: 20001 fit, 0 do not\n" == result.stdout


def test_infer_shows_progress_too() -> None:
    assert "10000 values…\n" == run("infer", "--progress", stdin="1\n" * 10_000).stderr
    assert "" == run("infer", stdin="1\n" * 10_000).stderr


class Clock:
    """A clock that goes on by a quarter of a second with each look at it."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        self.now += 0.25
        return self.now


def screen_in(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """Return the terminal that standard error is now, on which each look at the clock is told."""
    made = Screen()
    monkeypatch.setattr(sys, "stderr", made)
    monkeypatch.setattr(data, "time", Clock())
    monkeypatch.setenv("COLUMNS", "80")
    return made


def test_a_terminal_shows_the_share_the_rate_and_the_time_that_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = screen_in(monkeypatch)
    shown = data.Progress(False, size=64 * 2 * 4)
    lines = shown.count_lines([(1, b"1\n")] * 128)

    assert 128 == len(list(lines))
    first, second = (
        " 25% · 64 values · 256 a second · 0:01 left",
        " 50% · 128 values · 256 a second · 0:00 left",
    )
    assert f"\r{first}\r{second}\r{' ' * len(second)}\r" == screen.getvalue()


def test_a_terminal_is_not_written_to_at_each_look(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = screen_in(monkeypatch)
    monkeypatch.setattr(data, "_SECONDS", 1_000.0)
    shown = data.Progress(False, size=64 * 2 * 4)

    assert 128 == len(list(shown.count_lines([(1, b"1\n")] * 128)))
    assert "%" not in screen.getvalue()


def test_a_terminal_shows_no_share_of_a_pipe_and_no_more_than_its_width(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = screen_in(monkeypatch)
    monkeypatch.setenv("COLUMNS", "21")
    shown = data.Progress(False)

    assert 64 == len(list(shown.count_lines([(1, b"1\n")] * 64)))
    assert "\r64 values · 256 a se\r" + " " * 20 + "\r" == screen.getvalue()


def test_the_line_is_taken_away_before_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = screen_in(monkeypatch)
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setattr(data, "_LOOK", 1)
    shown = data.Progress(False)
    asked = checking.CheckOptions(typesig.parse(":int"), "x")
    checker = checking.Checker(asked, before=shown.clear)
    checker.check_lines(shown.count_lines([(1, b"1"), (2, b"x")]))
    checker.print_count()
    before, _, rest = test_output.plain(screen.getvalue()).partition("x:2")

    assert before.endswith(" a second\r" + " " * len("2 values · 4 a second") + "\r")
    assert rest.endswith("\n2 values: 1 fit, 1 do not\n")


def test_of_a_short_file_a_terminal_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = screen_in(monkeypatch)

    assert 3 == len(list(data.Progress(False).count_lines([(1, b"1\n")] * 3)))
    assert "" == screen.getvalue()


def test_the_size_of_what_is_no_file_is_not_known() -> None:
    Path("rows").write_text("12")

    assert [2, None, None] == [data.get_size(each) for each in ("rows", "absent", ".")]


# the summary


def test_the_summary_counts_errors_by_path_and_code() -> None:
    rows = [
        '{"id": 1, "tags": []}',
        '{"id": "x", "tags": [1, null, "b"]}',
        '{"id": "y", "tags": [2]}',
        '{"tags": "a"}',
        "{",
    ]
    result = run("check", ROW, "--summary", stdin="".join(f"{row}\n" for row in rows))

    assert (
        "3  tags[] (type), first in standard input:2: expected string, got int 1\n"
        '2  id (type), first in standard input:2: expected int, got string "x"\n'
        "1  id (missing), first in standard input:4: expected int, got nil (missing)\n"
        '1  tags (type), first in standard input:4: expected list, got string "a"\n'
        "1  the value (json), first in standard input:5: not valid JSON: Expecting property name "
        "enclosed in double quotes at line 2 column 1\n"
        "5 values: 1 fit, 4 do not\n"
    ) == result.stdout


def test_the_summary_of_what_fits_is_empty() -> None:
    assert (0, "1 value: 1 fit, 0 do not\n", "") == said(
        run("check", ":int", "--summary", stdin="1")
    )


def test_the_summary_is_bounded_and_counts_the_rest() -> None:
    row = json.dumps({f"k{number}": "x" for number in range(MAX_SUMMARY - 1)})
    other = json.dumps({f"o{number}": "x" for number in range(5)})
    text = f"[0]\n{row}\n{other}\n{row}\n"
    result = run("check", ":map[:int]", "--summary", "-q", stdin=text)
    lines = result.stdout.splitlines()

    assert MAX_SUMMARY + 1 == len(lines)
    assert '2  k0 (type), first in standard input:2: expected int, got string "x"' == lines[0]
    assert "… and 5 more errors" == lines[-1]


def test_errors_that_an_outcome_does_not_keep_are_counted() -> None:
    result = run("check", "[:int]", "--summary", stdin=json.dumps(["x"] * 1_100))

    assert (
        '1000  [] (type), first in standard input: expected int, got string "x"\n'
        "… and 100 more errors\n1 value: 0 fit, 1 do not\n"
    ) == result.stdout


def test_warnings_that_an_outcome_does_not_keep_are_no_errors() -> None:
    sent = json.dumps({"a": ["1"] * 1_100})
    signature = "(a [:int]) -> :any"
    counted = "1 value: 1 fit, 0 do not, 1 with warnings\n"

    assert counted == run("check", signature, "--summary", stdin=sent).stdout
    assert run("check", signature, "-q", "--all", stdin=sent).stdout == ""
    [*_, more, last] = run("check", signature, "--all", stdin=sent).stdout.splitlines()
    assert ("standard input: … and 100 more warnings", counted) == (more, f"{last}\n")
    [*_, more, _] = run("check", signature, "--all", "--json", stdin=sent).stdout.splitlines()
    assert {"severity": "warning", "place": "standard input", "unseen": 100} == json.loads(more)


def test_a_place_has_its_indices_and_private_names_left_out() -> None:
    deep = Issue("type", tuple(f"s{number}" for number in range(MAX_PATH + 2)))

    assert '[]["a b"][].c' == checking.group_path(Issue("type", (3, "a b", 4, "c")))
    assert '["x[3]"]' == checking.group_path(Issue("type", ("x[3]",)))
    assert "a.<Firewalled>" in checking.group_path(
        Issue("type", ("a", "_b", "c"), hidden=1)
    ).replace('["<Firewalled>"]', ".<Firewalled>")
    assert "s0.s1" == checking.group_path(deep)[:5]
    assert ".s11….s14" in checking.group_path(deep).replace("…s14", "….s14")


@pytest.mark.parametrize("options", [[], ["--summary"]], ids=" ".join)
def test_texts_that_are_not_printed_are_not_made(
    monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    made = 0

    def counted(issue: Issue, words: object) -> str:
        nonlocal made
        made += 1
        return "wrong"

    monkeypatch.setattr(checking, "MAX_LINES", 5)
    monkeypatch.setattr(Issue, "_write_message", counted)
    text = '{"id": "x", "tags": []}\n' * 2_000
    result = run("check", ROW, *options, stdin=text)

    lines = result.stdout.splitlines()
    assert "2000 values: 0 fit, 2000 do not" == lines.pop()
    if options:
        assert ["2000  id (type), first in standard input:1: wrong"] == lines
        assert 1 == made
    else:
        assert [f"standard input:{number}: id: wrong [type]" for number in range(1, 6)] == lines[:5]
        assert ["… and more; --all shows all 2000 lines"] == lines[5:]
        assert 5 == made


# rows that do not fit


def test_rows_that_do_not_fit_are_kept_as_they_were_with_their_errors() -> None:
    rows = (
        b'{"id": 1.50e1, "tags": ["\\u00e4", "\xc3\xa4"]}\r\n{"id": 1, "tags": []}\n'
        b'{"id": 1, "id": 2}\n\n\xff\n'
    )
    result = run("check", ROW, "--bad", "bad.jsonl", stdin=rows)
    kept = [json.loads(line) for line in Path("bad.jsonl").read_text("utf-8").splitlines()]

    assert (1, "4 values: 1 fit, 3 do not") == (result.exit_code, result.stdout.splitlines()[-1])
    assert [
        {
            "place": "standard input:1",
            "errors": [{"path": "id", "code": "type", "message": "expected int, got float 15.0"}],
            "row": {"id": 15.0, "tags": ["ä", "ä"]},
        },
        {
            "place": "standard input:3",
            "errors": [
                {
                    "path": "",
                    "code": "json",
                    "message": 'not valid JSON: the key "id" occurs twice',
                }
            ],
            "text": '{"id": 1, "id": 2}',
        },
        {
            "place": "standard input:5",
            "errors": [
                {"path": "", "code": "json", "message": "not valid JSON: byte 0 is not UTF-8"}
            ],
            "text": "\udcff",
        },
    ] == kept
    assert '"row": {"id": 1.50e1, "tags": ["\\u00e4", "ä"]}}\n' in Path("bad.jsonl").read_text(
        "utf-8"
    )


def test_a_value_of_several_lines_is_kept_on_one() -> None:
    run("check", "[:int]", "--bad", "bad.jsonl", stdin='\ufeff["a",\r\n 2,\r 3]\n')
    [line] = Path("bad.jsonl").read_text("utf-8").splitlines()

    assert ["a", 2, 3] == json.loads(line)["row"]


def test_errors_beyond_the_limit_are_counted_in_what_is_kept() -> None:
    run("check", "[:int]", "--bad", "bad.jsonl", "-q", stdin=json.dumps(["x"] * 1_100))

    assert 100 == json.loads(Path("bad.jsonl").read_text())["unseen"]


def test_what_a_model_may_not_see_is_in_no_report_of_a_kept_row() -> None:
    run("check", "{_key :int}", "--bad", "bad.jsonl", stdin='{"_key": "s3cret"}')
    kept = json.loads(Path("bad.jsonl").read_text())

    assert {"_key": "s3cret"} == kept["row"]
    assert "s3cret" not in json.dumps(kept["errors"])
    assert "_key" not in json.dumps(kept["errors"])


def test_the_file_of_bad_rows_is_empty_if_all_rows_fit() -> None:
    Path("bad.jsonl").write_text("old\n")

    assert 0 == run("check", ":int", "--bad", "bad.jsonl", stdin="1").exit_code
    assert "" == Path("bad.jsonl").read_text()


def test_the_file_of_bad_rows_is_left_alone_if_there_is_nothing_to_read() -> None:
    Path("bad.jsonl").write_text("old\n")
    result = run("check", ":int", "no-such.jsonl", "--bad", "bad.jsonl")

    assert "typesig: no-such.jsonl cannot be read: no such file or directory\n" == result.stderr
    assert "old\n" == Path("bad.jsonl").read_text()


@pytest.mark.parametrize("kept", ["rows.jsonl", "./rows.jsonl"])
def test_bad_rows_are_never_written_over_what_is_read(kept: str) -> None:
    Path("rows.jsonl").write_text("1\n2\n")
    result = run("check", ":int", "rows.jsonl", "--bad", kept)

    assert 2 == result.exit_code
    assert f"typesig: --bad {kept} is the file that is read; name another\n" == result.stderr
    assert "1\n2\n" == Path("rows.jsonl").read_text()


def test_bad_rows_go_to_a_file() -> None:
    result = run("check", ":int", "--bad", "-", stdin="1")

    assert (2, "", "typesig: --bad is the path of a file, not -\n") == said(result)


def test_a_file_of_bad_rows_that_cannot_be_written_is_one_message() -> None:
    result = run("check", ":int", "--bad", "no/such/folder", stdin="1")

    assert 2 == result.exit_code
    assert "typesig: no/such/folder cannot be written: no such file or directory\n" == result.stderr


# what crosses processes


@dataclass
class Row:
    id: int
    tags: list[str]


def read_here(contract: Any, rows: list[str]) -> list[Any]:
    return [contract.read(row) for row in rows]


@pytest.mark.needs_process
def test_contracts_and_their_outcomes_cross_processes() -> None:
    contract = typesig.contract(Row)
    rows = ['{"id": 1, "tags": ["a"]}', '{"id": "x"}', "{"]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        there = pool.submit(read_here, contract, rows).result()

    expected = [contract.read(row) for row in rows]
    assert [Row(1, ["a"])] == [outcome.result for outcome in there if outcome.ok]
    assert [outcome.errors for outcome in expected] == [outcome.errors for outcome in there]


def test_an_inference_takes_another_only_if_it_has_its_names() -> None:
    found, other = Inference(), Inference()
    found.add({"a": [1, {"b": 1}]})
    other.add({"a": [2.5, {"b": None}]})

    assert found.take(pickle.loads(pickle.dumps(other)))
    assert 2 == found.count
    assert "() -> {a [:float|{b :int|:nil}]}" == str(found.signature())
    for new in ({"c": 1}, {"a": {"d": 1}}, [1], {1: 2}, {"a": {1}}):
        other = Inference()
        other.add(new)
        assert not found.take(other)
    assert 2 == found.count


def test_an_inference_takes_sets_and_merged_maps_that_it_knows() -> None:
    first, again, deeper = Inference(), Inference(), Inference()
    first.add({1: {1, 2}})
    again.add({"x": {2.5}})
    deeper.add({"x": [1]})

    assert first.take(again)
    assert not first.take(deeper)
    assert 2 == first.count


def test_an_inference_takes_tuples_of_as_many_items_as_it_knows() -> None:
    first, again, longer = (Inference(tuples=True) for _ in range(3))
    first.add([1, "a"])
    again.add([2, "b"])
    longer.add([2, "b", 3])

    assert first.take(again)
    assert not first.take(longer)
    assert 2 == first.count


def test_inferences_of_different_options_are_refused() -> None:
    with pytest.raises(TypesigError, match="the options of the two inferences differ"):
        Inference().take(Inference(formats=True))


def test_the_problems_of_samples_are_bounded() -> None:
    result = run("infer", stdin="1\n" + "{bad\n" * (MAX_LINES + 200))

    assert MAX_LINES + 1 == len(result.stderr.splitlines())
    assert "… and 200 more" == result.stderr.splitlines()[-1]


def test_the_report_of_no_lines_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    rows = StringIO()
    checker = checking.Checker(checking.CheckOptions(typesig.parse(":int"), "x"), rows=rows)
    checker.check_lines([])
    checker.close()

    assert ("", "") == capsys.readouterr()
    assert "" == rows.getvalue()
