"""The scope of the hints of a function or a class: where their names are looked up."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import FunctionType
from typing import Any

from typesig.extraction.callables.generics import get_type_params
from typesig.extraction.callables.hint_resolver import HintScope


def get_scope(function: Any) -> HintScope:
    """Return the scope of the hints of *function*: its closure, its class, its module."""
    if type(function) is FunctionType and _is_outermost(function):
        return HintScope(function.__globals__, module=_find_home(function))
    spaces: list[Mapping[str, Any]] = []
    code = getattr(function, "__code__", None)
    cells = getattr(function, "__closure__", None) or ()
    if code is not None and cells:
        spaces.append(_read_cells(code.co_freevars, cells))
    module = _find_home(function)
    around = _find_outer_classes(function, module)
    spaces.extend(vars(owner) for owner in around)
    spaces.extend({p.__name__: p for p in get_type_params(owner)} for owner in (*around, function))
    outer, inner, _ = getattr(function, "__qualname__", "").rpartition(".<locals>.")
    if inner:
        spaces.extend(_find_running_locals(outer, getattr(function, "__globals__", None)))
    spaces.append(getattr(function, "__globals__", None) or (vars(module) if module else {}))
    return HintScope(*spaces, module=module)


def _is_outermost(function: FunctionType) -> bool:
    """Whether *function* is a module-level function without closure or type parameters."""
    nested = "." in function.__qualname__ or function.__closure__ is not None
    return not nested and bool(function.__globals__) and not get_type_params(function)


def _find_running_locals(qualname: str, space: Any) -> list[Mapping[str, Any]]:
    """Return the local names of the function *qualname* if it is running.

    A local function is decorated while the function around it runs.
    """
    frame: Any = sys._getframe(1)
    while frame is not None:
        if frame.f_globals is space and frame.f_code.co_qualname == qualname:
            return [dict(frame.f_locals)]
        frame = frame.f_back
    return []


def find_owner(function: Any) -> type | None:
    """Return the class in which *function* was defined, or None."""
    if "." not in getattr(function, "__qualname__", ""):
        return None
    return next(iter(_find_outer_classes(function, _find_home(function))), None)


def _find_home(function: Any) -> Any:
    """Return the module that defines *function*, which may differ from its `__module__`.

    A package that exports a function from a private module often sets `__module__` to its own name.
    """
    written = getattr(function, "__globals__", {}).get("__name__")
    found = sys.modules.get(written) if isinstance(written, str) else None
    if found is None:
        named = getattr(function, "__module__", None)
        found = sys.modules.get(named) if isinstance(named, str) else None
    return found


def _read_cells(names: tuple[str, ...], cells: tuple[Any, ...]) -> dict[str, Any]:
    """Map the closure variables *names* to the values in *cells*, omitting unset cells."""
    out = {}
    for name, cell in zip(names, cells, strict=False):
        try:
            out[name] = cell.cell_contents
        except ValueError:
            # The closure variable is not set yet.
            continue
    return out


def _find_outer_classes(function: Any, module: Any) -> list[type]:
    """Return the classes in which *function* was defined, innermost first."""
    owners: list[type] = []
    current: Any = module
    for part in getattr(function, "__qualname__", "").split(".")[:-1]:
        try:
            current = getattr(current, part, None)
        except Exception:
            # A module may load its parts when asked, and raise anything.
            return []
        if not isinstance(current, type):
            break
        owners.insert(0, current)
    return owners


def get_class_scope(cls: type, around: HintScope | None = None) -> HintScope:
    """Return the scope of the hints in the body of *cls*, inside the scope *around*."""
    return _ClassScope(cls, around)


class _ClassScope(HintScope):
    """The scope of the hints in the body of a class, filled on the first look-up."""

    __slots__ = ("cls",)

    def __init__(self, cls: type, around: HintScope | None) -> None:
        self.cls = cls
        self.around = around
        self.known = {}

    def __getattr__(self, name: str) -> Any:
        # Called only for a slot that is not filled yet; `HintScope.__init__` fills the slots.
        cls, module = self.cls, _find_class_home(self.cls)
        params = {p.__name__: p for p in get_type_params(cls)}
        around = [vars(owner) for owner in _find_outer_classes(cls, module)]
        space = vars(module) if module else {}
        outer, inner, _ = cls.__qualname__.rpartition(".<locals>.")
        local = _find_running_locals(outer, space) if inner else []
        spaces = (vars(cls), params, {cls.__name__: cls}, *around, *local, space)
        super().__init__(*spaces, module=module, around=self.around)
        return object.__getattribute__(self, name)


def _find_class_home(cls: type) -> Any:
    """Return the module that defines the body of *cls*, judged by its methods."""
    named: Any = cls.__module__
    top = str(named).partition(".")[0]
    # Some classes change while their members are read.
    for member in tuple(vars(cls).values()):
        function = member.__func__ if isinstance(member, staticmethod | classmethod) else member
        if type(function).__name__ != "function":
            continue
        if function.__qualname__ == f"{cls.__qualname__}.{function.__name__}":
            home = _find_home(function)
            # The methods of a NamedTuple are defined in collections.
            if getattr(home, "__name__", "").partition(".")[0] == top:
                return home
    return sys.modules.get(named) if isinstance(named, str) else None


def get_annotations(owner: Any) -> dict[str, Any]:
    """Return the annotations of a class or function; unresolved names stay references."""
    if sys.version_info >= (3, 14):
        import annotationlib

        return dict(annotationlib.get_annotations(owner, format=annotationlib.Format.FORWARDREF))
    # Like inspect.get_annotations, but runs no code of the class.
    return dict(vars(owner).get("__annotations__", {}))
