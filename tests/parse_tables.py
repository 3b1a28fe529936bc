"""The parse tables of grammars, made by lark and shipped with the package.

The tables are plain data, by which `typesig.notations.texts.table_reader` reads texts without lark.
After a change of a grammar run `python -m tests.parse_tables`, which needs what the
extra `test` installs; a test compares the files byte for byte with tables made anew.  To add a
grammar, name its package in `PACKAGES`; its file is `name/name.lark`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import lark
from lark.grammar import Rule
from lark.lexer import PatternRE, PatternStr, TerminalDef

import typesig
from typesig.notations.texts.table_reader import END, FILE_NAME

NOTATIONS = Path(typesig.__file__).parent / "notations"

PACKAGES = ("shorthand", "compact", "edn", "gram")

# The rule that a grammar begins with.
_START = "start"

# The width of a terminal of any length, which is larger in some versions of Python.
_UNLIMITED = 2**32 - 1


def build_parser(package: str, rules: Any = None, strict: bool = False) -> lark.Lark:
    """Return lark's parser of a grammar; *strict* refuses conflicts and needs `interegular`.

    A conflict is two rules, or two terminals, that fit at one place.
    """
    path = NOTATIONS / package / f"{package}.lark"
    text = path.read_text(encoding="utf-8")
    return lark.Lark(text, parser="lalr", transformer=rules, maybe_placeholders=True, strict=strict)


def make_tables(package: str) -> str:
    """Build the parse tables of the grammar of *package* as reproducible JSON text."""
    parser = build_parser(package, strict=True)
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    table = data["parser"]["parser"]
    rules = sorted(
        (key for key, entry in memo.items() if "origin" in entry),
        key=lambda key: (memo[key]["origin"]["name"], memo[key]["order"]),
    )
    states, end = _convert_states(table, {key: number for number, key in enumerate(rules)})
    # The first state is never entered: to go there is to end.
    states[end][END] = 0
    (ignored,) = (each for each in parser.terminals if each.name in parser.ignore_tokens)
    kept = [each for each in parser.terminals if each is not ignored]
    tables = {
        "terminals": _convert_terminals(kept),
        "ignored": ignored.pattern.to_regexp(),
        "rules": [_convert_rule(memo[key]) for key in rules],
        "states": states,
    }
    return json.dumps(tables, separators=(",", ":")) + "\n"


def _convert_states(
    table: dict[str, Any], rules: dict[int, int]
) -> tuple[list[dict[str, int]], int]:
    """Return the parser actions of each state by symbol, and the final state.

    A state goes to another one, or reduces by the rule `~number`.  lark numbers states in the order
    of its sets, which differs from process to process; here they are met breadth first.
    """
    names = table["tokens"]
    met = [table["start_states"][_START]]
    numbers = {met[0]: 0}
    states: list[dict[str, int]] = []
    # The list grows meanwhile.
    for state in met:
        row: dict[str, int] = {}
        entries = ((names[symbol], entry) for symbol, entry in table["states"][state].items())
        for name, (is_reduced, target) in sorted(entries, key=lambda entry: entry[0]):
            if is_reduced:
                row[name] = ~rules[target["@"]]
                continue
            if target not in numbers:
                numbers[target] = len(met)
                met.append(target)
            row[name] = numbers[target]
        states.append(row)
    return states, numbers[table["end_states"][_START]]


def _convert_rule(rule: dict[str, Any]) -> list[Any]:
    """Return the symbol, length, method name and argument positions of a grammar rule.

    The method is empty for a repetition, whose value is a list, and None for a rule whose value is
    that of its only part.  The places are None if all values are parts.
    """
    options, expansion = rule["options"], rule["expansion"]
    assert expansion
    assert not options["keep_all_tokens"]
    assert options["priority"] is None
    origin = rule["origin"]["name"]
    method = rule["alias"] or origin
    picks = _convert_picks(expansion, options["empty_indices"])
    if origin.startswith("_"):
        method = ""
    elif options["expand1"] and not rule["alias"]:
        (only,) = picks
        assert only is not None
        assert only >= 0
        method = None
    are_all = picks == list(range(len(expansion)))
    return [origin, len(expansion), method, None if are_all else picks]


def _convert_picks(expansion: list[dict[str, Any]], empty: list[bool]) -> list[int | None]:
    """Return the positions of a rule's arguments, as `TableReader` expects."""
    # A true stands for a part that is not written, a false for the next symbol.
    spread = iter(empty or [False] * len(expansion))
    picks: list[int | None] = []
    for place, symbol in enumerate(expansion):
        picks += [None for _ in iter(lambda: next(spread), False)]
        if not symbol.get("filter_out"):
            is_list = symbol["__type__"] == "NonTerminal" and symbol["name"].startswith("_")
            picks.append(~place if is_list else place)
    return [*picks, *(None for _ in spread)]


def _convert_terminals(terminals: list[TerminalDef]) -> list[list[str]]:
    """Return the names and the patterns of the terminals, in the order of their precedence."""
    by_kind = {
        kind: [terminal for terminal in terminals if isinstance(terminal.pattern, kind)]
        for kind in (PatternRE, PatternStr)
    }
    for word in by_kind[PatternStr]:
        for one in by_kind[PatternRE]:
            # lark would take such a word for the other terminal where the word is not allowed.
            is_both = re.fullmatch(one.pattern.to_regexp(), word.pattern.value)
            assert is_both is None or one.priority != word.priority
    for terminal in terminals:
        assert not terminal.pattern.flags
        assert not re.compile(terminal.pattern.to_regexp()).groups
    return [[each.name, each.pattern.to_regexp()] for each in sorted(terminals, key=_sort_key)]


def _sort_key(terminal: TerminalDef) -> tuple[int, int, int, str]:
    """Return the key that sorts terminals by precedence, as lark does."""
    pattern = terminal.pattern
    width = min(pattern.max_width, _UNLIMITED)
    return -terminal.priority, -width, -len(pattern.value), terminal.name


if __name__ == "__main__":
    for each in PACKAGES:
        tables = make_tables(each)
        (NOTATIONS / each / FILE_NAME).write_bytes(tables.encode())
