"""Search for faults with Hypothesis, which shrinks the failing arguments.

It draws the same arguments as the samples are drawn from, by a random source that it controls.
It is imported only where Hypothesis is installed.
"""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, Phase, given, reject, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from typesig.contracts.rehearsals.rehearsal import (
    Trial,
    TrialFailure,
    TrialFault,
    draw_arguments,
    make_argument_signature,
)
from typesig.relations.step_budget import NoSample, OutOfSteps


def search_by_hypothesis(trial: Trial, seed: int, count: int) -> TrialFault | None:
    """Find the smallest fault of *trial* in *count* Hypothesis examples, or None."""
    found: list[TrialFault] = []
    whole = make_argument_signature(trial.tool)

    def run(rng: Random) -> None:
        try:
            drawn = draw_arguments(whole, rng)
        except (NoSample, OutOfSteps, RecursionError):
            reject()
        fault = trial.find_fault(drawn)
        if fault is not None:
            found.append(fault)
            # Hypothesis tells faults apart by what was raised, and where, and adds notes.
            told = TrialFailure(fault.told)
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
