"""Response templates of transformers, taken apart: how calls, reasoning and text are spelt.

Source: huggingface/transformers, docs/source/en/chat_response_parsing.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, NoReturn, TypeAlias, assert_never

from typesig.algebra.rows.builtin import as_builtin
from typesig.errors import TypesigError, Unsupported, format_value
from typesig.limits import MAX_MARK, MAX_MARKS
from typesig.patterns import Anchor, Chars, Choice, Look, Node, Repeat, Sequence, parse_pattern

# --- Pieces of the patterns of a response template: marks, blanks and named groups ---
# A pattern comes from a model's files, so it is never searched with.  What is not made of literal
# marks, optional blanks and named groups is refused.


class Group(NamedTuple):
    """A named group in a pattern of a response template."""

    name: str


#: The text of a mark, blanks that may be there, or a named group.
Piece: TypeAlias = str | Group | None

_Pieces: TypeAlias = tuple[Piece, ...]


def split_pattern(pattern: str, place: str) -> list[_Pieces]:
    """Split *pattern* into the piece sequences that it matches; blanks become None.

    Raises `Unsupported` with the *place* in the template if it has another form.
    """
    _parse(pattern, place)
    ways: list[_Pieces] = [()]
    for kind, text in _split_groups(pattern, place):
        found = [(Group(text),)] if kind == "group" else _list_ways(_parse(text, place), place)
        ways = _check_count([way + more for way in ways for more in found], place)
    return [_join_pieces(way) for way in ways]


def _parse(pattern: str, place: str) -> Node:
    """Parse a regular expression; errors are `Unsupported` and name *place*."""
    try:
        return parse_pattern(pattern)
    except TypesigError as error:
        raise Unsupported(f"{place}: {error}") from None


def _split_groups(pattern: str, place: str) -> Iterator[tuple[Literal["text", "group"], str]]:
    """Yield the texts between the named groups of *pattern* and the group names."""
    at = start = depth = 0
    in_class = in_group = False
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 1
        elif in_class:
            in_class = char != "]"
        elif char == "[":
            in_class = True
        elif char == ")":
            depth -= 1
            if in_group and not depth:
                in_group, start = False, at + 1
        elif char == "(":
            if pattern.startswith("(?P<", at) and not in_group:
                if depth:
                    raise Unsupported(f"{place}: a named group stands in another group")
                yield "text", pattern[start:at]
                yield "group", pattern[at + 4 : pattern.index(">", at)]
                in_group = True
            depth += 1
        at += 1
    yield "text", pattern[start:]


def _list_ways(node: Node, place: str) -> list[_Pieces]:
    """List the sequences of pieces that match the parsed pattern *node*."""
    match node:
        case Chars():
            count = sum(last - first + 1 for first, last in node.ranges)
            if count > 1 and _is_blank(node):
                return [(None,)]
            if count > MAX_MARKS:
                raise _make_refusal(place, "a class of characters")
            return [(chr(code),) for first, last in node.ranges for code in range(first, last + 1)]
        case Sequence(parts):
            ways: list[_Pieces] = [()]
            for part in parts:
                found = _list_ways(part, place)
                ways = _check_count([way + more for way in ways for more in found], place)
            return ways
        case Choice(branches):
            return _check_count(
                [way for branch in branches for way in _list_ways(branch, place)], place
            )
        case Repeat(part, low, high):
            if _is_blank(part):
                return [(None,)]
            if (low, high) == (0, 1):
                return [(), *_list_ways(part, place)]
            raise _make_refusal(place, "a repetition")
        case Look():
            raise _make_refusal(place, "a lookaround")
        case Anchor():
            raise _make_refusal(place, "an anchor")
        case _:
            assert_never(node)


def _is_blank(node: Node) -> bool:
    """Whether *node* matches blanks only."""
    if not isinstance(node, Chars) or not node.ranges:
        return False
    few = all(last - first < MAX_MARKS for first, last in node.ranges)
    return few and all(
        chr(code).isspace() or code == 0xFEFF
        for first, last in node.ranges
        for code in range(first, last + 1)
    )


def _check_count(ways: list[_Pieces], place: str) -> list[_Pieces]:
    """Return the piece sequences *ways*; raise `Unsupported` if there are too many."""
    if len(ways) > MAX_MARKS:
        raise Unsupported(f"{place}: the pattern stands for more than {MAX_MARKS} marks")
    return ways


def _join_pieces(way: _Pieces) -> _Pieces:
    """Merge neighbouring texts and neighbouring blanks in the piece sequence *way*."""
    out: list[Piece] = []
    for piece in way:
        last = out[-1] if out else Group("")
        if isinstance(piece, str) and isinstance(last, str):
            out[-1] = last + piece
        elif piece is not None or last is not None:
            out.append(piece)
    return tuple(out)


def _make_refusal(place: str, what: str) -> Unsupported:
    """Make the error for an unsupported pattern feature in the template at *place*."""
    return Unsupported(
        f"{place}: a dialect has literal marks with optional blanks and named groups, not {what}"
    )


_KEYS = ("version", "defaults", "fields", "start_anchor", "start_anchor_pattern")
_FIELD_KEYS = (
    *("open", "open_pattern", "close", "close_pattern", "content", "content_args"),
    *("repeats", "join", "optional", "transform", "transform_each"),
)
#: What a message calls the reasoning.
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")


class Source(NamedTuple):
    """The location of a part of a call in a template: a named group or a content key.

    #: group: the name of a group, or empty; key: that of a member of the content, or empty for all
    """

    group: str = ""
    key: str = ""


class CallField(NamedTuple):
    """The field of a response template that describes tool calls.

    #: opens, closes: the marks around it, as sequences of pieces
    #: content: the kind of what stands between the marks; args: its options
    #: name, arguments, id: where these are; the id is None if there is none
    #: is_each: whether the content is a list of calls
    #: place: the place of the field
    """

    opens: list[_Pieces]
    closes: list[_Pieces]
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
        region = _read_marks(field, "open", place), _read_marks(field, "close", place)
        opens, closes = [[mark for way in ways for mark in select_marks(way)] for ways in region]
        if name == "tool_calls":
            calls = _read_calls(field, region, place)
            continue
        if field.get("content", "text") != "text" or "transform" in field:
            refuse(place, "text and reasoning are texts")
        if name in _THOUGHTS:
            if not opens or len(closes) != 1:
                refuse(place, "reasoning has a mark that opens it, and one that closes it")
            reasoning += [(mark, closes[0]) for mark in opens]
        elif name == "content":
            others += [*opens, *closes]
            answers += [(mark, end) for mark in opens for end in closes or [""]]
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


def _read_calls(
    field: Mapping[str, Any], region: tuple[list[_Pieces], list[_Pieces]], place: str
) -> CallField:
    """Read how calls are spelt from the template's *field* for tool calls."""
    content = field.get("content", "text")
    if content not in ("json", "xml-inline", "python-call-list"):
        refuse(f"{place}.content", f"the arguments of a call are no {format_value(content)}")
    if not region[0]:
        refuse(place, "calls need a mark that opens them")
    args = _check_dict(field.get("content_args", {}), f"{place}.content_args")
    is_each = field.get("transform_each", False) is True
    shape = field.get("transform")
    name, sent = Source(key="name"), Source(key="arguments")
    if shape is None:
        # The content has the form that messages have.
        is_list = not field.get("repeats", False)
        return CallField(*region, content, args, name, sent, None, is_list, place)
    groups = [group for way in (*region[0], *region[1]) for group in list_groups(way)]
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
    return CallField(*region, content, args, name, sent, made, is_each, place)


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
