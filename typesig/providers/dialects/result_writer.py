"""Results of calls, written by the template of a family of models."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from typesig.errors import TypesigError, Unsupported, format_value
from typesig.providers.dialects.dialect import Dialect
from typesig.providers.dialects.lexer import get_lexer

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
