"""Host types that become one scalar, or one refined text.

A row of `LEAVES` has what a hint becomes, how the function gets a value, and how a result is
written.  To add a host type, add its row.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from typesig.algebra.constructors import refined
from typesig.algebra.nodes import ANY, BOOL, DATETIME, FLOAT, INT, KEYWORD, NIL, STRING, Type
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.values import Keyword
from typesig.extraction.hosts import decoders
from typesig.extraction.hosts.decoders import FLOATS, Decode, HostError, float_of


class Leaf(NamedTuple):
    """What a host type becomes.

    #: type: the type
    #: decode: makes the host's own object, given the class of the hint and the value, or the value
    #:     alone if it is `float_of`; None if the value is that object
    #: encode: makes the algebra value of an object; None for a class that only hints name
    #: descend: makes an object of a descendant of the class, where `decode` does not
    """

    type: Type
    decode: Callable[..., Any] | None = None
    encode: Callable[[Any], Any] | None = None
    descend: Callable[..., Any] | None = None


def _text(format: str) -> Type:
    return refined(STRING, [Constraint("format", format)])


def _iso(cls: Any, value: str) -> Any:
    try:
        return cls.fromisoformat(value.replace("z", "Z"))
    except ValueError as error:
        raise HostError(str(error)) from None


def _datetime(cls: Any, value: Any) -> Any:
    return _iso(cls, value) if isinstance(value, str) else value


def _datetime_of(cls: Any, value: Any) -> Any:
    return _iso(cls, value if isinstance(value, str) else value.isoformat())


def _made(cls: Any, value: Any) -> Any:
    try:
        return cls(value)
    except (ValueError, ArithmeticError) as error:
        raise HostError(str(error) or "not a valid value") from None


def _finite(cls: Any, value: Any) -> Any:
    made = _made(cls, value)
    if made - made != 0:
        raise HostError(f"{cls.__name__} has no number so large")
    return made


def _path(cls: Any, value: str) -> Any:
    from pathlib import Path

    return Path(value)


def _regex(cls: Any, value: str) -> Any:
    try:
        # Pattern[bytes] finds bytes.
        return re.compile(value.encode() if getattr(cls, "__args__", ()) == (bytes,) else value)
    except (re.error, OverflowError, RecursionError) as error:
        raise HostError(f"not a regular expression: {error}") from None


def _zone(cls: Any, value: str) -> Any:
    try:
        return cls(value)
    except (LookupError, ValueError, OSError):
        raise HostError("there is no such time zone") from None


def _bytes(cls: Any, value: str) -> Any:
    import base64
    import binascii

    try:
        return cls(base64.b64decode(value, validate=True))
    except binascii.Error as error:
        raise HostError(str(error)) from None


#: Compiled when the first duration is read.
_DURATION = r"(-?)P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,6})\d*)?S)?)?"


def _timedelta(cls: Any, value: str) -> Any:
    found = re.fullmatch(_DURATION, value)
    if found is None:
        raise HostError("years and months have no fixed length; write weeks, days and below")
    sign, weeks, days, hours, minutes, seconds, fraction = found.groups()
    try:
        span = cls(
            weeks=int(weeks or 0),
            days=int(days or 0),
            hours=int(hours or 0),
            minutes=int(minutes or 0),
            seconds=int(seconds or 0),
            microseconds=int((fraction or "").ljust(6, "0")),
        )
    except OverflowError:
        raise HostError("the duration is too long") from None
    return -span if sign else span


def duration_text(span: Any) -> str:
    """Return a timedelta as an ISO 8601 duration.

    >>> from datetime import timedelta
    >>> duration_text(timedelta(days=1, hours=2, seconds=3.5))
    'P1DT2H3.5S'
    """
    if span.days < 0:
        return "-" + duration_text(-span)
    minutes, seconds = divmod(span.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    fraction = f".{span.microseconds:06d}".rstrip("0") if span.microseconds else ""
    time = f"{hours}H" if hours else ""
    time += f"{minutes}M" if minutes else ""
    time += f"{seconds}{fraction}S" if seconds or fraction else ""
    day = f"{span.days}D" if span.days else ""
    return f"P{day}{'T' if time else ''}{time}" if day or time else "PT0S"


_PATHS = ("Path", "PosixPath", "PurePath", "PurePosixPath", "PureWindowsPath", "WindowsPath")

_NUMPY_INTS = (
    "int8", "int16", "int32", "int64", "intc", "longlong",
    "uint8", "uint16", "uint32", "uint64", "uintc", "ulonglong",
)  # fmt: skip
_NUMPY_FLOATS = ("float16", "float32", "float64", "longdouble")


def _scalar(cls: Any, value: Any) -> Any:
    """Return the integer of numpy that is *value*; one that cannot hold it is refused."""
    try:
        made = cls(value)
    except (ValueError, OverflowError) as error:
        raise HostError(str(error) or "not a valid value") from None
    if int(made) != value:
        raise HostError(f"{cls.__name__} cannot hold {value}")
    return made


def _raw(cls: Any, value: Any) -> Any:
    """Return the JSON text of *value*, which msgspec leaves undecoded."""
    from typesig.validation.rows.plain import dumped

    return cls(dumped(value))


def _value_of_raw(raw: Any) -> Any:
    import json

    try:
        return json.loads(bytes(raw))
    except ValueError as error:
        raise HostError(f"not JSON: {error}") from None


def base64_of(value: Any) -> str:
    """Return the text of bytes in JSON."""
    import base64

    return base64.b64encode(bytes(value)).decode("ascii")


def _complex(value: complex) -> str:
    if value - value != 0:
        raise HostError(f"JSON has no form for {value}")
    return str(value).strip("()")


def _pattern(value: Any) -> str:
    return value.pattern.decode() if isinstance(value.pattern, bytes) else str(value.pattern)


def _own(value: Any) -> Any:
    return value


def _isoformat(value: Any) -> str:
    return str(value.isoformat())


#: By the module and the name of the class, so that no module is imported.
LEAVES: dict[tuple[str, str], Leaf] = {
    ("builtins", "str"): Leaf(STRING, None, str.__str__, _made),
    ("builtins", "int"): Leaf(INT, None, int, _made),
    ("builtins", "float"): Leaf(FLOAT, float_of, float, _made),
    ("builtins", "bool"): Leaf(BOOL, None, bool),
    ("builtins", "NoneType"): Leaf(NIL),
    ("builtins", "object"): Leaf(ANY),
    ("builtins", "bytes"): Leaf(_text("base64"), _bytes, base64_of),
    ("builtins", "bytearray"): Leaf(_text("base64"), _bytes, base64_of),
    ("builtins", "memoryview"): Leaf(_text("base64"), _bytes, base64_of),
    ("builtins", "complex"): Leaf(_text("complex"), _finite, _complex),
    ("builtins", "module"): Leaf(KEYWORD, None, lambda value: Keyword(value.__name__), _made),
    ("os", "PathLike"): Leaf(STRING, _path),
    ("re", "Pattern"): Leaf(_text("regex"), _regex, _pattern),
    ("typing", "SupportsIndex"): Leaf(INT),
    ("typing", "SupportsInt"): Leaf(INT),
    ("typing", "SupportsFloat"): Leaf(FLOAT, float_of),
    ("ipaddress", "IPv4Address"): Leaf(_text("ipv4"), _made, str),
    ("ipaddress", "IPv6Address"): Leaf(_text("ipv6"), _made, str),
    ("ipaddress", "IPv4Network"): Leaf(_text("ipv4-network"), _made, str),
    ("ipaddress", "IPv4Interface"): Leaf(_text("ipv4-network"), _made, str),
    ("ipaddress", "IPv6Network"): Leaf(_text("ipv6-network"), _made, str),
    ("ipaddress", "IPv6Interface"): Leaf(_text("ipv6-network"), _made, str),
    ("zoneinfo", "ZoneInfo"): Leaf(STRING, _zone, str),
    ("typesig.algebra.rows.values", "Keyword"): Leaf(KEYWORD, None, _own, _made),
    ("decimal", "Decimal"): Leaf(_text("decimal"), _made, str),
    ("fractions", "Fraction"): Leaf(_text("fraction"), _made, str),
    ("msgspec", "Raw"): Leaf(ANY, _raw, _value_of_raw),
    ("uuid", "UUID"): Leaf(_text("uuid"), _made, str),
    ("datetime", "datetime"): Leaf(DATETIME, _datetime, _own, _datetime_of),
    ("datetime", "date"): Leaf(_text("date"), _iso, _isoformat),
    ("datetime", "time"): Leaf(_text("time"), _iso, _isoformat),
    ("datetime", "timedelta"): Leaf(_text("duration"), _timedelta, duration_text),
    **{("numpy", name): Leaf(INT, _scalar, int) for name in _NUMPY_INTS},
    **{("numpy", name): Leaf(FLOAT, _made, float) for name in _NUMPY_FLOATS},
    **{("numpy", name): Leaf(BOOL, _made, bool) for name in ("bool", "bool_")},
    ("numpy", "str_"): Leaf(STRING, _made, str),
    ("numpy", "datetime64"): Leaf(STRING, _made, str),
    # From Python 3.13 on, pathlib is a package.
    **{
        (home, name): Leaf(STRING, _made, str)
        for home in ("pathlib", "pathlib._local")
        for name in _PATHS
    },
}

#: What writes the objects of a class, by its name and the package that it is of.
ENCODERS: dict[str, dict[str, Callable[[Any], Any]]] = {}
for (_home, _name), _leaf in LEAVES.items():
    if _leaf.encode is not None:
        ENCODERS.setdefault(_name, {})[_home.partition(".")[0]] = _leaf.encode


def leaf_of(cls: type) -> Leaf | None:
    """Return the row of *cls*, or None."""
    return LEAVES.get((cls.__module__, cls.__qualname__))


def decoder_of_leaf(leaf: Leaf, cls: type) -> Decode:
    """Return how the function gets a value of *cls*."""
    return _plan(leaf.decode, cls, True)


def _plan(make: Callable[..., Any] | None, cls: Any, is_pure: bool) -> Decode:
    if make is None or make is float_of:
        # Generated code knows the plan of floats, which are of one class.
        return make and FLOATS
    return decoders.Leaf(partial(make, cls), is_pure)


def leaf_above(hint: Any) -> Leaf | None:
    """Return the row of the nearest ancestor of the class *hint* that is a leaf, or None."""
    cls = hint if isinstance(hint, type) else getattr(hint, "__origin__", None)
    if not isinstance(cls, type):
        return None
    found = (leaf_of(ancestor) for ancestor in cls.__mro__[:-1])
    return next((leaf for leaf in found if leaf is not None), None)


def decoder_of_descendant(leaf: Leaf, cls: Any) -> Decode:
    """Return how the function gets a value of *cls*, a descendant of the class of *leaf*."""
    if not isinstance(cls, type) or cls.__module__ == "typing":
        return decoder_of_leaf(leaf, cls)
    return _plan(leaf.descend or leaf.decode, cls, False)
