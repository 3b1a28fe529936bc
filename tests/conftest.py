"""Options of the tests: generated code can be switched off as a whole.

`pytest` alone leaves out the tests with the marker `once`, such as those of growth, which take as long
as all others, unless many examples of the laws are asked for; `pytest tests`, or a folder or a file,
has them.
"""

from __future__ import annotations

import os

import pytest

#: From so many examples of the laws on, all tests are asked for.
MANY_EXAMPLES = 8

#: Tells the processes of pytest-xdist, which are given all folders by name, what pytest was given.
_BRIEF = "TYPESIG_BRIEF"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-generated",
        action="store_true",
        help="have closures where code would be generated",
    )


def pytest_configure(config: pytest.Config) -> None:
    is_whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if is_whole and int(os.environ.get("TYPESIG_LAWS", "0")) < MANY_EXAMPLES:
        os.environ[_BRIEF] = "1"
    if config.getoption("--no-generated"):
        # Loaded only then: coverage has to be started before the package is.
        from tests.generated_off import switch_off

        patch = pytest.MonkeyPatch()
        switch_off(patch)
        config.add_cleanup(patch.undo)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if _BRIEF in os.environ:
        left_out = [item for item in items if item.get_closest_marker("once")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("once")]
    if config.getoption("--no-generated"):
        skip = pytest.mark.skip(reason="is about generated code")
        for item in items:
            if item.get_closest_marker("generated"):
                item.add_marker(skip)
