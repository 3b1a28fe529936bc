"""Reading EDN, by the tables of its grammar, and the places of mistakes in it."""

from __future__ import annotations

from functools import cache
from typing import Any

from typesig.notations.edn.rules import Mistake, Rules
from typesig.notations.texts.table_reader import TableReader, Unexpected, load_reader, syntax_error


@cache
def _tables() -> TableReader:
    return load_reader("edn", Rules)


def read(source: str) -> Any:
    """Return the value that *source* writes; raise `SignatureSyntaxError` with the place."""
    rules = Rules()
    try:
        value = _tables().parse(source, rules)
        if not rules.mistakes:
            return value
        first = min(rules.mistakes)
    except Unexpected as error:
        first = _unexpected(source, error)
    raise syntax_error(source, first.at, first.width, first.message)


def _unexpected(source: str, error: Unexpected) -> Mistake:
    # Imported here because a text without mistakes does not need them.
    from typesig.notations.edn import remedies

    if not error.is_token:
        return remedies.at_word(source, error.at)
    return remedies.at_token(source, error.at, error.met) if error.met else remedies.at_end(source)
