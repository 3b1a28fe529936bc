"""Which functions of a target are tools: --all, --inferred and --results of the commands."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from typesig.cli.commands import typesig as command
from typesig.cli.inputs.targets import Functions
from typesig.contracts import Lock

TEXT = '''"""A shop."""

class Issue:
    raw: dict[str, int]

    def __init__(self):
        self.raw = {"n": 1}

class Outer:
    class Inner(Issue):
        pass

def get(n=3):
    """Get.

    Args:
        n: how many
    """
    return n

def find(key: str) -> Issue:
    return Issue()

def find_inner(key: str) -> Outer.Inner:
    return Outer.Inner()
'''


@pytest.fixture(autouse=True)
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "issue_shop.py").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("issue_shop", None)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, list(arguments))


GET = "get(n :int = 3"


def test_inferred_lists_functions_without_hints() -> None:
    assert GET in run("list", "issue_shop", "--inferred").stdout
    assert GET not in run("list", "issue_shop", "--all").stdout


@pytest.mark.parametrize("given", ["Issue=raw", "issue_shop:Issue=raw"])
def test_results_say_what_objects_of_a_class_are(given: str) -> None:
    plain = run("list", "issue_shop", "--all").stdout
    told = run("list", "issue_shop", "--all", "--results", given).stdout

    assert "find(key :string) -> :any\n" in plain
    assert "find(key :string) -> :map[:int]\n" in told
    assert "find_inner(key :string) -> :map[:int]\n" in told


def test_results_are_those_of_a_class_within_another_and_of_functions_that_no_tool_is_among() -> (
    None
):
    told = run("list", "issue_shop", "--results", "Outer.Inner=raw").stdout

    assert "find(key :string) -> :any\n" in told
    assert "find_inner(key :string) -> :map[:int]\n" in told


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("Issue", "--results takes Class=attribute, not 'Issue'"),
        ("=raw", "--results takes Class=attribute, not '=raw'"),
        ("Issue=a b", "--results takes Class=attribute, not 'Issue=a b'"),
        ("find=raw", "--results takes a class, and find is none"),
        ("Outer.None=raw", "there is no class 'Outer.None' in issue_shop; write module:Class=attr"),
        ("No=raw", "there is no class 'No' in issue_shop; write module:Class=attribute"),
        ("no_module:No=raw", "there is no module no_module"),
    ],
)
def test_a_result_that_cannot_be_read_is_refused(given: str, message: str) -> None:
    result = run("list", "issue_shop", "--all", "--results", given)

    assert 2 == result.exit_code
    assert message in result.stderr


def test_locks_and_differences_take_the_same_functions() -> None:
    options = ("--inferred", "--results", "Issue=raw")
    locked = Lock.read(run("lock", "issue_shop", *options).stdout)
    Path("one.lock").write_text(locked.text(), encoding="utf-8")

    assert ("find", "find_inner", "get") == locked.names
    assert "no tool changed\n" == run("diff", "one.lock", "issue_shop", *options).stdout
    assert "get" in run("diff", "one.lock", "issue_shop", "--all").stdout


@pytest.mark.needs_process
def test_a_revision_of_git_takes_the_same_functions() -> None:
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "a"]):
        identity = ["-c", "user.name=a", "-c", "user.email=a@x.test"]
        subprocess.run(["git", *identity, *arguments], check=True)
    options = ("--inferred", "--results", "Issue=raw")
    locked = run("lock", "HEAD:issue_shop.py", *options)

    assert Lock.read(run("lock", "issue_shop.py", *options).stdout) == Lock.read(locked.stdout)


def test_a_rehearsal_takes_functions_without_hints() -> None:
    left_out = "get has no hints"

    assert left_out in run("rehearse", "issue_shop", "--all", "--json").stderr
    assert left_out not in run("rehearse", "issue_shop", "--inferred", "--json").stderr


def test_a_call_takes_the_options_of_one_function() -> None:
    assert "4\n" == run("call", "issue_shop:get", '{"n": "4"}', "--inferred", "-q").stdout
    assert 2 == run("call", "issue_shop:get", '{"n": 4}').exit_code
    found = run("call", "issue_shop:find", '{"key": "a"}', "--results", "Issue=raw")
    assert '{"n":1}\n' == found.stdout
    assert 1 == run("call", "issue_shop:find", '{"key": "a"}').exit_code


def test_a_server_takes_functions_without_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mcp")
    made: list[Any] = []
    monkeypatch.setattr(
        "typesig.cli.command_serve.serve", lambda make, _: made.append(make().tools)
    )
    result = run("serve", "issue_shop", "--inferred", "--results", "Issue=raw")

    assert 0 == result.exit_code, result.stderr
    assert ("get", "find", "find_inner") == made[0].names


@pytest.mark.parametrize("undecorated", [False, True, "inferred"])
def test_functions_are_written_in_the_arguments_of_a_process(undecorated: Any) -> None:
    functions = Functions(undecorated, ("A=b", "C=d"))

    assert functions == Functions.from_words(functions.as_words())
    assert functions
    assert not Functions()
