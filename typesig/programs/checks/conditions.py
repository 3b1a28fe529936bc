"""Narrowing of the values of names by conditions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from typesig.algebra import nodes
from typesig.algebra.rows.names import fold_name
from typesig.programs.checks.known_values import (
    UNKNOWN,
    KnownValue,
    Names,
    format_path,
    make_known_union,
)
from typesig.programs.checks.known_values import make_known_tuple as tuple_of_types
from typesig.programs.checks.sandbox import get_text
from typesig.programs.checks.uses import UseChecker


class ConditionNarrowing:
    """Narrowing of *names* by conditions; *again* returns an expression's known value."""

    def __init__(
        self, names: Names, uses: UseChecker, again: Callable[[ast.expr], KnownValue]
    ) -> None:
        self._names = names
        self._uses = uses
        self._again = again

    def narrow(self, test: ast.expr, truth: bool) -> None:
        """Narrow names by the condition *test*, whose result is *truth*."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.narrow(operand, not truth)
            case ast.BoolOp(op=op, values=values) if isinstance(op, ast.And) == truth:
                for value in values:
                    self.narrow(value, truth)
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn() as op], comparators=[right]):
                if isinstance(op, ast.In) == truth:
                    # The map has the key.
                    found = self._uses.infer_present(self._again(right), left)
                    self._narrow(_get_item_path(right, left), found)
            case ast.Compare(
                left=left,
                ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq() as op],
                comparators=[ast.Constant(value=None)],
            ):
                self._is_nil(left, isinstance(op, ast.Is | ast.Eq) == truth)
            case (
                ast.Compare(left=ast.Call(func=ast.Name(id=name), args=[first, *_]))
                | ast.Call(func=ast.Name(id=name), args=[first, *_])
            ) if name in ("isinstance", "hasattr", "type"):
                # The type of what is tested is not known any more.
                self._narrow(format_path(first), UNKNOWN)
            case ast.NamedExpr(target=target) if truth:
                self._is_nil(target, False)
            case ast.Call(func=ast.Attribute(value=value, attr="get"), args=[key]) if truth:
                self._narrow(_get_item_path(value, key), self._uses.drop_nil(self._again(test)))
            case _ if truth and not isinstance(test, ast.Call):
                self._is_nil(test, False)
            case _:
                pass

    def _is_nil(self, node: ast.expr, truth: bool) -> None:
        """Narrow *node* by a comparison with None, whose result is *truth*."""
        if isinstance(node, ast.NamedExpr):
            node = node.target
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr="get"), args=[key, *_]):
                path = _get_item_path(value, key)
            case _:
                path = format_path(node)
        known = self._names.get(path) or self._again(node)
        self._narrow(path, UNKNOWN if truth else self._uses.drop_nil(known))

    def _narrow(self, path: str, seen: KnownValue) -> None:
        """Record the known value *seen* for the name *path*; ignore an empty path."""
        if path:
            self._names.narrow(path, seen)


def _get_item_path(container: ast.expr, key: ast.expr) -> str:
    """Return the path `container["key"]` as text; empty if *key* is no constant text."""
    path, name = format_path(container), get_text(key)
    return f"{path}[{name!r}]" if path and name is not None else ""


# --- Types of the lists, tuples and dicts that a program writes out ---


class DisplayTypes:
    """Type inference for list, tuple and dict displays; *see* infers an item's type."""

    def __init__(
        self, see: Callable[[ast.expr], KnownValue], value: Callable[[ast.expr], KnownValue]
    ) -> None:
        self._see = see
        self._value = value

    def _infer_part(self, node: ast.expr) -> nodes.Type | None:
        """Infer the type of the item *node* of a display, or None if unknown."""
        seen = self._see(node)
        if seen.awaits or seen.tool or isinstance(node, ast.Starred):
            return None
        is_display = isinstance(node, ast.Dict | ast.List | ast.Tuple)
        # Parts of large types, at many places, would make larger ones.
        is_small = seen.type.depth <= 2 and not isinstance(seen.type, nodes.Record)
        return seen.type if is_display or is_small else nodes.ANY

    def infer_items(self, items: Sequence[ast.expr], is_tuple: bool = False) -> KnownValue:
        """Infer the value of a display of *items*: a list or set, or a tuple."""
        types = [self._infer_part(item) for item in items]
        known = [t for t in types if t is not None]
        if len(known) < len(types):
            return UNKNOWN
        return KnownValue(
            tuple_of_types(known) if is_tuple else nodes.List(make_known_union(known))
        )

    def infer_dict(self, node: ast.Dict) -> KnownValue:
        """Infer the value of the dict display *node*, a record if its keys are known."""
        fields: dict[str, nodes.Field] = {}
        is_whole = True
        for key, value in zip(node.keys, node.values, strict=True):
            if key is not None:
                self._value(key)
            t = self._infer_part(value)
            match key:
                case ast.Constant(value=str(name)) if (
                    t is not None and fold_name(name) not in fields
                ):
                    fields[fold_name(name)] = nodes.Field(name, t)
                case _:
                    is_whole = False
        if not is_whole or not fields:
            return KnownValue(nodes.MAP)
        return KnownValue(nodes.Record(tuple(fields.values()), None))
