"""Reading a text in pieces takes work in proportion to its length, whatever the pieces are."""

from __future__ import annotations

import time

import pytest

from tests.growth import assert_growth
from tests.validation.repair.test_repair_growth import HOSTILE
from typesig import contract
from typesig.validation.policy import ModeName

PIECES = {
    **HOSTILE,
    "records in a list": '{"a": "1"}, ',
    "wrong records": '{"a": "x"}, ',
    "fields": '"a": {"b": [1]}, ',
    "deep lists": '{"a": [',
    "deep maps": '{"a": {"a": ',
    "escapes": '"\\\\\\"',
    "ends of thoughts": "[1]</think>",
    "notes": "[1] x\n",
    "indices": "a [1] ",
    "names": '{"a":1}\n',
    "long words": "1234567890",
    "words that are no literals": "true",
    "a text": "word ",
    "escapes in a text": "\\u00e9",
    "half a pair in a text": "\\ud83d",
    "texts": '", "text": "',
}

ASKED = {hint: contract(hint) for hint in ("[{a :int}]", ":any", ":N where N = {a :N?, b [:int]?}")}
BEFORE = ["[", "So: ", "<think>"]
TEXT = "[{text :string, a :string?}]"
ASKED[TEXT] = contract(TEXT)


def one_by_one(text: str, hint: str) -> None:
    stream = ASKED[hint].stream()
    for char in text:
        stream.feed(char)


@pytest.mark.once
@pytest.mark.parametrize("piece", PIECES.values(), ids=PIECES)
@pytest.mark.parametrize(
    ("hint", "before"),
    [
        *((hint, "") for hint in ASKED),
        *(("[{a :int}]", b) for b in BEFORE),
        (TEXT, '[{"text": "'),
    ],
)
def test_the_work_grows_with_the_text_in_single_characters(
    piece: str, hint: str, before: str
) -> None:
    assert_growth(
        lambda size: before + piece * size,
        lambda text: one_by_one(text, hint),
        (25, 100),
        spare=10_000,
    )


@pytest.mark.once
@pytest.mark.parametrize("piece", PIECES.values(), ids=PIECES)
@pytest.mark.parametrize("width", [1, 10**9])
def test_the_patterns_take_time_in_proportion_to_the_text(piece: str, width: int) -> None:
    """Work within one pattern is not counted, so a long text is compared with a short one."""

    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        start = time.process_time()
        stream = ASKED["[{a :int}]"].stream()
        for place in range(0, len(text), width):
            stream.feed(text[place : place + width])
        return time.process_time() - start

    # Each piece that is fed takes time of its own, so fewer of them are enough.
    most = 16_000 if width > 1 else 4_000
    seconds(100)
    # A machine that is busy with other work may slow one of the two down.
    assert any(seconds(most) < 30 * max(seconds(most // 8), 0.004) for _ in range(5))


@pytest.mark.once
@pytest.mark.parametrize("mode", ["enabled", "lenient"])
def test_the_parts_of_a_long_answer_are_told_once(mode: ModeName) -> None:
    """What has been told is not put together again for the next piece."""

    def told(text: str) -> None:
        for part in ASKED[TEXT].stream(text, mode):
            assert len(part.closed) + len(part.pieces) <= 4

    assert_growth(
        lambda size: "[" + ", ".join(['{"text": "some words", "a": "x"}'] * size) + "]",
        told,
        (25, 100),
        spare=20_000,
    )
