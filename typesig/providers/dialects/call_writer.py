"""Calls as a dialect spells them, and their results as its template writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, assert_never

from typesig.errors import TypesigError, Unsupported, format_value
from typesig.providers.dialects.dialect import (
    BareForm,
    Dialect,
    HeadForm,
    JsonForm,
    PythonForm,
    TagForm,
)
from typesig.providers.dialects.lexer import get_lexer

# --- Calls as a dialect spells them ---


def write_calls(calls: Sequence[tuple[str, Mapping[str, Any]]], dialect: Dialect) -> str:
    """Write *calls*, pairs of a tool name and JSON arguments, as *dialect* spells calls.

    Raises `Unsupported` if the dialect has no spelling for a text, such as its own end tag.
    """
    form = dialect.form
    texts = [_write_body(name, data, index, dialect) for index, (name, data) in enumerate(calls)]
    if isinstance(form, JsonForm | PythonForm) and form.is_lines:
        return _add_marks("\n".join(texts), dialect)
    if isinstance(form, PythonForm) or (isinstance(form, JsonForm) and form.is_list):
        return _add_marks(f"[{', '.join(texts)}]", dialect)
    made = [_add_marks(text, dialect) for text in texts]
    if dialect.section is not None:
        opened, closed = (dialect.section.open + dialect.pad, dialect.pad + dialect.section.close)
        if dialect.is_lone:
            made = [f"{opened}{each}{closed}" for each in made]
        else:
            return f"{opened}{dialect.between.join(made)}{closed}"
    return dialect.between.join(made)


def _add_marks(body: str, dialect: Dialect) -> str:
    """Surround *body*, the text of calls, with the call marks of *dialect*."""
    opened, closed = (*dialect.opens[:1], "")[0], (*dialect.closes[:1], "")[0]
    if dialect.bare:
        return body
    pad = "" if dialect.section else dialect.pad
    return f"{opened.removesuffix('[')}{pad}{body}{pad}{closed}"


def _write_body(name: str, data: Mapping[str, Any], index: int, dialect: Dialect) -> str:
    """Write a call of the tool *name* with arguments *data* in the form of *dialect*."""
    form = dialect.form
    match form:
        case JsonForm():
            if form.is_keyed:
                return write_json({name: data})
            return write_json({form.name[0]: name, form.arguments[0]: data})
        case HeadForm():
            sent = write_json(data)
            spelling = form.spelling.replace("{name}", name).replace("{index}", str(index))
            return spelling.replace("{arguments}", sent)
        case TagForm():
            return _write_tags(name, data, dialect, form)
        case BareForm():
            return f"{form.prefix}{name}{write_bare(data, form.quote)}"
        case PythonForm():
            if not all(part.isidentifier() for part in _BETWEEN_NAMES.split(name)):
                raise Unsupported(f"Python calls have no name {format_value(name)}")
            for key in data:
                if not key.isidentifier():
                    raise Unsupported(f"Python calls have no keyword {format_value(key)}")
            return f"{name}({', '.join(f'{key}={value!r}' for key, value in data.items())})"
        case _:
            assert_never(form)


def write_json(data: Any, spaces: int | None = None) -> str:
    """Write *data* as JSON text, without escaping non-ASCII characters."""
    return json.dumps(data, ensure_ascii=False, indent=spaces)


_BETWEEN_NAMES = re.compile("[.-]")


def _write_tags(name: str, data: Mapping[str, Any], dialect: Dialect, form: TagForm) -> str:
    """Write a call with tags around its arguments; raise `Unsupported` on clashing text."""
    out = [name, *form.name_ends[:1]]
    if form.name_ends[:1] != (form.line,):
        out.append(form.line)
    tags = (
        form.key_open,
        form.value_end,
        *dialect.opens,
        *dialect.closes,
        *(dialect.section or ()),
    )
    for key, value in data.items():
        text = value if isinstance(value, str) else write_json(value)
        for tag in tags:
            if tag in text:
                raise Unsupported(
                    f"{dialect.title}: no text has {format_value(tag)}; it ends the text"
                )
        is_data = bool(form.data_end) and not isinstance(value, str)
        out.append(f"{form.key_open}{key}{form.data_end if is_data else form.key_ends[0]}")
        out.append(form.line if form.value_open else "")
        out.append(f"{form.value_open}{form.padding}{text}{form.padding}{form.value_end}")
        out.append(form.line)
    return "".join(out)


def write_bare(data: Any, mark: str) -> str:
    """Write JSON *data* with unquoted keys and with *mark* as the quote of texts."""
    match data:
        case str():
            if mark in data:
                raise Unsupported(f"no text has {format_value(mark)}, which ends it")
            return f"{mark}{data}{mark}"
        case Mapping():
            members = [
                f"{(key if key.isidentifier() else write_bare(key, mark))}:{write_bare(each, mark)}"
                for key, each in data.items()
            ]
            return f"{{{','.join(members)}}}"
        case list() | tuple():
            return f"[{','.join(write_bare(each, mark) for each in data)}]"
        case _:
            return write_json(data)


# --- Results of calls, written by the template of a family of models ---

_PLACE = re.compile(r"\{(tools|tool|results|content|name|id|json|data)\}")


def fill_template(spelling: str, values: Mapping[str, str]) -> str:
    """Replace the placeholders in *spelling* with *values*, which are not expanded."""
    return _PLACE.sub(lambda found: values.get(found[1], found[0]), spelling)


_MARK = re.compile(r"<[^<>\s{}]{2,}>|\[/?[A-Z_]{4,}\]|\]~b\]|\[e~\[")


def find_marks(text: str) -> list[str]:
    """Return the marks in the *text* of a template."""
    return _MARK.findall(text)


def write_results(messages: Sequence[Mapping[str, Any]], dialect: Dialect) -> str:
    """Write the results of calls in *messages*, each with the role "tool", in *dialect*.

    It begins behind the text of the model, and ends where the model goes on.  A mark in a result,
    which would end it, has a space within.  Raises `Unsupported` if the form is not known, and
    `TypesigError` for what are no messages.
    """
    is_list = isinstance(messages, list | tuple)
    if not is_list or not all(isinstance(each, Mapping) for each in messages):
        raise TypesigError(
            "render takes the messages that handle returned, a list of dicts, not "
            f"{format_value(messages)}"
        )
    results = dialect.results
    if results is None:
        raise Unsupported(
            f"{dialect.title}: nothing is known of how its template tells of results; pass the "
            "messages to the chat template of the model"
        )
    marks = (*dialect.marks, *find_marks(results.text), *find_marks(results.item))
    made = [fill_template(results.item, _make_values(each, marks)) for each in messages]
    return fill_template(results.text, {"results": results.between.join(made)})


def _make_values(message: Mapping[str, Any], marks: Iterable[str]) -> dict[str, str]:
    """Values for the placeholders of a result template; *marks* in texts are split."""
    content = split_marks(str(message.get("content", "")), marks)
    name, made = str(message.get("name", "")), str(message.get("tool_call_id", ""))
    text = json.dumps(content, ensure_ascii=False)
    return {
        "content": content,
        "json": text,
        "data": content if _is_json(content) else text,
        "name": split_marks(name, marks),
        "id": split_marks(made, marks),
    }


def _is_json(text: str) -> bool:
    """Whether *text* is valid JSON."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def split_marks(text: str, marks: Iterable[str]) -> str:
    """Return *text* with a space behind the first character of each of *marks* in it."""
    lexer = get_lexer(tuple(dict.fromkeys(mark for mark in marks if mark.strip())))
    out, at = list[str](), 0
    while at < len(text):
        start, end = lexer.next(text, at, True)
        out.append(text[at:start])
        at = start
        if end > start:
            # There may be another mark within this one.
            out.append(f"{text[start]} ")
            at = start + 1
    return "".join(out)
