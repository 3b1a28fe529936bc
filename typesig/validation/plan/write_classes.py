"""The dispatch on classes: what writes an object is looked up by its class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import is_
from typing import Any, TypeAlias

from typesig.algebra import nodes
from typesig.algebra.rows.values import SMALL, is_long
from typesig.validation.plan.leaf_rows import Write, find_row, make_datetime_writer
from typesig.validation.plan.operations import (
    Mismatch,
    Operation,
    Plan,
    Run,
    Source,
)
from typesig.validation.plan.write_leaves import (
    MOST_CLASSES,
    HostAccess,
    WriteOperation,
)

#: The objects of a class that are written before source is compiled for it, which takes as long.
COLD_OBJECTS = 16


def take_places(count: int, left: list[int]) -> None:
    """Count *count* values; raise `Mismatch` if too many were written."""
    left[0] -= count
    if left[0] < 0:
        raise Mismatch


def add_count(source: Source, var: str) -> None:
    """Add lines that count the items of the variable *var*."""
    source.add(f"left[0] -= len({var})")
    source.guard("left[0] < 0", "raise Mismatch")


def reuse(value: Any, out: list[Any]) -> list[Any]:
    """Return the list *value* if *out* has the same items, else *out*."""
    return value if type(value) is list and all(map(is_, value, out)) else out


#: Returns the operation that writes objects of a class, None for one that has none.
FindOperation: TypeAlias = Callable[[type], Operation | None]


class ClassWriters(dict[type, Run]):
    """What writes objects, by their class; made when one is first written.

    *find* returns the operation of a class; *others* writes objects of classes without one.
    """

    def __init__(self, find: FindOperation, others: Operation) -> None:
        super().__init__()
        self._find = find
        self._others = others.closure()
        self._operations: dict[type, Operation] = {}
        self._lists: dict[type, Run] = {}

    def __missing__(self, cls: type) -> Run:
        # A class whose objects were not written before may get an operation later.
        operation = self._find(cls) if len(self) < MOST_CLASSES else None
        if operation is None:
            return self._others
        closure, count = operation.closure(), 0

        def run_cold(value: Any, left: list[int]) -> Any:
            nonlocal count
            count += 1
            if count > COLD_OBJECTS:
                self._operations[cls] = operation
                self[cls] = operation.compile(", left")
            return closure(value, left)

        self[cls] = run_cold
        return run_cold

    def write_items(self, items: Sequence[Any], left: list[int]) -> list[Any]:
        """Write *items*, which are mostly of one class."""
        operation = self._operations.get(type(items[0])) if items else None
        if operation is not None:
            cls, room = type(items[0]), left[0]
            run = self._lists.get(cls)
            if run is None:
                same = _WriteSame(cls, operation)
                run = self._lists[cls] = same.compile(", left")
            made = run(items, left)
            if made is not None:
                return made  # type: ignore[no-any-return]
            left[0] = room
        return [self[type(item)](item, left) for item in items]


class _WriteSame(WriteOperation):
    """Items of one class; None if there are others."""

    __slots__ = ("cls", "operation")

    cls: type
    operation: Operation

    def closure(self) -> Run:
        """Return the form that calls the closure of the operation."""
        only, write = {self.cls}, self.operation.closure()

        def run(items: Any, left: list[int]) -> Any:
            return (
                [write(each, left) for each in items] if only.issuperset(map(type, items)) else None
            )

        return run

    def emit(self, source: Source, var: str) -> str:
        """Add a loop with the lines of the operation."""
        out, each = source.variable(), source.variable()
        source.add(f"{out} = []")
        with source.open_block(f"for {each} in {var}:"):
            source.guard(f"type({each}) is not {source.constants.bind(self.cls)}", "return None")
            source.add(f"{out}.append({source.place(self.operation, each)})")
        return out


class WriteObject(WriteOperation):
    """An object, written as its class tells."""

    __slots__ = ("writers",)

    writers: ClassWriters

    def closure(self) -> Run:
        """Return the form that asks the class of the object."""
        writers = self.writers
        return lambda value, left: writers[type(value)](value, left)

    def emit(self, source: Source, var: str) -> str:
        """Return the expression that does the same."""
        return f"{source.constants.bind(self.writers)}[type({var})]({var}, left)"


class WriteFirst(Operation):
    """An object that may be of several types.

    That of the last object whose first part was of the same class is tried first.
    """

    __slots__ = ("_operations",)

    def __init__(self, operations: Sequence[Operation]) -> None:
        self._operations = operations

    def closure(self) -> Run:
        """Return the form that tries one after the other."""
        runs = tuple([_compile_later(operation) for operation in self._operations])
        orders: dict[type | None, tuple[Run, ...]] = {}

        def run(value: Any, left: list[int]) -> Any:
            part = _get_first_class(value)
            order = orders.get(part, runs)
            room, levels = left
            for at, write in enumerate(order):
                try:
                    made = write(value, left)
                except Mismatch:
                    left[:] = room, levels
                    continue
                if at and (part in orders or len(orders) < MOST_CLASSES):
                    # Objects of one class are mostly of one type.  Another thread may do the same.
                    orders[part] = (write, *[each for each in order if each is not write])
                return made
            raise Mismatch

        return run


def _get_first_class(value: Any) -> type | None:
    """Return the class of the first part of *value*; None if it is empty or no list or dict."""
    cls = type(value)
    if cls is dict:
        return next(map(type, value.values()), None)
    return type(value[0]) if (cls is list or cls is tuple) and value else None


def _compile_later(operation: Operation) -> Run:
    """Return the closure of *operation*, which compiles it when it has often been called."""
    writers = ClassWriters(lambda _: operation, operation)
    return lambda value, left: writers[object](value, left)


class WriteReference(Operation):
    """A value of a named type, whose operation is made when a value first reaches it.

    *find* returns that operation; *levels* is how many types are within each other in it.
    """

    __slots__ = ("_find", "_inner", "_levels", "_plan")

    def __init__(self, find: Callable[[], Operation], levels: int) -> None:
        self._find = find
        self._levels = levels
        self._inner: Operation | None = None
        self._plan: Plan | None = None

    def _get_inner(self) -> Operation:
        """Return the operation of the type."""
        if self._inner is None:
            # Of two threads that make it at the same time, either result is kept.
            self._inner = self._find()
        return self._inner

    def closure(self) -> Run:
        """Return the form that counts the levels that a value is inside of."""
        levels = self._levels

        def run(value: Any, left: list[int]) -> Any:
            plan = self._plan
            if plan is None:
                plan = self._plan = Plan(self._get_inner(), ", left")
            left[1] -= levels
            if left[1] < 0:
                raise Mismatch
            made = plan.run(value, left)
            left[1] += levels
            return made

        return run

    def emit(self, source: Source, var: str) -> str:
        """Add lines that do the same for an object, or the call of the closure."""
        inner = self._get_inner()
        if not isinstance(inner, WriteObject):
            return super().emit(source, var)
        source.add(f"left[1] -= {self._levels}")
        source.guard("left[1] < 0", "raise Mismatch")
        out = source.variable()
        source.add(f"{out} = {inner.emit(source, var)}", f"left[1] += {self._levels}")
        return out


# --- Operations that write values of any type, by the class of each part ---

#: The depth from which the reference implementation writes a whole result.
_DEEPEST = 32

#: The classes of values that stay as they are.
_SAME = frozenset({str, bool, type(None)})


def take_plain(value: Any, left: list[int]) -> bool:
    """Whether the dict or list *value* is plain data that stays as it is, which is counted then."""
    level, room, depth = [value], left[0], 0
    while level:
        below: list[Any] = []
        for part in level:
            room -= len(part)
            if room < 0:
                return False
            if type(part) is dict:
                for key in part:
                    if type(key) is not str:
                        return False
                part = part.values()
            for item in part:
                cls = type(item)
                if cls is int:
                    if not -SMALL <= item <= SMALL:
                        return False
                elif cls is float:
                    if item - item != 0.0:
                        return False
                elif cls is dict or cls is list:
                    below.append(item)
                elif cls not in _SAME:
                    return False
        level, depth = below, depth + 1
        if depth > _DEEPEST:
            return False
    left[0] = room
    return True


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
        write, fresh = self.make_writer().write, self.fresh

        def run(value: Any, left: list[int]) -> Any:
            is_kept = not fresh and type(value) in (dict, list) and take_plain(value, left)
            return value if is_kept else write(value, left, 0)

        return run

    def are_plain(self, items: list[Any], left: list[int]) -> bool:
        """Whether a list of such values stays as it is, which is counted then."""
        return take_plain(items, left)

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
        fresh = self.inner.fresh

        def run(value: Any, left: list[int]) -> Any:
            if type(value) is not dict or not _TEXTS.issuperset(map(type, value)):
                return others(value, left)
            return value if not fresh and take_plain(value, left) else write(value, left)

        return run

    def are_plain(self, items: list[Any], left: list[int]) -> bool:
        """Whether a list of such dicts stays as it is, which is counted then."""
        return {dict}.issuperset(map(type, items)) and take_plain(items, left)


_TEXTS = frozenset({str})
