"""What a visitor sees first: the pictures, the conversation, the search words, the texts for models."""

from __future__ import annotations

import io
import re
import runpy
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import typesig
from benchmarks import page_pictures
from tests.house.test_site import DOCS, ROOT, entries, settings

HOOKS = ROOT / ".ci"
SVG = "{http://www.w3.org/2000/svg}"

in_checkout = pytest.mark.skipif(not HOOKS.exists(), reason="the tests run away from the checkout")


@pytest.mark.parametrize(("name", "text"), [*page_pictures.pictures()], ids=lambda each: each[:20])
def test_a_picture_is_what_its_program_draws(name: str, text: str) -> None:
    saved = (page_pictures.FOLDER / name).read_text(encoding="utf-8")

    assert text == saved, "run python -m benchmarks.page_pictures"


@pytest.mark.parametrize("scheme", page_pictures.THEMES)
@pytest.mark.parametrize("name", page_pictures.DRAWN)
def test_the_text_of_a_picture_is_within_it_and_large_enough_for_a_phone(
    name: str, scheme: str
) -> None:
    root = ElementTree.fromstring(page_pictures.DRAWN[name](page_pictures.THEMES[scheme]))
    _, _, width, height = (float(n) for n in root.get("viewBox", "").split())
    texts = [*root.iter(f"{SVG}text")]

    assert width <= 390
    assert page_pictures.CODE_SIZE >= 12
    assert texts
    for text in texts:
        code = text.get("class") == "code"
        wide = len("".join(text.itertext())) * page_pictures.CODE_SIZE * 0.6 if code else 0
        assert float(text.get("x", "0")) + wide <= width
        assert float(text.get("y", "0")) <= height


def test_the_picture_of_a_call_has_what_typesig_writes() -> None:
    root = ElementTree.fromstring(page_pictures.draw_call(page_pictures.THEMES["light"]))
    shown = "".join("".join("".join(t.itertext()).split()) for t in root.iter(f"{SVG}text"))
    found = page_pictures.find_rooms

    for text in (found.prompt(), found.call('{"seats": 6}').text()):
        assert "".join(text.split()) in shown
    assert "did you mean seats?" in found.call('{"seat": 6}').text()


def test_the_signature_whose_parts_are_explained_is_one() -> None:
    text = page_pictures.anatomy()

    assert f"Signature({text!r})" == repr(typesig.parse(text))


def test_the_graph_is_that_of_the_tools_on_the_page_about_links() -> None:
    page = (DOCS / "how-to" / "chains.md").read_text(encoding="utf-8")

    for signature in page_pictures.GRAPH_TOOLS.values():
        assert f'@tool("{signature}")' in page


def test_a_page_shows_what_a_program_prints() -> None:
    place = re.compile(
        r"^<!-- printed by: ([\w.]+) -->\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL
    )
    found = [each for page in DOCS.rglob("*.md") for each in place.findall(page.read_text("utf-8"))]

    assert found
    for module, text in found:
        with redirect_stdout(io.StringIO()) as printed:
            import_module(module).demo()
        assert text == printed.getvalue()


def test_readme_begins_with_a_sentence_the_installation_and_the_picture() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    top = text.partition("\n## ")[0]

    assert "pip install typesig\n" in top
    for scheme in page_pictures.THEMES:
        assert f"docs/assets/pictures/call-{scheme}.svg" in top
    assert (ROOT / "docs" / "assets" / "logo.svg").exists()


def test_the_pages_that_a_search_shows_first_are_there() -> None:
    keywords: dict[str, list[str]] = settings()["extra"]["keywords"]
    words = [word for each in keywords.values() for word in each]

    assert [] == [page for page in keywords if not (DOCS / page).exists()]
    assert len(words) == len(set(words))


def test_the_site_has_four_tabs() -> None:
    tabs = [name for entry in settings()["nav"] for name in entry]

    assert ["Learn", "How-to", "Reference", "Explanation"] == tabs


@in_checkout
def test_the_button_beside_a_session_copies_its_code_alone() -> None:
    hook = runpy.run_path(str(HOOKS / "site.py"))
    html = (
        '<div class="language-pycon highlight"><pre><span class="gp">&gt;&gt;&gt; </span>'
        'f(<span>"a"</span>,\n<span class="gp">... </span>  1)\n2\n&gt;&gt;&gt; x\n</pre></div>'
        '<div class="language-python highlight"><pre>&gt;&gt;&gt; y</pre></div>'
    )
    shown = hook["on_page_content"](html)

    assert 'data-copy="f(&quot;a&quot;,&#10;  1)&#10;x"><pre>' in shown
    assert 1 == shown.count("data-copy")
    assert html == re.sub(r' data-copy="[^"]*"', "", shown)


@in_checkout
@pytest.mark.parametrize(
    ("environment", "url"),
    [
        ({}, ""),
        ({"GITHUB_SERVER_URL": "https://g", "GITHUB_REPOSITORY": "a/b"}, "https://g/a/b"),
        ({"GITHUB_REPOSITORY": "a/b", "TYPESIG_REPOSITORY": "https://h/c"}, "https://h/c"),
    ],
)
def test_the_link_to_the_repository_is_configured(environment: dict[str, str], url: str) -> None:
    hook = runpy.run_path(str(HOOKS / "site.py"))

    assert url == hook["repository_url"](environment)


@in_checkout
def test_the_texts_for_models_have_every_page_of_the_route(tmp_path: Path) -> None:
    hook = runpy.run_path(str(HOOKS / "llms.py"))
    read: dict[str, Any] = settings()
    hook["write_texts"](read["nav"], "typesig", "about", DOCS, tmp_path)
    short = (tmp_path / "llms.txt").read_text(encoding="utf-8")
    full = (tmp_path / "llms-full.txt").read_text(encoding="utf-8")

    for page in entries(read["nav"]):
        if page == "playground.md":
            continue
        text = (tmp_path / page).read_text(encoding="utf-8")
        assert text.startswith("# "), page
        assert f"]({page}): " in short, page
        assert text in full, page
    assert short.startswith("# typesig\n\n> about\n")
    assert not re.search(r"^- .*: $", short, re.MULTILINE)
    assert "<div" not in full
