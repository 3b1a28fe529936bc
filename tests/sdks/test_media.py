"""Media in results, judged by the types of the providers' own packages."""

from __future__ import annotations

from typing import Any

import pytest

from tests.extraction.python_types.test_media import outcome_of
from tests.providers.projection.test_call_handler import SPELLINGS
from tests.providers.vendors.test_media import TOOLS


def handled(spelling: str) -> Any:
    provider, spell = SPELLINGS[spelling]
    wire = TOOLS.project(provider)  # type: ignore[call-overload]
    return wire.handle(spell(("chart", {}), ("files", {}), ("plain", {})))


def test_chat_completions() -> None:
    chat = pytest.importorskip("openai.types.chat")
    from pydantic import TypeAdapter

    found = handled("chat")

    TypeAdapter(list[chat.ChatCompletionMessageParam]).validate_python(found)


def test_responses() -> None:
    pytest.importorskip("openai")
    from openai.types.responses.response_input_item_param import FunctionCallOutput
    from pydantic import TypeAdapter

    TypeAdapter(list[FunctionCallOutput]).validate_python(handled("responses"))


def test_anthropic() -> None:
    types = pytest.importorskip("anthropic.types")
    from pydantic import TypeAdapter

    TypeAdapter(list[types.MessageParam]).validate_python(handled("anthropic"))


def test_gemini() -> None:
    types = pytest.importorskip("google.genai.types")

    [content] = handled("gemini")

    made = types.Content.model_validate(content)
    blobs = [part.inline_data for part in made.parts if part.inline_data is not None]
    assert b"png" == blobs[0].data
    assert "cG5n" == made.model_dump(mode="json")["parts"][4]["inline_data"]["data"]


def test_mcp() -> None:
    types = pytest.importorskip("mcp_types")

    for result in handled("mcp"):
        types.CallToolResult.model_validate(result)


def test_the_real_pillow_is_recognised() -> None:
    pillow = pytest.importorskip("PIL.Image")

    outcome = outcome_of(pillow.Image, pillow.new("RGBA", (2, 2)))

    [media] = outcome.media
    assert media.data.startswith(b"\x89PNG")
