"""Nearly-JSON text to data: a tolerant reader of one value, which tells what it mended.

It never invents a value, drops one, or changes a number: what it cannot read plainly is
`Unreadable`.  Each character is read a bounded number of times.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from typesig.limits import MAX_VALUE_DEPTH
from typesig.validation.json_text import BadJson, parse_int, parse_written_float, scan_value
from typesig.validation.policy import RepairId
from typesig.validation.repair.lenient_text import (
    AFTER,
    KEY_AHEAD,
    QUOTES,
    SCALAR,
    Unreadable,
    read_text,
)

_BLANK = re.compile(r"[ \t\r\n]*")
_ODD_BLANK = re.compile(r"[\s\ufeff\u200b]+")
_COMMENT = re.compile(r"//[^\n]*|#(?=[\s!#]|\Z)[^\n]*|/\*")
ELLIPSIS = re.compile(r"\.\.\.|…")
_SEPARATOR = re.compile(r":=|=>|:|=")
_BARE_KEY = re.compile(r"[^\W\d][\w$-]*|\$[\w$-]*|0|[1-9][0-9]*")
_NUMBER = re.compile(r"(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][+-]?[0-9]+)?(?=[\s,\]})]|\Z|//|/\*|#)")
_ODD_NUMBER = re.compile(
    r"(?:\+((?:0|[1-9][0-9]*)(?:\.[0-9]+)?|\.[0-9]+)|(-?)(\.[0-9]+))([eE][+-]?[0-9]+)?(?=[\s,\]})]|\Z)"
)
_WORD = re.compile(r"[^\W\d][\w$]*(?=[\s,\]})]|\Z|//|/\*|#)")
_BARE_TEXT = re.compile(r"[^\W\d][^\n,:;\"'`{}\[\]()<>=#\\/“”„‘’‚|*]*(?=[,\]}\n])")

_SCALAR_AHEAD = re.compile(SCALAR)
#: Digits that may be groups of one number.
_GROUPED = re.compile(r"[0-9]\s[0-9]{3}(?![0-9])")

_TAIL = re.compile(r"[\w.+-]*\Z")

_WORDS: dict[str, tuple[Any, RepairId | None]] = {
    "true": (True, None), "false": (False, None), "null": (None, None),
    "TRUE": (True, "literal_case"), "FALSE": (False, "literal_case"),
    "NULL": (None, "literal_case"), "Null": (None, "literal_case"),
    "True": (True, "python_literal"), "False": (False, "python_literal"),
    "None": (None, "python_literal"), "undefined": (None, "undefined"),
}  # fmt: skip

#: Words that say more than their letters; without quotes and in another spelling they are no text.
_RESERVED = frozenset(
    ("true", "false", "null", "none", "nil", "undefined", "nan", "inf", "infinity", "na", "n/a")
)

#: Why a value with an ellipsis is not read.
LEFT_OUT = "an ellipsis leaves values out"

_CLOSING = {"{": "}", "[": "]", "(": ")"}


class LenientReader:
    """Parser of one value in nearly-JSON text, which records the repairs needed.

    #: repairs: what was mended, by id, with the first place
    #: solid: whether what was read so far is JSON rather than prose with brackets
    #: end: where the value ends
    """

    __slots__ = ("_depth", "_source", "end", "repairs", "solid", "start")

    def __init__(self, source: str, start: int) -> None:
        self._source = source
        self._depth = 0
        self.start = start
        self.end = start
        self.repairs: dict[RepairId, int] = {}
        self.solid = False

    def read_value(self, exact: bool = False) -> Any:
        """Parse the value at the current position, and move behind it.

        With *exact*, a list or an object that is JSON is read by the reader of JSON.
        Raises `Unreadable` with the place, and `BadJson` beyond a limit.
        """
        if exact and self._source[self.end : self.end + 1] in ("[", "{"):
            known = scan_value(self._source, self.end)
            if known is not None:
                data, self.end = known
                return data
        return self._read_value("lone")

    def skip_blanks(self) -> str:
        """Go past white space and comments; return the next character, or empty at the end."""
        source = self._source
        while True:
            self.end = _BLANK.match(source, self.end).end()  # type: ignore[union-attr]  # may be empty
            odd = _ODD_BLANK.match(source, self.end)
            if odd is not None:
                self.repairs.setdefault("odd_blank", self.end)
                self.end = odd.end()
                continue
            found = _COMMENT.match(source, self.end)
            if found is None:
                return source[self.end : self.end + 1]
            self.repairs.setdefault("comment", self.end)
            self.end = found.end()
            if found[0] == "/*":
                closed = source.find("*/", self.end)
                if closed < 0:
                    raise Unreadable(found.start(), "a comment is not closed", cut=True)
                self.end = closed + 2
            left_out = ELLIPSIS.search(source, found.start(), self.end)
            if left_out is not None:
                raise Unreadable(left_out.start(), LEFT_OUT)

    def _read_value(self, where: str) -> Any:
        """Read a value; *where* is its position, such as an object or a list."""
        source, start = self._source, self.end
        char = source[start : start + 1]
        if char in QUOTES and not source.startswith("```", start):
            text, self.end = read_text(source, start, AFTER[where], self.repairs)
            return text
        if char == "{" or char == "[" or (char == "(" and self._depth):
            self._depth += 1
            if self._depth > MAX_VALUE_DEPTH:
                raise BadJson(f"nested too deep: at most {MAX_VALUE_DEPTH} levels")
            self.end += 1
            made = self._read_object() if char == "{" else self._list(_CLOSING[char])
            self._depth -= 1
            return made
        if char and (char in "+-." or char.isdigit()):
            return self._read_number()
        return self._read_word()

    def _read_object(self) -> dict[str, Any]:
        """Read the entries of an object up to its closing brace."""
        out: dict[str, Any] = {}
        while True:
            char = self._next()
            if char == "}":
                self.end += 1
                return out
            if char == ",":
                # In a list, a value may be missing here.
                self.repairs.setdefault("extra_comma", self.end)
                self.end += 1
                continue
            self._refuse_ellipsis(bool(out))
            key = self._read_key(char)
            if key in out:
                raise Unreadable(self.end, "a key occurs twice")
            self.skip_blanks()
            separator = _SEPARATOR.match(self._source, self.end)
            if separator is None:
                self._end_is_not_here()
                raise Unreadable(self.end, "there is no colon behind a key")
            if separator[0] != ":":
                self.repairs.setdefault("key_equals", self.end)
            self.end = separator.end()
            self.solid = self.solid or char in QUOTES or self._depth > 1
            if self._next() in ",}":
                raise Unreadable(self.end, "a value is missing behind a key")
            out[key] = self._read_value("value")
            self._skip_comma("}")

    def _read_key(self, char: str) -> str:
        """Read an object key, quoted or bare, that begins with *char*."""
        if char in QUOTES:
            text, self.end = read_text(self._source, self.end, AFTER["key"], self.repairs)
            return text
        found = _BARE_KEY.match(self._source, self.end)
        if found is None:
            raise Unreadable(self.end, "this is not a key")
        self.repairs.setdefault("bare_key", self.end)
        self.end = found.end()
        return found[0]

    def read_parentheses(self) -> tuple[list[Any], bool]:
        """Parse parentheses; return the items, and whether they form a tuple."""
        self._depth, self.end = 1, self.end + 1
        return self._read_tuple()

    def _read_tuple(self) -> tuple[list[Any], bool]:
        """Read items up to ")"; return them and whether they form a tuple."""
        start = self.end - 1
        items, commas = self._read_items(")")
        if commas < len(items) - 1:
            raise Unreadable(start, "texts side by side are one text in Python")
        return items, commas > 0 or not items

    def _list(self, closing: str) -> list[Any]:
        """Read the items of a list or Python tuple up to the bracket *closing*."""
        start = self.end - 1
        if closing != ")":
            return self._read_items(closing)[0]
        items, is_tuple = self._read_tuple()
        if not is_tuple:
            raise Unreadable(start, "parentheses are not JSON")
        self.repairs.setdefault("python_literal", start)
        return items

    def _read_items(self, closing: str) -> tuple[list[Any], int]:
        """Parse the items up to the bracket *closing*; return items and comma count."""
        out: list[Any] = []
        commas = 0
        while True:
            char = self._next()
            if char == closing:
                self.end += 1
                return out, commas
            self._refuse_ellipsis(bool(out))
            if char == ",":
                raise Unreadable(self.end, "a value is missing before a comma")
            item = self._read_value("item")
            out.append(item)
            if "bare_text" not in self.repairs and type(item) not in (int, float):
                self.solid = True
            commas += self._skip_comma(closing)
            self.solid = self.solid or (commas > 0 and "bare_text" not in self.repairs)

    def _next(self) -> str:
        """Return the next character that is not blank; raise at the end of the text."""
        char = self.skip_blanks()
        self._end_is_not_here()
        return char

    def _end_is_not_here(self) -> None:
        """Raise `Unreadable` at the end of the text, in a list or an object."""
        if self.end >= len(self._source) or self._source.startswith("```", self.end):
            raise Unreadable(self.start, "a list or an object is not closed", cut=True)

    def _is_at_tail(self) -> bool:
        """Whether the word or number at the current position ends the text."""
        return self._depth > 0 and _TAIL.match(self._source, self.end) is not None

    def _refuse_ellipsis(self, follows: bool) -> None:
        """Raise for an ellipsis; *follows* is whether items or fields precede it."""
        if ELLIPSIS.match(self._source, self.end):
            # `[...]` and `[sic ...]` stand in prose.
            self.solid = self.solid or (follows and "bare_text" not in self.repairs)
            raise Unreadable(self.end, LEFT_OUT)

    def _skip_comma(self, closing: str) -> bool:
        """Go past the comma behind an item or field; return whether there is one."""
        last = self.end
        char = self._next()
        place = self.end
        if char == closing:
            return False
        if char == ",":
            self.end += 1
            if self._next() == closing:
                self.repairs.setdefault("extra_comma", place)
            return True
        self._refuse_ellipsis(True)
        if not self._may_lack_comma(last, closing):
            raise Unreadable(place, "there is no comma, and no plain place for one")
        self.repairs.setdefault("missing_comma", place)
        return False

    def _may_lack_comma(self, last: int, closing: str) -> bool:
        """Whether another value plainly follows the index *last* without a comma."""
        source, place = self._source, self.end
        between = source[last:place]
        closed = source[last - 1] in "}]"
        if closing == "}":
            return (closed or bool(between)) and KEY_AHEAD.match(source, place) is not None
        if "\n" in between:
            return True
        opens = source[place] in "[{" or source[place] in QUOTES
        if not between:
            return closed and opens
        is_scalar = _SCALAR_AHEAD.match(source, place) is not None
        return opens or (is_scalar and _GROUPED.match(source, last - 1) is None)

    def _read_number(self) -> Any:
        """Read a number, also in forms that JSON lacks such as `+1` or `.5`."""
        found = _NUMBER.match(self._source, self.end)
        if found is not None:
            self.end = found.end()
            whole, point, power = found.groups()
            return parse_written_float(found[0]) if point or power else parse_int(whole)
        odd = _ODD_NUMBER.match(self._source, self.end)
        if odd is None:
            raise Unreadable(self.end, "this is not a number of JSON", self._is_at_tail())
        self.repairs.setdefault("number_form", self.end)
        self.end = odd.end()
        plus, sign, point, power = odd.groups()
        digits = plus if plus is not None else sign + point
        if power is None and "." not in digits:
            return parse_int(digits)
        return parse_written_float(digits + (power or ""))

    def _read_word(self) -> Any:
        """Read a literal of JSON or Python, or a string without quotes."""
        self._end_is_not_here()
        found = _WORD.match(self._source, self.end)
        if found is not None and found[0] in _WORDS:
            value, repair = _WORDS[found[0]]
            if repair is not None:
                self.repairs.setdefault(repair, self.end)
            self.end = found.end()
            return value
        bare = _BARE_TEXT.match(self._source, self.end) if self._depth else None
        if bare is None or bare[0].strip().casefold() in _RESERVED:
            raise Unreadable(self.end, "this is not a value of JSON", self._is_at_tail())
        self.repairs.setdefault("bare_text", self.end)
        text = bare[0].rstrip()
        self.end += len(text)
        return text


#: The names with which a value is handed over.  Another function may make another value of it.
_NAMES = (
    r"(?:callback|cb|jsonp|json_callback|print|console\.log|return|respond|submit"
    r"|(?:final_)?(?:answer|response|result|output))"
)
PARENTHESES = re.compile(rf"(?P<name>{_NAMES})?[ \t]*(?=\()")
FENCE = re.compile(r"(?:`{3,8}|~{3,8})[ \t]*(?:json\b)?\s*+(?![`~])", re.IGNORECASE)
_END = re.compile(r"[ \t]*+;?+\s*+\Z")
_EMPTY = re.compile(r"\[\s*\]\s*\{\s*\}\s*\Z")


class WrapperMatch(NamedTuple):
    """A value read from within a wrapper, and the repairs that remove the wrapper."""

    data: Any
    repairs: dict[RepairId, int]


def find_wrapped(source: str, begin: int) -> list[WrapperMatch]:
    """Return the possible values of a wrapper, such as parentheses, at *begin*."""
    found = PARENTHESES.match(source, begin)
    if found is not None:
        return _read_parentheses(source, found)
    found = FENCE.match(source, begin)
    if found is not None:
        return _read_fence(source, found)
    if _EMPTY.match(source, begin) is not None:
        # Nothing stands in the list, or what does stands behind it.
        return [
            WrapperMatch([], {"several_values": begin}),
            WrapperMatch([{}], {"several_values": begin}),
        ]
    return []


def _read_parentheses(source: str, found: re.Match[str]) -> list[WrapperMatch]:
    """Parse the value in the parentheses that the match *found* opens, if any."""
    reader = LenientReader(source, found.end())
    try:
        items, is_tuple = reader.read_parentheses()
    except Unreadable:
        return []
    if _END.match(source, reader.end) is None or (is_tuple and found["name"]):
        return []
    repair: RepairId = "python_literal" if is_tuple else "parentheses"
    reader.repairs[repair] = found.start()
    return [WrapperMatch(items if is_tuple else items[0], reader.repairs)]


def _read_fence(source: str, found: re.Match[str]) -> list[WrapperMatch]:
    """Parse the value in the code fence that the match *found* opens, if any."""
    body = source.rstrip().rstrip("`~")
    reader = LenientReader(body, found.end())
    try:
        data = reader.read_value(exact=True)
    except Unreadable:
        return []
    if body[reader.end :].strip():
        return []
    reader.repairs["code_fence"] = found.start()
    return [WrapperMatch(data, reader.repairs)]
