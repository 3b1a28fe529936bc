"""Texts of functions, classes and fields: docstrings, and strings below the fields of a class."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, TextIO

from typesig.extraction.callables.scopes import get_annotations
from typesig.extraction.docstrings.simple_docs import (
    EMPTY,
    Doc,
    SimpleDoc,
    read_simple,
    split_choices,
)
from typesig.limits import MAX_CLASS_ENDS, MAX_DOCSTRING, MAX_SOURCE

if TYPE_CHECKING:
    import ast


# The module that reads any docstring is loaded by the first that is not simple.


def read_docstring(text: object) -> Doc:
    """Parse the docstring *text*; without sections, only its paragraphs."""
    if not isinstance(text, str):
        return EMPTY
    # A subclass may split and compare in a way of its own.
    plain = str.__str__(text)[:MAX_DOCSTRING]
    return _read(plain) if plain.strip() else EMPTY


@lru_cache(maxsize=512)
def _read(text: str) -> Doc:
    """Parse the non-empty docstring *text*, with details and parameter choices."""
    doc = _read_parts(text)
    if any(map(text.__contains__, _SIGNS)):
        doc = _with_details(doc, text)
    if "(choices:" not in text.lower():
        return doc
    params, choices = split_choices(doc.params)
    return doc._replace(params=params, choices=choices)


#: Texts of which a docstring has one if it lists exceptions, or has notes in NumPy's style.
_SIGNS = ("aises", ":raise", ":except", "@raise", "@except", "---")


def _with_details(doc: Doc, text: str) -> Doc:
    """Return *doc*, the parts of *text*, with its notes and exceptions as details."""
    from typesig.extraction.docstrings.docstrings import STYLES, read_notes, read_raises

    # In other styles, and before these sections, notes are prose.
    sections = STYLES["numpy"][1].search(text)
    notes = None if sections is None else read_notes(text[sections.start() :])
    parts = [doc.details, notes, read_raises(text)]
    return doc._replace(details="\n\n".join(filter(None, parts)) or None)


def _read_parts(text: str) -> Doc:
    """Parse the summary, parameters and result in the docstring *text*."""
    found = read_simple(text)
    params = None if found is None else _get_one_line_params(found)
    if found is not None and params is not None:
        return Doc(found.text, params, found.returns, details=found.details)
    from typesig.extraction.docstrings import docstrings

    return docstrings.read_any(text) if found is None else docstrings.convert_simple(found)


def _get_one_line_params(found: SimpleDoc) -> dict[str, str] | None:
    """Map parameters of *found* to descriptions; None if one has a type or line breaks."""
    if found.returns is not None and "\n" in found.returns:
        return None
    params: dict[str, str] = {}
    for name, kind, text in found.params:
        if kind is not None or "\n" in text:
            return None
        if text:
            params.setdefault(name, text.strip())
    return params


def find_unknown_params(doc: Doc, names: Collection[str]) -> list[str]:
    """Return the parameters that *doc* describes and that are not among *names*."""
    return [name for name in doc.params if name not in names]


# --- Descriptions of the fields of a class: in its docstring, and in strings ---

#: Packages whose classes are bases of records but do not describe the fields of records.
_LIBRARIES = sys.stdlib_module_names | {"attr", "attrs", "msgspec", "pydantic", "typing_extensions"}


def read_field_texts(cls: Any) -> dict[str, str]:
    """Return the descriptions of the fields of *cls*, by name.

    The docstring of the class takes precedence over a string below the field, and both over those
    of its ancestors.  Strings below fields are read from the source file, if there is one; it is
    parsed and not run.
    """
    out: dict[str, str] = {}
    for base in reversed(_list_ancestors(cls)):
        out.update(read_field_texts(base))
    below, doc = _read_field_strings(cls), cls.__dict__.get("__doc__")
    if below:
        out.update(below)
    if doc is not None:
        out.update(read_docstring(doc).params)
    return out


#: The reason and the remedy for a part of a docstring that does not follow its style.
UNREAD = (
    "this part of the docstring does not follow its style",
    "write `name: text`, or move it out of the section",
)


def find_unread_texts(cls: Any) -> tuple[str, ...]:
    """Return the parts of the docstring of *cls* that its style's parser cannot read."""
    return read_docstring(vars(cls).get("__doc__")).unread


def _list_ancestors(cls: Any) -> list[Any]:
    """List the direct base classes of *cls*, except library classes."""
    # A TypedDict keeps its ancestors in `__orig_bases__`; its only base is dict.
    bases: Any = getattr(cls, "__orig_bases__", None) or getattr(cls, "__bases__", ())
    out = []
    for base in bases:
        # The form TypedDict there has no attributes, and takes long to say so.
        if not isinstance(base, type) and type(base).__module__ != "typing_extensions":
            base = getattr(base, "__origin__", base)
        if isinstance(base, type) and base.__module__.split(".")[0] not in _LIBRARIES:
            out.append(base)
    return out


def _read_field_strings(cls: Any) -> dict[str, str]:
    """Map annotated fields in the body of *cls* to the string literals below them."""
    module = sys.modules.get(cls.__module__)
    file = getattr(module, "__file__", None) or ""
    if not file.endswith(".py"):
        return {}
    found: list[dict[str, str]] = []
    for names, texts in _read_descriptions(file, cls.__name__):
        if _is_written(cls, names) and texts not in found:
            found.append(texts)
    # If two classes have the same fields, nothing tells which of them *cls* is.
    return found[0] if len(found) == 1 else {}


def _is_written(cls: Any, names: set[str]) -> bool:
    """Whether source code with the fields *names* can be the body of the class *cls*."""
    known = get_annotations(cls).keys()
    if hasattr(cls, "__total__") and not hasattr(cls, "__orig_bases__"):
        # Before Python 3.12 a TypedDict does not record its ancestors, but has their fields.
        return bool(names) and names <= known  # pragma: no cover - see the comment
    # The annotations of a TypedDict include those of its ancestors.
    above = {name for base in _list_ancestors(cls) for name in get_annotations(base)}
    return known - above <= names <= known


@lru_cache(maxsize=1_024)
def _read_descriptions(file: str, name: str) -> tuple[tuple[set[str], dict[str, str]], ...]:
    """Return field names and descriptions for each class *name* in the source *file*.

    A record is visited at each place that it stands at, and parsing it is slow.
    """
    return tuple([_read_fields(tree) for tree in _iter_blocks(file, name)])


@lru_cache(maxsize=8)
def _read_source(file: str) -> str:
    """Return the text of *file*, or an empty text; cached even if the file changes."""
    try:
        with _open_source(file) as opened:
            return opened.read(MAX_SOURCE)
    except (OSError, SyntaxError, UnicodeDecodeError):
        return ""


def _open_source(file: str) -> TextIO:
    """Open the source *file* in its declared encoding, or else in UTF-8."""
    with open(file, "rb") as opened:
        head = opened.readline() + opened.readline()
    # Most state none and have no mark; `tokenize`, which knows the rules, is slow to import.
    if b"coding" not in head and not head.startswith(_MARK):
        return open(file, encoding="utf-8")
    import tokenize

    return tokenize.open(file)


#: The mark of UTF-8 that some editors write at the beginning of a file.
_MARK = b"\xef\xbb\xbf"

_CLASS = re.compile(r"class (\w+)")


@lru_cache(maxsize=8)
def _find_classes(file: str) -> dict[str, list[int]]:
    """Return the positions where the source *file* may define classes, by name."""
    out: dict[str, list[int]] = {}
    for found in _CLASS.finditer(_read_source(file)):
        out.setdefault(found[1], []).append(found.start())
    return out


#: Matches the start of a line of a class that begins with a string.
_QUOTED = re.compile(r"^[ \t]+[rR]?[\"']", re.MULTILINE)


def _iter_blocks(file: str, name: str) -> Iterator[ast.ClassDef]:
    """Yield the syntax tree of each class *name* in *file* that may have strings below fields."""
    source = _read_source(file)
    for start in _find_classes(file).get(name, ()):
        end = start + len(name)
        head = source.rfind("\n", 0, start) + 1
        margin = source[head:start]
        if margin.strip():
            continue
        if not margin:
            # Most classes are outermost, and have no strings below their fields.
            found = _OUTERMOST.search(source, end)
            if not _has_strings(source, head, found.start() if found else len(source)):
                continue
        stops = _iter_stops(source, margin, end)
        first = next(stops, len(source))
        if margin and not _has_strings(source, head, first):
            continue
        # A string may have lines with less indentation than the class.
        for stop in (first, *stops, len(source)):
            tree = _parse_class(source[head:stop])
            if tree is not None:
                yield tree
                break


def _has_strings(source: str, start: int, end: int) -> bool:
    """Whether a line of *source* from *start* to *end* may begin with a string literal."""
    quoted = source.find('"', start, end) >= 0 or source.find("'", start, end) >= 0
    return quoted and _QUOTED.search(source, start, end) is not None


def _iter_stops(source: str, margin: str, start: int) -> Iterator[int]:
    """Yield offsets in *source* where the class at *start* may end, nearest first."""
    if margin:
        below = re.compile(rf"^(?!{margin}[ \t])[ \t]*[^\s#)\]}}]", re.MULTILINE)
        return (found.start() for found in islice(below.finditer(source, start), MAX_CLASS_ENDS))
    outermost = islice(_OUTERMOST.finditer(source, start), MAX_CLASS_ENDS)
    return (found.start() + 1 for found in outermost)


#: Matches the break before a line of code without indentation.
_OUTERMOST = re.compile(r"\n[^\s#)\]}]")


def _parse_class(text: str) -> ast.ClassDef | None:
    """Parse *text*, the source of a possibly indented class; None if unsuitable."""
    import ast

    from typesig.extraction.callables.type_checking_names import parse_syntax

    try:
        # An indented class is parsed as the body of a condition.
        body: Any = parse_syntax(f"if 1:\n{text}" if text[0].isspace() else text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    whole = body[0].body[0] if isinstance(body[0], ast.If) else body[0]
    return whole if isinstance(whole, ast.ClassDef) else None


def _read_fields(tree: ast.ClassDef) -> tuple[set[str], dict[str, str]]:
    """Return the field names in class syntax *tree* and the string literals below them."""
    import ast

    from typesig.extraction.docstrings.docstrings import read_field_string

    names: set[str] = set()
    texts: dict[str, str] = {}
    for statement, following in zip(tree.body, [*tree.body[1:], None], strict=True):
        if not (isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)):
            continue
        names.add(statement.target.id)
        match following:
            case ast.Expr(value=ast.Constant(value=str(text))) if text.strip():
                texts[statement.target.id] = read_field_string(text)
            case _:
                pass
    return names, texts
