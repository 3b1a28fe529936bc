"""The cost of results: objects to JSON data, compared with the libraries that are made for them.

A function returns a list of objects of five fields.  typesig's call checks the result against the
hint and encodes it; pydantic's `TypeAdapter.dump_python(mode="json")`, msgspec's `to_builtins` and
cattrs' `unstructure` encode only.

Peers and typesig take turns in one process; the smallest CPU time of all rounds counts, without
garbage collection.

    python -m pip install pydantic attrs cattrs msgspec docstring_parser typing_extensions
    python benchmarks/encoding.py --rows 50000 --rounds 5

Columns: the class of the objects; nanoseconds per object of typesig's call, which also checks; the
time of each library divided by that: above 1 typesig is faster.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import cattrs
import msgspec
from pydantic import TypeAdapter

import typesig
from benchmarks.decoding import (
    AsAttrs,
    AsDataclass,
    AsModel,
    AsStruct,
    AsTypedDict,
    rows_of,
)

CLASSES: tuple[Any, ...] = (AsDataclass, AsTypedDict, AsAttrs, AsStruct, AsModel)

#: The columns of `shares`.
COLUMNS = ("typesig, ns per object", "pydantic", "msgspec", "cattrs")


def least(runs: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """Return the smallest CPU seconds of each of *runs*, which take turns."""
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(rounds):
        for name, run in runs.items():
            gc.collect()
            gc.disable()
            begun = time.process_time()
            run()
            best[name] = min(best[name], time.process_time() - begun)
            gc.enable()
    return best


def runs_of(cls: Any, rows: list[dict[str, Any]]) -> dict[str, Callable[[], Any]]:
    """Return what encodes objects of *cls* that have the data *rows*, by the name of the library.

    A library that does not know the class is left out.
    """
    held = typesig.contract(list[cls]).read(rows).result

    def give() -> Any:
        return held

    give.__annotations__["return"] = list[cls]
    made = typesig.tool(give)
    runs: dict[str, Callable[[], Any]] = {"typesig": lambda: made.call({}).value}
    if cls not in (AsAttrs, AsStruct):
        adapter = TypeAdapter(list[cls])
        runs["pydantic"] = lambda: adapter.dump_python(held, mode="json")
    if cls is not AsModel:
        runs["msgspec"] = lambda: msgspec.to_builtins(held)
    if cls not in (AsModel, AsStruct):
        converter = cattrs.Converter()
        runs["cattrs"] = lambda: converter.unstructure(held, list[cls])
    for name, run in runs.items():
        # The code of some is made when they are first used; the data is the same.
        assert run() == run() == run() == rows, name
    return runs


def shares(
    rows: list[dict[str, Any]], rounds: int
) -> Iterator[tuple[str, tuple[float | None, ...]]]:
    """Yield each kind of class, the nanoseconds of typesig, and the peers' shares of that."""
    for cls in CLASSES:
        best = least(runs_of(cls, rows), rounds)
        own = best["typesig"]
        peers = [best[name] / own if name in best else None for name in COLUMNS[1:]]
        yield cls.__name__.removeprefix("As"), (own / len(rows) * 1e9, *peers)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=10_000, help="objects (10000)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each (5)")
    asked = parser.parse_args()
    print(f"{'':12}{'typesig ns':>12}" + "".join(f"{name:>10}" for name in COLUMNS[1:]))
    for name, (own, *peers) in shares(rows_of(asked.rows), asked.rounds):
        told = [f"{'—':>10}" if share is None else f"{share:10.2f}" for share in peers]
        print(f"{name:12}{own:12.0f}" + "".join(told))
    return 0


if __name__ == "__main__":
    sys.exit(main())
