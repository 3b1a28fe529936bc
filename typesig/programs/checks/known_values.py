"""Known values of a program, and of its names at one point."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias, assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import make_union
from typesig.algebra.rows.values import ConstKind
from typesig.limits.programs import MAX_PROGRAM_SHAPES

#: What Python does with a value of a shape.
PyKind: TypeAlias = Literal["text", "number", "nil", "list", "map"]


class KnownValue(NamedTuple):
    """The inferred type of a value in a program, and whether it must be awaited.

    #: type: its type, `ANY` if it is unknown
    #: awaits: whether it has to be awaited to have that type
    #: tool: the name of the tool that it is, or empty
    """

    type: nodes.Type = nodes.ANY
    awaits: bool = False
    tool: str = ""

    @property
    def is_known(self) -> bool:
        """Whether anything is known of the value."""
        return self != UNKNOWN


UNKNOWN = KnownValue()


def join_values(one: KnownValue, other: KnownValue) -> KnownValue:
    """Return the known value of an expression that is either *one* or *other*."""
    if one == other:
        return one
    if one.awaits or other.awaits or one.tool or other.tool:
        return UNKNOWN
    return KnownValue(make_known_union([one.type, other.type]))


def make_known_union(types: Iterable[nodes.Type]) -> nodes.Type:
    """Build the union of *types*, or `ANY` if a type is unknown or there are too many."""
    distinct = list(dict.fromkeys(types))
    if not 0 < len(distinct) <= MAX_PROGRAM_SHAPES or nodes.ANY in distinct:
        return nodes.ANY
    made = make_union(distinct)
    is_large = isinstance(made, nodes.Union) and len(made.members) > MAX_PROGRAM_SHAPES
    return nodes.ANY if is_large else made


def make_known_tuple(types: Sequence[nodes.Type]) -> nodes.Type:
    """Return the type of a tuple of values of *types*."""
    return (
        nodes.Tuple(tuple(types), None) if len(types) > 1 else nodes.List(make_known_union(types))
    )


_OF_CONSTS: dict[ConstKind, nodes.Type] = {
    "nil": nodes.NIL,
    "bool": nodes.BOOL,
    "int": nodes.INT,
    "float": nodes.FLOAT,
    "string": nodes.STRING,
    "keyword": nodes.STRING,
    "list": nodes.List(nodes.ANY),
    "map": nodes.MAP,
}


class ShapeIndex:
    """Cached lookup of the alternative shapes of types, with the definitions *names*."""

    def __init__(self, names: Mapping[str, nodes.Type]) -> None:
        self._names = names
        self._known: dict[nodes.Type, tuple[nodes.Type, ...]] = {}

    def find_shapes(self, t: nodes.Type) -> tuple[nodes.Type, ...]:
        """Shapes of the values of *t*: scalars, lists, maps; empty if unknown."""
        known = self._known.get(t)
        if known is None:
            known = self._known[t] = self._compute_shapes(t)
        return known

    def _compute_shapes(self, t: nodes.Type) -> tuple[nodes.Type, ...]:
        """Expand *t* into its alternative shapes; empty if unknown or too many."""
        found: dict[nodes.Type, None] = {}
        pending, visited = [t], set[str]()
        while pending:
            each = pending.pop()
            match each:
                case nodes.Maybe(inner):
                    pending += [nodes.NIL, inner]
                case nodes.Union(members):
                    pending += members
                case nodes.Annotation() | nodes.Refinement():
                    pending.append(each.inner)
                case nodes.Enum(values):
                    pending += {_OF_CONSTS[value.kind] for value in values}
                case nodes.ItemCount():
                    pending.append(nodes.List(nodes.ANY))
                case nodes.Ref(name):
                    if name not in visited and name in self._names:
                        visited.add(name)
                        pending.append(self._names[name])
                case nodes.Both() | nodes.Not() | nodes.One() | nodes.Scalar("any"):
                    return ()
                case (
                    nodes.Scalar()
                    | nodes.List()
                    | nodes.Set()
                    | nodes.Tuple()
                    | nodes.MapOf()
                    | nodes.Record()
                ):
                    found[each] = None
                case _:
                    assert_never(each)
        return tuple(found) if len(found) <= MAX_PROGRAM_SHAPES else ()


def get_python_kind(shape: nodes.Type) -> PyKind:
    """Python kind of a value of *shape*."""
    match shape:
        case nodes.List() | nodes.Set() | nodes.Tuple():
            return "list"
        case nodes.Record() | nodes.MapOf() | nodes.Scalar("map"):
            return "map"
        case nodes.Scalar("int" | "float" | "bool"):
            return "number"
        case nodes.Scalar("nil"):
            return "nil"
        case _:
            return "text"


def format_path(node: ast.expr) -> str:
    """Return a name with constant keys, as in `row["id"]`, as text; empty for all else."""
    keys: list[str] = []
    while isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        keys.append(f"[{node.slice.value!r}]")
        node = node.value
    if not isinstance(node, ast.Name) or len(keys) > 4:
        return ""
    return node.id + "".join(reversed(keys))


class Names:
    """Known values of a program's variables, and of their items, at a program point.

    A branch is followed between `mark` and `undo`, which returns what it has changed.
    """

    def __init__(self) -> None:
        self._values: dict[str, KnownValue] = {}
        self._parts: dict[str, set[str]] = {}
        self._log: list[tuple[str, KnownValue | None]] = []
        #: Whether this point is not reached.
        self.is_dead = False

    def get(self, name: str) -> KnownValue | None:
        """Value known of *name*, or None if it is not bound here."""
        return self._values.get(name)

    def bind(self, name: str, seen: KnownValue) -> None:
        """Bind the variable *name* to the known value *seen*."""
        for part in self._parts.get(name, ()):
            if part in self._values:
                self._set(part, None)
        self._set(name, seen)

    def narrow(self, path: str, seen: KnownValue) -> None:
        """Narrow the known value at *path*, such as `row["id"]`, to *seen*."""
        name = path.partition("[")[0]
        if name != path:
            self._parts.setdefault(name, set()).add(path)
        self._set(path, seen)

    def _set(self, name: str, seen: KnownValue | None) -> None:
        """Set the value of *name*, or remove it if None, and log the change for `undo`."""
        self._log.append((name, self._values.get(name)))
        if seen is None:
            self._values.pop(name, None)
        else:
            self._values[name] = seen

    def mark(self) -> int:
        """Return the position in the change log where a branch begins."""
        return len(self._log)

    def undo(self, mark: int) -> dict[str, KnownValue | None]:
        """Undo the changes since *mark*; return the changed names with their values."""
        changed: dict[str, KnownValue | None] = {}
        while len(self._log) > mark:
            name, before = self._log.pop()
            changed.setdefault(name, self._values.get(name))
            if before is None:
                self._values.pop(name, None)
            else:
                self._values[name] = before
        return changed

    def redo(self, changed: Mapping[str, KnownValue | None]) -> None:
        """Apply *changed*, the changes of a branch that `undo` returned."""
        for name, seen in changed.items():
            self._take(name, seen)

    def join(
        self, one: Mapping[str, KnownValue | None], other: Mapping[str, KnownValue | None]
    ) -> None:
        """Apply the changes *one* and *other* of two branches, only one of them run."""
        for name in {**one, **other}:
            before = self._values.get(name)
            a, b = one.get(name, before), other.get(name, before)
            if a is None or b is None:
                # A name that is bound by one of them is that, or an error; a part is not known.
                kept = None if "[" in name else a or b
                self._take(name, kept)
            else:
                self._take(name, join_values(a, b))

    def _take(self, name: str, seen: KnownValue | None) -> None:
        """Apply the value *seen* of a name or path from a branch; None removes it."""
        if seen is None:
            self._set(name, None)
        elif "[" in name:
            self.narrow(name, seen)
        else:
            # The parts of the name are taken over by themselves.
            self._set(name, seen)
