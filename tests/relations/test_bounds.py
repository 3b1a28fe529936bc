"""Bounds: hostile or careless input costs bounded time, and is an error or an issue, not a crash."""

from __future__ import annotations

import asyncio
import enum
import itertools
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

import typesig
from typesig import ToolError, tool
from typesig.errors import SignatureSyntaxError, TooDeep, TooLarge
from typesig.limits import MAX_CHAIN, MAX_ITEMS


class Color(enum.Enum):
    RED = "red"


class Word(enum.StrEnum):
    YES = "yes"


def test_a_named_type_is_strict_in_a_union_in_strict_mode() -> None:
    key = "1"
    strict = typesig.parse("() -> :bool|{k :map[:K :K]} where K = :int")
    outcome = strict.validate_and_coerce({"k": {key: key}}, "strict")

    assert not outcome.ok


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("() -> :one[:A, :B] where A = {x :int}!, B = {y :int}!", {"x": "3"}, {"x": 3}),
        ("() -> :int|:T[1..3] where T = {a :int, b :int = 5}", {"a": 1}, {"a": 1, "b": 5}),
        ("() -> :int|(:T & {c? :int}) where T = {a :int, b :int = 5}", {"a": 1}, {"a": 1, "b": 5}),
    ],
)
def test_coercions_and_defaults_of_a_named_type_are_kept(
    text: str, value: Any, expected: Any
) -> None:
    assert expected == typesig.parse(text).validate_and_coerce(value).value


@pytest.mark.parametrize(("written", "meant"), [("True", "true"), ("None", "nil"), ("none", "nil")])
def test_a_default_in_pythons_spelling_has_a_remedy(written: str, meant: str) -> None:
    with pytest.raises(SignatureSyntaxError) as raised:
        typesig.parse(f"(a :any = {written}) -> :any")

    assert f"it is written {meant}" == raised.value.message


def test_a_member_of_an_enum_is_a_keyword() -> None:
    made = tool("() -> {a :keyword, b [:keyword]}")(_giving({"a": Color.RED, "b": [Word.YES]}))

    assert {"a": "red", "b": ["yes"]} == made.call().value
    assert typesig.parse(":keyword").accepts(Color.RED)
    assert typesig.parse(":keyword").accepts(Word.YES)
    assert "red" == typesig.parse(":keyword").validate_output(Color.RED).value


def _giving(value: Any) -> Callable[[], Any]:
    def f():  # type: ignore[no-untyped-def]
        return value

    return f


def test_a_tool_error_of_a_generator_is_an_outcome_too() -> None:
    @tool
    def rows(n: int) -> Iterator[int]:
        yield n
        raise ToolError("no such order")

    assert ["no such order"] == [str(error) for error in rows.call({"n": 1}).errors]


def test_the_items_of_a_failed_iterator_are_kept() -> None:
    @tool
    def rows() -> Iterator[int]:
        return map(abs, [-1, 2])

    outcome = rows.call()

    assert ([1, 2], [1, 2]) == (outcome.value, outcome.result)


def test_an_endless_iterator_ends_in_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typesig.calls.running.MAX_ITEMS", 1_000)

    @tool
    def rows() -> Iterator[int]:
        return itertools.count()

    with pytest.raises(TooLarge, match="rows returned an iterator of more than 1000 items"):
        rows.call()
    assert MAX_ITEMS > 1_000


def test_an_endless_asynchronous_iterator_ends_in_an_error_and_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("typesig.calls.running.MAX_ITEMS", 1_000)
    closed = []

    @tool
    async def rows() -> AsyncIterator[int]:
        try:
            for number in itertools.count():
                yield number
        finally:
            closed.append(True)

    with pytest.raises(TooLarge, match="rows returned an iterator of more than 1000 items"):
        asyncio.run(rows.acall())
    assert [True] == closed


def test_an_asynchronous_iterator_need_not_be_a_generator() -> None:
    class Countdown:
        def __init__(self) -> None:
            self.left = 3

        def __aiter__(self) -> Countdown:
            return self

        async def __anext__(self) -> int:
            self.left -= 1
            if self.left < 0:
                raise StopAsyncIteration
            return self.left

    @tool
    async def rows() -> AsyncIterator[int]:
        return Countdown()

    assert [2, 1, 0] == asyncio.run(rows.acall()).result


def test_a_chain_of_names_has_a_limit() -> None:
    def chain(count: int) -> str:
        links = [f"A{number} = :A{number + 1}" for number in range(count)]
        return "() -> :A0 where " + ", ".join([*links, f"A{count} = :int"])

    assert typesig.parse(chain(MAX_CHAIN - 2)).accepts(3)
    with pytest.raises((TooDeep, SignatureSyntaxError), match="a name may lead to a name"):
        typesig.parse(chain(MAX_CHAIN + 1))


def test_the_time_for_doubled_names_is_linear_in_their_number() -> None:
    links = [f'A{number} = :A{number + 1}|(:A{number + 1} "x")' for number in range(40)]
    signature = typesig.parse("() -> {a :A0} where " + ", ".join([*links, "A40 = :int"]))

    assert ["a: expected int, got nil (missing)"] == [
        str(error) for error in signature.validate_output({}).errors
    ]


def test_the_time_for_nested_exactly_one_is_linear_in_the_depth() -> None:
    depth = 40
    signature = typesig.parse(":one[" * depth + ":int" + ", :string]" * depth)

    assert not signature.validate_output([[1]]).ok
    assert signature.validate_output(1).ok


def test_the_time_for_large_signatures_and_data_is_linear() -> None:
    many = range(5_000)
    fields = typesig.parse("{" + ", ".join(f"f{n} :int" for n in many) + "}")
    values = typesig.parse(":enum[" + " ".join(f"v{n}" for n in many) + "]")
    closed = typesig.parse("{a :int}!")
    text = "{" + ", ".join(f'"k{n}": 1' for n in range(50_000)) + ', "k0": 2}'

    assert fields.accepts({f"f{n}": n for n in many})
    assert [False] * 50 == [values.accepts(f"v{n}x") for n in range(50)]
    assert 1_000 == len(closed.validate_output({f"b{n}": 1 for n in range(2_000)}).errors)
    take = tool("(k0? :int) -> :any")(lambda_named())
    assert ['the arguments are not valid JSON: the key "k0" occurs twice'] == [
        str(error) for error in take.call(text).errors
    ]


def lambda_named() -> Callable[..., Any]:
    def take(**named: Any) -> int:
        return len(named)

    return take


def test_a_nearly_full_stack_is_an_issue_not_an_exception() -> None:
    tree = typesig.parse(":T where T = {c [:T]}")
    value: Any = {"c": []}
    for _ in range(100):
        value = {"c": [value]}

    def deeper(levels: int) -> Any:
        return deeper(levels - 1) if levels else tree.validate_output(value)

    outcomes = [deeper(levels) for levels in range(0, sys.getrecursionlimit() - 250, 50)]

    assert {"depth"} >= {error.code for outcome in outcomes for error in outcome.errors}


def test_a_result_inside_itself_is_an_issue() -> None:
    loop: list[Any] = []
    loop.append(loop)
    outcome = tool("() -> :any")(_giving(loop)).call()

    assert "nested too deep, or inside itself" in outcome.report()


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("() -> :int whereA = :int", "is not allowed here"),
        (':string["a"]', 'a text is not a constraint; one of several values is written :enum["a"]'),
        ('"x"', "a text is not a type; a type begins with a colon, as in :string"),
        ('{a "x}', "this text has no closing double quote"),
        (":string[//]", "an empty pattern is written /(?:)/"),
        (":string[/a/b/]", "a / within a pattern is written \\/"),
        (":int [1..5]", "the bracket of a refinement directly follows the type: :int[1..5]"),
        ("(:int) -> :int", "parameters are written in parentheses, with names"),
        (":int -> :string", "parameters are written in parentheses, with names"),
        ('{"id": int}', 'the colon belongs to the type: write "id" :int'),
        ("{name: string}", "the colon belongs to the type: write name :string"),
        ("{name: str}", "the colon belongs to the type: name :…, and write :string"),
        ("{a :int; b :int}", "a ; begins a comment, which hides the rest of its line"),
        ("(*args :int) -> :int", "other named arguments are written ** :any"),
        (":int or :string", "any of two types is :a|:b"),
        ("() → :int", "the arrow is written ->"),
        (":enum[,]", "an enum begins with a value, as in :enum[low high]"),
        (':"Foo.Bar"', 'there is no type :"Foo.Bar"; define it after the signature'),
    ],
)
def test_a_common_mistake_has_its_remedy(text: str, remedy: str) -> None:
    with pytest.raises(SignatureSyntaxError) as raised:
        typesig.parse(text)

    assert remedy in raised.value.message


def test_characters_that_cannot_be_printed_are_escaped_in_patterns() -> None:
    signature = typesig.parse(":string[/\x1e\u2028\U000e0001/]")

    assert r":string[/\x1e\u2028\U000e0001/]" == typesig.render(signature.returns)
    assert signature.accepts("\x1e\u2028\U000e0001")


def test_a_result_too_deep_for_the_stack_is_an_issue() -> None:
    value: Any = 1
    for _ in range(120):
        value = {"a": [value]}
    made = tool("() -> :any")(_giving(value))

    def deeper(levels: int) -> Any:
        return deeper(levels - 1) if levels else made.call()

    outcomes = [deeper(levels) for levels in range(500, sys.getrecursionlimit() - 180, 10)]

    assert {"host"} == {error.code for outcome in outcomes for error in outcome.errors}


def test_a_default_with_too_many_digits_is_not_shown_with_a_warning() -> None:
    def f(n: int = 10**500) -> bool:
        return n == 10**500

    made = tool(f)

    assert "(n? :int) -> :bool" == str(made.signature)
    assert ["n"] == [warning.place for warning in made.warnings]
    assert made.call({}).result


def test_a_coerced_key_is_hashable() -> None:
    outcome = typesig.parse(":map[[:float] :string]").validate_and_coerce({(0,): "a"})

    assert {(0.0,): "a"} == outcome.result
