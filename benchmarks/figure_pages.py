"""Writes the tables and charts of README and docs from figures that `figures.py` has saved."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import svg_charts
from benchmarks.tables import Cell, Table, markdown, replaced

CHECKOUT = Path(__file__).resolve().parent.parent
SAVED = CHECKOUT / "benchmarks" / "figures.json"
PAGES = (CHECKOUT / "README.md", CHECKOUT / "docs" / "reference" / "speed.md")
CHARTS = CHECKOUT / "docs" / "reference" / "charts"

#: What the rows of the chart of validation are called.
WORKS = {
    "W1": "W1 a small record",
    "W2": "W2 coerced",
    "W3": "W3 a tool's input",
    "W4": "W4 10,000 rows",
    "W4c": "W4c coerced",
    "W5": "W5 one bad row",
    "W6": "W6 100 fields",
    "W7": "W7 20 levels",
    "W8": "W8 all rows bad",
}
COERCED = ("W2", "W4c")
SHOWN_VALIDATORS = (
    "msgspec TypedDict", "msgspec Struct", "jsonschema-rs", "fastjsonschema", "cattrs", "mashumaro",
)  # fmt: skip
#: The rows of the chart of calls: the call that is shown, and that of typesig on equal footing.
SHOWN_CALLS = {
    "pydantic validate_call": ("pydantic validate_call", None),
    "LangChain": ("LangChain", None),
    "FastMCP": ("FastMCP, awaited", "typesig, awaited"),
    "openai-agents": ("openai-agents, awaited, text", "typesig, awaited, text"),
}
RATIO = "Time of the other divided by that of typesig: right of 1, typesig is faster."


def number(cell: Cell) -> float | None:
    """Return *cell* if it is a number."""
    return None if isinstance(cell, str) else cell


def merged(table: Table) -> list[float | None]:
    """Return the row of pydantic: strict, and lax where values are coerced."""
    strict, lax = table.rows["pydantic strict"], table.rows["pydantic lax"]
    return [
        number(lax[place] if name in COERCED else strict[place])
        for place, name in enumerate(table.columns)
    ]


def validation_chart(table: Table) -> str:
    series = {"pydantic": merged(table)}
    for name in SHOWN_VALIDATORS:
        if name in table.rows:
            series[name] = [number(cell) for cell in table.rows[name]]
    rows = [WORKS[name] for name in table.columns]
    return svg_charts.dots("Validation", RATIO, rows, series)


def calls_chart(table: Table) -> str:
    series: dict[str, list[float | None]] = {}
    for told, (name, ours) in SHOWN_CALLS.items():
        if name in table.rows:
            theirs = [number(cell) for cell in table.rows[name]]
            units = [number(cell) for cell in table.rows[ours]] if ours else [1.0] * len(theirs)
            series[told] = [
                each / unit if each and unit else None
                for each, unit in zip(theirs, units, strict=True)
            ]
    note = "Time divided by that of typesig called in the same way: right of 1, typesig is faster."
    return svg_charts.dots("A checked call of a function", note, table.columns, series)


def memory_chart(table: Table) -> str:
    column = next(name for name in table.columns if name.startswith("peak, 100"))
    values = {
        name: cell
        for name, cell in table.column(column).items()
        if cell is not None and not isinstance(cell, str)
    }
    note = "Peak of Python's allocators; most of the others return a copy."
    return svg_charts.bars("Memory of a check of 100,000 rows", note, values, "KiB")


def growth_chart(unit: str, table: Table) -> str:
    series = {
        column.removesuffix(", ns"): [
            (float(row.replace(",", "")), value)
            for row, cells in table.rows.items()
            if (value := number(cells[place])) is not None
        ]
        for place, column in enumerate(table.columns)
        if column.endswith(", ns")
    }
    note = f"Nanoseconds for each of the {unit}; a level line is in proportion."
    return svg_charts.lines(f"Growth with the number of {unit}", note, series, unit)


def definitions_chart(table: Table) -> str:
    values = {
        name: cell
        for name, cell in table.column("µs").items()
        if cell is not None and not isinstance(cell, str)
    }
    note = "CPU time for a new function, with a new record, a docstring and both schemas."
    return svg_charts.bars("One tool definition", note, values, "µs")


def whole_call_chart(table: Table) -> str:
    values = {
        name: cell
        for name, cell in table.column("/ pydantic").items()
        if cell is not None and not isinstance(cell, str)
    }
    note = "Time of typesig divided by that of pydantic: below 1, typesig is faster."
    return svg_charts.bars("A full call, JSON in to text out", note, values, "x")


def start_chart(table: Table) -> str:
    shown = ("import typesig", "import pydantic")
    values = {name.removeprefix("import "): number(table.rows[name][0]) or 0.0 for name in shown}
    return svg_charts.bars("Import", "CPU time of a new process.", values, "ms")


def charts(tables: dict[str, Table]) -> Iterator[tuple[str, str]]:
    """Yield the file name and the text of each chart that *tables* have figures for."""
    made = {
        "validation": validation_chart,
        "calls": calls_chart,
        "memory": memory_chart,
        "start": start_chart,
        "whole-call": whole_call_chart,
        "definitions": definitions_chart,
    }
    for name, table in tables.items():
        if name in made:
            yield f"{name}.svg", made[name](table)
        elif name.startswith("growth-"):
            yield f"{name}.svg", growth_chart(name.removeprefix("growth-"), table)


def loaded(text: str) -> tuple[dict[str, Table], dict[str, str]]:
    """Return the tables and the notes on how each was measured, as `saved` wrote them."""
    found: dict[str, Any] = json.loads(text)
    return {name: Table(**each) for name, each in found["tables"].items()}, found["notes"]


def saved(tables: dict[str, Table], notes: dict[str, str]) -> str:
    """Return *tables* and *notes* as JSON; numbers with four digits."""

    def rounded(cell: Cell) -> Cell:
        return cell if cell is None or isinstance(cell, str) else float(f"{cell:.4g}")

    kept = {
        name: {
            **table._asdict(),
            "rows": {row: [rounded(cell) for cell in cells] for row, cells in table.rows.items()},
        }
        for name, table in tables.items()
    }
    return json.dumps({"tables": kept, "notes": notes}, indent=1, ensure_ascii=False) + "\n"


def parts(tables: dict[str, Table], notes: dict[str, str]) -> dict[str, str]:
    """Return what stands between the comments of a page, by their names."""
    return {name: f"{markdown(table)}\n\n{notes[name]}" for name, table in tables.items()}


def files(text: str) -> dict[Path, str]:
    """Return the pages and charts for the saved figures in *text*."""
    tables, notes = loaded(text)
    made = parts(tables, notes)
    written = {page: replaced(page.read_text(encoding="utf-8"), made) for page in PAGES}
    return written | {CHARTS / name: chart for name, chart in charts(tables)}


def write() -> None:
    """Write the pages and charts for the saved figures."""
    CHARTS.mkdir(exist_ok=True)
    for file, text in files(SAVED.read_text(encoding="utf-8")).items():
        file.write_text(text, encoding="utf-8")
