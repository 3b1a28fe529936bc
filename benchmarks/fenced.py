"""Answers in a code fence or in prose, beside the same JSON alone: time, and the ratio.

    python benchmarks/fenced.py

reads lists of 1, 100 and 1,000 records through `contract(list[Item]).read`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass

import typesig


@dataclass
class Item:
    """A record as models write many of them."""

    id: int
    name: str
    price: float
    tags: list[str]
    ok: bool


def best_time(run: Callable[[], object], times: int) -> float:
    """Return the least seconds of *times* runs."""
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    """Print a line for each form and number of records."""
    asked = typesig.contract(list[Item])
    for rows in (1, 100, 1000):
        text = json.dumps(
            [
                {"id": n, "name": f"item {n}", "price": n + 0.5, "tags": ["a", "b"], "ok": True}
                for n in range(rows)
            ]
        )
        forms = {
            "alone": text,
            "in a fence": f"```json\n{text}\n```",
            "in a fence and prose": f"Here it is:\n\n```json\n{text}\n```\nDone.",
            "in prose": f"Here it is:\n{text}\nDone.",
        }
        times = {
            name: best_time(lambda sent=form: asked.read(sent).result, max(10, 2000 // rows))  # type: ignore[misc]
            for name, form in forms.items()
        }
        for name, seconds in times.items():
            print(f"{rows:5} {name:21} {seconds * 1e6:9.0f} µs {seconds / times['alone']:6.1f} x")


if __name__ == "__main__":
    main()
