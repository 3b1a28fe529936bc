"""Reading records: maps with declared keys, made objects of a class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from typesig.sentinels import ABSENT
from typesig.validation.plan.operations import Mismatch, Run, Source
from typesig.validation.plan.read_leaves import ValueReader

#: Fields of which source looks at each; of a type with more, a map costs what it holds.
_MOST_FIELDS = 64


class FieldReader(NamedTuple):
    """A declared key of a record.

    #: attribute: its name in the object
    #: is_required: whether a map without it does not conform
    #: fill: makes the value of an absent field; None if the field is left out
    """

    name: str
    attribute: str
    read: ValueReader
    is_required: bool
    fill: Callable[[], Any] | None = None


class ObjectMaker(NamedTuple):
    """How the objects of a class are made.

    #: build: takes the fields by keyword
    #: takes_dict: whether it takes them as one dict instead
    #: defaults: by attribute, what it may be given in place of an absent field; None if that is not
    #:     known
    #: positions: whether it takes all fields by position, in their order
    #: is_stored: whether an object is made by setting its attributes
    #: makes: what makes the values of absent fields of such an object, by attribute
    """

    build: Callable[..., Any]
    takes_dict: bool = False
    defaults: Mapping[str, Any] | None = None
    positions: bool = False
    is_stored: bool = False
    makes: Mapping[str, Callable[[], Any]] = {}


class RecordReader(ValueReader):
    """A map that has the required keys and no undeclared ones.

    #: maker: makes the object; None for a dict, which is the map itself if nothing changes
    """

    __slots__ = ("fields", "keeps", "maker")

    def __init__(self, fields: tuple[FieldReader, ...], maker: ObjectMaker | None = None) -> None:
        self.fields = fields
        self.maker = maker
        self.keeps = maker is None and all(f.read.keeps and f.fill is None for f in fields)

    def closure(self) -> Run:
        """Return the function that reads the keys of a map."""
        steps = [
            (f.name, f.attribute, f.read.closure(), f.is_required, f.fill) for f in self.fields
        ]
        build, keeps = self._find_builder(), self.keeps

        def run(value: Any) -> Any:
            if type(value) is not dict:
                raise Mismatch
            # Without an object, its own keys stay in their order.
            made, count = {} if build is not None or keeps else value.copy(), len(value)
            for name, attribute, read, is_required, fill in steps:
                part = value.get(name, ABSENT)
                if part is not ABSENT:
                    made[attribute] = read(part)
                    count -= 1
                elif is_required:
                    raise Mismatch
                elif fill is not None:
                    made[attribute] = fill()
            if count:
                raise Mismatch
            if build is not None:
                return build(made)
            return value if keeps else made

        return run

    def _find_builder(self) -> Callable[[dict[str, Any]], Any] | None:
        """Return what makes the object of the results of fields; None for a dict."""
        if self.maker is None:
            return None
        build = self.maker.build
        return build if self.maker.takes_dict else lambda made: build(**made)

    def emit(self, source: Source, var: str) -> str:
        """Add the lines for each field, then those that make the object."""
        if len(self.fields) > _MOST_FIELDS:
            return super().emit(source, var)
        source.refuse(f"type({var}) is not dict")
        names = self._emit_look_ups(source, var)
        maker = self.maker
        if self.keeps:
            self._emit_values(source, names, None)
            return var
        known = {} if maker is None or maker.defaults is None else maker.defaults
        if maker is None or not all(f.attribute in known for f in self.fields if _may_lack(f)):
            return self._emit_dict(source, var, names)
        self._emit_values(source, names, known)
        return self._emit_object(source, maker, names)

    def _emit_look_ups(self, source: Source, var: str) -> list[str]:
        """Add the lines that look up all keys and count them; return the variables."""
        names = [source.variable() for _ in self.fields]
        keys = source.constants.bind_key
        pairs = list(zip(self.fields, names, strict=True))
        needed = [(f, name) for f, name in pairs if f.is_required]
        others = [(f, name) for f, name in pairs if not f.is_required]
        if needed:
            with source.open_block("try:"):
                source.add(*[f"{name} = {var}[{keys(f.name)}]" for f, name in needed])
            with source.open_block("except KeyError:"):
                source.add("raise Mismatch from None")
        if others:
            source.constants.namespace["ABSENT"] = ABSENT
        source.add(*[f"{name} = {var}.get({keys(f.name)}, ABSENT)" for f, name in others])
        lacks = "".join([f" - ({name} is ABSENT)" for _, name in others])
        source.refuse(f"len({var}) != {len(self.fields)}{lacks}")
        return names

    def _emit_values(
        self, source: Source, names: list[str], known: Mapping[str, Any] | None
    ) -> None:
        """Add the lines that read each field; *known* has what absent ones are."""
        for field, name in zip(self.fields, names, strict=True):
            if field.is_required:
                _emit_value(source, field, name)
                continue
            with source.open_block(f"if {name} is not ABSENT:"):
                _emit_value(source, field, name)
            if known is not None:
                with source.open_block("else:"):
                    source.add(f"{name} = {self._emit_absent(source, field, known)}")

    def _emit_absent(self, source: Source, field: FieldReader, known: Mapping[str, Any]) -> str:
        """Return the expression of what an absent *field* is."""
        if field.fill is not None:
            return f"{source.constants.bind(field.fill)}()"
        assert self.maker is not None
        make = self.maker.makes.get(field.attribute)
        if make is not None:
            return f"{source.constants.bind(make)}()"
        return source.constants.bind(known[field.attribute])

    def _emit_object(self, source: Source, maker: ObjectMaker, names: list[str]) -> str:
        """Add the lines that make the object of the variables *names*; return its expression."""
        build, name_of = source.constants.bind(maker.build), source.constants.name
        if maker.is_stored:
            made = source.variable()
            source.constants.namespace["new"] = object.__new__
            source.add(f"{made} = new({build})")
            for field, name in zip(self.fields, names, strict=True):
                source.add(f"{made}.{name_of(field.attribute)} = {name}")
            return made
        if maker.positions:
            return f"{build}({', '.join(names)})"
        pairs = zip(self.fields, names, strict=True)
        if maker.takes_dict:
            keys = source.constants.bind_key
            return (
                f"{build}({{{', '.join([f'{keys(f.attribute)}: {name}' for f, name in pairs])}}})"
            )
        return f"{build}({', '.join([f'{name_of(f.attribute)}={name}' for f, name in pairs])})"

    def _emit_dict(self, source: Source, var: str, names: list[str]) -> str:
        """Add the lines that put the fields that are there into a dict; return the result."""
        made, key = source.variable(), source.constants.bind_key
        # Its own keys stay in their order.
        source.add(f"{made} = {{}}" if self.maker is not None else f"{made} = {var}.copy()")
        for field, name in zip(self.fields, names, strict=True):
            is_there = self.maker is None and field.read.keeps
            stores = [] if is_there else [f"{made}[{key(field.attribute)}] = {name}"]
            if field.is_required:
                _emit_value(source, field, name)
                source.add(*stores)
                continue
            with source.open_block(f"if {name} is not ABSENT:"):
                _emit_value(source, field, name)
                source.add(*stores)
            if field.fill is not None:
                with source.open_block("else:"):
                    fill = source.constants.bind(field.fill)
                    source.add(f"{made}[{key(field.attribute)}] = {fill}()")
        if self.maker is None:
            return made
        stars = "" if self.maker.takes_dict else "**"
        return f"{source.constants.bind(self.maker.build)}({stars}{made})"


def _may_lack(field: FieldReader) -> bool:
    """Whether *field* may be absent, and nothing is filled in for it."""
    return not field.is_required and field.fill is None


def _emit_value(source: Source, field: FieldReader, name: str) -> None:
    """Add the lines that read the value *name* of *field* in place."""
    made = source.place(field.read, name)
    if made != name:
        source.add(f"{name} = {made}")
