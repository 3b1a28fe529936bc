"""Texts with calls of tools, by the marks of a dialect: prose, reasoning, and calls between marks.

What such a grammar lets through, the reader of the dialect reads as calls that check.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple, assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import make_enum
from typesig.algebra.loss import Loss
from typesig.errors import Unsupported
from typesig.notations.json_schema.keywords import NEVER
from typesig.providers.dialects.dialect import (
    BareForm,
    Dialect,
    HeadForm,
    JsonForm,
    Marks,
    PythonForm,
    TagForm,
)
from typesig.providers.engines.engine import (
    Engine,
    LossRecorder,
    LoweredType,
    RootType,
    ToolCalls,
    make_loss_recorder,
)
from typesig.providers.engines.lowering import lower_type, write_schema
from typesig.providers.engines.write_bounds import limit_type
from typesig.providers.grammars.builder import ENFORCED, GrammarBuilder
from typesig.providers.grammars.records import (
    make_python_call,
    make_tag_spelling,
    make_tagged_arguments,
)
from typesig.providers.grammars.shapes import (
    EMPTY,
    JSON,
    PYTHON,
    Free,
    Grammar,
    GrammarSpelling,
    Literal,
    Part,
    Schema,
    Sequence,
    make_bare_spelling,
    make_chars,
    make_choice,
    make_optional,
    make_repeat,
    make_sequence,
)


class CallText(NamedTuple):
    """The grammar parts of a text with prose, reasoning and tool calls.

    #: rules: the named parts; losses: what they do not say
    #: marks: what prose does not have
    #: thoughts: the marks around reasoning; opens: the marks of calls that end it, too
    #: first: the mark before calls, or empty if they begin a line; rest: the calls behind it, or
    #:     None if there are none
    #: bare: with what a line of prose does not begin
    #: is_last: whether nothing follows the calls
    #: is_forced: whether the calls are the whole text; again: what stands between its blocks of
    #:     calls, or None if there is one block
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
    is_forced: bool = False
    again: str | None = None

    @property
    def before(self) -> tuple[str, ...]:
        """The marks that must not occur in the prose before a call."""
        return tuple([mark for mark in self.marks if mark == self.first or mark not in self.first])

    @property
    def implied(self) -> Free | None:
        """Reasoning that has begun in the prompt, or None."""
        if not self.thoughts or self.bare:
            return None
        return Free(self.marks, "", self.thoughts[0].close)

    def build_grammar(self) -> Grammar:
        """Build the grammar of the complete text of a model."""
        if self.is_forced:
            return Grammar(self._build_forced(), self.rules)
        thoughts = [
            make_sequence(pair.open, Free(self.opens, "", pair.close)) for pair in self.thoughts
        ]
        thought = make_optional(make_choice(thoughts)) if thoughts else EMPTY
        implied = EMPTY if self.implied is None else make_optional(self.implied)
        end = make_sequence(thought, Free(self.marks))
        if self.bare:
            line = Free(self.marks, self.bare, "\n")
            last: Part = Free((*self.marks, "\n"), self.bare)
            last = last if self.rest is None else make_choice([self.rest, last])
            root = make_sequence(thought, make_repeat(line, 0, None), last)
        elif self.rest is None:
            root = make_sequence(implied, end)
        else:
            turn = make_sequence(thought, Free(self.before, "", self.first), self.rest)
            if self.is_last:
                root = make_sequence(implied, make_choice([turn, end]))
            else:
                root = make_sequence(implied, make_repeat(turn, 0, None), end)
        return Grammar(root, self.rules)

    def _build_forced(self) -> Part:
        """Build the part for a text that is calls alone."""
        assert self.rest is not None
        block = make_sequence(self.first, self.rest)
        if self.again is None:
            return block
        return make_sequence(block, make_repeat(make_sequence(self.again, block), 0, None))


def build_call_text(engine: Engine, calls: ToolCalls) -> CallText:
    """Build the grammar parts of a text with *calls* for *engine*.

    A tool whose arguments no value fits has no call, which is a loss.  Raises `Unsupported` if the
    dialect has no form for a call of a tool, and if the text must have a call and no tool has one.
    """
    dialect, losses = calls.dialect, list[Loss]()
    if not dialect.opens:
        raise Unsupported(f"{dialect.title}: it has no mark before calls")
    writer = _CallWriter(engine, calls, losses)
    each: list[Part] = []
    for name, whole in calls.tools.items() if calls.choice != "none" else ():
        made = writer.lower_arguments(whole)
        if made.type == NEVER:
            why = "no value fits its arguments"
            losses.append(Loss("refused", (name,), "the tool", why, "no calls of it"))
            continue
        each.append(writer.write_call(name, made, whole.place))
    is_forced = calls.choice == "required"
    if is_forced and not each:
        raise Unsupported(f"no tool can be called, so that {engine.title} has nothing to write")
    block = writer.write_block(each) if each else None
    is_last = isinstance(dialect.form, JsonForm) and not dialect.closes
    is_block = writer.is_list or writer.is_lines or bool(dialect.bare) or is_last
    is_repeated = not is_block and (dialect.section is None or dialect.is_lone)
    marks = [*dialect.opens, *dialect.closes, *(dialect.section or ())]
    marks += [mark for pair in dialect.reasoning for mark in pair]
    if dialect.bare:
        marks += dialect.others
    first, rest = ("", block) if dialect.bare else _split_mark(block, dialect)
    return CallText(
        rules=writer.rules,
        losses=tuple(dict.fromkeys(losses)),
        marks=tuple(dict.fromkeys(marks)),
        thoughts=dialect.reasoning,
        opens=dialect.marks if dialect.open_reasoning else (),
        first=first,
        rest=rest,
        bare=dialect.bare,
        is_last=is_last or not calls.parallel,
        is_forced=is_forced,
        again=dialect.between if is_repeated and calls.parallel else None,
    )


def _split_mark(block: Part | None, dialect: Dialect) -> tuple[str, Part | None]:
    """Split *block*, the part for all calls, into its opening mark and the remainder."""
    first = dialect.opens[0] if dialect.section is None else dialect.section.open
    if block is None:
        return first, None
    parts = block.parts if isinstance(block, Sequence) else (block,)
    assert isinstance(parts[0], Literal)
    return first, make_sequence(parts[0].text.removeprefix(first), *parts[1:])


class _CallWriter:
    """A writer of grammar parts for tool calls in a dialect."""

    def __init__(self, engine: Engine, calls: ToolCalls, losses: list[Loss]) -> None:
        dialect = calls.dialect
        form = dialect.form
        self.rules: dict[str, Part] = {}
        self.is_lines = isinstance(form, JsonForm | PythonForm) and form.is_lines
        is_list = isinstance(form, PythonForm) or (isinstance(form, JsonForm) and form.is_list)
        self.is_list = is_list and not self.is_lines
        self._engine = engine
        self._dialect = dialect
        self._most = None if calls.parallel else 1
        self._losses = losses
        self._lose: LossRecorder = make_loss_recorder(losses, engine.title)
        self._has_schemas = engine.has_schemas and isinstance(dialect.form, JsonForm | HeadForm)
        self._enforces = engine.enforces if self._has_schemas else ENFORCED
        self._bounds = calls.bounds
        if isinstance(form, TagForm | BareForm):
            # Texts without quotes end where a mark begins, and are not counted.
            self._bounds = self._bounds._replace(longest=None)

    def lower_arguments(self, whole: RootType) -> LoweredType:
        """Lower the argument type *whole* to what the engine enforces, within the bounds."""
        made = lower_type(self._engine.title, self._enforces, whole)
        spells = not self._has_schemas
        made = limit_type(made, self._bounds, self._enforces, whole, spells=spells)
        self._losses += made.losses
        return made

    def _make_builder(
        self, names: Mapping[str, nodes.Type], spelling: GrammarSpelling
    ) -> GrammarBuilder:
        """Make a builder of values in *spelling*, within the bounds."""
        return GrammarBuilder(names, self.rules, self._lose, spelling.limit(self._bounds))

    def write_call(self, name: str, made: LoweredType, at: tuple[str, ...]) -> Part:
        """Build the part for a call of the tool *name* with arguments of *made*."""
        form = self._dialect.form
        match form:
            case JsonForm():
                return self._write_object(name, made, at, form)
            case HeadForm():
                before, _, behind = form.spelling.partition("{arguments}")
                head, index, rest = before.replace("{name}", name).partition("{index}")
                number = make_choice(
                    [
                        Literal("0"),
                        make_sequence(make_chars("19"), make_repeat(make_chars("09"), 0, 3)),
                    ]
                )
                counted = number if index else EMPTY
                return make_sequence(head, counted, rest, self._write_arguments(made, at), behind)
            case TagForm():
                return self._write_tagged(name, made, at, form)
            case PythonForm():
                maker = self._make_builder(made.names, PYTHON)
                part = make_python_call(maker, name, made, at)
                maker.finish()
                return part
            case BareForm(prefix, quote):
                maker = self._make_builder(made.names, make_bare_spelling(quote))
                part = make_sequence(prefix, name, maker.build_part(made.type, at))
                maker.finish()
                return self._report_marks(part, at)
            case _:
                assert_never(form)

    def _write_object(
        self, name: str, made: LoweredType, at: tuple[str, ...], form: JsonForm
    ) -> Part:
        """Part for a call as a JSON object; *made* is the type of its arguments."""
        if self._has_schemas:
            parts = [(form.name[0], make_enum([name])), (form.arguments[0], made.type)]
            parts = [(name, made.type)] if form.is_keyed else parts
            fields = [nodes.Field(key, t, True, None, True) for key, t in parts]
            return self._write_schema(made._replace(type=nodes.Record(tuple(fields))))
        maker = self._make_builder(made.names, JSON)
        arguments = maker.build_part(made.type, at)
        named = maker.build_part(make_enum([name]), at)
        members = [(form.name[0], named), (form.arguments[0], arguments)]
        part = maker.build_object([(name, arguments)] if form.is_keyed else members)
        maker.finish()
        return part

    def _write_arguments(self, made: LoweredType, at: tuple[str, ...]) -> Part:
        """Part that matches arguments of the type *made*, as a JSON object."""
        if self._has_schemas:
            return self._write_schema(made)
        maker = self._make_builder(made.names, JSON)
        part = maker.build_part(made.type, at)
        maker.finish()
        return part

    def _write_schema(self, made: LoweredType) -> Schema:
        """Part that matches the type *made*, as an embedded JSON Schema."""
        schema = write_schema(self._engine, made)
        return Schema(json.dumps(schema, ensure_ascii=False, separators=(",", ":")))

    def _write_tagged(
        self, name: str, made: LoweredType, at: tuple[str, ...], form: TagForm
    ) -> Part:
        """Part for a call with tags around the arguments of the type *made*."""
        ends = form.name_ends[:1]
        head = make_sequence(name, *ends, form.line if ends != (form.line,) else "")
        maker = self._make_builder(made.names, make_tag_spelling(self._dialect, form))
        arguments = make_tagged_arguments(self._dialect, form, made, at, maker, self._lose)
        return self._report_marks(make_sequence(head, arguments), at)

    def _report_marks(self, part: Part, at: tuple[str, ...]) -> Part:
        """Return *part*; record the texts with marks that it excludes as a loss."""
        if any(isinstance(each, Free) for each in Grammar(part, self.rules).iter_parts()):
            why = f"the dialect {self._dialect.name} has no spelling for them"
            self._losses.append(Loss("narrowed", at, "texts with marks of calls", why))
        return part

    def write_block(self, each: list[Part]) -> Part:
        """Build the part for all calls of an answer, with marks, from the calls *each*."""
        dialect, form = self._dialect, self._dialect.form
        one = make_choice(each)
        opened, closed = (*dialect.opens[:1], "")[0], (*dialect.closes[:1], "")[0]
        pad = "" if dialect.section else dialect.pad
        if self.is_lines:
            one = self._repeat(one, "\n")
        if dialect.bare or self.is_list:
            if self.is_list:
                spelling = PYTHON if isinstance(form, PythonForm) else JSON
                body = self._make_builder({}, spelling).build_list(one, self._most)
            else:
                body = self._repeat(one, dialect.between)
            if dialect.bare:
                return body
            return make_sequence(opened.removesuffix("["), pad, body, pad, closed)
        marked = make_sequence(opened, pad, one, pad, closed)
        if dialect.section is None and isinstance(form, JsonForm) and not dialect.closes:
            # Without a mark behind them, other calls follow at once.
            return self._repeat(marked, dialect.between)
        if dialect.section is None:
            return marked
        start = make_sequence(dialect.section.open, dialect.pad)
        end = make_sequence(dialect.pad, dialect.section.close)
        if dialect.is_lone:
            return make_sequence(start, marked, end)
        return make_sequence(start, self._repeat(marked, dialect.between), end)

    def _repeat(self, one: Part, between: str) -> Part:
        """Part for the call *one*, and more behind it unless the text has a single call."""
        if self._most == 1:
            return one
        return make_sequence(one, make_repeat(make_sequence(between, one), 0, None))
