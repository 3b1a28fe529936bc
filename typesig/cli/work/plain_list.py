"""The listing of a module's tools, which `typesig list MODULE` prints; it needs no click."""

from __future__ import annotations

from typesig.cli.inputs.functions import Functions
from typesig.cli.inputs.output import BAD, print_errors, print_text, stop
from typesig.cli.inputs.targets import find_toolset, load_module, load_object
from typesig.tools.collection import REMEDY
from typesig.tools.toolset import Toolset

_TOOLS = Functions()


def print_tools(module: str, functions: Functions = _TOOLS, verbose: bool = False) -> None:
    """Print the tools of *module* as a model reads them."""
    tools = load_listed_tools(module, functions)
    print_text(tools.prompt())
    tell_all(tools, explain_empty(module), verbose)


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


def tell_of(tools: Toolset, lacking: str) -> None:
    """Print the omissions of *tools*; stop with *lacking* if *tools* is empty."""
    for warning in tools.omissions:
        print_errors(str(warning))
    if not len(tools):
        stop(lacking, BAD)


def count_warnings(tools: Toolset, verbose: bool) -> None:
    """Print the number of hint warnings of *tools*, or all of them if *verbose*."""
    found = tools._definition_warnings()
    if verbose:
        print_errors(map(str, found))
    elif found:
        several = "" if len(found) == 1 else "s"
        print_errors(f"{len(found)} warning{several} about hints; typesig list -v shows each")


def tell_all(tools: Toolset, lacking: str, verbose: bool) -> None:
    """Print warnings about hints and omitted tools; stop if *tools* is empty."""
    count_warnings(tools, verbose)
    tell_of(tools, lacking)
