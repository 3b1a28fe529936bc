"""Records that a plan reads: what is read is the same as by the check and the decoders."""

from __future__ import annotations

import dataclasses
import enum
import traceback
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import InitVar, dataclass, field
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, NotRequired, TypedDict
from uuid import UUID

import attrs
import msgspec
import pytest
from annotated_types import Ge
from hypothesis import given, settings
from hypothesis import strategies as st

import typesig
from tests.generators import LAW
from typesig import TypesigError
from typesig.algebra import Keyword
from typesig.calls.decoding import get_host_policy
from typesig.codegen import Constants
from typesig.extraction.onepass import plan_reader
from typesig.extraction.onepass.object_makers import find_defaults, is_plain, is_stored
from typesig.extraction.onepass.plan_reader import PlanReader
from typesig.json_backends import UNREAD
from typesig.validation.policy import ENABLED


class Colour(enum.Enum):
    RED = "red"


class Text(str):
    """Text of a class of its own."""


@dataclass
class Part:
    n: int
    ratio: float = 0.5
    note: str | None = None


class Plain(TypedDict):
    n: int
    word: NotRequired[str]


class Typed(TypedDict):
    n: int
    ratio: float
    note: str | None
    parts: NotRequired[list[Part]]
    part: NotRequired[Part | None]


class Scored(TypedDict):
    ratio: float


class Holding(TypedDict):
    part: Part


@dataclass(frozen=True)
class Frozen:
    n: int
    flag: bool | None = None


@dataclass(slots=True)
class Slotted:
    n: int
    none: None = None


class Struct(msgspec.Struct):
    n: int
    ratio: float
    note: str | None = None
    part: Part | None = None


@dataclass
class Item:
    id: int
    part: Part
    frozen: Frozen
    slotted: Slotted
    struct: Struct
    typed: Typed
    scored: Scored
    holding: Holding
    plain: Plain
    level: Annotated[int, Ge(1)]
    either: int | str
    kind: Literal["a", "b"]
    colour: Colour
    tags: list[str]
    rows: list[list[Part]]
    more: dict[str, int]
    other: Any
    parts: list[Part] | None = None
    names: list[str] | None = None
    title: str = "none"


ITEM: dict[str, Any] = {
    "id": 1,
    "part": {"n": 1, "ratio": 0.5, "note": "x"},
    "frozen": {"n": 1, "flag": True},
    "slotted": {"n": 1},
    "struct": {"n": 1, "ratio": 0.5, "part": {"n": 2, "ratio": 1.5}},
    "typed": {"n": 1, "ratio": 0.5, "note": None, "parts": [{"n": 1, "ratio": 0.5}]},
    "scored": {"ratio": 0.5},
    "holding": {"part": {"n": 1, "ratio": 0.5}},
    "plain": {"n": 1, "word": "w"},
    "level": 2,
    "either": "x",
    "kind": "a",
    "colour": "red",
    "tags": ["a", "b"],
    "rows": [[{"n": 1, "ratio": 0.5}], []],
    "more": {"k": 1},
    "other": [1],
    "parts": [{"n": 1, "ratio": 0.5}],
    "names": ["x"],
    "title": "t",
}

#: What replaces a field of `ITEM` and is read in one pass.
TAKEN: list[dict[str, Any]] = [
    {},
    {"parts": None, "names": None, "other": None},
    {"part": {"n": 10**399, "ratio": 1e300, "note": None}},
    {"typed": {"n": 1, "ratio": 0.5, "note": None}},
    {"typed": {"n": 1, "ratio": 0.5, "note": "x", "part": None}},
    {"typed": {"n": 1, "ratio": 0.5, "note": "x", "part": {"n": 1, "ratio": 0.5}, "parts": []}},
    {"plain": {"n": 1}},
    {"either": 3},
    {"tags": [], "rows": [], "more": {}},
    {"part": {"n": 1}},
    {"part": {"n": 1, "ratio": 1}},
    {"typed": {"n": 1, "ratio": 0.5}},
]
#: The same, which is left to the check.
LEFT: list[dict[str, Any]] = [
    {"id": "1"},
    {"id": True},
    {"id": None},
    {"part": {"n": 1, "ratio": 2**53 + 1}},
    {"part": {"n": 1, "ratio": float("nan")}},
    {"part": {"n": 1, "ratio": float("-inf")}},
    {"part": {"n": 1, "ratio": 0.5, "more": 1}},
    {"part": {"n": 1, "ratio": 0.5, "Note": "x"}},
    {"part": {"n": 1, "ratio": 0.5, "note": Keyword("x")}},
    {"part": {"n": 1, "ratio": 0.5, "note": Text("x")}},
    {"part": OrderedDict(n=1, ratio=0.5)},
    {"part": MappingProxyType({"n": 1, "ratio": 0.5})},
    {"part": Part(1)},
    {"part": None},
    {"frozen": {"n": 1, "flag": 1}},
    {"struct": {"n": 1, "ratio": 0.5, "part": {"n": "2", "ratio": 0.5}}},
    {"plain": {"n": 1, "word": 2}},
    {"plain": {"n": 1, "more": 2}},
    {"level": 0},
    {"either": None},
    {"kind": "c"},
    {"colour": "blue"},
    {"colour": Colour.RED},
    {"tags": ("a",)},
    {"tags": ["a", 1]},
    {"rows": [[None]]},
    {"more": {"k": "1"}},
    {"parts": [None]},
    {"names": "x"},
    {"title": Keyword("t")},
    {"extra": 1},
    {"Title": "u"},
    {1: 2},
]


@contextmanager
def apart() -> Iterator[None]:
    """Read records by the check and the decoders only."""
    find = PlanReader.find_plan
    PlanReader.find_plan = lambda *_: None  # type: ignore[method-assign]
    try:
        yield
    finally:
        PlanReader.find_plan = find  # type: ignore[method-assign]


def state(made: Any) -> Any:
    """Return what an object consists of, with classes and signs."""
    if dataclasses.is_dataclass(made):
        return type(made), [
            (f.name, state(getattr(made, f.name))) for f in dataclasses.fields(made)
        ]
    if attrs.has(type(made)):
        return type(made), [
            (each.name, state(getattr(made, each.name))) for each in attrs.fields(type(made))
        ]
    if isinstance(made, msgspec.Struct):
        return type(made), [(name, state(getattr(made, name))) for name in made.__struct_fields__]
    if isinstance(made, dict):
        return dict, [(state(key), state(part)) for key, part in made.items()]
    if isinstance(made, list):
        return list, [state(part) for part in made]
    return type(made), repr(made)


def told(outcome: Any) -> Any:
    """Return all that *outcome* tells."""
    result = state(outcome.result) if outcome.ok else None
    value = repr(outcome.value) if outcome.ok else repr(outcome.rejected)
    return outcome.errors, outcome.warnings, outcome.text(), value, outcome.unseen, result


@cache
def contract_of(hint: Any, mode: Any = "enabled") -> Any:
    return typesig.contract(hint, mode=mode, max_depth=5)


def is_fused(contract: Any, data: Any) -> bool:
    """Return whether *data* is read by a plan, as closures and as source."""
    quick = contract._quick
    if quick is None:
        return False
    cold = [quick.read(data, POLICY) is not UNREAD for _ in range(3)][2]
    plan = quick.find_plan(POLICY)
    assert plan is not None
    plan.compile()
    assert cold == (quick.read(data, POLICY) is not UNREAD)
    return cold


#: The policy of data of models for hints.
POLICY = get_host_policy(ENABLED.on("int_from_whole_float"), explicit=False, exact=False)


def assert_same(hint: Any, data: Any, mode: Any = "enabled") -> None:
    contract = contract_of(hint, mode)
    is_fused(contract, data)
    read = told(contract.read(data))
    with apart():
        expected = told(contract._with_mode("enabled" if mode is None else mode).read(data))

    assert expected == read


@pytest.mark.generated
@pytest.mark.parametrize("change", TAKEN, ids=repr)
def test_data_that_conforms_is_read_in_one_pass(change: dict[str, Any]) -> None:
    data = {**ITEM, **change}

    assert is_fused(contract_of(Item), data)
    assert is_fused(contract_of(list[Item]), [data, ITEM])
    assert_same(Item, data)
    assert_same(list[Item], [data, ITEM], "strict")


@pytest.mark.parametrize("change", LEFT, ids=repr)
def test_other_data_is_left_to_the_check(change: dict[str, Any]) -> None:
    data = {**ITEM, **change}

    assert not is_fused(contract_of(Item), data)
    assert not is_fused(contract_of(list[Item]), [ITEM, data])
    assert_same(Item, data)
    assert_same(list[Item], [ITEM, data], "strict")


@pytest.mark.generated
@pytest.mark.parametrize("name", ITEM)
def test_an_absent_field_is_read_as_by_the_decoders(name: str) -> None:
    data = {key: part for key, part in ITEM.items() if key != name}

    assert (name in ("parts", "names", "title")) == is_fused(contract_of(Item), data)
    assert_same(Item, data)


scalars = st.sampled_from([0, 1, "a", "", None, True, 0.5, -0.0, "1", [], {}])
parts = st.fixed_dictionaries(
    {"n": scalars}, optional={"ratio": scalars, "note": scalars, "flag": scalars, "more": scalars}
)


@settings(LAW)
@given(
    st.fixed_dictionaries(
        {},
        optional={
            name: st.one_of(st.just(ITEM[name]), scalars, parts, st.lists(parts, max_size=3))
            for name in ITEM
        },
    ),
    st.lists(st.sampled_from(list(ITEM)), max_size=2),
    st.sampled_from(["enabled", "strict", "lenient", "warn_only", "json"]),
)
def test_records_in_one_pass_are_read_as_others_are(
    change: dict[str, Any], absent: list[str], mode: Any
) -> None:
    data = {name: part for name, part in {**ITEM, **change}.items() if name not in absent}
    assert_same(list[Item], [ITEM, data], mode)
    assert_same(list[Typed], [data.get("typed"), data.get("part")], mode)


class Raising(str):
    """Text that cannot be compared."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    __hash__ = str.__hash__


def test_methods_of_data_that_raise_are_not_called() -> None:
    for data in ({Raising("n"): 1, "ratio": 0.5}, {"n": 1, "ratio": 0.5, "note": Raising("x")}):
        assert not is_fused(contract_of(Part), data)


LEAVES: dict[str, Any] = {
    "on": "2026-01-31",
    "of": "00000000-0000-0000-0000-000000000001",
    "share": "1.5",
    "shown": [1.5],
}


@pytest.mark.generated
def test_values_of_host_types_are_made_in_one_pass() -> None:
    made = WithLeaves(date(2026, 1, 31), UUID(int=1), Decimal("1.5"), [1.5])
    for hint in (WithLeaves, WithLeaves | None):
        assert is_fused(contract_of(hint), LEAVES)
        assert made == contract_of(hint).read(LEAVES).result
    assert is_fused(contract_of(list[float]), [1.5])
    for change in (
        {"on": "2026-02-30"},
        {"of": "1"},
        {"shown": ["1"]},
        {"more": "no"},
        {"more": 1},
    ):
        assert not is_fused(contract_of(WithLeaves), LEAVES | change)
        assert_same(WithLeaves, LEAVES | change)


@pytest.mark.generated
def test_data_itself_is_not_changed() -> None:
    rows = [{"n": 1, "ratio": 0.5, "note": None, "parts": [{"n": 1, "ratio": 0.5}]}]
    contract = contract_of(list[Typed])

    assert is_fused(contract, rows)
    assert [{**rows[0], "parts": [Part(1)]}] == contract.read(rows).result
    assert {"n": 1, "ratio": 0.5} == rows[0]["parts"][0]  # type: ignore[index]
    assert contract.read(rows).value == rows


@pytest.mark.generated
def test_a_list_at_many_places_is_left_to_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_reader, "MAX_VALUES", 1_000)
    contract, part = typesig.contract(list[Item], max_depth=5), {"n": 1, "ratio": 0.5}
    read = contract._quick.read

    assert is_fused(contract, [ITEM] * 3)
    assert read([{**ITEM, "tags": ["a"] * 100}] * 5, POLICY) is not UNREAD
    assert read([{**ITEM, "tags": ["a"] * 100}] * 9, POLICY) is UNREAD
    assert read([{**ITEM, "rows": [[part] * 20] * 20}], POLICY) is UNREAD
    assert read([ITEM] * 100, POLICY) is UNREAD
    # Text has no lists at many places.
    assert read([ITEM] * 100, POLICY, True) is not UNREAD


class Meta(type):
    pass


class Guarded:
    @property
    def n(self) -> int:
        return 1

    @n.setter
    def n(self, value: int) -> None:
        raise ValueError("not set")


@dataclass
class After:
    n: int

    def __post_init__(self) -> None:
        self.n += 1


@dataclass
class Own:
    n: int

    def __init__(self, n: int) -> None:
        self.n = n + 1


@dataclass
class Made:
    n: int

    def __new__(cls, *_: Any) -> Made:
        return object.__new__(cls)


@dataclass
class Setting:
    n: int

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value + 1)


@dataclass
class Property(Guarded):
    n: int  # type: ignore[assignment]


@dataclass
class Typed2(metaclass=Meta):
    n: int


@dataclass(kw_only=True)
class Named:
    n: int


@dataclass
class Around:
    inner: Named


class Inheriting(Part):
    pass


class StructAfter(msgspec.Struct):
    n: int

    def __post_init__(self) -> None:
        self.n += 1


class Tagged(msgspec.Struct, tag="t"):
    n: int


@attrs.define
class Attrs:
    n: int
    ratio: float = 0.5
    note: str | None = None
    names: list[str] = attrs.Factory(list)


@attrs.frozen
class AttrsFrozen:
    n: int
    _own: int = 3


@attrs.define(slots=False)
class AttrsHeld(Attrs):
    more: bool = False


@attrs.define
class AttrsHooked:
    n: int = attrs.field(on_setattr=attrs.setters.validate)


@attrs.define
class AttrsChecked:
    n: int = attrs.field(validator=attrs.validators.gt(0))


@attrs.define
class AttrsMade:
    n: int = attrs.field(converter=lambda n: n + 1)


@attrs.define
class AttrsAfter:
    n: int

    def __attrs_post_init__(self) -> None:
        self.n += 1


@attrs.define
class AttrsFixed:
    n: int
    fixed: int = attrs.field(default=3, init=False)


@attrs.define(init=False)
class AttrsOwn:
    n: int

    def __init__(self, n: int) -> None:
        self.n = n + 1


@attrs.define(slots=False)
class AttrsSetting:
    n: int

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value + 1)


@attrs.define(slots=False)
class AttrsGuarded(Guarded):
    n: int


PLAIN_OF_ATTRS: list[Any] = [Attrs, AttrsFrozen, AttrsHeld]
OTHERS_OF_ATTRS: list[Any] = [
    AttrsHooked, AttrsChecked, AttrsMade, AttrsAfter, AttrsFixed, AttrsOwn, AttrsSetting, AttrsGuarded,
]  # fmt: skip


@dataclass
class Hidden:
    n: int
    _seen: int = 0


@dataclass
class WithLeaves:
    on: date
    of: UUID
    share: Decimal
    shown: list[float]
    more: date | None = None


@dataclass
class WithTime:
    n: int
    at: datetime


@dataclass
class Deep:
    n: list[
        list[
            list[list[list[list[list[list[list[list[list[list[list[list[list[list[Part]]]]]]]]]]]]]]
        ]
    ]


WIDE = dataclasses.make_dataclass("WIDE", [(f"f{n}", int) for n in range(401)])

OTHERS = [
    *OTHERS_OF_ATTRS,
    After, Own, Made, Setting, Property, Typed2, Named, StructAfter, Tagged,
    Around, Hidden, WithTime, Deep, WIDE, Part | Frozen, dict[str, Part],
    tuple[Part, Part], list[WithTime], list[dict[str, Part]],
]  # fmt: skip


@pytest.mark.parametrize("hint", OTHERS, ids=str)
def test_other_classes_are_read_alike(hint: Any) -> None:
    colour = {"n": 1, "colour": "red"}
    samples = [{"n": 1}, {"n": 1, "ratio": 0.5}, colour, {"type": "t", "n": 1}, {"n": []}, [], None]
    samples += [{"n": 1, "at": "2026-01-31T10:00:00Z"}, [{"n": 1}, {"n": 2}], {"a": {"n": 1}}]
    samples += [[{"a": {"n": 1}}], {"n": "1"}, {"inner": {"n": 1}}]
    for data in samples:
        try:
            assert_same(hint, data)
        except TypesigError:
            assert data is None


@pytest.mark.generated
@pytest.mark.parametrize("hint", PLAIN_OF_ATTRS)
def test_objects_of_attrs_are_made_in_one_pass(hint: Any) -> None:
    whole = {"n": 1, "ratio": 1.5, "note": "a", "names": ["b"], "own": 4, "more": True}
    whole = {each.alias: whole[each.alias] for each in hint.__attrs_attrs__}

    assert is_fused(contract_of(hint), whole)
    assert hint(**whole) == contract_of(hint).read(whole).result
    for data in (whole, {**whole, "n": "1"}, {**whole, "n": []}, {**whole, "x": 1}, {"n": 2}):
        assert_same(hint, data)


@dataclass
class Variable:
    n: int
    given: InitVar[int]
    known: ClassVar[int] = 3


@dataclass
class Argument:
    n: int
    given: InitVar[int]


@dataclass
class Factory:
    n: int
    names: list[str] = field(default_factory=list)
    fixed: int = field(default=3, init=False)


def test_plain_classes_are_told_from_others() -> None:
    plain = [Part, Frozen, Slotted, Struct, Factory, Variable, *PLAIN_OF_ATTRS]
    others = [After, Own, Made, Setting, Property, Typed2, Inheriting, StructAfter]
    others += OTHERS_OF_ATTRS

    assert [True] * len(plain) == [is_plain(cls) for cls in plain]
    assert [False] * len(others) == [is_plain(cls) for cls in others]
    assert is_stored(Part, ["n", "ratio", "note"])
    assert not is_stored(Factory, ["n", "names"])
    assert not is_stored(Frozen, ["n", "flag"])
    assert not is_stored(Struct, ["n"])
    assert not is_stored(Attrs, ["n", "ratio", "note", "names"])
    assert {"ratio": 0.5, "note": None, "names": attrs.NOTHING} == find_defaults(Attrs)
    assert {"ratio": 0.5, "note": None} == find_defaults(Part)
    assert {"note": None, "part": None} == find_defaults(Struct)


@pytest.mark.generated
def test_a_class_with_more_than_its_fields_is_made_by_its_constructor() -> None:
    data = {"n": 1, "names": ["a"]}

    assert is_fused(contract_of(Factory), data)
    assert Factory(1, ["a"]) == contract_of(Factory).read(data).result
    assert is_fused(contract_of(Factory), {"n": 1})
    assert Factory(1, []) == contract_of(Factory).read({"n": 1}).result


def test_an_argument_that_a_dataclass_does_not_keep_is_only_given_to_it() -> None:
    assert is_plain(Argument)
    assert not is_stored(Argument, ["n", "given"])
    contract = contract_of(Argument)
    for _ in range(4):
        assert {"n": 1} == vars(contract.read({"n": 1, "given": 2}).result)


@typesig.tool("() -> {ratio :float, n :int, note :string?}")
def part() -> Part:
    return Part(1)


@typesig.tool("() -> {n :int, ratio :float, **:int}")
def open_part() -> Part:
    return Part(1)


@pytest.mark.parametrize("made", [part, open_part])
def test_a_type_that_is_not_that_of_the_hint_is_read_alike(made: Any) -> None:
    contract = typesig.contract(made)

    assert_same(made, {"n": 1, "ratio": 0.5})
    assert Part(1) == contract.read({"n": 1, "ratio": 0.5}).result


@pytest.mark.generated
def test_data_that_is_not_decoded_is_read_by_the_predicate() -> None:
    contract = typesig.contract("[{id :int, note :string?}]")
    rows = [{"id": 1}, {"id": 2, "note": None}]

    assert is_fused(contract, rows)
    assert rows is contract.read(rows).result
    assert rows == contract.read({"items": rows}).value
    assert not is_fused(contract, [{"id": "1"}])
    assert [{"id": 1}] == contract.read([{"id": "1"}]).value
    assert contract.read([{"id": "x"}]).errors
    assert typesig.contract(":nil").read(None).ok


@pytest.mark.generated
def test_a_contract_has_code_for_some_policies() -> None:
    contract = typesig.contract(list[Part])
    policies = [ENABLED.changed(max_issues=n) for n in range(1, 12)]
    read = [contract.read([{"n": 1, "ratio": 0.5}] * 1_000, policy) for policy in policies]

    assert [[Part(1)] * 1_000] * len(policies) == [outcome.result for outcome in read]
    assert 8 == len(contract._quick._plans)


def test_generated_code_has_names_in_it_only_as_values() -> None:
    constants = Constants()
    name, key = constants.name("real"), constants.bind_key("real")
    read = constants.compile_function(f"def read(x):\n    return x.{name}, {key}, 2\n", "read")
    plain = Constants().compile_function("def read(x):\n    return x.one\n", "read")

    assert (1, "real", 2) == read(complex(1, 2))
    with pytest.raises(AttributeError) as caught:
        plain(1)
    assert "return x.one" in "".join(traceback.format_exception(caught.value))
