"""Shared parts of the bridges: the description of a tool, calls to it, and media of results."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import TYPE_CHECKING, Any

from typesig.calls.arguments import Given, InjectedValues, check_names
from typesig.calls.binding import get_host_names
from typesig.calls.results import ToolResult
from typesig.errors import TypesigError
from typesig.extraction.hints.result_hints import get_media_type
from typesig.extraction.python_types.media import Media
from typesig.lazy_imports import import_extra as import_extra
from typesig.notations.texts.quoting import escape_surrogates, escape_surrogates_in_data
from typesig.providers.vendors.media import (
    TEXT,
    TEXTS,
    MediaRow,
    decode_text,
    encode_base64,
    split_media,
)
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset
from typesig.validation.issues.words import JSON_SCHEMA
from typesig.validation.outcome.outcome import apply_words
from typesig.validation.policy import get_first_policy

if TYPE_CHECKING:
    from typesig.providers.projection.tool_projection import ProjectedTool
    from typesig.tools.tool import Tool
    from typesig.validation.outcome.outcome import Outcome
    from typesig.validation.policy import ModeName, Policy


# --- Shared parts of the bridges: the description of a tool, and calls to it ---


class Bridge:
    """A tool in the form in which the bridges to agent frameworks describe and call it.

    #: tool: the tool; tools: the toolset that it is called through, which knows its mode
    #: giver: gives what the host supplies for each call
    #: projected: the tool as its provider takes it, or None if it is told as the tool is
    """

    __slots__ = ("_mode", "giver", "projected", "tool", "tools")

    def __init__(
        self,
        tools: Toolset,
        tool: Tool[..., Any],
        given: Given | None,
        mode: ModeName | Policy | None,
    ) -> None:
        self.tool = tool
        self.projected: ProjectedTool | None = None
        self.tools = tools
        self.giver = InjectedValues(tool.name, get_host_names(tool.binding), given)
        self._mode: ModeName | Policy | None = mode

    def as_projected(self, projected: ProjectedTool) -> Bridge:
        """Copy the bridge with the provider's form *projected* of its tool."""
        other = copy(self)
        other.projected = projected
        return other

    def without_extras(self) -> Bridge:
        """Copy the bridge so that its tool refuses undeclared argument names."""
        other = copy(self)
        mode = self.tools._get_mode(self.tool, self._mode)
        other._mode = get_first_policy(mode).changed(extras="reject").off("key_ignoring_case")
        return other

    @property
    def name(self) -> str:
        """The tool's name, as the model knows it."""
        return self.tool.name if self.projected is None else self.projected.name

    @property
    def description(self) -> str:
        """The tool's description, or an empty text if the tool has none."""
        return self.tool.description or ""

    @property
    def schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments, without injected and firewalled parameters."""
        if self.projected is not None:
            return self.projected.schema
        return self.tool.signature.input_schema()

    def call(self, arguments: object, given: Mapping[str, Any]) -> Outcome[Any]:
        """Call the tool with *arguments* from a model; see `Toolset.call`."""
        outcome = self.tools.call(self.tool.name, arguments, given=given, mode=self._mode)
        return apply_words(outcome, JSON_SCHEMA)

    async def acall(self, arguments: object, given: Mapping[str, Any]) -> Outcome[Any]:
        """Call the tool with *arguments* from a model; see `Toolset.acall`."""
        if self.projected is not None:
            return await self.projected.acall(arguments, given=given, mode=self._mode)
        name, mode = self.tool.name, self._mode
        outcome = await self.tools.acall(name, arguments, given=given, mode=mode)
        return apply_words(outcome, JSON_SCHEMA)

    def write_for_model(self, arguments: object, outcome: Outcome[Any]) -> str:
        """Write *outcome* as text for the model: the result, or the feedback if it failed."""
        if outcome.ok or self.projected is None:
            return write_for_model(outcome)
        return escape_surrogates(self.projected.feedback(arguments, outcome, self._mode))


def write_for_model(outcome: Outcome[Any]) -> str:
    """Return what the model reads of *outcome*: its text, as it is if it is text, or the feedback.

    >>> import typesig
    >>> write_for_model(typesig.parse(":string").validate_output("ten"))
    'ten'
    >>> write_for_model(typesig.parse("[:int]").validate_output([10]))
    '[10]'
    """
    if not outcome.ok:
        return escape_surrogates(outcome.feedback())
    data = outcome.for_model()
    if not isinstance(data, str):
        return outcome.text()
    return escape_surrogates(f"{data}\n{outcome.notice}" if outcome.notice else data)


def read_data_for_model(outcome: Outcome[Any]) -> Any:
    """Return the result data of the valid *outcome*, with lone surrogates escaped.

    Lone surrogates, which no client of a provider can send, are written as escapes.
    """
    return escape_surrogates_in_data(outcome.for_model())


def make_bridges(
    tools: object, given: Given | None, mode: ModeName | Policy | None
) -> list[Bridge]:
    """Build a `Bridge` for each tool of the toolset *tools*; check the type of *tools*."""
    if not isinstance(tools, Toolset):
        raise TypesigError(f"tools takes a toolset, not {type(tools).__name__}; write tools_of(…)")
    return [Bridge(tools, one, given, mode) for one in tools]


def make_bridge(tool: object, given: Given | None, mode: ModeName | Policy | None) -> Bridge:
    """Build the `Bridge` of *tool*; raise `TypesigError` if *given* lacks a value."""
    if not isinstance(tool, Tool):
        remedy = (
            "write tools(…)" if isinstance(tool, Toolset) else "decorate the function with @tool"
        )
        raise TypesigError(f"tool takes a tool, not {type(tool).__name__}; {remedy}")
    check_names(tool.name, get_host_names(tool.binding), given)
    return Bridge(Toolset([tool]), tool, given, mode)


# --- Images, audio and files in results, converted to each framework's types ---
# Most results have no media; `find_media` tells it without looking at the data.

_LANGCHAIN = "langchain-core 1.8 TOOL_MESSAGE_BLOCK_TYPES in tools/base.py"

#: The message of a tool has no blocks for audio and video.  The integration of a provider refuses
#: what its models do not take.
LANGCHAIN = (
    MediaRow("image", ("image/",), None, _LANGCHAIN),
    MediaRow(TEXT, TEXTS, None, _LANGCHAIN),
    MediaRow("file", ("application/",), None, _LANGCHAIN),
)

_PYDANTIC_AI = "pydantic-ai 2.68 messages.py"
_SOUNDS = ("wav", "mpeg", "ogg", "flac", "aiff", "aac")
_VIDEOS = ("x-matroska", "quicktime", "mp4", "webm", "x-flv", "mpeg", "x-ms-wmv", "3gpp")
_OFFICE = "application/vnd.openxmlformats-officedocument."

#: What `BinaryContent` is for.
PYDANTIC_AI = (
    MediaRow(
        "image",
        ("image/jpeg", "image/png", "image/gif", "image/webp"),
        None,
        f"{_PYDANTIC_AI} ImageMediaType",
    ),
    MediaRow(
        "audio", tuple([f"audio/{s}" for s in _SOUNDS]), None, f"{_PYDANTIC_AI} AudioMediaType"
    ),
    MediaRow(
        "video", tuple([f"video/{v}" for v in _VIDEOS]), None, f"{_PYDANTIC_AI} VideoMediaType"
    ),
    MediaRow(
        "document",
        (
            "application/pdf", f"{_OFFICE}wordprocessingml.document",
            f"{_OFFICE}spreadsheetml.sheet", "application/msword", "application/vnd.ms-excel",
        ),
        None,
        f"{_PYDANTIC_AI} DocumentMediaType",
    ),
    MediaRow(TEXT, TEXTS, None, f"{_PYDANTIC_AI} UserContent"),
)  # fmt: skip

#: The images that Pillow opens for smolagents.
_OPENED = ("image/jpeg", "image/png", "image/gif", "image/webp")


def find_media(outcome: Outcome[Any]) -> tuple[Media, ...]:
    """Media in *outcome*, which has no errors, that a model may see."""
    result = outcome.result
    return result.media() if isinstance(result, ToolResult) else outcome.media


def returns_image(tool: Tool[..., Any]) -> bool:
    """Whether the whole result of *tool* is, by its hint, an image that Pillow opens."""
    return get_media_type(tool.binding.host.encode) in _OPENED


def make_langchain_blocks(text: str, media: tuple[Media, ...]) -> list[dict[str, Any]]:
    """Return the content of a `ToolMessage`: the *text*, and LangChain's own blocks of *media*."""
    found = split_media(LANGCHAIN, "LangChain", media)
    blocks: list[dict[str, Any]] = [{"type": "text", "text": "\n".join([text, *found.told])}]
    for kind, each in found.taken:
        if kind == TEXT:
            blocks.append({"type": "text", "text": decode_text(each)})
            continue
        block = {"type": kind, "base64": encode_base64(each), "mime_type": each.type}
        named = {} if each.name is None else {"extras": {"filename": each.name}}
        blocks.append({**block, **named})
    return blocks
