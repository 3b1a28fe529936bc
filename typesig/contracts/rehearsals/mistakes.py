"""Insert one typical mistake of models into arguments or JSON text.

A mistake is a function of arguments that conform and of their `MistakePlace`; it returns what is
sent instead, or the arguments as they are where it does not apply.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias


class MistakePlace(NamedTuple):
    """Facts about a tool for inserting mistakes: name, parameters and enum texts.

    #: tool: its name; names: those of all its parameters; choices: the texts of its enums
    """

    tool: str
    names: tuple[str, ...]
    choices: frozenset[str]


Change: TypeAlias = Callable[[Any, MistakePlace], Any]


def change_parts(value: Any, change: Callable[[Any], Any], keys: Callable[[str], str] = str) -> Any:
    """Apply *change* to each part of *value*, inner parts first, and *keys* to each key.

    >>> change_parts({"a": [1, "x"]}, lambda part: str(part) if part == 1 else part)
    {'a': ['1', 'x']}
    """
    if isinstance(value, dict):
        parts = {keys(key): change_parts(item, change, keys) for key, item in value.items()}
        return change(parts)
    if isinstance(value, list):
        return change([change_parts(item, change, keys) for item in value])
    return change(value)


def _change_kinds(*kinds: type, to: Callable[[Any], Any]) -> Change:
    """Build a mistake that applies *to* to all parts of the classes *kinds*."""

    def change(part: Any) -> Any:
        return to(part) if type(part) in kinds else part

    def spoil(value: Any, place: MistakePlace) -> Any:
        return {key: change_parts(item, change) for key, item in value.items()}

    return spoil


def _change_choices(to: Callable[[str], str]) -> Change:
    """Build a mistake that applies *to* to all strings that an enum lists."""

    def spoil(value: Any, place: MistakePlace) -> Any:
        def change(part: Any) -> Any:
            return to(part) if type(part) is str and part in place.choices else part

        return {key: change_parts(item, change) for key, item in value.items()}

    return spoil


def _change_keys(to: Callable[[str], str]) -> Change:
    """Build the mistake that applies *to* to every key of the arguments."""
    return lambda value, place: change_parts(value, lambda part: part, to)


def _to_camel_case(key: str) -> str:
    """Convert the snake-case *key* to camel case."""
    return re.sub(r"_([a-z])", lambda found: found[1].upper(), key)


#: The mistakes, each with a function from arguments and their place to what is sent instead.
CHANGES: dict[str, Change] = {
    "numbers as text": _change_kinds(int, float, to=json.dumps),
    "whole numbers as floats": _change_kinds(int, to=float),
    "fractions for whole numbers": _change_kinds(int, to=lambda number: number + 0.5),
    "numbers with words": _change_kinds(int, float, to=lambda number: f"about {number}"),
    "true and false as text": _change_kinds(bool, to=json.dumps),
    "yes and no": _change_kinds(bool, to=lambda flag: "yes" if flag else "no"),
    "true and false as numbers": _change_kinds(bool, to=int),
    "null as text": _change_kinds(type(None), to=lambda _: "null"),
    "a choice in capitals": _change_choices(str.upper),
    "a choice with spaces around it": _change_choices(lambda text: f" {text} "),
    "a choice with other separators": _change_choices(lambda text: re.sub(r"[-_]", " ", text)),
    "a choice with a word too many": _change_choices(lambda text: f"{text} one"),
    "dates without seconds": _change_kinds(
        str, to=lambda text: re.sub(r"(T[0-9]{2}:[0-9]{2}):[0-9.]+", r"\1", text)
    ),
    "lists and objects as text": _change_kinds(list, dict, to=json.dumps),
    "the item for a list of one": _change_kinds(
        list, to=lambda items: items[0] if len(items) == 1 else items
    ),
    "a list around each part": _change_kinds(str, int, float, bool, to=lambda part: [part]),
    "null for what is left out": lambda value, place: {**dict.fromkeys(place.names), **value},
    "null for all": lambda value, place: dict.fromkeys(value),
    "keys in camel case": _change_keys(_to_camel_case),
    "keys in capitals": _change_keys(str.upper),
    "keys with hyphens": _change_keys(lambda key: key.replace("_", "-")),
    "a misspelt key": _change_keys(lambda key: key + key[-1:]),
    "a key that is not declared": lambda value, place: {**value, "reason_for_call": "x"},
    "a key is missing": lambda value, place: dict(list(value.items())[1:]),
    "nothing": lambda value, place: "",
    "an empty object": lambda value, place: {},
    "a list of the values": lambda value, place: list(value.values()),
    "arguments as text": lambda value, place: json.dumps(json.dumps(value)),
    "arguments in arguments": lambda value, place: {"arguments": value},
    "arguments in parameters, as text": lambda value, place: {"parameters": json.dumps(value)},
    "arguments in the tool's name": lambda value, place: {place.tool: value},
}


class Style(NamedTuple):
    """Style of JSON that a careless model writes."""

    quote: str = '"'
    close: str = '"'
    bare_keys: bool = False
    words: tuple[str, str, str] = ("true", "false", "null")
    comma: str = ", "
    last: str = ""
    colon: str = ": "
    unescaped: str = ""


WORD = re.compile(r"[A-Za-z_]\w*\Z")


def write_in_style(value: Any, style: Style) -> str:
    """Write *value* as JSON in *style*."""
    if isinstance(value, dict):
        parts = [
            (
                key
                if style.bare_keys and WORD.match(key)
                else _write_text(key, style._replace(unescaped=""))
            )
            + style.colon
            + write_in_style(v, style)
            for key, v in value.items()
        ]
        return "{" + _join(parts, style) + "}"
    if isinstance(value, list):
        return "[" + _join([write_in_style(item, style) for item in value], style) + "]"
    if isinstance(value, str):
        return _write_text(value, style)
    if value is True or value is False or value is None:
        return style.words[(True, False, None).index(value)]
    return json.dumps(value)


def _join(parts: list[str], style: Style) -> str:
    """Join the written *parts* of a container by the comma of *style*."""
    return style.comma.join(parts) + (style.last if parts else "")


def _write_text(text: str, style: Style) -> str:
    """Write *text* as a quoted string in *style*."""
    body = json.dumps(text, ensure_ascii=False)[1:-1]
    if style.quote != '"':
        body = body.replace('\\"', '"')
    for quote in {style.quote, style.close} - {'"'}:
        body = body.replace(quote, f"\\{quote}")
    for char in style.unescaped:
        body = body.replace(json.dumps(char)[1:-1], char)
    return style.quote + body + style.close


def _make_style(**parts: Any) -> Callable[[Any], str]:
    """Build a function that writes JSON in a `Style` with the attributes *parts*."""
    return lambda value: write_in_style(value, Style(**parts))


def _wrap(before: str, after: str = "") -> Callable[[Any], str]:
    """Build a function that writes JSON between the texts *before* and *after*."""
    return lambda value: before + json.dumps(value, indent=1, ensure_ascii=False) + after


#: The mistakes, each with a function from a value to text.
MISTAKES: dict[str, Callable[[Any], str]] = {
    "code fence": _wrap("```json\n", "\n```"),
    "code fence without an end": _wrap("```\n"),
    "prose": _wrap("Here is what you asked for:\n\n", "\n\nLet me know if that helps!"),
    "prose and code fence": _wrap("Sure.\n```json\n", "\n```\nDone."),
    "reasoning": _wrap('<think>Perhaps {"a": 0}? Or [1, "x"</think>\n'),
    "reasoning without a beginning": _wrap('Maybe {"a": 0}...\n</think>\n\n'),
    "byte order mark": _wrap("\ufeff"),
    "special token": _wrap("", "<|im_end|>"),
    "semicolon": _wrap("answer = ", ";"),
    "trailing comma": _make_style(last=","),
    "comma at the end": _wrap("", ","),
    "missing comma": _make_style(comma="\n"),
    "missing comma on one line": _make_style(comma=" "),
    "single quotes": _make_style(quote="'", close="'"),
    "backticks": _make_style(quote="`", close="`"),
    "typographic quotes": _make_style(quote="“", close="”"),
    "bare keys": _make_style(bare_keys=True),
    "Python's words": _make_style(words=("True", "False", "None")),
    "Python": repr,
    "capital words": _make_style(words=("TRUE", "FALSE", "NULL")),
    "undefined": _make_style(words=("true", "false", "undefined")),
    "equals sign": _make_style(colon=" = "),
    "arrow": _make_style(colon=" => "),
    "comment": _make_style(comma=", // {\n"),
    "comment of Python": _make_style(comma=', # "a": 1\n'),
    "comment in the middle": _make_style(comma=' /* "x", */, '),
    "ellipsis": _make_style(last=", ..."),
    "line break": _make_style(unescaped="\n\t\r"),
    "unescaped quotes": _make_style(unescaped='"'),
    "wide blanks": _make_style(comma=",\u00a0"),
    "escaped": lambda value: json.dumps(json.dumps(value))[1:-1],
    "twice": lambda value: json.dumps(value) + "\n\n" + json.dumps(value),
    "bracket too many": _wrap("", "}"),
    "brackets too many": _wrap("", "]}\n"),
    "bracket at the start": _wrap("}\n"),
    "parentheses": _wrap("(", ")"),
    "callback": _wrap("callback(", ");"),
    "comments around it": _wrap("/* one {} */ ", " // two [1]"),
    "comma and prose": _wrap("", ", that is all."),
    "fence that is broken": _wrap("```json\n", "\n``"),
    "fence on one line": lambda value: f"```json {json.dumps(value)} ```",
    "fence in a fence": _wrap("```\n```json\n", "\n```\n```"),
    "bracket too few": lambda value: json.dumps(value)[:-1],
    "numbers with units": lambda value: re.sub(r"([0-9])([,}\]])", r"\1px\2", json.dumps(value)),
}
