"""Fields that a model leaves out of a record: its class fills in its own defaults."""

from __future__ import annotations

import datetime as dt
import enum
import json
from collections import namedtuple
from dataclasses import field, make_dataclass
from decimal import Decimal
from typing import Any, Literal, NamedTuple

import attrs
import msgspec
import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import typesig
from typesig import tool


class Sep(enum.Enum):
    UNSET = "UNSET"


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


NOTHING = object()

#: Hints, each with defaults of it: JSON cannot say them, or says them in another way.
PAIRS: list[tuple[Any, list[Any]]] = [
    (int, [7, 10**30, True, "x"]),
    (float, [3, 1.5]),
    (str, ["text", b"ab"]),
    (bytes, [b"ab", b""]),
    (Any, [(1, 2), object(), dt.date(2026, 1, 31), Sep.UNSET]),
    (str | dt.date, [dt.date(2027, 1, 1), "2027-01-01"]),
    (list[int], [(1, 2)]),
    (tuple[int, ...], [(1, 2)]),
    (tuple[int, str], [(1, "a")]),
    (frozenset[int], [frozenset({1})]),
    (Decimal, [Decimal("1.50"), 5]),
    (Decimal | str, [Decimal("1.50")]),
    (dt.datetime, [dt.datetime(2026, 1, 31), dt.datetime(2026, 1, 31, tzinfo=dt.UTC)]),
    (dt.timedelta | int, [dt.timedelta(1), 5]),
    (Color, [Color.RED, "red"]),
    (Color | str, [Color.BLUE]),
    (Literal["a", 1], ["a", 1]),
    (str | None, ["a", None]),
    (Sep | int, [Sep.UNSET]),
]

#: As before, of hints that not all libraries know.
MORE: list[tuple[Any, list[Any]]] = [
    (str | None | Literal[Sep.UNSET], [Sep.UNSET]),
    (int | object, [NOTHING]),
]


def of_dataclass(parts: dict[str, Any], frozen: bool) -> Any:
    known = [(n, h, field(default=d)) for n, (h, d) in parts.items()]
    return make_dataclass("Opts", [("q", int), *known], frozen=frozen)


def of_keywords(parts: dict[str, Any], slots: bool) -> Any:
    known = [(n, h, field(default=d)) for n, (h, d) in parts.items()]
    return make_dataclass("Opts", [("q", int), *known], kw_only=True, slots=slots)


def of_hook(parts: dict[str, Any], frozen: bool) -> Any:
    made = of_dataclass(parts, frozen)
    made.__post_init__ = lambda self: None
    return made


def of_attrs(parts: dict[str, Any], frozen: bool) -> Any:
    known = {n: attrs.field(type=h, default=d) for n, (h, d) in parts.items()}
    return attrs.make_class("Opts", {"q": attrs.field(type=int), **known}, frozen=frozen)


def of_msgspec(parts: dict[str, Any], frozen: bool) -> Any:
    # A struct copies some of its defaults.
    known = [(n, h, d) for n, (h, d) in parts.items() if type(d) not in (set, list, dict)]
    return msgspec.defstruct("Opts", [("q", int), *known], frozen=frozen)


def of_pydantic(parts: dict[str, Any], frozen: bool) -> Any:
    config = pydantic.ConfigDict(frozen=frozen, arbitrary_types_allowed=True)
    return pydantic.create_model("Opts", __config__=config, q=(int, ...), **parts)


def of_pydantic_dataclass(parts: dict[str, Any], frozen: bool) -> Any:
    config = pydantic.ConfigDict(arbitrary_types_allowed=True)
    return pydantic.dataclasses.dataclass(config=config)(of_keywords(parts, frozen))


def of_named_tuple(parts: dict[str, Any], _: bool) -> Any:
    made: Any = namedtuple("Opts", ["q", *parts], defaults=[d for _, d in parts.values()])
    made.__annotations__ = {"q": int, **{n: h for n, (h, _) in parts.items()}}
    return made


HOSTS = [
    of_dataclass,
    of_keywords,
    of_hook,
    of_attrs,
    of_msgspec,
    of_pydantic,
    of_pydantic_dataclass,
    of_named_tuple,
]


@st.composite
def records(draw: st.DrawFn) -> tuple[Any, dict[str, Any]]:
    """Return a class, and its defaults by name."""
    host = draw(st.sampled_from(HOSTS))
    pairs = PAIRS if host in (of_msgspec, of_pydantic, of_pydantic_dataclass) else PAIRS + MORE
    drawn = st.sampled_from(pairs).flatmap(
        lambda pair: st.tuples(st.just(pair[0]), st.sampled_from(pair[1]))
    )
    parts = {f"p{place}": pair for place, pair in enumerate(draw(st.lists(drawn, max_size=4)))}
    cls = host(parts, draw(st.booleans()))
    return cls, {name: default for name, (_, default) in parts.items() if hasattr_of(cls, name)}


def hasattr_of(cls: Any, name: str) -> bool:
    return name in getattr(cls, "__struct_fields__", (name,))


def assert_own(made: Any, defaults: dict[str, Any]) -> None:
    for name, default in defaults.items():
        assert getattr(made, name) is default, (name, getattr(made, name), default)


SENT: list[Any] = ['{"q": 1}', {"q": 1}] * 4
COERCED: list[Any] = ['{"q": "1"}', {"q": "1"}, {"q": 1, "zzzzz": 2}]


@settings(max_examples=150, deadline=None)
@given(records(), st.sampled_from(["enabled", "strict", "lenient", "warn_only", "json"]))
def test_an_answer_has_the_defaults_of_its_class(
    record: tuple[Any, dict[str, Any]], mode: Any
) -> None:
    cls, defaults = record
    answer = typesig.contract(cls, mode=mode)
    rows = typesig.contract(list[cls], mode=mode)
    loose = mode in ("enabled", "lenient")
    for sent in SENT + (COERCED if loose else []):
        outcome = answer.read(sent)
        assert outcome.ok, outcome
        assert_own(outcome.result, defaults)
        text = sent if isinstance(sent, str) else json.dumps(sent)
        listed = rows.read(f"[{text}, {text}]")
        assert listed.ok, listed
        for made in listed.result:
            assert_own(made, defaults)


@settings(max_examples=150, deadline=None)
@given(records(), st.sampled_from(["enabled", "strict", "lenient", "warn_only", "json"]))
def test_a_call_has_records_with_the_defaults_of_their_class(
    record: tuple[Any, dict[str, Any]], mode: Any
) -> None:
    cls, defaults = record
    got: list[Any] = []

    def f(one, many=None, named=None, maybe=None) -> None:  # type: ignore[no-untyped-def]
        got.extend([one, *(many or []), *(named or {}).values(), *([maybe] if maybe else [])])

    maybe, named = cls | None, dict[str, cls]
    f.__annotations__ = {"one": cls, "many": list[cls], "named": named, "maybe": maybe}
    f.__annotations__["return"] = None
    made = tool(f, mode=mode)
    loose = mode in ("enabled", "lenient")
    for one in [{"q": 1}] * 5 + [{"q": "1"}] * (3 if loose else 0):
        for rest in ({}, {"many": [one, one]}, {"named": {"a": one}, "maybe": one}):
            sent = {"one": one, **rest}
            for each in (sent, json.dumps(sent)):
                outcome = made.call(each)
                assert outcome.ok, outcome
    assert len(got) >= 60
    for each in got:
        assert_own(each, defaults)


class Pair(NamedTuple):
    q: int
    day: str | dt.date = dt.date(2026, 1, 31)


@pydantic.dataclasses.dataclass
class Days:
    pairs: list[Pair]
    pair: Pair = Pair(3)


def test_the_data_has_the_defaults_of_classes() -> None:
    answer = typesig.contract(Days)
    day = "2026-01-31"
    for sent in ['{"pairs": [{"q": 1}]}', {"pairs": [{"q": "1"}]}] * 3:
        outcome = answer.read(sent)
        assert Days.pair is outcome.result.pair
        assert {"pairs": [{"q": 1, "day": day}], "pair": {"q": 3, "day": day}} == outcome.value
        assert outcome.value == json.loads(outcome.text())

    unfilled = typesig.contract(Days, mode=typesig.Policy(defaults=False))
    assert {"pairs": [{"q": 1}]} == unfilled.read({"pairs": [{"q": 1}]}).value


@pytest.mark.parametrize("sent", [{"q": 1, "day": "2027-02-03"}, {"q": 1, "day": "2026-01-31"}])
def test_a_field_that_was_sent_is_what_was_sent(sent: Any) -> None:
    answer = typesig.contract(Pair)

    assert [Pair(1, sent["day"])] * 5 == [answer.read(sent).result for _ in range(5)]


def test_a_default_within_an_explicit_signature_is_passed() -> None:
    @tool("(opts {q :int, n :int = 3}) -> :any")
    def f(opts: Any) -> Any:
        return opts

    assert [{"q": 1, "n": 3}] * 5 == [f.call({"opts": {"q": 1}}).result for _ in range(5)]


class Cat(pydantic.BaseModel):
    kind: Literal["cat"] = "cat"
    lives: int = 9


class Dog(pydantic.BaseModel):
    kind: Literal["dog"] = "dog"
    size: int | None = None


class Owner(pydantic.BaseModel):
    pet: Cat | Dog
    first: Cat


def test_a_tag_has_to_be_sent_although_its_model_has_a_default() -> None:
    answer = typesig.contract(Owner)
    cat = {"kind": "cat"}
    for _ in range(5):
        assert Owner(pet=Cat(), first=Cat()) == answer.read({"pet": cat, "first": cat}).result
        assert not answer.read({"pet": {}, "first": cat}).ok
    tagged = typesig.contract(list[Cat] | list[Dog])
    assert [Cat()] == tagged.read([cat]).result
