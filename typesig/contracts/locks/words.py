"""Strings of a tool that may reach a model: names, values, patterns, schema texts.

A pin compares them as a set, so that a text which no rule of the diff describes is noticed as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from typesig.algebra import nodes
from typesig.algebra.signature import Signature, get_outer_types
from typesig.algebra.traversal import get_children
from typesig.calls.binding import Original
from typesig.contracts.locks.keywords import FAMILIES
from typesig.contracts.locks.places import iter_texts
from typesig.errors import TooLarge
from typesig.limits.contracts import MAX_CONTRACT_PLACES
from typesig.notations.json_schema.keywords.dialects import DIALECTS
from typesig.notations.json_schema.keywords.formats import BY_NAME, NOT_ASSERTED
from typesig.notations.json_schema.reading.reader import KEYWORDS

_ADDRESSES = [f"{head}://{name}" for name in DIALECTS for head in ("http", "https")]
_DRAFTS = [f"{address}{end}" for address in _ADDRESSES for end in ("", "#")]

#: Strings of schemas that have a fixed meaning, and so carry no text.
_FIXED = frozenset({
    *KEYWORDS, *FAMILIES, *BY_NAME, *NOT_ASSERTED, "array", "boolean", "integer", "null", "number",
    "object", "string", "", "#", *_DRAFTS,
})  # fmt: skip

_POINTER = "#/"


def iter_signature_texts(signature: Signature) -> Iterator[str]:
    """Yield the names, values, patterns and formats in a bare *signature*."""
    yield from signature.names
    yield from _iter_field_texts(signature.params)
    pending = [*get_outer_types(signature), *signature.names.values()]
    left = MAX_CONTRACT_PLACES
    while pending:
        left -= 1
        if left < 0:
            raise TooLarge(f"a contract has {MAX_CONTRACT_PLACES} places, this one has more")
        t = pending.pop()
        pending += get_children(t)
        match t:
            case nodes.Record():
                yield from _iter_field_texts(t.fields)
                yield from (each.pattern for each in t.matching)
            case nodes.Enum():
                for value in t.values:
                    yield from iter_texts(value)
            case nodes.Refinement():
                for each in t.constraints:
                    yield from iter_texts(each.argument)
            case _:
                pass


def _iter_field_texts(fields: Iterable[nodes.Field]) -> Iterator[str]:
    """Yield the names of visible *fields* and the texts in all defaults."""
    for field in fields:
        # Fields that are hidden from models do not count.
        yield from () if field.firewalled else (field.name,)
        if field.default is not None:
            yield from iter_texts(field.default)


def find_new_words(original: Original, known: frozenset[str]) -> tuple[str, ...]:
    """List the strings of the foreign definition *original* not in *known*, sorted.

    Keywords and other strings with a fixed meaning are left out.
    """
    found: set[str] = set()
    for part in (original.input, original.output, dict(original.beside)):
        for text in iter_texts(part):
            # A reference consists of names that stand elsewhere, too.
            found.update(text[2:].split("/") if text.startswith(_POINTER) else (text,))
    found -= known
    found -= _FIXED
    return tuple(sorted(found))


def iter_data_texts(*data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the strings in the values of the mappings *data*."""
    for each in data:
        for value in each.values():
            yield from iter_texts(value)
