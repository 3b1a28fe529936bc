"""Reading compact text; this module imports lark, so it is imported only by the first parse."""

from __future__ import annotations

from typesig.notations.compact.rules import Rules
from typesig.notations.reading import Messages, Reader


def _remedies() -> Messages:
    # Imported here because a parse without mistakes does not need them.
    from typesig.notations.compact import remedies

    return remedies


read = Reader("compact", Rules(), _remedies).read
