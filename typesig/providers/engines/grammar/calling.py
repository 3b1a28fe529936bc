"""Texts with calls of tools, by the marks of a dialect: prose, reasoning, and calls between marks.

What such a grammar lets through, the reader of the dialect reads as calls that check.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple, assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import enum
from typesig.algebra.loss import Loss
from typesig.errors import Unsupported
from typesig.notations.json_schema.keywords.kinds import NEVER
from typesig.providers.dialects.dialect import (
    BareForm,
    Dialect,
    HeadForm,
    JsonForm,
    Marks,
    PythonForm,
    TagForm,
)
from typesig.providers.engines.engine import Calls, Engine, Lose, losing
from typesig.providers.engines.grammar.making import ENFORCED, Maker
from typesig.providers.engines.grammar.records import python_arguments, tagged_arguments
from typesig.providers.engines.grammar.shapes import (
    EMPTY,
    Free,
    Grammar,
    Literal,
    Part,
    Schema,
    Sequence,
    chars,
    choice,
    optional,
    repeat,
    sequence,
)
from typesig.providers.engines.grammar.spellings import JSON, PYTHON, bare_within
from typesig.providers.engines.schemas import schema_of
from typesig.providers.engines.settling import Settled, settled_whole


class Spoken(NamedTuple):
    """The parts of a text with calls.

    #: rules: the named parts; losses: what they do not say
    #: marks: what prose does not have
    #: thoughts: the marks around reasoning; opens: the marks of calls that end it, too
    #: first: the mark before calls, or empty if they begin a line; rest: the calls behind it, or
    #:     None if there are none
    #: bare: with what a line of prose does not begin
    #: is_last: whether nothing follows the calls
    """

    rules: Mapping[str, Part]
    losses: tuple[Loss, ...]
    marks: tuple[str, ...]
    thoughts: tuple[Marks, ...]
    opens: tuple[str, ...]
    first: str
    rest: Part | None
    bare: str
    is_last: bool

    @property
    def before(self) -> tuple[str, ...]:
        """The marks that prose before a call does not have: the first mark may have some within."""
        return tuple([mark for mark in self.marks if mark == self.first or mark not in self.first])

    @property
    def implied(self) -> Free | None:
        """Reasoning that has begun in the prompt, or None."""
        if not self.thoughts or self.bare:
            return None
        return Free(self.marks, "", self.thoughts[0].close)

    def grammar(self) -> Grammar:
        """Return the grammar of the whole text."""
        thoughts = [sequence(pair.open, Free(self.opens, "", pair.close)) for pair in self.thoughts]
        thought = optional(choice(thoughts)) if thoughts else EMPTY
        implied = EMPTY if self.implied is None else optional(self.implied)
        end = sequence(thought, Free(self.marks))
        if self.bare:
            line = Free(self.marks, self.bare, "\n")
            last: Part = Free((*self.marks, "\n"), self.bare)
            last = last if self.rest is None else choice([self.rest, last])
            root = sequence(thought, repeat(line, 0, None), last)
        elif self.rest is None:
            root = sequence(implied, end)
        else:
            turn = sequence(thought, Free(self.before, "", self.first), self.rest)
            if self.is_last:
                root = sequence(implied, choice([turn, end]))
            else:
                root = sequence(implied, repeat(turn, 0, None), end)
        return Grammar(root, self.rules)


def spoken(engine: Engine, calls: Calls) -> Spoken:
    """Return the parts of a text with *calls*.

    A tool whose arguments no value fits has no call, which is a loss.  Raises `Unsupported` if the
    dialect has no form for a call of a tool.
    """
    dialect, losses = calls.dialect, list[Loss]()
    if not dialect.opens:
        raise Unsupported(f"{dialect.title}: it has no mark before calls")
    writer = _Calls(engine, dialect, losses)
    each: list[Part] = []
    for name, whole in calls.tools.items():
        made = settled_whole(engine.title, writer.enforces, whole)
        losses += made.losses
        if made.type == NEVER:
            why = "no value fits its arguments"
            losses.append(Loss("refused", (name,), "the tool", why, "no calls of it"))
            continue
        each.append(writer.call(name, made, whole.place))
    block = writer.block(each) if each else None
    marks = [*dialect.opens, *dialect.closes, *(dialect.section or ())]
    marks += [mark for pair in dialect.reasoning for mark in pair]
    if dialect.bare:
        marks += dialect.others
    first, rest = ("", block) if dialect.bare else _behind_mark(block, dialect)
    return Spoken(
        rules=writer.rules,
        losses=tuple(dict.fromkeys(losses)),
        marks=tuple(dict.fromkeys(marks)),
        thoughts=dialect.reasoning,
        opens=dialect.marks if dialect.open_reasoning else (),
        first=first,
        rest=rest,
        bare=dialect.bare,
        is_last=isinstance(dialect.form, JsonForm) and not dialect.closes,
    )


def _behind_mark(block: Part | None, dialect: Dialect) -> tuple[str, Part | None]:
    """Return the mark with which calls begin, and what follows it."""
    first = dialect.opens[0] if dialect.section is None else dialect.section.open
    if block is None:
        return first, None
    parts = block.parts if isinstance(block, Sequence) else (block,)
    assert isinstance(parts[0], Literal)
    return first, sequence(parts[0].text.removeprefix(first), *parts[1:])


class _Calls:
    """Writes calls in a dialect."""

    def __init__(self, engine: Engine, dialect: Dialect, losses: list[Loss]) -> None:
        self.rules: dict[str, Part] = {}
        self._engine = engine
        self._dialect = dialect
        self._losses = losses
        self._lose: Lose = losing(losses, engine.title)
        self._has_schemas = engine.has_schemas and isinstance(dialect.form, JsonForm | HeadForm)
        self.enforces = engine.enforces if self._has_schemas else ENFORCED

    def call(self, name: str, made: Settled, at: tuple[str, ...]) -> Part:
        """Return a call of the tool *name*, whose arguments are *made*, without marks around it."""
        form = self._dialect.form
        match form:
            case JsonForm():
                return self._object(name, made, at, form)
            case HeadForm():
                return self._headed(name, made, at, form)
            case TagForm():
                return self._tagged(name, made, at, form)
            case PythonForm():
                maker = Maker(made.names, self.rules, self._lose, PYTHON)
                part = python_arguments(maker, name, made, at)
                maker.finish()
                return part
            case BareForm(prefix, quote):
                maker = Maker(made.names, self.rules, self._lose, bare_within(quote))
                part = sequence(prefix, name, maker.part(made.type, at))
                maker.finish()
                return self._marked(part, at)
            case _:
                assert_never(form)

    def _object(self, name: str, made: Settled, at: tuple[str, ...], form: JsonForm) -> Part:
        if self._has_schemas:
            parts = [(form.name[0], enum([name])), (form.arguments[0], made.type)]
            parts = [(name, made.type)] if form.is_keyed else parts
            fields = [nodes.Field(key, t, True, None, True) for key, t in parts]
            return self._schema(made._replace(type=nodes.Record(tuple(fields))))
        maker = Maker(made.names, self.rules, self._lose, JSON)
        arguments = maker.part(made.type, at)
        named = maker.part(enum([name]), at)
        members = [(form.name[0], named), (form.arguments[0], arguments)]
        part = maker.object_of([(name, arguments)] if form.is_keyed else members)
        maker.finish()
        return part

    def _arguments(self, made: Settled, at: tuple[str, ...]) -> Part:
        if self._has_schemas:
            return self._schema(made)
        maker = Maker(made.names, self.rules, self._lose, JSON)
        part = maker.part(made.type, at)
        maker.finish()
        return part

    def _schema(self, made: Settled) -> Schema:
        schema = schema_of(self._engine, made)
        return Schema(json.dumps(schema, ensure_ascii=False, separators=(",", ":")))

    def _headed(self, name: str, made: Settled, at: tuple[str, ...], form: HeadForm) -> Part:
        before, _, behind = form.spelling.partition("{arguments}")
        head, index, rest = before.replace("{name}", name).partition("{index}")
        number = choice([Literal("0"), sequence(chars("19"), repeat(chars("09"), 0, 3))])
        counted = number if index else EMPTY
        return sequence(head, counted, rest, self._arguments(made, at), behind)

    def _tagged(self, name: str, made: Settled, at: tuple[str, ...], form: TagForm) -> Part:
        ends = form.name_ends[:1]
        head = sequence(name, *ends, form.line if ends != (form.line,) else "")
        arguments = tagged_arguments(self._dialect, form, made, at, self.rules, self._lose)
        return self._marked(sequence(head, arguments), at)

    def _marked(self, part: Part, at: tuple[str, ...]) -> Part:
        """Return *part*; tell of the texts that it cannot have."""
        if any(isinstance(each, Free) for each in Grammar(part, self.rules).parts()):
            why = f"the dialect {self._dialect.name} has no spelling for them"
            self._losses.append(Loss("narrowed", at, "texts with marks of calls", why))
        return part

    def block(self, each: list[Part]) -> Part:
        """Return all calls of an answer, each one of *each*, with the marks around them."""
        dialect, form = self._dialect, self._dialect.form
        one = choice(each)
        is_lines = isinstance(form, JsonForm | PythonForm) and form.is_lines
        is_list = isinstance(form, PythonForm) or (isinstance(form, JsonForm) and form.is_list)
        is_list = is_list and not is_lines
        opened, closed = (*dialect.opens[:1], "")[0], (*dialect.closes[:1], "")[0]
        pad = "" if dialect.section else dialect.pad
        if is_lines:
            one = sequence(one, repeat(sequence("\n", one), 0, None))
        if dialect.bare or is_list:
            if is_list:
                spelling = PYTHON if isinstance(form, PythonForm) else JSON
                maker = Maker({}, self.rules, self._lose, spelling)
                body = maker.list_of(one)
            else:
                body = sequence(one, repeat(sequence(dialect.between, one), 0, None))
            if dialect.bare:
                return body
            return sequence(opened.removesuffix("["), pad, body, pad, closed)
        marked = sequence(opened, pad, one, pad, closed)
        if dialect.section is None and isinstance(form, JsonForm) and not dialect.closes:
            # Without a mark behind them, other calls follow at once.
            return sequence(marked, repeat(sequence(dialect.between, marked), 0, None))
        if dialect.section is None:
            return marked
        start = sequence(dialect.section.open, dialect.pad)
        end = sequence(dialect.pad, dialect.section.close)
        if dialect.is_lone:
            return sequence(start, marked, end)
        return sequence(start, marked, repeat(sequence(dialect.between, marked), 0, None), end)
