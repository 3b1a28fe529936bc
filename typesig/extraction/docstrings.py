"""Docstrings: the first paragraph, and what is said of parameters and the result.

The style is found by a cheap look, since naming it makes docstring_parser several times faster
than letting it guess; a text without sections is never given to it, so it is not imported either.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from typesig.extraction import sections
from typesig.extraction.sections import Parted


class Doc(NamedTuple):
    """What a docstring says.

    #: text: the first paragraph, or None; details: the other ones, sections left out
    #: params: descriptions by name; returns: that of the result, or None
    #: types: hints that are written there, by name, as text; returned: that of the result, or None
    #: unread: lines that are in no form that the style has
    """

    text: str | None
    params: dict[str, str]
    returns: str | None
    types: Mapping[str, str] = MappingProxyType({})
    returned: str | None = None
    details: str | None = None
    unread: tuple[str, ...] = ()


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
    r"rtype)\b",
    re.MULTILINE,
)
_ATTRIBUTE = re.compile(r"^([ \t]*):(?:ivar|cvar|var)\b", re.MULTILINE)
_EPYDOC = re.compile(r"^[ \t]*@(?:param|return|type|rtype)\b", re.MULTILINE)

#: The styles, what stands in each text of one, and the look that finds it; where several fit, the
#: first one.
STYLES = (
    ("NUMPYDOC", "---", _NUMPY),
    ("REST", ":", _REST),
    ("GOOGLE", ":", _GOOGLE),
    ("EPYDOC", "@", _EPYDOC),
)

EMPTY = Doc(None, {}, None)


def read(text: object) -> Doc:
    """Return what the docstring *text* says; what cannot be parsed is text alone."""
    if not isinstance(text, str) or not text.strip():
        return EMPTY
    text = inspect.cleandoc(text)
    style = next((name for name, sign, look in STYLES if sign in text and look.search(text)), None)
    if style is None:
        return _prose(text)
    parted = _parted(style, text)
    if not parted.sections.strip():
        return _prose(parted.prose)
    parsed, unread = _parsed(style, parted.sections)
    said = _params(parsed), _returns(parsed), _types(parsed), _returned(parsed)
    first, rest = _paragraphs(parted.prose)
    return Doc(first, *said, rest, tuple(unread))


def _parted(style: str, text: str) -> Parted:
    if style == "GOOGLE":
        return sections.google(text)
    if style == "NUMPYDOC":
        first = _NUMPY.search(text)
        return sections.numpy(text, first.start() if first else 0)
    return sections.fields(_ATTRIBUTE.sub(r"\1:attribute", text) if "var" in text else text)


def _parsed(style: str, text: str) -> tuple[Any, list[str]]:
    """Return what docstring_parser reads in *text*, and the parts that it cannot read."""
    parse, refused = _parser(style)
    failures = (refused, ValueError, IndexError, KeyError, TypeError)
    try:
        return parse(f"-\n\n{text}"), []
    except failures:
        pass
    import docstring_parser

    # One fault costs its own part alone.
    whole = docstring_parser.Docstring()
    unread: list[str] = []
    for title, part in sections.parts(style, text):
        try:
            whole.meta.extend(parse(f"-\n\n{title}{part}").meta)
        except failures:
            unread.append(part.strip())
    return whole, unread


def _prose(text: str) -> Doc:
    first, rest = _paragraphs(text)
    return Doc(first, {}, None, details=rest)


def _paragraphs(text: str) -> tuple[str | None, str | None]:
    """Return the first paragraph of *text*, and the others without what is typed at a prompt."""
    first, *others = _BLANK.split(text.strip())
    if not others:
        return first.strip() or None, None
    kept = [each.strip("\n") for each in others if not each.lstrip().startswith(">>>")]
    return first.strip() or None, "\n\n".join(filter(str.strip, kept)) or None


def _returned(parsed: Any) -> str | None:
    """Return the hint of the result; several results that have names are a tuple."""
    written = [each.type_name for each in parsed.many_returns if each.type_name]
    found = parsed.returns
    if found is None or not written:
        return None
    from typesig.extraction.documented import hint_of

    hints = [hint_of(each) for each in written]
    hint = str(hints[0]) if len(hints) == 1 else f"tuple[{', '.join(map(str, hints))}]"
    return f"Iterator[{hint}]" if found.is_generator else hint


@cache
def _parser(style: str) -> tuple[Callable[[str], Any], type[Exception]]:
    """Return the parser of *style*, and what it raises; making one takes as long as a parse."""
    from docstring_parser import ParseError, epydoc, google, numpydoc, rest

    match style:
        case "GOOGLE":
            parse = google.GoogleParser().parse
        case "NUMPYDOC":
            parse = numpydoc.NumpydocParser().parse
        case "REST":
            parse = rest.parse
        case _:
            parse = epydoc.parse
    return parse, ParseError


def _types(parsed: Any) -> dict[str, str]:
    typed = [param for param in parsed.params if param.type_name]
    if not typed:
        return {}
    from typesig.extraction.documented import hint_of

    out: dict[str, str] = {}
    for param in typed:
        hint = hint_of(param.type_name)
        if hint is not None:
            for name in (param.arg_name or "").split(","):
                out.setdefault(name.strip().lstrip("*"), hint)
    return out


def _params(parsed: Any) -> dict[str, str]:
    out: dict[str, str] = {}
    for param in parsed.params:
        # `x, y : int` of NumPy's style speaks of both.
        for name in (param.arg_name or "").split(","):
            name = name.strip().lstrip("*").replace("\\", "")
            if name and param.description:
                out.setdefault(name, flowing(param.description))
    return out


def _returns(parsed: Any) -> str | None:
    found = parsed.returns
    if found is None or not found.description:
        return None
    return flowing(found.description)


def flowing(text: str) -> str:
    """Return *text* with its single line breaks as blanks; paragraphs and lists stay."""
    text = text.strip()
    if "\n" not in text:
        return text
    return "\n\n".join(_BROKEN.sub(" ", paragraph) for paragraph in _BLANKS.split(text))


_BLANK = re.compile(r"\n[ \t]*\n")
_BLANKS = re.compile(r"\n(?:[ \t]*\n)+[ \t]*")
#: A line break within a paragraph, but before the next item of a list.
_BROKEN = re.compile(r"[ \t]*\n[ \t]*(?![ \t]*(?:[-*] |\d+[.)] ))")


def unwritten(doc: Doc, names: Any) -> list[str]:
    """Return the parameters that *doc* speaks of and that are not among *names*."""
    return [name for name in doc.params if name not in names]
