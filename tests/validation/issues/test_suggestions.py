"""Remedies for dates, times and durations: the sent value in the right form, or the form alone."""

import datetime as dt
import re

import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import typesig
from typesig.algebra.rows.formats import FORMATS, WRITTEN_FORMS
from typesig.algebra.rows.scalars import SCALARS
from typesig.validation.issues.suggestions import Remedy, make_remedy
from typesig.validation.policy import REPAIRS

FORM_NAMES = sorted(WRITTEN_FORMS)
DIGITS = re.compile("[0-9]")


def remedy(format_name: str, text: str) -> str:
    return Remedy(format_name, text).write_text()


#: Ways in which a day is written that can mean no other day.
DAYS = (
    "{0.year:04}/{0.month}/{0.day}", "{0.year:04}.{0.month:02}.{0.day:02}", "{0:%Y%m%d}",
    "{0.year:04}-{0.month}-{0.day}", "{0:%d} {0:%B} {0.year:04}", "{0:%b} {0.day}, {0.year:04}",
    "{0.day}. {0:%b} {0.year:04}", "{0.year:04}-{0.month:02}-{0.day:02}T00:00:00Z",
    "{0.year:04}-{0.month:02}-{0.day:02} 23:59", " {0.year:04}/{0.month:02}/{0.day:02} ",
)  # fmt: skip
#: Ways in which a time of day is written.
TIMES = ("{0.hour}:{0:%M}", "{0:%I}:{0:%M} {0:%p}", "{0:%I}:{0:%M}{0:%p}", "{0:%H:%M}")
OFFSETS = {
    "Z": "Z",
    " Z": "Z",
    "z": "Z",
    "+0200": "+02:00",
    "-05:30": "-05:30",
    " +01:00": "+01:00",
}
years = st.dates(min_value=dt.date(1000, 1, 1))
minutes = st.times().map(lambda t: t.replace(second=0, microsecond=0))


@given(years, st.sampled_from(DAYS))
def test_a_day_in_another_form_is_written_in_the_right_one(day, form):
    sent = form.format(day)
    if sent != day.isoformat():
        assert f"write it as {day.isoformat()}" == remedy("date", sent)


@given(years, st.sampled_from("./-"))
def test_a_day_that_may_be_another_is_not_chosen(day, separator):
    sent = separator.join((str(day.day), str(day.month), f"{day.year:04}"))
    clear = day.day > 12 or day.day == day.month
    expected = day.isoformat() if clear else "YYYY-MM-DD"

    assert f"write it as {expected}" == remedy("date", sent)


@given(minutes, st.sampled_from(TIMES))
def test_a_time_in_another_form_is_written_in_the_right_one(time, form):
    assert f"write it as {time.isoformat()}" == remedy("time", form.format(time))


@given(minutes, st.sampled_from(TIMES), st.sampled_from(sorted(OFFSETS)))
def test_a_time_keeps_its_offset(time, form, offset):
    expected = f"write it as {time.isoformat()}{OFFSETS[offset]}"

    assert expected == remedy("offset-time", form.format(time) + offset)


@given(
    years,
    minutes,
    st.sampled_from(DAYS[:7]),
    st.sampled_from(TIMES),
    st.sampled_from(["", *OFFSETS]),
)
def test_a_moment_in_another_form_is_written_in_the_right_one(day, time, form, clock, offset):
    sent = f"{form.format(day)} {clock.format(time)}{offset}"
    moment = f"{day.isoformat()}T{time.isoformat()}"
    lacking = f"add an offset: {moment}±HH:MM, or Z for UTC"

    assert (f"write it as {moment}{OFFSETS[offset]}" if offset else lacking) == remedy(
        "date-time", sent
    )


@typesig.tool
def wait(time: dt.timedelta) -> float:
    return time.total_seconds()


UNITS = {"h": 3600, " hours": 3600, "m": 60, " minutes": 60, " min": 60, "s": 1, " seconds": 1}


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 5000), st.sampled_from(sorted(UNITS))), min_size=1, max_size=3
    )
)
def test_a_duration_in_words_is_written_with_the_same_length(amounts):
    sent = " and ".join(f"{number}{unit}" for number, unit in amounts)
    length = dt.timedelta(seconds=sum(number * UNITS[unit] for number, unit in amounts))

    written = remedy("duration", sent)
    assert (
        length.total_seconds() == wait.call({"time": written.removeprefix("write it as ")}).result
    )
    assert written == remedy("whole-duration", sent)


@settings(max_examples=500)
@given(
    st.sampled_from(FORM_NAMES),
    st.text("0123456789:-/.TZPHMDSWapm+ hd,", max_size=30) | st.text(max_size=20),
)
def test_a_value_in_a_remedy_is_made_of_what_was_sent(format_name, sent):
    text = remedy(format_name, sent)
    if DIGITS.search(text) is None:
        assert text in ("", f"write it as {WRITTEN_FORMS[format_name]}")
        return
    assert DIGITS.search(sent)
    shown = re.sub("^write it as |^add an offset: |, or Z for UTC$", "", text)
    assert FORMATS[format_name](shown.replace("±HH:MM", "+00:00").replace("THH:MM:SS", "T00:00:00"))
    # Only zeros are added, and numbers are summed up in durations.
    if "duration" not in format_name and not re.search("[ap]\\.?m", sent.lower()):
        assert not {*DIGITS.findall(shown)} - {*DIGITS.findall(sent), "0"} or sent.isalnum()


@pytest.mark.parametrize(
    ("format_name", "sent", "expected"),
    [
        ("date", "tomorrow", "write it as YYYY-MM-DD"),
        ("date", "2026-13-01", ""),
        ("date", "2026/13/01", "write it as YYYY-MM-DD"),
        ("date", "31 foo 2026", "write it as YYYY-MM-DD"),
        ("date", "June 30, 2026", "write it as 2026-06-30"),
        ("offset-time", "9:30 +0200", "write it as 09:30:00+02:00"),
        ("date", "2026110", "write it as YYYY-MM-DD"),
        ("date", "x" * 65, "write it as YYYY-MM-DD"),
        ("time", "25:00:00", ""),
        ("time", "25:00", "write it as HH:MM:SS"),
        ("time", "13 pm", "write it as HH:MM:SS"),
        ("time", "9", "write it as HH:MM:SS"),
        ("time", "12 a.m.", "write it as 00:00:00"),
        ("time", "2026-01-31T09:30", "write it as 09:30:00"),
        ("date-time", "1769853600", "write it as YYYY-MM-DDTHH:MM:SSZ"),
        ("date-time", "30 June 2026", "write it as 2026-06-30THH:MM:SSZ"),
        ("date-time", "2026-02-30T10:00:00+01:00", ""),
        ("date-time", "2026-02-30T10:00Z", "write it as YYYY-MM-DDTHH:MM:SSZ"),
        ("duration", "3600", "write it as P[n]DT[n]H[n]M[n]S"),
        ("duration", "01:30:00", "write it as PT1H30M"),
        ("duration", "1 week, 2 days", "write it as P9D"),
        ("duration", "pt90m", "write it as PT1H30M"),
        ("duration", "PT", "write it as P[n]DT[n]H[n]M[n]S"),
        ("duration", "PT..H", "write it as P[n]DT[n]H[n]M[n]S"),
        ("duration", "0 seconds", "write it as PT0S"),
        ("whole-duration", "PT0.5S", "write it as P[n]DT[n]H[n]M[n]S"),
    ],
)
def test_a_remedy_shows_the_sent_value_or_the_form(format_name, sent, expected):
    assert expected == remedy(format_name, sent)


def test_a_value_of_another_kind_gets_the_form():
    assert "write it as YYYY-MM-DD" == make_remedy("date", 20260131).write_text()
    assert "" == make_remedy("email", "me")
    (error,) = typesig.parse("(at :datetime) -> :any").validate_input({"at": 1769853600}).errors
    assert "(write it as YYYY-MM-DDTHH:MM:SSZ)" in str(error)


def test_no_remedy_of_a_table_has_a_value():
    told = [row.remedy for row in REPAIRS.values()]
    told += [text for row in SCALARS.values() for text in (row.itself, row.flaw)]

    # A limit is not a value.
    assert {SCALARS["int"].flaw} == {text for text in told if DIGITS.search(text)}


@typesig.tool
def log_in(born: dt.date, word: pydantic.SecretStr) -> str:
    return "in"


@pytest.mark.parametrize("read_first", [True, False])
def test_the_remedy_beside_a_secret_has_only_the_form(read_first):
    found = log_in.call({"born": "2031/07/04", "word": "x"})
    if read_first:
        assert found.errors[0].hint

    assert "2031" not in found.text()
    assert "(write it as YYYY-MM-DD)" in found.text()


@given(st.datetimes())
def test_a_datetime_without_an_offset_is_shown_with_the_form_of_one(moment):
    (error,) = typesig.parse(":datetime").validate_output(moment).errors

    assert f"add an offset: {moment.isoformat()}±HH:MM, or Z for UTC" == error.hint
