"""Names that a module imports or defines only for type checkers, under `if TYPE_CHECKING:`.

The block is read from the module's source and never run.  Imported names are taken from modules
that are already loaded, of the same package, or of the standard library: such a block often exists
because the import would be circular.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from typesig.extraction.callables.syntax import syntax_tree
from typesig.limits import MAX_CHECKED_MODULES, MAX_CHECKED_SOURCE

if TYPE_CHECKING:
    import ast


class Assigned(NamedTuple):
    """A name that the block assigns, such as a type alias.

    #: text: the expression; params: the names of its type parameters
    #: home: the module of the block; name: its name there
    """

    text: str
    params: tuple[str, ...] = ()
    home: Any = None
    name: str = ""


class _Imported(NamedTuple):
    """A name that the block imports; name: empty if it is the module itself."""

    module: str
    name: str


def checking_name(module: Any, name: str, missing: object, modules: int = 1) -> Any:
    """Return what *name* is in the TYPE_CHECKING blocks of *module*, or *missing*.

    That is the imported object, or `Assigned` for the caller to resolve.  *modules* counts the
    modules that the name was imported through.
    """
    found = _names_of_blocks(getattr(module, "__file__", None) or "").get(name)
    if found is None:
        return missing
    if isinstance(found, Assigned):
        return found._replace(home=module, name=name)
    source = _absolute(module, found.module) if found.module.startswith(".") else found.module
    home = _load_module(source, module)
    if home is None:
        return missing
    if not found.name:
        return home
    inner = getattr(home, found.name, missing)
    if inner is missing:
        inner = _load_module(f"{source}.{found.name}", module) or missing
    if inner is missing and modules < MAX_CHECKED_MODULES:
        # The other module can have the name for type checkers only, too.
        return checking_name(home, found.name, missing, modules + 1)
    return inner


def _load_module(name: str, module: Any) -> Any:
    """Return the module *name* if it is loaded or may be imported for *module*, or None."""
    if name not in sys.modules and _may_be_imported(name, module):
        from importlib import import_module

        try:
            return import_module(name)
        except Exception:
            return None
    return sys.modules.get(name)


def _may_be_imported(name: str, module: Any) -> bool:
    """Whether *name* is of the standard library, or of the package of *module*, which is loaded."""
    top = name.partition(".")[0]
    if top in sys.stdlib_module_names:
        return True
    whole = sys.modules.get(top)
    is_within = top == module.__name__.partition(".")[0] and hasattr(whole, "__path__")
    specs = [getattr(each, "__spec__", None) for each in (whole, module)]
    # What is being imported would be imported in a circle.
    return is_within and not any(getattr(spec, "_initializing", False) for spec in specs)


def _absolute(module: Any, source: str) -> str:
    """Return the full name of the module that *source* names relative to *module*."""
    dots = len(source) - len(source.lstrip("."))
    package = module.__name__.split(".")
    if not hasattr(module, "__path__"):
        package = package[:-1]
    kept = package[: len(package) - (dots - 1)] if dots > 1 else package
    return ".".join([*kept, *filter(None, [source.lstrip(".")])])


@lru_cache(maxsize=256)
def _names_of_blocks(path: str) -> dict[str, _Imported | Assigned]:
    """Return the names that the TYPE_CHECKING blocks of the file *path* bind."""
    import ast

    if not path.endswith(".py"):
        return {}
    try:
        with open(path, "rb") as stream:
            text = stream.read(MAX_CHECKED_SOURCE)
        if b"TYPE_CHECKING" not in text:
            return {}
        tree = syntax_tree(text)
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    names: dict[str, _Imported | Assigned] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and _is_checking(node.test):
            for statement in node.body:
                names.update(_names(statement))
    return names


def _is_checking(test: ast.expr) -> bool:
    return getattr(test, "id", None) == "TYPE_CHECKING" or (
        getattr(test, "attr", None) == "TYPE_CHECKING"
    )


def _names(node: ast.stmt) -> dict[str, _Imported | Assigned]:
    """Return the names that a statement of a block binds."""
    import ast

    out: dict[str, _Imported | Assigned] = {}
    if isinstance(node, ast.Import):
        for alias in node.names:
            bound = alias.asname or alias.name.partition(".")[0]
            out[bound] = _Imported(alias.name if alias.asname else bound, "")
    elif isinstance(node, ast.ImportFrom):
        source = "." * node.level + (node.module or "")
        for alias in node.names:
            out[alias.asname or alias.name] = _Imported(source, alias.name)
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name):
                out[target.id] = Assigned(ast.unparse(node.value))
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
        out[node.target.id] = Assigned(ast.unparse(node.value))
    elif type(node).__name__ == "TypeAlias":  # pragma: no cover - the syntax of Python 3.12
        # `type X[T] = …`, from Python 3.12 on.
        written: Any = node
        params = tuple([param.name for param in written.type_params])
        out[written.name.id] = Assigned(ast.unparse(written.value), params)
    elif isinstance(node, ast.If):
        # `if sys.version_info >= (3, 11): from typing import Self, else: …`: the first branch wins.
        for inner in (*node.orelse, *node.body):
            out.update(_names(inner))
    return out
