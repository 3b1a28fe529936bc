"""The modules and objects that a command names, the tools in them, and their plain listing."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

from typesig.cli.inputs.output import BAD, is_piped, print_errors, print_text, print_wrapped, stop
from typesig.errors import TypesigError, format_value
from typesig.limits import MAX_NEAR, MAX_NEAR_NAME
from typesig.tools.collection import REMEDY, Undecorated, collect_tools
from typesig.tools.toolset import Toolset

# --- Find the module, or the object in a module, that a command names ---


def load_module(name: str) -> ModuleType:
    """Return the module called *name*, or the module in that file; stop with a message if none."""
    if name.endswith(".py") or os.sep in name:
        return _load_file(name)
    import_from_current_folder()
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(error.name + ".")):
            near = _suggest_module(error.name, name) or "name one that can be imported from here"
            stop(f"there is no module {name}; {near}")
        stop(f"{name} needs the module {error.name}, which is not installed")
    except (TypesigError, SyntaxError) as error:
        stop(f"{name} cannot be imported: {error}")
    except (Exception, SystemExit) as error:
        stop(f"{name} cannot be imported: {type(error).__name__}: {error}")


def import_from_current_folder() -> None:
    """Add the current folder to the import path, as `python -m` does."""
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())


def _suggest_module(missing: str, name: str) -> str:
    """Write a hint naming the module closest to *missing*, a part of *name*, or an empty string."""
    from pkgutil import iter_modules

    parent, _, last = missing.rpartition(".")
    places = getattr(sys.modules.get(parent), "__path__", []) if parent else [os.getcwd()]
    prefix = f"{parent}." if parent else ""
    rest = name.removeprefix(missing)
    names = [each.name for each in iter_modules(places) if each.name[:1] != "_"]
    return _suggest_closest(last, {each: prefix + each + rest for each in names})


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
            is_tool = isinstance(found, Toolset) and part in found
            inner = found[part] if is_tool else getattr(found, part, None)
        except Exception as error:
            # A lazy module, or a property of a class.
            stop(f"{part} in {place} cannot be read: {type(error).__name__}: {error}")
        if inner is None:
            near = _suggest(part, found)
            stop(f"there is no {part} in {place}{near and '; '}{near}")
        found = inner
    return found


def find_toolset(target: object, name: str) -> str | None:
    """Target of a toolset in the module or class *target*, called *name*; None if unclear."""
    for each, value in getattr(target, "__dict__", {}).items():
        if isinstance(value, Toolset):
            return f"{name}.{each}" if ":" in name else f"{name}:{each}"
    return None


#: How many names a hint has.
_MOST_NAMED = 10


def _suggest(part: str, owner: object) -> str:
    """Write a hint naming members of *owner* that *part* may mean, or an empty string.

    These are the closest of its own tools, functions and classes; those with *part* as a word of
    their name; the closest of all its members; or else its tools.
    """
    if isinstance(owner, Toolset):
        own, every, tools = [*owner.names], [], [*owner.names]
    else:
        every = [name for name in dir(owner) if name[:1] != "_"]
        own = [name for name in every if _is_own(owner, name)]
        tools = [name for name in own if hasattr(vars(owner).get(name), "signature")]
    hint = _suggest_closest(part, own)
    words = [name for name in own if part in name.split("_") or name.startswith(part)]
    if not hint and words:
        hint = f"did you mean {join_names(words[:_MOST_NAMED])}?"
    hint = hint or _suggest_closest(part, every)
    if not hint and tools:
        more = "" if len(tools) <= _MOST_NAMED else ", …"
        hint = f"its tools are {', '.join(tools[:_MOST_NAMED])}{more}"
    return hint


def join_names(names: Sequence[str]) -> str:
    """Join *names* by commas, and the last one by "or".

    >>> join_names(["a"]), join_names(["a", "b", "c"])
    ('a', 'a, b or c')
    """
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last


def _is_own(owner: object, name: str) -> bool:
    """Whether *owner* defines its member *name*, which is not imported from elsewhere."""
    found = getattr(owner, "__dict__", {}).get(name)
    home = getattr(owner, "__name__", None)
    return home is not None and getattr(found, "__module__", None) == home


def _suggest_closest(part: str, names: Collection[str]) -> str:
    """Write a hint naming the entry of *names* closest to *part*, or an empty string.

    A dict gives the text for each name.
    """
    # Loaded for a mistake only.
    from typesig.validation.issues.suggestions import suggest_closest

    if len(part) > MAX_NEAR_NAME or len(names) > MAX_NEAR:
        return ""
    return suggest_closest(part, names if isinstance(names, dict) else {n: n for n in names})


# --- Which functions of a target are tools, and what objects of classes are in their results ---

#: The words for which functions are tools, in the arguments of a process.
_WORDS: dict[str, Undecorated] = {"tools": False, "all": True, "inferred": "inferred"}


class Functions(NamedTuple):
    """Options for selecting functions as tools and for result classes.

    #: undecorated: whether public functions are tools, and whether those without hints are
    #: results: `Class=attribute`, as a command is given them
    """

    undecorated: Undecorated = False
    results: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is asked for."""
        return bool(self.undecorated or self.results)

    def find_tools(self, target: Any) -> Toolset:
        """Return the tools of *target*, or a toolset without tools if there are none."""
        if not self.results:
            return collect_tools(target, self.undecorated)
        results = dict(_read_result_option(each, target) for each in self.results)
        return collect_tools(target, self.undecorated, results=results)

    def as_words(self) -> list[str]:
        """Write the options as arguments for another process; see `from_words`."""
        first = next(word for word, value in _WORDS.items() if value is self.undecorated)
        return [first, *self.results]

    @classmethod
    def from_words(cls, words: list[str]) -> Functions:
        """Restore the options from the arguments that `as_words` returned."""
        return cls(_WORDS[words[0]], tuple(words[1:]))


def _read_result_option(text: str, target: Any) -> tuple[type, str]:
    """Read `Class=attribute` of `--results`; a bare class is in the module of *target*."""
    name, _, attribute = text.partition("=")
    if not name or not attribute.isidentifier():
        raise TypesigError(f"--results takes Class=attribute, not {format_value(text)}")
    found = load_object(name) if ":" in name else _find_class(name, target)
    if not isinstance(found, type):
        raise TypesigError(f"--results takes a class, and {name} is none")
    return found, attribute


def _find_class(name: str, target: Any) -> Any:
    """Return the object called *name* in the module of *target*."""
    first = target[0] if isinstance(target, list) else target
    module = first
    if not isinstance(first, ModuleType):
        module = sys.modules.get(getattr(first, "__module__", None) or "")
    found = module
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is None:
        home = getattr(module, "__name__", "its module")
        raise TypesigError(
            f"there is no class {format_value(name)} in {home}; write module:Class=attribute"
        )
    return found


# --- The listing of a module's tools, which `typesig list MODULE` prints; it needs no click ---

_TOOLS = Functions()


def print_tools(module: str, functions: Functions = _TOOLS, verbose: bool = False) -> None:
    """Print the tools of *module* as a model reads them."""
    tools = load_listed_tools(module, functions)
    print_listing(tools.prompt())
    tell_all(tools, module, verbose)


def print_listing(text: str) -> None:
    """Print the *text* of a listing: on a terminal, wrapped, and with the signatures in bold."""
    if is_piped():
        print_text(text)
        return
    for line in text.split("\n"):
        if line.startswith("  "):
            print_wrapped(line[2:], "  ")
        else:
            print_wrapped(line, "", "dim" if line.startswith("##") else "bold")


def load_listed_tools(module: str, functions: Functions) -> Toolset:
    """Return the tools of *module*, or its public functions if it decorates none."""
    target = load_object(module) if ":" in module else load_module(module)
    tools = functions.find_tools(target)
    if len(tools) or functions.undecorated:
        return tools
    if (named := find_toolset(target, module)) is not None:
        stop(f"{module} decorates no tools, but has a toolset; write {named}")
    print_errors(f"{module} decorates no tools; these are its public functions: {REMEDY}")
    return functions._replace(undecorated=True).find_tools(target)


def explain_empty(module: str) -> str:
    """Return the message that there is nothing to list in *module*."""
    return f"{module} has no public functions with hints"


def tell_of(tools: Toolset, module: str | None) -> None:
    """Print the omissions of *tools*, of *module* or of a server; stop if *tools* is empty."""
    for warning in tools.omissions:
        print_errors(str(warning))
    if not len(tools):
        lacking = "the server has no tools that can be called"
        stop(lacking if module is None else explain_empty(module), BAD)


def count_warnings(tools: Toolset, verbose: bool) -> None:
    """Print the number of hint warnings of *tools*, or all of them if *verbose*."""
    found = tools._definition_warnings()
    if verbose:
        print_errors(map(str, found))
    elif found:
        several = "" if len(found) == 1 else "s"
        print_errors(f"{len(found)} warning{several} about hints; typesig list -v shows each")


def tell_all(tools: Toolset, module: str | None, verbose: bool) -> None:
    """Print warnings about hints and omitted tools; stop if *tools* is empty."""
    count_warnings(tools, verbose)
    tell_of(tools, module)
