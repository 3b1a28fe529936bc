"""The tests that pytest collects with the option `--typesig`, which loads this module."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from typesig.contracts.diffing import Diff, diff
from typesig.contracts.locks.files import read_lock
from typesig.contracts.locks.lock import Lock
from typesig.contracts.rehearsals.calling import Failure
from typesig.contracts.rehearsals.trying import Case, cases
from typesig.contracts.rows.findings import Finding
from typesig.contracts.settings import settings_near
from typesig.errors import TypesigError, short
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset


@pytest.fixture
def typesig_given() -> Mapping[str, Any]:
    """Return what the host supplies to tools, by name; override it in the root `conftest.py`."""
    return {}


@pytest.fixture
def typesig_stand_ins() -> Mapping[str, Callable[..., Any]]:
    """Return functions in place of those of tools, by the names of the tools; override it, too."""
    return {}


class Target(pytest.Collector):
    """The tools of one target of the option.

    #: tools: those that have been collected, by name
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tools: dict[str, Tool[..., Any]] = {}

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the tests of each tool."""
        option: Any = self.config.getoption
        tools = self._cases(option("--typesig-run"), option("--typesig-run-all"))
        self.tools = {case.name: case.tool for case in tools if case.tool is not None}
        for case in tools:
            yield Try.from_parent(self, name=str(case), callobj=_test_of(case))

    def _cases(self, run: list[str], run_all: bool) -> list[Case]:
        seed: Any = self.config.getoption("--typesig-seed")
        found = cases(self.name, run_all=run_all, seed=seed)
        named = {case.name for case in found}
        # Another target may have the other names.
        return cases(
            self.name, run=[each for each in run if each in named], run_all=run_all, seed=seed
        )


class Held(pytest.Collector):
    """The tools of all targets, which are held to the lock of the option.

    #: tools: these tools
    """

    def __init__(self, tools: list[Tool[..., Any]], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tools = tools

    def collect(self) -> Iterator[pytest.Item]:
        """Yield a test for each tool."""
        for case in lock_cases(self.tools, self.name):
            yield Try.from_parent(self, name=str(case), callobj=_test_of(case))


class Try(pytest.Function):
    """One case."""

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """Return where the test is: at no file, but at a target."""
        return self.path, None, f"{self.parent.name if self.parent else ''}: {self.name}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the message of a failure, and below it where the function raised."""
        if not isinstance(excinfo.value, Failure):
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


def _test_of(case: Case | LockCase) -> Callable[..., None]:
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
    """Add the tests of the targets of the option; the other options choose among them, too."""
    targets: Any = config.getoption("--typesig")
    try:
        tools: list[Tool[..., Any]] = []
        for name in dict.fromkeys(targets):
            target = Target.from_parent(session, name=name, nodeid=f"typesig::{name}")
            items += _collected(target)
            tools += target.tools.values()
        _check_run(config, items)
        lock: Any = config.getoption("--typesig-lock")
        if lock:
            nodeid = f"typesig::{lock}"
            items += _collected(Held.from_parent(session, tools=tools, name=lock, nodeid=nodeid))
    except TypesigError as error:
        raise pytest.UsageError(f"--typesig: {error}") from None


def _collected(collector: Target | Held) -> list[pytest.Item]:
    """Return the tests of *collector*, which pytest counts from now on."""
    found = list(collector.collect())
    for each in found:
        each.add_marker("typesig")
    report = pytest.CollectReport(collector.nodeid, "passed", None, [*found])
    collector.config.hook.pytest_collectreport(report=report)
    return found


def _check_run(config: pytest.Config, items: list[pytest.Item]) -> None:
    known = {each.name.removesuffix("-results") for each in items if isinstance(each, Try)}
    asked: Any = config.getoption("--typesig-run")
    for name in asked:
        if name not in known:
            raise TypesigError(f"--typesig-run names {short(name)}, which is no tool of a target")


def cases_of(mark: pytest.Mark) -> list[Case]:
    """Return the cases that *mark* asks for; raise pytest's error if it is written wrongly."""
    try:
        return cases(*mark.args, **mark.kwargs)
    except (TypesigError, TypeError) as error:
        raise pytest.UsageError(f"the mark typesig: {error}") from None


class LockCase(NamedTuple):
    """The test that one tool keeps to its lock; `str` is its name in a report.

    #: name: the tool's name; file: the lock; broken: the changes that are not allowed
    """

    name: str
    file: str
    broken: tuple[Finding, ...]

    def __str__(self) -> str:
        return f"{self.name}-lock"

    def __call__(self, *_: Any) -> None:
        """Raise `Failure` if the tool is not what its lock says."""
        __tracebackhide__ = True
        if self.broken:
            raise Failure(
                f"{self.name} is not what {self.file} says:\n{Diff(self.broken)}\n"
                f"if that is meant, run typesig lock --update -o {self.file}"
            )


def lock_cases(tools: Iterable[Tool[..., Any]], file: str) -> list[LockCase]:
    """Return a case for each of *tools*, and for each tool that only the lock in *file* has.

    A change is allowed if it is less severe than `fail-on` of the project, or than breaking.
    Raises `TypesigError` for a file that is no lock, and for two tools with one name.
    """
    lock = read_lock(file)
    if lock is None:
        raise TypesigError(f"there is no file {file}; write it with typesig lock TARGET -o {file}")
    settings = settings_near(Path.cwd())
    now = Lock.of(Toolset(tools))
    broken: dict[str, list[Finding]] = {name: [] for name in now.names}
    for each in diff(lock, now, settings.severity).at_least(settings.fail_on or "breaking"):
        broken.setdefault(each.tool, []).append(each)
    return [LockCase(name, file, tuple(found)) for name, found in sorted(broken.items())]
