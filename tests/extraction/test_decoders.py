"""Decoders of records: the quick way of a whole record and the way of each field agree."""

from __future__ import annotations

import traceback
from collections import OrderedDict
from dataclasses import dataclass, field

import pytest

from typesig.extraction.hosts import decoders, record_decoders
from typesig.extraction.hosts.decoders import FieldPlan, HostError, float_of
from typesig.extraction.hosts.many import WIDEST


def refuse(value):
    """Refuse *value*, except None."""
    if value is not None:
        raise HostError(f"no {value}")
    return "decoded"


PLANS = (
    FieldPlan("id", "id", None, False),
    FieldPlan("score", "score", float_of, False),
    FieldPlan("note", "note", refuse, True),
    FieldPlan("tag-s", "tags", None, True),
)


@dataclass
class Item:
    id: int
    score: float = 2.5
    note: str | None = "unset"
    tags: list[str] | None = field(default_factory=list)


class Wrapped(Item):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)


@dataclass(kw_only=True)
class Named:
    id: int
    score: float = 2.5
    note: str | None = "unset"
    tags: list[str] | None = field(default_factory=list)


BUILDS = (Item, Wrapped, Named, lambda **given: Item(**given))


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("kind", [dict, OrderedDict])
def test_a_whole_record_is_built(build, kind):
    decode = record_decoders.named(PLANS, build)

    made = decode(kind({"id": 1, "score": 2, "note": None, "tag-s": ["a"]}))

    assert [1, 2.0, "decoded", ["a"]] == [made.id, made.score, made.note, made.tags]
    assert type(made.score) is float


@pytest.mark.parametrize("build", BUILDS)
def test_an_absent_field_has_the_default_of_the_host_unless_it_is_nil(build):
    decode = record_decoders.named(PLANS, build)

    made = decode({"id": 1, "other": 2})

    assert [1, 2.5, None, None] == [made.id, made.score, made.note, made.tags]


def test_an_absent_key_of_a_dict_stays_absent_unless_it_is_nil():
    decode = record_decoders.named(PLANS, None)

    assert {"id": 1, "note": None, "tag-s": None} == decode({"id": 1})


def test_a_dict_that_needs_no_decoding_stays_itself():
    decode = record_decoders.named(PLANS[:2], None)
    value = {"id": 1, "score": 1.5}

    assert decode(value) is value
    assert {"id": 1, "score": 2.0} == decode({"id": 1, "score": 2})


@pytest.mark.parametrize("build", [Item, None])
@pytest.mark.parametrize("rest", [None, refuse])
def test_all_refusals_of_a_record_are_gathered(build, rest):
    decode = record_decoders.named(PLANS, build, rest)
    whole = {"id": 1, "score": 10**400, "note": "x", "tag-s": []}
    found = []
    for value in (whole, {**whole, "other": 3}, {"score": 2**53 + 1, "note": 1}):
        with pytest.raises(HostError) as raised:
            decode(value)
        found.append([each.steps for each in (raised.value, *raised.value.more)])

    both = [["score"], ["note"]]
    assert [both, both if rest is None else [*both, ["other"]], both] == found


def test_undeclared_keys_reach_a_host_that_takes_them():
    made = record_decoders.named(PLANS, dict, str)({"id": 1, "tag-s": [], "b": 2})

    assert {"id": 1, "note": None, "tags": [], "b": "2"} == made


MANY = decoders.MANY


@dataclass
class Inner:
    score: float


@dataclass
class Outer:
    id: int
    score: float
    inner: Inner
    note: str | None = "unset"
    tags: list[str] | None = field(default_factory=list)


INNER = record_decoders.named((PLANS[1],), Inner)
OUTER = (
    PLANS[0],
    PLANS[1],
    FieldPlan("inner", "inner", INNER, False),
    FieldPlan("note", "note", None, False),
    FieldPlan("tags", "tags", None, True),
)


def both_ways(value):
    """Return what is made of *value* among few and among many, or its refusals."""
    decode = decoders.items(record_decoders.named(OUTER, Outer))
    found = []
    for count in (1, MANY):
        try:
            found.append(decode([value] * count)[0])
        except HostError as error:
            each = [error, *error.more]
            found.append([(one.message, one.steps[:-1]) for one in each[: len(each) // count]])
    return found


@pytest.mark.parametrize(
    "value",
    [
        {"id": 1, "score": 1.5, "inner": {"score": 2.5}, "note": "n", "tags": ["t"]},
        OrderedDict({"id": 1, "score": 1.5, "inner": {"score": 2.5}, "note": "n", "tags": []}),
        OrderedDict({"id": 1, "score": 1.5, "inner": {"score": 2.5}}),
        {"id": 1, "score": 1, "inner": {"score": 2}, "note": "n", "tags": ["t"], "other": 1},
        {"id": 1, "score": 1.5, "inner": {"score": 2.5}, "tags": []},
        {"id": 1, "score": 1.5, "inner": {"score": 2.5}, "note": "n"},
        {"id": 1, "score": 1.5, "inner": {"score": 2.5}},
        {"id": 1, "score": 1.5, "inner": {"score": 2.5}, "one": 1, "other": 2},
        {"id": 1, "score": 10**400, "inner": {"score": 10**400}, "note": "n", "tags": ["t"]},
        {"id": 1, "score": 1.5, "inner": {"score": 10**400}, "note": "n", "tags": ["t"]},
        {"id": 1, "score": 1.5, "inner": {"score": 10**400}},
    ],
)
def test_a_record_among_many_is_decoded_as_among_few(value):
    few, many = both_ways(value)

    assert few == many


def test_each_set_of_absent_fields_of_many_records_is_decoded():
    plans = tuple(FieldPlan(name, name, None, True) for name in "abcdef")
    made = dataclass(type("Made", (), {"__annotations__": dict.fromkeys("abcdef", object)}))
    decode = decoders.items(record_decoders.named(plans, made))
    rows = [
        {n: n for place, n in enumerate("abcdef") if number >> place & 1} for number in range(64)
    ]

    assert [made(*[row.get(n) for n in "abcdef"]) for row in rows] == decode(rows)


def test_a_record_with_very_many_fields_has_no_code_of_its_own():
    names = tuple(f"f{number}" for number in range(WIDEST + 1))
    plans = tuple(FieldPlan(name, name, None, False) for name in names)
    made = dataclass(type("Made", (), {"__annotations__": dict.fromkeys(names, object)}))
    decode = record_decoders.named(plans, made)
    row = dict.fromkeys(names, 1)

    assert decoders.for_many(decode) is decode
    assert [made(**row)] * MANY == decoders.items(decode)([row] * MANY)


def test_a_class_that_refuses_one_of_many_is_told_with_its_place():
    class Made:
        def __init__(self, a):
            if a == 7:
                raise ValueError("not seven")

    decode = decoders.items(record_decoders.named((FieldPlan("a", "a", None, False),), Made))

    with pytest.raises(HostError, match="not seven") as raised:
        decode([{"a": number} for number in range(MANY)])
    assert [7] == raised.value.steps


def test_the_code_for_many_records_is_shown_in_tracebacks():
    class Made:
        def __init__(self, a):
            raise RuntimeError("a mistake")

    decode = decoders.items(record_decoders.named((FieldPlan("a", "a", None, False),), Made))

    with pytest.raises(RuntimeError) as raised:
        decode([{"a": 1}] * MANY)
    assert "return build(v0)" in "".join(traceback.format_exception(raised.value))


@pytest.mark.parametrize("value", [{"id": 1}, {"id": 1, "score": 1.5, "note": None, "tag-s": None}])
def test_a_host_that_refuses_the_whole_is_told(value):
    def build(**given):
        raise ValueError("nothing fits")

    with pytest.raises(HostError, match="nothing fits"):
        record_decoders.named(PLANS, build)(value)


def test_refusals_of_items_of_a_map_and_of_a_tuple_have_their_places():
    mapped = decoders.mapping(None, refuse)
    placed = decoders.positions((refuse, None, refuse), tuple)
    found = []
    for decode, value in ((mapped, {"a": 1, "b": None, "c": 2}), (placed, [1, 2, 3])):
        with pytest.raises(HostError) as raised:
            decode(value)
        found.append([each.steps for each in (raised.value, *raised.value.more)])

    assert [[["a"], ["c"]], [[0], [2]]] == found


def test_a_refused_key_of_a_map_has_its_place():
    with pytest.raises(HostError) as raised:
        decoders.mapping(refuse, None)({"a": 1})

    assert ["a"] == raised.value.steps


def test_a_value_is_decoded_once_within_the_outermost_union():
    asked, shared, wrong = [], [1], [2]

    def decode(value):
        asked.append(value)
        if value is wrong:
            raise HostError("no 2")
        return tuple(value)

    def refusal():
        with pytest.raises(HostError, match="no 2") as raised:
            decoders.once(decode, decode, wrong)
        raised.value.steps.append("place")
        return raised.value

    def outermost(_value):
        return [decoders.once(decode, decode, shared) for _ in range(2)], [
            refusal() for _ in range(2)
        ]

    made, refused = decoders.once(outermost, outermost, None)

    assert [(1,), (1,)] == made
    # Each has the path of its own place.
    assert [["place"], ["place"]] == [each.steps for each in refused]
    assert [shared, wrong] == asked


NAMED_ALIKE = (
    FieldPlan("id", "id", None, False),
    FieldPlan("score", "score", float_of, False),
    FieldPlan("note", "note", refuse, True),
    FieldPlan("tags", "tags", refuse, False),
)

GIVEN = (
    {"id": 1, "score": 2.5, "note": None, "tags": None},
    {"tags": None, "id": 1, "score": 2},
    {"id": 1},
    {"id": 1, "other": 3},
    {"id": 1, "note": "a", "tags": "b", "score": 10**400},
    {"score": 1.0},
    OrderedDict(id=1, note=None),
    {"id": ValueError("no")},
    {"id": TypeError("no such")},
)


@pytest.mark.parametrize("given", GIVEN)
def test_a_record_that_is_built_of_a_dict_is_as_one_built_of_names(given):
    def build(**parts):
        if isinstance(parts["id"] if "id" in parts else TypeError("id"), Exception):
            raise parts.get("id", TypeError("no id"))
        return parts

    def build_of_map(**parts):
        raise AssertionError("it is built of a dict")

    build_of_map.of_map = lambda parts: build(**parts)
    sent = dict(given)
    of_map = told(record_decoders.named(NAMED_ALIKE, build_of_map), given)

    assert told(record_decoders.named(NAMED_ALIKE, build), given) == of_map
    assert sent == given
    if given is GIVEN[0]:
        assert of_map == {"id": 1, "score": 2.5, "note": "decoded", "tags": "decoded"}


def told(decode, value):
    try:
        return decode(value)
    except HostError as error:
        return [(each.message, each.steps) for each in (error, *error.more)]
