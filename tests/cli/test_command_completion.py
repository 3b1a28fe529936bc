"""What shells complete: commands, files, modules, and the tools in them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from typesig.cli import command_completion
from typesig.cli.command_completion import SHELLS
from typesig.cli.commands import typesig

SHOP = """
1 / 0
class Shelf:
    def put(self): ...
    def _hide(self): ...
def search(): ...
async def sell(): ...
def _hidden(): ...
"""


@pytest.fixture(autouse=True)
def _a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "shop_here.py").write_text(SHOP)
    (tmp_path / "broken_here.py").write_text("def (")
    (tmp_path / "rooms_here" / "inner").mkdir(parents=True)
    (tmp_path / "rooms_here" / "__init__.py").write_text("def of_package(): ...\n")
    (tmp_path / "rooms_here" / "inner" / "__init__.py").write_text("def of_inner(): ...\n")
    (tmp_path / "rooms_here" / "halls.py").write_text("def of_halls(): ...\n")
    (tmp_path / "rooms_here" / "_private.py").write_text("")


def values(found: list[object]) -> list[object]:
    return [item.value for item in found]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("begun", "expected"),
    [
        ("shop_h", ["shop_here:Shelf", "shop_here:search", "shop_here:sell"]),
        ("shop_here:se", ["shop_here:search", "shop_here:sell"]),
        ("shop_here:Shelf.", ["shop_here:Shelf.put"]),
        ("shop_here:Nothing.", []),
        ("shop_here.py:sea", ["shop_here.py:search"]),
        ("rooms_h", ["rooms_here.halls:", "rooms_here.inner."]),
        ("rooms_here.h", ["rooms_here.halls:of_halls"]),
        ("rooms_here:", ["rooms_here:of_package"]),
        ("rooms_here.inner:", ["rooms_here.inner:of_inner"]),
        ("broken_here:", []),
        ("absent_here:", []),
        ("absent_here.x", []),
        ("..", []),
    ],
)
def test_a_tool_is_completed_without_running_its_module(begun: str, expected: list[str]) -> None:
    assert expected == values(command_completion.complete_tools(None, None, begun))


def test_where_a_module_is_a_target_it_is_completed_too() -> None:
    assert ["shop_here", "shop_here:"] == values(
        command_completion.complete_modules(None, None, "shop")
    )


def test_a_path_is_completed_by_the_shell() -> None:
    for begun in ("./sh", "data/"):
        [item] = command_completion.complete_modules(None, None, begun)
        assert ("file", begun) == (item.type, item.value)
    assert ["file"] == [item.type for item in command_completion.complete_files(None, None, "x")]


def test_a_name_that_cannot_be_looked_for_completes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(name: str) -> None:
        raise ValueError

    monkeypatch.setattr(command_completion, "find_spec", fail)

    assert [] == command_completion.complete_tools(None, None, "rooms_here.h")


def asked(shell: str, line: str, point: int | None = None) -> str:
    """Return what the command answers to *shell* for the end of *line*, or the cursor in it."""
    words = line.split()
    begun = "" if line.endswith(" ") else words[-1]
    env = {
        "_TYPESIG_COMPLETE": f"{shell}_complete",
        "COMP_LINE": line,
        "COMP_POINT": str(len(line.encode()) if point is None else point),
        "COMP_WORDS": line,
        "COMP_CWORD": begun if shell == "fish" else str(len(words) - bool(begun)),
    }
    return CliRunner(env=env).invoke(typesig, prog_name="typesig").stdout


def test_each_shell_is_answered_in_its_form() -> None:
    line = "typesig show shop_here:sea"

    assert "plain,shop_here:search\n" == asked("bash", line)
    assert "plain\nshop_here:search\n_\n" == asked("zsh", line)
    assert "plain,shop_here:search\n" == asked("fish", line)
    assert "plain,shop_here:search\n" == asked("bash", f"{line} é", len(line))
    assert "plain,show\n" == asked("bash", "typesig sho")
    assert "file,\n" == asked("bash", "typesig check :int ")


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_is_printed_for_each_shell(shell: str) -> None:
    result = CliRunner().invoke(typesig, ["completion", shell])

    assert 0 == result.exit_code
    assert "_typesig_completion" in result.stdout
    assert f"_TYPESIG_COMPLETE={shell}_complete" in result.stdout


@pytest.mark.needs_process
@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
@pytest.mark.parametrize(
    ("line", "breaks", "expected"),
    [
        ("typesig show shop_here:sea", ":", "search"),
        ("typesig show shop_here:sea", "", "shop_here:search"),
        ("typesig show shop_here:", ":", "Shelf search sell"),
        ("typesig comp", ":", "completion"),
        # Within quotation marks, a colon breaks no word.
        ("typesig list 'shop_here:sel", ":", "shop_here:sell"),
    ],
)
def test_bash_gets_what_is_behind_the_colon(line: str, breaks: str, expected: str) -> None:
    Path("bin").mkdir()
    program = Path("bin/typesig")
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m typesig "$@"\n')
    program.chmod(0o755)
    script = CliRunner().invoke(typesig, ["completion", "bash"]).stdout
    code = (
        f"{script}\nCOMP_WORDBREAKS=' {breaks}'\nCOMP_LINE=\"{line}\"; COMP_POINT=${{#COMP_LINE}}\n"
        '_typesig_completion typesig; echo "${COMPREPLY[*]}"'
    )
    package = Path(command_completion.__file__).parents[3]
    env = {
        **os.environ,
        "PATH": f"{Path('bin').resolve()}:{os.environ['PATH']}",
        "PYTHONPATH": str(package),
    }
    ran = subprocess.run(["bash", "-c", code], env=env, capture_output=True, text=True, check=True)

    assert (expected, "") == (ran.stdout.strip(), ran.stderr)
