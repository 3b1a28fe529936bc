"""Docstrings: the first paragraph, and the descriptions of parameters and the result.

A cheap search finds the style: docstring_parser is several times faster if it need not guess.  A
text without sections is not parsed at all, so that docstring_parser is not even imported.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import cache
from typing import Any, assert_never

from typesig.extraction.docstrings import sections
from typesig.extraction.docstrings.sections import DocstringParts, StyleName, rewrite_sections
from typesig.extraction.docstrings.simple_docs import (
    EMPTY,
    Doc,
    SimpleDoc,
    measure_margin,
    read_lines,
)
from typesig.limits import MAX_BLANKS

_GOOGLE = re.compile(
    r"^[ \t]*(?:Args|Arguments|Parameters|Params|Attributes|Returns?|Yields?|Raises|Examples?|"
    r"Keyword Args|Keyword Arguments|Other Parameters):[ \t]*$",
    re.MULTILINE,
)
_NUMPY = re.compile(
    r"^[ \t]*(?:Parameters|Other Parameters|Attributes|Returns|Yields|Raises|Examples)[ \t]*\n"
    r"[ \t]*-{3,}[ \t]*$",
    re.MULTILINE,
)
_REST = re.compile(
    r"^[ \t]*:(?:param|parameter|arg|argument|key|keyword|attribute|ivar|cvar|var|returns?|type|"
    r"rtype|raises?|except|exception)\b",
    re.MULTILINE,
)
_ATTRIBUTE = re.compile(r"^([ \t]*):(?:ivar|cvar|var)\b", re.MULTILINE)
_EPYDOC = re.compile(
    r"^[ \t]*@(?:param|return|type|rtype|raises?|except|exception)\b", re.MULTILINE
)

#: The styles, with texts of which each docstring in the style contains one, and the pattern that
#: finds the style; if several match, the first one is taken.
STYLES: dict[StyleName, tuple[tuple[str, ...], re.Pattern[str]]] = {
    "numpy": (("---",), _NUMPY),
    "rest": ((":param", ":arg", ":key", ":attr", ":ivar", ":cvar", ":var", ":ret", ":type",
              ":rtype", ":raise", ":except"), _REST),
    "google": ((":",), _GOOGLE),
    "epydoc": (("@",), _EPYDOC),
}  # fmt: skip


def read_any(text: str) -> Doc:
    """Parse the docstring *text* into a `Doc`, in any supported style and with markup."""
    text = _drop_directives(sections.drop_examples(inspect.cleandoc(text))).strip()
    if not text:
        return EMPTY
    text = rewrite_sections(text)
    style = _find_style(text)
    text = _drop_braces(text, style == "epydoc")
    if style is None:
        return _read_prose(text)
    parted = _split_sections(style, text)
    if not parted.sections.strip():
        return _read_prose(parted.prose)
    items = read_lines(f"\n{parted.sections}") if style == "google" else None
    first, rest = _split_paragraphs(parted.prose)
    if items is not None:
        return _make_doc(items.params, items.returns, first, rest, join_lines)
    parsed, unread = _parse_sections(style, parted.sections)
    params, types = _read_params(parsed)
    told = parsed.returns.description if parsed.returns else None
    returns = join_lines(told) if told else None
    return Doc(first, params, returns, types, _get_return_hint(parsed), rest, tuple(unread))


# The patterns of markup are compiled only for a text that has its signs.


def _drop_directives(text: str) -> str:
    """Replace each directive in *text* with its body as plain text."""
    if ".. " not in text and "::" not in text:
        return text
    from typesig.extraction.docstrings.docstring_markup import drop_directives

    return drop_directives(text)


def _drop_braces(text: str, is_epydoc: bool = False) -> str:
    """Remove the inline markup of Epydoc from *text*."""
    if "{" not in text:
        return text
    from typesig.extraction.docstrings.docstring_markup import drop_braces

    return drop_braces(text, is_epydoc)


def _drop_markup(text: str) -> str:
    """Remove the inline markup of reST from *text*."""
    if "`" not in text and "]_" not in text and "|" not in text and "\\*" not in text:
        return text
    from typesig.extraction.docstrings.docstring_markup import drop_markup

    return drop_markup(text)


def _make_doc(
    items: list[tuple[str, str | None, str]],
    returned: str | None,
    first: str | None,
    rest: str | None,
    flow: Callable[[str], str],
) -> Doc:
    """Build a `Doc` from parsed parameter *items*, the *returned* text and paragraphs.

    *items* are the names, types and descriptions of its parameters; *returned* is what it says of
    the result; *flow* joins the lines of a description.
    """
    params: dict[str, str] = {}
    types: dict[str, str] = {}
    for name, kind, text in items:
        if text:
            params.setdefault(name, flow(text.strip()))
        if kind:
            from typesig.extraction.docstrings.type_phrases import parse_type

            hint = parse_type(kind)
            if hint is not None:
                types.setdefault(name, hint)
    return Doc(first, params, flow(returned.strip()) if returned else None, types, None, rest)


def convert_simple(found: SimpleDoc) -> Doc:
    """Convert a `SimpleDoc` with types or multi-line descriptions to a `Doc`."""
    # It has no markup.
    return _make_doc(found.params, found.returns, found.text, found.details, _join_lines)


def _find_style(text: str) -> StyleName | None:
    """Find the style of the docstring *text*, or None if it has no sections."""
    for style, (signs, look) in STYLES.items():
        if any(map(text.__contains__, signs)) and look.search(text):
            return style
    return None


def _split_sections(style: StyleName, text: str) -> DocstringParts:
    """Split the docstring *text* into its prose and its sections in *style*."""
    match style:
        case "google":
            return sections.split_google(text)
        case "numpy":
            first = _NUMPY.search(text)
            start = first.start() if first else 0
            return DocstringParts(text[:start].strip(), text[start:])
        case "rest" | "epydoc":
            text = _ATTRIBUTE.sub(r"\1:attribute", text) if "var" in text else text
            return sections.split_fields(text)
        case _:
            assert_never(style)


def _parse_sections(style: StyleName, text: str) -> tuple[Any, list[str]]:
    """Parse docstring sections with docstring_parser; return result and unread parts."""
    parse, refused = _make_parser(style)
    failures = (refused, ValueError, IndexError, KeyError, TypeError)
    # The patterns of docstring_parser try each two of many blanks in a row.
    text = _RUN.sub(" ", text)
    try:
        # A part in Google's style may have a type in parentheses.
        typed = sections.iter_parts(style, text) if style == "google" and "(" in text else ()
        if all(sections.is_closed(title, part) for title, part in typed):
            return parse(f"-\n\n{text}"), []
    except failures:
        pass
    import docstring_parser

    # An error in one part does not discard the others.
    whole = docstring_parser.Docstring()
    unread: list[str] = []
    for title, part in sections.iter_parts(style, text):
        if not sections.is_closed(title, part):
            unread.append(part.strip())
            continue
        try:
            whole.meta.extend(parse(f"-\n\n{title}{part}").meta)
        except failures:
            unread.append(part.strip())
    return whole, unread


_RUN = re.compile(rf"(?<=\S)[^\S\n]{{{MAX_BLANKS},}}")


def _read_prose(text: str) -> Doc:
    """Parse a docstring *text* without sections: first paragraph and details."""
    first, rest = _split_paragraphs(text)
    return Doc(first, {}, None, details=rest)


def _split_paragraphs(text: str) -> tuple[str | None, str | None]:
    """Split *text* into its first paragraph and the rest, without markup."""
    first, *others = _BLANK.split(text.strip())
    if not others:
        return _drop_markup(first).strip() or None, None
    first = _drop_markup(first)
    others = [_drop_markup(each) for each in others]
    kept = [each.strip("\n") for each in others]
    return first.strip() or None, "\n\n".join(filter(str.strip, kept)) or None


def _get_return_hint(parsed: Any) -> str | None:
    """Return the hint text of the result in docstring *parsed*; a tuple for several."""
    written = [each.type_name for each in parsed.many_returns if each.type_name]
    found = parsed.returns
    if found is None or not written:
        return None
    from typesig.extraction.docstrings.type_phrases import parse_type

    hints = [parse_type(each) for each in written]
    hint = str(hints[0]) if len(hints) == 1 else f"tuple[{', '.join(map(str, hints))}]"
    return f"Iterator[{hint}]" if found.is_generator else hint


@cache
def _make_parser(style: StyleName) -> tuple[Callable[[str], Any], type[Exception]]:
    """Return the parser of *style*, and its exception; cached, as making one is slow."""
    from docstring_parser import ParseError, epydoc, numpydoc, rest
    from docstring_parser.google import GoogleParser

    match style:
        case "google":
            parse = GoogleParser().parse
        case "numpy":
            parse = numpydoc.NumpydocParser().parse
        case "rest":
            parse = rest.parse
        case "epydoc":
            parse = epydoc.parse
        case _:
            assert_never(style)
    return parse, ParseError


def _read_params(parsed: Any) -> tuple[dict[str, str], dict[str, str]]:
    """Map the parameters in the docstring *parsed* to their descriptions, and to their hints."""
    texts: dict[str, str] = {}
    hints: dict[str, str] = {}
    for param in parsed.params:
        hint = None
        if param.type_name:
            from typesig.extraction.docstrings.type_phrases import parse_type

            hint = parse_type(param.type_name)
        # `x, y : int` of NumPy's style describes both.
        for name in (param.arg_name or "").split(","):
            name = name.strip().lstrip("*").replace("\\", "")
            if name and param.description:
                texts.setdefault(name, join_lines(param.description))
            if hint is not None:
                hints.setdefault(name, hint)
    return texts, hints


def read_field_string(text: str) -> str:
    """Clean *text*, a string literal below a class field, to a field description."""
    return join_lines(_drop_braces(_drop_directives(inspect.cleandoc(text))))


def join_lines(text: str) -> str:
    """Remove reST markup from *text* and join the lines of each paragraph.

    Its inline markup is left out.
    """
    return _join_lines(_drop_markup(text.strip()))


def _join_lines(text: str) -> str:
    """Join the lines of each paragraph of *text*; list items keep their own lines."""
    if "\n" not in text:
        return text
    return "\n\n".join(_BROKEN.sub(" ", paragraph) for paragraph in _BLANKS.split(text))


_BLANK = re.compile(r"\n[ \t]*\n")
_BLANKS = re.compile(r"\n(?:[ \t]*\n)+[ \t]*")
#: A line break within a paragraph, except before the next item of a list.
_BROKEN = re.compile(r"(?:(?<![ \t])[ \t]++\n|\n)[ \t]*+(?![-*] |\d+[.)] )")


# --- Sections of docstrings that are details: exceptions in any style, and notes ---

_FIELD = re.compile(r"[ \t]*[:@](?:raises?|except|exception)(?:[ \t]++([^:]*+))?:[ \t]*(.*)")
#: The titles of sections in NumPy's style that are prose.
_NOTES = ("Notes", "Warnings")
_RULE = re.compile(r"[ \t]*-{3,}[ \t]*")


def read_raises(text: str) -> str | None:
    r"""Return the exceptions in docstring *text* as a Google "Raises" section, or None.

    >>> print(read_raises("Do.\n\n:raises OSError: if there is no\n    such file"))
    Raises:
        OSError: if there is no such file
    """
    lines = inspect.cleandoc(text).split("\n")
    items: list[str] = []
    at = 0
    while at < len(lines):
        line, at = lines[at], at + 1
        field = _FIELD.fullmatch(line)
        if field is not None:
            end = _find_end(lines, at, measure_margin(line))
            name = (field[1] or "").strip()
            said = " ".join([field[2], *map(str.strip, lines[at:end])]).strip()
            items.append(": ".join(filter(None, [name, said])))
            at = end
        elif line.strip().lower() == "raises:":
            end = _find_end(lines, at, measure_margin(line))
            items += _read_items(lines[at:end], " ")
            at = end
        elif line.strip().lower() == "raises" and at < len(lines) and _RULE.fullmatch(lines[at]):
            end = _find_title(lines, at + 1)
            items += _read_items(lines[at + 1 : end], ": ")
            at = end
    shown = [f"    {join_lines(item)}" for item in items if item]
    return "\n".join(["Raises:", *shown]) if shown else None


def read_notes(text: str) -> str | None:
    r"""Return the notes and warnings in NumPy docstring *text* as sections, or None.

    >>> print(read_notes("Do.\n\nNotes\n-----\nMind it.\n\nRaises\n------\nOSError\n"))
    Notes:
        Mind it.
    """
    lines = inspect.cleandoc(text).split("\n")
    out: list[str] = []
    at = _find_title(lines, 0)
    while at < len(lines):
        end = _find_title(lines, at + 2)
        title = lines[at].strip().capitalize()
        if title in _NOTES:
            said = join_lines("\n".join(lines[at + 2 : end])).replace("\n", "\n    ")
            out.append(f"{title}:\n    {said}")
        at = end
    return "\n\n".join(out) or None


def _find_end(lines: list[str], start: int, margin: int) -> int:
    """Find the index after the lines from *start* that are indented beyond *margin*."""
    at = start
    while at < len(lines) and (not lines[at].strip() or measure_margin(lines[at]) > margin):
        at += 1
    return at


def _find_title(lines: list[str], start: int) -> int:
    """Find the index of the next NumPy section title from *start*; len(*lines*) if none."""
    for at in range(start, len(lines) - 1):
        if lines[at].strip() and _RULE.fullmatch(lines[at + 1]):
            return at
    return len(lines)


def _read_items(lines: list[str], separator: str) -> list[str]:
    """Join the lines of each docstring section item, the first line with *separator*."""
    items: list[list[str]] = []
    level = 0
    for line in filter(str.strip, lines):
        margin = measure_margin(line)
        if not items or margin <= level:
            items.append([line.strip()])
            level = margin
        else:
            items[-1].append(line.strip())
    return [separator.join(filter(None, [item[0], " ".join(item[1:])])) for item in items]
