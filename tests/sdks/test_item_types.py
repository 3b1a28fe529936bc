"""The types of items, blocks and parts are those of the vendors' SDKs, each with what becomes of it."""

from __future__ import annotations

import typing
from typing import Any

import pytest

from typesig.providers.registry.answers import ItemRow
from typesig.providers.vendors import anthropic, gemini, openai_events

anthropic_types = pytest.importorskip("anthropic.types")
genai = pytest.importorskip("google.genai.types")
responses = pytest.importorskip("openai.types.responses")


def members(union: Any) -> list[Any]:
    """Return the models of *union*, which may be annotated."""
    if isinstance(union, type):
        return [union]
    parts = typing.get_args(union)
    parts = parts[:1] if typing.get_origin(union) is typing.Annotated else parts
    return [each for part in parts for each in members(part)]


def kinds(*unions: Any) -> dict[str, Any]:
    """Return the models of *unions* by their types."""
    found: dict[str, Any] = {}
    for model in [each for union in unions for each in members(union)]:
        hint = model.model_fields["type"].annotation if hasattr(model, "model_fields") else None
        for part in [hint, *typing.get_args(hint)]:
            if typing.get_origin(part) is typing.Literal:
                found |= dict.fromkeys(typing.get_args(part), model)
    return found


OUTPUT = kinds(responses.ResponseOutputItem)
INPUT = kinds(responses.ResponseInputItem, responses.ResponseItem)


def test_each_type_of_items_of_responses_has_a_row() -> None:
    assert OUTPUT.keys() | INPUT.keys() == openai_events.ITEMS.rows.keys()


@pytest.mark.parametrize("row", openai_events.ITEMS.rows.values(), ids=lambda row: row.kind)
def test_a_row_of_responses_names_members_of_the_sdk(row: ItemRow) -> None:
    model = {**INPUT, **OUTPUT}[row.kind]
    is_answered = row.use in ("call", "host")

    assert is_answered == bool(row.answer)
    if is_answered:
        assert row.id in model.model_fields
        assert row.key in INPUT[row.answer].model_fields
        assert "result" == openai_events.ITEMS.rows[row.answer].use
    if row.at_server is not None:
        assert row.at_server[0][0] in model.model_fields


def test_each_type_of_blocks_of_anthropic_has_a_row() -> None:
    from anthropic.types import beta

    found = kinds(anthropic_types.ContentBlock, beta.BetaContentBlock)

    assert found.keys() == anthropic.ITEMS.rows.keys()
    assert {"tool_use"} == {row.kind for row in anthropic.ITEMS.rows.values() if row.use == "call"}
    assert anthropic.ITEMS.uses == {kind for kind in found if kind.endswith("_tool_use")}


def test_each_stop_reason_of_anthropic_is_known() -> None:
    from anthropic.types.beta import BetaStopReason

    reasons = {*typing.get_args(anthropic_types.StopReason), *typing.get_args(BetaStopReason)}
    cut = {reason for reason in anthropic._STOPPED if reason is not None}

    assert {"end_turn", "stop_sequence"} == reasons - cut - anthropic._UNFINISHED.keys()


def test_each_member_of_a_part_of_gemini_is_known() -> None:
    assert set(genai.Part.model_fields) == set(gemini._MEMBERS)
    aliases = {field.alias or name for name, field in genai.Part.model_fields.items()}
    assert {gemini._to_camel_case(name) for name in gemini._MEMBERS} >= aliases - set(
        gemini._MEMBERS
    )


def test_each_reason_of_gemini_is_known() -> None:
    """Of the others, the answer has all its calls."""
    whole = {"FINISH_REASON_UNSPECIFIED", "STOP", "OTHER", "TOO_MANY_TOOL_CALLS"}

    assert {each.value for each in genai.FinishReason} == set(gemini._FINISHED) | whole
