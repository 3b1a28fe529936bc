"""Media in the results of calls, as each provider takes them."""

from __future__ import annotations

import asyncio
import base64
from typing import Annotated, Any, TypedDict

import pytest

import typesig
from tests.providers.projection.test_call_handler import SPELLINGS
from typesig import Media
from typesig.calls.results import ToolResult
from typesig.providers.registry.calls import Reply, WireCall
from typesig.providers.vendors import media as rows
from typesig.providers.vendors.registry import find_vendor

PNG = base64.b64encode(b"png").decode()


class Chart(TypedDict):
    title: str
    image: Annotated[bytes, Media("image/png")]


@typesig.tool
def chart() -> Chart:
    """Draw."""
    return {"title": "Sales", "image": b"png"}


@typesig.tool
def files() -> list[Media]:
    """List files."""
    return [
        Media("text/csv", b"a,b", "a.csv"),
        Media("application/pdf", b"pdf"),
        Media("audio/wav", b"wav"),
        Media("audio/mpeg", b"mp3"),
        Media("image/svg+xml", b"<svg/>"),
        Media("text/plain", b"\xff"),
    ]


@typesig.tool
def plain() -> str:
    """Say."""
    return "x"


TOOLS = typesig.tools_of([chart, files, plain])
SHOWN = '{"title":"Sales","image":"[image/png, 3 B]"}'


def handled(spelling: str, *names: str, **options: Any) -> list[dict[str, Any]]:
    provider, spell = SPELLINGS[spelling]
    wire = TOOLS.project(provider)  # type: ignore[call-overload]
    found: list[dict[str, Any]] = wire.handle(spell(*[(name, {}) for name in names]), **options)
    return found


def test_chat_completions_have_them_in_a_message_of_the_user() -> None:
    tool, other, user = handled("chat", "chart", "plain")

    assert {"role": "tool", "tool_call_id": "c0", "content": SHOWN} == tool
    assert "x" == other["content"]
    assert {
        "role": "user",
        "content": [
            {"type": "text", "text": "[image/png, 3 B] of the result of chart (c0):"},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
        ],
    } == user


def test_chat_completions_take_sounds_files_and_texts() -> None:
    [_, user] = handled("chat", "files")

    kinds = [part["type"] for part in user["content"]]
    assert [
        "text",
        "text",
        "text",
        "file",
        "text",
        "input_audio",
        "text",
        "input_audio",
        "text",
        "text",
    ] == kinds
    assert {"type": "text", "text": "a,b"} == user["content"][1]
    assert "file2.pdf" == user["content"][3]["file"]["filename"]
    assert ["wav", "mp3"] == [user["content"][n]["input_audio"]["format"] for n in (5, 7)]
    assert user["content"][8]["text"].startswith(
        "[not sent: image/svg+xml, 6 B; OpenAI takes image/jpeg, image/png, image/gif, image/webp, "
        "audio/wav, audio/mpeg, application/pdf, text/*, application/json"
    )
    assert "[not sent: text/plain, 1 B; it is not UTF-8 text]" == user["content"][9]["text"]


def test_responses_has_them_in_the_output() -> None:
    [item] = handled("responses", "chart")
    [files] = handled("responses", "files")

    assert [
        {"type": "input_text", "text": SHOWN},
        {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}", "detail": "auto"},
    ] == item["output"]
    text, csv, pdf = files["output"]
    assert 4 == text["text"].count("[not sent: ")
    assert "a,b" == csv["text"]
    assert ("input_file", "file2.pdf") == (pdf["type"], pdf["filename"])


def test_anthropic_has_them_in_the_result() -> None:
    [message] = handled("anthropic", "chart", "plain", "files")
    [first, second, third] = message["content"]

    source = {"type": "base64", "media_type": "image/png", "data": PNG}
    assert [{"type": "text", "text": SHOWN}, {"type": "image", "source": source}] == first[
        "content"
    ]
    assert "x" == second["content"]
    text, csv, pdf = third["content"]
    assert 4 == text["text"].count("[not sent: ")
    assert {
        "type": "document",
        "source": {"type": "text", "media_type": "text/plain", "data": "a,b"},
        "title": "a.csv",
    } == csv
    assert ("document", "application/pdf") == (pdf["type"], pdf["source"]["media_type"])


def test_an_image_that_a_vendor_finds_too_large_is_told() -> None:
    large = Media("image/png", bytes(5_000_001))
    reply = Reply(WireCall("c", "f", {}), "x", False, media=(large,))

    [message] = find_vendor("anthropic").calls.write([reply])

    [block] = message["content"][0]["content"]
    assert "x\n[not sent: image/png, 5.0 MB; Anthropic takes at most 5.0 MB]" == block["text"]


@pytest.mark.parametrize("rest", [False, True], ids=["sdk", "rest"])
def test_gemini_has_them_beside_the_responses(rest: bool) -> None:
    call, args = ("functionCall", "args") if rest else ("function_call", "args")
    parts = [{call: {"name": name, args: {}}} for name in ("chart", "files", "plain")]
    wire = TOOLS.project("gemini")

    [content] = wire.handle({"role": "model", "parts": parts})

    found = content["parts"]
    response = "functionResponse" if rest else "function_response"
    assert [response] * 3 == [next(iter(part)) for part in found[:3]]
    assert {"text": "[image/png, 3 B] of the result of chart:"} == found[3]
    if rest:
        assert {"inlineData": {"mimeType": "image/png", "data": PNG}} == found[4]
    else:
        assert {"inline_data": {"mime_type": "image/png", "data": b"png"}} == found[4]
    assert {"text": "a,b"} == found[6]
    assert found[-2]["text"].startswith("[not sent: image/svg+xml, 6 B; Gemini takes image/png")


def test_mcp_has_blocks_and_structured_content_that_fits_its_schema() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    wire = TOOLS.project("mcp")
    [result] = wire.handle({"name": "chart", "arguments": {}})
    [files] = wire.handle({"name": "files", "arguments": {}})

    assert [
        {"type": "text", "text": SHOWN},
        {"type": "image", "data": PNG, "mimeType": "image/png"},
    ] == result["content"]
    for definition, made in zip(wire.definitions, (result, files), strict=False):
        jsonschema.validate(made["structuredContent"], definition["outputSchema"])
    blocks = files["content"][1:]
    assert ["resource", "resource", "audio", "audio", "image", "resource"] == [
        each["type"] for each in blocks
    ]
    assert {"uri": "attachment:///a.csv", "mimeType": "text/csv", "text": "a,b"} == blocks[0][
        "resource"
    ]
    assert "attachment:///file2.pdf" == blocks[1]["resource"]["uri"]
    assert {"uri": "attachment:///file6.txt", "mimeType": "text/plain", "blob": "/w=="} == blocks[
        5
    ]["resource"]


@pytest.mark.needs_process
def test_media_pass_where_results_are_shown_in_parts_and_calls_are_awaited() -> None:
    pages = TOOLS.pages(budget=200)
    wire = pages.tools.project("openai")
    message = SPELLINGS["chat"][1](("chart", {}))

    for found in (
        wire.handle(message, pages=pages),
        asyncio.run(wire.ahandle(message, pages=pages)),
    ):
        assert [SHOWN, "user"] == [found[0]["content"], found[1]["role"]]


@pytest.mark.parametrize(
    ("block", "found"),
    [
        ({"type": "image", "data": PNG, "mimeType": "image/png"}, True),
        (
            {
                "type": "image",
                "data": PNG,
                "mimeType": "image/png",
                "annotations": {"audience": ["assistant"]},
            },
            True,
        ),
        (
            {
                "type": "image",
                "data": PNG,
                "mimeType": "image/png",
                "annotations": {"audience": ["user"]},
            },
            False,
        ),
        (
            {"type": "resource", "resource": {"uri": "a:b", "blob": PNG, "mimeType": "image/png"}},
            True,
        ),
        (
            {"type": "resource", "resource": {"uri": "a:b", "text": "x", "mimeType": "text/plain"}},
            False,
        ),
        ({"type": "resource", "resource": 3}, False),
        ({"type": "text", "text": "x"}, False),
        ({"type": "image", "data": "%", "mimeType": "image/png"}, False),
        ({"type": "image", "data": PNG, "mimeType": "png"}, False),
        ({"type": "image", "data": PNG, "mimeType": 3}, False),
    ],
)
def test_what_another_server_shows_is_media_for_the_model(block: Any, found: bool) -> None:
    expected = (Media("image/png", b"png"),) if found else ()

    assert expected == ToolResult((block,)).media()


def test_each_row_has_types_and_a_source() -> None:
    tables = (rows.OPENAI_CHAT, rows.OPENAI_RESPONSES, rows.ANTHROPIC, rows.GEMINI, rows.MCP)
    for row in [row for table in tables for row in table]:
        assert row.types
        assert row.source
