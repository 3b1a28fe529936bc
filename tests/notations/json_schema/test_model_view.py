"""Schemas that are written straight from a type are those of the type that a model is shown."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

import typesig
from tests.generators import LAW, signatures
from typesig.notations.json_schema import writer

TEXTS = [
    '(a :int, b :string? = "x" "words", c [{d :int?, e :float = 1 "e"}]?) -> {f :int, g {h :int?}}',
    "(a {b :int}!, c {d :int, ** :string}, e {f {g :int}?}?) -> [{a :int?}]",
    "(a {b :int, /x/ :string}) -> {b :int, /x/ {c :int}}",
    "(a {b ({c :int?} \"the b\")? \"beside\"}) -> {a? {b :int} | :nil}",
    "(a [{b :int}, {c :int?}]) -> [{b :int}, :string]",
    "() -> {a :enum[1 2], b? :nil}",
]  # fmt: skip


def assert_the_same(signature):
    for write in (writer._write_arguments_schema, writer._write_result_schema):
        straight = write(signature, False, False)
        with pytest.MonkeyPatch.context() as monkeypatch:
            monkeypatch.setattr(writer, "is_written_straight", lambda t: False)
            by_view = write(signature, False, False)

        assert json.dumps(by_view) == json.dumps(straight)


@pytest.mark.parametrize("text", TEXTS)
def test_a_schema_of_a_common_type_is_that_of_the_shown_type(text):
    assert_the_same(typesig.parse(text))


@LAW
@given(signatures(titled=True))
def test_a_schema_is_that_of_the_shown_type(signature):
    assert_the_same(signature)


def test_a_caller_may_change_each_schema_and_each_part_of_it():
    signature = typesig.parse("(a {b :int}?, c {b :int}?) -> [{b :enum[1 2]}]")
    first = signature.input_schema()
    first["properties"]["a"]["properties"]["b"]["type"] = "string"

    assert "integer" == first["properties"]["c"]["properties"]["b"]["type"]
    assert "integer" == signature.input_schema()["properties"]["a"]["properties"]["b"]["type"]


def parts_of(schema):
    """Yield each dict and list in *schema*, itself included."""
    if isinstance(schema, dict | list):
        yield schema
        for part in schema.values() if isinstance(schema, dict) else schema:
            yield from parts_of(part)


@LAW
@given(signatures(titled=True))
def test_each_caller_gets_a_schema_of_its_own(signature):
    for write in (signature.input_schema, signature.to_json_schema):
        for exact in (False, True):
            made = [write(exact=exact) for _ in range(3)]
            texts = [json.dumps(schema) for schema in made]
            parts = [part for schema in made for part in parts_of(schema)]

            assert texts[0] == texts[1] == texts[2]
            assert len({id(part) for part in parts}) == len(parts)
            for part in [*parts_of(made[0])]:
                part.clear()
            assert texts[0] == json.dumps(write(exact=exact))
