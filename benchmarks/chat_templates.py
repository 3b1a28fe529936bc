"""Lists of tools, and results, compared with the chat templates of models.

    pip download --no-deps --no-binary llama-cpp-python llama-cpp-python
    tar xzf llama_cpp_python-*.tar.gz
    python benchmarks/chat_templates.py llama_cpp_python-*/vendor/llama.cpp/models/templates

renders each template that a row names with a conversation of our own, by jinja2, and tells whether
what we write stands in it.  It ends with how many do, and with how many differ.
"""

from __future__ import annotations

import copy
import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from typesig.providers.dialects.call_writer import write_results
from typesig.providers.dialects.dialect import Dialect
from typesig.providers.dialects.prompt_templates import LLAMA_CPP
from typesig.providers.dialects.registry import DIALECTS
from typesig.providers.dialects.tool_listing import write_tools

_CITY = {"type": "string", "description": "where"}
_DAYS = {"type": "integer", "description": "how many"}
_BOOK = {
    "name": "book",
    "description": "Book a stay.",
    "parameters": {
        "type": "object",
        "properties": {"city": _CITY, "days": _DAYS},
        "required": ["city"],
    },
}
_NOW = {
    "name": "now",
    "description": "Return the time.",
    "parameters": {"type": "object", "properties": {}},
}
TOOLS = [{"type": "function", "function": each} for each in (_BOOK, _NOW)]
CALLS = [("book", {"city": "Bern", "days": 2}), ("now", {})]
#: The dialects whose templates take one call in a turn.
LONE = ("llama-json", "pythonic", "harmony", "command-r")


def conversation(row: Dialect) -> list[dict[str, Any]]:
    """Return a conversation with calls and their results."""
    calls, replies = [], []
    for index, (name, arguments) in enumerate(CALLS[:1] if row.name in LONE else CALLS):
        id = row.ids.format(name=name, index=index) or f"id{index}"
        function = {"name": name, "arguments": arguments}
        calls.append({"id": id, "type": "function", "function": function})
        replies.append({"role": "tool", "tool_call_id": id, "name": name, "content": f"r{index}"})
    asked = {"role": "user", "content": "HI"}
    return [asked, {"role": "assistant", "content": "", "tool_calls": calls}, *replies]


def rendered(path: Path, messages: list[dict[str, Any]]) -> str:
    """Return what the template at *path* makes of *messages*, with our tools."""
    sandbox = import_module("jinja2.sandbox")
    environment = sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    environment.filters["tojson"] = lambda data, **options: json.dumps(
        data, ensure_ascii=False, indent=options.get("indent")
    )
    environment.globals["strftime_now"] = lambda _: "1 January 2026"
    template = environment.from_string(path.read_text(encoding="utf-8"))
    made: str = template.render(
        messages=copy.deepcopy(messages),
        tools=copy.deepcopy(TOOLS),
        add_generation_prompt=True,
        bos_token="",
        eos_token="</s>",
    )
    return made


def main(folder: str) -> None:
    """Print a line for each part of a row that has a template in *folder*."""
    same = other = 0
    for row in DIALECTS.values():
        messages = conversation(row)
        for part, text in (
            (row.listing, write_tools(TOOLS, row)),
            (row.results, write_results(messages[2:], row) if row.results else ""),
        ):
            if part is None or not part.source.startswith(LLAMA_CPP):
                continue
            found = text in rendered(Path(folder) / part.source.removeprefix(LLAMA_CPP), messages)
            same, other = same + found, other + (not found)
            print(f"{'same' if found else 'other'}  {row.name}: {type(part).__name__}")
    print(f"{same} stand in the templates, {other} differ")


if __name__ == "__main__":
    main(sys.argv[1])
