"""The type table: each feature of `type_table.nouns` has rows, and each row passes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from tests.type_table.nouns import PARAMS, REFUSED, RESULTS
from tests.type_table.rows import (
    NO_HINT,
    Result,
    Row,
    problems_of_params,
    problems_of_result,
    problems_of_shorthand,
)
from tests.type_table.table import RETURNED, TAKEN


def tried(rows: Iterable[Any], all_hold: bool = False) -> list[Any]:
    """Return *rows* as parameters of a test; those that fail for now are expected to fail."""
    out = []
    seen: Counter[str] = Counter()
    for row in rows:
        seen[row.noun] += 1
        marks = [pytest.mark.xfail(strict=True, reason=row.fails)]
        marks = marks if row.fails and not all_hold else []
        out.append(pytest.param(row, id=f"{row.noun}-{seen[row.noun]}", marks=marks))
    return out


@pytest.mark.parametrize("row", tried(TAKEN))
def test_a_parameter_accepts_and_rejects_the_values_of_its_row(row: Row) -> None:
    assert [] == problems_of_params(row)


@pytest.mark.parametrize("row", tried(RETURNED))
def test_a_result_becomes_the_json_of_its_row(row: Result) -> None:
    assert [] == problems_of_result(row)


@pytest.mark.parametrize(
    "row", tried([row for row in TAKEN if row.hint is not NO_HINT], all_hold=True)
)
def test_the_hint_of_a_parameter_becomes_the_type_of_its_row(row: Row) -> None:
    assert [] == problems_of_shorthand(row)


@pytest.mark.parametrize("row", tried(RETURNED, all_hold=True))
def test_the_hint_of_a_result_becomes_the_type_of_its_row(row: Result) -> None:
    assert [] == problems_of_shorthand(row)


@pytest.mark.parametrize("noun", [noun for nouns in PARAMS.values() for noun in nouns])
def test_a_feature_has_two_values_to_accept_and_two_to_reject(noun: str) -> None:
    rows = [row for row in TAKEN if row.noun == noun]

    assert 2 <= sum(len(row.takes) for row in rows)
    assert 2 <= sum(len(row.refuses) for row in rows)


@pytest.mark.parametrize("noun", [noun for nouns in RESULTS.values() for noun in nouns])
def test_a_feature_has_a_result_to_accept_and_one_to_reject(noun: str) -> None:
    rows = [row for row in RETURNED if row.noun == noun]

    assert 1 <= sum(len(row.gives) for row in rows) or noun in REFUSED
    assert 1 <= sum(len(row.refuses) for row in rows)


def test_each_row_belongs_to_a_listed_feature() -> None:
    taken = {noun for nouns in PARAMS.values() for noun in nouns}
    returned = {noun for nouns in RESULTS.values() for noun in nouns}

    assert set() == {row.noun for row in TAKEN} - taken
    assert set() == {row.noun for row in RETURNED} - returned
