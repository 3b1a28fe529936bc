"""Response templates of transformers, taken apart: how calls, reasoning and text are spelt.

Source: huggingface/transformers, docs/source/en/chat_response_parsing.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn

from typesig.algebra.rows.builtin import as_builtin
from typesig.errors import Unsupported, format_value
from typesig.limits import MAX_MARK, MAX_MARKS
from typesig.providers.dialects.pattern_pieces import Group, Piece, split_pattern

_KEYS = ("version", "defaults", "fields", "start_anchor", "start_anchor_pattern")
_FIELD_KEYS = (
    *("open", "open_pattern", "close", "close_pattern", "content", "content_args"),
    *("repeats", "join", "optional", "transform", "transform_each"),
)
#: What a message calls the reasoning.
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")


class Region(NamedTuple):
    """The opening and closing marks around a template field, as piece sequences."""

    opens: list[tuple[Piece, ...]]
    closes: list[tuple[Piece, ...]]


class Source(NamedTuple):
    """The location of a part of a call in a template: a named group or a content key.

    #: group: the name of a group, or empty; key: that of a member of the content, or empty for all
    """

    group: str = ""
    key: str = ""


class CallField(NamedTuple):
    """The field of a response template that describes tool calls.

    #: content: the kind of what stands between the marks; args: its options
    #: name, arguments, id: where these are; the id is None if there is none
    #: is_each: whether the content is a list of calls
    #: place: the place of the field
    """

    region: Region
    content: str
    args: Mapping[str, Any]
    name: Source
    arguments: Source
    id: Source | None
    is_each: bool
    place: str


class TemplateParts(NamedTuple):
    """The parts of a response template.

    #: calls: how calls are spelt, or None
    #: reasoning: the pairs of marks around reasoning; others: further marks, which are no text
    #: answers: the pairs around text, if other text is dropped; the second may be empty
    """

    calls: CallField | None
    reasoning: list[tuple[str, str]]
    others: list[str]
    answers: list[tuple[str, str]]


def parse_template(template: object) -> TemplateParts:
    """Parse a response *template*; raise `Unsupported` with the place of a wrong part."""
    whole = _check_dict(as_builtin(template), "the template")
    _check_keys(whole, _KEYS, "the template")
    if whole.get("version", 1) != 1:
        refuse("version", f"version {format_value(whole['version'])} is not known")
    for key in _check_dict(whole.get("defaults", {}), "defaults"):
        if key != "role":
            refuse(f"defaults.{key}", "a dialect has no values that are always there")
    calls: CallField | None = None
    reasoning: list[tuple[str, str]] = []
    others: list[str] = []
    answers: list[tuple[str, str]] = []
    fields = _check_dict(whole.get("fields", {}), "fields")
    if not fields:
        refuse("fields", "there is none")
    for name, field in fields.items():
        place = f"fields.{name}"
        _check_keys(_check_dict(field, place), _FIELD_KEYS, place)
        region = Region(_read_marks(field, "open", place), _read_marks(field, "close", place))
        if name == "tool_calls":
            calls = _read_calls(field, region, place)
            continue
        if field.get("content", "text") != "text" or "transform" in field:
            refuse(place, "text and reasoning are texts")
        if name in _THOUGHTS:
            reasoning += _read_reasoning(region, place)
        elif name == "content":
            others += [
                mark for way in (*region.opens, *region.closes) for mark in select_marks(way)
            ]
            opens = [mark for way in region.opens for mark in select_marks(way)]
            closes = [mark for way in region.closes for mark in select_marks(way)] or [""]
            answers += [(mark, end) for mark in opens for end in closes]
        else:
            refuse(place, "a dialect has content, reasoning_content and tool_calls")
    return TemplateParts(calls, reasoning, others, answers)


def _read_marks(field: Mapping[str, Any], key: str, place: str) -> list[tuple[Piece, ...]]:
    """Read the piece sequences of the mark *key*, "open" or "close", of *field*."""
    pattern = field.get(f"{key}_pattern")
    if pattern is None:
        found = field.get(key, [])
        made = [found] if isinstance(found, str) else found
        if not isinstance(made, list) or not all(isinstance(each, str) and each for each in made):
            refuse(f"{place}.{key}", "a mark is a text, or a list of texts")
        return check_ways([(each,) for each in made], f"{place}.{key}")
    if key in field or not isinstance(pattern, str):
        refuse(f"{place}.{key}_pattern", "a pattern is a text, in place of a mark")
    where = f"{place}.{key}_pattern"
    return check_ways(split_pattern(pattern, where), where)


def check_ways(ways: list[tuple[Piece, ...]], place: str) -> list[tuple[Piece, ...]]:
    """Return the piece sequences *ways*; raise `Unsupported` for too many or long marks."""
    if len(ways) > MAX_MARKS:
        refuse(place, f"there are more than {MAX_MARKS} marks")
    if any(len(mark) > MAX_MARK for way in ways for mark in select_marks(way)):
        refuse(place, f"a mark has more than {MAX_MARK} characters")
    return ways


def select_marks(way: tuple[Piece, ...]) -> list[str]:
    """Return the literal marks in the piece sequence *way*."""
    return [piece for piece in way if isinstance(piece, str)]


def _read_reasoning(region: Region, place: str) -> list[tuple[str, str]]:
    """Read the pairs of marks around reasoning; refuse several closing marks."""
    opens = [mark for way in region.opens for mark in select_marks(way)]
    closes = [mark for way in region.closes for mark in select_marks(way)]
    if not opens or len(closes) != 1:
        refuse(place, "reasoning has a mark that opens it, and one that closes it")
    return [(mark, closes[0]) for mark in opens]


def _read_calls(field: Mapping[str, Any], region: Region, place: str) -> CallField:
    """Read how calls are spelt from the template's *field* for tool calls."""
    content = field.get("content", "text")
    if content not in ("json", "xml-inline", "python-call-list"):
        refuse(f"{place}.content", f"the arguments of a call are no {format_value(content)}")
    if not region.opens:
        refuse(place, "calls need a mark that opens them")
    args = _check_dict(field.get("content_args", {}), f"{place}.content_args")
    is_each = field.get("transform_each", False) is True
    shape = field.get("transform")
    name, sent = Source(key="name"), Source(key="arguments")
    if shape is None:
        # The content has the form that messages have.
        is_list = not field.get("repeats", False)
        return CallField(region, content, args, name, sent, None, is_list, place)
    groups = [group for way in (*region.opens, *region.closes) for group in list_groups(way)]
    call = _check_dict(shape, f"{place}.transform")
    _check_keys(call, ("type", "id", "function"), f"{place}.transform")
    function, inner = call.get("function"), f"{place}.transform.function"
    made = None
    if "id" in call:
        made = _read_source(call["id"], f"{place}.transform.id", groups)
    if function != "{content}":
        parts = _check_dict(function, inner)
        _check_keys(parts, ("name", "arguments"), inner)
        name = _read_source(parts.get("name"), f"{inner}.name", groups)
        sent = _read_source(parts.get("arguments"), f"{inner}.arguments", groups)
    return CallField(region, content, args, name, sent, made, is_each, place)


_PLACEHOLDER = re.compile(r"\{(\w{1,100})(?:\.(\w{1,100}))?\}")


def _read_source(text: object, place: str, groups: list[str]) -> Source:
    """Read the group or content key that a placeholder such as `{name}` refers to."""
    found = _PLACEHOLDER.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        refuse(place, f"a dialect finds it in the call, and not in {format_value(text)}")
    root, key = found.groups("")
    if root in groups and not key:
        return Source(group=root)
    if root == "content":
        return Source(key=key)
    # The keys of each item of a list are in scope.
    return Source(key=root)


def list_groups(way: tuple[Piece, ...]) -> list[str]:
    """Return the names of the named groups among the pieces *way* of a mark."""
    return [piece.name for piece in way if isinstance(piece, Group)]


def refuse(place: str, why: str) -> NoReturn:
    """Raise `Unsupported` with the *place* in the template."""
    raise Unsupported(f"{place}: {why}")


def _check_dict(data: object, place: str) -> Mapping[str, Any]:
    """Return *data* if it is a dict with text keys; raise an error at *place* otherwise."""
    if not isinstance(data, dict) or not all(isinstance(key, str) for key in data):
        refuse(place, f"expected a dict, got {format_value(data)}")
    return data


def _check_keys(data: Mapping[str, Any], known: tuple[str, ...], place: str) -> None:
    """Raise an error at *place* if a key of *data* is not among the *known* keys."""
    for key in data:
        if key not in known:
            refuse(place, f"the key {format_value(key)} is not known")
