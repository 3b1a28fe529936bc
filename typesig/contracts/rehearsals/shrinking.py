"""The search for faults by Hypothesis, which makes the arguments of a failure smaller.

It draws the very arguments that samples are drawn from, by a source of chance that it controls.
"""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, Phase, given, reject, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from typesig.contracts.rehearsals.calling import Failure, Fault, Trial
from typesig.contracts.rehearsals.conforming import drawn_arguments, whole_of
from typesig.relations.limits.step_budget import NoSample, OutOfSteps


def by_hypothesis(trial: Trial, seed: int, count: int) -> Fault | None:
    """Return the smallest fault of *trial* that Hypothesis finds in *count* examples, or None."""
    found: list[Fault] = []
    whole = whole_of(trial.tool)

    def run(rng: Random) -> None:
        try:
            drawn = drawn_arguments(whole, rng)
        except (NoSample, OutOfSteps, RecursionError):
            reject()
        fault = trial.fault(drawn)
        if fault is not None:
            found.append(fault)
            # Hypothesis tells faults apart by what was raised, and where, and adds notes.
            told = Failure(fault.told)
            told.__context__ = fault.error
            raise told

    chosen = settings(
        max_examples=count,
        deadline=None,
        database=None,
        derandomize=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),  # pyright: ignore[reportArgumentType]
        phases=(Phase.generate, Phase.shrink),
    )
    try:
        seeded(seed)(chosen(given(st.randoms(use_true_random=False))(run)))()
    except Unsatisfiable:
        return None
    except BaseException:
        # The last run is that of the smallest, unless the function answers differently each time.
        if not found:
            raise
        return found[-1]
    return None
