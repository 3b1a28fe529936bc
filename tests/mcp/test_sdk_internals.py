"""What is private in the SDK is used in one module, whose versions of the SDK are named here."""

from __future__ import annotations

import ast
import re
from importlib.metadata import version
from pathlib import Path

import pytest

pytest.importorskip("mcp")

ROOT = Path(__file__).resolve().parents[2]

#: The series of `mcp` that `typesig.mcp.transport.sdk` was tested with.  Add one after the
#: tests in tests/mcp, tests/cli and tests/sdks have passed with it.
TESTED = ("2.3",)


def test_the_installed_version_is_one_that_was_tested() -> None:
    installed = ".".join(version("mcp").split(".")[:2])

    assert installed in TESTED


def test_the_extra_begins_with_a_tested_version_and_ends_before_the_next_major_one() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    bounds = re.findall(r'"mcp>=([\d.]+),<(\d+)"', text)

    assert 2 == len(bounds)
    for least, most in bounds:
        assert least in TESTED
        assert int(most) == int(least.partition(".")[0]) + 1
    assert [] == re.findall(r'"mcp[^,"]*"', text.replace("typesig[mcp", ""))[1:]


#: What is private is begun by one line, and what the language itself has, by two.
_ALLOWED = {"_replace", "_asdict", "_fields"}


@pytest.mark.parametrize("path", sorted((ROOT / "typesig" / "mcp").rglob("*.py")), ids=str)
def test_nothing_private_of_other_packages_is_used_elsewhere(path: Path) -> None:
    if path.name == "sdk.py":
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [
        ast.unparse(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.startswith("__")
        and node.attr not in _ALLOWED
        and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
    ]
    assert [] == found
