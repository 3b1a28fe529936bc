"""Sections of other conventions, rewritten in Google's style, which the parsers read.

Conventions: `:Parameters:` above indented names (epydoc's fields, as yfinance and PyMongo write
them), Markdown titles and lists (`**Parameters:**` above `* **name** - text`, as httpx does), and
`:calls:`, in which PyGithub names the endpoint.
"""

from __future__ import annotations

import re

_TITLES = {
    "args": "Args", "arguments": "Args", "keyword arguments": "Args", "parameters": "Args",
    "params": "Args", "return": "Returns", "returns": "Returns",
}  # fmt: skip
_NAMES = "|".join(_TITLES)
#: Matches a title, and the text behind it on its line.
_TITLE = re.compile(
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
            out += ["", f"Calls {_LINK.sub(_format_endpoint, calls[1]).strip()}", ""]
            continue
        title = _TITLE.fullmatch(line)
        made, end = ([], at) if title is None else _read_section(title, lines, at)
        out += made or [line]
        at = end
    return "\n".join(out)


def _format_endpoint(link: re.Match[str]) -> str:
    """Return the label of *link*, a match of a reST link to an endpoint."""
    return link[1]


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
    margin = _measure_margin(title[0])
    items: list[tuple[str, str, list[str]]] = []
    level = _measure_margin(lines[first])
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


def _measure_margin(line: str) -> int:
    """Count the blanks at the start of *line*."""
    return len(line) - len(line.lstrip())


def _is_section_end(lines: list[str], at: int, level: int, is_list: bool) -> bool:
    """Whether a docstring section with items indented by *level* ends before index *at*."""
    line = lines[at]
    if not line.strip():
        return False
    if not is_list:
        return _measure_margin(line) < level
    # Text that continues an item may have no margin, but follows no blank line.
    follows_blank = not lines[at - 1].strip()
    is_below = _measure_margin(line) > level or _BULLET.match(line) is not None
    return follows_blank and not is_below


def _read_item(line: str, level: int, is_list: bool) -> tuple[str, str, list[str]] | None:
    """Parse *line*, the start of a section item, as name, type and text, or None."""
    if _measure_margin(line) != level:
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
