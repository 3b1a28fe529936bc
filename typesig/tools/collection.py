"""Toolsets from modules, classes, instances and callables."""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set, ValuesView
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from typesig.errors import ExtractionError, TooLarge, TypesigError, format_value
from typesig.extraction.callables.options import Options, make_options
from typesig.extraction.callables.warnings import (
    HintWarning,
    ReadGuard,
    get_exception_message,
    shorten_line,
)
from typesig.limits import MAX_SHOWN_TOOLS, MAX_TOOLS, MAX_WARNING
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset

if TYPE_CHECKING:
    from typing import Unpack

    from typesig.extraction.callables.options import OptionKeywords
    from typesig.validation.policy import ModeName, Policy


#: Whether functions that no decorator marks are tools, and whether those without hints are, too.
Undecorated: TypeAlias = bool | Literal["inferred"]


def tools_of(
    target: object,
    undecorated: Undecorated = False,
    *,
    mode: ModeName | Policy | None = None,
    **options: Unpack[OptionKeywords],
) -> Toolset:
    """Return the tools of a module (or its dotted name), a class, an instance, or callables.

    A module gives the tools that it defines or exports, in its order; a class gives its class
    methods and static methods; an instance gives the tools of its class, bound to it, and tools in
    its attributes. Callables need no decorator, and a toolset is returned unchanged. With
    *undecorated*, public functions become tools too, with the options of `extract`. With
    "inferred", so do functions without hints: docstrings and defaults give their types, which
    descriptions and warnings mark. A function from a factory, a partial and a lambda have their
    name in the module. A function that cannot be a tool is left out, with a warning. *mode* is the
    default mode of calls to tools that have no mode. Raises `TypesigError` if there is no tool; the
    message names the public functions. Only an empty list gives a toolset without tools.

    >>> def double(n: int) -> int:
    ...     return 2 * n
    >>> tools_of([double]).names
    ('double',)
    """
    chosen = _with_inferred(make_options("tools_of", options), undecorated)
    if type(target) is Toolset:
        return target if mode is None else Toolset(target, target._omissions, mode=mode)
    target = _import_target(target)
    parts, takes_all = _find_parts(target, bool(undecorated))
    found = _collect(parts, bool(undecorated) or takes_all, chosen)
    if not len(found) and (parts or not takes_all):
        raise _make_no_tools_error(target, bool(undecorated), found._omissions)
    return found if mode is None else Toolset(found, found._omissions, mode=mode)


def _with_inferred(options: Options, undecorated: object) -> Options:
    """Copy *options* with `inferred` set by *undecorated*; check its value."""
    if isinstance(undecorated, str) and undecorated != "inferred":
        raise TypesigError(
            f'undecorated is True, False or "inferred", not {format_value(undecorated)}'
        )
    return options._replace(inferred=undecorated == "inferred")


def collect_tools(
    target: object, undecorated: Undecorated = False, **options: Unpack[OptionKeywords]
) -> Toolset:
    """Return the tools that `tools_of` finds, or a toolset without tools if there are none."""
    if type(target) is Toolset:
        return target
    target = _import_target(target)
    parts, takes_all = _find_parts(target, bool(undecorated))
    chosen = _with_inferred(make_options("tools_of", options), undecorated)
    return _collect(parts, bool(undecorated) or takes_all, chosen)


#: The reason of the warning of a toolset for which no tools were found.
_NOTHING = "nothing here is a tool"

#: How to include the functions of a module or an object that decorates none.
REMEDY = "decorate them with @tool, or write tools_of(…, undecorated=True)"


def _make_no_tools_error(
    target: Any, undecorated: bool, warnings: Sequence[HintWarning]
) -> TypesigError:
    """Return the error that *target* has no tools, with its public functions, if it has any."""
    if isinstance(target, types.ModuleType):
        title = f"the module {target.__name__}"
    elif isinstance(target, type):
        title = f"the class {target.__name__}"
    elif isinstance(target, _COLLECTIONS):
        title = f"the {type(target).__name__}"
    else:
        title = f"this {type(target).__name__}"
    there = {} if undecorated else dict(_find_parts(target, True)[0])
    names = [name for name, value in there.items() if name and type(value) is not HintWarning]
    reasons = [str(each) for each in warnings if each.reason != _NOTHING]
    if names:
        shown = ", ".join(names[:MAX_SHOWN_TOOLS])
        more = f" and {len(names) - MAX_SHOWN_TOOLS} more" if len(names) > MAX_SHOWN_TOOLS else ""
        reasons.insert(0, f"its public functions are {shown}{more}: {REMEDY}")
    if not reasons:
        reasons = [str(each) for each in there.values()] or [
            "it has no public functions; pass the functions: tools_of([f, g])"
        ]
    return TypesigError(f"{title} has no tools: {'; '.join(reasons[:MAX_SHOWN_TOOLS])}")


def _import_target(target: object) -> object:
    """Return the module that *target* names if it is text, else *target*."""
    return import_module(str(target)) if issubclass(type(target), str) else target


#: Classes of what is a collection of functions; what else can be iterated has methods of its own.
_COLLECTIONS = (Sequence, Set, Iterator, ValuesView)


def _find_parts(target: object, undecorated: bool) -> tuple[list[tuple[str, Any]], bool]:
    """List the candidate tools of *target* by name; True if *target* is functions."""
    with ReadGuard(target):
        return _read_parts(target, undecorated)


def _read_parts(target: object, undecorated: bool) -> tuple[list[tuple[str, Any]], bool]:
    """List the candidate tools of *target* by name; True if *target* is functions."""
    if isinstance(target, types.ModuleType):
        return list_module_members(target, undecorated), False
    if isinstance(target, type):
        return list_class_members(target, undecorated), False
    is_single = isinstance(target, Tool) or not has_tools(target)
    if callable(target) and not hasattr(type(target), "__iter__") and is_single:
        return [("", target)], True
    if isinstance(target, _COLLECTIONS) and not isinstance(target, bytes) and is_single:
        given = [("", each) for each in islice(target, MAX_TOOLS + 1)]
        if len(given) > MAX_TOOLS:
            raise TooLarge(f"tools_of takes {MAX_TOOLS} functions, this iterable has more")
        return given, True
    if type(target).__module__ == "builtins":
        example = "tools.values()" if isinstance(target, Mapping) else "[f, g]"
        raise TypesigError(
            "tools_of takes a module, a class, an instance, or functions, not "
            f"{type(target).__name__}; write tools_of({example})"
        )
    return of_instance(target), False


def _collect(found: Iterable[tuple[str, Any]], undecorated: bool, options: Options) -> Toolset:
    """Build a toolset from the named values *found*; omitted values become warnings."""
    tools: list[Tool[..., Any]] = []
    warnings: list[HintWarning] = []
    names: set[str] = set()
    for name, value in found:
        if type(value) is HintWarning:
            warnings.append(value)
            continue
        try:
            # Its class may raise where it is asked for.
            with ReadGuard(value):
                if isinstance(value, Tool) or undecorated:
                    made = value if isinstance(value, Tool) else _make_tool(name, value, options)
                    if name and made.name in names:
                        reason = f"another tool is called {made.name}, so it is left out"
                        remedy = "rename one with @tool(name=…)"
                        warnings.append(HintWarning("", "", reason, remedy, "left_out"))
                        continue
                    tools.append(made._read())
                    names.add(made.name)
        except TypesigError as error:
            warnings.append(_warn_of_omission(error))
    if not tools and not warnings:
        warnings.append(HintWarning("", "", _NOTHING, REMEDY, "left_out"))
    return Toolset(tools, warnings)


def _make_tool(name: str, function: Any, options: Options) -> Tool[..., Any]:
    """Return the tool of *function*, which has the name *name* where it was found."""
    # What a factory makes, a partial or a lambda has another name of its own, or none.
    is_same = not name or getattr(function, "__name__", None) == name
    return Tool(function, name=None if is_same else name, options=options)


def _warn_of_omission(error: TypesigError) -> HintWarning:
    """Return the warning that a callable is left out because of *error*."""
    reason, remedy = str(error), ""
    if isinstance(error, ExtractionError):
        reason, remedy = error.reason, error.remedy
    reason = f"{shorten_line(reason, MAX_WARNING)}, so it is left out"
    return HintWarning("", "", reason, remedy or "correct it", "left_out")


def has_tools(target: object) -> bool:
    """Whether the class of *target*, which is no plain function, has tools."""
    return not isinstance(
        target, types.FunctionType | types.MethodType | types.BuiltinFunctionType
    ) and any(
        isinstance(value, Tool) for cls in type(target).__mro__ for value in vars(cls).values()
    )


def list_module_members(
    module: types.ModuleType, undecorated: bool = False
) -> list[tuple[str, Any]]:
    """Tools and public functions that *module* defines or makes.

    A name that the module makes when it is asked for it, and that raises, is a warning.  So is,
    with *undecorated*, a callable that was made of what another module defines.
    """
    # Not getattr: a lazy module would be asked to make `__all__`.
    exported = vars(module).get("__all__")
    out: list[tuple[str, Any]] = []
    found = dict(vars(module))
    for name in exported or ():
        if name not in found:
            found[name] = _get_lazy_member(module, name)
    for name, value in found.items():
        shown = name in exported if exported is not None else not name.startswith("_")
        try:
            taken = _is_taken(module, value, shown, exported is not None)
            kind = _describe_borrowed(name, value) if undecorated and shown and not taken else ""
            if kind:
                value, taken = _warn_of_borrowed(module, name, kind), True
        except Exception as error:
            # A value can be lazy too, and raise where it is asked for an attribute.
            value, taken = _warn_of_unreadable(module, name, error), shown
        if taken:
            out.append((name, value))
    # Each object only under its first name.
    first: dict[int, tuple[str, Any]] = {}
    for name, value in out:
        first.setdefault(id(value), (name, value))
    return list(first.values())


def _get_lazy_member(module: types.ModuleType, name: str) -> Any:
    """Value of the lazy attribute *name* of *module*, or a warning if it fails."""
    try:
        return getattr(module, name)
    except Exception as error:
        return _warn_of_unreadable(module, name, error)


def _warn_of_unreadable(module: types.ModuleType, name: str, error: Exception) -> HintWarning:
    """Build the warning that reading the attribute *name* of *module* raised *error*."""
    reason = f"reading it raises {get_exception_message(error)}, so it is left out"
    remedy = "install or import what it needs, or pass the functions"
    return HintWarning(f"{module.__name__}.{name}", "", reason, remedy, "left_out")


def _is_taken(module: types.ModuleType, value: Any, shown: bool, explicit: bool) -> bool:
    """Whether the member *value* of *module* is a tool; *explicit*: exports are listed."""
    if isinstance(value, HintWarning):
        return shown
    inside = f"{module.__name__}." if "__path__" in vars(module) else "\0"
    made_of = value.func if isinstance(value, functools.partial) else value
    home = getattr(made_of, "__module__", None) or ""
    # A package can export what its own modules define.
    mine = home == module.__name__ or home.startswith(inside)
    if isinstance(value, Tool):
        return mine or (explicit and shown)
    is_bound = isinstance(value, functools.partial | types.MethodType)
    return shown and (mine or explicit) and (is_bound or _is_function(value))


def _describe_borrowed(name: str, value: Any) -> str:
    """Describe *value*, made by another module; empty for a plain import."""
    if isinstance(value, functools.partial):
        return "a partial of a function of another module"
    if not isinstance(value, types.FunctionType | types.MethodType):
        return ""
    own = getattr(value, "__qualname__", "")
    if own.endswith("<lambda>"):
        return "a lambda of another module"
    # Its module has what is only imported here under the same name.
    home = sys.modules.get(value.__module__ or "")
    if getattr(home, "__dict__", {}).get(name) is value:
        return ""
    if isinstance(value, types.MethodType):
        return "a bound method of a class of another module"
    return "a function that another module made" if "<locals>" in own else ""


def _warn_of_borrowed(module: types.ModuleType, name: str, kind: str) -> HintWarning:
    """Build the warning that *name* of *module* is left out; *kind* describes its value."""
    remedy = "write a function that calls it, or name it in __all__"
    reason = f"it is {kind}, so it is left out"
    return HintWarning(f"{module.__name__}.{name}", "", reason, remedy, "left_out")


def _is_function(value: object) -> bool:
    """Whether *value* is a Python or builtin function, or a wrapper of a function."""
    return isinstance(value, types.FunctionType | types.BuiltinFunctionType) or (
        callable(getattr(value, "__wrapped__", None)) and callable(value)
    )


def _list_members(cls: type) -> dict[str, Any]:
    """Return the attributes of *cls* and its ancestors by name, ancestors first."""
    out: dict[str, Any] = {}
    for owner in reversed(cls.__mro__[:-1]):
        out.update(vars(owner))
    return out


def list_class_members(cls: type, undecorated: bool) -> list[tuple[str, Any]]:
    """Return the class and static methods of *cls* by name, and warnings of its other tools."""
    out: list[tuple[str, Any]] = []
    for name, value in _list_members(cls).items():
        inner = value._function if isinstance(value, Tool) else value
        if isinstance(inner, staticmethod | classmethod):
            out.append((name, _bind_to_class(getattr(cls, name), inner, cls)))
        elif isinstance(value, Tool) or (
            undecorated
            and (isinstance(value, functools.singledispatchmethod) or _is_function(value))
        ):
            warning = HintWarning(
                f"{cls.__name__}.{name}", "", "it is a method and has no instance here",
                "pass an instance to tools_of", "left_out",
            )  # fmt: skip
            out.append((name, warning))
    return [(name, value) for name, value in out if not name.startswith("_")]


def _bind_to_class(value: Any, inner: Any, owner: object) -> Any:
    """Bind *value* to *owner* if it is a tool in a class or static method."""
    held = getattr(inner, "__func__", None)
    # From Python 3.13 on, a class method no longer binds the tool within it.
    unbound = isinstance(held, Tool) and not isinstance(value, Tool)
    return held.bound(owner) if unbound else value  # type: ignore[union-attr]


_METHODS = (staticmethod, classmethod, functools.singledispatchmethod)


def of_instance(target: object) -> list[tuple[str, Any]]:
    """List the tools and public methods of *target*, and functions set on the object."""
    out: dict[str, Any] = {}
    for name, value in _list_members(type(target)).items():
        if name.startswith("_"):
            continue
        inner = value._function if isinstance(value, Tool) else value
        plain = isinstance(inner, _METHODS) or _is_function(inner)
        if isinstance(value, Tool) or plain:
            out[name] = _bind_to_class(getattr(target, name), inner, type(target))
    # Clients that are made of a description set their methods on the object.
    own = getattr(target, "__dict__", None)
    kept = own.items() if type(own) is dict else ()
    return list((out | {k: v for k, v in kept if _is_own_function(k, v)}).items())


def _is_own_function(name: object, value: object) -> bool:
    """Whether *value*, an attribute that an object has itself, is a public function or a tool."""
    if type(name) is not str or name.startswith("_"):
        return False
    kinds = (Tool, functools.partial, types.MethodType)
    return isinstance(value, kinds) or _is_function(value)
