"""The page of codes is written anew from its rows, and has a row for each code."""

from __future__ import annotations

from typing import get_args

import pytest

from tests import messages_page
from tests.messages_page import ERRORS, FLAWS, HINTS, ISSUES, LOSSES, PAGE, raised_by
from typesig import TypesigError, ValidationError, errors
from typesig.algebra.loss import LossKind
from typesig.contracts import ContractBroken
from typesig.extraction.callables.warnings import WarningKind
from typesig.notations.gram.writer import CODES
from typesig.programs.checks.flaws import FlawKind
from typesig.relations import NoSample
from typesig.validation.issues.issues import SENTENCES

#: The errors whose objects have several codes, and the others.
SYNTAX = errors.SignatureSyntaxError
OTHERS = (
    TypesigError, ValidationError, ContractBroken, NoSample, errors.ExtractionError,
    errors.Unsupported, errors.TooDeep, errors.TooLarge,
)  # fmt: skip


def test_the_page_is_written_from_its_rows() -> None:
    # python -m tests.messages_page
    text = PAGE.read_text(encoding="utf-8")

    assert messages_page.page(text) == text


def test_each_code_has_a_row() -> None:
    assert SENTENCES.keys() == ISSUES.keys()
    assert set(get_args(FlawKind)) == FLAWS.keys()
    assert set(get_args(LossKind)) == LOSSES.keys()
    assert set(get_args(WarningKind)) == HINTS.keys()
    assert {*CODES, *(each.code for each in OTHERS)} == ERRORS.keys()


@pytest.mark.parametrize("code", [code for code, row in ERRORS.items() if row[2] is not None])
def test_an_exception_has_the_code_of_its_row(code: str) -> None:
    _, name, call = ERRORS[code]
    assert call is not None
    error = raised_by(call)

    assert (code, name) == (error.code, type(error).__name__)


def test_the_code_of_an_error_is_that_of_its_class() -> None:
    assert len(OTHERS) == len({each.code for each in OTHERS})
    assert "invalid_syntax" == SYNTAX("no", 1, 1, "x").code
