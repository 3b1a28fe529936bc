"""Schemas that refer to others: `resources`, names of schemas, drafts and vocabularies."""

from __future__ import annotations

import json
from typing import Any

import pytest

import typesig
from typesig import TypesigError
from typesig.errors import TooDeep, TooLarge, Unsupported
from typesig.limits import MAX_SCHEMA
from typesig.notations.json_schema.dialects import VOCABULARIES
from typesig.notations.json_schema.references import resolve

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema"
VOCABULARY = "https://json-schema.org/draft/2020-12/vocab/"


def written(schema: Any, resources: Any = None) -> str:
    s = typesig.from_json_schema(schema, resources=resources)
    return s.render().removeprefix("() -> ")


# addresses

BASE = "http://a/b/c/d;p?q"
# Section 5.4 of RFC 3986.
RFC_3986 = {
    "g:h": "g:h", "g": "http://a/b/c/g", "./g": "http://a/b/c/g", "g/": "http://a/b/c/g/",
    "/g": "http://a/g", "//g": "http://g", "?y": "http://a/b/c/d;p?y", "g?y": "http://a/b/c/g?y",
    "#s": BASE, "g#s": "http://a/b/c/g", "g?y#s": "http://a/b/c/g?y", ";x": "http://a/b/c/;x",
    "g;x": "http://a/b/c/g;x", "g;x?y#s": "http://a/b/c/g;x?y", "": BASE, ".": "http://a/b/c/",
    "./": "http://a/b/c/", "..": "http://a/b/", "../": "http://a/b/", "../g": "http://a/b/g",
    "../..": "http://a/", "../../": "http://a/", "../../g": "http://a/g",
    "../../../g": "http://a/g", "../../../../g": "http://a/g", "/./g": "http://a/g",
    "/../g": "http://a/g", "g.": "http://a/b/c/g.", ".g": "http://a/b/c/.g",
    "g..": "http://a/b/c/g..", "..g": "http://a/b/c/..g", "./../g": "http://a/b/g",
    "./g/.": "http://a/b/c/g/", "g/./h": "http://a/b/c/g/h", "g/../h": "http://a/b/c/h",
    "g;x=1/./y": "http://a/b/c/g;x=1/y", "g;x=1/../y": "http://a/b/c/y",
    "g?y/./x": "http://a/b/c/g?y/./x", "g?y/../x": "http://a/b/c/g?y/../x",
    "g#s/./x": "http://a/b/c/g", "g#s/../x": "http://a/b/c/g", "http:g": "http:g",
}  # fmt: skip


@pytest.mark.parametrize(("reference", "uri"), RFC_3986.items())
def test_a_reference_is_resolved_as_rfc_3986_resolves_it(reference, uri):
    assert uri == resolve(BASE, reference).uri


@pytest.mark.parametrize(("base", "reference", "address"), [
    ("", "n#a%20b", ("n", "a b")), ("", "#", ("", "")), ("http://a", "b", ("http://a/b", "")),
    ("urn:a:b", "#x", ("urn:a:b", "x")), ("n", "#/x", ("n", "/x")), ("a/b", "../../c", ("c", "")),
    ("", "a:b\n#c\nd", ("a:b\n", "c\nd")),
])  # fmt: skip
def test_a_reference_is_resolved_against_any_base(base, reference, address):
    assert address == resolve(base, reference)


# resources

RESOURCES: dict[str, Any] = {
    "https://a.example/int": {"type": "integer"},
    "https://a.example/list": {"type": "array", "items": {"$ref": "int"}},
    "https://a.example/parts": {"$defs": {"N": {"$anchor": "n", "type": "number"}}},
    "https://a.example/yes": True,
    "https://a.example/text": '{"type": "string"}',
    "https://a.example/moved": {"$id": "https://b.example/", "$defs": {"S": {"$id": "s", "const": 1}}},
    "https://a.example/tree": {"type": "object", "properties": {"next": {"$ref": "#"}}},
    "plain.json": {"type": "boolean"},
    "https://a.example/seven#": {"$schema": DRAFT_7, "$ref": "int", "minimum": 3},
}  # fmt: skip


@pytest.mark.parametrize(("schema", "shorthand"), [
    ({"$ref": "https://a.example/int"}, ':"int" where int = :int'),
    ({"items": {"$ref": "https://a.example/list"}, "type": "array"}, '[:list] where int = :int, list = [:"int"]'),
    ({"$ref": "https://a.example/parts#/$defs/N"}, ":N where N = :float"),
    ({"$ref": "https://a.example/parts#n"}, ":N where N = :float"),
    ({"$ref": "https://a.example/yes"}, ':yes where yes = :any'),
    ({"$ref": "https://a.example/text"}, ':text where text = :string'),
    ({"$ref": "https://b.example/s"}, ":S where S = :enum[1]"),
    ({"$id": "https://b.example/x", "$ref": "../y/../s"}, ":S where S = :enum[1]"),
    ({"$ref": "plain.json"}, ':plain where plain = :bool'),
    ({"$ref": "https://a.example/seven"}, ':seven where int = :int, seven = :"int"'),
    ({"$ref": "https://a.example/tree"}, ':tree where tree = {next? :tree}'),
])  # fmt: skip
def test_a_reference_leads_into_the_resources_that_are_given(schema, shorthand):
    assert shorthand == written(schema, RESOURCES)


def test_every_function_that_reads_a_schema_takes_resources():
    asked = {"type": "object", "properties": {"q": {"$ref": "plain.json"}}}
    named = "(q? :plain) -> :plain where plain = :bool"
    tool = typesig.from_json_schema(asked, {"$ref": "plain.json"}, resources=RESOURCES)
    pair = {"input": asked, "output": {"$ref": "plain.json"}}

    assert named == tool.render()
    assert tool == typesig.parse(pair, "json_schema", resources=RESOURCES)
    assert tool == typesig.parse(pair, "json_schema", resources=RESOURCES)
    assert () == tool.losses


def test_a_refusal_in_a_resource_names_the_resource():
    resources = {"https://a.example/x": {"properties": {"a": {"type": "text"}}}}
    with pytest.raises(Unsupported) as caught:
        typesig.from_json_schema({"$ref": "https://a.example/x"}, resources=resources)

    assert caught.value.path == ("https://a.example/x#", "properties", "a")
    assert caught.value.message.startswith("/https:~1~1a.example~1x#/properties/a: type: ")


def test_a_resource_is_never_taken_for_a_keyword_of_the_document():
    schema = {
        "n#": {"type": "integer"},
        "prefixItems": [{"$ref": "#/n%23"}, {"$ref": "n"}],
        "type": "array",
        "minItems": 2,
    }
    assert "[:n, :n2, ** :any] where n = :int, n2 = :string" == written(
        schema, {"n": {"type": "string"}}
    )


@pytest.mark.parametrize(("resources", "message"), [
    ([], "resources are schemas by URI, in a dict, and not list"),
    ({"https://a.example/x#y": {}}, "the key 'https://a.example/x#y' of resources is not a URI without a fragment"),
    ({3: {}}, "the key 3 of resources is not a URI without a fragment"),
    ({"n": "{"}, "this is not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
])  # fmt: skip
def test_resources_that_are_no_schemas_by_uri_are_an_error(resources, message):
    with pytest.raises(TypesigError) as caught:
        typesig.from_json_schema({}, resources=resources)

    assert message == str(caught.value)


def test_an_option_that_no_notation_has_is_an_error():
    with pytest.raises(TypesigError, match="the notation shorthand has no option 'resources'"):
        typesig.parse("() -> :int", "shorthand", resources={})
    with pytest.raises(TypesigError, match="no option 'remotes'; it has resources"):
        typesig.parse({}, "json_schema", remotes={})


def test_a_resource_that_nothing_refers_to_is_not_read():
    resources = {"https://a.example/x": {"type": "text"}, "https://a.example/y": "3"}
    assert ":int" == written({"type": "integer"}, resources)


def test_the_limits_hold_for_the_document_and_its_resources_together():
    half = {"enum": ["x" * (MAX_SCHEMA // 2)]}
    with pytest.raises(TooLarge):
        typesig.from_json_schema({"$ref": "a", **half}, resources={"a": half})
    inside: list[Any] = []
    inside.append(inside)
    with pytest.raises(TooDeep):
        typesig.from_json_schema({"$ref": "a"}, resources={"a": {"enum": inside}})


# names

NAMED_TWICE = {
    "an identifier": ({"items": {"$ref": "n"}, "$defs": {"a": {"$id": "n", "type": "integer"}, "b": {"$id": "n", "type": "string"}}}, "n"),
    "an anchor": ({"items": {"$ref": "#n"}, "$defs": {"a": {"$anchor": "n"}, "b": {"$anchor": "n", "type": "string"}}}, "#n"),
    "a kind of number": ({"items": {"$ref": "n"}, "$defs": {"a": {"$id": "n", "const": 1}, "b": {"$id": "n", "const": True}}}, "n"),
    "a list": ({"items": {"$ref": "n"}, "$defs": {"a": {"$id": "n", "enum": [1]}, "b": {"$id": "n", "enum": [1, 2]}}}, "n"),
    "a value": ({"items": {"$ref": "n"}, "$defs": {"a": {"$id": "n", "enum": [1, 3]}, "b": {"$id": "n", "enum": [1, 2]}}}, "n"),
}  # fmt: skip


@pytest.mark.parametrize(("schema", "name"), NAMED_TWICE.values(), ids=NAMED_TWICE)
def test_a_name_of_several_schemas_is_the_name_of_none(schema, name):
    with pytest.raises(Unsupported) as caught:
        typesig.from_json_schema(schema)

    assert f"/items: $ref: {name!r} is the name of several schemas" == caught.value.message


def test_copies_of_a_schema_may_have_one_name():
    copy = {"$id": "n", "enum": [1, {"a": [2, "x"]}]}
    schema = {
        "items": {"$ref": "n"},
        "type": "array",
        "$defs": {"a": copy, "b": json.loads(json.dumps(copy))},
    }
    assert written(schema) == written({**schema, "$defs": {"b": copy}})


def test_a_copy_of_the_document_among_the_resources_is_the_document():
    schema = {
        "$id": "https://a.example/s",
        "type": "object",
        "properties": {"a": {"$ref": "https://c.example/"}},
    }
    resources = {"https://c.example/": schema, "https://a.example/s": schema}
    assert ":Root where Root = {a? :Root}" == written(schema, json.loads(json.dumps(resources)))


def test_a_resource_that_differs_from_the_schema_of_its_name_is_not_taken_for_it():
    schema = {
        "$ref": "https://a.example/n",
        "$defs": {"N": {"$id": "https://a.example/n", "type": "integer"}},
    }
    with pytest.raises(Unsupported, match="is the name of several schemas"):
        typesig.from_json_schema(schema, resources={"https://a.example/n": {"type": "string"}})


@pytest.mark.parametrize(
    "pointer", ["#/$defs/01", "#/$defs/-1", "#/$defs/+0", "#/$defs/1.0", "#/$defs/\u0661"]
)
def test_an_index_of_a_pointer_is_written_in_one_way(pointer):
    with pytest.raises(Unsupported, match="is not in the document"):
        typesig.from_json_schema({"$ref": pointer, "$defs": [{}, {}]})


def test_nothing_in_a_place_that_no_keyword_makes_a_schema_has_a_name():
    schema = {"$ref": "#/x-a", "x-a": {"$anchor": "n", "items": {"$id": "m"}}}
    assert typesig.from_json_schema(schema)
    for ref in ("#n", "m"):
        with pytest.raises(Unsupported):
            typesig.from_json_schema({"allOf": [schema, {"$ref": ref}], "x-a": schema["x-a"]})


def test_anchors_are_keywords_of_the_drafts_that_have_them():
    schema = {"$schema": DRAFT_7, "items": {"$ref": "#n"}, "definitions": {"N": {"$anchor": "n"}}}
    with pytest.raises(Unsupported, match="'#n' is not in the document"):
        typesig.from_json_schema(schema)


@pytest.mark.parametrize(("schema", "shorthand"), [
    ({"$ref": "#/$defs/a/1", "$defs": {"a": [{}, {"type": "integer"}]}}, ':a where a = :int'),
    ({"$schema": DRAFT_7, "$ref": "https://a.example/n#i", "definitions": {"N": {"$id": "https://a.example/n#i", "type": "integer"}}}, ":N where N = :int"),
])  # fmt: skip
def test_a_reference_leads_to_what_it_names(schema, shorthand):
    assert shorthand == written(schema)


# drafts and vocabularies

OWN = "https://a.example/meta"


def own_draft(*names: str, **more: bool) -> dict[str, Any]:
    vocabularies = {f"{VOCABULARY}{name}": True for name in names} | more
    return {OWN: {"$schema": DRAFT_2020, "$id": OWN, "$vocabulary": vocabularies}}


@pytest.mark.parametrize(("resources", "shorthand"), [
    (own_draft("core", "applicator", "validation"), "{a? :int[1..]}"),
    (own_draft("core", "applicator"), "(:bool|:float|:string|[:any]|{a? :any})?"),
    (own_draft("core", "validation"), "{}"),
    (own_draft("core", "applicator", "validation", **{"https://a.example/other": False}), "{a? :int[1..]}"),
    ({OWN: {"$schema": DRAFT_7, "$vocabulary": {f"{VOCABULARY}core": True}}}, "{a? :int[1..]}"),
    ({OWN: {"$schema": OWN, "$vocabulary": 3}}, "{a? :int[1..]}"),
    ({OWN: True}, "{a? :int[1..]}"),
    ({}, "{a? :int[1..]}"),
])  # fmt: skip
def test_a_dialect_has_the_vocabularies_that_its_metaschema_names(resources, shorthand):
    schema = {
        "$schema": OWN,
        "type": "object",
        "properties": {"a": {"type": "integer", "minimum": 1}},
    }
    assert shorthand == written(schema, resources)


def test_before_2020_12_contains_and_lone_additional_items_evaluate_no_items():
    draft = "https://json-schema.org/draft/2019-09/schema"
    closed = {"$schema": draft, "type": "array", "unevaluatedItems": False}
    for word, value in (("contains", {"type": "integer"}), ("additionalItems", True)):
        assert not typesig.from_json_schema({**closed, word: value}).accepts([1])


def test_a_keyword_of_a_vocabulary_that_is_left_out_is_a_loss():
    schema = {"$schema": OWN, "type": "integer"}
    losses = typesig.parse(schema, "json_schema", resources=own_draft("core")).losses
    assert [f"type: the keyword type: it is not a keyword of {OWN}; became nothing"] == [
        str(loss) for loss in losses
    ]


def test_a_vocabulary_that_is_required_and_unknown_is_refused():
    resources = own_draft("core", **{"https://a.example/other": True})
    with pytest.raises(Unsupported) as caught:
        typesig.from_json_schema({"$schema": OWN}, resources=resources)

    message = "the root: $schema: the vocabulary https://a.example/other is not supported"
    assert message == caught.value.message


def test_every_vocabulary_of_the_drafts_has_a_row():
    names = {name.rpartition("/")[2] for name in VOCABULARIES}
    assert names == {
        "applicator", "content", "core", "format", "format-annotation", "format-assertion",
        "meta-data", "unevaluated", "validation",
    }  # fmt: skip


def test_a_resource_without_a_draft_is_read_as_the_document_is():
    resources = {
        "n": {"$ref": "#/definitions/I", "maximum": 3, "definitions": {"I": {"type": "integer"}}}
    }
    assert typesig.from_json_schema({"$schema": DRAFT_7, "$ref": "n"}, resources=resources).accepts(
        5
    )
    assert not typesig.from_json_schema({"$ref": "n"}, resources=resources).accepts(5)


def test_a_schema_of_an_unsupported_draft_is_refused_where_it_is_read():
    inner = {"$id": "n", "$schema": "http://json-schema.org/draft-03/schema#"}
    schema = {"type": "object", "properties": {"a": {"$ref": "n"}}, "$defs": {"N": inner}}
    with pytest.raises(Unsupported) as caught:
        typesig.from_json_schema(schema)

    assert caught.value.path == ("$defs", "N")
    assert caught.value.shape == "$schema"
    assert "{a? :N} where N = :any" == str(typesig.from_json_schema(schema, lossy=True))[6:]


def test_dependencies_without_a_draft_evaluate_as_dependent_schemas_do():
    schema = {
        "type": "object",
        "properties": {"a": True},
        "dependencies": {"a": {"properties": {"b": True}}, "c": ["a"]},
        "unevaluatedProperties": False,
    }
    s = typesig.from_json_schema(schema)
    assert [True, True, False, False] == [
        s.accepts(value) for value in ({}, {"a": 1, "b": 1}, {"b": 1}, {"a": 1, "c": 1})
    ]


def test_a_malformed_keyword_beside_unevaluated_properties_is_widened():
    schema = {"type": "object", "dependentSchemas": 3, "unevaluatedProperties": False}
    losses = typesig.parse(schema, "json_schema", lossy=True).losses
    assert [("dependentSchemas",)] == [loss.path for loss in losses]


# metaschemas

METASCHEMAS = {
    "http://json-schema.org/draft-04/schema": {"multipleOf": 0},
    "http://json-schema.org/draft-06/schema": {"propertyNames": 1},
    "http://json-schema.org/draft-07/schema": {"if": {"pattern": "("}},
    "https://json-schema.org/draft/2019-09/schema": {"properties": {"a": {"minContains": -1}}},
    "https://json-schema.org/draft/2020-12/schema": {"$defs": {"a": {"anyOf": []}}},
}


@pytest.mark.parametrize(("uri", "malformed"), METASCHEMAS.items())
@pytest.mark.parametrize("end", ["", "#"])
def test_a_metaschema_is_referred_to_by_its_name(uri, malformed, end):
    s = typesig.from_json_schema({"$ref": uri + end})

    assert s.accepts({"type": "object", "properties": {"a": {"minLength": 1}}})
    assert not s.accepts({"properties": {"a": {"minLength": 1.5}}})
    assert not s.accepts(malformed)


def test_a_part_of_a_metaschema_is_referred_to():
    uri = "https://json-schema.org/draft/2020-12/meta/validation#/$defs/nonNegativeInteger"

    assert ":nonNegativeInteger where nonNegativeInteger = :int[0..]" == written({"$ref": uri})


def test_a_metaschema_that_is_given_replaces_the_copy():
    uri = "https://json-schema.org/draft/2020-12/schema"

    assert ":schema where schema = :int" == written({"$ref": uri}, {uri: {"type": "integer"}})


def test_what_no_draft_has_is_not_in_the_document():
    uri = "https://json-schema.org/draft/2020-12/nope"
    with pytest.raises(Unsupported, match="is not in the document; pass it in resources"):
        typesig.from_json_schema({"$ref": uri})
