"""What is known of the values of a program, and of its names while it is followed."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias, assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import union
from typesig.algebra.rows.values import ConstKind
from typesig.program_limits import MAX_PROGRAM_SHAPES

#: What Python does with a value of a shape.
PyKind: TypeAlias = Literal["text", "number", "nil", "list", "map"]


class Seen(NamedTuple):
    """What is known of a value.

    #: type: its type, `ANY` if it is unknown
    #: awaits: whether it has to be awaited to have that type
    #: tool: the name of the tool that it is, or empty
    """

    type: nodes.Type = nodes.ANY
    awaits: bool = False
    tool: str = ""

    @property
    def is_known(self) -> bool:
        """Whether something is known."""
        return self != UNKNOWN


UNKNOWN = Seen()


def joined(one: Seen, other: Seen) -> Seen:
    """Return what is known of a value that is *one* or *other*."""
    if one == other:
        return one
    if one.awaits or other.awaits or one.tool or other.tool:
        return UNKNOWN
    return Seen(union_of([one.type, other.type]))


def union_of(types: Iterable[nodes.Type]) -> nodes.Type:
    """Return the union of *types*, or `ANY` if one of them is, or there are none or too many."""
    distinct = list(dict.fromkeys(types))
    if not 0 < len(distinct) <= MAX_PROGRAM_SHAPES or nodes.ANY in distinct:
        return nodes.ANY
    made = union(distinct)
    is_large = isinstance(made, nodes.Union) and len(made.members) > MAX_PROGRAM_SHAPES
    return nodes.ANY if is_large else made


def tuple_of(types: Sequence[nodes.Type]) -> nodes.Type:
    """Return the type of a tuple of values of *types*."""
    return nodes.Tuple(tuple(types), None) if len(types) > 1 else nodes.List(union_of(types))


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


class Shapes:
    """The alternatives of types with the definitions *names*."""

    def __init__(self, names: Mapping[str, nodes.Type]) -> None:
        self._names = names
        self._known: dict[nodes.Type, tuple[nodes.Type, ...]] = {}

    def of(self, t: nodes.Type) -> tuple[nodes.Type, ...]:
        """Return what a value of *t* may be: scalars, lists, maps; nothing if that is unknown."""
        known = self._known.get(t)
        if known is None:
            known = self._known[t] = self._found(t)
        return known

    def _found(self, t: nodes.Type) -> tuple[nodes.Type, ...]:
        found: dict[nodes.Type, None] = {}
        pending, visited = [t], set[str]()
        while pending:
            each = pending.pop()
            match each:
                case nodes.Maybe(inner):
                    pending += [nodes.NIL, inner]
                case nodes.Union(members):
                    pending += members
                case nodes.Noted() | nodes.Refined():
                    pending.append(each.inner)
                case nodes.Enum(values):
                    pending += {_OF_CONSTS[value.kind] for value in values}
                case nodes.Counted():
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


def kind_of_shape(shape: nodes.Type) -> PyKind:
    """Return what Python does with a value of *shape*, one of those that `Shapes.of` returns."""
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


def path_of(node: ast.expr) -> str:
    """Return a name with constant keys, as in `row["id"]`, as text; empty for all else."""
    keys: list[str] = []
    while isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        keys.append(f"[{node.slice.value!r}]")
        node = node.value
    if not isinstance(node, ast.Name) or len(keys) > 4:
        return ""
    return node.id + "".join(reversed(keys))


class Names:
    """What is known of names, and of their parts, at one point of a program.

    A branch is followed between `mark` and `undo`, which returns what it has changed.
    """

    def __init__(self) -> None:
        self._values: dict[str, Seen] = {}
        self._parts: dict[str, set[str]] = {}
        self._log: list[tuple[str, Seen | None]] = []
        #: Whether this point is not reached.
        self.is_dead = False

    def get(self, name: str) -> Seen | None:
        """Return what is known of *name*, or None if it is not bound here."""
        return self._values.get(name)

    def bind(self, name: str, seen: Seen) -> None:
        """Note that *name* is *seen* from here on."""
        for part in self._parts.get(name, ()):
            if part in self._values:
                self._set(part, None)
        self._set(name, seen)

    def narrow(self, path: str, seen: Seen) -> None:
        """Note that the value at *path* is *seen*, though the name is not bound anew."""
        name = path.partition("[")[0]
        if name != path:
            self._parts.setdefault(name, set()).add(path)
        self._set(path, seen)

    def _set(self, name: str, seen: Seen | None) -> None:
        self._log.append((name, self._values.get(name)))
        if seen is None:
            self._values.pop(name, None)
        else:
            self._values[name] = seen

    def mark(self) -> int:
        """Return the begin of a branch."""
        return len(self._log)

    def undo(self, mark: int) -> dict[str, Seen | None]:
        """Go back to *mark*; return what was known of the changed names, and is not any more."""
        changed: dict[str, Seen | None] = {}
        while len(self._log) > mark:
            name, before = self._log.pop()
            changed.setdefault(name, self._values.get(name))
            if before is None:
                self._values.pop(name, None)
            else:
                self._values[name] = before
        return changed

    def redo(self, changed: Mapping[str, Seen | None]) -> None:
        """Take over what a branch has changed."""
        for name, seen in changed.items():
            self._take(name, seen)

    def join(self, one: Mapping[str, Seen | None], other: Mapping[str, Seen | None]) -> None:
        """Take over what two branches have changed, of which either may be passed."""
        for name in {**one, **other}:
            before = self._values.get(name)
            a, b = one.get(name, before), other.get(name, before)
            if a is None or b is None:
                # A name that is bound by one of them is that, or an error; a part is not known.
                kept = None if "[" in name else a or b
                self._take(name, kept)
            else:
                self._take(name, joined(a, b))

    def _take(self, name: str, seen: Seen | None) -> None:
        if seen is None:
            self._set(name, None)
        elif "[" in name:
            self.narrow(name, seen)
        else:
            # The parts of the name are taken over by themselves.
            self._set(name, seen)
