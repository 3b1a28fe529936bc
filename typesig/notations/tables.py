"""Parse tables: made from a grammar once, shipped with the package.

Building them takes lark longer than its own import, so they are kept in `parse_tables.json` beside
the grammar, with its mark and the lark that made them; with any other lark they are built anew.
Run `python -m typesig.notations.tables` after a change of a grammar; a test compares.
To add a grammar, name its package in `PACKAGES`: `name/name.lark`.
"""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Callable
from typing import Any

import lark

PACKAGES = ("shorthand", "edn", "gram")

_TABLES = "parse_tables.json"


def grammar(package: str) -> str:
    """Return the text of the grammar of *package*."""
    return _shipped(package, f"{package}.lark").decode()


def _shipped(package: str, name: str) -> bytes:
    # pkgutil, which lark has loaded: importlib.resources would cost 10 ms more.
    data = pkgutil.get_data(f"typesig.notations.{package}", name)
    assert data is not None
    return data


def built(package: str, rules: Any = None, strict: bool = False) -> lark.Lark:
    """Return a parser built from the grammar; *strict* bears no conflict, with `interegular`."""
    text = grammar(package)
    return lark.Lark(text, parser="lalr", transformer=rules, maybe_placeholders=True, strict=strict)


def mark(package: str) -> str:
    """Return the mark of the grammar's text."""
    import hashlib

    return hashlib.sha256(grammar(package).encode()).hexdigest()


def made(package: str) -> dict[str, Any]:
    """Return the tables of the grammar as plain data."""
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    data, memo = built(package, strict=True).memo_serialize([TerminalDef, Rule])
    kept = {name: value for name, value in data["options"].items() if name not in _AT_LOAD}
    tables = {"data": {**data, "options": kept}, "memo": memo}
    return {"lark": lark.__version__, "grammar": mark(package), **tables}


# What lark takes when tables are loaded, and so is no part of them.
_AT_LOAD = ("postlex", "transformer", "lexer_callbacks", "use_bytes", "debug", "g_regex_flags",
            "regex", "propagate_positions", "tree_class", "_plugins")  # fmt: skip


def loaded(package: str, rules: Any) -> lark.Lark:
    """Return a parser made of the shipped tables, or of the grammar where another lark runs."""
    stored = json.loads(_shipped(package, _TABLES))
    if stored["lark"] != lark.__version__:
        return built(package, rules)
    data = stored["data"]
    tables = data["parser"]["parser"]
    # JSON has text keys alone; lark numbers its states and tokens.
    tables["tokens"] = _numbered(tables["tokens"])
    tables["states"] = {
        int(state): _numbered(actions) for state, actions in tables["states"].items()
    }
    load: Callable[..., lark.Lark] = lark.Lark._load_from_dict
    return load(data, _numbered(stored["memo"]), transformer=rules)


def _numbered(table: dict[str, Any]) -> dict[int, Any]:
    return {int(number): entry for number, entry in table.items()}


if __name__ == "__main__":
    from pathlib import Path

    for each in PACKAGES:
        text = json.dumps(made(each), separators=(",", ":"))
        Path(__file__).with_name(each).joinpath(_TABLES).write_text(text + "\n", encoding="utf-8")
