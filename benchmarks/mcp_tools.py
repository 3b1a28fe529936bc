"""How typesig reads the tools that real MCP servers list, and writes them back.

    python benchmarks/mcp_tools.py                          # all servers of the table
    python benchmarks/mcp_tools.py @playwright/mcp tavily-mcp
    python benchmarks/mcp_tools.py --save tools.json        # save the listing
    python benchmarks/mcp_tools.py --load tools.json        # judge a saved listing
    python benchmarks/mcp_tools.py --python --list --save python.json  # PyPI; only list

The servers are packages of npm or PyPI (`mcp_servers.py` has the tables), installed into a
temporary folder and started over stdio, without accounts: the official Python client lists their
tools and calls none.
The input and output schemas of each tool become a signature, which is checked:

- imported     `parse` reads both schemas; else the reason is printed
- lossless     nothing was widened; omitted annotations, such as `examples`, are counted by name
- round trip   the signature's text parses to an equal signature
- equivalent   `input_schema(exact=True)`, and the output's, judge values as the server's own schema
               does; two validators compare them, on values made for both
- accepts      the verdicts of the signature on input and output are those of the validators
- thin         schemas for which few values of one verdict were found, as for tools without
               parameters

A server that does not start is listed with the reason, and does not count as a failure.  The exit
status is 1 if a tool failed in one of the columns imported, round trip, equivalent or accepts.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from json_schemas import CHECKOUT, ENOUGH, JUDGES, Verdict, short, verdicts
from mcp_servers import PYTHON_SERVERS, SERVERS, row_of, tools_of
from schema_judges import Judges, Late, again, limited
from schema_walk import keywords

COLUMNS = ("imported", "lossless", "round trip", "equivalent", "accepts")
SECONDS = 20


@dataclass
class Found:
    """The result for one tool."""

    tool: dict[str, Any]
    passed: set[str] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    losses: list[str] = field(default_factory=list)
    thin: int = 0
    values: int = 0


def judged(tool: dict[str, Any], seed: str) -> Found:
    """Return the result of reading *tool*."""
    import typesig

    found = Found(tool)
    asked, given = tool["inputSchema"], tool.get("outputSchema")
    schemas = {"input": asked, "output": True if given is None else given}
    try:
        with limited(SECONDS):
            signature = typesig.parse(schemas, "json_schema")
            losses = signature.losses
            found.passed.add("imported")
            found.losses = [loss.what for loss in losses]
            if all(loss.kind == "omitted" for loss in losses):
                found.passed.add("lossless")
            text = signature.render()
            if typesig.parse(text) == signature:
                found.passed.add("round trip")
            else:
                found.problems.append(f"not read back: {text}")
            pairs = [(asked, signature.input_schema(exact=True), typesig.from_json_schema(asked))]
            if given is not None:
                pairs.append((given, typesig.render(signature, "json_schema")["output"], signature))
    except Late:
        found.problems.append(f"no answer in {SECONDS} seconds")
        return found
    except Exception:
        found.problems.append(traceback.format_exc(limit=-2))
        return found
    _compare(found, pairs, seed)
    return found


def _compare(found: Found, pairs: list[tuple[Any, Any, Any]], seed: str) -> None:
    """Judge values by the server's schemas, by those written back, and by `accepts`."""
    wrong: set[str] = set()
    for theirs, ours, signature in pairs:
        for made_for, other, side in ((theirs, ours, "theirs"), (ours, theirs, "ours")):
            count = Verdict(side)
            try:
                judges, others = Judges(made_for), Judges(other)
                with limited(SECONDS):
                    for value, verdict in verdicts(made_for, judges, Random(seed), count):
                        # No conclusion if the validators disagree.
                        told = {others.first(value), others.second(value)}
                        if told == {not verdict}:
                            wrong.add("equivalent")
                            _tell(
                                found,
                                f"made for {side}, the schemas differ",
                                value,
                                made_for,
                                other,
                            )
                        elif signature.accepts(value) is not verdict and told == {verdict}:
                            wrong.add("accepts")
                            _tell(found, f"accepts is {not verdict}", value, theirs, str(signature))
            except Late:
                pass
            except Exception:
                wrong.update(("equivalent", "accepts"))
                found.problems.append(traceback.format_exc(limit=-2))
            found.thin += min(count.accepted, count.refused) < ENOUGH
            found.values += count.accepted + count.refused
    found.passed |= {"equivalent", "accepts"} - wrong


def _tell(found: Found, what: str, value: Any, *schemas: Any) -> None:
    if len(found.problems) < 3:
        lines = [f"    {short(each, 1000)}" for each in schemas]
        found.problems.append("\n".join([f"{what}: {short(value)}", *lines]))


# the report


def print_report(all_found: list[Found], failed: dict[str, str]) -> None:
    """Print a row for each server, then the keywords, the losses and every problem."""
    servers: dict[str, list[Found]] = {}
    for each in all_found:
        servers.setdefault(each.tool["server"], []).append(each)
    print(
        f"{'server':46}{'tools':>6}" + "".join(f"{word:>12}" for word in COLUMNS) + f"{'thin':>6}"
    )
    for name, found in servers.items():
        _print_row(name, found)
    _print_row(f"all {len(servers)}", all_found)
    outputs = sum(each.tool.get("outputSchema") is not None for each in all_found)
    print(
        f"\n{outputs} tools with an output schema, {sum(e.values for e in all_found)} values judged"
    )
    for name, reason in failed.items():
        print(f"did not start: {name}: {reason}")
    used: Counter[str] = Counter()
    for each in all_found:
        words = keywords(each.tool["inputSchema"]) + keywords(each.tool.get("outputSchema") or {})
        used.update(words.keys())
    print("\nkeywords, in how many tools: " + ", ".join(f"{w} {n}" for w, n in used.most_common()))
    losses = Counter(what for each in all_found for what in set(each.losses))
    print(
        "losses, in how many tools: " + (", ".join(f"{w} {n}" for w, n in losses.items()) or "none")
    )
    for each in all_found:
        for problem in each.problems:
            print(f"\nFAILED {each.tool['server']} {each.tool['tool']}: {problem}")


def _print_row(name: str, found: list[Found]) -> None:
    counts = "".join(f"{sum(word in each.passed for each in found):12}" for word in COLUMNS)
    print(f"{name:46}{len(found):6}{counts}{sum(each.thin > 0 for each in found):6}")


def listed(names: list[str], folder: Path) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return the tools of the servers *names*, and the reasons why others did not start."""
    tools: list[dict[str, Any]] = []
    failed: dict[str, str] = {}
    for name in names:
        try:
            tools += tools_of(row_of(name), folder, sys.executable)
        except RuntimeError as error:
            failed[name] = str(error)
        print(f"\r{len(tools)} tools, {name} {'':40}", end="", file=sys.stderr)
    print(file=sys.stderr)
    return tools, failed


def inside(asked: argparse.Namespace) -> int:
    """List and judge in this environment."""
    warnings.simplefilter("ignore", FutureWarning)
    failed: dict[str, str] = {}
    if asked.load:
        tools = json.loads(Path(asked.load).read_text("utf-8"))
        tools = [tool for tool in tools if tool["server"] in (asked.servers or [tool["server"]])]
    else:
        table = PYTHON_SERVERS if asked.python else SERVERS
        names = asked.servers or [each.package for each in table]
        with tempfile.TemporaryDirectory(prefix="typesig-servers-") as folder:
            tools, failed = listed(names, Path(folder))
    if asked.save:
        Path(asked.save).write_text(json.dumps(tools, indent=1), "utf-8")
    if asked.list:
        for name, reason in failed.items():
            print(f"did not start: {name}: {reason}")
        print(f"{len(tools)} tools")
        return 0
    all_found = [judged(tool, f"{asked.seed}/{tool['server']}/{tool['tool']}") for tool in tools]
    print_report(all_found, failed)
    needed = set(COLUMNS) - {"lossless"}
    return 1 if any(each.problems or needed - each.passed for each in all_found) else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("servers", nargs="*", help="npm packages, pypi:NAME (all in the table)")
    parser.add_argument("--python", action="store_true", help="the table of PyPI, not that of npm")
    parser.add_argument("--list", action="store_true", help="list the tools, judge nothing")
    parser.add_argument("--save", metavar="FILE", help="write the listed tools to FILE")
    parser.add_argument("--load", metavar="FILE", help="judge the tools in FILE, start no server")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the values (1)")
    parser.add_argument("--site", metavar="PATH", help="judge here, with the installed packages")
    asked = parser.parse_args()
    if asked.make_site is not None:
        sys.path.insert(0, str(CHECKOUT))
        return inside(asked)
    with tempfile.TemporaryDirectory(prefix="typesig-tools-") as folder:
        return again(Path(folder), [*JUDGES, "mcp>=1.24"], __file__, sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
