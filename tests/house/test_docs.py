"""Every block of README and docs runs, every link has a target, and the map of the code is full."""

from __future__ import annotations

import doctest
import re
import shlex
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

import typesig

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
# The title of a block is the name of a file, which has its text.
_BLOCK = re.compile(r'^```(\w+)(?: title="([\w.]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> Iterator[tuple[str, str, int]]:
    """Yield the language, the text and the line of each block of *page* that is no file."""
    text = page.read_text(encoding="utf-8")
    for found in _BLOCK.finditer(text):
        if found[2] is None:
            yield found[1], found[3], text[: found.start()].count("\n") + 1


def at_place_of(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go to where the blocks of *page* run: to its files in *folder*, or to the checkout."""
    files = {found[2]: found[3] for found in _BLOCK.finditer(page.read_text("utf-8")) if found[2]}
    monkeypatch.chdir(folder if files else ROOT)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
        if name.endswith(".py"):
            monkeypatch.delitem(sys.modules, name.removesuffix(".py"), raising=False)
    if files:
        monkeypatch.setattr(sys, "path", [str(folder), *sys.path])


def name_of(page: Path) -> str:
    """Return the name of a page in test ids."""
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_python_of_a_page_runs_as_written(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_place_of(page, tmp_path, monkeypatch)
    # A module of its own, so that classes defined on the page are found by their hints.
    module = types.ModuleType("page_" + re.sub(r"\W", "_", page.stem))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for language, text, line in blocks(page):
        if language != "python":
            continue
        if ">>>" in text:
            test = doctest.DocTestParser().get_doctest(
                text, module.__dict__, f"{name_of(page)}:{line}", str(page), line
            )
            # One namespace for each page: doctest would give each block a copy.
            test.globs = module.__dict__
            failures: list[str] = []
            runner.run(test, out=failures.append, clear_globs=False)

            assert not failures, "".join(failures)
        else:
            exec(compile(text, f"{name_of(page)}:{line}", "exec"), module.__dict__)


def sessions(page: Path) -> Iterator[tuple[str, str]]:
    """Yield each command of the console blocks of *page* and the output that it shows."""
    for language, text, _ in blocks(page):
        if language == "console":
            for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                yield command, output


COMMANDS = [
    pytest.param(page, command, output, id=f"{name_of(page)}: {command[:60]}")
    for page in PAGES
    for command, output in sessions(page)
]


@pytest.mark.parametrize(("page", "command", "output"), COMMANDS)
def test_a_console_session_shows_what_is_printed(
    page: Path, command: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from click.testing import CliRunner

    from typesig.cli import commands

    at_place_of(page, tmp_path, monkeypatch)
    program, *arguments = shlex.split(command)
    result = CliRunner().invoke(commands.typesig, arguments)

    assert "typesig" == program
    assert output == result.output


#: The pages that begin with what a reader does, who has installed typesig and has no checkout.
FIRST = [page for page in PAGES if page.parent.name == "how-to" or page.stem == "tutorial"]


@pytest.mark.parametrize("page", FIRST, ids=name_of)
def test_the_first_block_of_a_page_needs_no_checkout(page: Path) -> None:
    _, text, _ = next(blocks(page))

    assert re.search(r"\b(examples|docs|tests|benchmarks)[./]", text) is None


def test_every_link_between_pages_has_a_target() -> None:
    link = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
    broken = [
        f"{name_of(page)} -> {target}"
        for page in PAGES
        for target in link.findall(page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]

    assert [] == broken


def test_the_map_of_the_code_has_a_row_for_each_part_of_the_package() -> None:
    page = (ROOT / "docs" / "explanation.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|", page.partition("## A map of the code")[2], re.MULTILINE)
    package = Path(typesig.__file__).parent
    parts = {path.parent.name for path in package.glob("*/__init__.py")}
    parts |= {path.stem for path in package.glob("*.py") if not path.stem.startswith("__")}

    assert sorted(parts) == sorted(rows)
