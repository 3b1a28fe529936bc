"""The counts as text. Part of packages.py, which describes the rows."""

from __future__ import annotations

from collections import Counter
from typing import Any

BAR = 0.05
VERDICTS = ("said", "asked", "inside", "fell", "silent")


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def hinted(counts: Counter[str], side: str) -> int:
    """Return how many parameters or results (*side*) have a hint."""
    return sum(counts[f"{side} {verdict}"] for verdict in VERDICTS)


def documented(counts: Counter[str], verdict: str) -> int:
    """Return how many types that only a docstring names have the *verdict*."""
    return counts[f"param doc {verdict}"] + counts[f"result doc {verdict}"]


def print_report(found: dict[str, Any], show: int) -> None:
    """Print the counts of one package."""
    counts = Counter(found.get("counts", {}))
    print(f"\n## {found['package']}\n")
    if counts:
        _print_counts(found, counts)
        _print_effects(found)
        _print_commands(found)
        print_reasons(Counter(found["reasons"]), found["reason_examples"], 20)
        print("hints")
        for hint, count in Counter(found["hints"]).most_common(12):
            print(f"  {count:5} {hint:.120}")
    for crash in found["crashes"]:
        print(f"\nCRASHED {crash}")
    for unread in found.get("unread", ()):
        print(f"\nNOT READ BACK {unread}")
    listing = found.get("listing", [])
    for each in listing[:: max(1, len(listing) // show)][:show] if show else ():
        print(f"\n{each['place']}\n{each['entry']}")
        for line in each["warnings"]:
            print(f"  ! {line}")


def _print_counts(found: dict[str, Any], counts: Counter[str]) -> None:
    failed = found["failed_imports"]
    print(f"modules          {counts['modules']}, not {sum(failed.values())}")
    for reason, count in failed.items():
        print(f"                   {count} {reason}")
    print(
        f"callables        {counts['callables']}, hinted {counts['hinted']}, "
        f"no signature {counts['no signature']}"
    )
    print(f"exceptions       {len(found['crashes'])}")
    print(f"refused          {sum(found['refused'].values())}")
    for reason, count in Counter(found["refused"]).most_common(10):
        print(f"                   {count} {reason:.150}  e.g. {found['refused_examples'][reason]}")
    annotated, fell = hinted(counts, "param"), counts["param fell"]
    print(f"annotated        {annotated}")
    verdict = "within the bar" if fell <= BAR * annotated else "OVER THE BAR"
    print(f"fell to :any     {fell}, {percent(fell, annotated)}, {verdict} of {BAR:.0%}")
    part, whole = counts["function param fell"], hinted(counts, "function param")
    print(f"  of functions   {part} of {whole}, {percent(part, whole)}")
    print(
        f"any inside       {counts['param inside']}, {percent(counts['param inside'], annotated)}"
    )
    print(f"asked for        {counts['param asked']}, {percent(counts['param asked'], annotated)}")
    print(f"silent :any      {len(found['silent'])}")
    for line in found["silent"][:10]:
        print(f"                   {line:.160}")
    print(
        f"no hint          {counts['param unhinted']} params, {counts['result unhinted']} results, "
        f"{counts['rest unhinted']} **names"
    )
    doc = [
        f"{documented(counts, verdict)} {verdict}"
        for verdict in ("said", "asked", "inside", "fell")
    ]
    print(f"from docstrings  {', '.join(doc)}")
    lost = counts["result fell"] + counts["result inside"]
    print(f"results          {hinted(counts, 'result')} annotated, :any for a reason in {lost}")
    print(f"not read back    {len(found['unread'])}")
    took, place = found["slowest"]
    print(f"time             {found['seconds']:.2f} s, slowest {took * 1e3:.0f} ms: {place}")
    print(f"time-outs        {len(found['slow'])}")
    for took, place in found["slow"]:
        print(f"                   {took:.1f} s {place}")


def _print_effects(found: dict[str, Any]) -> None:
    print(f"side effects     {len(found['effects'])}")
    for line in found["effects"][:10]:
        print(f"                   {line:.160}")
    reads = ", ".join(f"{count} {end}" for end, count in found["reads"].items()) or "none"
    imported = ", ".join(sorted(found["imports"])) or "nothing"
    print(f"files read       {reads}; text parsed {found['parsed']} times")
    print(f"imported         {imported}")


def _print_commands(found: dict[str, Any]) -> None:
    for told in found.get("commands", ()):
        if told["status"]:
            last = (told["err"].strip() or "-").splitlines()[-1]
            print(f"command          status {told['status']}: {told['line']}: {last:.200}")
    print(f"commands         {len(found.get('commands', ()))} run")


def print_reasons(reasons: Counter[str], examples: dict[str, str], most: int) -> None:
    print("reasons")
    for reason, count in reasons.most_common(most):
        print(f"  {count:5} {reason:.150}\n          {examples[reason]:.200}")


#: The columns of the table: a heading, and the counts that it sums up.
COLUMNS = (
    ("callables", lambda f, c: c["callables"]),
    ("no sig.", lambda f, c: c["no signature"]),
    ("refused", lambda f, c: sum(f["refused"].values())),
    ("exc.", lambda f, c: len(f["crashes"])),
    ("slow", lambda f, c: len(f["slow"])),
    ("effects", lambda f, c: len(f["effects"])),
    ("unread", lambda f, c: len(f["unread"])),
    ("hints", lambda f, c: hinted(c, "param") + hinted(c, "result")),
    ("said", lambda f, c: c["param said"] + c["result said"]),
    ("asked", lambda f, c: c["param asked"] + c["result asked"]),
    ("inside", lambda f, c: c["param inside"] + c["result inside"]),
    ("fell", lambda f, c: c["param fell"] + c["result fell"]),
    ("silent", lambda f, c: len(f["silent"])),
    ("no hint", lambda f, c: c["param unhinted"] + c["result unhinted"]),
    ("docs said", lambda f, c: documented(c, "said")),
    ("asked", lambda f, c: documented(c, "asked")),
    ("inside", lambda f, c: documented(c, "inside")),
    ("fell", lambda f, c: documented(c, "fell")),
)


def print_sum(all_found: list[dict[str, Any]]) -> None:
    """Print one table for all packages, and the reasons in all of them."""
    told = [found for found in all_found if found.get("counts")]
    rows = [
        [found["package"], *(count(found, Counter(found["counts"])) for _, count in COLUMNS)]
        for found in told
    ]
    sums = [sum(row[place] for row in rows) for place in range(1, len(COLUMNS) + 1)]
    print(f"\n## all {len(all_found)}\n")
    print("package".ljust(12) + "".join(heading.rjust(10) for heading, _ in COLUMNS))
    for row in [*rows, ["all", *sums]]:
        print(str(row[0])[:12].ljust(12) + "".join(str(cell).rjust(10) for cell in row[1:]))
    counts = sum((Counter(found["counts"]) for found in told), Counter())
    for title, sides, verdicts in (
        ("hints", ("param", "result"), VERDICTS),
        ("types in docstrings", ("param doc", "result doc"), ("said", "asked", "inside", "fell")),
    ):
        each = {v: sum(counts[f"{side} {v}"] for side in sides) for v in verdicts}
        whole = sum(each.values())
        print(f"\nof {whole} {title}: ", end="")
        print(", ".join(f"{v} {n}, {percent(n, whole)}" for v, n in each.items()))
    for found in all_found:
        if not found.get("counts"):
            print(f"{found['package']}: {found['crashes'][0]:.300}")
    reasons: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for found in told:
        reasons.update(found["reasons"])
        for reason, example in found["reason_examples"].items():
            examples.setdefault(reason, example)
    print(
        f"\n{sum(reasons.values())} warnings, the twenty most frequent of {len(reasons)} ", end=""
    )
    print_reasons(reasons, examples, 20)


def failed(found: dict[str, Any]) -> bool:
    """Tell whether a count that must be 0 is not."""
    return any(found.get(what) for what in ("crashes", "unread", "slow", "effects", "silent"))
