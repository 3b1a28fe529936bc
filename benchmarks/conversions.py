"""What each notation can express of the tools that real MCP servers list, and how long it takes.

    python benchmarks/mcp_tools.py --save tools.json        # list them once
    python benchmarks/conversions.py tools.json
    python benchmarks/conversions.py tools.json --show gram # and print what gram refuses, by reason

Each tool becomes a signature, and the signature is written in each notation:

- said         nothing was lost
- left out     only information that does not restrict values was lost: names, titles, descriptions
- refused      the notation cannot express a part: an error without `lossy=True`; the reasons follow
- widened      written with `lossy=True`; must count all that are refused
- read back    the text or data reads back to what the notation can express of the signature
- µs           `convert` of one signature, warm: the median over all tools, and the median of the
               slowest tenth.  Each round converts a new signature, since results may be cached.
- reading      the same of `parse` of what was written, with other blanks at its end in each round

The exit status is 1 if a tool fails otherwise, or is not read back.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import time
import traceback
import warnings
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parent.parent
_READING = ("reading", "largest")
COLUMNS = ("said", "left out", "refused", "widened", "read back")


def signatures(file: Path) -> list[Any]:
    """Return the signatures of the tools in *file*, without those that cannot be read."""
    import typesig

    out = []
    for tool in json.loads(file.read_text("utf-8")):
        try:
            schemas = tool["inputSchema"], tool.get("outputSchema")
            out.append(typesig.from_json_schema(*schemas, lossy=True))
        except typesig.TypesigError as error:
            print(f"not read: {tool['server']} {tool['tool']}: {error}", file=sys.stderr)
    return out


def asked(signature: Any, notation: str, reasons: Counter[str]) -> set[str]:
    """Return the columns in which *signature* counts; raise if it is not read back."""
    import typesig
    from typesig.errors import Unsupported
    from typesig.notations import NOTATIONS, convert

    found: set[str] = set()
    written, losses = convert(signature, notation)
    widened = [loss for loss in losses if loss.kind != "omitted"]
    try:
        typesig.render(signature, notation)
        assert not widened, "written without an error, though it was widened"
        found.add("left out" if losses else "said")
    except Unsupported:
        assert widened, "an error, though nothing was widened"
        found.add("refused")
        found.add("widened")
    reasons.update({_QUOTED.sub("…", f"{loss.what}: {loss.why}") for loss in losses})
    back = typesig.parse(written, notation)
    expected = NOTATIONS[notation].expressible(signature)
    if back == expected:
        found.add("read back")
    else:
        raise AssertionError(
            f"not read back:\n  {written}\n  {back.render()}\n  {expected.render()}"
        )
    return found


#: The parts of a loss that differ between tools, possibly cut short.
_QUOTED = re.compile(r""""[^"]*"|"[^"]*…|'[^']*'|\b(?:true|false|nil)\b|-?[0-9.]+""")


def timed(found: list[Any], notation: str, rounds: int) -> tuple[float, float]:
    """Return the median time of a conversion in µs, and the median of the slowest tenth."""
    from typesig.notations import convert

    times = []
    for signature in found:
        best = float("inf")
        for _ in range(rounds):
            fresh = type(signature)(
                signature.params, signature.returns, signature.definitions, signature.extra
            )
            began = time.perf_counter()
            convert(fresh, notation)
            best = min(best, time.perf_counter() - began)
        times.append(best * 1e6)
    times.sort()
    return statistics.median(times), statistics.median(times[-(len(times) // 10 or 1) :])


def timed_reading(found: list[Any], notation: str, rounds: int) -> tuple[float, float]:
    """Return the median time in µs of reading what was written, and that of the slowest tenth."""
    import typesig
    from typesig.notations import convert

    times = []
    for signature in found:
        written, _ = convert(signature, notation)
        best = float("inf")
        for blanks in range(1, rounds + 1):
            fresh = written + " " * blanks if isinstance(written, str) else written
            began = time.perf_counter()
            typesig.parse(fresh, notation)
            best = min(best, time.perf_counter() - began)
        times.append(best * 1e6)
    times.sort()
    return statistics.median(times), statistics.median(times[-(len(times) // 10 or 1) :])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tools", type=Path, help="the file that mcp_tools.py --save wrote")
    parser.add_argument("--show", metavar="NOTATION", help="print every reason of this notation")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of the timing (5)")
    options = parser.parse_args()
    sys.path.insert(0, str(CHECKOUT))
    warnings.simplefilter("ignore", FutureWarning)
    from typesig.notations import NOTATIONS

    found = signatures(options.tools)
    wrong = 0
    reasons: dict[str, Counter[str]] = defaultdict(Counter)
    print(f"{len(found)} tools\n")
    print(f"{'notation':14}" + "".join(f"{c:>11}" for c in (*COLUMNS, "µs", "largest", *_READING)))
    for notation in NOTATIONS:
        counts: Counter[str] = Counter()
        for signature in found:
            try:
                counts.update(asked(signature, notation, reasons[notation]))
            except Exception:
                wrong += 1
                print(f"\nFAILED {notation}: {signature.render()[:300]}", file=sys.stderr)
                traceback.print_exc(limit=-2)
        columns = [str(counts[c]) for c in COLUMNS]
        for measured in (timed, timed_reading):
            columns += [f"{took:.0f}" for took in measured(found, notation, options.rounds)]
        print(f"{notation:14}" + "".join(f"{c:>11}" for c in columns))
    for notation, why in reasons.items():
        if why:
            print(f"\n{notation}: what was lost, in how many tools")
            most = None if notation == options.show else 12
            for reason, count in why.most_common(most):
                print(f"{count:6}  {reason[:140]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
