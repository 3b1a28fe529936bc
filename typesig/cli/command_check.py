"""The command `typesig check`."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import closing

import click

from typesig.cli.inputs import data
from typesig.cli.inputs.completing import files, modules
from typesig.cli.inputs.options import FROM, JOBS, MODE, PROGRESS, RESOURCE
from typesig.cli.inputs.output import BAD
from typesig.cli.inputs.progress import Progress
from typesig.cli.inputs.servers import Asked, of_held_server, toolset_of
from typesig.cli.inputs.signatures import parsed_from
from typesig.cli.work.calls import names_module, names_tool, tools_named
from typesig.cli.work.checking import Asked as Checking
from typesig.cli.work.checking import Found, Report, found_by_processes, found_in
from typesig.errors import TypesigError
from typesig.notations.texts.notation import NotationName
from typesig.tools.toolset import Toolset
from typesig.validation.rows.policy import ModeName

#: With --mcp: all tools of the server.
_ALL = "*"


@click.command()
@click.argument("signature", shell_complete=modules)
@click.argument("file", default="-", shell_complete=files)
@of_held_server
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
    asked: Asked | None,
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
    jobs: int,
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
    if asked is not None and jobs > 1:
        raise TypesigError("--jobs is without --mcp: a server's tools stay in their process")
    tools = _tools_named(signature, source, asked)
    one = None if tools is None else next(iter(tools)).signature
    parsed = one or parsed_from(signature, source, resources)
    target = _target(signature, tools, output, strict)
    name, keeps = data.name_of(file), kept is not None
    whole = tools is not None and _means_all(signature, tools, asked)
    options = (output, mode, quiet, everything, keeps, summary, target, strict, as_json, whole)
    checking = Checking(parsed, name, *options)
    shown = Progress(progress, data.size_of(file))
    results = _results(checking, file, shown, jobs, tools)
    with data.rows_to(kept, file) as rows:
        report = Report(checking, rows, shown.clear)
        # An error closes what runs at once, processes among it.
        with closing(results) as found:
            for each in found:
                report.take(each)
    report.close()
    if not quiet:
        report.print_count()
    sys.exit(BAD if report.bad else 0)


def _results(
    asked: Checking, file: str, shown: Progress, jobs: int, tools: Toolset | None
) -> Generator[Found, None, None]:
    if jobs > 1:
        return found_by_processes(asked, shown.over_chunks(data.read_chunks(file)), jobs)
    return found_in(asked, shown.over(data.read_lines(file)), tools)


def _target(name: str, tools: Toolset | None, output: bool, strict: bool) -> str | None:
    """Return *name* if calls of its *tools* are checked; without any, they cannot be strict."""
    if output and tools is not None and len(tools) > 1:
        raise TypesigError("--output is for the result of one tool: write module:name")
    target = None if tools is None or output else name
    if strict and target is None:
        raise TypesigError("--strict is for calls of a tool: write module:name")
    return target


def _means_all(name: str, tools: Toolset, asked: Asked | None) -> bool:
    """Tell whether *name* means all *tools* of a server, a module or a toolset, and not one."""
    return name == _ALL if asked is not None else ":" not in name or len(tools) > 1


def _tools_named(name: str, source: NotationName, asked: Asked | None) -> Toolset | None:
    """Return the tool called *name* of a server, or the tools that it names, or None for none."""
    if asked is not None:
        found = toolset_of(asked, None if name == _ALL else name)
        if not len(found):
            raise TypesigError("the server has no tools that can be called")
        return found
    is_name = source == "shorthand" and (names_tool(name) or names_module(name))
    return tools_named(name) if is_name else None
