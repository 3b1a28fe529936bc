"""The sources of schemas for `json_schemas.py`: installed packages, definitions, a generator."""

from __future__ import annotations

import importlib.metadata
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import unquote

from schema_makers import made_schema
from schema_walk import MARKS


def files_of(package: str, site: str | None) -> Iterator[tuple[str, Any]]:
    """Yield the schemas in the files of an installed distribution, with their paths."""
    wanted = package.lower().replace("_", "-")
    path = [site] if site else sys.path
    for each in importlib.metadata.distributions(path=path):
        if (each.metadata["Name"] or "").lower().replace("_", "-") != wanted:
            continue
        for file in sorted(each.files or ()):
            if file.suffix != ".json":
                continue
            try:
                held = json.loads(Path(str(each.locate_file(file))).read_text("utf-8"))
            except (ValueError, OSError):
                continue
            if isinstance(held, dict) and held.keys() & MARKS:
                yield str(file), held
        return
    raise SystemExit(f"{package} is not installed")


def definitions_of(name: str, schema: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield *schema*, then each of its definitions as a schema with those that it refers to."""
    yield name, schema
    for word in ("$defs", "definitions"):
        held = schema.get(word)
        for each in held if isinstance(held, dict) else ():
            reference = f"#/{word}/{_escaped(each)}"
            kept = {"$schema": schema["$schema"]} if "$schema" in schema else {}
            yield f"{name}#{each}", {**kept, "$ref": reference, **_reached(schema, {word: [each]})}


def _reached(schema: dict[str, Any], waiting: dict[str, list[str]]) -> dict[str, Any]:
    """Return the definitions in *waiting*, and all definitions of *schema* they refer to."""
    found: dict[str, Any] = {}
    while any(waiting.values()):
        word = next(word for word, names in waiting.items() if names)
        each = waiting[word].pop()
        if each in found.get(word, ()) or each not in schema.get(word, {}):
            continue
        found.setdefault(word, {})[each] = schema[word][each]
        text = json.dumps(schema[word][each])
        for other in ("$defs", "definitions"):
            held = schema.get(other, {})
            steps = re.findall(rf'"#/{re.escape(other)}/((?:[^"/\\]|\\.)+)', text)
            names = {unquote(json.loads(f'"{step}"')) for step in steps}
            waiting.setdefault(other, []).extend(n for n in held if _pointed(n) in names)
    return found


def _pointed(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _escaped(name: str) -> str:
    return _pointed(name).replace("%", "%25")


def generated(count: int, seed: int) -> Iterator[tuple[str, Any]]:
    """Yield *count* generated schemas."""
    for number in range(count):
        yield f"seed {seed}/{number}", made_schema(Random(f"{seed}/{number}"))
