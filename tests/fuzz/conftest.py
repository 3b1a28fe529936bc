"""Loading a module is no step of reading: all modules are loaded before steps are counted."""

from __future__ import annotations

import contextlib
import importlib
import pkgutil

import pytest

import typesig


@pytest.fixture(autouse=True, scope="session")
def loaded() -> None:
    for found in pkgutil.walk_packages(typesig.__path__, "typesig."):
        if not found.name.endswith("__main__"):
            # Some modules need an optional dependency.
            with contextlib.suppress(ImportError):
                importlib.import_module(found.name)
