"""Foreign data, spoiled: checked against types, drawn from and shown within a budget of steps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.fuzz.edits import altered
from tests.fuzz.steps import within
from tests.generators import LAW, valued
from typesig import Outcome
from typesig.listings import render_data
from typesig.relations import is_subtype
from typesig.validation.policy import MODES

SHORTHAND = Path(__file__).parent.parent / "corpus" / "shorthand.txt"
TYPES = [
    typesig.parse(line)
    for line in SHORTHAND.read_text(encoding="utf-8").split("\n")
    if line.startswith("() -> ")
]
KEYS = ["a", "b", "id", "name", "x", "user-id", "user_id", "_a", "items", ""]


def size(value: Any) -> int:
    return len(json.dumps(value))


def is_well_formed(outcome: Outcome[Any]) -> bool:
    """Whether the outcome has errors or a value, and texts that can be sent to a model."""
    report = outcome.report()
    report.encode("utf-8")
    assert len(report) < 1_000 + 1_000 * (len(outcome.errors) + len(outcome.warnings))
    return outcome.ok or "\n- " in report


@pytest.mark.parametrize("mode", MODES)
@LAW
@given(st.data())
def test_spoiled_data_is_checked(mode: Any, data: st.DataObject) -> None:
    signature, value = data.draw(valued())
    spoiled = data.draw(altered([render_data(value), [], {}], KEYS))
    limit = 400_000 + 5_000 * size(spoiled)

    outcome = within(limit, lambda: signature.validate_and_coerce(spoiled, mode))
    assert within(limit, lambda: is_well_formed(outcome))
    assert is_well_formed(within(limit, lambda: signature.validate_output(spoiled)))
    if outcome.ok and mode == "strict":
        assert within(limit, lambda: signature.validate_and_coerce(outcome.value, mode)).ok


@LAW
@given(st.data())
def test_a_type_is_inferred_from_spoiled_data_that_accepts_it(data: st.DataObject) -> None:
    values = data.draw(st.lists(altered([[], {}, [{"id": 1}]], KEYS), min_size=1, max_size=3))
    limit = 400_000 + 5_000 * size(values)

    try:
        inferred = within(limit, lambda: typesig.infer(*values))
    except typesig.TypesigError as error:
        str(error).encode("utf-8")
        return
    assert all(inferred.accepts(value) for value in values)


@LAW
@given(st.sampled_from(TYPES), st.sampled_from(TYPES), st.data())
def test_a_subtype_accepts_no_spoiled_value_that_the_other_refuses(
    a: typesig.Signature, b: typesig.Signature, data: st.DataObject
) -> None:
    if within(5_000_000, lambda: is_subtype(a, b)):
        value = data.draw(altered([[], {}, "a", 1, None, {"a": 1}], KEYS))
        assert not a.accepts(value) or b.accepts(value)
