"""The values of results that are dataclasses: encoded and checked in one pass by generated code.

The code of a record is made for each class whose objects are returned.  Text of the source comes
from this package only; names and tests are constants.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import nullcontext
from typing import Any, assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import strip_annotations
from typesig.algebra.definitions import Definition
from typesig.algebra.rows.frozen import NAMES
from typesig.algebra.traversal import iter_types
from typesig.calls.generated.quick_objects import WriteObjects, has_dict, objects_writer
from typesig.calls.json_safety import find_max_places
from typesig.codegen import Constants, Lines
from typesig.extraction.encoder import get_class_attributes
from typesig.extraction.libraries.pydantic_fields import is_loaded
from typesig.limits import MAX_VALUES
from typesig.notations.texts.quoting import write_compact_json, write_plain_json
from typesig.validation.check.check import Compiler, compiler_of
from typesig.validation.generated.conditions import condition
from typesig.validation.generated.predicate_answers import NAMES as NAMES_OF_SOURCE
from typesig.validation.generated.source import Place
from typesig.validation.rows.policy import Policy


class Unknown(Exception):
    """The value may be none of the type, or has another form: the check decides."""


#: Returns the value of an object, or raises `Unknown`; counts places in a list, whose other number
#: is set if the text of the value may have an exponent.
Write = Callable[[Any, list[int]], Any]

#: The classes for which one record has code, and the fields of a record that has it.
_MOST_CLASSES = 16
_MOST_FIELDS = 100

#: The depth of a type with code.
_DEEPEST = 16

#: The items of a list whose values are there at a time, while their text is written.
_ITEMS = 256


def writer(
    t: nodes.Type, definitions: tuple[Definition, ...], policy: Policy, as_text: bool = False
) -> Callable[[Any], Any]:
    """Return what makes the value of a result of *t*, or *as_text* its compact JSON text.

    It returns what `encode` does for an object of which the check by *policy* finds nothing, and
    raises `Unknown` for others.  For the text of a list, only a part of its value is there at once.
    """
    if t.flags & NAMES or t.depth > _DEEPEST:
        return _never
    now = is_loaded()
    makers = _Makers(compiler_of(t, definitions, policy), as_text)
    write = makers.write_of(t)
    if write is None:
        return _never
    record = strip_annotations(t)
    known = _ByClass(makers, record) if isinstance(record, nodes.Record) else None
    rows = _rows_of(makers, record) if as_text else None

    def written(value: Any) -> Any:
        # A library that is loaded later may write its classes in another way.
        if is_loaded() is not now:
            raise Unknown
        left = [MAX_VALUES, 0]
        try:
            if rows is not None:
                return _whole(rows(value, left))
            # For a record, without the function that only asks for the class.
            made = write if known is None else known[type(value)]
            data = made(value, left)
        except Exception as error:
            # An attribute is not set, or raises; the check tells so.
            raise Unknown from error
        return _whole(_text(data, left)) if as_text else data

    return written


def _text(data: Any, left: list[int]) -> str:
    return write_compact_json(data) if left[1] else write_plain_json(data)


def _whole(text: str) -> str:
    """Return *text*, from which its value can be read; raise `Unknown` if it may have surrogates.

    Two that stand beside each other are read as one character.
    """
    # One character is searched for in a part of the time.
    if "\\" in text and "\\ud" in text:
        raise Unknown
    return text


def _rows_of(makers: _Makers, t: nodes.Type) -> Callable[[Any, list[int]], str] | None:
    """Return what writes the text of a list of records of *t*, None for other types."""
    record = strip_annotations(t.item) if isinstance(t, nodes.List) else t
    if record is t or not isinstance(record, nodes.Record):
        return None
    write = _ByClass(makers, record).write_text

    def written(value: Any, left: list[int]) -> str:
        if type(value) is not list:
            raise Unknown
        count = len(value)
        left[0] -= count
        # It grows in place; of many parts, the memory is not given back when they are joined.
        text = bytearray(b"[")
        for start in range(0, count, _ITEMS):
            text += write(value[start : start + _ITEMS], left)[1:-1]
            text += b","
        # What an attribute runs may change the list.
        if len(value) != count:
            raise Unknown
        text[len(text) - bool(count) :] = b"]"
        return text.decode()

    return written


def writer_of_dicts(
    t: nodes.Record, definitions: tuple[Definition, ...], policy: Policy
) -> Write | None:
    """Return the writer of dicts that are records of *t*, None if there is none.

    It returns the dict itself, or raises `Unknown`, or what reading a key raises.  It tells of
    exponents, too.
    """
    if t.flags & NAMES or t.depth > _DEEPEST or not _is_written(t):
        return None
    return _Makers(compiler_of(t, definitions, policy), as_text=True).record(t, dict)


class _Makers:
    """What makes writers; *as_text* is whether a value is only made to be written at once."""

    def __init__(self, compiler: Compiler, as_text: bool = False) -> None:
        self.compiler = compiler
        self._as_text = as_text

    def write_of(self, t: nodes.Type) -> Write | None:
        """Return the writer of values of *t*, None if there is none."""
        out = _Lines()
        return out.writer("value") if self.write(out, t, "value") else None

    def write(self, out: _Lines, t: nodes.Type, x: str, same: bool = False) -> bool:
        """Write lines that set the variable *x* to the value of what it holds; False if none can.

        With *same*, that has to be what it holds already.
        """
        t = strip_annotations(t)
        if _is_simple(t):
            test = condition(t, Place(x, self.compiler), out.constants)
            if test is None:
                return False
            if not (self._as_text and nodes.FLOAT in iter_types(t)):
                out.unless(test.text)
                return True
            # Most floats pass this one.
            with out.open_block(f"if type({x}) is not float or not 1e-4 <= {x} < 1e16:"):
                out.unless(test.text)
                with out.open_block(f"if type({x}) is float and not ({_usual(x)}):"):
                    out.add("left[1] = 1")
            return True
        match t:
            case nodes.Maybe(inner):
                with out.open_block(f"if {x} is not None:"):
                    return self.write(out, inner, x, same)
            case nodes.List(item):
                out.unless(f"type({x}) is not list")
                out.add(f"{out.room} -= len({x})")
                out.unless(f"{out.room} < 0")
                return self._write_items(out, item, x, same)
            case nodes.Record():
                if not _is_written(t):
                    return False
                known = out.constants.bind(_ByClass(self, t))
                if same:
                    out.unless(f"{known}[type({x})]({x}, left) is not {x}")
                else:
                    out.add(f"{x} = {known}[type({x})]({x}, left)")
                return True
            case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():
                return False
            case _:
                assert_never(t)

    def _write_items(self, out: _Lines, item: nodes.Type, x: str, same: bool) -> bool:
        each, made, record = f"{x}i", f"{x}m", strip_annotations(item)
        if isinstance(record, nodes.Record) and not same:
            if not _is_written(record):
                return False
            write = out.constants.bind(_ByClass(self, record).write_list)
            out.add(f"{x} = {write}({x}, left)")
            return True
        # Items that stay as they are need no list to be made of them one by one.
        is_kept = same or _is_simple(strip_annotations(item))
        if not is_kept:
            out.add(f"{made} = []")
        with out.open_block(f"for {each} in {x}:"):
            if not self.write(out, item, each, same):
                return False
            if not is_kept:
                out.add(f"{made}.append({each})")
        if not is_kept:
            out.add(f"{x} = {made}")
        elif not (same or self._as_text):
            out.add(f"{x} = {x}.copy()")
        return True

    def record(self, t: nodes.Record, cls: type) -> Write | None:
        """Return the writer of objects of *cls* as records of *t*, None if there is none."""
        out = _Lines()
        out.add(f"left[0] -= {len(t.fields)}")
        out.unless("left[0] < 0")
        made = self._record(out, t, cls, "value")
        return None if made is None else out.writer(made)

    def records(self, t: nodes.Record, cls: type, builds: bool = True) -> Write:
        """Return the writer of lists of such objects, which have a writer.

        It returns None for a list with other objects, and, unless it *builds* values, what it got.
        """
        out = _Lines()
        out.add(f"left[0] -= len(value) * {len(t.fields)}")
        out.unless("left[0] < 0")
        if builds:
            out.add("out = []", "append = out.append")
        else:
            # Nothing else counts while a flat record is looked at.
            out.room = "room"
            out.add("room = left[0]")
        with out.open_block("for each in value:"):
            out.add(f"if type(each) is not {out.constants.bind(cls)}: return None")
            made = self._record(out, t, cls, "each", not builds)
            assert made is not None
            if builds:
                out.add(f"append({made})")
        if not builds:
            out.add("left[0] = room")
        return out.writer("out" if builds else "value")

    def _record(
        self, out: _Lines, t: nodes.Record, cls: type, x: str, is_direct: bool = False
    ) -> str | None:
        """Write lines for the object *x* of *cls*; return what it is written as.

        *is_direct* is whether a library writes it after that, by its dict if it has one.
        Returns None if objects of *cls* are no records of *t*, or have no code.
        """
        if cls is dict:
            return self._dict(out, t, x)
        names = get_class_attributes(cls) or {}
        declared = {field.name: field.type for field in t.fields}
        if names.keys() != declared.keys() or len(names) > _MOST_FIELDS:
            return None
        if not all(name.isidentifier() for name in names.values()):
            return None
        constants = out.constants
        places = [f"v{place}" for place in range(len(names))]
        is_held = (is_direct and has_dict(cls)) or _is_held(cls, names.values())
        if is_held:
            out.add(f"held = {x}.__dict__")
        for place, name in zip(places, names.values(), strict=True):
            own = f"held[{constants.bind_key(name)}]" if is_held else f"{x}.{constants.name(name)}"
            out.add(f"{place} = {own}")
        for place, name in zip(places, names, strict=True):
            if not self.write(out, declared[name], place):
                return None
        keys = [constants.bind_key(name) for name in names]
        held = ", ".join(f"{key}: {place}" for key, place in zip(keys, places, strict=True))
        return f"{{{held}}}"

    def _dict(self, out: _Lines, t: nodes.Record, x: str) -> str | None:
        """Write lines for the dict *x*, which is plain already, as `_record` does."""
        if len(t.fields) > _MOST_FIELDS:
            return None
        out.add(f"count = {sum(field.required for field in t.fields)}")
        for place, field in enumerate(t.fields):
            key = out.constants.bind_key(field.name)
            with nullcontext() if field.required else out.open_block(f"if {key} in {x}:"):
                if not field.required:
                    out.add("count += 1")
                out.add(f"v{place} = {x}[{key}]")
                if not self.write(out, field.type, f"v{place}", True):
                    return None
        out.unless(f"len({x}) != count")
        return x


def _is_held(cls: Any, names: Collection[str]) -> bool:
    """Whether the attributes *names* of objects of *cls* are just what their dict holds.

    They are those of models of pydantic, whose method for other attributes makes all take longer.
    """
    if not hasattr(cls, "__pydantic_fields__") or not hasattr(cls, "__getattr__"):
        return False
    spaces = [vars(each) for each in cls.__mro__]
    own = any(name in space for name in names for space in spaces)
    return cls.__getattribute__ is object.__getattribute__ and not own


def _is_written(t: nodes.Record) -> bool:
    """Whether objects may have code that writes them as records of *t*."""
    hidden = any(field.firewalled for field in t.fields)
    return t.extra in (nodes.ANY, None) and bool(t.fields) and not (t.matching or hidden)


#: Names in its namespace that are parameters, too.
_LOCAL_NAMES = ("type", "len", "str", "int", "float", "bool", "dict", "list")


class _Lines(Lines):
    """The lines of one function.

    #: room: the variable of the places that are left
    """

    __slots__ = ("room",)

    def __init__(self) -> None:
        super().__init__(Constants({**NAMES_OF_SOURCE, "Unknown": Unknown}))
        self.room = "left[0]"

    def unless(self, test: str) -> None:
        """Add lines that leave the value to the check if *test* is true."""
        with self.open_block(f"if {test}:"):
            self.add("raise Unknown")

    def writer(self, made: str) -> Write:
        """Return the function of these lines, which returns *made*."""
        self.add(f"return {made}")
        text = "\n".join(self.finish())
        # Local names are found faster.  One that is only a part of a longer word does no harm.
        names = "".join([f", {name}={name}" for name in _LOCAL_NAMES if name in text])
        write: Write = self.compile_function(f"def write(value, left{names}):", "write")
        return write


class _ByClass(dict[type, Write]):
    """The writers of a record by the class of the object, made when one is first written."""

    def __init__(self, makers: _Makers, t: nodes.Record) -> None:
        super().__init__()
        self._makers = makers
        self._type = t
        self._lists: dict[type, Write] = {}
        self._direct: dict[type, tuple[Write, WriteObjects] | None] = {}

    def write_list(self, items: list[Any], left: list[int]) -> list[Any]:
        """Return the values of *items*, or raise `Unknown`."""
        if items:
            cls = type(items[0])
            write = self._lists.get(cls)
            if write is None:
                if self[cls] is _refuse:
                    raise Unknown
                write = self._lists[cls] = self._makers.records(self._type, cls)
            made = write(items, left)
            if made is not None:
                return made  # type: ignore[no-any-return]
        return [self[type(each)](each, left) for each in items]

    def write_text(self, items: list[Any], left: list[int]) -> bytes:
        """Return the text of *items*, of which there are some, or raise `Unknown`."""
        cls, room = type(items[0]), left[0]
        # Of a class whose objects were not encoded before, it is not known how they are written.
        names = None if cls in self._direct else get_class_attributes(cls)
        if names is not None and len(self._direct) < _MOST_CLASSES:
            self._direct[cls] = self._objects_of(cls, names, items)
        direct, left[1] = self._direct.get(cls), 0
        if direct is not None:
            check, write = direct
            if check(items, left) is not None and not left[1]:
                try:
                    return write(items)
                except Exception:
                    # A text has a surrogate.
                    pass
            left[:] = room, 0
        return _text(self.write_list(items, left), left).encode()

    def _objects_of(
        self, cls: type, names: Mapping[str, str], items: list[Any]
    ) -> tuple[Write, WriteObjects] | None:
        """Return what checks and what writes objects of *cls*, such as *items*, without dicts."""
        if not all(_is_flat(field.type) for field in self._type.fields):
            return None
        values = self.write_list(items, [MAX_VALUES, 0])
        write = objects_writer(cls, names, items, values)
        return None if write is None else (self._makers.records(self._type, cls, False), write)

    def __missing__(self, cls: type) -> Write:
        # The fields of a class are known when an object of it has been encoded.
        if len(self) >= _MOST_CLASSES or not (cls is dict or get_class_attributes(cls)):
            return _refuse
        made = self[cls] = self._makers.record(self._type, cls) or _refuse
        return made


def _usual(x: str) -> str:
    """Return the expression of whether all write the float *x* alike, of those below 1e-4.

    They do so without an exponent.
    """
    return f"{x} == 0.0 or -1e16 < {x} <= -1e-4"


def _never(_value: Any) -> Any:
    raise Unknown


def _refuse(_value: Any, _left: list[int]) -> Any:
    raise Unknown


def _is_flat(t: nodes.Type) -> bool:
    """Whether values of *t* are scalars that stay as they are, or lists of these."""
    t = strip_annotations(t)
    return _is_simple(strip_annotations(t.item) if isinstance(t, nodes.List) else t)


def _is_simple(t: nodes.Type) -> bool:
    """Whether values of *t* are scalars that stay as they are."""
    if isinstance(t, nodes.Maybe):
        return _is_simple(strip_annotations(t.inner))
    return find_max_places(t) is not None and not isinstance(t, nodes.Record)
