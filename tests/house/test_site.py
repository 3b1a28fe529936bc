"""The route of the site, in mkdocs.yml, leads to each page of docs once."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests import api_page, site_tables

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
HOOK = ROOT / ".ci" / "site.py"

_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)#:\s]*)#([^)\s]+)\)")


def settings() -> dict[str, Any]:
    """Return what mkdocs.yml says."""
    yaml = pytest.importorskip("yaml", reason="the extra openapi reads YAML")
    read: dict[str, Any] = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    return read


def entries(nav: Any) -> Iterator[str]:
    """Yield the pages of a part of the route, in their order."""
    match nav:
        case str():
            yield nav
        case dict():
            for part in nav.values():
                yield from entries(part)
        case _:
            for part in nav:
                yield from entries(part)


def anchors(page: Path) -> set[str]:
    """Return what a link to a part of *page* may name: the headings, as slugs, and written ids."""
    text = _FENCED.sub("", page.read_text(encoding="utf-8"))
    slugs = {
        re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)).strip()
        for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    }
    return {slug.lower().replace(" ", "-") for slug in slugs} | set(
        re.findall(r'<a id="([^"]+)">', text)
    )


def test_each_link_to_a_part_of_a_page_has_a_heading_there() -> None:
    pages = sorted(DOCS.rglob("*.md"))
    known = {page.resolve(): anchors(page) for page in pages}
    broken = [
        f"{page.relative_to(DOCS)} -> {target}#{part}"
        for page in pages
        for target, part in _LINK.findall(_FENCED.sub("", page.read_text(encoding="utf-8")))
        if part not in known.get((page.parent / target if target else page).resolve(), ())
    ]

    assert [] == broken


def test_each_page_is_in_the_route_once() -> None:
    pages = sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))

    assert pages == sorted(entries(settings()["nav"]))


def test_the_route_begins_with_the_landing_page_and_the_tutorial() -> None:
    route = list(entries(settings()["nav"]))

    assert ["index.md", "tutorial.md"] == route[:2]


def test_the_site_asks_for_no_fonts_and_scripts_of_others() -> None:
    read = settings()
    added = [*read.get("extra_javascript", ()), *read.get("extra_css", ())]

    assert read["theme"]["font"] is False
    assert [] == [file for file in added if "//" in file]
    assert "analytics" not in read.get("extra", {})


def test_the_site_is_light_and_dark() -> None:
    assert ["default", "slate"] == [each["scheme"] for each in settings()["theme"]["palette"]]


@pytest.mark.skipif(not HOOK.exists(), reason="the tests run away from the checkout")
def test_the_site_shows_a_session_as_a_reader_sees_one() -> None:
    on_page_markdown = runpy.run_path(str(HOOK))["on_page_markdown"]
    page = "```python\n>>> f()\na\n<BLANKLINE>\nb\n```\n\n```python\nx = 1\n```\n"

    assert "```pycon\n>>> f()\na\n\nb\n```\n\n```python\nx = 1\n```\n" == on_page_markdown(page)


@pytest.mark.skipif(not HOOK.exists(), reason="the tests run away from the checkout")
def test_each_public_name_has_an_entry_and_links_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("griffe", reason="the extra docs reads the source")
    monkeypatch.syspath_prepend(str(HOOK.parent))
    reference = import_module("reference")
    shown = reference.with_entries(api_page.PAGE.read_text(encoding="utf-8"))
    page = (
        "See `Outcome`, `Outcome.tree()`, [`Tool`](x.md), `tool` and `@tool`.\n```\n`Tool`\n```\n"
    )

    for name, id in api_page.ids(api_page.PAGE.read_text(encoding="utf-8")).items():
        assert f"### {name} {{#{id}}}\n" in shown
    assert '<a id="' not in shown
    assert (
        "See [`Outcome`](../reference/api.md#outcome), "
        "[`Outcome.tree()`](../reference/api.md#outcome.tree), [`Tool`](x.md), `tool` and "
        "[`@tool`](../reference/api.md#tool).\n```\n`Tool`\n```\n"
    ) == reference.linked(page, "how-to/x.md")


def test_each_table_that_only_the_site_shows_has_its_place_on_one_page() -> None:
    pages = [page.read_text(encoding="utf-8") for page in DOCS.rglob("*.md")]
    placed = [name for page in pages for name in site_tables.names_in(page)]

    assert sorted(site_tables.NAMES) == sorted(placed)


@pytest.mark.parametrize("name", site_tables.NAMES)
def test_the_site_shows_a_table_in_its_place(name: str) -> None:
    block = f"before\n<!-- on the site: {name} -->\nElsewhere.\n<!-- end of {name} -->\nafter\n"
    if name == "peers" and not HOOK.exists():
        pytest.skip("the tests run away from the checkout")
    shown = site_tables.filled(block)

    assert shown.startswith("before\n")
    assert shown.endswith("\n\nafter\n")
    assert "Elsewhere" not in shown
    assert shown.count("\n| ") > 10


@pytest.mark.skipif(not HOOK.exists(), reason="the tests run away from the checkout")
def test_the_parts_between_the_marks_become_tabs_with_their_blocks() -> None:
    on_page_markdown = runpy.run_path(str(HOOK))["on_page_markdown"]
    page = "a\n\n<!-- tabs -->\n\n### A\n\n```py\n>>> f()\n```\n\n### B\n\nb\n\n<!-- end tabs -->\n\n### C\n"

    assert (
        'a\n\n=== "A"\n\n    ```pycon\n    >>> f()\n    ```\n\n=== "B"\n\n    b\n\n### C\n'
    ) == on_page_markdown(page)


def test_tabs_begin_and_end_and_have_headings_of_the_third_level() -> None:
    parts = re.compile(r"^<!-- (tabs|end tabs) -->$", re.MULTILINE)
    wrong = []
    for page in sorted(DOCS.rglob("*.md")):
        text = _FENCED.sub("", page.read_text(encoding="utf-8"))
        _, *rest = parts.split(text)
        marks, between = rest[::2], rest[1::4]
        paired = marks == ["tabs", "end tabs"] * (len(marks) // 2)
        starts = all(each.lstrip().startswith("### ") for each in between)
        if (
            not paired
            or not starts
            or any(re.search(r"^##? ", each, re.MULTILINE) for each in between)
        ):
            wrong.append(page.name)

    assert [] == wrong


@pytest.mark.skipif(not HOOK.exists(), reason="the tests run away from the checkout")
def test_a_picture_has_a_twin_for_dark_pages() -> None:
    on_page_markdown = runpy.run_path(str(HOOK))["on_page_markdown"]

    assert "![a](x/b-light.svg#only-light)\n![a](x/b-dark.svg#only-dark)\n![c](d.svg)\n" == (
        on_page_markdown("![a](x/b-light.svg)\n![c](d.svg)\n")
    )


@pytest.mark.skipif(not HOOK.exists(), reason="the tests run away from the checkout")
def test_a_long_table_is_closed() -> None:
    folded = runpy.run_path(str(HOOK))["folded"]
    short, long = ("| a |\n" + "| - |\n" + "| 1 |\n" * rows for rows in (5, 100))

    assert short == folded(short)
    assert folded(long).startswith('<details class="long-table" markdown="1"><summary>')
    assert f"Show 100 rows</summary>\n\n{long}\n</details>\n" in folded(long)
    assert f"## A\n\n{short}\n## B\n" == folded(f"## A\n\n{short}\n## B\n")
