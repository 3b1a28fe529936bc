"""Names that a module imports or defines only for type checkers, under `if TYPE_CHECKING:`.

The block is read from the module's source and never run.  Imported names are taken from modules
that are already loaded, of the same package, or of the standard library: such a block often exists
because the import would be circular.
"""

from __future__ import annotations

import sys
import threading
import types
import typing
from collections.abc import Callable
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from typesig.extraction.callables.generics import Alias
from typesig.limits import MAX_CHECKED_MODULES, MAX_CHECKED_SOURCE, MAX_HINT_DEPTH

if TYPE_CHECKING:
    import ast


# --- Python text as a syntax tree ---

# A finalizer that runs while a text is parsed may parse another one.
_LOCK = threading.RLock()

#: How often a text is parsed until other threads do not disturb it.
_TRIES = 20


def parse_syntax(text: str | bytes, mode: str = "exec") -> Any:
    """Parse *text* with `ast.parse`, in a lock; syntax errors are raised.

    Before Python 3.13 all threads count the depth of their trees in one place.  If another thread
    goes on meanwhile, as it may when garbage is collected, `ast.parse` raises `SystemError`.
    """
    import ast

    with _LOCK:
        for _ in range(_TRIES):
            try:
                return ast.parse(text, mode=mode)
            except SystemError:
                # Code that is not ours may parse at the same time.
                continue
        return ast.parse(text, mode=mode)


class BlockAssignment(NamedTuple):
    """A name assigned in a TYPE_CHECKING block, such as a type alias, and its value.

    #: text: the expression; params: the names of its type parameters
    #: home: the module of the block; name: its name there
    """

    text: str
    params: tuple[str, ...] = ()
    home: Any = None
    name: str = ""


class _BlockImport(NamedTuple):
    """An import in a TYPE_CHECKING block; name: empty if it imports the module itself."""

    module: str
    name: str


def find_checking_name(module: Any, name: str, missing: object, modules: int = 1) -> Any:
    """Look up *name* in the TYPE_CHECKING blocks of *module*, else return *missing*.

    That is the imported object, or `BlockAssignment` for the caller to resolve.  *modules* counts
    the modules that the name was imported through.
    """
    found = _read_blocks(getattr(module, "__file__", None) or "").get(name)
    if found is None:
        return missing
    if isinstance(found, BlockAssignment):
        return found._replace(home=module, name=name)
    source = (
        _resolve_module_name(module, found.module) if found.module.startswith(".") else found.module
    )
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
        return find_checking_name(home, found.name, missing, modules + 1)
    return inner


def _load_module(name: str, module: Any) -> Any:
    """Return the module *name* if it is loaded or may be imported, or None."""
    if name not in sys.modules and _may_be_imported(name, module):
        from importlib import import_module

        try:
            return import_module(name)
        except Exception:
            return None
    return sys.modules.get(name)


def _may_be_imported(name: str, module: Any) -> bool:
    """Whether *name* is in the standard library, or in the loaded package of *module*."""
    top = name.partition(".")[0]
    if top in sys.stdlib_module_names:
        return True
    whole = sys.modules.get(top)
    is_within = top == module.__name__.partition(".")[0] and hasattr(whole, "__path__")
    specs = [getattr(each, "__spec__", None) for each in (whole, module)]
    # What is being imported would be imported in a circle.
    return is_within and not any(getattr(spec, "_initializing", False) for spec in specs)


def _resolve_module_name(module: Any, source: str) -> str:
    """Return the full name of the module that *source* names relative to *module*."""
    dots = len(source) - len(source.lstrip("."))
    package = module.__name__.split(".")
    if not hasattr(module, "__path__"):
        package = package[:-1]
    kept = package[: len(package) - (dots - 1)] if dots > 1 else package
    return ".".join([*kept, *filter(None, [source.lstrip(".")])])


@lru_cache(maxsize=256)
def _read_blocks(path: str) -> dict[str, _BlockImport | BlockAssignment]:
    """Return the names that the TYPE_CHECKING blocks of the file *path* bind."""
    import ast

    if not path.endswith(".py"):
        return {}
    try:
        with open(path, "rb") as stream:
            text = stream.read(MAX_CHECKED_SOURCE)
        if b"TYPE_CHECKING" not in text:
            return {}
        tree = parse_syntax(text)
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    names: dict[str, _BlockImport | BlockAssignment] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and (
            getattr(node.test, "id", None) == "TYPE_CHECKING"
            or (getattr(node.test, "attr", None) == "TYPE_CHECKING")
        ):
            for statement in node.body:
                names.update(_list_names(statement))
    return names


def _list_names(node: ast.stmt) -> dict[str, _BlockImport | BlockAssignment]:
    """Map the names that the statement *node* imports or assigns to their sources."""
    import ast

    out: dict[str, _BlockImport | BlockAssignment] = {}
    if isinstance(node, ast.Import):
        for alias in node.names:
            bound = alias.asname or alias.name.partition(".")[0]
            out[bound] = _BlockImport(alias.name if alias.asname else bound, "")
    elif isinstance(node, ast.ImportFrom):
        source = "." * node.level + (node.module or "")
        for alias in node.names:
            out[alias.asname or alias.name] = _BlockImport(source, alias.name)
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name):
                out[target.id] = BlockAssignment(ast.unparse(node.value))
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
        out[node.target.id] = BlockAssignment(ast.unparse(node.value))
    elif type(node).__name__ == "TypeAlias":  # pragma: no cover - the syntax of Python 3.12
        # `type X[T] = …`, from Python 3.12 on.
        written: Any = node
        params = tuple([param.name for param in written.type_params])
        out[written.name.id] = BlockAssignment(ast.unparse(written.value), params)
    elif isinstance(node, ast.If):
        # `if sys.version_info >= (3, 11): from typing import Self, else: …`: the first branch wins.
        for inner in (*node.orelse, *node.body):
            out.update(_list_names(inner))
    return out


# --- Resolve the TYPE_CHECKING names in the hints of one callable, each once ---

#: The modules of the classes of generic hints.
_HOMES = frozenset({"collections.abc", "types", "typing", "typing_extensions"})
_Key = tuple[int, str]


class TypeCheckingNames:
    """A cache of names resolved from TYPE_CHECKING blocks, and of the sizes of hints.

    A name whose value refers to it stands for an `Alias`, so that its value has an end.

    #: resolve: resolves text in a module, with the type parameters of the name
    """

    __slots__ = ("_found", "_pending", "_resolve", "_sizes", "_used", "_values")

    def __init__(self, resolve: Callable[[BlockAssignment, dict[str, Any]], Any]) -> None:
        self._resolve = resolve
        self._found: dict[_Key, Any] = {}
        self._values: dict[_Key, Any] = {}
        self._pending: set[_Key] = set()
        # The names that an `Alias` stands for.
        self._used: set[_Key] = set()
        self._sizes: dict[int, tuple[Any, int]] = {}

    def resolve_name(self, assigned: BlockAssignment) -> Any:
        """Resolve the name *assigned* in a TYPE_CHECKING block to a hint or alias."""
        key = id(assigned.home), assigned.name
        if key in self._found:
            return self._found[key]
        # The recursion of deeper ones would be too deep: they are resolved where they are read.
        if key in self._pending or len(self._pending) >= MAX_HINT_DEPTH:
            self._used.add(key)
            return self._make_alias(assigned)
        self._pending.add(key)
        try:
            params = {
                name: typing.TypeVar(name)  # pyright: ignore[reportGeneralTypeIssues]
                for name in assigned.params
            }
            value = self._resolve(assigned, params)
        finally:
            self._pending.discard(key)
        if value == self._make_alias(assigned):
            # `X = X`, or `X = other.X` and there `X = here.X`.
            raise NameError(f"the name {assigned.name} is defined only by itself")
        self._values[key] = value
        if key in self._used or params:
            value = self._make_alias(assigned, tuple(params.values()))
        self._found[key] = value
        return value

    def _make_alias(self, assigned: BlockAssignment, params: tuple[Any, ...] = ()) -> Alias:
        """Make an alias, evaluated on first use, of the hint *assigned* to a name."""
        return Alias(assigned.name, assigned.home, partial(self._get_value, assigned), params)

    def _get_value(self, assigned: BlockAssignment) -> Any:
        """Resolve the name *assigned* in a TYPE_CHECKING block past its alias."""
        found = self.resolve_name(assigned)
        return self._values.get((id(assigned.home), assigned.name), found)

    def count_parts(self, hint: Any) -> int:
        """Count the nested type arguments of *hint*, repeated arguments each time."""
        known, pending = self._sizes, [hint]
        while pending:
            part = pending[-1]
            inner = _get_parts(part)
            missing = [each for each in inner if id(each) not in known]
            if missing:
                pending.extend(missing)
            else:
                size = 1 + sum([known[id(each)][1] for each in inner])
                known[id(part)] = part, size
                pending.pop()
        return known[id(hint)][1]


def _get_parts(hint: Any) -> tuple[Any, ...]:
    """Return the type arguments of *hint*, or an empty tuple if it is not generic."""
    kind = type(hint)
    if kind is types.GenericAlias or kind.__module__ in _HOMES:
        found = getattr(hint, "__args__", ())
        return found if type(found) is tuple else ()
    return ()
