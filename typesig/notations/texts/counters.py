"""Functions that count what a text costs a model."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TypeAlias

from typesig.errors import TypesigError, short

#: Returns how many tokens, or other units, a text has.
Counter: TypeAlias = Callable[[str], int]

_EXAMPLE = "lambda text: len(encoding.encode(text))"


def checked_counter(counter: Counter) -> Counter:
    """Return *counter* with a check of what it returns; raise `TypesigError` for no function."""
    if not callable(counter):
        raise TypesigError(
            f"a counter is a function such as {_EXAMPLE}, not {type(counter).__name__}"
        )

    def count(text: str) -> int:
        size: object = counter(text)
        try:
            found = operator.index(size)  # type: ignore[arg-type]
        except TypeError:
            raise TypesigError(
                f"a counter returns a whole number, not {type(size).__name__}; write {_EXAMPLE}"
            ) from None
        if found < 0:
            raise TypesigError(f"a counter returns 0 or more, not {short(found)}")
        return found

    return count
