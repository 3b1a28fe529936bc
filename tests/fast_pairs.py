"""Pairs of types and values on which the fast predicate and the check are compared."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from tests.generators import MISSES, conforming, hostile, lone_signatures, places, replaced
from typesig import Policy, Signature
from typesig.algebra.values import kind_of
from typesig.validation.check import compiled
from typesig.validation.coercions import COERCIONS
from typesig.validation.fast.answers import Answer
from typesig.validation.fast.program import Judge, predicate
from typesig.validation.policy import MODES
from typesig.validation.run import Run
from typesig.validation.verdicts import walked

#: Policies of the paths that use the predicate, and others that turn on what those leave off.
POLICIES: tuple[Policy, ...] = (
    MODES["enabled"].for_output(),
    MODES["json"].for_output(),
    MODES["strict"].for_output(),
    MODES["enabled"].for_output().on("naive_datetime", "list_from_set"),
    MODES["enabled"],
    MODES["lenient"],
    MODES["strict"],
    MODES["json"],
    MODES["enabled"].for_call(),
    MODES["enabled"].changed(naive_datetime="UTC"),
    MODES["enabled"].for_call().off("float_from_int"),
    Policy(coercions=COERCIONS, verbose=True),
)


def disagreement(judge: Judge, t: Any, definitions: Any, policy: Policy, value: Any) -> str:
    """Return what is wrong with the answer of *judge* for *value*; empty if nothing is."""
    answer = judge(value)
    if answer is None:
        return ""
    run = Run(policy.max_issues)
    made = walked(compiled(t, definitions, policy), value, run)
    found = bool(run.found or run.unseen or run.unseen_warnings)
    is_clean = not found and made is value
    if answer is True and not is_clean:
        return f"passes, but the check finds {[f.code for f in run.found]} or makes {made!r}"
    if answer is not True and is_clean:
        return "fails, but the check finds nothing"
    return "tells of a finding, but there is none" if answer is False and not found else ""


def varied(value: Any, rng: random.Random) -> Any:
    """Return a near miss of *value*."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        parts = [pair for pair, _ in zip(places(value), range(50), strict=False)]
        path, part = rng.choice(parts)
        kind = kind_of(part)
        ways = [way for kinds, way in MISSES.values() if not kinds or kind in kinds]
        value = replaced(value, path, rng.choice(ways)(part))
    return value


@st.composite
def cases(draw: st.DrawFn, several: int = 1) -> tuple[Signature, list[Any], list[Any]]:
    """Draw a type as a signature, values that conform to it, and hostile values."""
    signature = draw(lone_signatures(3))
    conform = conforming(signature.returns, signature.names)
    return signature, [draw(conform) for _ in range(several)], [draw(hostile())]


def compared(
    signature: Signature,
    good: list[Any],
    odd: list[Any],
    rng: random.Random,
    count: int,
    tally: Counter[str],
) -> Iterator[str]:
    """Yield each disagreement on values near *good* and *odd*, under *count* policies."""
    t, definitions = signature.returns, signature.definitions
    for policy in rng.sample(POLICIES, count):
        judge = predicate(t, definitions, policy)
        near = [varied(value, rng) for value in good for _ in range(2)]
        for sort, values in (("conforming", good), ("near", near), ("hostile", odd)):
            for value in values:
                answer: Answer = judge(value)
                tally[sort] += 1
                tally["decided"] += answer is not None
                tally["passed"] += answer is True
                wrong = disagreement(judge, t, definitions, policy, value)
                if wrong:
                    yield f"{signature} under {policy!r}: {value!r} {wrong}"
