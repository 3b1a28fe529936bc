"""Lazy packages: public names and optional dependencies are imported on first use."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from typesig.errors import TypesigError


def make_lazy_package(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Build `__getattr__` and `__dir__` of *package* from the *homes* of its public names.

    A home is the module that defines the name; a name that is a module has the home "".
    """

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module

        home = homes[name]
        found = getattr(import_module(home), name) if home else import_module(f"{package}.{name}")
        setattr(sys.modules[package], name, found)
        return found

    return load, lambda: sorted(homes)


def import_extra(module: str, extra: str, needing: str = "the bridge") -> Any:
    """Import *module* of an extra; raise `TypesigError` with the install command if missing.

    *needing* is what needs it.
    """
    from importlib import import_module

    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != module.partition(".")[0]:
            raise
        raise TypesigError(
            f"{needing} needs {error.name}, of its extra: pip install 'typesig[{extra}]'"
        ) from None
