"""All figures of the page on speed, measured in one run, with the tables and charts that show them.

    python -m pip install pydantic msgspec attrs cattrs jsonschema-rs fastjsonschema mashumaro \\
        typeguard marshmallow jsonschema fastmcp openai-agents langchain-core smolagents \\
        docstring_parser lark typing_extensions instructor toolschema
    python benchmarks/figures.py                      # prints all tables; some minutes
    python benchmarks/figures.py validation calls     # some groups
    python benchmarks/figures.py --write              # and writes README, the page and its charts
    python benchmarks/figures.py --pages              # writes them from the figures that are saved

Groups: everyday, whole, validation, building, calls, decoding, encoding, definitions, start,
memory, growth.
What is not installed is left out.  Every figure is CPU time (memory apart), the smallest of several
rounds in which all take turns; the docstrings of the programs of each group describe their columns.
`--write` saves the figures in `benchmarks/figures.json`; groups that were not measured keep theirs.
Needs POSIX, for the CPU time of one child.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(CHECKOUT / "benchmarks"), str(CHECKOUT)]

from benchmarks import figure_pages  # noqa: E402
from benchmarks.tables import Table, markdown  # noqa: E402
from benchmarks.validation_peers import PEERS, installed  # noqa: E402

VALIDATORS = tuple(dict.fromkeys(peer.package for peer in PEERS))


def everyday() -> dict[str, Table]:
    from benchmarks.everyday import GROUPS as KINDS
    from benchmarks.everyday import SUMMARY, measured, summarize

    found: dict[str, Table] = {}
    for name in KINDS:
        with suppress(ImportError):
            found[f"everyday-{name}"] = measured(name)
    for name in ("read", "result"):
        found[f"everyday-{name}-alone"] = measured(name, is_alone=True)
    rows = {TOLD[name]: summarize(table) for name, table in found.items()}
    return {**found, "everyday": Table("", SUMMARY, rows)}


#: What is measured by each table of everyday types and signatures.
TOLD = {
    "everyday-read": "reading 40 types",
    "everyday-result": "results of 40 types",
    "everyday-call": "calls of 25 functions",
    "everyday-await": "awaited calls",
    "everyday-fenced": "answers in a fence or in prose",
    "everyday-define": "1,000 definitions",
    "everyday-read-alone": "reading, no JSON library used",
    "everyday-result-alone": "results, no JSON library used",
}


def validation() -> dict[str, Table]:
    from benchmarks.validation import WORKS, measured

    return {"validation": measured(list(WORKS))[0]}


def whole() -> dict[str, Table]:
    from benchmarks.whole_job import GROUPS as JOBS
    from benchmarks.whole_job import measured

    return {f"whole-{name}": measured(name) for name in JOBS}


def building() -> dict[str, Table]:
    from benchmarks.building import measured

    return {"building": measured()}


def calls() -> dict[str, Table]:
    from benchmarks.calls import measured

    return {"calls": measured()}


def memory() -> dict[str, Table]:
    from benchmarks import call_memory
    from benchmarks.memory import measured

    return {"memory": measured(), "memory-call": call_memory.measured()}


def growth() -> dict[str, Table]:
    from benchmarks.growing import KINDS, as_table, of_kind

    return {f"growth-{kind}": as_table(kind, of_kind(kind)) for kind in KINDS}


def decoding() -> dict[str, Table]:
    from benchmarks.decoding import COLUMNS, rows_of, shares

    found = shares(rows_of(10_000), 5)
    return {"decoding": Table("", list(COLUMNS), {name: list(row) for name, row in found})}


def encoding() -> dict[str, Table]:
    from benchmarks.decoding import rows_of
    from benchmarks.encoding import COLUMNS, shares

    found = shares(rows_of(50_000), 5)
    return {"encoding": Table("", list(COLUMNS), {name: list(row) for name, row in found})}


def definitions() -> dict[str, Table]:
    import extraction

    shown = ("typesig", "pydantic", "pydantic described", "smolagents", "openai-agents", "FastMCP")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        env = extraction.environment(folder)
        extraction.written(folder, False)
        peers = [
            peer
            for peer in extraction.PEERS
            if peer.name in (*shown, "LangChain")
            and extraction.has(sys.executable, peer.package, env, folder)
        ]
        best = extraction.measured(sys.executable, 5, env, folder, peers)
    lines = {name: [took * 1e6, took / best["typesig"]] for name, took in best.items()}
    return {"definitions": Table("", ["µs", "divided by typesig's"], dict(lines))}


def start() -> dict[str, Table]:
    import start as program

    with tempfile.TemporaryDirectory() as folder:
        program.write_tools(folder)
        best = program.measured(sys.executable, 20, program.environment(f"{folder}/cache"))
    bare = best[program.BARE.name][0]
    lines = {}
    for case in program.CASES[1:]:
        took = best[case.name][0] - bare
        peer = best[case.peer][0] - bare if case.peer else None
        lines[case.name] = [took * 1e3, case.peer or None, peer / took if peer else None]
    return {"start": Table("", ["CPU ms", "compared with", "its time / ours"], lines)}


#: The groups, and the packages whose versions their notes name.
GROUPS: dict[str, tuple[Callable[[], dict[str, Table]], tuple[str, ...]]] = {
    "everyday": (everyday, ("pydantic", "msgspec", "instructor", "toolschema")),
    "whole": (whole, ("pydantic", "msgspec", "jsonschema-rs", "fastjsonschema")),
    "validation": (validation, VALIDATORS),
    "building": (building, tuple(name for name in VALIDATORS if name != "typeguard")),
    "calls": (calls, ("pydantic", "langchain-core", "fastmcp", "openai-agents")),
    "decoding": (decoding, ("pydantic", "attrs", "cattrs", "msgspec")),
    "encoding": (encoding, ("pydantic", "attrs", "cattrs", "msgspec")),
    "definitions": (
        definitions,
        ("pydantic", "smolagents", "openai-agents", "fastmcp", "langchain-core"),
    ),
    "start": (start, ("pydantic", "lark")),
    "memory": (memory, ("pydantic", "msgspec", "cattrs", "mashumaro")),
    "growth": (growth, ("pydantic", "msgspec")),
}


def note(group: str) -> str:
    """Return the line below a table: the versions, and the command."""
    versions = installed(GROUPS[group][1])
    told = [f"Python {sys.version.split()[0]}", *(f"{name} {versions[name]}" for name in versions)]
    return f"{', '.join(told)}; `python benchmarks/figures.py {group}`."


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("groups", nargs="*", help=f"any of {', '.join(GROUPS)} (all)")
    parser.add_argument("--write", action="store_true", help="save, and write pages and charts")
    parser.add_argument("--pages", action="store_true", help="measure nothing, write the pages")
    asked = parser.parse_args()
    if unknown := [name for name in asked.groups if name not in GROUPS]:
        parser.error(f"no group {', '.join(unknown)}; there are {', '.join(GROUPS)}")
    tables: dict[str, Table] = {}
    notes: dict[str, str] = {}
    if figure_pages.SAVED.exists() and (asked.write or asked.pages):
        tables, notes = figure_pages.loaded(figure_pages.SAVED.read_text(encoding="utf-8"))
    for group in [] if asked.pages else asked.groups or GROUPS:
        begun = time.perf_counter()
        for name, table in GROUPS[group][0]().items():
            tables[name], notes[name] = table, note(group)
            print(f"{name}\n\n{markdown(table)}\n\n{notes[name]}\n", flush=True)
        print(f"{group} took {time.perf_counter() - begun:.0f} s", file=sys.stderr)
        if asked.write:
            # A run that is broken off keeps the groups before.
            figure_pages.SAVED.write_text(figure_pages.saved(tables, notes), encoding="utf-8")
    if asked.write or asked.pages:
        try:
            figure_pages.write()
        except KeyError as error:
            print(f"not written: the pages also show {error}; measure it too", file=sys.stderr)
            return 1
        # Its page copies some of the tables.
        from benchmarks import alone

        alone.write({})
    return 0


if __name__ == "__main__":
    sys.exit(main())
