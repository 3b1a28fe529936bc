"""Operations that write records, of each kind of object, and wrappers of other operations."""

from __future__ import annotations

from typing import Any, TypeAlias

from typesig.algebra import nodes
from typesig.sentinels import ABSENT
from typesig.validation.plan.operations import Mismatch, Operation, Run, Source
from typesig.validation.plan.write_leaves import WriteOperation

#: A field: its name in the output, the attribute, and what writes it.
Part: TypeAlias = tuple[str, str, Operation]


class WriteAttributes(WriteOperation):
    """An object of a known class, written by its attributes.

    #: is_held: whether the attributes are just what the dict of the object holds
    """

    __slots__ = ("is_held", "parts")

    parts: tuple[Part, ...]
    is_held: bool

    def closure(self) -> Run:
        """Return the form that calls the closures of the fields."""
        parts = [(shown, name, each.closure()) for shown, name, each in self.parts]
        count = len(parts)

        def run(value: Any, left: list[int]) -> Any:
            left[0] -= count
            if left[0] < 0:
                raise Mismatch
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
        made = [
            source.place(each, name) for name, (_, _, each) in zip(names, self.parts, strict=True)
        ]
        return f"{{{', '.join(f'{key}: {part}' for key, part in zip(keys, made, strict=True))}}}"

    def _read(self, source: Source, var: str, name: str) -> str:
        """Return the expression of the attribute *name*."""
        if self.is_held:
            return f"held[{source.constants.bind_key(name)}]"
        # The name is put into compiled code, where it may be any text.
        return f"{var}.{source.constants.name(name)}"


def _write_display(keys: list[str], values: list[str]) -> str:
    """Return the expression of a dict of *keys* and *values*, expressions themselves."""
    return f"{{{', '.join(f'{key}: {value}' for key, value in zip(keys, values, strict=True))}}}"


class WriteTupleFields(WriteOperation):
    """A named tuple, whose items are written by its field names."""

    __slots__ = ("parts",)

    parts: tuple[tuple[str, Operation], ...]

    def closure(self) -> Run:
        """Return the form that calls the closures of the fields."""
        parts = [(name, each.closure()) for name, each in self.parts]
        count = len(parts)

        def run(value: Any, left: list[int]) -> Any:
            left[0] -= count
            if left[0] < 0:
                raise Mismatch
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
        made = [source.place(each, name) for name, (_, each) in zip(names, self.parts, strict=True)]
        return _write_display(keys, made)


class WriteDict(WriteOperation):
    """A dict with declared keys only.

    #: fresh: whether it is copied if all its values stay as they are
    """

    __slots__ = ("fields", "fresh")

    fields: tuple[tuple[nodes.Field, Operation], ...]
    fresh: bool

    def closure(self) -> Run:
        """Return the form that calls the closures of the fields."""
        parts = [(field.name, field.required, each.closure()) for field, each in self.fields]
        fresh = self.fresh

        def run(value: Any, left: list[int]) -> Any:
            left[0] -= len(value)
            if left[0] < 0:
                raise Mismatch
            out, count = value.copy() if fresh else value, 0
            for name, required, write in parts:
                old = value.get(name, ABSENT)
                if old is ABSENT:
                    if required:
                        raise Mismatch
                    continue
                count += 1
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
        source.add(f"{out} = {var}.copy()" if self.fresh else f"{out} = {var}")
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


class WriteNullable(WriteOperation):
    """None, or what *inner* writes."""

    __slots__ = ("inner",)

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


class WriteSized(WriteOperation):
    """What *inner* writes, if it has so many items."""

    __slots__ = ("inner", "least", "most")

    inner: Operation
    least: float
    most: float

    def closure(self) -> Run:
        """Return the form that calls the closure of the inner operation."""
        write, least, most = self.inner.closure(), self.least, self.most

        def run(value: Any, left: list[int]) -> Any:
            made = write(value, left)
            if not least <= len(made) <= most:
                raise Mismatch
            return made

        return run

    def emit(self, source: Source, var: str) -> str:
        """Add the test of what is written."""
        out = source.variable()
        source.add(f"{out} = {source.place(self.inner, var)}")
        least, most = map(source.constants.bind, (self.least, self.most))
        source.guard(f"not {least} <= len({out}) <= {most}", "raise Mismatch")
        return out
