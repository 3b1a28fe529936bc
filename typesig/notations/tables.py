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
from typing import Any, Protocol

import lark

PACKAGES = ("shorthand", "compact", "edn", "gram")

FILE_NAME = "parse_tables.json"


class Parser(Protocol):
    """What reads texts of a grammar."""

    def parse(self, text: str, /) -> Any:
        """Return the value that the rules of the grammar make of *text*."""
        ...


def grammar_text(package: str) -> str:
    """Return the text of the grammar of *package*."""
    return _read_file(package, f"{package}.lark").decode()


def _read_file(package: str, name: str) -> bytes:
    # lark has already imported pkgutil; importing importlib.resources would take 10 ms more.
    data = pkgutil.get_data(f"typesig.notations.{package}", name)
    assert data is not None
    return data


def load_parser(package: str, rules: Any) -> Parser:
    """Return a parser made from the shipped tables, or from the grammar under another lark."""
    stored = json.loads(_read_file(package, FILE_NAME))
    if stored["lark"] != lark.__version__:
        return build_parser(package, rules)
    # Another lark may not have the parts that it uses.
    from typesig.notations.stored_parser import StoredParser

    return StoredParser(stored, rules)


def build_parser(package: str, rules: Any = None, strict: bool = False) -> lark.Lark:
    """Return a parser built from the grammar; *strict* refuses conflicts and needs `interegular`.

    A conflict is two rules, or two terminals, that fit at one place.
    """
    text = grammar_text(package)
    return lark.Lark(text, parser="lalr", transformer=rules, maybe_placeholders=True, strict=strict)


def make_tables(package: str) -> str:
    """Return the tables of the grammar as JSON text: the same text in every process."""
    from typesig.notations.stored_parser import stored_tables

    tables = {"lark": lark.__version__, **stored_tables(build_parser(package, strict=True))}
    return json.dumps(tables, separators=(",", ":"), sort_keys=True) + "\n"


if __name__ == "__main__":
    from pathlib import Path

    for each in PACKAGES:
        path = Path(__file__).with_name(each) / FILE_NAME
        path.write_bytes(make_tables(each).encode())
