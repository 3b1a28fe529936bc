"""Tests that pytest collects with the option `--typesig`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from typesig.contracts.lock import Lock, read_lock
from typesig.contracts.lock_diff import Diff, Finding, diff, find_settings
from typesig.contracts.rehearsals.rehearsal import TrialFailure
from typesig.contracts.rehearsals.tool_cases import Case, cases
from typesig.errors import TypesigError, format_value
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset


@pytest.fixture
def typesig_given() -> Mapping[str, Any]:
    """Values injected into tools, by name; override it in the root `conftest.py`."""
    return {}


@pytest.fixture
def typesig_stand_ins() -> Mapping[str, Callable[..., Any]]:
    """Return functions that replace tools, by tool name; override it in `conftest.py`."""
    return {}


class Target(pytest.Collector):
    """Pytest collector of the tests for a target of the option `--typesig`.

    #: tools: those that have been collected, by name
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tools: dict[str, Tool[..., Any]] = {}

    def collect(self) -> Iterator[pytest.Item]:
        """Yield two tests per tool: for its results and for its refusals."""
        option: Any = self.config.getoption
        tools = self._make_cases(option("--typesig-run"), option("--typesig-run-all"))
        self.tools = {case.name: case.tool for case in tools if case.tool is not None}
        for case in tools:
            yield Try.from_parent(self, name=str(case), callobj=_make_test(case))

    def _make_cases(self, run: list[str], run_all: bool) -> list[Case]:
        """Build the cases of this target; *run* names tools whose functions may run."""
        seed: Any = self.config.getoption("--typesig-seed")
        found = cases(self.name, run_all=run_all, seed=seed)
        named = {case.name for case in found}
        # Another target may have the other names.
        return cases(
            self.name, run=[each for each in run if each in named], run_all=run_all, seed=seed
        )


class LockTarget(pytest.Collector):
    """Pytest collector of the tests that tools match the file of `--typesig-lock`.

    #: tools: these tools
    """

    def __init__(self, tools: list[Tool[..., Any]], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tools = tools

    def collect(self) -> Iterator[pytest.Item]:
        """Yield one test per tool: that the tool matches its lock."""
        for case in lock_cases(self.tools, self.name):
            yield Try.from_parent(self, name=str(case), callobj=_make_test(case))


class Try(pytest.Function):
    """Pytest item that runs one `Case` or `LockCase`."""

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """Location of the test: the target instead of a file."""
        return self.path, None, f"{self.parent.name if self.parent else ''}: {self.name}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Message of the failure, followed by the traceback of the function."""
        if not isinstance(excinfo.value, TrialFailure):
            return super().repr_failure(excinfo)
        cause = excinfo.value.__cause__
        if cause is None:
            return str(excinfo.value)
        import traceback

        # The last places are those of the function and of what it calls.
        last = traceback.format_tb(cause.__traceback__, limit=-_PLACES)
        return f"{excinfo.value}\n" + "".join(last).rstrip()


#: How many places of a traceback are shown.
_PLACES = 3


def _make_test(case: Case | LockCase) -> Callable[..., None]:
    """Build the pytest function that runs *case* with its fixtures."""

    def test(
        typesig_given: Mapping[str, Any], typesig_stand_ins: Mapping[str, Callable[..., Any]]
    ) -> None:
        __tracebackhide__ = True
        case(typesig_given, typesig_stand_ins.get(case.name))

    return test


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add the tests of the targets to *items*, so that options such as `-k` apply."""
    targets: Any = config.getoption("--typesig")
    try:
        tools: list[Tool[..., Any]] = []
        for name in dict.fromkeys(targets):
            target = Target.from_parent(session, name=name, nodeid=f"typesig::{name}")
            items += _collect(target)
            tools += target.tools.values()
        _check_run(config, items)
        lock: Any = config.getoption("--typesig-lock")
        if lock:
            nodeid = f"typesig::{lock}"
            items += _collect(
                LockTarget.from_parent(session, tools=tools, name=lock, nodeid=nodeid)
            )
    except TypesigError as error:
        raise pytest.UsageError(f"--typesig: {error}") from None


def _collect(collector: Target | LockTarget) -> list[pytest.Item]:
    """Collect the tests of *collector* and report the collection to pytest."""
    found = list(collector.collect())
    for each in found:
        each.add_marker("typesig")
    report = pytest.CollectReport(collector.nodeid, "passed", None, [*found])
    collector.config.hook.pytest_collectreport(report=report)
    return found


def _check_run(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Check that every name of `--typesig-run` is a tool in *items*."""
    known = {each.name.removesuffix("-results") for each in items if isinstance(each, Try)}
    asked: Any = config.getoption("--typesig-run")
    for name in asked:
        if name not in known:
            raise TypesigError(
                f"--typesig-run names {format_value(name)}, which is no tool of a target"
            )


def make_marked_cases(mark: pytest.Mark) -> list[Case]:
    """Build the cases that the marker *mark* asks for; raise `UsageError` if invalid."""
    try:
        return cases(*mark.args, **mark.kwargs)
    except (TypesigError, TypeError) as error:
        raise pytest.UsageError(f"the mark typesig: {error}") from None


class LockCase(NamedTuple):
    """The test that one tool matches its lock; `str` is its name in a report.

    #: name: the tool's name; file: the lock; broken: the changes that are not allowed
    """

    name: str
    file: str
    broken: tuple[Finding, ...]

    def __str__(self) -> str:
        return f"{self.name}-lock"

    def __call__(self, *_: Any) -> None:
        """Raise `TrialFailure` if the tool is not what its lock says."""
        __tracebackhide__ = True
        if self.broken:
            raise TrialFailure(
                f"{self.name} is not what {self.file} says:\n{Diff(self.broken)}\n"
                f"if that is meant, run typesig lock --update -o {self.file}"
            )


def lock_cases(tools: Iterable[Tool[..., Any]], file: str) -> list[LockCase]:
    """Build a test case for each tool of *tools* or of the lock in *file*.

    A change is allowed if it is less severe than `fail-on` of the project, or than breaking.
    Raises `TypesigError` for a file that is no lock, and for two tools with one name.
    """
    lock = read_lock(file)
    if lock is None:
        raise TypesigError(f"there is no file {file}; write it with typesig lock TARGET -o {file}")
    settings = find_settings(Path.cwd())
    now = Lock.of(Toolset(tools))
    broken: dict[str, list[Finding]] = {name: [] for name in now.names}
    for each in diff(lock, now, settings.severity).at_least(settings.fail_on or "breaking"):
        broken.setdefault(each.tool, []).append(each)
    return [LockCase(name, file, tuple(found)) for name, found in sorted(broken.items())]
