"""JSON text with one mistake of those that models make, one row each."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple


class Style(NamedTuple):
    """How a careless writer writes JSON."""

    quote: str = '"'
    close: str = '"'
    bare_keys: bool = False
    words: tuple[str, str, str] = ("true", "false", "null")
    comma: str = ", "
    last: str = ""
    colon: str = ": "
    unescaped: str = ""


WORD = re.compile(r"[A-Za-z_]\w*\Z")


def written(value: Any, style: Style) -> str:
    """Return *value* in *style*."""
    if isinstance(value, dict):
        parts = [_key(key, style) + style.colon + written(v, style) for key, v in value.items()]
        return "{" + _joined(parts, style) + "}"
    if isinstance(value, list):
        return "[" + _joined([written(item, style) for item in value], style) + "]"
    if isinstance(value, str):
        return _text(value, style)
    if value is True or value is False or value is None:
        return style.words[(True, False, None).index(value)]
    return json.dumps(value)


def _joined(parts: list[str], style: Style) -> str:
    return style.comma.join(parts) + (style.last if parts else "")


def _key(key: str, style: Style) -> str:
    return key if style.bare_keys and WORD.match(key) else _text(key, style._replace(unescaped=""))


def _text(text: str, style: Style) -> str:
    body = json.dumps(text, ensure_ascii=False)[1:-1]
    if style.quote != '"':
        body = body.replace('\\"', '"')
    for quote in {style.quote, style.close} - {'"'}:
        body = body.replace(quote, f"\\{quote}")
    for char in style.unescaped:
        body = body.replace(json.dumps(char)[1:-1], char)
    return style.quote + body + style.close


def _style(**parts: Any) -> Callable[[Any], str]:
    return lambda value: written(value, Style(**parts))


def _around(before: str, after: str = "") -> Callable[[Any], str]:
    return lambda value: before + json.dumps(value, indent=1, ensure_ascii=False) + after


#: The mistakes, each with a function from a value to text.
MISTAKES: dict[str, Callable[[Any], str]] = {
    "code fence": _around("```json\n", "\n```"),
    "code fence without an end": _around("```\n"),
    "prose": _around("Here is what you asked for:\n\n", "\n\nLet me know if that helps!"),
    "prose and code fence": _around("Sure.\n```json\n", "\n```\nDone."),
    "reasoning": _around('<think>Perhaps {"a": 0}? Or [1, "x"</think>\n'),
    "reasoning without a beginning": _around('Maybe {"a": 0}...\n</think>\n\n'),
    "byte order mark": _around("\ufeff"),
    "special token": _around("", "<|im_end|>"),
    "semicolon": _around("answer = ", ";"),
    "trailing comma": _style(last=","),
    "comma at the end": _around("", ","),
    "missing comma": _style(comma="\n"),
    "missing comma on one line": _style(comma=" "),
    "single quotes": _style(quote="'", close="'"),
    "backticks": _style(quote="`", close="`"),
    "typographic quotes": _style(quote="“", close="”"),
    "bare keys": _style(bare_keys=True),
    "Python's words": _style(words=("True", "False", "None")),
    "Python": repr,
    "capital words": _style(words=("TRUE", "FALSE", "NULL")),
    "undefined": _style(words=("true", "false", "undefined")),
    "equals sign": _style(colon=" = "),
    "arrow": _style(colon=" => "),
    "comment": _style(comma=", // {\n"),
    "comment of Python": _style(comma=', # "a": 1\n'),
    "comment in the middle": _style(comma=' /* "x", */, '),
    "ellipsis": _style(last=", ..."),
    "line break": _style(unescaped="\n\t\r"),
    "unescaped quotes": _style(unescaped='"'),
    "wide blanks": _style(comma=",\u00a0"),
    "escaped": lambda value: json.dumps(json.dumps(value))[1:-1],
    "twice": lambda value: json.dumps(value) + "\n\n" + json.dumps(value),
    "bracket too many": _around("", "}"),
    "brackets too many": _around("", "]}\n"),
    "bracket at the start": _around("}\n"),
    "parentheses": _around("(", ")"),
    "callback": _around("callback(", ");"),
    "comments around it": _around("/* one {} */ ", " // two [1]"),
    "comma and prose": _around("", ", that is all."),
    "fence that is broken": _around("```json\n", "\n``"),
    "fence on one line": lambda value: f"```json {json.dumps(value)} ```",
    "fence in a fence": _around("```\n```json\n", "\n```\n```"),
    "bracket too few": lambda value: json.dumps(value)[:-1],
    "numbers with units": lambda value: re.sub(r"([0-9])([,}\]])", r"\1px\2", json.dumps(value)),
}
