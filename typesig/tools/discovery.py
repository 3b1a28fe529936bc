"""Where tools are: the functions and tools of a module, of a class, and of an instance."""

from __future__ import annotations

import functools
import types
from typing import Any

from typesig.extraction.callables.warnings import HintWarning, said_by
from typesig.tools.tool import Tool


def has_tools(target: object) -> bool:
    """Tell whether the class of *target*, which is no plain function, has tools."""
    return not isinstance(
        target, types.FunctionType | types.MethodType | types.BuiltinFunctionType
    ) and any(
        isinstance(value, Tool) for cls in type(target).__mro__ for value in vars(cls).values()
    )


def of_module(module: types.ModuleType) -> list[tuple[str, Any]]:
    """Return the tools and public functions that *module* defines or exports, in its order.

    A name that the module makes when it is asked for it, and that raises, is a warning.
    """
    # Not getattr: a lazy module would be asked to make `__all__`.
    exported = vars(module).get("__all__")
    out: list[tuple[str, Any]] = []
    found = dict(vars(module))
    for name in exported or ():
        if name not in found:
            found[name] = _asked(module, name)
    for name, value in found.items():
        shown = name in exported if exported is not None else not name.startswith("_")
        try:
            taken = _is_taken(module, value, shown, exported is not None)
        except Exception as error:
            # A value can be lazy too, and raise where it is asked for an attribute.
            value, taken = _unreadable(module, name, error), shown
        if taken:
            out.append((name, value))
    return _once(out)


def _asked(module: types.ModuleType, name: str) -> Any:
    """Return what *module* makes for *name*, or the warning that it cannot."""
    try:
        return getattr(module, name)
    except Exception as error:
        return _unreadable(module, name, error)


def _unreadable(module: types.ModuleType, name: str, error: Exception) -> HintWarning:
    reason = f"reading it raises {said_by(error)}, so it is left out"
    remedy = "install or import what it needs, or pass the functions"
    return HintWarning(f"{module.__name__}.{name}", "", reason, remedy, "left_out")


def _is_taken(module: types.ModuleType, value: Any, shown: bool, explicit: bool) -> bool:
    """Return whether *value* of *module* is listed; *explicit* is whether there are exports."""
    if isinstance(value, HintWarning):
        return shown
    inside = f"{module.__name__}." if "__path__" in vars(module) else "\0"
    home = getattr(value, "__module__", None) or ""
    # A package can export what its own modules define.
    mine = home == module.__name__ or home.startswith(inside)
    if isinstance(value, Tool):
        return mine or (explicit and shown)
    return shown and (mine or explicit) and _is_function(value)


def _once(found: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Return *found* with each object only under its first name."""
    first: dict[int, tuple[str, Any]] = {}
    for name, value in found:
        first.setdefault(id(value), (name, value))
    return list(first.values())


def _is_function(value: object) -> bool:
    return isinstance(value, types.FunctionType | types.BuiltinFunctionType) or (
        callable(getattr(value, "__wrapped__", None)) and callable(value)
    )


def _members(cls: type) -> dict[str, Any]:
    """Return the members of *cls* and its ancestors, ancestors first, each in their order."""
    out: dict[str, Any] = {}
    for owner in reversed(cls.__mro__[:-1]):
        out.update(vars(owner))
    return out


def of_class(cls: type, undecorated: bool) -> list[tuple[str, Any]]:
    """Return the class and static methods of *cls* by name, and warnings of its other tools."""
    out: list[tuple[str, Any]] = []
    for name, value in _members(cls).items():
        inner = value._function if isinstance(value, Tool) else value
        if isinstance(inner, staticmethod | classmethod):
            out.append((name, _bound(getattr(cls, name), inner, cls)))
        elif isinstance(value, Tool) or (undecorated and _is_method(value)):
            warning = HintWarning(
                f"{cls.__name__}.{name}", "", "it is a method and has no instance here",
                "pass an instance to tools_of", "left_out",
            )  # fmt: skip
            out.append((name, warning))
    return [(name, value) for name, value in out if not name.startswith("_")]


def _is_method(value: object) -> bool:
    return isinstance(value, functools.singledispatchmethod) or _is_function(value)


def _bound(value: Any, inner: Any, owner: object) -> Any:
    """Return *value*, bound to its class if it is a tool below @classmethod or @staticmethod."""
    held = getattr(inner, "__func__", None)
    # From Python 3.13 on, a class method no longer binds the tool within it.
    unbound = isinstance(held, Tool) and not isinstance(value, Tool)
    return held.bound(owner) if unbound else value  # type: ignore[union-attr]


_METHODS = (staticmethod, classmethod, functools.singledispatchmethod)


def of_instance(target: object) -> list[tuple[str, Any]]:
    """Return the tools and public methods of *target*, bound to it, by name."""
    out = []
    for name, value in _members(type(target)).items():
        if name.startswith("_"):
            continue
        inner = value._function if isinstance(value, Tool) else value
        plain = isinstance(inner, _METHODS) or _is_function(inner)
        if isinstance(value, Tool) or plain:
            out.append((name, _bound(getattr(target, name), inner, type(target))))
    return out
