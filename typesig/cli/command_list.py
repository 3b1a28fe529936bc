"""The command `typesig list`."""

from __future__ import annotations

import click

from typesig.cli.output import BAD, complain, say, stop
from typesig.cli.targets import module_of, object_of
from typesig.errors import TypesigError
from typesig.tools.toolset import Toolset, tools_of

_UNDECORATED = click.option(
    "--all", "undecorated", is_flag=True, help="List public functions as well as tools."
)


@click.command("list")
@click.argument("module")
@_UNDECORATED
@click.option(
    "--to",
    "receiver",
    type=click.Choice(["openai", "anthropic", "gemini", "mcp", "json_schema"]),
    help="Print the definitions for a provider, as JSON, instead.",
)
@click.option("--strict", is_flag=True, help="With --to: for a provider's strict mode.")
@click.option("--api", help="With --to: the form of definitions, such as chat or responses.")
def list_(
    module: str, undecorated: bool, receiver: str | None, strict: bool, api: str | None
) -> None:
    """Print the tools of MODULE as a model reads them.

    MODULE is a dotted name, the path of a file, or module:Class for the class and static methods of
    a class; if it decorates no tools, its public functions are listed.  With --to, what definitions
    do not say is printed on standard error.
    """
    target = object_of(module) if ":" in module else module_of(module)
    tools = tools_of(target, undecorated)
    if not len(tools) and not undecorated:
        complain(f"{module} decorates no tools; these are its public functions")
        tools = tools_of(target, undecorated=True)
    if receiver is None and (strict or api is not None):
        raise TypesigError("--strict and --api need --to")
    if receiver is None:
        say(tools.prompt())
    else:
        _list_for(tools, receiver, strict, api)
    for warning in tools.warnings:
        complain(str(warning))
    if not len(tools):
        stop(f"{module} has no public functions with hints", BAD)


def _list_for(tools: Toolset, receiver: str, strict: bool, api: str | None) -> None:
    """Print the definitions of *tools* for *receiver*, and what they do not say."""
    from typesig.cli.definitions import definitions_of

    options = {"strict": True} if strict else {}
    text, lines = definitions_of(
        tools, receiver, options if api is None else {**options, "api": api}
    )
    say(text)
    if lines:
        complain(lines)
