"""The command `typesig rehearse`."""

from __future__ import annotations

import json
import sys

import click

from typesig.cli.command_completion import complete_modules
from typesig.cli.inputs.options import (
    MODE,
    Choice,
    ServerOptions,
    add_functions,
    add_locked_server_options,
    print_foreign,
    read_toolset,
)
from typesig.cli.inputs.output import BAD, print_text
from typesig.cli.inputs.targets import Functions, load_listed_tools, tell_of
from typesig.contracts.rehearsals.rehearsal import rehearse as rehearsed
from typesig.errors import TypesigError
from typesig.providers.registry.provider import PROVIDER_NAMES, SPELLING_NAMES, ProviderName
from typesig.validation.policy import ModeName


@click.command("rehearse")
@click.argument("target", required=False, shell_complete=complete_modules)
@add_locked_server_options
@add_functions("Take")
@click.option("--seed", type=int, default=0, help="From which arguments are drawn; 0.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option(
    "--vendor",
    "vendors",
    type=Choice(PROVIDER_NAMES),
    multiple=True,
    help="Whose calls are sent; those of all by default. May be repeated.",
)
@click.option("--strict", is_flag=True, help="Take the definitions of a strict mode.")
@MODE
def rehearse(
    target: str | None,
    asked: ServerOptions | None,
    functions: Functions,
    seed: int,
    as_json: bool,
    vendors: tuple[ProviderName, ...],
    strict: bool,
    mode: ModeName | None,
) -> None:
    """Send a careless model's calls to the tools of TARGET, and report the outcomes.

    TARGET is as for `list`; with --mcp, the tools of a server are taken instead.  No function runs.
    The exit status is 0, or 1 if a call with a mistake was let through without a warning, 2 for
    wrong usage.
    """
    if (target is None) is (asked is None):
        raise TypesigError("rehearse takes a module, or --mcp with a server")
    tools = load_listed_tools(str(target), functions) if asked is None else read_toolset(asked)
    tell_of(tools, target)
    report = rehearsed(tools, vendors or SPELLING_NAMES, seed=seed, strict=strict, mode=mode)
    write = print_text if asked is None else print_foreign
    write(json.dumps(report.to_json(), indent=2) if as_json else report.text())
    sys.exit(BAD if report.let_through else 0)
