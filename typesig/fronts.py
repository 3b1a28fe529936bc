"""Fronts: packages that load each of their public names when it is first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any


def front(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and the `__dir__` of *package*, whose names have these *homes*.

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
