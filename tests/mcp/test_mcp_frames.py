"""Frames over standard input and output: lines of bounded length, and answers that are none."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from tests import generators
from typesig.mcp.transport import frames
from typesig.mcp.transport.frames import LineSplitter, OverlongLine, find_request_id

LIMIT = 1_000


def lines_of(parts: list[bytes], limit: int = LIMIT) -> list[str]:
    lines = LineSplitter(limit)
    found = [line for part in parts for line in lines.feed(part)]
    return [*found, *lines.flush()]


@generators.LAW
@given(st.binary(max_size=60), st.lists(st.integers(0, 60)), st.integers(1, 20))
def test_lines_are_those_of_the_whole_however_it_comes(
    text: bytes, cuts: list[int], limit: int
) -> None:
    ends = [0, *sorted(cuts), len(text)]
    found = lines_of([text[a:b] for a, b in pairwise(ends)], limit)
    *lines, rest = text.split(b"\n")
    whole = [*lines, rest] if rest else lines

    assert [len(line) > limit for line in whole] == [type(line) is OverlongLine for line in found]
    assert [line.decode("utf-8", "replace") for line in whole if len(line) <= limit] == [
        line for line in found if type(line) is str
    ]


def test_of_a_long_line_both_ends_are_kept_and_nothing_else() -> None:
    [first, second] = lines_of([b"<" + b"x" * 999, *[b"y" * 100_000] * 100, b">\nnext"])

    assert ("<" + "x" * 399, "y" * 399 + ">") == tuple(first.split("\0"))
    assert "next" == second


@pytest.mark.parametrize(
    ("frame", "number"),
    [
        ('{"id":3,"x', 3),
        ('{"jsonrpc":"2.0","id":"a","x', "a"),
        ('x","id":4}', 4),
        ('x","id":4,"jsonrpc":"2.0"}\n', 4),
        ('x","id":4}}', None),
        ('{"a":{"id":4,', None),
        ("", None),
    ],
)
def test_the_id_of_a_frame_that_is_no_json_is_found_where_it_is_sure(
    frame: str, number: Any
) -> None:
    assert number == find_request_id(frame)


UNREAD = "the server's answer is no message of the protocol"


@pytest.mark.parametrize(
    ("line", "number", "message"),
    [
        ('{"jsonrpc":"2.0","id":1,"result":[1]}', 1, UNREAD),
        ('{"jsonrpc":"2.0","id":"b","error":"x"}', "b", UNREAD),
        ('{"jsonrpc":"2.0","id":1}', 1, UNREAD),
        ('{"id":1,"result":{}}', 1, UNREAD),
        ('{"jsonrpc":"2.0","id":1,"result":{"x":' + "[" * 3000 + "]" * 3000 + "}}", 1, UNREAD),
        (
            OverlongLine('{"jsonrpc":"2.0","id":1,"result":{"x":"\0"}}'),
            1,
            "the server's answer has more than 9 bytes, the limit; ask for less",
        ),
    ],
)
def test_an_answer_that_cannot_be_read_is_an_error_of_its_request(
    line: str, number: Any, message: str
) -> None:
    pytest.importorskip("mcp")
    found = frames.read_answer(line, 9)

    assert (number, message) == (found.id, found.error.message)


@pytest.mark.parametrize(
    "line",
    [
        "", "a banner", "[]", '"id"', '{"id":true,"result":{}}', '{"jsonrpc":"2.0","id":null}',
        '{"jsonrpc":"2.0","id":1,"method":3}', OverlongLine("\0"),
    ],
)  # fmt: skip
def test_what_is_no_answer_at_all_is_no_message(line: str) -> None:
    pytest.importorskip("mcp")

    assert frames.read_answer(line, 9) is None


def test_a_message_is_read() -> None:
    pytest.importorskip("mcp")

    assert {} == frames.read_answer('{"jsonrpc":"2.0","id":1,"result":{}}', 9).result
