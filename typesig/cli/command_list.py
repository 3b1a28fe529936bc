"""The command `typesig list`."""

from __future__ import annotations

from typing import Any, get_args

import click

from typesig.cli.command_completion import complete_modules
from typesig.cli.inputs.options import (
    ServerOptions,
    add_functions,
    add_locked_server_options,
    print_foreign,
    read_toolset,
)
from typesig.cli.inputs.output import print_text
from typesig.cli.inputs.targets import (
    Functions,
    explain_empty,
    load_listed_tools,
    print_tools,
    tell_all,
)
from typesig.errors import TypesigError
from typesig.listings.tiers import TIERS, Sharing, Style
from typesig.providers.rows.provider import PROVIDER_NAMES


@click.command("list")
@click.argument("module", required=False, shell_complete=complete_modules)
@add_locked_server_options
@add_functions("List")
@click.option(
    "--to",
    "receiver",
    type=click.Choice([*PROVIDER_NAMES, "json_schema"]),
    help="Print the definitions for a provider, as JSON, instead.",
)
@click.option(
    "--dialect",
    metavar="NAME",
    help="Print the tools as the system's turn of an open model lists them, whose dialect this is.",
)
@click.option("--strict", is_flag=True, help="With --to: for a provider's strict mode.")
@click.option("--api", help="With --to: the form of definitions, such as chat or responses.")
@click.option(
    "--style",
    type=click.Choice(get_args(Style)),
    help="How the listing is written; signature by default.",
)
@click.option("--tier", type=click.Choice(TIERS), help="How much of each tool; full by default.")
@click.option(
    "--types",
    type=click.Choice(get_args(Sharing)),
    help="With shared, records that stand twice are named once; inline by default.",
)
@click.option("--legend", is_flag=True, help="Begin with three lines about the notation.")
@click.option(
    "--tokens",
    metavar="COUNTER",
    help="Print what each tool and each part costs instead, counted by an encoding of tiktoken such"
    " as o200k_base, by characters, bytes, or module:function.",
)
@click.option(
    "--budget",
    type=click.IntRange(0),
    help="With --tokens: print the richest listing of this size instead.",
)
@click.option("--json", "as_json", is_flag=True, help="Print names, signatures and texts as JSON.")
@click.option(
    "-v", "--verbose", is_flag=True, help="Print each loss and warning, not only their number."
)
def list_(
    module: str | None,
    asked: ServerOptions | None,
    functions: Functions,
    receiver: str | None,
    dialect: str | None,
    strict: bool,
    api: str | None,
    tokens: str | None,
    budget: int | None,
    as_json: bool,
    verbose: bool,
    **chosen: Any,
) -> None:
    """Print the tools of MODULE as a model reads them.

    MODULE is a dotted name, the path of a file, or module:Class for the class and static methods of
    a class; if it decorates no tools, its public functions are listed.  With --mcp, the tools of a
    server are listed instead of those of MODULE.  With --to, what definitions do not say is printed
    on standard error; with --style, what the listing does not say.
    """
    _check_source(module, asked)
    if receiver is None and (strict or api is not None):
        raise TypesigError("--strict and --api need --to")
    given = {name: value for name, value in chosen.items() if value}
    forms = {"--to": receiver, "--dialect": dialect, "--json": as_json}
    form = _get_only_form([name for name, asked_for in forms.items() if asked_for], given, tokens)
    if budget is not None and tokens is None:
        raise TypesigError("--budget needs --tokens")
    if module is not None and not (form or given or tokens):
        print_tools(module, functions, verbose)
        return
    tools = load_listed_tools(str(module), functions) if asked is None else read_toolset(asked)
    from typesig.cli import listed

    if tokens is not None:
        text = listed.write_costs(tools, tokens, budget, given)
    elif receiver is not None:
        text = listed.write_definitions(tools, receiver, strict, api, verbose)
    elif dialect is not None:
        text = tools.prompt(dialect=dialect)
    elif as_json:
        text = listed.write_data(tools)
    else:
        text = listed.write_listing(tools, given, verbose)
    (print_text if asked is None else print_foreign)(text)
    lacking = "the server has no tools that can be called"
    tell_all(tools, lacking if module is None else explain_empty(module), verbose)


def _check_source(module: str | None, asked: ServerOptions | None) -> None:
    """Raise `TypesigError` if there is neither a module nor a server, or both."""
    if (module is None) is (asked is None):
        raise TypesigError("list takes a module, or --mcp with a server")


def _get_only_form(forms: list[str], given: dict[str, Any], tokens: str | None) -> str | None:
    """Return the only output format option in *forms*, or None; raise for several.

    Raises `TypesigError` for two of them, and for one with options of the listing.
    """
    if len(forms) > 1:
        raise TypesigError(f"{forms[0]} and {forms[1]} are forms of their own; give one of them")
    if forms and (given or tokens is not None):
        options = "--style, --tier, --types, --legend and --tokens"
        raise TypesigError(f"{options} do not go with {forms[0]}")
    return forms[0] if forms else None
