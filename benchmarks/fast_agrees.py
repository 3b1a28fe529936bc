"""Whether the fast predicate answers as the check does, on a million generated pairs.

Types and values come from the generators of the tests: values that conform, near misses of them as
models send them (quoted, respelt, doubled, nulled, cut, …), and hostile values.  Plain pairs, of
records, lists and scalars of which some are read from text, are of the verdicts, which coerce.

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

from tests.fast_pairs import (
    POLICIES,
    cases,
    compared,
    difference_of_verdicts,
    plain_type,
    plain_value,
)
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
    for _ in range(200):
        t, policy = plain_type(rng, 3), rng.choice(POLICIES)
        for value in [plain_value(t, rng) for _ in range(5)]:
            tally["plain"] += 1
            wrong = difference_of_verdicts(t, (), policy, value, tally)
            if wrong:
                tally["wrong"] += 1
                print(f"{t} under {policy!r}: {value!r} {wrong}"[:2000], file=sys.stderr)


def report(tally: Counter[str]) -> None:
    pairs = tally["conforming"] + tally["near"] + tally["hostile"]
    print(f"pairs               {pairs:>12,}")
    print(f"disagreements       {tally['wrong']:>12,}")
    for sort in ("near", "conforming", "hostile", "passed"):
        print(f"{sort:<20}{tally[sort] / pairs:>12.1%}")
    print(f"plain pairs         {tally['plain']:>12,}")
    for sort in ("judged", "coerced", "refused"):
        print(f"  {sort:<18}{tally[sort]:>12,}")


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
