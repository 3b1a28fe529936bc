"""Decode plans: what is made of values, by the plan and by generated code."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

import pytest

from typesig.extraction.python_types import decoders
from typesig.extraction.python_types.decoders import (
    FLOATS,
    LOST,
    BadParts,
    DictFactory,
    FieldPlan,
    HostError,
    LeafDecoder,
    make_record,
)
from typesig.extraction.python_types.plan_decoder import (
    UNKNOWN,
    decode_by_plan,
    get_part_plan,
    run_once,
)


def refuse(value):
    """Refuse *value*, except None."""
    if value is not None:
        raise HostError(f"no {value}")
    return "decoded"


REFUSE = LeafDecoder(refuse)


PLANS = (
    FieldPlan("id", "id", None, False),
    FieldPlan("score", "score", FLOATS, False),
    FieldPlan("note", "note", REFUSE, True),
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
    plan = make_record(PLANS, build)

    made = decode_by_plan(plan, kind({"id": 1, "score": 2, "note": None, "tag-s": ["a"]}))

    assert [1, 2.0, "decoded", ["a"]] == [made.id, made.score, made.note, made.tags]
    assert type(made.score) is float


@pytest.mark.parametrize("build", BUILDS)
def test_an_absent_field_has_the_default_of_the_host_unless_it_is_nil(build):
    plan = make_record(PLANS, build)

    made = decode_by_plan(plan, {"id": 1, "other": 2})

    assert [1, 2.5, None, None] == [made.id, made.score, made.note, made.tags]


def test_an_absent_key_of_a_dict_stays_absent_unless_it_is_nil():
    plan = make_record(PLANS[:3], None)

    assert {"id": 1, "note": None} == decode_by_plan(plan, {"id": 1})


def test_a_dict_that_needs_no_decoding_stays_itself():
    plan = make_record(PLANS[:2], None)
    value = {"id": 1, "score": 1.5}

    assert decode_by_plan(plan, value) is value
    assert {"id": 1, "score": 2.0} == decode_by_plan(plan, {"id": 1, "score": 2})


@pytest.mark.parametrize("build", [Item, None])
@pytest.mark.parametrize("rest", [None, REFUSE])
def test_all_refusals_of_a_record_are_gathered(build, rest):
    plan = make_record(PLANS, build, rest)
    whole = {"id": 1, "score": 10**400, "note": "x", "tag-s": []}
    found = []
    for value in (whole, {**whole, "other": 3}, {"score": 2**53 + 1, "note": 1}):
        with pytest.raises(HostError) as raised:
            decode_by_plan(plan, value)
        found.append([each.steps for each in (raised.value, *raised.value.more)])

    both = [["score"], ["note"]]
    assert [both, both if rest is None else [*both, ["other"]], both] == found


def test_undeclared_keys_reach_a_host_that_takes_them():
    made = decode_by_plan(
        make_record(PLANS, dict, LeafDecoder(str)), {"id": 1, "tag-s": [], "b": 2}
    )

    assert {"id": 1, "note": None, "tags": [], "b": "2"} == made


@dataclass
class Inner:
    score: float


INNER = make_record((PLANS[1],), Inner)


def test_each_set_of_absent_fields_is_decoded():
    fields = tuple(FieldPlan(name, name, None, True) for name in "abcdef")
    made = dataclass(type("Made", (), {"__annotations__": dict.fromkeys("abcdef", object)}))
    plan = decoders.make_items(make_record(fields, made))
    rows = [
        {n: n for place, n in enumerate("abcdef") if number >> place & 1} for number in range(64)
    ]
    expected = [made(*[row.get(n) for n in "abcdef"]) for row in rows]

    assert expected == decode_by_plan(plan, rows)


def test_a_class_that_refuses_one_of_many_is_told_with_its_place():
    class Made:
        def __init__(self, a):
            if a == 7:
                raise ValueError("not seven")

    plan = decoders.make_items(make_record((FieldPlan("a", "a", None, False),), Made))

    with pytest.raises(HostError, match="not seven") as raised:
        decode_by_plan(plan, [{"a": number} for number in range(9)])
    assert [7] == raised.value.steps


def test_the_parts_of_a_plan_are_known_by_their_steps():
    row = make_record((PLANS[1],), Inner, REFUSE)
    pair = decoders.TupleDecoder((None, row), tuple)
    later = decoders.LazyDecoder({"row": row}, "row")

    assert [FLOATS, REFUSE] == [get_part_plan(row, step) for step in ("score", "other")]
    assert [row, UNKNOWN] == [get_part_plan(pair, step) for step in (1, 2)]
    assert get_part_plan(pair._replace(open_at=1), 1) is UNKNOWN
    assert [FLOATS] * 2 == [
        get_part_plan(each, "score") for each in (decoders.make_nullable(row), later)
    ]
    assert [row] * 2 == [
        get_part_plan(each, 0)
        for each in (decoders.make_items(row), decoders.MapDecoder(None, row))
    ]
    assert get_part_plan(REFUSE, 0) is UNKNOWN
    assert get_part_plan(None, 0) is None


@pytest.mark.parametrize("value", [{"id": 1}, {"id": 1, "score": 1.5, "note": None, "tag-s": None}])
def test_a_host_that_refuses_the_whole_is_told(value):
    def build(**given):
        raise ValueError("nothing fits")

    with pytest.raises(HostError, match="nothing fits"):
        decode_by_plan(make_record(PLANS, build), value)


def test_refusals_of_items_of_a_map_and_of_a_tuple_have_their_places():
    mapped = decoders.make_map(None, REFUSE)
    placed = decoders.TupleDecoder((REFUSE, None, REFUSE), tuple)
    found = []
    for plan, value in ((mapped, {"a": 1, "b": None, "c": 2}), (placed, [1, 2, 3])):
        with pytest.raises(HostError) as raised:
            decode_by_plan(plan, value)
        found.append([each.steps for each in (raised.value, *raised.value.more)])

    assert [[["a"], ["c"]], [[0], [2]]] == found


def test_a_refused_key_of_a_map_has_its_place():
    with pytest.raises(HostError) as raised:
        decode_by_plan(decoders.make_map(REFUSE, None), {"a": 1})

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
            run_once(decode, decode, wrong)
        raised.value.steps.append("place")
        return raised.value

    def outermost(_value):
        return [run_once(decode, decode, shared) for _ in range(2)], [refusal() for _ in range(2)]

    made, refused = run_once(outermost, outermost, None)

    assert [(1,), (1,)] == made
    # Each has the path of its own place.
    assert [["place"], ["place"]] == [each.steps for each in refused]
    assert [shared, wrong] == asked


NAMED_ALIKE = (
    FieldPlan("id", "id", None, False),
    FieldPlan("score", "score", FLOATS, False),
    FieldPlan("note", "note", REFUSE, True),
    FieldPlan("tags", "tags", REFUSE, False),
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

    sent = dict(given)
    of_map = told(make_record(NAMED_ALIKE, DictFactory(lambda parts: build(**parts))), given)

    assert told(make_record(NAMED_ALIKE, build), given) == of_map
    assert sent == given
    if given is GIVEN[0]:
        assert of_map == {"id": 1, "score": 2.5, "note": "decoded", "tags": "decoded"}


def told(plan, value):
    try:
        return decode_by_plan(plan, value)
    except HostError as error:
        return [(each.message, each.steps) for each in (error, *error.more)]


@pytest.mark.parametrize(
    ("plan", "value"),
    [
        (None, {"a": 1}),
        (REFUSE, ["a"]),
        (decoders.MembersDecoder({}), {"a": 1}),
        (decoders.UnionDecoder(((bool, REFUSE),)), {"a": 1}),
        (decoders.NullableDecoder(REFUSE), {"a": 1}),
        # What is of another kind, such as JSON in a text, has other parts than the plan.
        (decoders.RecordDecoder(PLANS, None), ["a"]),
        (decoders.ItemsDecoder(REFUSE), {"a": 1}),
        (decoders.ItemsDecoder(REFUSE, set), [1, 2]),
        (decoders.TupleDecoder((REFUSE,), tuple), {"a": 1}),
        (decoders.MapDecoder(None, REFUSE), ["a"]),
        (decoders.MapDecoder(None, REFUSE), {"b": 1}),
        (decoders.LazyDecoder({"a": REFUSE}, "a"), {"a": 1}),
    ],
)
def test_a_value_with_refused_parts_is_lost(plan, value):
    assert decode_by_plan(plan, value, BadParts({"a": None})) is LOST


@pytest.mark.parametrize(
    ("plan", "value", "bad", "places"),
    [
        (decoders.ItemsDecoder(REFUSE), ["a", "b", "c"], {1: None}, [[0], [2]]),
        (decoders.TupleDecoder((REFUSE, REFUSE), tuple), ["a", "b"], {1: None}, [[0]]),
        (decoders.MapDecoder(None, REFUSE), {"a": 1, "b": 2}, {"b": None}, [["a"]]),
        (decoders.NullableDecoder(decoders.ItemsDecoder(REFUSE)), ["a", "b"], {0: None}, [[1]]),
        (
            decoders.LazyDecoder({"k": decoders.ItemsDecoder(REFUSE)}, "k"),
            ["a", "b"],
            {0: None},
            [[1]],
        ),
        (LeafDecoder(refuse, False, decoders.ItemsDecoder(REFUSE)), ["a", "b"], {0: None}, [[1]]),
        (decoders.RecordDecoder(PLANS, Item), {"id": "x", "note": "n"}, {"id": None}, [["note"]]),
        (
            decoders.ItemsDecoder(decoders.ItemsDecoder(REFUSE)),
            [["a", "b"], ["c"]],
            {0: BadParts({1: None})},
            [[0, 0], [0, 1]],
        ),
    ],
)
def test_the_other_parts_of_a_value_with_refused_parts_are_decoded(plan, value, bad, places):
    with pytest.raises(HostError) as caught:
        decode_by_plan(plan, value, BadParts(bad))

    assert places == [each.steps for each in (caught.value, *caught.value.more)]
