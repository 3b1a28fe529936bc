"""Tools as the template of a family lists them for the model."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from textwrap import indent
from typing import Any

from typesig.providers.dialects.answers import filled, marks_in, unmarked
from typesig.providers.dialects.dialect import BareForm, Dialect, Listing, ToolForm
from typesig.providers.dialects.writing import bare_text, calls_text

#: What lists the tools of a dialect of whose templates nothing is known.
_USUAL = Listing(
    "# Tools\n\nYou may call one or more of these functions, described in JSON Schema:\n"
    "<tools>\n{tools}\n</tools>\n\nTo call functions, write exactly in this form:\n",
    "tool",
)
_EXAMPLE = (
    ("function_1", {"parameter_1": "value", "parameter_2": 1}),
    ("function_2", {"parameter_1": "value"}),
)


def tools_text(definitions: Sequence[Mapping[str, Any]], dialect: Dialect) -> str:
    """Return the text that lists tools, of which *definitions* are those of Chat Completions.

    It is that of the dialect's `listing`, or else a usual text with an example of calls.  A mark
    in a description, which would end it, has a space within.
    """
    listing = dialect.listing or _USUAL
    write = _FORMS[listing.form]
    marks = (*dialect.marks, *marks_in(listing.text), *marks_in(listing.item))
    made = []
    for each in definitions:
        function = _unmarked(each["function"], marks)
        made.append(filled(listing.item, {"tool": write(function, listing, dialect)}))
    text = filled(listing.text, {"tools": listing.between.join(made)})
    return text if dialect.listing else text + calls_text(_EXAMPLE, dialect)


def _unmarked(data: Any, marks: Sequence[str]) -> Any:
    match data:
        case str():
            return unmarked(data, marks)
        case Mapping():
            return {unmarked(key, marks): _unmarked(each, marks) for key, each in data.items()}
        case list():
            return [_unmarked(each, marks) for each in data]
        case _:
            return data


def _json(data: Any, spaces: int | None = None) -> str:
    return json.dumps(data, ensure_ascii=False, indent=spaces)


def _tool(function: Mapping[str, Any], listing: Listing, _: Dialect) -> str:
    return _json({"type": "function", "function": function}, listing.indent)


def _nested(function: Mapping[str, Any], listing: Listing, dialect: Dialect) -> str:
    return indent(_tool(function, listing, dialect), " " * (listing.indent or 0))


def _function(function: Mapping[str, Any], listing: Listing, _: Dialect) -> str:
    return _json(function, listing.indent)


def _responses(function: Mapping[str, Any], listing: Listing, _: Dialect) -> str:
    return _json({**function, "responses": None}, listing.indent)


def _properties(function: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = function["parameters"].get("properties", {})
    return found


def _required(function: Mapping[str, Any]) -> Sequence[str]:
    found: Sequence[str] = function["parameters"].get("required", ())
    return found


def _typescript(function: Mapping[str, Any], _: Listing, __: Dialect) -> str:
    said, properties = function.get("description"), _properties(function)
    head = "\n".join([*_comments(said), f"type {function['name']} = "])
    if not properties:
        return f"{head}() => any;"
    lines = ["(_: {"]
    for name, part in properties.items():
        lines += _comments(part.get("description"))
        mark = "" if name in _required(function) else "?"
        default = f", // default: {_json(part['default'])}" if "default" in part else ","
        lines.append(f"{name}{mark}: {_type(part)}{default}")
    return head + "\n".join([*lines, "}) => any;"])


def _comments(text: str | None) -> list[str]:
    return [f"// {line}".rstrip() for line in (text or "").splitlines()]


_SCALARS = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def _type(schema: Any) -> str:
    """Return the type of *schema* in TypeScript; what it does not say there is any."""
    if not isinstance(schema, Mapping):
        return "any"
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " | ".join(map(_type, schema[key]))
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if values:
        return " | ".join(map(_json, values))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(_type({**schema, "type": each}) for each in kind)
    if kind == "array":
        inner = _type(schema.get("items"))
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if kind == "object" and schema.get("properties"):
        needed = schema.get("required", ())
        parts = [
            f"{name}{'' if name in needed else '?'}: {_type(part)}"
            for name, part in schema["properties"].items()
        ]
        return f"{{\n{', '.join(parts)}}}"
    return "object" if kind == "object" else _SCALARS.get(str(kind), "any")


def _xml(function: Mapping[str, Any], _: Listing, __: Dialect) -> str:
    lines = ["<function>", f"<name>{function['name']}</name>"]
    if "description" in function:
        lines.append(f"<description>{function['description'].strip()}</description>")
    lines.append("<parameters>")
    for name, part in _properties(function).items():
        lines += ["<parameter>", f"<name>{name}</name>"]
        lines += _elements(part, ("type", "description"))
        rest = [key for key in part if key not in ("name", "type", "description")]
        lines += [*_elements(part, rest), "</parameter>"]
    parameters = function["parameters"]
    lines += _elements(parameters, [key for key in parameters if key not in ("type", "properties")])
    return "\n".join([*lines, "</parameters>", "</function>"])


def _elements(data: Mapping[str, Any], keys: Sequence[str]) -> Iterator[str]:
    for key in keys:
        if key in data:
            value = data[key]
            text = value.strip() if isinstance(value, str) else _json(value)
            yield f"<{key}>{text}</{key}>"


_PYTHON = {"string": "str", "number": "float", "integer": "int", "boolean": "bool"}


def _python_type(schema: Any) -> str:
    kind = schema.get("type") if isinstance(schema, Mapping) else None
    if isinstance(kind, list):
        return f"Union[{','.join(_python_type({**schema, 'type': each}) for each in kind)}]"
    if kind == "array":
        return f"List[{_python_type(schema.get('items'))}]"
    if kind == "object":
        return f"Dict[str, {_python_type(schema.get('additionalProperties'))}]"
    return _PYTHON.get(str(kind), "Any")


def _python(function: Mapping[str, Any], _: Listing, __: Dialect) -> str:
    heads, told = [], []
    for name, part in _properties(function).items():
        made = _python_type(part)
        is_needed = name in _required(function)
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


def _declaration(function: Mapping[str, Any], _: Listing, dialect: Dialect) -> str:
    quote = dialect.form.quote if isinstance(dialect.form, BareForm) else '"'
    said = bare_text(function.get("description", ""), quote)
    parameters = bare_text(_sorted(function["parameters"]), quote)
    return f"declaration:{function['name']}{{description:{said},parameters:{parameters}}}"


def _sorted(schema: Any) -> Any:
    """Return *schema* with its keys in order, `type` the last, and types in capitals."""
    if isinstance(schema, list):
        return [_sorted(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    made: dict[str, Any] = {}
    for key in sorted(schema, key=lambda key: (key == "type", key)):
        value = schema[key]
        if key == "properties" and isinstance(value, Mapping):
            made |= {key: {name: _sorted(value[name]) for name in sorted(value)}} if value else {}
        elif key == "type" and isinstance(value, str):
            made[key] = value.upper()
        elif key == "type" and isinstance(value, list):
            made[key] = [str(each).upper() for each in value]
        else:
            made[key] = _sorted(value)
    return made


_FORMS: dict[ToolForm, Callable[[Mapping[str, Any], Listing, Dialect], str]] = {
    "tool": _tool,
    "nested": _nested,
    "function": _function,
    "responses": _responses,
    "typescript": _typescript,
    "xml": _xml,
    "python": _python,
    "declaration": _declaration,
}
