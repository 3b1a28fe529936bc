"""Values that take little memory and have more places than any walk can visit."""

from __future__ import annotations

import dataclasses
import typing
from collections import OrderedDict
from collections.abc import Callable
from typing import Annotated, Any

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.growth import assert_growth
from typesig import Signature, limits
from typesig.algebra.rows import builtin
from typesig.algebra.rows.builtin import count_places, get_data_parts
from typesig.algebra.rows.constraints import get_identity, is_unique
from typesig.calls.results import is_plain
from typesig.errors import TooLarge
from typesig.extraction.encoder import get_object_parts
from typesig.listings import Template, render_data
from typesig.validation import normalize_keys
from typesig.validation import plain_data as plain_module
from typesig.validation.plain_data import to_plain


@pytest.fixture(autouse=True)
def _few_unwatched(monkeypatch: pytest.MonkeyPatch) -> None:
    """The walks would visit many values first."""
    monkeypatch.setattr(builtin, "MAX_UNWATCHED", 1_000)
    monkeypatch.setattr(plain_module, "MAX_UNWATCHED", 1_000)


def _doubled(levels: int, inner: Any, around: Callable[[Any], Any]) -> Any:
    for _ in range(levels):
        inner = around(inner)
    return inner


def lists(levels: int = 40) -> Any:
    return _doubled(levels, [1], lambda inner: [inner, inner])


def tuples(levels: int = 40) -> Any:
    return _doubled(levels, [1], lambda inner: (inner, inner))


def maps(levels: int = 40) -> Any:
    return _doubled(levels, {"x": 1}, lambda inner: {"a": inner, "b": inner})


def trees(levels: int = 40) -> Any:
    return _doubled(levels, {"x": 1}, lambda inner: {"kids": [inner, inner]})


def circle() -> list[Any]:
    made: list[Any] = []
    made += [made, made]
    return made


CIRCLE = circle()

NESTED = typesig.parse(f"{'[' * 41}:int{']' * 41}")
PAIRED = ", ".join(f"A{n} = [:A{n + 1}, :A{n + 1}]" for n in range(40))
TREE = typesig.parse(":T where T = {x? :int, kids? [:T]}")
WRONG = typesig.parse(":T where T = {x? :string, kids? [:T]}")
ANY = typesig.parse(":any")

LARGE = "more than 10000000 values, each counted where it stands, or inside itself"

CHECKED: dict[str, tuple[Signature, Any]] = {
    "lists": (NESTED, lists()),
    "records": (TREE, trees()),
    "records with errors": (WRONG, trees()),
    "maps": (typesig.parse(f"{':map[:string ' * 40}:any{']' * 40}"), maps()),
    "tuples": (typesig.parse(f":A0 where {PAIRED}, A40 = [:int]"), tuples()),
}


@pytest.mark.parametrize("name", CHECKED)
def test_a_check_of_a_value_with_too_many_places_is_an_error(name: str) -> None:
    signature, value = CHECKED[name]

    for outcome in (signature.validate_output(value), signature.validate_and_coerce(value)):
        assert [LARGE] == [str(error) for error in outcome.errors]
    assert not signature.accepts(value)
    assert not typesig.coerce(value, signature).ok


def test_a_branch_of_a_union_is_asked_once_for_a_value_at_several_places() -> None:
    union = typesig.parse(":T where T = [:T]|:int")

    assert union.accepts(lists())


def test_a_set_that_is_read_from_lists_has_a_bounded_number_of_places() -> None:
    outcome = typesig.parse("#{:any}").validate_and_coerce([lists()])

    assert [LARGE] == [str(error) for error in outcome.errors]


def test_a_small_value_that_is_checked_for_many_branches_has_no_limit() -> None:
    union = typesig.parse("|".join(f"[{{a{n} :int}}]" for n in range(40)))

    assert union.accepts([{"a39": 1}] * 100)


@pytest.mark.once
@pytest.mark.parametrize("value", [lists(), maps(), trees()], ids=["lists", "maps", "trees"])
def test_what_is_written_has_a_bounded_number_of_places(value: Any) -> None:
    outcome = ANY.validate_output(value)
    template = Template("{{a}}", "(a :any) -> :any")

    writers: list[Callable[[], object]] = [
        outcome.for_model,
        outcome.text,
        outcome.left_out,
        lambda: render_data(value),
        lambda: template.render({"a": value}),
    ]
    for write in writers:
        with pytest.raises(TooLarge, match="the value has more than 10000000 values"):
            write()
    assert len(repr(outcome)) < 2_000


@pytest.mark.parametrize("value", [lists(), maps(), CIRCLE], ids=["lists", "maps", "circle"])
def test_the_plain_value_of_an_outcome_shares_what_the_value_shares(value: Any) -> None:
    assert value is ANY.validate_output(value).value


def test_plain_data_made_of_tuples_shares_what_they_share() -> None:
    made = to_plain(tuples())

    # The first way down is walked before anything is remembered.
    made = made[1]
    for _ in range(30):
        assert type(made) is list
        assert made[0] is made[1]
        made = made[0]
    for _ in range(9):
        made = made[0]
    assert made == [1]


def test_normalized_keys_have_a_bounded_number_of_places() -> None:
    with pytest.raises(TooLarge, match="the value has more than 10000000 values"):
        normalize_keys(maps())
    assert normalize_keys(maps(3)) == maps(3)


@dataclasses.dataclass
class Node:
    kids: list[Node]


class Pair(typing.NamedTuple):
    left: Any
    right: Any


def _nodes() -> Any:
    return _doubled(40, Node([]), lambda inner: Node([inner, inner]))


def _pairs() -> Any:
    return _doubled(40, Pair(1, 2), lambda inner: Pair(inner, inner))


@pytest.mark.parametrize(
    "value",
    [lists(), tuples(), maps(), _nodes(), _pairs()],
    ids=["lists", "tuples", "maps", "dataclasses", "named tuples"],
)
@pytest.mark.parametrize("hint", [Any, None, list, dict[str, Any]])
def test_a_result_with_too_many_places_is_an_error(value: Any, hint: Any) -> None:
    def answer() -> Any:
        return value

    answer.__annotations__.clear()
    if hint is not None:
        answer.__annotations__["return"] = hint
    made = typesig.tool("() -> :any")(answer) if hint is None else typesig.tool(answer)
    outcome = made.call({})

    assert [LARGE] == [str(error) for error in outcome.errors]
    assert outcome.rejected is value


def test_a_result_of_keywords_with_too_many_places_is_an_error() -> None:
    @typesig.tool("() -> [:keyword]")
    def answer() -> Any:
        return lists()

    assert [LARGE] == [str(error) for error in answer.call({}).errors]


def test_of_a_large_result_that_is_not_checked_a_model_reads_why_it_is_not_written() -> None:
    @typesig.tool
    def answer() -> Any:
        return lists()

    outcome = answer.call({}, mode="disabled")

    assert outcome.ok
    assert f'"{LARGE}"' == outcome.text()


def test_the_places_of_a_value_are_counted() -> None:
    assert count_places(1) == 1
    assert count_places([1, [2, 3]]) == 5
    assert count_places({"a": (1, 2), "b": {3}, "c": frozenset()}) == 7
    assert count_places(lists(3)) == 23
    assert count_places(CIRCLE) == float("inf")
    assert count_places(_doubled(1_000, 1, lambda inner: [inner])) == 2 * limits.MAX_VALUE_DEPTH + 1


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text() | st.dates(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(st.text(), inner)
            | st.dictionaries(st.text(), inner).map(OrderedDict)
            | st.tuples(inner, inner)
            | inner.map(lambda value: [value, value])
        ),
    )
)
def test_few_places_are_counted_as_many_are(value: Any) -> None:
    exact = count_places(value, lambda part: get_data_parts(part))

    assert count_places(value) == exact


def test_the_parts_of_host_objects_are_counted() -> None:
    class Broken:
        __dataclass_fields__ = 1

    assert count_places(Pair(1, Node([])), get_object_parts) == 4
    assert count_places([Broken(), object(), "text"], get_object_parts) == 4


def test_counting_the_places_takes_work_in_proportion_to_the_memory() -> None:
    assert_growth(lists, count_places, (50, 200, 800))


@pytest.mark.parametrize("value", [lists(), maps(), {1: tuples()}], ids=["lists", "maps", "tuples"])
def test_a_value_with_too_many_places_is_compared_with_nothing(value: Any) -> None:
    with pytest.raises(TooLarge):
        get_identity(value)
    outcome = typesig.parse("[:any][unique]").validate_output([value, 1])
    assert [LARGE] == [str(error) for error in outcome.errors]


def test_unique_items_are_those_of_the_list_itself() -> None:
    class Endless(list[Any]):
        def __iter__(self) -> Any:
            return iter(int, 1)

        def __len__(self) -> int:
            raise KeyError

    assert is_unique(Endless([1, 2]))
    assert typesig.parse("[:any][unique]").accepts(Endless([Endless([1]), 1]))
    assert not typesig.parse("[:any][unique]").accepts(Endless([Endless([1]), [1]]))


def test_what_was_found_before_a_limit_is_dropped_since_its_path_is_not_complete() -> None:
    outcome = typesig.parse("(wrong :int, tree :T) -> :any where T = {x? :string, kids? [:T]}")

    errors = outcome.validate_input({"wrong": "x", "tree": trees()}).errors

    assert [LARGE] == [str(error) for error in errors]


def test_a_result_that_a_serializer_writes_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def listed() -> Any:
        return ["a"] * 9

    listed.__annotations__["return"] = list[Annotated[str, pydantic.PlainSerializer(str.lower)]]
    made = typesig.tool(listed)
    assert made.call({}).ok

    monkeypatch.setattr("typesig.calls.results.MAX_VALUES", 5)
    errors = made.call({}).errors

    assert ["size"] == [error.code for error in errors]


def test_a_value_with_too_many_places_is_not_called_plain() -> None:
    assert not is_plain(lists())
