"""The tables of `docs/reference/diff-rules.md`.

    python -m tests.rules_page

writes them anew, each between its mark and `<!-- end -->`: the rules from `typesig.contracts.RULES`,
and the kinds of what is hidden from
`typesig.contracts.HIDDEN`, each with a text from `tests.contracts.hidden_texts`.  A test compares.
The site shows each rule with its pair from `tests.contracts.pairs`, see `tests.site_tables`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.contracts.hidden_texts import TEXTS
from tests.contracts.pairs import Pair, pairs
from typesig.contracts import HIDDEN, RULES
from typesig.contracts.lock import Lock
from typesig.contracts.rules import SEVERITIES

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "diff-rules.md"

_MARKED = re.compile(r"(<!-- (rules|hidden) -->\n).*?(<!-- end -->)", re.DOTALL)

_HEADINGS = {
    "input": "What a model sends",
    "output": "What a tool returns",
    "text": "What a model reads",
    "tool": "The tool",
}


def ids() -> str:
    """Return the table of the ids, one row for each direction and severity."""
    out = ["| of | severity | rules |", "|---|---|---|"]
    for direction, heading in _HEADINGS.items():
        for severity in SEVERITIES[::-1]:
            rows = [
                f"`{rule.id}`"
                for rule in RULES.values()
                if rule.direction == direction and rule.severity == severity
            ]
            if rows:
                out.append(f"| {_lowered(heading)} | {severity} | {', '.join(rows)} |")
    return "\n".join([*out, "", ""])


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


def tables() -> str:
    """Return the tables of the site, one for each direction."""
    shown = {pair.rule: pair for pair in pairs()}
    out = []
    for direction, heading in _HEADINGS.items():
        rows = [rule for rule in RULES.values() if rule.direction == direction]
        counts = [
            f"{sum(rule.severity == each for rule in rows)} {each}" for each in SEVERITIES[::-1]
        ]
        out.append(f"### {heading}\n\n{len(rows)} rules: {', '.join(counts)}.\n")
        out.append("| rule | severity | meaning | example | remedy |")
        out.append("|---|---|---|---|---|")
        for rule in rows:
            sentence = rule.sentence.replace("{old}", "*old*").replace("{new}", "*new*")
            cells = [f"`{rule.id}`", rule.severity, sentence, _pair(shown[rule.id]), rule.mend]
            out.append(f"| {' | '.join(cells)} |")
        out.append("")
    return "\n".join(out)


def _pair(pair: Pair) -> str:
    """Return the signatures of *pair*; nothing if they are equal, and a text differs."""
    old, new = (_signatures(lock) for lock in (pair.old, pair.new))
    return "" if old == new else f"{_code(old)} → {_code(new)}"


def kinds() -> str:
    """Return the table of the kinds of what is hidden."""
    out = ["| kind | meaning | example |", "|---|---|---|"]
    for kind in HIDDEN.values():
        text = json.dumps(TEXTS[kind.id][0][0])[1:-1]
        text = text if len(text) < 60 else f"{text[:30]}…{text[-10:]}"
        out.append(f"| `{kind.id}` | {kind.sentence.format(text='*text*')} | {_code(text)} |")
    return "\n".join([*out, "", ""])


def _signatures(lock: Lock) -> str:
    return "; ".join(f"{one.name}{one.signature}" for one in lock)


def _code(text: str) -> str:
    marks = "``" if "`" in text else "`"
    return f"{marks}{text}{marks}".replace("|", "\\|")


def page(text: str) -> str:
    """Return the *text* of the page with its tables written anew."""
    made = {"rules": ids, "hidden": kinds}
    return _MARKED.sub(lambda found: f"{found[1]}\n{made[found[2]]()}{found[3]}", text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
