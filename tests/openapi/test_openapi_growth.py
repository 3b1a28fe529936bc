"""Documents with many operations over the same schemas: each schema is read once."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import LAW
from tests.openapi_shop import answer, document
from typesig import from_json_schema
from typesig.notations.json_schema.schema_sets import Root, _used_by, read_several
from typesig.openapi import tools_from

TEXT = {"type": "string", "description": "A field."}


def large(operations: int) -> dict[str, Any]:
    """Return a document of *operations*, whose schemas refer to some twenty others each."""
    schemas: dict[str, Any] = {}
    for n in range(operations):
        start = n // 20 * 20
        linked = [
            f"#/components/schemas/C{start + (n * k + k) % 20 % operations}" for k in (2, 3, 7)
        ]
        properties: dict[str, Any] = {f"f{i}": TEXT for i in range(12)}
        properties |= {f"r{k}": {"$ref": each} for k, each in enumerate(linked)}
        properties["l"] = {
            "type": "array",
            "items": {"anyOf": [{"$ref": linked[0]}, {"type": "null"}]},
        }
        schemas[f"C{n}"] = {"type": "object", "properties": properties, "required": ["f0"]}
    paths = {}
    for n in range(operations):
        body = {"$ref": f"#/components/schemas/C{n}"}
        content = {"application/json": {"schema": body}}
        post = {"operationId": f"op{n}", "requestBody": {"required": True, "content": content}}
        paths[f"/c{n}"] = {"post": {**post, "responses": answer({"type": "array", "items": body})}}
    every = {f"C{n}": schemas.get(f"C{n}", {"type": "object"}) for n in range(operations + 20)}
    return document(paths, "3.1.0", components={"schemas": every})


def seconds(operations: int) -> float:
    made = large(operations)
    start = time.process_time()
    tools = tools_from(made, base="http://h", send=lambda request: None)

    assert operations == len(tools)
    assert () == tools.warnings
    return time.process_time() - start


@pytest.mark.once
def test_the_time_grows_with_the_operations() -> None:
    seconds(20)
    few, many = seconds(60), seconds(240)

    # Linear is four times; as it was before, each schema was read for each operation.
    assert many < 8 * few + 0.5


DEFINITIONS: dict[str, Any] = {
    "A": {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}, "n": {"default": 1}}},
    "B": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}], "description": "One."},
    "C": {"enum": ["x", "y"], "default": "x"},
    "D": {"type": "string", "pattern": "(?<=a)b"},
    "E": {"type": "object", "properties": {"n": {"type": "integer", "default": "no"}}},
    "F": {"type": "object", "properties": {"password": {"type": "string", "writeOnly": True}}},
    "a/b": {"type": "integer"},
}
NAMES = [*DEFINITIONS]
LINKS = [{"$ref": "#/$defs/" + name.replace("/", "~1")} for name in NAMES]
schemas = st.recursive(
    st.sampled_from([*LINKS, {"type": "integer"}, {"type": "odd"}, True, TEXT]),
    lambda inner: st.one_of(
        st.builds(lambda s: {"type": "array", "items": s}, inner),
        st.builds(
            lambda s: {"type": "object", "properties": s},
            st.dictionaries(st.sampled_from("pq"), inner),
        ),
        st.builds(lambda s: {"oneOf": s}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda s: {"not": s}, inner),
        st.builds(lambda s: {"allOf": s}, st.lists(inner, min_size=1, max_size=2)),
    ),
    max_leaves=6,
)
objects = st.builds(
    lambda s: {"type": "object", "properties": s}, st.dictionaries(st.sampled_from("pqr"), schemas)
)


def alone(root: Root) -> Any:
    whole = {**root.schema, "$defs": _used_by([root], DEFINITIONS)}
    given = (whole, None) if root.is_input else (None, whole)
    return from_json_schema(*given, lossy=True)


@LAW
@given(st.lists(st.builds(Root, objects, st.booleans()), min_size=1, max_size=4))
def test_schemas_that_are_read_together_mean_the_same_as_alone(roots: list[Root]) -> None:
    for root, read in zip(roots, read_several(roots, DEFINITIONS, {}), strict=True):
        if read is None:
            continue
        known = alone(root)

        assert known == read
        assert {loss for loss in known.losses if loss.kind != "omitted"} == {*read.losses}
        assert known.secrets == read.secrets


def test_schemas_that_mean_something_else_beside_others_are_read_alone() -> None:
    plain = Root({"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}}, True)

    assert [] == read_several([], DEFINITIONS, {})
    assert read_several([plain], DEFINITIONS, {}) != [None]
    for word in ("$anchor", "$id", "$schema", "$defs", "$dynamicRef"):
        assert [None] == read_several([plain], {"A": {word: "x"}}, {})
    assert [None] == read_several([plain], {"A": {"$ref": "#/a"}}, {})
    assert [None] == read_several([plain], {"(A": {}}, {})
    # What is no object, or refused, is refused alone; the others are read.
    bad = [Root({"type": "string"}, True), Root({"$ref": "#/$defs/Loop"}, False)]
    definitions = {**DEFINITIONS, "Loop": {"$ref": "#/$defs/Loop"}}
    found = read_several([plain, *bad, plain], definitions, {})

    assert [False, True, True, False] == [each is None for each in found]


def test_a_set_that_is_too_large_together_is_read_in_parts() -> None:
    text = "x" * 300_000
    roots = [
        Root({"type": "object", "properties": {"a": {"enum": [f"{n}{text}"]}}}, True)
        for n in range(5)
    ]

    assert all(each is not None for each in read_several(roots, {}, {}))


def test_a_widened_schema_in_a_negation_is_read_alone() -> None:
    definitions = {"W": {"type": "odd"}}
    root = Root({"type": "object", "properties": {"a": {"not": {"$ref": "#/$defs/W"}}}}, True)

    assert [None] == read_several([root], definitions, {})


def test_texts_that_are_not_seen_are_told_of_each_tool() -> None:
    made = large(3)
    made["components"]["schemas"]["C0"]["description"] = "a\u200bb"
    made["components"]["schemas"]["C1"]["properties"]["bad\u200b"] = TEXT
    tools = tools_from(made, base="http://h", send=lambda request: None)

    assert ("op0", "op2") != tools.names
    assert all("characters that are not seen" in warning.reason for warning in tools.warnings)
