"""What Gemini refuses: function declarations and response schemas, in either form.

`parameters` and `response_schema` hold a `Schema`, which is not JSON Schema; the other two profiles
hold JSON Schema.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tests.vendors.documents import Document, Node, Place
from tests.vendors.rules import (
    Definition,
    Finding,
    Request,
    Rule,
    document_at,
    each_definition,
    each_document,
    each_node,
    has_none_of,
    has_only,
    in_shape,
    is_a,
    is_valid_2020_12,
    missing_and_unknown,
    names_differ,
    names_match,
    plain_json,
    reference_resolves,
    short,
)


@dataclass(frozen=True, slots=True)
class Profile:
    """Whether a function or a response, and the fields of the schema and of its other form."""

    is_tool: bool
    field: str
    other: str


PROFILES = {
    "parameters": Profile(True, "parameters", "parametersJsonSchema"),
    "json_schema": Profile(True, "parametersJsonSchema", "parameters"),
    "response_schema": Profile(False, "responseSchema", "responseJsonSchema"),
    "response_json_schema": Profile(False, "responseJsonSchema", "responseSchema"),
}
ALL = frozenset(PROFILES)
TOOLS = frozenset(("parameters", "json_schema"))
PROTO = frozenset(("parameters", "response_schema"))
JSON = frozenset(("json_schema", "response_json_schema"))

#: Proto fields are also read by their names in the proto file.
_SPELLINGS = {
    "parameters_json_schema": "parametersJsonSchema",
    "response_json_schema": "responseJsonSchema",
    "response_schema": "responseSchema",
    "response_mime_type": "responseMimeType",
    "function_declarations": "functionDeclarations",
}


def read(profile: Profile, given: Sequence[Any]) -> Request:
    """Return *given*: declarations, tools that hold several, or the schema fields of a config."""
    found: list[Definition] = []
    for index, each in enumerate(given):
        place = Place(None, index)
        body = _spelled(each)
        if profile.is_tool and isinstance(body, dict) and "functionDeclarations" in body:
            inner = body["functionDeclarations"]
            place = place / "functionDeclarations"
            for at, one in enumerate(inner if isinstance(inner, list) else []):
                found.append(_definition(profile, _spelled(one), place / at))
        else:
            found.append(_definition(profile, body, place))
    return Request(profile, given, tuple(found))


def _spelled(given: Any) -> Any:
    if not isinstance(given, dict):
        return given
    return {_SPELLINGS.get(key, key): value for key, value in given.items()}


def _definition(profile: Profile, given: Any, place: Place) -> Definition:
    optional: tuple[str, ...]
    if profile.is_tool:
        optional = (
            *("description", "behavior", "parameters", "parametersJsonSchema"),
            *("response", "responseJsonSchema"),
        )
        shape = [*missing_and_unknown(given, place, ("name",), optional)]
        shape += is_a(given, place, "name", str)
        shape += is_a(given, place, "description", str)
    else:
        optional = ("responseSchema", "responseJsonSchema")
        shape = [*missing_and_unknown(given, place, ("responseMimeType",), optional)]
    body = given if isinstance(given, dict) else {}
    if not profile.is_tool and body.get("responseMimeType", "") != "application/json":
        shape.append((place, "responseMimeType is not application/json"))
    pairs = (
        ("parameters", "parametersJsonSchema"),
        *((("response", "responseJsonSchema"),) if profile.is_tool else ()),
        ("responseSchema", "responseJsonSchema"),
    )
    for one, other in pairs:
        if one in body and other in body:
            shape.append((place, f"has both {one} and {other}"))
    if profile.other in body:
        shape.append((place, f"has {profile.other}, which this profile does not use"))
    shape += is_a(body, place, profile.field, dict)
    found = document_at(body, place, profile.field)
    if found is not None and profile.field in ("parameters", "responseSchema"):
        found = Document(found.schema, found.place, frozenset(("properties", "items", "anyOf")))
    return Definition(
        body, place, body.get("name"), body.get("description"), found, shape=tuple(shape)
    )


# any declaration


def _name_64(definition: Definition) -> Iterator[Finding]:
    if isinstance(definition.name, str) and len(definition.name) > 64:
        yield definition.place, f"a name of {len(definition.name)} characters, more than 64"


def _description(definition: Definition) -> Iterator[Finding]:
    text = definition.description
    if not isinstance(text, str) or not text.strip():
        yield definition.place, "no description"


_PARAMETER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


def _unfit_names(node: Node) -> str | None:
    properties = node.get("properties")
    for name in properties if isinstance(properties, dict) else ():
        if not isinstance(name, str) or _PARAMETER.fullmatch(name) is None:
            return f"the parameter {short(name)} is not {_PARAMETER.pattern}"
    return None


def _names(node: Node, document: Document) -> str | None:
    return _unfit_names(node) if node.is_root else None


def _nested_names(node: Node, document: Document) -> str | None:
    return None if node.is_root else _unfit_names(node)


def _root(document: Document) -> Iterator[str]:
    if _type_of(document.root) != "OBJECT":
        yield f"type is {short(document.root.get('type'))}, not OBJECT"


def _required(node: Node, document: Document) -> str | None:
    required = node.get("required")
    properties = node.get("properties")
    known = properties if isinstance(properties, dict) else {}
    for name in required if isinstance(required, list) else ():
        if not isinstance(name, str) or name not in known:
            return f"required {short(name)} is not a property"
    return None


# Schema

_TYPES = ("STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL")
_FIELDS = (
    *("type", "format", "title", "description", "nullable", "enum", "default", "example"),
    *("items", "minItems", "maxItems", "properties", "required", "propertyOrdering"),
    *("minProperties", "maxProperties", "minLength", "maxLength", "pattern"),
    *("minimum", "maximum", "anyOf"),
)
#: The types that a field belongs to.
_FIELD_TYPES = {
    "minItems": ("ARRAY",),
    "maxItems": ("ARRAY",),
    "properties": ("OBJECT",),
    "required": ("OBJECT",),
    "minProperties": ("OBJECT",),
    "maxProperties": ("OBJECT",),
    "minimum": ("INTEGER", "NUMBER"),
    "maximum": ("INTEGER", "NUMBER"),
    "minLength": ("STRING",),
    "maxLength": ("STRING",),
    "pattern": ("STRING",),
}
_FORMATS = {
    "STRING": ("enum", "date-time"),
    "NUMBER": ("float", "double"),
    "INTEGER": ("int32", "int64"),
}


def _type_of(node: Node) -> str:
    """Return the type in capitals, empty if there is none; both cases are read."""
    found = node.get("type")
    return found.upper() if isinstance(found, str) else ""


def _fields(node: Node, document: Document) -> str | None:
    # Another row judges the fields for references.
    return has_only((*_FIELDS, "ref", "defs"))(node, document)


def _type(node: Node, document: Document) -> str | None:
    found = node.get("type")
    if found is None or _type_of(node) in _TYPES:
        return None
    return f"the type {short(found)}"


def _typed(node: Node, document: Document) -> str | None:
    if not isinstance(node.schema, dict):
        return f"the schema {short(node.schema)}"
    return None if node.keywords() & {"type", "anyOf", "ref"} else "has no type"


def _any_of_typed(node: Node, document: Document) -> str | None:
    if "anyOf" in node.keywords() and "type" not in node.keywords():
        return "anyOf without a type"
    return None


def _empty_object(node: Node, document: Document) -> str | None:
    if _type_of(node) == "OBJECT" and not node.get("properties"):
        return "an object without properties"
    return None


def _members(node: Node) -> list[Any]:
    found = node.get("enum")
    return found if isinstance(found, list) else []


def _enum_string(node: Node, document: Document) -> str | None:
    others = [each for each in _members(node) if type(each) is not str]
    return f"the enum value {short(others[0])} is not text" if others else None


def _enum_type(node: Node, document: Document) -> str | None:
    if "enum" in node.keywords() and _type_of(node) != "STRING":
        return f"enum on {_type_of(node) or 'no type'}"
    return None


def _enum_empty(node: Node, document: Document) -> str | None:
    if "enum" not in node.keywords():
        return None
    members = _members(node)
    if members and not any(each is None or each == "" for each in members):
        return None
    return f"the enum {short(node.get('enum'))}"


def _format(node: Node, document: Document) -> str | None:
    found = node.get("format")
    if found is None or found in _FORMATS.get(_type_of(node), ()):
        return None
    return f"the format {short(found)} on {_type_of(node) or 'no type'}"


def _items(node: Node, document: Document) -> str | None:
    if _type_of(node) == "ARRAY":
        return None if "items" in node.keywords() else "an array without items"
    return "items on what is not an array" if "items" in node.keywords() else None


def _field_types(node: Node, document: Document) -> str | None:
    for keyword in sorted(node.keywords() & set(_FIELD_TYPES)):
        if _type_of(node) not in _FIELD_TYPES[keyword]:
            return f"{keyword} on {_type_of(node) or 'no type'}"
    return None


def _ordering(node: Node, document: Document) -> str | None:
    order, properties = node.get("propertyOrdering"), node.get("properties") or {}
    if order is None:
        return None
    if isinstance(order, list) and sorted(map(str, order)) == sorted(map(str, properties)):
        return None
    return f"propertyOrdering {short(order)} is not the properties"


# JSON Schema

_KEYWORDS = (
    *("$id", "$defs", "$ref", "$anchor", "type", "format", "title", "description", "enum"),
    *("items", "prefixItems", "minItems", "maxItems", "minimum", "maximum", "anyOf", "oneOf"),
    *("properties", "additionalProperties", "required", "propertyOrdering"),
)


def _keywords(node: Node, document: Document) -> str | None:
    # What may stand beside a reference is judged by another row.
    beside = ("default",) if "$ref" in node.keywords() else ()
    return has_only((*_KEYWORDS, *beside))(node, document)


def _reference_alone(node: Node, document: Document) -> str | None:
    if "$ref" not in node.keywords():
        return None
    beside = [
        str(key)
        for key in node.keywords() - {"description", "default"}
        if not str(key).startswith("$")
    ]
    return f"$ref beside {', '.join(sorted(beside))}" if beside else None


def _recursion(document: Document) -> Iterator[str]:
    def is_needed(node: Node) -> bool:
        if node.role != "properties" or node.parent is None:
            return True
        required = node.parent.get("required")
        return isinstance(required, list) and node.name in required

    found = document.cycle(is_needed)
    if found is not None:
        yield f"recursive through {found.place}, which no optional property interrupts"


_GENAI = "googleapis/python-genai 3.4.0 types.py"

RULES = (
    Rule(
        "G-shape",
        "hard",
        ALL,
        "unknown keys, keys of another type, and both forms of one schema",
        f"{_GENAI} FunctionDeclaration, GenerateContentConfig",
        in_shape,
    ),
    Rule(
        "G-name",
        "hard",
        TOOLS,
        "a name that is not a letter or _, then up to 127 of a-z A-Z 0-9 _ . : -",
        f"{_GENAI} FunctionDeclaration.name; kaitranntt/ccs#25 (64 before)",
        names_match(r"[A-Za-z_][A-Za-z0-9_.:-]{0,127}"),
    ),
    Rule(
        "G-name-64",
        "soft",
        TOOLS,
        "a name of more than 64 characters",
        "litellm#12543; hexdocs geminix v1beta (older models)",
        each_definition(_name_64),
    ),
    Rule(
        "G-unique",
        "hard",
        TOOLS,
        "two declarations of one name",
        "smarter#537, lobehub#12604 ('Duplicate function declaration found')",
        names_differ,
    ),
    Rule(
        "G-description",
        "soft",
        TOOLS,
        "an empty description, or none",
        f"hexdocs geminix V1beta.FunctionDeclaration ('Required'); {_GENAI} says optional",
        each_definition(_description),
    ),
    Rule(
        "G-param-name",
        "hard",
        frozenset({"parameters"}),
        "a parameter that is not a letter or _, then up to 63 of a-z A-Z 0-9 _",
        f"{_GENAI} FunctionDeclaration.parameters",
        each_node(_names),
    ),
    Rule(
        "G-param-name-nested",
        "soft",
        frozenset({"parameters"}),
        "a nested property of another form",
        f"{_GENAI} FunctionDeclaration.parameters speaks of parameters",
        each_node(_nested_names),
    ),
    Rule(
        "G-param-name-json",
        "soft",
        frozenset({"json_schema"}),
        "a parameter of another form",
        f"{_GENAI} FunctionDeclaration.parameters; parameters_json_schema does not repeat it",
        each_node(_names),
    ),
    Rule(
        "G-root",
        "hard",
        TOOLS,
        "a root that is not an OBJECT",
        "OmniRoute#3357; python-genai#981",
        each_document(_root),
    ),
    Rule(
        "G-empty-object",
        "hard",
        PROTO,
        "an OBJECT without properties",
        "agno#2112, pipecat-flows#110, langchain-google#416, kubernetes-mcp-server#340",
        each_node(_empty_object),
    ),
    Rule(
        "G-required",
        "hard",
        ALL,
        "required that names what is not a property",
        "kilocode#11955 ('property is not defined')",
        each_node(_required),
    ),
    Rule("G-json", "hard", ALL, "what is not plain JSON", "RFC 8259", plain_json),
    Rule(
        "GP-keyword",
        "hard",
        PROTO,
        "what is not a field of Schema, and additionalProperties",
        f"{_GENAI} Schema; fazer-ai#64, zed mcp-server-brave-search#12, 5ire#42;"
        " _transformers.py _raise_for_unsupported_mldev_properties",
        each_node(_fields, closers=True),
    ),
    Rule(
        "GP-ref",
        "hard",
        PROTO,
        "ref and defs",
        "ai.google.dev/gemini-api/docs/function-calling; livekit/agents#2738;"
        f" doubt: {_GENAI} names both",
        each_node(has_none_of("ref", "defs")),
    ),
    Rule(
        "GP-type",
        "hard",
        PROTO,
        "a type that is a list, or is not one of the seven",
        "zed#53919 ('Proto field is not repeating, cannot start list')",
        each_node(_type),
    ),
    Rule(
        "GP-typed",
        "hard",
        PROTO,
        "a schema without type or anyOf",
        'gitlab-mcp#166 (type ""); python-genai 3.4.0 _transformers.py handle_null_fields',
        each_node(_typed),
    ),
    Rule(
        "GP-anyof-type",
        "soft",
        PROTO,
        "anyOf without a type beside it",
        "Ombre-Brain#119 (Vertex: 'didn't specify the schema type field')",
        each_node(_any_of_typed),
    ),
    Rule(
        "GP-enum-string",
        "hard",
        PROTO,
        "an enum member that is not text",
        f"azure-devops-mcp#145 ('Invalid value … (TYPE_STRING), 4'); {_GENAI} Schema.enum",
        each_node(_enum_string),
    ),
    Rule(
        "GP-enum-type",
        "hard",
        PROTO,
        "enum on what is not a STRING",
        "directus#27100, 9router#380 ('only allowed for STRING type');"
        f" doubt: {_GENAI} shows INTEGER with format enum",
        each_node(_enum_type),
    ),
    Rule(
        "GP-enum-empty",
        "hard",
        PROTO,
        "an enum without members, or with an empty text or null",
        "kibana#286302; opencode#33316, #46676; CLIProxyAPI#4545",
        each_node(_enum_empty),
    ),
    Rule(
        "GP-format",
        "hard",
        PROTO,
        "a format that is not in the list of its type",
        f"gemini-cli#5450, langchain-mcp-tools-ts#36; doubt: {_GENAI} Schema.format names more",
        each_node(_format),
    ),
    Rule(
        "GP-items",
        "hard",
        PROTO,
        "an ARRAY without items, and items elsewhere",
        "gemini-desktop#7 ('items: missing field'),"
        " opencode#49392 ('field predicate failed: $type == Type.ARRAY')",
        each_node(_items),
    ),
    Rule(
        "GP-field-type",
        "hard",
        PROTO,
        "a field on a type that it does not belong to",
        f"{_GENAI} Schema ('If type is …'); opencode#49392",
        each_node(_field_types),
    ),
    Rule(
        "GP-ordering",
        "soft",
        PROTO,
        "propertyOrdering that does not name each property once",
        "UnitVectorY-Labs/jsonschemaprofiles docs/GEMINI.md",
        each_node(_ordering),
        "2026-02",
    ),
    Rule(
        "GP-title",
        "soft",
        PROTO,
        "title",
        "python-genai#1732 (title read as a callable)",
        each_node(has_none_of("title")),
    ),
    Rule(
        "GJ-keyword",
        "soft",
        JSON,
        "a keyword that is not in the list",
        f"{_GENAI} response_json_schema (said of responses; hermes-agent#98928 sends all)",
        each_node(_keywords),
    ),
    Rule(
        "GJ-ref-alone",
        "hard",
        JSON,
        "anything beside $ref but description, default and what begins with $",
        f"opencode#12295, gcli2api#374; {_GENAI} response_json_schema",
        each_node(_reference_alone),
    ),
    Rule(
        "GJ-ref",
        "hard",
        JSON,
        "a $ref to what is not in the schema",
        "gemini-cli#13326 ('reference to undefined schema')",
        each_node(reference_resolves),
    ),
    Rule(
        "GJ-recursion",
        "soft",
        JSON,
        "a cycle of references that no optional property interrupts",
        f"{_GENAI} response_json_schema; pydantic-ai#1598",
        each_document(_recursion),
    ),
    Rule(
        "GJ-valid",
        "hard",
        JSON,
        "what is not a JSON Schema",
        f"{_GENAI} FunctionDeclaration.parameters_json_schema",
        each_document(is_valid_2020_12),
    ),
)
