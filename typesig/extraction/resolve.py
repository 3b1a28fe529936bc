"""Names in hints to what they mean: the scope of a hint, and hints that are written as text.

Text is read by a walk over its syntax tree and looked up name by name; nothing is evaluated.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ast


class Unresolved(Exception):
    """A hint that cannot be looked up; the text says which name, or why."""


class Missing:
    """What stands for one part of a hint that cannot be looked up, where the rest can.

    #: text: the part as written; reason: why
    """

    def __init__(self, text: str, reason: str) -> None:
        self.text = text
        self.reason = reason

    def __repr__(self) -> str:
        return self.text

    def __call__(self) -> None:
        """Do nothing: typing takes for a type what can be called."""


class Scope:
    """Where the names of a hint are looked up: the innermost namespace first.

    #: module: the module that the hint stands in, whose type-checking imports count too
    #: known: the texts of hints that were resolved here, for each is asked for several times
    """

    __slots__ = ("known", "module", "spaces")

    def __init__(self, *spaces: Mapping[str, Any], module: Any = None) -> None:
        self.spaces = spaces
        self.module = module
        self.known: dict[str, Any] = {}

    def look_up(self, name: str) -> Any:
        """Return what *name* means here; raise `Unresolved` where it means nothing."""
        for space in self.spaces:
            if name in space:
                return space[name]
        import builtins

        found = getattr(builtins, name, _NOTHING)
        if found is _NOTHING and self.module is not None:
            from typesig.extraction.checking import checking_name

            found = checking_name(self.module, name, self._resolve_or_nothing, _NOTHING)
        if found is _NOTHING:
            raise Unresolved(f"the name {name} is not defined where the hint stands")
        return found

    def _resolve_or_nothing(self, text: str) -> Any:
        try:
            return resolve(text, self)
        except (Unresolved, RecursionError):
            return _NOTHING


_NOTHING = object()


def scope_of(function: Any) -> Scope:
    """Return the scope of the hints of *function*: its closure, its class, its module."""
    spaces: list[Mapping[str, Any]] = []
    code = getattr(function, "__code__", None)
    cells = getattr(function, "__closure__", None) or ()
    if code is not None and cells:
        spaces.append(_cells(code.co_freevars, cells))
    module = _home(function)
    around = _around(function, module)
    spaces.extend(vars(owner) for owner in around)
    spaces.extend(
        {p.__name__: p for p in getattr(owner, "__type_params__", ())}
        for owner in (*around, function)
    )
    outer, inner, _ = getattr(function, "__qualname__", "").rpartition(".<locals>.")
    if inner:
        spaces.extend(_running(outer, getattr(function, "__globals__", None)))
    spaces.append(getattr(function, "__globals__", None) or (vars(module) if module else {}))
    return Scope(*spaces, module=module)


def _running(qualname: str, space: Any) -> list[Mapping[str, Any]]:
    """Return the names of the function *qualname* while it runs: a local one is decorated then."""
    frame: Any = sys._getframe(1)
    while frame is not None:
        if frame.f_globals is space and frame.f_code.co_qualname == qualname:
            return [dict(frame.f_locals)]
        frame = frame.f_back
    return []


def owner_of(function: Any) -> type | None:
    """Return the class that *function* was defined in, or None."""
    if "." not in getattr(function, "__qualname__", ""):
        return None
    return next(iter(_around(function, _home(function))), None)


def _home(function: Any) -> Any:
    """Return the module that *function* was written in, which need not be the one it names.

    A package that exports a function from a private module often puts its own name there.
    """
    named = getattr(function, "__module__", None)
    written = getattr(function, "__globals__", {}).get("__name__")
    found = (sys.modules.get(name) for name in (written, named) if isinstance(name, str))
    return next((module for module in found if module is not None), None)


def _cells(names: tuple[str, ...], cells: tuple[Any, ...]) -> dict[str, Any]:
    out = {}
    for name, cell in zip(names, cells, strict=False):
        try:
            out[name] = cell.cell_contents
        except ValueError:
            # A closure variable that is not set yet.
            continue
    return out


def _around(function: Any, module: Any) -> list[type]:
    """Return the classes that *function* was defined in, innermost first."""
    owners: list[type] = []
    current: Any = module
    for part in getattr(function, "__qualname__", "").split(".")[:-1]:
        current = getattr(current, part, None)
        if not isinstance(current, type):
            break
        owners.insert(0, current)
    return owners


def scope_of_class(cls: type) -> Scope:
    """Return the scope of the hints in the body of *cls*."""
    return _ClassScope(cls)


class _ClassScope(Scope):
    """The scope of the hints in the body of a class, made where the first name is looked up."""

    __slots__ = ("cls",)

    def __init__(self, cls: type) -> None:
        self.cls = cls
        self.known = {}

    def __getattr__(self, name: str) -> Any:
        # What is asked for a slot that is not filled yet, which `Scope.__init__` does.
        cls, module = self.cls, _home_of_class(self.cls)
        params = {p.__name__: p for p in getattr(cls, "__type_params__", ())}
        around = [vars(owner) for owner in _around(cls, module)]
        spaces = vars(cls), params, {cls.__name__: cls}, *around, vars(module) if module else {}
        super().__init__(*spaces, module=module)
        return object.__getattribute__(self, name)


def _home_of_class(cls: type) -> Any:
    """Return the module that the body of *cls* was written in, as its methods tell."""
    named: Any = cls.__module__
    top = str(named).partition(".")[0]
    # Some classes change while one looks at what is in them.
    for member in tuple(vars(cls).values()):
        function = member.__func__ if isinstance(member, staticmethod | classmethod) else member
        if type(function).__name__ != "function":
            continue
        if function.__qualname__ == f"{cls.__qualname__}.{function.__name__}":
            home = _home(function)
            # The methods of a NamedTuple were written in collections.
            if getattr(home, "__name__", "").partition(".")[0] == top:
                return home
    return sys.modules.get(named) if isinstance(named, str) else None


def resolve(text: str, scope: Scope) -> Any:
    """Return the hint that *text* writes in *scope*; raise `Unresolved` with the reason."""
    if text in scope.known:
        return scope.known[text]
    import ast

    if len(text) > 10_000:
        raise Unresolved("the text of the hint is too long")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Unresolved("the text is no hint") from None
    try:
        found = _read(tree.body, scope, hints=True)
    except RecursionError:
        raise Unresolved("the text of the hint nests too deep") from None
    scope.known[text] = found
    return found


def _read(node: ast.expr, scope: Scope, hints: bool) -> Any:
    """Return what *node* means; where *hints*, text is a hint itself, else it is a value."""
    read = _READ.get(type(node).__name__)
    if read is None:
        raise Unresolved(f"a hint cannot hold {type(node).__name__}")
    return read(node, scope, hints)


def _name(node: Any, scope: Scope, hints: bool) -> Any:
    return scope.look_up(node.id)


def _attribute(node: Any, scope: Scope, hints: bool) -> Any:
    owner = _read(node.value, scope, hints)
    found = getattr(owner, node.attr, _NOTHING)
    if found is _NOTHING:
        raise Unresolved(f"there is no {node.attr} in {getattr(owner, '__name__', 'it')}")
    return found


def _constant(node: Any, scope: Scope, hints: bool) -> Any:
    return resolve(node.value, scope) if hints and type(node.value) is str else node.value


def _subscript(node: Any, scope: Scope, hints: bool) -> Any:
    origin = _read(node.value, scope, hints)
    name = getattr(origin, "__name__", None) or getattr(origin, "_name", None) or ""
    parts = node.slice.elts if type(node.slice).__name__ == "Tuple" else [node.slice]
    if name == "Literal":
        arguments = [_read(part, scope, hints=False) for part in parts]
    elif name == "Annotated":
        arguments = [_part(parts[0], scope)]
        arguments += [_beside(part, scope) for part in parts[1:]]
    else:
        arguments = [_part(part, scope) for part in parts]
    whole = type(node.slice).__name__ == "Tuple"
    try:
        return origin[tuple(arguments) if whole else arguments[0]]
    except (TypeError, KeyError, AttributeError, SyntaxError) as error:
        raise Unresolved(f"{name or 'it'} takes no such arguments: {error}") from None


def _either(node: Any, scope: Scope, hints: bool) -> Any:
    if type(node.op).__name__ != "BitOr":
        raise Unresolved("a hint cannot hold arithmetic")
    from typing import Union

    left, right = _part(node.left, scope), _part(node.right, scope)
    try:
        return Union[left, right]  # noqa: UP007 - operands may be text or None
    except (TypeError, SyntaxError) as error:
        # Of text, which a class may hold by the name of a type, typing reads the syntax.
        raise Unresolved(f"| takes no such arguments: {error}") from None


def _part(node: ast.expr, scope: Scope) -> Any:
    """Return one part of a hint, or what stands for it where it cannot be looked up."""
    try:
        return _read(node, scope, hints=True)
    except Unresolved as error:
        import ast

        return Missing(ast.unparse(node), str(error))


def _beside(node: ast.expr, scope: Scope) -> Any:
    """Return one piece of metadata, or what stands for it where it cannot be made."""
    try:
        return _read(node, scope, hints=False)
    except Unresolved as error:
        import ast

        return Missing(ast.unparse(node), str(error))


def _negative(node: Any, scope: Scope, hints: bool) -> Any:
    value = _read(node.operand, scope, hints)
    if type(node.op).__name__ == "USub" and type(value) in (int, float):
        return -value
    raise Unresolved("a hint cannot hold arithmetic")


def _list(node: Any, scope: Scope, hints: bool) -> Any:
    return [_read(item, scope, hints) for item in node.elts]


def _tuple(node: Any, scope: Scope, hints: bool) -> Any:
    return tuple(_list(node, scope, hints))


def _starred(node: Any, scope: Scope, hints: bool) -> Any:
    from typing_extensions import Unpack

    return Unpack[_read(node.value, scope, hints)]


#: Where the constructors of metadata come from that a hint in text may call.
_MAKERS = ("annotated_types", "typing_extensions", "pydantic", "msgspec", "typesig")


def _call(node: Any, scope: Scope, hints: bool) -> Any:
    maker = _read(node.func, scope, hints=False)
    home = (getattr(maker, "__module__", "") or "").partition(".")[0]
    if home not in _MAKERS:
        raise Unresolved("a hint in text can call the constructors of known metadata alone")
    arguments = [_read(part, scope, hints=False) for part in node.args]
    named = {k.arg: _read(k.value, scope, hints=False) for k in node.keywords if k.arg}
    try:
        return maker(*arguments, **named)
    except (TypeError, ValueError) as error:
        raise Unresolved(f"its metadata cannot be made: {error}") from None


_READ: dict[str, Callable[[Any, Scope, bool], Any]] = {
    "Attribute": _attribute,
    "BinOp": _either,
    "Call": _call,
    "Constant": _constant,
    "List": _list,
    "Name": _name,
    "Starred": _starred,
    "Subscript": _subscript,
    "Tuple": _tuple,
    "UnaryOp": _negative,
}


def annotations_of(owner: Any) -> dict[str, Any]:
    """Return the annotations of a class or function, unresolved names left as references."""
    if sys.version_info >= (3, 14):
        import annotationlib

        return dict(annotationlib.get_annotations(owner, format=annotationlib.Format.FORWARDREF))
    # inspect.get_annotations would do the same; this asks nothing of the class.
    return dict(vars(owner).get("__annotations__", {}))
