"""Numbers in the text of a schema that no float is: what became of them is told as losses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

from typesig.algebra.loss import Loss, LossKind
from typesig.errors import Unsupported, short

#: The number of digits that each float keeps, whatever its exponent is.
_KEPT = 15

#: The keywords that bound numbers: whether values above the bound are refused.
_BOUNDS = {"maximum": True, "exclusiveMaximum": True, "minimum": False, "exclusiveMinimum": False}

#: The keywords that constrain values in another way.
_VALUES = frozenset({"const", "enum", "multipleOf"})


class _Digits(str):
    """The digits of a number that is another number as a float."""

    __slots__ = ()


def is_rounded(digits: str) -> bool:
    """Return whether the float of the number *digits* is another number.

    >>> is_rounded("1.10"), is_rounded("12345678901234567.89")
    (False, True)
    """
    if len(digits) <= _KEPT and "e" not in digits and "E" not in digits:
        return False
    number = float(digits)
    # JSON has no infinity, which is refused where it stands.
    return number - number == 0 and _decimal(digits) != Decimal(repr(number))


def _decimal(digits: str) -> Decimal:
    try:
        return Decimal(digits)
    except InvalidOperation:
        # Its exponent is too long: of a finite float, it is nearer to zero than any other.
        mantissa = digits.lower().partition("e")[0]
        nearest = Decimal("1e-9999") if mantissa.strip("-0.") else Decimal(0)
        return -nearest if digits.startswith("-") else nearest


def rounding_losses(text: str | bytes, lossy: bool) -> list[Loss]:
    """Return a loss for each number in the JSON *text* of a schema that a float does not keep.

    Raises `Unsupported` unless *lossy* for one that constrains values.
    """
    read = json.loads(text, parse_float=lambda digits: _Digits(digits) if is_rounded(digits) else 0)
    return [_loss(path, digits, lossy) for path, digits in _numbers(read)]


def _numbers(data: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    pending: list[tuple[tuple[str, ...], Any]] = [((), data)]
    while pending:
        path, part = pending.pop()
        if type(part) is _Digits:
            yield path, part
        elif isinstance(part, dict):
            pending += [((*path, key), item) for key, item in part.items()]
        elif isinstance(part, list):
            pending += [((*path, str(place)), item) for place, item in enumerate(part)]


def _loss(path: tuple[str, ...], digits: str, lossy: bool) -> Loss:
    number = float(digits)
    word = next((step for step in reversed(path) if not step.isdigit()), "")
    what, why = f"the number {short(digits)}", "a float has fewer digits"
    kind: LossKind = "omitted"
    if word in _BOUNDS:
        is_above = Decimal(repr(number)) > _decimal(digits)
        kind = "widened" if is_above == _BOUNDS[word] else "narrowed"
    elif not _VALUES.isdisjoint(path):
        kind = "narrowed"
    if kind != "omitted" and not lossy:
        where = "".join(f"/{s.replace('~', '~0').replace('/', '~1')}" for s in path)
        message = f"{where}: {what}: {why}; write {number!r}"
        raise Unsupported(message, path[:-1], path[-1], why)
    return Loss(kind, path, what, why, repr(number))
