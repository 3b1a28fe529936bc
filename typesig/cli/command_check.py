"""The command `typesig check`."""

from __future__ import annotations

import sys

import click

from typesig.cli.checking import Checker, CheckOptions
from typesig.cli.command_completion import complete_files, complete_modules
from typesig.cli.inputs import data
from typesig.cli.inputs.calls import is_module_target, is_tool_target, load_tools
from typesig.cli.inputs.data import Progress
from typesig.cli.inputs.options import (
    FROM,
    JOBS,
    MODE,
    PROGRESS,
    RESOURCE,
    ServerOptions,
    add_locked_server_options,
    parse_signature,
    read_toolset,
)
from typesig.cli.inputs.output import BAD
from typesig.errors import TypesigError
from typesig.notations.texts.notation import NotationName
from typesig.tools.toolset import Toolset
from typesig.validation.policy import ModeName

#: With --mcp: all tools of the server.
_ALL = "*"


@click.command()
@click.argument("signature", shell_complete=complete_modules)
@click.argument("file", default="-", shell_complete=complete_files)
@add_locked_server_options
@FROM
@RESOURCE
@click.option("--output", is_flag=True, help="Check against the result, not the parameters.")
@MODE
@click.option("--strict", is_flag=True, help="The calls of a tool are of a strict definition.")
@click.option("--quiet", "-q", is_flag=True, help="Print only errors.")
@click.option("--all", "everything", is_flag=True, help="Print all lines, however many there are.")
@click.option("--summary", is_flag=True, help="Count the errors by path and code instead.")
@click.option("--bad", "kept", metavar="FILE", help="Write the rows that do not fit to FILE.")
@click.option("--json", "as_json", is_flag=True, help="Print a line of JSON for each finding.")
@JOBS
@PROGRESS
def check(
    signature: str,
    file: str,
    asked: ServerOptions | None,
    source: NotationName,
    resources: tuple[str, ...],
    output: bool,
    mode: ModeName | None,
    strict: bool,
    quiet: bool,
    everything: bool,
    summary: bool,
    kept: str | None,
    as_json: bool,
    progress: bool,
) -> None:
    """Check the data in FILE against SIGNATURE.

    FILE contains JSON, or JSONL with one value a line; - is standard input.
    The data is checked against the parameters of SIGNATURE if it has any, else against its result,
    where text is read as a datetime or a keyword, and a list as a set.
    SIGNATURE may be module:name instead, a tool: the data is its arguments, or calls of it as a
    provider's client records them; nothing is run.  It may be a module, or module:name of a
    toolset: the data is calls of its tools.  With --mcp it is the name of a server's tool, or '*'
    for calls of all its tools.
    The exit status is 0 if all data fits, 1 if some does not, 2 for wrong usage.
    """
    tools = _find_tools(signature, source, asked)
    one = None if tools is None else next(iter(tools)).signature
    parsed = one or parse_signature(signature, source, resources)
    whole = tools is not None and (
        signature == _ALL if asked is not None else ":" not in signature or len(tools) > 1
    )
    if output and tools is not None:
        if len(tools) > 1:
            raise TypesigError("--output is for the result of one tool: write module:name")
        tools = None
    if strict and tools is None:
        raise TypesigError("--strict is for calls of a tool: write module:name")
    name = data.name_of(file)
    options = CheckOptions(
        parsed, name, output, mode, quiet, everything, summary, strict, as_json, whole
    )
    with Progress(progress, data.get_size(file)) as shown, data.open_rows(kept, file) as rows:
        checker = Checker(options, tools, rows, shown.clear)
        checker.check_lines(shown.count_lines(data.read_lines(file)))
    checker.close()
    if not quiet:
        checker.print_count()
    sys.exit(BAD if checker.bad else 0)


def _find_tools(name: str, source: NotationName, asked: ServerOptions | None) -> Toolset | None:
    """Return the tools that *name* selects, from a server or a module, or None."""
    if asked is not None:
        found = read_toolset(asked, None if name == _ALL else name)
        if not len(found):
            raise TypesigError("the server has no tools that can be called")
        return found
    is_name = source == "shorthand" and (is_tool_target(name) or is_module_target(name))
    return load_tools(name) if is_name else None
