"""The size of results as compact JSON, as tables of typesig, and as TOON.

    pip install toon-format
    python benchmarks/result_texts.py [FILE.json …]

Prints the characters and the tokens of each value, and the ratios to compact JSON.  Without files,
values of several shapes are made.  Tokens are those of o200k; see `tokens.py` for what it needs.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import tokens

import typesig


def shapes() -> dict[str, Any]:
    """Return values of several shapes, the same at each run."""
    pick = random.Random(1)
    words = ["login", "fails", "when", "the", "user", "has", "no", "password", "in", "profile"]

    def text(most: int) -> str:
        return " ".join(pick.choices(words, k=pick.randint(2, most))).capitalize()

    users = [
        {"id": n, "name": text(3), "email": f"u{n}@example.com", "active": n % 3 > 0}
        for n in range(100)
    ]
    issues = [
        {"number": 900 + n, "title": text(8), "labels": pick.sample(["bug", "ui", "api"], n % 3),
         "author": {"login": f"user{n}", "id": n}, "comments": n % 7, "closed_at": None}
        for n in range(60)
    ]  # fmt: skip
    orders = [
        {
            "id": f"o-{n}",
            "total": n * 1.5,
            "lines": [{"sku": f"s{k}", "n": k} for k in range(n % 4)],
        }
        for n in range(40)
    ]
    config = {"server": {"host": "localhost", "port": 8080, "tls": {"on": True, "cert": "a.pem"}},
              "features": ["search", "chat"], "limits": {"rate": 100, "burst": 20}}  # fmt: skip
    return {
        "flat rows": users,
        "numbers": [{"t": n, "x": pick.random(), "y": pick.random()} for n in range(100)],
        "sparse rows": [{f"k{pick.randint(0, 9)}": n, "id": n} for n in range(60)],
        "rows with objects": issues,
        "rows with rows": orders,
        "an object with rows": {"total": 100, "next": "p2", "items": users[:40]},
        "a tree": config,
        "texts": [text(40) for _ in range(20)],
    }


def main(paths: list[str]) -> None:
    """Print the table."""
    try:
        import toon_format
    except ImportError:
        sys.exit("this compares with TOON: pip install toon-format")
    data = {Path(p).name: json.loads(Path(p).read_text()) for p in paths} or shapes()
    count = tokens.encoding("o200k")
    anything = typesig.contract(":any")
    print(f"{'':22}{'JSON':>8}{'auto':>8}{'TOON':>8}   {'auto':>6}{'TOON':>6}   tokens: auto  TOON")
    for title, value in data.items():
        texts = [
            json.dumps(value, ensure_ascii=False, separators=(",", ":")),
            anything.read(value).text("auto"),
            toon_format.encode(value),
        ]
        sizes, costs = [len(t) for t in texts], [count(t) for t in texts]
        print(
            f"{title:22}{sizes[0]:8,}{sizes[1]:8,}{sizes[2]:8,}   {sizes[1] / sizes[0]:6.2f}"
            f"{sizes[2] / sizes[0]:6.2f}   {costs[1] / costs[0]:12.2f}{costs[2] / costs[0]:6.2f}"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
