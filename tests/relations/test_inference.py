"""Types inferred from samples: single cases and laws."""

from __future__ import annotations

import enum
import random
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW, hostile, lone_signatures, plain_names, texts
from typesig import TypesigError, infer
from typesig.algebra import Keyword
from typesig.algebra.nodes import Record, Type
from typesig.algebra.rows.formats import FORMATS
from typesig.algebra.rows.values import Kind
from typesig.algebra.traversal import transform
from typesig.errors import TooDeep, TooLarge
from typesig.limits import MAX_PLACES, MAX_VALUE_DEPTH
from typesig.relations import (
    Inference,
    NoSample,
    is_subtype,
    observations,
    samples,
)
from typesig.relations.inference import TYPE_MAKERS, infer_type
from typesig.relations.observations import DETAILS, MAX_NAMES, Budget, Options, PlaceObservations
from typesig.relations.sampling.text_samples import FORMAT_TEXTS

NOON = datetime(2027, 1, 31, 12, tzinfo=UTC)


class Color(enum.Enum):
    RED = "red"


class Word(enum.StrEnum):
    YES = "yes"


class Number(enum.IntEnum):
    ONE = 1


def inferred_text(*given: Any, **options: Any) -> str:
    text = typesig.render(infer(*given, **options).returns)
    assert isinstance(text, str)
    return text


PLAIN: list[tuple[tuple[Any, ...], str]] = [
    ((1,), ":int"),
    (("a",), ":string"),
    ((None,), ":nil"),
    ((True,), ":bool"),
    ((1.5, 1), ":float"),
    ((1, True), ":bool|:int"),
    ((1, None), ":int?"),
    (({"a": 1}, [1], "x", 2, True, None), "(:bool|:int|:string|[:int]|{a :int})?"),
    ((NOON, Keyword("k")), ":keyword|:datetime"),
    ((Color.RED,), ":keyword"),
    ((Word.YES, "no"), ":string"),
    ((Number.ONE,), ":int"),
    # lists
    (([],), "[:any]"),
    (([], [1]), "[:int]"),
    (([1, "a"], (None,)), "[(:int|:string)?]"),
    (([{"id": 1, "name": "Alice"}, {"id": 2, "name": "Bob"}],), "[{id :int, name :string}]"),
    (([[], [[1]]],), "[[[:int]]]"),
    (({1, 2}, frozenset("a")), "#{:int|:string}"),
    ((set(),), "#{:any}"),
    (({(1, "a")},), "#{[:int|:string]}"),
    # records: optional and nullable are independent
    (({},), "{}"),
    (({"a": 1}, {}), "{a? :int}"),
    (({"a": 1}, {"a": None}), "{a :int|:nil}"),
    (({"a": 1}, {"a": None}, {}), "{a :int?}"),
    (({"a": None},), "{a :nil}"),
    (({"a": None}, {}), "{a? :nil}"),
    (({"b": 1, "a": {"c": 1}}, {"a": {"d": 2}, "z": 1}), "{b? :int, a {c? :int, d? :int}, z? :int}"),
    # names
    (({"user_id": 1, "user-name": 2},), "{user_id :int, user-name :int}"),
    (({"a-b": 1, "a_b": 2},), '{"a-b" :int, "a_b" :int}'),
    (({"a-b": 1}, {"a_b": 2}), '{"a-b"? :int, "a_b"? :int}'),
    (({"_id": 1, "-id": 2, "": 3, "a b": 4, "é": 5},), '{"_id" :int, "-id" :int, "" :int, "a b" :int, "é" :int}'),
    (({Keyword("a"): 1}, {"a": 2}, {Word.YES: 3}), "{a? :int, yes? :int}"),
    # other keys
    (({1: "a", 2: None},), ":map[:int :string?]"),
    (({1: "a"}, {"x": 2}), ":map[:int|:string :int|:string]"),
    (({"x": 2}, {1: "a"}), ":map[:int|:string :int|:string]"),
    (({Keyword("a"): 1, 2: 2},), ":map[:int|:keyword :int]"),
    (({Keyword("a"): 1, 2: 2}, {"a": 1}), ":map[:int|:string|:keyword :int]"),
    (({"a": 1, 2: 2}, {Keyword("a"): 1}), ":map[:int|:string|:keyword :int]"),
    (({(1, 2): 1, None: 2},), ":map[[:int]? :int]"),
    (({Color.RED: {"a": 1}}, {Color.RED: {}}), ":map[:keyword {a? :int}]"),
]  # fmt: skip


def test_every_format_has_its_row() -> None:
    assert set(FORMATS) == set(FORMAT_TEXTS)


def test_every_kind_has_its_rows() -> None:
    assert set(get_args(Kind)) == set(TYPE_MAKERS) == set(DETAILS)


@pytest.mark.parametrize(("given", "text"), PLAIN, ids=str)
def test_the_type_of_samples(given: tuple[Any, ...], text: str) -> None:
    assert text == inferred_text(*given)
    assert all(infer(*given).accepts(sample) for sample in given)


ROWS = [{"k": word} for word in ("b", "a", "b", "a")]
PAIRS = [{"at": [1, "a"]}, {"at": [2, "b"]}]
DAYS = {"2027-01-31": 1, "2027-02-01": 2.5, "2027-02-02": None}

ASKED: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
    # enums: at most N texts, each twice on average
    ((*ROWS,), {"enums": 2}, '{k :enum["a" "b"]}'),
    ((*ROWS,), {"enums": 1}, "{k :string}"),
    ((*ROWS[:3],), {"enums": 2}, "{k :string}"),
    (("a",), {"enums": 5}, ":string"),
    (("a", "a", None, 1), {"enums": 5}, '(:int|:enum["a"])?'),
    ((Word.YES, "yes"), {"enums": 1}, ':enum["yes"]'),
    (("x" * 300, "x" * 300), {"enums": 1}, ":string"),
    (("x" * 300, "a", "a", "a"), {"enums": 3}, ":string"),
    (({"a": 1}, {"a": 1}), {"enums": 1}, "{a :int}"),
    # maps: more than N names that come and go, with values of one type
    ((DAYS,), {"maps": 2}, ":map[:float?]"),
    ((DAYS,), {"maps": 3}, '{"2027-01-31" :int, "2027-02-01" :float, "2027-02-02" :nil}'),
    ((DAYS, DAYS), {"maps": 2}, '{"2027-01-31" :int, "2027-02-01" :float, "2027-02-02" :nil}'),
    ((DAYS, {}), {"maps": 2}, ":map[:float?]"),
    (({"a": 1, "b": "x"}, {}), {"maps": 1}, "{a? :int, b? :string}"),
    (({"a": {"x": 1}, "b": {"y": 2}},), {"maps": 1}, ":map[:map[:int]]"),
    (({"a": {"x": 1}, "b": {"y": "z"}},), {"maps": 1}, ":map[{x? :int, y? :string}]"),
    (({"a": [1, 2], "b": [], "c": ()},), {"maps": 2}, ":map[[:int]]"),
    (({"a": {1}, "b": {"x"}},), {"maps": 1}, ":map[#{:int|:string}]"),
    (({"a": None, "b": None},), {"maps": 1}, ":map[:nil]"),
    (({"a": {}, Word.YES: {}, Keyword("k"): {}},), {"maps": 2}, ":map[:string|:keyword {}]"),
    (({"a": {1: "x"}, "b": {"y": 1}},), {"maps": 1}, ":map[:map[:int|:string :int|:string]]"),
    (({"a": {"y": 1}, "b": {1: "x"}},), {"maps": 1}, ":map[:map[:int|:string :int|:string]]"),
    (({"a": "x", "b": "x", "c": "y", "d": "y"},), {"maps": 1, "enums": 2}, ':map[:enum["x" "y"]]'),
    (({"a": "x", "b": "y" * 300, "c": "x", "d": "x"},), {"maps": 1, "enums": 2}, ":map[:string]"),
    (({"a": "2027-01-31", "b": "x"},), {"maps": 1, "formats": True}, ":map[:string]"),
    # tuples: lists of one length, if there are two or more or their items differ in kind
    ((*PAIRS,), {"tuples": True}, "{at [:int, :string]}"),
    ((PAIRS[0],), {"tuples": True}, "{at [:int, :string]}"),
    ((*PAIRS, {"at": [1]}), {"tuples": True}, "{at [:int|:string]}"),
    ((*PAIRS, {"at": [1]}, {"at": [1, 2]}), {"tuples": True}, "{at [:int|:string]}"),
    (([1.5, 2],), {"tuples": True}, "[:float]"),
    (([1, None],), {"tuples": True}, "[:int?]"),
    (([[1.5, 2], [3, 4]],), {"tuples": True}, "[[:float, :int]]"),
    (([1], [2]), {"tuples": True}, "[:int]"),
    (([1] * 16, [2] * 16), {"tuples": True}, f"[{', '.join([':int'] * 16)}]"),
    (([1] * 17, [2] * 17), {"tuples": True}, "[:int]"),
    (({"a": [1, 2], "b": [3, 4]},), {"tuples": True, "maps": 1}, ":map[[:int, :int]]"),
    (({"a": [1, 2], "b": [3]},), {"tuples": True, "maps": 1}, ":map[[:int]]"),
    (({"a": [1], "b": [3, 4]},), {"tuples": True, "maps": 1}, ":map[[:int]]"),
    (({"a": [1, 2], "b": [3, 4, 5]},), {"tuples": True, "maps": 1}, ":map[[:int]]"),
    # formats: the first that all texts have
    (("2027-01-31", "2027-02-01"), {"formats": True}, ":string[date]"),
    (("2027-01-31T10:00:00Z",), {"formats": True}, ":string[date-time]"),
    (("2027-01-31T10:00:00",), {"formats": True}, ":string"),
    (("10:00:00", "10:00:00+01:00"), {"formats": True}, ":string[time]"),
    (("PT5M",), {"formats": True}, ":string[duration]"),
    (("123e4567-e89b-12d3-a456-426614174000",), {"formats": True}, ":string[uuid]"),
    (("ann@example.com",), {"formats": True}, ":string[email]"),
    (("https://example.com/a?b=1",), {"formats": True}, ":string[uri]"),
    (("note:1",), {"formats": True}, ":string"),
    (("10.0.0.1", "::1"), {"formats": True}, ":string"),
    (("10.0.0.1",), {"formats": True}, ":string[ipv4]"),
    (("::1",), {"formats": True}, ":string[ipv6]"),
    (("2027-01-31", ""), {"formats": True}, ":string"),
    (("https://example.com/" + "a" * 300,), {"formats": True}, ":string"),
    (("2027-01-31",) * 4, {"formats": True, "enums": 3}, ":string[date]"),
    (("a", "a"), {"formats": True, "enums": 3}, ':enum["a"]'),
    # closed records
    (({"a": {"b": 1}}, {}), {"closed": True}, "{a? {b :int}!}!"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "options", "text"), ASKED, ids=str)
def test_options_refine_the_type(
    given: tuple[Any, ...], options: dict[str, Any], text: str
) -> None:
    assert text == inferred_text(*given, **options)
    assert all(infer(*given, **options).accepts(sample) for sample in given)


def test_the_result_is_a_lone_signature() -> None:
    found = infer([{"id": 1}])

    assert typesig.parse("[{id :int}]") == found
    assert "() -> [{id :int}]" == str(found)


def cyclic() -> list[Any]:
    value: list[Any] = []
    value.extend([value, value])
    return value


REFUSED: list[tuple[Any, type[TypesigError], str]] = [
    ({"a": [1, float("nan")]}, TypesigError, "samples[1].a[1]: JSON has no number nan; leave it out, or null"),
    (float("-inf"), TypesigError, "samples[1]: JSON has no number -inf; leave it out, or null"),
    ([10**400], TypesigError, "samples[1][0]: a number has at most 400 digits; write it as text"),
    (
        {"a b": [{"at": datetime(2027, 1, 31)}]}, TypesigError,
        'samples[1]["a b"][0].at: the datetime 2027-01-31T00:00:00 has no offset; give it a timezone',
    ),
    *[
        (
            {"x": value}, TypesigError,
            f"samples[1].x: a value of {name} has no type; give plain data, such as text, numbers, "
            "lists and dicts",
        )
        for value, name in [(Decimal(1), "Decimal"), (b"x", "bytes"), (date(2027, 1, 31), "date"), (object(), "object")]
    ],
    (
        {1.5: {float("nan"): 1}}, TypesigError,
        'samples[1]["1.5"].NaN: JSON has no number nan; leave it out, or null',
    ),
    (
        cyclic(), TooDeep,
        "samples[1][0][0][0][0][0][0][0][0][0][0]…[0][0][0][0][0][0][0][0][0][0][0][0]: a sample may nest "
        "128 levels, this one has more",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("sample", "error", "message"), REFUSED, ids=range(len(REFUSED)))
def test_a_value_that_is_not_data_is_refused_with_its_path(
    sample: Any, error: type[TypesigError], message: str
) -> None:
    with pytest.raises(error) as raised:
        infer({"fine": 1}, sample)

    assert error is type(raised.value)
    assert message == str(raised.value)


def test_wrong_arguments_are_refused() -> None:
    uses: list[tuple[Callable[[], object], str]] = [
        (infer, "there is no sample; give one or more, such as infer({'id': 1})"),
        (lambda: infer(1, enums=0), "enums must be an int of at least 1, or None; not 0"),
        (lambda: infer(1, maps=True), "maps must be an int of at least 1, or None; not True"),
    ]
    for use, message in uses:
        with pytest.raises(TypesigError) as raised:
            use()

        assert message == str(raised.value)


# Bounds


def nested(levels: int, value: Any = 1) -> Any:
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


def test_samples_nest_as_deep_as_a_type_may() -> None:
    deepest = infer(nested(127))

    assert 128 == deepest.returns.depth
    with pytest.raises(TooDeep, match="a type may nest 128 levels"):
        infer(nested(MAX_VALUE_DEPTH))
    with pytest.raises(TooDeep, match="a sample may nest 128 levels"):
        infer(nested(MAX_VALUE_DEPTH + 1))


def below(levels: int, use: Callable[[], object]) -> object:
    return below(levels - 1, use) if levels else use()


def test_exhausting_the_stack_raises_too_deep() -> None:
    found = Inference()
    found.add(nested(120))
    for use in (lambda: Inference().add(nested(120)), found.signature):
        with pytest.raises(TooDeep, match="deeper than the rest of the call stack allows"):
            below(900, use)


def test_shared_lists_are_observed_once() -> None:
    value: Any = {"a": 1}
    for _ in range(60):
        value = [value, value]

    assert "[" * 60 + "{a :int}" + "]" * 60 == inferred_text(value)


def test_repeated_parts_of_a_large_sample_are_observed_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(observations, "MAX_UNWATCHED", 0)
    row = {"id": 1, "tags": {"x"}}

    assert "[{id :int, tags #{:string}}]" == inferred_text([row] * 5 + [{"id": 2, "tags": {"y"}}])
    assert "[{id :int, tags? #{:string}}]" == inferred_text([row] * 5 + [{"id": 2}])


def test_a_sample_has_a_maximum_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observations, "MAX_SAMPLE", 100)
    assert "[[:int]]" == inferred_text([[1] * 9] * 10, [[1] * 9] * 10)

    with pytest.raises(TooLarge) as raised:
        infer([[1] * 10] * 10)
    assert "samples[0][9]: one sample may have 100 values; give its rows one by one" == str(
        raised.value
    )


def test_the_number_of_names_is_limited() -> None:
    names = {f"k{number}": number for number in range(MAX_PLACES + 1)}
    with pytest.raises(TooLarge) as raised:
        infer(names)

    assert (
        f"samples[0].k{MAX_PLACES}: there are more than 100000 names and lists; with maps=20, for "
        "example, a map of more than 20 keys with values of one type counts once"
    ) == str(raised.value)
    assert ":map[:int]" == inferred_text(names, maps=20)


def test_records_with_ever_new_names_become_a_map_on_request() -> None:
    rows = [{f"k{number}": [number]} for number in range(MAX_NAMES + 50)]

    assert ":map[[:int]]" == inferred_text(*rows, maps=20)
    assert ":map[[:int|:string]]" == inferred_text(*rows, {"x": ["y"]}, maps=20)
    assert ":map[:string|[:int]]" == inferred_text(*rows, {"x": "y"}, maps=20)
    assert inferred_text({"x": "y"}, *rows, maps=20).startswith("{x? :string, k0? [:int], ")
    assert ":map[:map[[:int]]]" == inferred_text({"a": dict(pair for row in rows for pair in row.items()), "b": {}}, maps=1)  # fmt: skip


def test_memory_does_not_grow_with_the_number_of_samples() -> None:
    row = {"id": 1, "tags": ["a", "b"], "user": {"name": None, "at": (1, 2)}, 1: {2}}
    found = Inference(enums=3, maps=9, tuples=True, formats=True)
    found.add(row)
    left = found._budget.places
    for _ in range(100):
        found.add(row)

    assert left == found._budget.places
    assert 101 == found.count


# Laws

_ZONED = st.datetimes(timezones=st.sampled_from([UTC]))
_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-9, 9),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["a", "b", "2027-01-31", "2027-02-01", "::1", "x@y.z"]),
    texts,
)
_ODD = st.one_of(
    _SCALARS,
    _ZONED,
    plain_names.map(Keyword),
    st.sampled_from([Color.RED, Word.YES, Number.ONE]),
)
_HASHABLE = st.recursive(
    _ODD,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(tuple), st.frozensets(inner, max_size=3)
    ),
    max_leaves=4,
)
_NAMES = st.one_of(st.sampled_from(["a", "b", "a-b", "a_b", "_x"]), plain_names, texts)

json_data = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(_NAMES, inner, max_size=4)
    ),
    max_leaves=12,
)

python_data = st.recursive(
    _ODD,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(_NAMES, inner, max_size=4),
        st.dictionaries(st.one_of(_NAMES, _HASHABLE), inner, max_size=4),
        st.sets(_HASHABLE, max_size=4),
    ),
    max_leaves=12,
)

# Samples with a common structure.
several = st.one_of(
    st.lists(python_data, min_size=1, max_size=4),
    st.lists(st.dictionaries(_NAMES, python_data, max_size=4), min_size=1, max_size=4),
    st.lists(json_data, min_size=1, max_size=4),
)

options = st.fixed_dictionaries(
    {},
    optional={
        "enums": st.integers(1, 4),
        "maps": st.integers(1, 3),
        "tuples": st.booleans(),
        "formats": st.booleans(),
        "closed": st.booleans(),
    },
)


def unordered(t: Type) -> Type:
    """Return *t* with the fields of its records sorted by name."""

    def step(part: Type) -> Type:
        if not isinstance(part, Record):
            return part
        return Record(tuple(sorted(part.fields, key=lambda field: field.name)), part.extra)

    return transform(t, step)


@LAW
@given(several, options)
def test_every_sample_conforms_to_its_inferred_type(
    given: list[Any], asked: dict[str, Any]
) -> None:
    found = infer(*given, **asked)

    assert [] == [error for sample in given for error in found.validate_output(sample).errors]
    assert found == typesig.parse(typesig.render(found))


@LAW
@given(hostile(), options)
def test_a_value_is_refused_or_accepted_by_its_inferred_type(
    value: Any, asked: dict[str, Any]
) -> None:
    try:
        found = infer(value, **asked)
    except TypesigError:
        return

    assert found.accepts(value)


@LAW
@given(several, options, st.randoms(use_true_random=False))
def test_the_order_of_samples_changes_only_the_order_of_fields(
    given: list[Any], asked: dict[str, Any], rng: random.Random
) -> None:
    other = given[:]
    rng.shuffle(other)

    assert unordered(infer(*given, **asked).returns) == unordered(infer(*other, **asked).returns)


@LAW
@given(several, options)
def test_repeated_samples_do_not_change_the_type(given: list[Any], asked: dict[str, Any]) -> None:
    assert infer(*given, **asked) == infer(*given, **asked)
    # Enums, maps and tuples depend on how often values occur.
    for counted in ("enums", "maps", "tuples"):
        asked.pop(counted, None)
    assert infer(*given, **asked) == infer(*given, *given, **asked)


@LAW
@given(several, several, options)
def test_merged_observations_are_those_of_all_samples(
    first: list[Any], second: list[Any], asked: dict[str, Any]
) -> None:
    chosen = Options(**asked)
    parts, whole = [PlaceObservations(), PlaceObservations()], PlaceObservations()
    for part, some in zip(parts, (first, second), strict=True):
        for sample in some:
            part.add(sample, Budget(chosen))
            whole.add(sample, Budget(chosen))
    kept = [infer_type(part, chosen) for part in parts]
    merged = observations.merge_observations(parts)

    # Lists that were observed by position are merged position by position, which is another order.
    assert unordered(infer_type(whole, chosen)) == unordered(infer_type(merged, chosen))
    assert kept == [infer_type(part, chosen) for part in parts]


# Without empty lists, whose items are unknown, and without names that fold.
_TELLING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(0, 3), st.just(0.5), st.just("a")),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3),
        st.dictionaries(st.sampled_from(["a", "b", "c d"]), inner, max_size=3),
    ),
    max_leaves=6,
)


@LAW
@given(st.lists(_TELLING, min_size=1, max_size=3), st.lists(_TELLING, min_size=1, max_size=3))
def test_more_samples_widen_a_closedinferred(first: list[Any], second: list[Any]) -> None:
    both = infer(*first, *second, closed=True)

    assert is_subtype(infer(*first, closed=True), both)
    assert is_subtype(infer(*second, closed=True), both)


@LAW
@given(lone_signatures(), options, st.integers(0, 99))
def test_samples_of_a_type_conform_to_the_type_inferred_from_them(
    signature: typesig.Signature, asked: dict[str, Any], seed: int
) -> None:
    try:
        drawn = samples(signature, seed, 5)
    except NoSample:
        return
    found = infer(*drawn, **asked)

    assert all(found.accepts(sample) for sample in drawn)
