"""Flaws: problems of a program, each with its line."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from typesig.algebra.rows.frozen import set_part
from typesig.errors import cut_window
from typesig.limits import MAX_ISSUES
from typesig.validation.issues.issues import Issue
from typesig.validation.issues.suggestions import SuggestionQuery, SuggestionSearch
from typesig.validation.issues.words import Words

#: The kinds of flaws.
FlawKind: TypeAlias = Literal[
    "syntax", "size", "depth", "refused_syntax", "unknown_module", "unknown_tool",
    "unknown_name", "unknown_argument", "missing_argument", "repeated_argument",
    "extra_argument", "wrong_argument", "unknown_key", "maybe_missing", "maybe_nil",
    "unknown_attribute", "not_iterable", "not_indexable", "not_callable", "wrong_unpacking",
    "wrong_operands", "missing_await", "needless_await", "not_run_there", "unchecked", "raised",
    "limit",
]  # fmt: skip


#: The kinds of flaws that depend on values.
_OF_VALUES: frozenset[FlawKind] = frozenset({
    "unknown_key", "unknown_attribute", "not_iterable", "not_indexable", "not_callable",
    "wrong_unpacking", "wrong_operands",
})  # fmt: skip


class Flaw(Issue):
    r"""One error or warning about a program.

    #: kind: the kind of the flaw; got: the sentence; hint: what may have been meant, or empty
    #: line, column: the place, counted from 1, or 0 if there is none
    #: source: the line of the program; width: the characters of the mistake

    >>> print(Flaw("unknown_name", 'there is no name "x"', "", 1, 3, "1+x"))
    line 1, column 3: there is no name "x"
      1+x
        ^
    """

    __slots__ = ("column", "kind", "line", "source", "width")
    __match_args__ = ("kind", "got", "hint", "line", "column", "source", "width")
    kind: FlawKind
    line: int
    column: int
    source: str
    width: int

    def __init__(
        self,
        kind: FlawKind,
        got: str,
        hint: str = "",
        line: int = 0,
        column: int = 0,
        source: str = "",
        width: int = 1,
    ) -> None:
        super().__init__("program", (), "", got, hint)
        set_part(self, "kind", kind)
        set_part(self, "line", line)
        set_part(self, "column", column)
        set_part(self, "source", source)
        set_part(self, "width", width)

    def _write_line(self, words: Words) -> str:
        """Write place and message, and the source line with carets under the flaw."""
        said = self._write_message(words)
        if not self.line:
            return said
        shown, at = cut_window(self.source, max(self.column - 1, 0))
        carets = "^" * max(1, min(self.width, len(shown) - at))
        place = f"line {self.line}, column {self.column}"
        return f"{place}: {said}\n  {shown}\n  {' ' * at}{carets}"


class Flaws:
    """The flaws of one program, at most `MAX_ISSUES` errors and as many warnings.

    #: errors, warnings: what was found; unseen: how many more errors there are
    #: caught: whether the program catches its errors here, so that it may be right
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self.errors: list[Flaw] = []
        self.warnings: list[Flaw] = []
        self.unseen = 0
        self.caught = 0
        self._lines = lines
        self._search = SuggestionSearch()
        self._known: set[tuple[FlawKind, int, int]] = set()

    def get_line(self, number: int) -> str:
        """Return the line *number* of the program, or an empty text if there is none."""
        return self._lines[number - 1] if 0 < number <= len(self._lines) else ""

    def suggest_near(self, word: str, known: Callable[[], Mapping[str, str]]) -> str:
        """Hint with the known word closest to *word*."""
        return self._search.find_hint(SuggestionQuery(word, known))

    def add_error(self, kind: FlawKind, node: Any, said: str, hint: str = "") -> None:
        """Report an error of *kind* at *node*, with the message *said*."""
        if self.caught and kind in _OF_VALUES:
            self.warn(kind, node, said, hint)
        elif len(self.errors) >= MAX_ISSUES:
            self.unseen += 1
        else:
            self._add(self.errors, kind, node, said, hint)

    def warn(self, kind: FlawKind, node: Any, said: str, hint: str = "") -> None:
        """Report a warning of *kind* at *node*, with the message *said*."""
        if len(self.warnings) < MAX_ISSUES:
            self._add(self.warnings, kind, node, said, hint)

    def _add(self, found: list[Flaw], kind: FlawKind, node: ast.AST, said: str, hint: str) -> None:
        """Append a flaw at *node* to *found*; skip a repeated kind at the same place."""
        line, offset = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
        end, stop = getattr(node, "end_lineno", line), getattr(node, "end_col_offset", offset + 1)
        if (kind, line, offset) in self._known:
            return
        self._known.add((kind, line, offset))
        source = self.get_line(line)
        # Offsets are counted in bytes.
        column = len(source.encode(errors="replace")[:offset].decode(errors="replace"))
        last = len(source.encode(errors="replace")[:stop].decode(errors="replace"))
        width = last - column if end == line else len(source) - column
        found.append(Flaw(kind, said, hint, line, column + 1, source, max(width, 1)))
