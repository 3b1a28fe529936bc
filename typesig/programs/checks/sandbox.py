"""One pass over a program: bindings, mutations, and names that the sandbox lacks.

What is known of a value is that of the result that it comes from, so it must not be changed by the
program without notice.  Keys that the program itself stores are known nowhere; where it changes a
list or a map that may be a result, nothing is known of results at all.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final, NamedTuple

from typesig.notations.python.writer import BUILTINS
from typesig.programs.checks.flaws import Flaws

# --- The part of Python that a sandbox runs: known names and unsupported syntax ---

_LATER: dict[str, str] = {
    "TypeAlias": "type aliases",
    "TryStar": "exception groups",
    "TemplateStr": "template strings",
}


class Sandbox(NamedTuple):
    """Python features of a sandbox: its builtins, its modules and the refused syntax.

    #: builtins: the names that are there without an import
    #: modules: the names of modules that can be imported
    #: refused: the classes of syntax that it does not run, each with what a message calls it
    """

    builtins: frozenset[str]
    modules: frozenset[str]
    refused: Mapping[type[ast.AST], str]


_MODULES = """
    asyncio base64 binascii bisect collections copy csv dataclasses datetime decimal functools
    hashlib itertools json math os os.path pathlib random re sys time tomllib typing unicodedata
"""

#: What pydantic-monty 1.4 runs, which its tests here compare.
MONTY = Sandbox(
    BUILTINS,
    frozenset(_MODULES.split()),
    {
        ast.Yield: "yield",
        ast.YieldFrom: "yield from",
        ast.Delete: "del",
        ast.AsyncFor: "async for",
        ast.AsyncWith: "async with",
        **{getattr(ast, name): text for name, text in _LATER.items() if hasattr(ast, name)},
    },
)


#: Methods that put something into a list, a map or a set.
_ADDING: Final = frozenset({
    "add", "append", "appendleft", "extend", "extendleft", "insert", "insort", "insort_left",
    "insort_right", "setdefault", "update",
})  # fmt: skip

#: Functions whose result is a new value.
_MAKING: Final = frozenset({
    "Counter", "OrderedDict", "bool", "defaultdict", "deque", "dict", "float", "int", "len", "list",
    "range", "set", "sorted", "str", "sum", "tuple",
})  # fmt: skip

_FRESH = (
    ast.List, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.Constant,
    ast.JoinedStr,
)  # fmt: skip


class Scan:
    """Results of a first pass over a program: bound names and values changed in place.

    #: bound: how often each name is bound; changed: the names whose values are changed in place
    #: stored: the keys that are stored; loose: whether results may be changed
    #: catches: whether an error may be caught; is_opaque: whether names may be bound by text
    """

    def __init__(self, tree: ast.Module, sandbox: Sandbox, flaws: Flaws) -> None:
        self.bound: dict[str, int] = {}
        self.changed: set[str] = set()
        self.stored: set[str] = set()
        self.loose = False
        self.catches = False
        self.is_opaque = False
        # How often a name is bound to a new value, and the names whose values hold other ones.
        self._fresh: dict[str, int] = {}
        self._holding: set[str] = set()
        self._added: list[ast.expr] = []
        self._augmented: list[ast.expr] = []
        self._grown: list[str] = []
        for node in ast.walk(tree):
            called = sandbox.refused.get(type(node))
            if called is not None:
                flaws.add_error("refused_syntax", node, f"the sandbox does not run {called}")
            self._look(node)
        self._settle()

    def _look(self, node: ast.AST) -> None:
        """Record the bindings and in-place changes that the syntax *node* makes."""
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._assign(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign(target, value)
            case ast.NamedExpr(target=target, value=value):
                self._assign(target, value)
            case ast.AugAssign(target=ast.Name(id=name)):
                self._fresh[name] = self._fresh.get(name, 0) + 1
                self._grown.append(name)
            case ast.AugAssign(target=target):
                self._augmented.append(target)
            case ast.Subscript(value=value, slice=key, ctx=ast.Store()):
                self._store(value, key)
            case ast.Call(func=ast.Attribute(value=receiver, attr=name)) if name in _ADDING:
                self._add(receiver, name, node)
            case ast.Name(id="exec" | "eval" | "setattr", ctx=ast.Load()):
                # What text does is not known.
                self.loose = self.is_opaque = True
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                # Functions bind them at times that are not followed.
                self.changed.update(names)
                self.bound.update((name, self.bound.get(name, 0) + 2) for name in names)
            case ast.ExceptHandler(name=name):
                self.catches = True
                if name is not None:
                    self._bind(name)
            case _:
                for name in list_bound_names(node):
                    self._bind(name)

    def _bind(self, name: str) -> None:
        """Count a binding of the variable *name*."""
        self.bound[name] = self.bound.get(name, 0) + 1

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        """Record whether an assignment binds *target* to a new or a shared value."""
        match target:
            case ast.Name(id=name) if _is_fresh(value):
                self._fresh[name] = self._fresh.get(name, 0) + 1
            case ast.Subscript(value=ast.Name(id=name)) if not _is_fresh(value):
                self._holding.add(name)
            case _:
                pass

    def _store(self, value: ast.expr, key: ast.expr) -> None:
        """Record that an item of the expression *value* is stored under *key*."""
        text = get_text(key)
        if text is not None:
            self.stored.add(text)
            if isinstance(value, ast.Name):
                self.changed.add(value.id)
        else:
            self._added.append(value)

    def _add(self, receiver: ast.expr, name: str, call: ast.Call) -> None:
        """Record that *call* of a method *name*, such as `append`, changes *receiver*."""
        keys: list[str | None] = [None]
        if name in ("setdefault", "update"):
            keys = [keyword.arg for keyword in call.keywords]
            for first in call.args[:1]:
                if isinstance(first, ast.Dict) and name == "update":
                    keys += map(get_text, first.keys)
                else:
                    keys.append(get_text(first) if name == "setdefault" else None)
            values_are_fresh = name == "setdefault" and all(map(_is_fresh, call.args[1:]))
            if isinstance(receiver, ast.Name) and not values_are_fresh:
                self._holding.add(receiver.id)
        self.stored.update([key for key in keys if key is not None])
        if None in keys:
            self._added.append(receiver)
        elif isinstance(receiver, ast.Name):
            self.changed.add(receiver.id)

    def _settle(self) -> None:
        """Decide from the recorded changes whether results of tools may be changed."""
        for receiver in self._added:
            name = _get_root(receiver)
            self.changed.add(name)
            is_inside = not isinstance(receiver, ast.Name)
            if not self._is_own(name) or (is_inside and name in self._holding):
                self.loose = True
        for target in self._augmented:
            self.loose = self.loose or _get_root(target) in self._holding

    def _is_own(self, name: str) -> bool:
        """Whether *name* is only bound to values that the program has made."""
        return self._fresh.get(name, 0) == self.bound.get(name)

    def take_care(self) -> None:
        """Assume that every `+=` changes its list in place."""
        self.changed.update(self._grown)
        self.loose = self.loose or not all(map(self._is_own, self._grown))


def list_bound_names(node: ast.AST) -> list[str]:
    """Return the names that *node* itself binds."""
    match node:
        case (
            ast.Name(id=str(name), ctx=ast.Store())
            | ast.arg(arg=str(name))
            | ast.ExceptHandler(name=str(name))
            | ast.MatchAs(name=str(name))
            | ast.MatchStar(name=str(name))
            | ast.MatchMapping(rest=str(name))
            | ast.FunctionDef(name=str(name))
            | ast.AsyncFunctionDef(name=str(name))
            | ast.ClassDef(name=str(name))
        ):
            return [name]
        case ast.alias(name=name, asname=asname):
            return [asname or name.partition(".")[0]]
        case _:
            return []


def _get_root(value: ast.expr) -> str:
    """Return the name of the variable at the root of the expression *value*, or ""."""
    while isinstance(value, ast.Subscript | ast.Attribute | ast.Call):
        value = value.func if isinstance(value, ast.Call) else value.value
    return value.id if isinstance(value, ast.Name) else ""


def get_text(key: ast.expr | None) -> str | None:
    """Return the constant text of the expression *key*, or None."""
    return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else None


def _is_fresh(value: ast.expr) -> bool:
    """Whether the expression *value* makes a new object, such as a display or `list(…)`."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id in _MAKING
    return isinstance(value, _FRESH)
