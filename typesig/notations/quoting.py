"""Text in double quotes, the same in every notation."""

from __future__ import annotations

import json

_ENCODER = json.JSONEncoder(ensure_ascii=False)


def quoted(text: str) -> str:
    r"""Return *text* as a JSON string on one line, with unprintable characters escaped.

    >>> print(quoted('a "b"\n'))
    "a \"b\"\n"
    """
    dumped = _ENCODER.encode(text)
    if dumped.isprintable():
        return dumped
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in dumped)
