"""A value that stands alone in a text, in parentheses or in a fence on one line."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from typesig.validation.mending.near_json import NearJson
from typesig.validation.mending.near_text import Unreadable
from typesig.validation.rows.repairs import RepairId

#: The names with which a value is handed over.  Another function may make another value of it.
_NAMES = (
    r"(?:callback|cb|jsonp|json_callback|print|console\.log|return|respond|submit"
    r"|(?:final_)?(?:answer|response|result|output))"
)
_PARENTHESES = re.compile(rf"(?P<name>{_NAMES})?[ \t]*(?=\()")
_FENCE = re.compile(r"(?:`{3,8}|~{3,8})[ \t]*(?:json\b)?\s*+(?![`~])", re.IGNORECASE)
_END = re.compile(r"[ \t]*+;?+\s*+\Z")
_EMPTY = re.compile(r"\[\s*\]\s*\{\s*\}\s*\Z")


class Wrapped(NamedTuple):
    """A value that is all that a text holds, and the repairs that take away what is around it."""

    data: Any
    repairs: dict[RepairId, int]


def wrapped_at(source: str, begin: int) -> list[Wrapped]:
    """Return what *source* may mean from *begin* on, if one value stands there in a wrapping."""
    found = _PARENTHESES.match(source, begin)
    if found is not None:
        return _in_parentheses(source, found)
    found = _FENCE.match(source, begin)
    if found is not None:
        return _in_fence(source, found)
    if _EMPTY.match(source, begin) is not None:
        # Nothing stands in the list, or what does stands behind it.
        return [Wrapped([], {"several_values": begin}), Wrapped([{}], {"several_values": begin})]
    return []


def _in_parentheses(source: str, found: re.Match[str]) -> list[Wrapped]:
    reader = NearJson(source, found.end())
    try:
        items, is_tuple = reader.in_parentheses()
    except Unreadable:
        return []
    if _END.match(source, reader.end) is None or (is_tuple and found["name"]):
        return []
    repair: RepairId = "python_literal" if is_tuple else "parentheses"
    reader.repairs[repair] = found.start()
    return [Wrapped(items if is_tuple else items[0], reader.repairs)]


def _in_fence(source: str, found: re.Match[str]) -> list[Wrapped]:
    body = source.rstrip().rstrip("`~")
    reader = NearJson(body, found.end())
    try:
        data = reader.value()
    except Unreadable:
        return []
    if body[reader.end :].strip():
        return []
    reader.repairs["code_fence"] = found.start()
    return [Wrapped(data, reader.repairs)]
