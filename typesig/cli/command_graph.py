"""The command `typesig graph`."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Literal, TypeAlias, assert_never, get_args

import click

from typesig.calls.unknown_tools import explain_unknown_tool
from typesig.cli.command_completion import complete_modules
from typesig.cli.inputs import data
from typesig.cli.inputs.contracts import load_contracts
from typesig.cli.inputs.options import (
    Choice,
    ServerOptions,
    add_locked_server_options,
    print_foreign,
    read_toolset,
)
from typesig.cli.inputs.output import print_errors
from typesig.cli.inputs.targets import tell_of
from typesig.contracts.chains.ends import DescribedTool
from typesig.contracts.chains.graph import Clustering, find_clusters, write_mermaid
from typesig.contracts.chains.link_finder import make_chain
from typesig.contracts.chains.links import Chain
from typesig.contracts.chains.svg import draw_svg
from typesig.contracts.lock import Lock
from typesig.errors import TypesigError

#: What is written of a chain.
Form: TypeAlias = Literal["svg", "mermaid", "text", "json"]

#: The form of a file by the end of its name.
_BY_SUFFIX: dict[str, Form] = {
    ".svg": "svg", ".mmd": "mermaid", ".mermaid": "mermaid", ".json": "json"
}  # fmt: skip


@click.command()
@click.argument("module", metavar="[TARGET]", required=False, shell_complete=complete_modules)
@add_locked_server_options
@click.option(
    "--to",
    "form",
    type=Choice(get_args(Form)),
    help="What is written: by default what the name of the file says, or else text.",
)
@click.option("--output", "-o", "file", metavar="FILE", help="Write to FILE.")
@click.option(
    "--only",
    multiple=True,
    metavar="NAME",
    help="Look only at the tools called NAME, such as github_*. May be repeated.",
)
@click.option(
    "--around", metavar="TOOL", help="Show only the links from and to TOOL, and their tools."
)
@click.option(
    "--cluster",
    type=Choice(get_args(Clustering)),
    default="name",
    help="The basis for clusters of tools; by default the first word of a name that is not a verb.",
)
@click.option("--all", "everything", is_flag=True, help="Show links that tell nothing, too.")
def graph(
    module: str | None,
    asked: ServerOptions | None,
    form: Form | None,
    file: str | None,
    only: tuple[str, ...],
    around: str | None,
    cluster: Clustering,
    everything: bool,
) -> None:
    """Print or draw which tool of TARGET feeds which.

    TARGET is a module or the path of one, module:name, a lock, a JSON file of definitions of tools,
    a document of OpenAPI, or one of these behind a revision of git.  A link leads from a tool's
    result, or a part of it, to a parameter that it fits by its type, if the names agree or the type
    is special.
    """
    if (module is None) is (asked is None):
        raise TypesigError("graph takes a module, or --mcp with a server")
    if asked is None:
        found = load_contracts(str(module))
    else:
        found = read_toolset(asked)
        tell_of(found, None)
    tools: list[DescribedTool] = [*(found.tools.values() if isinstance(found, Lock) else found)]
    tools = _select(tools, only) if only else tools
    chain = make_chain(tools, everything)
    if around is not None:
        chain = _select_around(chain, around)
    if form is None:
        ends = [each for each in _BY_SUFFIX if file is not None and file.endswith(each)]
        form = _BY_SUFFIX[ends[0]] if ends else "text"
    text = _write(chain, tools, form, cluster)
    if file is None:
        print_foreign(text.removesuffix("\n"))
        return
    try:
        with open(file, "w", encoding="utf-8", newline="\n") as out:
            out.write(text)
    except OSError as error:
        raise TypesigError(f"{file} cannot be written: {error.strerror}") from None
    print_errors(f"{file}: {chain!r}"[:-1].replace("<chain of ", ""))


def _select(tools: list[DescribedTool], patterns: Iterable[str]) -> list[DescribedTool]:
    """Filter *tools* by name *patterns*; raise `TypesigError` for one without a match."""
    names = [tool.name for tool in tools]
    found: set[str] = set()
    for pattern in patterns:
        fitting = {name for name in names if fnmatchcase(name, pattern)}
        if not fitting:
            raise TypesigError(explain_unknown_tool(pattern, names))
        found |= fitting
    return [tool for tool in tools if tool.name in found]


def _select_around(chain: Chain, name: str) -> Chain:
    """Return the part of *chain* with the tool *name* and its direct neighbours."""
    if name not in chain.tools:
        raise TypesigError(explain_unknown_tool(name, chain.tools))
    kept = chain.around(name)
    near = {name, *(link.source for link in kept), *(link.target for link in kept)}
    return Chain(tuple(each for each in chain.tools if each in near), kept.links, kept.notes)


def _write(chain: Chain, tools: Iterable[DescribedTool], form: Form, cluster: Clustering) -> str:
    """Draw the graph *chain* of *tools* in the output format *form*."""
    match form:
        case "svg":
            return draw_svg(chain, find_clusters(tools, cluster))
        case "mermaid":
            return write_mermaid(chain, find_clusters(tools, cluster))
        case "text":
            return f"{chain}\n"
        case "json":
            return f"{data.write_indented_json(chain.to_dict())}\n"
        case _:
            assert_never(form)
