"""Reading shorthand, by the tables of its grammar."""

from __future__ import annotations

from typesig.notations.shorthand.rules import Rules
from typesig.notations.texts.reading import Explained, SignatureReader, explained
from typesig.notations.texts.table_reader import Unexpected


def _explain(source: str, error: Unexpected) -> Explained:
    # Imported here because a parse without mistakes does not need them.
    from typesig.notations.shorthand import remedies

    return explained(remedies, source, error)


read = SignatureReader("shorthand", Rules, _explain).read
