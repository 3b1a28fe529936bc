"""What is known of lists, tuples and dicts that a program writes out."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from typesig.algebra import nodes
from typesig.algebra.rows.names import folded
from typesig.programs.checks.seen import UNKNOWN, Seen, union_of
from typesig.programs.checks.seen import tuple_of as tuple_of_types


class Displays:
    """Types of what is written out; *see* and *value* follow its parts, as those of expressions."""

    def __init__(self, see: Callable[[ast.expr], Seen], value: Callable[[ast.expr], Seen]) -> None:
        self._see = see
        self._value = value

    def _part(self, node: ast.expr) -> nodes.Type | None:
        """Return the type of a part of a display, or None for what is no value yet."""
        seen = self._see(node)
        if seen.awaits or seen.tool or isinstance(node, ast.Starred):
            return None
        is_display = isinstance(node, ast.Dict | ast.List | ast.Tuple)
        # Parts of large types, at many places, would make larger ones.
        is_small = seen.type.depth <= 2 and not isinstance(seen.type, nodes.Record)
        return seen.type if is_display or is_small else nodes.ANY

    def _parts(self, items: Sequence[ast.expr]) -> list[nodes.Type] | None:
        types = [self._part(item) for item in items]
        known = [t for t in types if t is not None]
        return known if len(known) == len(types) else None

    def list_of(self, items: Sequence[ast.expr]) -> Seen:
        """Return what is known of a list, or a set, of *items*."""
        known = self._parts(items)
        return UNKNOWN if known is None else Seen(nodes.List(union_of(known)))

    def tuple_of(self, items: Sequence[ast.expr]) -> Seen:
        """Return what is known of a tuple of *items*."""
        known = self._parts(items)
        return UNKNOWN if known is None else Seen(tuple_of_types(known))

    def dict_of(self, node: ast.Dict) -> Seen:
        """Return what is known of a dict: its keys, if all of them are written out."""
        fields: dict[str, nodes.Field] = {}
        is_whole = True
        for key, value in zip(node.keys, node.values, strict=True):
            if key is not None:
                self._value(key)
            t = self._part(value)
            match key:
                case ast.Constant(value=str(name)) if t is not None and folded(name) not in fields:
                    fields[folded(name)] = nodes.Field(name, t)
                case _:
                    is_whole = False
        if not is_whole or not fields:
            return Seen(nodes.MAP)
        return Seen(nodes.Record(tuple(fields.values()), None))
