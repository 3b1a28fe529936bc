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

from typesig.extraction.docstrings.simple_docs import TITLES, measure_margin
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


# --- Sections of other conventions, rewritten in Google's style, which the parsers read ---
# Conventions: `:Parameters:` above indented names (epydoc's fields, as yfinance and PyMongo write
# them), Markdown titles and lists (`**Parameters:**` above `* **name** - text`, as httpx does), and
# `:calls:`, in which PyGithub names the endpoint.

_TITLES = {
    "args": "Args", "arguments": "Args", "keyword arguments": "Args", "parameters": "Args",
    "params": "Args", "return": "Returns", "returns": "Returns",
}  # fmt: skip
_NAMES = "|".join(_TITLES)
#: Matches a title, and the text behind it on its line.
_SECTION_TITLE = re.compile(
    rf"[ \t]*(?:(?P<field>:)({_NAMES}):|\*\*({_NAMES})(?::\*\*|\*\*:)|({_NAMES}):)[ \t]*(.*)",
    re.IGNORECASE,
)
_CALLS = re.compile(r"[ \t]*:calls?:[ \t]*(.+)", re.IGNORECASE)
_LINK = re.compile(r"`([^`<>]*[^`<>\s])\s*+<[^`<>]*>`__?")
#: Matches an item of a list: a name, its type in parentheses, and its text.
_ITEM = re.compile(
    r"[ \t]*[*-][ \t]+(?:\*\*|``?)?\*{0,2}(\w+)(?:\*\*|``?)?"
    r"(?:[ \t]*\(([^():]*)\))?(?:[ \t]+[-\u2013\u2014]|:)[ \t]+(.*)"
)
#: Matches the line of a name above its indented text, as in NumPy's style.
_NAMED = re.compile(r"[ \t]*\*{0,2}(\w+)[ \t]*:[ \t]*([^:]*)")
_BULLET = re.compile(r"[ \t]*[*-][ \t]")
_OPTIONAL = re.compile(r"\*?\(optional\)\*?[ \t]*", re.IGNORECASE)


def rewrite_sections(text: str) -> str:
    r"""Rewrite docstring sections of bulleted or named lists in Google's style.

    >>> print(rewrite_sections("Get.\n\n**Parameters:**\n\n* **url** - which\none\n"))
    Get.
    <BLANKLINE>
    Args:
        url: which one
    <BLANKLINE>
    """
    lines = text.split("\n")
    out: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if (calls := _CALLS.fullmatch(line)) is not None:
            out += ["", f"Calls {_LINK.sub(lambda link: link[1], calls[1]).strip()}", ""]
            continue
        title = _SECTION_TITLE.fullmatch(line)
        made, end = ([], at) if title is None else _read_section(title, lines, at)
        out += made or [line]
        at = end
    return "\n".join(out)


def _read_section(title: re.Match[str], lines: list[str], start: int) -> tuple[list[str], int]:
    """Rewrite the section below *title* in Google's style; return lines and end index."""
    kind = _TITLES[str(title[2] or title[3] or title[4]).lower()]
    behind = title[5]
    if kind == "Returns":
        # Others are read as they are.
        is_marked = bool(behind and title[3])
        return ([f"{kind}:", f"    {behind}", ""] if is_marked else []), start
    first = next((n for n in range(start, len(lines)) if lines[n].strip()), len(lines))
    if behind or first == len(lines):
        return [], start
    margin = measure_margin(title[0])
    items: list[tuple[str, str, list[str]]] = []
    level = measure_margin(lines[first])
    is_list = _BULLET.match(lines[first]) is not None
    if not is_list and (title["field"] is None or level <= margin):
        return [], start
    at = first
    while at < len(lines):
        line = lines[at]
        if _is_section_end(lines, at, level, is_list):
            break
        at += 1
        found = _read_item(line, level, is_list)
        if found is not None:
            items.append(found)
        elif line.strip():
            if not items:
                return [], start
            items[-1][2].append(line.strip())
    made = [_write_item(*each) for each in items]
    return ([f"{kind}:", *made, ""], at) if made else ([], start)


def _is_section_end(lines: list[str], at: int, level: int, is_list: bool) -> bool:
    """Whether a docstring section with items indented by *level* ends before index *at*."""
    line = lines[at]
    if not line.strip():
        return False
    if not is_list:
        return measure_margin(line) < level
    # Text that continues an item may have no margin, but follows no blank line.
    follows_blank = not lines[at - 1].strip()
    is_below = measure_margin(line) > level or _BULLET.match(line) is not None
    return follows_blank and not is_below


def _read_item(line: str, level: int, is_list: bool) -> tuple[str, str, list[str]] | None:
    """Parse *line*, the start of a section item, as name, type and text, or None."""
    if measure_margin(line) != level:
        return None
    found = (_ITEM if is_list else _NAMED).fullmatch(line)
    if found is None:
        return None
    if is_list:
        return found[1], (found[2] or "").strip(), [_OPTIONAL.sub("", found[3], count=1).strip()]
    return found[1], found[2].strip(), []


def _write_item(name: str, kind: str, text: list[str]) -> str:
    """Write parameter *name* of type *kind*, with lines of *text*, in Google's style."""
    shown = f" ({kind})" if kind and not re.search(r"[():]", kind) else ""
    return f"    {name}{shown}: {' '.join(text)}".rstrip()
