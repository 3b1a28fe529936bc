"""The values of results that are dataclasses: encoded and checked in one pass by generated code.

The code of a record is made for each class whose objects are returned.  Text of the source comes
from this package only; names and tests are constants.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, assert_never

from typesig.algebra.constructors import bare
from typesig.algebra.frozen import NAMES
from typesig.algebra.nodes import (
    ANY,
    Both,
    Enum,
    List,
    MapOf,
    Maybe,
    Not,
    Noted,
    One,
    Record,
    Ref,
    Refined,
    Scalar,
    Set,
    Tuple,
    Type,
    Union,
)
from typesig.algebra.signature import Definition
from typesig.extraction.encoding import parts_of_class
from typesig.extraction.pydantic_types import is_loaded
from typesig.limits import MAX_VALUES
from typesig.tools.plainness import places_in
from typesig.validation.check import Compiler, compiler_of
from typesig.validation.fast.conditions import condition
from typesig.validation.fast.program import executed, predicate
from typesig.validation.fast.source import Place, Program
from typesig.validation.policy import Policy


class Unknown(Exception):
    """The value may be none of the type, or has another form: the check decides."""


#: Returns the value of an object, or raises `Unknown`; counts places in a list of one number.
Write = Callable[[Any, list[int]], Any]

#: The classes for which one record has code, and the fields of a record that has it.
_MOST_CLASSES = 16
_MOST_FIELDS = 100

#: The depth of a type with code.
_DEEPEST = 16


def writer(t: Type, definitions: tuple[Definition, ...], policy: Policy) -> Callable[[Any], Any]:
    """Return what makes the value of a result of *t*.

    It returns what `encode` does for an object of which the check by *policy* finds nothing, and
    raises `Unknown` for others.
    """
    if t.flags & NAMES or t.depth > _DEEPEST:
        return _never
    now = is_loaded()
    write = _Makers(compiler_of(t, definitions, policy), definitions, policy).write_of(t)
    if write is None:
        return _never

    def written(value: Any) -> Any:
        # A library that is loaded later may write its classes in another way.
        if is_loaded() is not now:
            raise Unknown
        try:
            return write(value, [MAX_VALUES])
        except AttributeError as error:
            raise Unknown from error

    return written


class _Makers:
    """What makes writers."""

    def __init__(
        self, compiler: Compiler, definitions: tuple[Definition, ...], policy: Policy
    ) -> None:
        self.compiler = compiler
        self.definitions = definitions
        self.policy = policy

    def write_of(self, t: Type) -> Write | None:
        """Return the writer of values of *t*, None if there is none."""
        program = Program(False)
        program.namespace["Unknown"] = Unknown
        lines: list[str] = []
        if not self.write(program, lines, t, "value", 1):
            return None
        source = ["def write(value, left, type=type, len=len):", *lines, "    return value"]
        made: Write = executed("\n".join(source), program, "write")
        return made

    def write(self, program: Program, lines: list[str], t: Type, x: str, level: int) -> bool:
        """Add lines that set the variable *x* to the value of what it holds; False if none can."""
        t, pad = bare(t), "    " * level
        refuse = f"{pad}    raise Unknown"
        if places_in(t) is not None and not _has_records(t):
            test = condition(t, Place(x, self.compiler), program)
            if test is None:
                return False
            lines += [f"{pad}if {test.text}:", refuse] if test.text else []
            return True
        match t:
            case Maybe(inner):
                lines.append(f"{pad}if {x} is not None:")
                return self.write(program, lines, inner, x, level + 1)
            case List(item):
                lines += [f"{pad}if type({x}) is not list:", refuse]
                lines += [f"{pad}left[0] -= len({x})", f"{pad}if left[0] < 0:", refuse]
                return self._write_items(program, lines, item, x, level)
            case Record(fields, extra, matching):
                names = [field.name for field in fields]
                hidden = any(field.firewalled for field in fields)
                if extra not in (ANY, None) or matching or hidden or not names:
                    return False
                known = program.bound(_ByClass(self, t))
                lines.append(f"{pad}{x} = {known}[type({x})]({x}, left)")
                return True
            case Union() | One() | Both() | Not() | Refined() | Ref() | Set() | Tuple() | MapOf():
                return False
            case Scalar() | Enum() | Noted():
                return False
            case _:
                assert_never(t)

    def _write_items(
        self, program: Program, lines: list[str], item: Type, x: str, level: int
    ) -> bool:
        pad, each, start = "    " * level, f"{x}i", len(lines)
        if not self.write(program, lines, item, each, level + 1):
            return False
        body = lines[start:]
        del lines[start:]
        # Items that stay as they are need no list to be made of them one by one.
        if places_in(item) is not None and not _has_records(bare(item)):
            lines += [f"{pad}for {each} in {x}:", *(body or [f"{pad}    pass"])]
            lines.append(f"{pad}{x} = {x}.copy()")
            return True
        made = f"{x}m"
        lines += [f"{pad}{made} = []", f"{pad}for {each} in {x}:", *body]
        lines += [f"{pad}    {made}.append({each})", f"{pad}{x} = {made}"]
        return True

    def record(self, t: Record, cls: type) -> Write | None:
        """Return the writer of objects of *cls* as records of *t*, None if there is none."""
        if cls is dict:
            return self._dict(t)
        names = parts_of_class(cls) or {}
        declared = {field.name: field.type for field in t.fields}
        if names.keys() != declared.keys() or len(names) > _MOST_FIELDS:
            return None
        if not all(name.isidentifier() for name in names.values()):
            return None
        program = Program(False)
        program.namespace.update(Unknown=Unknown, get=attrgetter(*names.values()))
        places = [f"v{place}" for place in range(len(names))]
        lines = [
            f"    left[0] -= {len(names)}",
            "    if left[0] < 0:",
            "        raise Unknown",
            f"    {', '.join(places)} = get(value)",
        ]
        for place, name in zip(places, names, strict=True):
            if not self.write(program, lines, declared[name], place, 1):
                return None
        keys = [program.key(name) for name in names]
        held = ", ".join(f"{key}: {place}" for key, place in zip(keys, places, strict=True))
        source = ["def write(value, left, type=type, len=len):", *lines, f"    return {{{held}}}"]
        made: Write = executed("\n".join(source), program, "write")
        return made

    def _dict(self, t: Record) -> Write | None:
        count = places_in(t)
        if count is None:
            return None
        judge = predicate(t, self.definitions, self.policy.changed(extras="reject"))

        def write(value: Any, left: list[int]) -> Any:
            left[0] -= count
            if left[0] < 0 or judge(value) is not True:
                raise Unknown
            return value

        return write


class _ByClass(dict[type, Write]):
    """The writers of a record by the class of the object, made when one is first written."""

    def __init__(self, makers: _Makers, t: Record) -> None:
        super().__init__()
        self._makers = makers
        self._type = t

    def __missing__(self, cls: type) -> Write:
        # The fields of a class are known when an object of it has been encoded.
        if len(self) >= _MOST_CLASSES or not (cls is dict or parts_of_class(cls)):
            return _refuse
        made = self[cls] = self._makers.record(self._type, cls) or _refuse
        return made


def _never(_value: Any) -> Any:
    raise Unknown


def _refuse(_value: Any, _left: list[int]) -> Any:
    raise Unknown


def _has_records(t: Type) -> bool:
    """Tell whether *t*, a type whose values have no lists, has records."""
    if isinstance(t, Record):
        return True
    return isinstance(t, Maybe) and _has_records(bare(t.inner))
