"""Split a docstring into prose and sections, before docstring_parser parses the sections.

The parser keeps only one section of each title, knows fewer titles than are in use, and drops the
text after the sections.  Here sections of the same meaning are merged, and all other text stays
prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from os.path import commonprefix
from typing import Literal, NamedTuple, TypeAlias

from typesig.extraction.docstrings.simple_docs import TITLES
from typesig.limits import MAX_DOCUMENTED

StyleName: TypeAlias = Literal["numpy", "rest", "google", "epydoc"]


class DocstringParts(NamedTuple):
    """A docstring split into its prose and its sections.

    #: prose: its paragraphs, without the sections
    #: sections: its sections, in the form that docstring_parser expects
    """

    prose: str
    sections: str


_TITLE = re.compile(r"([A-Za-z]+(?: [A-Za-z]+)?):\s*")
#: Matches a reST or Epydoc field, but not a role such as `:class:` at the start of a line.
_FIELD = re.compile(r"\s*(?::[A-Za-z]+(?:[ \t][^:\n]*)?:(?!`)|@[A-Za-z]+\b)")

#: Matches a line that begins with a role, such as `:class:`.
_ROLE = re.compile(r":[A-Za-z][\w.+:-]*:`")


def drop_examples(text: str) -> str:
    r"""Remove interactive examples from *text*.

    Each ends at an empty line, or at a line with less indentation.

    >>> drop_examples("Do.\n>>> do()\n1\n\nMore.")
    'Do.\n\nMore.'
    """
    if ">>>" not in text:
        return text
    out: list[str] = []
    # The indentation of the example; -1 outside of one.
    margin = -1
    for line in text.splitlines():
        said = line.lstrip()
        indent = len(line) - len(said)
        if said.startswith(">>>"):
            margin = indent
        elif not said or indent < margin:
            margin = -1
        if margin < 0:
            out.append(line)
    return "\n".join(out)


def split_google(text: str) -> DocstringParts:
    r"""Split a Google-style docstring *text* into its prose and its sections.

    >>> split_google("Do.\n\nArgs:\n    x: the x\n\nNote:\n    Mind it.").prose
    'Do.\n\n\nNote:\n    Mind it.'
    """
    prose: list[str] = []
    bodies: dict[str, list[list[str]]] = {}
    body = prose
    # The indentation of the titles and of the current section; -1 while unknown.
    margin = least = -1
    for line in text.splitlines():
        said = line.strip()
        if not said:
            body.append(line)
            continue
        if said[-1] == ":" and (found := _TITLE.fullmatch(said)):
            kind = TITLES.get(found[1].lower())
            indent = len(line) - len(line.lstrip())
            if kind is not None and margin in (-1, indent):
                margin, least, body = indent, -1, []
                bodies.setdefault(kind, []).append(body)
                continue
        if body is not prose:
            indent = len(line) - len(line.lstrip())
            least = indent if least < 0 else least
            if indent < least:
                body = prose
                prose.append("")
        body.append(line)
    kept = [
        f"{kind}:\n" + "\n".join(map(_replace_margin, found))
        for kind, found in bodies.items()
        if kind and any(map(any, found))
    ]
    return DocstringParts("\n".join(prose).strip(), "\n\n".join(kept))


def _replace_margin(body: list[str]) -> str:
    """Return the lines of *body* indented by four spaces instead of their common margin."""
    margins = [line[: len(line) - len(line.lstrip(" \t"))] for line in body if line.strip()]
    # The common prefix of the first and the last in order is common to all; they are not paths.
    margin = len(commonprefix((min(margins), max(margins)))) if margins else 0  # noqa: RUF071
    lines = [f"    {line[margin:]}" if line.strip() else "" for line in body]
    return "\n".join(lines).strip("\n")


def split_fields(text: str) -> DocstringParts:
    r"""Split a reST or Epydoc docstring *text* into its prose and its fields.

    >>> split_fields("Do.\n\n:param x: the x\n    of it\n\nMind it.")
    DocstringParts(prose='Do.\n\n\nMind it.', sections=':param x: the x\n    of it\n')
    """
    prose: list[str] = []
    sections: list[str] = []
    body = prose
    blank = False
    for line in text.splitlines():
        if _FIELD.match(line):
            body = sections
            # The parser takes an indented field for a part of the previous one.
            line = line.lstrip()
        elif body is sections and blank and line[:1].strip():
            body = prose
            prose.append("")
        elif body is sections and _ROLE.match(line):
            # The parser takes each line that begins with a colon for a field.
            line = f"    {line}"
        body.append(line)
        blank = not line.strip()
    return DocstringParts("\n".join(prose).strip(), "\n".join(sections))


#: Matches the place where each section or field of a style begins.
_STARTS: dict[StyleName, re.Pattern[str]] = {
    "epydoc": re.compile(r"^(?=@)", re.MULTILINE),
    "google": re.compile(r"^(?=\w)", re.MULTILINE),
    "numpy": re.compile(r"^(?=\S.*\n[ \t]*-{3,}[ \t]*$)", re.MULTILINE),
    "rest": re.compile(r"^(?=:)", re.MULTILINE),
}


def iter_parts(style: StyleName, sections: str) -> Iterator[tuple[str, str]]:
    r"""Yield the parts of *sections* that can be parsed separately, each with its title.

    >>> list(iter_parts("google", "Args:\n    x: the x\n    y: the y"))
    [('Args:\n', '    x: the x\n'), ('Args:\n', '    y: the y')]
    """
    for section in filter(str.strip, _STARTS[style].split(sections)):
        title, _, body = section.partition("\n")
        if style == "google" and title in ("Args:", "Attributes:"):
            for item in filter(str.strip, re.split(r"^(?=    \S)", body, flags=re.MULTILINE)):
                yield f"{title}\n", item
        else:
            yield "", section


def is_closed(title: str, part: str) -> bool:
    r"""Whether the parentheses of *part*, an item of a Google section, enclose a type.

    For others, the time of docstring_parser grows with the cube of their length.

    >>> is_closed("Args:\n", "x (int): the x"), is_closed("Args:\n", "x (((: the x")
    (True, False)
    """
    head = part.partition(":")[0]
    opened, closed = head.find("("), head.rfind(")")
    if not title or opened < 0:
        return True
    return bool(head[opened + 1 : max(closed, 0)].strip()) and len(head) - closed < MAX_DOCUMENTED
