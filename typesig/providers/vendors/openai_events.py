"""OpenAI: the items of a response by type, and answers built from the events of a stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typesig.providers.registry.answers import ItemRow, ItemTable
from typesig.providers.registry.calls import (
    as_items,
    get_member,
    get_text_member,
    has_member,
    join_pieces,
    make_cut_off_error,
    make_stream_error,
    merge_delta,
    to_plain_event,
)

# --- OpenAI: a chat completion or a response, built from the events of its stream ---

#: What arrives whole, and could come again.
_WHOLE = frozenset({"role", "id", "type", "index"})

#: The events that end a response, and have all of it.
_LAST = ("response.completed", "response.incomplete", "response.failed")


def build_answer(events: Sequence[object]) -> dict[str, Any]:
    """Build the chat completion or the response from the *events* of its stream."""
    kinds = [get_text_member(event, "type") or "" for event in events]
    if any(kind.startswith("response.") for kind in kinds):
        return _build_response(events)
    completion = _CompletionBuilder()
    for event in events:
        # What `client.chat.completions.stream` yields has chunks among its own events.
        chunk = event if has_member(event, "choices") else get_member(event, "chunk")
        if chunk is not None:
            completion.add(to_plain_event(chunk))
        elif get_member(event, "error") is not None:
            raise make_stream_error(to_plain_event(event))
    return completion.build()


def _build_response(events: Sequence[object]) -> dict[str, Any]:
    """Build a response from the *events* of its stream; raise an error if cut off."""
    items: list[Any] = []
    for event in events:
        kind = get_text_member(event, "type")
        if kind == "error":
            raise make_stream_error(to_plain_event(event))
        if kind == "response.output_item.done":
            items.append(get_member(event, "item"))
        if kind in _LAST:
            whole = to_plain_event(get_member(event, "response"))
            # Some servers do not repeat in the last event what they sent in others.
            output = whole.get("output") or [to_plain_event(item) for item in items]
            return {**whole, "output": output}
    raise make_cut_off_error("its last event, such as response.completed, is missing")


class _CompletionBuilder:
    """A builder of a chat completion from the chunks of a stream.

    #: parts: what is said of the whole; choices: by their indices
    #: places: where the calls of each choice are in its list, by their indices
    """

    def __init__(self) -> None:
        self.parts: dict[str, Any] = {}
        self.choices: dict[int, dict[str, Any]] = {}
        self.places: dict[tuple[int, Any], int] = {}

    def add(self, chunk: dict[str, Any]) -> None:
        """Add the parts of *chunk* to the completion."""
        if isinstance(chunk.get("error"), dict):
            raise make_stream_error(chunk)
        self.parts |= {k: v for k, v in chunk.items() if v is not None and k != "choices"}
        for part in as_items(chunk.get("choices")):
            index = part.get("index") or 0
            empty = {"role": "assistant", "content": None}
            started = {"index": index, "finish_reason": None, "message": empty}
            choice = self.choices.setdefault(index, started)
            delta = part.pop("delta", None) or {}
            calls = delta.pop("tool_calls", None)
            merge_delta(choice, {**part, "message": delta}, _WHOLE | {"finish_reason"})
            for call in as_items(calls):
                self._add_call(index, choice["message"].setdefault("tool_calls", []), call)

    def _add_call(self, choice: int, calls: list[dict[str, Any]], call: dict[str, Any]) -> None:
        """Add *call*, a new call or a piece of a known call, to *calls*."""
        at, id = call.pop("index", None), call.get("id")
        # Some servers give no index, or the same one to all calls.
        place = self.places.get((choice, at), len(calls) - 1 if at is None else -1)
        known = calls[place].get("id") if place >= 0 else None
        if place < 0 or (id and known and id != known):
            place = len(calls)
            calls.append({})
        self.places[choice, at] = place
        merge_delta(calls[place], call, _WHOLE)

    def build(self) -> dict[str, Any]:
        """Build the completion; raise `TypesigError` if it has not ended."""
        open_ones = [each for each in self.choices.values() if not each["finish_reason"]]
        if open_ones or not self.choices:
            raise make_cut_off_error("the last chunk, which has a finish_reason, is missing")
        choices = [join_pieces(self.choices[index]) for index in sorted(self.choices)]
        return {**self.parts, "object": "chat.completion", "choices": choices}


# --- OpenAI: the items of a response by type, and who answers each ---

_ROWS = (
    ItemRow("message", "text"),
    ItemRow("reasoning", "text"),
    ItemRow("compaction", "text"),
    ItemRow("function_call", "call", "function_call_output"),
    ItemRow("custom_tool_call", "call", "custom_tool_call_output"),
    ItemRow("computer_call", "host", "computer_call_output"),
    ItemRow("local_shell_call", "host", "local_shell_call_output", key="id"),
    ItemRow(
        "shell_call",
        "host",
        "shell_call_output",
        at_server=(("environment", "type"), "container_reference"),
    ),
    ItemRow("apply_patch_call", "host", "apply_patch_call_output"),
    ItemRow("tool_search_call", "host", "tool_search_output", at_server=(("execution",), "server")),
    ItemRow(
        "mcp_approval_request",
        "host",
        "mcp_approval_response",
        key="approval_request_id",
        id="id",
    ),
    ItemRow("file_search_call", "server"),
    ItemRow("web_search_call", "server"),
    ItemRow("image_generation_call", "server"),
    ItemRow("code_interpreter_call", "server"),
    ItemRow("mcp_call", "server"),
    ItemRow("mcp_list_tools", "server"),
    ItemRow("program", "server"),
    ItemRow("additional_tools", "server"),
    # Those of a request, which ask for nothing.
    ItemRow("item_reference", "server"),
    ItemRow("configuration_update", "server"),
    ItemRow("compaction_trigger", "server"),
    ItemRow("function_call_output", "result"),
    ItemRow("custom_tool_call_output", "result"),
    ItemRow("computer_call_output", "result"),
    ItemRow("local_shell_call_output", "result"),
    ItemRow("shell_call_output", "result"),
    ItemRow("apply_patch_call_output", "result"),
    ItemRow("tool_search_output", "result"),
    ItemRow("mcp_approval_response", "result"),
    ItemRow("program_output", "result"),
)

#: The types are those of the SDK's unions, as of openai 2 in 2026-11; a test compares them.
ITEMS = ItemTable({row.kind: row for row in _ROWS})
