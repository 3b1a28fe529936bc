"""The client that the scenarios for clients run: it lists the tools of a server and calls each."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

import typesig
from typesig.mcp import connect, tools_from

#: An argument of each type.
SAMPLES = {"string": "x", "integer": 3, "number": 1.5, "boolean": True, "array": [], "object": {}}


def answered(params: dict[str, Any]) -> dict[str, Any]:
    """Accept the form with what it has by default, and samples for what it needs."""
    schema = params["requestedSchema"]
    form = typesig.contract(typesig.from_json_schema({}, schema))
    return {"action": "accept", "content": form.read(sample_of(schema)).value}


def sample_of(schema: dict[str, Any]) -> dict[str, Any]:
    fields = schema.get("properties", {})
    needed = schema.get("required", ())
    return {name: SAMPLES.get(fields.get(name, {}).get("type")) for name in needed}


async def main(url: str) -> None:
    """Call the tools of the server at *url*, or those that the scenario names."""
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}"))
    async with connect(url, on_elicit=answered, timeout=20) as session:
        tools = await tools_from(session)
        schemas = {each["name"]: each["inputSchema"] for each in tools.project("mcp").definitions}
        calls = context.get("toolCalls") or [
            {"name": name, "arguments": sample_of(schema)} for name, schema in schemas.items()
        ]
        if "json_schema_2020_12_tool" in schemas:
            [echo] = [each for each in calls if each["name"] != "json_schema_2020_12_tool"]
            calls = [{**echo, "arguments": {"schema": schemas["json_schema_2020_12_tool"]}}]
        for call in calls:
            await tools.acall(call["name"], call["arguments"])


if __name__ == "__main__":
    asyncio.run(main(sys.argv[-1]))
