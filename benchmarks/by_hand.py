"""The same jobs as source written by hand: about the least that they take in Python alone.

Each checks what typesig checks: the classes, the bounds of floats and ids, undeclared keys kept;
one straight function without outcomes, messages or modes.  `whole_job.py`
times it beside the others.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from json import encoder
from math import isfinite
from typing import Any

Check = Callable[[Any], Any]

#: Integers within these bounds have no more digits than text is written with.
_WIDEST = 10**4_000


class Misfit(ValueError):
    """Raised for a value that does not fit."""


def _int(value: Any) -> None:
    if type(value) is not int or not -_WIDEST < value < _WIDEST:
        raise Misfit(value)


def person(value: Any) -> Any:
    if type(value) is not dict:
        raise Misfit(value)
    _id = value["id"]
    if type(_id) is not int or not -_WIDEST < _id < _WIDEST or type(value["name"]) is not str:
        raise Misfit(value)
    return value


def person_coerced(value: Any) -> tuple[Any, list[str]]:
    """Return the person whose id may be text, and what to tell about that."""
    try:
        return person(value), []
    except Misfit:
        _id = value["id"]
        if type(_id) is not str or not _id.removeprefix("-").isdigit():
            raise
        made = {**value, "id": int(_id)}
        return person(made), [f'id: coerced string "{_id}" to int']


def query(value: Any) -> Any:
    if (
        type(value) is not dict
        or type(value["query"]) is not str
        or value["order"] not in ("asc", "desc")
        or type(value["exact"]) is not bool
        or type(value["filters"]) is not list
    ):
        raise Misfit(value)
    _int(value["limit"])
    if "after" in value and value["after"] is not None and type(value["after"]) is not str:
        raise Misfit(value)
    for each in value["filters"]:
        if type(each) is not dict or type(each["field"]) is not str:
            raise Misfit(each)
        if type(each["value"]) is not str:
            _int(each["value"])
    return value


def row(value: Any) -> Any:
    if type(value) is not dict:
        raise Misfit(value)
    number, score = value["id"], value["score"]
    if type(number) is not int or not -_WIDEST < number < _WIDEST:
        raise Misfit(value)
    if type(value["title"]) is not str or type(value["tags"]) is not list:
        raise Misfit(value)
    if type(score) is not float or not isfinite(score):
        _int(score)
    for tag in value["tags"]:
        if type(tag) is not str:
            raise Misfit(tag)
    return value


def table(value: Any) -> Any:
    if type(value) is not list:
        raise Misfit(value)
    for each in value:
        row(each)
    return value


def table_coerced(value: Any) -> tuple[Any, list[str]]:
    """Return the rows whose ids may be text, and what to tell about those."""
    made, told = [], []
    for place, each in enumerate(value):
        changed = each
        if type(each["id"]) is str:
            changed = {**each, "id": int(each["id"])}
            told.append(f'[{place}].id: coerced string "{each["id"]}" to int')
        made.append(row(changed))
    return made, told


def table_errors(value: Any) -> list[tuple[int, str]]:
    """Return where a score is no number."""
    found = []
    for place, each in enumerate(value):
        try:
            row(each)
        except Misfit:
            found.append((place, f"[{place}].score: expected float, got {each['score']!r}"))
    return found


def wide(value: Any) -> Any:
    if type(value) is not dict:
        raise Misfit(value)
    for n in range(100):
        item = value[_NAMES[n]]
        if n % 2:
            if type(item) is not int or not -_WIDEST < item < _WIDEST:
                raise Misfit(item)
        elif type(item) is not str:
            raise Misfit(item)
    return value


_NAMES = [f"field{n}" for n in range(100)]


def deep(value: Any) -> Any:
    within = value
    for _ in range(19):
        if type(within) is not dict:
            raise Misfit(within)
        _int(within["id"])
        within = within["child"]
    person(within)
    return value


#: What a workload of `validation.py` is by hand.
CHECKS: dict[str, Check] = {
    "W1": person,
    "W2": person_coerced,
    "W3": query,
    "W4": table,
    "W4c": table_coerced,
    "W5": table_errors,
    "W6": wide,
    "W7": deep,
    "W8": table_errors,
}


def of_text(check: Check, make: Callable[..., Any] | None = None) -> Check:
    """Return the function that reads a text, checks its data, and has *make* build the object."""
    if make is None:
        return lambda text: check(json.loads(text))
    return lambda text: make(**check(json.loads(text)))


def rows_of_text(make: Callable[..., Any]) -> Check:
    """Return the function that reads a text, and makes an object of each of its rows."""
    return lambda text: [make(**each) for each in table(json.loads(text))]


def point(value: Any) -> Any:
    if type(value) is not dict or type(value["tags"]) is not list:
        raise Misfit(value)
    _int(value["x"])
    if type(value["y"]) is not float or not isfinite(value["y"]):
        _int(value["y"])
    for tag in value["tags"]:
        if type(tag) is not str:
            raise Misfit(tag)
    return value


@dataclass(slots=True)
class Outcome:
    """What a call tells: its value, and the warnings of what was coerced."""

    value: Any
    warnings: tuple[str, ...]


#: What `json` reads and writes with, without what it does beside.
_scan = json.JSONDecoder().scan_once  # type: ignore[attr-defined]
_pieces: Callable[[Any, int], Iterable[str]] = encoder.c_make_encoder(  # type: ignore[attr-defined]
    None, None, encoder.encode_basestring, None, ":", ",", False, False, False
)


def _has_twins(data: dict[str, Any], text: str) -> bool:
    """Tell whether a key may stand twice: each has a colon, and here those of a part, too."""
    count = len(data) + sum([len(each) for each in data.values() if type(each) is dict])
    return count != text.count(":")


def called(take: Check, function: Callable[..., Any], give: Check) -> Callable[[str], str]:
    """Return the function that reads a text, calls *function*, and writes its result.

    *take* checks arguments, and *give* the result, of which it makes plain data.
    """

    def call(text: str) -> str:
        data, end = _scan(text, 0)
        if end != len(text) or type(data) is not dict or _has_twins(data, text):
            raise Misfit(text)
        made = Outcome(give(function(**take(data))), ())
        return "".join(_pieces(made.value, 0))

    return call


def numbers(value: Any) -> Any:
    """Return the arguments of a function of `a`, and of `b` with a default."""
    if len(value) != 1 + ("b" in value):
        raise Misfit(value)
    _int(value["a"])
    _int(value.get("b", 2))
    return value


def number(value: Any) -> Any:
    _int(value)
    return value


def words(value: Any) -> Any:
    if len(value) != 1 or type(value["query"]) is not str:
        raise Misfit(value)
    return value


def moved(make: Callable[..., Any]) -> Check:
    """Return what takes a point and a number; *make* builds the object of the point."""

    def take(value: Any) -> Any:
        if len(value) != 2:
            raise Misfit(value)
        _int(value["by"])
        return {"point": make(**point(value["point"])), "by": value["by"]}

    return take


def of_point(value: Any) -> Any:
    return point({"x": value.x, "y": value.y, "tags": value.tags})


def arguments(take: Check, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return *function*, whose arguments *take* checks."""
    return lambda **given: function(**take(given))


class Written:
    """How a row is checked and written, by the names that an adapter of pydantic has for it."""

    @staticmethod
    def dump_json(value: Any) -> bytes:
        return "".join(_pieces(row(value), 0)).encode()

    @staticmethod
    def dump_python(value: Any, mode: str) -> Any:
        assert mode == "json"
        return {**row(value), "tags": value["tags"].copy()}
