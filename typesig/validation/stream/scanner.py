"""An incremental reader of JSON text: it takes a text in pieces, and tells what has closed.

A list or an object that the receiver enters is told of part by part; any other value is read when
it has ended.  Each character is looked at a bounded number of times, whatever the pieces are.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Protocol

from typesig.validation.rows.json_text import BadJson, read_digits, read_json

_BLANK = re.compile(r"[ \t\n\r]*+")
_PLAIN = re.compile(r'[^"\\]*+')
_BETWEEN = re.compile(r'[^"\[\]{}]*+')
_WORD = re.compile(r"[-+.\w]*+")

_CLOSING = {"{": "}", "[": "]"}
_STARTS = frozenset('"-0123456789tfn[{')
_BEHIND_WORD = frozenset(" \t\n\r,]}")


class Unshown(Exception):
    """What follows cannot be told of before the text has ended."""


class Receiver(Protocol):
    """What is told of the values of a text."""

    def enters(self, bracket: str) -> bool:
        """Return whether the list or object that begins here is told of part by part."""
        ...

    def key(self, name: str) -> None:
        """Take the key of the value that follows; raise `Unshown` if it cannot be."""
        ...

    def closed(self, data: Any) -> None:
        """Take a value that has ended."""
        ...

    def leaves(self) -> None:
        """Take the end of the innermost list or object that was entered."""
        ...


class Scanner:
    """The reading of one JSON value from pieces of text.

    #: is_stuck: whether the rest cannot be told of: it is no JSON, or the receiver refused it
    #: is_done: whether the value has ended
    #: is_within: whether a value that is not entered has begun and not ended
    """

    __slots__ = (
        "_careful",
        "_closings",
        "_depth",
        "_escaped",
        "_in_text",
        "_is_first",
        "_keeps_digits",
        "_key",
        "_parts",
        "_ready",
        "_receiver",
        "_step",
        "is_done",
        "is_stuck",
        "is_within",
    )

    def __init__(self, receiver: Receiver, careful: bool, keeps_digits: bool) -> None:
        """*careful* is whether quotes within texts may be unescaped.

        A value has then ended when what follows it has begun.  With *keeps_digits*, numbers are
        read as `read_digits` does.
        """
        self._receiver = receiver
        self._careful = careful
        self._keeps_digits = keeps_digits
        self._closings: list[str] = []
        self._depth = 0
        self._escaped = self._in_text = self._is_first = False
        self._key = ""
        self._parts: list[str] = []
        self._ready: list[Any] = []
        self._step: Callable[[str, int], int] = self._value
        self.is_stuck = self.is_done = self.is_within = False

    def feed(self, text: str, place: int = 0) -> int:
        """Read *text* from *place* on; return where reading stopped."""
        try:
            while place < len(text) and not (self.is_done or self.is_stuck):
                place = self._step(text, place)
        except (BadJson, Unshown):
            self.is_stuck = True
        return place

    def _value(self, text: str, place: int) -> int:
        place = _end(_BLANK, text, place)
        if place == len(text):
            return place
        char = text[place]
        if char == "]" and self._is_first:
            return self._leave(place)
        if char not in _STARTS:
            raise Unshown
        self._release()
        self._is_first = False
        if char in _CLOSING and self._receiver.enters(char):
            self._closings.append(_CLOSING[char])
            self._is_first = True
            self._step = self._before_key if char == "{" else self._value
            return place + 1
        self.is_within = True
        self._parts.append(char)
        if char in _CLOSING:
            self._depth, self._step = 1, self._nested
        else:
            self._step = self._text if char == '"' else self._word
        return place + 1 if self._step != self._word else self._word(text, place, char)

    def _nested(self, text: str, start: int) -> int:
        place, size = start, len(text)
        while place < size and self._depth:
            if self._in_text:
                place = self._through_text(text, place)
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
            self._ended()
        return place

    def _text(self, text: str, start: int) -> int:
        self._in_text = True
        place = self._through_text(text, start)
        self._parts.append(text[start:place])
        if not self._in_text:
            self._ended()
        return place

    def _through_text(self, text: str, place: int) -> int:
        """Go through a text; return where it ends, or where the piece does."""
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

    def _word(self, text: str, start: int, first: str = "") -> int:
        place = _end(_WORD, text, start)
        self._parts.append(text[start + len(first) : place])
        if place < len(text):
            if text[place] not in _BEHIND_WORD:
                raise Unshown
            self._ended()
        return place

    def _ended(self) -> None:
        text = "".join(self._parts)
        data = read_digits(text)[0] if self._keeps_digits else read_json(text)
        self._parts.clear()
        self.is_within = False
        self._step = self._behind
        self._ready.append(data)
        if not self._closings:
            self._release()
            self.is_done = True
        elif not self._careful:
            self._release()

    def _release(self) -> None:
        if self._ready:
            self._receiver.closed(self._ready.pop())

    def _behind(self, text: str, place: int) -> int:
        place = _end(_BLANK, text, place)
        if place == len(text):
            return place
        if text[place] == ",":
            self._step = self._before_key if self._closings[-1] == "}" else self._value
            return place + 1
        if text[place] != self._closings[-1]:
            raise Unshown
        return self._leave(place)

    def _leave(self, place: int) -> int:
        self._release()
        self._closings.pop()
        self._is_first = False
        self._step = self._behind
        self._receiver.leaves()
        self.is_done = not self._closings
        return place + 1

    def _before_key(self, text: str, place: int) -> int:
        place = _end(_BLANK, text, place)
        if place == len(text):
            return place
        if text[place] == "}" and self._is_first:
            return self._leave(place)
        if text[place] != '"':
            raise Unshown
        self._is_first = False
        self._in_text = True
        self._parts.append('"')
        self._step = self._in_key
        return place + 1

    def _in_key(self, text: str, start: int) -> int:
        place = self._through_text(text, start)
        self._parts.append(text[start:place])
        if not self._in_text:
            self._key = read_json("".join(self._parts))
            self._parts.clear()
            self._step = self._behind_key
        return place

    def _behind_key(self, text: str, place: int) -> int:
        place = _end(_BLANK, text, place)
        if place == len(text):
            return place
        if text[place] != ":":
            raise Unshown
        self._release()
        self._receiver.key(self._key)
        self._step = self._value
        return place + 1


def _end(pattern: re.Pattern[str], text: str, place: int) -> int:
    """Return where the longest match of *pattern*, which may be empty, ends."""
    return pattern.match(text, place).end()  # type: ignore[union-attr]  # may be empty
