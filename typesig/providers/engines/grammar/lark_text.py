"""Grammars in the Lark dialect that llguidance and OpenAI take.

A terminal is read greedily, as far as it goes; free text with an end is read up to its first end.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import assert_never

from typesig.providers.engines.grammar import shapes
from typesig.providers.engines.grammar.automaton import BLANKS
from typesig.providers.engines.grammar.regex_text import class_of, regex_text, times


def lark_text(grammar: shapes.Grammar) -> str:
    r"""Return *grammar* in Lark; raise `TooLarge`.

    >>> print(
    ...     lark_text(
    ...         shapes.Grammar(
    ...             shapes.Repeat(shapes.Terminal(shapes.Chars(((48, 57),))), 1, None), {}
    ...         )
    ...     )
    ... )
    start: T0+
    T0: /[0-9]/
    <BLANKLINE>
    """
    writer = _Writer(grammar.rules)
    lines = [f"start: {writer.branches(grammar.root)}"]
    for name, part in grammar.used(within_terminals=False).items():
        lines.append(f"{name}: {writer.branches(part)}")
    return "\n".join([*lines, *writer.lines, ""])


class _Writer:
    """Writes parts; terminals have `lines` of their own."""

    def __init__(self, rules: Mapping[str, shapes.Part]) -> None:
        self.lines: list[str] = []
        self._rules = rules
        self._terminals: dict[str, str] = {}
        self._free: dict[shapes.Free, str] = {}

    def branches(self, part: shapes.Part) -> str:
        """Return *part* as it stands behind the colon."""
        if isinstance(part, shapes.Choice):
            return " | ".join([self._sequence(branch) for branch in part.branches])
        return self._sequence(part)

    def _sequence(self, part: shapes.Part) -> str:
        if isinstance(part, shapes.Sequence):
            return " ".join([self._atom(each) for each in part.parts]) or '""'
        return self._atom(part)

    def _atom(self, part: shapes.Part) -> str:
        match part:
            case shapes.Literal(text):
                return json.dumps(text, ensure_ascii=False)
            case shapes.Chars():
                return self._terminal(part)
            case shapes.Sequence() | shapes.Choice():
                return f"({self.branches(part)})"
            case shapes.Repeat(inner, low, high):
                is_group = isinstance(
                    inner, shapes.Sequence | shapes.Choice | shapes.Repeat | shapes.Schema
                )
                made = f"({self.branches(inner)})" if is_group else self._atom(inner)
                return made + times(low, high, brief=False)
            case shapes.Reference(name):
                return name
            case shapes.Terminal(inner):
                return self._terminal(inner)
            case shapes.Free():
                return self._free_text(part)
            case shapes.Schema(text):
                return f"%json {text}"
            case _:
                assert_never(part)

    def _terminal(self, part: shapes.Part) -> str:
        return self._named(f"/{regex_text(part, self._rules)}/")

    def _named(self, text: str) -> str:
        if text not in self._terminals:
            self._terminals[text] = f"T{len(self._terminals)}"
            self.lines.append(f"{self._terminals[text]}: {text}")
        return self._terminals[text]

    def _free_text(self, part: shapes.Free) -> str:
        marks = [mark for mark in part.without if mark != part.end]
        wanted = ["/(?s:.)*/"]
        if marks:
            found = "|".join([regex_text(shapes.Literal(mark), {}) for mark in marks])
            wanted.append(f"~/(?s:.)*(?:{found})(?s:.)*/")
        if part.first:
            found = class_of(tuple(sorted((ord(sign), ord(sign)) for sign in part.first)))
            wanted.append(f"~/{class_of(BLANKS)}*{found}(?s:.)*/")
        text = " & ".join(wanted)
        if not part.end:
            return self._named(text)
        if part not in self._free:
            self._free[part] = f"free{len(self._free)}"
            whole = f"({text})" if len(wanted) > 1 else text
            name = self._named(f"{whole} {json.dumps(part.end, ensure_ascii=False)}")
            self.lines.append(f"{self._free[part]}[lazy]: {name}")
        return self._free[part]
