"""The command line on a terminal: colours, wrapped lines, progress; and how it is started."""

from __future__ import annotations

import io
import json
import re
import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from typesig import cli
from typesig.cli.inputs.data import write_indented_json

Ran = tuple[int, str, str]

PACKAGE = Path(cli.__file__).parents[1]
_STYLE = re.compile(r"\x1b\[[0-9;]*m")


def plain(text: str) -> str:
    return _STYLE.sub("", text)


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Callable[..., Ran]:
    """Return a function that runs the command in this process: status, output and errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    before = dict(sys.modules)

    def command(*arguments: str, start: Callable[[], object] = cli.main) -> Ran:
        monkeypatch.setattr(sys, "argv", ["typesig", *arguments])
        try:
            with pytest.raises(SystemExit) as ended:
                start()
        finally:
            for name in sys.modules.keys() - before.keys():
                if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
                    del sys.modules[name]
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return command


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make rich treat its output as a terminal of 80 columns."""
    for name in ("NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "25")


LONG = """
from typing import Annotated
def search(
    query: Annotated[str, "the words that are looked for in the titles and in the texts of items"],
    kind: complex = 0,
) -> list[dict[str, int]]:
    \"\"\"Search for items whose title or text matches all of the words of the query, newest first.
    \"\"\"
"""


@pytest.mark.usefixtures("terminal")
def test_show_wraps_lines_to_the_width_of_a_terminal(
    run: Callable[..., Ran], tmp_path: Path
) -> None:
    (tmp_path / "long_lines.py").write_text(LONG)
    status, out, err = run("show", "long_lines:search")
    lines = [line.rstrip() for line in plain(out).split("\n")]

    assert (0, "") == (status, err)
    assert 80 >= max(map(len, lines))
    assert "  Search for items whose title or text matches all of the words of the query," in lines
    assert "    newest first." in lines
    assert "\x1b[" in out


def test_show_wraps_nothing_in_a_pipe(run: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "long_lines.py").write_text(LONG)
    status, out, err = run("show", "long_lines:search")

    assert (0, "") == (status, err)
    assert "matches all of the words of the query, newest first.\n" in out
    assert "    the words that are looked for in the titles and in the texts of items\n" in out
    assert plain(out) == out


@pytest.mark.usefixtures("terminal")
def test_a_long_word_is_never_split(run: Callable[..., Ran], tmp_path: Path) -> None:
    word = "a" * 120
    (tmp_path / "long_word.py").write_text(f'def f(a: int) -> int:\n    "see {word}"\n')
    _, out, _ = run("show", "long_word:f")

    assert word in plain(out)


@pytest.mark.usefixtures("terminal")
def test_a_listing_on_a_terminal_is_wrapped_and_has_bold_signatures(
    run: Callable[..., Ran], tmp_path: Path
) -> None:
    (tmp_path / "listed.py").write_text(
        f"from typesig import tool\n@tool\ndef f(a: int) -> int:\n    'words {'w ' * 80}'\n"
    )
    _, out, _ = run("list", "listed")
    heading, listed = out.split("\n\n")

    assert "\x1b[2m## Tools you can call\x1b[0m" == heading
    assert listed.startswith("\x1b[1mf(a :int) -> :int\x1b[0m\n  words w w")
    assert all(len(line) <= 80 for line in plain(listed).splitlines())
    assert f"f(a :int) -> :int words {'w ' * 80}".split() == plain(listed).split()


def test_show_fails_if_there_are_no_hints(run: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "no_hints.py").write_text("def f(a): ...\n")
    status, out, err = run("show", "no_hints:f")

    assert (1, "") == (status, out)
    assert "typesig: f has no hints; give it an explicit signature\n" == err


def test_show_prints_the_params_and_definitions_of_an_explicit_signature(
    run: Callable[..., Ran], tmp_path: Path
) -> None:
    (tmp_path / "given_rows.py").write_text(
        "from typesig import tool\n"
        "@tool('(row :Row, n :int = 1) -> [:Row] where Row = {id :int}')\n"
        "def f(row, **others): ...\n"
    )
    status, out, _ = run("show", "given_rows:f")
    lines = out.splitlines()

    assert 0 == status
    assert "f(row :Row, n :int = 1) -> [:Row] where Row = {id :int}" == lines[0]
    assert "row: (no hint)  →  row :Row" in lines
    assert "others: (no hint)  →  other named arguments" in lines
    assert "n :int = 1   (given by the signature)" in lines
    assert "returns: (no hint)  →  [:Row]" in lines
    assert "where Row = {id :int}" in lines


# progress


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_printed_on_a_terminal(
    run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr("typesig.cli.inputs.data._SECONDS", 0)
    (tmp_path / "many.jsonl").write_text("1\n" * 20_001)
    status, out, _ = run("check", ":int", "many.jsonl")

    assert (0, "20001 values: 20001 fit, 0 do not\n") == (status, out)
    shown = screen.getvalue().split("\r")
    assert shown[-3].strip().startswith("100% · 19,968 values · ")
    assert ["", ""] == [each.strip() for each in shown[-2:]]


def test_no_progress_is_printed_in_a_pipe(run: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "many.jsonl").write_text("1\n" * 10_001)

    assert (0, "10001 values: 10001 fit, 0 do not\n", "") == run("check", ":int", "many.jsonl")


# checking files


def test_more_errors_than_the_limit_are_counted(run: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text(json.dumps(["a"] * 1_100))
    status, out, err = run("check", "--all", "[:int]", "bad.json")

    assert (1, "") == (status, err)
    assert 1_002 == len(out.splitlines())
    assert ["bad.json: … and 100 more", "1 value: 0 fit, 1 do not"] == out.splitlines()[-2:]


@pytest.mark.parametrize(
    ("text", "expected", "complaints"),
    [
        ("\n\n1\n\n\n2\n\n", "2 values: 2 fit, 0 do not\n", ""),
        ('\n1\n"a"\n', "2 values: 1 fit, 1 do not\n", 'rows:3: expected int, got string "a" [type]\n'),
        ('1\n\n{\n', "2 values: 1 fit, 1 do not\n",
         "rows:3: not valid JSON: Expecting property name enclosed in double quotes at line 2 column 1 [json]\n"),
        ("\ufeff1\n2\n", "2 values: 2 fit, 0 do not\n", ""),
        ("\n\n", "no values: the input is empty\n",
         "rows: there is nothing in it; give it JSON, or JSONL [json]\n"),
    ],
)  # fmt: skip
def test_blank_lines_count_in_line_numbers(
    run: Callable[..., Ran], tmp_path: Path, text: str, expected: str, complaints: str
) -> None:
    (tmp_path / "rows").write_text(text, encoding="utf-8")
    _, out, err = run("check", ":int", "rows")

    assert (complaints + expected, "") == (out, err)


def test_data_is_printed_as_indented_json() -> None:
    assert '{\n  "name": "Zoë"\n}' == write_indented_json({"name": "Zoë"})


# targets


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import no_such_dependency", "broken needs the module no_such_dependency, which is not"),
        ("def f(:", "broken cannot be imported: "),
        ("1 / 0", "broken cannot be imported: ZeroDivisionError: division by zero"),
        (
            "import typesig\ntypesig.parse(':itn')",
            "broken cannot be imported: cannot parse this signature, line 1 column 1",
        ),
    ],
)
def test_a_module_that_cannot_be_imported_is_one_message(
    run: Callable[..., Ran], tmp_path: Path, source: str, message: str
) -> None:
    (tmp_path / "broken.py").write_text(source)
    status, out, err = run("list", "broken")

    assert (2, "") == (status, out)
    assert err.startswith(f"typesig: {message}")
    assert "Traceback" not in err


def test_a_module_of_the_current_folder_can_be_named(
    run: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "right_here.py").write_text("def f(a: int) -> int: ...\n")
    monkeypatch.setattr(sys, "path", [p for p in sys.path if p not in ("", str(tmp_path))])

    assert (0, "## Tools you can call\n\nf(a :int) -> :int\n") == run(
        "list", "right_here", "--all"
    )[:2]


def test_a_path_that_is_not_a_python_file_is_one_message(
    run: Callable[..., Ran], tmp_path: Path
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "notes.txt").write_text("x")

    assert (2, "", "typesig: sub/notes.txt is not a Python module\n") == run(
        "list", "sub/notes.txt"
    )


# starting


def test_python_m_typesig_is_the_command_line(run: Callable[..., Ran]) -> None:
    def start() -> None:
        # By its path: pytest reads the modules of packages with plugins itself, which runpy
        # cannot ask for their code.
        runpy.run_path(f"{PACKAGE}/__main__.py", run_name="typesig.__main__")

    assert (0, "() -> [:int]\n", "") == run("convert", "[ :int ]", start=start)


def test_an_interrupt_has_a_status_of_its_own(
    run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*given: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("typesig.cli.inputs.options.convert", interrupt)
        assert (130, "", "\ntypesig: interrupted\n") == run("convert", ":int")
    # While modules are imported, there is nothing that could print.
    monkeypatch.setattr(cli, "_list", interrupt)
    assert (130, "", "") == run("list", "x")


@pytest.mark.parametrize("absent", ["click", "rich"])
def test_without_click_or_rich_a_message_says_what_to_install(
    run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, absent: str
) -> None:
    monkeypatch.setitem(sys.modules, absent, None)

    assert (2, "", "the command line needs its extra: pip install 'typesig[cli]'\n") == run("list")


def test_an_error_reads_the_same_on_a_terminal_and_in_a_pipe(
    run: Callable[..., Ran], request: pytest.FixtureRequest
) -> None:
    piped = run("list", "no_such_module")
    request.getfixturevalue("terminal")

    looked_at = run("list", "no_such_module")

    reason = "typesig: there is no module no_such_module; name one that can be imported from here\n"
    assert (2, "", reason) == piped == (*looked_at[:2], plain(looked_at[2]))


@pytest.mark.parametrize("colour", ["", "1"])
def test_what_the_output_cannot_encode_is_escaped(
    run: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, colour: str
) -> None:
    (tmp_path / "halves.py").write_text(
        "from typesig import tool\n@tool\ndef give(n: int = 0) -> str:\n    return '\\ud800é→'\n"
    )
    monkeypatch.setenv("FORCE_COLOR", colour)
    for encoding, shown in (("utf-8", "\\ud800é→"), ("ascii", "\\ud800\\xe9\\u2192")):
        # The bytes of the output are not decoded again, so that a wrong one is an error here.
        with io.TextIOWrapper(io.BytesIO(), encoding=encoding) as out:
            monkeypatch.setattr(sys, "stdout", out)
            monkeypatch.setattr(sys, "stderr", out)
            status, _, _ = run("call", "halves:give", "{}")
            run("call", "halves:give", '{"n": "é"}')
            written = out.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]

        assert 0 == status
        assert plain(written).startswith(shown + "\n")
        assert 'got string "' + shown[6:].replace("→", "").replace("\\u2192", "") in plain(written)


def test_control_characters_are_removed_in_a_pipe(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from typesig.cli.inputs.output import print_text

    print_text("a\x07b\x08c\td\r")

    assert "abc     d\n" == capsys.readouterr().out


@pytest.mark.needs_process
def test_list_in_a_pipe_loads_nothing_of_rich_and_of_other_commands(tmp_path: Path) -> None:
    import subprocess

    (tmp_path / "one_tool.py").write_text(
        "from typesig import tool\n@tool\ndef f(a: int) -> int:\n    'Do.'\n    return a\n"
    )
    code = (
        "import sys; sys.argv[1:] = ['list', 'one_tool']; from typesig.cli import main\n"
        "try:\n    main()\nfinally:\n"
        "    others = {'rich.console', 'asyncio', 'concurrent.futures', 'typesig.validation.check.check'}\n"
        "    print({*others, 'typesig.cli.inputs.data', 'typesig.cli.inputs.options'} & sys.modules.keys())"
    )

    found = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )

    assert "## Tools you can call\n\nf(a :int) -> :int\n  Do.\nset()\n" == found.stdout
