"""Types and constants in the words of JSON Schema: `null`, `object`, `array`, in plain phrases.

A type is written whole as the object or array that fits, with phrases in the place of values:
`{"query": string, "limit": integer (optional, default 10)}`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, assert_never

from typesig.algebra import nodes
from typesig.algebra.nodes import Counted, Refined, Type, bare
from typesig.algebra.rows.scalars import ScalarName
from typesig.limits import MAX_SHOWN
from typesig.notations.texts.literals import literal
from typesig.notations.texts.quoting import quoted

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
json_literal = partial(literal, in_json=True)


def refined_text(t: Refined, inner: str, of: Type) -> str:
    """Return a type with constraints; *inner* is the text of what has them, whose type is *of*."""
    return f"{inner} ({', '.join([_keyword(each, of) for each in t.constraints])})"


def _keyword(constraint: Constraint, of: Type) -> str:
    """Return what *constraint* asks of values of the type *of*, by the keywords for their kinds."""
    # Loaded for types with constraints only.
    from typesig.notations.json_schema.keywords.constraints import KEYWORDS
    from typesig.notations.json_schema.keywords.kinds import KINDS, json_kinds

    kinds, known = json_kinds(of), KEYWORDS[constraint.name]
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


def counted_text(t: Counted, item: str) -> str:
    """Return a list that counts items; *item* is the text of these."""
    most = "" if t.at_most is None else f" and at most {t.at_most}"
    return f"array in which at least {t.at_least}{most} are {item}"


def arguments_text(signature: Signature) -> str:
    """Return what a call of *signature* takes, as an object."""
    if not signature.params and signature.extra in (None, nodes.ANY):
        return "{}"
    whole = nodes.Record(signature.params, signature.extra)
    return _with_definitions(_Phrases().text(whole), signature)


def answer_text(signature: Signature) -> str:
    """Return the result type of *signature*."""
    return _with_definitions(_Phrases().text(signature.returns), signature)


def type_text(t: Type) -> str:
    """*t* as a phrase; definitions keep their names."""
    return _Phrases().text(t)


def field_text(field: nodes.Field) -> str:
    """Return a field of an object."""
    return _Phrases().field(field)


def _with_definitions(text: str, signature: Signature) -> str:
    # Each name stands for itself, and is told behind, once.
    told = [f"{d.name} is {_Phrases().text(d.type)}" for d in signature.definitions]
    return f"{text}, where {', '.join(told)}" if told else text


class _Phrases:
    """Writes types as phrases; a part that others share is written once, and cut if it is long."""

    def __init__(self) -> None:
        self._known: dict[int, str] = {}

    def text(self, t: Type) -> str:
        """Return *t* as a phrase."""
        known = self._known.get(id(t))
        if known is None:
            known = self._written(t)
            known = known if len(known) <= MAX_SHOWN else f"{known[: MAX_SHOWN - 1]}…"
            self._known[id(t)] = known
        return known

    def field(self, field: nodes.Field) -> str:
        """Return *field* with its name."""
        remarks = [] if field.required else ["optional"]
        if field.default is not None:
            remarks.append(f"default {json_literal(field.default)}")
        told = f" ({', '.join(remarks)})" if remarks else ""
        return f"{quoted(field.name)}: {self.text(field.type)}{told}"

    def _written(self, t: Type) -> str:
        match t:
            case nodes.Scalar(name):
                return SCALARS[name]
            case nodes.List(item):
                return f"array of {self._part(item)}"
            case nodes.Set(item):
                return f"array of {self._part(item)}, each once"
            case nodes.Tuple(items, rest):
                texts = [self.text(item) for item in items]
                texts += [] if rest is None else [f"then any number of {self._part(rest)}"]
                return f"[{', '.join(texts)}]"
            case nodes.MapOf(_, value):
                return f"object whose values are {self._part(value)}"
            case nodes.Record((), nodes.ANY, ()):
                return SCALARS["map"]
            case nodes.Record():
                return self._record(t)
            case nodes.Maybe(inner):
                return f"{self.text(inner)} or null"
            case nodes.Enum(values):
                return " or ".join([json_literal(value) for value in values])
            case nodes.Union(members) | nodes.One(members):
                return self._joined(members, EITHER)
            case nodes.Both(members):
                return self._joined(members, BOTH)
            case nodes.Not(inner):
                return f"not {self._part(inner)}"
            case nodes.Counted(item):
                return counted_text(t, self._part(item))
            case nodes.Refined(inner):
                return refined_text(t, self._part(inner), inner)
            case nodes.Noted(inner):
                return self.text(inner)
            case nodes.Ref(name):
                return name
            case _:
                assert_never(t)

    def _record(self, t: nodes.Record) -> str:
        parts = [self.field(field) for field in t.fields]
        parts += [f"keys like {quoted(m.pattern)}: {self.text(m.type)}" for m in t.matching]
        if t.extra is not None and t.extra != nodes.ANY:
            parts.append(f"other keys: {self.text(t.extra)}")
        return f"{{{', '.join(parts)}}}"

    def _joined(self, members: Sequence[Type], between: str) -> str:
        return between.join(dict.fromkeys([self._part(member) for member in members]))

    def _part(self, t: Type) -> str:
        """Return *t* as a part of a phrase: in parentheses if it has several words that join."""
        text = self.text(t)
        joins = isinstance(bare(t), nodes.Joined | nodes.Maybe)
        is_choice = isinstance(bare(t), nodes.Enum) and " or " in text
        return f"({text})" if joins or is_choice else text
