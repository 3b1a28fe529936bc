"""The contract of the rows, and what an engine sends to its processes: a line in, a report out."""

from __future__ import annotations

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


def engine(name: str, package: str) -> Any:
    """Return the module *name* of an engine; end the program with what to install without it."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        sys.exit(f"this program needs {name.partition('.')[0]}: pip install '{package}'")


def checked(line: str, contract: typesig.Contract[Row] = CONTRACT) -> dict[str, Any]:
    """Return the line with its errors; there are none if it fits."""
    outcome = contract.read(line)
    return {"line": line, "errors": [str(issue) for issue in outcome.errors]}


def summary(total: int, bad: int) -> str:
    """Return what a program prints at its end."""
    return f"{total} rows: {total - bad} fit, {bad} do not"
