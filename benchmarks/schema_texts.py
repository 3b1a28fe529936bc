"""Texts that match a pattern or have a format, and texts that nearly do.

Used by `schema_values.py`.  A match is not guaranteed: the validators decide.
"""

from __future__ import annotations

import re
from random import Random
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

ALPHABET = "abcxyzABCXYZ0189 _-.:/@é"
#: For each format, some texts that have it, then some that do not.
FORMATS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "date-time": (
        ("2024-02-29T12:30:45Z", "1999-12-31T23:59:59.123+02:00", "2024-01-01t00:00:00z"),
        ("2023-02-29T12:00:00Z", "2024-01-01", "2024-01-01T25:00:00Z", "2024-01-01T00:00:00"),
    ),
    "date": (("2024-02-29", "1999-12-31"), ("2023-02-29", "2024-13-01", "20240101", "2024-1-1")),
    "time": (("12:30:45Z", "23:59:59.5+02:00"), ("25:00:00Z", "12:30", "noon", "12:30:45")),
    "duration": (("P1D", "PT5M", "P1Y2M3DT4H5M6S", "P2W"), ("P", "1D", "PT", "P1DT")),
    "email": (("a@example.org", "first.last+tag@example.co.uk"), ("a", "a@", "@b", "a b@c.de")),
    "idn-email": (("a@example.org",), ("a",)),
    "hostname": (("example.org", "a-b.c"), ("-a.b", "a..b", "a_b!", "")),
    "ipv4": (("127.0.0.1", "255.255.255.255"), ("256.0.0.1", "1.2.3", "1.2.3.4.5", "01.2.3.4")),
    "ipv6": (("::1", "2001:db8::8a2e:370:7334"), (":::1", "12345::", "1.2.3.4", "g::1")),
    "uri": (
        ("https://example.org/a?b=c#d", "urn:isbn:0451450523", "mailto:a@b.c"),
        ("/a/b", "no scheme", "http://a b", "//example.org"),
    ),
    "uri-reference": (("https://example.org", "/a/b", "a", "#d"), ("a b", "\\\\a", "http://[")),
    "iri": (("https://example.org/é",), ("é é",)),
    "iri-reference": (("/é",), ("é é",)),
    "uri-template": (("https://example.org/{id}",), ("https://example.org/{id",)),
    "uuid": (
        ("2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2EB8AA08-AA98-11EA-B4AA-73B441D16380"),
        ("2eb8aa08aa9811eab4aa73b441d16380", "2eb8aa08-aa98-11ea-b4aa-73b441d1638", "x"),
    ),
    "json-pointer": (("", "/a/0", "/a~1b"), ("a", "/a~", "/~2")),
    "relative-json-pointer": (("0", "1/a", "2#"), ("-1", "/a", "01/a")),
    "regex": (("^a+$", "[a-z]"), ("(", "[a", "*")),
}  # fmt: skip


def python_pattern(pattern: str) -> str:
    """Return *pattern* for Python, exact enough to generate texts from it."""
    pattern = re.sub(r"\\p\{L[ul]?\}", "[a-zA-Z]", pattern)
    pattern = re.sub(r"\\p\{N[d]?\}", "[0-9]", pattern)
    pattern = re.sub(r"\\[pP]\{[^}]*\}", "[a-z]", pattern)
    return re.sub(r"\(\?<(?=[A-Za-z])", "(?P<", pattern)


class Matching:
    """A generator of texts that match patterns."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def text(self, pattern: str) -> str | None:
        """Return a text in which *pattern* should be found, or None if Python cannot read it."""
        try:
            parsed = parser.parse(python_pattern(pattern))
        except (re.error, RecursionError, OverflowError):
            return None
        self.groups: dict[int, str] = {}
        made = self._sequence(list(parsed))
        if not pattern.startswith("^") and self.random.random() < 0.3:
            made = self.random.choice(ALPHABET) + made
        if not pattern.endswith("$") and self.random.random() < 0.3:
            made += self.random.choice(ALPHABET)
        return made

    def _sequence(self, parsed: list[tuple[Any, Any]]) -> str:
        return "".join(self._one(str(op), value) for op, value in parsed)

    def _one(self, op: str, value: Any) -> str:
        match op:
            case "LITERAL":
                return "" if 0xD800 <= value <= 0xDFFF else chr(value)
            case "NOT_LITERAL":
                return self.random.choice([c for c in ALPHABET if ord(c) != value])
            case "ANY":
                return self.random.choice(ALPHABET)
            case "IN":
                return self._in(value)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                return self._repeat(*value)
            case "SUBPATTERN":
                made = self._sequence(list(value[-1]))
                if value[0] is not None:
                    self.groups[value[0]] = made
                return made
            case "ATOMIC_GROUP":
                return self._sequence(list(value))
            case "BRANCH":
                return self._sequence(list(self.random.choice(value[1])))
            case "GROUPREF":
                return self.groups.get(value, "")
            case _:
                # Anchors and lookarounds are skipped; the caller tries again.
                return ""

    def _repeat(self, least: int, most: int, inner: Any) -> str:
        top = min(int(most), least + self.random.choice((0, 1, 1, 2, 3, 8)))
        parsed = list(inner)
        return "".join(self._sequence(parsed) for _ in range(self.random.randint(least, top)))

    def _in(self, members: list[tuple[Any, Any]]) -> str:
        if str(members[0][0]) == "NEGATE":
            out = set().union(*(self._letters(op, value) for op, value in members[1:]))
            return self.random.choice([c for c in ALPHABET + "~#qQ5\n" if c not in out] or [""])
        op, value = self.random.choice(members)
        return self.random.choice(sorted(self._letters(op, value)) or [""])

    def _letters(self, op: Any, value: Any) -> set[str]:
        """Return some letters that one member of a character class matches."""
        match str(op):
            case "LITERAL":
                return set() if 0xD800 <= value <= 0xDFFF else {chr(value)}
            case "RANGE":
                low, high = value
                some = {*range(low, min(high, low + 200) + 1), high}
                # A lone surrogate is not valid text.
                return {chr(n) for n in some if not 0xD800 <= n <= 0xDFFF}
        named = {"DIGIT": "0159", "SPACE": " \t", "WORD": "abzAZ09_"}
        word = str(value).rpartition("CATEGORY_")[2]
        if word in named:
            return set(named[word])
        out = set(named.get(word.removeprefix("NOT_"), ""))
        return set(ALPHABET) - out


def near(text: str, random: Random) -> str:
    """Return a text that differs slightly from *text*."""
    spot = random.randint(0, len(text))
    match random.randrange(7):
        case 0:
            return text[:spot] + random.choice(ALPHABET) + text[spot:]
        case 1:
            return text[:spot] + text[spot + 1 :]
        case 2:
            return text.swapcase()
        case 3:
            return text * 2 or "a"
        case 4:
            return ""
        case 5:
            return text + "\n"
        case _:
            return text + random.choice(ALPHABET) * random.choice((1, 30, 300))
