"""Types and constants in the words of JSON Schema: `null`, `object`, `array`, in plain phrases.

A type is written whole as the object or array that fits, with phrases in the place of values:
`{"query": string, "limit": integer (optional, default 10)}`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, assert_never

from typesig.algebra import nodes
from typesig.algebra.nodes import ItemCount, Refinement, Type, strip_annotations
from typesig.algebra.rows.scalars import ScalarName
from typesig.limits import MAX_SHOWN
from typesig.notations.texts.literals import write_literal
from typesig.notations.texts.quoting import quote

if TYPE_CHECKING:
    from typesig.algebra.rows.constraints import Constraint
    from typesig.algebra.signature import Signature

#: What the scalars are called.
SCALARS: Mapping[ScalarName, str] = {
    "string": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "keyword": "string",
    "any": "any value",
    "nil": "null",
    "datetime": "string (format date-time)",
    "map": "object",
}

#: What stands between the members of a union, and of an intersection.
EITHER, BOTH = " or ", " and "


#: Writes a constant as JSON text.
json_literal = partial(write_literal, in_json=True)


def write_refined(t: Refinement, inner: str, of: Type) -> str:
    """Describe the constrained type *t*; *inner* is the phrase for its base type *of*."""
    return f"{inner} ({', '.join([_write_keyword(each, of) for each in t.constraints])})"


def _write_keyword(constraint: Constraint, of: Type) -> str:
    """Write *constraint* in the JSON Schema keywords for values of the type *of*."""
    # Loaded for types with constraints only.
    from typesig.notations.json_schema.keywords import KEYWORDS, KINDS, find_json_kinds

    kinds, known = find_json_kinds(of), KEYWORDS[constraint.name]
    words = [known[kind] for kind in KINDS if kind in known and kind in kinds]
    name = "/".join(dict.fromkeys(words)) or constraint.name
    match constraint.name:
        case "unique":
            return name
        case "format":
            return f"{name} {constraint.argument.value}"
        case "at_least" | "at_most" | "above" | "below" | "multiple_of" | "pattern":
            return f"{name} {json_literal(constraint.argument)}"
        case unknown:
            assert_never(unknown)


def write_counted(t: ItemCount, item: str) -> str:
    """Describe a list with a required number of matching items; *item* is their phrase."""
    most = "" if t.at_most is None else f" and at most {t.at_most}"
    return f"array in which at least {t.at_least}{most} are {item}"


def write_arguments(signature: Signature) -> str:
    """Describe the arguments of *signature* as an object."""
    if not signature.params and signature.extra in (None, nodes.ANY):
        return "{}"
    whole = nodes.Record(signature.params, signature.extra)
    return _with_definitions(_PhraseWriter().write_type(whole), signature)


def write_answer(signature: Signature) -> str:
    """Describe the result type of *signature* in the terms of JSON Schema."""
    return _with_definitions(_PhraseWriter().write_type(signature.returns), signature)


def write_type(t: Type) -> str:
    """Describe the type *t* in the terms of JSON Schema, by name for references."""
    return _PhraseWriter().write_type(t)


def write_field(field: nodes.Field) -> str:
    """Describe *field* of a JSON object: its name, type and default."""
    return _PhraseWriter().write_field(field)


def _with_definitions(text: str, signature: Signature) -> str:
    """Append phrases for the named types of *signature* to the phrase *text*."""
    # Each name stands for itself, and is told behind, once.
    told = [f"{d.name} is {_PhraseWriter().write_type(d.type)}" for d in signature.definitions]
    return f"{text}, where {', '.join(told)}" if told else text


class _PhraseWriter:
    """Writer of types as phrases in the terms of JSON Schema, cached by type."""

    def __init__(self) -> None:
        self._known: dict[int, str] = {}

    def write_type(self, t: Type) -> str:
        """Describe the type *t* as a phrase, cut if it is long."""
        known = self._known.get(id(t))
        if known is None:
            known = self._write_phrase(t)
            known = known if len(known) <= MAX_SHOWN else f"{known[: MAX_SHOWN - 1]}…"
            self._known[id(t)] = known
        return known

    def write_field(self, field: nodes.Field) -> str:
        """Describe *field* by its name, type and default."""
        remarks = [] if field.required else ["optional"]
        if field.default is not None:
            remarks.append(f"default {json_literal(field.default)}")
        told = f" ({', '.join(remarks)})" if remarks else ""
        return f"{quote(field.name)}: {self.write_type(field.type)}{told}"

    def _write_phrase(self, t: Type) -> str:
        """Write a phrase for the type *t* in the terms of JSON Schema."""
        match t:
            case nodes.Scalar(name):
                return SCALARS[name]
            case nodes.List(item):
                return f"array of {self._write_part(item)}"
            case nodes.Set(item):
                return f"array of {self._write_part(item)}, each once"
            case nodes.Tuple(items, rest):
                texts = [self.write_type(item) for item in items]
                texts += [] if rest is None else [f"then any number of {self._write_part(rest)}"]
                return f"[{', '.join(texts)}]"
            case nodes.MapOf(_, value):
                return f"object whose values are {self._write_part(value)}"
            case nodes.Record((), nodes.ANY, ()):
                return SCALARS["map"]
            case nodes.Record():
                return self._record(t)
            case nodes.Maybe(inner):
                return f"{self.write_type(inner)} or null"
            case nodes.Enum(values):
                return " or ".join([json_literal(value) for value in values])
            case nodes.Union(members) | nodes.One(members):
                return self._join_phrases(members, EITHER)
            case nodes.Both(members):
                return self._join_phrases(members, BOTH)
            case nodes.Not(inner):
                return f"not {self._write_part(inner)}"
            case nodes.ItemCount(item):
                return write_counted(t, self._write_part(item))
            case nodes.Refinement(inner):
                return write_refined(t, self._write_part(inner), inner)
            case nodes.Annotation(inner):
                return self.write_type(inner)
            case nodes.Ref(name):
                return name
            case _:
                assert_never(t)

    def _record(self, t: nodes.Record) -> str:
        """Write a phrase for the fields and other keys of the record *t*."""
        parts = [self.write_field(field) for field in t.fields]
        parts += [f"keys like {quote(m.pattern)}: {self.write_type(m.type)}" for m in t.matching]
        if t.extra is not None and t.extra != nodes.ANY:
            parts.append(f"other keys: {self.write_type(t.extra)}")
        return f"{{{', '.join(parts)}}}"

    def _join_phrases(self, members: Sequence[Type], between: str) -> str:
        """Join the phrases for the types *members*, without duplicates."""
        return between.join(dict.fromkeys([self._write_part(member) for member in members]))

    def _write_part(self, t: Type) -> str:
        """Describe *t* within a larger phrase, in parentheses if ambiguous otherwise."""
        text = self.write_type(t)
        joins = isinstance(strip_annotations(t), nodes.Combination | nodes.Maybe)
        is_choice = isinstance(strip_annotations(t), nodes.Enum) and " or " in text
        return f"({text})" if joins or is_choice else text
