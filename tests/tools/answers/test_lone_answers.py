"""Answers of JSON in a code fence: what the JSON alone gives, and a warning."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import LAW, valued
from typesig import contract
from typesig.validation.plain_data import to_plain

pydantic = pytest.importorskip("pydantic")


@dataclass
class Item:
    id: int
    name: str = "a"


class Model(pydantic.BaseModel):  # type: ignore[misc, name-defined]
    id: int
    tags: list[str] = []  # noqa: RUF012


FORMS = [
    "```json\n{}\n```",
    "```\n{}\n```\n",
    "  ```JSON\r\n{}\r\n```",
    "```json {} ```",
    "````\n{}````",
]
HINTS: list[tuple[Any, Any]] = [
    (list[Item], [{"id": 1, "name": "b"}, {"id": 2, "name": "c"}]),
    (Item, {"id": 1, "name": "b"}),
    (list[int], [1, 2, 3]),
    (dict[str, float], {"a": 1.5}),
    (list[Model], [{"id": 1, "tags": ["x"]}]),
    (Model, {"id": 1, "tags": []}),
    (list[Decimal], [1.50, 2]),
    (list[Item], {"items": [{"id": 1, "name": "b"}]}),
    (list[Item], [{"id": "1"}]),
]  # fmt: skip


@pytest.mark.parametrize(("hint", "sent"), HINTS)
@pytest.mark.parametrize("form", FORMS)
def test_a_fence_is_read_as_its_json(hint: Any, sent: Any, form: str) -> None:
    asked, text = contract(hint), json.dumps(sent)
    fenced = form.replace("{}", text, 1)
    # The first answers and the later ones are read by different code.
    for _ in range(30):
        alone, outcome = asked.read(text), asked.read(fenced)
        assert alone.result == outcome.result
        assert alone.value == outcome.value
        assert type(alone.result) is type(outcome.result)
        rules = [warning.rule for warning in outcome.warnings]
        assert ["code_fence", *[warning.rule for warning in alone.warnings]] == rules
        assert "answer" == outcome.stage
        assert "removed a code fence" in outcome.report()
    assert not asked.read(fenced, mode="strict").ok
    assert outcome.value == asked.read(fenced, mode="lenient").value
    assert outcome.value == asked.read(fenced, mode="warn_only").value


@LAW
@given(valued(), st.sampled_from(["enabled", "lenient"]))
def test_a_fence_of_any_type_is_read_as_its_json(case: Any, mode: Any) -> None:
    signature, value = case
    sent = to_plain(value)
    if not isinstance(sent, dict | list):
        return
    asked, text = contract(signature), json.dumps(sent)
    alone, outcome = asked.read(text, mode), asked.read(f"```json\n{text}\n```", mode)

    assert alone.ok == outcome.ok
    if alone.ok:
        assert json.dumps(alone.value) == json.dumps(outcome.value)
        assert "code_fence" == outcome.warnings[0].rule
        # The marks of the search for a value are read by other code.
        searched = asked.read(f"~~~json\n{text}\n~~~", mode)
        assert json.dumps(searched.value) == json.dumps(outcome.value)


@pytest.mark.parametrize(
    "text",
    ["```json\n[1, 2\n```", "```json\n[NaN]\n```", '```json\n[{"a": 1, "a": 2}]\n```', "```json\n```",
     "```json\n[1]\n```\n```json\n[2]\n```", "```\n" + "[" * 200 + "]" * 200 + "\n```"],
)  # fmt: skip
def test_a_fence_of_what_is_no_json_is_refused(text: str) -> None:
    for mode in ("enabled", "lenient"):
        assert not contract("[:any]").read(text, mode).ok


def test_what_does_not_conform_is_told_with_the_fence() -> None:
    outcome = contract(list[Item]).read('```json\n[{"id": "x"}]\n```')

    assert ['[0].id: expected int, got string "x"'] == [str(error) for error in outcome.errors]
    assert ["code_fence"] == [warning.rule for warning in outcome.warnings]
