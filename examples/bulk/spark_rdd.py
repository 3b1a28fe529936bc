"""Check the rows of a Spark data frame; keep those that do not fit, with their errors.

pip install 'typesig[spark]'        # and a Java of version 17 or later
python -m examples.bulk.spark_rdd examples/data/rows.jsonl bad
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from examples.bulk.rows import CONTRACT, ROWS, engine, report, summary


def check(source: Path, bad: Path) -> str:
    """Write the rows of *source* that do not fit to the folder *bad*; return the summary."""
    sql = engine("pyspark.sql", "spark")
    session = sql.SparkSession.builder.master("local[2]").appName("typesig").getOrCreate()
    try:
        # As bytes, of which a text would lose those that are not UTF-8.
        frame = session.read.text(str(source), lineSep="\n").selectExpr("cast(value as binary)")
        lines = frame.rdd.map(lambda row: bytes(row.value)).filter(bytes.strip)
        # Kept, so that the rows are checked once for all results.
        reports = lines.map(partial(report, CONTRACT)).cache()
        refused = reports.filter(bool)
        refused.saveAsTextFile(str(bad))
        return summary(reports.count(), refused.count())
    finally:
        session.stop()


if __name__ == "__main__":
    source, bad = [*map(Path, sys.argv[1:]), ROWS, Path("bad")][:2]
    print(check(source, bad))
