"""Plugin for pytest, active with `pytest --typesig my_package.tools`.

pytest imports it in every environment with typesig, so it imports nothing until then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

_MARK = "typesig(target, run=(), run_all=False, seed=0, count=30): give the test each case of the \
tools of target, as the argument typesig_case"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the command-line options of typesig to pytest."""
    group = parser.getgroup("typesig", "tests made from the signatures of tools")
    group.addoption(
        "--typesig",
        action="append",
        default=[],
        metavar="TARGET",
        help="test the tools of a module, or of module:name; may be repeated",
    )
    group.addoption(
        "--typesig-run",
        action="append",
        default=[],
        metavar="NAME",
        help="run the function of this tool, whatever effects it has; may be repeated",
    )
    group.addoption(
        "--typesig-run-all",
        action="store_true",
        help="run the functions of all tools, whatever effects they have",
    )
    group.addoption(
        "--typesig-seed",
        type=int,
        default=0,
        metavar="N",
        help="the seed from which arguments are drawn; 0",
    )
    group.addoption(
        "--typesig-lock", metavar="FILE", help="hold the tools to the lock in FILE, too"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker `typesig`, and with `--typesig` the module that adds tests."""
    config.addinivalue_line("markers", _MARK)
    if config.getoption("--typesig"):
        from typesig.contracts.rehearsals import pytest_items

        config.pluginmanager.register(pytest_items, "typesig-collecting")
    elif config.getoption("--typesig-lock"):
        import pytest

        raise pytest.UsageError("--typesig-lock needs --typesig, which names the tools")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize a test marked `typesig` with the cases of the marked tools."""
    mark = metafunc.definition.get_closest_marker("typesig")
    if mark is not None and "typesig_case" in metafunc.fixturenames:
        from typesig.contracts.rehearsals import pytest_items

        metafunc.parametrize("typesig_case", pytest_items.make_marked_cases(mark), ids=str)
