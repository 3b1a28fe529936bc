"""The words of a notation, in which messages tell of values and types.

A model reads messages in the words of the notation that it was shown.  A text that differs between
notations is a `Phrase`: text in the words of signatures, with what its text in other words is made
of.  To add a notation, add its `Words`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from typesig.algebra.nodes import Field, ItemCount, Refinement, Type
from typesig.algebra.rows.scalars import ScalarName
from typesig.algebra.rows.values import Const, Kind
from typesig.errors import TypesigError, format_value
from typesig.notations.texts.literals import count_text, write_constraints, write_literal
from typesig.validation.issues import schema_phrases

if TYPE_CHECKING:
    from typesig.algebra.signature import Signature


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
    scalars=schema_phrases.SCALARS,
    nil="null",
    set_marks=("[", "]"),
    quotes=True,
    either=schema_phrases.EITHER,
    both=schema_phrases.BOTH,
    literal=schema_phrases.json_literal,
    refined=schema_phrases.write_refined,
    counted=schema_phrases.write_counted,
    sentences={
        "missing": "expected {expected}, got nothing (missing)",
        "absent": "null taken as absent",
    },
    call="{} with {}",
    arguments=schema_phrases.write_arguments,
    answer=schema_phrases.write_answer,
    field=schema_phrases.write_field,
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
