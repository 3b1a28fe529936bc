"""A dialogue: how one interface of a vendor is asked for an answer, as a row of functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from typesig.governance.timing import Usage
from typesig.providers.registry.calls import as_items, get_member, get_text_member

#: How the schema of an answer is told: by a response format, by a tool that has to be called, or by
#: a text at the end of the messages.
Way: TypeAlias = Literal["format", "tool", "text"]

WAYS: tuple[Way, ...] = get_args(Way)


#: Why an answer is no answer: the model refused, a filter of the vendor stopped it, or it reached
#: its limit of length.
StopCode: TypeAlias = Literal["refusal", "filtered", "truncated"]


class StopReason(NamedTuple):
    """Reason why an answer is incomplete or missing.

    #: code: the kind; reason: the words of the model, or those of the vendor
    """

    code: StopCode
    reason: str


class Turn(NamedTuple):
    """The parts of a model's answer: text, messages, usage and stop reason.

    #: text: what the model wrote; messages: its turn, as the next request repeats it
    #: usage: the tokens, or None if the client does not tell
    #: is_paused: whether the vendor's own tools took long, and the turn is to be sent back to go on
    #: ending: why it is no answer, or None
    """

    text: str
    messages: list[Any]
    usage: Usage | None
    is_paused: bool = False
    ending: StopReason | None = None


def make_user_message(text: str) -> dict[str, Any]:
    """Make a user message with *text* in the form common to most vendors."""
    return {"role": "user", "content": text}


def add_tools(request: dict[str, Any], definitions: Sequence[Any]) -> dict[str, Any]:
    """Copy *request* with *definitions* appended to its tools."""
    return {**request, "tools": [*(request.get("tools") or ()), *definitions]}


def make_tool_forcer(
    choice: Callable[[str | None], Any],
) -> Callable[[dict[str, Any], dict[str, Any], str | None], dict[str, Any]]:
    """Build the function `forced` of a dialogue; *choice* makes the `tool_choice`."""

    def forced(
        request: dict[str, Any], definition: dict[str, Any], name: str | None
    ) -> dict[str, Any]:
        return {**add_tools(request, [definition]), "tool_choice": choice(name)}

    return forced


class Dialogue(NamedTuple):
    """The functions and names by which one interface of a vendor is called.

    #: method, streaming: the names that lead to the method of a client, and to that for streams
    #: messages: the name of the messages in a request
    #: formatted: returns a request with a response format; forced: with the definition of a tool
    #:     that has to be called, by its name, or one of the tools if that is None
    #: title: what an answer is, in words; fits: tells whether an object is one
    #: turn: reads an answer
    #: piece: returns the text that an event of a stream brings; arguments: that of a call
    #: streamed: what a request for a stream has besides
    #: required: what a request has unless the caller gives it
    #: opening: returns a message of the user with a text
    #: offered: returns a request with the definitions of tools; held: with the calls of tools, if
    #:     there are any, held to their schemas, where the vendor has a mode for it
    #: limited: returns a request with the most tokens that an answer may have
    """

    method: tuple[str, ...]
    streaming: tuple[str, ...]
    messages: str
    formatted: Callable[[dict[str, Any], dict[str, Any]], dict[str, Any]]
    forced: Callable[[dict[str, Any], dict[str, Any], str | None], dict[str, Any]]
    title: str
    fits: Callable[[object], bool]
    turn: Callable[[object], Turn]
    piece: Callable[[object], str | None]
    arguments: Callable[[object], str | None]
    limited: Callable[[dict[str, Any], int], dict[str, Any]]
    streamed: Mapping[str, Any] = MappingProxyType({"stream": True})
    required: Mapping[str, Any] = MappingProxyType({})
    opening: Callable[[str], dict[str, Any]] = make_user_message
    offered: Callable[[dict[str, Any], Sequence[Any]], dict[str, Any]] = add_tools
    held: Callable[[dict[str, Any]], dict[str, Any]] = dict


def find_stop_reason(reason: str | None, codes: Mapping[str, StopCode]) -> StopReason | None:
    """Look up a vendor's stop *reason* in *codes*; return None for an ordinary end."""
    code = None if reason is None else codes.get(reason)
    return None if reason is None or code is None else StopReason(code, reason)


def join_text(content: object, kinds: tuple[str, ...] = ("text",)) -> str:
    """Join the text in *content*, a string or a list of parts, from parts of *kinds*."""
    if isinstance(content, str):
        return content
    parts = [part for part in as_items(content) if get_text_member(part, "type") in kinds]
    return "".join([get_text_member(part, "text") or "" for part in parts])


def read_usage(usage: object, inputs: tuple[str, ...], outputs: tuple[str, ...]) -> Usage | None:
    """Add up the token counts in *usage* under the names *inputs* and *outputs*."""
    if usage is None:
        return None
    return Usage(_add_counts(usage, inputs), _add_counts(usage, outputs))


def _add_counts(usage: object, names: tuple[str, ...]) -> int:
    """Sum of the integer members *names* of *usage*; missing members count as 0."""
    counts = [get_member(usage, name) for name in names]
    return sum(count for count in counts if type(count) is int)
