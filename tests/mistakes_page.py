"""The table of mistakes in `docs/how-to/answers.md`.

    python -m tests.mistakes_page

writes it anew between its marks from the rows of this module.  A test compares, and another one reads
each row in each mode.  To add a mistake, add its row.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

PAGE = Path(__file__).resolve().parents[1] / "docs" / "how-to" / "answers.md"

#: The narrowest of the modes `strict`, `enabled` and `lenient` that reads the text, or none.
Reads: TypeAlias = Literal["strict", "enabled", "lenient", "never"]


class Mistake(NamedTuple):
    """A text with a mistake.

    #: name: what is wrong; hint: the type that is asked for; text: what was sent
    #: reads: the narrowest mode that reads it; meant: the value, as JSON text
    """

    name: str
    hint: str
    text: str
    reads: Reads
    meant: str = ""


_ID = "{id :int}"
_BOTH = "{id :int, name :string}"
_NAME = "{name :string}"
_INTS = "[:int]"
_ONE = '{"id": 1}'

#: The mistakes, by heading.
MISTAKES: dict[str, tuple[Mistake, ...]] = {
    "Around the value": (
        Mistake("nothing is wrong", _ID, _ONE, "strict", _ONE),
        Mistake("other text", _ID, 'Here it is: {"id": 1} Good luck!', "enabled", _ONE),
        Mistake("a code fence", _ID, '```json\n{"id": 1}\n```', "enabled", _ONE),
        Mistake("a fence without an end", _ID, '```json\n{"id": 1}', "enabled", _ONE),
        Mistake("a fence with a short end", _ID, '```json\n{"id": 1}``', "enabled", _ONE),
        Mistake("a fence on one line", ":int", "```json 3 ```", "enabled", "3"),
        Mistake("a fence in a fence", _ID, '```\n```json\n{"id": 1}\n```\n```', "enabled", _ONE),
        Mistake("reasoning", _ID, '<think>2?</think>{"id": 1}', "enabled", _ONE),
        Mistake("a byte order mark", _ID, '\ufeff{"id": 1}', "enabled", _ONE),
        Mistake("a table", "[{id :int}]", "id\n1\n2", "enabled", '[{"id": 1}, {"id": 2}]'),
        Mistake("a comment before it", ":map", "/* x */ {}", "enabled", "{}"),
        Mistake("a comment behind it", ":map", "{} // remark", "enabled", "{}"),
        Mistake("a comment at a number", ":int", "3 // not", "never"),
        Mistake("parentheses", ":string", '("x")', "enabled", '"x"'),
        Mistake("a callback", ":string", 'callback("fig");', "enabled", '"fig"'),
        Mistake("another function", ":int", "sqrt(9)", "never"),
        Mistake("a special token", _ID, '{"id": 1}<|im_end|>', "enabled", _ONE),
        Mistake("text behind a list of numbers", _INTS, "[1, 2] and nothing more", "enabled", "[1, 2]"),
        Mistake("text that goes on with a list", _INTS, "[1, 2] and more", "never"),
        Mistake("text that denies it", _ID, 'Do not use {"id": 1}', "never"),
    ),
    "Brackets and commas": (
        Mistake("an extra comma", _INTS, "[1, 2,]", "enabled", "[1, 2]"),
        Mistake("a comma behind the whole", _ID, '{"id": 1},', "enabled", _ONE),
        Mistake("a comma, then other text", _ID, '{"id": 1}, as you asked', "enabled", _ONE),
        Mistake("a comma, then what may be more", _INTS, "[1, 2], and 3", "never"),
        Mistake("a missing comma", _BOTH, '{"id": 1 "name": "a"}', "lenient", '{"id": 1, "name": "a"}'),
        Mistake("a missing comma between numbers", _INTS, "[1 2]", "lenient", "[1, 2]"),
        Mistake("a blank within a number", _INTS, "[1 000]", "never"),
        Mistake("brackets that close nothing, at the end", _ID, '{"id": 1}}]', "lenient", _ONE),
        Mistake("a bracket that closes nothing, at the start", _ID, '} {"id": 1}', "lenient", _ONE),
        Mistake("an item of a list, and its last bracket", "[{id :int}]", '{"id": 1}]', "never"),
        Mistake(
            "the last bracket missing, behind all fields",
            _BOTH,
            '{"id": 1, "name": "a"',
            "lenient",
            '{"id": 1, "name": "a"}',
        ),
        Mistake("the last bracket missing, where more may follow", _INTS, "[1, 2", "never"),
        Mistake("an empty list, then an empty object", _INTS, "[]{}", "lenient", "[]"),
        Mistake("a value is missing", _INTS, "[1,,2]", "never"),
        Mistake("an ellipsis", _INTS, "[1, ..., 9]", "never"),
    ),
    "Texts and keys": (
        Mistake("single quotes", _ID, "{'id': 1}", "enabled", _ONE),
        Mistake("typographic quotes", _ID, "{“id”: 1}", "enabled", _ONE),
        Mistake("backticks", _ID, "{`id`: 1}", "enabled", _ONE),
        Mistake("three quotes", ":string", '"""fig"""', "enabled", '"fig"'),
        Mistake("three quotes, and a line break at an end", ":string", '"""\nfig"""', "never"),
        Mistake("quotes in a text", _NAME, '{"name": "say "hi" now"}', "lenient", r'{"name": "say \"hi\" now"}'),
        Mistake("an escaped quote that needs none", _NAME, r'{"name": "it\'s"}', "enabled", '{"name": "it\'s"}'),
        Mistake("a backslash that is not escaped", _NAME, r'{"name": "C:\Users"}', "lenient", r'{"name": "C:\\Users"}'),
        Mistake("backslashes that may be escapes", _NAME, r'{"name": "\d\n"}', "never"),
        Mistake("a line break in a text", _NAME, '{"name": "a\nb"}', "enabled", r'{"name": "a\nb"}'),
        Mistake("all quotes escaped", _ID, r'{\"id\": 1}', "enabled", _ONE),
        Mistake("a key without quotes", _ID, "{id: 1}", "enabled", _ONE),
        Mistake("a text without quotes", _NAME, '{"name": Ann Lee}', "lenient", '{"name": "Ann Lee"}'),
        Mistake("a text of any words, alone", ":string", "Hello there", "lenient", '"Hello there"'),
        Mistake("a word of an enum in a sentence", ':enum["yes" "no"]', "The answer is yes.", "lenient", '"yes"'),
        Mistake("a word that may be denied", ':enum["yes" "no"]', "yes, unless it rains", "never"),
        Mistake("an equals sign", _ID, '{"id" = 1}', "lenient", _ONE),
        Mistake("a key twice", _ID, '{"id": 1, "id": 2}', "never"),
    ),
    "Words and numbers": (
        Mistake("words of Python", "[:bool?]", "[True, None]", "enabled", "[true, null]"),
        Mistake("a tuple", _INTS, "(1, 2)", "enabled", "[1, 2]"),
        Mistake("words in capital letters", ":bool", "TRUE", "enabled", "true"),
        Mistake("undefined", "{id :int?}", '{"id": undefined}', "lenient", '{"id": null}'),
        Mistake("numbers in another form", "[:float]", "[.5, +1.5]", "enabled", "[0.5, 1.5]"),
        Mistake("a number with a unit", _ID, '{"id": 1px}', "never"),
        Mistake("NaN", "{x :float}", '{"x": NaN}', "never"),
        Mistake("a comment within", _ID, '{"id": 1 // one\n}', "enabled", _ONE),
        Mistake("another blank", _ID, '{"id":\u00a01}', "enabled", _ONE),
    ),
    "Several values": (
        Mistake("several, for a list", "[{id :int}]", '{"id": 1}\n{"id": 2}', "lenient", '[{"id": 1}, {"id": 2}]'),
        Mistake("several with comments", "[{id :int}]", '/* 1 */ {"id": 1}, /* 2 */ {"id": 2}', "lenient", '[{"id": 1}, {"id": 2}]'),
        Mistake("several, of which one fits", _ID, '{"q": "a"} gives {"id": 1}', "lenient", _ONE),
        Mistake("several that fit", _ID, '{"id": 1}\n{"id": 2}', "never"),
    ),
}  # fmt: skip

_MARKED = re.compile(r"(<!-- mistakes -->\n).*?(<!-- end -->)", re.DOTALL)
_MODES: tuple[Reads, ...] = ("strict", "enabled", "lenient", "never")


def table() -> str:
    """Return the table of the page."""
    out = [
        "| mistake | type | sent | `strict` | by default | `lenient` |",
        "|---|---|---|---|---|---|",
    ]
    for heading, rows in MISTAKES.items():
        out.append(f"| **{heading}** | | | | | |")
        for row in rows:
            first = _MODES.index(row.reads)
            cells = ["refused" if at < first else _code(row.meant) for at in range(3)]
            out.append(
                f"| {row.name} | {_code(row.hint)} | {_code(_line(row.text))} | {' | '.join(cells)} |"
            )
    return "\n".join(out) + "\n"


def _line(text: str) -> str:
    """Return *text* on one line; a character that is not shown is written as JSON does."""
    shown = (c if c.isprintable() else json.dumps(c)[1:-1] for c in text)
    return "".join(shown)


def _code(text: str) -> str:
    text = text.replace("|", "\\|")
    marks = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    blank = " " if "`" in text else ""
    return f"{marks}{blank}{text}{blank}{marks}"


def page(text: str) -> str:
    """Return *text*, the page, with the table as it must be."""
    return _MARKED.sub(lambda found: found[1] + table() + found[2], text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
