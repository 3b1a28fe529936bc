"""The comparison of `peers.py` as it is printed, and as a page of the documentation."""

from __future__ import annotations

import datetime as dt
from typing import Any

from peer_judge import LEFT_OUT, MARKS

#: What a mark is written as, and what it says.
SHOWN = {
    "yes": ("yes", "the schema accepts and rejects what it should, and holds the texts"),
    "text": ("no text", "a description is missing from the schema"),
    "shown": ("shows", "the model sees a parameter that it must not see"),
    "wide": ("wide", "the schema accepts a value that it should reject"),
    "narrow": ("narrow", "the schema rejects a value that it should accept"),
    "both": ("off", "wide and narrow"),
    "no schema": ("-", "the result has no schema"),
    "none": ("none", "the tool has no means for this"),
    "error": ("error", "the function cannot be made a tool at all"),
    "crash": ("crash", "the process ended, or gave no answer"),
}
KINDS = ("params", "results")
TITLES = {"params": "Parameters", "results": "Results"}


def features_of(found: dict[str, Any], kind: str) -> dict[str, dict[str, dict[str, Any]]]:
    """Return by noun and by tool what became of all rows of the noun: the worst mark decides."""
    out: dict[str, dict[str, dict[str, Any]]] = {}
    for name, peer in found.items():
        for row in peer["rows"]:
            if row["kind"] != kind:
                continue
            cells = out.setdefault(row["noun"], {})
            cell = cells.setdefault(name, {**row, "count": 0})
            cell["count"] += 1
            if MARKS.index(row["mark"]) < MARKS.index(cell["mark"]):
                cell.update(mark=row["mark"], why=row["why"])
            if cell["right"] and not row["right"]:
                cell.update(right=False, received=row["received"])
    return out


def totals_of(features: dict[str, dict[str, dict[str, Any]]], name: str) -> tuple[int, int]:
    """Return of how many features the schema holds, and of how many the call is right as well."""
    cells = [cells[name] for cells in features.values() if name in cells]
    held = [cell for cell in cells if cell["mark"] == "yes"]
    return len(held), sum(cell["right"] for cell in held)


def rows_held(found: dict[str, Any], name: str, kind: str) -> tuple[int, int]:
    """Return of how many rows the schema holds, and how many there are."""
    marks = [row["mark"] for row in found[name]["rows"] if row["kind"] == kind]
    return marks.count("yes"), len(marks)


def printed(found: dict[str, Any]) -> str:
    """Return the totals, and what does not hold for typesig."""
    lines = []
    for kind in KINDS:
        features = features_of(found, kind)
        lines.append(f"\n{TITLES[kind]}: {len(features)} features")
        for name in found:
            held, right = totals_of(features, name)
            rows, of = rows_held(found, name, kind)
            calls = f", {right} and received as hinted" if kind == "params" else ""
            lines.append(f"  {name:14} {held:4}{calls}; rows {rows} of {of}")
        for noun, cells in features.items():
            ours = cells.get("typesig", {"mark": "yes", "right": True})
            if ours["mark"] != "yes" or not ours["right"]:
                lines.append(f"  typesig, {noun}: {ours['mark']}, {ours['why']}")
    return "\n".join(lines)


def written(found: dict[str, Any], python: str, day: dt.date) -> str:
    """Return the page."""
    versions = [f"{name} {peer['version']}" for name, peer in found.items() if peer["version"]]
    lines = [
        "# The type table, through other tools",
        "",
        f"Written by `benchmarks/peers.py --write` on {day}, with Python {python} and "
        f"{', '.join(versions)}.",
        "",
        _INTRODUCTION.strip(),
        "",
    ]
    tables = {kind: features_of(found, kind) for kind in KINDS}
    lines += [
        f"| tool | parameters: features of {len(tables['params'])} | and received as hinted "
        f"| rows | results: features of {len(tables['results'])} | rows |",
        "|---" * 6 + "|",
    ]
    for name in found:
        held, right = totals_of(tables["params"], name)
        rows = [" of ".join(map(str, rows_held(found, name, kind))) for kind in KINDS]
        results = totals_of(tables["results"], name)[0]
        lines.append(f"| {name} | {held} | {right} | {rows[0]} | {results} | {rows[1]} |")
    lines += ["", "What a cell says first:", ""]
    lines += [f"- *{word}*: {meaning}" for word, meaning in SHOWN.values()]
    lines += ["", _NOTES.strip(), ""]
    lines += [f"- {_plain(noun)}: {why}" for noun, why in sorted(LEFT_OUT.items())]
    for kind in KINDS:
        lines += ["", f"## {TITLES[kind]}", "", _CELLS[kind].strip()]
        for group, nouns in _groups(kind).items():
            lines += _lines(group, [noun for noun in nouns if noun in tables[kind]], found, kind)
    return "\n".join(lines) + "\n"


def _groups(kind: str) -> dict[str, tuple[str, ...]]:
    from tests.type_table.nouns import PARAMS, RESULTS

    return PARAMS if kind == "params" else RESULTS


def _lines(group: str, nouns: list[str], found: dict[str, Any], kind: str) -> list[str]:
    """Return the table of one group of features, nothing where none of it is compared."""
    if not nouns:
        return []
    features = features_of(found, kind)
    lines = ["", f"### {group}", "", "| | " + " | ".join(found) + " |"]
    lines.append("|---" * (len(found) + 1) + "|")
    for noun in nouns:
        cells = " | ".join(_cell(features[noun].get(name), kind) for name in found)
        lines.append(f"| {_plain(noun)} | {cells} |")
    return lines


_INTRODUCTION = """
The functions of the type table (`tests/type_table`) were given to other tools as their
documentation shows, and the schemas that came out were judged by `jsonschema`, for every tool
alike. A feature holds where the schema accepts every value that it should and rejects every value
that it should not; where the row says texts, they must stand in the schema. A tool's own spelling
of a value counts as well as ours. How each tool is asked stands in `benchmarks/peer_adapters.py`,
how a row is judged in `benchmarks/peer_judge.py`; `benchmarks/README.md` says how to run it. On
Python 3.11, `typing.TypedDict` is refused by all that build on pydantic.
"""
_NOTES = """
The rows are ours, and so is the choice of values: a tool that means something else by a hint may
call its own answer right. A feature of several rows holds where all of them do, so the columns of
rows are the kinder ones. These features are left out:
"""
_CELLS = {
    "params": """
Behind the mark stands what the function received: its class, or those of several parameters.
*In italics* it is not what the hint says, for one value at least.
""",
    "results": """
Behind the mark stands what a result became, where there is a schema.
""",
}


def _cell(cell: dict[str, Any] | None, kind: str) -> str:
    if cell is None:
        return ""
    word = SHOWN[cell["mark"]][0]
    received = cell["received"]
    if not received:
        return word
    received = received if len(received) <= 24 else received[:23] + "…"
    if kind == "params" and not cell["right"]:
        return f"{word} *{_plain(received)}*"
    return f"{word} `{received}`".replace("|", "\\|")


def _plain(text: str) -> str:
    for mark in "\\|*_[`":
        text = text.replace(mark, "\\" + mark)
    return text
