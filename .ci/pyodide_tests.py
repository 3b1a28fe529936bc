"""Run pytest under WebAssembly, where there is only one thread."""

import asyncio
import sys
import time
import warnings
from asyncio import events

import pytest


class _Clock:
    """A selector without sockets, which only waits for time to pass."""

    def select(self, timeout):
        if timeout is None:
            raise RuntimeError("this event loop would wait forever")
        time.sleep(max(timeout, 0))
        return []


class _Loop(asyncio.BaseEventLoop):
    """An event loop that runs functions for an executor immediately, in the same thread."""

    def __init__(self):
        super().__init__()
        self._selector = _Clock()

    def _process_events(self, event_list):
        pass

    def _write_to_self(self):
        pass

    def run_in_executor(self, executor, func, *args):
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)
        return future


class _Policy(events._BaseDefaultEventLoopPolicy):
    _loop_factory = _Loop


def _run(main, *, debug=None, loop_factory=None):
    with asyncio.Runner(debug=debug, loop_factory=loop_factory) as runner:
        return runner.run(main)


def main():
    """Return pytest's exit status."""
    # Pyodide's own loop belongs to JavaScript, always counts as running, and cannot block.
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
        asyncio.set_event_loop_policy(_Policy())
    asyncio._set_running_loop(None)
    asyncio.run = _run

    print("CPython", sys.version)
    # xdist would start processes.
    plugins = ["-p", "no:cacheprovider", "-p", "no:xdist"]
    # These try texts and tables that no version of Python changes.
    slow = ["--ignore=tests/vendors", "--ignore=tests/providers/vendors/test_stand_ins.py"]
    slow += ["--ignore-glob=*/test_dialect*.py", "--ignore=tests/house/test_corpus.py"]
    slow += [f"--ignore=tests/providers/{each}" for each in ("dialects", "dialect_parsing")]
    slow += ["--ignore=tests/providers/projection/test_dialects.py"]
    folders = ("contracts", "governance", "notations", "openapi", "patterns", "relations", "site")
    slow += [f"--ignore=tests/{folder}" for folder in folders]
    # Asserts that are not rewritten say less when they fail, and take half the time to load.
    slow += ["--assert=plain", "-m", "not needs_process and not once"]
    return int(pytest.main(["-q", *plugins, *slow]))
