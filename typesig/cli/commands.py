"""The commands, one function each."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from typing import Any, assert_never

import click

import typesig as library
from typesig.algebra.loss import Losses
from typesig.cli import data, servers
from typesig.cli.bulk import Progress
from typesig.cli.calls import names_tool, run, text_read, tool_named
from typesig.cli.output import BAD, complain, say, say_wrapped, stop
from typesig.cli.servers import of_server, outcome_of, say_of_others, toolset_of
from typesig.cli.targets import object_of, tools_in
from typesig.errors import TypesigError
from typesig.limits import MAX_JOBS
from typesig.notations import NOTATIONS, parse_with_losses, readable
from typesig.notations.notation import NotationName
from typesig.validation import excerpt
from typesig.validation.policy import MODES, ModeName

_WIDE = {"max_content_width": 100, "help_option_names": ["-h", "--help"]}


class _Group(click.Group):
    """A group that prints one line for an error of ours."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except TypesigError as error:
            stop(str(error))
        except BrokenPipeError:
            # The reader has closed the pipe; click exits quietly.
            raise
        except OSError as error:
            stop(f"the output cannot be written: {(error.strerror or str(error)).lower()}")


@click.group(cls=_Group, context_settings=_WIDE)
@click.version_option(library.__version__, prog_name="typesig")
def typesig() -> None:
    """Contracts between Python functions and language models."""


_UNDECORATED = click.option(
    "--all", "undecorated", is_flag=True, help="List public functions as well as tools."
)


@typesig.command("list")
@click.argument("module", required=False)
@of_server
@_UNDECORATED
@click.option(
    "--to",
    "receiver",
    type=click.Choice(["openai", "anthropic", "gemini", "mcp", "json_schema"]),
    help="Print the definitions for a provider, as JSON, instead.",
)
@click.option("--strict", is_flag=True, help="With --to: for a provider's strict mode.")
@click.option("--api", help="With --to: the form of definitions, such as chat or responses.")
def list_(
    module: str | None,
    server: servers.Asked | None,
    undecorated: bool,
    receiver: str | None,
    strict: bool,
    api: str | None,
) -> None:
    """Print the tools of MODULE as a model reads them.

    MODULE is a dotted name, the path of a file, or module:Class for the class and static methods of
    a class; if it decorates no tools, its public functions are listed.  With --mcp, the tools of a
    server are listed instead of those of MODULE.  With --to, what definitions do not say is printed
    on standard error.
    """
    if receiver is None and (strict or api is not None):
        raise TypesigError("--strict and --api need --to")
    if (module is None) is (server is None):
        raise TypesigError("list takes a module, or --mcp with a server")
    tools = tools_in(module, undecorated) if server is None else toolset_of(server)
    write = say if server is None else say_of_others
    if receiver is None:
        write(tools.prompt())
    else:
        write(_list_for(tools, receiver, strict, api))
    for warning in tools.warnings:
        complain(str(warning))
    if not len(tools):
        lacking = f"{module} has no public functions with hints"
        stop(lacking if server is None else "the server has no tools that can be called", BAD)


def _list_for(tools: library.Toolset, receiver: str, strict: bool, api: str | None) -> str:
    """Return the definitions of *tools* for *receiver*; complain of what they do not say."""
    from typesig.cli.definitions import definitions_of

    options = {"strict": True} if strict else {}
    text, lines = definitions_of(
        tools, receiver, options if api is None else {**options, "api": api}
    )
    complain(lines)
    return text


@typesig.command()
@click.argument("target")
def show(target: str) -> None:
    """Print the type that each hint of TARGET became.

    TARGET is module:name; every warning is printed too.
    """
    from typesig.cli.display import lines_of_callable

    for text, style, indent in lines_of_callable(object_of(target)):
        say_wrapped(text, indent, style)


_FROM = click.option(
    "--from",
    "source",
    type=click.Choice(readable()),
    default="shorthand",
    help="The notation of SIGNATURE.",
)
_RESOURCE = click.option(
    "--resource",
    "resources",
    metavar="URI=FILE",
    multiple=True,
    help="A schema that references lead to (json_schema). May be repeated.",
)
_TO = click.option(
    "--to",
    "notation",
    type=click.Choice(list(NOTATIONS)),
    default="shorthand",
    help="The notation to write.",
)
_JOBS = click.option(
    "--jobs", type=click.IntRange(1, MAX_JOBS), default=1, metavar="N",
    help="Read the lines in N processes; the output is the same.",
)  # fmt: skip
_PROGRESS = click.option(
    "--progress", is_flag=True, help="Count the values on standard error, as at a terminal."
)
_MODE = click.option(
    "--mode",
    type=click.Choice(list(MODES)),
    help="How strict a check is; enabled, or the tool's own.",
)


@typesig.command()
@click.argument("signature")
@click.argument("file", default="-")
@of_server
@_FROM
@_RESOURCE
@click.option("--output", is_flag=True, help="Check against the result, not the parameters.")
@_MODE
@click.option("--quiet", "-q", is_flag=True, help="Print only errors.")
@click.option("--all", "everything", is_flag=True, help="Print all lines, however many there are.")
@click.option("--summary", is_flag=True, help="Count the errors by path and code instead.")
@click.option("--bad", "kept", metavar="FILE", help="Write the rows that do not fit to FILE.")
@_JOBS
@_PROGRESS
def check(
    signature: str,
    file: str,
    server: servers.Asked | None,
    source: NotationName,
    resources: tuple[str, ...],
    output: bool,
    mode: ModeName | None,
    quiet: bool,
    everything: bool,
    summary: bool,
    kept: str | None,
    jobs: int,
    progress: bool,
) -> None:
    """Check the data in FILE against SIGNATURE.

    FILE contains JSON, or JSONL with one value a line; - is standard input.
    The data is checked against the parameters of SIGNATURE if it has any, else against its result,
    where text is read as a datetime or a keyword, and a list as a set.
    SIGNATURE may be module:name instead, a tool: the data is its arguments, or calls of it as a
    provider's client records them; nothing is run.  With --mcp it is the name of a server's tool.
    The exit status is 0 if all data fits, 1 if some does not, 2 for wrong usage.
    """
    from typesig.cli.checking import Asked, Report, found_in

    if server is not None and jobs > 1:
        raise TypesigError("--jobs is without --mcp: a server's tools stay in their process")
    tools = None if server is None else toolset_of(server, signature)
    if server is None and source == "shorthand" and names_tool(signature):
        tools = tool_named(signature)
    if tools is None:
        parsed, _ = _parsed(signature, source, resources)
    else:
        [one] = tools
        parsed = one.signature
    target = None if tools is None or output else signature
    name = data.name_of(file)
    asked = Asked(parsed, name, output, mode, quiet, everything, kept is not None, summary, target)
    lines = Progress(progress).over(data.read_lines(file))
    with data.rows_to(kept, file) as rows:
        report = Report(everything, rows, "value" if target is None else "call")
        # An error closes what runs at once, processes among it.
        with closing(found_in(asked, lines, jobs, tools)) as found:
            for each in found:
                report.take(each)
    report.close()
    if not quiet:
        say(report.summary())
    sys.exit(BAD if report.bad else 0)


@typesig.command("call")
@click.argument("target")
@click.argument("arguments", default="{}")
@of_server
@_MODE
@click.option("--quiet", "-q", is_flag=True, help="Print no warnings.")
def call_(
    target: str,
    arguments: str,
    server: servers.Asked | None,
    mode: ModeName | None,
    quiet: bool,
) -> None:
    """Call TARGET, a tool, with ARGUMENTS as a model would, and print what the model reads.

    TARGET is module:name, or with --mcp the name of a server's tool; ARGUMENTS is JSON text, or -
    for standard input.
    The exit status is 0 for a result, 1 for errors, 2 for wrong usage.
    """
    text = data.text_of(arguments)
    outcome = run(target, text, mode) if server is None else outcome_of(server, target, text, mode)
    if not outcome.ok:
        complain(outcome.feedback())
        sys.exit(BAD)
    write = say if server is None else say_of_others
    write(text_read(outcome))
    if not quiet:
        complain(f"warning: {issue}" for issue in (*outcome.warnings, *outcome.left_out()))


@typesig.command("serve")
@click.argument("target", required=False)
@of_server
@click.option("--select", "names", metavar="NAME", multiple=True,
    help="With --mcp: serve only this tool. May be repeated.",
)  # fmt: skip
@click.option("--prefix", default="", help="With --mcp: what is put before the name of each tool.")
@click.option("--http", is_flag=True, help="Serve over HTTP, not over standard input and output.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
    help="The port to listen at; 0 is any free one.",
)  # fmt: skip
@click.option("--path", default="/mcp", show_default=True, help="The path of the address.")
@click.option(
    "--token-env", "variable", metavar="NAME",
    help="The variable with the bearer token; without, TYPESIG_MCP_TOKEN if it is set.",
)  # fmt: skip
@click.option(
    "--allow-host", "hosts", metavar="NAME", multiple=True,
    help="Another name of the server. May be repeated.",
)  # fmt: skip
@click.option(
    "--allow-origin", "origins", metavar="ORIGIN", multiple=True,
    help="Web pages that may ask, as https://example.org. May be repeated.",
)  # fmt: skip
@click.option(
    "--lifespan", metavar="TARGET",
    help="The function that yields injected parameters, as module:name.",
)  # fmt: skip
@click.option(
    "--seconds", type=click.FloatRange(0, min_open=True), metavar="N",
    help="Cancel a call that takes longer.",
)  # fmt: skip
@_MODE
@click.option("--all", "undecorated", is_flag=True, help="Serve public functions as well as tools.")
def serve_(
    target: str | None,
    server: servers.Asked | None,
    names: tuple[str, ...],
    prefix: str,
    http: bool,
    lifespan: str | None,
    seconds: float | None,
    mode: ModeName | None,
    undecorated: bool,
    **where: Any,
) -> None:
    """Serve the tools of TARGET over MCP, to one client or over HTTP.

    TARGET is a module or the path of a file, or module:name for a class, a function, a toolset, or
    a server that `typesig.mcp.server` made.  Without --http, the client is the program that started
    the command, and talks to it over standard input and output; what tools print goes to standard
    error.  Over HTTP, another address than the loopback one needs a token.
    With --mcp, the tools of another server are served, checked and mended by the mode.
    """
    from typesig.cli import proxying, serving

    given = click.get_current_context().get_parameter_source
    default = click.core.ParameterSource.DEFAULT
    if not http and any(given(name) is not default for name in where):
        raise TypesigError("--host, --port, --path, --token-env and --allow-… need --http")
    if (target is None) is (server is None):
        raise TypesigError("serve takes a target, or --mcp with a server")
    listening = serving.Listening(**where) if http else None
    if server is not None:
        if undecorated or lifespan is not None:
            raise TypesigError("--all and --lifespan are for a target, not for --mcp")
        proxying.serve(proxying.Proxied(server, names, prefix, mode, seconds), listening)
        return
    if names or prefix:
        raise TypesigError("--select and --prefix need --mcp")
    assert target is not None
    asked = serving.Asked(target, undecorated, lifespan, mode, seconds)
    serving.serve(lambda: serving.server_of(asked), listening)


#: The notations that write the names of parameters only on request.
_NAMING = [name for name, notation in NOTATIONS.items() if "named" in notation.options]


@typesig.command()
@click.argument("signature")
@_FROM
@_RESOURCE
@_TO
@click.option("--lossy", is_flag=True, help="Widen what cannot be read.")
@click.option(
    "--named", is_flag=True, help=f"Write the names of parameters too ({', '.join(_NAMING)})."
)
def convert(
    signature: str,
    source: NotationName,
    resources: tuple[str, ...],
    notation: NotationName,
    lossy: bool,
    named: bool,
) -> None:
    """Print SIGNATURE in another notation.

    SIGNATURE is text; Malli may be JSON or EDN; a JSON Schema may also be the path of its file, or
    - for standard input.  Losses in reading and in writing are printed to standard error.
    """
    parsed, losses = _parsed(signature, source, resources, lossy)
    _say_converted(parsed, notation, losses, {"named": True} if named else {})


def _say_converted(
    x: object,
    notation: NotationName,
    losses: Losses = (),
    options: dict[str, Any] | None = None,
) -> None:
    result, others = library.convert(x, notation, **(options or {}))
    say(result if isinstance(result, str) else data.indented_json(result))
    complain(f"lost: {loss}" for loss in (*losses, *others))


def _parsed(
    signature: str, source: NotationName, resources: Sequence[str], lossy: bool = False
) -> tuple[library.Signature, Losses]:
    """Return the signature that *signature* denotes in the notation *source*, and the losses."""
    options = {"resources": _resources(resources)} if resources else {}
    return parse_with_losses(_given(signature, source), source, lossy=lossy, **options)


def _resources(given: Sequence[str]) -> dict[str, Any]:
    """Return the schemas of `URI=FILE`, by URI, which may contain a `=` itself."""
    found = {}
    for each in given:
        uri, sign, file = each.rpartition("=")
        if not sign:
            stop(f"--resource is URI=FILE, not {excerpt.shown(each)}")
        found[uri] = data.read_document(file)
    return found


def _given(argument: str, source: NotationName) -> object:
    """Return what the parser of the notation *source* takes for *argument*."""
    given = NOTATIONS[source].given
    match given:
        case "json":
            return data.read_document(argument)
        case "json or text":
            return data.json_or_text(argument)
        case "text":
            return argument
        case _:
            assert_never(given)


@typesig.command()
@click.argument("file", default="-")
@click.option("--each", is_flag=True, help="Take each item of a list as a separate sample.")
@click.option(
    "--enums", type=click.IntRange(1), metavar="N",
    help="Infer enums of at most N texts, each seen twice on average.",
)  # fmt: skip
@click.option(
    "--maps", type=click.IntRange(1), metavar="N",
    help="Infer maps from records of more than N optional names with values of one type.",
)  # fmt: skip
@click.option("--tuples", is_flag=True, help="Infer tuples from lists of one length.")
@click.option("--formats", is_flag=True, help="Infer formats: dates, times, UUIDs, addresses.")
@click.option("--closed", is_flag=True, help="Make records closed: they take no other names.")
@_JOBS
@_PROGRESS
@_TO
def infer(
    file: str, each: bool, jobs: int, progress: bool, notation: NotationName, **options: Any
) -> None:
    """Print the tightest sensible type of the samples in FILE.

    FILE contains JSON, one sample, or JSONL with one sample a line; - is standard input.
    If a sample cannot be read, the error goes to standard error and the exit status is 1; the type
    is that of the other samples.
    """
    from typesig.cli.samples import Sampled, samples_in

    asked = Sampled(data.name_of(file), each, options)
    found, bad = samples_in(asked, Progress(progress).over(data.read_lines(file)), jobs)
    if found.count:
        _say_converted(found.signature().returns, notation)
    elif not bad:
        complain("there is no sample; the lists are empty")
    sys.exit(BAD if bad or not found.count else 0)
