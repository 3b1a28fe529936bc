"""The tests that pytest collects with the option `--typesig`, which loads this module."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from typesig.contracts.rehearsals.calling import Failure
from typesig.contracts.rehearsals.trying import Case, cases
from typesig.errors import TypesigError, short


@pytest.fixture
def typesig_given() -> Mapping[str, Any]:
    """Return what the host supplies to tools, by name; override it in the root `conftest.py`."""
    return {}


@pytest.fixture
def typesig_stand_ins() -> Mapping[str, Callable[..., Any]]:
    """Return functions in place of those of tools, by the names of the tools; override it, too."""
    return {}


class Target(pytest.Collector):
    """The tools of one target of the option."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the tests of each tool."""
        option: Any = self.config.getoption
        tools = self._cases(option("--typesig-run"), option("--typesig-run-all"))
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


def _test_of(case: Case) -> Callable[..., None]:
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
        for name in dict.fromkeys(targets):
            target = Target.from_parent(session, name=name, nodeid=f"typesig::{name}")
            found = list(target.collect())
            for each in found:
                each.add_marker("typesig")
            items += found
            # So that they are counted.
            report = pytest.CollectReport(target.nodeid, "passed", None, [*found])
            config.hook.pytest_collectreport(report=report)
        _check_run(config, items)
    except TypesigError as error:
        raise pytest.UsageError(f"--typesig: {error}") from None


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
