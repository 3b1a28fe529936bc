"""The matrix: one type in every notation, or the exact words in which a notation refuses it.

`rows` has the types; each notation has a module with its `CELLS`, by the text of the row: what is
written, or `Cannot`.  A new notation adds a module and fails until every row has its cell.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tests.matrix.rows import SIGNATURES, TYPES


def cells(notation: str) -> dict[str, Any]:
    """Return what each row is in *notation*; the rows are in shorthand themselves."""
    if notation == "shorthand":
        return {text: text for text in [*TYPES, *SIGNATURES]}
    found: dict[str, Any] = import_module(f"tests.matrix.{notation}").CELLS
    return found
