"""What Anthropic refuses: tools, strict tools, and output formats."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import jsonschema  # type: ignore[import-untyped]

from tests.vendors.documents import Document, Node, Place
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
    """Whether a tool or an output format, and whether strict; formats always are."""

    is_tool: bool
    strict: bool


PROFILES = {
    "tools": Profile(True, False),
    "tools_strict": Profile(True, True),
    "format": Profile(False, True),
}
ALL = frozenset(PROFILES)
TOOLS = frozenset(("tools", "tools_strict"))
STRICT = frozenset(("tools_strict", "format"))


def read(profile: Profile, given: Sequence[Any]) -> Request:
    """Return *given*, definitions of tools or formats."""
    reader = _tool if profile.is_tool else _format_of
    found = tuple(reader(each, Place(None, at)) for at, each in enumerate(given))
    return Request(profile, given, found)


_OPTIONAL = (
    "type",
    "description",
    "strict",
    "allowed_callers",
    "cache_control",
    "defer_loading",
    "eager_input_streaming",
    "input_examples",
)


def _tool(given: Any, place: Place) -> Definition:
    shape = [*missing_and_unknown(given, place, ("name", "input_schema"), _OPTIONAL)]
    for key, types in (("name", (str,)), ("description", (str,)), ("strict", (bool,))):
        shape += is_a(given, place, key, *types)
    shape += is_a(given, place, "input_schema", dict)
    body = given if isinstance(given, dict) else {}
    if body.get("type", "custom") not in ("custom", None):
        shape.append((place / "type", "is not custom"))
    found = document_at(body, place, "input_schema")
    return Definition(
        body, place, body.get("name"), body.get("description"), found, shape=tuple(shape)
    )


def _format_of(given: Any, place: Place) -> Definition:
    shape = [*missing_and_unknown(given, place, ("type", "schema"), ())]
    shape += is_a(given, place, "schema", dict)
    body = given if isinstance(given, dict) else {}
    if body.get("type", "json_schema") != "json_schema":
        shape.append((place / "type", "is not json_schema"))
    return Definition(body, place, input=document_at(body, place, "schema"), shape=tuple(shape))


# any tool


def _root(document: Document) -> Iterator[str]:
    if document.root.get("type") != "object":
        yield f"type is {short(document.root.get('type'))}, not object"


def _root_combinators(document: Document) -> Iterator[str]:
    found = document.root.keywords() & {"oneOf", "anyOf", "allOf"}
    if found:
        yield f"has {', '.join(sorted(found))} at the top level"


_KEY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")


def _unfit_keys(node: Node) -> str | None:
    properties = node.get("properties")
    for name in properties if isinstance(properties, dict) else ():
        if not isinstance(name, str) or _KEY.fullmatch(name) is None:
            return f"the property {short(name)} is not {_KEY.pattern}"
    return None


def _keys(node: Node, document: Document) -> str | None:
    return _unfit_keys(node) if node.is_root else None


def _nested_keys(node: Node, document: Document) -> str | None:
    return None if node.is_root else _unfit_keys(node)


def _strict_flag(request: Request) -> Iterator[Finding]:
    for definition in request.definitions:
        flag = definition.body.get("strict", False)
        if flag is not request.profile.strict:
            yield definition.place, f"strict is {short(flag)}"


def _examples(definition: Definition) -> Iterator[Finding]:
    examples = definition.body.get("input_examples")
    if not isinstance(examples, list) or definition.input is None:
        return
    validator = jsonschema.Draft202012Validator(definition.body["input_schema"])
    for at, example in enumerate(examples):
        if not validator.is_valid(example):
            yield definition.place / "input_examples" / at, f"{short(example)} does not fit"


def _all_deferred(request: Request) -> Iterator[Finding]:
    waiting = [each.body.get("defer_loading") is True for each in request.definitions]
    if waiting and all(waiting):
        yield request.definitions[0].place, "every tool has defer_loading"


#: Who may call a tool.
_CALLERS = re.compile(r"direct|code_execution_(20250825|20260120|20260521)")


def _callers(definition: Definition) -> Iterator[Finding]:
    callers = definition.body.get("allowed_callers", [])
    for each in callers if isinstance(callers, list) else [callers]:
        if not isinstance(each, str) or _CALLERS.fullmatch(each) is None:
            yield definition.place / "allowed_callers", f"the caller {short(each)}"


# strict


def _closed(node: Node, document: Document) -> str | None:
    if node.is_object and node.get("additionalProperties") is not False:
        return "an object that is not closed by additionalProperties false"
    return None


def _items(node: Node, document: Document) -> str | None:
    least = node.get("minItems")
    if least is not None and least not in (0, 1):
        return f"minItems {short(least)}"
    unknown = ("maxItems", "uniqueItems", "contains", "minContains", "maxContains", "prefixItems")
    return has_none_of(*unknown)(node, document)


_FORMATS = (
    *("date-time", "time", "date", "duration", "email", "hostname"),
    *("uri", "ipv4", "ipv6", "uuid"),
)


def _format(node: Node, document: Document) -> str | None:
    found = node.get("format")
    return None if found is None or found in _FORMATS else f"the format {short(found)}"


def _pattern(node: Node, document: Document) -> str | None:
    found = node.get("pattern")
    used = parts(found) if isinstance(found, str) else []
    return f"{', '.join(sorted(set(used)))} in {short(found)}" if used else None


def _recursion(document: Document) -> Iterator[str]:
    found = document.cycle()
    if found is not None:
        yield f"recursive through {found.place}"


def _reference_alone(node: Node, document: Document) -> str | None:
    # The SDK keeps the definitions beside a reference at the root.
    beside = node.keywords() - {"$ref", "$defs"}
    if "$ref" in node.keywords() and beside:
        return f"$ref beside {', '.join(sorted(beside))}"
    return None


def _all_of(node: Node, document: Document) -> str | None:
    branches = node.get("allOf")
    for branch in branches if isinstance(branches, list) else ():
        if isinstance(branch, dict) and "$ref" in branch:
            return "allOf with $ref"
    return None


def _enum(node: Node, document: Document) -> str | None:
    members = node.get("enum") if isinstance(node.get("enum"), list) else []
    for value in (*members, node.get("const")):
        if isinstance(value, (dict, list)):
            return f"the member {short(value)}"
    return None


def _typed(node: Node, document: Document) -> str | None:
    if not isinstance(node.schema, dict):
        return f"the schema {short(node.schema)}"
    if node.keywords() & {"type", "anyOf", "allOf", "$ref", "enum", "const"}:
        return None
    return "has no type"


_KEYWORDS = (
    *("oneOf", "not", "if", "then", "else", "patternProperties", "propertyNames"),
    *("minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "dependencies"),
    *("unevaluatedProperties", "unevaluatedItems", "additionalItems"),
)
_NUMBER = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
#: What the SDK keeps, and what other rows judge.
_KNOWN = (
    *("type", "properties", "required", "additionalProperties", "items", "anyOf", "allOf"),
    *("enum", "const", "$ref", "$defs", "definitions", "title", "description", "format"),
    *("pattern", "minItems", "maxItems", "uniqueItems", "contains", "minContains"),
    *("maxContains", "prefixItems", "minLength", "maxLength"),
    *_NUMBER,
    *_KEYWORDS,
)


# the request


def _count(request: Request) -> Iterator[Finding]:
    if len(request.definitions) > 20:
        yield Place(None, 20), f"{len(request.definitions)} strict tools, more than 20"


def _counted(request: Request, what: str, most: int, key: Any) -> Iterator[Finding]:
    """Yield the definition at which the sum of *key* of every schema exceeds *most*."""
    total = 0
    for definition in request.definitions:
        if definition.input is not None and total <= most:
            total += sum(key(node) for node in definition.input.nodes)
            if total > most:
                yield definition.place, f"{what}: {total} up to here, more than {most}"


def _optionals_of(node: Node) -> int:
    properties, required = node.get("properties"), node.get("required")
    if not isinstance(properties, dict):
        return 0
    needed = required if isinstance(required, list) else []
    return len(set(properties) - {name for name in needed if isinstance(name, str)})


def _optionals(request: Request) -> Iterator[Finding]:
    return _counted(request, "optional parameters", 24, _optionals_of)


def _unions(request: Request) -> Iterator[Finding]:
    def is_union(node: Node) -> bool:
        return "anyOf" in node.keywords() or isinstance(node.get("type"), list)

    return _counted(request, "unions", 16, is_union)


_LIMITS = (
    "platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations"
    " (hexdocs lang_schema 0.7.1 copies the list)"
)
_TRANSFORM = "anthropic 2.12 lib/_parse/_transform.py"
_TOOL_PARAM = "anthropic 2.12 types/tool_param.py"

RULES = (
    Rule(
        "A-shape",
        "hard",
        ALL,
        "unknown keys, and keys that are missing or of another type",
        f"{_TOOL_PARAM}, types/json_output_format_param.py",
        in_shape,
    ),
    Rule(
        "A-name",
        "hard",
        TOOLS,
        "a name that is not 1 to 64 of a-z A-Z 0-9 _ -",
        "platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools"
        " (a refusal said 128: copilot-cli#1879)",
        names_match(r"[a-zA-Z0-9_-]{1,64}"),
    ),
    Rule(
        "A-unique",
        "hard",
        TOOLS,
        "two tools of one name",
        "claude-code#10687, LibreChat#13162 ('Tool names must be unique')",
        names_differ,
    ),
    Rule(
        "A-root",
        "hard",
        TOOLS,
        "an input_schema whose type is not 'object'",
        f"{_TOOL_PARAM} InputSchemaTyped",
        each_document(_root),
    ),
    Rule(
        "A-root-comb",
        "hard",
        TOOLS,
        "oneOf, allOf or anyOf at the top level",
        "claude-code#40075, #27337, #44788; huly-mcp#66; argent#773",
        each_document(_root_combinators),
    ),
    Rule(
        "A-property-key",
        "hard",
        TOOLS,
        "a top-level property that is not 1 to 64 of a-z A-Z 0-9 _ . -",
        "claude-code#79418, composio#2330, #3500, decocms/studio#6874 (top level only)",
        each_node(_keys),
    ),
    Rule(
        "A-property-key-nested",
        "soft",
        TOOLS,
        "a nested property of another form",
        "decocms/studio#6874 says that only the top level is checked",
        each_node(_nested_keys),
    ),
    Rule(
        "A-2020-12",
        "hard",
        ALL,
        "what is not a JSON Schema of 2020-12",
        "claude-code#7365, #54439, mcp-gsuite#19",
        each_document(is_valid_2020_12),
    ),
    Rule(
        "A-strict-flag",
        "hard",
        TOOLS,
        "a definition whose strict is not that of the profile",
        _TOOL_PARAM,
        _strict_flag,
    ),
    Rule(
        "A-examples",
        "hard",
        TOOLS,
        "an example of arguments that does not fit the schema",
        f"{_TOOL_PARAM}; platform.claude.com … define-tools",
        each_definition(_examples),
    ),
    Rule(
        "A-deferred",
        "hard",
        TOOLS,
        "defer_loading on every tool of a request",
        "pydantic-ai 2.68 models/anthropic _validate_wire_tools_not_all_deferred",
        _all_deferred,
    ),
    Rule(
        "A-callers",
        "hard",
        TOOLS,
        "a caller that is not known",
        "anthropic 2.13 types/tool_param.py",
        each_definition(_callers),
    ),
    Rule("A-json", "hard", ALL, "what is not plain JSON", "RFC 8259", plain_json),
    Rule(
        "AS-closed",
        "hard",
        STRICT,
        "an open object",
        f"{_LIMITS}; brainlid/langchain#490",
        each_node(_closed),
    ),
    Rule(
        "AS-number",
        "hard",
        STRICT,
        "bounds of numbers, and multipleOf",
        "earendil-works/pi#9953, req_llm#302",
        each_node(has_none_of(*_NUMBER)),
    ),
    Rule(
        "AS-length",
        "hard",
        STRICT,
        "minLength and maxLength",
        f"{_LIMITS}; memorize-everything#93",
        each_node(has_none_of("minLength", "maxLength")),
    ),
    Rule(
        "AS-items",
        "hard",
        STRICT,
        "minItems above 1, and other keywords of arrays than items",
        f"memorize-everything#93; {_TRANSFORM} (everything else goes to the description)",
        each_node(_items),
    ),
    Rule(
        "AS-keywords",
        "hard",
        STRICT,
        "oneOf, not, conditions, dependencies, patterns and counts of properties",
        f"{_TRANSFORM}; oh-my-pi#1107 (propertyNames)",
        each_node(has_none_of(*_KEYWORDS)),
    ),
    Rule(
        "AS-format",
        "hard",
        STRICT,
        "a format that is not in the list",
        f"{_TRANSFORM} SupportedStringFormats",
        each_node(_format),
    ),
    Rule(
        "AS-pattern",
        "hard",
        STRICT,
        "look-around, a back-reference or a word boundary in a pattern",
        _LIMITS,
        each_node(_pattern),
    ),
    Rule("AS-recursion", "hard", STRICT, "a recursive schema", _LIMITS, each_document(_recursion)),
    Rule(
        "AS-ref",
        "hard",
        STRICT,
        "a $ref to what is not in the schema",
        _LIMITS,
        each_node(reference_resolves),
    ),
    Rule(
        "AS-ref-alone",
        "soft",
        STRICT,
        "anything beside $ref",
        f"{_TRANSFORM} returns early and drops it",
        each_node(_reference_alone),
    ),
    Rule("AS-allof-ref", "hard", STRICT, "allOf with $ref", _LIMITS, each_node(_all_of)),
    Rule(
        "AS-enum",
        "hard",
        STRICT,
        "an enum member or const that is an object or array",
        f"{_LIMITS}; {_TRANSFORM} is_primitive",
        each_node(_enum),
    ),
    Rule(
        "AS-typed",
        "hard",
        STRICT,
        "a schema without type, anyOf, allOf, $ref, enum or const",
        f"{_TRANSFORM} ValueError",
        each_node(_typed),
    ),
    Rule(
        "AS-annotation",
        "soft",
        STRICT,
        "any other keyword",
        f"{_TRANSFORM} moves them to the description",
        each_node(has_only(_KNOWN)),
    ),
    Rule(
        "AS-tools",
        "budget",
        frozenset({"tools_strict"}),
        "more than 20 strict tools",
        "genkit#5230; platform.claude.com/docs/en/agents-and-tools/tool-use/strict-tool-use",
        _count,
    ),
    Rule(
        "AS-optionals",
        "budget",
        STRICT,
        "more than 24 optional parameters in all schemas",
        "genkit#5230, alphaXiv/agents#51",
        _optionals,
    ),
    Rule(
        "AS-unions",
        "budget",
        STRICT,
        "more than 16 parameters with anyOf or a list of types in all schemas",
        "mozilla/bugbug#6129; hexdocs lang_schema 0.7.1",
        _unions,
    ),
)
