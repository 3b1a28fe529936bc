"""A parser made from stored tables, of the parts of lark that run an LALR parser.

`lark.Lark` would make all rows and lexers of the tables at once.  Here those of a state are made
when the parser first reaches the state, because most texts reach few.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from copy import copy
from typing import TYPE_CHECKING, Any

from lark import Lark, Tree
from lark.common import LexerConf
from lark.grammar import NonTerminal, Rule, RuleOptions, Symbol, Terminal
from lark.lexer import (
    BasicLexer,
    ContextualLexer,
    LexerThread,
    PatternRE,
    PatternStr,
    Scanner,
    TerminalDef,
    _create_unless,
)
from lark.parse_tree_builder import ParseTreeBuilder
from lark.parsers.lalr_analysis import IntParseTable, Reduce, Shift
from lark.parsers.lalr_parser import LALR_Parser, _Parser

if TYPE_CHECKING:
    from lark.utils import TextSlice

#: The rule that a grammar begins with.
START = "start"

# The width of a terminal of any length, which is larger in some versions of Python.
_UNLIMITED = 2**32 - 1

# How often a lexer tries its terminals one by one, which takes as long as to compile them as one.
_TRIED = 100

_Row = dict[str, tuple[Any, Any]]


class StoredParser:
    """The parser of stored tables; the methods of *rules* make the values of the rules."""

    def __init__(self, stored: dict[str, Any], rules: Any) -> None:
        states = stored["states"]
        rows = _Rows(states, stored["rules"])
        table: Any = IntParseTable(rows, {START: 0}, {START: stored["end"]})  # type: ignore[no-untyped-call]
        terminals = [_made_terminal(*entry) for entry in stored["terminals"]]
        conf = LexerConf(terminals, re, stored["ignored"], skip_validation=True)
        self._parser: Any = LALR_Parser.__new__(LALR_Parser)
        self._parser._parse_table = table
        self._parser.parser = _Parser(table, _Makers(rules))
        self._lexer: Any = ContextualLexer(conf, {})
        self._lexer.root_lexer = _Lexer(conf)
        self._lexer.lexers = _Lexers(states, conf)  # type: ignore[assignment]

    def parse(self, text: str) -> Any:
        """Return the value that the rules make of *text*, or raise `lark.UnexpectedInput`."""
        return self._parser.parse(LexerThread.from_text(self._lexer, text), START)


class _Rows(dict[int, _Row]):
    """What each state does at a token or after a rule, made when it is asked for."""

    def __init__(self, states: list[dict[str, int]], rules: list[list[Any]]) -> None:
        super().__init__()
        self._states = states
        self._rules = rules
        self._made: dict[int, Rule] = {}

    def __missing__(self, state: int) -> _Row:
        row = self[state] = {name: self._action(n) for name, n in self._states[state].items()}
        return row

    def _action(self, number: int) -> tuple[Any, Any]:
        if number >= 0:
            return Shift, number
        rule = self._made.get(number)
        if rule is None:
            rule = self._made[number] = _made_rule(*self._rules[-1 - number])
        return Reduce, rule


class _Makers(dict[Any, Any]):
    """What makes the value of each rule from its parts, made when it is asked for."""

    def __init__(self, rules: Any) -> None:
        super().__init__()
        self._rules = rules

    def __bool__(self) -> bool:
        # Without makers, lark would make no values.
        return True

    def __missing__(self, rule: Rule) -> Any:
        builder: Any = ParseTreeBuilder([rule], Tree, maybe_placeholders=True)  # type: ignore[no-untyped-call]
        maker = self[rule] = builder.create_callback(self._rules)[rule]
        return maker


class _Lexers(dict[int, BasicLexer]):
    """The lexer of each state, made when it is asked for; states with equal tokens share one."""

    def __init__(self, stored: list[dict[str, int]], conf: LexerConf) -> None:
        super().__init__()
        self._stored = stored
        self._conf = conf
        self._shared: dict[frozenset[str], BasicLexer] = {}

    def __missing__(self, state: int) -> BasicLexer:
        known = self._conf.terminals_by_name
        accepted = frozenset(known.keys() & self._stored[state].keys())
        lexer = self._shared.get(accepted)
        if lexer is None:
            conf = copy(self._conf)
            conf.terminals = [known[name] for name in accepted.union(conf.ignore)]
            lexer = self._shared[accepted] = _Lexer(conf)
        self[state] = lexer
        return lexer


class _Lexer(BasicLexer):
    """A lexer that compiles the expression of all its terminals only for long texts."""

    def _build_scanner(self) -> Any:
        # No terminal is a word of another one: the tables could not have been stored.
        self.callback = {}
        return _Scanner(self.terminals)


class _Scanner:
    """The terminals of a lexer, tried one by one, and after some tokens as one expression.

    Lexers share the expressions of terminals; to compile one of its own for each lexer takes longer
    than all else of a first parse.
    """

    def __init__(self, terminals: Collection[TerminalDef]) -> None:
        self.allowed_types = {terminal.name for terminal in terminals}
        self._terminals = terminals
        self._tests = [(t.name, re.compile(t.pattern.to_regexp()).match) for t in terminals]
        self._left = _TRIED
        self._joined: Scanner | None = None

    def match(self, text: TextSlice[str], at: int) -> tuple[str, str] | None:
        """Return the token at *at* and the name of its terminal, or None."""
        if self._joined is not None:
            return self._joined.match(text, at)  # type: ignore[no-any-return]
        if self._left <= 0:
            self._joined = Scanner(self._terminals, 0, re, use_bytes=False)  # type: ignore[no-untyped-call]
        self._left -= 1
        whole, end = text.text, text.end
        for name, match in self._tests:
            found = match(whole, at, end)
            if found is not None:
                return found[0], name
        return None


def _made_rule(
    origin: str,
    expansion: list[str],
    left_out: list[int],
    order: int,
    alias: str | None,
    is_expanded: bool,
    empty: list[bool],
) -> Rule:
    symbols: list[Symbol] = [
        Terminal(name, index in left_out) if name.isupper() else NonTerminal(name)
        for index, name in enumerate(expansion)
    ]
    options = RuleOptions(expand1=is_expanded, empty_indices=tuple(empty))
    return Rule(NonTerminal(origin), symbols, order, alias, options)


def _made_terminal(name: str, text: str, width: list[int] | None, priority: int) -> TerminalDef:
    if width is None:
        return TerminalDef(name, PatternStr(text), priority)
    pattern = PatternRE(text)
    # Else lark would find it by parsing the expression.
    pattern._width = width
    return TerminalDef(name, pattern, priority)


def stored_tables(parser: Lark) -> dict[str, Any]:
    """Return the tables of *parser* as JSON data: the same data in every process.

    lark numbers states in the order of its sets, which differs from process to process.
    """
    rules = sorted(parser.rules, key=lambda rule: (rule.origin.name, rule.order))
    table = parser.parser.parser._parse_table
    # States are met breadth first, along the tokens in their order: the list grows meanwhile.
    met = [table.start_states[START]]
    numbers = {met[0]: 0}
    states: list[dict[str, int]] = []
    for state in met:
        row: dict[str, int] = {}
        for name, (action, target) in sorted(table.states[state].items()):
            if action is Reduce:
                row[name] = -1 - rules.index(target)
                continue
            if target not in numbers:
                numbers[target] = len(met)
                met.append(target)
            row[name] = numbers[target]
        states.append(row)
    terminals = sorted(parser.terminals, key=lambda terminal: terminal.name)
    embedded: Any = _create_unless
    assert embedded(terminals, 0, re, use_bytes=False)[1] == {}
    return {
        "terminals": [_stored_terminal(terminal) for terminal in terminals],
        "ignored": sorted(parser.lexer_conf.ignore),
        "rules": [_stored_rule(rule) for rule in rules],
        "states": states,
        "end": numbers[table.end_states[START]],
    }


def _stored_rule(rule: Rule) -> list[Any]:
    options = rule.options
    assert not options.keep_all_tokens
    assert options.priority is None
    left_out = [n for n, s in enumerate(rule.expansion) if getattr(s, "filter_out", False)]
    names = [str(symbol.name) for symbol in rule.expansion]
    assert all(name.isupper() == s.is_term for name, s in zip(names, rule.expansion, strict=True))
    alias = None if rule.alias is None else str(rule.alias)
    empty = list(options.empty_indices)
    return [str(rule.origin.name), names, left_out, rule.order, alias, options.expand1, empty]


def _stored_terminal(terminal: TerminalDef) -> list[Any]:
    pattern = terminal.pattern
    assert not pattern.flags
    width = None
    if isinstance(pattern, PatternRE):
        width = [min(n, _UNLIMITED) for n in (pattern.min_width, pattern.max_width)]
    return [terminal.name, pattern.value, width, terminal.priority]
