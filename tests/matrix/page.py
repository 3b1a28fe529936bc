"""The page on notations, `docs/reference/notations.md`, written from the matrix and by converting.

    python -m tests.matrix.page

writes its parts anew, between the marks `<!-- table: NAME -->` and `<!-- end -->`; a test compares.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typesig
from tests.matrix import cells
from tests.matrix.rows import SIGNATURES, TYPES, Cannot
from typesig.notations import NOTATIONS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "notations.md"

#: The function that the page shows in all notations.
FUNCTION = (
    '(query :string "words to look for", limit :int = 10) -> '
    "[{id :int, title :string, note :string?}]"
)

_TITLES = {
    "shorthand": "[Shorthand](shorthand.md)",
    "malli": "[Malli](malli.md), as Python data",
    "edn": "Malli as [EDN](edn.md) text",
    "json_schema": "[JSON Schema](json-schema.md)",
    "gram": "[Gram](gram.md)",
    "gram_path": "Gram's path form",
}


def shown(written: Any, indent: int | None = None) -> str:
    """Return what is written in a notation as text."""
    if isinstance(written, str):
        return written
    return json.dumps(written, ensure_ascii=False, indent=indent)


def function() -> str:
    """Return the function in every notation, and below each what it could not say."""
    out = []
    for notation in NOTATIONS:
        written, losses = typesig.convert(FUNCTION, notation)
        text = shown(written)
        fence = "json" if text[:1] == "{" else "text"
        out.append(f"{_TITLES[notation]}:\n\n```{fence}\n{text}\n```\n")
        if losses:
            told = "\n".join(f"- `{loss}`" for loss in losses)
            out.append(f"Lost on the way:\n\n{told}\n")
    return "\n".join(out)


def shapes() -> str:
    """Return the table of every shape in the notations of one line, and what is refused."""
    return _table(TYPES, ("shorthand", "edn", "gram"))


def schemas() -> str:
    """Return the table of every shape as JSON Schema."""
    return _table(TYPES, ("shorthand", "json_schema"))


def signatures() -> str:
    """Return the table of whole signatures."""
    return _table(SIGNATURES, ("shorthand", "edn", "gram"))


def _table(texts: list[str], notations: tuple[str, ...]) -> str:
    lines = [[_HEADS[name] for name in notations], ["---"] * len(notations)]
    lines += [[_cell(cells(name)[text]) for name in notations] for text in texts]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


_HEADS = {"shorthand": "shorthand", "edn": "EDN", "gram": "gram", "json_schema": "JSON Schema"}


def _cell(cell: Any) -> str:
    if isinstance(cell, Cannot):
        return f"*{_plain(cell.message)}*"
    return f"`{shown(cell)}`".replace("|", "\\|")


def _plain(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>|])", r"\\\1", text)


_PARTS: dict[str, Callable[[], str]] = {
    "function": function,
    "shapes": shapes,
    "schemas": schemas,
    "signatures": signatures,
}


def written() -> str:
    """Return the page with its parts as they are now."""
    text = PAGE.read_text(encoding="utf-8")
    for name, made in _PARTS.items():
        marks = re.compile(rf"(<!-- table: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        assert marks.search(text), f"the page has no marks of {name}"
        part = made()
        text = marks.sub(lambda found, part=part: found[1] + part + found[2], text)
    return text


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
