"""Texts for descriptions: constraints that a schema cannot express, in JSON Schema words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from itertools import islice

from typesig.algebra.nodes import ANY, Type
from typesig.algebra.redaction import find_used_names
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.values import Const
from typesig.algebra.signature import make_type_signature
from typesig.algebra.traversal import drop_annotations, iter_types
from typesig.notations.json_schema.keywords import KINDS, JsonKind, get_keywords
from typesig.providers.rows.codecs import write_json

_SURROGATE = re.compile("[\ud800-\udfff]")

#: The parts of a type that is written into a description, and the characters of its text.
_PARTS = 40
_CHARACTERS = 200


def replace_surrogates(text: str) -> str:
    """Replace lone surrogates in *text*, which UTF-8 cannot encode."""
    return text if text.isascii() else _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def is_sendable(value: object) -> bool:
    """Whether *value*, JSON data, contains no text with a lone surrogate."""
    if value is None or isinstance(value, bool | int | float):
        return True
    if isinstance(value, str):
        return value.isascii() or _SURROGATE.search(value) is None
    return _SURROGATE.search(json.dumps(value, ensure_ascii=False)) is None


def describe_constraints(constraints: Iterable[Constraint], kinds: Iterable[JsonKind]) -> str:
    """Describe *constraints* on *kinds*, as in "(minimum: 1; maximum: 5)"."""
    among = set(kinds)
    words: dict[str, None] = {}
    for constraint in constraints:
        if constraint.name == "format":
            words[f"format: {constraint.argument.value}"] = None
            continue
        for kind in KINDS:
            if kind in among:
                found = get_keywords(constraint, kind)
                words.update(
                    {f"{word}: {write_json(value)}": None for word, value in found.items()}
                )
    return f"({'; '.join(words)})"


def describe_default(default: Const) -> str:
    """Describe a default, as in "(default: 5)"."""
    return f"(default: {write_json(default.thaw())})"


def describe_type(t: Type, names: Mapping[str, Type]) -> str:
    """Describe *t* in the words of JSON Schema; empty if long or without information."""
    # Loaded for types that a provider cannot express only.
    from typesig.validation.issues.words import write_answer

    plain = drop_annotations(t)
    kept = sorted(find_used_names(names, [plain]))
    wholes = [plain, *[names[name] for name in kept[:_PARTS]]]
    size = sum(1 for whole in wholes for _ in islice(iter_types(whole), _PARTS))
    if plain == ANY or size >= _PARTS:
        return ""
    text = write_answer(
        make_type_signature(plain, {name: drop_annotations(names[name]) for name in kept})
    )
    return text if len(text) <= _CHARACTERS else ""


def describe_order(types: Iterable[Type], rest: Type | None) -> str:
    """Describe the sent *types* of a list in order, as in "(in order: string, integer)"."""
    from typesig.validation.issues.words import write_type

    places = [*types, *([] if rest is None else [rest])]
    size = sum(1 for each in places for _ in islice(iter_types(each), _PARTS))
    if size >= _PARTS:
        return ""
    words = [write_type(drop_annotations(each)) for each in places]
    if rest is not None:
        many = f"({words[-1]})" if " or " in words[-1] else words[-1]
        words[-1] = f"then any number of {many}"
    text = f"(in order: {', '.join(words)})"
    return text if len(text) <= _CHARACTERS else ""
