"""Items of answers by type: text, items the vendor runs, and items for the host.

A call of a tool is read by its `CallRow`.  Any other item that waits for an answer becomes a call
of the host, which `handle` gives to one of `host_items` or refuses, so that none is left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

from typesig.errors import TypesigError, format_value
from typesig.providers.rows.calls import WireCall, get_kind, get_member, get_text_member
from typesig.providers.rows.events import to_plain_event

#: What becomes of an item: it is text, the vendor runs it and answers, it is a call of a tool, it
#: waits for the host, or it is the result of another item.
ItemUse: TypeAlias = Literal["text", "server", "call", "host", "result"]

#: The key in the `extra` of a call of the host: the type of the item that answers it, or empty.
HOST = "host"

#: Types, or names of members, of what waits for an answer.
_CALL = re.compile(
    r"(?i)(?:.*[_.:-])?(?:call|tool_?use|request|invocation)s?|.*(?:Call|ToolUse|Request)"
)

#: The members of an answer to a call.
_ANSWERS = ("output", "outputs", "result", "results")


class ItemRow(NamedTuple):
    """A type of answer items and its handling, such as by the host or the vendor.

    #: kind: the type; use: what becomes of it
    #: answer: the type of the item that answers it, or empty; key: the member there with its id
    #: id: the member with the id by which it is answered
    #: at_server: the members that lead to a text, and that text where the vendor runs it
    """

    kind: str
    use: ItemUse
    answer: str = ""
    key: str = "call_id"
    id: str = "call_id"
    at_server: tuple[tuple[str, ...], str] | None = None

    def is_at_server(self, item: object) -> bool:
        """Whether the vendor runs *item* itself."""
        if self.at_server is None:
            return False
        path, text = self.at_server
        for name in path[:-1]:
            item = get_member(item, name)
        return get_text_member(item, path[-1]) == text


@dataclass(frozen=True, eq=False)
class ItemTable:
    """The types of items in a vendor's answers.

    #: rows: those that are known, by type
    #: members: the known members of items without a type; the first has a text
    #: uses: the types of what the vendor runs, whose results name them by the member `resolved_by`
    """

    rows: Mapping[str, ItemRow] = field(default_factory=dict)
    members: tuple[str, ...] = ()
    uses: frozenset[str] = frozenset()
    resolved_by: str = ""

    @cached_property
    def silent(self) -> frozenset[str]:
        """The item types that never wait for the host."""
        return frozenset(row.kind for row in self.rows.values() if row.use in ("text", "server"))

    def read(self, item: object) -> WireCall | None:
        """Read *item*, no tool call, as a call of the host if it waits for the host."""
        if self.members:
            return self._read_member(item)
        kind = get_kind(item)
        row = self.rows.get(kind)
        if row is None:
            return _read_host_call(item, ItemRow(kind, "host")) if _is_like_call(item) else None
        return (
            _read_host_call(item, row) if row.use == "host" and not row.is_at_server(item) else None
        )

    def _read_member(self, item: object) -> WireCall | None:
        """Read an untyped *item* as a host call if it has an unknown call member."""
        if get_text_member(item, self.members[0]) is not None:
            return None
        for name, part in to_plain_event(item).items():
            if isinstance(part, dict) and name not in self.members and _CALL.fullmatch(name):
                return _read_host_call(part, ItemRow(name, "host"))
        return None

    def remove_answered(self, items: Sequence[Any]) -> list[Any]:
        """Remove from *items* the items that have an answer in it, and their answers."""
        kinds = [get_kind(item) for item in items]
        keys = {row.answer: row.key for row in self.rows.values() if row.answer}
        answers = {
            (kind, get_text_member(item, keys[kind]))
            for kind, item in zip(kinds, items, strict=True)
            if kind in keys
        }
        if not answers:
            return list(items)
        calls: set[tuple[str, str | None]] = set()
        left: list[Any] = []
        for kind, item in zip(kinds, items, strict=True):
            row = self.rows.get(kind)
            call = (row.answer, get_text_member(item, row.id)) if row is not None else ("", None)
            if call[1] is not None and call in answers:
                calls.add(call)
            else:
                left.append(item)
        return [
            item
            for item in left
            if (kind := get_kind(item)) not in keys
            or (kind, get_text_member(item, keys[kind])) not in calls
        ]

    def check_resolved(self, items: Sequence[object], remedy: str) -> None:
        """Raise `TypesigError` with *remedy* if an item of the vendor has no result."""
        resolved = {get_text_member(item, self.resolved_by) for item in items}
        for item in items:
            if get_kind(item) in self.uses and get_text_member(item, "id") not in resolved:
                raise TypesigError(
                    f"{get_kind(item)} {format_value(get_text_member(item, 'id'))} has no "
                    "result yet: "
                    f"{remedy}"
                )


def _is_like_call(item: object) -> bool:
    """Whether *item*, of an unknown type, looks like a call that waits for an answer."""
    if get_member(item, *_ANSWERS) is not None:
        return False
    if _CALL.fullmatch(get_kind(item)):
        return True
    if get_member(item, "arguments", "input") is None:
        return False
    return get_member(item, "name", "call_id", "tool_call_id") is not None


def _read_host_call(item: object, row: ItemRow) -> WireCall:
    """Read *item* of the type *row* as a call of the host."""
    id = get_text_member(item, row.id) or get_text_member(item, "id")
    is_whole = get_text_member(item, "status") in (None, "completed")
    stop = None if is_whole else "length"
    return WireCall(id, row.kind, to_plain_event(item), {HOST: row.answer}, stop)  # type: ignore[arg-type]


def is_for_host(call: WireCall) -> bool:
    """Whether *call* is an item that waits for the host, and is not a call of a tool."""
    return HOST in call.extra
