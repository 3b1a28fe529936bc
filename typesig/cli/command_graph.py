"""The command `typesig graph`."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Literal, TypeAlias, assert_never, get_args

import click

from typesig.calls.unknown import unknown_tool
from typesig.cli.inputs import data
from typesig.cli.inputs.output import complain
from typesig.cli.inputs.servers import Asked, of_held_server, say_of_others, toolset_of
from typesig.cli.work.plain_list import lacking_in, tell_of, tools_in
from typesig.contracts.chains.graph import Clustering, clusters_of
from typesig.contracts.chains.links import Chain
from typesig.contracts.chains.mermaid import mermaid_of
from typesig.contracts.chains.svg import svg_of
from typesig.errors import TypesigError
from typesig.tools.toolset import Toolset

#: What is written of a chain.
Form: TypeAlias = Literal["svg", "mermaid", "text", "json"]

#: The form of a file by the end of its name.
_BY_SUFFIX: dict[str, Form] = {
    ".svg": "svg", ".mmd": "mermaid", ".mermaid": "mermaid", ".json": "json"
}  # fmt: skip


@click.command()
@click.argument("module", metavar="[TARGET]", required=False)
@of_held_server
@click.option(
    "--to",
    "form",
    type=click.Choice(get_args(Form)),
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
    type=click.Choice(get_args(Clustering)),
    default="name",
    help="What tools are clustered by; the first word of their names that is no verb by default.",
)
@click.option("--all", "everything", is_flag=True, help="Show links that tell nothing, too.")
def graph(
    module: str | None,
    asked: Asked | None,
    form: Form | None,
    file: str | None,
    only: tuple[str, ...],
    around: str | None,
    cluster: Clustering,
    everything: bool,
) -> None:
    """Print or draw which tool of TARGET feeds which.

    TARGET is as MODULE of `list`.  A link leads from a tool's result, or a part of it, to a
    parameter that it fits by its type, if the names agree or the type is special.
    """
    if (module is None) is (asked is None):
        raise TypesigError("graph takes a module, or --mcp with a server")
    tools = tools_in(str(module), False) if asked is None else toolset_of(asked)
    lacking = "the server has no tools that can be called"
    tell_of(tools, lacking if module is None else lacking_in(module))
    tools = _selected(tools, only) if only else tools
    chain = tools.chain(all=everything)
    if around is not None:
        chain = _around(chain, around, tools)
    if form is None:
        ends = [each for each in _BY_SUFFIX if file is not None and file.endswith(each)]
        form = _BY_SUFFIX[ends[0]] if ends else "text"
    text = _written(chain, tools, form, cluster)
    if file is None:
        say_of_others(text.removesuffix("\n"))
        return
    try:
        with open(file, "w", encoding="utf-8", newline="\n") as out:
            out.write(text)
    except OSError as error:
        raise TypesigError(f"{file} cannot be written: {error.strerror}") from None
    complain(f"{file}: {chain!r}"[:-1].replace("<chain of ", ""))


def _selected(tools: Toolset, patterns: Iterable[str]) -> Toolset:
    """Return the tools with a name of *patterns*; raise `TypesigError` for one that has none."""
    found: dict[str, None] = {}
    for pattern in patterns:
        names = [name for name in tools.names if fnmatchcase(name, pattern)]
        if not names:
            raise TypesigError(unknown_tool(pattern, tools.names))
        found.update(dict.fromkeys(names))
    return tools.select(*[name for name in tools.names if name in found])


def _around(chain: Chain, name: str, tools: Toolset) -> Chain:
    """Return the links of the tool called *name*, and the tools that have one."""
    if name not in tools.names:
        raise TypesigError(unknown_tool(name, tools.names))
    kept = chain.around(name)
    near = {name, *(link.source for link in kept), *(link.target for link in kept)}
    return Chain(tuple(each for each in chain.tools if each in near), kept.links, kept.notes)


def _written(chain: Chain, tools: Toolset, form: Form, cluster: Clustering) -> str:
    match form:
        case "svg":
            return svg_of(chain, clusters_of(tools, cluster))
        case "mermaid":
            return mermaid_of(chain, clusters_of(tools, cluster))
        case "text":
            return f"{chain}\n"
        case "json":
            return f"{data.indented_json(chain.to_dict())}\n"
        case _:
            assert_never(form)
