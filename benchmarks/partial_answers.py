"""How answers that are cut or arrive in pieces are read: by typesig, and by partial JSON parsers.

    python benchmarks/partial_answers.py             # typesig, and what can be imported here
    python benchmarks/partial_answers.py --count 20  # values drawn for each type

Values that conform to a type are drawn, written as JSON text, and cut at places all over the text.
What is read of each text is right if it is within the whole value: some keys of a map, the first
items of a list, and scalars as they are.  A number, text or word that was cut is wrong, except the
beginning of a text that is marked as growing.  Then texts of two lengths are read in pieces of
eight characters, with a look at what is there after each: the others read all that has arrived
again, so their time grows with the square of the length.

The exit status is 1 if typesig reads a text wrongly.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parent.parent

#: The others: the module, and the expression of its function from text to data.
PEERS = {
    "jiter, on": ("jiter", "lambda text: module.from_json(text.encode(), partial_mode='on')"),
    "jiter, trailing-strings": (
        "jiter",
        "lambda text: module.from_json(text.encode(), partial_mode='trailing-strings')",
    ),
    "partial-json-parser": ("partial_json_parser", "module.loads"),
}

#: How many characters a piece has, and how many places of a text are tried.
WIDTH, CUTS = 8, 40


class Beginning(str):
    """A text that is marked as one that has not ended."""


def marked(value: Any, path: tuple[str | int, ...]) -> Any:
    """Return *value* with a mark at the text at *path*."""
    if not path:
        return Beginning(value)
    value[path[0]] = marked(value[path[0]], path[1:])
    return value


def is_within(part: Any, whole: Any) -> bool:
    """Tell whether *part* has nothing that *whole* lacks."""
    if isinstance(part, Beginning):
        return isinstance(whole, str) and whole.startswith(part)
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and is_within(item, whole[key]) for key, item in part.items())
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) <= len(whole) and all(map(is_within, part, whole))
    # A whole number for a float is coerced.
    return (type(part) in (int, float) and part == whole) or json.dumps(part) == json.dumps(whole)


def leaves(value: Any) -> int:
    """Return how many scalars *value* has."""
    if isinstance(value, dict):
        return sum(map(leaves, value.values()))
    return sum(map(leaves, value)) if isinstance(value, list) else 1


def cuts(text: str) -> Iterator[str]:
    for place in sorted({len(text) * n // CUTS for n in range(CUTS)}):
        yield text[:place]


def readers(hint: str) -> dict[str, Callable[[str], Any]]:
    """Return a function from cut text to data for each library that is here."""
    import typesig

    asked = typesig.contract(hint)

    def read(text: str) -> Any:
        part = asked.read(text, partial=True)
        value = part.value
        return marked(value, part.growing[0]) if part.growing else value

    found: dict[str, Callable[[str], Any]] = {"typesig": read}
    for name, (home, code) in PEERS.items():
        try:
            module = import_module(home)
        except ImportError:
            continue
        found[name] = eval(code, {"module": module})
    return found


def compare(count: int) -> bool:
    """Print how texts that were cut are read; return whether typesig reads none wrongly."""
    from benchmarks.answers import ASKED
    from typesig.relations import samples

    counts: dict[str, list[int]] = {}
    for hint in ASKED:
        for value in samples(hint, count=count, json=True):
            text = json.dumps(value)
            for name, read in readers(hint).items():
                row = counts.setdefault(name, [0, 0, 0, 0])
                for part in cuts(text):
                    judge(row, read, part, value)
    print(f"{'texts that were cut':28}{'right':>8}{'wrong':>8}{'refused':>9}{'scalars read':>14}")
    for name, (right, wrong, refused, shown) in counts.items():
        print(f"{name:28}{right:8}{wrong:8}{refused:9}{shown:14}")
    return not counts["typesig"][1]


def judge(row: list[int], read: Callable[[str], Any], text: str, whole: Any) -> None:
    try:
        part = read(text)
    except Exception:
        row[2] += 1
        return
    if part is not None and not is_within(part, whole):
        row[1] += 1
        return
    row[0] += 1
    row[3] += 0 if part is None else leaves(part)


def race() -> None:
    """Print the time for texts of two lengths in pieces."""
    import typesig

    hint = '[{line :int, severity :enum["low" "high"], text :string}]'
    asked = typesig.contract(hint)
    print(f"\n{'milliseconds in pieces of ' + str(WIDTH):28}{'5,000':>10}{'40,000':>10}")
    times: dict[str, list[float]] = {}
    for size in (5_000, 40_000):
        rows = [
            {"line": n, "severity": "low", "text": "divides by zero"} for n in range(size // 60)
        ]
        text = json.dumps(rows)
        pieces = [text[place : place + WIDTH] for place in range(0, len(text), WIDTH)]
        start = time.process_time()
        count = sum(len(part.closed) for part in asked.stream(pieces))
        times.setdefault("typesig", []).append(time.process_time() - start)
        assert count >= len(rows)
        for name, read in readers(hint).items():
            if name != "typesig":
                start = time.process_time()
                for place in range(WIDTH, len(text), WIDTH):
                    read(text[:place])
                times.setdefault(f"{name}, again", []).append(time.process_time() - start)
    for name, (short, long) in times.items():
        print(f"{name:28}{1_000 * short:10.1f}{1_000 * long:10.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--count", type=int, default=10, help="values drawn for each type")
    options = parser.parse_args()
    sys.path.insert(0, str(CHECKOUT))
    for name, (home, _) in PEERS.items():
        try:
            import_module(home)
        except ImportError:
            print(f"{name} is left out: pip install {home.replace('_', '-')} to compare with it")
    good = compare(options.count)
    race()
    raise SystemExit(0 if good else 1)


if __name__ == "__main__":
    main()
