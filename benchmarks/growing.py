"""How the time of a check grows with the data: from 10 to 10⁶ rows, 1 to 1,000 fields, 1 to 100
levels of records.

For each size the table has the nanoseconds per row, field or level, and *growth*: the time divided
by that of the size above it in the table.  Sizes grow tenfold, so 10 is in proportion, and more
than 10 is faster than in proportion.  CPU time, the smallest of several rounds, collection of
garbage switched off.  The outcome is a fixed part of the time, which the smallest sizes show.

    python -m pip install pydantic msgspec
    python benchmarks/growing.py                 # needs 2 GB for a million rows, and their copy
    python benchmarks/growing.py --most 100000
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import typesig
from benchmarks.tables import Table, markdown
from benchmarks.validation import (
    deep,
    deep_value,
    rows,
    signature_of,
    smallest,
    table,
    wide,
    wide_value,
)
from benchmarks.validation_peers import PEERS, Check, version_of

COMPARED = ("pydantic strict", "msgspec TypedDict")
MOST_ROWS = 1_000_000

#: The hints, values and sizes of each kind of growth.
KINDS: dict[str, tuple[Callable[[int], Any], Callable[[int], Any], tuple[int, ...]]] = {
    "rows": (lambda size: table(), rows, (10, 100, 1_000, 10_000, 100_000, MOST_ROWS)),
    "fields": (wide, wide_value, (1, 10, 100, 1_000)),
    "levels": (deep, deep_value, (1, 10, 100)),
}


def own(kind: str, size: int) -> Check:
    """Return the check of typesig; a hint may have fewer levels than text."""
    if kind != "levels":
        return signature_of(KINDS[kind][0](size)).validate_output
    text = "{id :int, name :string}"
    for _ in range(1, size):
        text = f"{{id :int, child {text}}}"
    return typesig.parse(text).validate_output


def of_kind(kind: str, most: int = MOST_ROWS) -> dict[str, dict[int, float]]:
    """Return the smallest CPU seconds of each library by size."""
    hint, value, sizes = KINDS[kind]
    found: dict[str, dict[int, float]] = {}
    for size in [each for each in sizes if each <= most]:
        data = value(size)
        cases = {"typesig": own(kind, size)}
        for peer in PEERS:
            if peer.name in COMPARED and version_of(peer.package) is not None:
                cases[peer.name] = peer.make(hint(size), "valid")
        runs = {
            name: lambda check=check, data=data: check(data)  # type: ignore[misc]
            for name, check in cases.items()
        }
        best = smallest(runs, max(1, 20_000 // size), 5)
        for name, took in best.items():
            found.setdefault(name, {})[size] = took
    return found


def as_table(kind: str, found: dict[str, dict[int, float]]) -> Table:
    """Return the nanoseconds per unit of each size, and the growth from one size to the next."""
    columns = [column for name in found for column in (f"{name}, ns", "growth")]
    lines: dict[str, list[Any]] = {}
    for times in found.values():
        before = None
        for size, took in times.items():
            cells = lines.setdefault(f"{size:,}", [])
            cells += [took / size * 1e9, None if before is None else took / before]
            before = took
    return Table(kind, columns, lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--most", type=int, default=MOST_ROWS, help="the largest size")
    most = parser.parse_args().most
    for kind in KINDS:
        print(markdown(as_table(kind, of_kind(kind, most))), end="\n\n")
    print(f"Python {sys.version.split()[0]}")


if __name__ == "__main__":
    main()
