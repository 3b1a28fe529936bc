"""What each notation can say of the tools that real MCP servers list, and what it costs to ask.

    python benchmarks/mcp_tools.py --save tools.json        # list them once
    python benchmarks/conversions.py tools.json
    python benchmarks/conversions.py tools.json --show gram # and print what gram refuses, by reason

Each tool becomes a signature, and that is written in each notation:

- said         nothing was lost
- left out     only what says nothing of values was lost: names, titles, descriptions
- refused      something cannot be said: without `lossy=True` an error; the reasons stand below
- widened      written with `lossy=True`; all that are refused must be
- read back    of what was written: the text or data reads to the notation's image of the signature;
               of what was widened: to the same as its image
- µs           `convert` of one signature, warm: the median over all tools; the tenth of the largest
               is given apart.  One that was converted before may be kept, so it is a new one

The exit status is 1 where an exception is no refusal, or something is not read back.
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
COLUMNS = ("said", "left out", "refused", "widened", "read back")


def signatures(file: Path) -> list[Any]:
    """Return the signatures of the tools in *file*, those that no schema reader takes left out."""
    import typesig

    out = []
    for tool in json.loads(file.read_text("utf-8")):
        try:
            schemas = tool["inputSchema"], tool.get("outputSchema")
            out.append(typesig.signature_from_json_schema(*schemas, lossy=True))
        except typesig.TypesigError as error:
            print(f"not read: {tool['server']} {tool['tool']}: {error}", file=sys.stderr)
    return out


def asked(signature: Any, notation: str, reasons: Counter[str]) -> set[str]:
    """Return the columns that *signature* counts in; raise where it is wrong."""
    import typesig
    from typesig.notations import NOTATIONS

    found: set[str] = set()
    written, losses = typesig.convert(signature, notation)
    widened = [loss for loss in losses if loss.kind != "omitted"]
    try:
        typesig.render(signature, notation)
        assert not widened, "written without an error, though it was widened"
        found.add("left out" if losses else "said")
    except typesig.Unsupported:
        assert widened, "an error, though nothing was widened"
        found.add("refused")
        found.add("widened")
    reasons.update({_QUOTED.sub("…", f"{loss.what}: {loss.why}") for loss in losses})
    back = typesig.parse(written, notation)
    image = NOTATIONS[notation].expressible(signature)
    if back == image:
        found.add("read back")
    else:
        raise AssertionError(f"not read back:\n  {written}\n  {back.render()}\n  {image.render()}")
    return found


#: What differs from tool to tool in the words of a loss, cut short or not.
_QUOTED = re.compile(r""""[^"]*"|"[^"]*…|'[^']*'|\b(?:true|false|nil)\b|-?[0-9.]+""")


def timed(found: list[Any], notation: str, rounds: int) -> tuple[float, float]:
    """Return the median of a conversion in µs, and that of the tenth that takes longest."""
    import typesig

    times = []
    for signature in found:
        best = float("inf")
        for _ in range(rounds):
            fresh = type(signature)(
                signature.params, signature.returns, signature.definitions, signature.extra
            )
            began = time.perf_counter()
            typesig.convert(fresh, notation)
            best = min(best, time.perf_counter() - began)
        times.append(best * 1e6)
    times.sort()
    return statistics.median(times), statistics.median(times[-(len(times) // 10 or 1) :])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tools", type=Path, help="what mcp_tools.py --save wrote")
    parser.add_argument("--show", metavar="NOTATION", help="print every reason of this one")
    parser.add_argument("--rounds", type=int, default=5, help="of the timing (5)")
    options = parser.parse_args()
    sys.path.insert(0, str(CHECKOUT))
    warnings.simplefilter("ignore", FutureWarning)
    from typesig.notations import NOTATIONS

    found = signatures(options.tools)
    wrong = 0
    reasons: dict[str, Counter[str]] = defaultdict(Counter)
    print(f"{len(found)} tools\n")
    print(f"{'notation':14}" + "".join(f"{c:>11}" for c in (*COLUMNS, "µs", "largest")))
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
        columns += [f"{took:.0f}" for took in timed(found, notation, options.rounds)]
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
