"""The pages in a real browser: search, buttons that copy, tabs, and pictures for light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.site.conftest import BROWSER, SITE

if not (SITE and BROWSER):
    pytest.skip("no site was built, or there is no browser", allow_module_level=True)

sync_api = pytest.importorskip("playwright.sync_api")
expect = sync_api.expect

pytestmark = pytest.mark.needs_process

#: What people search for, and the page that they see first.
SEARCHES = [
    ("refusal", "how-to/repair/"),
    ("retry", "how-to/repair/"),
    ("timeout", "how-to/govern-calls/"),
    ("time-out", "how-to/govern-calls/"),
    ("approval", "how-to/govern-calls/"),
    ("secret", "how-to/inject-and-hide/"),
    ("structured output", "how-to/providers/"),
    ("benchmark", "reference/speed/"),
]


@pytest.fixture
def page(browser: Any, origin: str) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=origin)
    page = context.new_page()
    page.goto(origin)
    yield page
    context.close()


@pytest.mark.parametrize(("words", "target"), SEARCHES)
def test_a_search_shows_the_right_page_first(
    page: Any, origin: str, words: str, target: str
) -> None:
    page.locator(".md-search__input").fill(words)
    first = page.locator(".md-search-result__link").first
    expect(first).to_be_visible(timeout=30_000)

    assert first.get_attribute("href").partition("?")[0].partition("#")[0].endswith(target)


def test_a_button_copies_the_code_of_a_session(page: Any, origin: str) -> None:
    block = page.locator("div.language-pycon").nth(1)
    block.hover()
    block.locator("[data-clipboard-target]").click()
    page.wait_for_timeout(300)

    assert page.evaluate("navigator.clipboard.readText()").splitlines() == [
        """out = find_rooms.call('{"seats": "6"}')""",
        "out.value, [str(warning) for warning in out.warnings]",
    ]


@pytest.mark.parametrize(("scheme", "file"), [("light", "call-light"), ("dark", "call-dark")])
def test_the_picture_has_the_colours_of_the_page(page: Any, scheme: str, file: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.evaluate("localStorage.clear()")  # where the theme keeps the colours of the first visit
    page.reload()

    expect(page.locator(".hero-picture img:visible")).to_have_count(1)
    expect(page.locator(".hero-picture img:visible")).to_have_attribute(
        "src", f"assets/pictures/{file}.svg#only-{scheme}"
    )


def test_nothing_is_wider_than_a_phone(page: Any) -> None:
    page.set_viewport_size({"width": 360, "height": 740})

    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_definitions_of_one_vendor_can_be_chosen(page: Any, origin: str) -> None:
    page.goto(f"{origin}playground/")
    page.evaluate(
        """async () => {
          const { showDefinitions } = await import("../assets/playground/showing.js");
          const place = document.createElement("div");
          place.id = "here";
          document.querySelector(".pg").append(place);
          window.show = () => showDefinitions(place, { rows: [
            { title: "OpenAI", text: "a" }, { title: "Gemini", text: "b" }] });
          window.show();
        }"""
    )
    expect(page.locator("#here section:visible")).to_have_count(2)
    page.locator("#here select").select_option("Gemini")
    expect(page.locator("#here section:visible")).to_have_text(["Geminib"])
    page.evaluate("window.show()")
    expect(page.locator("#here section:visible")).to_have_count(1)
