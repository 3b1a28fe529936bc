"""Operations that write objects by their classes: records, unions, and values of any type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from typesig.algebra import nodes
from typesig.validation.plan.operations import (
    Mismatch,
    Operation,
    Run,
    Source,
    compile_operation,
)
from typesig.validation.plan.write_items import take_places
from typesig.validation.plan.write_leaves import MOST_CLASSES

#: The objects of a class that are written before source is compiled for it, which takes as long.
COLD_OBJECTS = 16

#: A field: its name in the output, the attribute, and what writes it.
Part: TypeAlias = tuple[str, str, Operation]


@dataclass(frozen=True, slots=True)
class WriteAttributes(Operation):
    """An object of a known class, written by its attributes.

    #: is_held: whether the attributes are just what the dict of the object holds
    """

    parts: tuple[Part, ...]
    is_held: bool = False

    def closure(self) -> Run:
        """Return the form that calls the closures of the fields."""
        parts = [(shown, name, each.closure()) for shown, name, each in self.parts]

        def run(value: Any, left: list[int]) -> Any:
            take_places(len(parts), left)
            return {shown: write(getattr(value, name), left) for shown, name, write in parts}

        return run

    def emit(self, source: Source, var: str) -> str:
        """Add lines for each field; all attributes are read before the first is written."""
        source.add(f"left[0] -= {len(self.parts)}")
        source.guard("left[0] < 0", "raise Mismatch")
        if self.is_held:
            source.add(f"held = {var}.__dict__")
        names = [source.variable() for _ in self.parts]
        for name, (_, attribute, _) in zip(names, self.parts, strict=True):
            source.add(f"{name} = {self._read(source, var, attribute)}")
        keys = [source.constants.bind_key(shown) for shown, _, _ in self.parts]
        made = [source.place(each, name) for name, (_, _, each) in zip(names, self.parts, strict=True)]
        return f"{{{', '.join(f'{key}: {part}' for key, part in zip(keys, made, strict=True))}}}"

    def _read(self, source: Source, var: str, name: str) -> str:
        """Return the expression of the attribute *name*."""
        if self.is_held:
            return f"held[{source.constants.bind_key(name)}]"
        if name.isidentifier():
            return f"{var}.{source.constants.name(name)}"
        return f"getattr({var}, {source.constants.bind_key(name)})"


@dataclass(frozen=True, slots=True)
class WriteTupleFields(Operation):
    """A named tuple, whose items are written by its field names."""

    parts: tuple[tuple[str, Operation], ...]

    def closure(self) -> Run:
        """Return the form that calls the closures of the fields."""
        parts = [(name, each.closure()) for name, each in self.parts]

        def run(value: Any, left: list[int]) -> Any:
            take_places(len(parts), left)
            items = zip(parts, tuple.__iter__(value), strict=True)
            return {name: write(item, left) for (name, write), item in items}

        return run

    def emit(self, source: Source, var: str) -> str:
        """Add lines for each item."""
        source.add(f"left[0] -= {len(self.parts)}")
        source.guard("left[0] < 0", "raise Mismatch")
        names = [source.variable() for _ in self.parts]
        items = source.constants.bind(tuple.__iter__)
        source.add(f"{', '.join(names)}, = {items}({var})")
        keys = [source.constants.bind_key(name) for name, _ in self.parts]
        made = [source.place(each, var) for var, (_, each) in zip(names, self.parts, strict=True)]
        return f"{{{', '.join(f'{key}: {part}' for key, part in zip(keys, made, strict=True))}}}"


@dataclass(frozen=True, slots=True)
class WriteDict(Operation):
    """A dict with declared keys only; it is returned itself if all its values stay as they are."""

    fields: tuple[tuple[nodes.Field, Operation], ...]

    def closure(self) -> Run:
        """Return the form that calls the closures of the fields."""
        parts = [(field.name, field.required, each.closure()) for field, each in self.fields]

        def run(value: Any, left: list[int]) -> Any:
            take_places(len(value), left)
            out, count = value, 0
            for name, required, write in parts:
                if name not in value:
                    if required:
                        raise Mismatch
                    continue
                count += 1
                old = value[name]
                new = write(old, left)
                if new is not old:
                    out = value.copy() if out is value else out
                    out[name] = new
            if count != len(value):
                raise Mismatch
            return out

        return run

    def emit(self, source: Source, var: str) -> str:
        """Add lines for each field."""
        source.add(f"left[0] -= len({var})")
        source.guard("left[0] < 0", "raise Mismatch")
        out, count = source.variable(), source.variable()
        is_fixed = all(field.required for field, _ in self.fields)
        source.add(f"{out} = {var}")
        if not is_fixed:
            source.add(f"{count} = {sum(field.required for field, _ in self.fields)}")
        for field, each in self.fields:
            key = source.constants.bind_key(field.name)
            if field.required:
                source.guard(f"{key} not in {var}", "raise Mismatch")
                self._add_field(source, var, out, key, each)
                continue
            with source.open_block(f"if {key} in {var}:"):
                source.add(f"{count} += 1")
                self._add_field(source, var, out, key, each)
        found = len(self.fields) if is_fixed else count
        source.guard(f"len({var}) != {found}", "raise Mismatch")
        return out

    def _add_field(self, source: Source, var: str, out: str, key: str, each: Operation) -> None:
        """Add lines that write the value of *key*."""
        old, new = source.variable(), source.variable()
        source.add(f"{old} = {var}[{key}]")
        source.add(f"{new} = {source.place(each, old)}")
        with source.open_block(f"if {new} is not {old}:"):
            source.add(f"if {out} is {var}: {out} = {var}.copy()", f"{out}[{key}] = {new}")


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
                self[cls] = compile_operation(operation, ", left")
            return closure(value, left)

        self[cls] = run_cold
        return run_cold


@dataclass(frozen=True, slots=True)
class WriteObject(Operation):
    """An object, written as its class tells."""

    writers: ClassWriters

    def closure(self) -> Run:
        """Return the form that asks the class of the object."""
        writers = self.writers
        return lambda value, left: writers[type(value)](value, left)

    def emit(self, source: Source, var: str) -> str:
        """Return the expression that does the same."""
        return f"{source.constants.bind(self.writers)}[type({var})]({var}, left)"


class WriteFirst(Operation):
    """An object of one class that is of one of several types; the one of the last is tried first."""

    __slots__ = ("_operations",)

    def __init__(self, operations: Sequence[Operation]) -> None:
        self._operations = operations

    def closure(self) -> Run:
        """Return the form that tries one after the other."""
        runs = [
            _compile_later(operation) for operation in self._operations
        ]

        def run(value: Any, left: list[int]) -> Any:
            room = left[0]
            for at, write in enumerate(runs):
                try:
                    made = write(value, left)
                except Mismatch:
                    left[0] = room
                    continue
                if at:
                    # Objects of one class are mostly of one type.  Another thread may do the same.
                    runs[:] = [write, *[each for each in runs if each is not write]]
                return made
            raise Mismatch

        return run


def _compile_later(operation: Operation) -> Run:
    """Return the closure of *operation*, which compiles it when it has often been called."""
    writers = ClassWriters(lambda _: operation, operation)
    return lambda value, left: writers[object](value, left)


@dataclass(frozen=True, slots=True)
class WriteNullable(Operation):
    """None, or what *inner* writes."""

    inner: Operation

    def closure(self) -> Run:
        """Return the form that calls the closure of the inner operation."""
        write = self.inner.closure()
        return lambda value, left: None if value is None else write(value, left)

    def emit(self, source: Source, var: str) -> str:
        """Add a test."""
        out = source.variable()
        source.add(f"{out} = {var}")
        with source.open_block(f"if {var} is not None:"):
            source.add(f"{out} = {source.place(self.inner, var)}")
        return out


@dataclass(frozen=True, slots=True)
class WriteSized(Operation):
    """What *inner* writes, if it has so many items."""

    inner: Operation
    fits: Callable[[Any], bool]

    def closure(self) -> Run:
        """Return the form that calls the closure of the inner operation."""
        write, fits = self.inner.closure(), self.fits

        def run(value: Any, left: list[int]) -> Any:
            made = write(value, left)
            if not fits(made):
                raise Mismatch
            return made

        return run

    def emit(self, source: Source, var: str) -> str:
        """Add the test of what is written."""
        out = source.variable()
        source.add(f"{out} = {source.place(self.inner, var)}")
        source.guard(f"not {source.constants.bind(self.fits)}({out})", "raise Mismatch")
        return out
