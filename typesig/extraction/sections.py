"""A docstring's prose and its sections, told apart before docstring_parser reads the sections.

The parser keeps one section of each title, knows fewer titles than people write, and drops what
stands behind the sections.  Here sections of one meaning become one, and all else stays prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from os.path import commonprefix
from typing import NamedTuple


class Parted(NamedTuple):
    """A docstring in two.

    #: prose: its paragraphs, without the sections
    #: sections: the rest, as docstring_parser reads it
    """

    prose: str
    sections: str


#: The titles of Google's style in lower case, and the one that the parser is given; empty for
#: what is of no use to a model.
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

_TITLE = re.compile(r"([A-Za-z]+(?: [A-Za-z]+)?):\s*")
#: A field of reST or Epydoc; a role such as `:class:` at the start of a line is none.
_FIELD = re.compile(r"\s*(?::[A-Za-z]+(?:[ \t][^:\n]*)?:(?!`)|@[A-Za-z]+\b)")


def google(text: str) -> Parted:
    r"""Return *text* parted; what stands further left than a section's lines ends the section.

    >>> google("Do.\n\nArgs:\n    x: the x\n\nNote:\n    Mind it.").prose
    'Do.\n\n\nNote:\n    Mind it.'
    """
    prose: list[str] = []
    bodies: dict[str, list[list[str]]] = {}
    body = prose
    # How far the titles stand in, and the lines of the section at hand, -1 where none is known.
    margin = least = -1
    for line in text.splitlines():
        said = line.strip()
        indent = len(line) - len(line.lstrip()) if said else -1
        found = _TITLE.fullmatch(said) if said.endswith(":") else None
        kind = TITLES.get(found[1].lower()) if found else None
        if kind is not None and margin in (-1, indent):
            margin, least, body = indent, -1, []
            bodies.setdefault(kind, []).append(body)
            continue
        if body is not prose and said:
            least = indent if least < 0 else least
            if indent < least:
                body = prose
                prose.append("")
        body.append(line)
    kept = [
        f"{kind}:\n" + "\n".join(map(_indented, found))
        for kind, found in bodies.items()
        if kind and any(map(any, found))
    ]
    return Parted("\n".join(prose).strip(), "\n\n".join(kept))


def _indented(body: list[str]) -> str:
    """Return the lines of *body* further in by four than their common margin."""
    margins = [line[: len(line) - len(line.lstrip(" \t"))] for line in body if line.strip()]
    # What the first and the last in order have in common, all have; these are no paths.
    margin = len(commonprefix((min(margins), max(margins)))) if margins else 0  # noqa: RUF071
    lines = [f"    {line[margin:]}" if line.strip() else "" for line in body]
    return "\n".join(lines).strip("\n")


def fields(text: str) -> Parted:
    r"""Return *text*, of reST or Epydoc, parted; a paragraph at the margin ends the fields.

    >>> fields("Do.\n\n:param x: the x\n    of it\n\nMind it.")
    Parted(prose='Do.\n\n\nMind it.', sections=':param x: the x\n    of it\n')
    """
    prose: list[str] = []
    sections: list[str] = []
    body = prose
    blank = False
    for line in text.splitlines():
        if _FIELD.match(line):
            body = sections
            # A field that is indented would be taken for a part of the one before.
            line = line.lstrip()
        elif body is sections and blank and line[:1].strip():
            body = prose
            prose.append("")
        body.append(line)
        blank = not line.strip()
    return Parted("\n".join(prose).strip(), "\n".join(sections))


def numpy(text: str, start: int) -> Parted:
    """Return *text* parted at *start*, where its first section begins."""
    return Parted(text[:start].strip(), text[start:])


_PARTS = {
    "EPYDOC": re.compile(r"^(?=@)", re.MULTILINE),
    "GOOGLE": re.compile(r"^(?=\w)", re.MULTILINE),
    "NUMPYDOC": re.compile(r"^(?=\S.*\n[ \t]*-{3,}[ \t]*$)", re.MULTILINE),
    "REST": re.compile(r"^(?=:)", re.MULTILINE),
}


def parts(style: str, sections: str) -> Iterator[tuple[str, str]]:
    r"""Yield the parts of *sections* that can be read alone, each with the title above it.

    >>> list(parts("GOOGLE", "Args:\n    x: the x\n    y: the y"))
    [('Args:\n', '    x: the x\n'), ('Args:\n', '    y: the y')]
    """
    for section in filter(str.strip, _PARTS[style].split(sections)):
        title, _, body = section.partition("\n")
        if style == "GOOGLE" and title in ("Args:", "Attributes:"):
            for item in filter(str.strip, re.split(r"^(?=    \S)", body, flags=re.MULTILINE)):
                yield f"{title}\n", item
        else:
            yield "", section
