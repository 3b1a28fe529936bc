"""The Berkeley Function Calling Leaderboard, as the package `bfcl-eval` of PyPI has it installed.

    python -m pip install --no-deps bfcl-eval
    python benchmarks/tokens.py bfcl_eval                           # its definitions of functions

Only its files of data are read; nothing of the package is imported.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PACKAGE = "bfcl_eval"


def data_folder() -> Path:
    """Return the folder of data of the installed package; raise FileNotFoundError without one."""
    found = find_spec(PACKAGE)
    for place in (found and found.submodule_search_locations) or ():
        folder = Path(place) / "data"
        if folder.is_dir():
            return folder
    raise FileNotFoundError(
        f"{PACKAGE} is not installed: python -m pip install --no-deps bfcl-eval"
    )


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the objects of *path*, one on each line."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def definitions() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each different function, with the name of a list in which no other has its name."""
    met: dict[str, None] = {}
    counts: dict[tuple[str, str], int] = {}
    folder = data_folder()
    for path in [
        *sorted(folder.glob("BFCL_*.json")),
        *sorted(folder.glob("multi_turn_func_doc/*")),
    ]:
        text = path.read_text("utf-8")
        # One of the files is a list of ids.
        for row in rows_of(path) if not text.startswith("{\n") else ():
            for function in row.get("function", []) if "question" in row else [row]:
                written = json.dumps(function, sort_keys=True)
                if written in met:
                    continue
                met[written] = None
                place = (path.stem, function["name"])
                counts[place] = counts.get(place, 0) + 1
                yield f"{path.stem} {counts[place]}", function
