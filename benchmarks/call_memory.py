"""The memory of `tool.call(text).text()` with many rows, beside the same call with pydantic.

Each case runs in a process of its own, as the system counts its memory, so that what compiled
libraries take is in it: the MiB by which the largest size of the process grew while the call ran.
The rows were there before, and some calls with ten rows had been made.

    python -m pip install pydantic
    python benchmarks/call_memory.py
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import whole_job
from benchmarks.tables import Table, markdown
from benchmarks.validation_peers import version_of
from typesig import tool

SIZES = (1_000, 10_000, 100_000)
RESULTS: dict[str, Callable[[int], Any]] = {
    "dataclasses": whole_job.dataclasses,
    "TypedDicts": whole_job.typed_dicts,
    "dicts": whole_job.dictionaries,
}


def _typesig(function: Callable[[int], Any]) -> Callable[[str], str]:
    made = tool(function)
    return lambda text: made.call(text).text()


WRITERS: dict[str, Callable[[Any], Callable[[str], Any]]] = {
    "typesig": _typesig,
    "pydantic": whole_job.by_pydantic,
    "json, no check": whole_job.by_json,
}


def _largest() -> float:
    """Return the MiB of the largest size that this process had."""
    status = Path("/proc/self/status")
    if status.exists():
        # What `getrusage` tells on Linux is at least the size of the process that started this one.
        line = next(each for each in status.read_text().splitlines() if each.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def grown(result: str, writer: str, size: int) -> float:
    """Return the MiB by which this process grows in a call whose result has *size* rows."""
    whole_job.ROWS[:] = whole_job.rows_of(size)
    whole_job.OBJECTS[:] = [whole_job.Row(**row) for row in whole_job.ROWS]
    run = WRITERS[writer](RESULTS[result])
    for _ in range(6):
        run('{"count": 10}')
    before = _largest()
    written = run(f'{{"count": {size}}}')
    assert len(written) > size * 40
    return _largest() - before


def in_process(result: str, writer: str, size: int) -> float:
    """Return the same of a new process."""
    command = [sys.executable, __file__, result, writer, str(size)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measured() -> Table:
    """Return the MiB by the number of rows, for each kind of rows and each writer."""
    lines: dict[str, list[Any]] = {}
    for result in RESULTS:
        for writer in WRITERS:
            if writer == "pydantic" and version_of("pydantic") is None:
                continue
            if writer == "json, no check" and result == "dataclasses":
                continue
            lines[f"{result}, {writer}"] = [in_process(result, writer, size) for size in SIZES]
    return Table("MiB", [f"{size:,} rows" for size in SIZES], lines)


if __name__ == "__main__":
    if len(sys.argv) == 4:
        print(grown(sys.argv[1], sys.argv[2], int(sys.argv[3])))
    else:
        print(markdown(measured()))
        print(f"\nPython {sys.version.split()[0]}")
