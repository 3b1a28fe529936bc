"""The Model Context Protocol: tools with schemas of arguments and results, and calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typesig.notations.json_schema.writer import Style
from typesig.providers.registry.answers import CallFormat
from typesig.providers.registry.calls import (
    MessageForm,
    Reply,
    WireCall,
    get_member,
    get_text_member,
    has_any,
    has_member,
)
from typesig.providers.registry.provider import NameRule
from typesig.providers.registry.vendor import Profile, SentTool, Vendor, return_unchanged
from typesig.providers.vendors import media

WANTED = "handle takes the params of tools/call, or the request"


def _read_params(params: object) -> WireCall:
    """Read the call in the *params* of a request."""
    return WireCall(None, get_text_member(params, "name") or "", get_member(params, "arguments"))


def write(replies: Sequence[Reply]) -> list[dict[str, Any]]:
    """Return a result of `tools/call` for each reply.

    The structured content is there only if the tool's definition has a schema for it.
    """
    return [_write_result(reply) for reply in replies]


def _write_result(reply: Reply) -> dict[str, Any]:
    """Write *reply* as a `CallToolResult`, with structured content if it is typed."""
    told = {"type": "text", "text": reply.text}
    content = list(reply.content) or [told]
    if reply.media and not reply.content:
        content += media.write_mcp(reply)
    if reply.notice:
        content.append({"type": "text", "text": reply.notice})
    result: dict[str, Any] = {"content": content, "isError": reply.is_error}
    if reply.meta is not None:
        result["_meta"] = dict(reply.meta)
    if reply.is_error or not reply.typed:
        return result
    return {**result, "structuredContent": reply.data}


#: The first that fits is read.
FORMS = (
    MessageForm(
        "a request of MCP",
        lambda m: get_text_member(m, "method") == "tools/call",
        lambda request: [_read_params(get_member(request, "params"))],
    ),
    MessageForm(
        "the params of a call",
        lambda m: has_member(m, "name") and not has_any(m, "type", "args"),
        lambda params: [_read_params(params)],
    ),
)

FORMAT = CallFormat(WANTED, FORMS, write)


NAMES = NameRule("A-Za-z0-9_.-", "A-Za-z0-9_.-", 128)

#: The versions of the protocol; from the last one on, a result may be any JSON value.
VERSIONS = ("2025-11-25", "2025-06-18", "2026-07-28")
ANY_RESULT = frozenset({"2026-07-28"})


def build_definition(profile: Profile, made: SentTool) -> dict[str, Any]:
    """Build the definition of a tool."""
    out: dict[str, Any] = {"name": made.name}
    if made.title:
        out["title"] = made.title
    if made.description:
        out["description"] = made.description
    out["inputSchema"] = made.parameters
    if made.results is not None:
        out["outputSchema"] = made.results
    if made.annotations:
        out["annotations"] = dict(made.annotations)
    return {**out, **made.beside}


MCP = Vendor(
    name="mcp",
    title="MCP",
    definitions="with `inputSchema` and `outputSchema`; from 2026-07-28 on, a result may be any "
    "JSON",
    profiles=tuple(
        [
            (
                Profile(
                    "mcp",
                    version,
                    False,
                    NAMES,
                    titles=True,
                    style=Style(whole_objects=True),
                    results="any" if version in ANY_RESULT else "object",
                    originals=True,
                )
            )
            for version in VERSIONS
        ]
    ),
    strict_answers=False,
    limits=(),
    definition_of=build_definition,
    format_of=lambda _profile, _name, schema: schema,
    result_of=return_unchanged,
    calls=FORMAT,
)
