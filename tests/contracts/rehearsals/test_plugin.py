"""The plugin of pytest: off unless asked, and then tests of each tool."""

from __future__ import annotations

import sys

import pytest

from typesig import Tool, Toolset
from typesig.contracts import Lock

pytest_plugins = ["pytester"]

# A session within a session captures what is printed, as WebAssembly cannot.
pytestmark = pytest.mark.needs_process

NAME = "typesig.contracts.rehearsals.plugin"

TOOLS = """
from typesig import Injected, tool

@tool(annotations={"readOnlyHint": True})
def shorten(text: str, words: list[str]) -> str:
    if len(words) > 1:
        raise KeyError("two words")
    return text

@tool(annotations={"readOnlyHint": True})
def half(n: int) -> int:
    return n / 2

@tool
def wipe(path: str, db: Injected[dict]) -> str:
    db[path] = 1
    return path
"""


@pytest.fixture
def tools(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> str:
    pytester.makepyfile(own_tools=TOOLS)
    pytester.syspathinsert()
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    # pytest restores only what it has loaded itself.
    monkeypatch.delitem(sys.modules, "own_tools", raising=False)
    return "own_tools"


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    # By the name of its module, whether the package is installed or not.
    usual = (
        "-p",
        "no:typesig",
        "-p",
        NAME,
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-p",
        "no:cov",
    )
    return pytester.runpytest_inprocess(*usual, "-rs", *arguments)


def test_nothing_is_collected_unless_asked(pytester: pytest.Pytester, tools: str) -> None:
    result = run(pytester)

    assert pytest.ExitCode.NO_TESTS_COLLECTED == result.ret


def test_each_tool_has_tests_of_its_own(pytester: pytest.Pytester, tools: str) -> None:
    result = run(pytester, "--typesig", tools)

    result.assert_outcomes(passed=3, failed=2, skipped=1)
    result.stdout.fnmatch_lines(
        [
            "collected 6 items",
            "*own_tools: shorten-results*",
            "shorten raised KeyError: 'two words'",
            '  arguments: {"text": "", "words": ["", ""]}',
            "  (the smallest found in * calls with seed 0)",
            '*own_tools.py", line 6, in shorten',
            '    raise KeyError("two words")',
            "*own_tools: half-results*",
            "half returned what does not fit its result type: expected int, got float *",
            "SKIPPED*wipe may have effects: it lacks the annotation readOnlyHint*",
        ]
    )


def test_the_seed_is_an_option(pytester: pytest.Pytester, tools: str) -> None:
    result = run(pytester, "--typesig", tools, "--typesig-seed", "7", "-k", "half")

    result.assert_outcomes(passed=1, failed=1, deselected=4)
    result.stdout.fnmatch_lines(["*with seed 7)"])


def test_tests_of_tools_are_chosen_by_their_mark(pytester: pytest.Pytester, tools: str) -> None:
    pytester.makepyfile(test_own="def test_own(): assert False")
    result = run(pytester, "--typesig", f"{tools}:wipe", "-m", "typesig", "--strict-markers")

    result.assert_outcomes(passed=1, skipped=1, deselected=1)


FIXTURE = """
import pytest

@pytest.fixture
def typesig_given():
    return {"db": {}}
"""


@pytest.mark.parametrize(
    "arguments", [["--typesig-run", "wipe"], ["--typesig-run-all"]], ids=lambda given: given[0]
)
def test_functions_with_effects_run_where_they_are_named(
    pytester: pytest.Pytester, tools: str, arguments: list[str]
) -> None:
    pytester.makeconftest(FIXTURE)
    result = run(pytester, "--typesig", f"{tools}:wipe", "--typesig", f"{tools}:half", *arguments)

    result.assert_outcomes(passed=3, failed=1)


def test_a_tool_that_lacks_what_its_host_supplies_names_the_fixture(
    pytester: pytest.Pytester, tools: str
) -> None:
    result = run(pytester, "--typesig", f"{tools}:wipe", "--typesig-run", "wipe")

    result.assert_outcomes(passed=1, skipped=1)
    result.stdout.fnmatch_lines(
        ["SKIPPED*wipe needs db from its host: return it from the fixture *"]
    )


def test_a_function_of_a_fixture_stands_in(pytester: pytest.Pytester, tools: str) -> None:
    pytester.makeconftest(
        FIXTURE
        + """
@pytest.fixture
def typesig_stand_ins():
    return {"wipe": lambda path, db: 5}
"""
    )
    result = run(pytester, "--typesig", f"{tools}:wipe")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["wipe returned what does not fit its result type: expected string, got int 5"]
    )


def test_a_broken_fixture_is_told_as_pytest_does(pytester: pytest.Pytester, tools: str) -> None:
    pytester.makeconftest(FIXTURE.replace("return", "raise ValueError()\n    return"))
    result = run(pytester, "--typesig", f"{tools}:wipe")

    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines(["E*ValueError"])


def test_a_fixture_of_another_kind_is_told_as_pytest_does(
    pytester: pytest.Pytester, tools: str
) -> None:
    pytester.makeconftest(FIXTURE.replace("given", "stand_ins").replace('{"db": {}}', "None"))
    result = run(pytester, "--typesig", f"{tools}:wipe")

    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["E*AttributeError: 'NoneType' object has no attribute 'get'"])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--typesig", "no_module_x"], "ERROR: --typesig: 'no_module_x' cannot be imported: *"),
        (["--typesig", "textwrap"], "ERROR: --typesig: 'textwrap' has no tools: *"),
        (
            ["--typesig", "own_tools", "--typesig-run", "wpe"],
            "ERROR: --typesig: --typesig-run names 'wpe', which is no tool of a target",
        ),
        (
            ["--typesig", "own_tools", "--typesig-lock", "no.lock"],
            "ERROR: --typesig: there is no file no.lock; write it with typesig lock TARGET -o *",
        ),
        (
            ["--typesig-lock", "no.lock"],
            "ERROR: --typesig-lock needs --typesig, which names the tools",
        ),
    ],
)
def test_wrong_options_are_usage_errors(
    pytester: pytest.Pytester, tools: str, arguments: list[str], told: str
) -> None:
    result = run(pytester, *arguments)

    assert pytest.ExitCode.USAGE_ERROR == result.ret
    result.stderr.fnmatch_lines([told])


def write_lock(pytester: pytest.Pytester, text: str) -> None:
    """Write the lock of tools with the source *text*."""
    code: dict[str, object] = {"__name__": "locked_tools"}
    exec(text, code)
    found = [each for each in code.values() if isinstance(each, Tool)]
    lock = Lock.of(Toolset(found)).text()
    (pytester.path / "tools.lock").write_text(lock, encoding="utf-8")
    (pytester.path / "pyproject.toml").write_text("", encoding="utf-8")


def test_tools_are_held_to_a_lock(pytester: pytest.Pytester, tools: str) -> None:
    write_lock(pytester, TOOLS.replace("n: int", "n: float").replace("wipe", "clear"))
    asked = ("--typesig", f"{tools}:shorten", "--typesig", f"{tools}:half")
    result = run(pytester, *asked, "--typesig-lock", "tools.lock", "-k", "lock")

    result.assert_outcomes(passed=1, failed=2, deselected=4)
    result.stdout.fnmatch_lines(
        [
            "half is not what tools.lock says:",
            "breaking: half: params.n: was narrowed from :float to :int; such as *",
            "if that is meant, run typesig lock --update -o tools.lock",
        ]
    )
    result.stdout.fnmatch_lines(["breaking: clear: the tool was removed: *"])


def test_what_the_project_fails_on_decides_about_a_lock(
    pytester: pytest.Pytester, tools: str
) -> None:
    write_lock(pytester, TOOLS.replace("def half(n: int)", "def half(n: int, *, m: int = 1)"))
    asked = ("--typesig", tools, "--typesig-lock", "tools.lock", "-k", "lock")
    run(pytester, *asked).assert_outcomes(passed=2, failed=1, deselected=6)

    severities = '[tool.typesig.diff.severity]\nparam-removed-optional = "dangerous"\n'
    (pytester.path / "pyproject.toml").write_text(severities, encoding="utf-8")
    run(pytester, *asked).assert_outcomes(passed=3, deselected=6)
    text = severities + '[tool.typesig.diff]\nfail-on = "dangerous"\n'
    (pytester.path / "pyproject.toml").write_text(text, encoding="utf-8")
    run(pytester, *asked).assert_outcomes(passed=2, failed=1, deselected=6)


def test_a_mark_gives_a_test_each_case(pytester: pytest.Pytester, tools: str) -> None:
    pytester.makepyfile(
        test_own="""
        import pytest

        @pytest.mark.typesig("own_tools:wipe", run=["wipe"])
        def test_tools(typesig_case):
            typesig_case(given={"db": {}})

        @pytest.mark.typesig("own_tools:half")
        def test_without_the_argument():
            pass

        @pytest.mark.parametrize("typesig_case", [1])
        def test_without_the_mark(typesig_case):
            pass
        """
    )
    result = run(pytester, "-v", "--strict-markers")

    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(
        ["*test_tools?wipe-results? PASSED*", "*test_tools?wipe-refusals? PASSED*"]
    )


@pytest.mark.parametrize("wrong", ['"no_module_x"', '"own_tools", walk=1', ""])
def test_a_mark_that_is_written_wrongly_is_an_error(
    pytester: pytest.Pytester, tools: str, wrong: str
) -> None:
    pytester.makepyfile(
        test_own=f"""
        import pytest

        @pytest.mark.typesig({wrong})
        def test_tools(typesig_case):
            pass
        """
    )
    result = run(pytester)

    assert pytest.ExitCode.OK != result.ret
    assert "the mark typesig: " in result.stdout.str() + result.stderr.str()
