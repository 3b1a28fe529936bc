"""The Berkeley Function Calling Leaderboard, as the package `bfcl-eval` of PyPI has it installed.

    python -m pip install --no-deps bfcl-eval
    python benchmarks/tokens.py bfcl_eval                           # its definitions of functions
    python benchmarks/model_eval.py bfcl_eval:live_multiple --url … --model …   # its questions

Only its files of data are read; nothing of the package is imported.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PACKAGE = "bfcl_eval"

#: JSON Schema's names of types for those of Python, Java and JavaScript; None for anything.
_STANDARD: dict[str, str | None] = {
    "dict": "object", "HashMap": "object", "Hashtable": "object",
    "float": "number", "double": "number", "Double": "number", "Float": "number",
    "long": "integer", "Long": "integer", "int": "integer", "short": "integer", "byte": "integer",
    "Integer": "integer", "Bigint": "integer",
    "tuple": "array", "list": "array", "Array": "array", "ArrayList": "array", "Queue": "array",
    "Stack": "array", "set": "array",
    "String": "string", "char": "string", "str": "string",
    "Boolean": "boolean", "bool": "boolean",
    "any": None, "Any": None,
}  # fmt: skip


def with_standard_types(schema: Any) -> Any:
    """Return *schema* with the names of JSON Schema for those that benchmarks write."""
    if isinstance(schema, list):
        return [with_standard_types(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    out = {key: with_standard_types(value) for key, value in schema.items()}
    if isinstance(out.get("type"), str) and out["type"] in _STANDARD:
        out["type"] = _STANDARD[out["type"]]
        if out["type"] is None:
            del out["type"]
    return out


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


def questions_of(category: str) -> tuple[Path, Path | None]:
    """Return the files of the questions of *category*, and of their answers.

    The answer to all questions about irrelevant functions is no call, and has no file.  Raises
    ValueError for a category that has no right calls of one turn.
    """
    folder = data_folder()
    files = {path.stem.split("_", 2)[2]: path for path in sorted(folder.glob("BFCL_*.json"))}
    answers = {name: folder / "possible_answer" / path.name for name, path in files.items()}
    known = {
        name for name, path in answers.items() if path.is_file() and _has_functions(files[name])
    }
    known |= {name for name in files if name.endswith("irrelevance")}
    if category not in known:
        raise ValueError(f"there is no category {category!r}; there are {', '.join(sorted(known))}")
    return files[category], answers[category] if answers[category].is_file() else None


def _has_functions(path: Path) -> bool:
    with path.open(encoding="utf-8") as lines:
        return '"function": [' in lines.readline()
