"""Parse tables: made from a grammar once and shipped with the package.

lark takes longer to make the tables than to be imported, so they are kept in `parse_tables.json`
beside the grammar, with the version of lark that made them; under any other version the parser is
built from the grammar.
After a change of a grammar, or of lark's version, run `python -m typesig.notations.tables`; a test
compares the files byte for byte with tables made anew.
To add a grammar, name its package in `PACKAGES`; its file is `name/name.lark`.
"""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Callable
from typing import Any

import lark

PACKAGES = ("shorthand", "compact", "edn", "gram")

FILE_NAME = "parse_tables.json"


def grammar_text(package: str) -> str:
    """Return the text of the grammar of *package*."""
    return _read_file(package, f"{package}.lark").decode()


def _read_file(package: str, name: str) -> bytes:
    # lark has already imported pkgutil; importing importlib.resources would take 10 ms more.
    data = pkgutil.get_data(f"typesig.notations.{package}", name)
    assert data is not None
    return data


def load_parser(package: str, rules: Any) -> lark.Lark:
    """Return a parser made from the shipped tables, or from the grammar under another lark."""
    stored = json.loads(_read_file(package, FILE_NAME))
    if stored["lark"] != lark.__version__:
        return build_parser(package, rules)
    data = stored["data"]
    tables = data["parser"]["parser"]
    # The keys of a JSON object are strings; lark numbers its states and tokens.
    tables["tokens"] = _with_numbers(tables["tokens"])
    tables["states"] = {
        int(state): _with_numbers(actions) for state, actions in tables["states"].items()
    }
    load: Callable[..., lark.Lark] = lark.Lark._load_from_dict
    return load(data, _with_numbers(stored["memo"]), transformer=rules)


def _with_numbers(table: dict[str, Any]) -> dict[int, Any]:
    return {int(number): entry for number, entry in table.items()}


def build_parser(package: str, rules: Any = None, strict: bool = False) -> lark.Lark:
    """Return a parser built from the grammar; *strict* refuses conflicts and needs `interegular`.

    A conflict is two rules, or two terminals, that fit at one place.
    """
    text = grammar_text(package)
    return lark.Lark(text, parser="lalr", transformer=rules, maybe_placeholders=True, strict=strict)


def make_tables(package: str) -> str:
    """Return the tables of the grammar as JSON text: the same text in every process.

    lark numbers states and tokens in the order of its sets, which differs from process to process.
    """
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    data, memo = build_parser(package, strict=True).memo_serialize([TerminalDef, Rule])
    data["options"] = {name: v for name, v in data["options"].items() if name not in _GIVEN_LATER}
    data["parser"]["parser"] = _numbered_anew(data["parser"]["parser"])
    for entry in memo.values():
        if "_width" in entry.get("pattern", {}):
            entry["pattern"]["_width"] = [min(n, _UNLIMITED) for n in entry["pattern"]["_width"]]
    tables = {"lark": lark.__version__, "data": data, "memo": memo}
    return json.dumps(tables, separators=(",", ":"), sort_keys=True) + "\n"


# The options of lark that are given when tables are loaded, and are not stored in them.
_GIVEN_LATER = ("postlex", "transformer", "lexer_callbacks", "use_bytes", "debug", "g_regex_flags",
                "regex", "propagate_positions", "tree_class", "_plugins")  # fmt: skip

# The width of a terminal of any length, which is larger in some versions of Python.
_UNLIMITED = 2**32 - 1

# lark's number for the action that goes on to another state; the other action applies a rule.
_SHIFT = 0


def _numbered_anew(tables: dict[str, Any]) -> dict[str, Any]:
    """Return *tables* with tokens numbered by name, and states in the order they are reached."""
    names = sorted(tables["tokens"].values())
    token_numbers = {name: number for number, name in enumerate(names)}
    states = {
        state: sorted((token_numbers[tables["tokens"][token]], act) for token, act in acts.items())
        for state, acts in tables["states"].items()
    }
    # States are met breadth first, along the tokens in their order: the list grows meanwhile.
    starts = dict(sorted(tables["start_states"].items()))
    met = list(dict.fromkeys(starts.values()))
    state_numbers = {state: number for number, state in enumerate(met)}
    for state in met:
        for _, (action, target) in states[state]:
            if action == _SHIFT and target not in state_numbers:
                state_numbers[target] = len(met)
                met.append(target)
    assert len(met) == len(states)
    return {
        "tokens": dict(enumerate(names)),
        "states": {
            state_numbers[state]: {
                token: (action, state_numbers[target] if action == _SHIFT else target)
                for token, (action, target) in states[state]
            }
            for state in met
        },
        "start_states": {start: state_numbers[state] for start, state in starts.items()},
        "end_states": {start: state_numbers[s] for start, s in tables["end_states"].items()},
    }


if __name__ == "__main__":
    from pathlib import Path

    for each in PACKAGES:
        path = Path(__file__).with_name(each) / FILE_NAME
        path.write_bytes(make_tables(each).encode())
