"""The generated parts of the page on notations, `docs/reference/notations.md`.

`python -m tests.matrix.page` writes the parts between the marks `<!-- table: NAME -->` and
`<!-- end -->`; a test compares them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.matrix import cells
from tests.matrix.rows import SIGNATURES, TYPES, Cannot
from typesig.notations import NOTATIONS, convert

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "notations.md"

#: The function that the page shows in every notation.
FUNCTION = (
    '(query :string "words to look for", limit :int = 10) -> '
    "[{id :int, title :string, note :string?}]"
)

_TITLES = {
    "shorthand": "[Shorthand](shorthand.md)",
    "compact": "[The compact notation](compact.md)",
    "malli": "[Malli](malli.md), as Python data",
    "edn": "Malli as [EDN](edn.md) text",
    "json_schema": "[JSON Schema](json-schema.md)",
    "gram": "[Gram](gram.md)",
    "gram_path": "Gram's path form",
    "typescript": "[TypeScript](code-notations.md#typescript), which is only written",
    "python": "[Python stubs](code-notations.md#python-stubs), which are only written",
}


def as_text(written: Any) -> str:
    """Return what is written in a notation as text."""
    return written if isinstance(written, str) else json.dumps(written, ensure_ascii=False)


def function() -> str:
    """Return the function in every notation, each with its losses."""
    out = []
    for notation in NOTATIONS:
        written, losses = convert(FUNCTION, notation)
        text = as_text(written)
        fence = "json" if text[:1] == "{" else "text"
        out.append(f"{_TITLES[notation]}:\n\n```{fence}\n{text}\n```\n")
        if losses:
            listed = "\n".join(f"- `{loss}`" for loss in losses)
            out.append(f"Losses:\n\n{listed}\n")
    return "\n".join(out)


def shapes() -> str:
    """Return the table of every shape in the notations whose types fit on a line."""
    return _table(TYPES, ("shorthand", "compact", "edn", "gram"))


def schemas() -> str:
    """Return the table of every shape as JSON Schema."""
    return _table(TYPES, ("shorthand", "json_schema"))


def signatures() -> str:
    """Return the table of whole signatures."""
    return _table(SIGNATURES, ("shorthand", "compact", "edn", "gram"))


def _table(texts: list[str], notations: tuple[str, ...]) -> str:
    lines = [[_HEADS[name] for name in notations], ["---"] * len(notations)]
    lines += [[_cell(cells(name)[text]) for name in notations] for text in texts]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


_HEADS = {
    "shorthand": "shorthand",
    "compact": "compact",
    "edn": "EDN",
    "gram": "gram",
    "json_schema": "JSON Schema",
}


def _cell(cell: Any) -> str:
    if isinstance(cell, Cannot):
        return f"*{_escaped(cell.message)}*"
    # A cell is one line: a line's end is shown as it is in the corpus.
    return f"`{as_text(cell)}`".replace("|", "\\|").replace("\n", "⏎")


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>|])", r"\\\1", text)


PARTS: dict[str, Callable[[], str]] = {
    "function": function,
    "shapes": shapes,
    "signatures": signatures,
}


def generated() -> str:
    """Return the page with its generated parts made anew."""
    text = PAGE.read_text(encoding="utf-8")
    for name, make in PARTS.items():
        marks = re.compile(rf"(<!-- table: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        assert marks.search(text), f"the page has no marks of {name}"
        part = make()
        text = marks.sub(lambda found, part=part: found[1] + part + found[2], text)
    return text


if __name__ == "__main__":
    PAGE.write_text(generated(), encoding="utf-8")
