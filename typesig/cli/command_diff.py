"""The command `typesig diff`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from typesig.cli.command_completion import complete_modules
from typesig.cli.contracts import find_newly_hidden, lock_of, lock_of_server
from typesig.cli.inputs.options import ServerOptions, add_functions, add_server_options
from typesig.cli.inputs.output import BAD, print_errors, print_text
from typesig.cli.inputs.targets import Functions
from typesig.contracts.lock_diff import diff
from typesig.contracts.locks.lock import write_printable_json
from typesig.contracts.rows.rules import SEVERITIES, Severity
from typesig.contracts.settings import find_settings
from typesig.errors import TypesigError


@click.command("diff")
@click.argument("old", shell_complete=complete_modules)
@click.argument("new", required=False, shell_complete=complete_modules)
@add_server_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--markdown", is_flag=True, help="Print a table for a pull request.")
@click.option(
    "--fail-on", type=click.Choice(SEVERITIES[::-1]),
    help="Exit with 1 for a change that is this severe, or more.",
)  # fmt: skip
@add_functions("Compare")
def diff_(
    old: str,
    new: str | None,
    asked: ServerOptions | None,
    as_json: bool,
    markdown: bool,
    fail_on: Severity | None,
    functions: Functions,
) -> None:
    """Print the changes from the tools of OLD to the tools of NEW, rule by rule.

    Each is a module or the path of one, module:name, a lock, a JSON file of definitions of tools, a
    document of OpenAPI, or one of these behind a revision of git, as in HEAD~1:my_tools.  With
    --mcp, the tools of a server stand in place of NEW.  Severities of rules can be set in
    [tool.typesig.diff] of pyproject.toml.  What the texts of NEW hide from a reader, and those of
    OLD do not, is printed to standard error.
    The exit status is 0, 1 for what --fail-on says, 2 for wrong usage.
    """
    if (new is None) is (asked is None):
        raise TypesigError("diff takes two targets, or one and --mcp with a server")
    if as_json and markdown:
        raise TypesigError("--json and --markdown are two outputs; give one of them")
    settings = find_settings(Path.cwd())
    before = lock_of(old, functions)
    after = lock_of(str(new), functions) if asked is None else lock_of_server(asked)
    found = diff(before, after, settings.severity)
    hidden = find_newly_hidden(after, before)
    if as_json:
        told = [{**each._asdict(), "sentence": each.sentence} for each in hidden]
        print_text(write_printable_json({**found.data(), "hidden": told}).rstrip("\n"))
    elif markdown:
        print_text(found.markdown().rstrip("\n"))
    else:
        print_text(str(found) or "no tool changed")
    print_errors((str(each) for each in hidden if not as_json), "hidden")
    least = fail_on or settings.fail_on
    if least is not None and found.at_least(least):
        sys.exit(BAD)
