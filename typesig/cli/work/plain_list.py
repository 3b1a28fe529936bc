"""The listing of a module's tools, which `typesig list MODULE` prints; it needs no click."""

from __future__ import annotations

from typesig.cli.inputs.functions import Functions
from typesig.cli.inputs.output import BAD, complain, say, stop
from typesig.cli.inputs.targets import module_of, object_of, toolset_in
from typesig.tools.collecting import REMEDY
from typesig.tools.toolset import Toolset

_TOOLS = Functions()


def print_tools(module: str, functions: Functions = _TOOLS, verbose: bool = False) -> None:
    """Print the tools of *module* as a model reads them."""
    tools = tools_in(module, functions)
    say(tools.prompt())
    tell_all(tools, lacking_in(module), verbose)


def tools_in(module: str, functions: Functions) -> Toolset:
    """Return the tools of *module*, or its public functions if it decorates none."""
    target = object_of(module) if ":" in module else module_of(module)
    tools = functions.find_tools(target)
    if len(tools) or functions.undecorated:
        return tools
    if (named := toolset_in(target, module)) is not None:
        stop(f"{module} decorates no tools, but has a toolset; write {named}")
    complain(f"{module} decorates no tools; these are its public functions: {REMEDY}")
    return functions._replace(undecorated=True).find_tools(target)


def lacking_in(module: str) -> str:
    """Return the message that there is nothing to list in *module*."""
    return f"{module} has no public functions with hints"


def tell_of(tools: Toolset, lacking: str) -> None:
    """Print what was left out of *tools*; stop with the message *lacking* if there are none."""
    for warning in tools.omissions:
        complain(str(warning))
    if not len(tools):
        stop(lacking, BAD)


def count_warnings(tools: Toolset, verbose: bool) -> None:
    """Print how many warnings there are about the hints of *tools*, or with *verbose* each."""
    found = tools._definition_warnings()
    if verbose:
        complain(map(str, found))
    elif found:
        several = "" if len(found) == 1 else "s"
        complain(f"{len(found)} warning{several} about hints; typesig list -v shows each")


def tell_all(tools: Toolset, lacking: str, verbose: bool) -> None:
    """Print the warnings about hints, and then those of `tell_of`."""
    count_warnings(tools, verbose)
    tell_of(tools, lacking)
