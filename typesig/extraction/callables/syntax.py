"""Python text as a syntax tree."""

from __future__ import annotations

import threading
from typing import Any

# A finalizer that runs while a text is parsed may parse another one.
_LOCK = threading.RLock()

#: How often a text is parsed until other threads do not disturb it.
_TRIES = 20


def parse_syntax(text: str | bytes, mode: str = "exec") -> Any:
    """Parse *text* with `ast.parse`, in a lock; syntax errors are raised.

    Before Python 3.13 all threads count the depth of their trees in one place.  If another thread
    goes on meanwhile, as it may when garbage is collected, `ast.parse` raises `SystemError`.
    """
    import ast

    with _LOCK:
        for _ in range(_TRIES):
            try:
                return ast.parse(text, mode=mode)
            except SystemError:
                # Code that is not ours may parse at the same time.
                continue
        return ast.parse(text, mode=mode)
