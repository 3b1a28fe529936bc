"""Reading shorthand text; this module imports lark, so it is imported only by the first parse."""

from __future__ import annotations

from typesig.notations.reading import Messages, Reader
from typesig.notations.shorthand.rules import Rules


def _remedies() -> Messages:
    # Imported here because a parse without mistakes does not need them.
    from typesig.notations.shorthand import remedies

    return remedies


read = Reader("shorthand", Rules(), _remedies).read
