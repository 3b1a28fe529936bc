"""The cost of a check for a hint that was not seen before, with its first answers.

typesig interprets the first checks of a type and then generates source (for a list of 1,000 items
at once); *typesig* is one check, *source generated* six of them, *of a known form* the same where
a type of the same form, with other names, was checked before: these share compiled source.  The
peers make theirs and check once.  Each round has a new hint whose fields have new names, since
typesig shares the check of equal types; the peers that take a JSON Schema are given it.  CPU time,
the smallest of several rounds; ratios are the time divided by that of the first row: above 1
typesig is faster.

    python -m pip install pydantic msgspec cattrs jsonschema-rs fastjsonschema mashumaro
    python benchmarks/building.py
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NotRequired

from typing_extensions import TypedDict, get_type_hints

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import typesig
from benchmarks.tables import Table, markdown
from benchmarks.validation import OURS, WORKS, is_right, rows
from benchmarks.validation_peers import PEERS, Peer, source_for, version_of
from typesig.codegen import compile_source

NAMES = ("W1", "W3", "W4", "W6", "W7")
ROUNDS = 12
GENERATED = "source generated"
KNOWN = "of a known form"
#: The checks until all source of a type is generated.
CHECKS = 6


def renamed(hint: Any, end: str) -> Any:
    """Return *hint* with *end* behind the name of each field."""
    if hasattr(hint, "__required_keys__"):
        fields = {}
        for name, inner in get_type_hints(hint).items():
            made = renamed(inner, end)
            fields[name + end] = made if name in hint.__required_keys__ else NotRequired[made]
        return TypedDict(hint.__name__, fields)  # type: ignore[operator]
    if getattr(hint, "__origin__", None) is list:
        return list[renamed(hint.__args__[0], end)]  # type: ignore[misc]
    return hint


def renamed_in(value: Any, end: str) -> Any:
    """Return *value* with *end* behind each key."""
    if isinstance(value, dict):
        return {key + end: renamed_in(each, end) for key, each in value.items()}
    return [renamed_in(each, end) for each in value] if isinstance(value, list) else value


def ours(hint: Any, value: Any, times: int) -> Any:
    signature = typesig.contract(hint, max_depth=30).signature
    for _ in range(times):
        result = signature.validate_output(value).result
    return result


def value_of(name: str) -> Any:
    """Return a small value of the workload: a row, where it is a list of them."""
    return rows(1) if name == "W4" else WORKS[name].value()


def builders() -> dict[str, tuple[Peer | None, Callable[[Any, Any], Any]]]:
    """Return what is timed: the peer, or None for typesig, and what it does with its source."""
    cases: dict[str, tuple[Peer | None, Callable[[Any, Any], Any]]] = {
        OURS: (None, lambda hint, value: ours(hint, value, 1)),
        GENERATED: (None, lambda hint, value: ours(hint, value, CHECKS)),
        KNOWN: (None, lambda hint, value: ours(hint, value, CHECKS)),
    }
    for peer in PEERS:
        # typeguard makes nothing, and the lax adapter is the strict one.
        if version_of(peer.package) and peer.name not in ("pydantic lax", "typeguard"):
            cases[peer.name] = (
                peer,
                lambda source, value, peer=peer: peer.make(source, "valid")(value),
            )
    return cases


def smallest(name: str) -> dict[str, float]:
    """Return the smallest CPU seconds of each case for the workload *name*."""
    work, plain = WORKS[name], value_of(name)
    best: dict[str, float] = {}
    cases = builders()
    for number in range(ROUNDS):
        # Before each case, it would leave all caches of the processor without what a check needs.
        gc.collect()
        for place, (case, (peer, build)) in enumerate(list(cases.items())):
            end = f"_{number}_{place}"
            hint, value = renamed(work.hint(), end), renamed_in(plain, end)
            source = hint if peer is None else source_for(peer, hint)
            if case != KNOWN:
                compile_source.cache_clear()
            gc.disable()
            try:
                start = time.process_time()
                result = build(source, value)
                took = time.process_time() - start
            except Exception:
                result = None
            finally:
                gc.enable()
            if result is not None and is_right(result, work, value, value):
                best[case] = min(best.get(case, took), took)
            else:
                del cases[case]
    return best


def measured() -> Table:
    """Return the microseconds of typesig, and the ratios of the peers."""
    found = {name: smallest(name) for name in NAMES}
    lines: dict[str, Any] = {"typesig, µs": [best[OURS] * 1e6 for best in found.values()]}
    for case in (GENERATED, KNOWN, *(peer.name for peer in PEERS)):
        ratios = [best[case] / best[OURS] if case in best else None for best in found.values()]
        if any(ratios):
            lines[case] = ratios
    return Table("", list(NAMES), lines)


if __name__ == "__main__":
    print(markdown(measured()))
    print(f"\nPython {sys.version.split()[0]}")
