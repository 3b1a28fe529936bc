"""Operations that write values of any type, by the class of each part."""

from __future__ import annotations

from typing import Any

from typesig.algebra import nodes
from typesig.algebra.rows.values import SMALL, is_long
from typesig.validation.plan.operations import Mismatch, Operation, Run
from typesig.validation.plan.write_classes import take_places
from typesig.validation.plan.write_leaves import (
    MOST_CLASSES,
    HostAccess,
    Write,
    WriteOperation,
    find_row,
    make_datetime_writer,
)

#: The depth from which the reference implementation writes a whole result.
_DEEPEST = 32

#: The classes of values that stay as they are.
_SAME = frozenset({str, bool, type(None)})


class WriteAny(WriteOperation):
    """A value of any type, written as its class tells; what has no code is written by *others*.

    #: fresh: whether lists and dicts are copied that stay as they are
    """

    __slots__ = ("fresh", "hosts", "others")

    hosts: HostAccess
    fresh: bool
    others: Operation

    def closure(self) -> Run:
        """Return the form that asks the class of each part."""
        writer = self.make_writer()
        return lambda value, left: writer.write(value, left, 0)

    def make_writer(self) -> _AnyWriter:
        """Make what writes the value and its parts."""
        return _AnyWriter(self.hosts, self.fresh, self.others)


class _AnyWriter:
    """Writes values of any type."""

    __slots__ = ("_fresh", "_hosts", "_leaves", "_names", "_others")

    def __init__(self, hosts: HostAccess, fresh: bool, others: Operation) -> None:
        self._hosts = hosts
        self._fresh = fresh
        self._others = others.closure()
        # By class: what writes a scalar, and the attributes of an object by output name.
        self._leaves: dict[type, Write] = {}
        self._names: dict[type, tuple[tuple[str, str], ...]] = {}

    def write(self, value: Any, left: list[int], depth: int) -> Any:
        """Write *value*, at nesting level *depth*."""
        cls = type(value)
        if cls in _SAME:
            return value
        leaf = self._leaves.get(cls)
        if leaf is not None:
            return leaf(value)
        if depth == _DEEPEST:
            raise Mismatch
        if cls is dict:
            return self.write_dict(value, left, depth)
        if cls is list or cls is tuple:
            return self._write_list(value, left, depth)
        names = self._names.get(cls)
        if names is None:
            return self._write_first(value, left, depth)
        take_places(len(names), left)
        return {shown: self.write(getattr(value, name), left, depth + 1) for shown, name in names}

    def write_dict(self, value: dict[Any, Any], left: list[int], depth: int = 0) -> Any:
        """Write the dict *value*."""
        if not _TEXTS.issuperset(map(type, value)):
            return self._others(value, left)
        left[0] -= len(value)
        if left[0] < 0:
            raise Mismatch
        changed: dict[str, Any] = {}
        for key, item in value.items():
            cls = type(item)
            if cls in _SAME or (cls is int and -SMALL <= item <= SMALL):
                continue
            if cls is float and item - item == 0.0:
                continue
            made = self.write(item, left, depth + 1)
            if made is not item:
                changed[key] = made
        return {**value, **changed} if changed or self._fresh else value

    def _write_list(self, value: list[Any] | tuple[Any, ...], left: list[int], depth: int) -> Any:
        """Write the list or tuple *value*."""
        left[0] -= len(value)
        if left[0] < 0:
            raise Mismatch
        made: list[Any] | None = [*value] if self._fresh or type(value) is tuple else None
        for place, item in enumerate(value):
            cls = type(item)
            if cls in _SAME or (cls is int and -SMALL <= item <= SMALL):
                continue
            if cls is float and item - item == 0.0:
                continue
            new = self.write(item, left, depth + 1)
            if new is not item:
                made = [*value] if made is None else made
                made[place] = new
        return value if made is None else made

    def _write_first(self, value: Any, left: list[int], depth: int) -> Any:
        """Write *value*, of a class that may have code from now on."""
        cls = type(value)
        names, leaf = self._hosts.get_attributes(cls), self._find_leaf(cls)
        has_room = len(self._leaves) + len(self._names) < MOST_CLASSES
        if names is not None and has_room:
            self._names[cls] = tuple(names.items())
        elif leaf is not None and has_room:
            self._leaves[cls] = leaf
        else:
            return self._others(value, left)
        return self.write(value, left, depth)

    def _find_leaf(self, cls: type) -> Write | None:
        """Return what writes a scalar of *cls*, None if it is none or has another form."""
        if cls is int:
            return lambda value: self._write_odd(value) if is_long(value) else value
        if cls is float:
            return lambda value: value if value - value == 0 else self._write_odd(value)
        row = find_row(cls)
        if row is not None:
            is_datetime = row.type == nodes.DATETIME
            write_odd = self._write_odd
            return (
                make_datetime_writer(write_odd, True) if is_datetime else row.make(cls, write_odd)
            )
        members = self._hosts.get_members(cls)
        return None if members is None else lambda member: members[member._value_]

    def _write_odd(self, value: Any) -> Any:
        """Write *value* by the reference implementation."""
        return self._hosts.write(nodes.ANY, value)


class WriteAnyMap(WriteOperation):
    """A dict of any values, whose keys are texts."""

    __slots__ = ("inner", "others")

    inner: WriteAny
    others: Operation

    def closure(self) -> Run:
        """Return the form that tests the class of the value and of its keys."""
        write, others = self.inner.make_writer().write_dict, self.others.closure()

        def run(value: Any, left: list[int]) -> Any:
            is_map = type(value) is dict and _TEXTS.issuperset(map(type, value))
            return write(value, left) if is_map else others(value, left)

        return run


_TEXTS = frozenset({str})
