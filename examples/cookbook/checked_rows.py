"""A thousand rows that a model labelled, checked in chunks: the rest is counted by its mistake."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import typesig


@dataclass
class Label:
    """The label of a review."""

    review: int
    mood: Literal["good", "bad"]
    sure: float


LABEL = typesig.contract(Label)


def written_rows() -> Iterator[str]:
    """Yield the lines that a model wrote: some with mistakes."""
    for n in range(1000):
        row = {"review": n, "mood": "good" if n % 3 else "bad", "sure": 0.5}
        if n % 100 == 7:
            row["sure"] = "0.5"  # clear, so it is repaired
        if n % 250 == 9:
            row["mood"] = "mixed"  # not one of the labels
        yield json.dumps(row) if n != 500 else '{"review": 500, "mood": "go'


def demo() -> None:
    fitting: list[Label] = []
    found: Counter[str] = Counter()
    ledger = typesig.Ledger()
    rows = written_rows()
    while chunk := [*islice(rows, 250)]:
        for line in chunk:
            outcome = LABEL.read(line, ledger=ledger)
            if outcome.ok:
                fitting.append(outcome.result)
            else:
                found.update(str(error) for error in outcome.errors)
        print(f"{len(fitting)} rows fit so far")
    for row in ledger.rows():
        print(row.fate, row.id, row.path, row.times)
    for message, times in found.most_common():
        print(times, message)


if __name__ == "__main__":
    demo()
