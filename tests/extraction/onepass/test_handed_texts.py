"""JSON text of which pydantic makes models: what is read is the same as by the check."""

from __future__ import annotations

import enum
import json
import pickle
import random
from types import SimpleNamespace
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, create_model

import typesig
from tests.calls.generated.test_quick import told_by
from tests.calls.generated.test_quick_answers import written
from tests.extraction.onepass.test_handed_models import (
    CHANGES,
    ITEM,
    Aliased,
    Colour,
    Item,
    Part,
    Plain,
    Size,
    Tree,
    state,
    unhanded,
)
from tests.generators import LAW
from typesig.extraction.libraries import pydantic_validators
from typesig.extraction.onepass import plan_reader
from typesig.validation.check import record_checks


class Bounded(BaseModel):
    share: Annotated[float, Field(ge=0, le=1)]
    rate: Annotated[float, Field(gt=0, ge=1, lt=10, le=20)]
    count: Annotated[int, Field(ge=0)]
    label: Annotated[str, Field(min_length=1, max_length=3)]
    tags: Annotated[list[str], Field(max_length=2)]


class Maps(BaseModel):
    counts: dict[str, int]
    lists: dict[str, list[float]]
    parts: dict[str, Part] | None = None
    rows: list[dict[str, str] | None] = []


class Spelled(BaseModel):
    model_config = ConfigDict(extra="forbid")
    first: int = Field(alias="a:b")
    second: int = Field(alias="c")
    third: int | None = Field(default=None, alias='d":')


class Leaf(BaseModel):
    id: int
    tags: list[str]


class Branch(BaseModel):
    name: str
    leaf: Leaf
    other: Leaf | None
    leaves: list[Leaf]


class Empty(BaseModel):
    pass


def told(outcome: Any) -> Any:
    """Return all that *outcome* tells, with what its models consist of."""
    return told_by(outcome), state(outcome.result) if outcome.ok else None


def warm_of(hint: Any, *texts: str) -> Any:
    """Return the contract for *hint*, which has read *texts*."""
    made = typesig.contract(hint)
    for _ in range(24):
        for text in texts:
            made.read(text)
    return made


def assert_same(warm: Any, text: str) -> None:
    with unhanded():
        expected = told(warm._with_mode("enabled").read(text))

    assert expected == told(warm.read(text))


PLAIN = {name: part for name, part in ITEM.items() if name not in ("more", "other")}
PART = {"n": 1, "ratio": 0.5}
BOUNDED = {"share": 0.5, "rate": 1.5, "count": 3, "label": "abc", "tags": ["a"]}
MAPS: dict[str, Any] = {"counts": {"a": 1}, "lists": {"b": [0.5]}, "parts": {"c": PART}, "rows": []}
LEAF = {"id": 1, "tags": ["a"]}
BRANCH = {"name": "x", "leaf": LEAF, "other": LEAF, "leaves": [LEAF, LEAF]}
FITTING: list[tuple[Any, Any]] = [
    (Part, PART),
    (list[Part], [PART]),
    (Plain, PLAIN),
    (list[Plain], [PLAIN, PLAIN]),
    (Bounded, BOUNDED),
    (Maps, MAPS),
    (Maps, {**MAPS, "parts": None, "rows": [{"a": "b"}, None]}),
    (Aliased, {"firstName": "x", "Last": "y"}),
    (Spelled, {"a:b": 1, "c": 2}),
    (Branch, BRANCH),
    (Empty, {}),
]


@pytest.mark.generated
@pytest.mark.parametrize(("hint", "data"), FITTING)
def test_text_that_fits_is_validated_as_it_is(hint: Any, data: Any) -> None:
    text = json.dumps(data)
    warm = warm_of(hint, text)
    for each in (text, json.dumps(data, indent=2), f" {text}\n"):
        assert warm._reader(each) is not None
        assert_same(warm, each)


#: Models, what fits, and texts in which something is odd.
ODD: list[tuple[Any, Any, list[str]]] = [
    (
        Part,
        PART,
        [
            '{"n": 1, "ratio": 2.50}',
            '{"n": 1, "ratio": 0.0}',
            '{"n": 1, "ratio": -0.0}',
            '{"n": 1, "ratio": 0.5, "note": null}',
            '{"n": 1, "ratio": 0.5, "note": "a:b"}',
            '{"n": 1, "ratio": 0.5, "note": "\\": :"}',
            '{"n": 1, "n": 1, "ratio": 0.5}',
            '{"n": "x", "n": 1, "ratio": 0.5}',
            '{"n": 1, "n" :1, "ratio": 0.5}',
            '{"n": 1, "ratio": 0.5, "more": 1}',
            '{"n": 1, "ratio": 0.5, "more": NaN}',
            '{"n": 1, "ratio": 0.5, "Note": "z"}',
            '{"n": 1, "ratio": 1}',
            '{"n": 1, "ratio": -0}',
            '{"n": 1, "ratio": NaN}',
            '{"n": 1, "ratio": 1e999}',
            '{"n": 1, "ratio": 1e-400}',
            '{"n": 1, "ratio": 1.' + "0" * 5_000 + "}",
            '{"n": 1, "ratio": 1' + "0" * 100 + ".0}",
            '{"n": 1, "ratio": 5e-324}',
            '{"n": 1, "ratio": 0.1000000000000000055511151231257827}',
            '{"n": 1.0, "ratio": 0.5}',
            '{"n": 1e2, "ratio": 0.5}',
            '{"n": -0, "ratio": 0.5}',
            '{"n": 01, "ratio": 0.5}',
            '{"n": true, "ratio": 0.5}',
            '{"n": "1", "ratio": 0.5}',
            '{"n": 123456789012345678901234567890, "ratio": 0.5}',
            '{"n": ' + "9" * 400 + ', "ratio": 0.5}',
            '{"n": -' + "9" * 400 + ', "ratio": 0.5}',
            '{"n": ' + "9" * 401 + ', "ratio": 0.5}',
            '{"n": ' + "9" * 5_000 + ', "ratio": 0.5}',
            '{"n": 1, "ratio": 0.5, "note": "\\ud800"}',
            '{"n": 1, "ratio": 0.5, "note": "\ud800"}',
            '{"n": 1, "ratio": 0.5, "note": "\ud83d\ude00"}',
            '{"n": 1, "ratio": 0.5, "note": "\\ud83d\\ude00é\\u0000"}',
            '{"n": 1, "ratio": 0.5, "note": "a\nb"}',
            '{"n": 1, "ratio": 0.5, "note": "' + "a" * 1_100_000 + '"}',
            '{"n": 1, "ratio": 0.5, "note": "' + "9" * 1_000 + '"}',
            '{"n": 1, "ratio": 0.5}]',
            '\ufeff{"n": 1, "ratio": 0.5}',
            '\x0b{"n": 1, "ratio": 0.5}',
            '{"n": 1, "ratio": 0.5,}',
            "{'n': 1, 'ratio': 0.5}",
            '```json\n{"n": 1, "ratio": 0.5}\n```',
            '{"n": 1}',
            '{"N": 1, "ratio": 0.5}',
            "[1, 0.5]",
            "[" * 100_000,
            "null",
            "",
        ],
    ),
    (
        list[Part],
        [PART],
        [
            "[]",
            '{"items": [{"n": 1, "ratio": 0.5}]}',
            '[{"n": 1, "ratio": 0.5}, {"n": 1, "ratio": 0.0, "note": "x"}]',
            '[{"n": 1, "ratio": 0.5}, {"n": 1, "n": 1, "ratio": 0.5}]',
            '[{"n": 1, "ratio": 0.5}, null]',
            '{"n": 1, "ratio": 0.5}',
        ],
    ),
    (
        Bounded,
        BOUNDED,
        [
            json.dumps({**BOUNDED, "share": 1.0}),
            json.dumps({**BOUNDED, "share": 0.0, "rate": 1.0}),
            json.dumps({**BOUNDED, "share": -0.0}),
            json.dumps({**BOUNDED, "share": 1.5, "rate": 10.0}),
            json.dumps({**BOUNDED, "rate": 0.5}),
            json.dumps(BOUNDED).replace("0.5", "1.00000000000000000001"),
            json.dumps(BOUNDED).replace("0.5", "0.99999999999999999999"),
            json.dumps(BOUNDED).replace("0.5", "-1e-400"),
            json.dumps(BOUNDED).replace("0.5", "0.50"),
            json.dumps(BOUNDED).replace("1.5", "9.9999999999999999999"),
            json.dumps({**BOUNDED, "count": 2**63}),
            json.dumps({**BOUNDED, "count": -1}),
            json.dumps({**BOUNDED, "label": "😀😀😀"}),
            json.dumps({**BOUNDED, "label": "😀😀😀😀"}, ensure_ascii=False),
            json.dumps({**BOUNDED, "tags": ["a", "b", "c"]}),
        ],
    ),
    (
        Maps,
        MAPS,
        [
            '{"counts": {"a": 1, "a": 2}, "lists": {}}',
            '{"counts": {"a": 1, "b": 2}, "lists": {"a:": [], "": [1.5]}}',
            '{"counts": {}, "lists": {"b": [1]}}',
            '{"counts": {}, "lists": {}, "parts": {"c": {"n": 1, "ratio": 0.0}}}',
            '{"counts": {}, "lists": {}, "parts": {"c": {"n": 1, "n": 1, "ratio": 0.5}}}',
            '{"counts": {}, "lists": {}, "parts": {"c": {"n": 1, "more": 1, "ratio": 0.5}}}',
            '{"counts": {}, "lists": {}, "rows": [{"a": "b", "a": "c"}]}',
            '{"counts": {}, "lists": {}, "rows": [{"a": "b"}, null, {}]}',
            '{"counts": [["a", 1]], "lists": {}}',
        ],
    ),
    (Empty, {}, ["{} ", '{"a": 1}', "[]"]),
    (
        Branch,
        BRANCH,
        [
            json.dumps({**BRANCH, "other": None, "leaves": []}),
            json.dumps({**BRANCH, "leaves": [LEAF, {**LEAF, "more": 1}]}),
            json.dumps({**BRANCH, "other": {**LEAF, "id": "1"}}),
            json.dumps(BRANCH).replace('"id": 1', '"id": 1, "id": 1', 1),
        ],
    ),
    (
        Spelled,
        {"a:b": 1, "c": 2},
        [
            '{"a:b": 1, "c": 2, "d\\":": 3}',
            '{"a:b": 1, "c": 2, "d\\":": 3, "d\\":": 3}',
            '{"a:b": 1, "\\u0063": 2}',
            '{"a:b": 1, "\\u0063": 2, "c": 2}',
        ],
    ),
    (Plain, PLAIN, [json.dumps({**PLAIN, "parts": [PART, {**PART, "n": True}]})]),
    (Item, ITEM, [json.dumps(ITEM), '{"id": 1}']),
    (Tree, {"n": 1}, ['{"n": 1, "inner": [{"n": 2}]}']),
]


@pytest.mark.parametrize(("hint", "fits", "texts"), ODD)
def test_odd_texts_have_the_same_outcome_each_time(hint: Any, fits: Any, texts: list[str]) -> None:
    warm = warm_of(hint, json.dumps(fits))
    for text in texts:
        assert_same(warm, text)


@pytest.mark.parametrize("change", CHANGES, ids=repr)
def test_the_text_of_a_changed_model_has_the_same_outcome_each_time(change: dict[str, Any]) -> None:
    warm = warm_of(Plain, json.dumps(PLAIN))
    assert_same(warm, json.dumps({**PLAIN, **change}, default=str))


def random_hint(rng: random.Random, depth: int) -> tuple[Any, Any]:
    """Return a hint, and a function that returns a value for it."""
    kind = rng.choice(["int", "float", "str", "bool", "literal", "enum", "bounded"])
    if depth and rng.random() < 0.6:
        kind = rng.choice(["model", "list", "map", "maybe"])
    match kind:
        case "model":
            return random_model(rng, depth)
        case "list":
            inner, value = random_hint(rng, depth - 1)
            return list[inner], lambda: [value() for _ in range(rng.randrange(3))]
        case "map":
            inner, value = random_hint(rng, depth - 1)
            return dict[str, inner], lambda: {key: value() for key in rng.sample(_NAMES, 2)}
        case "maybe":
            inner, value = random_hint(rng, depth - 1)
            return inner | None, lambda: None if rng.random() < 0.3 else value()
        case _:
            hint, values = _SCALARS[kind]
            return hint, lambda: rng.choice(values)


_NAMES = ["a", "b:", "c d", "", 'e"', "é", "f"]
_SCALARS: dict[str, tuple[Any, list[Any]]] = {
    "int": (int, [0, 1, -7, 10**30, 1.0]),
    "float": (float, [0.0, 0.5, -0.0, 1e300, 2.0, 1]),
    "str": (str, ["", "a", "b: c", '":', "\ud800", "日本"]),
    "bool": (bool, [True, False, 1]),
    "literal": (Literal["a", "b"], ["a", "b", "B", "c"]),
    "enum": (Colour, ["red", "blue", "RED"]),
    "bounded": (Annotated[float, Field(gt=0, le=1)], [0.5, 1.0, 0.25, 2.5]),
}
_DEFAULTS: dict[Any, Any] = {
    int: 1, float: 0.5, str: "a", bool: True, Literal["a", "b"]: "b", Colour: Colour.RED,
}  # fmt: skip


def random_model(rng: random.Random, depth: int) -> tuple[Any, Any]:
    """Return a model, and a function that returns data for it."""
    fields: dict[str, Any] = {}
    parts: dict[str, Any] = {}
    for name in ("one", "two", "three")[: rng.randrange(1, 4)]:
        hint, parts[name] = random_hint(rng, depth - 1)
        default = _DEFAULTS.get(hint, ...)
        if repr(hint).startswith(("list", "dict")):
            default = [] if repr(hint).startswith("list") else {}
        if "None" in repr(hint):
            default = None
        fields[name] = hint, default if rng.random() < 0.6 else ...
    made: Any = create_model("Made", **fields)

    def value() -> dict[str, Any]:
        return {name: part() for name, part in parts.items() if rng.random() < 0.85}

    return made, value


@settings(LAW)
@given(st.integers(0, 2**32))
def test_texts_of_models_have_the_same_outcome_each_time(number: int) -> None:
    rng = random.Random(number)
    hint, value = random_model(rng, 3)
    if rng.random() < 0.5:
        one = value
        hint, value = list[hint], lambda: [one() for _ in range(3)]
    warm = warm_of(hint, *[json.dumps(value()) for _ in range(6)])
    for _ in range(12):
        assert_same(warm, written(value(), rng))


@pytest.mark.generated
def test_the_data_of_a_text_is_made_when_it_is_read() -> None:
    text = json.dumps([{"n": 1, "ratio": 0.5, "note": "é"}])
    warm = warm_of(list[Part], text)
    outcome = warm.read(text)
    outcome.result[0].n = 5

    assert outcome.ok
    assert (text, (), True) == outcome._told
    assert [{"n": 1, "ratio": 0.5, "note": "é"}] == outcome.value
    assert outcome.value is outcome.value
    assert '[{"n":1,"ratio":0.5,"note":"é"}]' == outcome.text()
    assert () == warm.read(text).warnings
    copied = pickle.loads(pickle.dumps(warm.read(text)))
    assert copied.value == outcome.value
    assert [Part(n=1, ratio=0.5, note="é")] == copied.result


@pytest.mark.generated
def test_defaults_may_be_absent_in_a_text_that_is_validated_as_it_is() -> None:
    warm = warm_of(Plain, '{"id": 1}')
    # A factory may make anything.
    text = '{"id": 1, "names": []}'
    assert {"id": 1} == warm._reader('{"id": 1}')._told[0]
    outcome = warm.read(text)
    outcome.result.tags.append("a")

    assert (text, (), True) == outcome._told
    assert warm._reader(text).result.tags == []
    assert {"id", "names"} == outcome.result.model_fields_set
    assert_same(warm, text)
    assert_same(warm, '{"id": 1, "names": [], "parts": [{"n": 1}, {"n": 2, "ratio": 0.0}]}')
    assert_same(warm_of(list[Part], '[{"n": 1}]'), '[{"n": 1}, {"n": 2, "note": null}]')


@pytest.mark.generated
def test_any_default_of_a_model_may_be_absent() -> None:
    class Wrong(BaseModel):
        n: int = "x"  # type: ignore[assignment]
        ratio: float = 1
        colour: Colour = Colour.RED
        size: Size | None = Size.LARGE

    warm = warm_of(Wrong, "{}")
    unfilled = typesig.contract(Part, mode=typesig.Policy(defaults=False))
    for _ in range(24):
        unfilled.read(json.dumps(PART))

    for text in ("{}", '{"n": 1}', '{"n": 1, "ratio": 1.0}', '{"n": 1, "ratio": 0.5}'):
        assert_same(warm, text)
    assert "x" == warm._reader("{}").result.n
    assert warm._reader('{"n": 1, "ratio": 0.5}') is not None
    assert unfilled._reader(json.dumps(PART)) is not None
    assert (0.0, {"n": 1}) == (
        unfilled._reader('{"n": 1}').result.ratio,
        unfilled._reader('{"n": 1}').value,
    )


@pytest.mark.generated
def test_the_data_of_many_models_is_filled_in_up_to_a_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fields: dict[str, Any] = {f"n{n}": (list[int], []) for n in range(100)}
    made: Any = create_model("Wide", **fields)
    warm = warm_of(list[made], "[{}]")
    text = "[" + "{}, " * 300 + "{}]"

    assert 301 == len(warm._reader(text).result)
    assert [] == warm._reader(text).value[300]["n99"]
    for each in (record_checks, plan_reader):
        monkeypatch.setattr(each, "MAX_FILLED", 30_000)
    warm = warm_of(list[made], "[{}]")
    assert [] == warm._reader(text).result[300].n99
    assert {} == warm._reader(text).value[300]


@pytest.mark.generated
def test_a_model_that_is_built_again_has_its_texts_read() -> None:
    made: Any = create_model("Again", n=(int, ...))
    warm = warm_of(made, '{"n": 1}')

    assert warm._reader('{"n": 1}') is not None
    made.model_rebuild(force=True)
    assert warm._reader('{"n": 1}') is None
    assert made(n=1) == warm.read('{"n": 1}').result


def test_an_enum_is_compared_by_itself() -> None:
    class Odd(enum.Enum):
        A = "a"
        B = "b"

        def __eq__(self, other: object) -> bool:
            raise RuntimeError

        __hash__ = enum.Enum.__hash__

    made: Any = create_model("OfOdd", n=(int, ...), odd=(Odd | None, None), size=(Size, Size.SMALL))
    text = '{"n": 1, "odd": "b", "size": "s"}'
    warm = warm_of(made, text)

    assert {"n"} | {"odd"} == warm.read(text).result.model_fields_set
    assert warm.read(text).result.odd is Odd.B


@pytest.mark.generated
@pytest.mark.parametrize("reads_data", [True, False])
def test_a_pydantic_that_reads_other_texts_is_handed_none(
    monkeypatch: pytest.MonkeyPatch, reads_data: bool
) -> None:
    make = pydantic_validators.make_validator
    checks = [pydantic_validators.is_data_exact, pydantic_validators._is_text_exact]

    def old(*_: Any) -> Any:
        raise TypeError("an unexpected argument")

    def make_old(schema: Any) -> Any:
        return SimpleNamespace(validate_python=make(schema).validate_python, validate_json=old)

    for check in checks:
        check.cache_clear()
    monkeypatch.setattr(pydantic_validators, "make_validator", make_old if reads_data else old)
    try:
        warm = warm_of(Part, json.dumps(PART))
        assert PART == warm._reader(json.dumps(PART))._told[0]
        assert Part(**PART) == warm.read(json.dumps(PART)).result
    finally:
        for check in checks:
            check.cache_clear()
