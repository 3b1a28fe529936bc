"""What providers would refuse of the tools that real MCP servers list, as they are and projected.

    python benchmarks/provider_rules.py --load tools.json   # a listing that mcp_tools.py saved
    python benchmarks/provider_rules.py @playwright/mcp     # list the tools of these servers
    python benchmarks/provider_rules.py --save tools.json   # of all servers of the table

The servers are those of `mcp_servers.py`; to list them needs npm, a network and the package `mcp`,
and without these nothing is judged. The input and output schemas of each tool become a signature,
and the tools of a server a toolset, which is projected for each provider and profile. The rules are
those of `tests/vendors`, which the projections do not share.

- tools       how many were read; the others are listed with the reason
- as listed   tools that the provider refuses with the server's own schema
- projected   tools that it refuses with the definition of the projection
- left out    tools that the projection has no definition for
- losses      how many the projections tell
- over        servers whose tools exceed a limit of one request, as `check()` tells

The exit status is 1 if a projected tool is refused, or if `check()` does not tell of a limit that
is exceeded or of advice that is not followed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp_servers import SERVERS, row_of, tools_of

CHECKOUT = Path(__file__).resolve().parent.parent

#: The rules that are advice, and that `check()` tells as such.
ADVICE = {"OS-first-key", "GP-anyof-type", "GJ-recursion"}


@dataclass
class Count:
    """The counts of one profile, over all servers."""

    refused_as_listed: int = 0
    refused: int = 0
    left_out: int = 0
    losses: int = 0
    over: int = 0
    rules_as_listed: Counter[str] = field(default_factory=Counter)
    advice: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)


def read(listed: list[dict[str, Any]]) -> tuple[list[Any], list[str]]:
    """Return the tools of *listed*, and why others are not read."""
    import typesig

    tools: dict[str, Any] = {}
    problems = []
    for each in listed:
        output = each.get("outputSchema")
        schemas = {"input": each["inputSchema"], "output": True if output is None else output}
        try:
            signature = typesig.parse(schemas, "json_schema", lossy=True)
            made = typesig.tool(
                signature, name=each["tool"], description=each.get("description") or None
            )
            tools[each["tool"]] = made(lambda **given: given)
        except typesig.TypesigError as error:
            problems.append(f"{each['server']} {each['tool']}: {str(error).splitlines()[0]:.120}")
    return list(tools.values()), problems


def judge(listed: list[dict[str, Any]], tools: list[Any], counts: dict[Any, Count]) -> None:
    """Add to *counts* what each profile makes of the tools of one server."""
    import typesig
    from tests.vendors import violations
    from tests.vendors.cases import definition
    from tests.vendors.options import OPTIONS

    toolset = typesig.Toolset(tools)
    for (vendor, profile), options in OPTIONS.items():
        count = counts[vendor, profile]
        for each in listed:
            text = each.get("description") or each["tool"]
            own = definition(
                vendor, profile, each["inputSchema"], name=each["tool"], description=text
            )
            found = {v.rule.id for v in violations(vendor, profile, [own]) if v.rule.kind == "hard"}
            count.refused_as_listed += bool(found)
            count.rules_as_listed.update(found)
        projection = toolset.project(vendor, **options)
        findings = projection.check()
        excesses = [each for each in findings if each.limit != "advice"]
        advised = {each.tool for each in findings if each.limit == "advice"}
        named = [each.tool.name for each in projection.tools.values()]
        count.left_out += len(toolset) - len(projection.definitions)
        count.losses += len(projection.losses)
        count.over += bool(excesses)
        refused = set()
        for violation in violations(vendor, profile, projection.definitions):
            if violation.rule.kind == "soft":
                count.advice[violation.rule.id] += 1
                if violation.rule.id in ADVICE and named[_number_of(violation)] not in advised:
                    count.problems.append(f"{listed[0]['server']}: no advice: {violation}")
            elif violation.rule.kind == "hard":
                refused.add(_number_of(violation))
                count.problems.append(f"{listed[0]['server']}: {violation}")
            elif not excesses:
                count.problems.append(f"{listed[0]['server']}: check() tells nothing: {violation}")
        count.refused += len(refused)


def _number_of(violation: Any) -> int:
    """Return which of the definitions breaks a rule."""
    return int(violation.place.split("/")[1])


def print_report(counts: dict[Any, Count], tools: int, unread: list[str]) -> bool:
    """Print a row for each profile, and every problem; return whether there is none."""
    words = ("as listed", "projected", "left out", "losses", "over")
    print(f"{'provider and profile':28}{'tools':>7}" + "".join(f"{word:>11}" for word in words))
    for (vendor, profile), count in counts.items():
        numbers = (
            *(count.refused_as_listed, count.refused, count.left_out),
            *(count.losses, count.over),
        )
        told = "".join(f"{number:11}" for number in numbers)
        print(f"{f'{vendor} {profile}':28}{tools:7}{told}")
    print()
    for (vendor, profile), count in counts.items():
        rules = ", ".join(
            f"{rule} {number}" for rule, number in count.rules_as_listed.most_common()
        )
        print(f"{vendor} {profile}, refused as listed: {rules or 'nothing'}")
        if count.advice:
            told = ", ".join(f"{rule} {number}" for rule, number in count.advice.most_common())
            print(f"{vendor} {profile}, advice that the projection does not follow: {told}")
    for problem in unread:
        print(f"not read: {problem}")
    problems = [problem for count in counts.values() for problem in count.problems]
    for problem in problems:
        print(f"FAILED {problem}")
    return not problems


def listing(asked: argparse.Namespace) -> list[dict[str, Any]]:
    """Return the tools that are asked for, none with a message if they cannot be had."""
    if asked.load:
        tools: list[dict[str, Any]] = json.loads(Path(asked.load).read_text("utf-8"))
        return [tool for tool in tools if tool["server"] in (asked.servers or [tool["server"]])]
    found: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="typesig-servers-") as folder:
        for name in asked.servers or [each.package for each in SERVERS]:
            try:
                found += tools_of(row_of(name), Path(folder), sys.executable)
            except (OSError, RuntimeError) as error:
                print(f"did not start: {name}: {error}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("servers", nargs="*", help="npm packages (all in the table)")
    parser.add_argument("--load", metavar="FILE", help="judge the tools in FILE, start no server")
    parser.add_argument("--save", metavar="FILE", help="write the listed tools to FILE")
    asked = parser.parse_args()
    warnings.simplefilter("ignore", FutureWarning)
    sys.path.insert(0, str(CHECKOUT))
    listed = listing(asked)
    if not listed:
        print("no tools were listed, nothing is judged")
        return 0
    if asked.save:
        Path(asked.save).write_text(json.dumps(listed, indent=1), "utf-8")
    from tests.vendors.options import OPTIONS

    counts = {key: Count() for key in OPTIONS}
    unread: list[str] = []
    number = 0
    for server in dict.fromkeys(each["server"] for each in listed):
        of_server = [each for each in listed if each["server"] == server]
        tools, problems = read(of_server)
        unread += problems
        number += len(tools)
        judge(of_server, tools, counts)
    return 0 if print_report(counts, number, unread) else 1


if __name__ == "__main__":
    sys.exit(main())
