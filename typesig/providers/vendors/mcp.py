"""The Model Context Protocol: tools with schemas of arguments and results, and calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typesig.notations.json_schema.writing.writer import Style
from typesig.providers.rows.answers import CallFormat
from typesig.providers.rows.calls import (
    Form,
    Reply,
    WireCall,
    has_any,
    has_member,
    member,
    text_member,
)
from typesig.providers.rows.names import NameRule
from typesig.providers.rows.profile import Profile
from typesig.providers.rows.vendor import Vendor, as_it_is
from typesig.providers.rows.wire import WireTool
from typesig.providers.vendors import media

WANTED = "handle takes the params of tools/call, or the request"


def _is_request(message: object) -> bool:
    return text_member(message, "method") == "tools/call"


def _is_params(message: object) -> bool:
    return has_member(message, "name") and not has_any(message, "type", "args")


def _of_params(params: object) -> WireCall:
    return WireCall(None, text_member(params, "name") or "", member(params, "arguments"))


def write(replies: Sequence[Reply]) -> list[dict[str, Any]]:
    """Return a result of `tools/call` for each reply.

    The structured content is there only if the tool's definition has a schema for it.
    """
    return [_result(reply) for reply in replies]


def _result(reply: Reply) -> dict[str, Any]:
    told = {"type": "text", "text": reply.text}
    content = list(reply.content) or [told]
    if reply.media and not reply.content:
        content += media.mcp(reply)
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
    Form("a request of MCP", _is_request, lambda request: [_of_params(member(request, "params"))]),
    Form("the params of a call", _is_params, lambda params: [_of_params(params)]),
)

FORMAT = CallFormat(WANTED, FORMS, write)


NAMES = NameRule("A-Za-z0-9_.-", "A-Za-z0-9_.-", 128)

#: The versions of the protocol; from the last one on, a result may be any JSON value.
VERSIONS = ("2025-11-25", "2025-06-18", "2026-07-28")
ANY_RESULT = frozenset({"2026-07-28"})


def definition_of(profile: Profile, made: WireTool) -> dict[str, Any]:
    """Return the definition of a tool."""
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


def format_of(profile: Profile, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema that asks for an answer, as `requestedSchema` has it."""
    return schema


def _profile(version: str) -> Profile:
    return Profile(
        "mcp",
        version,
        False,
        NAMES,
        titles=True,
        style=Style(whole_objects=True),
        results="any" if version in ANY_RESULT else "object",
        originals=True,
    )


MCP = Vendor(
    name="mcp",
    title="MCP",
    definitions="with `inputSchema` and `outputSchema`; from 2026-07-28 on, a result may be any "
    "JSON",
    profiles=tuple([_profile(version) for version in VERSIONS]),
    strict_answers=False,
    limits=(),
    definition_of=definition_of,
    format_of=format_of,
    result_of=as_it_is,
    calls=FORMAT,
)
