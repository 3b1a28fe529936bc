"""The fast predicate answers as the check does, or does not answer."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fast_pairs import (
    POLICIES,
    cases,
    compared,
    difference_of_verdicts,
    plain_type,
    plain_value,
    values_of,
    varied,
    walked_types,
)
from tests.generators import EXAMPLES, LAW, conforming, lone_signatures
from typesig import Signature
from typesig.validation.check.check import compile_argument_checker
from typesig.validation.check_state import CheckState
from typesig.validation.generated.program import compile_argument_predicate
from typesig.validation.issues.issues import get_issue_code
from typesig.validation.policy import MODES
from typesig.validation.verdicts import run_checker


@settings(LAW, max_examples=5 * EXAMPLES)
@given(cases(3), st.integers(0, 2**32))
def test_the_predicate_answers_as_the_check_does(
    case: tuple[Signature, list[Any], list[Any]], number: int
) -> None:
    rng = random.Random(number)

    # Each example is of ten values under ten policies: a hundred pairs.
    assert [] == list(compared(*case, rng, 10, Counter()))


@settings(LAW)
@given(st.data(), lone_signatures(2), st.integers(0, 2**32))
def test_the_predicate_of_arguments_answers_as_their_check_does(
    data: st.DataObject, result: Signature, number: int
) -> None:
    """The parameters are the fields of the record that is drawn."""
    rng = random.Random(number)
    t = result.returns
    fields = getattr(t, "fields", ())
    signature = Signature(fields, t, result.definitions, getattr(t, "extra", None))
    value = data.draw(conforming(signature.arguments, signature.names))
    for policy in rng.sample(POLICIES, 3):
        for undeclared in ("keep", "drop", "reject"):
            for any_name in (True, False):
                parts = signature, policy, undeclared, any_name
                judge, check = compile_argument_predicate(*parts), compile_argument_checker(*parts)
                for near in (value, varied(value, rng), varied(value, rng)):
                    run = CheckState(10)
                    is_clean = run_checker(check, near, run) is near and not run.found
                    assert is_clean or not judge(near)


@settings(LAW)
@given(cases(2), st.integers(0, 2**32))
def test_outcomes_are_the_same_whether_source_was_generated_or_not(
    case: tuple[Signature, list[Any], list[Any]], number: int
) -> None:
    signature, good, odd = case
    rng = random.Random(number)
    for value in (*good, *[varied(each, rng) for each in good], *odd):
        for mode in MODES:
            for method in ("validate_output", "validate_and_coerce"):
                outcomes = [getattr(signature, method)(value, mode) for _ in range(4)]
                found = [(*o.errors, *o.warnings) for o in outcomes]
                alone = [[get_issue_code(issue) for issue in each] for each in found]
                assert alone == [[issue.code for issue in each] for each in found]
                lines = [[str(issue) for issue in (*o.errors, *o.warnings)] for o in outcomes]
                assert all(line == lines[0] for line in lines)
                assert 1 == len({outcome.ok for outcome in outcomes})
        accepted = {signature.accepts(value) for _ in range(4)}
        assert accepted == {signature.validate_output(value).ok}


@settings(LAW)
@given(cases(2), st.integers(0, 2**32))
def test_a_verdict_looks_at_each_part_as_the_check_does(
    case: tuple[Signature, list[Any], list[Any]], number: int
) -> None:
    signature, good, odd = case
    rng = random.Random(number)
    for policy in rng.sample(POLICIES, 4):
        policy = policy.changed(max_issues=rng.choice((1, 3, 1000)))
        t = walked_types(signature.returns, rng)
        for _ in range(5):
            value = values_of(t, [*good, *[varied(each, rng) for each in good], *odd], rng)
            assert "" == difference_of_verdicts(t, signature.definitions, policy, value, Counter())


@settings(LAW)
@given(st.integers(0, 2**32))
def test_a_verdict_coerces_plain_parts_as_the_check_does(number: int) -> None:
    rng, tally = random.Random(number), Counter[str]()
    for _ in range(10):
        t = plain_type(rng, 3)
        policy = rng.choice([each for each in POLICIES if each.coercions])
        policy = policy.changed(max_issues=rng.choice((1, 2, 1000)))
        for _ in range(5):
            value = plain_value(t, rng)
            assert "" == difference_of_verdicts(t, (), policy, value, tally)
