"""Threads, tasks and processes: the same answers at once as one after the other, and everywhere."""

from __future__ import annotations

import ast
import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests import written
from typesig import Outcome, tool
from typesig.extraction.callables.type_checking_names import parse_syntax

ROOT = Path(__file__).resolve().parents[2]

THREADS = 16


@pytest.mark.needs_process
def test_threads_get_the_same_results_as_one_after_the_other() -> None:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            together = list(pool.map(written.work, [n % 8 for n in range(THREADS * 4)]))
    finally:
        sys.setswitchinterval(interval)

    for n, results in enumerate(together):
        # One by one, so that a failure tells which element differs.
        for place, (alone, at_once) in enumerate(zip(written.work(n % 8), results, strict=True)):
            assert (n % 8, place, alone) == (n % 8, place, at_once)


def test_a_syntax_tree_is_made_again_if_another_thread_disturbs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Before Python 3.13 `ast.parse` raises `SystemError` if another thread parses meanwhile."""
    parse, left = ast.parse, [SystemError("depth mismatch")] * 5

    def disturbed(*arguments: Any, **named: Any) -> Any:
        if left:
            raise left.pop()
        return parse(*arguments, **named)

    monkeypatch.setattr(ast, "parse", disturbed)

    assert "int" == parse_syntax("int", "eval").body.id
    assert not left
    left += [SystemError("depth mismatch")] * 21
    with pytest.raises(SystemError):
        parse_syntax("int", "eval")
    assert not left


_FIRST_USES = """
import sys, threading
sys.setswitchinterval(1e-6)
from tests.house import test_concurrency
from tests import written
barrier = threading.Barrier(test_concurrency.THREADS)
found = []
def first():
    barrier.wait()
    found.append(written.work(1))
threads = [threading.Thread(target=first) for _ in range(test_concurrency.THREADS)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert [written.work(1)] * test_concurrency.THREADS == found, found
print("the same")
"""


@pytest.mark.needs_process
def test_threads_may_race_for_the_first_use_of_everything() -> None:
    """In a fresh process: modules, grammars and caches are all made during the race."""
    assert b"the same\n" == _printed(_FIRST_USES)


#: Names of variables of the environment, and values that change what Python does by default.
SURROUNDINGS = {
    "hash seed": {"PYTHONHASHSEED": "1"},
    "another hash seed": {"PYTHONHASHSEED": "12345"},
    "locale": {"LC_ALL": "C", "LANG": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    "language": {"LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "tr"},
    "time zone": {"TZ": "Pacific/Kiritimati"},
    "no assertions": {"PYTHONOPTIMIZE": "1"},
    "development mode": {"PYTHONDEVMODE": "1"},
}


@pytest.mark.once
@pytest.mark.needs_process
@pytest.mark.parametrize("name", SURROUNDINGS)
def test_what_is_written_does_not_depend_on(name: str) -> None:
    printed = _printed("from tests import written; print(written.everything())", SURROUNDINGS[name])

    assert written.PAGE.read_text("utf-8") == printed.decode().replace("\r", "")


def test_what_is_written_is_the_same_on_every_python() -> None:
    """After a change that is wanted, run `python -m tests.written`."""
    assert written.PAGE.read_text("utf-8").rstrip("\n") == written.everything()


def _printed(code: str, surroundings: dict[str, str] | None = None) -> bytes:
    path = os.pathsep.join([str(ROOT), *sys.path])
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path, **(surroundings or {})},
        capture_output=True,
        check=True,
        timeout=300,
    ).stdout


# Tasks


async def _cancelled(call: Callable[[], Any], ready: Callable[[], bool]) -> Any:
    """Return what a call raises that is cancelled when *ready* is true."""
    task = asyncio.ensure_future(call())
    while not ready():
        await asyncio.sleep(0.001)
    task.cancel()
    (found,) = await asyncio.gather(task, return_exceptions=True)
    return found


@pytest.mark.needs_process
@pytest.mark.parametrize("cancellations", [1, 2])
def test_a_cancelled_call_of_a_plain_function_leaves_no_thread_behind(cancellations: int) -> None:
    began, may_end, ended = threading.Event(), threading.Event(), []

    @tool
    def slow() -> int:
        began.set()
        may_end.wait(120)
        ended.append(threading.get_ident())
        return 1

    async def main() -> list[int]:
        task = asyncio.ensure_future(slow.acall())
        while not began.is_set():
            await asyncio.sleep(0.001)
        for _ in range(cancellations):
            task.cancel()
            await asyncio.sleep(0.001)
        assert not task.done()
        may_end.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        return list(ended)

    assert 1 == len(asyncio.run(main()))


@pytest.mark.needs_process
def test_an_error_of_a_function_whose_call_was_cancelled_is_the_cause() -> None:
    began = threading.Event()

    @tool
    def broken() -> int:
        began.set()
        raise KeyError("lost")

    async def main() -> BaseException:
        task = asyncio.ensure_future(broken.acall())
        while not began.is_set():
            # The loop learns that the function has ended only after this turn.
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises((asyncio.CancelledError, KeyError)) as caught:
            await task
        return caught.value

    error = asyncio.run(main())

    assert isinstance(error.__cause__ or error, KeyError)


def test_a_cancelled_call_of_a_coroutine_function_runs_its_cleanup() -> None:
    seen = []

    @tool
    async def slow() -> int:
        try:
            seen.append("began")
            await asyncio.sleep(10)
        finally:
            seen.append("cleaned")
        return 1

    error = asyncio.run(_cancelled(slow.acall, lambda: bool(seen)))

    assert isinstance(error, asyncio.CancelledError)
    assert ["began", "cleaned"] == seen


def test_a_cancelled_call_closes_the_generator_of_its_tool() -> None:
    seen = []

    @tool
    async def rows() -> AsyncIterator[int]:
        try:
            for n in range(1000):
                seen.append(n)
                yield n
                await asyncio.sleep(0.001)
        finally:
            seen.append(-1)

    error = asyncio.run(_cancelled(rows.acall, lambda: len(seen) > 2))

    assert isinstance(error, asyncio.CancelledError)
    assert -1 == seen[-1]


def test_a_tool_that_was_cancelled_can_be_called_again() -> None:
    calls = []

    @tool
    async def slow(n: int) -> int:
        calls.append(n)
        await asyncio.sleep(10 if len(calls) == 1 else 0)
        return n

    async def main() -> Outcome[int]:
        await _cancelled(lambda: slow.acall({"n": 1}), lambda: bool(calls))
        return await slow.acall({"n": "2"})

    outcome = asyncio.run(main())

    assert (2, 1) == (outcome.value, len(outcome.warnings))
