"""What is allocated while data is checked, as tracemalloc counts it.

*kept* is what is left when the check has returned and its result is held; *peak* is the most that
there was in between.  Both are KiB, for rows as in workload W4 of `validation.py`, and the last
column is bytes for the record of W1.  Memory that libraries in C or Rust take without Python's
allocators is not seen, and so neither are validators that work in Rust alone.

    python -m pip install pydantic msgspec cattrs mashumaro
    python benchmarks/memory.py
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.tables import Table, markdown
from benchmarks.validation import ALICE, person, rows, signature_of, table
from benchmarks.validation_peers import PEERS, version_of

SIZES = (1_000, 10_000, 100_000)
MEASURED = ("pydantic strict", "msgspec TypedDict", "msgspec Struct", "cattrs", "mashumaro")


def allocated(run: Callable[[Any], Any], value: Any) -> tuple[int, int]:
    """Return the bytes that *run* leaves with its result, and their peak, after it ran before."""
    for _ in range(6):
        run(value)
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        result = run(value)
        now, peak = tracemalloc.get_traced_memory()
        del result
    finally:
        tracemalloc.stop()
    return now - before, peak - before


def cases() -> dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]]:
    """Return the checks of a list of rows and of the record of W1."""
    many, one = signature_of(table()), signature_of(person())
    found: dict[str, Any] = {
        "typesig": (many.validate_output, one.validate_output),
        "typesig, accepts": (many.accepts, one.accepts),
    }
    for peer in PEERS:
        if peer.name in MEASURED and version_of(peer.package) is not None:
            found[peer.name] = (peer.make(table(), "valid"), peer.make(person(), "valid"))
    return found


def measured() -> Table:
    """Return what each check keeps and its peak, by the number of rows."""
    checks = cases()
    lines: dict[str, list[Any]] = {name: [] for name in checks}
    for size in SIZES:
        data = rows(size)
        for name, (check, _) in checks.items():
            kept, peak = allocated(check, data)
            lines[name] += [kept / 1024, peak / 1024] if size == SIZES[-1] else [peak / 1024]
    for name, (_, check) in checks.items():
        lines[name].append(f"{allocated(check, ALICE)[1]:,}")
    columns = [f"peak, {size:,} rows" for size in SIZES]
    columns.insert(-1, f"kept, {SIZES[-1]:,} rows")
    return Table("KiB", [*columns, "peak of W1, bytes"], lines)


if __name__ == "__main__":
    print(markdown(measured()))
    print(f"\nPython {sys.version.split()[0]}")
