"""`typesig list MODULE` runs without click, and answers as it does with click."""

from __future__ import annotations

import errno
import gc
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from typesig import cli

ROOT = Path(__file__).resolve().parents[2]
Ran = tuple[object, str, str]

FILES = {
    "tools.py": "from typesig import tool\n@tool\ndef f(a: int) -> int:\n    'Do.'\n",
    "undecorated.py": "def f(a: int) -> int:\n    'Do.'\ndef g(a): ...\n",
    "empty.py": "",
    "broken.py": "1 / 0",
    "hintless.py": "from typesig import tool\n@tool\ndef f(a): ...\n",
    "warned.py": "def f(a: int, b: complex | object) -> int: ...\ndef g(*, h): ...\n__all__ = ['f', 'x']\n",
}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Return what runs a command line, and returns its exit status and outputs."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(gc, "freeze", bool)
    before = dict(sys.modules)

    def running(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["typesig", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        for name in FILES:
            module = name.removesuffix(".py")
            if module not in before:
                sys.modules.pop(module, None)
        found = capsys.readouterr()
        return ended.value.code or 0, found.out, found.err

    return running


@pytest.fixture
def both(run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Ran]]:
    """Return what runs a command line without click, and with it."""

    def running(*arguments: str) -> list[Ran]:
        plain = run(*arguments)
        with monkeypatch.context() as patched:
            patched.setattr(cli, "_is_plain_list", lambda arguments: False)
            return [plain, run(*arguments)]

    return running


@pytest.mark.parametrize(
    "name", [*FILES, "absent.py", "tools.py:f", "tools.py:absent", "tools.py:"]
)
def test_a_module_is_listed_as_with_click(
    both: Callable[..., list[Ran]], tmp_path: Path, name: str
) -> None:
    for file, text in FILES.items():
        (tmp_path / file).write_text(text)

    plain, by_click = both("list", str(tmp_path / name))

    assert by_click == plain


def test_a_module_is_listed_by_its_name(both: Callable[..., list[Ran]]) -> None:
    plain, by_click = both("list", "examples.shop")

    assert by_click == plain
    assert (0, "## Tools you can call\n", "") == (plain[0], plain[1][:22], plain[2])


@pytest.mark.parametrize(
    "error",
    [
        BrokenPipeError(errno.EPIPE, "Broken pipe"),
        OSError(errno.ENOSPC, "No space left on device"),
        KeyboardInterrupt(),
        EOFError(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_output_that_fails_or_is_interrupted_ends_as_with_click(
    both: Callable[..., list[Ran]], monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def fail(text: str) -> None:
        raise error

    # Click replaces them for a closed pipe.
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    monkeypatch.setattr("typesig.cli.inputs.targets.print_text", fail)

    plain, by_click = both("list", "examples.shop")

    assert by_click == plain
    assert 0 != plain[0]


@pytest.mark.parametrize(
    "arguments",
    [
        [], ["list"], ["--help"], ["list", ""], ["list", "-h"], ["list", "--help"], ["list", "--"],
        ["list", "a", "b"], ["list", "--all", "a"], ["show", "a"], ["lis", "a"],
    ],
)  # fmt: skip
def test_other_command_lines_are_left_to_click(arguments: list[str]) -> None:
    assert not cli._is_plain_list(arguments)


def test_completions_and_patterns_are_left_to_click(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli._is_plain_list(["list", "a"]) == (os.name != "nt")
    with monkeypatch.context() as patched:
        patched.setenv("_TYPESIG_COMPLETE", "bash_complete")
        assert not cli._is_plain_list(["list", "a"])
    with monkeypatch.context() as patched:
        patched.setattr(os, "name", "nt")
        assert not cli._is_plain_list(["list", "a"])


@pytest.mark.parametrize("is_enabled", [True, False])
def test_a_listing_leaves_the_garbage_collector_on_or_off(
    run: Callable[..., Ran], is_enabled: bool
) -> None:
    if not is_enabled:
        gc.disable()
    try:
        run("list", "examples.shop")

        assert is_enabled == gc.isenabled()
    finally:
        gc.enable()


SHOP = """
import gc
from typing import Literal, Optional, TypedDict
from typesig import tool

class Item(TypedDict):
    id: int
    title: str

@tool
def search(query: str, limit: int = 10, sort: Literal["new", "old"] = "new") -> list[Item]:
    '''Search for items.

    Args:
        query: words to look for
        limit: rows at most
    '''

#: Whether the garbage of this module is collected, and what typesig has loaded is left alone.
COLLECTED = gc.isenabled(), gc.get_freeze_count() > len(gc.get_objects())
"""


@pytest.mark.needs_process
def test_listing_loads_neither_click_nor_what_other_libraries_need(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(SHOP)
    code = (
        "import sys\n"
        f"sys.argv = ['typesig', 'list', {str(tmp_path / 'shop.py')!r}]\n"
        "from typesig.cli import main\n"
        "try:\n"
        "    main()\n"
        "except SystemExit:\n"
        "    names = ('click', 'rich', 'json', 'typesig.notations.compact', 'typesig.listings.styles',\n"
        "             'inspect', 'ast', 'tokenize', 'threading', 'datetime', 'contextvars', 'logging',\n"
        "             'typesig.validation', 'typesig.patterns', 'typesig.extraction.libraries.pydantic_models',\n"
        "             'typesig.extraction.docstrings.docstrings', 'typesig.extraction.libraries.pydantic_types')\n"
        "    print([name for name in names if name in sys.modules], sys.modules['shop'].COLLECTED)\n"
    )

    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert "[] (True, True)" == ran.stdout.splitlines()[-1]


def test_a_package_is_looked_for_without_importing_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli._is_installed("click")
    assert not cli._is_installed("no_such_package")
    monkeypatch.delitem(sys.modules, "click", raising=False)
    assert cli._is_installed("click")
    assert "click" not in sys.modules
    monkeypatch.setitem(sys.modules, "click", None)
    assert not cli._is_installed("click")
