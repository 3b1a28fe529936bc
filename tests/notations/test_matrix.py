"""The matrix: each type of `matrix.rows` is written in every notation exactly so, or refused."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest

import typesig
from tests.matrix import SIGNATURES, TYPES, cells, page
from tests.matrix.rows import Cannot
from typesig.algebra.nodes import SHAPES
from typesig.algebra.rows.scalars import SCALARS
from typesig.algebra.traversal import iter_types
from typesig.errors import TypesigError, Unsupported
from typesig.notations import NOTATIONS, readable
from typesig.notations.texts.notation import Notation, NotationName


def cases(rows: list[str]) -> list[Any]:
    return [
        pytest.param(text, notation, cells(notation).get(text), id=f"{notation} {text}")
        for text in rows
        for notation in NOTATIONS
    ]


def test_every_name_of_a_notation_has_its_row():
    assert get_args(NotationName) == tuple(NOTATIONS)


def test_a_notation_that_is_only_written_is_not_read(monkeypatch):
    written = Notation("mine", "int", lambda signature, lone: ("int", ()))
    monkeypatch.setitem(NOTATIONS, "mine", written)

    assert "mine" not in readable()
    assert "int" == typesig.render(":int", "mine")
    with pytest.raises(TypesigError) as caught:
        typesig.parse("int", "mine")
    known = "shorthand, compact, malli, edn, json_schema, gram, gram_path"
    assert f"the notation mine is only written; {known} are also read" == str(caught.value)


@pytest.mark.parametrize("notation", NOTATIONS)
def test_every_notation_has_its_cells(notation):
    assert {*TYPES, *SIGNATURES} == set(cells(notation))


def test_every_shape_and_scalar_has_a_row():
    parts = [
        part
        for text in TYPES
        for whole in [typesig.parse(text)]
        for t in (whole.returns, *whole.names.values())
        for part in iter_types(t)
    ]

    assert {shape.__name__ for shape in SHAPES} == {type(part).__name__ for part in parts}
    assert set(SCALARS) <= {part.name for part in parts if type(part).__name__ == "Scalar"}


@pytest.mark.parametrize(("text", "notation", "cell"), cases(TYPES))
def test_a_type_is_written_in_a_notation_or_refused(text, notation, cell):
    s = typesig.parse(text)
    lone = NOTATIONS[notation].render
    if isinstance(cell, Cannot):
        refused(s, notation, cell)
    else:
        written, losses = lone(s, True)

        assert json.dumps(cell) == json.dumps(written)
        # Only what is not part of the type, such as a description, may be left out.
        assert [] == [loss for loss in losses if loss.kind != "omitted"]
        reads_back(s, notation, cell)


@pytest.mark.parametrize(("text", "notation", "cell"), cases(SIGNATURES))
def test_a_signature_is_written_in_a_notation_or_refused(text, notation, cell):
    s = typesig.parse(text)
    if isinstance(cell, Cannot):
        refused(s, notation, cell)
    else:
        assert json.dumps(cell) == json.dumps(typesig.render(s, notation))
        reads_back(s, notation, cell)


def reads_back(s, notation, cell):
    if notation in readable():
        assert NOTATIONS[notation].expressible(s) == typesig.parse(cell, notation)


def refused(s, notation, cell):
    with pytest.raises(Unsupported) as caught:
        typesig.render(s, notation)

    assert cell == Cannot(caught.value.message, caught.value.path)
    assert typesig.render(s, notation, lossy=True)


@pytest.mark.parametrize("notation", readable())
def test_the_example_of_a_notation_is_read_and_written_back(notation):
    s = typesig.parse(NOTATIONS[notation].example, notation)

    assert NOTATIONS[notation].expressible(s) == typesig.parse(
        typesig.render(s, notation), notation
    )


def test_the_page_on_notations_is_up_to_date():
    # To update it: python -m tests.matrix.page
    assert page.generated() == page.PAGE.read_text(encoding="utf-8")
