"""The matrix: each type in every notation, or the message with which a notation refuses it.

`rows` has the types.  Each notation has a module with its `CELLS`: for the text of each row, what
is written, or `Cannot`.  A new notation adds a module; the tests fail until it has every cell.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tests.matrix.rows import SIGNATURES, TYPES


def cells(notation: str) -> dict[str, Any]:
    """Return the cells of *notation* by the text of their rows, which is shorthand."""
    if notation == "shorthand":
        return {text: text for text in [*TYPES, *SIGNATURES]}
    found: dict[str, Any] = import_module(f"tests.matrix.{notation}").CELLS
    return found
