"""A dialect as data: the marks around calls, how a call is spelt, and where reasoning stands."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias


class JsonForm(NamedTuple):
    """JSON objects, or a list of them, each with the name and the arguments of a call.

    #: name, arguments, id: the keys; the first of each is written
    #: is_list: whether one list has all calls; is_lines: whether each has a line between two marks
    """

    name: tuple[str, ...] = ("name",)
    arguments: tuple[str, ...] = ("arguments", "parameters")
    id: tuple[str, ...] = ("id",)
    is_list: bool = False
    is_lines: bool = False


class HeadForm(NamedTuple):
    """A head with the name, then a JSON object with the arguments.

    #: spelling: how a call is written, with `{name}`, `{arguments}`, `{id}` and `{index}`
    #: separators: the marks between the parts of the head
    #: name_at: which part of the head has the name
    #: id_after: the separator behind which an id stands, or empty
    #: prefix: what may stand before the name, as that of a namespace
    #: counter: what separates the name from a number, or empty; the whole is then the id
    """

    spelling: str
    separators: tuple[str, ...] = ()
    name_at: int = 0
    id_after: str = ""
    prefix: str = ""
    counter: str = ""


class TagForm(NamedTuple):
    """A name, then a tag for each argument, whose text has no quotes.

    #: name_ends: the marks behind the name, the first of which is written
    #: key_open: the mark before the name of an argument
    #: key_ends: the marks behind it, the first of which is written
    #: value_open: the mark before the text, or empty if that begins at once
    #: value_end: the mark behind it
    #: padding: what is written within the tags around a text, and taken off again
    #: line: what is written behind each tag
    #: fillers: what stands for nothing between tags
    #: data_end: what is written behind the name of an argument that is no text, if that differs
    """

    name_ends: tuple[str, ...]
    key_open: str
    key_ends: tuple[str, ...]
    value_open: str
    value_end: str
    padding: str = ""
    line: str = ""
    fillers: tuple[str, ...] = ()
    data_end: str = ""


class PythonForm(NamedTuple):
    """A list of Python calls whose arguments are keywords and literals."""


class BareForm(NamedTuple):
    """A name, then an object with bare keys whose texts stand between equal marks.

    #: prefix: what stands before the name; quote: the mark around texts
    """

    prefix: str
    quote: str


Form: TypeAlias = JsonForm | HeadForm | TagForm | PythonForm | BareForm


class Marks(NamedTuple):
    """A mark that opens something, and the one that closes it."""

    open: str
    close: str


ToolForm: TypeAlias = Literal[
    "tool", "nested", "function", "responses", "typescript", "xml", "python", "declaration"
]


class Listing(NamedTuple):
    """How a family's template lists the tools.

    #: text: the section, with `{tools}`; of a turn of its own only what stands in it
    #: form: of a tool: JSON, of the tool, within a list or not, or of its function alone, or with
    #:     `responses`; TypeScript;
    #:     XML; Python; or an object with bare keys
    #: between: what stands between tools; item: the text around one; indent: that of JSON
    #: source: where this is known from, or empty if it is not confirmed
    """

    text: str
    form: ToolForm
    between: str = "\n"
    item: str = "{tool}"
    indent: int | None = None
    source: str = ""


class Results(NamedTuple):
    """How a family's template tells of results.

    #: text: from the end of the model's text to where it goes on, with `{results}`
    #: item: one result, with `{content}`, `{name}`, `{id}`; `{json}` is the content as a string of JSON,
    #:     and `{data}` is the content itself if it is JSON
    #: between: what stands between results
    #: source: where this is known from, or empty if it is not confirmed
    """

    text: str
    item: str
    between: str = ""
    source: str = ""


class Dialect(NamedTuple):
    """How a family of models spells calls in its text.

    #: name: what it is called here; title: the families; source: where this is known from
    #: form: how a call is spelt
    #: opens: the marks before a call, the first of which is written
    #: closes: those behind it; without any, a call ends with its last bracket
    #: section: the marks around all calls of an answer, or None
    #: is_lone: whether each call has a section of its own
    #: between: what is written between calls; pad: within the marks around a call
    #: bare: the brackets with which a call may begin a line without a mark
    #: reasoning: the marks around reasoning; open_reasoning: whether a call ends it, too
    #: others: further marks, which are no text
    #: ids: how an id is spelt that the model left out, with `{name}` and `{index}`, or empty
    #: idle: the name by which the model calls nothing
    #: listing, results: how tools and results stand in the prompt, or None
    """

    name: str
    title: str
    source: str
    form: Form
    opens: tuple[str, ...] = ()
    closes: tuple[str, ...] = ()
    section: Marks | None = None
    is_lone: bool = False
    between: str = ""
    pad: str = ""
    bare: str = ""
    reasoning: tuple[Marks, ...] = (Marks("<think>", "</think>"),)
    others: tuple[str, ...] = ()
    open_reasoning: bool = False
    ids: str = ""
    idle: str = ""
    listing: Listing | None = None
    results: Results | None = None

    @property
    def marks(self) -> tuple[str, ...]:
        """All marks, which no text has."""
        around = self.section or ()
        thoughts = [mark for pair in self.reasoning for mark in pair]
        found = (*self.opens, *self.closes, *around, *thoughts, *self.others)
        return tuple(dict.fromkeys(found))
