"""The rules of differences: each has a pair of contracts that shows it, and a place in the page."""

from __future__ import annotations

import pytest

from tests import rules_page
from tests.contracts.pairs import Pair, pairs
from typesig.contracts import RULES, diff
from typesig.contracts.lock import Lock
from typesig.contracts.rules import SEVERITIES

PAIRS = pairs()


def test_each_rule_has_a_pair() -> None:
    assert sorted(RULES) == sorted(pair.rule for pair in PAIRS)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.rule)
def test_a_pair_is_told_by_its_rule(pair: Pair) -> None:
    found = diff(pair.old, pair.new)
    told = [each for each in found if each.rule == pair.rule]

    assert told, str(found)
    assert all(each.severity == RULES[pair.rule].severity for each in told)
    assert all("{" not in each.row.sentence.format(old="", new="") for each in told)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.rule)
def test_nothing_is_told_of_the_same_contract(pair: Pair) -> None:
    for lock in (pair.old, pair.new):
        assert () == diff(lock, Lock.read(lock.text())).findings


@pytest.mark.once
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.rule)
def test_a_severity_can_be_set(pair: Pair) -> None:
    for severity in SEVERITIES:
        found = diff(pair.old, pair.new, {pair.rule: severity})

        assert {severity} == {each.severity for each in found if each.rule == pair.rule}


def test_the_page_of_rules_is_current() -> None:
    # python -m tests.rules_page
    text = rules_page.PAGE.read_text(encoding="utf-8")

    assert rules_page.page(text) == text
