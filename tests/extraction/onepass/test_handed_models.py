"""Models that pydantic validates before the check: what is read is the same as without that."""

from __future__ import annotations

import enum
import json
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, Generic, Literal, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    RootModel,
    SecretStr,
    create_model,
    field_validator,
    model_validator,
)

import typesig
from tests.generators import LAW
from typesig import TypesigError
from typesig.algebra import Keyword
from typesig.extraction.libraries import pydantic_validators
from typesig.extraction.onepass.pydantic_delegate import _FIRST_CALLS, PydanticDelegate
from typesig.json_backends import UNREAD
from typesig.validation.policy import ENABLED


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Size(str, enum.Enum):  # noqa: UP042 - most programs have such classes
    SMALL = "s"
    LARGE = "l"


class Text(str):
    """Text of a class of its own."""


class Whole(int):
    """An int of a class of its own."""


class Part(BaseModel):
    n: int
    ratio: float = 0.0
    note: str | None = None


class Plain(BaseModel):
    id: int
    title: str = "none"
    score: float | None = 1.5
    flag: bool = False
    tags: list[str] = []
    names: list[str] = Field(default_factory=list)
    kind: Literal["a", "b"] = "a"
    colour: Colour = Colour.RED
    size: Size | None = None
    level: int = Field(default=3, ge=0, lt=10)
    word: str = Field(default="abc", min_length=1, max_length=5)
    share: float = Field(default=0.5, gt=0, le=1)
    part: Part | None = None
    parts: list[Part] = []
    by_name: dict[str, Part] = {}
    rows: list[list[Part | None]] = []


class Item(Plain):
    more: dict[str, Any] = {}
    other: Any = None


class Loose(BaseModel):
    ratio: float = 0


class Aliased(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, title="T")
    first_name: str = Field(alias="firstName")
    last: str | None = Field(default=None, alias="Last")


T = TypeVar("T")


class Box(BaseModel, Generic[T]):
    held: T


@contextmanager
def unhanded() -> Iterator[None]:
    """Read models by the check and the decoders only."""
    read = PydanticDelegate.read
    PydanticDelegate.read = lambda *_: UNREAD  # type: ignore[method-assign]
    try:
        yield
    finally:
        PydanticDelegate.read = read  # type: ignore[method-assign]


def told(outcome: Any) -> Any:
    """Return all that *outcome* tells."""
    result = state(outcome.result) if outcome.ok else None
    value = repr(outcome.value) if outcome.ok else repr(outcome.rejected)
    try:
        text = outcome.text()
    except TypesigError as error:
        text = str(error)
    return outcome.errors, outcome.warnings, text, value, outcome.unseen, result


def state(made: Any) -> Any:
    """Return what an object consists of, with classes, signs and the fields that were given."""
    if isinstance(made, BaseModel):
        held = {name: state(part) for name, part in made.__dict__.items()}
        extra, private = made.__pydantic_extra__, made.__pydantic_private__
        return type(made), held, sorted(made.model_fields_set), extra, private
    if isinstance(made, dict):
        return dict, [(state(key), state(part)) for key, part in made.items()]
    if isinstance(made, list):
        return list, [state(part) for part in made]
    return type(made), repr(made)


def is_handed(contract: Any, data: Any) -> bool:
    """Return whether *data* is read without the check."""
    way = contract._quick
    if not isinstance(way, PydanticDelegate):
        return False
    # What pydantic refuses is read by a plan.
    way = PydanticDelegate(way.type, way.decode, way.is_list)
    return [way.read(data, ENABLED) is not UNREAD for _ in range(_FIRST_CALLS + 1)][-1]


@cache
def contract_of(cls: Any, mode: Any) -> Any:
    return typesig.contract(cls, mode=mode)


def assert_same(cls: Any, data: Any, mode: Any = "enabled") -> None:
    contract = contract_of(cls, mode)
    is_handed(contract, data)
    read = told(contract.read(data))
    with unhanded():
        expected = told(contract.read(data))

    assert expected == read


ITEM: dict[str, Any] = {
    "id": 1,
    "title": "x",
    "score": 2.5,
    "flag": True,
    "tags": ["a"],
    "names": ["b"],
    "kind": "b",
    "colour": "blue",
    "size": "s",
    "level": 1,
    "word": "w",
    "share": 0.25,
    "part": {"n": 1, "ratio": 0.5, "note": "y"},
    "parts": [{"n": 1, "ratio": 0.5}, {"n": 2, "ratio": 1.5, "note": None}],
    "by_name": {"k": {"n": 1, "ratio": 0.25}},
    "rows": [[{"n": 1, "ratio": 0.25}, None], []],
    "more": {"k": [1, {}]},
    "other": {"n": 1},
}
#: What replaces a field of `ITEM`: defaults, what the check accepts, coerces, warns of and refuses.
CHANGES: list[dict[str, Any]] = [
    {},
    {"title": "none", "score": 1.5, "flag": False, "tags": [], "names": [], "kind": "a"},
    {"colour": "red", "size": None, "level": 3, "word": "abc", "share": 0.5, "part": None},
    {"parts": [], "by_name": {}, "rows": [], "more": {}, "other": None},
    {"part": {"n": 1, "ratio": 0.0}},
    {"part": {"n": 1, "ratio": -0.0, "note": None}},
    {"part": {"n": 1}},
    {"part": {"n": 1, "ratio": 0.5, "more": 2}},
    {"parts": [{"n": 1, "ratio": 0.5, "Note": "z"}]},
    {"by_name": {"k": {"n": "1", "ratio": 0.5}}},
    {"by_name": OrderedDict(k={"n": 1, "ratio": 0.5})},
    {"rows": [[{"n": 1, "ratio": 0.5}, {"n": True, "ratio": 0.5}]]},
    {"rows": ([None],)},
    {"id": "1"},
    {"id": True},
    {"id": 1.0},
    {"id": 10**400},
    {"id": Whole(1)},
    {"id": Decimal(1)},
    {"id": None},
    {"title": Text("x")},
    {"title": Keyword("x")},
    {"title": Size.SMALL},
    {"title": "\ud800"},
    {"title": b"x"},
    {"title": None},
    {"score": 2},
    {"score": 2**53 + 1},
    {"score": 1e300},
    {"score": float("nan")},
    {"score": float("inf")},
    {"score": Decimal(1)},
    {"score": None},
    {"flag": 1},
    {"flag": "true"},
    {"tags": ("a",)},
    {"tags": {"a"}},
    {"tags": ["a", Keyword("b")]},
    {"tags": ["a", None]},
    {"tags": "[]"},
    {"kind": "A"},
    {"kind": Keyword("a")},
    {"colour": Colour.BLUE},
    {"colour": "BLUE"},
    {"size": Size.LARGE},
    {"level": 10},
    {"level": -1},
    {"word": ""},
    {"word": "abcdef"},
    {"word": "😀😀😀😀😀"},
    {"share": 0},
    {"share": 1},
    {"part": Part(n=1)},
    {"parts": [Part(n=1)]},
    {"part": MappingProxyType({"n": 1})},
    {"more": {1: 2}},
    {"more": {Keyword("a"): 2}},
    {"more": {"a": object}},
    {"other": float("nan")},
    {"extra": 1},
    {"Title": "y"},
    {1: 2},
]


@pytest.mark.parametrize("change", CHANGES, ids=repr)
def test_a_model_that_is_handed_over_is_read_as_others_are(change: dict[str, Any]) -> None:
    for mode in ("enabled", "strict"):
        assert_same(Item, {**ITEM, **change}, mode)
        assert_same(list[Item], [ITEM, {**ITEM, **change}, ITEM], mode)


@pytest.mark.generated
def test_data_that_conforms_is_handed_over() -> None:
    without = {name: part for name, part in ITEM.items() if name not in ("size", "part", "other")}

    for data in (ITEM, without, {**ITEM, **CHANGES[1]}, {**ITEM, **CHANGES[2]}):
        assert is_handed(typesig.contract(Item), data)
        assert is_handed(typesig.contract(list[Item]), [data] * 3)
        assert is_handed(typesig.contract(Annotated[list[Item], "some"]), [data])
    assert is_handed(typesig.contract(Aliased), {"firstName": "x"})
    assert is_handed(typesig.contract(Box[int]), {"held": 1})
    assert is_handed(typesig.contract(create_model("Bare", n=(list, ...))), {"n": [1]})
    assert_same(Aliased, {"firstName": "x", "Last": None})
    assert_same(Aliased, {"first_name": "x"})
    assert is_handed(typesig.contract(Loose), {"ratio": 0.0})
    assert_same(Loose, {"ratio": 0.0})


@pytest.mark.generated
@pytest.mark.parametrize("name", [name for name in ITEM if name not in ("size", "part", "other")])
def test_an_absent_field_gets_the_default_of_its_model(name: str) -> None:
    data = {key: part for key, part in ITEM.items() if key != name}

    # What a factory makes is left to the usual path.
    assert is_handed(typesig.contract(Item), data) == (name not in ("id", "names"))
    assert_same(Item, data)


scalars = st.sampled_from([0, 1, 3, "a", "red", "s", "", None, True, 0.5, 1.5, -0.0, "1", [], {}])
parts = st.fixed_dictionaries(
    {"n": scalars}, optional={"ratio": scalars, "note": scalars, "more": scalars}
)


rows_of_items = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            name: st.one_of(
                st.just(ITEM[name]), st.just(ITEM[name]), scalars, parts, st.lists(parts)
            )
            for name in ITEM
        },
    ),
    max_size=3,
)


@settings(LAW)
@given(rows_of_items, st.sampled_from(["enabled", "strict", "lenient", "warn_only"]))
def test_models_that_are_handed_over_are_read_as_others_are(rows: list[Any], mode: Any) -> None:
    assert_same(list[Item], [{**ITEM, **row} for row in rows], mode)
    assert_same(list[Item], rows, mode)


TAKEN: list[Any] = []


@typesig.tool
def take(rows: list[Item], first: Item | None = None, last: Item = Item(id=0)) -> int:  # noqa: B008
    """Take models."""
    TAKEN[:] = rows, first, last
    return len(rows)


def taken(arguments: Any, mode: Any) -> Any:
    """Return what the outcome of a call tells, and the models that the function got."""
    TAKEN.clear()
    outcome = take.call(arguments, mode=mode)
    return outcome.errors, outcome.warnings, state(list(TAKEN))


@settings(LAW)
@given(rows_of_items, st.sampled_from(["enabled", "strict", "lenient", "warn_only"]))
def test_arguments_that_are_models_are_handed_over_after_the_check(
    rows: list[Any], mode: Any
) -> None:
    whole = [{**ITEM, **row} for row in rows]
    for arguments in (
        {"rows": whole},
        {"rows": rows},
        *({"rows": [], "last": row} for row in whole),
    ):
        for _ in range(3):
            made = taken(arguments, mode)
        with unhanded():
            expected = taken(arguments, mode)

        assert expected == made


@pytest.mark.generated
def test_arguments_that_are_models_are_made_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def read(way: PydanticDelegate, data: Any, policy: Any, is_counted: bool = False) -> Any:
        made.append(original(way, data, policy, is_counted))
        return made[-1]

    original = PydanticDelegate.read
    monkeypatch.setattr(PydanticDelegate, "read", read)
    fresh = typesig.tool(take.__wrapped__)
    for _ in range(6):
        fresh.call({"rows": [ITEM], "last": ITEM})

    assert [[Item(**ITEM)], Item(**ITEM)] == made[-2:]


class Raising(str):
    """Text that cannot be compared."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    __hash__ = str.__hash__


class Endless(dict[str, Any]):
    """A map whose methods raise."""

    def get(self, *_: Any) -> Any:
        raise RuntimeError

    __getitem__ = __len__ = __iter__ = get


def test_methods_of_data_that_raise_are_not_called() -> None:
    part = {"n": 1, "ratio": 0.5, "note": "x"}
    keys = {Raising(key): value for key, value in part.items()}
    for data in (keys, {**part, "note": Raising("x")}, Endless(part)):
        assert not is_handed(contract_of(Part, "enabled"), data)
        assert not is_handed(contract_of(list[Part], "enabled"), [data])
    assert Part(**part) == contract_of(Part, "enabled").read(Endless(part)).result


@pytest.mark.generated
def test_text_is_read_as_data_is() -> None:
    contract = typesig.contract(list[Item])
    plain = json.loads(json.dumps([ITEM] * 600))
    read = contract.read(json.dumps({"items": plain}))

    assert is_handed(contract, plain)
    assert contract.read(plain).result == read.result
    assert plain == read.value
    assert () == read.warnings


@pytest.mark.generated
def test_a_long_list_is_validated_in_parts() -> None:
    contract = typesig.contract(list[Part])
    rows = [{"n": n, "ratio": 0.5} for n in range(1_200)]

    assert [Part(n=n, ratio=0.5) for n in range(1_200)] == contract._quick.read(rows, ENABLED)
    for odd in ({"n": 1, "ratio": 0.5, "more": 1}, {"n": "1", "ratio": 0.5}):
        for place in (0, 700, 1_199):
            changed = [*rows[:place], odd, *rows[place + 1 :]]
            assert contract._quick.read(changed, ENABLED) is UNREAD


@pytest.mark.generated
def test_lists_at_many_places_are_left_to_the_check() -> None:
    shared = [{"n": 1, "ratio": 0.5}] * 60
    contract = typesig.contract(list[Item])
    few, many = [{**ITEM, "parts": shared}] * 10, [{**ITEM, "parts": shared}] * 500

    assert is_handed(contract, few)
    way = PydanticDelegate(contract._quick.type, contract._quick.decode, True)
    assert way.is_known()
    assert way.read(many, ENABLED) is UNREAD
    assert way.read([ITEM] * 1_000, ENABLED) is UNREAD
    # Text has no lists at many places.
    assert way.read(many, ENABLED, True) is not UNREAD


class Validated(BaseModel):
    n: int

    @field_validator("n")
    @classmethod
    def doubled(cls, value: int) -> int:
        return value * 2


class Checked(BaseModel):
    n: int

    @model_validator(mode="after")
    def seen(self) -> Checked:
        return self


class Private(BaseModel):
    n: int
    _seen: int = PrivateAttr(7)


class Own(BaseModel):
    n: int

    def __init__(self, **data: Any) -> None:
        super().__init__(**data)


class Made(BaseModel):
    n: int

    def __new__(cls, *_given: Any, **_named: Any) -> Made:
        return super().__new__(cls)


class Replaced(BaseModel):
    n: int

    @classmethod
    def model_validate(cls, obj: Any, **options: Any) -> Any:
        return super().model_validate(obj, **options)


class Tree(BaseModel):
    n: int
    inner: list[Tree] = []


class Named(BaseModel):
    model_config = ConfigDict(populate_by_name=True)
    first_name: str = Field(alias="firstName")


class Secret(BaseModel):
    word: SecretStr


class Root(RootModel[list[int]]):
    pass


UNPROVED = [
    Validated,
    Checked,
    Private,
    Own,
    Made,
    Replaced,
    Tree,
    Named,
    Secret,
    Root,
    create_model("Stripped", __config__=ConfigDict(str_strip_whitespace=True), n=(str, ...)),
    create_model("Open", __config__=ConfigDict(extra="allow"), n=(int, ...)),
    create_model("After", n=(Annotated[int, AfterValidator(abs)], ...)),
    create_model("Multiple", n=(Annotated[int, Field(multiple_of=2)], ...)),
    create_model("Matching", n=(Annotated[str, Field(pattern="^a")], ...)),
    create_model("Large", n=(Annotated[int, Field(ge=2**60)], ...)),
    create_model("Either", n=(int | str, ...)),
    create_model("Tuples", n=(tuple[int, int], ...)),
    create_model("Exact", n=(Decimal, ...)),
    create_model("Mixed", n=(Literal["a", 1], ...)),
    create_model("Numbered", n=(Literal[1, 2], ...)),
    create_model("Keyed", n=(dict[int, int], ...)),
    create_model("Whole", n=(int, 0), part=(Part, Part(n=1))),
    create_model("Listed", n=(list[int], [1])),
    create_model("Nil", n=(str, None)),
    create_model("Validating", n=(int, Field(0, validate_default=True))),
    create_model("Path", n=(int, Field(validation_alias="_n"))),
]


@pytest.mark.parametrize("cls", UNPROVED, ids=lambda cls: cls.__name__)
def test_models_with_more_than_plain_fields_are_checked_first(cls: Any) -> None:
    for data in ({"n": 1}, {"n": "a"}, {"n": [1]}, {"firstName": "x"}, {"word": "x"}, [1], {}):
        assert not is_handed(typesig.contract(cls), data)
        assert_same(cls, data)


def test_models_in_very_many_lists_are_checked_first() -> None:
    hint, data = Part, {"n": 1, "ratio": 0.5}
    for _ in range(25):
        hint, data = list[hint], [data]  # type: ignore[assignment, valid-type]
    made: Any = create_model("Deep", rows=(hint, ...))

    assert not is_handed(typesig.contract(made), {"rows": data})
    assert_same(made, {"rows": data})


def test_models_within_each_other_are_checked_first_where_they_are_kept_by_name() -> None:
    assert not is_handed(typesig.contract(Tree, recursive=True), {"n": 1, "inner": []})
    assert not is_handed(typesig.contract(Item, max_depth=1), ITEM)
    assert not is_handed(typesig.contract(dict[str, Part]), {"k": {"n": 1, "ratio": 0.5}})


@pytest.mark.generated
def test_a_model_that_is_built_again_is_checked_first() -> None:
    made: Any = create_model("Again", n=(int, ...))
    contract = typesig.contract(made)

    way = PydanticDelegate(contract._quick.type, contract._quick.decode, False)
    assert way.is_known()
    assert way.read({"n": 1}, ENABLED) is not UNREAD
    made.model_rebuild(force=True)
    assert way.read({"n": 1}, ENABLED) is UNREAD
    assert made(n=1) == contract.read({"n": 1}).result


def test_a_pydantic_without_exact_values_is_not_handed_anything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def old(_schema: Any) -> Any:
        raise TypeError("an unexpected argument")

    pydantic_validators.is_data_exact.cache_clear()
    monkeypatch.setattr(pydantic_validators, "make_validator", old)
    try:
        assert not is_handed(typesig.contract(Part), {"n": 1, "ratio": 0.5})
    finally:
        pydantic_validators.is_data_exact.cache_clear()


@pytest.mark.needs_process
def test_models_are_handed_over_from_several_threads() -> None:
    contract = typesig.contract(list[Part])
    rows = [{"n": n, "ratio": 0.5} for n in range(600)]
    found: list[Any] = []
    threads = [
        threading.Thread(target=lambda: found.append(contract.read(rows).result)) for _ in range(4)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert [[Part(n=n, ratio=0.5) for n in range(600)]] * 4 == found
