"""Texts and words of nearly-JSON text: where one ends, and what it says."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from typesig.limits import MAX_KEY_AHEAD
from typesig.validation.policy import RepairId


class Unreadable(ValueError):
    """Error for a value of nearly-JSON text that cannot be parsed.

    #: place: the index of the character where reading stopped
    #: cut: whether the text ended too early
    """

    def __init__(self, place: int, reason: str, cut: bool = False) -> None:
        super().__init__(reason)
        self.place = place
        self.cut = cut


class QuoteStyle(NamedTuple):
    """A quoting style: closing characters, pattern of unquoted pieces, and repair."""

    closing: str
    piece: re.Pattern[str]
    repair: RepairId | None


def _make_quote_style(closing: str, repair: RepairId | None) -> QuoteStyle:
    """Make the style of strings that end with *closing*; reading them records *repair*."""
    return QuoteStyle(closing, re.compile(rf"[^{closing}\\\x00-\x1f]*"), repair)


_TYPOGRAPHIC = _make_quote_style("”“", "typographic_quotes")
_TYPOGRAPHIC_SINGLE = _make_quote_style("’‘", "typographic_quotes")

#: The ways to quote a text, by the opening quote.
QUOTES: dict[str, QuoteStyle] = {
    '"': _make_quote_style('"', None),
    "'": _make_quote_style("'", "single_quotes"),
    "`": _make_quote_style("`", "backtick_quotes"),
    **dict.fromkeys("“”„", _TYPOGRAPHIC),
    **dict.fromkeys("‘’‚", _TYPOGRAPHIC_SINGLE),
}

_MOST = f"{{0,{MAX_KEY_AHEAD}}}"
_QUOTED = "|".join(
    (
        rf'"(?:[^"\\]|\\.){_MOST}"',
        rf"'(?:[^'\\]|\\.){_MOST}'",
        rf"`(?:[^`\\]|\\.){_MOST}`",
        rf"[“”„](?:[^”“\\]|\\.){_MOST}[”“]",
        rf"[‘’‚](?:[^’‘\\]|\\.){_MOST}[’‘]",
    )
)
_BARE = r"[^\W\d][\w$-]*|\$[\w$-]*"
_END = r"\Z|[}\])]|//|/\*|#|\.\.\.|…|```"
_WORD = r"(?:true|false|null|True|False|None|TRUE|FALSE|NULL|Null|undefined)\b"

#: The beginning of a number, or a word that is a value.
SCALAR = rf"(?:[-+.]?[0-9]|{_WORD})"

#: A key and what follows it.
KEY_AHEAD = re.compile(rf"(?:{_QUOTED}|{_BARE})\s*[:=]", re.DOTALL)
_AFTER_KEY = re.compile(r"\s*(?:[:=]|\Z)")
_AFTER_LONE = re.compile(r"[\s,}\]]*+\Z|\s*```")
_AFTER_VALUE = re.compile(
    rf"\s*(?:{_END}|,\s*(?:{_END}|(?:{_QUOTED}|{_BARE})\s*[:=]))"
    rf"|\s+(?:{_QUOTED})\s*[:=]|[^\S\n]*\n\s*(?:{_BARE})\s*[:=]",
    re.DOTALL,
)
_AFTER_ITEM = re.compile(
    rf"\s*(?:{_END}|,\s*(?:{_END}|[\[{{(\"'`“”„‘’‚]|[-+.]?[0-9]|{_WORD}))"
    rf"|\s+(?:[\"'“‘\[{{]|{SCALAR})|[^\S\n]*\n"
)
_COLON = re.compile(r"\s*:")
_HEX = re.compile(r"u[0-9A-Fa-f]{4}")
#: The code of a character in the syntax of other languages.
_CODE = re.compile(r"x[0-9A-Fa-f]{2}")
#: The escapes that JSON writes with letters.
_LETTERS = frozenset(("\\b", "\\f", "\\n", "\\r", "\\t"))
#: The beginning of the path of a file.
_DRIVE = re.compile(r"[A-Za-z]:\\")
_APOSTROPHES = "'’‘"
_TRIPLES = ('"""', "'''")
_SEVERAL_QUOTES = "it is not plain which quotes belong to a text"

#: What may follow the text: a key's separator, the end, a field or an item.
AFTER: dict[str, re.Pattern[str]] = {
    "key": _AFTER_KEY,
    "lone": _AFTER_LONE,
    "value": _AFTER_VALUE,
    "item": _AFTER_ITEM,
}


def read_text(
    source: str, start: int, after: re.Pattern[str], repairs: dict[RepairId, int]
) -> tuple[str, int]:
    """Parse the quoted string at *start*; return its text and end index.

    A quote closes the text if *after* matches behind it; other quotes belong to the text, if there
    is an even number of them.
    """
    quotes = QUOTES[source[start]]
    if source.startswith(_TRIPLES, start):
        return _read_triple_quoted(source, start, after, repairs)
    if quotes.repair is not None:
        repairs.setdefault(quotes.repair, start)
    parts: list[str] = []
    within, place, size, last = 0, start + 1, len(source), start
    # The place of a backslash that begins no escape of JSON.
    unknown: int | None = None
    while True:
        end = quotes.piece.match(source, place).end()  # type: ignore[union-attr]  # may be empty
        parts.append(source[place:end].replace('"', '\\"'))
        if end >= size:
            raise Unreadable(start, "a text is not closed", cut=not within)
        char = source[end]
        if char == "\\":
            part, place = _escape(source, end, repairs)
            parts.append(part)
            if place == end + 1:
                unknown = end
        elif char < " ":
            repairs.setdefault("line_break_in_text", end)
            parts.append(char)
            place = end + 1
        elif after.match(source, end + 1):
            break
        else:
            within += _count_inner_quotes(source, end, after, within % 2 == 0, repairs)
            parts.append('\\"' if char == '"' else char)
            place = end + 1
            if end == last + 1 > start + 1:
                raise Unreadable(start, _SEVERAL_QUOTES)
            last = end
    if within % 2:
        raise Unreadable(start, "the quotes in a text are not escaped, and do not come in pairs")
    if within and last == end - 1 and source[start + 1] in quotes.closing:
        raise Unreadable(start, _SEVERAL_QUOTES)
    if unknown is not None:
        parts = _keep_backslashes(source, start, unknown, parts)
    return json.loads(f'"{"".join(parts)}"', strict=False), end + 1


def _read_triple_quoted(
    source: str, start: int, after: re.Pattern[str], repairs: dict[RepairId, int]
) -> tuple[str, int]:
    """Parse the triple-quoted string at *start*; return its text and end index."""
    mark = source[start : start + 3]
    end = source.find(mark, start + 3)
    if end < 0:
        raise Unreadable(start, "a text is not closed", cut=True)
    text = source[start + 3 : end]
    # A line break at an end, or a backslash, is a part of the text or not, as languages go.
    is_plain = end > start + 3 and text[0] not in "\r\n\"'" and text[-1] not in "\r\n\"'"
    if not is_plain or "\\" in text or not after.match(source, end + 3):
        raise Unreadable(start, _SEVERAL_QUOTES)
    repairs.setdefault("triple_quotes", start)
    return text, end + 3


def _count_inner_quotes(
    source: str, place: int, after: re.Pattern[str], opens: bool, repairs: dict[RepairId, int]
) -> int:
    """Count the quotes at *place* that belong to the text of a string: 0 or 1.

    *opens* tells whether it is the first of a pair.
    """
    before, behind = source[place - 1], source[place + 1 : place + 2]
    if source[place] in _APOSTROPHES and before.isalnum() and behind.isalnum():
        return 0
    inner, outer = (behind, before) if opens else (before, behind)
    plain = not inner.isspace() and not outer.isalnum()
    if not plain or after in (_AFTER_KEY, _AFTER_LONE) or _COLON.match(source, place + 1):
        raise Unreadable(place, "it is not plain where a text ends")
    repairs.setdefault("quotes_in_text", place)
    return 1


def _escape(source: str, place: int, repairs: dict[RepairId, int]) -> tuple[str, int]:
    """Convert the escape at *place* to JSON; return the escape and its end index."""
    char = source[place + 1 : place + 2]
    if not char:
        raise Unreadable(place, "a text is not closed", cut=True)
    if char in 'bfnrt/\\"':
        return source[place : place + 2], place + 2
    if char in "'`’‘”“":
        repairs.setdefault("odd_escape", place)
        return char, place + 2
    if _HEX.match(source, place + 1):
        return source[place : place + 6], place + 6
    if char < " " or _CODE.match(source, place + 1):
        raise Unreadable(place, "JSON does not have this escape")
    repairs.setdefault("unknown_escape", place)
    return "\\\\", place + 1


def _keep_backslashes(source: str, start: int, unknown: int, parts: list[str]) -> list[str]:
    """Convert the escapes in *parts* of a Windows path to literal backslashes.

    Escapes of letters, such as that of a line break, may be meant as backslashes, too: they are in
    the path of a file.
    """
    if _LETTERS.isdisjoint(parts):
        return parts
    if _DRIVE.match(source, start + 1) is None:
        raise Unreadable(unknown, "it is not plain which backslashes are escapes")
    return [f"\\{part}" if part in _LETTERS else part for part in parts]
