"""Arguments that are no JSON object: Python keywords, and a tag for each of them."""

from __future__ import annotations

from collections.abc import Iterator
from keyword import iskeyword

from typesig.algebra import nodes
from typesig.algebra.rows.values import Const
from typesig.errors import Unsupported, format_value
from typesig.notations.json_schema.keywords import NEVER
from typesig.providers.dialects.dialect import Dialect, TagForm
from typesig.providers.engines.engine import LossRecorder, LoweredType, Path
from typesig.providers.grammars.builder import GrammarBuilder, make_plain_text
from typesig.providers.grammars.scalars import TextShape, make_bare_key, read_text_shape
from typesig.providers.grammars.shapes import (
    EMPTY,
    GrammarSpelling,
    Literal,
    Part,
    Quotes,
    make_choice,
    make_json_spelling,
    make_optional,
    make_plain_signs,
    make_repeat,
    make_sequence,
)


def get_record(made: LoweredType) -> nodes.Record:
    """Return the record in *made*, the lowered argument type of a tool."""
    assert isinstance(made.type, nodes.Record)
    return made.type


def make_python_call(maker: GrammarBuilder, name: str, made: LoweredType, at: Path) -> Part:
    """Build a Python call of the tool *name*; raise `Unsupported` if impossible."""
    if not all(part.isidentifier() and not iskeyword(part) for part in name.split(".")):
        raise Unsupported(f"a Python call has no form for the name {format_value(name)}")
    record = get_record(made)
    each: list[tuple[Part, bool]] = []
    for field in record.fields:
        if field.type == NEVER:
            continue
        if not field.name.isidentifier() or iskeyword(field.name):
            raise Unsupported(f"a Python call has no keyword {format_value(field.name)}")
        value = maker.build_part(field.type, (*at, field.name))
        each.append((make_sequence(field.name, "=", value), field.required))
    more = None
    if record.extra is not None:
        key = _make_other_keyword(record, at)
        more = (make_sequence(key, "=", maker.build_part(record.extra, (*at, "**"))), 0, None)
    inner, needs = maker.join_members(each, more, make_sequence(",", make_optional(Literal(" "))))
    return make_sequence(name, "(", inner if needs else make_optional(inner), ")")


def _make_other_keyword(record: nodes.Record, at: Path) -> Part:
    """Build the part for keyword names that *record* does not declare."""
    # Of the words of Python all but few are spelt with letters alone.
    taken = [field.name for field in record.fields]
    key = make_bare_key([*taken, *_KEYWORDS])
    if key is None:
        raise Unsupported(f"{'.'.join(at)}: the names of its arguments are too long for a grammar")
    return key


_KEYWORDS = (
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield", "__debug__",
)  # fmt: skip


def make_tag_spelling(dialect: Dialect, form: TagForm) -> GrammarSpelling:
    """Spelling of JSON within tags, where texts escape the first character of each mark."""
    signs = "".join(dict.fromkeys(mark[0] for mark in _list_marks(dialect, form)))
    return make_json_spelling("tag", signs)


def _list_marks(dialect: Dialect, form: TagForm) -> tuple[str, ...]:
    """Marks around calls and arguments, which no text has."""
    around = (*dialect.opens, *dialect.closes, *(dialect.section or ()))
    return (form.key_open, form.value_end, *around)


def make_tagged_arguments(
    dialect: Dialect,
    form: TagForm,
    made: LoweredType,
    at: Path,
    maker: GrammarBuilder,
    lose: LossRecorder,
) -> Part:
    """Build the tags of all arguments in *made*; raise `Unsupported` if impossible."""
    part = _TagWriter(dialect, form, made, maker, lose).write_tags(get_record(made), at)
    maker.finish()
    return part


class _TagWriter:
    """A writer of grammar parts for arguments in tags, with unquoted texts."""

    def __init__(
        self,
        dialect: Dialect,
        form: TagForm,
        made: LoweredType,
        maker: GrammarBuilder,
        lose: LossRecorder,
    ) -> None:
        self._form = form
        self._names = made.names
        self._lose = lose
        self._marks = _list_marks(dialect, form)
        self._quotes = Quotes("", make_plain_signs(self._marks), True)
        self.maker = maker

    def write_tags(self, record: nodes.Record, at: Path) -> Part:
        """Build the part for the tags of the arguments that *record* declares."""
        parts: list[Part] = []
        for field in record.fields:
            if field.type == NEVER:
                continue
            # Blanks and quotes around a name are no part of it where calls are read.
            is_read = field.name.strip(" \t\r\n\"'") == field.name != ""
            if not is_read or any(
                mark in field.name for mark in (*self._form.key_ends, *self._marks)
            ):
                raise Unsupported(
                    f"this dialect has no tag for the argument {format_value(field.name)}"
                )
            part = self._write_tag(Literal(field.name), field.type, (*at, field.name))
            parts.append(part if field.required else make_optional(part))
        if record.extra is not None:
            key = _make_other_keyword(record, at)
            parts.append(make_repeat(self._write_tag(key, record.extra, (*at, "**")), 0, None))
        return make_sequence(*parts)

    def _write_tag(self, key: Part, t: nodes.Type, at: Path) -> Part:
        """Part that matches the tag of an argument with a *key* and type *t*."""
        form = self._form
        ends = make_choice([Literal(end) for end in form.key_ends])
        opened = make_sequence(form.line, form.value_open) if form.value_open else EMPTY
        end = form.padding + form.value_end
        value = self._write_value(t, at, end)
        return make_sequence(form.key_open, key, ends, opened, form.padding, value, form.line)

    def _write_value(self, t: nodes.Type, at: Path, end: str) -> Part:
        """Build the part for a value of *t* in a tag, followed by the text *end*."""
        branches: list[Part] = []
        for member in self._iter_members(t):
            match member:
                case nodes.Scalar("any" | "string"):
                    return self._build_text(TextShape(), at, end)
                case nodes.Refinement(nodes.Scalar("string"), constraints):
                    branches.append(self._build_text(read_text_shape(constraints), at, end))
                case nodes.Enum(values):
                    branches += [make_sequence(each, end) for each in self._iter_constants(values)]
                case _:
                    branches.append(make_sequence(self.maker.build_part(member, at), end))
        if not branches:
            raise Unsupported(f"{'.'.join(at)}: each of its texts has a mark of the dialect")
        return make_choice(branches)

    def _iter_members(self, t: nodes.Type) -> Iterator[nodes.Type]:
        """Yield the members of *t*, with unions and references expanded."""
        match t:
            case nodes.Union(members):
                for member in members:
                    yield from self._iter_members(member)
            case nodes.Maybe(inner):
                yield from self._iter_members(inner)
                yield nodes.NIL
            case nodes.Ref(name):
                yield from self._iter_members(self._names[name])
            case _:
                yield t

    def _build_text(self, wanted: TextShape, at: Path, end: str) -> Part:
        """Part for unquoted text of the shape *wanted*, up to the mark *end*."""
        return make_plain_text(self._quotes, self._marks, end, wanted, at, self._lose)

    def _iter_constants(self, values: tuple[Const, ...]) -> Iterator[Part]:
        """Parts for the constants *values*, except texts that contain a mark."""
        for value in values:
            if value.kind != "string":
                yield self.maker.build_constant(value)
            elif not any(mark in value.value for mark in self._marks):
                yield Literal(value.value)
