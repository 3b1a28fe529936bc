"""What is known of the expressions of a program."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from typesig.algebra import nodes
from typesig.programs.checks.arguments import Arguments, Callee
from typesig.programs.checks.displays import Displays
from typesig.programs.checks.flaws import Flaws
from typesig.programs.checks.narrowing import Narrowing
from typesig.programs.checks.sandbox import Sandbox
from typesig.programs.checks.scanning import Scan
from typesig.programs.checks.seen import UNKNOWN, Names, Seen, Shapes, joined, path_of, tuple_of
from typesig.programs.checks.uses import Uses
from typesig.validation.issues.excerpt import text


class Known(NamedTuple):
    """What is known before a program is followed.

    #: callees: the tools by the names that programs call
    #: names: the types that their results refer to
    #: awaited: whether calls have to be awaited; sandbox: what runs there
    """

    callees: Mapping[str, Callee]
    names: Mapping[str, nodes.Type]
    awaited: bool
    sandbox: Sandbox


_CONSTANTS: dict[type, nodes.Type] = {
    str: nodes.STRING,
    bool: nodes.BOOL,
    int: nodes.INT,
    float: nodes.FLOAT,
    type(None): nodes.NIL,
}

#: What functions of Python return, whatever they are given.
_RETURNS: dict[str, nodes.Type] = {
    "bool": nodes.BOOL,
    "float": nodes.FLOAT,
    "int": nodes.INT,
    "len": nodes.INT,
    "range": nodes.List(nodes.INT),
    "repr": nodes.STRING,
    "str": nodes.STRING,
}

#: Functions that call another one, which cannot wait for a tool.
_CALLING = frozenset({"filter", "map", "max", "min", "sorted"})

_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


class Expressions:
    """Follows expressions, each of them once.

    #: names: what is known of names here; coroutines: the names of the program's own ones
    """

    def __init__(self, known: Known, scan: Scan, flaws: Flaws) -> None:
        self.names = Names()
        self.coroutines: set[str] = set()
        self._known = known
        self._scan = scan
        self._flaws = flaws
        self.uses = Uses(Shapes(known.names), frozenset(scan.stored), flaws)
        self.narrowing = Narrowing(self.names, self.uses, self._again)
        self._arguments = Arguments(self.see, self.uses, flaws, known.names)
        self._displays = Displays(self.see, self.value)
        self._seen: dict[int, Seen] = {}
        # Whether what is followed is called by a function of Python.
        self._is_called = False

    def see(self, node: ast.expr) -> Seen:
        """Return what is known of *node*; flaws in it are noted when it is seen first."""
        known = self._seen.get(id(node))
        if known is None:
            known = self._seen[id(node)] = self._found(node)
        return known

    def _again(self, node: ast.expr) -> Seen:
        """Return what was found of *node*, or nothing if it was passed by."""
        return self._seen.get(id(node), UNKNOWN)

    def value(self, node: ast.expr) -> Seen:
        """Return what is known of *node*, whose value is used here: it must have been awaited."""
        seen = self.see(node)
        if seen.awaits:
            match node:
                case ast.Call(func=ast.Name(id=name)):
                    name = f"{name}(…)"
                case ast.Name(id=name):
                    pass
                case _:
                    name = "it"
            said = f"this is not awaited: write await {name}"
            self._flaws.error("missing_await", node, said)
            return UNKNOWN
        return UNKNOWN if seen.tool else seen

    def _found(self, node: ast.expr) -> Seen:
        match node:
            case ast.Constant(value=value):
                return Seen(_CONSTANTS.get(type(value), nodes.ANY))
            case ast.Name(id=name):
                return self._name(node, name)
            case ast.Call():
                return self._call(node)
            case ast.Await(value=value):
                return self._await(node, self.see(value))
            case ast.Attribute(value=value):
                self.uses.attribute(node, self.value(value))
                return UNKNOWN
            case ast.Subscript():
                return self._subscript(node)
            case ast.List(elts=items) | ast.Set(elts=items):
                return self._displays.list_of(items)
            case ast.Tuple(elts=items):
                return self._displays.tuple_of(items)
            case ast.Dict():
                return self._displays.dict_of(node)
            case (
                ast.ListComp(generators=generators, elt=item)
                | ast.SetComp(generators=generators, elt=item)
                | ast.GeneratorExp(generators=generators, elt=item)
            ):
                return self._comprehension(generators, [item])
            case ast.DictComp(generators=generators, key=key, value=value):
                self._comprehension(generators, [key, value])
                return Seen(nodes.MAP)
            case _:
                return self._operation(node)

    def _operation(self, node: ast.expr) -> Seen:
        match node:
            case ast.BinOp(left=left, right=right):
                return self.uses.operated(node, self.value(left), self.value(right))
            case ast.BoolOp(op=op, values=values):
                mark = self.names.mark()
                for value in values:
                    self.value(value)
                    self.narrowing.narrow(value, isinstance(op, ast.And))
                self.names.undo(mark)
                return UNKNOWN
            case ast.UnaryOp(op=op, operand=value):
                self.value(value)
                return Seen(nodes.BOOL) if isinstance(op, ast.Not) else UNKNOWN
            case ast.Compare():
                return self._compare(node)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.value(test)
                return joined(self._under(test, True, body), self._under(test, False, orelse))
            case ast.JoinedStr(values=values):
                for value in values:
                    self.value(value)
                return Seen(nodes.STRING)
            case ast.FormattedValue(value=value, format_spec=spec):
                self.value(value)
                if spec is not None:
                    self.see(spec)
                return UNKNOWN
            case ast.NamedExpr(target=target, value=value):
                seen = self.see(value)
                self.bind(target, value, seen)
                return seen
            case ast.Lambda(args=args, body=body):
                return self._lambda(args, body, UNKNOWN)
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        self.see(child)
                return UNKNOWN

    # names

    def _name(self, node: ast.Name, name: str) -> Seen:
        seen = self.names.get(name)
        if seen is not None:
            return seen
        if name in self._scan.bound or name in self._known.sandbox.builtins:
            return UNKNOWN
        if name in self._known.callees:
            return Seen(tool=name)
        self._unknown(node, name, "unknown_name")
        return UNKNOWN

    def _unknown(self, node: ast.expr, name: str, kind: str) -> None:
        known = {each: each for each in self._known.callees}
        if kind == "unknown_tool":
            near = self._flaws.near(name, lambda: known)
            some = ", ".join([*known][:10]) + (", …" if len(known) > 10 else "")
            offered = "" if near else f"; there are {some}" if known else "; there are none"
            self._flaws.error("unknown_tool", node, f"there is no tool {text(name)}{offered}", near)
            return
        bound, builtins = self._scan.bound, self._known.sandbox.builtins
        others = {each: each for each in (*bound, *builtins)}
        near = self._flaws.near(name, lambda: {**others, **known})
        self._flaws.error("unknown_name", node, f"there is no name {text(name)}", near)

    def bind(self, target: ast.expr, node: ast.expr, seen: Seen) -> None:
        """Note that *target* is bound to *node*, of which *seen* is known."""
        match target:
            case ast.Name(id=name):
                is_changed = self._scan.is_opaque or name in self._scan.changed
                self.names.bind(name, UNKNOWN if is_changed else seen)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                starred = any(isinstance(part, ast.Starred) for part in parts)
                if seen.awaits:
                    self.value(node)
                    seen = UNKNOWN
                for part, each in zip(
                    parts, self.uses.unpacked(node, seen, len(parts), starred), strict=True
                ):
                    self.bind(part, node, each)
            case ast.Starred(value=value):
                self.bind(value, node, UNKNOWN)
            case ast.Subscript(value=value, slice=key):
                self.value(value)
                self.value(key)
            case _:
                for child in ast.iter_child_nodes(target):
                    if isinstance(child, ast.expr):
                        self.see(child)

    # calls

    def _call(self, node: ast.Call) -> Seen:
        match node.func:
            case ast.Name(id=name):
                seen = self.names.get(name)
                tool = seen.tool if seen is not None else name
                is_own = seen is None and name in self._scan.bound
                if not is_own and tool in self._known.callees:
                    return self._tool(node, self._known.callees[tool])
                if is_own or seen is not None:
                    return self._own(node, name)
                if name in self._known.sandbox.builtins:
                    return self._builtin(node, name)
                self._unknown(node.func, name, "unknown_tool")
                self._see_arguments(node)
                return UNKNOWN
            case ast.Attribute():
                return self._method(node, node.func)
            case _:
                self.value(node.func)
                self._see_arguments(node)
                return UNKNOWN

    def _tool(self, node: ast.Call, callee: Callee) -> Seen:
        if self._is_called:
            said = f"a function of Python calls this, which cannot wait for {callee.called}"
            self._flaws.error("not_run_there", node, f"{said}; write a loop")
        self._arguments.check(node, callee)
        for each in [*node.args, *[keyword.value for keyword in node.keywords]]:
            self.value(each.value if isinstance(each, ast.Starred) else each)
        returns = nodes.ANY if self._scan.loose else callee.returns
        return Seen(returns, self._known.awaited)

    def _own(self, node: ast.Call, name: str) -> Seen:
        seen = self.value(node.func)
        if self.uses.shapes(seen):
            said = f"this is {self.uses.told(seen)}, which cannot be called"
            self._flaws.error("not_callable", node.func, said)
        if name == "gather":
            return self._gather(node)
        self._see_arguments(node)
        return Seen(awaits=name in self.coroutines and self._scan.bound[name] == 1)

    def _gather(self, node: ast.Call) -> Seen:
        types = []
        for each in node.args:
            seen = self.see(each)
            types.append(seen.type if seen.awaits else None)
            if not self._known.awaited and isinstance(each, ast.Call) and self._is_tool(each):
                said = "calls do not wait here: write them one after the other, without gather"
                self._flaws.error("needless_await", each, said)
        self._see_arguments(node)
        known = [t for t in types if t is not None]
        whole = tuple_of(known) if len(known) == len(types) else nodes.ANY
        return Seen(whole, True) if self._known.awaited else UNKNOWN

    def _see_arguments(self, node: ast.Call, values: bool = False) -> list[Seen]:
        see = self.value if values else self.see
        for keyword in node.keywords:
            see(keyword.value)
        return [see(each) for each in node.args]

    def _builtin(self, node: ast.Call, name: str) -> Seen:
        if name in _CALLING:
            self._see_callbacks(node, name)
        if name in ("isinstance", "hasattr", "type"):
            self._see_arguments(node)
            return UNKNOWN
        args = self._see_arguments(node, values=True)
        first = args[0] if args else UNKNOWN
        is_whole = bool(node.args) and not _has_star(node.args)
        match name:
            case "zip" if is_whole:
                items = [self.uses.items(*each).type for each in zip(node.args, args, strict=True)]
                return Seen(nodes.List(tuple_of(items)))
            case "sorted" | "list" | "reversed" | "set" | "tuple" if is_whole:
                return Seen(nodes.List(self.uses.items(node.args[0], first).type))
            case "enumerate" if is_whole:
                item = self.uses.items(node.args[0], first)
                return Seen(nodes.List(nodes.Tuple((nodes.INT, item.type), None)))
            case "min" | "max" if is_whole and len(args) == 1:
                item = self.uses.items(node.args[0], first)
                return UNKNOWN if node.keywords else item
            case "sum" | "len" | "any" | "all" if is_whole:
                # What has items has a length, too.
                self.uses.items(node.args[0], first)
            case _:
                pass
        return Seen(_RETURNS.get(name, nodes.ANY))

    def _see_callbacks(self, node: ast.Call, name: str) -> None:
        """See the functions that the function *name* of Python calls with items."""
        if name in ("map", "filter"):
            function, rest = node.args[:1], node.args[1:]
        else:
            function = [each.value for each in node.keywords if each.arg == "key"]
            rest = node.args[:1] if len(node.args) == 1 else []
        item = UNKNOWN
        if len(rest) == 1 and not isinstance(rest[0], ast.Starred):
            item = self.uses.items(rest[0], self.value(rest[0]))
        for each in function:
            before, self._is_called = self._is_called, True
            if isinstance(each, ast.Lambda):
                self._seen[id(each)] = self._lambda(each.args, each.body, item)
            elif self.see(each).tool:
                said = f"{name} calls this, which cannot wait for {self.see(each).tool}"
                self._flaws.error("not_run_there", each, f"{said}; write a loop")
            self._is_called = before

    def _lambda(self, args: ast.arguments, body: ast.expr, first: Seen) -> Seen:
        for default in [*args.defaults, *args.kw_defaults]:
            if default is not None:
                self.see(default)
        mark = self.names.mark()
        for place, each in enumerate(_all_args(args)):
            self.names.bind(each.arg, first if place == 0 else UNKNOWN)
        self.see(body)
        self.names.undo(mark)
        return UNKNOWN

    def _method(self, node: ast.Call, func: ast.Attribute) -> Seen:
        base = func.value
        if isinstance(base, ast.Name) and func.attr in self._known.callees:
            is_known = base.id in self._scan.bound or self.names.get(base.id) is not None
            if not is_known and base.id not in self._known.sandbox.builtins:
                said = f"tools are called by their names: write {func.attr}(…)"
                self._flaws.error("unknown_tool", func, said)
                self._see_arguments(node)
                return UNKNOWN
        seen = self.value(base)
        self._seen[id(func)] = UNKNOWN
        if func.attr == "gather" and isinstance(base, ast.Name) and not seen.is_known:
            return self._gather(node)
        self.uses.attribute(func, seen)
        args = self._see_arguments(node)
        if func.attr == "get" and 1 <= len(args) <= 2 and not node.keywords:
            default = args[1] if len(args) > 1 else Seen(nodes.NIL)
            return self.uses.entry(seen, node.args[0], default)
        return self.uses.returned(func.attr, seen)

    def _await(self, node: ast.Await, seen: Seen) -> Seen:
        if seen.awaits:
            return Seen(seen.type)
        is_tool = not self._known.awaited and self._is_tool(node.value)
        if self.uses.shapes(seen) or is_tool:
            self._flaws.error("needless_await", node, "this is no coroutine: leave out await")
        return seen

    def _is_tool(self, node: ast.expr) -> bool:
        """Tell whether *node* calls a tool by its name."""
        match node:
            case ast.Call(func=ast.Name(id=name)):
                return name in self._known.callees and name not in self._scan.bound
            case _:
                return False

    # parts

    def _subscript(self, node: ast.Subscript) -> Seen:
        base, key = self.value(node.value), self.value(node.slice)
        narrowed = self.names.get(path_of(node))
        if narrowed is not None:
            return narrowed
        seen = self.uses.item(node, base, key)
        self.uses.missing(node, base)
        return seen

    def _compare(self, node: ast.Compare) -> Seen:
        left = self.value(node.left)
        for op, other in zip(node.ops, node.comparators, strict=True):
            right = self.value(other)
            if isinstance(op, _ORDERS):
                self.uses.compared(other, left, right)
            left = right
        return Seen(nodes.BOOL)

    def _under(self, test: ast.expr, truth: bool, node: ast.expr) -> Seen:
        mark = self.names.mark()
        self.narrowing.narrow(test, truth)
        seen = self.see(node)
        self.names.undo(mark)
        return seen

    def _comprehension(
        self, generators: Iterable[ast.comprehension], parts: Sequence[ast.expr]
    ) -> Seen:
        mark = self.names.mark()
        for each in generators:
            seen = self.value(each.iter)
            item = UNKNOWN if each.is_async else self.uses.items(each.iter, seen)
            self.bind(each.target, each.iter, item)
            for test in each.ifs:
                self.value(test)
                self.narrowing.narrow(test, True)
        found = [self.see(part) for part in parts]
        self.names.undo(mark)
        last = found[-1]
        if last.awaits or last.tool or not last.is_known:
            return UNKNOWN
        return Seen(nodes.List(last.type))


def _has_star(args: Sequence[ast.expr]) -> bool:
    return any(isinstance(each, ast.Starred) for each in args)


def _all_args(args: ast.arguments) -> list[ast.arg]:
    others = [each for each in (args.vararg, args.kwarg) if each is not None]
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *others]
