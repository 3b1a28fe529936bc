"""What extraction refuses on purpose: each form of the page, and a form for each place that warns."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import typesig
from tests.type_table.page import names
from tests.type_table.refusals import HAPPENS, REFUSALS, Refusal, seen
from typesig.errors import ExtractionError
from typesig.extraction.hints.context import HintContext

EXTRACTION = Path(typesig.__file__).parent / "extraction"

#: Places that no row of the page shows: their function, and why.
UNSHOWN = {
    "context.limit_text": "a limit, on the page of limits",
    "context.fall_back_at_size_limit": "a limit, on the page of limits",
    "context.fall_back_at_hint_limit": "a limit, on the page of limits",
    "callables._unwrap_layers": "a limit, on the page of limits",
    "extract._read_doc": "has a row; the others are a limit, and a row of what raises",
    "record_hints._check_limits": "has a row, and a limit on the page of limits",
    "pydantic_types.read_whole": "the message is that of pydantic",
    "pydantic_schemas.read_schema": "has a row; a schema that cannot be read is on the page of limits",
    "classes.read_structured": "needs a hook in cattrs, whose tests have it",
    "fields.iter_fitting_examples": "an example that is no value of its field; the tests of kept words have it",
    "fields.fit_signature": "has the reason and the remedy of another place",
    "parameter_types.infer_params": "tells of a type that was asked for; its tests have it",
    "parameter_types._read_keyword": "tells of a type that was asked for; its tests have it",
    "readers._read_alias": "has a row; the other needs the syntax of Python 3.12",
    "extract._make_signature": "the message is that of the constructor of a signature",
    "extract.raise_if_warned": "each warning, with strict=True",
}


@pytest.fixture(scope="module")
def space() -> dict[str, Any]:
    return names()


@pytest.mark.parametrize("row", REFUSALS, ids=lambda row: row.form)
def test_a_form_that_is_refused_has_a_reason_and_a_remedy(
    row: Refusal, space: dict[str, Any]
) -> None:
    found = seen(row, space)

    assert row.form in row.source
    assert found.happens
    assert found.reason
    assert found.remedy


@pytest.mark.parametrize(
    "row", [row for row in REFUSALS if row.run == "extract(f)"], ids=lambda row: row.form
)
def test_strict_extraction_refuses_every_form(row: Refusal, space: dict[str, Any]) -> None:
    strict = row._replace(run="extract(f, strict=True)")

    assert seen(strict, space).happens == "`ExtractionError`"


def test_every_kind_of_warning_and_an_error_and_hiding_are_shown(space: dict[str, Any]) -> None:
    shown = {seen(row, space).happens for row in REFUSALS}

    assert shown == {*HAPPENS.values(), "hidden, with a warning", "`ExtractionError`"}


Place = tuple[str, int]


def _places() -> Iterator[tuple[str, Place, range]]:
    """Yield the function, the file and the lines of each place that warns or raises."""
    for file in sorted(EXTRACTION.rglob("*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and _tells(node.func):
                    lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
                    yield f"{file.stem}.{function.name}", (file.name, node.lineno), lines


def _tells(called: ast.expr) -> bool:
    if isinstance(called, ast.Attribute):
        return called.attr in ("warn", "fall_back", "fall_back_without_form") and not _is_findings(
            called.value
        )
    return isinstance(called, ast.Name) and called.id == "ExtractionError"


def _is_findings(owner: ast.expr) -> bool:
    # What findings are given is a warning that another place has made.
    name = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
    return name == "findings"


def test_every_place_that_warns_has_a_row(
    space: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: set[Place] = set()

    def spied(owner: Any, name: str) -> None:
        own = getattr(owner, name)

        def spy(*args: Any, **kwargs: Any) -> Any:
            frame = sys._getframe(1)
            told.add((Path(frame.f_code.co_filename).name, frame.f_lineno))
            return own(*args, **kwargs)

        monkeypatch.setattr(owner, name, spy)

    for name in ("warn", "fall_back", "fall_back_without_form"):
        spied(HintContext, name)
    spied(ExtractionError, "__init__")
    for row in REFUSALS:
        seen(row, space)
    missing = {
        name: line
        for name, (file, line), lines in _places()
        if name not in UNSHOWN and not any((file, each) in told for each in lines)
    }

    assert missing == {}


def test_every_place_without_a_row_exists() -> None:
    assert set() == UNSHOWN.keys() - {name for name, _, _ in _places()}
