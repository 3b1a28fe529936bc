"""The findings of a diff as text, as a table for a pull request, and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typesig.contracts.rows.findings import Finding, shown_example, shown_name
from typesig.contracts.rows.rules import SEVERITIES
from typesig.relations.limits.conformance import is_json

if TYPE_CHECKING:
    from collections.abc import Iterable


def by_severity(findings: Iterable[Finding]) -> list[Finding]:
    """Return *findings* with the most severe first, else in their order."""
    return sorted(findings, key=lambda f: -SEVERITIES.index(f.severity))


def text_of(findings: Iterable[Finding]) -> str:
    """Return a line for each of *findings*: the severity, what changed, and the rule."""
    return "\n".join([f"{f.severity}: {f} [{f.rule}]" for f in by_severity(findings)])


def markdown_of(findings: Iterable[Finding]) -> str:
    """Return a table of *findings*."""
    rows = by_severity(findings)
    if not rows:
        return "No tool changed.\n"
    lines = ["| severity | tool | place | change | rule |", "|---|---|---|---|---|"]
    for each in rows:
        example = f"; such as {_code(shown_example(each.example[0]))}" if each.example else ""
        cells = [f"**{each.severity}**" if each.severity == "breaking" else each.severity]
        cells += [_code(shown_name(each.tool)), _code(each.place) if each.place else ""]
        cells += [_escaped(each.sentence) + example, _code(each.rule)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _code(text: str) -> str:
    """Return *text* as code in the cell of a table."""
    text = " ".join(text.split()).replace("|", "\\|")
    # Code that contains backquotes stands between more of them.
    marks = "`" * (max((len(run) for run in _runs(text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{marks}{pad}{text}{pad}{marks}"


def _runs(text: str) -> list[str]:
    kept: list[str] = [c if c == "`" else " " for c in text]
    return "".join(kept).split()


#: Characters that Markdown or HTML would read.
_MARKUP = {ord(c): f"\\{c}" for c in "\\`*_[]|~#"} | {ord("<"): "&lt;", ord("&"): "&amp;"}


def _escaped(text: str) -> str:
    return " ".join(text.split()).translate(_MARKUP)


def data_of(findings: Iterable[Finding]) -> dict[str, Any]:
    """Return *findings* as data that JSON can hold."""
    rows = by_severity(findings)
    counts = {s: sum(f.severity == s for f in rows) for s in reversed(SEVERITIES)}
    return {"counts": counts, "findings": [_data(each) for each in rows]}


def _data(each: Finding) -> dict[str, Any]:
    out: dict[str, Any] = {
        "rule": each.rule,
        "severity": each.severity,
        "direction": each.direction,
        "tool": each.tool,
        "place": each.place,
        "old": each.old,
        "new": each.new,
        "sentence": each.sentence,
        "mend": each.mend,
    }
    if each.example:
        [value] = each.example
        out["example"] = value if is_json(value) else shown_example(value)
    return out
