"""The command `typesig list`."""

from __future__ import annotations

from typing import Any, get_args

import click

from typesig.algebra.views.redaction import redacted
from typesig.cli.inputs.completing import modules
from typesig.cli.inputs.data import indented_json
from typesig.cli.inputs.output import complain, say
from typesig.cli.inputs.servers import Asked, of_held_server, say_of_others, toolset_of
from typesig.cli.work.losses import complain_of_losses
from typesig.cli.work.plain_list import lacking_in, print_tools, tell_of, tools_in
from typesig.errors import TypesigError
from typesig.listings.tiers import TIERS, Sharing, Style
from typesig.notations.shorthand.writer import signature_text
from typesig.providers.rows.provider import PROVIDER_NAMES
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset

_UNDECORATED = click.option(
    "--all", "undecorated", is_flag=True, help="List public functions as well as tools."
)


@click.command("list")
@click.argument("module", required=False, shell_complete=modules)
@of_held_server
@_UNDECORATED
@click.option(
    "--to",
    "receiver",
    type=click.Choice([*PROVIDER_NAMES, "json_schema"]),
    help="Print the definitions for a provider, as JSON, instead.",
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
@click.option("-v", "--verbose", is_flag=True, help="Print each loss, not only their sums.")
def list_(
    module: str | None,
    asked: Asked | None,
    undecorated: bool,
    receiver: str | None,
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
    if receiver is None and (strict or api is not None):
        raise TypesigError("--strict and --api need --to")
    if (module is None) is (asked is None):
        raise TypesigError("list takes a module, or --mcp with a server")
    given = {name: value for name, value in chosen.items() if value}
    if receiver is not None and (given or tokens is not None):
        raise TypesigError("--style, --tier, --types, --legend and --tokens do not go with --to")
    if budget is not None and tokens is None:
        raise TypesigError("--budget needs --tokens")
    if as_json and (given or tokens is not None or receiver is not None):
        raise TypesigError("--json is a form of its own; with --to, what is printed is JSON anyway")
    is_plain = tokens is None and receiver is None and not as_json
    if module is not None and is_plain and not given:
        print_tools(module, undecorated)
        return
    tools = tools_in(str(module), undecorated) if asked is None else toolset_of(asked)
    write = say if asked is None else say_of_others
    if tokens is not None:
        write(_text_of_costs(tools, tokens, budget, given))
    elif as_json:
        write(indented_json([_described(one) for one in tools]))
    elif receiver is None:
        made = tools.listing(**given)
        write(made.text())
        complain_of_losses(made.losses if "style" in given else (), verbose)
    else:
        write(_text_for(tools, receiver, strict, api, verbose))
    lacking = "the server has no tools that can be called"
    tell_of(tools, lacking if module is None else lacking_in(module))


def _text_of_costs(tools: Toolset, counter: str, budget: int | None, given: dict[str, Any]) -> str:
    """Return what the listing of *tools* costs, or the richest one within *budget*."""
    from typesig.cli.work.costs import counter_of, lines_of_costs

    count = counter_of(counter)
    if budget is None:
        return "\n".join(lines_of_costs(tools.tokens(count, **given)))
    return tools.fit(count, budget, **given).text


def _described(one: Tool[..., Any]) -> dict[str, Any]:
    warnings = [str(warning) for warning in one.warnings]
    signature = signature_text(redacted(one.signature))
    about = {"name": one.name, "signature": signature, "description": one.description}
    return {**about, "warnings": warnings}


def _text_for(tools: Toolset, receiver: str, strict: bool, api: str | None, verbose: bool) -> str:
    """Return the definitions of *tools* for *receiver*; complain of what they do not say."""
    from typesig.cli.work.definitions import definitions_of

    options: dict[str, Any] = {"strict": True} if strict else {}
    options = options if api is None else {**options, "api": api}
    text, losses, findings = definitions_of(tools, receiver, options)
    complain_of_losses(losses, verbose)
    complain(map(str, findings))
    return text
