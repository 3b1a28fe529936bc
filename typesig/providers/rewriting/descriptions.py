"""What a schema says by itself: arguments sent unchanged, and texts for all else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from itertools import islice

from typesig.algebra import nodes
from typesig.algebra.nodes import ANY, Type
from typesig.algebra.redaction import find_used_names
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.frozen import FOREIGN, HIDDEN, NAMES, RECORDS, cache_by_identity
from typesig.algebra.rows.values import Const, ConstKind
from typesig.algebra.signature import Signature, make_type_signature
from typesig.algebra.traversal import drop_annotations, iter_types
from typesig.notations.json_schema.keywords import KINDS, JsonKind, get_keywords
from typesig.notations.json_schema.writer import Style
from typesig.providers.registry.codecs import write_json
from typesig.providers.registry.vendor import PRIMITIVES, Profile

# --- Texts for descriptions: constraints that a schema cannot express, in JSON Schema words ---

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


# --- Whether arguments are sent unchanged: most are, and need no rewriting for their schema ---
# A fast path of `typesig.providers.rewriting`, which says the same of each such type; a law
# compares the two.


def is_sent_unchanged(profile: Profile, signature: Signature) -> bool:
    """Whether *profile* takes the parameters of *signature* without any loss or change."""
    params, rule = signature.params, profile.property_names
    if not params or signature.extra is not nodes.ANY or not _takes_plain_types(profile):
        return False
    for field in params:
        name, default = field.name, field.default
        if not (name.isascii() if rule is None else rule.allows(name)):
            return False
        if field.flags & _OTHER or field.depth > _DEEPEST:
            return False
        # Of the constants, lists and maps have parts.
        if default is not None and (default.kind not in _SCALARS or not is_sendable(default.value)):
            return False
        t = field.type
        if type(t) is nodes.Annotation:
            if t.title is not None or t.text is None or not is_sendable(t.text):
                return False
            t = t.inner
        # Where a default stands, null is a value of its own.
        if not _is_plain(t) or (default is not None and type(t) is nodes.Maybe):
            return False
    return True


@cache_by_identity
def _takes_plain_types(profile: Profile) -> bool:
    """Whether *profile* takes open objects, constants of one kind and defaults as they are."""
    style = profile.style._replace(
        whole_objects=False, closing=True, lone_references=False, falses=False, pattern=None
    )
    is_restricted = profile.closed or profile.complete or profile.typed or not profile.defaults
    return not is_restricted and style == Style() and profile.enums >= PRIMITIVES


#: The depth of a type up to which no schema is too deep.
_DEEPEST = 32

_SCALARS: frozenset[ConstKind] = frozenset({*PRIMITIVES, "nil"})

#: What only some profiles take, or what has a form of its own.
_OTHER = FOREIGN | HIDDEN | NAMES | RECORDS


@cache_by_identity
def _is_plain(t: nodes.Type) -> bool:
    """Whether *t* is a scalar, texts to choose from, or a list or a nullable type of such."""
    match t:
        case nodes.Scalar():
            return True
        case nodes.List(item):
            return _is_plain(item)
        case nodes.Maybe(inner):
            return inner != nodes.ANY and _is_plain(inner)
        case nodes.Enum(values):
            return all(
                each.kind == "string" and each.value and is_sendable(each.value) for each in values
            )
        case _:
            return False
