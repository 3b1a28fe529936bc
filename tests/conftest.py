"""Options of the tests: generated code can be switched off as a whole."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-generated",
        action="store_true",
        help="have everything checked, decoded and called without generated code",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--no-generated"):
        # Loaded only then: coverage has to be started before the package is.
        from tests.generated_off import switch_off

        patch = pytest.MonkeyPatch()
        switch_off(patch)
        config.add_cleanup(patch.undo)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--no-generated"):
        skip = pytest.mark.skip(reason="is about generated code")
        for item in items:
            if item.get_closest_marker("generated"):
                item.add_marker(skip)
