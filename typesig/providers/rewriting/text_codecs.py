"""Codecs of values that are sent as texts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from typesig.algebra.rows.values import Const, const
from typesig.errors import TypesigError
from typesig.limits import MAX_DIGITS
from typesig.providers.rows.codecs import Codec, json_text
from typesig.providers.rows.faults import QUIET, Decoding
from typesig.validation.rows.json_text import BadJson, read_digits


class _AsText(Codec):
    """A value that is sent as text, which has no parts."""

    __slots__ = ()

    def has_parts(self, text: str) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class JsonText(_AsText):
    """A value as JSON text; text that is not JSON stands for itself."""

    def decode(self, value: Any, how: Decoding = QUIET) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return read_digits(value)[0]
        except BadJson:
            return value

    def encode(self, value: Any) -> Any:
        return json_text(value)


_INTEGER = re.compile(r"-?[0-9]+")


@dataclass(frozen=True, slots=True)
class IntegerText(_AsText):
    """An integer as its decimal digits."""

    def decode(self, value: Any, how: Decoding = QUIET) -> Any:
        if isinstance(value, str) and _INTEGER.fullmatch(value) and len(value) <= MAX_DIGITS:
            return int(value)
        return value

    def encode(self, value: Any) -> Any:
        return str(value)


@dataclass(frozen=True, slots=True)
class Words(_AsText):
    """Constants as texts.

    #: constants: the constants by their texts
    """

    constants: tuple[tuple[str, Const], ...]

    def decode(self, value: Any, how: Decoding = QUIET) -> Any:
        for word, held in self.constants:
            if type(value) is str and value == word:
                return held.thaw()
        return value

    def encode(self, value: Any) -> Any:
        try:
            found = const(value)
        except TypesigError:
            return value
        return next((word for word, held in self.constants if held == found), value)
