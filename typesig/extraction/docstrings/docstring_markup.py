"""Remove the markup of reST and of Epydoc from docstrings.

To add a directive, add it to a tuple above `_KINDS`, or a row there.  What is no markup, such as
the absolute value `|x|` or a brace that is not closed, stays as it is.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, TypeAlias, assert_never

from typesig.extraction.docstrings.simple_docs import measure_margin

# directives of reST

#: What becomes of a directive.  `titled`: its body, after a title.  `version`: a sentence about the
#: version that is its argument.  `code`: its body, as it is.  `silent`: nothing.  `unknown`: its
#: argument and its body.
_Kind: TypeAlias = Literal["titled", "version", "code", "silent", "unknown"]

#: The directives of code, and those that say nothing.
_CODE = (
    "code", "code-block", "doctest", "ipython", "parsed-literal", "sourcecode", "testcode",
    "testoutput",
)  # fmt: skip
_SILENT = (
    "automodule", "autosummary", "contents", "currentmodule", "highlight", "image", "include",
    "index", "literalinclude", "module", "plot", "raw", "toctree",
)  # fmt: skip
#: The directives whose title is their name.
_NAMED = (
    "attention", "caution", "danger", "error", "hint", "important", "note", "tip", "warning",
)  # fmt: skip

#: The known directives: the kind of each, and its title.  Of others only the marker is left out.
_KINDS: dict[str, tuple[_Kind, str]] = {
    **dict.fromkeys(_CODE, ("code", "")),
    **dict.fromkeys(_SILENT, ("silent", "")),
    **{name: ("titled", name.capitalize()) for name in _NAMED},
    "seealso": ("titled", "See also"),
    "todo": ("titled", "To do"),
    "deprecated": ("version", "Deprecated since version"),
    "versionadded": ("version", "New in version"),
    "versionchanged": ("version", "Changed in version"),
    "versionremoved": ("version", "Removed in version"),
}

#: Matches the first line of a directive: its name, and its argument.
_DIRECTIVE = re.compile(r"\.\. (?:[a-z]+:)?([A-Za-z][\w+.-]*)::(?:[ \t]+(\S.*))?")
#: Matches a footnote or a citation: its mark, and its text.
_FOOTNOTE = re.compile(r"\.\. (\[[^\]\s]+\])[ \t]+(\S.*)")
#: Matches the name of a place in the text, or a text that stands for a name.
_TARGET = re.compile(r"\.\. (?:_[^:]+:|__)(?:[ \t].*)?|\.\. \|[^|]+\| \w+::.*")
#: Matches an option of a directive; a field such as `:returns:` is none.
_OPTION = re.compile(
    r":(?:alt|caption|class|dedent|emphasize-lines|force|label|lineno-start|linenos|name|nowrap|"
    r"number-lines|okexcept|okwarning|suppress|width):(?:[ \t].*)?"
)


def drop_directives(text: str) -> str:
    r"""Replace each directive in *text* with its body as plain text.

    >>> drop_directives("Do.\n\n.. note::\n\n    Mind it.\n\n.. versionadded:: 1.2")
    'Do.\n\nNote: Mind it.\n\nNew in version 1.2.'
    """
    lines = text.split("\n")
    out: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        said = line.strip()
        margin = line[: measure_margin(line)]
        found = _DIRECTIVE.fullmatch(said)
        at += 1
        if found is not None:
            end = _end_of_body(lines, at, len(margin))
            out += [
                margin + each if each else "" for each in _flatten_directive(found, lines[at:end])
            ]
            at = end
        elif (note := _FOOTNOTE.fullmatch(said)) is not None:
            out.append(f"{margin}{note[1]} {note[2]}")
        elif _TARGET.fullmatch(said) is None:
            out += _trim_literal_marker(line, lines, at)
    return "\n".join(out)


def _end_of_body(lines: list[str], start: int, margin: int) -> int:
    """Find the index after the last line of a body indented by more than *margin*."""
    end = start
    for at in range(start, len(lines)):
        line = lines[at]
        if not line.strip():
            continue
        if measure_margin(line) <= margin:
            break
        end = at + 1
    return end


def _flatten_directive(directive: re.Match[str], lines: list[str]) -> list[str]:
    """Return the plain text of a directive with the body *lines*, without margin."""
    argument = directive[2] or ""
    body = _trim_body(lines)
    kind, title = _KINDS.get(directive[1], ("unknown", ""))
    match kind:
        case "unknown":
            return [argument, *body] if argument else body
        case "titled":
            said = [argument, *body] if argument else body
            return [f"{title}: {said[0]}", *said[1:]] if said else []
        case "version":
            version, _, more = argument.partition(" ")
            said = [more.strip(), *body] if more else body
            if not version:
                return said
            first = f"{title} {version}: {said[0]}" if said else f"{title} {version}."
            return [first, *said[1:]]
        case "code":
            return [f"    {each}" if each else "" for each in body]
        case "silent":
            return []
        case _:
            assert_never(kind)


def _trim_body(lines: list[str]) -> list[str]:
    """Remove options, outer blank lines and the common margin from *lines*."""
    start = 0
    while start < len(lines) and _OPTION.fullmatch(lines[start].strip()):
        start += 1
    while start < len(lines) and not lines[start].strip():
        start += 1
    kept = lines[start:]
    margin = min((measure_margin(each) for each in kept if each.strip()), default=0)
    return [line[margin:].rstrip() for line in kept]


def _trim_literal_marker(line: str, lines: list[str], at: int) -> list[str]:
    """Remove a reST `::` from the end of *line* if a code block follows in *lines*."""
    said = line.rstrip()
    if not said.endswith("::"):
        return [line]
    below = next((lines[i] for i in range(at, len(lines)) if lines[i].strip()), "")
    is_literal = measure_margin(below) > measure_margin(line) and not lines[at].strip()
    if not is_literal:
        return [line]
    kept = said[:-2]
    if not kept.strip():
        return []
    return [kept.rstrip() if kept[-1].isspace() else f"{kept}:"]


# inline markup of reST


def drop_markup(text: str) -> str:
    """Remove the inline markup of reST from *text*.

    >>> drop_markup("the :class:`~shop.Item` of ``items``, see :meth:`find <shop.find>` [1]_")
    'the Item of items, see find [1]'
    >>> drop_markup("`the guide <https://example.com>`_, |version|, but |x| < 1")
    'the guide (https://example.com), version, but |x| < 1'
    """
    return _MARKED.sub(_get_role_text, text)


#: A literal, which has no markup in it; a role, its text and target; a link; a reference; a
#: footnote's mark; a substitution, which is no absolute value in a formula; an escaped star.
_MARKED = re.compile(
    r"(?<!`)``(?P<literal>[^`]+)``(?!`)"
    r"|(?<![\w`]):(?P<role>[A-Za-z][\w.+:-]{0,60}):`(?P<text>[^`]+)`"
    r"|(?<![\w`])`(?P<title>[^`<>]*)<(?P<link>[^`<>]+)>`__?(?!\w)"
    r"|(?<![\w`])`(?P<name>[^`<>]+)`__?(?!\w)"
    r"|(?<![\w\])])(?P<note>\[(?:\d{1,4}|\*|#?[A-Za-z][\w.-]{0,60})\])_(?!\w)"
    r"|(?<![\w|])(?<![=<>+*/^-] )\|(?P<stands>[A-Za-z][\w.+-]{1,60})\|_{0,2}(?![\w|])"
    r"(?! ?[=<>+*/^-])"
    r"|(?<![^\s(*])\\(?P<star>\*)(?=[\w\\*])"
)

#: Roles whose text may begin with a dot, for a name in any module.
_REFERENCES = ("attr", "class", "const", "data", "exc", "func", "meth", "mod", "obj")


def _get_role_text(found: re.Match[str]) -> str:
    """Return the plain text for *found*, a match of reST or Epydoc markup."""
    kind = found.lastgroup
    if kind == "text":
        return _get_role_title(found["role"], found["text"])
    if kind == "link":
        title, link = found["title"].strip(), found["link"].strip()
        return f"{title} ({link})" if title and title != link else link
    return found[str(kind)]


def _get_role_title(role: str, text: str) -> str:
    """Return the title in a role's *text*, else the name that the role refers to."""
    short, text = text[0] == "~", text.lstrip("~!")
    title, bracket, target = text.partition("<")
    if bracket and target.endswith(">"):
        text = title.strip() or target[:-1]
    if short:
        return text.rpartition(".")[2]
    return text.removeprefix(".") if role.rpartition(":")[2] in _REFERENCES else text


# inline markup of Epydoc


class _BraceStart(NamedTuple):
    """An open brace of Epydoc markup, such as `B{`, and its position.

    #: letter: the letter before it, or empty; start: where the letter, or the brace, begins
    """

    letter: str
    start: int


#: Signs that mean something in Epydoc; the markup of a paragraph ends with it.
_SIGNS = re.compile(r"(?:(?<![\w\\])[BCEGILMQSUX]|E(?=\{[lr]b\}))\{|[{}<]|\n[ \t]*(?=\n)")
#: Letters that show that a text is of Epydoc: others stand before a brace in formulas, too.
_TELLING = frozenset("CLU")
_ESCAPED = {"lb": "{", "rb": "}"}


def drop_braces(text: str, is_epydoc: bool = False) -> str:
    """Remove the inline markup of Epydoc from *text*.

    *is_epydoc* is whether the text is known to be of Epydoc; otherwise code or a link shows it.

    >>> drop_braces("the C{dict of C{int}} in L{Shop<shop.Shop>}, I{not} C{ {1} or {2}")
    'the dict of int in Shop, not C{ {1} or {2}'
    >>> drop_braces("the set B{a}")
    'the set B{a}'
    """
    edits: list[tuple[int, int, str]] = []
    opened: list[_BraceStart] = []
    angles: list[int] = []
    for sign in _SIGNS.finditer(text):
        said = sign[0]
        if said == "}" and opened:
            letter, start = opened.pop()
            angle = angles.pop()
            if letter:
                is_epydoc = is_epydoc or letter in _TELLING
                edits += _make_edits(text, letter, start, angle, sign.start())
        elif said == "<":
            if angles:
                angles[-1] = sign.start()
        elif said.endswith("{"):
            opened.append(_BraceStart(said[:-1], sign.start()))
            angles.append(-1)
        elif said != "}":
            opened.clear()
            angles.clear()
    return _apply_edits(text, edits) if is_epydoc else text


def _make_edits(
    text: str, letter: str, start: int, angle: int, end: int
) -> list[tuple[int, int, str]]:
    """Return the edits that replace markup from *start* to *end*, as spans and new text.

    *angle* is where the target of a link begins, or -1.
    """
    inner = start + 2
    if letter == "E" and end - inner <= 2:
        said = text[inner:end]
        return [(start, end + 1, _ESCAPED.get(said, said))]
    edits = [(start, inner, ""), (end, end + 1, "")]
    last = end - 1
    while text[last].isspace():
        last -= 1
    if letter in "LU" and angle > inner and text[last] == ">":
        # Where a name is defined says nothing; an address does.
        target = f" ({text[angle + 1 : last]})" if letter == "U" else ""
        before = angle
        while text[before - 1].isspace():
            before -= 1
        edits[1:] = [(before, end + 1, target)]
    return edits


def _apply_edits(text: str, edits: list[tuple[int, int, str]]) -> str:
    """Return *text* with *edits* applied; an edit within another is skipped."""
    out: list[str] = []
    at = 0
    for start, end, new in sorted(edits):
        if start >= at:
            out += [text[at:start], new]
            at = end
    return "".join([*out, text[at:]])
