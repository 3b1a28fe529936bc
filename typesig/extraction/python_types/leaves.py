"""Python types that become one scalar, one refined text, or an enum."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, NamedTuple

from typesig.algebra.constructors import make_refined
from typesig.algebra.nodes import ANY, BOOL, DATETIME, FLOAT, INT, KEYWORD, NIL, STRING, Type
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.values import Const, Keyword, to_const
from typesig.errors import TypesigError
from typesig.extraction.python_types import decoders
from typesig.extraction.python_types.decoders import FLOATS, Decode, HostError, to_float

# --- Host types that become one scalar, or one refined text ---
# A row of `LEAVES` has what a hint becomes, how the function gets a value, and how a result is
# written.  To add a host type, add its row.


class HostLeaf(NamedTuple):
    """The type, decoder and encoder of a scalar host class, such as `date` or `UUID`.

    #: type: the type
    #: decode: makes the host's own object, given the class of the hint and the value, or the value
    #:     alone if it is `to_float`; None if the value is that object
    #: encode: makes the algebra value of an object; None for a class that only hints name
    #: descend: makes an object of a descendant of the class, where `decode` does not
    """

    type: Type
    decode: Callable[..., Any] | None = None
    encode: Callable[[Any], Any] | None = None
    descend: Callable[..., Any] | None = None


def _make_text_type(format: str) -> Type:
    """Make the type of a string in *format*, such as "date" or "uuid"."""
    return make_refined(STRING, [Constraint("format", format)])


def _parse_iso(cls: Any, value: str) -> Any:
    """Parse the ISO 8601 text *value* as a *cls* of `datetime`."""
    try:
        return cls.fromisoformat(value.replace("z", "Z"))
    except ValueError as error:
        raise HostError(str(error)) from None


def _parse_datetime(cls: Any, value: Any) -> Any:
    """Parse *value* as a *cls* if it is ISO 8601 text; return others unchanged."""
    return _parse_iso(cls, value) if isinstance(value, str) else value


def _convert_datetime(cls: Any, value: Any) -> Any:
    """Convert *value*, a datetime or its ISO 8601 text, to the datetime class *cls*."""
    return _parse_iso(cls, value if isinstance(value, str) else value.isoformat())


def _build_value(cls: Any, value: Any) -> Any:
    """Call *cls* with *value*; raise `HostError` if *cls* refuses it."""
    try:
        return cls(value)
    except (ValueError, ArithmeticError) as error:
        raise HostError(str(error) or "not a valid value") from None


def _build_finite(cls: Any, value: Any) -> Any:
    """Build the number *value* as a *cls*; raise `HostError` if it overflows."""
    made = _build_value(cls, value)
    if made - made != 0:
        raise HostError(f"{cls.__name__} has no number so large")
    return made


def _build_path(cls: Any, value: str) -> Any:
    """Build a `pathlib.Path` from the text *value*; *cls* is ignored."""
    from pathlib import Path

    return Path(value)


def _compile_regex(cls: Any, value: str) -> Any:
    """Compile the regular expression *value*, for bytes if *cls* is `Pattern[bytes]`."""
    try:
        # Pattern[bytes] finds bytes.
        return re.compile(value.encode() if getattr(cls, "__args__", ()) == (bytes,) else value)
    except (re.error, OverflowError, RecursionError) as error:
        raise HostError(f"not a regular expression: {error}") from None


def _find_zone(cls: Any, value: str) -> Any:
    """Build the time zone named *value* as a *cls*; raise `HostError` if unknown."""
    try:
        return cls(value)
    except (LookupError, ValueError, OSError):
        raise HostError("there is no such time zone") from None


def _decode_bytes(cls: Any, value: str) -> Any:
    """Decode the base64 text *value* to the bytes class *cls*."""
    import base64
    import binascii

    try:
        return cls(base64.b64decode(value, validate=True))
    except binascii.Error as error:
        raise HostError(str(error)) from None


#: Compiled when the first duration is read.
_DURATION = r"(-?)P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,6})\d*)?S)?)?"


def _parse_duration(cls: Any, value: str) -> Any:
    """Parse the ISO 8601 duration *value*, of weeks to seconds, as a *cls*."""
    found = re.fullmatch(_DURATION, value)
    if found is None:
        raise HostError("years and months have no fixed length; write weeks, days and below")
    sign, *numbers, fraction = found.groups()
    units = ("weeks", "days", "hours", "minutes", "seconds")
    parts = {unit: int(number or 0) for unit, number in zip(units, numbers, strict=True)}
    try:
        span = cls(**parts, microseconds=int((fraction or "").ljust(6, "0")))
    except OverflowError:
        raise HostError("the duration is too long") from None
    return -span if sign else span


def format_duration(span: Any) -> str:
    """Return a timedelta as an ISO 8601 duration.

    >>> from datetime import timedelta
    >>> format_duration(timedelta(days=1, hours=2, seconds=3.5))
    'P1DT2H3.5S'
    """
    if span.days < 0:
        return "-" + format_duration(-span)
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


def _build_numpy_integer(cls: Any, value: Any) -> Any:
    """Convert *value* to a numpy integer; raise `HostError` if it does not fit."""
    made = _build_value(cls, value)
    if int(made) != value:
        raise HostError(f"{cls.__name__} cannot hold {value}")
    return made


def _write_raw(cls: Any, value: Any) -> Any:
    """Return *value* as JSON text in a msgspec `Raw`."""
    from typesig.validation.plain_data import write_sort_text

    return cls(write_sort_text(value))


def _read_raw(raw: Any) -> Any:
    """Parse the JSON text in *raw*, a `msgspec.Raw`."""
    import json

    try:
        return json.loads(bytes(raw))
    except ValueError as error:
        raise HostError(f"not JSON: {error}") from None


def to_base64(value: Any) -> str:
    """Encode bytes as base64 text."""
    import base64

    return base64.b64encode(bytes(value)).decode("ascii")


def _format_complex(value: complex) -> str:
    """Write the complex number *value*, which must be finite, without parentheses."""
    if value - value != 0:
        raise HostError(f"JSON has no form for {value}")
    return str(value).strip("()")


def _get_pattern_text(value: Any) -> str:
    """Return the text of *value*, a compiled pattern of strings or bytes."""
    return value.pattern.decode() if isinstance(value.pattern, bytes) else str(value.pattern)


def _format_iso(value: Any) -> str:
    """Write the date, time or datetime *value* in ISO 8601."""
    return str(value.isoformat())


#: By the module and the name of the class, so that no module is imported.
LEAVES: dict[tuple[str, str], HostLeaf] = {
    ("builtins", "str"): HostLeaf(STRING, None, str.__str__, _build_value),
    ("builtins", "int"): HostLeaf(INT, None, int, _build_value),
    ("builtins", "float"): HostLeaf(FLOAT, to_float, float, _build_value),
    ("builtins", "bool"): HostLeaf(BOOL, None, bool),
    ("builtins", "NoneType"): HostLeaf(NIL),
    ("builtins", "object"): HostLeaf(ANY),
    ("builtins", "bytes"): HostLeaf(_make_text_type("base64"), _decode_bytes, to_base64),
    ("builtins", "bytearray"): HostLeaf(_make_text_type("base64"), _decode_bytes, to_base64),
    ("builtins", "memoryview"): HostLeaf(_make_text_type("base64"), _decode_bytes, to_base64),
    ("builtins", "complex"): HostLeaf(_make_text_type("complex"), _build_finite, _format_complex),
    ("builtins", "module"): HostLeaf(
        KEYWORD, None, lambda value: Keyword(value.__name__), _build_value
    ),
    ("os", "PathLike"): HostLeaf(STRING, _build_path),
    ("re", "Pattern"): HostLeaf(_make_text_type("regex"), _compile_regex, _get_pattern_text),
    ("typing", "SupportsIndex"): HostLeaf(INT),
    ("typing", "SupportsInt"): HostLeaf(INT),
    ("typing", "SupportsFloat"): HostLeaf(FLOAT, to_float),
    ("ipaddress", "IPv4Address"): HostLeaf(_make_text_type("ipv4"), _build_value, str),
    ("ipaddress", "IPv6Address"): HostLeaf(_make_text_type("ipv6"), _build_value, str),
    ("ipaddress", "IPv4Network"): HostLeaf(_make_text_type("ipv4-network"), _build_value, str),
    ("ipaddress", "IPv4Interface"): HostLeaf(_make_text_type("ipv4-network"), _build_value, str),
    ("ipaddress", "IPv6Network"): HostLeaf(_make_text_type("ipv6-network"), _build_value, str),
    ("ipaddress", "IPv6Interface"): HostLeaf(_make_text_type("ipv6-network"), _build_value, str),
    ("zoneinfo", "ZoneInfo"): HostLeaf(STRING, _find_zone, str),
    ("typesig.algebra.rows.values", "Keyword"): HostLeaf(
        KEYWORD, None, lambda value: value, _build_value
    ),
    ("decimal", "Decimal"): HostLeaf(_make_text_type("decimal"), _build_value, str),
    ("fractions", "Fraction"): HostLeaf(_make_text_type("fraction"), _build_value, str),
    ("msgspec", "Raw"): HostLeaf(ANY, _write_raw, _read_raw),
    ("uuid", "UUID"): HostLeaf(_make_text_type("uuid"), _build_value, str),
    ("datetime", "datetime"): HostLeaf(
        DATETIME, _parse_datetime, lambda value: value, _convert_datetime
    ),
    ("datetime", "date"): HostLeaf(_make_text_type("date"), _parse_iso, _format_iso),
    ("datetime", "time"): HostLeaf(_make_text_type("time"), _parse_iso, _format_iso),
    ("datetime", "timedelta"): HostLeaf(
        _make_text_type("duration"), _parse_duration, format_duration
    ),
    **{("numpy", name): HostLeaf(INT, _build_numpy_integer, int) for name in _NUMPY_INTS},
    **{("numpy", name): HostLeaf(FLOAT, _build_value, float) for name in _NUMPY_FLOATS},
    **{("numpy", name): HostLeaf(BOOL, _build_value, bool) for name in ("bool", "bool_")},
    ("numpy", "str_"): HostLeaf(STRING, _build_value, str),
    ("numpy", "datetime64"): HostLeaf(STRING, _build_value, str),
    # From Python 3.13 on, pathlib is a package.
    **{
        (home, name): HostLeaf(STRING, _build_value, str)
        for home in ("pathlib", "pathlib._local")
        for name in _PATHS
    },
}

#: What writes the objects of a class, by its name and the package that it is of.
ENCODERS: dict[str, dict[str, Callable[[Any], Any]]] = {}
for (_home, _name), _leaf in LEAVES.items():
    if _leaf.encode is not None:
        ENCODERS.setdefault(_name, {})[_home.partition(".")[0]] = _leaf.encode


def get_leaf(cls: type) -> HostLeaf | None:
    """Return the type, decoder and encoder listed for exactly the class *cls*, or None."""
    return LEAVES.get((cls.__module__, cls.__qualname__))


def make_leaf_decoder(leaf: HostLeaf, cls: type) -> Decode:
    """Return the decode plan for values of *cls*."""
    return _make_plan(leaf.decode, cls, True)


def _make_plan(make: Callable[..., Any] | None, cls: Any, is_pure: bool) -> Decode:
    """Make a decode plan that calls *make* with *cls* and a value; None without *make*."""
    if make is None or make is to_float:
        # Generated code knows the plan of floats, which are of one class.
        return make and FLOATS
    return decoders.LeafDecoder(partial(make, cls), is_pure)


def find_leaf(hint: Any) -> HostLeaf | None:
    """Return the entry in the table of host classes for *hint* or a base class, or None."""
    cls = hint if isinstance(hint, type) else getattr(hint, "__origin__", None)
    if not isinstance(cls, type):
        return None
    found = (get_leaf(ancestor) for ancestor in cls.__mro__[:-1])
    return next((leaf for leaf in found if leaf is not None), None)


def make_descendant_decoder(leaf: HostLeaf, cls: Any) -> Decode:
    """Return the decode plan for *cls*, a subclass of the class of *leaf*."""
    if not isinstance(cls, type) or cls.__module__ == "typing":
        return make_leaf_decoder(leaf, cls)
    return _make_plan(leaf.descend or leaf.decode, cls, False)


# --- Enum classes and their members, known without importing enum ---


def is_enum(cls: Any) -> bool:
    """Whether *cls* is an enum class."""
    return isinstance(cls, type) and type(cls).__name__ in ("EnumMeta", "EnumType")


def is_flag(cls: Any) -> bool:
    """Whether the enum class *cls* is a flag."""
    return any(base.__name__ == "Flag" and base.__module__ == "enum" for base in cls.__mro__)


def get_member_constant(member: Any) -> Const:
    """Return the constant for an enum's *member*.

    It is the member's value, or its name if not every member has a constant value of its own.
    """
    cls: Any = type(member)
    # aenum can add members to a class later.
    own = _have_own_values(cls, len(cls.__members__))
    return to_const(member.value if own else member.name)


@lru_cache(maxsize=256)
def _have_own_values(cls: Any, _count: int) -> bool:
    """Whether each member of the enum class *cls* has a distinct constant value.

    Known for each class, since every member of a class asks for it.
    """
    try:
        values = [to_const(member.value) for member in cls]
    except TypesigError:
        return False
    return len(set(values)) == len(values)


def is_listed(member: Any) -> bool:
    """Whether the enum's *member* is declared in its class, not a combination of flags."""
    return type(member).__members__.get(member.name) is member
