"""The quick reader of simple docstrings: paragraphs, and sections in Google's style.

It reads a docstring in one pass.  For a text with markup, examples or another style, and for
sections that are not plain items, it returns None, and `docstrings` reads the text step by step; a
law compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from typesig.limits import MAX_BLANKS


class Doc(NamedTuple):
    """The parts of a docstring.

    #: text: the first paragraph, or None; details: the other paragraphs, without the sections
    #: params: descriptions by name; returns: the description of the result, or None
    #: types: the text of hints by name; returned: the text of the hint of the result, or None
    #: unread: parts of the sections that do not follow the style
    """

    text: str | None
    params: dict[str, str]
    returns: str | None
    types: Mapping[str, str] = MappingProxyType({})
    returned: str | None = None
    details: str | None = None
    unread: tuple[str, ...] = ()


EMPTY = Doc(None, {}, None)


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


#: The titles of Google's style in lower case, and the title passed to the parser; empty for
#: sections that are of no use to a model.
TITLES: dict[str, str] = {
    "args": "Args",
    "arguments": "Args",
    "attributes": "Attributes",
    "example": "",
    "examples": "",
    "keyword args": "Args",
    "keyword arguments": "Args",
    "other parameters": "Args",
    "parameters": "Args",
    "params": "Args",
    "raises": "",
    "return": "Returns",
    "returns": "Returns",
    "yield": "Yields",
    "yields": "Yields",
}

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
    if _is_marked(text):
        return None
    found = _read_paragraphs(text)
    if found is not None or _has_fields(text):
        return found
    return _read_lines(text)


def _read_lines(text: str) -> SimpleDoc | None:
    """Return the parts of the docstring *text*, read line by line, or None if it is not simple."""
    lines = _margined(text)
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
    return _simple_doc("\n".join(prose).strip(), bodies)


def _is_marked(text: str) -> bool:
    """Return whether *text* has what another style, an example, a directive or markup has."""
    # Longer texts are looked for only behind their first sign, which is found much faster.
    if "`" in text or "@" in text or "{" in text or "|" in text or "\\" in text:
        return True
    if (">" in text and ">>>" in text) or ("]" in text and "]_" in text) or ".. " in text:
        return True
    return ("-" in text and "---" in text) or _MANY in text


def _has_fields(text: str) -> bool:
    """Return whether *text* has a field of reST, or a colon behind a blank or another."""
    return " :" in text or "\n:" in text or "::" in text or text[:1] == ":"


_MANY = " " * MAX_BLANKS


def _read_paragraphs(text: str) -> SimpleDoc | None:
    """Return what `_read_lines` does if each section is a paragraph of items on single lines.

    Otherwise it returns None; and if *text* has a field.
    """
    paragraphs = _paragraphs(text)
    if paragraphs is None:
        return None
    prose: list[str] = []
    params: list[tuple[str, str | None, str]] = []
    returns: str | None = None
    helds: set[str] = set()
    for paragraph in paragraphs:
        title, _, body = paragraph.partition("\n")
        held = _HELD.get(title)
        if held is None:
            if helds or ":\n" in paragraph or paragraph[-1] == ":":
                return None
            prose.append(paragraph)
            continue
        items = [] if held in helds else _items_on_lines(body)
        helds.add(held)
        if not items:
            return None
        if held == "Returns":
            returns = items[0]
            if len(items) > 1 or ":" in returns:
                return None
        elif held:
            for item in items:
                name, colon, said = item.partition(":")
                if not (colon and name.isidentifier() and name.isascii()):
                    return None
                params.append((name, None, said.removeprefix(" ")))
    # No colon is part of a field if each stands behind a title or a name.
    if text.count(":") != len(helds) + len(params) and _has_fields(text):
        return None
    details = "\n\n".join(prose[1:]) if len(prose) > 1 else None
    return SimpleDoc(prose[0] if prose else None, details, params, returns)


def _paragraphs(text: str) -> list[str] | None:
    """Return the paragraphs of *text* without its margin; None if lines have other white space."""
    _, _, below = text.partition("\n")
    said = below.lstrip("\n")
    if not said or " \n" in text or not _is_printable(text):
        return None
    margin = "\n" + said[: len(said) - len(said.lstrip(" "))]
    found = text.replace(margin, "\n").split("\n\n")
    # Each line below the first begins with the margin, or is empty.
    if len(margin) > 1 and text.count(margin) + len(found) - 1 != text.count("\n"):
        return None
    found[0] = found[0].lstrip()
    # Two empty lines, or more, are none between paragraphs.
    return None if [each for each in found if each[:1] in ("", "\n")] else found


def _is_printable(text: str) -> bool:
    """Return whether each line of *text* is printable."""
    if text.isascii():
        # Several times as fast.
        return not text.encode().translate(None, _PRINTABLE)
    return text.replace("\n", "").isprintable()


_PRINTABLE = b"\n" + bytes(range(ord(" "), ord("~") + 1))


def _items_on_lines(body: str) -> list[str]:
    """Return the lines of the section *body* without their margin; none if they differ in it."""
    margin = "\n" + body[: len(body) - len(body.lstrip(" "))]
    if len(margin) == 1 or ":\n" in body or body[-1] == ":":
        return []
    if body.count(margin) != body.count("\n") or f"{margin} " in body:
        return []
    return body[len(margin) - 1 :].split(margin)


def _margined(text: str) -> list[str] | None:
    """Return the lines of *text* without their margin; None if they have other white space."""
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


def _simple_doc(prose: str, bodies: dict[str, list[list[str]]]) -> SimpleDoc | None:
    """Return the parts of a docstring with the paragraphs *prose*, and items of its sections."""
    params: list[tuple[str, str | None, str]] = []
    returns = None
    for held, items in bodies.items():
        if held == "Returns":
            returns = _whole(items)
            if ":" in returns:
                # What is before a colon may be a type.
                return None
        elif held:
            for first, *more in items:
                name, colon, text = first.lstrip().partition(":")
                if not more and colon and name.isidentifier() and name.isascii():
                    params.append((name, None, text.removeprefix(" ")))
                    continue
                from typesig.extraction.docstrings.google import item_of

                found = item_of(first.lstrip(), more)
                if found is None:
                    return None
                params.append(found)
    if "\n\n" not in prose:
        return SimpleDoc(prose or None, None, params, returns or None)
    first, *others = prose.split("\n\n")
    kept = [each.strip("\n") for each in others]
    return SimpleDoc(first, "\n\n".join(filter(str.strip, kept)), params, returns or None)


def _whole(items: list[list[str]]) -> str:
    """Return the text of a section that is not of items, without its margin."""
    if len(items) == 1 and len(items[0]) == 1:
        return items[0][0].lstrip()
    lines = [line for item in items for line in item]
    from inspect import cleandoc

    return cleandoc("\n".join(lines).strip("\n"))
