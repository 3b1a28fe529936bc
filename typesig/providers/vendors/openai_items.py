"""OpenAI: the items of a response by type, and who answers each."""

from __future__ import annotations

from typesig.providers.rows.items import ItemRow, ItemTable

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
