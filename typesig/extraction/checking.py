"""Names that a module imports or defines for type checkers alone, under `if TYPE_CHECKING:`.

The block is read from the module's source and never run.  What it imports is taken from modules
that are loaded already, or from the standard library: a block like this often stands there because
importing would go in a circle.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ast


def checking_name(
    module: Any, name: str, resolve_text: Callable[[str], Any], missing: object
) -> Any:
    """Return what *name* means under TYPE_CHECKING in *module*, or *missing*.

    *resolve_text* returns the hint that a text writes in the module, or *missing*.
    """
    found = _block(getattr(module, "__file__", None) or "").get(name)
    if found is None:
        return missing
    source, attribute = found
    if source is None:
        return resolve_text(attribute)
    if source.startswith("."):
        source = _absolute(module, source)
    home = _loaded(source)
    if home is None:
        return missing
    if not attribute:
        return home
    inner = getattr(home, attribute, missing)
    return inner if inner is not missing else _loaded(f"{source}.{attribute}") or missing


def _loaded(name: str) -> Any:
    if name not in sys.modules and name.partition(".")[0] in sys.stdlib_module_names:
        from importlib import import_module

        try:
            return import_module(name)
        except ImportError:
            return None
    return sys.modules.get(name)


def _absolute(module: Any, source: str) -> str:
    dots = len(source) - len(source.lstrip("."))
    package = module.__name__.split(".")
    if not hasattr(module, "__path__"):
        package = package[:-1]
    kept = package[: len(package) - (dots - 1)] if dots > 1 else package
    return ".".join([*kept, *filter(None, [source.lstrip(".")])])


@lru_cache(maxsize=256)
def _block(path: str) -> dict[str, tuple[str | None, str]]:
    """Return the names of the blocks of the file *path*: where each comes from, or its text."""
    import ast

    if not path.endswith(".py"):
        return {}
    try:
        with open(path, "rb") as stream:
            text = stream.read(4_000_000)
        if b"TYPE_CHECKING" not in text:
            return {}
        tree = ast.parse(text)
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    names: dict[str, tuple[str | None, str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and _is_checking(node.test):
            for statement in node.body:
                names.update(_names(statement))
    return names


def _is_checking(test: ast.expr) -> bool:
    return getattr(test, "id", None) == "TYPE_CHECKING" or (
        getattr(test, "attr", None) == "TYPE_CHECKING"
    )


def _names(node: ast.stmt) -> dict[str, tuple[str | None, str]]:
    """Return the names that a statement of a block binds."""
    import ast

    out: dict[str, tuple[str | None, str]] = {}
    if isinstance(node, ast.Import):
        for alias in node.names:
            bound = alias.asname or alias.name.partition(".")[0]
            out[bound] = (alias.name if alias.asname else bound), ""
    elif isinstance(node, ast.ImportFrom):
        source = "." * node.level + (node.module or "")
        for alias in node.names:
            out[alias.asname or alias.name] = source, alias.name
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name):
                out[target.id] = None, ast.unparse(node.value)
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
        out[node.target.id] = None, ast.unparse(node.value)
    elif isinstance(node, ast.If):
        # `if sys.version_info >= (3, 11): from typing import Self, else: …`: either will do.
        for inner in (*node.orelse, *node.body):
            out.update(_names(inner))
    return out
