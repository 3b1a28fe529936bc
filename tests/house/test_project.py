"""The habits of the project: groups, versions that CI installs, fragments of the changelog."""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
CI = ROOT / ".ci"

pytestmark = pytest.mark.skipif(not CI.exists(), reason="the tests run away from the checkout")


def settings() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def name_of(requirement: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement)[0]).lower()


def test_what_only_contributors_need_is_no_extra() -> None:
    extras = settings()["project"]["optional-dependencies"]
    groups = settings()["dependency-groups"]

    assert {"browser", "dev", "docs", "engines", "sdks"} == set(groups)
    assert not set(groups) & set(extras)


def test_the_groups_and_extras_are_locked_for_ci() -> None:
    text = (CI / "constraints.txt").read_text(encoding="utf-8")
    locked = {name_of(line) for line in text.splitlines() if not line.startswith("#")}
    read = settings()
    heavy = {"ray", "spark"}  # which no step installs
    lists = [
        *read["dependency-groups"].values(),
        *(v for k, v in read["project"]["optional-dependencies"].items() if k not in heavy),
        read["project"]["dependencies"],
    ]
    names = {name_of(each) for group in lists for each in group} - {"typesig"}

    assert [] == sorted(names - locked), "run bash .ci/lock"


def test_the_oldest_versions_are_those_of_the_bounds() -> None:
    hook = runpy.run_path(str(CI / "groups.py"))
    found = [*hook["oldest"](settings())]

    assert "docstring_parser==0.16" in found
    assert "click==8.2" in found
    assert all(re.fullmatch(r"[\w.-]+(\[[\w,.-]+\])?==[\d.]+", each) for each in found)


def test_a_group_is_printed_with_those_that_it_includes() -> None:
    hook = runpy.run_path(str(CI / "groups.py"))
    made = {"dependency-groups": {"a": ["x>=1", {"include-group": "b"}], "b": ["y"]}}

    assert ["x>=1", "y"] == [*hook["group"](made, "a")]


def test_the_fragments_of_the_changelog_have_a_type_and_a_text() -> None:
    types = "|".join(each["directory"] for each in settings()["tool"]["towncrier"]["type"])
    folder = ROOT / "changelog.d"
    files = [each for each in folder.iterdir() if each.name != "README.md"]

    assert [] == [e.name for e in files if not re.fullmatch(rf"\+[\w-]+\.({types})\.md", e.name)]
    assert [] == [e.name for e in files if not e.read_text(encoding="utf-8").strip()]


def test_the_citation_has_the_version_of_the_package() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")

    assert f"\nversion: {settings()['project']['version']}\n" in text
