"""The subschemas, keywords and references of a JSON Schema document.

Used by `json_schemas.py` and `mcp_tools.py`.  It is independent of typesig, so that it
does not share the errors of the reader that it tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

#: Keywords that contain schemas: by name, a single one, a list.
NAMED = ("properties", "patternProperties", "definitions", "$defs", "dependentSchemas")
SINGLE = (
    "additionalProperties", "propertyNames", "additionalItems", "contains", "not", "if", "then",
    "else", "unevaluatedProperties", "unevaluatedItems", "contentSchema",
)  # fmt: skip
LISTED = ("prefixItems", "allOf", "anyOf", "oneOf")
#: A JSON object with one of these keys is taken for a schema.
MARKS = frozenset(
    ("$schema", "properties", "definitions", "$defs", "type", "anyOf", "oneOf", "allOf", "$ref")
)
Pointer = tuple[str, ...]


def subschemas(schema: Any, at: Pointer = ()) -> Iterator[tuple[Pointer, Any]]:
    """Yield *schema* and the schemas inside it, each with its pointer."""
    waiting = [(at, schema)]
    while waiting:
        place, each = waiting.pop()
        yield place, each
        if isinstance(each, dict):
            waiting.extend(reversed(list(_below(each, place))))


def _below(schema: dict[str, Any], at: Pointer) -> Iterator[tuple[Pointer, Any]]:
    for word in (*NAMED, "dependencies"):
        held = schema.get(word)
        if isinstance(held, dict):
            for name, each in held.items():
                # A list in `dependencies` contains names of properties.
                if isinstance(each, dict | bool):
                    yield (*at, word, name), each
    for word in (*SINGLE, "items"):
        held = schema.get(word)
        if isinstance(held, dict | bool):
            yield (*at, word), held
    for word in (*LISTED, "items"):
        held = schema.get(word)
        if isinstance(held, list):
            for index, each in enumerate(held):
                yield (*at, word, str(index)), each


def keywords(schema: Any) -> Counter[str]:
    """Count the keywords of *schema*; different forms of a keyword count separately."""
    found: Counter[str] = Counter()
    for _, each in subschemas(schema):
        if not isinstance(each, dict):
            found["(boolean schema)"] += 1
            continue
        for word, value in each.items():
            found[_form(word, value)] += 1
    return found


def _form(word: str, value: Any) -> str:
    match word, value:
        case "type" | "items", list():
            return f"{word} (list)"
        case "exclusiveMinimum" | "exclusiveMaximum", bool():
            return f"{word} (boolean)"
        case "additionalProperties", dict():
            return f"{word} (schema)"
        case "additionalProperties", _:
            return f"{word} ({str(value).lower()})"
        case "format", str():
            return f"format {value}"
        case "$ref", str():
            return "$ref (outside)" if value.partition("#")[0] else "$ref"
        case "required", bool():
            return "required (boolean)"
        case _:
            return word


def draft_of(schema: Any) -> str:
    """Return the draft that `$schema` names, else "4", "7" or "2020-12" by the forms used."""
    told = schema.get("$schema") if isinstance(schema, dict) else None
    if isinstance(told, str):
        for name in ("draft-03", "draft-04", "draft-06", "draft-07", "2019-09", "2020-12"):
            if name in told:
                return name.removeprefix("draft-0")
    forms = keywords(schema)
    if forms["exclusiveMinimum (boolean)"] or forms["exclusiveMaximum (boolean)"]:
        return "4"
    old = ("items (list)", "additionalItems", "dependencies")
    return "7" if any(forms[form] for form in old) else "2020-12"


class Names:
    """The targets of the references of one document."""

    def __init__(self, root: Any) -> None:
        self.root = root
        #: By absolute URI; an anchor follows the "#".
        self.found: dict[str, Any] = {"": root}
        self._take(root, "")

    def _take(self, schema: Any, base: str) -> None:
        waiting = [(schema, base)]
        while waiting:
            each, base = waiting.pop()
            if not isinstance(each, dict):
                continue
            told = each.get("$id", each.get("id"))
            if isinstance(told, str) and not told.startswith("#"):
                base = urldefrag(urljoin(base, told))[0]
                self.found.setdefault(base, each)
            for anchor in (each.get("$anchor"), each.get("$dynamicAnchor"), told):
                if isinstance(anchor, str) and (anchor is not told or anchor.startswith("#")):
                    self.found.setdefault(f"{base}#{anchor.lstrip('#')}", each)
            waiting.extend((inner, base) for _, inner in _below(each, ()))

    def target(self, reference: str) -> Any:
        """Return the schema that *reference* names, or None if it is not in this document."""
        address, fragment = urldefrag(reference)
        if address and address not in self.found:
            ends = [known for known in self.found if known.endswith(f"/{address}")]
            if not ends:
                return None
            address = ends[0]
        document = self.found[address]
        if fragment and not fragment.startswith("/"):
            spots = [n for n in self.found if n.endswith(f"#{fragment}")]
            return self.found[spots[0]] if spots else None
        return at(document if address or not fragment else self.root, unquote(fragment))


def at(document: Any, pointer: str) -> Any:
    """Return the value at *pointer* in *document*, or None."""
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        try:
            document = document[int(step) if isinstance(document, list) else step]
        except (KeyError, IndexError, ValueError, TypeError):
            return None
    return document
