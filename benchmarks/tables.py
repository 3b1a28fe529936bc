"""Tables of figures: kept as JSON, written as Markdown, and put into the pages that show them.

A page has a pair of comments for each table or chart; what stands between them is written anew:

    <!-- figures: validation -->
    <!-- end -->
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

Cell = float | str | None


class Table(NamedTuple):
    """Rows of figures.

    #: corner: the head of the first column, which has the names of the rows
    """

    corner: str
    columns: list[str]
    rows: dict[str, list[Cell]]

    def column(self, name: str) -> dict[str, Cell]:
        """Return the cells of one column by the names of their rows."""
        place = self.columns.index(name)
        return {row: cells[place] for row, cells in self.rows.items()}


def written(cell: Cell) -> str:
    """Return *cell* as text: a number with three digits, or a dash if there is none."""
    if cell is None:
        return "—"
    if isinstance(cell, str):
        return cell
    if cell >= 999.5:
        return f"{cell:,.0f}"
    return f"{cell:.0f}" if cell >= 99.95 else f"{cell:.1f}" if cell >= 9.995 else f"{cell:.2f}"


def escaped(text: str) -> str:
    """Return *text* for a cell of Markdown."""
    return re.sub(r"([\\|<>*`])", r"\\\1", " ".join(text.split()))


def markdown(table: Table) -> str:
    """Return *table* in Markdown; its names are in the first column, figures at the right."""
    lines = [[escaped(table.corner), *map(escaped, table.columns)]]
    lines += [
        [escaped(name), *(escaped(written(cell)) for cell in cells)]
        for name, cells in table.rows.items()
    ]
    widths = [max(len(line[place]) for line in lines) for place in range(len(lines[0]))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    told = [
        "| "
        + " | ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        + " |"
        for line in (lines[0], rule, *lines[1:])
    ]
    return "\n".join(told)


def names_in(page: str) -> list[str]:
    """Return the names of what *page* has comments for."""
    return re.findall(r"^<!-- figures: ([\w-]+) -->$", page, re.MULTILINE)


def replaced(page: str, parts: Mapping[str, str]) -> str:
    """Return *page* with *parts* between their comments.

    Raises `KeyError` if the page asks for a part that there is not, and `ValueError` if a comment
    has no end.
    """
    opened = len(names_in(page))
    pattern = r"^(<!-- figures: ([\w-]+) -->\n)(?:(?!<!-- figures).*\n)*?(<!-- end -->)$"
    found, count = re.subn(
        pattern,
        lambda match: f"{match[1]}\n{parts[match[2]].strip()}\n\n{match[3]}",
        page,
        flags=re.MULTILINE,
    )
    if count != opened:
        raise ValueError(f"{opened} comments ask for figures, and {count} have an end")
    return found
