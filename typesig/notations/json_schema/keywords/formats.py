"""How JSON Schema writes each format: by a name in `format`, or as a pattern.

`SPELLINGS` has a row for each format of `typesig.algebra.rows.formats`; to add a format, add its
row.  A name in `format` that no row has is an annotation.
"""

from __future__ import annotations

from typing import Any

_SECONDS = r"[0-9]+(?:\.[0-9]+)?S"
_TIME = f"T(?:[0-9]+H(?:[0-9]+M)?(?:{_SECONDS})?|[0-9]+M(?:{_SECONDS})?|{_SECONDS})"

_BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = rf"(?:{_BYTE}\.){{3}}{_BYTE}"
_GROUP = "[0-9A-Fa-f]{1,4}"
_LAST = f"(?:{_GROUP}:{_GROUP}|{_IPV4})"
# RFC 3986: one run of groups of zeros may be left out, at any position.
#: An address of version 6, as a pattern.
IPV6 = "|".join(
    [f"(?:{_GROUP}:){{6}}{_LAST}", f"::(?:{_GROUP}:){{5}}{_LAST}"]
    + [f"(?:(?:{_GROUP}:){{0,{n}}}{_GROUP})?::(?:{_GROUP}:){{{4 - n}}}{_LAST}" for n in range(5)]
    + [f"(?:(?:{_GROUP}:){{0,5}}{_GROUP})?::{_GROUP}", f"(?:(?:{_GROUP}:){{0,6}}{_GROUP})?::"]
)
_NUMBER = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?"

_BASE64 = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"

#: The keywords that express each format.  A pattern accepts the same strings as the format does;
#: it stands where JSON Schema has no name for the format, or gives the name another meaning.
SPELLINGS: dict[str, dict[str, str]] = {
    "base64": {"pattern": _BASE64, "contentEncoding": "base64"},
    "complex": {"pattern": rf"^(?:[+-]?{_NUMBER}(?:[+-]{_NUMBER}j)?|[+-]?{_NUMBER}j)$"},
    "date": {"format": "date"},
    "date-time": {"format": "date-time"},
    "decimal": {"pattern": r"^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,5})?$"},
    # Without lookahead, which not every engine has: each part in turn may be the first one.
    "duration": {"pattern": f"^-?P(?:[0-9]+W|[0-9]+D(?:{_TIME})?|{_TIME})$"},
    "email": {"format": "email"},
    "fraction": {"pattern": r"^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+|[0-9]+/0*[1-9][0-9]*)$"},
    "hostname": {"format": "hostname"},
    "ipv4": {"format": "ipv4"},
    "ipv4-network": {"pattern": rf"^{_IPV4}/(?:[0-9]|[12][0-9]|3[0-2])$"},
    "ipv6": {"format": "ipv6"},
    "ipv6-network": {"pattern": f"^(?:{IPV6})/(?:[0-9]|[1-9][0-9]|1[01][0-9]|12[0-8])$"},
    "json-pointer": {"format": "json-pointer"},
    "offset-time": {"format": "time"},
    "regex": {"format": "regex"},
    "relative-json-pointer": {"format": "relative-json-pointer"},
    "time": {
        "pattern": (
            r"^(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?"
            r"(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])?$"
        )
    },
    "uri": {"format": "uri"},
    "uri-reference": {"format": "uri-reference"},
    "uuid": {"format": "uuid"},
    "whole-duration": {"format": "duration"},
}

#: Our format for each name that JSON Schema has in `format`.
BY_NAME: dict[str, str] = {
    words["format"]: name for name, words in SPELLINGS.items() if "format" in words
}

#: The names in JSON Schema's drafts that we have no format for.
NOT_ASSERTED = frozenset({"idn-email", "idn-hostname", "iri", "iri-reference", "uri-template"})

#: Our format for each pattern that expresses one.
BY_PATTERN: dict[str, str] = {
    words["pattern"]: name for name, words in SPELLINGS.items() if "pattern" in words
}


def is_base64_encoding(schema: dict[str, Any]) -> bool:
    """Whether *schema* has the pattern of base64, which repeats `contentEncoding`."""
    return schema.get("pattern") == _BASE64
