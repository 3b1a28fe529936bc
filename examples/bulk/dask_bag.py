"""Check the rows of a Dask bag in processes; keep those that do not fit, with their errors.

pip install 'typesig[dask]'
python -m examples.bulk.dask_bag examples/data/rows.jsonl bad
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from examples.bulk.rows import CONTRACT, ROWS, engine, lines_of, report, summary

#: The bytes of a partition.
BLOCK = 1 << 20


def check(source: Path, bad: Path, scheduler: str = "processes") -> str:
    """Write the rows of *source* that do not fit to the folder *bad*; return the summary."""
    dask = engine("dask", "dask")
    bag, files = engine("dask.bag", "dask"), engine("dask.bytes", "dask")
    _, blocks = files.read_bytes(str(source), delimiter=b"\n", blocksize=BLOCK, sample=False)
    lines = bag.from_delayed([dask.delayed(lines_of)(block) for each in blocks for block in each])
    reports = lines.map(partial(report, CONTRACT))
    refused = reports.filter(bool)
    # One pass: the partitions of the bag are checked once for all results.
    written = refused.to_textfiles(f"{bad}/*.jsonl", encoding="ascii", compute=False)
    total, count, *_ = dask.compute(reports.count(), refused.count(), *written, scheduler=scheduler)
    return summary(total, count)


if __name__ == "__main__":
    source, bad = [*map(Path, sys.argv[1:]), ROWS, Path("bad")][:2]
    print(check(source, bad))
