"""Everyday types and signatures with and without generated code: the worst cells first.

    python benchmarks/without_generated.py               # all groups
    python benchmarks/without_generated.py read --only date

A cell is the CPU time without generated code divided by that with it, each the smallest of several
rounds in which both take turns.  The groups are those of `everyday.py`: `contract(T).read(text)`,
the text of a result, calls, and answers that `handle` takes.  Without generated code, all runs by
the closures of the same plans; see `tests/generated_off.py`.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import pytest

from benchmarks.everyday import message_of, returning, sized
from benchmarks.everyday_calls import CALLS
from benchmarks.everyday_types import KINDS
from tests.generated_off import forget_code, switch_off
from typesig import Toolset, contract, tool

Run = Callable[[], Any]

ROUNDS = 5
#: How often each is called first, so that code is generated where it is ever.
WARM = 60
#: The CPU seconds of one way in one round.
LONGEST = 0.01


def timed(run: Run, repeat: int) -> float:
    start = time.process_time()
    for _ in range(repeat):
        run()
    return (time.process_time() - start) / repeat


def compare(make: Callable[[], Run]) -> float:
    """Return the time of what *make* makes without generated code, divided by that with it."""
    best, ways, counts = [float("inf")] * 2, [], []
    for is_off in (False, True):
        with pytest.MonkeyPatch.context() as patch:
            if is_off:
                switch_off(patch)
            forget_code()
            run = make()
            for _ in range(WARM):
                run()
            counts.append(max(1, min(20_000, int(LONGEST / max(timed(run, 3), 1e-7)))))
            ways.append(run)
    gc.collect()
    gc.disable()
    try:
        for _ in range(ROUNDS):
            for is_off in (False, True):
                with pytest.MonkeyPatch.context() as patch:
                    if is_off:
                        switch_off(patch)
                    best[is_off] = min(best[is_off], timed(ways[is_off], counts[is_off]))
    finally:
        gc.enable()
    return best[1] / best[0]


def read_makers() -> Iterator[tuple[str, Callable[[], Run]]]:
    for name, kind in KINDS.items():
        for size, hint, value in sized(kind):
            text = tool(returning(hint, value), recursive=True).call({}).text()

            def make(hint: Any = hint, text: str = text) -> Run:
                made = contract(hint, recursive=True)
                return lambda: made.read(text).result

            yield f"{name}, {size}", make


def result_makers() -> Iterator[tuple[str, Callable[[], Run]]]:
    for name, kind in KINDS.items():
        for size, hint, value in sized(kind):

            def make(hint: Any = hint, value: Any = value) -> Run:
                made = tool(returning(hint, value), recursive=True)
                return lambda: made.call({}).text()

            yield f"{name}, {size}", make


def call_makers() -> Iterator[tuple[str, Callable[[], Run]]]:
    for function, arguments in CALLS.items():
        sent = json.dumps(arguments)

        def make(function: Any = function, sent: str = sent) -> Run:
            made = tool(function)
            return lambda: made.call(sent).text()

        yield function.__name__, make


def handle_makers() -> Iterator[tuple[str, Callable[[], Run]]]:
    for function, arguments in CALLS.items():
        for column, profile in {"handle": {}, "strict": {"strict": True}}.items():
            try:
                wire = Toolset([tool(function)]).project("openai", **profile)
            except ValueError:
                continue
            filled = dict(arguments)
            for key in wire.definitions[0]["function"]["parameters"].get("required", ()):
                filled.setdefault(key, None)

            def make(function: Any = function, filled: Any = filled, profile: Any = profile) -> Run:
                wire = Toolset([tool(function)]).project("openai", **profile)
                message = message_of(function.__name__, json.dumps(filled))
                return lambda: wire.handle(message)

            yield f"{function.__name__}, {column}", make


GROUPS: dict[str, Callable[[], Iterator[tuple[str, Callable[[], Run]]]]] = {
    "read": read_makers,
    "result": result_makers,
    "call": call_makers,
    "handle": handle_makers,
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Times without and with generated code.")
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(GROUPS))
    parser.add_argument("--only", default="", metavar="TEXT", help="rows whose name has this text")
    asked = parser.parse_args()
    unknown = set(asked.groups) - set(GROUPS)
    if unknown:
        parser.error(f"no group {', '.join(sorted(unknown))}; there are {', '.join(GROUPS)}")
    for group in asked.groups or GROUPS:
        cells = {name: compare(make) for name, make in GROUPS[group]() if asked.only in name}
        figures = sorted(cells.values())
        median, above = statistics.median(figures), sum(each > 3 for each in figures)
        print(
            f"{group}: {len(figures)} cells, median {median:.1f}, worst {figures[-1]:.1f}, ", end=""
        )
        print(f"{above} above 3")
        for name in sorted(cells, key=lambda name: -cells[name]):
            print(f"{cells[name]:8.1f}  {name}")
        print(flush=True)


if __name__ == "__main__":
    main()
