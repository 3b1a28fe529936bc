"""Foreign text, spoiled: it is read, or refused with a message, within its budget of steps."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.fuzz.edits import altered, spoiled
from tests.fuzz.steps import within
from tests.generators import LAW
from tests.type_table.docstrings import ROWS as DOCSTRINGS
from tests.type_table.documented import ROWS as DOCUMENTED
from typesig.errors import TypesigError
from typesig.listings import Template
from typesig.notations import NOTATIONS, readable

CORPUS = Path(__file__).parent.parent / "corpus"

#: Calls that a text of no length may take, and those that each of its characters adds.
CALLS, CALLS_PER_CHARACTER = 60_000, 600


def lines(notation: str) -> list[str]:
    text = (CORPUS / f"{notation}.txt").read_text(encoding="utf-8")
    found = [line for line in text.split("\n") if line and not line.startswith(";")]
    # The mark stands for a line's end in the texts of the compact notation.
    return [line.replace("⏎", "\n") for line in found]


def expressible(signature: typesig.Signature) -> typesig.Signature:
    """Return *signature* without titles, which shorthand has no place for."""
    return NOTATIONS["shorthand"].expressible(signature)


KEYWORDS = [
    *["$ref", "$id", "$defs", "$anchor", "$schema", "type", "enum", "const", "default", "format"],
    *["properties", "required", "additionalProperties", "patternProperties", "propertyNames"],
    *["anyOf", "oneOf", "allOf", "not", "if", "then", "else", "dependentRequired", "dependencies"],
    *["items", "prefixItems", "contains", "minContains", "uniqueItems", "unevaluatedProperties"],
    *["minLength", "maxLength", "maxItems", "minProperties", "pattern", "multipleOf", "minimum"],
    *["exclusiveMaximum", "dependentSchemas", "description", "a", "b", "T"],
]


def budget(text: str) -> int:
    return CALLS + CALLS_PER_CHARACTER * len(text)


def is_sayable(message: str) -> bool:
    """Whether *message* can be printed, on a bounded number of lines of bounded length."""
    message.encode("utf-8")
    return len(message) < 2_000 and not any(c in message for c in "\0\x1b\u202e")


def read_or_refused(limit: int, read: Callable[[], Any]) -> Any:
    """Return what *read* returns, or None if it raises an error with a message to show."""
    try:
        return within(limit, read)
    except TypesigError as error:
        message = str(error)
    assert is_sayable(message)
    return None


@pytest.mark.parametrize("notation", readable())
@LAW
@given(st.data())
def test_spoiled_text_of_a_notation_is_read_or_refused(notation: str, data: st.DataObject) -> None:
    text = data.draw(spoiled(lines(notation)))

    signature = read_or_refused(budget(text), lambda: typesig.parse(text, notation))
    if signature is None:
        return
    written = within(20 * budget(text), lambda: typesig.render(signature))
    assert expressible(signature) == typesig.parse(written)


@LAW
@given(st.data())
def test_a_spoiled_schema_is_read_or_refused(data: st.DataObject) -> None:
    schemas = [json.loads(line) for line in lines("json_schema")]
    schema = data.draw(altered(schemas, KEYWORDS))
    size = 200_000 + 3_000 * len(json.dumps(schema, ensure_ascii=True))

    for lossy in (False, True):
        read = functools.partial(typesig.from_json_schema, schema, lossy=lossy)
        signature = read_or_refused(size, read)
        if signature is not None:
            assert expressible(signature) == typesig.parse(typesig.render(signature))


class Reader(NamedTuple):
    """A reader of text, and texts that it reads."""

    read: Callable[[str], Any]
    texts: list[str]


def documented(doc: str) -> Any:
    def f(x, limit=10): ...

    f.__doc__ = doc
    return typesig.extract(f), typesig.tool(f).prompt()


def templated(text: str) -> Any:
    return Template(text, "(user {name :string, tags [:string]}, n :int?) -> :any")


def answered(text: str) -> Any:
    outcome = typesig.contract("{id :int, tags [:string]?, at? :datetime}").read(text)
    assert outcome.ok or is_sayable(str(outcome.errors[0]))
    return outcome.report()


@typesig.tool("(q :string, limit :int = 10, tags #{:string}?, more {} = {}) -> :any")
def find(q, limit, tags, more):
    return [q, limit]


def called(text: str) -> Any:
    outcome = find.call(text)
    assert outcome.ok or is_sayable(str(outcome.errors[0]))
    return outcome.text()


def arrived(text: str) -> Any:
    """Read *text* in pieces, of one character and more; it ends as the whole does."""
    asked = typesig.contract("{id :int, tags [:string]?, at? :datetime}")
    for width in (1, 7, len(text) or 1):
        stream = asked.stream()
        for place in range(0, len(text), width):
            part = stream.feed(text[place : place + width])
        part = stream.feed("")
        assert part.complete or part.missing
        assert all(is_sayable(str(error)) for error in part.errors)
        assert (part.report() == "") <= part.complete
    assert asked.read(text).report() == stream.close().report()
    return asked.read(text, partial=True).value


def docstrings() -> Iterable[str]:
    found = {row.target.__doc__ for row in (*DOCSTRINGS, *DOCUMENTED)}
    return sorted(text for text in found if text)


ANSWERS = [
    '{"id": 1}',
    '{"id": "1", "tags": ["a"], "at": "2026-01-31T10:00:00Z"}',
    '```json\n{"id": 1, "tags": null}\n```',
    '<think>maybe [1]</think> Here it is:\n\n{"id": 1}\n\nAnything else?',
    "{'id': 1, 'tags': [\"a\",], /* none */}",
]

ARGUMENTS = [
    '{"q": "a"}',
    '{"q": 1, "limit": "10", "tags": ["a", "b"], "more": {"x": {"y": []}}}',
    '"{\\"q\\": \\"a\\"}"',
    '{"arguments": {"Q": "a"}}',
]

READERS = {
    "docstring": Reader(documented, list(docstrings())),
    "template": Reader(templated, ["Hi {{user.name}}, {{ n }}", "{{user}}{{user.tags}}{{{{"]),
    "answer": Reader(answered, ANSWERS),
    "answer in pieces": Reader(arrived, ANSWERS),
    "arguments": Reader(called, ARGUMENTS),
}


@pytest.mark.parametrize("name", READERS)
@LAW
@given(st.data())
def test_spoiled_text_is_read_or_refused(name: str, data: st.DataObject) -> None:
    reader = READERS[name]
    text = data.draw(spoiled(reader.texts))

    read_or_refused(budget(text), lambda: reader.read(text))


@LAW
@given(st.data())
def test_text_that_is_json_is_read_as_the_standard_library_reads_it(data: st.DataObject) -> None:
    text = data.draw(spoiled(ANSWERS + ARGUMENTS))
    outcome = within(budget(text), lambda: typesig.contract(":any").read(text))

    try:
        value = json.loads(text, parse_constant=float.fromhex, object_pairs_hook=pairs)
    except (ValueError, RecursionError):
        return
    assert not outcome.ok or value == outcome.value


def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object; raise `ValueError` for a key that stands twice."""
    if len(dict(found)) != len(found):
        raise ValueError("a key stands twice")
    return dict(found)
