"""The contract of the rows, and what an engine sends to its processes: a line in, a report out."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import typesig

ROWS = Path(__file__).parent.parent / "data" / "rows.jsonl"


@dataclass
class Row:
    id: int
    title: str
    score: float
    tags: list[str]


#: Coerces nothing: in a data set, text in place of a number is an error.
CONTRACT = typesig.contract(Row, mode="strict")


def engine(name: str, extra: str) -> Any:
    """Return the module *name* of an engine; end the program with what to install without it."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        sys.exit(f"this program needs {name.partition('.')[0]}: pip install 'typesig[{extra}]'")


def report(contract: typesig.Contract[Any], line: bytes) -> str:
    """Return JSON text with *line* and its errors; an empty text if it fits.

    A byte of the line that is not UTF-8 is a lone surrogate, so that none is lost.
    """
    outcome = contract.read(line)
    if outcome.ok:
        return ""
    text = line.decode("utf-8", "surrogateescape")
    return json.dumps({"line": text, "errors": [str(issue) for issue in outcome.errors]})


def lines_of(block: bytes) -> list[bytes]:
    """Return the lines of *block* that are not blank.

    Only a line feed ends a line: the other line breaks may stand in a text of JSON.
    """
    return [line for line in block.split(b"\n") if line.strip()]


def summary(total: int, bad: int) -> str:
    """Return what a program prints at its end."""
    return f"{total} rows: {total - bad} fit, {bad} do not"
