"""The formats that are recognized in sample texts.

To add a format, add its row to `FORMAT_TESTS`.
"""

from __future__ import annotations

from collections.abc import Callable

from typesig.algebra.rows.formats import FORMATS


def _is_url(text: str) -> bool:
    # Any word followed by a colon is a URI of some scheme.
    return "://" in text and FORMATS["uri"](text)


#: For each format, the test by which it is recognized; the first that all texts pass is inferred.
#: Formats with None are never inferred: ordinary words or numbers pass their tests, or another
#: format is the usual meaning of their texts.
FORMAT_TESTS: dict[str, Callable[[str], bool] | None] = {
    "date-time": FORMATS["date-time"],
    "date": FORMATS["date"],
    "time": FORMATS["time"],
    "duration": FORMATS["duration"],
    "uuid": FORMATS["uuid"],
    "email": FORMATS["email"],
    "uri": _is_url,
    "ipv4": FORMATS["ipv4"],
    "ipv6": FORMATS["ipv6"],
    "base64": None,
    "complex": None,
    "decimal": None,
    "fraction": None,
    "hostname": None,
    "ipv4-network": None,
    "ipv6-network": None,
    "json-pointer": None,
    "offset-time": None,
    "regex": None,
    "relative-json-pointer": None,
    "uri-reference": None,
    "whole-duration": None,
}

RECOGNIZERS = {name: test for name, test in FORMAT_TESTS.items() if test is not None}
