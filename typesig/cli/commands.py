"""The commands, by name; the module of a command is loaded when it is asked for."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

import typesig as library
from typesig.cli.inputs.output import report_errors
from typesig.errors import format_value
from typesig.limits import MAX_NEAR_NAME
from typesig.validation.issues.suggestions import suggest_closest

#: The module and the name in it of each command.
COMMANDS: Mapping[str, tuple[str, str]] = {
    "call": ("typesig.cli.command_call", "call_"),
    "check": ("typesig.cli.command_check", "check"),
    "completion": ("typesig.cli.command_completion", "completion"),
    "convert": ("typesig.cli.command_convert", "convert"),
    "diff": ("typesig.cli.command_diff", "diff_"),
    "graph": ("typesig.cli.command_graph", "graph"),
    "infer": ("typesig.cli.command_infer", "infer"),
    "list": ("typesig.cli.command_list", "list_"),
    "lock": ("typesig.cli.command_lock", "lock"),
    "rehearse": ("typesig.cli.command_rehearse", "rehearse"),
    "serve": ("typesig.cli.command_serve", "serve_"),
    "show": ("typesig.cli.command_show", "show"),
}

#: The variable by which a shell asks for completions.
VARIABLE = "_TYPESIG_COMPLETE"

_WIDE = {"max_content_width": 100, "help_option_names": ["-h", "--help"]}


class _Group(click.Group):
    """A group that prints one line for an error of ours."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of the help."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command called *cmd_name*, or None if there is none."""
        found = COMMANDS.get(cmd_name)
        if found is None:
            return None
        module, name = found
        command: click.Command = getattr(import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command as click does, with a suggestion for a misspelt name."""
        asked = args[0]
        if asked not in COMMANDS and not asked.startswith("-") and not ctx.resilient_parsing:
            near = suggest_closest(asked[:MAX_NEAR_NAME], {name: name for name in COMMANDS})
            ctx.fail(f"there is no command {format_value(asked)}; {near or '-h lists them'}")
        return super().resolve_command(ctx, args)

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command, with completion by our own classes."""
        if VARIABLE in os.environ:
            from typesig.cli.command_completion import register

            register()
        # By `python -m`, the name of the program would be another.
        return super().main(*args, **{"complete_var": VARIABLE, **extra})

    def invoke(self, ctx: click.Context) -> Any:
        with report_errors():
            return super().invoke(ctx)


@click.group(cls=_Group, context_settings=_WIDE)
@click.version_option(library.__version__, prog_name="typesig")
def typesig() -> None:
    """Contracts between Python functions and language models."""
