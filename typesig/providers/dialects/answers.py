"""Results of calls as the template of a family tells the model of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from typesig.errors import TypesigError, Unsupported, short
from typesig.providers.dialects.dialect import Dialect
from typesig.providers.dialects.lexer import lexer_of

_PLACE = re.compile(r"\{(tools|tool|results|content|name|id|json|data)\}")


def filled(spelling: str, values: Mapping[str, str]) -> str:
    """Return *spelling* with the texts of *values* at their places, which are not looked at."""
    return _PLACE.sub(lambda found: values.get(found[1], found[0]), spelling)


_MARK = re.compile(r"<[^<>\s{}]{2,}>|\[/?[A-Z_]{4,}\]|\]~b\]|\[e~\[")


def marks_in(text: str) -> list[str]:
    """Return the marks in the *text* of a template."""
    return _MARK.findall(text)


def results_text(messages: Sequence[Mapping[str, Any]], dialect: Dialect) -> str:
    """Return the text with the results in *messages*, each of the role tool.

    It begins behind the text of the model, and ends where the model goes on.  A mark in a result,
    which would end it, has a space within.  Raises `Unsupported` if the form is not known, and
    `TypesigError` for what are no messages.
    """
    is_list = isinstance(messages, list | tuple)
    if not is_list or not all(isinstance(each, Mapping) for each in messages):
        raise TypesigError(
            "render takes the messages that handle returned, a list of dicts, not "
            f"{short(messages)}"
        )
    results = dialect.results
    if results is None:
        raise Unsupported(
            f"{dialect.title}: nothing is known of how its template tells of results; pass the "
            "messages to the chat template of the model"
        )
    marks = (*dialect.marks, *marks_in(results.text), *marks_in(results.item))
    made = [filled(results.item, _values(each, marks)) for each in messages]
    return filled(results.text, {"results": results.between.join(made)})


def _values(message: Mapping[str, Any], marks: Iterable[str]) -> dict[str, str]:
    content = unmarked(str(message.get("content", "")), marks)
    name, made = str(message.get("name", "")), str(message.get("tool_call_id", ""))
    text = json.dumps(content, ensure_ascii=False)
    return {
        "content": content,
        "json": text,
        "data": content if _is_json(content) else text,
        "name": unmarked(name, marks),
        "id": unmarked(made, marks),
    }


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def unmarked(text: str, marks: Iterable[str]) -> str:
    """Return *text* with a space behind the first character of each of *marks* in it."""
    lexer = lexer_of(tuple(dict.fromkeys(mark for mark in marks if mark.strip())))
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
