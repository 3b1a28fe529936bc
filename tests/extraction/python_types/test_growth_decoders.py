"""The work of naming and decoding what a model sends for recursive hints, counted in steps."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Annotated, Any

import pydantic
import pytest

import typesig
from tests.growth import assert_growth, steps
from typesig.algebra.nodes import INT, Field, Record
from typesig.extraction.python_types.decoders import HostError
from typesig.extraction.python_types.host_plan import Speller


class Folder(pydantic.BaseModel):
    size: int = pydantic.Field(1, validation_alias=pydantic.AliasChoices("size", "bytes"))
    inner: Folder | Link | None = None


class Link(pydantic.BaseModel):
    to: str = pydantic.Field("", validation_alias=pydantic.AliasChoices("to", "target"))
    inner: Folder | Link | None = None


@dataclass
class Left:
    inner: Left | Right | None = None

    def __post_init__(self) -> None:
        if self.inner is None:
            raise ValueError("it needs something inside")


@dataclass
class Right:
    inner: Left | Right | None = None

    def __post_init__(self) -> None:
        if self.inner is None:
            raise ValueError("it needs something inside")


@typesig.tool(recursive=True)
def keep(folder: Folder | Link) -> int:
    size = 0
    held: Any = folder
    while held is not None:
        size += held.size if isinstance(held, Folder) else 0
        held = held.inner
    return size


@typesig.tool(recursive=True)
def turn(way: Left | Right) -> int:
    return 1


def _nested(size: int, inner: dict[str, Any]) -> dict[str, Any]:
    for _ in range(size):
        inner = {"inner": inner}
    return inner


@pytest.mark.once
def test_other_names_in_unions_within_each_other_are_read_in_one_walk() -> None:
    def run(sent: dict[str, Any]) -> None:
        # Each level asks once more which branch has the fewest undeclared keys below it.
        assert keep.call({"folder": sent}).value == 7 + len(str(sent)) // len("{'inner': }") - 1

    assert_growth(lambda size: _nested(size, {"bytes": "7"}), run, (8, 16, 32), 2, spare=5_000)


@pytest.mark.once
def test_what_no_branch_can_make_is_tried_once_for_each_branch() -> None:
    def run(sent: dict[str, Any]) -> None:
        (error,) = turn.call({"way": sent}).errors
        assert str(error).endswith("inner: it needs something inside (got map {})")

    # The source of a call is made at the third one.
    for _ in range(3):
        run(_nested(8, {}))
    assert_growth(lambda size: _nested(size, {}), run, (8, 16, 32), 2, spare=5_000)


def test_two_refusals_of_one_value_have_paths_of_their_own() -> None:
    error = HostError("no")
    error.steps.append("a")
    error.more.append(HostError("neither"))

    copied = error.copy()
    copied.steps.append("b")
    copied.more[0].steps.append("c")

    assert (["a"], []) == (error.steps, error.more[0].steps)
    assert (["a", "b"], ["c"]) == (copied.steps, copied.more[0].steps)


NAMED = typesig.parse(
    "() -> {rows [:Row], pair [:Row, :int, ** :Row], by :map[:string :Row], set #{:Row}, "
    "deep ([:Row]|{x [:Row], ** :Row}|[:string])?} where Row = {id :int}"
)


@pytest.mark.parametrize(
    ("sent", "named"),
    [
        ({"rows": [{"Id": 1}]}, {"rows": [{"id": 1}]}),
        ({"rows": {"Id": 1}}, {"rows": {"Id": 1}}),
        ({"pair": [{"Id": 1}, {"Id": 2}, {"Id": 3}]}, {"pair": [{"id": 1}, {"Id": 2}, {"id": 3}]}),
        ({"by": {"a": {"Id": 1}, 2: {"Id": 2}}}, {"by": {"a": {"id": 1}, 2: {"id": 2}}}),
        ({"by": [{"Id": 1}]}, {"by": [{"Id": 1}]}),
        ({"set": ({"Id": 1},)}, {"set": [{"id": 1}]}),
        ({"deep": [{"Id": 1}]}, {"deep": [{"id": 1}]}),
        ({"deep": {"x": [{"Id": 1}], "y": {"Id": 2}}}, {"deep": {"x": [{"id": 1}], "y": {"id": 2}}}),
        ({"deep": 3, 4: {"Id": 1}}, {"deep": 3, 4: {"Id": 1}}),
        ({"rows": [{"Id": 1, "id": 2}]}, {"rows": [{"Id": 1, "id": 2}]}),
    ],
)  # fmt: skip
def test_other_names_are_read_wherever_their_record_is(sent: Any, named: Any) -> None:
    row = NAMED.names["Row"]

    speller = Speller({row: {"Id": "id"}}, NAMED.names)

    assert named == speller.rename_keys(NAMED.returns, sent)
    given = typesig.parse("(rows [:Row], pair [:Row, :int, ** :Row], by :map[:string :Row], set #{:Row}, deep ([:Row]|{x [:Row], ** :Row}|[:string])?) -> :nil where Row = {id :int}")  # fmt: skip
    assert named == speller.rename_arguments(given.params, given.extra, sent)


def test_a_short_tuple_has_no_names_beyond_its_positions() -> None:
    pair = typesig.parse("() -> [:Row, :int] where Row = {id :int}")

    speller = Speller({pair.names["Row"]: {"Id": "id"}}, pair.names)

    assert [{"id": 1}, 2, {"Id": 3}] == speller.rename_keys(pair.returns, [{"Id": 1}, 2, {"Id": 3}])
    assert {"Id": 1} == speller.rename_keys(pair.returns, {"Id": 1})


def test_keys_that_a_closed_record_does_not_declare_have_no_other_names() -> None:
    row = Record((Field("id", INT),), None)
    whole = Record((Field("row", row),), None)

    speller = Speller({row: {"Id": "id"}}, {})

    sent = {"row": {"Id": 1}, "other": {"Id": 2}}
    assert {"row": {"id": 1}, "other": {"Id": 2}} == speller.rename_keys(whole, sent)


def _many_definitions(count: int) -> typesig.Signature:
    names = ", ".join(f"T{n} = {{x :int}}" for n in range(count))
    return typesig.parse(f"(a :T0) -> [:T0] where {names}")


@pytest.mark.once
def test_a_check_takes_no_longer_where_there_are_many_definitions() -> None:
    few, many = _many_definitions(10), _many_definitions(1_000)
    for signature in (few, many):
        assert signature.accepts([])
        assert signature.validate_input({"a": {"x": 1}}).ok

    assert steps(lambda: many.accepts([])) == steps(lambda: few.accepts([]))


def test_definitions_are_hashed_anew_in_another_process() -> None:
    signature = _many_definitions(3)

    revived = pickle.loads(pickle.dumps(signature))

    assert hash(signature.definitions) == hash(tuple(signature.definitions))
    assert b"hash" not in pickle.dumps(signature.definitions)
    assert revived == signature
    assert revived.definitions == signature.definitions
    assert {signature.definitions: 1} == {revived.definitions: 1}


def _lower(value: str) -> str:
    return value.lower()


Lowered = Annotated[str, pydantic.PlainSerializer(_lower)]


class One(pydantic.BaseModel):
    name: Lowered
    inner: Any = None


def test_unions_of_results_are_written_by_the_branch_that_takes_them() -> None:
    @typesig.tool
    def answer() -> list[list[One] | One]:
        return [[One(name="A")], One(name="B")]

    found = answer.call({}).value

    assert ["a", "b"] == [found[0][0]["name"], found[1]["name"]]
