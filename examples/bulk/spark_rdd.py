"""Check the rows of a Spark RDD; keep those that do not fit, with their errors.

pip install pyspark        # and a Java of version 17 or later
python -m examples.bulk.spark_rdd examples/data/rows.jsonl bad
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from examples.bulk.rows import ROWS, checked, engine, summary


def check(source: Path, bad: Path) -> str:
    """Write the rows of *source* that do not fit to the folder *bad*; return the summary."""
    sql = engine("pyspark.sql", "pyspark")
    session = sql.SparkSession.builder.master("local[2]").appName("typesig").getOrCreate()
    try:
        lines = session.sparkContext.textFile(str(source)).filter(lambda line: line.strip())
        # Kept, so that the rows are checked once for both results.
        found = lines.map(checked).cache()
        refused = found.filter(lambda one: one["errors"])
        refused.map(json.dumps).saveAsTextFile(str(bad))
        return summary(found.count(), refused.count())
    finally:
        session.stop()


if __name__ == "__main__":
    source, bad = [*map(Path, sys.argv[1:]), ROWS, Path("bad")][:2]
    print(check(source.resolve(), bad.resolve()))
