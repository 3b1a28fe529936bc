"""Choices in descriptions of parameters: `the score (choices: [1, 2, 3])`."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from typing import Any

_CHOICES = re.compile(
    r"(?<![ \t])[ \t]*+\(choices:[ \t]*(\[[^\[\]]*\])\)[ \t]*\.?\Z", re.IGNORECASE
)
_CLASSES = (str, int, float, bool)


def split_choices(params: Mapping[str, str]) -> tuple[dict[str, str], dict[str, tuple[Any, ...]]]:
    """Split parameter descriptions *params* into texts and the values in `(choices: …)`."""
    texts: dict[str, str] = {}
    choices: dict[str, tuple[Any, ...]] = {}
    for name, text in params.items():
        texts[name] = text
        found = _CHOICES.search(text) if "(choices:" in text.lower() else None
        values = () if found is None else _parse_values(found[1])
        if found is not None and values:
            texts[name] = text[: found.start()].strip()
            choices[name] = values
    return {name: text for name, text in texts.items() if text}, choices


def _parse_values(text: str) -> tuple[Any, ...]:
    """Parse *text* as a JSON or Python list of plain values; empty if it is not one."""
    try:
        values = json.loads(text)
    except ValueError:
        try:
            values = ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return ()
    return tuple(values) if all(type(each) in _CLASSES for each in values) else ()
