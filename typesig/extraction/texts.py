"""What is said of the fields of a class: in its docstring, and in texts that stand below them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from inspect import cleandoc
from itertools import islice
from typing import TYPE_CHECKING, Any

from typesig.extraction import docstrings
from typesig.extraction.resolve import annotations_of
from typesig.limits import MAX_CLASS_ENDS as _MOST_STOPS
from typesig.limits import MAX_SOURCE as _MOST_SOURCE

if TYPE_CHECKING:
    import ast

#: What classes of records descend from, and says nothing of their fields.
_LIBRARIES = sys.stdlib_module_names | {"attr", "attrs", "msgspec", "pydantic", "typing_extensions"}


def field_texts(cls: Any) -> dict[str, str]:
    """Return the texts of the fields of *cls*, by name; those of its ancestors come last.

    What the docstring says of a field comes before a text that stands below it, which is read from
    the source where that is there, as a tree and without running it.
    """
    out: dict[str, str] = {}
    for base in reversed(_ancestors(cls)):
        out.update(field_texts(base))
    out.update(_below(cls))
    out.update(docstrings.read(vars(cls).get("__doc__")).params)
    return out


#: What is wrong with a part of a docstring that its style has no form for, and what to do.
UNREAD = (
    "the docstring says this in no form of its style",
    "write `name: text`, or move it out of the section",
)


def unread_texts(cls: Any) -> tuple[str, ...]:
    """Return the parts of the docstring of *cls* that are in no form of its style."""
    return docstrings.read(vars(cls).get("__doc__")).unread


def _ancestors(cls: Any) -> list[Any]:
    # A TypedDict keeps its ancestors apart from its bases.
    bases: Any = getattr(cls, "__orig_bases__", None) or getattr(cls, "__bases__", ())
    bases = [getattr(base, "__origin__", base) for base in bases]
    return [
        b for b in bases if isinstance(b, type) and b.__module__.split(".")[0] not in _LIBRARIES
    ]


def _below(cls: Any) -> dict[str, str]:
    """Return the texts below the fields that *cls* itself writes, by name."""
    module = sys.modules.get(cls.__module__)
    file = getattr(module, "__file__", None) or ""
    if not file.endswith(".py"):
        return {}
    found: list[dict[str, str]] = []
    for tree in _blocks(file, cls.__name__):
        names, texts = _read(tree)
        if _is_written(cls, names) and texts not in found:
            found.append(texts)
    # Of two classes that are written alike nothing tells which one it is.
    return found[0] if len(found) == 1 else {}


def _is_written(cls: Any, names: set[str]) -> bool:
    """Tell whether *names* are those that *cls* annotates."""
    known = annotations_of(cls).keys()
    if hasattr(cls, "__total__") and not hasattr(cls, "__orig_bases__"):
        # Before Python 3.12 a TypedDict tells nothing of its ancestors, and has their fields.
        return bool(names) and names <= known
    # The annotations of a TypedDict are those of its ancestors too.
    above = {name for base in _ancestors(cls) for name in annotations_of(base)}
    return known - above <= names <= known


@lru_cache(maxsize=8)
def _source(file: str) -> str:
    """Return the source *file*, empty where there is none; of an edited one, that of the start."""
    import tokenize

    try:
        with tokenize.open(file) as opened:
            return opened.read(_MOST_SOURCE)
    except (OSError, SyntaxError, UnicodeDecodeError):
        return ""


_CLASS = re.compile(r"class (\w+)")


@lru_cache(maxsize=8)
def _classes(file: str) -> dict[str, list[int]]:
    """Return where the source *file* may define classes, by name."""
    out: dict[str, list[int]] = {}
    for found in _CLASS.finditer(_source(file)):
        out.setdefault(found[1], []).append(found.start())
    return out


#: A line of a class that begins with a text.
_QUOTED = re.compile(r"^[ \t]+[rR]?[\"']", re.MULTILINE)


def _blocks(file: str, name: str) -> Iterator[ast.ClassDef]:
    """Yield each class called *name* in the source *file* that has a text on a line, as a tree."""
    source = _source(file)
    for start in _classes(file).get(name, ()):
        end = start + len(name)
        head = source.rfind("\n", 0, start) + 1
        margin = source[head:start]
        if margin.strip():
            continue
        below = re.compile(rf"^(?!{margin}[ \t])[ \t]*[^\s#)\]}}]", re.MULTILINE)
        stops = (found.start() for found in islice(below.finditer(source, end), _MOST_STOPS))
        first = next(stops, len(source))
        if not _QUOTED.search(source, head, first):
            continue
        # A text may have lines that stand further left than the class does.
        for stop in (first, *stops, len(source)):
            tree = _tree(source[head:stop])
            if tree is not None:
                yield tree
                break


def _tree(text: str) -> ast.ClassDef | None:
    import ast

    try:
        # Under a condition it may be indented as it is.
        body = ast.parse(f"if 1:\n{text}" if text[0].isspace() else text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    whole = body[0].body[0] if isinstance(body[0], ast.If) else body[0]
    return whole if isinstance(whole, ast.ClassDef) else None


def _read(tree: ast.ClassDef) -> tuple[set[str], dict[str, str]]:
    """Return the names of the fields of a class, and the texts below them by name."""
    import ast

    names: set[str] = set()
    texts: dict[str, str] = {}
    for statement, following in zip(tree.body, [*tree.body[1:], None], strict=True):
        if not (isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)):
            continue
        names.add(statement.target.id)
        match following:
            case ast.Expr(value=ast.Constant(value=str(text))) if text.strip():
                texts[statement.target.id] = docstrings.flowing(cleandoc(text))
            case _:
                pass
    return names, texts
