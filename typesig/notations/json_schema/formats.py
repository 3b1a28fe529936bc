"""Formats and JSON Schema's `format`: which are the same, which are written as patterns.

A format that JSON Schema knows by the same meaning needs no row.  To add one that it does not
know, add a row to `PATTERNS`; a note that no validator asserts needs none either, for what is not
in `typesig.algebra.formats` is taken as a note.
"""

from __future__ import annotations

from typing import Any

_SECONDS = r"[0-9]+(?:\.[0-9]+)?S"
_TIME = f"T(?:[0-9]+H(?:[0-9]+M)?(?:{_SECONDS})?|[0-9]+M(?:{_SECONDS})?|{_SECONDS})"

_BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = rf"(?:{_BYTE}\.){{3}}{_BYTE}"
_GROUP = "[0-9A-Fa-f]{1,4}"
_LAST = f"(?:{_GROUP}:{_GROUP}|{_IPV4})"
# RFC 3986: a run of groups of zero is left out once, wherever it stands.
_IPV6 = "|".join(
    [f"(?:{_GROUP}:){{6}}{_LAST}", f"::(?:{_GROUP}:){{5}}{_LAST}"]
    + [f"(?:(?:{_GROUP}:){{0,{n}}}{_GROUP})?::(?:{_GROUP}:){{{4 - n}}}{_LAST}" for n in range(5)]
    + [f"(?:(?:{_GROUP}:){{0,5}}{_GROUP})?::{_GROUP}", f"(?:(?:{_GROUP}:){{0,6}}{_GROUP})?::"]
)
_NUMBER = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?"

#: Formats that JSON Schema has no name for, or another meaning, as patterns of the same verdict.
PATTERNS: dict[str, str] = {
    "base64": "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
    "complex": rf"^(?:[+-]?{_NUMBER}(?:[+-]{_NUMBER}j)?|[+-]?{_NUMBER}j)$",
    "fraction": r"^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+|[0-9]+/0*[1-9][0-9]*)$",
    "ipv4-network": rf"^{_IPV4}/(?:[0-9]|[12][0-9]|3[0-2])$",
    "ipv6-network": f"^(?:{_IPV6})/(?:[0-9]|[1-9][0-9]|1[01][0-9]|12[0-8])$",
    "decimal": r"^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,5})?$",
    # Without look-ahead, which not every engine has: each part in turn may be the first one.
    "duration": f"^-?P(?:[0-9]+W|[0-9]+D(?:{_TIME})?|{_TIME})$",
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
