"""Text for rich and notebooks: bounded, and escaped as HTML."""

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


def make_element(tag: str, *texts: str) -> str:
    """Return an HTML element of *texts*, which are escaped."""
    return f"<{tag}>{''.join(map(escape, texts))}</{tag}>"


def escape(text: str) -> str:
    """*text* as HTML, without unprintable characters."""
    return html.escape("".join(c for c in text if c.isprintable() or c == "\n"))


def make_list(title: str, texts: Iterable[str]) -> str:
    """Return an HTML list of *texts* with a title, or nothing if there are none."""
    items = "".join(make_element("li", text) for text in texts)
    return f"{make_element('p', title)}<ul>{items}</ul>" if items else ""


def make_fold(title: str, texts: Iterable[str]) -> str:
    """Return *texts* as an HTML list that opens at its title, or nothing if there are none."""
    items = "".join(make_element("li", text) for text in texts)
    head = make_element("summary", title)
    return f"<details>{head}<ul>{items}</ul></details>" if items else ""


def make_table(heads: Sequence[str], rows: Iterable[Sequence[str]], most: int) -> str:
    """Return an HTML table of the first *most* of *rows*, and a line that counts the others."""
    every = [*rows]
    lines = ["".join(make_element("th", head) for head in heads)]
    lines += ["".join(make_element("td", cut(cell)) for cell in row) for row in every[:most]]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    more = make_element("p", f"{len(every) - most} more") if len(every) > most else ""
    return f"<div><table>{body}</table>{more}</div>"
