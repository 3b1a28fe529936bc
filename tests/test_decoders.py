"""Decoders of records: the quick way of a whole record and the way of each field agree."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

import pytest

from typesig.extraction import decoders
from typesig.extraction.decoders import FieldPlan, HostError, float_of


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
    decode = decoders.named(PLANS, build)

    made = decode(kind({"id": 1, "score": 2, "note": None, "tag-s": ["a"]}))

    assert [1, 2.0, "decoded", ["a"]] == [made.id, made.score, made.note, made.tags]
    assert type(made.score) is float


@pytest.mark.parametrize("build", BUILDS)
def test_an_absent_field_has_the_default_of_the_host_unless_it_is_nil(build):
    decode = decoders.named(PLANS, build)

    made = decode({"id": 1, "other": 2})

    assert [1, 2.5, None, None] == [made.id, made.score, made.note, made.tags]


def test_an_absent_key_of_a_dict_stays_absent_unless_it_is_nil():
    decode = decoders.named(PLANS, None)

    assert {"id": 1, "note": None, "tag-s": None} == decode({"id": 1})


def test_a_dict_that_needs_no_decoding_stays_itself():
    decode = decoders.named(PLANS[:2], None)
    value = {"id": 1, "score": 1.5}

    assert decode(value) is value
    assert {"id": 1, "score": 2.0} == decode({"id": 1, "score": 2})


@pytest.mark.parametrize("build", [Item, None])
@pytest.mark.parametrize("rest", [None, refuse])
def test_all_refusals_of_a_record_are_gathered(build, rest):
    decode = decoders.named(PLANS, build, rest)
    whole = {"id": 1, "score": 10**400, "note": "x", "tag-s": []}
    found = []
    for value in (whole, {**whole, "other": 3}, {"score": 2**53 + 1, "note": 1}):
        with pytest.raises(HostError) as raised:
            decode(value)
        found.append([each.steps for each in (raised.value, *raised.value.more)])

    both = [["score"], ["note"]]
    assert [both, both if rest is None else [*both, ["other"]], both] == found


def test_undeclared_keys_reach_a_host_that_takes_them():
    made = decoders.named(PLANS, dict, str)({"id": 1, "tag-s": [], "b": 2})

    assert {"id": 1, "note": None, "tags": [], "b": "2"} == made


@pytest.mark.parametrize("value", [{"id": 1}, {"id": 1, "score": 1.5, "note": None, "tag-s": None}])
def test_a_host_that_refuses_the_whole_is_told(value):
    def build(**given):
        raise ValueError("nothing fits")

    with pytest.raises(HostError, match="nothing fits"):
        decoders.named(PLANS, build)(value)


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
