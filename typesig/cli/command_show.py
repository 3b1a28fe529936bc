"""The command `typesig show`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from typesig.algebra.constructors import get_description
from typesig.algebra.nodes import Field
from typesig.cli.command_completion import complete_tools
from typesig.cli.inputs.data import write_indented_json
from typesig.cli.inputs.output import BAD, print_text, print_wrapped, stop
from typesig.cli.inputs.targets import load_object
from typesig.extraction.callables.callables import read_callee
from typesig.extraction.callables.parameters import EMPTY, Param
from typesig.extraction.callables.warnings import HintWarning, format_hint
from typesig.extraction.docstrings.docs import read_docstring
from typesig.extraction.extract import extract
from typesig.listings import entries
from typesig.notations.shorthand.writer import write_field, write_type
from typesig.tools.tool import Tool


@click.command()
@click.argument("target", shell_complete=complete_tools)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(target: str, as_json: bool) -> None:
    """Print the type that each hint of TARGET became.

    TARGET is module:name; every warning is printed too.
    """
    if as_json:
        print_text(write_indented_json(describe_as_data(load_object(target))))
        return
    for text, style, indent in iter_lines(load_object(target)):
        print_wrapped(text, indent, style)


#: A text, its style, and its indentation.
Line = tuple[str, str, str]


def describe_as_data(target: Any) -> dict[str, Any]:
    """Hints, types and warnings of *target* as data."""
    callee, found = _read_callable(target)
    signature = found.signature
    fields = {field.name: field for field in signature.params}
    hints = {param.name: format_hint(param.annotation) for param in callee.params or ()}
    hints = {name: hint for name, hint in hints.items() if hint != format_hint(EMPTY)}
    taken = [
        {
            "name": name,
            "hint": hints.get(name),
            "type": write_type(fields[name].type, described=False) if name in fields else None,
            "description": get_description(fields[name].type) if name in fields else None,
            "hidden": name not in fields or fields[name].firewalled,
        }
        for name in {**dict.fromkeys(p.name for p in callee.params or ()), **fields}
    ]
    return {
        "name": found.name,
        "signature": str(signature),
        "description": found.description,
        "params": taken,
        "returns": write_type(signature.returns, described=False),
        "warnings": [str(warning) for warning in found.warnings],
    }


def _read_callable(target: Any) -> tuple[Any, Any]:
    """Read the hints of *target*, and extract its signature; stop if there are none."""
    found = target if isinstance(target, Tool) else extract(target)
    if found.signature is None:
        stop(f"{found.name} has no hints; give it an explicit signature", BAD)
    return read_callee(target._function if isinstance(target, Tool) else target), found


def iter_lines(target: Any) -> Iterator[Line]:
    """Yield the lines about *target*: its listing, each hint and its type, each warning."""
    callee, found = _read_callable(target)
    function = target._function if isinstance(target, Tool) else target
    name, signature, warnings = found.name, found.signature, found.warnings
    description = found.description
    yield f"{name}{signature}", "bold", ""
    for line in entries.split_lines(description):
        yield line, "", "  "
    details = extract(function).details
    if details:
        yield "", "", ""
        yield "also in the docstring, but not in the listing:", "dim", "  "
        for line in entries.split_lines(details):
            yield line, "dim", "    "
    yield "", "", ""
    fields = {field.name: field for field in signature.params}
    doc = read_docstring(callee.doc)
    for param in callee.params or ():
        hint = _format_hint(param.annotation, doc.types.get(param.name))
        yield from _iter_param_lines(param, hint, fields.pop(param.name, None))
    for field in fields.values():
        yield f"{write_field(field, described=False)}   (given by the signature)", "", ""
    hint = _format_hint(callee.returns, doc.returned)
    yield f"returns: {hint}  →  {write_type(signature.returns, described=False)}", "", ""
    yield from _iter_text_lines(get_description(signature.returns))
    for definition in signature.definitions:
        yield f"where {definition.name} = {write_type(definition.type, described=False)}", "", ""
    yield from _iter_warning_lines(warnings)


def _iter_param_lines(param: Param, hint: str, field: Field | None) -> Iterator[Line]:
    """Yield lines that show a parameter with its *hint* and its *field* for the model."""
    if field is None:
        taken = param.kind == "VAR_KEYWORD"
        became = "other named arguments" if taken else "given by the host, hidden from the model"
        yield f"{param.name}: {hint}  →  {became}", "", ""
        return
    hidden = "   (hidden from the model)" if field.firewalled else ""
    became = write_field(field, described=False)
    yield f"{param.name}: {hint}  →  {became}{hidden}", "", ""
    yield from _iter_text_lines(get_description(field.type))


def _format_hint(hint: Any, written: str | None) -> str:
    """Write the type *hint* or, if absent, the type *written* in the docstring."""
    if hint is not EMPTY:
        return format_hint(hint)
    return "(no hint)" if written is None else f"{written} (from the docstring)"


def _iter_text_lines(text: str | None) -> Iterator[Line]:
    """Yield the lines of the description *text*, indented and dimmed."""
    for line in entries.split_lines(text):
        yield line, "dim", "    "


def _iter_warning_lines(warnings: tuple[HintWarning, ...]) -> Iterator[Line]:
    """Yield a headed list of *warnings*, nothing if there are none."""
    if warnings:
        yield "", "", ""
        yield "warnings", "bold", ""
    for warning in warnings:
        yield f"- {warning}", "yellow", ""
