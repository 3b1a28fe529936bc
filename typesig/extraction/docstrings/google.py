"""The quick reader of simple sections in Google's style, which needs no docstring_parser.

It reads items such as `x: the x` and `x (int): the x`, and a result without a type.  For anything
else it returns None, and docstring_parser reads the sections; a law compares the two.
"""

from __future__ import annotations

import inspect
import re
from typing import NamedTuple

from typesig.limits import MAX_BLANKS


class Items(NamedTuple):
    """What sections describe.

    #: params: the name, the type in parentheses or None, and the description of each parameter
    #: returns: the description of the result, or None
    """

    params: list[tuple[str, str | None, str]]
    returns: str | None


#: Matches the first line of an item: its name, its type, and the start of its description.
_ITEM = re.compile(r"\*{0,2}([A-Za-z_][A-Za-z0-9_]*)(?: \(([^():\s][^():]*)\))?:(.*)")
_TITLES = frozenset({"Args:", "Attributes:", "Returns:"})
_MANY = " " * MAX_BLANKS


def read_items(sections: str) -> Items | None:
    r"""Return what *sections* describe, or None if docstring_parser has to read them.

    *sections* are those of `split_google`: titles, and their bodies with a margin of four blanks.

    >>> read_items("Args:\n    x: the x\n    y (int): the y\n\nReturns:\n    The sum.")
    Items(params=[('x', None, 'the x'), ('y', 'int', 'the y')], returns='The sum.')
    """
    lines = sections.split("\n")
    if _MANY in sections or not all(map(str.isprintable, lines)):
        return None
    params: list[tuple[str, str | None, str]] = []
    bodies: dict[str, list[str]] = {}
    body: list[str] = []
    for line in lines:
        if line[:1].strip():
            if line not in _TITLES or line in bodies:
                return None
            bodies[line] = body = []
        else:
            body.append(line)
    returned = bodies.pop("Returns:", None)
    for body in bodies.values():
        starts = [place for place, line in enumerate(body) if line[4:5].strip()]
        # A section of blank lines has no items.
        for start, end in zip(starts, [*starts[1:], len(body)], strict=False):
            item = item_of(body[start][4:], body[start + 1 : end])
            if item is None:
                return None
            params.append(item)
    text = None if returned is None else inspect.cleandoc("\n".join(returned).strip("\n"))
    # What is before a colon may be a type.
    return Items(params, text) if text is None or ":" not in text else None


def item_of(said: str, more: list[str]) -> tuple[str, str | None, str] | None:
    """Return an item's name, type and description, or None if it is not simple.

    *said* is its first line without the margin; *more* are the lines below.
    """
    name, colon, text = said.partition(":")
    kind: str | None = None
    if not (colon and name.isidentifier() and name.isascii()):
        found = _ITEM.fullmatch(said)
        if found is None:
            return None
        name, kind, text = found.groups()
    text = text.removeprefix(" ")
    if more:
        rest = "\n".join(more).strip("\n")
        if rest:
            text = f"{text}\n{inspect.cleandoc(rest)}".strip("\n")
    if kind is not None:
        kind = kind.strip()
        kind = kind[: -len(", optional")] if kind.endswith(", optional") else kind.removesuffix("?")
    return name, kind, text
