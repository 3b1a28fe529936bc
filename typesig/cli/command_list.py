"""The command `list`: the tools of a module or a server, with costs, definitions and losses."""

from __future__ import annotations

import collections
import json
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, get_args

import click

from typesig.algebra.loss import Loss, LossKind
from typesig.algebra.redaction import redact
from typesig.cli.command_completion import complete_modules
from typesig.cli.inputs.data import write_indented_json
from typesig.cli.inputs.options import (
    Choice,
    ServerOptions,
    add_functions,
    add_locked_server_options,
    print_foreign,
    read_toolset,
)
from typesig.cli.inputs.output import print_errors, print_text
from typesig.cli.inputs.targets import (
    Functions,
    load_listed_tools,
    load_object,
    print_tools,
    tell_all,
)
from typesig.errors import TypesigError, format_message
from typesig.listings.budget import Costs
from typesig.listings.entries import TIERS, Sharing, Style
from typesig.notations.shorthand.writer import write_signature
from typesig.notations.texts.quoting import Counter, escape_surrogates
from typesig.providers.registry.provider import PROVIDER_NAMES
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset

# --- The command `typesig list` ---


@click.command("list")
@click.argument("module", required=False, shell_complete=complete_modules)
@add_locked_server_options
@add_functions("List")
@click.option(
    "--to",
    "receiver",
    type=Choice([*PROVIDER_NAMES, "json_schema"]),
    help="Print the definitions for a provider, as JSON, instead.",
)
@click.option(
    "--dialect",
    metavar="NAME",
    help="Print the tools as the system's turn of an open model lists them, whose dialect this is.",
)
@click.option("--strict", is_flag=True, help="With --to: for a provider's strict mode.")
@click.option("--api", help="With --to: the form of definitions, such as chat or responses.")
@click.option(
    "--style",
    type=Choice(get_args(Style)),
    help="How the listing is written; signature by default.",
)
@click.option("--tier", type=Choice(TIERS), help="How much of each tool; full by default.")
@click.option(
    "--types",
    type=Choice(get_args(Sharing)),
    help="With shared, records that stand twice are named once; inline by default.",
)
@click.option("--legend", is_flag=True, help="Begin with three lines about the notation.")
@click.option(
    "--tokens",
    metavar="COUNTER",
    help="Print what each tool and each part costs instead, counted by an encoding of tiktoken such"
    " as o200k_base, by characters, bytes, or module:function.",
)
@click.option(
    "--budget",
    type=click.IntRange(0),
    help="With --tokens: print the richest listing of this size instead.",
)
@click.option("--json", "as_json", is_flag=True, help="Print names, signatures and texts as JSON.")
@click.option(
    "-v", "--verbose", is_flag=True, help="Print each loss and warning, not only their number."
)
def list_(
    module: str | None,
    asked: ServerOptions | None,
    functions: Functions,
    receiver: str | None,
    dialect: str | None,
    strict: bool,
    api: str | None,
    tokens: str | None,
    budget: int | None,
    as_json: bool,
    verbose: bool,
    **chosen: Any,
) -> None:
    """Print the tools of MODULE as a model reads them.

    MODULE is a dotted name, the path of a file, or module:Class for the class and static methods of
    a class; if it decorates no tools, its public functions are listed.  With --mcp, the tools of a
    server are listed instead of those of MODULE.  With --to, what definitions do not say is printed
    on standard error; with --style, what the listing does not say.
    """
    _check_source(module, asked)
    if receiver is None and (strict or api is not None):
        raise TypesigError("--strict and --api need --to")
    given = {name: value for name, value in chosen.items() if value}
    forms = {"--to": receiver, "--dialect": dialect, "--json": as_json}
    form = _get_only_form([name for name, asked_for in forms.items() if asked_for], given, tokens)
    if budget is not None and tokens is None:
        raise TypesigError("--budget needs --tokens")
    if module is not None and not (form or given or tokens):
        print_tools(module, functions, verbose)
        return
    tools = load_listed_tools(str(module), functions) if asked is None else read_toolset(asked)

    if tokens is not None:
        text = write_costs(tools, tokens, budget, given)
    elif receiver is not None:
        text = write_definitions(tools, receiver, strict, api, verbose)
    elif dialect is not None:
        text = tools.prompt(dialect=dialect)
    elif as_json:
        text = write_data(tools)
    else:
        text = write_listing(tools, given, verbose)
    (print_text if asked is None else print_foreign)(text)
    tell_all(tools, module, verbose)


def _check_source(module: str | None, asked: ServerOptions | None) -> None:
    """Raise `TypesigError` if there is neither a module nor a server, or both."""
    if (module is None) is (asked is None):
        raise TypesigError("list takes a module, or --mcp with a server")


def _get_only_form(forms: list[str], given: dict[str, Any], tokens: str | None) -> str | None:
    """Return the only output format option in *forms*, or None; raise for several.

    Raises `TypesigError` for two of them, and for one with options of the listing.
    """
    if len(forms) > 1:
        raise TypesigError(f"{forms[0]} and {forms[1]} are forms of their own; give one of them")
    if forms and (given or tokens is not None):
        options = "--style, --tier, --types, --legend and --tokens"
        raise TypesigError(f"{options} do not go with {forms[0]}")
    return forms[0] if forms else None


# --- Forms of `typesig list` other than the plain listing: costs, definitions, losses ---


def make_counter(name: str) -> Counter:
    """Return the counter that `--tokens` names, or raise `TypesigError`."""
    if name == "characters":
        return len
    if name == "bytes":
        return lambda text: len(text.encode("utf-8", "surrogatepass"))
    if ":" in name:
        found: Any = load_object(name)
        return found  # type: ignore[no-any-return]  # the library checks what it returns
    try:
        tiktoken = import_module("tiktoken")
    except ImportError:
        raise TypesigError(
            f"--tokens {name} is an encoding of tiktoken, which is not installed; write "
            "characters, bytes, or module:function for a function that returns the size of a text"
        ) from None
    try:
        encoding = tiktoken.get_encoding(name)
    except Exception as error:
        known = tiktoken.list_encoding_names()
        if name not in known:
            raise TypesigError(
                f"tiktoken has no encoding {name}; it has {', '.join(known)}"
            ) from None
        # A file that cannot be loaded: the package has many kinds of errors.
        why = " ".join(format_message(str(error)).split())
        raise TypesigError(f"tiktoken cannot load the encoding {name}: {why}") from None
    return lambda text: len(encoding.encode_ordinary(text))


def iter_cost_lines(costs: Costs) -> Iterator[str]:
    """Yield the lines of a table: each tool, each type that tools share, and the sums."""
    rows = [*costs.tools, *[cost._replace(name=f":{cost.name}") for cost in costs.ahead]]
    sums = costs.sums._replace(name="all of them")
    width = max(len(row.name) for row in [*rows, sums])
    yield f"{'':{width}}{'names':>9}{'types':>9}{'prose':>9}{'total':>9}"
    for row in [*rows, sums]:
        yield f"{row.name:{width}}{row.names:9}{row.types:9}{row.prose:9}{row.total:9}"
    yield f"{'the heading and blank lines':{width + 27}}{costs.around:9}"
    yield f"{'the listing':{width + 27}}{costs.total:9}"


def write_costs(tools: Toolset, counter: str, budget: int | None, given: dict[str, Any]) -> str:
    """Costs of the listing of *tools*, or the richest listing within *budget*."""
    count = make_counter(counter)
    if budget is None:
        return "\n".join(iter_cost_lines(tools.tokens(count, **given)))
    return tools.fit(count, budget, **given).text


def write_listing(tools: Toolset, given: dict[str, Any], verbose: bool) -> str:
    """Listing of *tools*; losses of its style go to standard error."""
    made = tools.listing(**given)
    print_losses(made.losses if "style" in given else (), verbose)
    return made.text()


def write_data(tools: Toolset) -> str:
    """Return the names, signatures and texts of *tools* as JSON."""
    return write_indented_json([_to_data(one) for one in tools])


def _to_data(one: Tool[..., Any]) -> dict[str, Any]:
    """Convert a tool to JSON data: name, signature, description and warnings."""
    warnings = [str(warning) for warning in one.warnings]
    signature = write_signature(redact(one.signature))
    about = {"name": one.name, "signature": signature, "description": one.description}
    return {**about, "warnings": warnings}


def write_definitions(
    tools: Toolset, receiver: str, strict: bool, api: str | None, verbose: bool
) -> str:
    """Return the definitions of *tools* as JSON; print losses and exceeded limits.

    Raises `TypesigError` for an option that *receiver* lacks.
    """
    options: dict[str, Any] = {"strict": True} if strict else {}
    options = options if api is None else {**options, "api": api}
    if receiver == "json_schema":
        if options:
            raise TypesigError("--strict and --api are for a provider")
        losses = [loss.below(one.name) for one in tools for loss in one.signature.schema_losses()]
        print_losses(losses, verbose)
        return _write_text([_get_schemas(one) for one in tools])
    # Loaded for definitions only.
    from typesig.providers.projection.projection import project

    made = project(tools, receiver, options)
    print_losses(made.losses, verbose)
    print_errors(map(str, made.check()))
    return _write_text(list(made.definitions))


def _get_schemas(one: Any) -> dict[str, Any]:
    """Return the name, description and schemas of the tool *one* as JSON data."""
    described = {} if one.description is None else {"description": one.description}
    schemas = {"input": one.signature.input_schema(), "output": one.signature.to_json_schema()}
    return {"name": one.name, **described, **schemas}


def _write_text(definitions: list[dict[str, Any]]) -> str:
    """Write *definitions* as indented JSON text that can be encoded."""
    return escape_surrogates(json.dumps(definitions, ensure_ascii=False, indent=2))


#: How many sums are shown, and how many losses are always shown one by one.
_SUMS, _FEW = 8, 3


def list_losses(losses: Sequence[Loss], verbose: bool) -> list[str]:
    """Write *losses* as lines, summed up by kind unless *verbose*.

    >>> list_losses([Loss("omitted", (f"t{n}",), "the default", "no") for n in range(5)], False)
    ['the default (omitted): 5 in 5 tools, first t0']
    """
    if verbose or len(losses) <= _FEW:
        return [f"{loss} ({loss.kind})" for loss in losses]
    sorts: collections.Counter[tuple[str, LossKind]] = collections.Counter(
        (each.what, each.kind) for each in losses
    )
    lines = []
    for (what, kind), times in sorts.most_common(_SUMS):
        places = [each.path for each in losses if (each.what, each.kind) == (what, kind)]
        tools = len({path[:1] for path in places})
        count = f"{times} in {tools} tool{'' if tools == 1 else 's'}"
        lines.append(f"{what} ({kind}): {count}, first {'.'.join(places[0])}")
    if len(sorts) > _SUMS:
        others = sum(times for _, times in sorts.most_common()[_SUMS:])
        lines.append(f"{len(sorts) - _SUMS} other sorts: {others}")
    return lines


def print_losses(losses: Sequence[Loss], verbose: bool) -> None:
    """Print *losses* to standard error, summed up by kind unless *verbose*."""
    lines = list_losses(losses, verbose)
    print_errors(lines, "lost")
    if len(lines) < len(losses):
        print_errors(f"-v shows each of these {len(losses)} losses")
