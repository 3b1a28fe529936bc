"""Read simple docstrings fast: paragraphs, and sections in Google's style.

It reads a docstring in one pass.  For a text with markup, examples or another style, and for
sections that are not plain items, it returns None, and `docstrings` reads the text step by step: it
splits it into prose and sections, which are read here if they are plain, and by docstring_parser if
not.  A law compares the two.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from typesig.limits import MAX_BLANKS


class Doc(NamedTuple):
    """A parsed docstring: summary, parameters, result, types, details and choices.

    #: text: the first paragraph, or None; details: the other paragraphs, without the sections
    #: params: descriptions by name; returns: the description of the result, or None
    #: types: the text of hints by name; returned: the text of the hint of the result, or None
    #: unread: parts of the sections that do not follow the style
    #: choices: the values of parameters that their descriptions list
    """

    text: str | None
    params: dict[str, str]
    returns: str | None
    types: Mapping[str, str] = MappingProxyType({})
    returned: str | None = None
    details: str | None = None
    unread: tuple[str, ...] = ()
    choices: Mapping[str, tuple[Any, ...]] = MappingProxyType({})


EMPTY = Doc(None, {}, None)


class SimpleDoc(NamedTuple):
    """A parsed docstring without markup: summary, details, parameters and result.

    #: text: the first paragraph, or None; details: the other paragraphs, or None
    #: params: the name, the type in parentheses or None, and the description of each parameter
    #: returns: the description of the result, or None
    """

    text: str | None
    details: str | None
    params: list[tuple[str, str | None, str]]
    returns: str | None


#: The titles of Google's style in lower case, and the title passed to the parser; empty for
#: sections that are of no use to a model.
TITLES: dict[str, str] = {
    "args": "Args", "arguments": "Args", "attributes": "Attributes", "example": "", "examples": "",
    "keyword args": "Args", "keyword arguments": "Args", "other parameters": "Args",
    "parameters": "Args", "params": "Args", "raises": "", "return": "Returns", "returns": "Returns",
    "yield": "Yields", "yields": "Yields",
}  # fmt: skip

#: The title of each section that is read, and what it holds; empty for one that is left out.
_HELD = {
    f"{title.capitalize()}:": held
    for title, held in TITLES.items()
    if " " not in title and held != "Yields"
}


def read_simple(text: str) -> SimpleDoc | None:
    r"""Parse docstring *text* without markup, fields or other styles; None if it has any.

    >>> read_simple("Add.\n\n    Args:\n        x: the x\n\n    Returns:\n        The sum.\n    ")
    SimpleDoc(text='Add.', details=None, params=[('x', None, 'the x')], returns='The sum.')
    """
    text = text.rstrip()
    # A field of reST, such as `:param x:`, is not simple.
    if _has_markup(text) or " :" in text or "\n:" in text or "::" in text or text[:1] == ":":
        return None
    return read_lines(text)


def read_lines(text: str) -> SimpleDoc | None:
    r"""Parse docstring *text* known to lack markup and fields; None if it is not simple.

    As in a docstring, the first line has no margin.

    >>> read_lines("\nArgs:\n    x: the x\n    y (int): the y\n\nReturns:\n    The sum.").params
    [('x', None, 'the x'), ('y', 'int', 'the y')]
    """
    lines = None if _MANY in text else _drop_margin(text)
    if lines is None:
        return None
    prose: list[str] = []
    bodies: dict[str, list[list[str]]] = {}
    # The items of the current section, and their margin; none before the first section.
    items: list[list[str]] | None = None
    margin = 0
    for line in lines:
        if line[-1:] == ":":
            held = _HELD.get(line)
            if held is not None:
                if held in bodies:
                    return None
                items, margin = bodies.setdefault(held, []), 0
                continue
            if line[:-1].strip().lower() in TITLES:
                return None
        if items is None:
            prose.append(line)
        elif said := line.lstrip():
            indent = len(line) - len(said)
            if indent < margin or not indent:
                # Another title, or prose behind the sections.
                return None
            if indent == margin or not items:
                margin = indent
                items.append([line])
            else:
                items[-1].append(line)
        elif items:
            items[-1].append(line)
    return _make_simple_doc("\n".join(prose).strip(), bodies)


def measure_margin(line: str) -> int:
    """Count the blanks at the start of *line*."""
    return len(line) - len(line.lstrip())


def _has_markup(text: str) -> bool:
    """Whether docstring *text* may have markup, examples, directives or NumPy sections."""
    # Longer texts are looked for only behind their first sign, which is found much faster.
    if "`" in text or "@" in text or "{" in text or "|" in text or "\\" in text:
        return True
    if ":**" in text or "**:" in text:
        return True
    if (">" in text and ">>>" in text) or ("]" in text and "]_" in text) or ".. " in text:
        return True
    return "-" in text and "---" in text


_MANY = " " * MAX_BLANKS


def _is_printable(text: str) -> bool:
    """Whether each line of *text* is printable."""
    if text.isascii():
        # Several times as fast.
        return not text.encode().translate(None, _PRINTABLE)
    return text.replace("\n", "").isprintable()


_PRINTABLE = b"\n" + bytes(range(ord(" "), ord("~") + 1))


def _drop_margin(text: str) -> list[str] | None:
    """Split *text* into lines without common indentation; None for odd white space."""
    lines = text.split("\n")
    if not _is_printable(text) or [*map(str.rstrip, lines)] != lines:
        return None
    first = lines[0].lstrip()
    if len(lines) == 1:
        return [first]
    margin = min([len(line) - len(said) for line in lines[1:] if (said := line.lstrip())])
    if margin:
        lines = [line[margin:] for line in lines]
    lines[0] = first
    if not first and next(filter(None, lines))[0] == " ":
        return None
    return lines


def _make_simple_doc(prose: str, bodies: dict[str, list[list[str]]]) -> SimpleDoc | None:
    """Build a `SimpleDoc` from the paragraphs *prose*, and the items of sections."""
    params: list[tuple[str, str | None, str]] = []
    returns = None
    for held, items in bodies.items():
        if held == "Returns":
            returns = _join_section(items)
            if ":" in returns:
                # What is before a colon may be a type.
                return None
        elif held:
            for first, *more in items:
                name, colon, text = first.lstrip().partition(":")
                if not more and colon and name.isidentifier() and name.isascii():
                    params.append((name, None, text.removeprefix(" ")))
                    continue
                found = _parse_item(first.lstrip(), more)
                if found is None:
                    return None
                params.append(found)
    if "\n\n" not in prose:
        return SimpleDoc(prose or None, None, params, returns or None)
    first, *others = prose.split("\n\n")
    kept = [each.strip("\n") for each in others]
    return SimpleDoc(first, "\n\n".join(filter(str.strip, kept)), params, returns or None)


def _join_section(items: list[list[str]]) -> str:
    """Join the lines of a docstring section without items, such as "Returns"."""
    if len(items) == 1 and len(items[0]) == 1:
        return items[0][0].lstrip()
    lines = [line for item in items for line in item]
    from inspect import cleandoc

    return cleandoc("\n".join(lines).strip("\n"))


#: Matches the first line of an item: its name, its type, and the start of its description.
_ITEM = re.compile(r"\*{0,2}([A-Za-z_][A-Za-z0-9_]*)(?: \(([^():\s][^():]*)\))?:(.*)")


def _parse_item(said: str, more: list[str]) -> tuple[str, str | None, str] | None:
    """Split a docstring section item into name, type and text; None if it is not simple.

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
        from inspect import cleandoc

        # The margin of the first line counts only behind an empty one.
        rest = "\n".join(more)
        text = f"{text}\n{cleandoc(rest)}".strip("\n")
    if kind is not None:
        kind = kind.strip()
        kind = kind[: -len(", optional")] if kind.endswith(", optional") else kind.removesuffix("?")
    return name, kind, text


# --- Choices in descriptions of parameters: `the score (choices: [1, 2, 3])` ---

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
    import ast
    import json

    try:
        values = json.loads(text)
    except ValueError:
        try:
            values = ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return ()
    return tuple(values) if all(type(each) in _CLASSES for each in values) else ()
