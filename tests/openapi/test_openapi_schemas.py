"""The schemas of documents: discriminators, references that lead to nothing, and wrong types."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.openapi_shop import SHOP, TEXT, answer, document, parameter
from typesig import Tool, TypesigError
from typesig.openapi import Request, Response, tools_from


def it(operation: dict[str, Any], version: str = "3.0.3", **schemas: Any) -> Tool[..., Any]:
    paths = {"/x": {"post": {"operationId": "it", **operation}}}
    return tools_from(document(paths, version, components={"schemas": schemas}))["it"]


def body(schema: Any) -> dict[str, Any]:
    content = {"application/json": {"schema": schema}}
    return {"requestBody": {"required": True, "content": content}, "responses": answer(schema)}


def texts(warnings: Any) -> list[str]:
    return [str(each).replace('"', "'") for each in warnings]


# discriminators


def pet(own: str, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"kind": TEXT, own: TEXT}, **more}


def one_of(mapping: Any = None, word: str = "oneOf") -> dict[str, Any]:
    refs = [{"$ref": f"#/components/schemas/{name}"} for name in ("Cat", "Dog")]
    said = (
        {"propertyName": "kind"}
        if mapping is None
        else {"propertyName": "kind", "mapping": mapping}
    )
    return {word: refs, "discriminator": said}


@pytest.mark.parametrize("word", ["oneOf", "anyOf"])
@pytest.mark.parametrize(
    ("mapping", "cat", "dog"),
    [
        (None, '"Cat"', '"Dog"'),
        ({"meow": "#/components/schemas/Cat", "dog": "Dog"}, '"meow"', '"dog"'),
        ({"a": "Cat", "b": "Cat"}, '"a" "b"', '"Dog"'),
        ({"a": "other.json#/Cat", "b": 3}, '"Cat"', '"Dog"'),
        (3, '"Cat"', '"Dog"'),
    ],
)
def test_a_discriminator_says_which_values_tell_its_branches_apart(
    mapping: Any, cat: str, dog: str, word: str
) -> None:
    tool = it(body(one_of(mapping, word)), Cat=pet("paw"), Dog=pet("tail"))
    shown = str(tool.signature).partition(" where ")[0]

    assert f"{{kind :enum[{cat}]}} & :Cat" in shown
    assert f"{{kind :enum[{dog}]}} & :Dog" in shown
    assert f"{{kind? :enum[{dog}]}} & :Dog" in shown.partition("->")[2]


def test_a_discriminator_decides_between_branches_that_both_fit() -> None:
    tool = it(body(one_of()), Cat=pet("paw"), Dog=pet("tail"))
    for kind, errors in (("Cat", 0), ("Dog", 0), ("Fish", 1)):
        assert errors == min(1, len(tool.signature.validate_output({"kind": kind}).errors))
        assert errors == min(1, len(tool.signature.validate_input({"body": {"kind": kind}}).errors))


@pytest.mark.parametrize(
    "cat",
    [
        {"type": "object", "properties": {"kind": {"type": "string", "enum": ["cat"]}}},
        {"type": "object", "properties": {"kind": {"const": "cat"}}},
        {"type": "object", "properties": {"paw": TEXT}, "additionalProperties": False},
        {"type": "object", "additionalProperties": False},
    ],
)
def test_branches_that_say_it_themselves_or_have_no_place_for_it_stay(cat: Any) -> None:
    tool = it(body(one_of()), "3.1.0", Cat=cat, Dog=pet("tail"))

    assert "& :Cat" not in str(tool.signature)
    assert "& :Dog" in str(tool.signature)


@pytest.mark.parametrize(
    "schema",
    [
        {
            "oneOf": [TEXT, True, {"$ref": "#/no"}, {"$ref": "#/x/y"}],
            "discriminator": {"propertyName": "kind"},
        },
        {"oneOf": [TEXT], "discriminator": 3},
        {"oneOf": 3, "discriminator": {"propertyName": "kind"}},
        {"oneOf": [TEXT], "discriminator": {"propertyName": 3}},
    ],
)
def test_a_discriminator_of_other_branches_says_nothing(schema: Any) -> None:
    assert "kind" not in str(it(body(schema)).signature)


# references


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
@pytest.mark.parametrize(
    ("reference", "why"),
    [
        ("#", "it leads to nothing"),
        ("#anchor", "it leads to nothing"),
        ("#/components/schemas/No", "it leads to nothing"),
        ("other.json#/A", "it leaves the document, and nothing is fetched"),
        ("https://a.test/A", "it leaves the document, and nothing is fetched"),
        ("", "it leaves the document, and nothing is fetched"),
    ],
)
def test_a_reference_to_nothing_is_widened_and_told(reference: str, why: str, version: str) -> None:
    operation = {
        "parameters": [parameter("p", "query", {"$ref": reference}), parameter("q", "query")]
    }
    tool = it({**operation, **body({"type": "array", "items": {"$ref": reference}})}, version)

    assert "(p? :any, q? :string, body [:any])! -> [:any]" == str(tool.signature)
    assert [
        f"paths./x.post.p: the reference '{reference}': {why}; it became anything",
        f"paths./x.post.body.items: the reference '{reference}': {why}; it became anything",
        f"paths./x.post.responses.items: the reference '{reference}': {why}; it became anything",
    ] == texts(tool.warnings)


def test_a_body_of_which_nothing_is_known_may_be_anything() -> None:
    schema = {"type": "object", "properties": {"a": {"$ref": "#/no"}}}
    for given, shown in (({"$ref": "#/no"}, "body :any"), (schema, "a? :any")):
        assert str(it(body(given)).signature).startswith(f"({shown})!")


def test_a_reference_in_a_definition_is_told_in_each_tool() -> None:
    node = {"type": "array", "items": {"$ref": "#/no"}}
    ref = {"$ref": "#/components/schemas/Node"}
    tools = [it(body(ref), Node=node), it(body(ref), Node=node)]

    for tool in tools:
        assert [
            "#/components/schemas/Node.items: the reference '#/no': it leads to nothing; "
            "it became anything"
        ] == sorted({*texts(tool.warnings)})


@pytest.mark.parametrize("more", [{}, {"$id": "https://a.test/own"}])
def test_a_schema_of_its_own_may_refer_to_its_parts(more: Any) -> None:
    own = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/components/schemas/B"}},
        "$defs": {"A": {"type": "integer"}},
        **more,
    }
    ref = {"$ref": "#/components/schemas/Own"}
    tool = it(body({"type": "array", "items": ref}), "3.1.0", Own=own, B=TEXT)

    assert () == tool.warnings
    checked = tool.signature.validate_output
    assert checked([{"a": 1, "b": "x"}]).ok
    assert 2 == len(checked([{"a": "x", "b": 1}]).errors)


def test_a_text_in_base64_is_told_to_a_model() -> None:
    tool = it(body({"type": "object", "properties": {"a": {"type": "string", "format": "byte"}}}))
    schema = tool.signature.input_schema()

    assert "Bytes, in base64." == schema["properties"]["a"]["description"]


# wrong types


RICH: dict[str, Any] = copy.deepcopy(SHOP)
RICH["security"] = [{"key": []}]
RICH["paths"]["/form"] = {
    "summary": "s",
    "post": {
        "operationId": "form",
        "requestBody": {
            "required": True,
            "description": "d",
            "content": {
                "multipart/form-data": {
                    "schema": {
                        "type": "object",
                        "required": ["f"],
                        "properties": {"f": {"type": "string", "format": "binary"}},
                    },
                    "encoding": {"f": {"contentType": "image/png", "style": "form"}},
                }
            },
        },
        "responses": {"2XX": answer(one_of({"a": "Order"}))["200"], "default": {"description": ""}},
    },
}

WRONG: list[Any] = [
    None, 3, True, "x", "", [], {}, [3], {"a": 3}, [[]], [{}], 1.5, "\ud800", {1: 2}, {None: {}},
    {"$ref": "#/paths"}, {"$ref": 3}, {"$ref": "#"}, {"$ref": "#/"}, {"type": 3}, {"type": ["object"]},
]  # fmt: skip


def places(node: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    if isinstance(node, dict | list):
        for key, each in node.items() if isinstance(node, dict) else enumerate(node):
            yield from places(each, (*at, key))


def changed(root: Any, at: tuple[Any, ...], value: Any) -> Any:
    if not at:
        return value
    out = copy.copy(root)
    out[at[0]] = changed(root[at[0]], at[1:], value)
    return out


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_a_wrong_type_at_any_place_raises_nothing_else(version: str) -> None:
    def send(request: Request) -> Response:
        assert request.url.isascii()
        assert all(text.isascii() for pair in request.headers.items() for text in pair)
        return Response(200, {"content-type": "application/json"}, b'{"id": 1, "item": "x"}')

    drawn = random.Random(version)
    given = {"id": 1, "item": "x", "f": "AA==", "q": "q", "fields": ["a"]}
    for at in drawn.sample([*places({**RICH, "openapi": version})], 50):
        made = changed({**RICH, "openapi": version}, at, drawn.choice(WRONG))
        try:
            tools = tools_from(made, base="http://h", send=send, credentials={"key": "k"})
        except TypesigError:
            continue
        for tool in tools:
            tool.call(given)


def test_keys_that_are_no_texts_are_read_as_texts() -> None:
    # As readers of YAML make them.
    shared: dict[Any, Any] = {"schema": {"type": "object", "properties": {True: TEXT}}}
    content = {"application/json": shared}
    responses = {200: {"content": content}, 201: {"content": content}}
    tool = it({"parameters": ({"name": "p", "in": "query"},), "responses": responses})

    assert "(p? :any)! -> {True? :string}" == str(tool.signature).replace('"', "")


# cycles and odd names


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
@pytest.mark.parametrize(
    "schemas",
    [
        {"A": {"$ref": "#/components/schemas/A"}},
        {"A": {"allOf": [{"$ref": "#/components/schemas/A"}]}},
        {"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"}},
        {"A": {"not": {"$ref": "#/components/schemas/A"}}},
        {
            "A": {
                "oneOf": [{"$ref": "#/components/schemas/A"}],
                "discriminator": {"propertyName": "k"},
            }
        },
    ],
)
def test_a_schema_that_is_defined_by_itself_costs_only_its_argument(
    schemas: Any, version: str
) -> None:
    ref = {"$ref": "#/components/schemas/A"}
    operation = {"parameters": [parameter("p", "query", ref), parameter("q", "query")], **body(ref)}
    tool = it(operation, version, **schemas)

    assert "(p? :any, q? :string, body :any)! -> :any" == str(tool.signature)
    assert ["input.properties.p", "input.properties.body", "output"] == [
        warning.place for warning in tool.warnings
    ]


@pytest.mark.parametrize(
    ("name", "reference"),
    [
        ("Page«Order»", "Page%C2%ABOrder%C2%BB"),
        ("Page«Order»", "Page«Order»"),
        ("a b/c~d%", "a%20b~1c~0d%25"),
        ("List`1[[Order]]", "List`1[[Order]]"),
        ("", ""),
    ],
)
def test_components_have_the_names_that_programs_give_them(name: str, reference: str) -> None:
    ref = {"$ref": f"#/components/schemas/{reference}"}
    tool = it(body(ref), "3.1.0", **{name: {"type": "integer"}})

    assert () == tool.warnings
    assert tool.signature.validate_output(3).ok
    assert not tool.signature.validate_output("x").ok
    choice = {"oneOf": [ref], "discriminator": {"propertyName": "k"}}
    told = it(body(choice), "3.1.0", **{name: pet("a")})
    assert told.signature.validate_output({"k": name}).ok


def test_items_of_paths_can_be_components() -> None:
    item = {"get": {"operationId": "it", "responses": {}}}
    made = document(
        {"/x": {"$ref": "#/components/pathItems/P"}}, "3.1.0", components={"pathItems": {"P": item}}
    )

    assert ("it",) == tools_from(made).names
