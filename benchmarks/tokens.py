"""What the definitions of tools cost in a prompt: as minified JSON, in shorthand, and compact.

    python benchmarks/mcp_tools.py --save tools.json       # lists the tools of real MCP servers
    python benchmarks/tokens.py tools.json                 # o200k tokens if tiktoken is installed
    python benchmarks/tokens.py tools.json --bytes         # bytes of UTF-8
    python benchmarks/tokens.py                            # the tools of examples/shop.py

A definition is the tool's name, its description and the schema of its arguments, as providers take
it; or its name, its signature with the result that the tool declares, and its description.  Only
the texts tell the result.  Shares are of the minified JSON of the same tools.

- types        without any description
- all prose    with every description
- worst        the largest share of one tool, with every description
- back         the tools whose text reads back equal, of all that were read

A tool whose schema is not read without widening is left out, and counted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

CHECKOUT = Path(__file__).resolve().parent.parent
NOTATIONS = ("shorthand", "compact")

Counter = Callable[[str], int]


class Listed(NamedTuple):
    """A tool: its name, description and arguments as a provider takes them, and its signature."""

    name: str
    description: str
    schema: dict[str, Any]
    signature: Any


def from_listing(path: Path) -> Iterator[Listed | None]:
    """Yield the tools of a listing that `mcp_tools.py` saved; None for one that is not read."""
    import typesig
    from typesig.algebra.loss import changing

    for tool in json.loads(path.read_text("utf-8")):
        given = tool.get("outputSchema")
        pair = {"input": tool["inputSchema"], "output": True if given is None else given}
        try:
            signature, losses = typesig.parse_with_losses(pair, "json_schema")
        except typesig.TypesigError:
            yield None
            continue
        whole = not changing(losses)
        description = tool.get("description") or ""
        yield Listed(tool["tool"], description, tool["inputSchema"], signature) if whole else None


def from_examples() -> Iterator[Listed]:
    """Yield the tools of the shop in `examples`."""
    import typesig
    from examples import shop

    for tool in typesig.tools_of(shop):
        signature = tool.signature
        yield Listed(tool.name, tool.description or "", signature.input_schema(), signature)


def without_prose(schema: Any, names: bool = False) -> Any:
    """Return *schema* without descriptions; *names*: its keys are names and not keywords."""
    if isinstance(schema, list):
        return [without_prose(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    mapping = ("properties", "$defs", "definitions", "patternProperties")
    return {
        key: without_prose(value, not names and key in mapping)
        for key, value in schema.items()
        if names or key not in ("description", "title")
    }


def as_json(tool: Listed, prose: bool) -> str:
    """Return the definition of *tool* as minified JSON."""
    schema = tool.schema if prose else without_prose(tool.schema)
    whole = {"name": tool.name, "description": tool.description, "parameters": schema}
    if not prose:
        del whole["description"]
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":"))


def as_text(tool: Listed, notation: Any, prose: bool) -> str:
    """Return the definition of *tool* with its signature in *notation*."""
    import typesig
    from typesig.algebra.signature import mapped
    from typesig.algebra.traversal import without_notes

    signature = tool.signature if prose else mapped(tool.signature, without_notes)
    text = tool.name + typesig.render(signature, notation, lossy=True)
    return f"{text}\n  {tool.description}" if prose and tool.description else text


def reads_back(tool: Listed, notation: Any) -> bool:
    """Tell whether the signature of *tool* in *notation* reads back as what is expressible."""
    import typesig
    from typesig.notations import NOTATIONS as ROWS

    expressible = ROWS[notation].expressible
    assert expressible is not None
    text = typesig.render(tool.signature, notation, lossy=True)
    return expressible(tool.signature) == typesig.parse(text, notation)


def counter(in_bytes: bool) -> tuple[str, Counter]:
    """Return what is counted, and the function that counts it."""
    if not in_bytes:
        try:
            import tiktoken
        except ImportError:
            print("tiktoken is not installed; counting bytes", file=sys.stderr)
        else:
            encoding = tiktoken.get_encoding("o200k_base")
            return "o200k tokens", lambda text: len(encoding.encode(text, disallowed_special=()))
    return "bytes", lambda text: len(text.encode("utf-8", "surrogatepass"))


def print_table(tools: list[Listed], unit: str, count: Counter) -> bool:
    """Print the shares; return whether every text reads back."""
    totals = {prose: sum(count(as_json(tool, prose)) for tool in tools) for prose in (False, True)}
    print(f"{len(tools)} tools as minified JSON: types {totals[False]} {unit}, ", end="")
    print(f"all prose {totals[True]} {unit}\n")
    print(f"{'':12}{'types':>10}{'all prose':>12}{'worst':>10}{'back':>8}")
    fine = True
    for notation in NOTATIONS:
        shares = []
        for prose in (False, True):
            size = sum(count(as_text(tool, notation, prose)) for tool in tools)
            shares.append(size / totals[prose])
        worst = max(count(as_text(t, notation, True)) / count(as_json(t, True)) for t in tools)
        back = sum(reads_back(tool, notation) for tool in tools)
        fine = fine and back == len(tools)
        print(f"{notation:12}{shares[0]:10.3f}{shares[1]:12.3f}{worst:10.3f}{back:8}")
    return fine


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("listing", nargs="?", help="a listing that mcp_tools.py saved")
    parser.add_argument("--bytes", action="store_true", help="count bytes, not tokens")
    asked = parser.parse_args()
    sys.path.insert(0, str(CHECKOUT))
    found = list(from_listing(Path(asked.listing)) if asked.listing else from_examples())
    tools = [tool for tool in found if tool is not None]
    print(f"left out, not read without widening: {len(found) - len(tools)}")
    unit, count = counter(asked.bytes)
    return 0 if print_table(tools, unit, count) else 1


if __name__ == "__main__":
    sys.exit(main())
