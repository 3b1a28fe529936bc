"""JSON text is read in whole-text steps, with the same results as piece by piece."""

from __future__ import annotations

import json
from random import Random
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import LAW
from typesig.limits import MAX_DIGITS, MAX_VALUE_DEPTH
from typesig.validation import json_text
from typesig.validation.json_text import BadJson, read_json

PIECES = [
    "[", "]", "{", "}", '"', "\\", "\\\\", '\\"', "1", "-", ".5", "e9", "1e999", " ", ",", ":",
    "true", "NaN", "a", "é", "\ud800", "\ufeff", '"a":1', '"b"', '"[", ""', "[" * MAX_VALUE_DEPTH,
    "9" * 301, "9" * (MAX_DIGITS + 1), '"' + "9" * 301 + '"', "0.5" * 50,
]  # fmt: skip


def read_piece_by_piece(source: str) -> object:
    """Return the data of *source*, reading each piece and each number."""
    json_text._check_depth(source)
    try:
        return json_text._CAREFUL.decode(source)
    except json.JSONDecodeError as error:
        raise json_text._make_not_json(error) from None


def told(read, source):
    """Return what *read* makes of *source*, or its refusal."""
    try:
        return repr(read(source))
    except BadJson as error:
        return type(error), str(error), error.at


@LAW
@given(st.integers(0, 2**32))
def test_a_text_is_read_as_it_is_piece_by_piece(seed):
    random = Random(seed)
    text = "".join(random.choices(PIECES, k=random.randint(1, 14))).removeprefix("\ufeff")

    assert told(read_piece_by_piece, text) == told(read_json, text)


def object_text(random: Random, levels: int) -> str:
    """Return the text of an object with few names, of which some may stand twice."""
    names = ['"a"', '"b:"', '":"', '"c\\":"', '"\\u003a"', '"{"']
    values = ["1", '"x"', '"at 10:30"', '"\\":"', '"[:"', "[]", "1.5", "NaN", "1e999", "tru"]
    fields = []
    for _ in range(random.choice((0, 1, 1, 2, 2, 3))):
        inner = object_text(random, levels - 1) if levels else "null"
        value = random.choice((inner, f"[{inner}, {inner}]", random.choice(values[: 7 + levels])))
        colon = random.choice((":", ": ", " : "))
        fields.append(f"{random.choice(names)}{colon}{value}")
    return "{" + ", ".join(fields) + "}" + random.choice(("", "", "", " ", "\n", "x")[: 4 + levels])


@LAW
@given(st.integers(0, 2**32))
def test_an_object_is_read_as_it_is_key_by_key(seed):
    text = object_text(Random(seed), 3)
    with (
        mock.patch.object(json_text, "_LONG_TEXT", 0),
        mock.patch.object(json_text, "MAX_VALUE_DEPTH", 2),
        mock.patch.object(json_text, "_SHALLOW", 2),
    ):
        told_here = told(read_piece_by_piece, text), told(read_json, text)

    assert told_here[0] == told_here[1]


@pytest.mark.parametrize(
    "fields",
    [
        '"a": "x", "b": "y"',
        '"a": "10:30", "b": ":"',
        '"a": "x", "a": "y"',
        '"a": "x", "a": ":"',
        '"a" : "x", "a":"y"',
        '"a": NaN, "b": 1',
        '"a": "\\":", "b\\\\": 1',
        '"a": 1, "b": tru',
        '"a": 1, "a": 2, "b": tru',
    ],
)
def test_a_long_text_has_each_key_once(fields):
    text = "[" + ", ".join(["{" + fields + "}"] * 100) + "]"

    assert len(text) > json_text._LONG_TEXT
    assert told(read_piece_by_piece, text) == told(read_json, text)


@pytest.mark.parametrize("inner", ['"[[["', '"a\\"[["', '"\\\\"', "[1, 2.5]", '{"a": "{{"}', "1e3"])
def test_a_long_list_is_read_whatever_its_items_are(inner):
    text = f"[{', '.join([inner] * (2 * MAX_VALUE_DEPTH))}]"

    assert json.loads(text) == read_json(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[" * 200 + "]" * 200, "nested too deep"),
        ('["]", ' + "[" * MAX_VALUE_DEPTH + "]" * MAX_VALUE_DEPTH + "]", "nested too deep"),
        ('\\"a"' + "[" * 200, "nested too deep"),
        ('NaN\\"a"' + "[" * 200, "nested too deep"),
        ("[" + "1, " * 200 + "1e400]", "the number 1e400 is too large"),
        ("[" + "1, " * 200 + "9" * (MAX_DIGITS + 1) + "]", "a number of 401 digits"),
        ("[" + "1, " * 200 + "9" * 350 + ".5]", "is too large"),
        ("\ufeff1", "Unexpected UTF-8 BOM"),
    ],
)
def test_a_limit_is_noticed_in_a_long_text(text, reason):
    with pytest.raises(BadJson, match=reason):
        read_json(text)


def test_a_long_number_within_a_string_is_text():
    text = json.dumps({"a": "9" * 500, "b": "1e999", "c": [1] * 100})

    assert json.loads(text) == read_json(text)


def test_bytes_beyond_the_limit_are_refused(monkeypatch):
    monkeypatch.setattr(json_text, "MAX_JSON", 10)

    with pytest.raises(BadJson, match="too large: 41 bytes, at most 10 characters"):
        read_json(b" " * 41)


def test_a_text_with_many_brackets_and_colons_in_strings_is_read_once():
    data = [[{"a": "b: [c", "d": {}}]] * (MAX_VALUE_DEPTH + 1)

    with mock.patch.object(json_text, "_PLAIN", None):
        assert data == read_json(json.dumps(data))
