"""Check the rows of a Ray data set; keep those that do not fit, with their errors.

pip install 'ray[data]'
python -m examples.bulk.ray_data examples/data/rows.jsonl bad
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from examples.bulk.rows import ROWS, checked, engine, summary


def check(source: Path, bad: Path) -> str:
    """Write the rows of *source* that do not fit to the folder *bad*; return the summary."""
    data = engine("ray.data", "ray[data]")

    def check_row(row: dict[str, Any]) -> dict[str, Any]:
        return checked(row["text"])

    # Checked once; both results are taken from what is kept.
    found = data.read_text(str(source), drop_empty_lines=True).map(check_row).materialize()
    refused = found.filter(lambda one: len(one["errors"]) > 0).materialize()
    count = refused.count()
    if count:
        refused.write_json(str(bad))
    return summary(found.count(), count)


if __name__ == "__main__":
    source, bad = [*map(Path, sys.argv[1:]), ROWS, Path("bad")][:2]
    print(check(source.resolve(), bad.resolve()))
