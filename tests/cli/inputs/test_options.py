"""Wrong use of the command line: one style of message, and suggestions of what was meant."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from typesig.cli import commands
from typesig.cli.inputs import data
from typesig.cli.inputs.output import report_errors
from typesig.cli.inputs.targets import join_names

OFFICE = """from json import dumps
from typesig import tool, tools_of

@tool
def find_books(title: str) -> list[str]:
    "Find books."

@tool
def find_rooms(seats: int) -> list[str]:
    "Find rooms."

@tool
def lend(book: str) -> None:
    "Lend a book."

tools = tools_of([find_books, lend])
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "office.py").write_text(OFFICE)
    (tmp_path / "building").mkdir()
    (tmp_path / "building" / "__init__.py").write_text("")
    (tmp_path / "building" / "rooms.py").write_text(OFFICE)
    (tmp_path / "many.py").write_text(
        OFFICE + "".join(f"@tool\ndef a{n}() -> int: ...\n" for n in range(40))
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    for name in ("office", "building", "building.rooms", "many"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return lambda *arguments: CliRunner().invoke(commands.typesig, list(arguments))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "office:find"], "there is no find in office; did you mean find_books or find_rooms?"),
        (["show", "office:books"], "there is no books in office; did you mean find_books?"),
        (["show", "office:lnd"], "there is no lnd in office; did you mean lend?"),
        (["show", "office:dump"], "there is no dump in office; did you mean dumps?"),
        (["show", "office:xyzzy"], "there is no xyzzy in office; its tools are find_books, find_rooms, lend"),
        (["show", "office:tools.xyzzy"], "there is no xyzzy in office; its tools are find_books, lend"),
        (["show", "offic:lend"], "there is no module offic; did you mean office?"),
        (["show", "bulding.rooms:lend"], "there is no module bulding.rooms; did you mean building.rooms?"),
        (["show", "building.room:lend"], "there is no module building.room; did you mean building.rooms?"),
        (["show", "office.room:lend"], "there is no module office.room; name one that can be imported from here"),
        (["show", "xyzzy:lend"], "there is no module xyzzy; name one that can be imported from here"),
        (["list", "office", "--to", "openia"],
         '--to: "openia" is not one of openai, anthropic, gemini, mcp, mistral, deepseek, moonshot, xai or'
         " json_schema; did you mean openai?"),
        (["check", ":int", "--mode", "x"],
         '--mode: "x" is not one of enabled, lenient, warn_only, strict, json or disabled\n'
         "  typesig check -h describes its arguments"),
        (["lst"], 'there is no command "lst"; did you mean list?'),
        (["list", "--strct", "office"], "there is no option --strct; did you mean --strict?"),
        (["list", "--xyzzy", "office"], "there is no option --xyzzy\n  typesig list -h describes its arguments"),
        (["--vresion"], "there is no option --vresion; did you mean --version?"),
        (["show"], "typesig show needs TARGET\n  typesig show -h describes its arguments"),
        (["show", "a:b", "c"], "got unexpected extra argument (c)\n  typesig show -h describes its arguments"),
        (["list", "--to"], "option '--to' requires an argument"),
    ],
)  # fmt: skip
def test_wrong_use_is_one_message_in_one_style(
    run: Any, arguments: list[str], message: str
) -> None:
    result = run(*arguments)

    assert (2, "", f"typesig: {message}\n") == (result.exit_code, result.stdout, result.stderr)


def test_a_long_list_of_tools_is_cut(run: Any) -> None:
    assert run("show", "many:xyzzy").stderr.endswith(", …\n")


def test_a_name_that_is_too_long_gets_no_suggestion(run: Any) -> None:
    assert run("show", "office:" + "f" * 10_000).stderr.endswith(
        "its tools are find_books, find_rooms, lend\n"
    )


def test_without_arguments_the_help_is_printed(run: Any) -> None:
    result = run()

    assert "Commands:" in result.output
    assert "typesig: " not in result.output


def test_usage_errors_without_a_context_or_a_parameter_are_explained() -> None:
    assert "odd" == commands.explain_usage(click.UsageError("odd."))
    assert commands.explain_usage(click.BadParameter("odd")).startswith("Invalid value: odd")


def test_names_are_joined() -> None:
    assert "a" == join_names(["a"])


@pytest.mark.parametrize("name", sorted(commands.COMMANDS))
def test_the_help_of_a_command_fits_a_terminal(run: Any, name: str) -> None:
    text = run(name, "--help").output

    assert [] == [line for line in text.splitlines() if len(line) > 80]


class _Terminal:
    """Standard input of a terminal, on which *text* is typed."""

    def __init__(self, text: bytes) -> None:
        self.buffer = __import__("io").BytesIO(text)

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        raise OSError


@pytest.mark.parametrize(("system", "key"), [("posix", "Ctrl-D"), ("nt", "Ctrl-Z and Enter")])
def test_a_command_says_what_it_waits_for_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], system: str, key: str
) -> None:
    monkeypatch.setattr(sys, "stdin", _Terminal(b"1\n"))
    monkeypatch.setattr(os, "name", system)
    lines = [*data.read_lines("-")]
    monkeypatch.undo()
    told = f"reading JSON from the terminal: end it with {key} on a line of its own\n"

    assert [(0, b"1\n")] == lines
    assert told == capsys.readouterr().err


def test_an_argument_that_is_typed_is_waited_for_as_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", _Terminal(b"{}"))

    assert b"{}" == data.read_text("-")
    assert "{}" == data.read_text("{}")
    assert 1 == capsys.readouterr().err.count("reading JSON")


@pytest.mark.parametrize(("error", "extra"), [(KeyboardInterrupt, 2), (ValueError, 0)])
def test_the_progress_line_is_erased_when_a_command_ends_early(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: type[BaseException],
    extra: int,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = data.Progress(False)
    shown._print_line(1.0)
    width = shown._width
    with pytest.raises(error), shown:
        raise error

    assert capsys.readouterr().err.endswith("\r" + " " * (width + extra) + "\r")


def test_an_interrupt_before_any_progress_erases_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit), report_errors(), data.Progress(False):
        raise KeyboardInterrupt

    assert "\ntypesig: interrupted\n" == capsys.readouterr().err
