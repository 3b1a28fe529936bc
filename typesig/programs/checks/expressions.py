"""Inference of the values of expressions in a program."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from typesig.algebra import nodes
from typesig.programs.checks.arguments import Arguments, Callee
from typesig.programs.checks.conditions import ConditionNarrowing, DisplayTypes
from typesig.programs.checks.flaws import Flaws
from typesig.programs.checks.known_values import (
    UNKNOWN,
    KnownValue,
    Names,
    ShapeIndex,
    format_path,
    join_values,
    make_known_tuple,
)
from typesig.programs.checks.sandbox import Sandbox, Scan
from typesig.programs.checks.uses import UseChecker
from typesig.validation.issues.excerpt import quote_text


class KnownNames(NamedTuple):
    """Names and tools known before a program is checked.

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


class ExpressionChecker:
    """Checker of a program's expressions, which infers their values.

    #: names: what is known of names here; coroutines: the names of the program's own ones
    """

    def __init__(self, known: KnownNames, scan: Scan, flaws: Flaws) -> None:
        self.names = Names()
        self.coroutines: set[str] = set()
        self._known = known
        self._scan = scan
        self._flaws = flaws
        self.uses = UseChecker(ShapeIndex(known.names), frozenset(scan.stored), flaws)
        self.narrowing = ConditionNarrowing(self.names, self.uses, self._get_again)
        self._arguments = Arguments(self.see, self.uses, flaws, known.names)
        self._displays = DisplayTypes(self.see, self.infer_value)
        self._seen: dict[int, KnownValue] = {}
        # Whether what is followed is called by a function of Python.
        self._is_called = False

    def see(self, node: ast.expr) -> KnownValue:
        """Infer the value of the expression *node*, cached; report its flaws once."""
        known = self._seen.get(id(node))
        if known is None:
            known = self._seen[id(node)] = self._infer(node)
        return known

    def _get_again(self, node: ast.expr) -> KnownValue:
        """Return the value inferred before for *node*, or `UNKNOWN`."""
        return self._seen.get(id(node), UNKNOWN)

    def infer_value(self, node: ast.expr) -> KnownValue:
        """Infer the value of the used expression *node*; report a missing `await`."""
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
            self._flaws.add_error("missing_await", node, said)
            return UNKNOWN
        return UNKNOWN if seen.tool else seen

    def _infer(self, node: ast.expr) -> KnownValue:
        """Infer the value of any expression *node* and report its flaws."""
        match node:
            case ast.Constant(value=value):
                return KnownValue(_CONSTANTS.get(type(value), nodes.ANY))
            case ast.Name(id=name):
                return self._name(node, name)
            case ast.Call():
                return self._call(node)
            case ast.Await(value=value):
                return self._await(node, self.see(value))
            case ast.Attribute(value=value):
                self.uses.check_attribute(node, self.infer_value(value))
                return UNKNOWN
            case ast.Subscript():
                return self._infer_subscript(node)
            case ast.List(elts=items) | ast.Set(elts=items):
                return self._displays.infer_items(items)
            case ast.Tuple(elts=items):
                return self._displays.infer_items(items, True)
            case ast.Dict():
                return self._displays.infer_dict(node)
            case (
                ast.ListComp(generators=generators, elt=item)
                | ast.SetComp(generators=generators, elt=item)
                | ast.GeneratorExp(generators=generators, elt=item)
            ):
                return self._infer_comprehension(generators, [item])
            case ast.DictComp(generators=generators, key=key, value=value):
                self._infer_comprehension(generators, [key, value])
                return KnownValue(nodes.MAP)
            case _:
                return self._infer_operation(node)

    def _infer_operation(self, node: ast.expr) -> KnownValue:
        """Infer the value of an operator, conditional or f-string expression *node*."""
        match node:
            case ast.BinOp(left=left, right=right):
                return self.uses.infer_operation(
                    node, self.infer_value(left), self.infer_value(right)
                )
            case ast.BoolOp(op=op, values=values):
                mark = self.names.mark()
                for value in values:
                    self.infer_value(value)
                    self.narrowing.narrow(value, isinstance(op, ast.And))
                self.names.undo(mark)
                return UNKNOWN
            case ast.UnaryOp(op=op, operand=value):
                self.infer_value(value)
                return KnownValue(nodes.BOOL) if isinstance(op, ast.Not) else UNKNOWN
            case ast.Compare():
                return self._compare(node)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.infer_value(test)
                return join_values(
                    self._infer_under_condition(test, True, body),
                    self._infer_under_condition(test, False, orelse),
                )
            case ast.JoinedStr(values=values):
                for value in values:
                    self.infer_value(value)
                return KnownValue(nodes.STRING)
            case ast.FormattedValue(value=value, format_spec=spec):
                self.infer_value(value)
                if spec is not None:
                    self.see(spec)
                return UNKNOWN
            case ast.NamedExpr(target=target, value=value):
                seen = self.see(value)
                self.bind(target, value, seen)
                return seen
            case ast.Lambda(args=args, body=body):
                return self._infer_lambda(args, body, UNKNOWN)
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        self.see(child)
                return UNKNOWN

    # names

    def _name(self, node: ast.Name, name: str) -> KnownValue:
        """Look up the known value of the variable or tool *name*; report unknown names."""
        seen = self.names.get(name)
        if seen is not None:
            return seen
        if name in self._scan.bound or name in self._known.sandbox.builtins:
            return UNKNOWN
        if name in self._known.callees:
            return KnownValue(tool=name)
        self._report_unknown(node, name, "unknown_name")
        return UNKNOWN

    def _report_unknown(self, node: ast.expr, name: str, kind: str) -> None:
        """Report *name* as an unknown name or tool, by *kind*, with a close match."""
        known = {each: each for each in self._known.callees}
        if kind == "unknown_tool":
            near = self._flaws.suggest_near(name, lambda: known)
            some = ", ".join([*known][:10]) + (", …" if len(known) > 10 else "")
            offered = "" if near else f"; there are {some}" if known else "; there are none"
            self._flaws.add_error(
                "unknown_tool", node, f"there is no tool {quote_text(name)}{offered}", near
            )
            return
        bound, builtins = self._scan.bound, self._known.sandbox.builtins
        others = {each: each for each in (*bound, *builtins)}
        near = self._flaws.suggest_near(name, lambda: {**others, **known})
        self._flaws.add_error("unknown_name", node, f"there is no name {quote_text(name)}", near)

    def bind(self, target: ast.expr, node: ast.expr, seen: KnownValue) -> None:
        """Bind the assignment target *target* to *seen*, the value of *node*."""
        match target:
            case ast.Name(id=name):
                is_changed = self._scan.is_opaque or name in self._scan.changed
                self.names.bind(name, UNKNOWN if is_changed else seen)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                starred = any(isinstance(part, ast.Starred) for part in parts)
                if seen.awaits:
                    self.infer_value(node)
                    seen = UNKNOWN
                for part, each in zip(
                    parts, self.uses.infer_unpacked(node, seen, len(parts), starred), strict=True
                ):
                    self.bind(part, node, each)
            case ast.Starred(value=value):
                self.bind(value, node, UNKNOWN)
            case ast.Subscript(value=value, slice=key):
                self.infer_value(value)
                self.infer_value(key)
            case _:
                for child in ast.iter_child_nodes(target):
                    if isinstance(child, ast.expr):
                        self.see(child)

    # calls

    def _call(self, node: ast.Call) -> KnownValue:
        """Infer the result of the call *node*: of a tool, builtin, method or function."""
        match node.func:
            case ast.Name(id=name):
                seen = self.names.get(name)
                tool = seen.tool if seen is not None else name
                is_own = seen is None and name in self._scan.bound
                if not is_own and tool in self._known.callees:
                    return self._infer_tool_call(node, self._known.callees[tool])
                if is_own or seen is not None:
                    return self._infer_own_call(node, name)
                if name in self._known.sandbox.builtins:
                    return self._infer_builtin_call(node, name)
                self._report_unknown(node.func, name, "unknown_tool")
                self._see_arguments(node)
                return UNKNOWN
            case ast.Attribute():
                return self._infer_method_call(node, node.func)
            case _:
                self.infer_value(node.func)
                self._see_arguments(node)
                return UNKNOWN

    def _infer_tool_call(self, node: ast.Call, callee: Callee) -> KnownValue:
        """Check the arguments of a tool call *node* and infer its result type."""
        if self._is_called:
            said = f"a function of Python calls this, which cannot wait for {callee.called}"
            self._flaws.add_error("not_run_there", node, f"{said}; write a loop")
        self._arguments.check(node, callee)
        for each in [*node.args, *[keyword.value for keyword in node.keywords]]:
            self.infer_value(each.value if isinstance(each, ast.Starred) else each)
        returns = nodes.ANY if self._scan.loose else callee.returns
        return KnownValue(returns, self._known.awaited)

    def _infer_own_call(self, node: ast.Call, name: str) -> KnownValue:
        """Infer the result of a call of *name*, a function of the program."""
        seen = self.infer_value(node.func)
        if self.uses.find_shapes(seen):
            said = f"this is {self.uses.describe(seen)}, which cannot be called"
            self._flaws.add_error("not_callable", node.func, said)
        if name == "gather":
            return self._gather(node)
        self._see_arguments(node)
        return KnownValue(awaits=name in self.coroutines and self._scan.bound[name] == 1)

    def _gather(self, node: ast.Call) -> KnownValue:
        """Infer the result of a `gather` call *node*: a tuple of the awaited results."""
        types = []
        for each in node.args:
            seen = self.see(each)
            types.append(seen.type if seen.awaits else None)
            if not self._known.awaited and isinstance(each, ast.Call) and self._is_tool(each):
                said = "calls do not wait here: write them one after the other, without gather"
                self._flaws.add_error("needless_await", each, said)
        self._see_arguments(node)
        known = [t for t in types if t is not None]
        whole = make_known_tuple(known) if len(known) == len(types) else nodes.ANY
        return KnownValue(whole, True) if self._known.awaited else UNKNOWN

    def _see_arguments(self, node: ast.Call, values: bool = False) -> list[KnownValue]:
        see = self.infer_value if values else self.see
        for keyword in node.keywords:
            see(keyword.value)
        return [see(each) for each in node.args]

    def _infer_builtin_call(self, node: ast.Call, name: str) -> KnownValue:
        if name in _CALLING:
            self._see_callbacks(node, name)
        if name in ("isinstance", "hasattr", "type"):
            self._see_arguments(node)
            return UNKNOWN
        args = self._see_arguments(node, values=True)
        first = args[0] if args else UNKNOWN
        is_whole = bool(node.args) and not any(isinstance(each, ast.Starred) for each in node.args)
        match name:
            case "zip" if is_whole:
                items = [self.uses.items(*each).type for each in zip(node.args, args, strict=True)]
                return KnownValue(nodes.List(make_known_tuple(items)))
            case "sorted" | "list" | "reversed" | "set" | "tuple" if is_whole:
                return KnownValue(nodes.List(self.uses.items(node.args[0], first).type))
            case "enumerate" if is_whole:
                item = self.uses.items(node.args[0], first)
                return KnownValue(nodes.List(nodes.Tuple((nodes.INT, item.type), None)))
            case "min" | "max" if is_whole and len(args) == 1:
                item = self.uses.items(node.args[0], first)
                return UNKNOWN if node.keywords else item
            case "sum" | "len" | "any" | "all" if is_whole:
                # What has items has a length, too.
                self.uses.items(node.args[0], first)
            case _:
                pass
        return KnownValue(_RETURNS.get(name, nodes.ANY))

    def _see_callbacks(self, node: ast.Call, name: str) -> None:
        """Check the callbacks passed to the builtin function *name*, such as `map`."""
        if name in ("map", "filter"):
            function, rest = node.args[:1], node.args[1:]
        else:
            function = [each.value for each in node.keywords if each.arg == "key"]
            rest = node.args[:1] if len(node.args) == 1 else []
        item = UNKNOWN
        if len(rest) == 1 and not isinstance(rest[0], ast.Starred):
            item = self.uses.items(rest[0], self.infer_value(rest[0]))
        for each in function:
            before, self._is_called = self._is_called, True
            if isinstance(each, ast.Lambda):
                self._seen[id(each)] = self._infer_lambda(each.args, each.body, item)
            elif self.see(each).tool:
                said = f"{name} calls this, which cannot wait for {self.see(each).tool}"
                self._flaws.add_error("not_run_there", each, f"{said}; write a loop")
            self._is_called = before

    def _infer_lambda(self, args: ast.arguments, body: ast.expr, first: KnownValue) -> KnownValue:
        for default in [*args.defaults, *args.kw_defaults]:
            if default is not None:
                self.see(default)
        mark = self.names.mark()
        for place, each in enumerate(_list_args(args)):
            self.names.bind(each.arg, first if place == 0 else UNKNOWN)
        self.see(body)
        self.names.undo(mark)
        return UNKNOWN

    def _infer_method_call(self, node: ast.Call, func: ast.Attribute) -> KnownValue:
        """Check a call of the attribute *func* and infer the method's result."""
        base = func.value
        if isinstance(base, ast.Name) and func.attr in self._known.callees:
            is_known = base.id in self._scan.bound or self.names.get(base.id) is not None
            if not is_known and base.id not in self._known.sandbox.builtins:
                said = f"tools are called by their names: write {func.attr}(…)"
                self._flaws.add_error("unknown_tool", func, said)
                self._see_arguments(node)
                return UNKNOWN
        seen = self.infer_value(base)
        self._seen[id(func)] = UNKNOWN
        if func.attr == "gather" and isinstance(base, ast.Name) and not seen.is_known:
            return self._gather(node)
        self.uses.check_attribute(func, seen)
        args = self._see_arguments(node)
        if func.attr == "get" and 1 <= len(args) <= 2 and not node.keywords:
            default = args[1] if len(args) > 1 else KnownValue(nodes.NIL)
            return self.uses.infer_entry(seen, node.args[0], default)
        return self.uses.infer_returned(func.attr, seen)

    def _await(self, node: ast.Await, seen: KnownValue) -> KnownValue:
        """Infer the result of awaiting the value *seen*; report a needless await."""
        if seen.awaits:
            return KnownValue(seen.type)
        is_tool = not self._known.awaited and self._is_tool(node.value)
        if self.uses.find_shapes(seen) or is_tool:
            self._flaws.add_error("needless_await", node, "this is not a coroutine: omit await")
        return seen

    def _is_tool(self, node: ast.expr) -> bool:
        """Whether *node* calls a tool by its name."""
        match node:
            case ast.Call(func=ast.Name(id=name)):
                return name in self._known.callees and name not in self._scan.bound
            case _:
                return False

    # parts

    def _infer_subscript(self, node: ast.Subscript) -> KnownValue:
        """Infer the item that the subscript *node* reads; a narrowed value wins."""
        base, key = self.infer_value(node.value), self.infer_value(node.slice)
        narrowed = self.names.get(format_path(node))
        if narrowed is not None:
            return narrowed
        seen = self.uses.infer_item(node, base, key)
        self.uses.report_missing(node, base)
        return seen

    def _compare(self, node: ast.Compare) -> KnownValue:
        """Check the operands of a comparison *node*, whose result is a bool."""
        left = self.infer_value(node.left)
        for op, other in zip(node.ops, node.comparators, strict=True):
            right = self.infer_value(other)
            if isinstance(op, _ORDERS):
                self.uses.check_comparison(other, left, right)
            left = right
        return KnownValue(nodes.BOOL)

    def _infer_under_condition(self, test: ast.expr, truth: bool, node: ast.expr) -> KnownValue:
        """Infer *node* with names narrowed where *test* has the *truth* value."""
        mark = self.names.mark()
        self.narrowing.narrow(test, truth)
        seen = self.see(node)
        self.names.undo(mark)
        return seen

    def _infer_comprehension(
        self, generators: Iterable[ast.comprehension], parts: Sequence[ast.expr]
    ) -> KnownValue:
        """Infer the list of a comprehension; the last of *parts* is its item."""
        mark = self.names.mark()
        for each in generators:
            seen = self.infer_value(each.iter)
            item = UNKNOWN if each.is_async else self.uses.items(each.iter, seen)
            self.bind(each.target, each.iter, item)
            for test in each.ifs:
                self.infer_value(test)
                self.narrowing.narrow(test, True)
        found = [self.see(part) for part in parts]
        self.names.undo(mark)
        last = found[-1]
        if last.awaits or last.tool or not last.is_known:
            return UNKNOWN
        return KnownValue(nodes.List(last.type))


def _list_args(args: ast.arguments) -> list[ast.arg]:
    """List all parameters of a function definition, `*args` and `**kwargs` last."""
    others = [each for each in (args.vararg, args.kwarg) if each is not None]
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *others]
