"""How other tools read the functions of the type table, judged in the same way as typesig.

    python benchmarks/peers.py                        # all of them, in new environments
    python benchmarks/peers.py FastMCP mcp --keep DIR # only these; keep the environments
    python benchmarks/peers.py --site DIR             # use the environments that were kept
    python benchmarks/peers.py --noun Decimal         # only nouns with this in their name
    python benchmarks/peers.py --write docs/reference/peers.md

The rows are those of `tests/type_table`: functions with values to accept, the objects that the
function must receive, and values to reject; and results with their JSON.  `peer_adapters` passes a
function to each tool, `peer_judge` judges a row and lists the rows that are left out, and
`peer_table` writes the page.  Each tool runs in its own environment and process; a row that kills
its process, or takes too long, counts as a crash, and the next row follows.

A feature is a noun of the table; a tool has it if all of its rows pass.  The exit status is 1 if a
row fails for typesig.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import logging
import os
import queue
import subprocess
import sys
import tempfile
import threading
import venv
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parent.parent
#: Packages that the rows of the table, typesig and the judge need.
NEEDED = (
    *("typing_extensions", "docstring_parser", "click", "rich", "annotated-types"),
    *("attrs", "msgspec", "pydantic", "tzdata", "jsonschema[format-nongpl]"),
)
SECONDS = 20.0
#: A process that is silent for this many seconds is ended, in case its alarm fails.
PATIENCE = 60


def table() -> tuple[list[Any], list[Any]]:
    """Return the rows of parameters and of results, in the order of the table."""
    from tests.type_table.table import RETURNED, TAKEN

    return TAKEN, RETURNED


# in the process of one tool


def inside(name: str, start: int, noun: str) -> None:
    """Judge the rows from number *start* on for the tool *name*, and print each as JSON."""
    from peer_adapters import PEERS
    from peer_judge import judged_params, judged_result, rows_of
    from schema_judges import Late, limited

    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # Output of tools must not mix with the answer.
    os.dup2(2, 1)
    peer = PEERS[name]
    taken, returned = table()
    rows = [(judged_params, row) for row in rows_of(peer, taken)]
    rows += [(judged_result, row) for row in rows_of(peer, returned)]
    for number, (judged, row) in enumerate(rows[start:], start):
        if row is None or noun not in row.noun:
            continue
        kind = "results" if judged is judged_result else "params"
        print(json.dumps({"at": number, "kind": kind, "noun": row.noun}), file=out, flush=True)
        try:
            with limited(SECONDS):
                found = judged(peer, row)
        except Late:
            found = {"mark": "crash", "why": "no answer in time", "received": "", "right": False}
        print(json.dumps({"at": number, **found}), file=out, flush=True)
    print(json.dumps({"version": version_of(peer.distribution)}), file=out, flush=True)
    out.flush()
    # A thread that a tool left running must not keep this process alive.
    os._exit(0)


def version_of(distribution: str) -> str:
    from importlib.metadata import version

    return version(distribution) if distribution else ""


# outside


def judged_by(python: str, name: str, noun: str) -> dict[str, Any]:
    """Return the verdict on every row, judged in separate processes."""
    rows: dict[int, dict[str, Any]] = {}
    start, told = 0, ""
    while True:
        ended = ""
        at = None
        for line in _lines(python, name, start, noun):
            if "error" in line:
                ended = line["error"]
            elif "version" in line:
                return {"version": line["version"], "rows": [rows[n] for n in sorted(rows)]}
            else:
                at = line["at"]
                rows.setdefault(at, {}).update(line)
        if at is None:
            raise SystemExit(f"{name} does not start: {ended or told}")
        if "mark" not in rows[at]:
            rows[at].update(mark="crash", why=ended[:300], received="", right=False)
        start = at + 1


def _lines(python: str, name: str, start: int, noun: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of a process, and then the reason if it ended early."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    command = [python, "-W", "ignore", __file__, "--inside", name, "--start", str(start)]
    process = subprocess.Popen(
        [*command, "--noun", noun], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=env, cwd=CHECKOUT,
    )  # fmt: skip
    told: queue.Queue[str | None] = queue.Queue()
    errors: list[str] = []

    def read() -> None:
        for line in process.stdout or ():
            told.put(line)
        told.put(None)

    threading.Thread(target=read, daemon=True).start()
    threading.Thread(target=lambda: errors.extend(process.stderr or ()), daemon=True).start()
    ended = ""
    while True:
        try:
            line = told.get(timeout=PATIENCE)
        except queue.Empty:
            ended = "no answer in time"
            break
        if line is None:
            break
        yield json.loads(line)
    process.kill()
    process.wait()
    yield {"error": ended or f"status {process.returncode}: {' '.join(errors[-1:]).strip()}"}


def python_for(name: str, folder: Path, kept: bool) -> str:
    """Return the Python of the environment of *name* below *folder*; make it if needed."""
    from peer_adapters import PEERS

    distribution = PEERS[name].distribution or "typesig"
    home = folder / distribution
    python = str(home / ("Scripts" if os.name == "nt" else "bin") / "python")
    if not (kept and Path(python).exists()):
        venv.create(home, with_pip=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        wanted = [PEERS[name].distribution] if PEERS[name].distribution else []
        subprocess.run([*pip, *NEEDED, *wanted], check=True)
    return python


def main() -> int:
    from peer_adapters import PEERS
    from peer_table import printed, tables, written

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help=f"some of {', '.join(PEERS)} (all)")
    parser.add_argument("--keep", metavar="DIR", help="make the environments there, and keep them")
    parser.add_argument("--site", metavar="DIR", help="use the environments that exist there")
    parser.add_argument("--noun", default="", help="only features whose name contains this")
    parser.add_argument("--write", metavar="FILE", help="write the page, and benchmarks/peers.md")
    parser.add_argument("--json", metavar="FILE", help="write all results to FILE")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    parser.add_argument("--start", type=int, default=0, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    sys.path.insert(0, str(CHECKOUT))
    if asked.inside:
        inside(asked.inside, asked.start, asked.noun)
    if unknown := [name for name in asked.names if name not in PEERS]:
        parser.error(f"there is no {unknown[0]}; known are {', '.join(PEERS)}")
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="typesig-peers-") as temporary:
        folder = Path(asked.make_site or asked.keep or temporary).resolve()
        for name in asked.names or PEERS:
            found[name] = judged_by(
                python_for(name, folder, bool(asked.make_site)), name, asked.noun
            )
            print(f"{name} {found[name]['version']}: {len(found[name]['rows'])} rows", flush=True)
    if asked.json:
        Path(asked.json).write_text(json.dumps(found, indent=1), "utf-8")
    print(printed(found))
    if asked.write:
        python = ".".join(map(str, sys.version_info[:2]))
        Path(asked.write).write_text(written(found, python, dt.date.today()), "utf-8")
        (CHECKOUT / "benchmarks" / "peers.md").write_text(tables(found), "utf-8")
    ours = found.get("typesig", {}).get("rows", ())
    return 1 if any(row["mark"] != "yes" or not row["right"] for row in ours) else 0


if __name__ == "__main__":
    sys.exit(main())
