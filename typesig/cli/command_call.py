"""The command `typesig call`."""

from __future__ import annotations

import sys

import click

from typesig.cli.command_completion import complete_tools
from typesig.cli.inputs import data
from typesig.cli.inputs.calls import run, to_data, write_for_model
from typesig.cli.inputs.options import (
    MODE,
    ServerOptions,
    add_functions,
    add_locked_server_options,
    call_tool,
    print_foreign,
)
from typesig.cli.inputs.output import BAD, print_errors, print_text
from typesig.cli.inputs.targets import Functions
from typesig.errors import TypesigError
from typesig.validation.policy import ModeName


@click.command("call")
@click.argument("target", shell_complete=complete_tools)
@click.argument("arguments", default="{}")
@add_locked_server_options
@click.option(
    "--given", metavar="NAME=VALUE", multiple=True,
    help="What the host gives to the tool: JSON, or else text. May be repeated.",
)  # fmt: skip
@click.option(
    "--lifespan", metavar="TARGET",
    help="The function that yields what the host gives, as module:name.",
)  # fmt: skip
@MODE
@add_functions()
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
@click.option("--quiet", "-q", is_flag=True, help="Print no warnings.")
def call_(
    target: str,
    arguments: str,
    asked: ServerOptions | None,
    given: tuple[str, ...],
    lifespan: str | None,
    mode: ModeName | None,
    functions: Functions,
    as_json: bool,
    quiet: bool,
) -> None:
    """Call the tool TARGET with ARGUMENTS, and print the outcome as a model reads it.

    TARGET is module:name, or with --mcp the name of a server's tool; ARGUMENTS is JSON text, or -
    for standard input.  With --json, the outcome is printed also if there are errors.
    The exit status is 0 for a result, 1 for errors, 2 for wrong usage.
    """
    text = data.read_text(arguments)
    if asked is None:
        outcome = run(target, text, mode, data.parse_named_values(given), lifespan, functions)
    elif given or functions or lifespan is not None:
        options = "--given, --inferred, --results and --lifespan"
        raise TypesigError(f"{options} are for a target, not for --mcp")
    else:
        outcome = call_tool(asked, target, text, mode)
    write = print_text if asked is None else print_foreign
    if as_json:
        write(data.write_indented_json(to_data(outcome)))
    elif not outcome.ok:
        print_errors(outcome.feedback())
    else:
        write(write_for_model(outcome))
        if not quiet:
            print_errors(map(str, (*outcome.warnings, *outcome.left_out())), "warning")
    sys.exit(0 if outcome.ok else BAD)
