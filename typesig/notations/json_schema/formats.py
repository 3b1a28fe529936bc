"""Formats and JSON Schema's `format`: which are the same, which are written as patterns.

A format that JSON Schema knows by the same meaning needs no row.  To add one that it does not
know, add a row to `PATTERNS`; a note that no validator asserts needs none either, for what is not
in `typesig.algebra.formats` is taken as a note.
"""

from __future__ import annotations

from typing import Any

_SECONDS = r"[0-9]+(?:\.[0-9]+)?S"
_TIME = f"T(?:[0-9]+H(?:[0-9]+M)?(?:{_SECONDS})?|[0-9]+M(?:{_SECONDS})?|{_SECONDS})"
_DATE = "[0-9]+Y(?:[0-9]+M)?(?:[0-9]+D)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D"

#: Formats that JSON Schema has no name for, or another meaning, as patterns of the same verdict.
PATTERNS: dict[str, str] = {
    "base64": "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
    "decimal": r"^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,5})?$",
    # Without look-ahead, which not every engine has: each part in turn may be the first one.
    "duration": f"^-?P(?:[0-9]+W|(?:{_DATE})(?:{_TIME})?|{_TIME})$",
    "time": (
        r"^(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?"
        r"(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])?$"
    ),
}

#: Our formats of JSON Schema's names that mean something else here.
READ: dict[str, str] = {"time": "offset-time", "duration": "whole-duration"}

_WRITTEN = {ours: theirs for theirs, ours in READ.items()}

#: The formats that patterns stand for.
BY_PATTERN: dict[str, str] = {pattern: name for name, pattern in PATTERNS.items()}


def written(name: str) -> dict[str, Any]:
    """Return the keywords that say the format *name*.

    >>> written("email"), written("base64")["contentEncoding"]
    ({'format': 'email'}, 'base64')
    """
    if name in PATTERNS:
        encoding = {"contentEncoding": "base64"} if name == "base64" else {}
        return {"pattern": PATTERNS[name], **encoding}
    return {"format": _WRITTEN.get(name, name)}
