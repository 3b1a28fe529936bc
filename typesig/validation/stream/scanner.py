"""An incremental reader of JSON text: it takes a text in pieces, and tells what has closed.

A list or an object that the growing value enters is told of part by part; any other value is read
when it has ended.  Each character is looked at a bounded number of times, whatever the pieces are.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from typesig.validation.json_text import BadJson, read_digits, read_json
from typesig.validation.stream.partial_builder import NotStreamable, PartialBuilder

_BLANK = re.compile(r"[ \t\n\r]*+")
_PLAIN = re.compile(r'[^"\\]*+')
_BETWEEN = re.compile(r'[^"\[\]{}]*+')
_WORD = re.compile(r"[-+.\w]*+")
# A low surrogate belongs to the high one before it.
_ESCAPE = (
    r'\\(?:["\\/bfnrt]|u(?![dD][89a-fA-F])[0-9a-fA-F]{4}'
    r"|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
)
_READABLE = re.compile(rf'[^"\\\x00-\x1f]*+(?:{_ESCAPE}[^"\\\x00-\x1f]*+)*+')
#: The most characters of an escape that has not ended.
_LONGEST_ESCAPE = 11
_LITERALS = frozenset(("true", "false", "null"))
_LONGEST_LITERAL = 5

_CLOSING = {"{": "}", "[": "]"}
_STARTS = frozenset('"-0123456789tfn[{')
_BEHIND_WORD = frozenset(" \t\n\r,]}")
#: The last characters of values in which there may be quotes that are not escaped.
_MAY_GO_ON = frozenset('"]}')


class Scanner:
    """Incremental scanner of one JSON value.

    #: is_stuck: whether the rest cannot be told of: it is no JSON, or the growth refused it
    #: is_done: whether the value has ended
    #: is_within: whether a value that is not entered has begun and not ended
    """

    __slots__ = (
        "_careful", "_closings", "_depth", "_escaped", "_grown", "_growth", "_held", "_in_text",
        "_is_first", "_keeps_digits", "_key", "_parts", "_step", "is_done", "is_stuck", "is_within",
    )  # fmt: skip

    def __init__(self, growth: PartialBuilder, careful: bool, keeps_digits: bool) -> None:
        """*careful* is whether quotes within texts may be unescaped.

        A value that has ended with a quote is then withdrawn if no other one follows it.  With
        *keeps_digits*, numbers are read as `read_digits` does.
        """
        self._growth = growth
        self._careful = careful
        self._keeps_digits = keeps_digits
        self._closings: list[str] = []
        self._depth = 0
        self._escaped = self._in_text = self._is_first = False
        self._key = ""
        self._parts: list[str] = []
        # Whether what follows the last value may show that it has not ended.
        self._held = False
        # What is not told yet of a text that is told of while it arrives; None of another one.
        self._grown: str | None = None
        self._step: Callable[[str, int], int] = self._read_value
        self.is_stuck = self.is_done = self.is_within = False

    def feed(self, text: str, place: int = 0) -> int:
        """Read *text* from *place* on; return where reading stopped."""
        try:
            while place < len(text) and not (self.is_done or self.is_stuck):
                place = self._step(text, place)
        except (BadJson, NotStreamable):
            self.is_stuck = True
            # What was withdrawn goes on.
            self.is_within = self.is_within or self._held
            self._growth.withdraw(self._held)
        return place

    def _read_value(self, text: str, place: int) -> int:
        """Read the start of a value at *place*; return the index behind it."""
        place = _end(_BLANK, text, place)
        if place == len(text):
            return place
        char = text[place]
        if char == "]" and self._is_first:
            return self._leave(place)
        if char not in _STARTS:
            raise NotStreamable
        self._held = self._is_first = False
        if char in _CLOSING and self._growth.enter(char):
            self._closings.append(_CLOSING[char])
            self._is_first = True
            self._step = self._read_before_key if char == "{" else self._read_value
            return place + 1
        self.is_within = True
        self._parts.append(char)
        if char in _CLOSING:
            self._depth, self._step = 1, self._read_nested
        else:
            self._step = self._read_text if char == '"' else self._read_word
            self._grown = "" if char == '"' and self._growth.is_growing_text() else None
        return place + 1 if self._step != self._read_word else self._read_word(text, place, char)

    def _read_nested(self, text: str, start: int) -> int:
        """Scan an unstreamed list or map from *start*; return the next index."""
        place, size = start, len(text)
        while place < size and self._depth:
            if self._in_text:
                place = self._skip_text(text, place)
                continue
            place = _end(_BETWEEN, text, place)
            if place == size:
                break
            match text[place]:
                case '"':
                    self._in_text = True
                case "[" | "{":
                    self._depth += 1
                case _:
                    self._depth -= 1
            place += 1
        self._parts.append(text[start:place])
        if not self._depth:
            self._finish_value()
        return place

    def _read_text(self, text: str, start: int) -> int:
        """Scan a string value from *start*; return the next index."""
        self._in_text = True
        place = self._skip_text(text, start)
        self._parts.append(text[start:place])
        if self._grown is not None:
            self._add_piece(text[start : place if self._in_text else place - 1])
        if not self._in_text:
            self._finish_value()
        return place

    def _add_piece(self, piece: str) -> None:
        """Pass *piece* of a string to the builder, up to an incomplete escape."""
        assert self._grown is not None
        piece = self._grown + piece
        end = _end(_READABLE, piece, 0)
        # What is no text of JSON, such as a line break, is read when all has ended.
        self._grown = piece[end:] if len(piece) - end <= _LONGEST_ESCAPE else None
        if end:
            ready = piece[:end]
            self._growth.add_text(read_json(f'"{ready}"') if "\\" in ready else ready)

    def _skip_text(self, text: str, place: int) -> int:
        """Skip a string; return the index behind it, or the end of *text*."""
        while place < len(text):
            if self._escaped:
                self._escaped = False
                place += 1
                continue
            place = _end(_PLAIN, text, place)
            if place == len(text):
                break
            place += 1
            if text[place - 1] == '"':
                self._in_text = False
                break
            self._escaped = True
        return place

    def _read_word(self, text: str, start: int, first: str = "") -> int:
        """Scan a number or literal from *start*; return the next index."""
        place = _end(_WORD, text, start)
        if place > start + len(first):
            self._parts.append(text[start + len(first) : place])
        if place < len(text):
            if text[place] not in _BEHIND_WORD:
                raise NotStreamable
            self._finish_value()
        elif len(self._parts) <= _LONGEST_LITERAL and "".join(self._parts) in _LITERALS:
            self._finish_value()
            self._held, self._step = True, self._read_after_literal
        return place

    def _read_after_literal(self, text: str, place: int) -> int:
        """Check that the character at *place* may follow a literal."""
        if text[place] not in _BEHIND_WORD:
            raise NotStreamable
        self._held = False
        self._step = self._read_after_value
        return place

    def _finish_value(self) -> None:
        """Parse the collected text of a completed value, and report its data."""
        text = "".join(self._parts)
        data = read_digits(text)[0] if self._keeps_digits else read_json(text)
        self._parts.clear()
        self.is_within = False
        self._step = self._read_after_value
        self._growth.closed(data)
        self.is_done = not self._closings
        self._held = self._careful and text[-1] in _MAY_GO_ON

    def _read_after_value(self, text: str, place: int) -> int:
        """Read a comma or closing bracket; return the index behind it."""
        place = _end(_BLANK, text, place)
        if place == len(text):
            return place
        if text[place] == ",":
            self._step = self._read_before_key if self._closings[-1] == "}" else self._read_value
            return place + 1
        if text[place] != self._closings[-1]:
            raise NotStreamable
        return self._leave(place)

    def _leave(self, place: int) -> int:
        """Close the innermost list or map; return the index behind *place*."""
        self._closings.pop()
        self._held = self._is_first = False
        self._step = self._read_after_value
        self._growth.leave()
        self.is_done = not self._closings
        return place + 1

    def _read_before_key(self, text: str, place: int) -> int:
        """Read the quote that opens a key, or the brace that closes the map."""
        place = _end(_BLANK, text, place)
        if place == len(text):
            return place
        if text[place] == "}" and self._is_first:
            return self._leave(place)
        if text[place] != '"':
            raise NotStreamable
        self._is_first = False
        self._in_text = True
        self._parts.append('"')
        self._step = self._read_key
        return place + 1

    def _read_key(self, text: str, start: int) -> int:
        """Scan an object key from *start*; return the next index."""
        place = self._skip_text(text, start)
        self._parts.append(text[start:place])
        if not self._in_text:
            self._key = read_json("".join(self._parts))
            self._parts.clear()
            self._step = self._read_after_key
        return place

    def _read_after_key(self, text: str, place: int) -> int:
        """Scan the colon after a key; return the next index."""
        place = _end(_BLANK, text, place)
        if place == len(text):
            return place
        if text[place] != ":":
            raise NotStreamable
        self._held = False
        self._growth.start_key(self._key)
        self._step = self._read_value
        return place + 1


def _end(pattern: re.Pattern[str], text: str, place: int) -> int:
    """Return where the longest match of *pattern*, which may be empty, ends."""
    return pattern.match(text, place).end()  # type: ignore[union-attr]  # may be empty
