"""Models with fields that are decoded from texts, such as dates: read as by the check."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import AwareDatetime, BaseModel, Field, WithJsonSchema, create_model

import typesig
from tests.extraction.onepass.test_handed_models import Colour, assert_same, is_handed, state
from tests.extraction.onepass.test_handed_texts import assert_same as assert_same_text
from tests.extraction.onepass.test_handed_texts import warm_of
from tests.generators import LAW
from typesig.validation.policy import Policy


class Stamp(BaseModel):
    at: dt.datetime
    day: dt.date | None = None
    hour: dt.time = dt.time(9, 30)
    span: dt.timedelta = dt.timedelta(hours=1)
    cost: Decimal = Decimal("1.5")
    key: UUID | None = None
    raw: bytes = b""
    colour: Colour = Colour.RED
    days: list[dt.date] = []
    costs: dict[str, Decimal] = {}


class Log(BaseModel):
    first: Stamp
    all: list[Stamp] = []


STAMP: dict[str, Any] = {
    "at": "2026-01-31T09:30:00Z",
    "day": "2026-01-31",
    "hour": "10:00:00",
    "span": "PT5M",
    "cost": "2.50",
    "key": "12345678-1234-5678-1234-567812345678",
    "raw": "YQ==",
    "colour": "blue",
    "days": ["2026-01-31"],
    "costs": {"a": "0.5"},
}
LEAST = {"at": STAMP["at"]}
TEXTS = [
    *[value for value in STAMP.values() if isinstance(value, str)],
    "2026-01-31T09:30:00.25+02:00", "2026-01-31T09:30:00", "2026-02-31T09:30:00Z",
    "2026-01-31T24:00:00Z", "2026-13-01", "20260131", "09:30:00", "09:30", "PT1H", "PT3600S", "P1Y",
    "1.5", "1.50", "-0", "1e3", "NaN", "Infinity", "x", "", "YQ", "12345678123456781234567812345678",
    None, 1, 1.5, True, [], {}, ["2026-01-31", "x"], {"a": "1"},
]  # fmt: skip
values = st.sampled_from(TEXTS)
stamps = st.fixed_dictionaries({}, optional=dict.fromkeys([*STAMP, "more"], values))
kept = st.sets(st.sampled_from(sorted(STAMP)))


@settings(LAW)
@given(stamps, kept, st.sampled_from(["enabled", "strict", "lenient", "warn_only"]))
def test_any_texts_are_read_as_by_the_check(odd: Any, names: Any, mode: Any) -> None:
    stamp = {**LEAST, **{name: STAMP[name] for name in names}, **odd}
    assert_same(Stamp, stamp, mode)
    assert_same(list[Stamp], [STAMP, stamp], mode)
    assert_same(Log, {"first": STAMP, "all": [stamp]}, mode)


@pytest.mark.parametrize("value", TEXTS, ids=repr)
@pytest.mark.parametrize("name", STAMP)
def test_each_text_is_read_as_by_the_check(name: str, value: Any) -> None:
    assert_same(Stamp, {**STAMP, name: value})


WARM = [warm_of(Stamp, json.dumps(STAMP)), warm_of(list[Stamp], json.dumps([STAMP]))]


@settings(LAW)
@given(stamps, kept)
def test_the_text_of_any_texts_is_read_as_by_the_check(odd: Any, names: Any) -> None:
    stamp = {**LEAST, **{name: STAMP[name] for name in names}, **odd}
    assert_same_text(WARM[0], json.dumps(stamp))
    assert_same_text(WARM[1], json.dumps([STAMP, stamp]))


@pytest.mark.generated
def test_usual_texts_are_handed_over() -> None:
    for data in (STAMP, LEAST):
        assert is_handed(typesig.contract(Stamp), data)
        assert is_handed(typesig.contract(list[Stamp]), [data])
        assert WARM[0]._reader(json.dumps(data)) is not None
        assert_same(list[Stamp], [data])
        assert_same_text(WARM[0], json.dumps(data))
    sent = {
        **LEAST,
        "hour": "09:30:00",
        "span": "PT60M",
        "cost": "1.50",
        "raw": "",
        "colour": "red",
    }
    assert_same_text(WARM[0], json.dumps(sent))
    made = WARM[0]._reader(json.dumps(sent)).result
    assert ({"at"}, "Decimal('1.5')") == (made.model_fields_set, repr(made.cost))
    assert state(made) == state(Stamp(at=made.at))
    assert dt.timezone.utc is made.at.tzinfo  # noqa: UP017 - not that of pydantic


@pytest.mark.parametrize(
    "hint",
    [
        AwareDatetime,
        Annotated[dt.datetime, WithJsonSchema({"type": "string", "format": "date-time"})],
        Annotated[dt.datetime, Field(gt=dt.datetime(2020, 1, 1, tzinfo=dt.timezone.utc))],  # noqa: UP017
        Annotated[Decimal, Field(gt=0)],
        Annotated[dt.date, Field(gt=dt.date(2030, 1, 1))],
    ],
    ids=repr,
)
def test_texts_with_more_to_them_are_read_as_by_the_check(hint: Any) -> None:
    made: Any = create_model("More", value=(hint, ...))
    for text in TEXTS:
        assert_same(made, {"value": text})


@pytest.mark.generated
def test_a_policy_that_tells_of_decoded_texts_has_its_warnings() -> None:
    contract = typesig.contract(Stamp, mode=Policy(verbose=True))
    for _ in range(30):
        assert contract.read(json.dumps(LEAST)).warnings
        assert contract.read(LEAST).warnings
