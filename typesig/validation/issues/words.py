"""The words of a notation, in which messages describe values and types."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, assert_never

from typesig.algebra import nodes
from typesig.algebra.nodes import Field, ItemCount, Refinement, Type, strip_annotations
from typesig.algebra.rows.scalars import ScalarName
from typesig.algebra.rows.values import Const, Kind
from typesig.errors import TypesigError, format_value
from typesig.limits import MAX_SHOWN
from typesig.notations.texts.literals import count_text, write_constraints, write_literal
from typesig.notations.texts.quoting import quote

if TYPE_CHECKING:
    from typesig.algebra.rows.constraints import Constraint
    from typesig.algebra.signature import Signature


# --- Types and constants in the words of JSON Schema ---
# A type is written whole as the object or array that fits, with phrases in the place of values:
# `{"query": string, "limit": integer (optional, default 10)}`.

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


# --- The words of a notation, in which messages tell of values and types ---
# A model reads messages in the words of the notation that it was shown.  A text that differs
# between notations is a `Phrase`: text in the words of signatures, with what its text in other
# words is made of.  To add a notation, add its `Words`.

#: The notations whose words messages have.
WordsName: TypeAlias = Literal["signature", "json_schema"]


class Words(NamedTuple):
    """Vocabulary and writers for values and types in the messages of one notation.

    #: name: the notation
    #: kinds: what kinds of values are called; scalars: what scalars are, if not by their names
    #: nil: the value nil; set_marks: what stands around the items of a set
    #: quotes: whether keywords and datetimes are written as texts
    #: either, both: what stands between the members of a union, and of an intersection
    #: literal: writes a constant
    #: refined: writes a type with constraints, given the text of what is constrained and its type
    #: counted: writes a list that counts items, given the text of these
    #: sentences: the sentences of issues, by code, that are others than in `SENTENCES`
    #: call: the template of a call that fits, of a tool and its arguments
    #: arguments, answer, field: write whole what fits: a call, an answer, a field
    """

    name: WordsName
    kinds: Mapping[Kind, str]
    scalars: Mapping[ScalarName, str]
    nil: str
    set_marks: tuple[str, str]
    quotes: bool
    either: str
    both: str
    literal: Callable[[Const], str]
    refined: Callable[[Refinement, str, Type], str]
    counted: Callable[[ItemCount, str], str]
    sentences: Mapping[str, str]
    call: str
    arguments: Callable[[Signature], str]
    answer: Callable[[Signature], str]
    field: Callable[[Field], str]


class Phrase(str):
    """A text in signature notation that can be written in another vocabulary."""

    __slots__ = ("_source",)
    _source: Callable[[Words], str]

    def __new__(cls, text: str, source: Callable[[Words], str]) -> Phrase:
        """Return *text*, which *source* returns in the words that it is given."""
        made = super().__new__(cls, text)
        made._source = source
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        # Made now: what the text is made of may be a value that cannot be pickled.
        return _make_phrase, (str.__str__(self), self._source(JSON_SCHEMA))


def _make_phrase(text: str, in_schemas: str) -> Phrase:
    """Make a phrase from *text* and *in_schemas*, its texts in the two vocabularies."""
    return Phrase(text, lambda words: text if words is SIGNATURE else in_schemas)


def translate_text(text: str, words: Words) -> str:
    """Write *text*, if it is a phrase, in the vocabulary *words*."""
    if words is SIGNATURE or not isinstance(text, Phrase):
        return text
    return text._source(words)


def fill_template(template: str, *parts: str) -> str:
    """Insert *parts* in *template*; return a phrase if a part is a phrase."""
    text = template.format(*parts)
    if not any(isinstance(part, Phrase) for part in parts):
        return text
    return Phrase(
        text, lambda words: template.format(*[translate_text(part, words) for part in parts])
    )


def _write_refined(t: Refinement, inner: str, _of: Type) -> str:
    """Write the shorthand of the refined type *t*, given its *inner* type's shorthand."""
    return f"{inner}[{write_constraints(t.constraints)}]"


def _write_counted(t: ItemCount, item: str) -> str:
    """Write the shorthand of the counted list type *t*, given its *item* shorthand."""
    return f"list[{count_text(t)} of {item}]"


def _write_arguments(signature: Signature) -> str:
    """Write the shorthand of the parameters of *signature*."""
    # The writer is loaded for whole types only.
    from typesig.notations.shorthand.writer import write_arguments

    return write_arguments(signature)


def _write_answer(signature: Signature) -> str:
    """Write the shorthand of the result type of *signature*."""
    from typesig.notations.shorthand.writer import write_result

    return write_result(signature)


def _write_field(field: Field) -> str:
    """Write the shorthand of *field*, without its description."""
    from typesig.notations.shorthand.writer import write_field

    return write_field(field, described=False)


_KINDS: tuple[Kind, ...] = (
    "nil", "bool", "int", "float", "string", "keyword", "list", "map", "set", "datetime", "object",
)  # fmt: skip

#: The words of signatures.
SIGNATURE = Words(
    name="signature",
    kinds={kind: kind for kind in _KINDS},
    scalars={},
    nil="nil",
    set_marks=("#{", "}"),
    quotes=False,
    either="|",
    both=" & ",
    literal=write_literal,
    refined=_write_refined,
    counted=_write_counted,
    sentences={},
    call="{}{}",
    arguments=_write_arguments,
    answer=_write_answer,
    field=_write_field,
)

#: The words of JSON Schema.
JSON_SCHEMA = Words(
    name="json_schema",
    kinds={
        "nil": "null",
        "bool": "boolean",
        "int": "integer",
        "float": "number",
        "string": "string",
        "keyword": "string",
        "list": "array",
        "map": "object",
        "set": "array",
        "datetime": "string",
        "object": "value",
    },
    scalars=SCALARS,
    nil="null",
    set_marks=("[", "]"),
    quotes=True,
    either=EITHER,
    both=BOTH,
    literal=json_literal,
    refined=write_refined,
    counted=write_counted,
    sentences={
        "missing": "expected {expected}, got nothing (missing)",
        "absent": "null taken as absent",
    },
    call="{} with {}",
    arguments=write_arguments,
    answer=write_answer,
    field=write_field,
)


def _get_kind_name(kind: Kind, words: Words) -> str:
    """Return the name of the value kind *kind* in the notation of *words*."""
    return words.kinds[kind]


@cache
def make_scalar_phrase(name: ScalarName) -> str:
    """Make the phrase for the scalar type *name*."""
    return Phrase(name, lambda words: words.scalars.get(name, name))


#: By their names.
WORDS: Mapping[WordsName, Words] = {"signature": SIGNATURE, "json_schema": JSON_SCHEMA}


def get_words(name: WordsName | None, usual: Words) -> Words:
    """Return the vocabulary called *name*, or *usual* for None; raise if it is unknown."""
    if name is None:
        return usual
    if name not in WORDS:
        raise TypesigError(f"words are {' or '.join(map(repr, WORDS))}, not {format_value(name)}")
    return WORDS[name]


#: The names of kinds of values.
KIND_PHRASES: Mapping[Kind, str] = {k: Phrase(k, partial(_get_kind_name, k)) for k in _KINDS}
