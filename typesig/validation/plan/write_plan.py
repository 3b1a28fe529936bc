"""Plans that write results: the operations of a type.

A part that is of an unusual type, or has objects of an unusual class, is written by the reference
implementation, and what is around it by its own operations.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import Any, assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import strip_annotations
from typesig.algebra.traversal import iter_types
from typesig.validation.check.check import Compiler
from typesig.validation.plan.leaf_rows import find_bounds, find_row
from typesig.validation.plan.operations import Operation
from typesig.validation.plan.write_classes import (
    ClassWriters,
    WriteAny,
    WriteAnyMap,
    WriteFirst,
    WriteObject,
    WriteReference,
)
from typesig.validation.plan.write_items import (
    WriteDeque,
    WriteList,
    WriteMap,
    WriteSet,
    WriteTuple,
)
from typesig.validation.plan.write_leaves import (
    JSON_SCALARS,
    HostAccess,
    LeafWriters,
    WriteCarefully,
    WriteLeaf,
    WriteScalar,
    is_json_leaf,
    is_leaf,
)
from typesig.validation.plan.write_objects import (
    WriteAttributes,
    WriteDict,
    WriteNullable,
    WriteSized,
    WriteTupleFields,
)

#: The fields of a record that has operations of its own.
_MOST_FIELDS = 100


class WritePlanner:
    """Makes the operations that write values of types which *compiler* checks."""

    __slots__ = ("_hosts", "_named", "compiler")

    def __init__(self, compiler: Compiler, hosts: HostAccess) -> None:
        self.compiler = compiler
        self._hosts = hosts
        self._named: dict[tuple[str, bool], Operation] = {}

    def plan(self, t: nodes.Type, fresh: bool = True) -> Operation:
        """Return the operation that writes values of *t*; *fresh*: with lists copied."""
        t = strip_annotations(t)
        if is_leaf(t):
            return self._plan_leaf(t)
        others = WriteCarefully(t, self._hosts)
        match t:
            case nodes.Scalar(name):
                careful = WriteCarefully(nodes.ANY, self._hosts)
                any_value = WriteAny(self._hosts, fresh, careful)
                return any_value if name == "any" else WriteAnyMap(any_value, others)
            case nodes.List(item):
                parts = self.plan(item, fresh)
                queue = WriteDeque(WriteList(parts, fresh, others), others)
                return WriteList(parts, fresh, queue)
            case nodes.Set(item):
                return WriteSet(self.plan(item), others)
            case nodes.Tuple(items, rest):
                behind = None if rest is None else self.plan(rest)
                return WriteTuple(tuple([self.plan(item) for item in items]), behind, others)
            case nodes.MapOf(key, value):
                return self._plan_map(key, value, fresh, others)
            case nodes.Record():
                return WriteObject(ClassWriters(partial(self._find_record, t, fresh), others))
            case nodes.Maybe(inner):
                return WriteNullable(self.plan(inner, fresh))
            case nodes.Union(members):
                return WriteObject(ClassWriters(partial(self._find_branch, members, fresh), others))
            case nodes.Refinement(inner, constraints):
                is_sized = all(each.row.sort == "size" for each in constraints)
                if not is_sized or not isinstance(strip_annotations(inner), _SIZED):
                    return others
                return WriteSized(self.plan(inner, fresh), *find_bounds(constraints))
            case nodes.Ref(name):
                return self._plan_named(name, fresh)
            case nodes.Enum() | nodes.ItemCount() | nodes.Through() | nodes.Not():
                return others
            case _:
                assert_never(t)

    def _plan_named(self, name: str, fresh: bool) -> Operation:
        """Return the operation of the type with a *name*, which all references to it share."""
        known = self._named.get((name, fresh))
        if known is None:
            t = self.compiler.names[name]
            known = WriteReference(lambda: self.plan(t, fresh), t.depth)
            self._named[name, fresh] = known
        return known

    def _make_writers(self, t: nodes.Type) -> LeafWriters:
        """Return what writes the scalars of *t*."""
        return LeafWriters(t, self.compiler, self._hosts)

    def _plan_leaf(self, t: nodes.Type) -> Operation:
        """Return the operation of a type whose values are scalars."""
        writers = self._make_writers(t)
        # Texts of a format are mostly written from objects.
        if any(map(_has_format, iter_types(t))) or not is_json_leaf(t):
            return WriteLeaf(writers)
        return WriteScalar(t, self.compiler, writers)

    def _plan_map(
        self, key: nodes.Type, value: nodes.Type, fresh: bool, others: Operation
    ) -> Operation:
        """Return the operation of dicts with keys of *key*; see `plan`."""
        key = strip_annotations(key)
        if not is_leaf(key):
            return others
        keys = None if key == nodes.STRING else self._make_writers(key)
        return WriteMap(keys, self.plan(value, fresh), fresh, others)

    def _find_record(self, t: nodes.Record, fresh: bool, cls: type) -> Operation | None:
        """Return the operation that writes objects of *cls* as records of *t*, or None."""
        if t.matching or t.extra not in (nodes.ANY, None) or not 0 < len(t.fields) < _MOST_FIELDS:
            return None
        if cls is dict:
            return WriteDict(
                tuple([(field, self.plan(field.type, fresh)) for field in t.fields]), fresh
            )
        declared = {field.name: field.type for field in t.fields}
        items = self._hosts.get_items(cls)
        if items is not None:
            if set(items) != declared.keys():
                return None
            return WriteTupleFields(tuple([(name, self.plan(declared[name])) for name in items]))
        names = self._hosts.get_attributes(cls)
        if names is None or names.keys() != declared.keys():
            return None
        parts = [(shown, name, self.plan(declared[shown])) for shown, name in names.items()]
        return WriteAttributes(tuple(parts), _is_held(cls, [*names.values()]))

    def _find_branch(
        self, members: tuple[nodes.Type, ...], fresh: bool, cls: type
    ) -> Operation | None:
        """Return the operation that writes objects of *cls* as one of *members*, or None."""
        if cls in JSON_SCALARS or find_row(cls) or self._hosts.get_members(cls) is not None:
            leaves = tuple([member for member in members if is_leaf(member)])
            if not leaves:
                return None
            return self._plan_leaf(leaves[0] if len(leaves) == 1 else nodes.Union(leaves))
        found = [self._find_operation(member, fresh, cls) for member in members]
        operations = [operation for operation in found if operation is not None]
        return WriteFirst(operations) if len(operations) > 1 else next(iter(operations), None)

    def _find_operation(self, t: nodes.Type, fresh: bool, cls: type) -> Operation | None:
        """Return the operation that writes objects of *cls* as *t*, None if there is none."""
        t = strip_annotations(t)
        match t:
            case nodes.Record():
                return self._find_record(t, fresh, cls)
            case nodes.List() | nodes.Tuple() | nodes.ItemCount():
                return self.plan(t, fresh) if cls in (list, tuple, deque) else None
            case nodes.Set():
                return self.plan(t) if cls in (set, frozenset) else None
            case nodes.MapOf():
                return self.plan(t, fresh) if cls is dict else None
            case nodes.Refinement(inner):
                found = self._find_operation(inner, fresh, cls)
                return None if found is None else self.plan(t, fresh)
            case nodes.Leaf() | nodes.Through() | nodes.Not():
                return None
            case _:
                assert_never(t)


def may_have_leaves(t: nodes.Type) -> bool:
    """Whether a value of *t* may have objects of classes that are written as texts of a format."""
    return any(part == nodes.DATETIME or _has_format(part) for part in iter_types(t))


def _has_format(t: nodes.Type) -> bool:
    """Whether *t* is a type of texts of a format."""
    return isinstance(t, nodes.Refinement) and any(each.name == "format" for each in t.constraints)


_SIZED = (nodes.List, nodes.Set, nodes.Tuple, nodes.MapOf)


def _is_held(cls: Any, names: list[str]) -> bool:
    """Whether the attributes *names* of objects of *cls* are just what their dict holds.

    They are those of models of pydantic, whose method for other attributes makes all take longer.
    """
    if not hasattr(cls, "__pydantic_fields__") or not hasattr(cls, "__getattr__"):
        return False
    spaces = [vars(each) for each in cls.__mro__]
    own = any(name in space for name in names for space in spaces)
    return cls.__getattribute__ is object.__getattribute__ and not own
