"""Texts for descriptions: what a schema cannot say, in the words of JSON Schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from itertools import islice

from typesig.algebra.nodes import ANY, Type
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.values import Const
from typesig.algebra.signature import lone
from typesig.algebra.traversal import walk, without_notes
from typesig.algebra.views.redaction import used
from typesig.notations.json_schema.keywords.constraints import keywords_of
from typesig.notations.json_schema.keywords.kinds import KINDS, JsonKind
from typesig.providers.rows.codecs import json_text

_SURROGATE = re.compile("[\ud800-\udfff]")

#: The parts of a type that is written into a description, and the characters of its text.
_PARTS = 40
_CHARACTERS = 200


def sendable(text: str) -> str:
    """Return *text* without lone surrogates, which have no form in UTF-8."""
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def is_sendable(value: object) -> bool:
    """Tell whether no text in *value*, JSON data, has a lone surrogate."""
    return _SURROGATE.search(json.dumps(value, ensure_ascii=False)) is None


def words_of_constraints(constraints: Iterable[Constraint], kinds: Iterable[JsonKind]) -> str:
    """Return *constraints* as they apply to *kinds*, as in "(minimum: 1; maximum: 5)"."""
    among = set(kinds)
    words: dict[str, None] = {}
    for constraint in constraints:
        if constraint.name == "format":
            words[f"format: {constraint.argument.value}"] = None
            continue
        for kind in KINDS:
            if kind in among:
                found = keywords_of(constraint, kind)
                words.update({f"{word}: {json_text(value)}": None for word, value in found.items()})
    return f"({'; '.join(words)})"


def words_of_default(default: Const) -> str:
    """Return a default as in "(default: 5)"."""
    return f"(default: {json_text(default.thaw())})"


def words_of_type(t: Type, names: Mapping[str, Type]) -> str:
    """Return *t* in the words of JSON Schema; empty if it would be long or says nothing."""
    # Loaded for types that a provider cannot express only.
    from typesig.validation.issues.schema_phrases import answer_text

    plain = without_notes(t)
    kept = sorted(used(names, [plain]))
    wholes = [plain, *[names[name] for name in kept[:_PARTS]]]
    size = sum(1 for whole in wholes for _ in islice(walk(whole), _PARTS))
    if plain == ANY or size >= _PARTS:
        return ""
    text = answer_text(lone(plain, {name: without_notes(names[name]) for name in kept}))
    return text if len(text) <= _CHARACTERS else ""


def words_of_order(types: Iterable[Type], rest: Type | None) -> str:
    """Return the sent *types* of the places of a list, as in "(in order: string, integer)"."""
    from typesig.validation.issues.schema_phrases import type_text

    places = [*types, *([] if rest is None else [rest])]
    size = sum(1 for each in places for _ in islice(walk(each), _PARTS))
    if size >= _PARTS:
        return ""
    words = [type_text(without_notes(each)) for each in places]
    if rest is not None:
        many = f"({words[-1]})" if " or " in words[-1] else words[-1]
        words[-1] = f"then any number of {many}"
    text = f"(in order: {', '.join(words)})"
    return text if len(text) <= _CHARACTERS else ""
