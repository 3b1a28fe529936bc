"""Values of classes whose own methods raise, lie, never end or call themselves, and their makers."""

from __future__ import annotations

import collections
import datetime
import itertools
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from typesig.algebra import Keyword

#: How many items an iterator without end gives before a test fails: no reader takes more.
MOST_ITEMS = 1_000


class Taken(BaseException):
    """Raised by an iterator without end of which too many items are taken."""


def boom(*_args: Any, **_named: Any) -> Any:
    raise ZeroDivisionError("boom")


def endless(*_args: Any, **_named: Any) -> Iterator[Any]:
    for number in range(MOST_ITEMS):
        yield number, number
    raise Taken(f"more than {MOST_ITEMS} items are taken")


def _again(name: str) -> Callable[..., Any]:
    def again(self: Any, *args: Any) -> Any:
        return getattr(self, name)(*args)

    return again


#: What a method does, by a word; each makes a method of a name.
BEHAVIOURS: dict[str, Callable[[str], Any]] = {
    "raises": lambda name: boom,
    "is nonsense": lambda name: lambda *_, **__: object(),
    "is itself": lambda name: lambda self, *_, **__: self,
    "is huge": lambda name: lambda *_, **__: 10**30,
    "is empty": lambda name: lambda *_, **__: "",
    "has no end": lambda name: endless,
    "calls itself": _again,
}

MAKERS: dict[type, Callable[[type], Any]] = {
    list: lambda cls: cls(["a"]),
    tuple: lambda cls: cls((1, "b")),
    dict: lambda cls: cls({"a": 1}),
    collections.OrderedDict: lambda cls: cls({"a": 1}),
    set: lambda cls: cls({1}),
    frozenset: lambda cls: cls({1}),
    str: lambda cls: cls("a"),
    bytes: lambda cls: cls(b"a"),
    Keyword: lambda cls: cls("a"),
    int: lambda cls: cls(1),
    float: lambda cls: cls(1.5),
    Decimal: lambda cls: cls("1.5"),
    datetime.datetime: lambda cls: cls(2027, 1, 31, tzinfo=datetime.UTC),
    datetime.date: lambda cls: cls(2027, 1, 31),
    object: lambda cls: cls(),
}

#: The methods that are changed, one at a time; those that a class does not have are left out.
METHODS = (
    "__abs__", "__add__", "__bool__", "__contains__", "__del__", "__eq__", "__float__",
    "__format__", "__ge__", "__getattr__", "__getattribute__", "__getitem__", "__gt__", "__hash__",
    "__index__", "__int__", "__iter__", "__le__", "__len__", "__lt__", "__mod__", "__ne__",
    "__neg__", "__or__", "__reduce__", "__reduce_ex__", "__repr__", "__reversed__", "__sizeof__",
    "__str__", "__sub__", "as_integer_ratio", "astimezone", "bit_length", "casefold", "copy",
    "decode", "encode", "get", "is_finite", "is_integer", "isascii", "isdigit", "isoformat",
    "isprintable", "items", "keys", "lower", "lstrip", "partition", "removeprefix",
    "removesuffix", "replace", "rpartition", "split", "splitlines", "startswith", "strip",
    "tzinfo", "utcoffset", "values",
)  # fmt: skip

#: What any object can be asked for, even if its base does not have it.
_OF_ALL = ("__bool__", "__getattr__", "__getattribute__", "__iter__", "__len__", "items", "keys")


def hostile(base: type, name: str, method: Any) -> Any:
    """Return a value of a new subclass of *base* whose *name* is *method*."""
    members = {name: method, "made": False}
    if name == "__eq__":
        members["__hash__"] = base.__hash__
    if name == "tzinfo":
        members[name] = property(method)
    if name == "__del__":
        # What it raises goes to a hook of Python's, and no further.
        members[name] = lambda self: None
    return MAKERS[base](type("Hostile", (base,), members))


def lying(base: type) -> dict[str, Any]:
    """Return values of subclasses of *base* that do not tell their class."""
    told = {"raises": property(boom), "is dict": dict, "is str": str, "is a property": 1}
    return {
        f"{base.__name__} whose __class__ {how}": MAKERS[base](
            type("Hostile", (base,), {"__class__": value})
        )
        for how, value in told.items()
    }


def subclasses() -> dict[str, Any]:
    """Return a value for each base class, method and behaviour, by what it is."""
    out: dict[str, Any] = {}
    for base in MAKERS:
        for name in METHODS:
            if not hasattr(base, name) and name not in _OF_ALL:
                continue
            for how, method in BEHAVIOURS.items():
                try:
                    out[f"{base.__name__} whose {name} {how}"] = hostile(base, name, method(name))
                except (TypeError, ZeroDivisionError, RecursionError):
                    # The class itself cannot make such a value.
                    continue
        out |= lying(base)
    return out


class Zone(datetime.tzinfo):
    """A time zone that cannot be read."""

    utcoffset = dst = tzname = boom  # type: ignore[assignment]


class Mapped(Mapping[str, int]):
    """A mapping that is none of the built-ins, one of whose methods is replaced below."""

    def __iter__(self) -> Iterator[str]:
        return iter("ab")

    def __len__(self) -> int:
        return 2

    def __getitem__(self, key: str) -> int:
        return 1


class Answering:
    """An object that answers everything with itself."""

    def __getattr__(self, name: str) -> Any:
        return self

    def __call__(self, *_args: Any, **_named: Any) -> Any:
        return self

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        return self

    def __getitem__(self, key: Any) -> Any:
        return self

    def __len__(self) -> int:
        return 5

    def __eq__(self, other: object) -> Any:
        return self

    def __hash__(self) -> int:
        return 1


class Refusing:
    """An object that raises whatever it is asked."""

    __getattribute__ = __iter__ = __len__ = __bool__ = __eq__ = __repr__ = __str__ = boom  # type: ignore[assignment]
    __getitem__ = __contains__ = __int__ = __float__ = __index__ = __format__ = boom
    __hash__ = object.__hash__


def all_of(base: type, method: Any) -> Any:
    """Return a value of a subclass of *base* all of whose methods are *method*."""
    kept = ("__new__", "__init__", "__init_subclass__", "__class__", "__del__", "__doc__")
    kept += ("__subclasshook__", "__setattr__", "__hash__", "__getattribute__")
    members = {name: method for name in dir(base) if name not in kept}
    members["__hash__"] = base.__hash__
    return MAKERS[base](type("Hostile", (base,), members))


def objects() -> dict[str, Any]:
    """Return hostile values that are no subclass of one built-in with one method changed."""
    out: dict[str, Any] = {
        "answers everything": Answering(),
        "raises whatever it is asked": Refusing(),
        "iterator without end": itertools.count(),
        "generator without end": endless(),
        "datetime of a zone that raises": datetime.datetime(2027, 1, 31, tzinfo=Zone()),
        "UserDict that raises": type("Raising", (collections.UserDict,), {"items": boom})(a=1),
    }
    for name in ("__iter__", "__len__", "__getitem__", "items", "keys", "get", "__contains__"):
        for how, method in BEHAVIOURS.items():
            cls = type("Hostile", (Mapped,), {name: method(name)})
            out[f"mapping whose {name} {how}"] = cls()
    for base in MAKERS:
        for how in ("raises", "is itself", "is nonsense"):
            try:
                out[f"{base.__name__} of which all {how}"] = all_of(base, BEHAVIOURS[how](""))
            except (TypeError, ZeroDivisionError):
                continue
    return out
