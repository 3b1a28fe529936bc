"""Grammars in the Lark dialect that llguidance and OpenAI take.

A terminal is read greedily, as far as it goes; free text with an end is read up to its first end.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import assert_never

from typesig.providers.grammars import shapes
from typesig.providers.grammars.regex_text import write_class, write_regex, write_times
from typesig.providers.grammars.shapes import BLANKS


def write_lark(grammar: shapes.Grammar) -> str:
    r"""Return *grammar* in Lark; raise `TooLarge`.

    >>> print(
    ...     write_lark(
    ...         shapes.Grammar(
    ...             shapes.Repeat(shapes.Terminal(shapes.Chars(((48, 57),))), 1, None), {}
    ...         )
    ...     )
    ... )
    start: T0+
    T0: /[0-9]/
    <BLANKLINE>
    """
    writer = _LarkWriter(grammar.rules)
    lines = [f"start: {writer.write_branches(grammar.root)}"]
    for name, part in grammar.collect_rules(within_terminals=False).items():
        lines.append(f"{name}: {writer.write_branches(part)}")
    return "\n".join([*lines, *writer.lines, ""])


class _LarkWriter:
    """A writer of grammar parts in Lark, with lines of its own for terminals."""

    def __init__(self, rules: Mapping[str, shapes.Part]) -> None:
        self.lines: list[str] = []
        self._rules = rules
        self._terminals: dict[str, str] = {}
        self._free: dict[shapes.Free, str] = {}

    def write_branches(self, part: shapes.Part) -> str:
        """Write *part* as the right-hand side of a rule, after the colon."""
        if isinstance(part, shapes.Choice):
            return " | ".join([self._write_sequence(branch) for branch in part.branches])
        return self._write_sequence(part)

    def _write_sequence(self, part: shapes.Part) -> str:
        """Write *part* as a branch of a choice, without parentheses."""
        if isinstance(part, shapes.Sequence):
            return " ".join([self._write_atom(each) for each in part.parts]) or '""'
        return self._write_atom(part)

    def _write_atom(self, part: shapes.Part) -> str:
        """Write *part* in parentheses if it has several elements."""
        match part:
            case shapes.Literal(text):
                return json.dumps(text, ensure_ascii=False)
            case shapes.Chars():
                return self._define_terminal(f"/{write_regex(part, self._rules)}/")
            case shapes.Sequence() | shapes.Choice():
                return f"({self.write_branches(part)})"
            case shapes.Repeat(inner, low, high):
                is_group = isinstance(
                    inner, shapes.Sequence | shapes.Choice | shapes.Repeat | shapes.Schema
                )
                made = f"({self.write_branches(inner)})" if is_group else self._write_atom(inner)
                return made + write_times(low, high, brief=False)
            case shapes.Reference(name):
                return name
            case shapes.Terminal(inner):
                return self._define_terminal(f"/{write_regex(inner, self._rules)}/")
            case shapes.Free():
                return self._write_free_text(part)
            case shapes.Schema(text):
                return f"%json {text}"
            case _:
                assert_never(part)

    def _define_terminal(self, text: str) -> str:
        """Name of the terminal with the definition *text*; add it if new."""
        if text not in self._terminals:
            self._terminals[text] = f"T{len(self._terminals)}"
            self.lines.append(f"{self._terminals[text]}: {text}")
        return self._terminals[text]

    def _write_free_text(self, part: shapes.Free) -> str:
        """Name of the terminal or lazy rule that matches free text."""
        marks = [mark for mark in part.without if mark != part.end]
        wanted = ["/(?s:.)*/"]
        if marks:
            found = "|".join([write_regex(shapes.Literal(mark), {}) for mark in marks])
            wanted.append(f"~/(?s:.)*(?:{found})(?s:.)*/")
        if part.first:
            found = write_class(tuple(sorted((ord(sign), ord(sign)) for sign in part.first)))
            wanted.append(f"~/{write_class(BLANKS)}*{found}(?s:.)*/")
        text = " & ".join(wanted)
        if not part.end:
            return self._define_terminal(text)
        if part not in self._free:
            self._free[part] = f"free{len(self._free)}"
            whole = f"({text})" if len(wanted) > 1 else text
            name = self._define_terminal(f"{whole} {json.dumps(part.end, ensure_ascii=False)}")
            self.lines.append(f"{self._free[part]}[lazy]: {name}")
        return self._free[part]
