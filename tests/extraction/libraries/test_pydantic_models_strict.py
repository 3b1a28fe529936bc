"""Values that pydantic is told to take only as they are."""

from __future__ import annotations

import json
from typing import Annotated, Any

import pydantic
import pytest
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    RootModel,
    Strict,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    StringConstraints,
)

from typesig import contract, extract, tool


class Order(BaseModel):
    n: StrictInt
    loose: int = 1
    tags: list[StrictStr] = []


class Loose(BaseModel):
    m: int = 0


class Whole(BaseModel):
    model_config = ConfigDict(strict=True)
    n: int
    ratio: float = 1.0
    rows: dict[str, list[int]] = {}
    either: int | bool | None = None
    last: str = Field(default="", alias="Last")
    inner: Loose | None = None
    free: int = Field(default=1, strict=False)


class Around(BaseModel):
    whole: Whole
    m: int = 0


class Root(RootModel[list[int]]):
    model_config = ConfigDict(strict=True)


@pydantic.dataclasses.dataclass(config=ConfigDict(strict=True))
class Data:
    n: int


#: Hints, each with a value that is right, and one with values that would have to be coerced.
STRICT = [
    (StrictInt, 5, "5"),
    (StrictStr, "5", 5),
    (StrictFloat, 1.5, "1.5"),
    (StrictBool, True, "true"),
    (Annotated[int, Field(strict=True)], 5, "5"),
    (Annotated[int, Strict()], 5, "5"),
    (Annotated[str, StringConstraints(strict=True)], "5", 5),
    (StrictInt | None, 5, "5"),
    (list[StrictInt], [5], ["5"]),
    (dict[str, StrictInt], {"a": 5}, {"a": "5"}),
    (Order, {"n": 5}, {"n": "5"}),
    (Order, {"n": 5, "loose": "5"}, {"n": 5, "tags": [5]}),
    (list[Order], [{"n": 5}], [{"n": 5}, {"n": "5"}]),
    (Whole, {"n": 5}, {"n": "5"}),
    (Whole, {"n": 5, "inner": {"m": "5"}, "free": "5"}, {"n": 5, "ratio": "1.5"}),
    (Whole, {"n": 5, "rows": {"a": [5]}, "either": 5}, {"n": 5, "rows": {"a": [1, "5"]}}),
    (Whole, {"n": 5, "Last": "a", "either": None}, {"n": 5, "Last": 5}),
    (Whole, {"n": 5, "either": True}, {"n": 5, "either": "true"}),
    (Around, {"whole": {"n": 5}, "m": "5"}, {"whole": {"n": "5"}}),
    (list[Whole], [{"n": 5}], [{"n": 5}, {"n": "5"}]),
    (Root, [5], ["5"]),
    (Data, {"n": 5}, {"n": "5"}),
]


@pytest.mark.parametrize(("hint", "right", "wrong"), STRICT)
def test_a_strict_value_is_not_coerced(hint: Any, right: Any, wrong: Any) -> None:
    def f(value) -> None: ...  # type: ignore[no-untyped-def]

    f.__annotations__ = {"value": hint, "return": None}
    made = tool(f)

    assert () == extract(f).warnings
    for _ in range(4):
        assert made.call({"value": right}).ok
        refused = made.call({"value": wrong})
        assert ["type"] == [each.code for each in refused.errors]
        assert "expected" in str(refused.errors[0])


@pytest.mark.parametrize("strictness", [Strict(False), Field(strict=False), Field(strict=None)])
def test_a_value_that_is_not_strict_is_coerced(strictness: Any) -> None:
    def f(value) -> int:  # type: ignore[no-untyped-def]
        return value  # type: ignore[no-any-return]

    f.__annotations__ = {"value": Annotated[int, strictness], "return": int}

    assert () == extract(f).warnings
    assert [5] * 4 == [tool(f).call({"value": "5"}).result for _ in range(4)]


def test_a_strict_default_of_a_parameter_is_strict() -> None:
    def f(value: int = Field(default=1, strict=True)) -> int:
        return value

    made = tool(f)

    assert 1 == made.call({}).result
    assert ["type"] == [each.code for each in made.call({"value": "5"}).errors]


@pytest.mark.parametrize(("hint", "right", "wrong"), STRICT)
def test_an_answer_is_not_coerced_where_it_is_strict(hint: Any, right: Any, wrong: Any) -> None:
    made = contract(hint)

    assert () == made.warnings
    # A text is read as JSON.
    sents = [json.dumps(wrong)] if isinstance(wrong, str) else [wrong, json.dumps(wrong)]
    for sent in sents * 4:
        assert made.read(json.dumps(right)).ok
        refused = made.read(sent)
        assert {"type"} == {each.code for each in refused.errors}
        assert "expected" in str(refused.errors[0])


def test_an_answer_that_arrives_in_pieces_is_not_coerced_where_it_is_strict() -> None:
    stream = contract(list[Whole]).stream(['[{"n": 1}, {"n": "2"}', "]"])
    closed = [each.path for part in stream for each in part.closed if len(each.path) < 2]

    assert [(0,)] == closed
    assert ["type"] == [each.code for each in stream.close().errors]
