"""The commands, by name; the module of a command is loaded when it is asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NamedTuple

import click

import typesig as library
from typesig.cli.inputs.output import report_errors, stop
from typesig.limits import MAX_NEAR_NAME


class CommandRow(NamedTuple):
    """Module, name and help line of a command that is imported on demand.

    #: module, name: where it is defined; summary: its line in `typesig --help`
    """

    module: str
    name: str
    summary: str


#: The commands; a summary fits a line of 80 columns.
COMMANDS: Mapping[str, CommandRow] = {
    name.rstrip("_"): CommandRow(f"typesig.cli.command_{module}", name, summary)
    for module, name, summary in (
        ("call", "call_", "Call a tool, and print the outcome as a model reads it."),
        ("check", "check", "Check data in a file against a signature."),
        ("completion", "completion", "Print the completion script of a shell."),
        ("convert", "convert", "Print a signature in another notation."),
        ("lock", "diff_", "Print what changed between two versions of tools."),
        ("eval", "eval_", "Measure how well a model calls tools in each style and grammar."),
        ("graph", "graph", "Print or draw which tool feeds which."),
        ("infer", "infer", "Infer a type from the samples in a file."),
        ("list", "list_", "Print the tools of a module as a model reads them."),
        ("lock", "lock", "Print the contracts of tools as a lock file."),
        ("rehearse", "rehearse", "Send a careless model's calls to tools, and report."),
        ("serve", "serve_", "Serve tools over MCP, to one client or over HTTP."),
        ("show", "show", "Print the type that each hint of a function became."),
    )
}

#: The variable by which a shell asks for completions.
VARIABLE = "_TYPESIG_COMPLETE"

_WIDE = {"max_content_width": 100, "help_option_names": ["-h", "--help"]}


class _Group(click.Group):
    """Group of commands, imported on demand, that prints typesig errors on one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of the help."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command called *cmd_name*, or None if there is none."""
        found = COMMANDS.get(cmd_name)
        if found is None:
            return None
        command: click.Command = getattr(import_module(found.module), found.name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a line for each command, without loading any of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, row.summary) for name, row in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command as click does, with a suggestion for a misspelt name."""
        asked = args[0]
        if asked not in COMMANDS and not asked.startswith("-") and not ctx.resilient_parsing:
            # Loaded for a mistake only.
            from typesig.validation.issues.excerpt import quote_text
            from typesig.validation.issues.suggestions import suggest_closest

            near = suggest_closest(asked[:MAX_NEAR_NAME], {name: name for name in COMMANDS})
            ctx.fail(f"there is no command {quote_text(asked)}; {near or '-h lists them'}")
        return super().resolve_command(ctx, args)

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command line; use the completion classes of typesig."""
        if VARIABLE in os.environ:
            from typesig.cli.command_completion import register

            register()
        # By `python -m`, the name of the program would be another.
        return super().main(*args, **{"complete_var": VARIABLE, **extra})

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Read the options before the command, reporting wrong usage as all other errors."""
        with report_usage():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the chosen command, reporting errors of typesig as command-line messages."""
        with report_usage(), report_errors():
            return super().invoke(ctx)


@contextmanager
def report_usage() -> Iterator[None]:
    """Stop with a message in the style of typesig if click refuses the arguments."""
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        stop(explain_usage(error))


def explain_usage(error: click.UsageError) -> str:
    """Say what is wrong with the arguments, and what shows the right ones."""
    program = "" if error.ctx is None else error.ctx.command_path
    text = error.format_message().rstrip(".")
    match error:
        case click.NoSuchOption():
            text = f"there is no option {error.option_name}"
            if error.possibilities:
                near = get_close_matches(error.option_name, error.possibilities, 1)
                near = near or sorted(error.possibilities)[:1]
                text += f"; did you mean {near[0]}?"
        case click.MissingParameter() if error.param is not None:
            text = f"{program} needs {_name_param(error.param)}"
        case click.BadParameter() if error.param is not None:
            text = f"{_name_param(error.param)}: {error.message.rstrip('.')}"
        case click.BadArgumentUsage() | click.BadOptionUsage():
            text = text[:1].lower() + text[1:]
        case _ if text.startswith("Got unexpected"):
            text = text[:1].lower() + text[1:]
    return (
        text if "; " in text or not program else f"{text}\n  {program} -h describes its arguments"
    )


def _name_param(param: click.Parameter) -> str:
    """Name of *param* as it is typed: `--to`, or the placeholder of an argument."""
    return param.opts[-1] if isinstance(param, click.Option) else (param.name or "").upper()


@click.group(cls=_Group, context_settings=_WIDE)
@click.version_option(library.__version__, prog_name="typesig")
def typesig() -> None:
    """Contracts between Python functions and language models."""
