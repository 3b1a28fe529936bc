"""A named tuple made in the quick way is one of `typing`, but for the time that it takes."""

from __future__ import annotations

import copy
import inspect
import pickle
import sys
import typing
from collections.abc import Callable
from typing import Any

import pytest

from typesig import named_tuples
from typesig.extraction.extract import extract


class Theirs(typing.NamedTuple):
    """A place."""

    name: str
    at: tuple[int, ...] = ()
    note: str | None = None

    @property
    def short(self) -> str:
        return self.name[:1]

    def moved(self, by: int = 1) -> Any:
        return self._replace(at=(by,))

    @classmethod
    def home(cls) -> Any:
        return cls("home")


class Ours(named_tuples.NamedTuple):
    """A place."""

    name: str
    at: tuple[int, ...] = ()
    note: str | None = None

    @property
    def short(self) -> str:
        return self.name[:1]

    def moved(self, by: int = 1) -> Any:
        return self._replace(at=(by,))

    @classmethod
    def home(cls) -> Any:
        return cls("home")


class TheirOne(typing.NamedTuple):
    one: Any


class OurOne(named_tuples.NamedTuple):
    one: Any


class TheirNone(typing.NamedTuple):
    pass


class OurNone(named_tuples.NamedTuple):
    pass


class TheirMany(typing.NamedTuple):
    a0: Any
    a1: Any
    a2: Any
    a3: Any
    a4: Any
    a5: Any
    a6: Any
    a7: Any
    a8: Any
    a9: Any
    a10: Any = 10
    a11: Any = 11


class OurMany(named_tuples.NamedTuple):
    a0: Any
    a1: Any
    a2: Any
    a3: Any
    a4: Any
    a5: Any
    a6: Any
    a7: Any
    a8: Any
    a9: Any
    a10: Any = 10
    a11: Any = 11


PAIRS = {Theirs: Ours, TheirOne: OurOne, TheirNone: OurNone, TheirMany: OurMany}


def matched(value: Any) -> Any:
    match value:
        case Theirs(name, at=(first, *_)) | Ours(name, at=(first, *_)):
            return name, first
        case Theirs(name) | Ours(name):
            return name


#: What a program may do with the class and with its values.
USES: list[Callable[[Any], Any]] = [
    lambda cls: cls("a"),
    lambda cls: cls("a", (1,), note="n"),
    lambda cls: cls(name="a", at=(1,)),
    lambda cls: cls(),
    lambda cls: cls(*cls._fields),
    lambda cls: cls(**dict.fromkeys(cls._fields, 0)),
    lambda cls: [getattr(cls(*cls._fields), name) for name in cls._fields],
    lambda cls: cls("a", other=1),
    lambda cls: cls("a", (), None, 4),
    lambda cls: cls._fields,
    lambda cls: cls.__orig_bases__,
    lambda cls: cls._field_defaults,
    lambda cls: cls.__match_args__,
    lambda cls: cls.__name__,
    lambda cls: cls.__module__,
    lambda cls: cls.__slots__,
    lambda cls: [(p.name, p.default) for p in inspect.signature(cls).parameters.values()],
    lambda cls: typing.get_type_hints(cls),
    lambda cls: [cls("a").name, cls("a").at, cls("a").note],
    lambda cls: cls("a").short,
    lambda cls: cls("a").moved(3),
    lambda cls: cls.home(),
    lambda cls: cls("a") == ("a", (), None) != cls("b"),
    lambda cls: hash(cls("a")),
    lambda cls: [*cls("a")],
    lambda cls: cls._make(["a", (), "n"]),
    lambda cls: cls._make(["a"]),
    lambda cls: cls("a")._replace(note="n", at=(2,)),
    lambda cls: cls("a")._asdict(),
    lambda cls: pickle.loads(pickle.dumps(cls("a", (1,)))),
    lambda cls: pickle.loads(pickle.dumps(cls("a", (1,)), protocol=0)),
    lambda cls: copy.deepcopy(cls("a", ([1],))),
    lambda cls: matched(cls("a", (1, 2))),
    lambda cls: matched(cls("a")),
    lambda cls: setattr(cls("a"), "name", "b"),
    lambda cls: setattr(cls("a"), "other", "b"),
    lambda cls: vars(cls("a")),
    lambda cls: extract(function_of(cls)).signature,
]


def function_of(cls: Any) -> Any:
    def function(place): ...

    function.__annotations__ = {"place": cls, "return": cls}
    return function


def outcome(use: Callable[[Any], Any], cls: Any) -> Any:
    """Return what *use* does with *cls*, or the class of the error that it raises."""
    try:
        found = use(cls)
    except AttributeError:
        return AttributeError
    except (TypeError, ValueError):
        # Up to Python 3.12 the class of `typing` raises a ValueError for an unknown field.
        return TypeError
    return type(found) is cls, repr(found).replace(cls.__name__, "X")


@pytest.mark.parametrize("use", USES, ids=range(len(USES)))
def test_the_quick_class_does_as_that_of_typing(use: Callable[[Any], Any]) -> None:
    for theirs, ours in PAIRS.items():
        assert outcome(use, theirs) == outcome(use, ours)


@pytest.mark.parametrize("count", range(16))
def test_a_class_may_have_any_number_of_fields(count: int) -> None:
    names = [f"part_{n}" for n in range(count)]
    space = {"__annotations__": dict.fromkeys(names, "int"), "__qualname__": "Made"}
    made: Any = type(named_tuples.NamedTuple)("Made", (named_tuples.NamedTuple,), space)

    assert (
        tuple(range(count))
        == made(*range(count))
        == made(**dict(zip(names, range(count), strict=True)))
    )
    assert names == [*made._fields]
    for n, name in enumerate(names):
        assert n == getattr(made(*range(count)), name)


def test_a_wrong_field_or_number_of_fields_is_told() -> None:
    with pytest.raises(TypeError, match=r"^Ours has no field other$"):
        Ours("a")._replace(other=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^Ours has 3 fields, not 1$"):
        Ours._make(["a"])
    with pytest.raises(TypeError, match=r"Ours\.__new__\(\) missing 1 .*'name'"):
        Ours()  # type: ignore[call-arg]


@pytest.mark.skipif(sys.version_info < (3, 13), reason="copy has no replace")
def test_a_field_is_replaced_by_copy() -> None:
    replace = copy.replace  # type: ignore[attr-defined, unused-ignore]

    assert Ours("b") == replace(Ours("a"), name="b")
