"""What texts refer to is there: pages and their parts, files, modules and names."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

import typesig
from tests.house.test_site import _FENCED, _LINK, anchors

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(typesig.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))

#: The texts beside the pages of `docs`; some are not where the tests run away from the checkout.
BESIDE = [
    page
    for name in ("README", "CONTRIBUTING", "CHANGELOG", "SECURITY", "CODE_OF_CONDUCT")
    if (page := ROOT / f"{name}.md").exists()
]
BESIDE += sorted((ROOT / "benchmarks").glob("*.md"))

pytestmark = pytest.mark.once  # no version of Python changes it

_PATH = re.compile(
    r"(?<![\w/.])((?:docs|tests|examples|benchmarks)/[\w./-]+\.(?:md|py|json|txt))\b"
)
_MODULE = re.compile(r"python -m ((?:tests|benchmarks)\.[\w.]+\w)")
_NAME = re.compile(r"`(typesig(?:\.\w+)+)`")

#: Pages of other projects, which sources of rules name behind the project.
THEIRS = re.compile(r"(?:[\w-]+/[\w-]+|llguidance [\d.]+), docs/[\w./]+")

#: Names of events of OpenTelemetry.
EVENTS = {"typesig.mended", "typesig.refused"}


@pytest.mark.parametrize("page", BESIDE, ids=lambda page: page.name)
def test_each_link_of_a_text_beside_the_pages_has_a_target(page: Path) -> None:
    text = _FENCED.sub("", page.read_text(encoding="utf-8"))
    files = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text)

    assert [] == [file for file in files if not (page.parent / file).exists()]
    assert [] == [
        f"{file}#{part}"
        for file, part in _LINK.findall(text)
        if part not in anchors(page.parent / file if file else page)
    ]


def test_each_file_that_the_source_names_exists() -> None:
    found = [
        (path.name, name)
        for path in SOURCES
        for name in _PATH.findall(THEIRS.sub("", path.read_text(encoding="utf-8")))
    ]

    assert found
    assert [] == [each for each in found if not (ROOT / each[1]).exists()]


def test_each_module_that_the_source_names_exists() -> None:
    found = [
        (path.name, name)
        for path in [*SOURCES, *BESIDE, *(ROOT / "docs").rglob("*.md")]
        for name in _MODULE.findall(path.read_text(encoding="utf-8"))
    ]

    assert found
    assert [] == [
        each
        for each in found
        if not (ROOT / each[1].replace(".", "/")).with_suffix(".py").exists()
        and not (ROOT / each[1].replace(".", "/") / "__init__.py").exists()
    ]


def is_there(name: str) -> bool:
    """Return whether the dotted *name* is a module, or something in one."""
    path = PACKAGE.parent.joinpath(*name.split("."))
    if path.is_dir() or path.with_suffix(".py").exists():
        return True
    home, _, last = name.rpartition(".")
    if not home:
        return False
    try:
        owner = import_module(home)
    except ModuleNotFoundError:
        # A class, or a module that needs an extra.
        return is_there(home)
    return last in vars(owner) or last in dir(owner)


def test_each_dotted_name_in_the_texts_is_there() -> None:
    found = {
        (path.name, name)
        for path in [*SOURCES, *BESIDE, *(ROOT / "docs").rglob("*.md")]
        for name in _NAME.findall(path.read_text(encoding="utf-8"))
    }

    assert found
    assert [] == sorted(each for each in found if each[1] not in EVENTS and not is_there(each[1]))
