"""The command `typesig call`."""

from __future__ import annotations

import sys

import click

from typesig.cli.inputs import data
from typesig.cli.inputs.options import MODE
from typesig.cli.inputs.output import BAD, complain, say
from typesig.cli.inputs.servers import Asked, of_held_server, outcome_of, say_of_others
from typesig.cli.work.calls import run, text_read
from typesig.validation.rows.policy import ModeName


@click.command("call")
@click.argument("target")
@click.argument("arguments", default="{}")
@of_held_server
@MODE
@click.option("--quiet", "-q", is_flag=True, help="Print no warnings.")
def call_(
    target: str, arguments: str, asked: Asked | None, mode: ModeName | None, quiet: bool
) -> None:
    """Call TARGET, a tool, with ARGUMENTS as a model would, and print what the model reads.

    TARGET is module:name, or with --mcp the name of a server's tool; ARGUMENTS is JSON text, or -
    for standard input.
    The exit status is 0 for a result, 1 for errors, 2 for wrong usage.
    """
    text = data.text_of(arguments)
    outcome = run(target, text, mode) if asked is None else outcome_of(asked, target, text, mode)
    if not outcome.ok:
        complain(outcome.feedback())
        sys.exit(BAD)
    if asked is None:
        say(text_read(outcome))
    else:
        say_of_others(text_read(outcome))
    if not quiet:
        complain(f"warning: {issue}" for issue in (*outcome.warnings, *outcome.left_out()))
