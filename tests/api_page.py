"""The tables of `docs/reference/api.md`: each public name, and the first sentence of its docstring.

    python -m tests.api_page

writes them anew, each below the mark `<!-- names: … -->` that lists its names.  A test compares.  On
the site, an entry with the whole docstring stands in the place of each row.
"""

from __future__ import annotations

import ast
import functools
import importlib
import re
from pathlib import Path

import typesig

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "api.md"

#: A table and its names.
TABLE = re.compile(r"^<!-- names: (?P<names>.*?) -->\n.*?^<!-- end -->$", re.MULTILINE | re.DOTALL)


def names(text: str) -> list[str]:
    """Return the names in the tables of *text*."""
    return [name for found in TABLE.finditer(text) for name in found["names"].split()]


def ids(text: str) -> dict[str, str]:
    """Return what links to the names in the tables of *text* name."""
    made: dict[str, str] = {}
    for name in names(text):
        id = name.lower().replace(".", "")
        made[name] = f"{id}-1" if id in made.values() else id
    return made


def home(name: str) -> tuple[str, str]:
    """Return the module that defines the public *name*, and how it is called there.

    A name that is a module is called nothing there.
    """
    room, _, last = name.rpartition(".")
    if not room:
        return f"typesig.{typesig._HOMES[name]}", name
    module = importlib.import_module(f"typesig.{room}")
    homes = getattr(module, "_HOMES", None)
    if homes is not None:
        return (homes[last], last) if homes[last] else (f"typesig.{name}", "")
    return getattr(module, last).__module__, last


@functools.cache
def _source(module: str) -> tuple[list[str], ast.Module]:
    path = Path(typesig.__file__).parents[1].joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    text = file.read_text(encoding="utf-8")
    return text.splitlines(), ast.parse(text)


def told(name: str) -> str:
    """Return what the source says of *name*: its docstring, or the comment above a variable.

    The source is read, and not run, since what defines a name may need an extra.
    """
    module, last = home(name)
    lines, tree = _source(module)
    if not last:
        return ast.get_docstring(tree) or ""
    for node in tree.body:
        match node:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                # Of a function with overloads, the last one has the docstring.
                if node.name == last and (text := ast.get_docstring(node)):
                    return text
            case (
                ast.Assign(targets=[ast.Name(id=found)]) | ast.AnnAssign(target=ast.Name(id=found))
            ) if found == last:
                return _comment_above(lines, node.lineno - 1)
    return ""


def _comment_above(lines: list[str], at: int) -> str:
    start = at
    while lines[start - 1].startswith("#: "):
        start -= 1
    return "\n".join(line.removeprefix("#: ") for line in lines[start:at])


def _row(name: str, id: str) -> str:
    cell = re.split(r"(?<=[.])\s", " ".join(told(name).split()), maxsplit=1)[0]
    cell = cell.removesuffix(".").replace("|", "\\|")
    return f'| <a id="{id}"></a>`{name}` | {cell} |'


def page(text: str) -> str:
    """Return the *text* of the page with its tables written anew."""
    made = ids(text)

    def table(found: re.Match[str]) -> str:
        rows = [_row(name, made[name]) for name in found["names"].split()]
        head = f"<!-- names: {found['names']} -->\n\n| name | what it is |\n|---|---|\n"
        return head + "\n".join(rows) + "\n\n<!-- end -->"

    return TABLE.sub(table, text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
