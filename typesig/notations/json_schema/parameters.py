"""The named arguments that a schema describes: the properties of its one object."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from typesig.algebra import nodes
from typesig.algebra.constructors import make_both, make_union, record
from typesig.notations.json_schema.keywords import NEVER
from typesig.notations.json_schema.reading_state import SchemaReading


def read_parameters(reading: SchemaReading) -> nodes.Record:
    """Return the record of named arguments that the document describes.

    What a whole `allOf` asks for is kept, and null counts as no arguments.  Of alternatives, all
    names are kept, those that only some have as optional ones; which of them go together is lost.
    """
    place = reading.document.places[()]
    t = reading.read(place, frozenset({"object"}))
    reading.read_definitions(t)
    return merge_parameters(reading, t)


def merge_parameters(reading: SchemaReading, t: nodes.Type) -> nodes.Record:
    """Merge the records in *t* into one record of parameters."""
    seen: set[str] = set()
    while isinstance(t, nodes.Annotation | nodes.Ref):
        if isinstance(t, nodes.Ref):
            if t.name in seen:
                break
            seen.add(t.name)
            t = reading.definitions[t.name]
        else:
            for word, text in (("description", t.text), ("title", t.title)):
                if text is not None:
                    reading.omit((word,), f"the {word} of all parameters", "a signature has none")
            t = t.inner
    found = _ParameterMerger(reading).merge(t, frozenset())
    if found is None:
        raise reading.make_refusal((), "", "parameters are the properties of one object")
    if not found.lost:
        return found.record
    limit = "a number of keys" if isinstance(t, nodes.Refinement) else "any other condition"
    why = f"parameters are the properties of one object; {limit} cannot be kept"
    refusal = reading.make_refusal((), "", why)
    if not reading.lossy:
        raise refusal
    reading.widen((), "the conditions on all parameters", refusal.message, "the conditions on each")
    return found.record


class _MergedParameters(NamedTuple):
    """The record of parameters of a part of a type, and whether conditions were lost.

    #: lost: whether the part has conditions that they do not have
    """

    record: nodes.Record
    lost: bool


#: Any named arguments.
_OPEN = _MergedParameters(record([]), False)


class _ParameterMerger:
    """Merger of all records of a type into one record of parameters."""

    def __init__(self, reading: SchemaReading) -> None:
        self._reading = reading

    def merge(self, t: nodes.Type, above: frozenset[str]) -> _MergedParameters | None:
        """Return the parameters of *t*, or None if it accepts no object."""
        if t == NEVER:
            return None
        match t:
            case nodes.Ref(name):
                # A type that is inside itself at once says nothing more.
                inside = self._reading.definitions.get(name)
                if name in above or inside is None:
                    return _MergedParameters(_OPEN.record, True)
                return self.merge(inside, above | {name})
            case nodes.Annotation(inner) | nodes.Maybe(inner):
                return self.merge(inner, above)
            case nodes.Refinement(inner):
                found = self.merge(inner, above)
                return None if found is None else _MergedParameters(found.record, True)
            case nodes.Record():
                if not t.matching:
                    return _MergedParameters(t, False)
                return _MergedParameters(nodes.Record(t.fields, nodes.ANY), True)
            case nodes.MapOf(key, value):
                return _MergedParameters(record([], value), key != nodes.STRING)
            case nodes.Both(members):
                parts = [self.merge(member, above) for member in members]
                kept = [part for part in parts if part is not None]
                return _of_all(kept) if len(kept) == len(parts) else None
            case nodes.Union(members) | nodes.One(members):
                parts = [self.merge(member, above) for member in members]
                return _of_some([part for part in parts if part is not None])
            case nodes.Not():
                return _MergedParameters(_OPEN.record, True)
            case _:
                return _OPEN if t in (nodes.ANY, nodes.MAP) else None


def _of_all(parts: list[_MergedParameters]) -> _MergedParameters:
    """Return the parameters of the intersection of *parts*."""
    records = [part.record for part in parts]
    names = dict.fromkeys(field.name for each in records for field in each.fields)
    fields = [_join_fields([_field(each, name) for each in records]) for name in names]
    extras = [each.extra for each in records]
    extra = None if None in extras else _intersect([each for each in extras if each is not None])
    # One that takes no other names, or others of a type, refuses those of its neighbours.
    is_mixed = any(
        each.extra != nodes.ANY and names.keys() - {field.name for field in each.fields}
        for each in records
    )
    return _MergedParameters(
        nodes.Record(tuple(fields), extra), is_mixed or any(p.lost for p in parts)
    )


def _of_some(parts: list[_MergedParameters]) -> _MergedParameters | None:
    """Return the parameters of the union of *parts*: all names of any part."""
    if len(parts) < 2:
        return parts[0] if parts else None
    records = [part.record for part in parts]
    names = dict.fromkeys(field.name for each in records for field in each.fields)
    fields = []
    for name in names:
        found = [field for each in records if (field := _field(each, name)) is not None]
        required = len(found) == len(records) and all(field.required for field in found)
        t = _either([field.type for field in found])
        if t == nodes.ANY and all(each.extra == nodes.ANY for each in records) and not required:
            # A name that is only required somewhere is one of the names that any object may have.
            continue
        defaults = {field.default for field in found}
        default = defaults.pop() if len(defaults) == 1 and not required else None
        fields.append(nodes.Field(name, t, required, default, found[0].exact))
    extras = [each.extra for each in records if each.extra is not None]
    extra = make_union(extras) if extras else None
    return _MergedParameters(nodes.Record(tuple(fields), extra), True)


def _either(types: list[nodes.Type]) -> nodes.Type:
    """Return the union of *types*; constants, such as tags, become one enum."""
    constants = [t.values for t in types if isinstance(t, nodes.Enum)]
    if len(constants) == len(types):
        return nodes.Enum(tuple(dict.fromkeys(value for values in constants for value in values)))
    return make_union(types)


def _intersect(types: Iterable[nodes.Type]) -> nodes.Type:
    """Return the intersection of *types*."""
    told = list(dict.fromkeys(t for t in types if t != nodes.ANY))
    return (make_both(told) if len(told) > 1 else told[0]) if told else nodes.ANY


def _field(t: nodes.Record, name: str) -> nodes.Field | None:
    """Return the field of the record type *t* that has the *name*, or None."""
    return next((field for field in t.fields if field.name == name), None)


def _join_fields(fields: Iterable[nodes.Field | None]) -> nodes.Field:
    """Return the field that meets all of *fields*, with the first default."""
    found = [field for field in fields if field is not None]
    first = found[0]
    t = _intersect([field.type for field in found])
    required = any(field.required for field in found)
    defaults = [field.default for field in found if field.default is not None]
    default = defaults[0] if defaults and not required else None
    return nodes.Field(first.name, t, required, default, first.exact)
