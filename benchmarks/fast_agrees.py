"""Whether the fast predicate answers as the check does, on a million generated pairs.

Types and values come from the generators of the tests: values that conform, near misses of them as
models send them (quoted, respelt, doubled, nulled, cut, …), and hostile values.

    python -m benchmarks.fast_agrees 100000 7     # pairs, and the first seed
    python -m benchmarks.fast_agrees --add A B    # adds up what runs wrote to files A and B

Each run prints what it counted as one line of JSON, so that a million pairs can be run in pieces.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fast_pairs import cases, compared
from typesig import Signature


def run(pairs: int, first: int) -> Counter[str]:
    tally: Counter[str] = Counter()
    current = first
    while tally["conforming"] + tally["near"] + tally["hostile"] < pairs:
        examine(tally, current)
        current += 1
    tally["next seed"] = current
    return tally


def examine(tally: Counter[str], current: int) -> None:
    """Compare the pairs of one seed."""
    rng = random.Random(current)

    @seed(current)
    @settings(
        max_examples=200,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(cases(3))
    def agree(case: tuple[Signature, list[Any], list[Any]]) -> None:
        for _ in range(4):
            for wrong in compared(*case, rng, 4, tally):
                tally["wrong"] += 1
                print(wrong[:2000], file=sys.stderr)

    agree()


def report(tally: Counter[str]) -> None:
    pairs = tally["conforming"] + tally["near"] + tally["hostile"]
    print(f"pairs               {pairs:>12,}")
    print(f"disagreements       {tally['wrong']:>12,}")
    for sort in ("near", "conforming", "hostile", "decided", "passed"):
        print(f"{sort:<20}{tally[sort] / pairs:>12.1%}")


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["--add"]:
        total: Counter[str] = Counter()
        for name in arguments[1:]:
            for line in Path(name).read_text(encoding="utf-8").splitlines():
                total.update(json.loads(line))
        report(total)
        return
    pairs, first = (int(each) for each in (*arguments, "100000", "1")[:2])
    print(json.dumps(run(pairs, first)))


if __name__ == "__main__":
    main(sys.argv[1:])
