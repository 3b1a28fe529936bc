"""Find the module, or the object in a module, that a command names."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from typesig.cli.inputs.output import stop
from typesig.errors import TypesigError
from typesig.limits import MAX_NEAR, MAX_NEAR_NAME


def load_module(name: str) -> ModuleType:
    """Return the module called *name*, or the module in that file; stop with a message if none."""
    if name.endswith(".py") or os.sep in name:
        return _load_file(name)
    import_from_current_folder()
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(error.name + ".")):
            stop(f"there is no module {name}; name one that can be imported from here")
        stop(f"{name} needs the module {error.name}, which is not installed")
    except (TypesigError, SyntaxError) as error:
        stop(f"{name} cannot be imported: {error}")
    except (Exception, SystemExit) as error:
        stop(f"{name} cannot be imported: {type(error).__name__}: {error}")


def import_from_current_folder() -> None:
    """Add the current folder to the import path, as `python -m` does."""
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())


def _load_file(path: str) -> ModuleType:
    """Import the Python file at *path* as a module; stop the command if that fails."""
    from importlib.util import module_from_spec, spec_from_file_location

    if not os.path.isfile(path):
        stop(f"there is no file {path}")
    name = os.path.splitext(os.path.basename(path))[0]
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        stop(f"{path} is not a Python module")
    module = module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        stop(f"{path} cannot be imported: {type(error).__name__}: {error}")
    return module


def load_object(target: str) -> Any:
    """Import the object *target*, written as `module:name` or `module:name.attribute`.

    A tool of a toolset is named as an attribute is.
    """
    place, colon, name = target.partition(":")
    if not colon or not name:
        stop(f"name a callable as module:name, not {target!r}")
    found: Any = load_module(place)
    for part in name.split("."):
        try:
            inner = _find_tool(found, part) or getattr(found, part, None)
        except Exception as error:
            # A lazy module, or a property of a class.
            stop(f"{part} in {place} cannot be read: {type(error).__name__}: {error}")
        if inner is None:
            stop(f"there is no {part} in {place}{_suggest(part, found)}")
        found = inner
    return found


def find_toolset(target: object, name: str) -> str | None:
    """Target of a toolset in the module or class *target*, called *name*; None if unclear."""
    from typesig.tools.toolset import Toolset

    for each, value in getattr(target, "__dict__", {}).items():
        if isinstance(value, Toolset):
            return f"{name}.{each}" if ":" in name else f"{name}:{each}"
    return None


def _find_tool(found: object, name: str) -> object:
    """Return the tool called *name* if *found* is a toolset that has it, otherwise None."""
    from typesig.tools.toolset import Toolset

    return found[name] if isinstance(found, Toolset) and name in found else None


def _suggest(part: str, owner: object) -> str:
    """Write a hint naming the member of *owner* closest to *part*, or an empty string."""
    from difflib import get_close_matches

    from typesig.tools.toolset import Toolset

    known = owner.names if isinstance(owner, Toolset) else dir(owner)
    names = [name for name in known if not name.startswith("_")]
    is_near = len(part) <= MAX_NEAR_NAME and len(names) <= MAX_NEAR
    near = get_close_matches(part, names, 1) if is_near else []
    return f"; did you mean {near[0]}?" if near else ""
