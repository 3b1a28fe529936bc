"""Texts that are read as they are have the outcomes of those that are read with care."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NotRequired

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typing_extensions import TypedDict

import typesig
from tests.calls.generated.test_quick import told_by
from tests.fast_pairs import plain_type, plain_value
from tests.generators import LAW
from typesig import Signature, json_backends, tool
from typesig.algebra.nodes import Field, Record
from typesig.codegen import Constants
from typesig.json_backends import Codec
from typesig.limits import MAX_VALUE_DEPTH
from typesig.validation.generated.scan_plans import plan_scan
from typesig.validation.issues.ledger import Ledger
from typesig.validation.json_text import has_long_number, has_other_keys


@dataclass
class Mark:
    at: int


@dataclass
class Point:
    x: int
    y: float
    tags: list[str]
    of: Mark | None = None


class Row(TypedDict):
    id: int
    note: NotRequired[str | None]
    score: float


class Nested(TypedDict):
    rows: list[Row]
    by: NotRequired[dict[str, Row]]
    first: Row | None
    either: int | str


def written(value: Any, rng: random.Random) -> str:
    """Return a JSON text of *value*, in which little is as usual, and sometimes something else."""
    is_odd = rng.random() < 0.1
    match value:
        case dict():
            pairs = [(json.dumps(key), written(part, rng)) for key, part in value.items()]
            if is_odd and pairs:
                pairs.append(rng.choice([pairs[0], ('"more"', rng.choice(["1e999", "{}", '":"']))]))
            colon = rng.choice([":", ": ", ":", ": ", " :"])
            return f"{{{', '.join([key + colon + part for key, part in pairs])}}}"
        case list() | tuple():
            return f"[{','.join([written(part, rng) for part in value])}]"
        case float() if is_odd:
            return rng.choice([f"{value!r}0", "1e999", "1" * 30, f"{value!r}" + "0" * 20 + "1"])
        case str():
            more = rng.choice(["", "", "", ":", '":', " :", "\ud800", "x:" * 1_200])
            return json.dumps(value + more if is_odd else value)
        case bool() | None | float():
            return json.dumps(value)
        case int() if is_odd:
            return rng.choice([f"{value}.0", f"{value}.00", "9" * 25, "1" + "0" * 500, "-0"])
        case _:
            return json.dumps(value, default=str)


MODES: list[Any] = ["enabled", "enabled", "strict", "lenient", "warn_only", "json", "disabled"]


def told(read: Callable[[], Any]) -> Any:
    try:
        outcome = read()
        return told_by(outcome), [*map(str, outcome.warnings)]
    except Exception as error:
        return type(error), str(error)


@settings(LAW)
@given(st.integers(0, 2**32))
def test_an_answer_is_read_the_same_each_time(number: int) -> None:
    rng = random.Random(number)
    t = plain_type(rng, 3)
    signature = Signature((), t)
    mode: Any = rng.choice(MODES)
    warm = typesig.contract(signature, mode=mode)
    for _ in range(12):
        warm.read(written(plain_value(t, rng), random.Random(1)))
    for _ in range(6):
        text = written(plain_value(t, rng), rng)
        assert told(lambda text=text: typesig.contract(signature, mode=mode).read(text)) == told(
            lambda text=text: warm.read(text)
        )


@settings(LAW)
@given(st.integers(0, 2**32))
def test_the_text_of_a_call_is_read_the_same_each_time(number: int) -> None:
    def same(a: Any = None, b: Any = None) -> Any:
        return [a, b]

    rng = random.Random(number)
    types = plain_type(rng, 2), plain_type(rng, 2)
    fields = [Field("a", types[0]), Field("b", types[1], rng.random() < 0.5)]
    asked, mode = Signature(fields, typesig.parse(":any").returns), rng.choice(MODES)
    warm, cold = (tool(asked, mode=mode)(same) for _ in range(2))
    arguments = Record(tuple(fields))
    for _ in range(5):
        warm.call(written(plain_value(arguments, rng), random.Random(1)))
    for _ in range(6):
        text = written(plain_value(arguments, rng), rng)
        assert told(lambda text=text: cold.call(text, ledger=Ledger())) == told(
            lambda text=text: warm.call(text)
        )


POINT = {"x": 1, "y": 2.5, "tags": ["a"]}
ROW = {"id": 1, "score": 0.5}
NESTED = {"rows": [ROW, {**ROW, "note": "b"}], "first": ROW, "either": 3}

#: Hints, what fits them, and texts that fit or have something that is not taken as it is.
TEXTS: list[tuple[Any, Any, list[str]]] = [
    (
        Point,
        POINT,
        [
            '{"x": 1, "y": 2.50, "tags": []}',
            '{"x": 1, "x": 2, "y": 2.5, "tags": []}',
            '{"x": 1, "x" :2, "y": 2.5, "tags": []}',
            '{"x": 1, "y": 2.5, "tags": ["a:b", "http://c"]}',
            '{"x": 1, "y": 2.5, "tags": ["a: b", " :", "\\":"]}',
            '{"x" : 1, "y": 2.5, "tags": ["a:"]}',
            '{"x": 1, "y": 1e999, "tags": []}',
            '{"x": 1.0, "y": 1, "tags": []}',
            '{"x": 1, "y": 2.5, "tags": [], "more": 1e999}',
            '{"x": 1, "y": 2.5, "tags": [], "of": {"at": 1}}',
            '{"x": 1, "y": 2.5, "tags": [], "of": {"at": 1, "at": 1}}',
            '{"x": 1, "y": 2.5, "tags": [], "of": null}',
            '{"x": 1, "y": 2.5, "tags": ["\\ud800"]}',
            '{"x": 1, "y": 2.5, "tags": []} ',
            ' {"x": 1, "y": 2.5, "tags": []}',
            '{"x": 1, "y": 2.5, "tags": []}]',
            '{"x": 1, "y": 2.5, "tags": [NaN]}',
            '{"x": 1}',
            '{"x": ' + "9" * 5_000 + "}",
            "",
            "[" * 100_000,
            '{"x": 1, "y": 2.5, "tags": ["' + "a" * 5_000 + '"]}',
            '{"x": 1, "y": 123456789012345678901234567890, "tags": ["' + "a" * 5_000 + '"]}',
            '{"x": 123456789012345678901234567890, "y": 1.5, "tags": ["' + "a" * 5_000 + '"]}',
            '{"x": 1, "x": 1, "y": 1.5, "tags": ["' + "a" * 5_000 + '"]}',
            '{"x": 1, "y": 1.5, "tags": ["\\ud800' + "a" * 5_000 + '"]}',
            '{"x": 1, "y": 1.5, "tags": ["' + "a" * 1_100_000 + '"]}',
            '{"x": 1, "y": 1.' + "0" * 5_000 + ', "tags": []}',
            '{"x": 1, "y": 0.' + "1" * 398 + ', "tags": []}',
            '{"x": -' + "9" * 400 + ', "y": 1.5, "tags": []}',
            '{"x": 1, "y": 1.5, "tags": ["' + "9" * 400 + "é" + "9" * 500 + '"]}',
        ],
    ),
    (
        Nested,
        NESTED,
        [
            json.dumps({**NESTED, "by": {"a:b": ROW, "c": ROW}}),
            json.dumps({**NESTED, "by": {}, "first": None, "either": "a:b"}),
            json.dumps(NESTED)[:-1] + ', "either": 4}',
            json.dumps(NESTED)[:-1] + ', "by": {"a": {"id": 1, "id": 2, "score": 0.5}}}',
            json.dumps({**NESTED, "rows": [{**ROW, "more": 1}]}),
        ],
    ),
    (
        list[Row],
        [ROW],
        ["[]", '[{"id": 1, "score": 2.50}]', '{"items": [{"id": 1, "score": 0.5}]}'],
    ),
    (int | None, 3, ["4", "null", "4.0", '"4"', "4 "]),
    (str, "a", ['"b"', "b", '"a:b"', '"\\""']),
    (dict[str, int], {"a": 1}, ['{"a": 1, "a": 2}', '{"a:": 1}', "{}"]),
    (tuple[int, str], [1, "a"], ['[2, "b:"]', "[2]"]),
    (tuple[Row, int], [ROW, 1], ['[{"id": 1, "id": 1, "score": 0.5}, 1]']),
    (Any, {"a": 1}, ['{"a": 1, "a": 2}', '{"a": 1e999}']),
]


@pytest.mark.parametrize(("hint", "fits", "texts"), TEXTS)
def test_a_text_has_the_same_outcome_each_time(hint: Any, fits: Any, texts: list[str]) -> None:
    warm = typesig.contract(hint)
    for _ in range(5):
        assert warm.read(json.dumps(fits)).ok
    for text in texts:
        long = told(lambda text=text: typesig.contract(hint).read(text))
        assert [long] * 2 == [told(lambda text=text: warm.read(text)) for _ in range(2)]


@pytest.mark.parametrize(
    "text", ["2.50", "2", "-1.5", "0.0", "0.30", "0.3000000000000000001", "1e2"]
)
@pytest.mark.parametrize("t", [":float[0..]", ":float[%0.1]", ":float|:bool", ":float?"])
def test_a_float_of_which_more_is_asked_has_the_same_outcome_each_time(t: str, text: str) -> None:
    hint, sent = f"{{a :int, b {t}}}", f'{{"a": 1, "b": {text}}}'
    warm = typesig.contract(hint)
    for _ in range(5):
        warm.read('{"a": 1, "b": 0.5}')
    long = told(lambda: typesig.contract(hint).read(sent))

    assert [long] * 2 == [told(lambda: warm.read(sent)) for _ in range(2)]


@pytest.mark.parametrize(("hint", "fits", "texts"), TEXTS)
def test_the_text_of_arguments_has_the_same_outcome_each_time(
    hint: Any, fits: Any, texts: list[str]
) -> None:
    def give(value: Any) -> Any:
        return [value]

    give.__annotations__["value"] = hint
    warm = tool(give)
    for _ in range(5):
        assert warm.call(json.dumps({"value": fits})).ok
    for text in texts:
        sent = f'{{"value": {text}}}'
        long = told(lambda sent=sent: tool(give).call(sent, ledger=Ledger()))
        assert [long] * 2 == [told(lambda sent=sent: warm.call(sent)) for _ in range(2)]


@pytest.mark.generated
def test_a_text_that_fits_is_read_by_generated_code(monkeypatch: pytest.MonkeyPatch) -> None:
    made = typesig.contract(Point)
    texts = [json.dumps(POINT), json.dumps({**POINT, "tags": ["http://a", "b" * 3_000]})]
    for _ in range(24):
        made.read(texts[0])
    monkeypatch.setattr(made.__class__, "_read", None)

    for text in texts:
        outcome = made.read(text)
        assert outcome.result == Point(1, 2.5, json.loads(text)["tags"])
        assert json.loads(text) == outcome.value
        assert () == outcome.warnings
        assert "answer" == outcome.stage


@pytest.mark.parametrize("sent", ["[1]", "[1, 2]", b"[1]", bytearray(b"[1]"), None, 1, [1], ["1"]])
def test_what_is_no_text_has_the_same_outcome_each_time(sent: Any) -> None:
    class Odd(str):
        def _raise(self, *_: object) -> Any:
            raise KeyboardInterrupt

        __len__ = count = __iter__ = __getitem__ = _raise

    sent = Odd(sent) if isinstance(sent, str) else sent
    for hint in (list[int], type(None), dict[str, int]):
        warm = typesig.contract(hint)
        for _ in range(5):
            warm.read({list[int]: "[1]", type(None): "null"}.get(hint, "{}"))
        assert told(lambda: typesig.contract(hint).read(sent)) == told(lambda: warm.read(sent))  # noqa: B023

    def give(a: list[int], b: int = 2) -> int:
        return sum(a) + b

    made = tool(give)
    for _ in range(5):
        made.call('{"a": [1]}')
    assert told(lambda: tool(give).call(sent)) == told(lambda: made.call(sent))


@pytest.mark.generated
@pytest.mark.parametrize("codec", [None, Codec(json.loads, lambda _: b"")])
def test_a_long_text_is_read_without_a_library_that_keeps_numbers(
    monkeypatch: pytest.MonkeyPatch, codec: Codec | None
) -> None:
    monkeypatch.setattr(json_backends, "find_loaded_codec", lambda: codec)
    made = typesig.contract(list[Row])
    for count in (100, 100, 100, 100, 5_000):
        assert [ROW] * count == made.read(json.dumps([ROW] * count)).value


@pytest.mark.generated
def test_a_mode_or_a_ledger_is_heard_after_generated_code_was_made() -> None:
    made = typesig.contract(list[int])
    for _ in range(24):
        made.read("[1]")
    ledger = typesig.Ledger()

    assert not made.read('["1"]', "strict").ok
    assert made.read('["1"]', ledger=ledger).ok
    assert made.read("[1]", ledger=ledger).ok
    assert [12] == made.read("[12, 3", partial=True).value
    assert 1 == ledger.count("mended", "int_from_string")


#: Types, an expression of the keys of a value in the variable `x`, and values.
KEYS: list[tuple[str, str | None, Any]] = [
    # No text of such a value has keys.
    (":int", "", 1),
    ("[:string]", "", ["a"]),
    ("{a :int, b :string}", "2", {}),
    ("[{a :int}]", "1 * len(x)", [{"a": 1}]),
    (":map[:string :int]", "(len(x) + 0)", {"a": 1}),
    (
        "{_a :int, b {_c :string, d? :int}}",
        "(1 + ('k0_' in x) + (0 + ('k2_' in x['k1_']) + ('k3_' in x['k1_'])))",
        {},
    ),
    ("[:int, :string]", "", [1, "a"]),
    ("{}", "0", {}),
    ("[:int, {a :int}]", None, None),
    ("{a :any}", None, None),
    ("[:datetime]", None, None),
]


@pytest.mark.parametrize(("text", "keys", "value"), KEYS)
def test_the_keys_of_a_value_are_told_by_its_type(text: str, keys: str | None, value: Any) -> None:
    found = plan_scan(typesig.parse(f"() -> {text}").returns, "x", "text", True, Constants())

    assert keys == (None if found is None else found.differs.rpartition(", ")[2][:-1])


def test_a_key_that_stands_twice_is_found_where_another_is_hidden() -> None:
    signature = typesig.parse("(a {_b :int}, c :int) -> :any")
    made = tool(signature, name="pair")(lambda a, c: [a, c])
    for _ in range(5):
        assert made.call('{"a": {}, "c": 1}').ok

    assert 'the key "c" occurs twice' in made.call('{"a": {}, "c": 1, "c": 2}').report()


def test_a_record_of_very_many_optional_parts_is_read_with_care() -> None:
    fields = ", ".join(f"field_with_a_long_name_{n}? :int" for n in range(200))
    t = typesig.parse(f"() -> {{{fields}}}").returns

    assert plan_scan(t, "x", "text", True, Constants()) is None


@pytest.mark.parametrize(
    ("text", "count", "has"),
    [
        ('{"a": 1}', 1, False),
        ('{"a": "b:"}', 1, False),
        ('{"a": ":"}', 1, True),
        ('{"a": "b :"}', 1, True),
        ('{"a": "\\":"}', 1, True),
        ('{"a": 1, "a" :2}', 1, True),
        ('{"a": 1, "a"\n:2}', 1, True),
        ('{"a": 1, "a": 2}', 1, True),
    ],
)
def test_keys_are_counted_by_their_colons(text: str, count: int, has: bool) -> None:
    assert has is has_other_keys(text, count)


@pytest.mark.parametrize("before", range(0, 60, 7))
@pytest.mark.parametrize("number", ["9", "-9.e+", "1.5"])
def test_a_long_number_is_found_wherever_it_stands(number: str, before: int) -> None:
    odd, long = "é" * before + " ", (number * 500)[:401]

    assert has_long_number(f"{odd}{long},")
    assert not has_long_number(f"{odd}{long[1:]}, {long[1:]}")
    assert not has_long_number(odd)


@dataclass
class Within:
    """A type that contains itself."""

    parts: list[Within]


@pytest.mark.parametrize("hint", [dict[str, Any], Any, list, Within])
def test_texts_that_are_nested_too_deep_are_refused_each_time(hint: Any) -> None:
    made = typesig.contract(hint, recursive=True)

    def text(depth: int) -> str:
        if hint is list:
            return "[" * depth + "]" * depth
        if hint is Within:
            # A list of none is one level.
            return '{"parts": [' * (depth // 2) + "]}" * (depth // 2)
        return '{"a": ' * (depth - 1) + "[]" + "}" * (depth - 1)

    deepest = MAX_VALUE_DEPTH
    found = [(made.read(text(deepest)).ok, made.read(text(deepest + 2)).ok) for _ in range(30)]

    assert found == [(True, False)] * 30


def test_arguments_that_are_nested_too_deep_are_refused_each_time() -> None:
    def count(part: Any) -> int:
        return 1

    made = typesig.tool(count)
    text = '{"part": ' + "[" * MAX_VALUE_DEPTH + "]" * MAX_VALUE_DEPTH + "}"

    assert [made.call(text).ok for _ in range(30)] == [False] * 30
