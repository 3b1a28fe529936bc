"""The command `typesig call`."""

from __future__ import annotations

import sys

import click

from typesig.cli import data
from typesig.cli.calls import run, text_read
from typesig.cli.options import MODE
from typesig.cli.output import BAD, complain, say
from typesig.validation.policy import ModeName


@click.command("call")
@click.argument("target")
@click.argument("arguments", default="{}")
@MODE
@click.option("--quiet", "-q", is_flag=True, help="Print no warnings.")
def call_(target: str, arguments: str, mode: ModeName | None, quiet: bool) -> None:
    """Call TARGET, a tool, with ARGUMENTS as a model would, and print what the model reads.

    TARGET is module:name; ARGUMENTS is JSON text, or - for standard input.
    The exit status is 0 for a result, 1 for errors, 2 for wrong usage.
    """
    outcome = run(target, data.text_of(arguments), mode)
    if not outcome.ok:
        complain(outcome.feedback())
        sys.exit(BAD)
    say(text_read(outcome))
    if not quiet:
        complain(f"warning: {issue}" for issue in (*outcome.warnings, *outcome.left_out()))
