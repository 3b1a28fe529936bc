"""Reading gram and its path form, by the tables of their grammar."""

from __future__ import annotations

from typesig.notations.gram.rules import Rules
from typesig.notations.texts.reading import Explained, SignatureReader
from typesig.notations.texts.table_reader import Unexpected


def _explain(source: str, error: Unexpected) -> Explained:
    # Imported here because a parse without mistakes does not need them.
    from typesig.notations.gram import remedies

    if not error.met:
        return remedies.at_end(source)
    return remedies.at_token(source, error.at, error.met, error.expected)


read = SignatureReader("gram", Rules, _explain).read
