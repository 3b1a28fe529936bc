"""Check the rows of a Dask bag in processes; keep those that do not fit, with their errors.

pip install 'dask[bag]'
python -m examples.bulk.dask_bag examples/data/rows.jsonl bad.jsonl
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from examples.bulk.rows import ROWS, checked, engine, summary


def check(source: Path, bad: Path, scheduler: str = "processes") -> str:
    """Write the rows of *source* that do not fit to *bad*; return the summary."""
    dask = engine("dask", "dask[bag]")
    bag = engine("dask.bag", "dask[bag]")
    found = bag.read_text(str(source)).map(str.strip).filter(bool).map(checked)
    refused = found.filter(lambda one: one["errors"])
    # One pass: the partitions of the bag are checked once for both results.
    total, rows = dask.compute(found.count(), refused, scheduler=scheduler)
    bad.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return summary(total, len(rows))


if __name__ == "__main__":
    source, bad = [*map(Path, sys.argv[1:]), ROWS, Path("bad.jsonl")][:2]
    print(check(source, bad))
