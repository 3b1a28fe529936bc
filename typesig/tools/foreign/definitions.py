"""Definitions of tools, as vendors of models and MCP servers write them, as a toolset.

Its tools cannot be called: there is nothing behind them.  To read another form, add its row to
`FORMS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from typesig.errors import TooLarge, TypesigError, format_value
from typesig.limits import MAX_TOOLS
from typesig.tools.foreign.foreign import ForeignDefinition, foreign_tool
from typesig.tools.toolset import Toolset

#: A function without arguments, since a vendor writes no schema for it.
_NOTHING: dict[str, Any] = {"type": "object", "properties": {}}


class Form(NamedTuple):
    """A provider's format of tool definitions, with the keys of its parts.

    #: name: what messages call it; inside: the key of the part that has the rest, or empty
    #: needs: a key that only this form has, or empty
    #: input, output: the keys of the schemas; lowers: whether types are written in capitals
    """

    name: str
    inside: str
    needs: str
    input: tuple[str, ...]
    output: tuple[str, ...] = ()
    lowers: bool = False


#: The forms; the first whose keys a definition has is its form.
FORMS: tuple[Form, ...] = (
    Form("OpenAI, chat", "function", "function", ("parameters",)),
    Form("MCP", "", "inputSchema", ("inputSchema",), ("outputSchema",)),
    Form("Anthropic", "", "input_schema", ("input_schema",)),
    Form("OpenAI, responses", "", "type", ("parameters",)),
    Form(
        "Gemini",
        "",
        "name",
        ("parameters_json_schema", "parametersJsonSchema", "parameters"),
        ("response_json_schema", "responseJsonSchema", "response"),
        lowers=True,
    ),
)

#: The keys under which lists of definitions stand.
_LISTS = ("tools", "functionDeclarations", "function_declarations")


def holds_definitions(data: object) -> bool:
    """Whether *data* looks like a list or a container of tool definitions.

    >>> holds_definitions([{"name": "f", "input_schema": {}}]), holds_definitions({"openapi": "3"})
    (True, False)
    """
    if isinstance(data, list | tuple):
        return True
    return isinstance(data, dict) and any(key in data for key in (*_LISTS, "result", "name"))


def tools_of_definitions(data: object) -> Toolset:
    """Return the tools defined in *data*, a list of definitions or a container of one.

    Raises `TypesigError`, with the place, for what is no definition.

    >>> tools = tools_of_definitions([{"name": "f", "input_schema": {"type": "object"}}])
    >>> str(tools["f"].signature)
    '() -> :any'
    """
    made = []
    for place, each in _definitions("", data):
        made.append(foreign_tool(_uncalled, _defined(place, each)))
        if len(made) > MAX_TOOLS:
            raise TooLarge(f"there may be {MAX_TOOLS} definitions, here are more")
    return Toolset(made)


def _uncalled(**_: Any) -> Any:
    """Raise `TypesigError`: a tool read from a definition has no function."""
    raise TypesigError("a tool that was read from its definition cannot be called")


def _definitions(place: str, data: object) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield every tool definition in *data*, with its path from *place* on."""
    pending: list[tuple[str, object]] = [(place, data)]
    while pending:
        at, part = pending.pop()
        if isinstance(part, list | tuple):
            pending += [(f"{at}[{i}]", each) for i, each in reversed([*enumerate(part)])]
            continue
        if not isinstance(part, dict):
            raise TypesigError(
                f"{at or 'this'} is no definition of a tool, but {format_value(part)}"
            )
        inner = next((key for key in (*_LISTS, "result") if key in part), None)
        if inner is None or (inner == "result" and "name" in part):
            yield at, part
        else:
            pending.append((f"{at}.{inner}" if at else inner, part[inner]))


def _defined(place: str, given: Mapping[str, Any]) -> ForeignDefinition:
    """Read the tool definition *given* of any provider; *place* is for error messages."""
    for form in FORMS:
        found = given.get(form.inside) if form.inside else given
        if form.needs in given and isinstance(found, dict) and isinstance(found.get("name"), str):
            break
    else:
        raise TypesigError(
            f"{place or 'this'} is no definition of a tool: it has no name, or another form than "
            f"those of {', '.join(form.name for form in FORMS)}"
        )
    read: Callable[[Any], Any] = _lowered if form.lowers else lambda schema: schema
    annotations = given.get("annotations")
    return ForeignDefinition(
        found["name"],
        read(_first(found, form.input, _NOTHING)),
        read(_first(found, form.output, None)),
        _text(found, "description"),
        _text(found, "title"),
        annotations if isinstance(annotations, dict) else {},
    )


def _first(found: Mapping[str, Any], keys: tuple[str, ...], otherwise: Any) -> Any:
    """Return the value of *found* under the first present key of *keys*, or *otherwise*."""
    return next((found[key] for key in keys if found.get(key) is not None), otherwise)


def _text(found: Mapping[str, Any], key: str) -> str | None:
    """Return the text under *key* of *found*, or None."""
    text = found.get(key)
    return text if isinstance(text, str) else None


def _lowered(schema: Any) -> Any:
    """Convert the capitalised type names in *schema* to the names of JSON Schema.

    Names of properties stay, also `type`.
    """
    if isinstance(schema, list):
        return [_lowered(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    out: dict[Any, Any] = {}
    for key, value in schema.items():
        if key in ("enum", "default", "example"):
            out[key] = value
        elif key in ("properties", "$defs", "defs") and isinstance(value, dict):
            out[key] = {name: _lowered(each) for name, each in value.items()}
        elif key == "type" and isinstance(value, str):
            out[key] = value.lower()
        else:
            out[key] = _lowered(value)
    return out
