"""Print the comparison of `peers.py`, and write it as a page of the documentation."""

from __future__ import annotations

import datetime as dt
from typing import Any

from peer_judge import LEFT_OUT, MARKS

#: The word for each mark, and its meaning.
SHOWN = {
    "yes": (
        "yes",
        "the schema accepts and rejects what it should, and contains the descriptions",
    ),
    "text": ("no text", "a description is missing from the schema"),
    "shown": ("shows", "the model sees a parameter that it must not see"),
    "wide": ("wide", "the schema accepts a value that it should reject"),
    "narrow": ("narrow", "the schema rejects a value that it should accept"),
    "both": ("off", "wide and narrow"),
    "no schema": ("-", "the result has no schema"),
    "none": ("none", "the tool does not support this"),
    "error": ("error", "the tool refuses the function"),
    "crash": ("crash", "the process ended, or did not answer"),
}
KINDS = ("params", "results")
TITLES = {"params": "Parameters", "results": "Results"}


def features_of(found: dict[str, Any], kind: str) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the outcome of all rows of each noun, by tool: the worst mark counts."""
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
    """Return the number of features with a right schema, and of those with a right call too."""
    cells = [cells[name] for cells in features.values() if name in cells]
    held = [cell for cell in cells if cell["mark"] == "yes"]
    return len(held), sum(cell["right"] for cell in held)


def rows_held(found: dict[str, Any], name: str, kind: str) -> tuple[int, int]:
    """Return the number of rows with a right schema, and the number of all rows."""
    marks = [row["mark"] for row in found[name]["rows"] if row["kind"] == kind]
    return marks.count("yes"), len(marks)


def printed(found: dict[str, Any]) -> str:
    """Return the totals, and the features that typesig gets wrong."""
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
    """Return the page, into which the site puts the tables of the features."""
    versions = [f"{name} {peer['version']}" for name, peer in found.items() if peer["version"]]
    lines = [
        "# Type support in other libraries",
        "",
        f"Written by `benchmarks/peers.py --write` on {day}, with Python {python} and "
        f"{', '.join(versions)}.",
        "",
        _INTRODUCTION.strip(),
        "",
    ]
    features = {kind: features_of(found, kind) for kind in KINDS}
    lines += [
        f"| tool | parameters: features of {len(features['params'])} | and received as hinted "
        f"| rows | results: features of {len(features['results'])} | rows |",
        "|---" * 6 + "|",
    ]
    for name in found:
        held, right = totals_of(features["params"], name)
        rows = [" of ".join(map(str, rows_held(found, name, kind))) for kind in KINDS]
        results = totals_of(features["results"], name)[0]
        lines.append(f"| {name} | {held} | {right} | {rows[0]} | {results} | {rows[1]} |")
    lines += ["", "Each cell begins with a word:", ""]
    lines += [f"- *{word}*: {meaning}" for word, meaning in SHOWN.values()]
    lines += ["", _NOTES.strip(), ""]
    lines += [f"- {_plain(noun)}: {why}" for noun, why in sorted(LEFT_OUT.items())]
    return "\n".join([*lines, "", _ON_THE_SITE.strip(), ""])


def tables(found: dict[str, Any]) -> str:
    """Return the tables of the features, a cell for each tool."""
    lines: list[str] = []
    for kind in KINDS:
        features = features_of(found, kind)
        lines += [f"## {TITLES[kind]}", "", _CELLS[kind].strip()]
        for group, nouns in _groups(kind).items():
            lines += _lines(group, [noun for noun in nouns if noun in features], found, kind)
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def _groups(kind: str) -> dict[str, tuple[str, ...]]:
    from tests.type_table.nouns import PARAMS, RESULTS

    return PARAMS if kind == "params" else RESULTS


def _lines(group: str, nouns: list[str], found: dict[str, Any], kind: str) -> list[str]:
    """Return the table of one group of features, or nothing if none of them is compared."""
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
The functions of the type table (`tests/type_table`) were given to other tools in the way that their
documentation shows, and `jsonschema` judged the schemas of every tool in the same way. A feature
passes if the schema accepts every value that it should accept and rejects every value that it
should reject; if a row has descriptions, the schema must contain them. A tool may write a value in
its own form: JSON has none for a date or for bytes. `benchmarks/peer_adapters.py` has the code for
each tool, `benchmarks/peer_judge.py` the judgement of a row; `benchmarks/README.md` tells how to
run both. On Python 3.11, all tools that build on pydantic refuse `typing.TypedDict`.
"""
_NOTES = """
The rows and the values are our choice; a tool that defines a hint differently may be right by its
own definition. A feature with several rows passes only if all of them pass, so the columns of rows
show a higher share. These features are left out:
"""
_ON_THE_SITE = """
<!-- on the site: peers -->
## Parameters and results

`benchmarks/peers.md` has the tables of all features.
<!-- end of peers -->
"""
_CELLS = {
    "params": """
After the word comes the class of the value that the function received, or of each value if there
are several parameters. It is in *italics* if at least one value was not what the hint says.
""",
    "results": """
After the word comes the form of the result, if there is a schema.
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
