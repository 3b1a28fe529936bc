"""Tools as the template of a family lists them for the model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from textwrap import indent
from typing import Any

from typesig.providers.dialects.call_writer import (
    fill_template,
    find_marks,
    split_marks,
    write_bare,
    write_calls,
    write_json,
)
from typesig.providers.dialects.dialect import BareForm, Dialect, ToolForm, ToolListing

#: What lists the tools of a dialect of whose templates nothing is known.
_USUAL = ToolListing(
    "# Tools\n\nYou may call one or more of these functions, described in JSON Schema:\n"
    "<tools>\n{tools}\n</tools>\n\nTo call functions, write exactly in this form:\n",
    "tool",
)
_EXAMPLE = (
    ("function_1", {"parameter_1": "value", "parameter_2": 1}),
    ("function_2", {"parameter_1": "value"}),
)


def write_tools(definitions: Sequence[Mapping[str, Any]], dialect: Dialect) -> str:
    """Write the list of the tools in *definitions*, which have Chat Completions form.

    It is that of the dialect's `listing`, or else a usual text with an example of calls.  A mark
    in a description, which would end it, has a space within.
    """
    listing = dialect.listing or _USUAL
    write = _FORMS[listing.form]
    marks = (*dialect.marks, *find_marks(listing.text), *find_marks(listing.item))
    made = []
    for each in definitions:
        function = _split_marks_in_data(each["function"], marks)
        made.append(fill_template(listing.item, {"tool": write(function, listing, dialect)}))
    text = fill_template(listing.text, {"tools": listing.between.join(made)})
    return text if dialect.listing else text + write_calls(_EXAMPLE, dialect)


def _split_marks_in_data(data: Any, marks: Sequence[str]) -> Any:
    """Copy *data* with the *marks* in its keys and texts split."""
    match data:
        case str():
            return split_marks(data, marks)
        case Mapping():
            return {
                split_marks(key, marks): _split_marks_in_data(each, marks)
                for key, each in data.items()
            }
        case list():
            return [_split_marks_in_data(each, marks) for each in data]
        case _:
            return data


def _get_properties(function: Mapping[str, Any]) -> Mapping[str, Any]:
    """Schemas of the parameters of a *function* definition, by name."""
    found: Mapping[str, Any] = function["parameters"].get("properties", {})
    return found


def _get_required(function: Mapping[str, Any]) -> Sequence[str]:
    """Names of the required parameters of a *function* definition."""
    found: Sequence[str] = function["parameters"].get("required", ())
    return found


def _write_typescript(function: Mapping[str, Any], _: ToolListing, __: Dialect) -> str:
    """Write a *function* definition as a TypeScript function type."""
    said, properties = function.get("description"), _get_properties(function)
    head = "\n".join(
        [
            *[f"// {line}".rstrip() for line in (said or "").splitlines()],
            f"type {function['name']} = ",
        ]
    )
    if not properties:
        return f"{head}() => any;"
    lines = ["(_: {"]
    for name, part in properties.items():
        lines += [f"// {line}".rstrip() for line in (part.get("description") or "").splitlines()]
        mark = "" if name in _get_required(function) else "?"
        default = f", // default: {write_json(part['default'])}" if "default" in part else ","
        lines.append(f"{name}{mark}: {_write_type(part)}{default}")
    return head + "\n".join([*lines, "}) => any;"])


_SCALARS = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def _write_type(schema: Any) -> str:
    """TypeScript type of *schema*; `any` if it has none."""
    if not isinstance(schema, Mapping):
        return "any"
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " | ".join(map(_write_type, schema[key]))
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if values:
        return " | ".join(map(write_json, values))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(_write_type({**schema, "type": each}) for each in kind)
    if kind == "array":
        inner = _write_type(schema.get("items"))
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if kind == "object" and schema.get("properties"):
        needed = schema.get("required", ())
        parts = [
            f"{name}{'' if name in needed else '?'}: {_write_type(part)}"
            for name, part in schema["properties"].items()
        ]
        return f"{{\n{', '.join(parts)}}}"
    return "object" if kind == "object" else _SCALARS.get(str(kind), "any")


def _write_xml(function: Mapping[str, Any], _: ToolListing, __: Dialect) -> str:
    """Write a *function* definition as XML elements."""
    lines = ["<function>", f"<name>{function['name']}</name>"]
    if "description" in function:
        lines.append(f"<description>{function['description'].strip()}</description>")
    lines.append("<parameters>")
    for name, part in _get_properties(function).items():
        lines += ["<parameter>", f"<name>{name}</name>"]
        lines += _iter_elements(part, ("type", "description"))
        rest = [key for key in part if key not in ("name", "type", "description")]
        lines += [*_iter_elements(part, rest), "</parameter>"]
    parameters = function["parameters"]
    lines += _iter_elements(
        parameters, [key for key in parameters if key not in ("type", "properties")]
    )
    return "\n".join([*lines, "</parameters>", "</function>"])


def _iter_elements(data: Mapping[str, Any], keys: Sequence[str]) -> Iterator[str]:
    """Yield XML elements for the members of *data* named by *keys*, if present."""
    for key in keys:
        if key in data:
            value = data[key]
            text = value.strip() if isinstance(value, str) else write_json(value)
            yield f"<{key}>{text}</{key}>"


_PYTHON = {"string": "str", "number": "float", "integer": "int", "boolean": "bool"}


def _write_python_type(schema: Any) -> str:
    """Write a JSON *schema* as a Python type, in the style of `List[str]`."""
    kind = schema.get("type") if isinstance(schema, Mapping) else None
    if isinstance(kind, list):
        return f"Union[{','.join(_write_python_type({**schema, 'type': each}) for each in kind)}]"
    if kind == "array":
        return f"List[{_write_python_type(schema.get('items'))}]"
    if kind == "object":
        return f"Dict[str, {_write_python_type(schema.get('additionalProperties'))}]"
    return _PYTHON.get(str(kind), "Any")


def _write_python(function: Mapping[str, Any], _: ToolListing, __: Dialect) -> str:
    """Write a *function* definition as a Python stub with a docstring."""
    heads, told = [], []
    for name, part in _get_properties(function).items():
        made = _write_python_type(part)
        is_needed = name in _get_required(function)
        made = made if is_needed else f"Optional[{made}]"
        heads.append(f"{name}: {made}{'' if is_needed else ' = None'}")
        told.append(f"        {name} ({made}): {part.get('description', '')}".rstrip())
    said = ["", "    Args:", *told] if told else []
    lines = [
        f"def {function['name']}({', '.join(heads)}) -> List[Dict]:",
        f'    """{function.get("description", "")}',
        *said,
        '    """',
        "    pass",
    ]
    return "\n".join(lines)


def _write_declaration(function: Mapping[str, Any], _: ToolListing, dialect: Dialect) -> str:
    """Write a *function* as a declaration with bare keys and the quotes of *dialect*."""
    quote = dialect.form.quote if isinstance(dialect.form, BareForm) else '"'
    said = write_bare(function.get("description", ""), quote)
    parameters = write_bare(_sort_schema(function["parameters"]), quote)
    return f"declaration:{function['name']}{{description:{said},parameters:{parameters}}}"


def _sort_schema(schema: Any) -> Any:
    """Return *schema* with its keys in order, `type` the last, and types in capitals."""
    if isinstance(schema, list):
        return [_sort_schema(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    made: dict[str, Any] = {}
    for key in sorted(schema, key=lambda key: (key == "type", key)):
        value = schema[key]
        if key == "properties" and isinstance(value, Mapping):
            made |= (
                {key: {name: _sort_schema(value[name]) for name in sorted(value)}} if value else {}
            )
        elif key == "type" and isinstance(value, str):
            made[key] = value.upper()
        elif key == "type" and isinstance(value, list):
            made[key] = [str(each).upper() for each in value]
        else:
            made[key] = _sort_schema(value)
    return made


_FORMS: dict[ToolForm, Callable[[Mapping[str, Any], ToolListing, Dialect], str]] = {
    "tool": lambda function, listing, _: write_json(
        {"type": "function", "function": function}, listing.indent
    ),
    "nested": lambda function, listing, _: indent(
        write_json({"type": "function", "function": function}, listing.indent),
        " " * (listing.indent or 0),
    ),
    "function": lambda function, listing, _: write_json(function, listing.indent),
    "responses": lambda function, listing, _: write_json(
        {**function, "responses": None}, listing.indent
    ),
    "typescript": _write_typescript,
    "xml": _write_xml,
    "python": _write_python,
    "declaration": _write_declaration,
}
