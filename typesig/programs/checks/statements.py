"""Checking of the statements of a program, with the values known at each of them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from typesig.programs.checks.expressions import ExpressionChecker, KnownNames
from typesig.programs.checks.flaws import Flaws
from typesig.programs.checks.known_values import UNKNOWN, KnownValue, format_path, get_python_kind
from typesig.programs.checks.sandbox import Scan, list_bound_names
from typesig.validation.issues.excerpt import quote_text


class StatementChecker:
    """Checker of a program's statements, which tracks the names that they bind."""

    def __init__(self, known: KnownNames, scan: Scan, flaws: Flaws) -> None:
        self._expressions = ExpressionChecker(known, scan, flaws)
        self._names = self._expressions.names
        self._sandbox = known.sandbox
        self._scan = scan
        self._flaws = flaws
        #: Whether `+=` may change a list in place.
        self.grows = False
        self._is_within = False
        # Functions run later, when more names are bound.
        self._later: list[ast.FunctionDef | ast.AsyncFunctionDef] = []

    def check_program(self, tree: ast.Module) -> None:
        """Check the whole program."""
        for node in ast.walk(tree):
            if isinstance(node, ast.AsyncFunctionDef):
                self._expressions.coroutines.add(node.name)
        self._check_block(tree.body)
        # Names that are bound once are what they are at the end.
        for name, count in self._scan.bound.items():
            if count > 1 and self._names.get(name) is not None:
                self._names.bind(name, UNKNOWN)
        # What catches the errors of a function may be at any call of it.
        self._flaws.caught += self._scan.catches
        self._is_within = True
        while self._later:
            self._function(self._later.pop())

    def _check_block(self, body: Sequence[ast.stmt]) -> None:
        """Check the statements of *body* in order, up to unreachable code."""
        for statement in body:
            if self._names.is_dead:
                break
            self._check_statement(statement)

    def _check_statement(self, node: ast.stmt) -> None:
        """Check the statement *node* and record the names that it binds."""
        see = self._expressions
        match node:
            case ast.Expr(value=value):
                see.infer_value(value)
            case ast.Assign(targets=targets, value=value):
                seen = see.see(value)
                for target in targets:
                    see.bind(target, value, seen)
            case ast.AnnAssign(target=target, value=value):
                # The hint is the program's own, and is not looked at.
                if value is not None:
                    see.bind(target, value, see.see(value))
            case ast.AugAssign(target=target, op=op, value=value):
                self._check_augmented(node, target, op, value)
            case ast.If(test=test, body=body, orelse=orelse):
                self._check_if(test, body, orelse)
            case ast.For(target=target, iter=iterated, body=body, orelse=orelse):
                item = see.uses.items(iterated, see.infer_value(iterated))
                self._check_loop(node, body, target, iterated, item)
                self._check_block(orelse)
            case ast.While(test=test, body=body, orelse=orelse):
                self._check_loop(node, body, test=test)
                self._check_block(orelse)
            case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
                self._try(body, handlers, orelse, final)
            case ast.Return(value=value):
                if value is not None:
                    (see.see if self._is_within else see.infer_value)(value)
                self._names.is_dead = True
            case ast.Raise(exc=exc, cause=cause):
                for each in (exc, cause):
                    if each is not None:
                        see.see(each)
                self._names.is_dead = True
            case ast.Break() | ast.Continue():
                self._names.is_dead = True
            case ast.Assert(test=test, msg=msg):
                see.infer_value(test)
                see.narrowing.narrow(test, True)
                if msg is not None:
                    self._check_uncertain([ast.Expr(msg)])
            case _:
                self._check_other(node)

    def _check_other(self, node: ast.stmt) -> None:
        """Check a definition, an import, a `with`, a `match` or another statement."""
        see = self._expressions
        match node:
            case ast.FunctionDef(args=args) | ast.AsyncFunctionDef(args=args):
                for each in [*args.defaults, *args.kw_defaults, *node.decorator_list]:
                    if each is not None:
                        see.see(each)
                self._names.bind(node.name, UNKNOWN)
                self._later.append(node)
            case ast.ClassDef(name=name, body=body):
                self._check_uncertain(body)
                self._names.bind(name, UNKNOWN)
            case ast.Import(names=names):
                for alias in names:
                    self._import(alias, alias.name)
            case ast.ImportFrom(module=module, level=level, names=names):
                self._import(node, module or "", relative=bool(level))
                for alias in names:
                    if alias.name == "*":
                        self._flaws.add_error("refused_syntax", node, "the sandbox imports no *")
            case ast.With(items=items, body=body):
                for item in items:
                    see.infer_value(item.context_expr)
                    if item.optional_vars is not None:
                        see.bind(item.optional_vars, item.context_expr, UNKNOWN)
                self._check_block(body)
            case ast.Match(subject=subject, cases=cases):
                see.infer_value(subject)
                self._forget(cases)
                # A pattern may tell more of it.
                if path := format_path(subject):
                    self._names.narrow(path, UNKNOWN)
                for case in cases:
                    guard = [] if case.guard is None else [ast.Expr(case.guard)]
                    self._check_uncertain([*guard, *case.body])
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        see.see(child)

    def _import(self, node: ast.AST, module: str, relative: bool = False) -> None:
        """Report an import of *module* if the sandbox does not have it."""
        known = self._sandbox.modules
        if not relative and module in known:
            return
        said = f"the sandbox has no module {quote_text(module)}"
        near = self._flaws.suggest_near(module, lambda: {each: each for each in known})
        self._flaws.add_error("unknown_module", node, said, near)

    def _check_augmented(
        self, node: ast.stmt, target: ast.expr, op: ast.operator, value: ast.expr
    ) -> None:
        """Check an augmented assignment such as `+=` and bind its *target*."""
        see = self._expressions
        right = see.infer_value(value)
        if not isinstance(target, ast.Name):
            see.bind(target, value, UNKNOWN)
            return
        left = see.names.get(target.id) or UNKNOWN
        kinds = {get_python_kind(shape) for shape in see.uses.find_shapes(left)}
        self.grows = self.grows or not kinds or bool(kinds & {"list", "map"})
        whole = ast.BinOp(target, op, value)
        ast.copy_location(whole, node)
        seen = see.uses.infer_operation(whole, left, right)
        see.names.bind(target.id, UNKNOWN if target.id in self._scan.changed else seen)

    # branches

    def _check_branch(
        self, body: Sequence[ast.stmt], test: ast.expr | None = None, truth: bool = True
    ) -> tuple[dict[str, KnownValue | None], bool]:
        """Check *body*; return the names it binds, and whether its end is unreachable."""
        mark, before = self._names.mark(), self._names.is_dead
        if test is not None:
            self._expressions.narrowing.narrow(test, truth)
        self._check_block(body)
        is_dead, self._names.is_dead = self._names.is_dead, before
        return self._names.undo(mark), is_dead

    def _check_uncertain(self, body: Sequence[ast.stmt]) -> None:
        """Check *body*, which may not run: its bindings are uncertain afterwards."""
        changed, _ = self._check_branch(body)
        for name in changed:
            if "[" not in name:
                self._names.bind(name, UNKNOWN)

    def _check_if(
        self, test: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt]
    ) -> None:
        """Check both branches of an `if` and join the names that they change."""
        self._expressions.infer_value(test)
        one, one_is_dead = self._check_branch(body, test, True)
        other, other_is_dead = self._check_branch(orelse, test, False)
        if one_is_dead and other_is_dead:
            self._names.is_dead = True
        elif one_is_dead:
            self._names.redo(other)
        elif other_is_dead:
            self._names.redo(one)
        else:
            self._names.join(one, other)

    def _check_loop(
        self,
        node: ast.stmt,
        body: Sequence[ast.stmt],
        target: ast.expr | None = None,
        iterated: ast.expr | None = None,
        item: KnownValue = UNKNOWN,
        test: ast.expr | None = None,
    ) -> None:
        """Check the body of a loop; the names it binds are unknown at its start."""
        self._forget([node])
        if test is not None:
            self._expressions.infer_value(test)
        mark = self._names.mark()
        if target is not None and iterated is not None:
            self._expressions.bind(target, iterated, item)
        self._check_branch(body, test)
        self._names.undo(mark)
        # It may have ended anywhere.
        self._forget([node])

    def _forget(self, parts: Sequence[ast.AST]) -> None:
        """Forget the values of all names bound in *parts*."""
        for part in parts:
            for name in list_all_bound_names(part):
                if self._names.get(name) is not None:
                    self._names.bind(name, UNKNOWN)

    def _try(
        self,
        body: Sequence[ast.stmt],
        handlers: Sequence[ast.ExceptHandler],
        orelse: Sequence[ast.stmt],
        final: Sequence[ast.stmt],
    ) -> None:
        """Check a `try` statement; the bindings of all but *final* are uncertain."""
        self._flaws.caught += bool(handlers)
        self._check_uncertain(body)
        self._flaws.caught -= bool(handlers)
        for handler in handlers:
            if handler.type is not None:
                self._expressions.see(handler.type)
            self._check_uncertain(handler.body)
        self._check_uncertain(orelse)
        self._check_block(final)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Check the body of the function *node*, with its local names unknown."""
        mark = self._names.mark()
        for name in list_all_bound_names(node):
            self._names.bind(name, UNKNOWN)
        self._names.is_dead = False
        self._check_block(node.body)
        self._names.undo(mark)


def list_all_bound_names(part: ast.AST) -> list[str]:
    """Return the names that *part* binds, anywhere in it."""
    return [name for node in ast.walk(part) for name in list_bound_names(node)]
