"""Parsers of texts in the usual form: a list is parsed as each of its texts is."""

from __future__ import annotations

import datetime as dt
import re
import sys
from collections.abc import Callable
from decimal import Decimal
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.generators import LAW
from typesig import contract, json_backends
from typesig.extraction.python_types.text_readers import (
    PARSERS,
    Parser,
    find_parser,
    make_moment_parser,
    make_plain_moment_parser,
)

#: Texts in the usual form, and others of each class.
USUAL: dict[str, list[str]] = {
    "datetime": ["2026-01-31T10:00:00Z", "2024-02-29T23:59:59Z", "0001-01-01T00:00:00Z"],
    "date": ["2026-01-31", "2024-02-29", "9999-12-31"],
    "time": ["10:00:00", "00:00:00", "23:59:59"],
    "duration": [
        "PT1M",
        "P1D",
        "PT2H3S",
        "P10DT2H30M05S",
        "PT000000S",
        "P99999999DT99999999M",
        "PT1H9M",
    ],
    "uuid": ["12345678-1234-5678-1234-56781234567b", "ABCDEFAB-0000-FFFF-aaaa-000000000000"],
}
ODD = [
    "", " ", "2026-01-31T24:00:00Z", "24:00:00", "2026-02-30", "2026-13-01T00:00:00Z", "10:61:00",
    "２０２６-01-31", "2026-W01-1", "2026-1-031", "PT", "P", "P1", "PTM", "P1DT", "PT123456789M", "P1W",
    "PT1S1M", "PT1M\nPT1M", "-PT1M", "PT-1M", "PT+1M", "PT1_0M", "PT1.5S", "P1M", "PT1D", "PT1m",
    "PT１M", "0x345678-1234-5678-1234-567812345678", "12345678-1234-5678-1234-56781234567g",
    "12345678-1234-5678-1234-5678 1234567", "12345678-1234-5678-1234-5678 123456 ",
    "12345678-1234-5678-1234-5678123456_7", "1234567-81234-5678-1234-567812345678",
    "{12345678-1234-5678-1234-567812345678}", "12345678-1234-5678-1234-567812345678\n", "\ud800",
    "2026-01-31T10:00:00.5Z", "2026-01-31T10:00:00+01:00", "2026-01-31t10:00:00Z", "10:00:00Z",
]  # fmt: skip
CLASSES: dict[str, Any] = {"date": dt.date, "time": dt.time, "duration": dt.timedelta, "uuid": UUID}
PARSED: dict[str, Parser] = {
    "datetime": make_moment_parser(),
    **{
        name: PARSERS[name, f"{cls.__module__}.{cls.__name__}"](cls)
        for name, cls in CLASSES.items()
    },
}
each_kind = pytest.mark.parametrize("kind", USUAL)


@pytest.fixture(params=["alone", "msgspec"])
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Use no JSON library, then msgspec."""
    codec = None
    if request.param == "msgspec":
        pytest.importorskip("msgspec")
        codec = json_backends.LIBRARIES["msgspec.json"](sys.modules["msgspec"].json)
        assert codec.convert is not None
    monkeypatch.setattr(json_backends, "find_loaded_codec", lambda: codec)
    return str(request.param)


def parse_each(parse: Callable[[str], Any], texts: list[Any]) -> Any:
    """Return the objects of *texts*, or an error if one has none."""
    try:
        return [parse(text) for text in texts]
    except (ValueError, TypeError):
        return ValueError


def parse_all(parser: Parser, texts: list[Any]) -> Any:
    """Return the objects of the list *texts*, or an error."""
    assert parser.parse_list is not None
    try:
        return parser.parse_list(texts)
    except ValueError:
        return ValueError


@each_kind
def test_a_list_in_the_usual_form_is_parsed_at_once(kind: str, library: str) -> None:
    parser, texts = PARSED[kind], USUAL[kind]

    made = parse_all(parser, texts * 3)

    assert made == parse_each(parser.parse, texts * 3)
    assert [*map(repr, made)] == [*map(repr, parse_each(parser.parse, texts * 3))]
    assert [*map(type, made)] == [type(made[0])] * len(made)


class Text(str):
    """Text of a subclass."""


@each_kind
def test_a_list_with_another_text_is_left_to_the_parser_of_one(kind: str, library: str) -> None:
    parser, texts = PARSED[kind], USUAL[kind]
    for odd in [*ODD, Text(texts[0]), 3, None, b"PT1M"]:
        if type(odd) is str and parse_each(parser.parse, [odd]) is not ValueError:
            continue
        for place in range(len(texts)):
            assert parse_all(parser, [*texts[:place], odd, *texts[place:]]) is ValueError, odd


@each_kind
@LAW
@given(data=st.data())
def test_what_a_list_is_parsed_to_is_what_its_texts_are(kind: str, data: st.DataObject) -> None:
    known = st.sampled_from([*USUAL[kind], *ODD])
    forms = {
        "datetime": r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", "date": r"\d{4}-\d\d-\d\d",
        "time": r"\d\d:\d\d:\d\d", "duration": r"P(\d{0,9}D)?(T(\d{0,9}H)?(\d{0,9}M)?(\d{0,9}S)?)?",
        "uuid": r"[0-9a-fA-F]{8}-[0-9a-fxX]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    }  # fmt: skip
    drawn = st.from_regex(re.compile(forms[kind]), fullmatch=True)
    texts = data.draw(st.lists(drawn | st.sampled_from(USUAL[kind]) | known, max_size=4))
    parser = PARSED[kind]

    for codec in (None, json_backends.find_loaded_codec()):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(json_backends, "find_loaded_codec", lambda codec=codec: codec)
            made = parse_all(parser, texts)
        if made is not ValueError:
            assert made == parse_each(parser.parse, texts)
            assert repr(made) == repr(parse_each(parser.parse, texts))


@LAW
@given(st.text() | st.from_regex(r"[0-9a-fA-FxX_ -]{36}", fullmatch=True))
@example("0x345678-1234-5678-1234-567812345678")
@example("12345678-1234-5678-1234-5678123456_7")
@example("12345678-1234-5678-1234-56781234567é")
@example("12345678-1234-5678-1234-56781234567g")
@example("12345678-1234-5678-1234-567812345678")
def test_only_the_usual_form_of_a_uuid_is_parsed(text: str) -> None:
    is_usual = re.fullmatch("-".join([f"[0-9a-fA-F]{{{n}}}" for n in (8, 4, 4, 4, 12)]), text)

    made = parse_each(PARSED["uuid"].parse, [text])

    assert made == ([UUID(text)] if is_usual and text[-1] != "\n" else ValueError)


def test_plain_moments_of_a_list_are_the_texts() -> None:
    parser, texts = make_plain_moment_parser(), USUAL["datetime"]

    assert parse_all(parser, texts) == texts
    assert parse_all(parser, texts) is not texts
    assert parse_all(parser, ["2026-01-31T10:00:00+01:00"]) is ValueError
    assert parser.parse("2026-01-31T10:00:00.50+00:00") == "2026-01-31T10:00:00.500000Z"


def test_classes_without_a_form_of_lists() -> None:
    for key in [("decimal", "decimal.Decimal"), ("base64", "builtins.bytes")]:
        assert PARSERS[key](Decimal).parse_list is None
    assert find_parser((), Decimal) is None


def test_a_library_that_cannot_convert_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(texts: list[str], cls: type) -> list[Any]:
        raise RuntimeError

    for convert in (None, refuse):
        codec = json_backends.Codec(lambda text: None, lambda data: b"", convert=convert)
        monkeypatch.setattr(json_backends, "find_loaded_codec", lambda codec=codec: codec)
        assert json_backends.convert_texts(["PT1M"], dt.timedelta) is None
    monkeypatch.setitem(sys.modules, "msgspec", SimpleNamespace())
    module: Any = SimpleNamespace(Decoder=lambda: SimpleNamespace(decode=None))
    module.Encoder = lambda: SimpleNamespace(encode=None)
    assert json_backends.LIBRARIES["msgspec.json"](module).convert is None


@pytest.mark.parametrize("hint", [list[dt.timedelta], set[UUID], tuple[dt.date, ...]])
def test_collections_of_texts_are_read_as_the_first_time(hint: Any) -> None:
    kind = {"timedelta": "duration", "UUID": "uuid", "date": "date"}[hint.__args__[0].__name__]
    reader, texts = contract(hint), USUAL[kind]
    other = [texts[0], {"date": "2026-02-30", "uuid": "x", "duration": "PT"}[kind]]
    first = reader.read(texts).result

    for _ in range(100):
        assert reader.read(texts).result == first
    assert not reader.read(other).ok
    assert reader.read([texts[0]]).result == type(first)(
        [next(iter(reader.read(texts[:1]).result))]
    )
