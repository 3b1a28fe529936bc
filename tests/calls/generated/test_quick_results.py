"""Results that are objects: written in one pass, as the encoding and the check of them do."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import json
import pathlib
import random
import sys
import uuid
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, make_dataclass
from typing import Any, Literal, NamedTuple

import attrs
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, RootModel, computed_field, create_model

import typesig
from tests.calls.generated.test_quick import told_by, told_of
from tests.fast_pairs import plain_type, plain_value
from tests.generators import LAW
from typesig import tool
from typesig.algebra.constructors import strip_annotations
from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import (
    BOOL,
    FLOAT,
    NIL,
    STRING,
    List,
    Maybe,
    Record,
    Ref,
    Refinement,
    Type,
)
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.values import Keyword
from typesig.algebra.signature import Signature
from typesig.calls import results
from typesig.calls.generated import fast_results
from typesig.calls.generated.fast_results import Unknown, make_result_writer
from typesig.extraction.encoder import encode, get_class_attributes
from typesig.extraction.python_types.decoders import HostError
from typesig.notations.texts.quoting import write_compact_json
from typesig.validation.issues.ledger import Ledger
from typesig.validation.plain_data import to_plain
from typesig.validation.plan import write_classes, write_leaves
from typesig.validation.policy import ENABLED

NOW = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)


@dataclass
class Part:
    id: int
    tags: list[str]
    kind: Literal["a", "b"] | None = None


@dataclass
class Whole:
    share: float
    parts: list[Part]
    first: Part | None = None


@attrs.define
class OfAttrs:
    id: int
    tags: list[str]


class OfMsgspec(msgspec.Struct):
    id: int
    tags: list[str]


class OfPydantic(BaseModel):
    id: int
    tags: list[str]


WHOLES: list[Any] = [
    Whole(1.5, []),
    Whole(2, [Part(1, ["a"], "b"), Part(2, [])], Part(3, ["x", "y"])),
    Whole(float("nan"), []),
    Whole(1.5, [Part("x", [])]),  # type: ignore[arg-type]
    Whole(1.5, [Part(1, ("a",))]),  # type: ignore[arg-type]
    Whole(1.5, [Part(1, [3])]),  # type: ignore[list-item]
    Whole(1.5, [Part(1, [], "c")]),  # type: ignore[arg-type]
    Whole(1.5, (Part(1, []),)),  # type: ignore[arg-type]
    Whole(1.5, [{"id": 1, "tags": ["a"], "kind": None}]),  # type: ignore[list-item]
    Whole(1.5, [OfAttrs(1, ["a"]), OfMsgspec(1, []), OfPydantic(id=1, tags=[])]),  # type: ignore[list-item]
    Whole(1.5, [], 3),  # type: ignore[arg-type]
    Whole(1.5, 3),  # type: ignore[arg-type]
    {"share": 1.5, "parts": [], "first": None},
    {"share": 1.5, "parts": [Part(1, [])], "first": None},
    3,
    None,
]


@pytest.mark.parametrize("place", range(len(WHOLES)))
def test_an_object_has_the_same_outcome_each_time(place: int) -> None:
    def give(place: int) -> Whole:
        return WHOLES[place]  # type: ignore[no-any-return]

    made = tool(give)
    for other in (0, 1, 1, 1):
        made.call({"place": other})
    long = told_of(lambda: tool(give).call({"place": place}, ledger=Ledger()))

    assert [long] * 4 == [told_of(lambda: made.call({"place": place})) for _ in range(4)]


@pytest.mark.generated
@pytest.mark.parametrize("cls", [OfAttrs, OfMsgspec, OfPydantic])
def test_objects_of_libraries_are_written_by_their_fields(cls: Any) -> None:
    def give(count: int) -> Any:
        return [cls(id=n, tags=["a"] * n) for n in range(count)]

    give.__annotations__["return"] = list[cls]
    made = tool(give)
    found = [made.call({"count": 3}) for _ in range(5)]

    assert [[{"id": n, "tags": ["a"] * n} for n in range(3)]] * 5 == [each.value for each in found]
    assert {"id", "tags"} == set(get_class_attributes(cls) or {})
    assert made._shared["call"]._results.classes == {list}


class Hiding(BaseModel):
    id: int
    own: int = Field(3, exclude=True)


class Computing(BaseModel):
    id: int

    @computed_field  # type: ignore[prop-decorator]
    @property
    def twice(self) -> int:
        return 2 * self.id


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    id: int


class Root(RootModel[int]):
    pass


class Named(BaseModel):
    id: int = Field(serialization_alias="key")


class Row(msgspec.Struct, array_like=True):
    id: int


class Brief(msgspec.Struct, omit_defaults=True):
    id: int
    level: int = 3


class Tagged(msgspec.Struct, tag="t"):
    id: int


class Spelled(msgspec.Struct, rename="camel"):
    first_id: int


@attrs.define
class Private:
    _id: int


#: Objects, what they are encoded to, and whether their attributes alone tell.
OBJECTS: list[tuple[Any, Any, bool]] = [
    (Hiding(id=1), {"id": 1}, False),
    (Computing(id=1), {"id": 1, "twice": 2}, False),
    (Open(id=1, more=[1]), {"id": 1, "more": [1]}, False),  # type: ignore[call-arg]
    (Root(1), 1, False),
    (Named(id=1), {"key": 1}, True),
    (Named.model_construct(), {"key": None}, True),
    (Row(1), [1], False),
    (Brief(1), {"id": 1}, False),
    (Tagged(1), {"type": "Tagged", "id": 1} | {"type": "t"}, False),
    (Spelled(1), {"firstId": 1}, True),
    (Private(1), {"id": 1}, True),
    (OfMsgspec(1, msgspec.UNSET), {"id": 1}, True),  # type: ignore[arg-type]
    (create_model("Dotted", **{"a.b": (int, 1)})(), {"a.b": 1}, True),  # type: ignore[call-overload]
]


@pytest.mark.parametrize(("value", "data", "known"), OBJECTS)
def test_an_object_is_encoded_alike_before_its_fields_are_known(
    value: Any, data: Any, known: bool
) -> None:
    assert [data] * 3 == [encode(value) for _ in range(3)]
    assert known == (get_class_attributes(type(value)) is not None)


def test_an_object_that_lacks_an_attribute_is_refused_each_time() -> None:
    lacking = object.__new__(Part)
    encode(Part(1, []))

    for _ in range(2):
        with pytest.raises(HostError):
            encode(lacking)
    assert refused(write_of("{id :int, tags [:string], kind :string?}"), lacking)


def write_of(text: str, as_text: bool = False) -> Callable[[Any], Any]:
    signature = typesig.parse(text)
    return make_result_writer(
        signature.returns, signature.definitions, ENABLED.for_output(), as_text
    )


def refused(write: Callable[[Any], Any], value: Any) -> bool:
    try:
        write(value)
    except Unknown:
        return True
    return False


class Side(enum.Enum):
    LEFT = "left"
    RIGHT = "right"


class Listed(enum.Enum):
    ONE = [1]  # noqa: RUF012


class Pair(NamedTuple):
    left: int
    right: str


#: Types and values that do not conform, or that a model does not see like this.
UNKNOWN: list[tuple[str, Any]] = [
    ("{a [#{:int}]}", Part(1, [])),
    ("{}", Part(1, [])),
    ("{id :int, tags [:string], kind #{:int}}", Part(1, [])),
    ("{id :int, tags [:string], _kind :string?}", Part(1, [])),
    ("[{id :int, tags [:string], _kind :string?}]", [Part(1, [])]),
    ("{id :int, tags [:string]}", {"id": 1}),
    ("{id :int, tags [:string]}", {"id": 1, "tags": [], "more": 1}),
    ("[:any]", {1}),
    ("[:any]", [object()]),
    ("#{:int}", [1]),
    ("#{:int}", {1.5}),
    ("[:int, :string]", (1,)),
    ("[:int, :string]", (1, "a", 2)),
    ("[:int, :string, ** :int]", (1, "a", "b")),
    ("[:int, :string]", {1}),
    (":map[:int]", {1: 2}),
    (":map[:int]", [1]),
    (":map[:int :string]", {"a": "b"}),
    (":map[:int :string]", {None: "b"}),
    (":map[:int :string]", {1: "b", 2: 3}),
    (":map[:float :string]", {1: "b", 1.5: "c", "1": "d"}),
    ("[:int][2..]", [1]),
    ("[{a :int} | {b :int}]", [{"c": 1}]),
    (":datetime", NOW.replace(tzinfo=None)),
    (":datetime", NOW.astimezone(dt.timezone(dt.timedelta(seconds=30)))),
    (":string[time]", dt.time(1, tzinfo=dt.timezone(dt.timedelta(seconds=30)))),
    (":string[decimal]", decimal.Decimal("NaN")),
    (":map", [1]),
    (":any", {"_a": object()}),
    (":any", {1: 2, "_a": object()}),
    (":map[:string? :int]", {None: 1}),
    (":map[:int|:string :int]", {1: 1, "1": 2}),
    ("[:string]", [Listed.ONE]),
]


@pytest.mark.parametrize(("text", "value"), UNKNOWN)
def test_a_value_that_is_not_known_is_left_to_the_check(text: str, value: Any) -> None:
    encode_if_possible(value)

    for write in (write_of(text), write_of(text, as_text=True)):
        assert all(refused(write, value) for _ in range(20))


def encode_if_possible(value: Any) -> None:
    try:
        encode(value)
    except HostError:
        pass


#: Types, and values that are written by their class, or by the reference implementation.
KNOWN: list[tuple[str, Any]] = [
    ("[:any]", [1, (2,), {"a": None}, 2**70, 1.5, True, NOW, Side.LEFT, deque([1])]),
    (":any", {"a": [1], "b": {"c": {1: 2}}}),
    (":any", [Part(1, []), Pair(1, "a")]),
    (":map", {"a": [NOW, decimal.Decimal("1.5"), b"a"]}),
    ("#{:int}", {3, 1}),
    ("#{:string}", frozenset({"b", "a"})),
    ("#{[:int, :string]}", {(2, "a"), (1, "b")}),
    ("#{:string?}", {"b", None}),
    ("[{a :int} | {b :int}]", [{"a": 1}, {"b": 1}]),
    ("[{a :int} | :string | [:int]]", [{"a": 1}, "b", [1], (2,)]),
    ("{id :int, tags [:string], kind :string?, more :int?}", Part(1, [])),
    ("{id :int, tags #{:string}}", {"id": 1, "tags": set()}),
    ("{id :int, parts [{id :int}]}", {"id": 1, "parts": [Private(1)]}),
    (f"{{{', '.join(f'f{n} :int?' for n in range(101))}}}", {"f1": 1}),
    ('{"a.b" :int}', create_model("Dotted", **{"a.b": (int, 1)})()),  # type: ignore[call-overload]
    ("{left :int, right :string}", Pair(1, "a")),
    ("[:int, :string]", (1, "a")),
    ("[:int, :string, ** :int]", [1, "a", 2, 3]),
    ("[:int][2..]", [1, 2]),
    (":map[:int]", {"a": 1}),
    (":map[:int :string]", {1: "a", 2: "b"}),
    (":map[:any :int]", {"a": 1}),
    ("[:datetime]", [NOW, NOW.astimezone(dt.timezone(dt.timedelta(hours=1)))]),
    ("[:datetime]", (NOW, NOW)),
    ("[:string[date]]", [NOW.date(), "2026-01-01"]),
    ("[:string[time]]", [dt.time(1), dt.time(1, tzinfo=dt.UTC)]),
    ("[:string[duration]]", [dt.timedelta(0), dt.timedelta(1), dt.timedelta(1, 3661, 500)]),
    ("[:string[duration]]", [dt.timedelta(-1), dt.timedelta(seconds=60), dt.timedelta(2, 5)]),
    ("[:string[decimal]]", [decimal.Decimal("1.5"), decimal.Decimal("1E+5")]),
    ("[:string[uuid]]", [uuid.UUID(int=7)]),
    ("[:string]", ["a", pathlib.PurePosixPath("b")]),
    ("[:string]", [Side.LEFT, "a"]),
    ("[:string?]", [uuid.UUID(int=7), None]),
    ("[:datetime?]", [NOW, None]),
    ("[:datetime]", [NOW.replace(tzinfo=dt.timezone(dt.timedelta(0), "other"), microsecond=3)]),
    ("[:string[time]]", [dt.time(1, 2, 3, 4)]),
    ("[:int|:string]", [1, "a", uuid.UUID(int=7)]),
    ("[:int|:datetime]", [1, NOW]),
    ("[:any]", [Listed.ONE, Keyword("a")]),
    ("[#{:int}|[:int]|{a :int}]", [{1}, [1], (1,), {"a": 1}, frozenset([2])]),
    ("[:map[:int]|[:int][1..2]]", [{"a": 1}, [1], (1, 2)]),
    ("[{share :float, at :datetime}]", [{"share": 1e-7, "at": NOW}, {"share": 1.5, "at": NOW}]),
    (":map[:keyword :int]", {Keyword("a"): 1}),
]


@pytest.mark.parametrize(("text", "value"), KNOWN)
def test_a_value_is_written_as_it_is_encoded(text: str, value: Any) -> None:
    known = to_plain(encode(value))
    write, write_text = write_of(text), write_of(text, as_text=True)
    for _ in range(20):
        assert known == write(value)
        assert write_compact_json(known) == write_text(value)


#: Types and plain values, which are written as they are.
SAME: list[tuple[str, Any]] = [
    ("{id :int, tags [:string]}!", {"id": 1, "tags": ["a"]}),
    ("{id :int, tags [:string]?, note :string?}", {"id": 1, "tags": None}),
    (
        "{id :int, parts [{id :int, of {a :float}}]}",
        {"id": 1, "parts": [{"id": 1, "of": {"a": 1}}]},
    ),
    ("[{id :int, tags [:string?]}]", [{"id": 1, "tags": ["a", None]}]),
]


@pytest.mark.parametrize(("text", "value"), SAME)
def test_plain_data_is_not_copied_by_a_record(text: str, value: Any) -> None:
    made = write_of(text)(value)

    assert made == value
    assert value is made or value[0] is made[0]


def test_a_type_that_is_deep_has_no_writer() -> None:
    deep: Type = typesig.parse(":int").returns
    for _ in range(20):
        deep = List(deep)

    assert refused(make_result_writer(deep, (), ENABLED), [])
    assert [] == make_result_writer(Ref("a"), (Definition("a", deep),), ENABLED)([])


def test_a_format_that_other_forms_are_read_as_is_left_to_the_check() -> None:
    t = Refinement(Maybe(STRING), (Constraint("format", "date"),))
    write = make_result_writer(List(t), (), ENABLED.for_output().on("other_format"))

    assert ["2026-01-02", None] == write([NOW.date(), None])
    assert refused(write, ["2 January 2026"])


def test_a_deep_value_is_left_to_the_check() -> None:
    deep: list[Any] = [NOW]
    for _ in range(40):
        deep = [deep]

    assert refused(write_of(":any"), deep)


def test_a_record_has_code_for_some_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_classes, "MOST_CLASSES", 2)
    monkeypatch.setattr(write_leaves, "MOST_CLASSES", 2)
    monkeypatch.setattr(write_classes, "MOST_CLASSES", 2)
    made = [make_dataclass(f"C{n}", [("a", int)])(n) for n in range(3)]
    leaves = ["a", uuid.UUID(int=7), pathlib.PurePosixPath("b"), Side.LEFT]
    for text, values in (("{a :int}", made), (":string", leaves), (":any", made)):
        write = write_of(text)
        for each in values:
            encode(each)

        assert [encode(each) for each in values * 2] == [write(each) for each in values * 2]


def test_a_list_of_objects_of_several_classes_is_written() -> None:
    parts = [Part(1, []), OfAttrs(2, ["a"]), {"id": 3, "tags": []}]
    for each in parts:
        encode(each)

    for text in ("[{id :int, tags [:string], kind? :string?}]", "[{id :int, tags [:string]}]"):
        write = write_of(text)
        for value in ([parts[1], parts[2], parts[1]], [parts[2], parts[1]], [parts[1]] * 2, []):
            for _ in range(20):
                assert [encode(each) for each in value] == write(value)


@pytest.mark.parametrize("text", ["[[{id :int, tags [:string]}]]", "[{id :int, tags [:string]}?]"])
def test_lists_with_objects_in_other_parts_are_written(text: str) -> None:
    part = OfAttrs(2, ["a"])
    encode(part)
    value: list[Any] = [[part], []] if "[[" in text else [part, None]

    assert encode(value) == write_of(text)(value)


class Base(BaseModel):
    id: int

    @property
    def size(self) -> int:
        return 2


class Asking(BaseModel):
    id: int

    def __getattribute__(self, name: str) -> Any:
        return 7 if name == "id" else super().__getattribute__(name)


class Missing(BaseModel):
    id: int

    def __getattr__(self, name: str) -> Any:
        return 7


def test_models_are_written_by_their_attributes() -> None:
    for cls in (Base, Asking, Missing, OfPydantic):
        made = cls(id=1, tags=["a"])
        known = encode(made)
        write = write_of("{id :int, tags [:string]}" if cls is OfPydantic else "{id :int}")

        for _ in range(20):
            assert known == write(made)
        del made.__dict__["id"]
        # `Missing` returns another value instead, which the closures ask for, as the encoder does.
        assert cls is Asking or refused(write, made) or write(made) == encode(made)


def test_a_list_of_too_many_places_is_left_to_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_results, "MAX_VALUES", 5)
    encode(Part(1, []))
    texts = "[{id :int, tags [:string], kind :string?}]", "[{a :int}]"
    values = [[Part(1, [])], [Part(1, []), Part(2, ["a"])], [{"a": 1}], [{"a": 1}] * 4]

    assert [False, True, False, True] == [
        refused(write_of(text), value)
        for text, value in zip((texts[0], texts[0], texts[1], texts[1]), values, strict=True)
    ]


def test_what_a_library_may_own_that_is_loaded_later_is_left_to_the_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    encode(Part(1, []))
    write = write_of("{id :int, tags [:string], kind :string?}")
    assert not refused(write, Part(1, []))

    monkeypatch.delitem(sys.modules, "pydantic")

    assert get_class_attributes(Part) is None
    assert refused(write, Part(1, []))


def object_of(t: Type, rng: random.Random, classes: dict[Type, Any]) -> Any:
    """Return an object that is of *t*, or nearly: dataclasses for records, dicts for some."""
    t = strip_annotations(t)
    match t:
        case Record(fields):
            held = {f.name: object_of(f.type, rng, classes) for f in fields}
            if rng.random() < 0.1 or not fields:
                return held
            if t not in classes:
                classes[t] = make_dataclass("Made", list(held))
            return classes[t](**held)
        case List(item):
            return [object_of(item, rng, classes) for _ in range(rng.choice((0, 1, 3)))]
        case Maybe(inner):
            return None if rng.random() < 0.2 else object_of(inner, rng, classes)
        case _ if rng.random() < 0.02:
            return plain_value(t, rng)
        case _ if t == FLOAT:
            return rng.choice(FLOATS)
        case _:
            return _FITTING.get(t, 1)


#: What fits the scalars of most types.
_FITTING: dict[Type, Any] = {BOOL: True, STRING: "a", NIL: None}

#: Numbers at the bounds beyond which JSON text has an exponent, and others.
FLOATS = (1.5, 1.5, -0.0, 1e-4, -1e-4, 9.9e-5, 5e-324, 1e16, -1e16, 9999999999999998.0, 1e22, 3)


@settings(LAW)
@given(st.integers(0, 2**32))
def test_the_value_of_any_object_is_that_of_the_long_way(number: int) -> None:
    rng = random.Random(number)
    t = plain_type(rng, 3)
    classes: dict[Type, Any] = {}
    held: list[Any] = [None]

    def give() -> Any:
        return held[0]

    mode: Any = rng.choice(("enabled", "strict", "json", "warn_only"))
    made: Any = tool(Signature([], t), mode=mode)(give)
    for _ in range(8):
        held[0] = object_of(t, rng, classes)
        long = told_by(tool(Signature([], t))(give).call({}, mode=mode, ledger=Ledger()))
        assert long == told_by(made.call({}))


@settings(LAW)
@given(st.integers(0, 2**32))
def test_the_text_of_any_object_is_that_of_the_long_way(number: int) -> None:
    rng = random.Random(number)
    t = plain_type(rng, 3)
    t = List(t) if rng.random() < 0.5 else t
    classes: dict[Type, Any] = {}
    held: list[Any] = [None]

    def give() -> Any:
        return held[0]

    mode: Any = rng.choice(("enabled", "strict", "json", "warn_only"))
    made: Any = tool(Signature([], t), mode=mode)(give)
    for _ in range(8):
        held[0] = object_of(t, rng, classes)
        asked = tool(Signature([], t))(give)
        long = [asked.call({}, mode=mode, ledger=Ledger()) for _ in range(2)]

        assert long[0].text() == made.call({}).text()
        # What is made of the text, if the call before left one.
        assert told_by(long[1]) == told_by(made.call({}))
        assert long[0].text() == made.call({}).text()


@dataclass
class Item:
    id: int
    title: str
    score: float
    tags: list[str]


def items_of(count: int) -> list[Item]:
    return [Item(n, f"né {n}", n / 7, ["a", '"b"']) for n in range(count)]


def test_a_text_is_the_same_in_parts_whatever_is_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_results, "_ITEMS", 2)
    t = typesig.parse("[{id :int, title :string, score :float, tags [:string]}]").returns
    data, text = [
        make_result_writer(t, (), ENABLED.for_output(), as_text) for as_text in (False, True)
    ]
    for score in FLOATS:
        for title in ("a", "é", "\\"):
            for count in range(6):
                value = items_of(count)
                for each in value[2:3]:
                    each.score, each.title = score, title
                encode(value)

                assert (
                    write_compact_json(encode(value))
                    == text(value)
                    == write_compact_json(data(value))
                )
                assert json.loads(text(value)) == data(value)


def test_what_is_no_list_of_objects_has_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_results, "MAX_VALUES", 12)
    encode(items_of(1))
    t = typesig.parse("[{id :int, title :string, score :float, tags [:string]}]").returns
    write = make_result_writer(t, (), ENABLED.for_output(), True)

    assert not refused(write, items_of(1))
    assert refused(write, [Item(1, "\ud800", 0.5, [])])
    assert all(refused(write, each) for each in (items_of(2), 3, [3]))


def test_a_list_that_changes_while_it_is_written_has_no_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fast_results, "_ITEMS", 1)

    @dataclass
    class Changing:
        id: int

        def __getattribute__(self, name: str) -> Any:
            if name == "id" and changes:
                rows.pop()
            return super().__getattribute__(name)

    rows, changes = [Changing(n) for n in range(3)], False
    encode(rows)
    write = make_result_writer(typesig.parse("[{id :int}]").returns, (), ENABLED.for_output(), True)
    assert '[{"id":0},{"id":1},{"id":2}]' == write(rows)
    changes = True

    assert refused(write, rows)


def given_items(count: int) -> list[Item]:
    return ITEMS[:count]


ITEMS = items_of(3)


@pytest.mark.generated
def test_calls_keep_the_text_while_texts_are_asked_for() -> None:
    made = tool(given_items)
    known = made.call({"count": 3})
    for _ in range(4):
        assert known.text() == made.call({"count": 3}).text()
    about = made._shared["call"]._about
    assert about.as_text

    outcome = made.call({"count": "3"})
    assert isinstance(outcome._told[0], str)  # type: ignore[index]
    assert ITEMS == outcome.result
    assert about.as_text
    assert known.value == outcome.value
    assert outcome.value is outcome.value
    assert not about.as_text
    assert ['count: coerced string "3" to int'] == [str(each) for each in outcome.warnings]
    assert known.text() == outcome.text()
    assert known.for_model() == outcome.for_model() == made.call({"count": 3}).for_model()


def test_an_object_that_changes_after_the_call_changes_no_outcome() -> None:
    rows = items_of(2)

    def give() -> list[Item]:
        return rows

    made = tool(give)
    known = made.call().value
    for _ in range(4):
        made.call().text()
    outcomes = [made.call() for _ in range(4)]
    rows[0].title, rows[1].tags = "changed", []
    rows[0].tags.append("c")
    rows.pop()

    assert json.loads(outcomes[0].text()) == known == outcomes[1].value
    assert {"items": known} == outcomes[2].for_model()
    assert () == outcomes[3].warnings
    assert known == outcomes[3].value


@pytest.mark.generated
def test_the_text_of_what_is_hidden_in_part_is_not_kept() -> None:
    def give() -> list[Part]:
        return [Part(1, ["a"])]

    made = tool(give)
    for _ in range(7):
        outcome = made.call()
        assert '[{"id":1,"tags":["a"]}]' == outcome.text()
        assert [{"id": 1, "tags": ["a"], "kind": None}] == outcome.value
    assert not made._shared["call"]._about.as_text


def test_data_with_many_places_is_plain_if_it_has_no_more_than_it_may(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(results, "MAX_UNWATCHED", 3)

    assert results.is_plain([[1, 2], [3, {"a": 4.5}]])
    monkeypatch.setattr(results, "MAX_VALUES", 3)
    assert not results.is_plain([[1, 2], [3, {"a": 4.5}]])


def test_two_surrogates_beside_each_other_stay_two_in_the_value() -> None:
    @dataclass
    class Word:
        text: str

    text = "a"

    @tool
    def words() -> list[Word]:
        return [Word(text)]

    @tool
    def word() -> Word:
        return Word(text)

    for _ in range(5):
        assert '[{"text":"a"}]' == words.call({}).text()
        assert '{"text":"a"}' == word.call({}).text()
    text = "\ud83d\ude00"
    of_list, of_one = words.call({}), word.call({})

    assert [{"text": text}] == of_list.value
    assert {"text": text} == of_one.value
    assert '[{"text":"\\ud83d\\ude00"}]' == of_list.text()
