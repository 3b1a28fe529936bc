"""The command `typesig call`."""

from __future__ import annotations

import sys

import click

from typesig.cli.inputs import data
from typesig.cli.inputs.completing import tools
from typesig.cli.inputs.functions import Functions
from typesig.cli.inputs.options import MODE, add_functions
from typesig.cli.inputs.output import BAD, complain, say
from typesig.cli.inputs.servers import Asked, of_held_server, outcome_of, say_of_others
from typesig.cli.work.calls import data_of, run, text_read
from typesig.errors import TypesigError
from typesig.validation.rows.policy import ModeName


@click.command("call")
@click.argument("target", shell_complete=tools)
@click.argument("arguments", default="{}")
@of_held_server
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
    asked: Asked | None,
    given: tuple[str, ...],
    lifespan: str | None,
    mode: ModeName | None,
    functions: Functions,
    as_json: bool,
    quiet: bool,
) -> None:
    """Call TARGET, a tool, with ARGUMENTS as a model would, and print what the model reads.

    TARGET is module:name, or with --mcp the name of a server's tool; ARGUMENTS is JSON text, or -
    for standard input.  With --json, the outcome is printed also if there are errors.
    The exit status is 0 for a result, 1 for errors, 2 for wrong usage.
    """
    text = data.text_of(arguments)
    if asked is None:
        outcome = run(target, text, mode, data.named_values(given), lifespan, functions)
    elif given or functions or lifespan is not None:
        options = "--given, --inferred, --results and --lifespan"
        raise TypesigError(f"{options} are for a target, not for --mcp")
    else:
        outcome = outcome_of(asked, target, text, mode)
    write = say if asked is None else say_of_others
    if as_json:
        write(data.indented_json(data_of(outcome)))
    elif not outcome.ok:
        complain(outcome.feedback())
    else:
        write(text_read(outcome))
        if not quiet:
            complain(map(str, (*outcome.warnings, *outcome.left_out())), "warning")
    sys.exit(0 if outcome.ok else BAD)
