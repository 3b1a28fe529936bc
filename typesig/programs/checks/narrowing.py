"""What a condition tells of the names in it."""

from __future__ import annotations

import ast
from collections.abc import Callable

from typesig.programs.checks.seen import UNKNOWN, Names, Seen, path_of
from typesig.programs.checks.uses import Uses


class Narrowing:
    """Notes in *names* what conditions tell; *again* returns what was found of an expression."""

    def __init__(self, names: Names, uses: Uses, again: Callable[[ast.expr], Seen]) -> None:
        self._names = names
        self._uses = uses
        self._again = again

    def narrow(self, test: ast.expr, truth: bool) -> None:
        """Note what holds where *test* is true, or where it is false."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.narrow(operand, not truth)
            case ast.BoolOp(op=op, values=values) if isinstance(op, ast.And) == truth:
                for value in values:
                    self.narrow(value, truth)
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn() as op], comparators=[right]):
                if isinstance(op, ast.In) == truth:
                    self._has(left, right)
            case ast.Compare(
                left=left,
                ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq() as op],
                comparators=[ast.Constant(value=None)],
            ):
                self._is_nil(left, isinstance(op, ast.Is | ast.Eq) == truth)
            case ast.Compare(left=ast.Call() as call):
                self._forget(call)
            case ast.NamedExpr(target=target) if truth:
                self._is_nil(target, False)
            case ast.Call(func=ast.Attribute(value=value, attr="get"), args=[key]) if truth:
                self._narrow(_path_within(value, key), self._uses.without_nil(self._again(test)))
            case ast.Call():
                self._forget(test)
            case _ if truth:
                self._is_nil(test, False)
            case _:
                pass

    def _is_nil(self, node: ast.expr, truth: bool) -> None:
        if isinstance(node, ast.NamedExpr):
            node = node.target
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr="get"), args=[key, *_]):
                path = _path_within(value, key)
            case _:
                path = path_of(node)
        known = self._names.get(path) or self._again(node)
        self._narrow(path, UNKNOWN if truth else self._uses.without_nil(known))

    def _has(self, key: ast.expr, container: ast.expr) -> None:
        """Note that *container* has *key*."""
        path = _path_within(container, key)
        if path:
            found = self._uses.present(self._again(container), key)
            self._narrow(path, found)

    def _forget(self, call: ast.Call) -> None:
        """Note that a function of Python tells what the value of its first argument is."""
        match call:
            case ast.Call(func=ast.Name(id="isinstance" | "hasattr" | "type"), args=[first, *_]):
                self._narrow(path_of(first), UNKNOWN)
            case _:
                pass

    def _narrow(self, path: str, seen: Seen) -> None:
        if path:
            self._names.narrow(path, seen)


def _path_within(container: ast.expr, key: ast.expr) -> str:
    path = path_of(container)
    match key:
        case ast.Constant(value=str(name)) if path:
            return f"{path}[{name!r}]"
        case _:
            return ""
