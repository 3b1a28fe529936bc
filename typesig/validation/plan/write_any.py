"""Operations that write values of any type, by the class of each part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from typesig.algebra import nodes
from typesig.algebra.rows.values import SMALL, is_long
from typesig.validation.plan.operations import Mismatch, Operation, Run
from typesig.validation.plan.write_items import take_places
from typesig.validation.plan.write_leaves import MOST_CLASSES, HostAccess, find_row


class WriteAny(Operation):
    """A value of any type, written as its class tells; what has no code is written by *others*."""

    __slots__ = ("_hosts", "_others")

    def __init__(self, hosts: HostAccess, others: Operation) -> None:
        self._hosts = hosts
        self._others = others

    def closure(self) -> Run:
        """Return the form that asks the class of each part."""
        writers, others = _AnyWriters(self._hosts), self._others.closure()

        def write(value: Any, left: list[int], depth: int) -> Any:
            cls = type(value)
            if cls is str or cls is bool or value is None:
                return value
            if cls is int:
                return value if -SMALL <= value <= SMALL or not is_long(value) else others(value, left)
            if cls is float:
                return value if value - value == 0 else others(value, left)
            if depth == _DEEPEST:
                raise Mismatch
            if cls is dict:
                if not _TEXTS.issuperset(map(type, value)):
                    return others(value, left)
                take_places(len(value), left)
                return {key: write(each, left, depth + 1) for key, each in value.items()}
            if cls is list or cls is tuple:
                take_places(len(value), left)
                return [write(each, left, depth + 1) for each in value]
            found = writers[cls]
            if type(found) is tuple:
                take_places(len(found), left)
                return {
                    shown: write(getattr(value, name), left, depth + 1) for shown, name in found
                }
            return others(value, left) if found is None else found(value)

        return lambda value, left: write(value, left, 0)


@dataclass(frozen=True, slots=True)
class WriteAnyMap(Operation):
    """A dict of any values, whose keys are texts."""

    inner: WriteAny
    others: Operation

    def closure(self) -> Run:
        """Return the form that tests the class of the value and of its keys."""
        write, others = self.inner.closure(), self.others.closure()

        def run(value: Any, left: list[int]) -> Any:
            is_map = type(value) is dict and _TEXTS.issuperset(map(type, value))
            return write(value, left) if is_map else others(value, left)

        return run


#: The depth from which the reference implementation writes a whole result.
_DEEPEST = 32

_TEXTS = frozenset({str})


class _AnyWriters(dict[type, Any]):
    """What writes an object of a class: a function, pairs of names and attributes, or None."""

    def __init__(self, hosts: HostAccess) -> None:
        super().__init__()
        self._hosts = hosts

    def __missing__(self, cls: type) -> Any:
        names, row = self._hosts.get_attributes(cls), find_row(cls)
        found: Any = None
        if names is not None:
            found = tuple(names.items())
        elif row is not None:
            found = row.make(cls, lambda value: self._hosts.write(nodes.ANY, value))
        elif (members := self._hosts.get_members(cls)) is not None:
            found = lambda member: members[member._value_]
        if found is not None and len(self) < MOST_CLASSES:
            self[cls] = found
        return found
