"""The commands `lock` and `diff`: targets, output, exit statuses, and wrong use."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from typesig import tools_of
from typesig.cli.commands import typesig
from typesig.cli.inputs import contracts
from typesig.cli.inputs.targets import Functions
from typesig.contracts import Lock, lock

ROOT = Path(__file__).resolve().parents[2]

ONE = 'from typesig import tool\n@tool\ndef f(a: int) -> int:\n    "Do."\n    return a\n'
TWO = ONE.replace("a: int", "a: int, b: str")
OPENAPI = {
    "openapi": "3.1.0",
    "info": {"title": "t", "version": "1"},
    "paths": {"/f": {"get": {"operationId": "f", "responses": {"200": {"description": "d"}}}}},
}


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(typesig, arguments, input=stdin)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one_tool.py").write_text(ONE, encoding="utf-8")
    (tmp_path / "two_tools.py").write_text(TWO, encoding="utf-8")
    return tmp_path


def test_lock_prints_the_lock_of_a_module() -> None:
    assert f"{Lock.of(tools_of('examples.shop')).text()}" == run("lock", "examples.shop").stdout


def test_lock_writes_a_file_and_replaces_it_only_when_asked(folder: Path) -> None:
    assert 0 == run("lock", "one_tool.py", "-o", "tools.lock").exit_code
    before = (folder / "tools.lock").read_bytes()
    assert 0 == run("lock", "one_tool.py", "-o", "tools.lock").exit_code
    refused = run("lock", "two_tools.py", "-o", "tools.lock")

    assert 1 == refused.exit_code
    assert refused.stdout.startswith("breaking: f: params.b: was added and is required: b :string")
    assert "not replaced; after a look, run typesig lock --update" in refused.stderr
    assert before == (folder / "tools.lock").read_bytes()

    updated = run("lock", "two_tools.py", "--update")
    assert (0, "") == (updated.exit_code, updated.stdout)
    assert "param-added-required" in updated.stderr
    assert 0 == run("lock", "two_tools.py", "--check").exit_code


def test_lock_checks_and_writes_nothing(folder: Path) -> None:
    run("lock", "one_tool.py", "-o", "a.lock")
    before = (folder / "a.lock").read_bytes()
    found = run("lock", "two_tools.py", "-o", "a.lock", "--check")

    assert 1 == found.exit_code
    assert "[param-added-required]" in found.stdout
    assert before == (folder / "a.lock").read_bytes()
    assert 0 == run("lock", "one_tool.py", "-o", "a.lock", "--check").exit_code


def test_an_update_replaces_a_bad_lock_and_nothing_else(folder: Path) -> None:
    run("lock", "one_tool.py", "-o", "tools.lock")
    whole = (folder / "tools.lock").read_text(encoding="utf-8")
    (folder / "tools.lock").write_text(whole.replace("Do.", "Be."), encoding="utf-8")

    assert 2 == run("lock", "one_tool.py", "--check").exit_code
    updated = run("lock", "one_tool.py", "--update")
    assert 0 == updated.exit_code
    assert "edited by hand" in updated.stderr
    assert whole == (folder / "tools.lock").read_text(encoding="utf-8")

    (folder / "tools.lock").write_text("words", encoding="utf-8")
    refused = run("lock", "one_tool.py", "--update")
    assert 2 == refused.exit_code
    assert "tools.lock is not a lock, so it is not replaced; name another" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lock"], "lock takes a target, or --mcp with a server"),
        (["lock", "a", "--mcp", "b"], "lock takes a target, or --mcp with a server"),
        (["lock", "one_tool.py", "--check", "--update"], "--check writes nothing, and --update"),
        (["lock", "one_tool.py", "--check"], "there is no file tools.lock; write it with typesig"),
        (["lock", "one_tool.py", "-o", "no/x.lock"], "no/x.lock cannot be written: no such file"),
        (["lock", "one_tool.py", "-o", "."], ". cannot be read: is a directory"),
        (["lock", "nothing.json"], "there is no file nothing.json"),
        (["lock", "no.such_module"], "there is no module no.such_module"),
        (["lock", "no such"], "there is no module no such"),
        (["lock", "one_tool:g"], "there is no g in one_tool"),
        (["lock", "empty.py"], "empty.py has no public functions with hints"),
        (["diff", "one_tool.py"], "diff takes two targets, or one and --mcp with a server"),
        (["diff", "a", "b", "--mcp", "c"], "diff takes two targets, or one and --mcp"),
        (["diff", "a", "b", "--json", "--markdown"], "--json and --markdown are two outputs"),
        (["lock", "words.json"], "words.json is not JSON: "),
        (["lock", "cut.json"], "cut.json is not JSON, or it is cut off: "),
        (["lock", "words.lock"], "words.lock is not JSON, or it is cut off: "),
        (["lock", "number.json"], "number.json has no contracts: it is not a lock, a list of"),
        (["lock", "object.json"], "object.json has no contracts: it is not a lock, a list of"),
        (["lock", "tools.json"], "tools.json: tools[0] is no definition of a tool, but 3"),
        (["lock", "old.json"], "old.json: "),
        (["lock", "latin.yaml"], "latin.yaml is not UTF-8: "),
        pytest.param(
            ["lock", "f:1.json"],
            "f is neither a module nor a revision that git knows here",
            marks=pytest.mark.needs_process,
        ),
        pytest.param(
            ["lock", "a-b:one_tool"],
            "a-b is neither a module nor a revision that git knows here",
            marks=pytest.mark.needs_process,
        ),
        (["lock", " :one_tool"], "  is neither a module nor a revision that git knows here"),
    ],
)
def test_wrong_use_is_told_in_one_line(folder: Path, arguments: list[str], message: str) -> None:
    for name, text in (
        ("empty.py", ""),
        ("words.json", "words"),
        ("words.lock", "words"),
        ("cut.json", '{"typesig-lock": 1, "tools": {'),
        ("number.json", "3"),
        ("object.json", "{}"),
        ("tools.json", '{"tools": [3]}'),
        ("old.json", '{"swagger": "2.0"}'),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "latin.yaml").write_bytes(b"\xe9: 1")
    result = run(*arguments)

    assert result.exit_code in (1, 2)
    assert result.stderr.splitlines()[-1].startswith(f"typesig: {message}")


def test_diff_prints_the_rules_and_fails_when_asked(folder: Path) -> None:
    same = run("diff", "one_tool", "one_tool.py", "--fail-on", "additive")
    assert (0, "no tool changed\n") == (same.exit_code, same.stdout)

    found = run("diff", "one_tool.py", "two_tools.py")
    assert 0 == found.exit_code
    assert found.stdout.endswith("[param-added-required]\n")
    assert 1 == run("diff", "one_tool.py", "two_tools.py", "--fail-on", "breaking").exit_code
    back = run("diff", "one_tool.py", "one_tool.py", "--markdown")
    assert "No tool changed.\n" == back.stdout


def test_diff_prints_json_and_markdown(folder: Path) -> None:
    data = json.loads(run("diff", "one_tool.py", "two_tools.py", "--json").stdout)

    assert {"breaking": 1, "dangerous": 0, "additive": 0} == data["counts"]
    [found] = data["findings"]
    assert ("param-added-required", "f", "params.b") == (
        found["rule"],
        found["tool"],
        found["place"],
    )
    assert {"a"} == found["example"].keys()
    rows = run("diff", "one_tool.py", "two_tools.py", "--markdown").stdout.splitlines()
    assert "| severity | tool | place | change | rule |" == rows[0]
    assert rows[2].startswith("| **breaking** | `f` | `params.b` | was added and is required: ")


def test_the_settings_of_the_project_are_used(folder: Path) -> None:
    text = '[tool.typesig.diff]\nfail-on = "dangerous"\n[tool.typesig.diff.severity]\n'
    (folder / "pyproject.toml").write_text(text + 'param-added-required = "additive"\n')

    assert 0 == run("diff", "one_tool.py", "two_tools.py").exit_code
    assert 1 == run("diff", "one_tool.py", "two_tools.py", "--fail-on", "additive").exit_code
    assert run("diff", "one_tool.py", "two_tools.py").stdout.startswith("additive: ")
    (folder / "pyproject.toml").write_text('[tool.typesig.diff.severity]\nnope = "additive"\n')
    assert 2 == run("diff", "one_tool.py", "two_tools.py").exit_code


def test_documents_of_every_kind_are_targets(folder: Path) -> None:
    pytest.importorskip("yaml")
    definition = [{"name": "f", "input_schema": {"type": "object"}}]
    (folder / "tools.json").write_text("\ufeff" + json.dumps(definition), encoding="utf-8")
    (folder / "api.json").write_text(json.dumps(OPENAPI), encoding="utf-8")
    (folder / "api.yaml").write_text(json.dumps(OPENAPI), encoding="utf-8")
    run("lock", "one_tool.py", "-o", "tools.lock")

    for target in ("tools.json", "api.json", "api.yaml", "tools.lock", "one_tool:f"):
        result = run("lock", target)
        assert 0 == result.exit_code, result.stderr
        assert ("f",) == Lock.read(result.stdout).names
    piped = run("diff", "tools.json", "-", stdin=json.dumps(definition))
    assert "no tool changed\n" == piped.stdout


def test_what_cannot_be_locked_is_told(folder: Path) -> None:
    (folder / "odd.py").write_text(ONE + "def g(x): ...\n", encoding="utf-8")
    result = run("lock", "odd.py", "--all")

    assert ("f",) == Lock.read(result.stdout).names
    assert "g has no hints" in result.stderr


def test_all_takes_public_functions(folder: Path) -> None:
    (folder / "odd.py").write_text(ONE + "def g(x: int) -> int: ...\n", encoding="utf-8")

    assert ("f", "g") == Lock.read(run("lock", "odd.py", "--all").stdout).names
    assert run("diff", "one_tool.py", "odd.py", "--all").stdout.startswith("dangerous: g: the tool")


def test_the_tools_of_a_server_are_locked_and_compared(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contracts, "read_toolset", lambda asked: tools_of("examples.shop"))
    locked = run("lock", "--mcp", "any")
    (folder / "shop.lock").write_text(locked.stdout, encoding="utf-8")

    assert Lock.of(tools_of("examples.shop")) == Lock.read(locked.stdout)
    assert "no tool changed\n" == run("diff", "shop.lock", "--mcp", "any").stdout


def test_a_module_goes_before_a_revision(folder: Path) -> None:
    assert 0 == run("lock", "one_tool:f").exit_code
    assert 0 == run("lock", "one_tool.py:f").exit_code
    assert 2 == run("lock", "no.such:f").exit_code
    assert 2 == run("lock", "no_such:f").exit_code


def test_a_huge_file_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "tools.json").write_text("[]", encoding="utf-8")
    for module in (lock, contracts):
        monkeypatch.setattr(module, "MAX_LOCK", 1)

    for name, told in (("tools.json", "tools.json"), ("-", "standard input")):
        result = run("lock", name, stdin="[]")
        assert f"typesig: {told} has more than 1 bytes\n" == result.stderr


def test_standard_input_that_cannot_be_read_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(io.BytesIO):
        def read(self, *_: object) -> bytes:
            raise OSError("is a directory")

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Broken()))

    with pytest.raises(contracts.TypesigError, match=r"^standard input cannot be read: is a dir"):
        contracts.lock_of("-")


def test_what_texts_hide_is_told_where_it_is_new(folder: Path) -> None:
    tagged = ONE.replace("Do.", "Do <it>.")
    (folder / "tagged.py").write_text(tagged, encoding="utf-8")
    (folder / "more.py").write_text(tagged.replace("Do <it>.", "Do so <it>. <b>"), encoding="utf-8")
    told = [f"hidden: f: description: has a tag: {tag} [single-tag]\n" for tag in ("<it>", "<b>")]

    assert "" == run("lock", "one_tool.py").stderr
    assert told[0] == run("lock", "tagged.py").stderr
    assert told[0] == run("lock", "tagged.py", "-o", "tools.lock").stderr
    assert "" == run("lock", "tagged.py", "--check").stderr
    assert run("lock", "more.py", "--check").stderr.startswith(told[1])
    assert told[1] == run("diff", "tools.lock", "more.py").stderr
    found = run("diff", "tools.lock", "more.py", "--json")
    assert "" == found.stderr
    assert [
        {
            "kind": "single-tag", "tool": "f", "place": "description", "at": 12, "text": "<b>",
            "sentence": "has a tag: <b>",
        }
    ] == json.loads(found.stdout)["hidden"]  # fmt: skip


@pytest.fixture
def repository(folder: Path) -> Path:
    """Return a folder within a repository whose first commit has other tools than its files."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    inner = folder / "inner"
    inner.mkdir()
    (inner / "shop_of_git.py").write_text(ONE + "print('noise')\n", encoding="utf-8")
    (inner / "tools.json").write_text('[{"name": "f", "input_schema": {}}]', encoding="utf-8")
    (folder / "src").mkdir()
    for command in (
        ["init", "-q", "-b", "trunk"],
        ["add", "-A"],
        ["-c", "user.name=n", "-c", "user.email=e@x", "commit", "-q", "-m", "one"],
    ):
        subprocess.run(["git", *command], cwd=folder, check=True)
    (inner / "shop_of_git.py").write_text(TWO, encoding="utf-8")
    os.chdir(inner)
    return inner


def files_in(folder: Path) -> list[Path]:
    """Return the files in *folder*, other than those of modules that Python has compiled."""
    return sorted(path for path in folder.rglob("*") if "__pycache__" not in path.parts)


@pytest.mark.needs_process
def test_a_revision_of_git_is_a_target(repository: Path) -> None:
    before = files_in(repository.parent)
    found = run("diff", "trunk:shop_of_git", "shop_of_git.py")

    assert 0 == found.exit_code, found.stderr
    assert "[param-added-required]" in found.stdout
    assert "trunk: noise\n" == found.stderr
    assert before == files_in(repository.parent)
    assert ("f",) == Lock.read(run("lock", "HEAD:tools.json").stdout).names
    assert ("f",) == Lock.read(run("lock", "HEAD:shop_of_git.py", "--all").stdout).names
    assert ("f",) == Lock.read(run("lock", "HEAD:shop_of_git:f").stdout).names


@pytest.mark.needs_process
@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("HEAD:no.json", "the revision HEAD has no file no.json here"),
        ("HEAD:no_module", "in the revision HEAD: there is no module no_module; name one"),
        ("nope~1:x", "nope~1 is neither a module nor a revision that git knows here"),
        ("--help:x", "--help is neither a module nor a revision that git knows here"),
    ],
)
def test_a_wrong_target_in_a_revision_is_told(repository: Path, target: str, message: str) -> None:
    result = run("lock", "--", target)

    assert 2 == result.exit_code
    assert result.stderr.splitlines()[-1].startswith(f"typesig: {message}")


@pytest.mark.needs_process
def test_a_folder_that_a_revision_does_not_have_is_told(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "later").mkdir()
    monkeypatch.chdir(repository / "later")

    assert (
        "typesig: the revision HEAD has no folder inner/later/\n"
        == run("lock", "HEAD:shop_of_git").stderr
    )


@pytest.mark.needs_process
def test_a_huge_file_of_a_revision_is_refused(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contracts, "MAX_LOCK", 1)

    assert (
        "typesig: HEAD:tools.json has more than 1 bytes\n" == run("lock", "HEAD:tools.json").stderr
    )


@pytest.mark.needs_process
def test_without_git_no_revision_is_known(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    result = run("lock", "HEAD:tools.json")

    assert "typesig: HEAD is neither a module nor a revision that git knows here\n" == result.stderr


@pytest.mark.needs_process
def test_a_repository_that_cannot_be_read_is_told(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = contracts.find_commit("HEAD")
    assert found is not None
    with pytest.raises(contracts.TypesigError, match=r"^git cannot read the files of HEAD: "):
        contracts.lock_text_of("0" * 40, "HEAD", "shop_of_git", Functions())


@pytest.mark.needs_process
def test_a_module_of_a_revision_that_never_ends_is_stopped(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contracts, "MAX_REVISION_SECONDS", 0.2)
    with pytest.raises(contracts.TypesigError, match=r"took more than 0\.2 seconds$"):
        contracts._run([sys.executable, "-c", "import time; time.sleep(9)"], None, None)


@pytest.mark.needs_process
def test_a_process_that_tells_nothing_is_told_by_its_status(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contracts, "_CODE", "import sys; sys.exit(3)")

    assert "typesig: in the revision HEAD: status 3\n" == run("lock", "HEAD:shop_of_git").stderr
    assert "it gave no reason" == contracts._get_last_line(b"")


def test_a_lock_is_written_for_another_process(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "noisy.py").write_text(ONE + "print('noise')\n", encoding="utf-8")
    saved = os.dup(1)
    try:
        contracts.write_lock("noisy.py", Functions())
    finally:
        os.dup2(saved, 1)
        os.close(saved)

    assert ("f",) == Lock.read(capfd.readouterr().out.removeprefix("noise\n")).names
