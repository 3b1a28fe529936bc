"""Laws of JSON by libraries in C: what they write and read is what the careful way does."""

from __future__ import annotations

import datetime as dt
import importlib.util
import json
import math
import struct
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import msgspec.json
import pydantic_core
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.generators import LAW
from typesig import json_backends
from typesig.algebra.rows.values import Keyword
from typesig.extraction.encoder import encode
from typesig.json_backends import LIBRARIES, UNREAD, Codec, find_loaded_codec
from typesig.limits import MAX_DIGITS
from typesig.notations.texts.quoting import write_compact_json, write_plain_json
from typesig.validation.json_text import BadJson, read_digits, read_json
from typesig.validation.plain_data import to_plain

pytestmark = pytest.mark.skipif(
    not json_backends._IS_SAFE, reason="no library is used under WebAssembly"
)

MODULES: dict[str, Any] = {"msgspec.json": msgspec.json, "pydantic_core": pydantic_core}
if importlib.util.find_spec("orjson") is not None:
    # It has no wheel for WebAssembly.
    MODULES["orjson"] = importlib.import_module("orjson")
CODECS = [LIBRARIES[name](module) for name, module in MODULES.items()]
each_codec = pytest.mark.parametrize("codec", CODECS, ids=list(MODULES))

#: Floats of every size, those of few digits and those near where `json` begins exponents.
FLOATS = (
    st.floats(allow_nan=False, allow_infinity=False)
    | st.builds(
        lambda digits, power: digits * 10.0**power, st.integers(-99, 99), st.integers(-8, 22)
    )
    | st.integers(-(10**6), 10**6).map(lambda n: n / 1000)
)
INTS = st.integers(-(10**25), 10**25) | st.sampled_from([10**MAX_DIGITS, -(2**63), 2**64, 10**450])
TEXTS = st.text(max_size=6) | st.sampled_from(
    ["1e5", "0.0000", "7e-3", "\x7f\x00\u2028", "é\\u", 'a"b', "\ud800", "use-case", "e1"]
)
DATA = st.recursive(
    st.none() | st.booleans() | INTS | FLOATS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def test_the_tested_libraries_are_those_of_the_table() -> None:
    assert LIBRARIES.keys() == {*MODULES, "orjson"}
    known = LIBRARIES["orjson"](SimpleNamespace(loads=json.loads, dumps=lambda data: b"1"))
    assert ("uuid", "UUID") in known.leaves


#: Objects that a library may write, by the name of the class.
OBJECTS: dict[str, st.SearchStrategy[Any]] = {
    "datetime": st.datetimes(timezones=st.just(dt.UTC)),
    "date": st.dates(),
    "time": st.times(),
    "UUID": st.uuids(),
}


@each_codec
@settings(LAW)
@given(st.data())
def test_a_library_writes_objects_as_typesig_does(codec: Codec, data: st.DataObject) -> None:
    for _, name in sorted(codec.leaves):
        made = data.draw(OBJECTS[name])
        assert json.loads(codec.dumps([made])) == [to_plain(encode(made))]


def careful(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_backends, "find_loaded_codec", lambda: None)


@each_codec
@LAW
@given(DATA)
@example([1e16, 1e-5, 0.0001, 5e-324, -0.0, 100.00000000000001, 1e22])
def test_what_a_library_writes_is_what_json_writes(codec: Codec, data: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        careful(patch)
        meant = write_compact_json(data)

    assert codec.write(data) in (None, meant)


@each_codec
@LAW
@given(DATA, st.sampled_from([(",", ":"), (", ", ": "), (" ,\n", "\t: ")]), st.booleans())
def test_what_a_library_reads_is_what_json_reads(
    codec: Codec, data: Any, signs: tuple[str, str], is_ascii: bool
) -> None:
    text = json.dumps(data, separators=signs, ensure_ascii=is_ascii)
    with pytest.MonkeyPatch.context() as patch:
        careful(patch)
        try:
            meant = repr(read_digits(text))
        except BadJson as error:
            meant = str(error)
    made = codec.read(text)

    assert made is UNREAD or repr((made, False)) == meant


@each_codec
@LAW
@given(st.data())
def test_a_spoilt_text_is_read_as_json_reads_it_or_not_at_all(
    codec: Codec, data: st.DataObject
) -> None:
    text = json.dumps(data.draw(DATA))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        sign = st.sampled_from(
            [*'",:[]{}0e.-+ \n', "\\", '"a":1,', "NaN", "Infinity", "1.50", "\ufeff"]
        )
        text = text[:at] + data.draw(sign) + text[at + data.draw(st.integers(0, 2)) :]
    made = codec.read(text)
    with pytest.MonkeyPatch.context() as patch:
        careful(patch)
        try:
            meant = repr(read_digits(text))
        except BadJson:
            meant = ""

    assert made is UNREAD or repr((made, False)) == meant


@each_codec
@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 2}',
        '{"a": {"b": 1, "b": 1}}',
        "[1.50]",
        "[1e5]",
        "-0",
        "[NaN]",
        "[1e400]",
        '["\\u00e9"]',
        "[1,]",
        '{"a": 1} 2',
        "1" * (MAX_DIGITS + 1),
        '"\ud800"',
    ],
)
def test_what_would_lose_something_is_left_to_the_careful_way(codec: Codec, text: str) -> None:
    assert codec.read(text) is UNREAD


@each_codec
def test_what_a_library_does_not_take_is_left_to_the_careful_way(codec: Codec) -> None:
    inside: list[Any] = []
    inside.append(inside)

    assert [None, None] == [codec.write(each) for each in ("\ud800", inside)]
    assert codec.write(Keyword("a")) in (None, '"a"')


@each_codec
def test_usual_texts_are_read_and_written(codec: Codec) -> None:
    rows = [{"id": n, "title": f"row {n}, no 1", "score": n / 7, "tags": []} for n in range(500)]

    assert rows == codec.read(json.dumps(rows))
    assert rows == codec.read(json.dumps(rows, indent=2))
    assert json.dumps(rows, separators=(",", ":")) == codec.write(rows)


@pytest.mark.generated
def test_a_text_that_is_deep_or_has_twins_is_told_the_same_with_a_library() -> None:
    assert find_loaded_codec() is not None
    with pytest.raises(BadJson, match=r"^nested too deep: at most 128 levels$"):
        read_json('{"a": ' + "[" * 200 + "]" * 200 + "}")
    with pytest.raises(BadJson, match=r'^not valid JSON: the key "a" occurs twice$'):
        read_json(json.dumps({"b": "x" * 200})[:-1] + ', "a": 1, "a": 2}')


@pytest.mark.generated
def test_the_first_library_that_is_loaded_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_backends, "_TAKEN", [])
    for name in LIBRARIES:
        monkeypatch.delitem(sys.modules, name, raising=False)

    assert find_loaded_codec() is None
    assert '{"a":1.5}' == write_compact_json({"a": 1.5}) == write_plain_json({"a": 1.5})

    monkeypatch.setitem(sys.modules, "msgspec.json", ModuleType("msgspec.json"))

    assert find_loaded_codec() is None

    monkeypatch.setitem(sys.modules, "pydantic_core", pydantic_core)

    assert find_loaded_codec() is not None
    assert find_loaded_codec() is find_loaded_codec()


@pytest.mark.generated
def test_a_library_that_reads_some_numbers_in_another_way_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def raising(_text: str) -> Any:
        raise ValueError

    def as_floats(text: str) -> Any:
        return json.loads(text, parse_int=float)

    for loads, keeps in ((json.loads, True), (as_floats, False), (raising, False)):
        row = {"json": lambda _, loads=loads: Codec(loads, json.dumps)}
        monkeypatch.setattr(json_backends, "LIBRARIES", row)
        monkeypatch.setattr(json_backends, "_TAKEN", [])
        codec = find_loaded_codec()
        assert codec is not None
        assert keeps is codec.keeps_numbers


@each_codec
def test_floats_of_every_size_are_written_as_python_writes_them_or_not_at_all(codec: Codec) -> None:
    for bits in range(0, 2**64, 2**64 // 20_011):
        number = struct.unpack("d", struct.pack("Q", bits))[0]
        if math.isfinite(number):
            assert codec.write(number) in (None, repr(number))


def test_a_long_text_of_many_brackets_is_read_without_a_library() -> None:
    data = {"rows": [{"a": [n], "b": "a:[" * (n % 3)} for n in range(200)]}
    with pytest.MonkeyPatch.context() as patch:
        careful(patch)

        assert data == read_json(json.dumps(data))
        assert data == read_json(json.dumps(data).replace("[]", "[ ]"))
