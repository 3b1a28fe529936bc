"""Forms of `typesig list` other than the plain listing: costs, definitions, losses."""

from __future__ import annotations

import collections
import json
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

from typesig.algebra.loss import Loss, LossKind
from typesig.algebra.views.redaction import redact
from typesig.cli.inputs.data import write_indented_json
from typesig.cli.inputs.output import print_errors
from typesig.cli.inputs.targets import load_object
from typesig.errors import TypesigError, format_message
from typesig.listings.budget import Costs
from typesig.notations.shorthand.writer import write_signature
from typesig.notations.texts.counters import Counter
from typesig.notations.texts.quoting import escape_surrogates
from typesig.providers.projection.projection import project
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset


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
