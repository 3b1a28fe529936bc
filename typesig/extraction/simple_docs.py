"""The quick reader of simple docstrings: paragraphs, and sections in Google's style.

It reads a docstring in one pass.  For a text with markup, examples or another style, and for
sections that are not plain items, it returns None, and `docstrings` reads the text step by step; a
law compares the two.
"""

from __future__ import annotations

import inspect
from typing import NamedTuple

from typesig.extraction.google import MANY, item_of
from typesig.extraction.sections import TITLES


class SimpleDoc(NamedTuple):
    """The parts of a simple docstring.

    #: text: the first paragraph, or None; details: the other paragraphs, or None
    #: params: the name, the type in parentheses or None, and the description of each parameter
    #: returns: the description of the result, or None
    """

    text: str | None
    details: str | None
    params: list[tuple[str, str | None, str]]
    returns: str | None


#: Texts that another style, an example, a directive or markup has; and blanks that nobody sees.
_SIGNS = ("`", " :", "\n:", "@", "{", "|", "\\", "---", ">>>", "::", ".. ", "]_", " \n", MANY)

#: The title of each section that is read, and what it holds; empty for one that is left out.
_HELD: dict[str, str] = {
    "Args:": "Args",
    "Arguments:": "Args",
    "Attributes:": "Attributes",
    "Example:": "",
    "Examples:": "",
    "Parameters:": "Args",
    "Params:": "Args",
    "Raises:": "",
    "Return:": "Returns",
    "Returns:": "Returns",
}


def read_simple(text: str) -> SimpleDoc | None:
    r"""Return the parts of the docstring *text*, as it is written, or None if it is not simple.

    >>> read_simple("Add.\n\n    Args:\n        x: the x\n\n    Returns:\n        The sum.\n    ")
    SimpleDoc(text='Add.', details=None, params=[('x', None, 'the x')], returns='The sum.')
    """
    text = text.rstrip()
    if any(map(text.__contains__, _SIGNS)) or text[:1] == ":":
        return None
    lines = _margined(text)
    if lines is None:
        return None
    prose: list[str] = []
    bodies: dict[str, list[str]] = {}
    body: list[str] | None = None
    for line in lines:
        held = None
        if line[-1:] == ":":
            held = _HELD.get(line)
            if held is None and line[:-1].strip().lower() in TITLES:
                return None
        if held is not None:
            if held in bodies:
                return None
            body = bodies[held] = []
        elif body is None:
            prose.append(line)
        elif line[:1].strip():
            # What stands behind the sections is prose.
            return None
        else:
            body.append(line)
    return _simple_doc("\n".join(prose).strip(), bodies)


def _margined(text: str) -> list[str] | None:
    """Return the lines of *text* without their margin; None if they have other white space."""
    lines = text.split("\n")
    if not text.replace("\n", "").isprintable():
        return None
    first = lines[0].lstrip()
    if len(lines) == 1:
        return [first]
    margin = min([len(line) - len(said) for line in lines[1:] if (said := line.lstrip())])
    lines = [line[margin:] for line in lines]
    lines[0] = first
    if not first and next(filter(None, lines))[0] == " ":
        return None
    return lines


def _simple_doc(prose: str, bodies: dict[str, list[str]]) -> SimpleDoc | None:
    """Return the parts of a docstring with the paragraphs *prose*, and sections by what they hold."""
    params: list[tuple[str, str | None, str]] = []
    returns = None
    for held, body in bodies.items():
        items = _items_of(body)
        if items is None:
            return None
        if held == "Returns":
            returns = inspect.cleandoc("\n".join(body).strip("\n"))
            if ":" in returns:
                # What is before a colon may be a type.
                return None
        elif held:
            for said, *more in items:
                found = item_of(said, more)
                if found is None:
                    return None
                params.append(found)
    first, *others = prose.split("\n\n")
    kept = [each.strip("\n") for each in others]
    details = "\n\n".join(filter(str.strip, kept)) or None
    return SimpleDoc(first or None, details, params, returns or None)


def _items_of(body: list[str]) -> list[list[str]] | None:
    """Return the items of a section: the first line of each without its margin, and the others.

    None if a line has less indentation than the first.
    """
    items: list[list[str]] = []
    margin = 0
    for line in body:
        indent = len(line) - len(said) if (said := line.lstrip()) else 0
        if not items and said:
            margin = indent
        if said and indent < margin:
            return None
        if said and indent == margin:
            items.append([said])
        elif items:
            items[-1].append(line)
    return items
