"""The programs of `docs/cookbook.md`, with what they print.

    python -m tests.cookbook_page

writes them anew from `examples/cookbook`, each between its mark and `<!-- end -->`.  It needs the extras
`code` and `mcp`.  Tests compare.
"""

from __future__ import annotations

import contextlib
import io
import re
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "cookbook.md"
PROGRAMS = ROOT / "examples" / "cookbook"

#: What the programs import that is not always there.
NEEDS = {"guarded_proxy": "mcp", "sql_agent": "sqlite3", "written_program": "pydantic_monty"}

_MARKED = re.compile(r"(<!-- program: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_SHOWN = re.compile(
    r"<!-- program: (\w+) -->\n\n```py\n(.*?)^```\n\n```text\n(.*?)^```\n\n<!-- end -->",
    re.MULTILINE | re.DOTALL,
)


def names() -> list[str]:
    """Return the names of the programs."""
    return sorted(path.stem for path in PROGRAMS.glob("[!_]*.py"))


def source(name: str) -> str:
    """Return the text of a program."""
    return (PROGRAMS / f"{name}.py").read_text(encoding="utf-8")


def printed(name: str) -> str:
    """Return what a program prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        import_module(f"examples.cookbook.{name}").demo()
    return out.getvalue()


def shown() -> dict[str, tuple[str, str]]:
    """Return the programs of the page, and what it says that they print, by name."""
    found = _SHOWN.findall(PAGE.read_text(encoding="utf-8"))
    return {name: (text, output) for name, text, output in found}


def page(text: str) -> str:
    """Return the *text* of the page with its programs written anew."""
    return _MARKED.sub(
        lambda found: (
            f"{found[1]}\n```py\n{source(found[2])}```\n\n```text\n{printed(found[2])}```\n\n{found[3]}"
        ),
        text,
    )


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
