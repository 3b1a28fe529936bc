"""The cost of reading rows into typed objects, compared with the library that is made for them.

Rows of five fields are decoded into dataclasses and TypedDicts (against pydantic's `TypeAdapter`),
classes of attrs (cattrs), structs of msgspec (`msgspec.convert`) and models of pydantic, and JSON
text is read (against `json.loads`, and the same with a hook that refuses duplicate keys).

Peers and typesig take turns in one process; the smallest CPU time of all rounds counts, without
garbage collection.

    python -m pip install pydantic attrs cattrs msgspec docstring_parser typing_extensions
    python benchmarks/decoding.py --rows 50000 --rounds 7

Columns: the hint of a row; the peer's nanoseconds per row; typesig's time divided by the peer's:
*read*, `contract(list[T]).read(rows).result`, which checks, coerces and decodes; *absent*, the same
where one field of each row is absent.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from typing import NotRequired

import attrs
import cattrs
import msgspec
from pydantic import BaseModel, TypeAdapter
from typing_extensions import TypedDict

import typesig
from typesig.validation.json_text import read_json


@dataclass
class AsDataclass:
    id: int
    title: str
    score: float
    tags: list[str]
    note: str | None = None


class AsTypedDict(TypedDict):
    id: int
    title: str
    score: float
    tags: list[str]
    note: NotRequired[str | None]


@attrs.define
class AsAttrs:
    id: int
    title: str
    score: float
    tags: list[str]
    note: str | None = None


class AsStruct(msgspec.Struct):
    id: int
    title: str
    score: float
    tags: list[str]
    note: str | None = None


class AsModel(BaseModel):
    id: int
    title: str
    score: float
    tags: list[str]
    note: str | None = None


def least(run: Callable[[], Any], rounds: int) -> float:
    """Return the smallest CPU seconds of *run*."""
    best = float("inf")
    for _ in range(rounds):
        gc.collect()
        gc.disable()
        begun = time.process_time()
        run()
        best = min(best, time.process_time() - begun)
        gc.enable()
    return best


def rows_of(count: int) -> list[dict[str, Any]]:
    """Return *count* rows, all of whose fields are present."""
    return [
        {"id": n, "title": f"row {n}", "score": n / 7, "tags": ["a", "b"], "note": "x"}
        for n in range(count)
    ]


#: The columns of `shares`.
COLUMNS = ("peer, ns per row", "read", "absent")


def shares(
    rows: list[dict[str, Any]], rounds: int
) -> Iterator[tuple[str, tuple[float, float, float]]]:
    """Yield each kind of class, the nanoseconds of its peer, and the shares of typesig in them."""
    fewer = [{name: row[name] for name in row if name != "note"} for row in rows]
    converter = cattrs.Converter()
    peers: dict[Any, Callable[[Any], Any]] = {
        AsDataclass: TypeAdapter(list[AsDataclass]).validate_python,
        AsTypedDict: TypeAdapter(list[AsTypedDict]).validate_python,
        AsAttrs: lambda data: converter.structure(data, list[AsAttrs]),
        AsStruct: lambda data: msgspec.convert(data, list[AsStruct]),
        AsModel: TypeAdapter(list[AsModel]).validate_python,
    }
    for cls, peer in peers.items():
        contract = typesig.contract(list[cls])
        times = {
            len(data[0]): (
                least(lambda peer=peer, data=data: peer(data), rounds),
                least(lambda made=contract, data=data: made.read(data).result, rounds),
            )
            for data in (rows, fewer)
        }
        (known, read), (known_fewer, absent) = times.values()
        name = cls.__name__.removeprefix("As")
        yield name, (known / len(rows) * 1e9, read / known, absent / known_fewer)


def print_objects(rows: list[dict[str, Any]], rounds: int) -> None:
    """Print the shares for each kind of class."""
    print(f"{'':14}{'peer ns':>9}{'read':>9}{'absent':>9}")
    for name, (known, *told) in shares(rows, rounds):
        print(f"{name:14}{known:9.0f}" + "".join(f"{share:9.2f}" for share in told))


def refuse_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of *pairs*; raise `ValueError` if a key occurs twice."""
    out = dict(pairs)
    if len(out) < len(pairs):
        raise ValueError("a key occurs twice")
    return out


def print_text(rows: list[dict[str, Any]], rounds: int) -> None:
    """Print the shares of reading JSON text."""
    text = json.dumps(rows)
    ours = least(lambda: read_json(text), rounds)
    for name, run in (
        ("json.loads", lambda: json.loads(text)),
        ("json.loads with a hook", lambda: json.loads(text, object_pairs_hook=refuse_twins)),
    ):
        print(f"read_json / {name:24}{ours / least(run, rounds):9.2f}")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=10_000, help="rows (10000)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each (5)")
    asked = parser.parse_args()
    rows = rows_of(asked.rows)
    print_objects(rows, asked.rounds)
    print_text(rows, asked.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
