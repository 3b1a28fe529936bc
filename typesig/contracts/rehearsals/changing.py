"""Arguments and JSON text with one mistake of those that models make, one row each.

A mistake is a function of arguments that conform and of their `Place`; it returns what is sent
instead, or the arguments as they are where it does not apply.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias


class Place(NamedTuple):
    """What a mistake may take of a tool.

    #: tool: its name; names: those of all its parameters; choices: the texts of its enums
    """

    tool: str
    names: tuple[str, ...]
    choices: frozenset[str]


Change: TypeAlias = Callable[[Any, Place], Any]


def changed(value: Any, change: Callable[[Any], Any], keys: Callable[[str], str] = str) -> Any:
    """Return *value* with *change* made of each part, the inner first, and *keys* of each key.

    >>> changed({"a": [1, "x"]}, lambda part: str(part) if part == 1 else part)
    {'a': ['1', 'x']}
    """
    if isinstance(value, dict):
        parts = {keys(key): changed(item, change, keys) for key, item in value.items()}
        return change(parts)
    if isinstance(value, list):
        return change([changed(item, change, keys) for item in value])
    return change(value)


def _parts(*kinds: type, to: Callable[[Any], Any]) -> Change:
    """Return the mistake that makes *to* of each part, but for the whole, of one of *kinds*."""

    def change(part: Any) -> Any:
        return to(part) if type(part) in kinds else part

    def spoil(value: Any, place: Place) -> Any:
        return {key: changed(item, change) for key, item in value.items()}

    return spoil


def _choices(to: Callable[[str], str]) -> Change:
    """Return the mistake that makes *to* of each text of an enum."""

    def spoil(value: Any, place: Place) -> Any:
        def change(part: Any) -> Any:
            return to(part) if type(part) is str and part in place.choices else part

        return {key: changed(item, change) for key, item in value.items()}

    return spoil


def _keys(to: Callable[[str], str]) -> Change:
    return lambda value, place: changed(value, lambda part: part, to)


def _camel(key: str) -> str:
    return re.sub(r"_([a-z])", lambda found: found[1].upper(), key)


def _without_one(value: Any, place: Place) -> Any:
    return dict(list(value.items())[1:])


def _nulls(value: Any, place: Place) -> Any:
    return {**dict.fromkeys(place.names), **value}


def _first(items: Any) -> Any:
    return items[0] if len(items) == 1 else items


#: The mistakes, each with a function from arguments and their place to what is sent instead.
CHANGES: dict[str, Change] = {
    "numbers as text": _parts(int, float, to=json.dumps),
    "whole numbers as floats": _parts(int, to=float),
    "fractions for whole numbers": _parts(int, to=lambda number: number + 0.5),
    "numbers with words": _parts(int, float, to=lambda number: f"about {number}"),
    "true and false as text": _parts(bool, to=json.dumps),
    "yes and no": _parts(bool, to=lambda flag: "yes" if flag else "no"),
    "true and false as numbers": _parts(bool, to=int),
    "null as text": _parts(type(None), to=lambda _: "null"),
    "a choice in capitals": _choices(str.upper),
    "a choice with spaces around it": _choices(lambda text: f" {text} "),
    "a choice with other separators": _choices(lambda text: re.sub(r"[-_]", " ", text)),
    "a choice with a word too many": _choices(lambda text: f"{text} one"),
    "dates without seconds": _parts(
        str, to=lambda text: re.sub(r"(T[0-9]{2}:[0-9]{2}):[0-9.]+", r"\1", text)
    ),
    "lists and objects as text": _parts(list, dict, to=json.dumps),
    "the item for a list of one": _parts(list, to=_first),
    "a list around each part": _parts(str, int, float, bool, to=lambda part: [part]),
    "null for what is left out": _nulls,
    "null for all": lambda value, place: dict.fromkeys(value),
    "keys in camel case": _keys(_camel),
    "keys in capitals": _keys(str.upper),
    "keys with hyphens": _keys(lambda key: key.replace("_", "-")),
    "a misspelt key": _keys(lambda key: key + key[-1:]),
    "a key that is not declared": lambda value, place: {**value, "reason_for_call": "x"},
    "a key is missing": _without_one,
    "nothing": lambda value, place: "",
    "an empty object": lambda value, place: {},
    "a list of the values": lambda value, place: list(value.values()),
    "arguments as text": lambda value, place: json.dumps(json.dumps(value)),
    "arguments in arguments": lambda value, place: {"arguments": value},
    "arguments in parameters, as text": lambda value, place: {"parameters": json.dumps(value)},
    "arguments in the tool's name": lambda value, place: {place.tool: value},
}


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
