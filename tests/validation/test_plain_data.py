"""Numbers keep the digits that they are written with, or there is an issue or a warning."""

from __future__ import annotations

import asyncio
import copy
import enum
import json
import math
import pickle
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import typesig
from tests.cli.test_commands import run
from tests.generators import EXAMPLES, LAW
from typesig import Outcome, TypesigError, contract, tool, tools_of
from typesig.errors import Unsupported
from typesig.limits import MAX_DIGITS
from typesig.validation.coercions import REFUSED, convert_float_to_int, write_number_digits
from typesig.validation.json_text import read_digits
from typesig.validation.plain_data import WrittenFloat, replace_written_floats

MANY = 10**5_000


@st.composite
def literals(draw: st.DrawFn) -> str:
    """Return the text of a JSON number, of few or many digits."""
    sign = draw(st.sampled_from(["", "-"]))
    whole = draw(st.one_of(st.just("0"), st.from_regex(r"[1-9][0-9]{0,30}", fullmatch=True)))
    point = draw(st.one_of(st.just(""), st.from_regex(r"\.[0-9]{1,30}", fullmatch=True)))
    power = draw(st.one_of(st.just(""), st.from_regex(r"[eE][+-]?[0-9]{1,3}", fullmatch=True)))
    return sign + whole + point + power


@dataclass
class Priced:
    price: Decimal
    weight: float
    other: Any = None
    more: list[Decimal] | None = None


def is_told(outcome: Outcome[Any]) -> bool:
    return not outcome.ok or bool(outcome.warnings)


def written_ways(literal: str) -> list[str]:
    """Return texts in which a model may write the number *literal*."""
    return [literal, json.dumps(literal), f"```json\n{literal}\n```", f"Here: [{literal}]"]


@settings(LAW, max_examples=3 * EXAMPLES)
@given(literals())
def test_a_decimal_has_the_digits_that_were_written_or_an_issue(literal: str) -> None:
    for text in written_ways(literal)[:3]:
        outcome = contract(Decimal).read(text, mode="lenient")
        assert not outcome.ok or outcome.result == Decimal(literal)
        # The text of the number itself is kept, too.
        assert not outcome.ok or "." not in literal or outcome.value == literal


@settings(LAW, max_examples=3 * EXAMPLES)
@given(literals())
def test_an_integer_is_the_number_that_was_written_or_there_is_an_issue(literal: str) -> None:
    for text in written_ways(literal)[:3]:
        for mode in ("enabled", "lenient"):
            outcome = contract(int).read(text, mode=mode)
            assert not outcome.ok or outcome.result == Decimal(literal)
            assert type(outcome.result if outcome.ok else 1) is int


@settings(LAW, max_examples=3 * EXAMPLES)
@given(literals())
def test_a_float_is_the_nearest_one_unless_an_integer_is_written_that_no_float_is(
    literal: str,
) -> None:
    bare, quoted, *_ = [contract(float).read(text) for text in written_ways(literal)]
    is_integer = literal.lstrip("-").isdigit()

    assert bare.ok == quoted.ok
    assert not bare.ok or type(bare.result) is type(quoted.result) is float
    assert not bare.ok or bare.result == quoted.result == float(literal)
    assert not bare.ok or not is_integer or Decimal(bare.result) == Decimal(literal)


@pytest.mark.once
@settings(LAW, max_examples=3 * EXAMPLES)
@given(st.lists(literals(), min_size=1, max_size=4), st.sampled_from(["enabled", "lenient"]))
def test_decimals_in_records_keep_their_digits_beside_floats_that_are_ordinary(
    numbers: list[str], mode: Any
) -> None:
    first, *more = numbers
    text = (
        f'{{"price": {first}, "weight": {first}, "other": [{first}], "more": [{",".join(more)}]}}'
    )
    read = contract(Priced).read(text, mode=mode)
    sent: list[Priced] = []

    @tool(mode=mode)
    def take(price: Decimal, weight: float, other: Any, more: list[Decimal]) -> None:
        sent.append(Priced(price, weight, other, more))

    calls = [take.call(text), take.call(json.dumps(text)), take.call(f'{{"input": {text}}}')]
    for taken in [read.result] if read.ok else []:
        assert Decimal(first) == taken.price
        assert [Decimal(each) for each in more] == taken.more
        assert {type(taken.weight), type(taken.other[0])} <= {float, int}
    assert [read.ok] * 3 == [call.ok for call in calls]
    assert [repr(read.result)] * 3 == [repr(one) for one in sent] if read.ok else not sent


@pytest.mark.once
@settings(LAW, max_examples=3 * EXAMPLES)
@given(st.lists(literals(), min_size=1, max_size=3), st.data())
def test_numbers_that_arrive_in_pieces_are_those_of_the_whole(
    numbers: list[str], data: st.DataObject
) -> None:
    text = f"[{','.join(f'[{each},{each}]' for each in numbers)}]"
    cut = data.draw(st.integers(0, len(text)))
    stream = contract(list[tuple[Decimal, float]]).stream([text[:cut], text[cut:]])
    parts = list(stream)
    whole = stream.close()

    assert not whole.ok or [Decimal(each) for each in numbers] == [row[0] for row in whole.result]
    assert not whole.ok or whole.value == parts[-1].value
    assert all(type(row[1]) in (float, int) for row in parts[-1].value or ())


@settings(LAW, max_examples=3 * EXAMPLES)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_whole_float_of_python_becomes_the_integer_of_its_digits(number: float) -> None:
    made = convert_float_to_int(number)

    assert made == Decimal(repr(number)) if made is not REFUSED else not number.is_integer()


@settings(LAW, max_examples=3 * EXAMPLES)
@given(literals(), st.sampled_from([2, 3, 10, 0.1, 0.25]))
def test_a_multiple_is_told_by_the_number_that_the_function_gets(literal: str, step: Any) -> None:
    outcome = contract(typesig.from_json_schema({"type": "number", "multipleOf": step})).read(
        literal
    )
    is_multiple = outcome.ok and Fraction(repr(outcome.result)) % Fraction(repr(step)) == 0

    assert is_multiple == outcome.ok


@pytest.mark.parametrize(
    "literal", ["12345678901234567.89", "1.10", "1e-400", "-0.10", "1E+2", "9007199254740993.0"]
)
def test_a_bare_decimal_is_read_by_its_own_digits(literal: str) -> None:
    assert literal == contract(Decimal).read(literal).value
    assert str(Decimal(literal)) == str(contract(Decimal).read(literal).result)
    assert [Decimal(literal)] == contract(list[Decimal]).read(f"[{literal}]").result
    assert Decimal(literal) == contract(list[Decimal]).read(f"It is\n[{literal}]").result[0]


def test_an_integer_in_exponent_form_is_the_integer_that_is_written() -> None:
    outcome = contract(int).read("1e23", mode="lenient")

    assert 10**23 == outcome.value
    assert ["coerced float 1e23 to int"] == [str(warning) for warning in outcome.warnings]
    assert 10**23 == contract(int).read(1e23, mode="lenient").value
    assert 2 == contract("{n :enum[1 2]}").read('{"n": 2.00}', mode="lenient").value["n"]


@pytest.mark.parametrize(
    "literal",
    ["12345678901234567.89", "1.0000000000000000000001", "1e-400", "1e-99999999999999999999"],
)
def test_a_number_whose_float_is_whole_is_no_integer_itself(literal: str) -> None:
    outcome = contract(int).read(literal, mode="lenient")

    assert [f"expected int, got float {literal}"] == [str(error) for error in outcome.errors]


@pytest.mark.parametrize("literal", ["0e999999999999999999999", "-0.0", "0.00"])
def test_zero_is_the_integer_zero_however_it_is_written(literal: str) -> None:
    assert 0 == contract(int).read(literal, mode="lenient").value


@pytest.mark.parametrize("text", ["9007199254740993", '"9007199254740993"', '"-9007199254740993"'])
def test_an_integer_that_no_float_is_is_refused_bare_and_in_quotes(text: str) -> None:
    outcome = contract(float).read(text)

    assert not outcome.ok
    assert "no float is this number" in str(outcome.errors[0])
    assert 9007199254740992.0 == contract(float).read(text.replace("3", "2")).value * (
        -1 if "-" in text else 1
    )


def test_text_within_arguments_keeps_its_digits_and_leaves_ordinary_floats() -> None:
    sig = typesig.parse("(rows [{price :string[decimal], other :any}]) -> :any")
    inner = '[{"price": 1.10, "other": 1.10}]'
    nested = sig.validate_input({"rows": inner}).value
    whole = sig.validate_input(f'{{"rows": {inner}}}').value

    assert {"rows": [{"price": "1.10", "other": 1.1}]} == nested == whole
    assert {float} == {type(each["rows"][0]["other"]) for each in (nested, whole)}


def test_a_call_in_the_form_of_a_vendor_keeps_digits() -> None:
    sent: list[Any] = []

    @tool
    def pay(prices: dict[str, Decimal], other: Any = None) -> None:
        sent.append((prices, other))

    for provider in ("openai", "anthropic", "gemini"):
        for options in ({}, {"strict": True}) if provider != "gemini" else ({},):
            made = tools_of([pay]).project(provider, **options)  # type: ignore[arg-type, call-overload]
            [one] = made.tools.values()
            text = json.dumps({"prices": "@", "other": "@"}).replace('"@"', "{}", 1)
            assert one.call(text.replace('"@"', "null")).ok
    made = tools_of([pay]).project("openai", strict=True)
    [one] = made.tools.values()
    nested = json.dumps({"prices": '{"a": 1.10}', "other": '{"b": 1.10}'})
    sent.clear()
    outcomes = [one.call(nested), one.call(json.loads(nested)), one.call(nested, mode="disabled")]

    assert [True, True] == [outcome.ok for outcome in outcomes[:2]]
    for prices, other in sent[:2]:
        assert "1.10" == str(prices["a"])
        assert "WrittenFloat" not in repr(type(other["b"] if isinstance(other, dict) else other))


def test_a_written_float_is_a_float_that_is_copied_with_its_digits() -> None:
    written = WrittenFloat("1.10")
    again = [pickle.loads(pickle.dumps(written)), copy.copy(written)]

    assert ["1.10", "1.10"] == [each.digits for each in again]
    assert ([1.5], False) == read_digits("[1.5]")
    assert "1.1" == json.dumps(written)


def test_ordinary_floats_take_the_place_of_written_ones_in_collections() -> None:
    one = WrittenFloat("1.10")
    shared = [one]
    inside: list[Any] = []
    inside.append(inside)
    deep: Any = one
    for _ in range(300):
        deep = [deep]

    assert (1.1, [1.1], {1.1}, frozenset({1.1}), {"a": 1.1}) == replace_written_floats(
        (one, [one], {one}, frozenset({one}), {"a": one})
    )
    made = replace_written_floats([shared, shared, "a"])
    assert made[0] is made[1]
    assert float is type(made[0][0])
    assert inside is replace_written_floats(inside)
    assert deep is replace_written_floats(deep)
    marker = object()
    assert marker is replace_written_floats(marker)


def test_a_text_that_the_command_checks_is_read_by_its_digits(tmp_path: Path) -> None:
    file = tmp_path / "data.json"
    file.write_text('{"n": 12345678901234567.89}')
    found = run("check", "(n :int) -> :any", str(file), "--mode", "lenient")

    assert "got float 12345678901234567.89" in found.output


def test_a_number_that_is_too_long_for_the_digits_of_a_decimal_is_refused() -> None:
    assert REFUSED is write_number_digits(MANY)
    assert REFUSED is write_number_digits(float("nan"))
    assert not contract(Decimal).read(MANY).ok
    assert "7" == contract(Decimal).read(7).value


# -- Integers with more digits than text is written with


class Big(enum.IntFlag):
    LOW = 1
    HIGH = 1 << 20_000


class Colour(enum.Enum):
    RED = "red"


MODES: list[Any] = ["enabled", "strict", "lenient", "warn_only", "json", "disabled"]

ASKED = {
    "role": "assistant",
    "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "give", "arguments": "{}"}}
    ],
}


@dataclass
class Held:
    n: int
    items: list[int]
    other: Any = None


def renderings(outcome: Outcome[Any]) -> list[Any]:
    """Return all that an outcome is written as."""
    again = pickle.loads(pickle.dumps(outcome)) if outcome._subject is None else outcome
    return [
        outcome.text(),
        outcome.report(),
        outcome.feedback(),
        outcome.tree(),
        repr(outcome),
        outcome._repr_html_(),
        [*outcome.__rich_repr__()],
        json.dumps([outcome.for_model(), outcome.for_model(exact=True)] if outcome.ok else []),
        [str(each) for each in (outcome.left_out() if outcome.ok else outcome.errors)],
        repr(again),
    ]


@dataclass(frozen=True)
class Power:
    """An integer by how it is computed, since its digits are not written in reports of a test."""

    sign: int
    power: int
    less: int

    def __call__(self) -> int:
        return self.sign * (10**self.power - self.less)


numbers = st.builds(
    Power, st.sampled_from([1, -1]), st.sampled_from([0, 15, MAX_DIGITS, 5_000]), st.integers(0, 1)
)


#: What has no form in JSON, or is no key there, or has the text of another key.
odd_keys = st.sampled_from([None, True, "true", 1.5, (1,), frozenset([1]), math.nan, "1", Big.LOW])
odd_values = st.sampled_from(
    [object(), math.nan, b"a", Decimal("1E+5000"), {1, "a"}, range(2), [[]]]
)


def built(value: Any) -> Any:
    """Return *value* with the integers that its powers are."""
    match value:
        case Power():
            return value()
        case list() | tuple():
            return type(value)([built(each) for each in value])
        case dict():
            return {built(key): built(each) for key, each in value.items()}
        case Held(items=items, other=other):
            return Held(1, [built(each) for each in items], built(other))
        case _:
            return value


@settings(LAW, max_examples=3 * EXAMPLES)
@given(
    st.recursive(
        numbers | st.just("a") | odd_values,
        lambda inner: (
            st.lists(inner, max_size=2)
            | st.dictionaries(st.sampled_from(["a", "_b"]) | numbers, inner, max_size=2)
            | st.dictionaries(odd_keys | numbers, inner, max_size=3)
            | st.tuples(inner)
            | st.builds(Held, st.just(1), st.lists(numbers, max_size=2), inner)
        ),
        max_leaves=4,
    ),
    st.sampled_from([Any, int, float, list[int], dict[str, int], Held, list, int | str, dict]),
)
def test_each_rendering_of_an_outcome_works_or_the_outcome_is_not_ok(value: Any, hint: Any) -> None:
    value = built(value)

    def give() -> Any:
        return value

    give.__annotations__ = {"return": hint}
    made = tool(give)
    for mode in MODES * 2:
        assert renderings(made.call(mode=mode))


@settings(LAW, max_examples=3 * EXAMPLES)
@given(
    st.recursive(
        numbers | st.just("a"),
        lambda inner: (
            st.lists(inner, max_size=2)
            | st.dictionaries(st.sampled_from(["a", "_b"]) | numbers, inner, max_size=2)
            | st.tuples(inner)
        ),
        max_leaves=4,
    ),
    st.sampled_from([Any, int, float, list[int], dict[str, int], Held, list, int | str, dict]),
)
def test_each_rendering_of_checked_data_works_or_the_outcome_is_not_ok(
    value: Any, hint: Any
) -> None:
    signature = contract(hint).signature
    data = built(value)

    assert renderings(signature.validate_output(data))
    assert renderings(signature.validate_and_coerce(data))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Held(1, [2]), '{"n":1,"items":[2],"other":null}'),
        (b"a", '"YQ=="'),
        ({"a": object()}, '"a: a value of object has no JSON form"'),
        (MANY, '"a number has at most 400 digits; write it as text"'),
        ([[math.nan]], '"[0][0]: JSON has no form for nan"'),
        ({None: 1}, '"a key that has no JSON form"'),
    ],
    ids=["record", "bytes", "object", "digits", "nan", "key"],
)
def test_a_model_reads_what_was_not_checked_or_why_it_cannot_be_written(
    value: Any, text: str
) -> None:
    @tool(mode="disabled")
    def give() -> Any:
        return value

    answers = tools_of(give).project("openai").handle(ASKED)

    assert value is give.call().result
    assert text == give.call().text()
    assert [text.strip('"')] == [answer["content"] for answer in answers]


@pytest.mark.parametrize("hint", [Any, dict, dict[Any, int]])
@pytest.mark.parametrize(
    ("value", "error"),
    [
        ({None: 1}, "a key that has no JSON form"),
        ([{(1, 2): 1}], "[0]: a key that has no JSON form"),
        ({1: 1, "1": 2}, "two keys that are the same text in JSON"),
        ({"a": {Colour.RED: 1, "red": 2}}, "a: two keys that are the same text in JSON"),
        ({True: 1, "true": 2}, "two keys that are the same text in JSON"),
    ],
)
def test_a_result_with_keys_that_json_does_not_have_is_refused(
    value: Any, error: str, hint: Any
) -> None:
    def give() -> Any:
        return value

    give.__annotations__ = {"return": hint}
    outcomes = [tool(give).call() for _ in range(5)]

    assert [[error]] * 5 == [[str(each) for each in outcome.errors] for outcome in outcomes]


@pytest.mark.parametrize(
    ("hint", "value", "place"),
    [
        (int, MANY, ""),
        (float, MANY, ""),
        (Any, MANY, ""),
        (list[int], [1, -MANY], "[1]: "),
        (dict[str, Any], {"a": {"b": MANY}}, "a.b: "),
        (Held, Held(MANY, []), "n: "),
        (Held, Held(1, [1, MANY]), "items[1]: "),
        (Fraction, Fraction(1, MANY), ""),
        (Big, Big.LOW | Big.HIGH, ""),
        (dict[int, int], {MANY: 1}, '["an int of 16610 bits"]: '),
        (type("Own", (int,), {}), type("Own", (int,), {})(MANY), ""),
    ],
    ids=[f"case {number}" for number in range(11)],
)
def test_a_result_with_a_number_of_too_many_digits_is_refused(
    hint: Any, value: Any, place: str
) -> None:
    def give() -> Any:
        return value

    give.__annotations__ = {"return": hint}
    made = tool(give)
    outcomes = [made.call() for _ in range(5)]

    told = [str(error) for outcome in outcomes for error in outcome.errors]
    assert [f"{place}a number has at most 400 digits; write it as text"] * 5 == told
    assert all("400 digits" in outcome.text() for outcome in outcomes)


def test_a_call_of_a_vendor_is_answered_if_the_result_is_too_long() -> None:
    @tool
    def power(n: int) -> int:
        """Return ten to the power of n."""
        return 10**n

    for provider in ("openai", "anthropic", "gemini"):
        projected = tools_of([power]).project(provider)  # type: ignore[arg-type]
        [one] = projected.tools.values()
        assert "400 digits" in one.call({"n": 5_000}).text()
    sent = {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "1", "name": "power", "input": {"n": 5_000}}],
    }
    answered = tools_of([power]).project("anthropic").handle(sent)

    assert "a number has at most 400 digits" in json.dumps(answered)
    assert "400 digits" in asyncio.run(power.acall({"n": 5_000})).text()


@pytest.mark.parametrize("text", [":int", ":float", "[:int]", "{n :int}", ":int?", ":int|:string"])
def test_a_check_refuses_a_number_of_too_many_digits(text: str) -> None:
    sig = typesig.parse(text)
    shape = {"[": [MANY], "{": {"n": MANY}}.get(text[0], MANY)
    for _ in range(30):
        assert [False, False, False] == [
            sig.validate_output(shape).ok,
            sig.validate_and_coerce(shape).ok,
            sig.accepts(shape),
        ]
    assert sig.accepts({"[": [10**399], "{": {"n": -(10**399)}}.get(text[0], 10**399))


def test_an_untyped_number_of_too_many_digits_is_shown_as_null_with_a_warning() -> None:
    outcome = typesig.parse(":any").validate_output({"n": [MANY, 1]})
    warnings = [str(warning) for warning in outcome.left_out()]

    assert '{"n":[null,1]}' == outcome.text()
    assert ["n[0]: JSON has no int of 16610 bits, so null stands for it"] == warnings


def test_the_text_of_a_number_of_too_many_digits_is_refused_with_the_limit() -> None:
    wrong = contract(int).read(json.dumps("1" * 5_000))

    assert "a number has at most 400 digits" in str(wrong.errors[0])
    assert "5000 digits, at most 400" in str(contract(int).read("1" * 5_000).errors[0])
    assert "no float is this number" in str(contract(float).read('"%s"' % ("1" * 300)).errors[0])


def test_a_huge_exponent_is_refused_without_its_digits() -> None:
    @tool
    def give(n: Decimal) -> Decimal:
        return Decimal("1e999999")

    outcome = give.call({"n": "1"})

    assert len(outcome.text()) < 300
    assert not contract(Decimal).read("1e999999").ok
    assert Decimal("1e99999") == contract(Decimal).read('"1e99999"').result


def test_a_default_and_a_constant_of_too_many_digits_are_left_out_with_a_warning() -> None:
    def count(n: int = MANY) -> int:
        return n % 7

    counting = tool(count)
    made = contract(Literal[MANY])  # type: ignore[valid-type]

    assert ["may have 400 digits" in str(each) for each in counting.warnings] == [True]
    assert "count(n? :int) -> :int" in str(tools_of([counting]).listing().text)
    assert MANY % 7 == counting.call().value
    assert ["may have 400 digits" in str(each) for each in made.warnings] == [True]
    assert "Answer with JSON that fits: :any" == made.prompt()


@pytest.mark.parametrize("word", ["maximum", "const", "default", "minLength"])
def test_a_schema_with_a_number_of_too_many_digits_is_refused_with_the_limit(word: str) -> None:
    with pytest.raises(TypesigError) as raised:
        typesig.from_json_schema(f'{{"type": "integer", "{word}": {"1" * 5_000}}}')

    assert "this is not JSON: a number of 5000 digits, at most 400" in str(raised.value)


def test_a_long_integer_is_named_where_its_kind_is_not() -> None:
    found = typesig.parse(":enum[1 2]").validate_output(MANY)

    assert ["expected one of [1, 2], got an int of 16610 bits"] == [str(e) for e in found.errors]


def test_the_validator_of_a_bridge_leaves_digits_to_the_tool() -> None:
    from typesig.bridges.pydantic_ai import _PassthroughValidator

    def pay(price: Decimal) -> None: ...
    def weigh(weight: float) -> None: ...

    text = '{"price": 1.10}'
    [held] = _PassthroughValidator(tool(pay)).validate_json(text).values()
    [ordinary] = _PassthroughValidator(tool(weigh)).validate_json(text).values()

    assert text == held
    assert float is type(ordinary)
    assert {"price": 1.5} == _PassthroughValidator(tool(pay)).validate_json('{"price": 1.5}')
    assert ["[1]"] == [*_PassthroughValidator(tool(pay)).validate_json("[1]").values()]
    assert ["{"] == [*_PassthroughValidator(tool(pay)).validate_json("{").values()]


@pytest.mark.parametrize("hint", [Fraction, complex, Decimal])
def test_the_text_of_a_host_number_has_as_many_digits_as_other_numbers(hint: type) -> None:
    assert contract(hint).read(json.dumps("1" * 300)).ok
    assert "expected string[" in str(contract(hint).read(json.dumps("1" * 5_000)).errors[0])


def test_a_complex_number_beyond_floats_is_refused() -> None:
    found = contract(complex).read('"1e999"')

    assert ['complex has no number so large (got string "1e999")'] == [str(e) for e in found.errors]
    assert 1e300 + 1j == contract(complex).read('"1e300+1j"').result


# -- Numbers in the text of a schema

ROUNDED = [
    ('{"maximum": 12345678901234567.89}', "widened", "maximum"),
    ('{"maximum": 12345678901234568.9}', "narrowed", "maximum"),
    ('{"exclusiveMinimum": 12345678901234568.9}', "widened", "exclusiveMinimum"),
    ('{"minimum": 12345678901234567.89}', "narrowed", "minimum"),
    ('{"const": 0.1000000000000000055}', "narrowed", "const"),
    ('{"enum": [1, 0.1000000000000000055]}', "narrowed", "enum.1"),
    (
        '{"properties": {"a/b": {"multipleOf": 0.1000000000000000055}}}',
        "narrowed",
        "properties.a/b.multipleOf",
    ),
    ('{"minimum": 1e-99999999999999999999}', "widened", "minimum"),
]


@pytest.mark.parametrize(("text", "kind", "path"), ROUNDED)
def test_a_number_of_a_schema_that_no_float_is_is_refused_or_a_loss(
    text: str, kind: str, path: str
) -> None:
    losses = typesig.parse(text, "json_schema", lossy=True).losses

    assert [(kind, path)] == [(loss.kind, ".".join(loss.path)) for loss in losses]
    with pytest.raises(Unsupported, match="a float has fewer digits; write "):
        typesig.from_json_schema(text)
    with pytest.raises(Unsupported, match="a float has fewer digits; write "):
        typesig.from_json_schema(None, text.encode())


def test_a_number_of_a_schema_that_constrains_nothing_is_omitted_as_it_is_written() -> None:
    given = '{"type": "object", "properties": {"a": {"default": 0.1000000000000000055}}}'
    signature = typesig.from_json_schema(given, '{"type": "number"}')

    assert "(a :any = 0.1) -> :float" == str(signature)
    losses = typesig.parse(given, "json_schema").losses
    assert ["omitted"] == [loss.kind for loss in losses]


@pytest.mark.parametrize(
    ("digits", "bound"),
    [
        ("1.10", 1.1),
        ("0.1", 0.1),
        ("1e3", 1000.0),
        ("1E-7", 1e-7),
        ("123456789012345680.0", 123456789012345680.0),
        ("1.5e300", 1.5e300),
        ("-0e99999999999999999999", 0.0),
    ],
)
def test_a_number_of_a_schema_that_a_float_is_has_no_loss(digits: str, bound: float) -> None:
    text = f'{{"type": "number", "maximum": {digits}}}'
    signature = typesig.parse(text, "json_schema")
    losses = signature.losses

    assert () == losses
    assert bound == signature.to_json_schema()["maximum"]


@dataclass
class Odd:
    n: int
    more: Any


def test_a_private_part_without_a_form_in_json_is_left_out_and_told() -> None:
    @tool
    def give() -> Any:
        return {"_held": Odd(1, 10**5_000), "n": 1}

    for _ in range(5):
        out = give.call()

        assert '{"n":1}' == out.text()
        assert ["_held: unexpected key left out of what the model sees"] == [
            str(each) for each in out.left_out()
        ]


def test_a_wrong_number_that_is_only_warned_of_is_shown_as_null_each_time() -> None:
    returns = typesig.parse("() -> {a :float, b :int?}")
    for _ in range(5):
        for check in (returns.validate_output, returns.validate_and_coerce):
            assert '{"a":null}' == check({"a": math.nan}, mode="warn_only").text()


def test_keys_that_are_one_text_are_told_when_a_value_is_written() -> None:
    outcome = typesig.parse("() -> :any").validate_output({1: "a", "1": "b"})

    with pytest.raises(TypesigError, match=r'^\["1"\]: two keys are this text in JSON$'):
        outcome.text()
