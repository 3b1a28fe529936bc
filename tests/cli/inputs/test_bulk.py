"""Long files on the command line: processes, progress, summaries, and rows that are kept."""

from __future__ import annotations

import json
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
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
from typesig.cli.inputs import bulk, data, samples
from typesig.cli.inputs import options as cli_options
from typesig.cli.inputs.data import Chunk, read_chunks, read_lines
from typesig.errors import TypesigError
from typesig.limits import MAX_JOBS, MAX_LINES, MAX_PATH, MAX_SUMMARY
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


class Here:
    """A pool that computes in this process when a result is asked for."""

    #: How many chunks it computes before it breaks.
    last: int | None = None

    def __init__(self, jobs: int, mp_context: object, initializer: Any, initargs: Any) -> None:
        work, asked = pickle.loads(pickle.dumps(initargs))
        self._run = lambda chunk: pickle.loads(pickle.dumps(work(asked, chunk)))
        self.taken = 0

    def submit(self, work: object, chunk: Chunk) -> Future[Any]:
        self.taken += 1
        future: Future[Any] = Future()
        if self.last is not None and self.taken > self.last:
            future.set_exception(BrokenProcessPool())
        else:
            future.set_result(self._run(chunk))
        return future

    def shutdown(self, cancel_futures: bool) -> None:
        assert cancel_futures


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let small chunks be computed in this process."""
    monkeypatch.setattr(bulk, "ProcessPoolExecutor", Here)
    monkeypatch.setattr(data, "_CHUNK", 100)


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


# several processes


@pytest.mark.parametrize(
    "options",
    [[], ["--summary"], ["--all", "-q"], ["--bad", "bad.jsonl"], ["--mode", "strict"]],
    ids=" ".join,
)
@pytest.mark.parametrize("signature", [ROW, "(id :int, tags [:string]) -> :any"])
def test_the_output_does_not_depend_on_the_number_of_processes(
    here: None, signature: str, options: list[str]
) -> None:
    Path("rows.jsonl").write_text(messy(200))
    arguments = ["check", signature, "rows.jsonl", *options]
    one = said(run(*arguments))
    kept = Path("bad.jsonl").read_bytes() if "--bad" in options else b""
    several = said(run(*arguments, "--jobs", "2"))

    assert 1 == one[0]
    assert one == several
    assert kept == (Path("bad.jsonl").read_bytes() if "--bad" in options else b"")


def test_all_is_a_process_for_each_core(here: None, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []

    class Counting(Here):
        def __init__(self, jobs: int, *args: Any, **options: Any) -> None:
            started.append(jobs)
            super().__init__(jobs, *args, **options)

    monkeypatch.setattr(bulk, "ProcessPoolExecutor", Counting)
    monkeypatch.setattr(cli_options, "count_cores", lambda: 3)
    result = run("check", ":int", "--jobs", "all", stdin="1\n2\n")

    assert (0, "2 values: 2 fit, 0 do not\n", "") == said(result)
    assert [3] == started
    assert 2 == run("check", ":int", "--jobs", "0", stdin="1\n").exit_code
    assert 2 == run("check", ":int", "--jobs", "some", stdin="1\n").exit_code


def test_cores_are_those_that_the_process_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {1, 4, 5}, raising=False)
    assert 3 == cli_options.count_cores()
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert 2 == cli_options.count_cores()
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert 1 == cli_options.count_cores()
    monkeypatch.setattr(os, "cpu_count", lambda: 1_000)
    assert MAX_JOBS == cli_options.count_cores()


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
    checking._tools_once.cache_clear()
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


@pytest.mark.parametrize(
    "options", [[], ["--summary"], ["--all", "-q"], ["--bad", "bad.jsonl"]], ids=" ".join
)
def test_the_calls_that_are_told_do_not_depend_on_the_number_of_processes(
    here: None, calls: str, options: list[str]
) -> None:
    arguments = ["check", calls, "calls.jsonl", *options]
    one = said(run(*arguments))
    kept = Path("bad.jsonl").read_bytes() if "--bad" in options else b""
    several = said(run(*arguments, "--jobs", "2"))

    assert 1 == one[0]
    assert one == several
    assert kept == (Path("bad.jsonl").read_bytes() if "--bad" in options else b"")
    # The command imports the file each time, and what stands for a process once.
    assert "xxx" == Path("imports.txt").read_text()


@pytest.mark.needs_process
def test_calls_are_checked_in_processes(calls: str) -> None:
    arguments = ["check", calls, "calls.jsonl"]
    one, several = run(*arguments), run(*arguments, "--jobs", "2")

    assert one.stdout.endswith("\n9 calls: 3 fit, 6 do not; 2 of other tools\n")
    assert said(one) == said(several)


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


def test_a_result_is_checked_against_a_tool_in_processes(here: None, calls: str) -> None:
    Path("results.jsonl").write_text('"a"\n3\n' * 4)
    result = run("check", calls, "results.jsonl", "--output", "--jobs", "2")

    assert "8 values: 4 fit, 4 do not" == result.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    "options",
    [[], ["--enums", "3"], ["--maps", "3"], ["--tuples"], ["--formats"], ["--closed"], ["--each"]],
    ids=" ".join,
)
def test_what_is_inferred_does_not_depend_on_the_number_of_processes(
    here: None, options: list[str]
) -> None:
    rows = messy(300).splitlines()
    text = "".join(f"[{row}]\n" if "--each" in options and row else row + "\n" for row in rows)
    Path("rows.jsonl").write_text(text + "7\n{\n")

    one = said(run("infer", "rows.jsonl", *options))
    assert one == said(run("infer", "rows.jsonl", *options, "--jobs", "2"))
    assert "" != one[1]
    assert 1 == one[0]


def test_lists_of_several_lengths_are_inferred_alike(here: None) -> None:
    rows: list[Any] = [[{"a": 1}, {"b": 1}], [{"c": 1}, {"d": 1}]] * 3
    rows += [[{"e": 1}], [{"d": 1}, {"a": None}], [[1, 2]], [[1, 2.5]], [[[]]]] * 3
    text = "".join(f"{json.dumps(row)}\n" for row in rows)

    for options in (["--tuples"], []):
        one = said(run("infer", *options, stdin=text))
        assert one == said(run("infer", *options, "--jobs", "3", stdin=text))


@pytest.mark.parametrize("options", [[], ["--maps", "20"]])
def test_a_limit_of_the_inference_is_told_at_the_same_place(
    here: None, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    monkeypatch.setattr("typesig.relations.observations.MAX_PLACES", 50)
    monkeypatch.setattr("typesig.relations.observations.MAX_NAMES", 30)
    rows = [{f"k{number // 2}": 1} for number in range(120)]
    rows.insert(0, dict.fromkeys(map(str, range(10)), 1))
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    one = said(run("infer", *options, stdin=text))

    assert one == said(run("infer", *options, "--jobs", "2", stdin=text))
    assert (0 if options else 2) == one[0]


def test_a_chunk_that_exceeds_a_limit_by_itself_is_read_again(
    here: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("typesig.relations.observations.MAX_PLACES", 5)
    text = '1\n{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1}\n'
    result = run("infer", "--jobs", "2", stdin=text)

    assert 2 == result.exit_code
    assert result.stderr.startswith("typesig: standard input:2: samples[1].f: there are more than")


@pytest.mark.parametrize(("last", "first"), [(0, 1), (2, 53)])
def test_a_process_that_dies_is_one_message_with_the_first_line_without_result(
    here: None, monkeypatch: pytest.MonkeyPatch, last: int, first: int
) -> None:
    monkeypatch.setattr(Here, "last", last)
    result = run("check", ":int", "--jobs", "2", stdin="1\n" * 100)

    assert (2, "") == (result.exit_code, result.stdout)
    assert (
        f"typesig: a process died, so nothing is told of standard input:{first} and what follows; "
        "if memory ran out, ask for fewer with --jobs\n"
    ) == result.stderr


def test_a_process_that_dies_at_once_is_the_same_message(
    here: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Here, work: object, chunk: object) -> None:
        raise BrokenProcessPool

    monkeypatch.setattr(Here, "submit", broken)
    result = run("check", ":int", "--jobs", "2", stdin="1\n2\n")

    assert 2 == result.exit_code
    assert "so nothing is told of standard input:1 and what follows" in result.stderr


@pytest.mark.parametrize("size", [1, 3, 7, 20])
@pytest.mark.parametrize(
    "text",
    [
        b"1\n2\n3\n4", b"1\n2\n", b"\n \n1\n\n\r\n2\r\n\n3\n\n", b"[1,\n2]\n", b"", b" \n", b"1",
        b"1\n" + b"x" * 30 + b"\n2\n", b"1\n2\n" + b"x" * 30, b"1\n2\n" + b"y" * 61 + b"\n\n3\n",
        b"\xef\xbb\xbf1\n2\n", b"1\r2\n3\n4\n", b"1\n2\n\x0c\n3\x0b\n", b"1" * 55 + b"\n2\n3\n",
    ],
)  # fmt: skip
def test_chunks_have_the_lines_of_the_file(
    monkeypatch: pytest.MonkeyPatch, text: bytes, size: int
) -> None:
    monkeypatch.setattr(data, "_CHUNK", size)
    monkeypatch.setattr(data, "_TOO_LONG", 50)
    Path("rows").write_bytes(text)
    chunks = [*read_chunks("rows")]

    assert [*read_lines("rows")] == [line for chunk in chunks for line in chunk.iter_lines()]


def test_a_chunk_is_no_larger_than_what_is_read_at_once_and_its_longest_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(data, "_CHUNK", 20)
    Path("rows").write_text("1\n" * 30 + "2" * 40 + "\n" + "1\n" * 30)
    chunks = [*read_chunks("rows")]

    assert 60 >= max(len(chunk.text) for chunk in chunks)
    assert 6 <= len(chunks)
    assert 62 == chunks[-1].end


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.needs_process
def test_what_a_pipe_has_is_a_chunk_at_once() -> None:
    os.mkfifo("pipe")
    chunks = read_chunks("pipe")
    writer = threading.Thread(target=feed, args=(feeding := threading.Semaphore(2),))
    writer.start()

    assert b"1\n2\n" == next(chunks).text
    feeding.release()
    assert b"3\n" == next(chunks).text
    feeding.release()
    assert b"45\n" == next(chunks).text
    assert [] == [*chunks]
    writer.join()


def feed(feeding: threading.Semaphore) -> None:
    with open("pipe", "wb", buffering=0) as pipe:
        for text in (b"1\n", b"2\n", b"3\n4", b"5\n"):
            feeding.acquire()
            pipe.write(text)


def test_only_as_many_chunks_are_read_ahead_as_keep_the_processes_busy(here: None) -> None:
    read = 0

    def endless() -> Iterator[Chunk]:
        nonlocal read
        while True:
            read += 1
            yield Chunk(read, b"1")

    asked = checking.CheckJob(typesig.parse(":int"), "x")
    results = checking.check_by_processes(asked, endless(), 2)
    for _ in range(50):
        next(results)
    results.close()

    assert 50 + 2 * 4 > read


def test_a_process_is_prepared_to_leave_interrupts_alone_and_to_end_with_its_parent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Parent:
        def join(self) -> None:
            done.append("joined")

    done: list[object] = []
    ended = threading.Event()
    monkeypatch.setattr(bulk, "_work", None)
    monkeypatch.setattr(bulk, "parent_process", Parent)
    monkeypatch.setattr(os, "_exit", lambda status: (done.append(status), ended.set()))
    monkeypatch.setattr(signal, "signal", lambda *given: done.append(given))
    monkeypatch.setattr(threading.Thread, "start", threading.Thread.run)
    bulk.start_process(lambda asked, chunk: (asked, chunk), "asked")

    assert [(signal.SIGINT, signal.SIG_IGN), "joined", 1] == done
    assert ("asked", Chunk(1, b"")) == bulk.work_on_chunk(Chunk(1, b""))


@pytest.mark.usefixtures("here")
@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no masks of signals here")
def test_interrupts_wait_while_processes_start(monkeypatch: pytest.MonkeyPatch) -> None:
    class Noting(Here):
        def submit(self, work: object, chunk: Chunk) -> Future[Any]:
            held.append(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))
            return super().submit(work, chunk)

    held: list[bool] = []
    monkeypatch.setattr(bulk, "ProcessPoolExecutor", Noting)
    run("check", ":int", "--jobs", "2", stdin="1\n" * 4)

    assert [True, True] == held
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.usefixtures("here")
def test_processes_start_where_signals_have_no_masks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "pthread_sigmask", raising=False)

    assert (0, "1 value: 1 fit, 0 do not\n", "") == said(
        run("check", ":int", "--jobs", "2", stdin="1\n")
    )


@pytest.mark.once
@pytest.mark.needs_process
def test_real_processes_check_and_infer_a_file() -> None:
    Path("rows.jsonl").write_text(messy(9_000))
    for arguments in (["check", ROW, "rows.jsonl", "--summary"], ["infer", "rows.jsonl"]):
        assert said(run(*arguments)) == said(run(*arguments, "--jobs", "2"))


@pytest.mark.needs_process
@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal to a group of processes")
def test_an_interrupt_ends_all_processes() -> None:
    ran = subprocess.Popen(
        [sys.executable, "-m", "typesig", "check", ":int", "--jobs", "2"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
        # What a shell runs in the background ignores the signal, and so would its processes.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    assert ran.stdin is not None
    assert ran.stdout is not None
    ran.stdin.write(b"1\n" * 50_000 + b"x\n" + b"1\n" * 500_000)
    ran.stdin.flush()
    # The processes have begun when the first report arrives.
    assert b"standard input:50001: not valid JSON" in ran.stdout.readline()
    os.killpg(ran.pid, signal.SIGINT)
    # The pipes are closed only when all that hold them have ended.
    out, err = ran.communicate(timeout=300)

    assert (130, b"", b"\ntypesig: interrupted\n") == (ran.returncode, out, err)
    with pytest.raises(ProcessLookupError):
        _wait_for_group(ran.pid)


def _wait_for_group(group: int) -> None:
    for _ in range(1_200):
        os.killpg(group, 0)
        time.sleep(0.1)


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


def test_progress_of_several_processes_is_that_of_one(
    here: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data, "_STEP", 30)
    text = "1\n\n" * 100
    for arguments in (["check", ":int"], ["infer"]):
        one = said(run(*arguments, "--progress", stdin=text))
        assert "30 values…\n60 values…\n90 values…\n" == one[2]
        assert one == said(run(*arguments, "--progress", "--jobs", "2", stdin=text))


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
    chunks = [Chunk(1, b"1\n" * 100)]

    assert chunks == list(shown.count_chunks(chunks))
    assert "\r100 values · 400 a s\r" + " " * 20 + "\r" == screen.getvalue()


def test_the_line_is_taken_away_before_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = screen_in(monkeypatch)
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setattr(data, "_LOOK", 1)
    shown = data.Progress(False)
    asked = checking.CheckJob(typesig.parse(":int"), "x")
    report = checking.Report(asked, None, shown.clear)
    for found in checking.check_lines(asked, shown.count_lines([(1, b"1"), (2, b"x")])):
        report.take(found)
    report.print_count()
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


def test_a_place_has_its_indices_and_private_names_left_out() -> None:
    deep = Issue("type", tuple(f"s{number}" for number in range(MAX_PATH + 2)))

    assert '[]["a b"][].c' == checking.group_path(Issue("type", (3, "a b", 4, "c")))
    assert '["x[3]"]' == checking.group_path(Issue("type", ("x[3]",)))
    assert "a.<Firewalled>" in checking.group_path(
        Issue("type", ("a", "_b", "c"), hidden=1)
    ).replace('["<Firewalled>"]', ".<Firewalled>")
    assert "s0.s1" == checking.group_path(deep)[:5]
    assert ".s11….s14" in checking.group_path(deep).replace("…s14", "….s14")


def test_groups_are_handed_on_before_they_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MAX_SUMMARY", 2)
    asked = checking.CheckJob(typesig.parse(":map[:int]"), "x", counts=True)
    lines = [(number, f'{{"k{number}": "x"}}'.encode()) for number in range(1, 8)]

    assert [3, 3, 1] == [len(found.groups) for found in checking.check_lines(asked, lines)]


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("options", [[], ["--summary"]], ids=" ".join)
def test_texts_that_are_not_printed_are_not_made(
    here: None, monkeypatch: pytest.MonkeyPatch, jobs: str, options: list[str]
) -> None:
    made = 0

    def counted(issue: Issue, words: object) -> str:
        nonlocal made
        made += 1
        return "wrong"

    monkeypatch.setattr(checking, "MAX_LINES", 5)
    monkeypatch.setattr(data, "_CHUNK", 1000)
    monkeypatch.setattr(Issue, "_write_message", counted)
    text = '{"id": "x", "tags": []}\n' * 2_000
    result = run("check", ROW, "--jobs", jobs, *options, stdin=text)

    lines = result.stdout.splitlines()
    assert "2000 values: 0 fit, 2000 do not" == lines.pop()
    if options:
        assert ["2000  id (type), first in standard input:1: wrong"] == lines
        # One of each chunk.
        assert 60 >= made
    else:
        assert [f"standard input:{number}: id: wrong [type]" for number in range(1, 6)] == lines[:5]
        assert ["… and more; --all shows all 2000 lines"] == lines[5:]
        # Chunks that were sent before the first results were known have room, too.
        assert 5 * (1 if jobs == "1" else 7) >= made


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


def test_the_problems_of_samples_are_bounded(here: None) -> None:
    result = run("infer", "--jobs", "2", stdin="1\n" + "{bad\n" * (MAX_LINES + 200))

    assert MAX_LINES + 1 == len(result.stderr.splitlines())
    assert "… and 200 more" == result.stderr.splitlines()[-1]
    sampler = samples.Sampler(samples.SampleOptions("x", False, {}))
    assert not sampler.add((1, b"{"))


def test_the_report_of_no_lines_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    rows = StringIO()
    report = checking.Report(checking.CheckJob(typesig.parse(":int"), "x"), rows)
    report.take(checking.CheckResult())
    report.close()

    assert ("", "") == capsys.readouterr()
    assert "" == rows.getvalue()
