"""What clients and servers of the Model Context Protocol refuse in a list of tools."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tests.vendors.documents import Document, Place
from tests.vendors.rules import (
    Definition,
    Finding,
    Request,
    Rule,
    document_at,
    each_definition,
    in_shape,
    is_a,
    missing_and_unknown,
    names_differ,
    names_match,
    plain_json,
    reference_resolves,
    short,
    why_invalid,
)


@dataclass(frozen=True, slots=True)
class Profile:
    """The keys that a version of the protocol has beside the name and the input schema."""

    optional: tuple[str, ...]
    has_boolean_properties: bool
    has_object_output: bool


_2025_06 = ("title", "description", "outputSchema", "annotations", "_meta")
PROFILES = {
    "2025-06-18": Profile(_2025_06, False, True),
    "2025-11-25": Profile((*_2025_06, "icons", "execution"), True, True),
    "2026-07-28": Profile((*_2025_06, "icons"), True, False),
}
ALL = frozenset(PROFILES)
UP_TO_2025 = frozenset(("2025-06-18", "2025-11-25"))


def read(profile: Profile, given: Sequence[Any]) -> Request:
    """Return *given*, the tools of a list, as *profile* spells them."""
    found = tuple(_tool(profile, each, Place(None, at)) for at, each in enumerate(given))
    return Request(profile, given, found)


def _tool(profile: Profile, given: Any, place: Place) -> Definition:
    shape = [*missing_and_unknown(given, place, ("name", "inputSchema"), profile.optional)]
    for key, types in (
        ("name", (str,)),
        ("title", (str, type(None))),
        ("description", (str, type(None))),
        ("inputSchema", (dict,)),
        ("outputSchema", (dict, type(None))),
        ("annotations", (dict, type(None))),
        ("_meta", (dict, type(None))),
        ("icons", (list, type(None))),
        ("execution", (dict, type(None))),
    ):
        shape += is_a(given, place, key, *types)
    body = given if isinstance(given, dict) else {}
    return Definition(
        body,
        place,
        body.get("name"),
        body.get("description"),
        document_at(body, place, "inputSchema"),
        document_at(body, place, "outputSchema"),
        tuple(shape),
    )


def _either(
    check: Callable[[Document], Iterator[str]],
) -> Callable[[Request], Iterator[Finding]]:
    """Make a check of a request of *check*, which judges an input or output schema."""

    def find(definition: Definition) -> Iterator[Finding]:
        for document in definition.documents():
            for text in check(document):
                yield document.place, text

    return each_definition(find)


def _input_root(definition: Definition) -> Iterator[Finding]:
    document = definition.input
    if document is not None and document.root.get("type") != "object":
        yield document.place, f"type is {short(document.root.get('type'))}, not object"


def _input_form(request: Request) -> Iterator[Finding]:
    types = (dict, bool) if request.profile.has_boolean_properties else (dict,)
    for definition in request.definitions:
        document = definition.input
        if document is None:
            continue
        yield from is_a(document.schema, document.place, "properties", dict)
        yield from is_a(document.schema, document.place, "required", list)
        properties, required = document.root.get("properties"), document.root.get("required")
        for name, each in properties.items() if isinstance(properties, dict) else ():
            if type(each) not in types:
                yield document.place / "properties" / name, f"{short(each)} is not a schema"
        if isinstance(required, list) and not all(type(each) is str for each in required):
            yield document.place / "required", f"{short(required)} are not texts"


def _output_root(definition: Definition) -> Iterator[Finding]:
    document = definition.output
    if document is not None and document.root.get("type") != "object":
        yield document.place, f"type is {short(document.root.get('type'))}, not object"


def _output_reference(definition: Definition) -> Iterator[Finding]:
    document = definition.output
    if document is not None and "$ref" in document.root.keywords():
        yield document.place, "$ref at the root of the output schema"


def _valid(document: Document) -> Iterator[str]:
    yield from why_invalid(document, document.root.get("$schema"))


def _references(document: Document) -> Iterator[str]:
    for node in document.nodes:
        text = reference_resolves(node, document)
        if text is not None:
            yield f"{text}, at {node.place}"


_SCHEMA = "modelcontextprotocol schema.json, by mcp-types 2.3 _v2025_11_25 and _v2026_07_28"
_TOOLS = "modelcontextprotocol.io/specification/2025-11-25/server/tools"

RULES = (
    Rule(
        "M-shape",
        "hard",
        ALL,
        "unknown keys, and keys that are missing or of another type",
        _SCHEMA,
        in_shape,
    ),
    Rule(
        "M-name",
        "hard",
        ALL,
        "a name that is not 1 to 128 of A-Z a-z 0-9 _ . -",
        f"{_TOOLS}#tool-names (SHOULD); mcp 2.3 shared/tool_name_validation.py;"
        " python-sdk#3076 (a trailing newline)",
        names_match(r"[A-Za-z0-9_.-]{1,128}"),
    ),
    Rule(
        "M-unique",
        "hard",
        ALL,
        "two tools of one name",
        f"{_TOOLS} ('unique identifier')",
        names_differ,
    ),
    Rule(
        "M-input-root",
        "hard",
        ALL,
        "an inputSchema whose type is not 'object'",
        _SCHEMA,
        each_definition(_input_root),
    ),
    Rule(
        "M-input-form",
        "hard",
        ALL,
        "properties that are not schemas by name, and required that are not texts",
        f"{_SCHEMA}; 2025-06-18 schema.json Tool.inputSchema",
        _input_form,
    ),
    Rule(
        "M-output-root",
        "hard",
        UP_TO_2025,
        "an outputSchema whose type is not 'object'",
        _SCHEMA,
        each_definition(_output_root),
    ),
    Rule(
        "M-output-ref",
        "hard",
        UP_TO_2025,
        "an outputSchema with $ref at its root",
        "fastmcp#2455, #2720, #2727; python-sdk#3337",
        each_definition(_output_reference),
    ),
    Rule(
        "M-2020-12",
        "hard",
        ALL,
        "what is not a JSON Schema of its dialect, 2020-12 unless $schema says otherwise",
        "modelcontextprotocol.io/specification/2025-11-25 (SEP-1613); mcp-types 2.3 _types.py Tool",
        _either(_valid),
    ),
    Rule(
        "M-ref",
        "hard",
        ALL,
        "a $ref that leaves the schema, or names nothing in it",
        "python-sdk#3394; modelcontextprotocol.io/seps/2106-json-schema-2020-12",
        _either(_references),
    ),
    Rule("M-json", "hard", ALL, "what is not plain JSON", "RFC 8259", plain_json),
)
