"""JSON libraries in C, used if the program has loaded one and its texts equal those of `json`.

Nothing is imported for it, and nothing changes but the time.  A text is written by such a library
only if `json` would write the same one.  It is read by it only if the data that was read is written
as the same text again, blanks aside, or where its type tells that each key and digit is kept: a
text with twin keys, or with a number whose digits would be lost, is left to the careful way, as is
all that a library does not take.

To add a library, write a row of `LIBRARIES`; a law compares each with the careful way.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from typesig.limits import MAX_DIGITS

#: Stands for the data of a text that is not read.
UNREAD = object()


class Codec(NamedTuple):
    """JSON reader and writer of a library, such as msgspec.

    #: loads: makes data of a text; dumps: makes bytes of data; either may raise anything
    #: keeps_numbers: whether integers are read with all digits, and floats as `json` reads them
    #: leaves: the classes, by module and name, whose objects are written as typesig writes them, of
    #:     datetimes those in UTC, of times those without a zone
    #: convert: makes objects of a class of a list of their texts, as typesig does for `UUID` and
    #:     `timedelta` in the usual form
    """

    loads: Callable[[str], Any]
    dumps: Callable[[Any], bytes]
    keeps_numbers: bool = False
    leaves: frozenset[tuple[str, str]] = frozenset()
    convert: Callable[[list[str], type], list[Any]] | None = None

    def write(self, data: Any) -> str | None:
        """Write *data* as compact JSON; None if `json` might write another text."""
        try:
            made = self.dumps(data)
            return None if _EXPONENT(made) or _SMALL(made) else made.decode()
        except Exception:
            return None

    def read(self, text: str) -> Any:
        """Read *text*; return `UNREAD` if a key or digit might be lost."""
        if "\\u" in text:
            # It is written again without that escape.
            return UNREAD
        try:
            data = self.loads(text)
            made, sent = self.dumps(data), text.encode()
        except Exception:
            return UNREAD
        is_same = made == sent or made.translate(None, _BLANKS) == sent.translate(None, _BLANKS)
        return data if is_same and not (is_odd(made) or _may_be_long(made)) else UNREAD


def _may_be_long(made: bytes) -> bool:
    """Whether *made* may contain an integer of more than `MAX_DIGITS` digits."""
    # Such an integer has two of these in a row.
    return b"00" in made[:: MAX_DIGITS // 2].translate(_ZEROS) and _LONG in made.translate(_ZEROS)


_BLANKS = b" \t\n\r"
#: An expression that begins with one character is searched for in a tenth of the time.
_EXPONENT = re.compile(rb"e(?<=[0-9]e)[0-9-]").search
_SMALL = re.compile(rb"0\.0000(?<![0-9]0\.0000)").search
_LONG = b"0" * (MAX_DIGITS + 1)
_ZEROS = bytes(ord("0") if code in b"0123456789" else code for code in range(256))


def is_odd(made: bytes) -> object:
    """Whether the JSON text *made* may contain a number that `json` writes differently.

    It writes numbers below 0.0001 with an exponent, and exponents with a sign and two digits.
    """
    return _EXPONENT(made) or _SMALL(made)


#: Numbers that are written as Python writes them.
_NUMBERS = "[18446744073709551616, -9223372036854775809, 9007199254740992.0, 1e+23, 5e-324, -0.0]"


def _make_codec(make: Callable[[Any], Codec], module: Any) -> Codec:
    """Build the codec of *module*, and test whether it preserves numbers."""
    codec = make(module)
    try:
        return codec._replace(keeps_numbers=repr(codec.loads(_NUMBERS)) == _NUMBERS)
    except Exception:
        return codec


def _list_classes(*names: str) -> frozenset[tuple[str, str]]:
    """Return classes of the module `datetime`, and `UUID`, by module and name."""
    return frozenset([("uuid" if name == "UUID" else "datetime", name) for name in names])


def _make_msgspec_codec(module: Any) -> Codec:
    """Build the JSON codec from msgspec's JSON *module*."""
    leaves = _list_classes("datetime", "date", "time", "UUID")
    convert = getattr(sys.modules.get("msgspec"), "convert", None)
    return Codec(
        module.Decoder().decode,
        module.Encoder().encode,
        leaves=leaves,
        convert=None if convert is None else lambda texts, cls: convert(texts, list[cls]),  # type: ignore[valid-type]
    )


def _make_orjson_codec(module: Any) -> Codec:
    """Build the JSON codec from the *module* `orjson`."""
    leaves = _list_classes("date", "UUID")
    return Codec(module.loads, module.dumps, leaves=leaves)


def _make_pydantic_codec(module: Any) -> Codec:
    """Build the JSON codec from the *module* `pydantic_core`."""
    read = partial(module.from_json, allow_inf_nan=False, cache_strings="keys")
    return Codec(read, module.to_json, leaves=_list_classes("date", "time"))


#: What makes a codec of a module by its name; the first one that is loaded is taken.
LIBRARIES: dict[str, Callable[[Any], Codec]] = {
    "msgspec.json": _make_msgspec_codec,
    "orjson": _make_orjson_codec,
    "pydantic_core": _make_pydantic_codec,
}

#: WebAssembly has a small stack, which data inside itself would overflow there.
_IS_SAFE = sys.platform != "emscripten"


#: The codec that was found, which all that follows takes: a library is never unloaded.
_TAKEN: list[Codec] = []


def find_loaded_codec() -> Codec | None:
    """Return the codec of a JSON library that is already imported, or None."""
    if _TAKEN:
        return _TAKEN[0]
    for name, make in LIBRARIES.items():
        module = sys.modules.get(name)
        if module is not None and _IS_SAFE:
            try:
                _TAKEN.append(_make_codec(make, module))
            except AttributeError:
                # It is another module of that name, or is still being imported.
                continue
            return _TAKEN[0]
    return None


def converts_texts() -> bool:
    """Whether a library is loaded that makes objects of texts; see `convert_texts`."""
    codec = find_loaded_codec()
    return codec is not None and codec.convert is not None


def convert_texts(texts: list[str], cls: type) -> list[Any] | None:
    """Return the objects of *cls* that *texts* in the usual form are; None without a library."""
    codec = find_loaded_codec()
    try:
        return None if codec is None or codec.convert is None else codec.convert(texts, cls)
    except Exception:
        return None
