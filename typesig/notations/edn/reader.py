"""Reading EDN, by the tables of its grammar, and the places of mistakes in it."""

from __future__ import annotations

from functools import cache
from typing import Any

from typesig.notations.edn.rules import EdnParserRules, Mistake
from typesig.notations.texts.table_reader import (
    TableReader,
    UnexpectedPart,
    load_reader,
    make_syntax_error,
)


@cache
def _load_tables() -> TableReader:
    """Load the parse tables of the EDN grammar as a reader."""
    return load_reader("edn", EdnParserRules)


def read(source: str) -> Any:
    """Return the value of the EDN text *source*; or raise `SignatureSyntaxError`."""
    rules = EdnParserRules()
    try:
        value = _load_tables().parse(source, rules)
        if not rules.mistakes:
            return value
        first = min(rules.mistakes)
    except UnexpectedPart as error:
        first = _explain_unexpected(source, error)
    raise make_syntax_error(source, first.at, first.width, first.message)


def _explain_unexpected(source: str, error: UnexpectedPart) -> Mistake:
    """Describe *error*, an unexpected token or word in the EDN text *source*."""
    # Imported here because a text without mistakes does not need them.
    from typesig.notations.edn import remedies

    if not error.is_token:
        return remedies.explain_word(source, error.at)
    return (
        remedies.explain_token(source, error.at, error.met)
        if error.met
        else remedies.explain_end(source)
    )
