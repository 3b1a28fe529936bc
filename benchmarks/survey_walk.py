"""The public callables of packages and of the standard library. Part of packages.py."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import pkgutil
import sys
import types
from collections import Counter
from collections.abc import Iterator
from typing import Any

#: The name of the standard library on the command line.
STDLIB = "stdlib"

#: Modules of the standard library that are skipped, and the reasons.
PASSED_OVER = {
    "antigravity": "opens a browser when it is imported",
    "idlelib": "the editor: its modules open windows and are not an interface",
    "test": "the tests of Python",
    "this": "prints when it is imported",
    "turtledemo": "demonstrations that open windows",
    "lib2to3.tests": "the tests of a package",
    "tkinter.test": "the tests of a package",
    "distutils.tests": "the tests of a package",
    "unittest.test": "the tests of a package",
    "ctypes.test": "the tests of a package",
    "sqlite3.test": "the tests of a package",
    "sqlite3.dump": "is a program",
    "encodings.mbcs": "exists only on Windows",
    "encodings.oem": "exists only on Windows",
}


def modules_of(name: str, failed: Counter[str]) -> Iterator[types.ModuleType]:
    """Yield the public modules of a package or of the standard library."""
    if name != STDLIB:
        yield from walked(name, failed)
        return
    for each in sorted(sys.stdlib_module_names):
        if not each.startswith("_"):
            yield from walked(each, failed)


def walked(name: str, failed: Counter[str]) -> Iterator[types.ModuleType]:
    """Yield the public modules of the package *name*; count the reasons why others fail."""
    if name in PASSED_OVER:
        failed[f"skipped: {name} {PASSED_OVER[name]}"] += 1
        return
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            module = importlib.import_module(name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        failed[f"{type(error).__name__}: {error}".partition("\n")[0][:100]] += 1
        return
    yield module
    for found in pkgutil.iter_modules(getattr(module, "__path__", ())):
        if not _passed_over(found.name):
            yield from walked(f"{name}.{found.name}", failed)


def _passed_over(name: str) -> bool:
    return name.startswith(("_", "test_")) or name in ("tests", "test", "conftest")


def callables_of(module: types.ModuleType, top: str) -> Iterator[tuple[str, Any]]:
    """Yield the public callables of *module* and their dotted names, methods after a class."""
    exported = getattr(module, "__all__", None)
    # Lazy attributes of a module are only in dir().
    names = dir(module) if exported is None else [n for n in exported if type(n) is str]
    for name in names:
        try:
            value = getattr(module, name, None)
            fits = callable(value) and _defined(value, name, module, top, exported is not None)
        except Exception:
            # The name needs an optional dependency that is not installed.
            continue
        if not fits or (not isinstance(value, type) and typing_form(value)):
            continue
        place = f"{module.__name__}.{name}"
        yield place, value
        if isinstance(value, type):
            yield from _members(place, value, 3)


def _defined(value: Any, name: str, module: types.ModuleType, top: str, exported: bool) -> bool:
    """Tell whether *value* belongs to the package, and is public in *module*."""
    home = getattr(value, "__module__", None)
    if not isinstance(home, str):
        # A builtin method of an object, such as random.random.
        return (exported or not name.startswith("_")) and inspect.isbuiltin(value)
    if top == STDLIB:
        own = home.partition(".")[0] in sys.stdlib_module_names
        near = home == module.__name__ or home.startswith("_") or home in ("posix", "nt")
    else:
        own = home == top or home.startswith(f"{top}.")
        # A name from a private module of the package is public here.
        near = home == module.__name__ or (home.startswith(f"{top}.") and "._" in home)
    return own and (exported or (near and not name.startswith("_")))


def _members(place: str, cls: type, depth: int) -> Iterator[tuple[str, Any]]:
    """Yield the public callables that *cls* and its nested classes define."""
    for inner, member in list(vars(cls).items()):
        if inner.startswith("_"):
            continue
        at = f"{place}.{inner}"
        if isinstance(member, staticmethod | classmethod):
            try:
                yield at, getattr(cls, inner)
            except Exception:
                # A descriptor that needs an instance.
                continue
        elif isinstance(member, type):
            if depth and member.__qualname__ == f"{cls.__qualname__}.{inner}":
                yield at, member
                yield from _members(at, member, depth - 1)
        elif callable(member) and not typing_form(member):
            yield at, member


def typing_form(value: Any) -> bool:
    """Tell whether *value* is a form of typing that is never called, such as an alias."""
    return type(value).__module__ in ("typing", "typing_extensions", "types") and not isinstance(
        value, types.FunctionType | types.BuiltinFunctionType | types.MethodType
    )
