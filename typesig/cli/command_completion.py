"""The command `typesig completion`."""

from __future__ import annotations

import click

from typesig.cli.inputs.output import say
from typesig.cli.work.shells import SHELLS, script_for


@click.command("completion")
@click.argument("shell", type=click.Choice([*SHELLS]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that completes this command in SHELL.

    Commands, options, files, and the names of tools are completed.  The script is read when the
    shell starts, as in: eval "$(typesig completion bash)" in ~/.bashrc.
    """
    say(script_for(shell, ctx.find_root().command).rstrip("\n"))
