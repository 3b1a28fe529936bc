"""Laws of reading a text that arrives in pieces."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import LAW, valued
from tests.spoiling import MISTAKES
from tests.validation.test_answers_laws import PIECES, WHOLES
from typesig import Contract, Outcome, Partial, contract
from typesig.listings import render_data


@st.composite
def cut(draw: st.DrawFn, text: str) -> list[str]:
    """Draw *text* in pieces: all, each character, or cut at some places."""
    if draw(st.booleans()):
        return list(text) if draw(st.booleans()) else [text]
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    return [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]


def told(outcome: Outcome[Any]) -> tuple[Any, ...]:
    value = json.dumps(outcome.value) if outcome.ok else None
    return value, outcome.errors, outcome.warnings, outcome.unseen


def is_within(part: Any, whole: Any) -> bool:
    """Whether *part* has nothing that *whole* lacks: some keys of a map, the first items of a list."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(
            key in whole and is_within(item, whole[key]) for key, item in part.items()
        )
    if isinstance(part, list):
        return (
            isinstance(whole, list) and len(part) <= len(whole) and all(map(is_within, part, whole))
        )
    return json.dumps(part) == json.dumps(whole)


def parts_of(
    asked: Contract[Any], chunks: list[str], mode: Any
) -> tuple[list[Partial], Outcome[Any]]:
    stream = asked.stream(mode=mode)
    parts = [stream.feed(chunk) for chunk in [*chunks, ""]]
    return parts, stream.close()


def check(asked: Contract[Any], text: str, chunks: list[str], mode: Any) -> None:
    whole = asked.read(text, mode)
    parts, outcome = parts_of(asked, chunks, mode)
    again, _ = parts_of(asked, [text], mode)

    assert told(whole) == told(outcome)
    # Whatever the pieces are, the same is told.
    assert json.dumps(again[-1].value) == json.dumps(parts[-1].value)
    assert again[-1].missing == parts[-1].missing
    assert again[-1].errors == parts[-1].errors
    assert again[-1].warnings == parts[-1].warnings
    if outcome.ok and "</" not in text:
        for part in parts:
            assert part.errors == ()
            assert part.value is None or is_within(part.value, outcome.value)
    *_, last = asked.stream(chunks, mode)
    assert last.errors == outcome.errors
    assert last.warnings == outcome.warnings
    if outcome.ok:
        assert json.dumps(last.value) == json.dumps(outcome.value)
        assert last.complete


@pytest.mark.parametrize("mode", ["enabled", "lenient", "strict", "warn_only", "disabled"])
@LAW
@given(st.data())
def test_a_stream_ends_as_reading_the_whole_and_shows_only_what_is_in_it(
    mode: Any, data: st.DataObject
) -> None:
    signature, value = data.draw(valued())
    text = json.dumps(render_data(value), indent=data.draw(st.sampled_from([None, 1])))
    asked = contract(signature)

    check(asked, text, data.draw(cut(text)), mode)


ASKED = {
    hint: contract(hint)
    for hint in (
        ":any", ":map", "[:any]", "{a :any}", "{id :int?, name :string?}", "[{id :int?}]", ":string",
        ":map[:string [:int]]", "{id {name {at :int}?}?}",
    )
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("mode", ["enabled", "lenient"])
@LAW
@given(WHOLES, st.sampled_from([*ASKED]), st.data())
def test_a_spoilt_text_in_pieces_shows_only_what_is_in_the_whole(
    mode: Any, mistake: str, value: Any, hint: str, data: st.DataObject
) -> None:
    text = MISTAKES[mistake](value)

    check(ASKED[hint], text, data.draw(cut(text)), mode)


@pytest.mark.parametrize("mode", ["enabled", "lenient"])
@LAW
@given(st.lists(PIECES, max_size=30).map("".join), st.sampled_from([*ASKED]), st.data())
def test_any_text_in_pieces_shows_only_what_is_in_the_whole(
    mode: Any, text: str, hint: str, data: st.DataObject
) -> None:
    check(ASKED[hint], text, data.draw(cut(text)), mode)


@LAW
@given(st.data())
def test_a_part_of_a_text_is_read_as_a_stream_shows_it(data: st.DataObject) -> None:
    signature, value = data.draw(valued())
    text = json.dumps(render_data(value))
    part = text[: data.draw(st.integers(0, len(text)))]
    asked = contract(signature)

    found = asked.read(part, partial=True)
    shown, _ = parts_of(asked, [part], "enabled")

    if found.complete:
        assert part == text
        assert told(asked.read(text))[1:3] == (found.errors, found.warnings)
    else:
        assert json.dumps(found.value) == json.dumps(shown[-1].value)
        assert found.missing
