"""The command `typesig show`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from typesig.algebra.constructors import text_of
from typesig.algebra.nodes import Field
from typesig.cli.inputs.completing import tools
from typesig.cli.inputs.data import indented_json
from typesig.cli.inputs.output import BAD, say, say_wrapped, stop
from typesig.cli.inputs.targets import object_of
from typesig.extraction.callables.callables import callee_of
from typesig.extraction.callables.params import EMPTY, Param
from typesig.extraction.callables.warnings import HintWarning, hint_text
from typesig.extraction.docstrings.docs import read_docstring
from typesig.extraction.extract import extract
from typesig.listings import listing
from typesig.notations.shorthand.writer import field_text, type_text
from typesig.tools.tool import Tool


@click.command()
@click.argument("target", shell_complete=tools)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(target: str, as_json: bool) -> None:
    """Print the type that each hint of TARGET became.

    TARGET is module:name; every warning is printed too.
    """
    if as_json:
        say(indented_json(data_of_callable(object_of(target))))
        return
    for text, style, indent in lines_of_callable(object_of(target)):
        say_wrapped(text, indent, style)


#: A text, its style, and its indentation.
Line = tuple[str, str, str]


def data_of_callable(target: Any) -> dict[str, Any]:
    """Return what `lines_of_callable` tells of *target* as data: hints, types and warnings."""
    callee, found = _read(target)
    signature = found.signature
    fields = {field.name: field for field in signature.params}
    hints = {param.name: hint_text(param.annotation) for param in callee.params or ()}
    hints = {name: hint for name, hint in hints.items() if hint != hint_text(EMPTY)}
    taken = [
        {
            "name": name,
            "hint": hints.get(name),
            "type": type_text(fields[name].type, described=False) if name in fields else None,
            "description": text_of(fields[name].type) if name in fields else None,
            "hidden": name not in fields or fields[name].firewalled,
        }
        for name in {**dict.fromkeys(p.name for p in callee.params or ()), **fields}
    ]
    return {
        "name": found.name,
        "signature": str(signature),
        "description": found.description,
        "params": taken,
        "returns": type_text(signature.returns, described=False),
        "warnings": [str(warning) for warning in found.warnings],
    }


def _read(target: Any) -> tuple[Any, Any]:
    """Return the callee of *target*, and what has its signature; stop if it has none."""
    found = target if isinstance(target, Tool) else extract(target)
    if found.signature is None:
        stop(f"{found.name} has no hints; give it an explicit signature", BAD)
    return callee_of(target._function if isinstance(target, Tool) else target), found


def lines_of_callable(target: Any) -> Iterator[Line]:
    """Yield the lines about *target*: its listing, each hint and its type, each warning."""
    callee, found = _read(target)
    function = target._function if isinstance(target, Tool) else target
    name, signature, warnings = found.name, found.signature, found.warnings
    description = found.description
    yield f"{name}{signature}", "bold", ""
    for line in listing.lines_of(description):
        yield line, "", "  "
    details = extract(function).details
    if details:
        yield "", "", ""
        yield "also in the docstring, but not in the listing:", "dim", "  "
        for line in listing.lines_of(details):
            yield line, "dim", "    "
    yield "", "", ""
    fields = {field.name: field for field in signature.params}
    doc = read_docstring(callee.doc)
    for param in callee.params or ():
        hint = _hint(param.annotation, doc.types.get(param.name))
        yield from _param(param, hint, fields.pop(param.name, None))
    for field in fields.values():
        yield f"{field_text(field, described=False)}   (given by the signature)", "", ""
    hint = _hint(callee.returns, doc.returned)
    yield f"returns: {hint}  →  {type_text(signature.returns, described=False)}", "", ""
    yield from _text(text_of(signature.returns))
    for definition in signature.definitions:
        yield f"where {definition.name} = {type_text(definition.type, described=False)}", "", ""
    yield from _warnings(warnings)


def _param(param: Param, hint: str, field: Field | None) -> Iterator[Line]:
    if field is None:
        taken = param.kind == "VAR_KEYWORD"
        became = "other named arguments" if taken else "given by the host, hidden from the model"
        yield f"{param.name}: {hint}  →  {became}", "", ""
        return
    hidden = "   (hidden from the model)" if field.firewalled else ""
    became = field_text(field, described=False)
    yield f"{param.name}: {hint}  →  {became}{hidden}", "", ""
    yield from _text(text_of(field.type))


def _hint(hint: Any, written: str | None) -> str:
    if hint is not EMPTY:
        return hint_text(hint)
    return "(no hint)" if written is None else f"{written} (from the docstring)"


def _text(text: str | None) -> Iterator[Line]:
    for line in listing.lines_of(text):
        yield line, "dim", "    "


def _warnings(warnings: tuple[HintWarning, ...]) -> Iterator[Line]:
    if warnings:
        yield "", "", ""
        yield "warnings", "bold", ""
    for warning in warnings:
        yield f"- {warning}", "yellow", ""
