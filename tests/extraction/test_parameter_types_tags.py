"""Tags of unions: a model has to send them, and no record is picked without one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pydantic
import pytest
from typing_extensions import TypedDict

import typesig
from typesig import contract, extract, tools_of


@dataclass
class Refund:
    """Money back."""

    order: int
    kind: Literal["refund"] = "refund"


@dataclass
class Charge:
    """Money there."""

    order: int
    kind: Literal["charge"] = "charge"


@dataclass
class Node:
    """A tree."""

    next: Node | Leaf | None = None
    kind: Literal["node"] = "node"


@dataclass
class Leaf:
    """Its end."""

    kind: Literal["leaf"] = "leaf"


class RefundModel(pydantic.BaseModel):
    """The same, of pydantic."""

    kind: Literal["refund"] = "refund"
    order: int


class ChargeModel(pydantic.BaseModel):
    """The same, of pydantic."""

    kind: Literal["charge"] = "charge"
    order: int


class Plain(TypedDict, total=False):
    """Without a tag."""

    order: int


Tagged = Annotated[RefundModel | ChargeModel, pydantic.Field(discriminator="kind")]


def of_dataclasses(v: Refund | Charge) -> Any:
    return v


def of_models(v: RefundModel | ChargeModel) -> Any:
    return v


def of_tagged(v: Tagged) -> Any:
    return v


@pytest.mark.parametrize("function", [of_dataclasses, of_models, of_tagged])
@pytest.mark.parametrize("recursive", [False, True])
@pytest.mark.parametrize("mode", ["enabled", "lenient", "strict", "json"])
def test_a_missing_tag_picks_no_branch(function: Any, recursive: bool, mode: Any) -> None:
    tool = tools_of([function], recursive=recursive)[function.__name__]
    shown = 'v.kind: expected one of ["refund", "charge"], got nil (missing)'

    for sent in ({"v": {"order": 7}}, '{"v": {"order": 7}}'):
        assert [shown] == [str(error) for error in tool.call(sent, mode=mode).errors]
    for kind in ("refund", "charge"):
        outcome = tool.call({"v": {"order": 7, "kind": kind}}, mode=mode)

        assert kind == outcome.result.kind
        assert () == outcome.warnings


@pytest.mark.parametrize("function", [of_dataclasses, of_models, of_tagged])
def test_the_published_schema_requires_the_tag(function: Any) -> None:
    for provider in ("mcp", "anthropic", "openai"):
        [made] = tools_of([function]).project(provider).definitions

        assert (
            str(made).count("'required': ['kind', 'order']")
            + str(made).count("'required': ['order', 'kind']")
            == 2
        )


@pytest.mark.parametrize("hint", [Refund | Charge, RefundModel | ChargeModel, list[Tagged]])
def test_an_answer_has_its_tag(hint: Any) -> None:
    given: Any = [{"order": 7}] if "list" in str(hint) else {"order": 7}
    [error] = contract(hint).read(given).errors

    assert 'expected one of ["refund", "charge"], got nil (missing)' in str(error)


def test_a_record_alone_keeps_the_default_of_its_tag() -> None:
    def act(v: Refund, w: Refund | Plain) -> Any:
        return v

    shown = str(extract(act).signature)

    assert 2 == shown.count('kind :enum["refund"] = "refund"')
    assert Refund(7) == tools_of([act])["act"].call({"v": {"order": 7}, "w": {}}).result


def test_named_records_within_themselves_need_their_tags() -> None:
    def act(v: Node) -> Any:
        return v

    tool = tools_of([act], recursive=True)["act"]
    sent = {"v": {"kind": "node", "next": {"kind": "node", "next": {"kind": "leaf"}}}}

    assert Node(Node(Leaf())) == tool.call(sent).result
    [error] = tool.call({"v": {"kind": "node", "next": {"next": None}}}).errors
    assert 'v.next.kind: expected one of ["node", "leaf"], got nil (missing)' == str(error)


def test_a_result_without_its_tag_is_no_error() -> None:
    def act() -> Refund | Charge:
        return Refund(7)

    assert tools_of([act])["act"].call().ok


def test_a_tag_of_a_signature_is_named_with_all_its_values() -> None:
    text = '(v {kind :enum["a"], n :int}|{kind :enum["b"], m :int}|:string) -> :any'

    assert ['v.kind: expected one of ["a", "b"], got nil (missing)'] == [
        str(error) for error in typesig.parse(text).validate_input({"v": {"n": "x"}}).errors
    ]
