"""Whether Dask, Spark and Ray find in the rows of one file what one process finds in them.

The programs of examples/bulk run with the real engines on this machine, each as a process of its
own, on a file of rows `{id, title, score, tags}`.  Every tenth row does not fit; others have what
is often lost: bytes that are not UTF-8, line breaks of Unicode within a text, carriage returns, a
key that occurs twice.  What each program keeps is compared with what one process finds.

    python -m pip install 'typesig[dask,ray,spark]'     # and a Java of version 17 or later
    python benchmarks/engines.py
    python benchmarks/engines.py --rows 200000 --engines dask

Columns: the engine with its version; what its program printed; whether the rows that it kept, with
their errors, are those of one process; its wall time, the start of the engine among it.
The exit status is 1 if one differs, 2 if an engine is not installed.
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
from collections import Counter
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(CHECKOUT))

from examples.bulk.rows import CONTRACT, lines_of, report, summary  # noqa: E402

#: The program of each engine, and its distribution.
ENGINES = {
    "dask": ("dask_bag", "dask"),
    "spark": ("spark_rdd", "pyspark"),
    "ray": ("ray_data", "ray"),
}

#: Lines that are easily lost or changed on the way.
ODD = (
    b'{"id": 1, "title": "\xff", "score": 1.5, "tags": []}\n',
    '{"id": 2, "title": "a\u2028b\u0085c", "score": 1.5, "tags": []}\n'.encode(),
    '{"id": 3, "title": "a\u2028b", "score": "high", "tags": []}\n'.encode(),
    b'{"id": 4,\r"title": "a", "score": null, "tags": []}\r\n',
    b'{"id": 5, "id": 6}\n',
    b"\n",
    b" \r\n",
    b"{\n",
    b'"\x00"\n',
)


def write_rows(file: Path, count: int) -> None:
    """Write *count* rows to *file*, and the odd lines among them."""
    draw = random.Random(1)
    with file.open("wb") as stream:
        for number in range(count):
            if number % (count // len(ODD) + 1) == 7:
                stream.write(ODD[number // (count // len(ODD) + 1)])
            row = {
                "id": number,
                "title": f"Title of row {number}",
                "score": "high" if number % 10 == 0 else draw.random() * 100,
                "tags": ["alpha", "beta", "gamma"][: draw.randrange(4)],
            }
            stream.write(json.dumps(row).encode() + b"\n")


def kept(bad: Path) -> Counter[str]:
    """Return the lines of the file *bad*, or of the files in that folder."""
    files = [bad] if bad.is_file() else sorted(bad.glob("[!._]*"))
    return Counter(line for file in files for line in file.read_text("ascii").splitlines())


def run(name: str, rows: Path, bad: Path) -> tuple[str, float]:
    """Return the last line that the program *name* prints, and its wall seconds."""
    begun = time.perf_counter()
    ran = subprocess.run(
        [sys.executable, "-m", f"examples.bulk.{name}", str(rows), str(bad)],
        cwd=CHECKOUT, env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True, text=True,
    )  # fmt: skip
    taken = time.perf_counter() - begun
    if ran.returncode:
        raise SystemExit(f"{name} ended with status {ran.returncode}:\n{ran.stderr[-3000:]}")
    return ran.stdout.rstrip().rpartition("\n")[2], taken


def main() -> int:
    """Run the engines; print what each found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=[*ENGINES])
    asked = parser.parse_args()
    status = 0
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder, "rows.jsonl")
        write_rows(rows, asked.rows)
        lines = lines_of(rows.read_bytes())
        reports = [text for line in lines if (text := report(CONTRACT, line))]
        expected = summary(len(lines), len(reports))
        print(f"{'one process':15}{expected}")
        for engine in asked.engines:
            program, distribution = ENGINES[engine]
            try:
                title = f"{engine} {version(distribution)}"
            except PackageNotFoundError:
                print(f"{engine:15}not installed: pip install 'typesig[{engine}]'")
                status = max(status, 2)
                continue
            bad = Path(folder, f"bad-{engine}")
            said, taken = run(program, rows, bad)
            agrees = said == expected and kept(bad) == Counter(reports)
            print(f"{title:15}{said}; {'the same rows' if agrees else 'DIFFERS'}; {taken:.1f} s")
            status = status if agrees else 1
    return status


if __name__ == "__main__":
    sys.exit(main())
