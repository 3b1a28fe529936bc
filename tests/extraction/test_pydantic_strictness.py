"""Values that pydantic is told to take only as they are."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import (
    BaseModel,
    Field,
    Strict,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    StringConstraints,
)

from typesig import extract, tool


class Order(BaseModel):
    n: StrictInt
    loose: int = 1
    tags: list[StrictStr] = []


@pytest.mark.parametrize(
    ("hint", "right", "wrong"),
    [
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
    ],
)
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
