"""Host plans: algebra values to the Python objects that hints promise, and back.

A decoder gets a value that the check has passed.  Encoding goes by the object itself, for what a
function returns is often not what its hint names.  To add a host type, add a row to `LEAVES` in
`leaves` and, where the object is new, one to `leaves.ENCODERS`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from typesig.algebra.values import Const, Keyword, const
from typesig.errors import TypesigError
from typesig.limits import MAX_VALUE_DEPTH

#: An algebra value to a host object; None where they are the same.
Decode = Callable[[Any], Any] | None


class HostError(Exception):
    """A value that a host type does not take; steps grow from the inside out."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.steps: list[str | int] = []
        self.bottom: object = None
        self.loop: list[str | int] | None = None

    def unwound(self, value: object) -> None:
        """Keep one turn of a loop alone, where *value* is what the depth was found too great at."""
        if self.bottom is not None and self.bottom is value:
            self.loop = self.steps if self.loop is None else self.loop
            self.steps = list(self.loop)


def refused(error: Exception) -> HostError:
    """Return *error*, raised by a host type's constructor, as the reason of a refusal."""
    return HostError(str(error).strip().partition("\n")[0][:200] or type(error).__name__)


def at(step: str | int, decode: Callable[[Any], Any], value: Any) -> Any:
    """Return what *decode* makes of *value*, its place kept where it refuses."""
    try:
        return decode(value)
    except HostError as error:
        error.steps.append(step)
        raise


def items(item: Decode, build: Callable[[Any], Any] | None = None) -> Decode:
    """Return the decoder of a collection whose items decode by *item*, made by *build*."""
    if item is None:
        return None if build is None else lambda value: built(build, value)

    def decode(value: Any) -> Any:
        out = [at(index, item, element) for index, element in enumerate(value)]
        return out if build is None else built(build, out)

    return decode


def built(build: Callable[[Any], Any], parts: Any) -> Any:
    """Return what *build* makes of *parts*, a refusal where it cannot."""
    try:
        return build(parts)
    except (TypeError, ValueError) as error:
        raise refused(error) from error


def positions(
    parts: tuple[Decode, ...],
    build: Callable[[Any], Any],
    rest: Decode = None,
    open_at: int | None = None,
) -> Decode:
    """Return the decoder of a tuple by position; *rest* is that of any number at *open_at*."""

    def decode(value: Any) -> Any:
        more = len(value) - len(parts) if isinstance(value, list | tuple) else -1
        if more < 0 or (more and open_at is None):
            raise HostError(
                f"expected a list of {len(parts)}{'' if open_at is None else ' or more'}"
            )
        split = len(parts) if open_at is None else open_at
        each = (*parts[:split], *[rest] * more, *parts[split:])
        return build(
            element if part is None else at(index, part, element)
            for index, (part, element) in enumerate(zip(each, value, strict=True))
        )

    return decode


def mapping(key: Decode, item: Decode, build: Callable[[Any], Any] | None = None) -> Decode:
    """Return the decoder of a map."""
    if key is None and item is None:
        return None if build is None else lambda value: built(build, value)

    def decode(value: Any) -> Any:
        out = {
            (k if key is None else at(str(k), key, k)): (v if item is None else at(str(k), item, v))
            for k, v in value.items()
        }
        return out if build is None else built(build, out)

    return decode


def maybe(inner: Decode) -> Decode:
    """Return the decoder of a type that may be nil."""
    return None if inner is None else lambda value: None if value is None else inner(value)


def either(branches: tuple[tuple[Callable[[Any], bool], Decode], ...]) -> Decode:
    """Return the decoder of a union: the first branch whose type takes the value decodes it."""
    if all(decode is None for _, decode in branches):
        return None

    def decode(value: Any) -> Any:
        reason: HostError | None = None
        for fits, branch in branches:
            if fits(value):
                try:
                    return value if branch is None else branch(value)
                except HostError as error:
                    reason = reason or error
        if reason is not None:
            raise reason
        return value

    return decode


def constants(members: dict[Const, Any]) -> Decode:
    """Return the decoder of an enum: each constant to its member."""
    if all(
        member is known.value and type(member) is not Keyword for known, member in members.items()
    ):
        return None
    return lambda value: members.get(const(value), value)


class FieldPlan:
    """How one field of a record reaches its host.

    #: name: the declared name; attribute: the host's name for it
    #: nil: whether an absent field is given as None
    """

    __slots__ = ("attribute", "decode", "name", "nil")

    def __init__(self, name: str, attribute: str, decode: Decode, nil: bool) -> None:
        self.name = name
        self.attribute = attribute
        self.decode = decode
        self.nil = nil


def named(
    plans: tuple[FieldPlan, ...], build: Callable[..., Any] | None, rest: Decode = None
) -> Decode:
    """Return the decoder of a record; *build* takes the fields by name, None keeps a dict.

    *rest* decodes what undeclared keys hold.
    """
    if build is None and rest is None and not any(plan.decode or plan.nil for plan in plans):
        return None
    declared = frozenset(plan.name for plan in plans)

    def decode(value: Any) -> Any:
        out: dict[str, Any] = {} if build is not None else dict(value)
        for plan in plans:
            if plan.name in value:
                part = value[plan.name]
                made = part if plan.decode is None else at(plan.name, plan.decode, part)
                out[plan.attribute] = made
            elif plan.nil:
                out[plan.attribute] = None
        if rest is not None:
            out.update({k: at(k, rest, v) for k, v in value.items() if k not in declared})
        if build is None:
            return out
        try:
            return build(**out)
        except (TypeError, ValueError) as error:
            raise refused(error) from error

    return decode


def _member(member: Any) -> Any:
    cls: Any = type(member)
    members = list(cls)
    # What the members of a flag add up to has no name of its own.
    summed = isinstance(member.value, int) and member not in members
    return member.value if summed else enum_constant(member).thaw()


def enum_constant(member: Any) -> Const:
    """Return what stands for an enum's member: its value, or its name where values are odd."""
    cls: Any = type(member)
    try:
        values = [const(each.value) for each in cls]
    except TypesigError:
        return const(member.name)
    return const(member.name) if len(set(values)) < len(values) else const(member.value)


def keywords(value: Any) -> Any:
    """Return *value* with the members of enums in its lists and maps as keywords (decision 10)."""
    from typesig.extraction.leaves import is_enum

    if isinstance(value, dict):
        return {key: keywords(item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(keywords(item) for item in value)
    text = enum_constant(value).value if is_enum(type(value)) else None
    return Keyword(text) if isinstance(text, str) else value


def encode(value: Any, depth: int = 0) -> Any:
    """Return the algebra value of a host object: data, keywords, aware datetimes and sets.

    Raises `HostError` with the place of what has no form, of cycles and of endless nesting.

    >>> from pathlib import PurePosixPath
    >>> encode({"where": PurePosixPath("a/b"), "size": (1, 2)})
    {'where': 'a/b', 'size': [1, 2]}
    """
    cls = type(value)
    if cls in _SAME:
        if cls is float and value - value != 0:
            raise HostError(f"JSON has no form for {value}")
        return value
    if depth > MAX_VALUE_DEPTH:
        error = HostError("nested too deep, or inside itself")
        error.bottom = value
        raise error
    kind = _KIND.get(cls)
    try:
        return _host(value, depth) if kind is None else kind(value, depth)
    except HostError as error:
        error.unwound(value)
        raise


_SAME = frozenset({str, int, float, bool, type(None), Keyword})


def _list(value: Any, depth: int) -> list[Any]:
    out = []
    for index, item in enumerate(value):
        try:
            out.append(encode(item, depth + 1))
        except HostError as error:
            error.steps.append(index)
            raise
    return out


def _set(value: Any, depth: int) -> Any:
    out = [_item(encode(item, depth + 1)) for item in value]
    try:
        return set(out)
    except TypeError:
        # Of maps no set can be made: a list then, in an order that does not change.
        return sorted(out, key=_order)


def _order(value: Any) -> str:
    from typesig.validation.plain import dumped

    return dumped(value)


def _item(value: Any) -> Any:
    if type(value) is list:
        return tuple([_item(part) for part in value])
    return frozenset(value) if type(value) is set else value


def _dict(value: Any, depth: int) -> dict[Any, Any]:
    out = {}
    for key, item in value.items():
        try:
            out[encode(key, depth + 1)] = encode(item, depth + 1)
        except HostError as error:
            error.steps.append(str(key))
            raise
        except TypeError:
            raise HostError("a key that JSON has no form for") from None
    return out


_KIND: dict[type, Callable[[Any, int], Any]] = {
    list: _list,
    tuple: _list,
    set: _set,
    frozenset: _set,
    dict: _dict,
}


def _host(value: Any, depth: int) -> Any:
    from typesig.extraction.leaves import ENCODERS, is_enum

    cls = type(value)
    if isinstance(value, type):
        return value.__name__
    if is_enum(cls):
        return _member(value)
    marks = ("__attrs_attrs__", "__pydantic_fields__", "__struct_config__")
    if any(hasattr(cls, mark) for mark in marks):
        from typesig.extraction.classes import fields_of_object

        return encode(fields_of_object(value), depth + 1)
    if hasattr(cls, "__dataclass_fields__"):
        names = [f.name for f in sys.modules["dataclasses"].fields(value)]
        return _dict({name: getattr(value, name) for name in names}, depth)
    if isinstance(value, tuple):
        fields = getattr(cls, "_fields", None)
        return (
            _list(value, depth)
            if fields is None
            else _dict(dict(zip(fields, value, strict=True)), depth)
        )
    for ancestor in cls.__mro__:
        if ancestor in _KIND:
            return _KIND[ancestor](value, depth)
        for host, write in ENCODERS.get(ancestor.__name__, ()):
            if ancestor.__module__.partition(".")[0] in host:
                return write(value)
    return _abstract(value, depth)


def _abstract(value: Any, depth: int) -> Any:
    from collections.abc import Iterator, Mapping, MappingView, Sequence, Set

    if isinstance(value, Mapping):
        return _dict(value, depth)
    if isinstance(value, MappingView):
        return _list(value, depth)
    if isinstance(value, Set):
        return _set(value, depth)
    if isinstance(value, Sequence | Iterator):
        return _list(value, depth)
    raise HostError(f"a value of {type(value).__qualname__} has no JSON form")
