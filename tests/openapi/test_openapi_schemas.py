"""The schemas of documents: discriminators, references that lead to nothing, and wrong types."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import assume, given

from tests import generators
from tests.judge import JUDGE
from tests.openapi_shop import SHOP, TEXT, answer, document, parameter
from typesig import Tool, TypesigError
from typesig.openapi import Request, Response, tools_from


def it(operation: dict[str, Any], version: str = "3.0.3", **schemas: Any) -> Tool[..., Any]:
    paths = {"/x": {"post": {"operationId": "it", **operation}}}
    return tools_from(document(paths, version, components={"schemas": schemas}))["it"]


def body(schema: Any) -> dict[str, Any]:
    content = {"application/json": {"schema": schema}}
    return {"requestBody": {"required": True, "content": content}, "responses": answer(schema)}


def answers(schema: Any) -> dict[str, Any]:
    return {"responses": answer(schema)}


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
        {"type": "object", "properties": {"paw": TEXT}, "additionalProperties": False},
        {"type": "object", "additionalProperties": False},
        {"type": "object", "properties": {"paw": TEXT}, "unevaluatedProperties": False},
    ],
)
def test_a_branch_without_a_place_for_the_value_stays_as_it_is(cat: Any) -> None:
    tool = it(body(one_of()), "3.1.0", Cat=cat, Dog=pet("tail"))

    assert "& :Cat" not in str(tool.signature)
    assert "& :Dog" in str(tool.signature)


#: Where the constants of a branch stand, written with the value "cat".
SAID: dict[str, Any] = {
    "enum": {"type": "object", "properties": {"kind": {"type": "string", "enum": ["cat"]}}},
    "const": {"type": "object", "properties": {"kind": {"const": "cat"}}},
    "reference": {"type": "object", "properties": {"kind": {"$ref": "#/components/schemas/Kind"}}},
    "allOf of the property": {
        "type": "object",
        "properties": {"kind": {"allOf": [{"$ref": "#/components/schemas/Kind"}]}},
    },
    "allOf": {"allOf": [pet("paw"), {"properties": {"kind": {"const": "cat"}}}]},
    "allOf with a reference": {
        "allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"paw": TEXT}}]
    },
    "union": {
        "oneOf": [
            {"$ref": "#/components/schemas/Base"},
            {"properties": {"kind": {"const": "lion"}}, "required": ["kind"]},
        ],
        "discriminator": {"propertyName": "kind"},
    },
    "number": {"type": "object", "properties": {"kind": {"type": ["integer", "null"]}}},
}
SHARED: dict[str, Any] = {
    "Kind": {"type": "string", "enum": ["cat"]},
    "Base": {"type": "object", "properties": {"kind": {"const": "cat"}}, "required": ["kind"]},
}


@pytest.mark.parametrize("place", SAID)
def test_constants_of_branches_tell_them_apart_and_names_of_schemas_do_not(place: str) -> None:
    tool = it(body(one_of()), "3.1.0", Cat=SAID[place], Dog=pet("tail"), **SHARED)
    shown = str(tool.signature).partition(" where ")[0]

    assert "(body :one[:Cat, :Dog])! -> :one[:Cat, :Dog]" == shown


@pytest.mark.parametrize("kind", [{"anyOf": [TEXT, {"type": "null"}]}, {"type": ["string"]}, True])
def test_a_property_that_takes_text_has_the_names_of_schemas(kind: Any) -> None:
    cat = {"type": "object", "properties": {"kind": kind}}
    tool = it(body(one_of()), "3.1.0", Cat=cat, Dog=pet("tail"))

    assert '{kind :enum["Cat"]} & :Cat' in str(tool.signature)


def kinds(*values: str) -> dict[str, Any]:
    return {"type": "object", "properties": {"kind": {"type": "string", "enum": [*values]}}}


@pytest.mark.parametrize(
    ("mapping", "cat", "dog", "shown"),
    [
        # Constants that both have do not tell them apart; a mapping and names do.
        ({"a": "Cat", "b": "Dog"}, kinds("a", "b"), kinds("a", "b"), ("a", "b")),
        (None, kinds("Cat", "Dog"), kinds("Cat", "Dog"), ("Cat", "Dog")),
        # Those of their own do, whatever else is said.
        ({"a": "Cat", "b": "Dog"}, kinds("a"), kinds("b"), (None, None)),
        ({"x": "Cat", "b": "Dog"}, kinds("a"), pet("tail"), (None, "b")),
        (None, kinds("Cat", "Kitten"), kinds("Dog", "Puppy"), (None, None)),
        (None, kinds("Cat"), pet("tail"), (None, "Dog")),
        (None, kinds("a"), pet("tail"), (None, None)),
        (None, {"allOf": [kinds("a", "b"), kinds("a")]}, kinds("a", "b"), (None, None)),
        ({"a": "Cat", "b": "Dog"}, {"anyOf": [kinds("a"), kinds("c")]}, pet("tail"), ("a", "b")),
    ],
)
def test_values_are_added_where_the_constants_do_not_tell_branches_apart(
    mapping: Any, cat: Any, dog: Any, shown: Any
) -> None:
    tool = it(body(one_of(mapping)), "3.1.0", Cat=cat, Dog=dog)
    parts = [
        f":{name}" if tag is None else f'{{kind :enum["{tag}"]}} & :{name}'
        for name, tag in zip(("Cat", "Dog"), shown, strict=True)
    ]

    assert f"(body :one[{', '.join(parts)}])!" == str(tool.signature).partition(" ->")[0]


def test_a_branch_with_branches_has_no_name_of_its_own() -> None:
    cats = {"anyOf": [pet("paw"), pet("claw")]}
    tool = it(body(one_of()), "3.1.0", Cat=cats, Dog=pet("tail"))

    assert "& :Cat" not in str(tool.signature)
    assert "& :Dog" in str(tool.signature)
    mapped = it(body(one_of({"cat": "Cat"})), "3.1.0", Cat=cats, Dog=pet("tail"))
    assert '{kind :enum["cat"]} & :Cat' in str(mapped.signature)


def test_where_there_is_a_default_names_of_schemas_say_nothing() -> None:
    choice = one_of({"cat": "Cat"})
    choice["discriminator"]["defaultMapping"] = "Dog"
    tool = it(body(choice), "3.1.0", Cat=pet("paw"), Dog=pet("tail"))

    assert '{kind :enum["cat"]} & :Cat' in str(tool.signature)
    assert "& :Dog" not in str(tool.signature)


def test_a_branch_or_a_property_that_is_too_large_is_not_searched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("typesig.openapi.schemas.MAX_TAGGED_PARTS", 2)
    branch = {"allOf": [pet("paw"), pet("tail")]}
    value = {
        "type": "object",
        "properties": {"kind": {"anyOf": [{"maxLength": n} for n in range(3)]}},
    }
    for cat in (branch, value):
        tool = it(body(one_of()), "3.1.0", Cat=cat, Dog=pet("tail"))

        assert "&" not in str(tool.signature).partition(" where ")[0]


def tagged(place: str, tag: str) -> Any:
    """Return a branch whose constant is *tag*, at *place*."""
    return json.loads(
        json.dumps(SAID[place]).replace("cat", tag).replace("schemas/", f"schemas/{tag}")
    )


@generators.LAW
@given(
    st.lists(st.sampled_from([*SAID, "none"]), min_size=2, max_size=4),
    st.sampled_from(["oneOf", "anyOf"]),
    st.booleans(),
    st.data(),
)
def test_a_discriminator_without_a_mapping_refuses_nothing_that_the_branches_take(
    places: list[str], word: str, is_required: bool, data: Any
) -> None:
    assume({*places} != {"none"})
    schemas: dict[str, Any] = {}
    for n, place in enumerate(places):
        made = pet(f"own{n}") if place == "none" else tagged(place, f"tag{n}")
        schemas[f"S{n}"] = {**made, "required": ["kind"]} if is_required else made
        for name, each in SHARED.items():
            schemas[f"tag{n}{name}"] = json.loads(json.dumps(each).replace("cat", f"tag{n}"))
    refs = [{"$ref": f"#/components/schemas/S{n}"} for n in range(len(places))]
    choice = {word: refs, "discriminator": {"propertyName": "kind"}}
    kinds = ["lion", "x", 3, None, *(f"{a}{n}" for a in ("tag", "S") for n in range(len(places)))]
    value = data.draw(
        st.fixed_dictionaries({}, optional={"kind": st.sampled_from(kinds), "own0": st.just("a")})
    )
    tool = it(body(choice), "3.1.0", **schemas)
    whole = {**choice, "components": {"schemas": schemas}}
    assume(JUDGE(whole).is_valid(value))

    assert tool.signature.validate_input({"body": value}).ok
    assert tool.signature.validate_output(value).ok


# types that a document leaves out


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
@pytest.mark.parametrize(
    ("schema", "shown"),
    [
        ({"properties": {"a": TEXT}}, "{a? :string}"),
        ({"properties": {}}, "{}"),
        ({"additionalProperties": TEXT}, ":map[:string]"),
        ({"items": TEXT}, "[:string]"),
        ({"items": {"properties": {"a": TEXT}}}, "[{a? :string}]"),
        ({"allOf": [{"properties": {"a": TEXT}}], "required": ["a"]}, "{a :any} & {a? :string}"),
        ({"properties": {"a": TEXT}, "anyOf": [{"required": ["a"]}]}, "{a? :string} & {a :any}"),
        (
            {"additionalProperties": {}, "oneOf": [TEXT]},
            "(:bool|:float|:string|[:any]|{})? & :string",
        ),
        ({"properties": {"a": TEXT}, "enum": ["x"]}, ':enum["x"]'),
        ({"properties": {"a": TEXT}, "type": ["object", "string"]}, ":string|{a? :string}"),
        (
            {"properties": {"type": TEXT, "items": {"type": "integer"}}},
            "{type? :string, items? :int}",
        ),
        ({"required": ["a"]}, "{a :any}"),
    ],
)
def test_a_schema_of_what_values_consist_of_has_their_type(
    schema: Any, shown: str, version: str
) -> None:
    assert shown == str(it(answers(schema), version).signature).partition("! -> ")[2]


def test_an_object_without_a_type_may_be_null_in_the_old_dialect() -> None:
    schema = {"properties": {"a": TEXT}, "nullable": True}

    assert "{a? :string}?" == str(it(answers(schema)).signature).partition("! -> ")[2]


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
    for schemas, shown in (({"$ref": "#/no"}, "body :any"), (schema, "a? :any")):
        assert str(it(body(schemas)).signature).startswith(f"({shown})!")


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
