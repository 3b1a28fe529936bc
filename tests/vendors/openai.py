"""What OpenAI refuses: function tools and response formats, of Chat Completions and Responses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tests.vendors.documents import DEFINITIONS, Document, Node, Place
from tests.vendors.patterns import parts
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
    missing_and_unknown,
    names_differ,
    names_match,
    plain_json,
    reference_resolves,
    short,
)


@dataclass(frozen=True, slots=True)
class Profile:
    """Which of the two interfaces, whether a tool or a response format, and whether strict."""

    api: str
    is_tool: bool
    strict: bool


PROFILES = {
    "chat": Profile("chat", True, False),
    "chat_strict": Profile("chat", True, True),
    "responses": Profile("responses", True, False),
    "responses_strict": Profile("responses", True, True),
    "chat_format": Profile("chat", False, False),
    "chat_format_strict": Profile("chat", False, True),
    "responses_format": Profile("responses", False, False),
    "responses_format_strict": Profile("responses", False, True),
}
ALL = frozenset(PROFILES)
TOOLS = frozenset(name for name, profile in PROFILES.items() if profile.is_tool)
STRICT = frozenset(name for name, profile in PROFILES.items() if profile.strict)

# reading


def read(profile: Profile, given: Sequence[Any]) -> Request:
    """Return *given*, definitions of tools or formats, as *profile* spells them."""
    reader = _READERS[profile.api, profile.is_tool]
    return Request(
        profile, given, tuple(reader(each, Place(None, at)) for at, each in enumerate(given))
    )


def _chat_tool(given: Any, place: Place) -> Definition:
    shape = [*missing_and_unknown(given, place, ("type", "function"), ())]
    shape += _type_is(given, place, "function")
    inner = given.get("function") if isinstance(given, dict) else None
    optional = ("description", "parameters", "strict")
    return _definition(inner, place / "function", "parameters", ("name",), optional, shape)


def _responses_tool(given: Any, place: Place) -> Definition:
    required = ("type", "name", "parameters", "strict")
    optional = ("description", "allowed_callers", "defer_loading", "output_schema", "async")
    shape = _type_is(given, place, "function")
    return _definition(given, place, "parameters", required, optional, shape)


def _chat_format(given: Any, place: Place) -> Definition:
    shape = [*missing_and_unknown(given, place, ("type", "json_schema"), ())]
    shape += _type_is(given, place, "json_schema")
    inner = given.get("json_schema") if isinstance(given, dict) else None
    required, optional = ("name", "schema"), ("description", "strict")
    return _definition(inner, place / "json_schema", "schema", required, optional, shape)


def _responses_format(given: Any, place: Place) -> Definition:
    shape = _type_is(given, place, "json_schema")
    required, optional = ("type", "name", "schema"), ("description", "strict")
    return _definition(given, place, "schema", required, optional, shape)


_READERS = {
    ("chat", True): _chat_tool,
    ("responses", True): _responses_tool,
    ("chat", False): _chat_format,
    ("responses", False): _responses_format,
}


def _type_is(given: Any, place: Place, wanted: str) -> list[Finding]:
    if isinstance(given, dict) and given.get("type", wanted) != wanted:
        return [(place / "type", f"is not {wanted}")]
    return []


def _definition(
    body: Any,
    place: Place,
    schema: str,
    required: tuple[str, ...],
    optional: tuple[str, ...],
    shape: list[Finding],
) -> Definition:
    shape = [*shape, *missing_and_unknown(body, place, required, optional)]
    shape += is_a(body, place, "name", str)
    shape += is_a(body, place, "description", str)
    nothing = (type(None),) if schema == "parameters" and "strict" in required else ()
    shape += is_a(body, place, schema, dict, *nothing)
    shape += is_a(body, place, "strict", bool, type(None))
    body = body if isinstance(body, dict) else {}
    name, description = body.get("name"), body.get("description")
    found = document_at(body, place, schema)
    return Definition(body, place, name, description, found, shape=tuple(shape))


# any profile


def _count(request: Request) -> Iterator[Finding]:
    if len(request.definitions) > 128:
        yield Place(None, 128), f"{len(request.definitions)} tools, more than 128"


def _description(definition: Definition) -> Iterator[Finding]:
    text = definition.description
    if isinstance(text, str) and len(text) > 1024:
        yield definition.place, f"a description of {len(text)} characters, more than 1024"


def _root(document: Document) -> Iterator[str]:
    if document.root.get("type") != "object":
        yield f"type is {short(document.root.get('type'))}, not object"


def _root_combinators(document: Document) -> Iterator[str]:
    found = document.root.keywords() & {"oneOf", "anyOf", "allOf", "enum", "not"}
    if found:
        yield f"has {', '.join(sorted(found))} at the top level"


def _root_properties(document: Document) -> Iterator[str]:
    if not isinstance(document.root.get("properties"), dict):
        yield "an object without properties"


def _items(node: Node, document: Document) -> str | None:
    if "array" in node.types() and "items" not in node.keywords():
        return "an array without items"
    return None


def _strict_flag(request: Request) -> Iterator[Finding]:
    profile: Profile = request.profile
    if profile.strict:
        wanted: tuple[Any, ...] = (True,)
    elif profile.api == "responses" and profile.is_tool:
        # Left out, the server tries to make the schema strict.
        wanted = (False,)
    else:
        wanted = (False, None)
    for definition in request.definitions:
        flag = definition.body.get("strict")
        if not any(flag is each for each in wanted):
            yield definition.place, f"strict is {short(flag)}"


def _callers(definition: Definition) -> Iterator[Finding]:
    callers = definition.body.get("allowed_callers") or []
    for each in callers if isinstance(callers, list) else [callers]:
        if each not in ("direct", "programmatic"):
            yield definition.place / "allowed_callers", f"the caller {short(each)}"


# strict


def _closed(node: Node, document: Document) -> str | None:
    if node.is_object and node.get("additionalProperties") is not False:
        return "an object that is not closed by additionalProperties false"
    return None


def _required(node: Node, document: Document) -> str | None:
    if not node.is_object:
        return None
    properties, required = node.get("properties") or {}, node.get("required") or []
    if not isinstance(properties, dict) or not isinstance(required, list):
        return "properties or required has the wrong form"
    named = {name for name in required if isinstance(name, str)}
    if len(required) == len(properties) and named == set(properties):
        return None
    return f"required {short(required)} are not the properties {short(list(properties))}"


def _typed(node: Node, document: Document) -> str | None:
    if not isinstance(node.schema, dict):
        return f"the schema {short(node.schema)}"
    if node.keywords() & {"type", "$ref", "anyOf", "enum", "const"}:
        return None
    return "has no type"


def _enum_typed(node: Node, document: Document) -> str | None:
    if node.keywords() & {"enum", "const"} and not node.keywords() & {"type", "$ref", "anyOf"}:
        return "an enum without a type"
    return None


_FORMATS = ("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid")


def _format(node: Node, document: Document) -> str | None:
    found = node.get("format")
    return None if found is None or found in _FORMATS else f"the format {short(found)}"


def _pattern(node: Node, document: Document) -> str | None:
    found = node.get("pattern")
    if isinstance(found, str) and "look-around" in parts(found):
        return f"look-around in {short(found)}"
    return None


def _reference_alone(node: Node, document: Document) -> str | None:
    beside = node.keywords() - {"$ref"}
    if "$ref" in node.keywords() and beside:
        return f"$ref beside {', '.join(sorted(beside))}"
    return None


def _reference(node: Node, document: Document) -> str | None:
    found = reference_resolves(node, document)
    if "$ref" not in node.keywords() or found:
        return found
    reference = node.get("$ref")
    keys = reference.split("/")
    if reference == "#" or (len(keys) == 3 and keys[0] == "#" and keys[1] in DEFINITIONS):
        return None
    return f"the reference {short(reference)} is not to the root or a definition"


def _fits(value: Any, name: Any) -> bool:
    match name:
        case "null":
            return value is None
        case "boolean":
            return type(value) is bool
        case "string":
            return type(value) is str
        case "integer":
            return type(value) is int or (type(value) is float and value.is_integer())
        case "number":
            return type(value) in (int, float)
        case "object":
            return type(value) is dict
        case "array":
            return type(value) is list
        case _:
            return False


def _enum_fits(node: Node, document: Document) -> str | None:
    types = node.types()
    members = node.get("enum") if isinstance(node.get("enum"), list) else []
    constant = [node.get("const")] if "const" in node.keywords() else []
    if not types or not (members or constant):
        return None
    for value in (*members, *constant):
        if not any(_fits(value, name) for name in types):
            return f"{short(value)} is not {short(types)}"
    if "null" in types and len(types) > 1 and None not in (*members, *constant):
        return "a nullable enum without null"
    return None


def _first_keys(node: Node, document: Document) -> str | None:
    branches = node.get("anyOf")
    seen: set[str] = set()
    for branch in branches if isinstance(branches, list) else ():
        if isinstance(branch, dict) and "$ref" in branch:
            branch = document.resolve(branch["$ref"])
        properties = branch.get("properties") if isinstance(branch, dict) else None
        first = next(iter(properties), None) if isinstance(properties, dict) else None
        if first in seen:
            return f"two branches begin with {short(first)}"
        if first is not None:
            seen.add(first)
    return None


def _depth(document: Document) -> Iterator[str]:
    deepest = max(node.level for node in document.nodes)
    if deepest > 10:
        yield f"{deepest} levels of objects, more than 10"


def _names(document: Document, keyword: str) -> Iterator[str]:
    """Yield the names in the maps *keyword* of a schema."""
    for node in document.nodes:
        found = node.get(keyword)
        if isinstance(found, dict):
            yield from map(str, found)


def _enums(document: Document) -> Iterator[list[Any]]:
    for node in document.nodes:
        if isinstance(node.get("enum"), list):
            yield node.get("enum")


def _properties(document: Document) -> Iterator[str]:
    count = sum(1 for _ in _names(document, "properties"))
    if count > 5000:
        yield f"{count} properties, more than 5000"


def _enum_count(document: Document) -> Iterator[str]:
    count = sum(map(len, _enums(document)))
    if count > 1000:
        yield f"{count} enum values, more than 1000"
    for members in _enums(document):
        texts = [each for each in members if isinstance(each, str)]
        if len(texts) > 250 and sum(map(len, texts)) > 15_000:
            yield f"an enum of {len(texts)} texts with {sum(map(len, texts))} characters"


def _characters(document: Document) -> Iterator[str]:
    count = sum(
        len(name) for keyword in ("properties", *DEFINITIONS) for name in _names(document, keyword)
    )
    count += sum(len(str(each)) for members in _enums(document) for each in members)
    count += sum(
        len(str(node.get("const"))) for node in document.nodes if "const" in node.keywords()
    )
    if count > 120_000:
        yield f"{count} characters of names and values, more than 120000"


_COMPOSITION = (
    "oneOf",
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
)
_UNSUPPORTED = (
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contains",
    "minContains",
    "maxContains",
    "uniqueItems",
    "prefixItems",
    "additionalItems",
)
#: What the guide lists as supported, and what other rows judge.
_KNOWN = (
    *("type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const"),
    *("$ref", "$defs", "definitions", "title", "description", "format", "pattern"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minItems", "maxItems", "minLength", "maxLength", "default"),
    *_COMPOSITION,
    *_UNSUPPORTED,
)

_GUIDE = (
    "developers.openai.com/api/docs/guides/structured-outputs#supported-schemas"
    " (UnitVectorY-Labs/jsonschemaprofiles docs/OPENAI.md@b83b894, 2026-02)"
)
_PYDANTIC_AI = "pydantic-ai 2.68 profiles/openai.py"

RULES = (
    Rule(
        "O-shape",
        "hard",
        ALL,
        "unknown keys, and keys that are missing or of another type",
        "openai 3.54 types/chat/chat_completion_function_tool_param.py,"
        " types/shared_params/function_definition.py, types/responses/function_tool_param.py,"
        " types/shared_params/response_format_json_schema.py,"
        " types/responses/response_format_text_json_schema_config_param.py",
        in_shape,
    ),
    Rule(
        "O-name",
        "hard",
        ALL,
        "a name that is not 1 to 64 of a-z A-Z 0-9 _ -",
        "openai 3.54 types/shared_params/function_definition.py",
        names_match(r"[a-zA-Z0-9_-]{1,64}"),
    ),
    Rule(
        "O-unique",
        "hard",
        TOOLS,
        "two tools of one name",
        "NeMo-Agent-Toolkit#1215",
        names_differ,
    ),
    Rule(
        "O-count",
        "budget",
        TOOLS,
        "more than 128 tools",
        "developers.openai.com/api/docs/guides/function-calling",
        _count,
    ),
    Rule(
        "O-description",
        "soft",
        ALL,
        "a description of more than 1024 characters",
        "OpenManus#818 (some endpoints)",
        each_definition(_description),
    ),
    Rule(
        "O-root",
        "hard",
        ALL,
        "a root whose type is not the text 'object'",
        "chatanywhere/GPT_API_free#403 (\"got 'type: null'\")",
        each_document(_root),
    ),
    Rule(
        "O-root-comb",
        "hard",
        ALL,
        "oneOf, anyOf, allOf, enum or not at the top level",
        "google-calendar-mcp#39, langchainjs#9804, cecli#281",
        each_document(_root_combinators),
    ),
    Rule(
        "O-root-properties",
        "hard",
        ALL,
        "a root object without properties",
        "spring-ai#4776, kubernetes-mcp-server#340 ('object schema missing properties')",
        each_document(_root_properties),
    ),
    Rule(
        "O-items",
        "hard",
        ALL,
        "an array without items",
        "aichat#1049, mcp-digitalocean#265, byterover-cli#42",
        each_node(_items),
    ),
    Rule(
        "O-strict-flag",
        "hard",
        ALL,
        "a definition whose strict is not that of the profile",
        "openai 3.54 types/responses/function_tool_param.py (strict is Required);"
        " coder/xum#2250, #4206",
        _strict_flag,
    ),
    Rule(
        "O-callers",
        "hard",
        frozenset({"responses", "responses_strict"}),
        "a caller that is not known",
        "openai 3.57 types/responses/function_tool_param.py",
        each_definition(_callers),
    ),
    Rule("O-json", "hard", ALL, "what is not plain JSON", "RFC 8259", plain_json),
    Rule("OS-closed", "hard", STRICT, "an open object", _GUIDE, each_node(_closed), "2026-02"),
    Rule(
        "OS-required",
        "hard",
        STRICT,
        "an object whose required does not name exactly its properties",
        f"{_GUIDE}; opencode#13737",
        each_node(_required),
        "2026-02",
    ),
    Rule(
        "OS-typed",
        "hard",
        STRICT,
        "a schema without type, $ref, anyOf, enum or const",
        "oh-my-pi#211, odoo-llm#212 (\"schema must have a 'type' key\"), pydantic-ai#4425",
        each_node(_typed),
    ),
    Rule(
        "OS-enum-typed",
        "soft",
        STRICT,
        "an enum or const without a type",
        "oh-my-pi#211, odoo-llm#212; pydantic-ai counts enum and const as typed",
        each_node(_enum_typed),
    ),
    Rule(
        "OS-composition",
        "hard",
        STRICT,
        "oneOf, allOf, not, conditions and dependencies",
        f"{_GUIDE}; notion-mcp-server#102; openai-agents 0.24 strict_schema.py (oneOf)",
        each_node(has_none_of(*_COMPOSITION)),
        "2026-02",
    ),
    Rule(
        "OS-default",
        "hard",
        STRICT,
        "default",
        "instructor#1074 (\"'default' is not permitted\"); doubt: openai-agents 0.24 sends it",
        each_node(has_none_of("default")),
    ),
    Rule(
        "OS-keywords",
        "hard",
        STRICT,
        "patterns and counts of properties, and most keywords of arrays",
        f"{_PYDANTIC_AI} _STRICT_INCOMPATIBLE_KEYS; mastra#23321; TanStack/ai#976",
        each_node(has_none_of(*_UNSUPPORTED)),
    ),
    Rule(
        "OS-length",
        "soft",
        STRICT,
        "minLength and maxLength",
        "jina node-DeepResearch#79 (2025-03); pydantic-ai 2.68 lets them through to OpenAI itself",
        each_node(has_none_of("minLength", "maxLength")),
    ),
    Rule(
        "OS-annotation",
        "soft",
        STRICT,
        "any other keyword",
        "opencode#13737; pydantic-ai 2.68 pops $schema and discriminator",
        each_node(has_only(_KNOWN)),
    ),
    Rule(
        "OS-format",
        "hard",
        STRICT,
        "a format that is not in the list",
        "git-mcp-server#47, jcode#543 (\"'uri' is not a valid format\"); pydantic-ai 2.68 list",
        each_node(_format),
    ),
    Rule(
        "OS-pattern",
        "hard",
        STRICT,
        "look-around in a pattern",
        f"{_PYDANTIC_AI} _regex_contains_lookaround; pydantic#13017",
        each_node(_pattern),
    ),
    Rule(
        "OS-ref-alone",
        "hard",
        STRICT,
        "anything beside $ref",
        'camel#3001 ("$ref cannot have keywords"); openai 3.54 lib/_pydantic.py unravels it',
        each_node(_reference_alone),
    ),
    Rule(
        "OS-ref-target",
        "hard",
        STRICT,
        "a $ref that is not '#' or a definition of the root",
        f"{_PYDANTIC_AI} _TOP_LEVEL_DEFINITION_REF",
        each_node(_reference),
    ),
    Rule(
        "OS-enum-fits",
        "hard",
        STRICT,
        "a member that is not of the schema's type; a nullable enum without null",
        "oh-my-pi#1835 ('enum value … does not validate against'); mastra#23173",
        each_node(_enum_fits),
    ),
    Rule(
        "OS-first-key",
        "soft",
        STRICT,
        "objects in one anyOf that begin with the same key",
        "openai-python#2193, community.openai.com/t/958572 (Azure and older models)",
        each_node(_first_keys),
    ),
    Rule(
        "OS-depth",
        "hard",
        STRICT,
        "more than 10 levels of objects, in the schema or in a definition",
        f"{_GUIDE}; {_PYDANTIC_AI} _exceeds_strict_size_limits",
        each_document(_depth),
        "2026-02",
    ),
    Rule(
        "OS-properties",
        "hard",
        STRICT,
        "more than 5000 properties",
        _GUIDE,
        each_document(_properties),
        "2026-02",
    ),
    Rule(
        "OS-enum-count",
        "hard",
        STRICT,
        "more than 1000 enum values; more than 250 texts with more than 15,000 characters",
        _GUIDE,
        each_document(_enum_count),
        "2026-02",
    ),
    Rule(
        "OS-chars",
        "hard",
        STRICT,
        "more than 120,000 characters of names, enum values and constants",
        _GUIDE,
        each_document(_characters),
        "2026-02",
    ),
)
