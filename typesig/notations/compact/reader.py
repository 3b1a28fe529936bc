"""Reading compact text, by the tables of its grammar."""

from __future__ import annotations

from typesig.notations.compact.rules import Rules
from typesig.notations.texts.reading import Explained, SignatureReader, explained
from typesig.notations.texts.table_reader import Unexpected


def _explain(source: str, error: Unexpected) -> Explained:
    # Imported here because a parse without mistakes does not need them.
    from typesig.notations.compact import remedies

    return explained(remedies, source, error)


read = SignatureReader("compact", Rules, _explain).read
