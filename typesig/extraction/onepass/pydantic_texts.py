"""Delegation of JSON text to pydantic before it is parsed, in generated code.

A text whose data would be delegated, and would become the same models, is validated directly.  Its
keys are counted by the models that were made of it: a text that has more has one twice, or one that
is not declared.
"""

from __future__ import annotations

from typing import assert_never

from typesig.codegen import Lines
from typesig.extraction.libraries.pydantic_strict import ModelDefault, ValueShape
from typesig.extraction.libraries.pydantic_validators import make_text_validator
from typesig.extraction.onepass.pydantic_delegate import PydanticDelegate, drop_default
from typesig.extraction.python_types.leaves import is_enum
from typesig.limits import MAX_VALUES


def write_text_validation(known: PydanticDelegate, lines: Lines, text: str, made: str) -> None:
    """Write lines that validate the JSON text *text* to the value *made*, both variables.

    They set the variable `keys` to the number of keys that are declared and stand once.  They
    return None or raise if the text is to be read first.  No number of it is longer than the check
    takes, nor does it have more than `MAX_VALUES` values.  Raises `Unproved` if any text of *known*
    is to be read first.
    """
    _, schema, shape, classes = known.build_strict_schema(MAX_VALUES)
    validate, bound = make_text_validator(schema), lines.constants.bind
    for cls, validator in classes:
        lines.guard(f"{bound(cls)}.__pydantic_validator__ is not {bound(validator)}", "return None")
    lines.add(f"{made} = {bound(validate)}({text})", "keys = 0")
    _KeyCounter(lines).write(shape, made)


class _KeyCounter:
    """Writes the lines that count the keys of models built from a text.

    Fields that are equal to their defaults are made as if they had not been sent; see
    `pydantic_delegate`.
    """

    __slots__ = ("_count", "_lines")

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._count = 0

    def write(self, shape: ValueShape, made: str) -> None:
        """Write lines that add the keys of the value *made* of *shape* to the variable `keys`.

        The value has been validated by the schema that *shape* is of.
        """
        each = _count_fixed_keys(shape)
        match shape.kind:
            case _ if each:
                self._lines.add(f"keys += {each}")
            case "maybe":
                with self._lines.open_block(f"if {made} is not None:"):
                    self._write_inner(shape, made)
            case "list":
                self._write_items(shape, made, made)
            case "map":
                self._lines.add(f"keys += len({made})")
                self._write_items(shape, made, f"{made}.values()")
            case "model":
                self._write_model(shape, made)
            case _:
                assert_never(shape.kind)

    def _write_inner(self, shape: ValueShape, made: str) -> None:
        assert shape.inner is not None
        self.write(shape.inner, made)

    def _write_items(self, shape: ValueShape, made: str, parts: str) -> None:
        if shape.inner is None:
            return
        each = _count_fixed_keys(shape.inner)
        if each:
            self._lines.add(f"keys += {each} * len({made})")
            return
        part = self._new_name()
        with self._lines.open_block(f"for {part} in {parts}:"):
            self._write_inner(shape, part)

    def _new_name(self) -> str:
        self._count += 1
        return f"y{self._count}"

    def _write_model(self, shape: ValueShape, made: str) -> None:
        key, held = self._lines.constants.bind_key, self._new_name()
        self._lines.add(f"{held} = {made}.__dict__")
        if shape.defaults:
            self._lines.add(f"given = {made}.__pydantic_fields_set__", "keys += len(given)")
        else:
            self._lines.add(f"keys += {shape.size}")
        for default in shape.defaults:
            self._write_default(default, f"{held}[{key(default.name)}]", held)
        for _, name, part in shape.parts:
            inner = self._new_name()
            self._lines.add(f"{inner} = {held}[{key(name)}]")
            self.write(part, inner)

    def _write_default(self, default: ModelDefault, part: str, held: str) -> None:
        """Write lines that mark a field as not sent if its value equals the default."""
        name, bound = self._lines.constants.bind_key(default.name), self._lines.constants.bind
        if default.value is None:
            self._lines.add(f"if {part} is None: given.discard({name})")
            return
        value = bound(default.value)
        # An enum may have a comparison of its own.
        is_same = "is" if is_enum(type(default.value)) else "=="
        with self._lines.open_block(f"if {part} {is_same} {value}:"):
            self._lines.add(f"{bound(drop_default)}(given, {held}, {name}, {value})")


def _count_fixed_keys(shape: ValueShape) -> int:
    """Number of keys of each value of *shape* if it is fixed, else 0."""
    is_fixed = shape.kind == "model" and not (shape.parts or shape.defaults)
    return shape.size if is_fixed else 0
