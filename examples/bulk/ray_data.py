"""Check the rows of a Ray data set; keep those that do not fit, with their errors.

pip install 'typesig[ray]'
python -m examples.bulk.ray_data examples/data/rows.jsonl bad.jsonl
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from examples.bulk.rows import CONTRACT, ROWS, engine, lines_of, report, summary


def check(source: Path, bad: Path) -> str:
    """Write the rows of *source*, a file or a folder, that do not fit to *bad*; return the summary.

    A file is read by one process.
    """
    data = engine("ray.data", "ray")

    def reports(file: dict[str, Any]) -> Iterator[dict[str, str]]:
        for line in lines_of(file["bytes"]):
            yield {"report": report(CONTRACT, line)}

    # Not `read_text`, which ends a line at line breaks that may stand in a text of JSON.
    found = data.read_binary_files(str(source)).flat_map(reports)
    total = count = 0
    with bad.open("w", encoding="ascii") as out:
        for batch in found.iter_batches(batch_format="pyarrow"):
            refused = [text for text in batch["report"].to_pylist() if text]
            out.writelines(f"{text}\n" for text in refused)
            total += len(batch)
            count += len(refused)
    return summary(total, count)


if __name__ == "__main__":
    source, bad = [*map(Path, sys.argv[1:]), ROWS, Path("bad.jsonl")][:2]
    print(check(source.resolve(), bad.resolve()))
