"""Functions that count the tokens of a text."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TypeAlias

from typesig.errors import TypesigError, format_value

#: Returns how many tokens, or other units, a text has.
Counter: TypeAlias = Callable[[str], int]

_EXAMPLE = "lambda text: len(encoding.encode(text))"


def check_counter(counter: Counter) -> Counter:
    """Wrap *counter* in a check of its results; raise `TypesigError` for a non-function."""
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
            raise TypesigError(f"a counter returns 0 or more, not {format_value(found)}")
        return found

    return count
