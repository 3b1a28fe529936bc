"""A dialect as data: the marks around calls, how a call is spelt, and where reasoning stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from typesig.errors import Unsupported
from typesig.providers.dialects import response_templates
from typesig.providers.dialects.response_templates import (
    CallField,
    Group,
    Piece,
    Source,
    split_pattern,
)


class JsonForm(NamedTuple):
    """A call form with JSON objects, alone or in a list, each with a name and arguments.

    #: name, arguments, id: the keys; the first of each is written
    #: is_list: whether one list has all calls; is_lines: whether each has a line between two marks
    #: is_keyed: whether the only key of a call is its name, and the value its arguments
    """

    name: tuple[str, ...] = ("name",)
    arguments: tuple[str, ...] = ("arguments", "parameters")
    id: tuple[str, ...] = ("id",)
    is_list: bool = False
    is_lines: bool = False
    is_keyed: bool = False


class HeadForm(NamedTuple):
    """A call form with the tool's name in a head, followed by an object of arguments.

    #: spelling: how a call is written, with `{name}`, `{arguments}`, `{id}` and `{index}`
    #: separators: the marks between the parts of the head
    #: name_at: which part of the head has the name
    #: id_after: the separator behind which an id stands, or empty
    #: prefix: what may stand before the name, as that of a namespace
    #: counter: what separates the name from a number, or empty; the whole is then the id
    #: is_word: whether the name is the first word of its part
    """

    spelling: str
    separators: tuple[str, ...] = ()
    name_at: int = 0
    id_after: str = ""
    prefix: str = ""
    counter: str = ""
    is_word: bool = False


class TagForm(NamedTuple):
    """A call form with the tool's name, then a tag with unquoted text for each argument.

    #: name_ends: the marks behind the name, the first of which is written
    #: key_open: the mark before the name of an argument
    #: key_ends: the marks behind it, the first of which is written
    #: value_open: the mark before the text, or empty if that begins at once
    #: value_end: the mark behind it
    #: padding: what is written within the tags around a text, and taken off again
    #: line: what is written behind each tag
    #: fillers: what stands for nothing between tags
    #: data_end: what is written behind the name of an argument that is no text, if that differs
    #: has_cdata: whether `<![CDATA[` and `]]>` may stand around a text
    #: skips: whether a text ends with the first mark behind it, and text between tags means nothing
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
    has_cdata: bool = False
    skips: bool = False


class PythonForm(NamedTuple):
    """A call form with a list of Python calls that have literal keyword arguments.

    #: is_lines: whether each call has a line between two marks, without brackets around all
    """

    is_lines: bool = False


class BareForm(NamedTuple):
    """A call form with the tool's name and an object that has unquoted keys.

    #: prefix: what stands before the name; quote: the mark around texts
    """

    prefix: str
    quote: str


Form: TypeAlias = JsonForm | HeadForm | TagForm | PythonForm | BareForm


class Marks(NamedTuple):
    """A pair of an opening and a closing mark in the text of a model."""

    open: str
    close: str


ToolForm: TypeAlias = Literal[
    "tool", "nested", "function", "responses", "typescript", "xml", "python", "declaration"
]


class ToolListing(NamedTuple):
    """The format in which the chat template of a model family lists tools.

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
    """The format in which the chat template of a model family writes results of calls.

    #: text: from the end of the model's text to where it goes on, with `{results}`
    #: item: one result, with `{content}`, `{name}`, `{id}`; `{json}` is the content as a string of
    #:     JSON, and `{data}` is the content itself if it is JSON
    #: between: what stands between results
    #: source: where this is known from, or empty if it is not confirmed
    """

    text: str
    item: str
    between: str = ""
    source: str = ""


class Dialect(NamedTuple):
    """The spelling of tool calls, reasoning and results in the text of a model family.

    #: name: what it is called here; title: the families; source: where this is known from
    #: form: how a call is spelt
    #: opens: the marks before a call, the first of which is written
    #: closes: those behind it; without any, a call ends with its last bracket
    #: section: the marks around all calls of an answer, or None
    #: is_lone: whether each call has a section of its own
    #: between: what is written between calls; pad: within the marks around a call
    #: bare: the brackets with which a call may begin a line without a mark
    #: reasoning: the marks around reasoning; open_reasoning: whether any mark ends it
    #: others: further marks, which are no text
    #: leads: the marks before a call that are marks only at the beginning of the text
    #: wrappers: other marks that models write around all calls
    #: forms: further forms of a call behind the same marks, tried if the first does not fit
    #: siblings: dialects whose marks models of this family write by mistake
    #: answers: the marks around text for the user, if other text is dropped
    #: ids: how an id is spelt that the model left out, with `{name}` and `{index}`, or empty
    #: idle: the name by which the model calls nothing
    #: listing, results: how tools and results stand in the prompt, or None

    >>> plain = Dialect("mine", "My model", "", JsonForm(), ("<call>",), ("</call>",))
    >>> plain.marks
    ('<call>', '</call>', '<think>', '</think>')
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
    answers: tuple[Marks, ...] = ()
    ids: str = ""
    idle: str = ""
    listing: ToolListing | None = None
    results: Results | None = None
    leads: tuple[str, ...] = ()
    wrappers: tuple[Marks, ...] = ()
    forms: tuple[Form, ...] = ()
    siblings: tuple[Dialect, ...] = ()

    @classmethod
    def from_template(cls, template: object, name: str = "template") -> Dialect:
        """Return the dialect of *template*, the `response_template` of a tokenizer's configuration.

        Raises `Unsupported`, with the place, for a part that a dialect cannot express. Patterns may
        consist of literal marks, optional blanks and named groups; the pattern inside a group is
        ignored. Source: huggingface/transformers, docs/source/en/chat_response_parsing.md.

        >>> calls = {"open": "[CALL]", "close": "[END]", "content": "json", "repeats": True}
        >>> made = Dialect.from_template({"start_anchor": "[BOT]", "fields": {"tool_calls": calls}})
        >>> made.opens, made.closes
        (('[CALL]',), ('[END]',))
        """
        parts = response_templates.parse_template(template)
        made = _read_spelling(parts.calls)
        own = [mark for mark in parts.others if mark not in (*made.opens, *made.closes)]
        return made._replace(
            name=name,
            title=name,
            reasoning=tuple([Marks(*pair) for pair in parts.reasoning]),
            others=tuple(dict.fromkeys([*made.others, *own])),
            answers=tuple([Marks(*pair) for pair in parts.answers]),
        )

    @property
    def marks(self) -> tuple[str, ...]:
        """All marks of the dialect, which ordinary text never contains."""
        around = [mark for pair in self.sections for mark in pair]
        thoughts = [mark for pair in self.reasoning for mark in pair]
        kin = [mark for each in self.siblings for mark in (*each.opens, *each.closes, *each.others)]
        found = (*self.opens, *self.closes, *around, *thoughts, *self.others, *kin)
        return tuple(dict.fromkeys(found))

    @property
    def sections(self) -> tuple[Marks, ...]:
        """The marks around all calls: the written pair, then other accepted pairs."""
        own = () if self.section is None else (self.section,)
        kin = [pair for each in self.siblings for pair in each.sections]
        return tuple(dict.fromkeys((*own, *self.wrappers, *kin)))


def _read_spelling(calls: CallField | None) -> Dialect:
    """Make a dialect with the form and the marks of *calls*, a response template's field."""
    plain = Dialect("", "", "a response template", JsonForm())
    if calls is None:
        return plain
    opens, closes, around, behind = list[str](), list[str](), list[str](), list[str]()
    heads: list[tuple[Piece, ...]] = []
    for way in calls.opens:
        at = next((i for i, piece in enumerate(way) if isinstance(piece, Group)), len(way))
        texts = response_templates.select_marks(way[:at])
        if not texts:
            response_templates.refuse(calls.place, "calls need a mark before the name")
        opens.append(texts[-1])
        around += texts[:-1]
        heads.append(way[at:])
    for way in calls.closes:
        if response_templates.list_groups(way):
            response_templates.refuse(calls.place, "the mark behind a call has a named group")
        closes += response_templates.select_marks(way)[:1]
        behind += response_templates.select_marks(way)[1:]
    section = Marks(around[0], behind[-1]) if around and behind else None
    others = [mark for mark in (*around, *behind) if section is None or mark not in section]
    return plain._replace(
        form=_read_form(calls, heads),
        opens=tuple(dict.fromkeys(opens)),
        closes=tuple(dict.fromkeys(closes)),
        section=section,
        is_lone=section is not None,
        others=tuple(others),
    )


def _read_form(calls: CallField, heads: list[tuple[Piece, ...]]) -> Form:
    """Read the call form of *calls*; *heads* are the pattern pieces after opening marks."""
    args, place = calls.args, f"{calls.place}.content_args"
    delims = args.get("string_delims", [])
    is_bare = bool(delims) or args.get("unquoted_keys", False)
    if calls.content == "python-call-list" or not calls.name.group:
        if any(response_templates.list_groups(head) for head in heads):
            response_templates.refuse(
                calls.place, "the name is in the content, and a group has nothing"
            )
        if is_bare:
            response_templates.refuse(
                place, "names are bare only where the name stands before them"
            )
        if not calls.name.key or not calls.arguments.key or calls.content == "xml-inline":
            response_templates.refuse(f"{calls.place}.transform", "a call has a name and arguments")
        if calls.content == "python-call-list":
            return PythonForm()
        made = ("id",) if calls.id is None else (calls.id.key,)
        return JsonForm((calls.name.key,), (calls.arguments.key,), made, is_list=calls.is_each)
    if calls.arguments != Source():
        response_templates.refuse(
            f"{calls.place}.transform", "the arguments are all of the content"
        )
    separators = tuple(
        dict.fromkeys(mark for head in heads for mark in response_templates.select_marks(head))
    )
    if calls.content == "xml-inline":
        return _read_tag_form(args, place, separators)
    if is_bare:
        quotes = [tuple(pair) for pair in delims if isinstance(pair, list)]
        if separators or len(quotes) != 1 or len(set(quotes[0])) != 1:
            response_templates.refuse(
                place, "bare keys stand behind the name, with equal marks around texts"
            )
        return BareForm("", str(quotes[0][0]))
    return _read_head_form(calls, heads[0], separators)


def _read_head_form(
    calls: CallField, head: tuple[Piece, ...], separators: tuple[str, ...]
) -> HeadForm:
    """Read a call form with the name in *head*, the pattern pieces before the arguments."""
    spelling, before, name_at, id_after = "", "", 0, ""
    made = "" if calls.id is None else calls.id.group
    for piece in head:
        match piece:
            case Group(name) if name == calls.name.group:
                name_at = len(response_templates.select_marks(head[: head.index(piece)]))
                spelling += "{name}"
            case Group(name) if name == made and before:
                id_after = before
                spelling += "{index}"
            case Group(name):
                response_templates.refuse(
                    calls.place, f"the group {name} is not used, or has no mark before"
                )
            case str():
                spelling, before = spelling + piece, piece
            case _:
                # Blanks are not written.
                pass
    return HeadForm(f"{spelling}{{arguments}}", separators, name_at, id_after)


def _read_tag_form(args: Mapping[str, Any], place: str, name_ends: tuple[str, ...]) -> TagForm:
    """Read a call form with a tag per argument from *args*, a field's content options."""
    place = f"{place}.tag_pattern"
    if args.get("merge_duplicates") or not isinstance(args.get("tag_pattern"), str):
        response_templates.refuse(place, "a pattern for each argument, of which there is one")
    tags = [
        _read_tag(way, place)
        for way in response_templates.check_ways(split_pattern(args["tag_pattern"], place), place)
    ]
    key_ends = tuple(dict.fromkeys([tag.key_ends[0] for tag in tags]))
    made = {tag._replace(key_ends=key_ends, name_ends=name_ends) for tag in tags}
    if len(made) > 1:
        response_templates.refuse(
            place, "the marks of an argument are the same in all of its forms"
        )
    return made.pop()


def _read_tag(way: tuple[Piece, ...], place: str) -> TagForm:
    """Read the tags of an argument from *way*, a sequence of marks, blanks and groups."""
    match way:
        case (str() as key_open, Group("key"), str() as key_end, *rest):
            pass
        case _:
            response_templates.refuse(place, "a mark stands before and behind the key")
    padding = "\n" if None in rest else ""
    match [piece for piece in rest if piece is not None]:
        case [Group("value"), str() as value_end]:
            return TagForm((), key_open, (key_end,), "", value_end, padding, skips=True)
        case [str() as value_open, Group("value"), str() as value_end]:
            padding = "\n" if None in rest[rest.index(value_open) :] else ""
            marks = (key_open, (key_end,), value_open, value_end, padding)
            return TagForm((), *marks, skips=True)
        case _:
            raise Unsupported(f"{place}: a mark stands behind the value")
