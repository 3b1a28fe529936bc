"""Arguments that are no JSON object: Python keywords, and a tag for each of them."""

from __future__ import annotations

from collections.abc import Iterator
from keyword import iskeyword

from typesig.algebra import nodes
from typesig.algebra.rows.values import Const
from typesig.errors import Unsupported, short
from typesig.notations.json_schema.keywords.kinds import NEVER
from typesig.providers.dialects.dialect import Dialect, TagForm
from typesig.providers.engines.engine import Lose, Path
from typesig.providers.engines.grammar.making import Maker, plain_text
from typesig.providers.engines.grammar.shapes import (
    EMPTY,
    Literal,
    Part,
    choice,
    optional,
    repeat,
    sequence,
)
from typesig.providers.engines.grammar.spellings import Quotes, json_without, plain_signs
from typesig.providers.engines.grammar.words import Wanted, keyword, wanted_of
from typesig.providers.engines.settling import Settled


def record_of(made: Settled) -> nodes.Record:
    """Return settled arguments, which are a record as the parameters of a signature are."""
    assert isinstance(made.type, nodes.Record)
    return made.type


def python_arguments(maker: Maker, name: str, made: Settled, at: Path) -> Part:
    """Return a Python call of *name* with keywords; raise `Unsupported` for what has no form."""
    if not all(part.isidentifier() and not iskeyword(part) for part in name.split(".")):
        raise Unsupported(f"a Python call has no form for the name {short(name)}")
    record = record_of(made)
    each: list[tuple[Part, bool]] = []
    for field in record.fields:
        if field.type == NEVER:
            continue
        if not field.name.isidentifier() or iskeyword(field.name):
            raise Unsupported(f"a Python call has no keyword {short(field.name)}")
        value = maker.part(field.type, (*at, field.name))
        each.append((sequence(field.name, "=", value), field.required))
    more = None
    if record.extra is not None:
        key = _other_keyword(record, at)
        more = (sequence(key, "=", maker.part(record.extra, (*at, "**"))), 0, None)
    inner, needs = maker.listed(each, more, sequence(",", optional(Literal(" "))))
    return sequence(name, "(", inner if needs else optional(inner), ")")


def _other_keyword(record: nodes.Record, at: Path) -> Part:
    """Return the name of another argument than those of *record*."""
    # Of the words of Python all but few are spelt with letters alone.
    taken = [field.name for field in record.fields]
    key = keyword([*taken, *_KEYWORDS])
    if key is None:
        raise Unsupported(f"{'.'.join(at)}: the names of its arguments are too long for a grammar")
    return key


_KEYWORDS = (
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield", "__debug__",
)  # fmt: skip


def tagged_arguments(
    dialect: Dialect, form: TagForm, made: Settled, at: Path, rules: dict[str, Part], lose: Lose
) -> Part:
    """Return a tag for each argument, by *form*; raise `Unsupported` for what has no form."""
    writer = _Tags(dialect, form, made, rules, lose)
    part = writer.tags(record_of(made), at)
    writer.maker.finish()
    return part


class _Tags:
    """Writes the tags of arguments: texts without quotes, other values as JSON."""

    def __init__(
        self, dialect: Dialect, form: TagForm, made: Settled, rules: dict[str, Part], lose: Lose
    ) -> None:
        self._form = form
        self._names = made.names
        self._lose = lose
        around = (*dialect.opens, *dialect.closes, *(dialect.section or ()))
        self._marks = (form.key_open, form.value_end, *around)
        self._quotes = Quotes("", plain_signs(self._marks), True)
        # No text within JSON has the beginning of a mark, for which JSON has an escape.
        signs = "".join(dict.fromkeys(mark[0] for mark in self._marks))
        self.maker = Maker(made.names, rules, lose, json_without("tag", signs))

    def tags(self, record: nodes.Record, at: Path) -> Part:
        """Return the tags of the arguments of *record*."""
        parts: list[Part] = []
        for field in record.fields:
            if field.type == NEVER:
                continue
            if any(mark in field.name for mark in (*self._form.key_ends, *self._marks)):
                raise Unsupported(f"this dialect has no tag for the argument {short(field.name)}")
            part = self._tag(Literal(field.name), field.type, (*at, field.name))
            parts.append(part if field.required else optional(part))
        if record.extra is not None:
            key = _other_keyword(record, at)
            parts.append(repeat(self._tag(key, record.extra, (*at, "**")), 0, None))
        return sequence(*parts)

    def _tag(self, key: Part, t: nodes.Type, at: Path) -> Part:
        form = self._form
        ends = choice([Literal(end) for end in form.key_ends])
        opened = sequence(form.line, form.value_open) if form.value_open else EMPTY
        end = form.padding + form.value_end
        value = self._value(t, at, end)
        return sequence(form.key_open, key, ends, opened, form.padding, value, form.line)

    def _value(self, t: nodes.Type, at: Path, end: str) -> Part:
        """Return the text of a value of *t*, and *end* behind it."""
        branches: list[Part] = []
        for member in self._members(t):
            match member:
                case nodes.Scalar("any" | "string"):
                    return self._text(Wanted(), at, end)
                case nodes.Refined(nodes.Scalar("string"), constraints):
                    branches.append(self._text(wanted_of(constraints), at, end))
                case nodes.Enum(values):
                    branches += [sequence(each, end) for each in self._constants(values)]
                case _:
                    branches.append(sequence(self.maker.part(member, at), end))
        if not branches:
            raise Unsupported(f"{'.'.join(at)}: each of its texts has a mark of the dialect")
        return choice(branches)

    def _members(self, t: nodes.Type) -> Iterator[nodes.Type]:
        match t:
            case nodes.Union(members):
                for member in members:
                    yield from self._members(member)
            case nodes.Maybe(inner):
                yield from self._members(inner)
                yield nodes.NIL
            case nodes.Ref(name):
                yield from self._members(self._names[name])
            case _:
                yield t

    def _text(self, wanted: Wanted, at: Path, end: str) -> Part:
        return plain_text(self._quotes, self._marks, end, wanted, at, self._lose)

    def _constants(self, values: tuple[Const, ...]) -> Iterator[Part]:
        for value in values:
            if value.kind != "string":
                yield self.maker.constant(value)
            elif not any(mark in value.value for mark in self._marks):
                yield Literal(value.value)
