"""Where pydantic and msgspec decide otherwise: rows, and the table of `docs/reference/differences.md`.

    python -m tests.differences_page

writes the table anew, between the marks `<!-- differences -->` and `<!-- end -->`; a test compares,
and another runs each row.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import re
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypedDict
from uuid import UUID

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "differences.md"

_MARKED = re.compile(r"(<!-- differences -->\n).*?(<!-- end -->)", re.DOTALL)


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


@dataclasses.dataclass
class Point:
    x: int
    y: float = 0.0


class Movie(TypedDict, total=False):
    title: str


class Pair(NamedTuple):
    left: int
    right: str = "r"


class Row(NamedTuple):
    """A JSON text for a hint, who takes it in strict mode, and why typesig does or does not.

    *hint* is what the page shows; *pydantic* and *msgspec* are None where the version decides.
    """

    hint: str
    text: str
    typesig: bool
    pydantic: bool | None
    msgspec: bool | None
    reason: str


HINTS: dict[str, Any] = {
    "a dataclass": Point,
    "a TypedDict": Movie,
    "a NamedTuple": Pair,
    "an IntEnum": Level,
    "Literal[1, 2]": Literal[1, 2],
    "float": float,
    "bytes": bytes,
    "set[int]": set[int],
    "Decimal": Decimal,
    "UUID": UUID,
    "datetime": dt.datetime,
    "timedelta": dt.timedelta,
}

_CLOSED = "an unknown key is a mistake of the model; other modes drop it with a warning"
_KINDS = "`1.0` and `true` are values of other kinds, and never equal an int in an enum"
_TEXT = "the model sees one form, and must send that form; other modes accept a number"
_UNITS = "a number has no unit; a model that sends one may mean seconds or milliseconds"
_OFFSET = (
    "a datetime without an offset is ambiguous; `Policy(naive_datetime=…)` names its time zone"
)

ROWS = (
    Row("a dataclass", '{"x": 1, "z": 2}', False, True, True, _CLOSED),
    Row("a dataclass", '{"x": 1, "y": null}', True, False, False, "null selects the default, since "
        "models send it for an omitted value"),
    Row("a TypedDict", '{"title": "t", "more": 1}', False, True, True, _CLOSED),
    Row("a NamedTuple", '{"left": 1}', True, True, False, "a model knows the names, and would "
        "have to count positions in a list"),
    Row("a NamedTuple", '[1, "a"]', False, True, True, "the model sees an object, and must send an object"),
    Row("an IntEnum", "1.0", False, True, None, _KINDS),
    Row("an IntEnum", "true", False, True, False, _KINDS),
    Row("Literal[1, 2]", "1.0", False, True, None, _KINDS),
    Row("Literal[1, 2]", "true", False, True, False, _KINDS),
    Row("float", "1" + "0" * 30 + "1", False, True, True, "the number would change; an int "
        "that a float represents exactly is accepted"),
    Row("bytes", '"~"', False, True, False, "bytes are always base64"),
    Row("set[int]", "[1, 1]", False, True, True, "a duplicate item is a mistake, which a "
        "set would hide"),
    Row("Decimal", "1", False, True, True, _TEXT),
    Row("Decimal", "0.5", False, True, True, _TEXT),
    Row("Decimal", '"NaN"', False, False, True, "not a number, and not JSON"),
    Row("UUID", '"123E4567E89B12D3A456426614174000"', False, True, True, "RFC 9562 writes hyphens"),
    Row("datetime", '"2026-01-31T10:00:00"', False, True, True, _OFFSET),
    Row("datetime", '"2026-01-31T10:00Z"', False, True, False, "RFC 3339 writes seconds"),
    Row("datetime", '"1"', False, True, False, _UNITS),
    Row("timedelta", '"P1W"', True, True, False, "ISO 8601 has weeks, and so has RFC 3339"),
    Row("timedelta", '"p8d"', False, False, True, "ISO 8601 writes capitals"),
    Row("timedelta", '"10:00:00"', False, True, False, "ISO 8601 writes `PT10H`"),
)  # fmt: skip


def table() -> str:
    """Return the rows as a table of Markdown."""
    out = ["| hint | JSON | typesig | pydantic | msgspec | why |", "|---|---|---|---|---|---|"]
    for row in ROWS:
        verdicts = " | ".join(_verdict(v) for v in (row.typesig, row.pydantic, row.msgspec))
        out.append(f"| {row.hint} | `{row.text}` | {verdicts} | {row.reason} |")
    return "\n".join(out) + "\n"


def _verdict(taken: bool | None) -> str:
    return {True: "accepts", False: "refuses", None: "varies"}[taken]


def page(text: str) -> str:
    """Return the *text* of the page with its table written anew."""
    return _MARKED.sub(lambda found: found[1] + "\n" + table() + "\n" + found[2], text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
