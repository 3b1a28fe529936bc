"""Reading text that is nearly JSON takes work in proportion to its length, whatever it holds."""

from __future__ import annotations

import time

import pytest

from tests.growth import assert_growth
from typesig import contract

HOSTILE = {
    "brackets": "[",
    "braces": "{",
    "both": "[{",
    "closed brackets": "[]",
    "closed braces": "{x}",
    "closing": "]",
    "double quotes": '"',
    "quotes and blanks": '" ',
    "quotes and commas": '", ',
    "single quotes": "'",
    "in a list": '["a" ',
    "keys": '{"a": ',
    "bare keys": "{a: ",
    "bare words": "[a b ",
    "fences": "```\n",
    "fences of both kinds": "```json\n~~~\n",
    "thoughts": "<think>",
    "closed thoughts": "<think></think>",
    "thoughts that end": "</think>",
    "comments": "/*",
    "comments in paths": "a/*",
    "comments of a line": "//",
    "comments in a list": "[/*",
    "commas": ",",
    "backslashes": "\\",
    "escaped quotes": '\\"',
    "ellipses": "...",
    "numbers": "1",
    "tokens": "<|",
    "index": "a[0",
    "objects": '{"a": 1}',
    "objects with commas": '{"a": 1,},',
    "quotes in a text": '["a "b" c',
    "keys ahead": '", "a',
    "blanks": " ",
    "words": "yes ",
    "sentences": "It is yes. ",
    "titles": "Answer: ",
    "marks": "**a `b",
    "tags": "<answer> ",
    "citations": "[1] ",
    "colons": '": ',
    "keys ahead that do not end": '", ‚a',
    "parentheses": "(",
    "callbacks": "callback(",
    "three quotes": '"""',
    "three single quotes": "'''a",
    "brackets and blanks": "} ",
    "brackets and commas": "],",
    "remarks": "{} // x\n",
    "comments of a block": "/* x */ ",
    "ends of comments": "*/ ",
    "clauses": "{}, x ",
    "short fences": "``",
    "fences on a line": "```json ",
    "records without an end": '{"a": 1 ',
    "empty lists and objects": "[]{}",
}
ASKED = {hint: contract(hint) for hint in ("[{a :int}]", ":string", ':enum["yes" "no"]|:bool')}


@pytest.mark.once
@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize(
    ("hint", "before"),
    [
        *((hint, "") for hint in ASKED),
        *(("[{a :int}]", before) for before in ('[{"a": "', "[", "So: ")),
    ],
)
def test_the_work_grows_with_the_text(piece: str, hint: str, before: str) -> None:
    asked = ASKED[hint]

    assert_growth(
        lambda size: before + piece * size,
        lambda text: asked.read(text, "lenient"),
        (100, 200, 400),
        spare=10_000,
    )


@pytest.mark.once
@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_the_patterns_take_time_in_proportion_to_the_text(piece: str) -> None:
    """Work within one pattern is not counted, so a long text is compared with a short one."""
    asked = ASKED["[{a :int}]"]

    def seconds(size: int) -> float:
        text = piece * size
        start = time.process_time()
        asked.read(text, "lenient")
        return time.process_time() - start

    seconds(10)
    # A machine that is busy with other work may slow one of the two down.
    assert any(seconds(20_000) < 30 * max(seconds(2_500), 0.004) for _ in range(5))
