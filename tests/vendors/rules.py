"""The row of a rule, what rules judge, and how a check of a part becomes a check of a request."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, Literal

import jsonschema  # type: ignore[import-untyped]

from tests.vendors.documents import (
    LISTS,
    MAPS,
    MOST_NODES,
    SINGLE,
    Document,
    Node,
    Place,
    TooLargeToJudge,
)

Kind = Literal["hard", "soft", "budget"]

#: A place and what is wrong there.
Finding = tuple[Place, str]


@dataclass(frozen=True, slots=True)
class Definition:
    """One tool or response format, as it is sent.

    *body* is the object that has the name and the schemas, *place* its place in the request. A part
    that is absent, or is not of the expected type, is None. *extra* are findings about its shape.
    """

    body: dict[str, Any]
    place: Place
    name: Any = None
    description: Any = None
    input: Document | None = None
    output: Document | None = None
    shape: tuple[Finding, ...] = ()

    def documents(self) -> Iterator[Document]:
        """Yield the input schema and the output schema, if they are there."""
        if self.input is not None:
            yield self.input
        if self.output is not None:
            yield self.output


@dataclass(frozen=True, slots=True)
class Request:
    """The definitions of one request, as they were given and as a vendor reads them.

    *profile* is the value in the vendor's `PROFILES`.
    """

    profile: Any
    given: Sequence[Any]
    definitions: tuple[Definition, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """Something that a vendor refuses, in requests of *profiles*.

    *source* is the page, the file or the thread that says so, and *date* when it was read.
    """

    id: str
    kind: Kind
    profiles: frozenset[str]
    refuses: str
    source: str
    find: Callable[[Request], Iterable[Finding]]
    date: str = "2026-11"


@dataclass(frozen=True, slots=True)
class Violation:
    """A place in a request that breaks a rule."""

    rule: Rule
    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.rule.id} {self.place}: {self.text}"


# a check of a part as a check of the request


def in_shape(request: Request) -> Iterator[Finding]:
    """Yield what `read` found about the shape of the definitions."""
    for definition in request.definitions:
        yield from definition.shape


def each_definition(
    check: Callable[[Definition], Iterable[Finding]],
) -> Callable[[Request], Iterator[Finding]]:
    """Make a check of a request of *check*, which judges one definition."""

    def find(request: Request) -> Iterator[Finding]:
        for definition in request.definitions:
            yield from check(definition)

    return find


def each_document(
    check: Callable[[Document], Iterable[str]],
) -> Callable[[Request], Iterator[Finding]]:
    """Make a check of a request of *check*, which judges one input schema as a whole."""

    def find(request: Request) -> Iterator[Finding]:
        for definition in request.definitions:
            if definition.input is not None:
                for text in check(definition.input):
                    yield definition.input.place, text

    return find


def each_node(
    check: Callable[[Node, Document], str | None], *, closers: bool = False
) -> Callable[[Request], Iterator[Finding]]:
    """Make a check of a request of *check*, which judges one schema within an input schema.

    Its answer is what is wrong, else None. `additionalProperties: false` is visited only with
    *closers*.
    """

    def find(request: Request) -> Iterator[Finding]:
        for definition in request.definitions:
            document = definition.input
            if document is None:
                continue
            for node in document.nodes:
                if not closers and node.role == "additionalProperties" and node.schema is False:
                    continue
                text = check(node, document)
                if text is not None:
                    yield node.place, text

    return find


def has_none_of(*keywords: str) -> Callable[[Node, Document], str | None]:
    """Make a check of a schema that refuses *keywords*."""

    def check(node: Node, document: Document) -> str | None:
        found = node.keywords() & set(keywords)
        return f"has {', '.join(sorted(found))}" if found else None

    return check


def has_only(keywords: Iterable[str]) -> Callable[[Node, Document], str | None]:
    """Make a check of a schema that refuses all but *keywords*."""
    known = frozenset(keywords)

    def check(node: Node, document: Document) -> str | None:
        found = node.keywords() - known
        return f"has {', '.join(sorted(map(str, found)))}" if found else None

    return check


# checks that several vendors share


def names_match(pattern: str) -> Callable[[Request], Iterator[Finding]]:
    """Make a check of the definitions' names: the whole of each matches *pattern*."""
    wanted = re.compile(pattern)

    def check(definition: Definition) -> Iterator[Finding]:
        name = definition.name
        if not isinstance(name, str) or wanted.fullmatch(name) is None:
            yield definition.place, f"the name {short(name)} is not {pattern}"

    return each_definition(check)


def names_differ(request: Request) -> Iterator[Finding]:
    """Yield the definitions whose name an earlier one has."""
    seen: set[Any] = set()
    for definition in request.definitions:
        if isinstance(definition.name, str):
            if definition.name in seen:
                yield definition.place, f"a second {short(definition.name)}"
            seen.add(definition.name)


def plain_json(request: Request) -> Iterator[Finding]:
    """Yield the places of what JSON, or UTF-8, cannot hold."""
    left: list[tuple[Any, Place]] = [
        (each, Place(None, index)) for index, each in enumerate(request.given)
    ]
    visited = 0
    while left:
        value, place = left.pop()
        visited += 1
        if visited > 10 * MOST_NODES:
            raise TooLargeToJudge(f"{place}: the request is too large")
        if type(value) is dict:
            for key, each in value.items():
                if type(key) is not str:
                    yield place, f"the key {short(key)} is not text"
                elif not _is_utf8(key):
                    yield place, "a key has a lone surrogate"
                left.append((each, place / str(key)))
        elif type(value) is list:
            left.extend((each, place / index) for index, each in enumerate(value))
        elif type(value) is float and value - value != 0:
            yield place, f"{value} is not JSON"
        elif type(value) is str and not _is_utf8(value):
            yield place, "text with a lone surrogate"
        elif type(value) not in (str, int, float, bool, type(None)):
            yield place, f"{type(value).__name__} is not JSON"


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def reference_resolves(node: Node, document: Document) -> str | None:
    """Return what is wrong with a reference that names no schema in the document."""
    if "$ref" not in node.keywords():
        return None
    reference = node.get("$ref")
    if isinstance(document.resolve(reference), (dict, bool)):
        return None
    return f"the reference {short(reference)} names nothing in the schema"


@cache
def _judge_of(dialect: str) -> Any:
    """Return the validator of schemas written in *dialect*, 2020-12 if it is unknown."""
    validator = jsonschema.validators.validator_for(
        {"$schema": dialect}, default=jsonschema.Draft202012Validator
    )
    schema = dict(validator.META_SCHEMA)
    if "$id" in schema:
        # Since 3.14 urljoin keeps an empty fragment. jsonschema before 4.18 then does not find the
        # schema by its name, and takes the property `$id` of draft 7 for the name of another one.
        schema["$id"] = schema["$id"].removesuffix("#")
    return validator(schema)


def why_invalid(document: Document, dialect: Any = "") -> Iterator[str]:
    """Yield why *document* is not a JSON Schema of *dialect*, 2020-12 by default."""
    dialect = dialect if isinstance(dialect, str) else ""
    for node in document.nodes:
        shallow = _shallow(node.schema)
        try:
            text = _why_invalid_alone(_Schema(dialect, repr(shallow), shallow))
        except RecursionError:
            text = "nested too deeply for a validator"
        if text:
            yield f"not a valid JSON Schema, at {node.place}: {text}"


def _shallow(schema: Any) -> Any:
    """Return *schema* with the schemas in it emptied, since they are judged one by one."""
    if not isinstance(schema, dict):
        return schema
    emptied: dict[str, Any] = {}
    for keyword, value in schema.items():
        if keyword in MAPS and isinstance(value, dict):
            emptied[keyword] = {}
        elif isinstance(value, list) and (keyword in LISTS or keyword == "items"):
            emptied[keyword] = [True][: len(value)]
        else:
            emptied[keyword] = True if keyword in SINGLE else value
    return emptied


@dataclass(frozen=True)
class _Schema:
    """A key of the memo: two are equal if their texts are."""

    dialect: str
    text: str
    schema: Any = field(compare=False)


@lru_cache(maxsize=10_000)
def _why_invalid_alone(asked: _Schema) -> str:
    error = next(_judge_of(asked.dialect).iter_errors(asked.schema), None)
    return "" if error is None else f"{error.message:.100}"


def is_valid_2020_12(document: Document) -> Iterator[str]:
    """Yield why *document* is not a JSON Schema of 2020-12."""
    yield from why_invalid(document)


# shapes


def missing_and_unknown(
    value: Any, place: Place, required: Iterable[str], optional: Iterable[str]
) -> Iterator[Finding]:
    """Yield that *value* is not an object, lacks a key of *required*, or has an unknown one."""
    if not isinstance(value, dict):
        yield place, f"{short(value)} is not an object"
        return
    for key in required:
        if key not in value:
            yield place, f"lacks {key}"
    for key in value:
        if key not in {*required, *optional}:
            yield place, f"has {short(key)}"


def is_a(value: Any, place: Place, key: str, *types: type) -> Iterator[Finding]:
    """Yield that *key* of *value* is there, but is not of one of *types*."""
    if isinstance(value, dict) and key in value and type(value[key]) not in types:
        yield place / key, f"{short(value[key])} is not {' or '.join(t.__name__ for t in types)}"


def document_at(body: dict[str, Any], place: Place, key: str) -> Document | None:
    """Return the schema at *key*, None if there is none."""
    return Document(body[key], place / key) if body.get(key) is not None else None


def short(value: Any) -> str:
    """Return *value* as JSON of at most 60 characters."""
    try:
        text = json.dumps(value, ensure_ascii=True)
    except (TypeError, ValueError, RecursionError):
        text = type(value).__name__
    return text if len(text) <= 60 else text[:57] + "..."
