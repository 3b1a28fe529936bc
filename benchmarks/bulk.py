"""The cost of checking, and of inferring from, files of many lines.

Rows of `{id, title, score, tags}` are read from a file of JSONL as the commands `typesig check` and
`typesig infer` read them, and compared with `json.loads` of each line with a hook that refuses
duplicate keys.  Both take turns in one process; the smallest CPU time of all rounds counts.  Then
whole commands run as processes of their own, for their memory.

    python -m pip install docstring_parser typing_extensions click rich
    python benchmarks/bulk.py --rows 50000 --rounds 5
    python benchmarks/bulk.py --sizes 10000 100000 1000000

Columns: the command; its time per row divided by that of `json.loads`, and the maximum for that;
the peak memory of the command for each size, in MiB.  Needs POSIX, for the memory of one child.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(CHECKOUT))

import typesig  # noqa: E402
from typesig.cli.checking import Checker, CheckOptions  # noqa: E402
from typesig.cli.command_infer import add_samples  # noqa: E402
from typesig.cli.inputs.data import read_lines  # noqa: E402
from typesig.relations import Inference  # noqa: E402

SIGNATURE = "{id :int, title :string, score :float, tags [:string]}"
ARGUMENTS = "(id :int, title :string, score :float, tags [:string]) -> :any"


def write_rows(file: Path, count: int, fit: bool = True) -> None:
    """Write *count* rows to *file*; unless they *fit*, each has an error."""
    draw = random.Random(1)
    with file.open("w") as stream:
        for number in range(count):
            row = {
                "id": number,
                "title": f"Title of row {number}",
                "score": draw.random() * 100 if fit else "high",
                "tags": ["alpha", "beta", "gamma"][: draw.randrange(4)],
            }
            stream.write(json.dumps(row) + "\n")


def hook(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return *pairs* as a dict; raise if a key occurs twice."""
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError
    return made


def load(file: Path) -> None:
    """Read each line of *file* with `json.loads`."""
    with file.open("rb") as lines:
        for line in lines:
            json.loads(line, object_pairs_hook=hook)


def check(file: Path, text: str) -> None:
    """Read and check the rows of *file*, as the command does."""
    checker = Checker(CheckOptions(typesig.parse(text), str(file)))
    checker.check_lines(read_lines(str(file)))
    assert not checker.bad


def refuse(file: Path, counts: bool) -> None:
    """Check rows none of which fits, as the command does, with `--summary` if it *counts*."""
    checker = Checker(CheckOptions(typesig.parse(SIGNATURE), str(file), counts=counts))
    with open(os.devnull, "w") as nothing, redirect_stdout(nothing):
        checker.check_lines(read_lines(str(file)))
    assert checker.bad == checker.total


def infer(file: Path) -> None:
    """Read the rows of *file* and infer their type, as the command does."""
    add_samples(Inference(), read_lines(str(file)), str(file), False, lambda: None)


def fastest(calls: dict[str, Callable[[], None]], rounds: int) -> dict[str, float]:
    """Return the smallest CPU time of each of *calls*, which take turns."""
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.process_time()
            call()
            best[name] = min(best[name], time.process_time() - start)
    return best


def measure_memory(*arguments: str) -> float:
    """Return the peak memory of the command `typesig`, in MiB."""
    child = subprocess.Popen(
        [sys.executable, "-m", "typesig", *arguments],
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
    )
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, child.returncode
    return used.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def main() -> None:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows, bad = Path(folder, "rows.jsonl"), Path(folder, "bad.jsonl")
        write_rows(rows, options.rows)
        write_rows(bad, options.rows, fit=False)
        best = fastest(
            {
                "json.loads": lambda: load(rows),
                "check": lambda: check(rows, SIGNATURE),
                "check arguments": lambda: check(rows, ARGUMENTS),
                "infer": lambda: infer(rows),
                "check, all bad": lambda: refuse(bad, False),
                "summary, all bad": lambda: refuse(bad, True),
            },
            options.rounds,
        )
        unit = best.pop("json.loads")
        print(f"json.loads with the hook: {unit / options.rows * 1e6:.2f} µs per row")
        bars = {"check": 2, "check arguments": 2, "infer": 4}
        bars |= {"check, all bad": 4, "summary, all bad": 5}
        for name, taken in best.items():
            print(f"{name:16} {taken / unit:5.2f} of json.loads, at most {bars[name]}")
        commands = {"check": ["check", SIGNATURE], "infer": ["infer"]}
        for size in options.sizes:
            write_rows(rows, size)
            for name, arguments in commands.items():
                memory = measure_memory(*arguments, str(rows))
                print(f"{name:16} {size:9} rows: {memory:6.1f} MiB")


if __name__ == "__main__":
    main()
