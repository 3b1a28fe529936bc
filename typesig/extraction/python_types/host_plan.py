"""Call plans: how arguments are decoded for a function and its result is encoded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.names import fold_name
from typesig.algebra.rows.values import to_builtin
from typesig.algebra.signature import make_type_signature
from typesig.algebra.traversal import get_children, get_item_types, iter_same_value_types
from typesig.extraction.callables.parameters import EMPTY, ParamKind
from typesig.extraction.python_types.decoders import Decode, HostError
from typesig.extraction.python_types.encoders import Encode
from typesig.limits import MAX_VALUE_DEPTH


class HostParam(NamedTuple):
    """The plan to pass a single argument to a function.

    #: name: the parameter; kind: its own
    #: decode: the algebra value to the host's value
    #: nil: whether the function gets None if the argument is left out
    #: optional: whether the function can do without it
    #: injected: whether the host supplies it and the model never sees it
    #: default: the function's own, or `EMPTY`
    #: formless: whether it is injected only since its hint has no JSON form
    #: fill: makes the argument if it is left out and the function's own default is no argument
    #: supplied: the class of `HostSupplied` that its hint names, or None
    #: keeps_default: whether an argument that is left out gets the function's default, and not that
    #:     of the signature
    """

    name: str
    kind: ParamKind
    decode: Decode = None
    nil: bool = False
    optional: bool = False
    injected: bool = False
    default: Any = EMPTY
    formless: bool = False
    fill: Callable[[], Any] | None = None
    supplied: type | None = None
    keeps_default: bool = True


class HostPlan(NamedTuple):
    """The plan to call a function and to encode its result.

    #: params: how each argument reaches the function
    #: returns: how an answer of the result's type is decoded
    #: encode: where serializers stand in the result
    #: pair: whether the result is one of `("ok", value)` and `("error", reason)`
    #: exact: whether ints reach the function as they were sent, where a float is asked for
    #: abstract: whether the result may be any collection, a set too
    #: ptc_runner: whether the types are those of PtcRunner
    #: spellings: the other names that records take for their fields
    #: bounds: what checks the values of host types that have bounds
    #: secrets: the names of fields with secrets
    #: foreign: whether a server of others takes and returns the values; see `other_format`
    #: strict: the places in the arguments, by names, whose values are not coerced
    """

    params: tuple[HostParam, ...] = ()
    returns: Decode = None
    encode: Encode = None
    pair: bool = False
    exact: bool = False
    abstract: bool = False
    ptc_runner: bool = False
    spellings: Spellings = MappingProxyType({})
    bounds: Bounds = MappingProxyType({})
    secrets: frozenset[str] = frozenset()
    foreign: bool = False
    strict: frozenset[tuple[str, ...]] = frozenset()


# --- Alternative field names in arguments, renamed to the declared names ---

#: For each record, the declared name by each other name, with hyphens as underscores.
Spellings = Mapping[nodes.Type, Mapping[str, str]]


class Speller:
    """A converter of alternative keys in data to the declared names of record fields.

    #: spellings: the other names of each record; definitions: the types that are known by name
    """

    __slots__ = ("_fields", "_levels", "definitions", "spellings")

    def __init__(self, spellings: Spellings, definitions: Mapping[str, nodes.Type]) -> None:
        self.spellings = spellings
        self.definitions = definitions
        # What is found of types is kept: data has many maps of one type.
        self._levels: dict[tuple[nodes.Type, ...], _ValueTypes] = {}
        self._fields: dict[int, dict[str, nodes.Type]] = {}

    def rename_keys(self, t: nodes.Type, data: Any) -> Any:
        """Return *data* with the field names that the type *t* declares.

        Of a union, all branches name their keys, one after the other.
        """
        return self._rename_parts((t,), data, 0)

    def rename_arguments(
        self, fields: tuple[nodes.Field, ...], extra: nodes.Type | None, data: dict[Any, Any]
    ) -> Any:
        """Return the arguments *data* with the names that *fields* declare."""
        declared = {field.key: field.type for field in fields}
        out = {}
        for key, value in data.items():
            t = _find_value_type(key, declared, extra)
            out[key] = value if t is None else self.rename_keys(t, value)
        return out

    def _rename_parts(self, types: tuple[nodes.Type, ...], data: Any, depth: int) -> Any:
        """Rename alternative keys in *data* and its parts, by all of *types*."""
        # All types of a value look at it together: at each level below a union, one after the
        # other would look twice as often.
        if depth > MAX_VALUE_DEPTH or not types or not isinstance(data, dict | list | tuple):
            return data
        data, level_ = to_builtin(data), self._find_level(types)
        if isinstance(data, dict):
            return self._rename_map(level_.maps, data, depth) if level_.maps else data
        if not level_.lists:
            return data
        return [
            self._rename_parts(level_.get_item_types(index), part, depth + 1)
            for index, part in enumerate(data)
        ]

    def _find_level(self, types: tuple[nodes.Type, ...]) -> _ValueTypes:
        """Group *types* by kind, with references and unions expanded; cached."""
        found = self._levels.get(types)
        if found is None:
            parts = [part for t in types for part in iter_same_value_types(t, self.definitions)]
            found = self._levels[types] = _ValueTypes(tuple(dict.fromkeys(parts)))
        return found

    def _rename_map(
        self, maps: tuple[nodes.Record | nodes.MapOf, ...], data: dict[Any, Any], depth: int
    ) -> Any:
        """Rename the keys of the map *data* by all *maps*, and then those in its values."""
        entries = {key: (value, list[nodes.Type]()) for key, value in data.items()}
        for t in maps:
            entries = self._rename_entries(t, entries)
            declared = self._get_field_types(t)
            rest = t.extra if isinstance(t, nodes.Record) else t.value
            for key, (_, types) in entries.items():
                found = _find_value_type(key, declared, rest)
                if found is not None:
                    types.append(found)
        return {
            key: self._rename_parts(tuple(dict.fromkeys(types)), value, depth + 1)
            for key, (value, types) in entries.items()
        }

    def _get_field_types(self, t: nodes.Record | nodes.MapOf) -> dict[str, nodes.Type]:
        """Map the keys of the fields of the record *t* to their types; cached."""
        if isinstance(t, nodes.MapOf):
            return {}
        found = self._fields.get(id(t))
        if found is None:
            found = self._fields[id(t)] = {field.key: field.type for field in t.fields}
        return found

    def _rename_entries(
        self, t: nodes.Record | nodes.MapOf, data: dict[Any, Any]
    ) -> dict[Any, Any]:
        """Rename keys in *data* to the field names of *t*; ignore repeated names."""
        names = self.spellings.get(t)
        if not names:
            return data
        present = {fold_name(key) for key in data if isinstance(key, str)}
        out: dict[Any, Any] = {}
        for key, value in data.items():
            name = names.get(fold_name(key)) if isinstance(key, str) else None
            # The first of several names counts; another one is an undeclared key.
            taken = name is None or fold_name(name) in present or name in out
            out[key if taken or name is None else name] = value
        return out


def _find_value_type(
    key: Any, declared: Mapping[str, nodes.Type], rest: nodes.Type | None
) -> nodes.Type | None:
    """Return the type *declared* for the map key *key*, else the type *rest*."""
    if not isinstance(key, str):
        return rest
    return declared[key] if key in declared else declared.get(fold_name(key), rest)


class _ValueTypes:
    """The list and map types among the types that a single value must have.

    #: maps: those that look at maps; lists: those that look at lists
    """

    __slots__ = ("_items", "lists", "maps")

    def __init__(self, parts: Iterable[nodes.Type]) -> None:
        maps: list[nodes.Record | nodes.MapOf] = []
        lists: list[nodes.List | nodes.Set | nodes.Tuple] = []
        for part in parts:
            match part:
                case nodes.Record() | nodes.MapOf():
                    maps.append(part)
                case nodes.List() | nodes.Set() | nodes.Tuple():
                    lists.append(part)
                case nodes.Leaf() | nodes.Through() | nodes.Not() | nodes.ItemCount():
                    pass  # the level has the types within, too
                case _:
                    assert_never(part)
        self.maps = tuple(maps)
        self.lists = tuple(lists)
        self._items: dict[int, tuple[nodes.Type, ...]] = {}

    def get_item_types(self, index: int) -> tuple[nodes.Type, ...]:
        """Return the item types at *index* of all list types."""
        # Only the first positions of a tuple differ.
        place = min(
            index, max([len(t.items) for t in self.lists if isinstance(t, nodes.Tuple)] or [0])
        )
        found = self._items.get(place)
        if found is None:
            types = [part for t in self.lists for part in get_item_types(t, place)]
            found = self._items[place] = tuple(dict.fromkeys(types))
        return found


# --- Check the bounds of host types in a result on each value ---

#: What decodes and checks the values of each type that has bounds.
Bounds = Mapping[nodes.Type, Callable[[Any], Any]]


def iter_bound_errors(
    t: nodes.Type, names: Mapping[str, nodes.Type], value: Any, bounds: Bounds
) -> Iterator[HostError]:
    """Yield an error for each part of the result *value* that is outside its bounds."""
    if value is None:
        return
    if t in bounds:
        try:
            bounds[t](value)
        except HostError as error:
            yield error
        return
    match t:
        case nodes.Leaf() | nodes.Not() | nodes.ItemCount():
            return
        case nodes.Ref(name):
            yield from iter_bound_errors(names[name], names, value, bounds)
        case nodes.Union(members) | nodes.One(members):
            fitting = [
                member for member in members if make_type_signature(member, names).accepts(value)
            ]
            found = [list(iter_bound_errors(member, names, value, bounds)) for member in fitting]
            yield from min(found, key=len, default=[])
        case nodes.Wrapper() | nodes.Both():
            for part in get_children(t):
                yield from iter_bound_errors(part, names, value, bounds)
        case nodes.List() | nodes.Set() | nodes.Tuple() | nodes.MapOf() | nodes.Record():
            for step, inner, part in _iter_parts(t, value):
                for below in iter_bound_errors(inner, names, part, bounds):
                    below.steps.append(step)
                    yield below
        case _:
            assert_never(t)


def _iter_parts(
    t: nodes.List | nodes.Set | nodes.Tuple | nodes.MapOf | nodes.Record, value: Any
) -> Iterator[tuple[str | int, nodes.Type, Any]]:
    """Yield the step, the type and the value of each item or field of *value*."""
    value = to_builtin(value)
    match t:
        case nodes.List() | nodes.Set() | nodes.Tuple():
            for index, part in enumerate(value):
                yield from ((index, inner, part) for inner in get_item_types(t, index))
        case nodes.MapOf(_, inner):
            yield from ((str(key), inner, part) for key, part in value.items())
        case nodes.Record(fields, extra):
            types = {field.key: field.type for field in fields}
            for key, part in value.items():
                found = types.get(key, types.get(fold_name(str(key)), extra))
                if found is not None:
                    yield str(key), found, part
        case _:
            assert_never(t)
