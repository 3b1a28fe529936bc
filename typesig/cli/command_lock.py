"""The commands `lock` and `diff`: the contracts of tools as a file, and what changed in them."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from typesig.cli.command_completion import complete_modules
from typesig.cli.inputs.contracts import (
    find_newly_hidden,
    lock_of,
    lock_of_server,
    read_replaced_lock,
)
from typesig.cli.inputs.options import Choice, ServerOptions, add_functions, add_server_options
from typesig.cli.inputs.output import BAD, print_errors, print_text
from typesig.cli.inputs.targets import Functions
from typesig.contracts.lock import open_exclusively, read_lock, write_printable_json
from typesig.contracts.lock_diff import Diff, diff, find_settings
from typesig.contracts.rules import SEVERITIES, Severity
from typesig.errors import TypesigError

# --- The command `typesig lock` ---

#: The file of `--check` and `--update` without `-o`.
USUAL = "tools.lock"


@click.command("lock")
@click.argument("target", required=False, shell_complete=complete_modules)
@add_server_options
@click.option("-o", "--output", "file", metavar="FILE", help="Write the lock to FILE.")
@click.option(
    "--check", is_flag=True,
    help=f"Write nothing; fail if the lock in FILE, {USUAL} without -o, differs.",
)  # fmt: skip
@click.option(
    "--update", is_flag=True,
    help=f"Replace the lock in FILE, {USUAL} without -o, and print what changed.",
)  # fmt: skip
@add_functions("Lock")
def lock(
    target: str | None,
    asked: ServerOptions | None,
    file: str | None,
    check: bool,
    update: bool,
    functions: Functions,
) -> None:
    """Print the lock of the tools of TARGET: parameters, results and descriptions.

    TARGET is a module or the path of one, module:name, a JSON file of definitions of tools, a
    document of OpenAPI, another lock, or one of these behind a revision of git, as in v1:my_tools.
    With --mcp, the tools of a server are locked.  A lock in FILE that differs is only replaced with
    --update.  What the texts of the tools hide from a reader is printed to standard error.
    The exit status is 0 for success, 1 if the lock differs, 2 for wrong usage.
    """
    if check and update:
        raise TypesigError("--check writes nothing, and --update does; give one of them")
    if (target is None) is (asked is None):
        raise TypesigError("lock takes a target, or --mcp with a server")
    made = lock_of(str(target), functions) if asked is None else lock_of_server(asked)
    if check or update:
        file = file or USUAL
    if file is None:
        print_text(made.text().rstrip("\n"))
        print_errors(map(str, find_newly_hidden(made, None)), "hidden")
        return
    before = read_replaced_lock(file) if update else read_lock(file)
    if before is None and check:
        raise TypesigError(f"there is no file {file}; write it with typesig lock -o {file}")
    found = diff(before, made, find_settings(Path.cwd()).severity) if before else Diff(())
    if found:
        (print_errors if update else print_text)(str(found))
    print_errors(map(str, find_newly_hidden(made, before)), "hidden")
    if found and not update:
        print_errors(f"{file} is not replaced; after a look, run typesig lock --update")
        sys.exit(BAD)
    if not check and made != before:
        with open_exclusively(file) as write:
            write(made)


# --- The command `typesig diff` ---


@click.command("diff")
@click.argument("old", shell_complete=complete_modules)
@click.argument("new", required=False, shell_complete=complete_modules)
@add_server_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--markdown", is_flag=True, help="Print a table for a pull request.")
@click.option(
    "--fail-on", type=Choice(SEVERITIES[::-1]),
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
