"""The matrix: one type in every notation, or the exact words in which a notation refuses it.

A row is a type in shorthand and a cell for each notation; a new notation fails here until each row
has its cell. A cell is what is written, or `Cannot`.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

import typesig
from typesig import Unsupported
from typesig.algebra.nodes import SHAPES
from typesig.algebra.scalars import SCALARS
from typesig.algebra.traversal import walk
from typesig.notations import NOTATIONS


class Cannot(NamedTuple):
    """A notation's refusal: its words, and the place that they are about."""

    message: str
    path: tuple[str, ...] = ()


TREE = {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}, "required": ["children"]}  # fmt: skip
KEYS = Cannot("constraints of keys that are no text: keys are text in JSON", ("returns", "keys"))

#: The notations, in the order of the cells of a row.
COLUMNS = ("shorthand", "json_schema")

ROWS: list[tuple[Any, ...]] = [
    # shorthand, json_schema
    (":string", {"type": "string"}),
    (":int", {"type": "integer"}),
    (":float", {"type": "number"}),
    (":bool", {"type": "boolean"}),
    (":keyword", {"type": "string"}),
    (":any", {}),
    (":nil", {"type": "null"}),
    (":datetime", {"type": "string", "format": "date-time"}),
    (":map", {"type": "object"}),
    ("[:int]", {"type": "array", "items": {"type": "integer"}}),
    ("#{:int}", {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}),
    ("[:int, :float]", {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "number"}], "items": False, "minItems": 2}),
    ("[:int, ** :float]", {"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "number"}, "minItems": 1}),
    (":map[:int]", {"type": "object", "additionalProperties": {"type": "integer"}}),
    (":map[:int :string]", {"type": "object", "propertyNames": {"type": "string", "pattern": "^[+-]?[0-9]+$"}, "additionalProperties": {"type": "string"}}),
    (":map[:int[1..5] :string]", KEYS),
    ("{id :int}", {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}),
    ("{id :int}!", {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"], "additionalProperties": False}),
    ("{id :int, ** :string}", {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"], "additionalProperties": {"type": "string"}}),
    ("{id? :int}", {"type": "object", "properties": {"id": {"type": "integer"}}}),
    ("{id :int?}", {"type": "object", "properties": {"id": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}),
    ("{id :int|:nil}", {"type": "object", "properties": {"id": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}, "required": ["id"]}),
    ("{id :int = 1}", {"type": "object", "properties": {"id": {"type": "integer", "default": 1}}}),
    ('{id :int "words"}', {"type": "object", "properties": {"id": {"type": "integer", "description": "words"}}, "required": ["id"]}),
    ('{"a b" :int}', {"type": "object", "properties": {"a b": {"type": "integer"}}, "required": ["a b"]}),
    ("{/^x-/ :int}", {"type": "object", "patternProperties": {"^x-": {"type": "integer"}}}),
    (":int?", {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
    (':enum["a" "b"]', {"type": "string", "enum": ["a", "b"]}),
    (':enum["a" 1 true nil]', {"enum": ["a", 1, True, None]}),
    (":int|:string", {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
    (":one[:int, :float]", {"oneOf": [{"type": "integer"}, {"type": "number"}]}),
    ("{a :int} & {b :int}", {"allOf": [{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}, {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]}]}),
    (":not[:string]", {"not": {"type": "string"}}),
    (":int[1..100]", {"type": "integer", "minimum": 1, "maximum": 100}),
    (":float[>0, <1]", {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}),
    (":int[%5]", {"type": "integer", "multipleOf": 5}),
    (":string[1..20]", {"type": "string", "minLength": 1, "maxLength": 20}),
    (":string[/^a/]", {"type": "string", "pattern": "^a"}),
    (":string[email]", {"type": "string", "format": "email"}),
    ("[:int][1..3]", {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 3}),
    ("[:int][unique]", {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}),
    (":map[1..]", {"type": "object", "minProperties": 1}),
    ('(:int "a count")', {"type": "integer", "description": "a count"}),
    (":Tree where Tree = {children [:Tree]}", {"$ref": "#/$defs/Tree", "$defs": {"Tree": TREE}}),
]  # fmt: skip

#: Whole signatures.
SIGNATURES: list[tuple[Any, ...]] = [
    ("(id :int, limit :int = 10) -> [:string]", {"input": {"type": "object", "properties": {"id": {"type": "integer"}, "limit": {"type": "integer", "default": 10}}, "required": ["id"]}, "output": {"type": "array", "items": {"type": "string"}}}),
    ("()! -> :any", {"input": {"type": "object", "additionalProperties": False}, "output": {}}),
    ("(q :string, ** :int) -> :nil", {"input": {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"], "additionalProperties": {"type": "integer"}}, "output": {"type": "null"}}),
]  # fmt: skip


def _cells(rows: list[tuple[Any, ...]]) -> list[Any]:
    return [
        pytest.param(row[0], notation, cell, id=f"{notation} {row[0]}")
        for row in rows
        for notation, cell in zip(COLUMNS, row, strict=True)
    ]


def test_every_notation_has_its_cells():
    assert tuple(NOTATIONS) == COLUMNS
    assert {len(COLUMNS)} == {len(row) for row in [*ROWS, *SIGNATURES]}


def test_every_shape_and_scalar_has_a_row():
    parts = [
        part
        for row in ROWS
        for whole in [typesig.parse(row[0])]
        for t in (whole.returns, *whole.names.values())
        for part in walk(t)
    ]

    assert {shape.__name__ for shape in SHAPES} == {type(part).__name__ for part in parts}
    assert set(SCALARS) <= {part.name for part in parts if type(part).__name__ == "Scalar"}


@pytest.mark.parametrize(("text", "notation", "cell"), _cells(ROWS))
def test_a_type_is_written_in_a_notation_or_refused(text, notation, cell):
    s = typesig.parse(text)
    lone = NOTATIONS[notation].load().render
    if isinstance(cell, Cannot):
        with pytest.raises(Unsupported) as caught:
            typesig.render(s, notation)

        assert cell == Cannot(caught.value.message, caught.value.path)
        assert typesig.render(s, notation, lossy=True)
    else:
        losses: list[Any] = []

        assert json.dumps(cell) == json.dumps(lone(s, losses, True))
        assert [] == losses
        assert NOTATIONS[notation].image(s) == typesig.parse(cell, notation)


@pytest.mark.parametrize(("text", "notation", "cell"), _cells(SIGNATURES))
def test_a_signature_is_written_in_a_notation(text, notation, cell):
    s = typesig.parse(text)

    assert json.dumps(cell) == json.dumps(typesig.render(s, notation))
    assert NOTATIONS[notation].image(s) == typesig.parse(cell, notation)


@pytest.mark.parametrize("notation", NOTATIONS)
def test_the_example_of_a_notation_is_read_and_written_back(notation):
    s = typesig.parse(NOTATIONS[notation].example, notation)

    assert NOTATIONS[notation].image(s) == typesig.parse(typesig.render(s, notation), notation)
