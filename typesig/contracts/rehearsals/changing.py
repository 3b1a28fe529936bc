"""Arguments with one mistake of those that models make in data, one row each.

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


def _whole(to: Callable[[Any, Place], Any]) -> Change:
    return to


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
    "null for what is left out": _whole(_nulls),
    "null for all": _whole(lambda value, place: dict.fromkeys(value)),
    "keys in camel case": _keys(_camel),
    "keys in capitals": _keys(str.upper),
    "keys with hyphens": _keys(lambda key: key.replace("_", "-")),
    "a misspelt key": _keys(lambda key: key + key[-1:]),
    "a key that is not declared": _whole(lambda value, place: {**value, "reason_for_call": "x"}),
    "a key is missing": _whole(_without_one),
    "nothing": _whole(lambda value, place: ""),
    "an empty object": _whole(lambda value, place: {}),
    "a list of the values": _whole(lambda value, place: list(value.values())),
    "arguments as text": _whole(lambda value, place: json.dumps(json.dumps(value))),
    "arguments in arguments": _whole(lambda value, place: {"arguments": value}),
    "arguments in parameters, as text": _whole(
        lambda value, place: {"parameters": json.dumps(value)}
    ),
    "arguments in the tool's name": _whole(lambda value, place: {place.tool: value}),
}
