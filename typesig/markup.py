"""Texts that rich and notebooks show: bounded, and as HTML escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from typesig.limits import MAX_SHOWN

#: What rich takes: a value, or a name and a value.
Part: TypeAlias = Any


class Code(str):
    """A text that rich shows without quotation marks."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def cut(text: str, limit: int = MAX_SHOWN) -> str:
    """Return *text*, or its first characters and `…` if it has more than *limit*."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def element(tag: str, *texts: str) -> str:
    """Return an HTML element of *texts*, which are escaped."""
    return f"<{tag}>{''.join(map(escaped, texts))}</{tag}>"


def escaped(text: str) -> str:
    """Return *text* as HTML shows it, without characters that cannot be printed."""
    return html.escape("".join(c for c in text if c.isprintable() or c == "\n"))


def listed(title: str, texts: Iterable[str]) -> str:
    """Return an HTML list of *texts* with a title, or nothing if there are none."""
    items = "".join(element("li", text) for text in texts)
    return f"{element('p', title)}<ul>{items}</ul>" if items else ""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], most: int) -> str:
    """Return an HTML table of the first *most* of *rows*, and a line that counts the others."""
    every = [*rows]
    lines = ["".join(element("th", head) for head in heads)]
    lines += ["".join(element("td", cut(cell)) for cell in row) for row in every[:most]]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    more = element("p", f"{len(every) - most} more") if len(every) > most else ""
    return f"<div><table>{body}</table>{more}</div>"
