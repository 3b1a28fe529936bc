"""Codecs of values that are sent as text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from typesig.algebra.rows.values import Const, to_const
from typesig.errors import TypesigError
from typesig.limits import MAX_DIGITS
from typesig.providers.rows.codecs import Codec, write_json
from typesig.providers.rows.faults import QUIET, DecodingState
from typesig.validation.json_text import BadJson, read_digits


class _TextCodec(Codec):
    """A base class for codecs of values that are sent as text."""

    __slots__ = ()

    def has_parts(self, text: str) -> bool:
        """Return False, since a value sent as text is neither a list nor an object."""
        return False


@dataclass(frozen=True, slots=True)
class JsonTextCodec(_TextCodec):
    """A value as JSON text; text that is not JSON represents itself."""

    def decode(self, value: Any, how: DecodingState = QUIET) -> Any:
        """Parse *value* as JSON text; other values are unchanged."""
        if not isinstance(value, str):
            return value
        try:
            return read_digits(value)[0]
        except BadJson:
            return value

    def encode(self, value: Any) -> Any:
        """Write *value* as JSON text."""
        return write_json(value)


_INTEGER = re.compile(r"-?[0-9]+")


@dataclass(frozen=True, slots=True)
class IntegerTextCodec(_TextCodec):
    """A codec between integers and texts of decimal digits."""

    def decode(self, value: Any, how: DecodingState = QUIET) -> Any:
        """Convert decimal digits to an integer; other values are unchanged."""
        if isinstance(value, str) and _INTEGER.fullmatch(value) and len(value) <= MAX_DIGITS:
            return int(value)
        return value

    def encode(self, value: Any) -> Any:
        """Write an integer as decimal digits."""
        return str(value)


@dataclass(frozen=True, slots=True)
class ConstantTextCodec(_TextCodec):
    """A codec between constants and texts that represent them.

    #: constants: the constants by their texts
    """

    constants: tuple[tuple[str, Const], ...]

    def decode(self, value: Any, how: DecodingState = QUIET) -> Any:
        """Convert a text to its constant; other values are unchanged."""
        for word, held in self.constants:
            if type(value) is str and value == word:
                return held.thaw()
        return value

    def encode(self, value: Any) -> Any:
        """Convert a constant to its text; other values are unchanged."""
        try:
            found = to_const(value)
        except TypesigError:
            return value
        return next((word for word, held in self.constants if held == found), value)
