"""Texts of common host classes to objects: what is written in the usual form is parsed at once.

A parser takes a part of the texts that the format of its class takes, and makes what the decoder of
that class makes; it raises `ValueError` for all others, which the check and the decoder read.

A list of texts is compared with their form as one text, its digits as zeros, and then parsed by
functions in C.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from operator import mul
from typing import Any, NamedTuple

from typesig import json_backends
from typesig.algebra import nodes
from typesig.algebra.rows.constraints import Constraint
from typesig.extraction.python_types.leaves import get_leaf

#: Makes an object of a text, or raises `ValueError`.
Parse = Callable[[str], Any]

_CLOCK = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?"
_OFFSET = r"(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
_DURATION = r"P(?:([0-9]{1,8})D)?(?:T(?:([0-9]{1,8})H)?(?:([0-9]{1,8})M)?(?:([0-9]{1,8})S)?)?"
_DECIMAL = r"[+-]?[0-9]{1,40}(?:\.[0-9]{1,40})?"
_MOST_CHARACTERS = 40


class Parser(NamedTuple):
    """Parser of texts of one class.

    #: parse: makes an object of a text
    #: parse_list: makes objects of a list of texts in the usual form, or raises `ValueError`
    """

    parse: Parse
    parse_list: ParseList | None = None


#: Makes objects of a list of texts.
ParseList = Callable[[list[Any]], list[Any]]

#: Digits, and hexadecimal ones, as zeros.
_DIGITS = bytes(ord("0") if code in b"0123456789" else code for code in range(256))
_HEX_DIGITS = bytes(ord("0") if code in b"0123456789abcdefABCDEF" else code for code in range(256))


def _join(texts: list[Any]) -> bytes:
    """Return *texts*, which are of no subclass, each behind the end of a line."""
    if {*map(type, texts)} != {str}:
        raise ValueError
    return "\n".join(["", *texts]).encode()


def _make_list_parser(
    form: str, digits: bytes, parse_all: ParseList, refused: bytes = b" "
) -> ParseList:
    """Make the parser of texts whose characters are those of *form*, but for digits.

    *refused* is a text that not even some texts of that form have in them.
    """
    line = b"\n" + form.encode()

    def parse_list(texts: list[Any]) -> list[Any]:
        lines = _join(texts)
        if lines.translate(digits) != line * len(texts) or refused in lines:
            raise ValueError
        return parse_all(texts)

    return parse_list


def _map(parse: Parse) -> ParseList:
    """Return the function that parses each of a list of texts."""
    return lambda texts: [*map(parse, texts)]


@cache
def make_plain_moment_parser() -> Parser:
    """Make the parser of a date and time with an offset to its plain text."""
    parse, parse_list = make_moment_parser()

    def rewrite(text: str) -> str:
        made = parse(text)
        # Seconds in UTC are written as they are read.
        return text if len(text) == 20 and text[19] == "Z" else format_moment(made)

    return Parser(rewrite, _make_list_test(parse_list))


def _make_list_test(parse_list: ParseList | None) -> ParseList | None:
    """Make the function that returns a list of texts that *parse_list* parses."""
    if parse_list is None:
        return None

    def run(texts: list[Any]) -> list[Any]:
        parse_list(texts)
        return [*texts]

    return run


@cache
def make_moment_parser() -> Parser:
    """Make the parser of a date and time with an offset."""
    from datetime import datetime

    is_moment = re.compile(f"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T{_CLOCK}{_OFFSET}").fullmatch
    read = datetime.fromisoformat

    def parse(text: str) -> Any:
        # Most are written with seconds, in UTC; some versions of Python read an hour 24.
        is_usual = len(text) == 20 and text[4::3] == "--T::Z" and text[11:13] != "24"
        if not is_usual and (len(text) > _MOST_CHARACTERS or is_moment(text) is None):
            raise ValueError
        return read(text)

    form = "0000-00-00T00:00:00Z"
    return Parser(parse, _make_list_parser(form, _DIGITS, _map(read), b"T24"))


def format_moment(value: Any) -> str:
    """Return the date and time *value* as plain text."""
    text: str = value.isoformat()
    return f"{text[:-6]}Z" if text.endswith("+00:00") else text


def _make_date(cls: Any) -> Parser:
    read = cls.fromisoformat

    def parse(text: str) -> Any:
        # Weeks and dates without hyphens have no hyphen there.
        if len(text) != 10 or text[4::3] != "--":
            raise ValueError
        return read(text)

    return Parser(parse, _make_list_parser("0000-00-00", _DIGITS, _map(read)))


def _make_time(cls: Any) -> Parser:
    is_time, read = re.compile(f"{_CLOCK}{_OFFSET}?").fullmatch, cls.fromisoformat

    def parse(text: str) -> Any:
        is_usual = len(text) == 8 and text[2::3] == "::" and text[:2] != "24"
        if not is_usual and is_time(text) is None:
            raise ValueError
        return read(text)

    return Parser(parse, _make_list_parser("00:00:00", _DIGITS, _map(read), b"\n24"))


#: The seconds of the units of durations.
_UNITS = {"D": 86_400, "H": 3_600, "M": 60, "S": 1}


def _list_forms() -> set[bytes]:
    """Return the forms of durations, with one digit of each number."""
    forms = set()
    for chosen in range(1, 16):
        units = [unit for place, unit in enumerate(_UNITS) if chosen >> place & 1]
        clock = "".join([f"0{unit}" for unit in units if unit != "D"])
        forms.add(f"P{'0D' if units[0] == 'D' else ''}{'T' if clock else ''}{clock}".encode())
    return forms


def _make_duration(cls: Any) -> Parser:
    find, forms = re.compile(_DURATION).fullmatch, _list_forms()
    # Most have one unit of time, or hours and another one.
    shorter = {f"{n}{unit}": cls(0, n * _UNITS[unit]) for unit in "MS" for n in range(60)}
    hours = {f"PT{n}": cls(0, n * 3_600) for n in range(25)}
    known = {f"{text}H": made for text, made in hours.items()}
    known.update({f"PT{text}": made for text, made in shorter.items()})

    def parse(text: str) -> Any:
        made = known.get(text)
        if made is not None:
            return made
        hour, _, rest = text.partition("H")
        first, last = hours.get(hour), shorter.get(rest)
        if first is not None and last is not None:
            return first + last
        found = find(text)
        if found is None or text[-1] in "PT":
            raise ValueError
        days, *parts = [int(digits or 0) for digits in found.groups()]
        return cls(days, sum(map(mul, parts, (3_600, 60, 1))))

    def parse_list(texts: list[Any]) -> list[Any]:
        if not json_backends.converts_texts() and {*map(type, texts)} == {str}:
            return [*map(parse, texts)]
        shown = _join(texts).translate(_DIGITS)
        for _ in range(3):
            shown = shown.replace(b"00", b"0")
        _, *shapes = shown.split(b"\n")
        if len(shapes) != len(texts) or not forms >= {*shapes}:
            raise ValueError
        made = json_backends.convert_texts(texts, cls)
        return [*map(parse, texts)] if made is None else made

    return Parser(parse, parse_list)


def _make_uuid(cls: Any) -> Parser:
    from uuid import SafeUUID

    read, make, new = bytes.fromhex, int.from_bytes, object.__new__
    # Its constructor takes most of the time to look at other arguments.
    store, store_safety, unknown = cls.int.__set__, cls.is_safe.__set__, SafeUUID.unknown

    def build(digits: bytes) -> Any:
        made = new(cls)
        store(made, make(digits))
        store_safety(made, unknown)
        return made

    def parse(text: str) -> Any:
        if len(text) != 36 or text[8:24:5] != "----":
            raise ValueError
        digits = read(text.replace("-", ""))
        # Blanks are left out.
        if len(digits) != 16:
            raise ValueError
        return build(digits)

    def parse_all(texts: list[Any]) -> list[Any]:
        known = json_backends.convert_texts(texts, cls)
        if known is not None:
            return known
        digits = read("".join(texts).replace("-", ""))
        return [build(digits[at : at + 16]) for at in range(0, len(digits), 16)]

    form = "00000000-0000-0000-0000-000000000000"
    return Parser(parse, _make_list_parser(form, _HEX_DIGITS, parse_all))


def _make_decimal(cls: Any) -> Parser:
    is_decimal = re.compile(_DECIMAL).fullmatch

    def parse(text: str) -> Any:
        if is_decimal(text) is None:
            raise ValueError
        return cls(text)

    return Parser(parse)


def _make_bytes(cls: Any) -> Parser:
    from binascii import a2b_base64

    return Parser(partial(a2b_base64, strict_mode=True))


#: What makes the parser of a class, by the format of its text and the class.
PARSERS: dict[tuple[str, str], Callable[[Any], Parser]] = {
    ("date", "datetime.date"): _make_date,
    ("time", "datetime.time"): _make_time,
    ("duration", "datetime.timedelta"): _make_duration,
    ("uuid", "uuid.UUID"): _make_uuid,
    ("decimal", "decimal.Decimal"): _make_decimal,
    ("base64", "builtins.bytes"): _make_bytes,
}


def find_text_parser(t: nodes.Type, make: Callable[[Any], Any]) -> Parse | None:
    """Return the parser of texts of *t* that *make* decodes; None without one."""
    if t == nodes.DATETIME:
        return make_moment_parser().parse if is_moment_decoder(make) else None
    is_text = isinstance(t, nodes.Refinement) and t.inner == nodes.STRING
    known = find_parser(t.constraints, make) if is_text else None  # type: ignore[union-attr]
    return None if known is None else known.parse


def is_moment_decoder(make: Callable[[Any], Any]) -> bool:
    """Whether *make* decodes the text of a date and time to a `datetime` itself."""
    from datetime import datetime

    return getattr(make, "args", ()) == (datetime,)


def find_parser(constraints: tuple[Constraint, ...], make: Callable[[Any], Any]) -> Parser | None:
    """Return the parser of texts with *constraints* that *make* decodes; None without one."""
    if len(constraints) != 1 or constraints[0].name != "format" or not isinstance(make, partial):
        return None
    cls = make.args[0] if make.args else None
    leaf = get_leaf(cls) if isinstance(cls, type) else None
    if leaf is None or leaf.decode is not make.func:
        return None
    assert cls is not None
    return _make_parser(str(constraints[0].argument.value), cls)


@cache
def find_text_test(constraints: tuple[Constraint, ...]) -> Parser | None:
    """Return the function that returns texts with *constraints* if they can be parsed, or None."""
    if len(constraints) != 1 or constraints[0].name != "format":
        return None
    name = str(constraints[0].argument.value)
    known = [cls_name for format_name, cls_name in PARSERS if format_name == name]
    if not known:
        return None
    module, _, attribute = known[0].rpartition(".")
    found = _make_parser(name, getattr(import_module(module), attribute))
    assert found is not None
    parse, parse_list = found

    def run(text: str) -> str:
        parse(text)
        return text

    return Parser(run, _make_list_test(parse_list))


def is_decimal(constraints: tuple[Constraint, ...]) -> bool:
    """Whether *constraints* are those of the text of a decimal number."""
    return [each.argument.value for each in constraints] == ["decimal"]


@cache
def _make_parser(format_name: str, cls: type) -> Parser | None:
    make = PARSERS.get((format_name, f"{cls.__module__}.{cls.__qualname__}"))
    return None if make is None else make(cls)
