"""Validation: nine workloads, typesig against compiled validators and others.

Each figure is CPU time, the smallest of several rounds, in which each case runs one after the
other, so that a slow phase of the machine affects all.  A ratio is the peer's time divided by that
of typesig: above 1 typesig is faster.

- W1: `{"id": 42, "name": "Alice"}`; W2: the same with `"42"`, coerced
- W3: the input of a typical tool: a record with an optional, an enum, a union, a list of records
- W4: 10,000 rows of `{id :int, title :string, score :float, tags [:string]}`
- W4c: the same with each id quoted, coerced; W5: W4 with one bad value in row 9,999
- W6: a record of 100 fields; W7: 20 levels of records; W8: 1,000 bad rows, all errors with paths

typesig is timed as a user calls it: `validate_output(value).value` (`validate_and_coerce` for W2
and W4c); `accepts` is the bare predicate.  Where values are wrong, reading `errors` is part of the
work.  Valid data comes back as the same object, where most others make a copy; the row
`typesig + copy` adds a copy of the data to our time (`pickle` of it, the fastest whole copy in
Python).  A peer has no figure where it cannot coerce, where it stops at the first of many errors
(W8), or where it does not give the right answer; the last are named.

    python -m pip install pydantic msgspec cattrs jsonschema-rs fastjsonschema mashumaro \\
        typeguard marshmallow jsonschema
    python benchmarks/validation.py               # all workloads; a minute
    python benchmarks/validation.py W1 W4         # some
"""

from __future__ import annotations

import gc
import pickle
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple, NotRequired

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from typing_extensions import TypedDict

import typesig
from benchmarks.tables import Table, markdown
from benchmarks.validation_peers import PEERS, Check, Mode, Peer, installed, source_for, version_of

# Hints are made anew each time, so that no cache of a class is full when a check is built.


def person() -> Any:
    return TypedDict("Person", {"id": int, "name": str})


def query() -> Any:
    each = TypedDict("Filter", {"field": str, "value": int | str})  # noqa: UP013
    return TypedDict(
        "Query",
        {
            "query": str,
            "limit": int,
            "order": Literal["asc", "desc"],
            "after": NotRequired[str | None],
            "exact": bool,
            "filters": list[each],  # type: ignore[valid-type]
        },
    )


def table() -> Any:
    row = TypedDict("Row", {"id": int, "title": str, "score": float, "tags": list[str]})  # noqa: UP013
    return list[row]  # type: ignore[valid-type]


def wide(count: int = 100) -> Any:
    fields: Any = {f"field{n}": int if n % 2 else str for n in range(count)}
    return TypedDict("Wide", fields)  # type: ignore[misc]


def deep(levels: int = 20) -> Any:
    t: Any = TypedDict("Level0", {"id": int, "name": str})
    for n in range(1, levels):
        t = TypedDict(f"Level{n}", {"id": int, "child": t})  # type: ignore[operator]  # noqa: UP013
    return t


def deep_value(levels: int = 20) -> Any:
    value: Any = {"id": 0, "name": "leaf"}
    for n in range(1, levels):
        value = {"id": n, "child": value}
    return value


def wide_value(count: int = 100) -> Any:
    return {f"field{n}": n if n % 2 else str(n) for n in range(count)}


def rows(count: int, **changed: Any) -> list[Any]:
    return [
        {"id": n, "title": f"row {n}", "score": n / 7, "tags": ["a", "bb", "ccc"], **changed}
        for n in range(count)
    ]


def quoted() -> list[Any]:
    return [{**row, "id": str(row["id"])} for row in rows(10_000)]


def one_bad() -> list[Any]:
    *good, last = rows(10_000)
    return [*good, {**last, "score": "high"}]


ALICE = {"id": 42, "name": "Alice"}
QUERY = {
    "query": "budget",
    "limit": 10,
    "order": "asc",
    "after": None,
    "exact": True,
    "filters": [{"field": "year", "value": 2027}, {"field": "status", "value": "open"}],
}


class Work(NamedTuple):
    """A workload: what makes its hint and value; how often one round repeats it at most.

    #: mode: what is asked: valid, coerced or wrong; many: whether there is more than one error
    """

    hint: Callable[[], Any]
    value: Callable[[], Any]
    repeat: int
    mode: Mode = "valid"
    many: bool = False


WORKS = {
    "W1": Work(person, lambda: ALICE, 20_000),
    "W2": Work(person, lambda: {"id": "42", "name": "Alice"}, 5_000, "coerced"),
    "W3": Work(query, lambda: QUERY, 5_000),
    "W4": Work(table, lambda: rows(10_000), 1),
    "W4c": Work(table, quoted, 1, "coerced"),
    "W5": Work(table, one_bad, 1, "wrong"),
    "W6": Work(wide, wide_value, 1_000),
    "W7": Work(deep, deep_value, 2_000),
    "W8": Work(table, lambda: rows(1_000, score="high"), 5, "wrong", True),
}
ROUNDS = 15
#: The CPU seconds that one case may take in a round, and after which it only runs in two rounds.
LONGEST = 0.08
#: The seconds for which the rounds of a workload go on, so that a slow phase does not last as long.
WINDOW = 5.0

OURS = "typesig"
EQUAL = "typesig + copy"

Run = Callable[[], Any]


def signature_of(hint: Any, depth: int = 30) -> typesig.Signature:
    signature = typesig.contract(hint, max_depth=depth).signature
    assert ":any" not in signature.render(), "a part of the hint would not be checked"
    return signature


def ours(work: Work, value: Any) -> dict[str, Run]:
    signature = signature_of(work.hint())
    if work.mode == "wrong":
        return {OURS: lambda: signature.validate_output(value).errors}
    if work.mode == "coerced":
        copied = pickle.dumps(signature.validate_and_coerce(value).value, -1)
        return {
            OURS: lambda: signature.validate_and_coerce(value).value,
            EQUAL: lambda: (signature.validate_and_coerce(value).value, pickle.loads(copied)),
        }
    copied = pickle.dumps(value, -1)
    return {
        OURS: lambda: signature.validate_output(value).value,
        "accepts": lambda: signature.accepts(value),
        EQUAL: lambda: (signature.validate_output(value).value, pickle.loads(copied)),
    }


def plain(result: Any) -> Any:
    """Return *result* with dicts for structs of msgspec."""
    if hasattr(result, "__struct_fields__") or (
        isinstance(result, list) and result and hasattr(result[0], "__struct_fields__")
    ):
        return sys.modules["msgspec"].to_builtins(result)
    return result


def is_right(result: Any, work: Work, value: Any, expected: Any) -> bool:
    """Tell whether a peer accepted what is valid, coerced it as expected, or found an error."""
    if work.mode == "wrong":
        return bool(result)
    return result is True or plain(result) == (value if work.mode == "valid" else expected)


def takes_part(peer: Peer, work: Work) -> bool:
    return work.mode in peer.modes and (peer.all_errors or not work.many)


def cases_of(work: Work) -> tuple[dict[str, Run], list[str]]:
    """Return what is timed, and the installed peers that take part but do not answer rightly."""
    value = work.value()
    cases, wrong = ours(work, value), []
    expected = cases[OURS]() if work.mode == "coerced" else None
    for peer in PEERS:
        if not takes_part(peer, work) or version_of(peer.package) is None:
            continue
        try:
            check: Check = peer.make(source_for(peer, work.hint()), work.mode)
            right = is_right(check(value), work, value, expected)
        except Exception:
            right = False
        if right:
            cases[peer.name] = lambda check=check: check(value)  # type: ignore[misc]
        else:
            wrong.append(peer.name)
    return cases, wrong


def timed(run: Run, repeat: int) -> float:
    start = time.process_time()
    for _ in range(repeat):
        run()
    return (time.process_time() - start) / repeat


def smallest(cases: dict[str, Run], repeat: int, rounds: int = ROUNDS) -> dict[str, float]:
    """Return the smallest CPU seconds of each case; they take turns."""
    for run in cases.values():
        run()
        run()
    once = {name: timed(run, 1) for name, run in cases.items()}
    repeats = {
        name: max(1, min(repeat, int(LONGEST / max(took, 1e-7)))) for name, took in once.items()
    }
    best = dict.fromkeys(cases, float("inf"))
    gc.collect()
    gc.disable()
    try:
        begun, number = time.perf_counter(), 0
        while number < rounds or time.perf_counter() - begun < WINDOW:
            for name, run in cases.items():
                if number < 2 or once[name] < LONGEST:
                    best[name] = min(best[name], timed(run, repeats[name]))
            number += 1
            if number == 2:
                # The window begins after the rounds of the slow cases.
                begun = time.perf_counter()
    finally:
        gc.enable()
    return best


def measured(names: list[str]) -> tuple[Table, dict[str, list[str]]]:
    """Return the figures of the workloads *names*, and who answers which of them wrongly."""
    found: dict[str, dict[str, float]] = {}
    refused: dict[str, list[str]] = {}
    for name in names:
        cases, wrong = cases_of(WORKS[name])
        found[name] = smallest(cases, WORKS[name].repeat)
        if wrong:
            refused[name] = wrong
    units = {name: best[OURS] for name, best in found.items()}
    order = [EQUAL, "accepts", *(peer.name for peer in PEERS)]
    lines: dict[str, Any] = {"typesig, µs": [unit * 1e6 for unit in units.values()]}
    for case in order:
        ratios = [
            best[case] / units[name] if case in best else None for name, best in found.items()
        ]
        if any(ratios):
            lines[case] = ratios
    return Table("", list(found), lines), refused


def main(names: list[str]) -> None:
    found, refused = measured(names or list(WORKS))
    print(markdown(found))
    versions = installed(dict.fromkeys(peer.package for peer in PEERS))
    told = ", ".join(f"{package} {version}" for package, version in versions.items())
    print(f"\nthe peer's time divided by typesig's; Python {sys.version.split()[0]}, {told}")
    for name, peers in refused.items():
        print(f"{name}: no right answer from {', '.join(peers)}")
    missing = sorted({peer.package for peer in PEERS} - versions.keys())
    if missing:
        print(f"not installed, and so not measured: {', '.join(missing)}")


if __name__ == "__main__":
    main(sys.argv[1:])
