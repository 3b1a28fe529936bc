"""Offsets of dates and times that metadata of other libraries asks for, or refuses."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from typing import Annotated, Any

import annotated_types as at
import msgspec
import pytest

import typesig
from typesig import contract, extract, tool

NAIVE, AWARE = "2030-01-02T12:00:00", "2030-01-02T12:00:00Z"


@pytest.mark.parametrize("item", [msgspec.Meta(tz=False), at.Timezone(None)], ids=repr)
@pytest.mark.parametrize(
    ("hint", "shown", "taken", "made", "refused", "error"),
    [
        (
            datetime,
            '(:string "a date and time without an offset")',
            NAIVE,
            datetime(2030, 1, 2, 12),
            AWARE,
            f'expected a datetime without an offset (got string "{AWARE}")',
        ),
        (
            datetime | None,
            '(:string "a date and time without an offset")?',
            NAIVE,
            datetime(2030, 1, 2, 12),
            AWARE,
            f'expected a datetime without an offset (got string "{AWARE}")',
        ),
        (
            time,
            '(:string[time] "without an offset")',
            "12:00:00",
            time(12),
            "12:00:00Z",
            'expected a time without an offset (got string "12:00:00Z")',
        ),
    ],
    ids=str,
)
def test_an_offset_that_is_refused_is_checked_and_told(
    item, hint, shown, taken, made, refused, error
):
    found = contract(Annotated[hint, item])

    assert () == found.warnings
    assert shown == typesig.render(found.signature.returns)
    assert made == found.read(f'"{taken}"').result
    assert [error] == [str(each) for each in found.read(f'"{refused}"').errors]


@pytest.mark.parametrize("item", [msgspec.Meta(tz=True), at.Timezone(...)], ids=repr)
def test_an_offset_that_is_needed_is_in_the_type(item):
    timed, dated = contract(Annotated[time, item]), contract(Annotated[datetime, item])

    assert () == timed.warnings == dated.warnings
    assert ":string[offset-time]" == typesig.render(timed.signature.returns)
    assert ":datetime" == typesig.render(dated.signature.returns)
    assert time(12, tzinfo=UTC) == timed.read('"12:00:00Z"').result
    assert timed.read('"12:00:00"').errors


def test_an_offset_in_a_result_is_checked():
    def give(zone: bool) -> Annotated[datetime, msgspec.Meta(tz=False)]:
        return datetime(2030, 1, 2, 12, tzinfo=UTC if zone else None)

    assert NAIVE == tool(give).call({"zone": False}).value
    assert ["expected a datetime without an offset"] == [
        str(error).partition(" (")[0] for error in tool(give).call({"zone": True}).errors
    ]


def test_an_offset_of_a_value_that_has_none_is_left_out_with_a_warning():
    (warning,) = contract(Annotated[date, msgspec.Meta(tz=True)]).warnings

    assert "a value of it has no offset" == warning.reason


def test_an_offset_and_a_bound_are_told_together():
    hint: Any = Annotated[datetime, "when", msgspec.Meta(tz=False), at.Ge(datetime(2020, 1, 1))]
    found = contract(hint)

    assert (
        '(:string "when, a date and time without an offset, at least 2020-01-01T00:00:00")'
        == typesig.render(found.signature.returns)
    )
    assert found.read(f'"{NAIVE}"').ok
    assert found.read('"2019-01-01T00:00:00"').errors


def test_a_text_beside_an_offset_is_told_with_it():
    found = contract(Annotated[datetime, msgspec.Meta(tz=False, description="when")])

    assert '(:string "when, a date and time without an offset")' == typesig.render(
        found.signature.returns
    )


def test_an_offset_under_the_ptc_runner_profile():
    def take(when: Annotated[datetime, at.Timezone(None)], at_: Annotated[time, at.Timezone(...)]):
        raise AssertionError("it is not called")

    assert "(when :string, at_ :string) -> :any" == str(
        extract(take, profile="ptc_runner").signature
    )
