"""Reading texts by the parse tables of a grammar: an LALR(1) parser with a contextual lexer.

`tests.parse_tables` makes the tables of a grammar file.  A law compares this reader
with lark, which defines what a grammar means: both give the rules the same parts in the same order,
and find the same mistakes at the same places.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

from typesig.errors import INVALID_SYNTAX, SignatureSyntaxError

FILE_NAME = "parse_tables.json"

#: The terminal at the end of a text.
END = "$END"

#: What is done at the end of a text that was read: to go to the first state, where nothing leads.
_DONE = 0

#: What a rule does: the symbol that it makes, the number of values that it takes, what makes its
#: value of its parts, and the places of the parts among the values, as for `_pick_parts` (None if
#: all values are parts).
_Rule: TypeAlias = "tuple[str, int, Callable[..., Any], list[int | None] | None]"


class Token(str):
    """A token of a parsed text: a string with its terminal and its offset.

    #: type: the name of its terminal in the grammar
    #: start_pos: where it begins
    """

    __slots__ = ("start_pos", "type")
    type: str
    start_pos: int

    def __new__(cls, type: str, text: str, start_pos: int = 0) -> Token:
        """Return *text* as a token."""
        token = str.__new__(cls, text)
        token.type = type
        token.start_pos = start_pos
        return token


class UnexpectedPart(Exception):
    """Error for a token or character that the grammar does not allow at its offset.

    #: at: where it begins
    #: met: the token; one character if no token begins there; empty at the end of the text
    #: is_token: whether it is a token, or the end
    #: expected: the terminals that are allowed at the place
    """

    def __init__(self, at: int, met: str, is_token: bool, expected: frozenset[str]) -> None:
        super().__init__(at, met)
        self.at = at
        self.met = met
        self.is_token = is_token
        self.expected = expected


class TableReader:
    """LR parser of the texts of a grammar, driven by tables."""

    __slots__ = ("_gotos", "_ignored", "_kinds", "_match", "_rows", "_rules", "_terminals")

    def __init__(self, tables: dict[str, Any], rules: type[Any]) -> None:
        """*tables* are those of the grammar; the methods of *rules* make the values of its rules.

        Raises `AttributeError` if a rule has no method.
        """
        self._rows: list[dict[str, int]] = tables["states"]
        self._rules: list[_Rule] = [
            (origin, size, _build_maker(rules, method), picks)
            for origin, size, method, picks in tables["rules"]
        ]
        self._gotos: dict[tuple[int, str, str], int] = {}
        # They are in the order of their precedence: the first one that matches is taken.
        self._terminals: list[tuple[str, str]] = [*tables["terminals"], (END, r"\Z")]
        self._ignored: str = tables["ignored"]
        # What is ignored is taken first: no terminal begins as it does.
        each = "|".join(f"({pattern})" for _, pattern in self._terminals)
        self._match = re.compile(f"(?:{self._ignored})?+(?:{each})").match
        # The names of the groups, and whether their tokens are kept: "_" begins those that are not.
        self._kinds = [("", False), *((name, name[0] != "_") for name, _ in self._terminals)]

    def parse(self, text: str, rules: Any) -> Any:
        """Parse *text*; the methods of *rules* build the value of each grammar rule.

        Raises `UnexpectedPart`.
        """
        rows, all_rules, gotos, kinds = self._rows, self._rules, self._gotos, self._kinds
        match, at = self._match, 0
        states: list[int] = [0]
        values: list[Any] = []
        while True:
            row = rows[states[-1]]
            found = match(text, at)
            group = 0 if found is None else found.lastindex or 0
            if found is not None and kinds[group][0] in row:
                at, stop = found.span(group)
            else:
                group, at, stop = self._accept_terminal(row, text, at)
            kind, is_kept = kinds[group]
            action = row.get(kind)
            while action is not None and action < 0:
                origin, size, make, picks = all_rules[~action]
                del states[-size:]
                parts = values[-size:] if picks is None else _pick_parts(values[-size:], picks)
                values[-size:] = [parts if make is list else make(rules, *parts)]
                key = states[-1], origin, kind
                state = gotos.get(key) or self._find_goto(*key)
                states.append(state)
                action = rows[state].get(kind)
            if action is None:
                raise UnexpectedPart(at, text[at:stop], group > 0, self._find_expected(states))
            if action == _DONE:
                return values[0]
            states.append(action)
            values.append(Token(kind, text[at:stop], at) if is_kept else None)
            at = stop

    def _find_goto(self, below: int, symbol: str, kind: str) -> int:
        """Return the parser state that follows the state *below* after *symbol*.

        If rules that only rename *symbol* apply where the terminal *kind* is next, it is the state
        after them: there are several such rules for each type.
        """
        state = self._rows[below][symbol]
        while (action := self._rows[state].get(kind, 0)) < 0:
            renamed, size, make, _ = self._rules[~action]
            if size > 1 or make is not _return_part:
                break
            state = self._rows[below][renamed]
        self._gotos[below, symbol, kind] = state
        return state

    def _accept_terminal(self, row: dict[str, int], text: str, at: int) -> tuple[int, int, int]:
        """Match the next terminal of *text* from *at*; return its group and span.

        It is one that *row* has, if any; else the first that matches, or 0 if none does.
        """
        found = _make_matcher(self._ignored)(text, at)
        at = at if found is None else found.end()
        first = 0, at, at + 1
        for group, (name, pattern) in enumerate(self._terminals, 1):
            if name in row or not first[0]:
                found = _make_matcher(pattern)(text, at)
                if found is not None:
                    first = group, at, found.end()
                    if name in row:
                        break
        return first

    def _find_expected(self, states: list[int]) -> frozenset[str]:
        """Return the terminals that may follow the parser stack *states*."""
        names = [name for name in self._rows[states[-1]] if name.isupper()]
        return frozenset([name for name in names if self._is_allowed(name, states)])

    def _is_allowed(self, name: str, states: Sequence[int]) -> bool:
        """Whether the terminal *name* may come next after the parser stack *states*."""
        left = [*states]
        while True:
            action = self._rows[left[-1]].get(name)
            if action is None or action >= 0:
                return action is not None
            origin, size, _, _ = self._rules[~action]
            del left[-size:]
            left.append(self._rows[left[-1]][origin])


def _pick_parts(values: list[Any], picks: list[int | None]) -> list[Any]:
    """Select the arguments of a rule's method from *values* by the positions *picks*."""
    parts: list[Any] = []
    for pick in picks:
        if pick is None:
            parts.append(None)
        elif pick >= 0:
            parts.append(values[pick])
        elif parts:
            parts += values[~pick]
        else:
            # To copy the list of a repetition at each of its members would take long.
            parts = values[~pick]
    return parts


def _build_maker(rules: type[Any], method: str | None) -> Callable[..., Any]:
    """Build the function that calls *method* of *rules* for the value of a grammar rule.

    It is `list` if the parts are the value.
    """
    if method is None:
        return _return_part
    return getattr(rules, method) if method else list


def _return_part(_rules: Any, part: Any) -> Any:
    """Return *part* unchanged, as the action of a grammar rule that has a single part."""
    return part


@cache
def _make_matcher(pattern: str) -> Callable[[str, int], re.Match[str] | None]:
    """Compile the regex *pattern* and return its `match` method."""
    return re.compile(pattern).match


def make_syntax_error(
    source: str, at: int, width: int, message: str, code: str = INVALID_SYNTAX
) -> SignatureSyntaxError:
    """Build the error for a mistake at offset *at*, with its line and column."""
    line, start = source.count("\n", 0, at) + 1, source.rfind("\n", 0, at) + 1
    text = source[start:].split("\n", 1)[0]
    return SignatureSyntaxError(message, line, at - start + 1, text, width, code)


def load_reader(package: str, rules: type[Any]) -> TableReader:
    """Return the parser of the grammar of *package*, with the actions *rules*."""
    return TableReader(json.loads(read_file(package, FILE_NAME)), rules)


def read_file(package: str, name: str) -> bytes:
    """Return the content of the file *name* in the notation *package*."""
    module: Any = import_module(f"typesig.notations.{package}")
    # Importing pkgutil or importlib.resources, which do this, would take longer than a parse.
    data: bytes = module.__spec__.loader.get_data(f"{module.__path__[0]}/{name}")
    return data
