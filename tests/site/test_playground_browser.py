"""The playground in a real browser, on the site as it was built.

Each context of the browser refuses what is not of the site, and a test fails if
something was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.site.conftest import BROWSER, SITE

if not (SITE and BROWSER):
    pytest.skip("no site was built, or there is no browser", allow_module_level=True)

sync_api = pytest.importorskip("playwright.sync_api")
expect = sync_api.expect

pytestmark = pytest.mark.needs_process

#: Milliseconds in which Python has started, on a machine that does other things, too.
STARTED = 90_000

DESKTOP = {"width": 1400, "height": 1000}

LOOP = "while True:\n    pass\n\n\ndef f(n: int) -> int: ...\n"


@pytest.fixture(scope="module")
def make_page(browser: Any, origin: str) -> Iterator[Callable[..., Any]]:
    """Return a function that opens the playground in a context of its own."""
    contexts: list[Any] = []
    elsewhere: list[str] = []
    faults: list[str] = []

    def watch(route: Any) -> None:
        if route.request.url.startswith((origin, "blob:", "data:")):
            route.continue_()
        else:
            elsewhere.append(route.request.url)
            route.abort()

    def make(fragment: str = "", starts: bool = True, **options: Any) -> Any:
        context = browser.new_context(**options)
        contexts.append(context)
        context.route("**/*", watch)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(f"{origin}playground/{fragment}")
        if starts:
            expect(page.locator("#pg-version")).to_contain_text("Python 3.14", timeout=STARTED)
        return page

    yield make
    for context in contexts:
        context.close()

    assert [] == elsewhere
    assert [] == faults


@pytest.fixture(scope="module")
def shared_page(make_page: Callable[..., Any]) -> Any:
    return make_page(viewport=DESKTOP)


@pytest.fixture
def page(shared_page: Any) -> Any:
    """Return the page that tests share, with the first example in it."""
    for title in ("A signature", "A function"):
        shared_page.locator("#pg-example").select_option(title)
    expect(shared_page.locator("#pg-contract")).to_contain_text("seats", timeout=STARTED)
    shared_page.locator("#pg-tab-signature").click()
    return shared_page


def put(page: Any, source: str, sent: str = "") -> None:
    page.locator("#pg-source").fill(source)
    page.locator("#pg-sent").fill(sent)


def text_of(page: Any, name: str) -> str:
    """Return the text of the editor called *name*."""
    return "\n".join(page.locator(f"#pg-{name} .cm-line").all_text_contents())


def link_of(page: Any) -> str:
    """Return the fragment of the link that the page makes."""
    page.locator("#pg-copy").click()
    expect(page.locator("#pg-shared")).to_be_visible()
    return "#" + str(page.locator("#pg-link").input_value()).partition("#")[2]


def follow(page: Any, fragment: str) -> None:
    """Have the page open a link."""
    page.evaluate("fragment => { location.hash = fragment }", fragment)


def test_the_first_example_shows_at_once_what_to_correct(page: Any) -> None:
    expect(page.locator("#pg-contract")).to_have_text(
        '(seats :int "how many people come",'
        ' floor :int? "where to look; everywhere if it is left out") -> [:string]'
    )
    expect(page.locator("#pg-outcome")).to_contain_text('seats: expected int, got string "six"')
    expect(page.locator("#pg-outcome")).to_contain_text("did you mean floor?")


def test_each_tab_shows_its_view(page: Any) -> None:
    page.locator("#pg-tab-notations").click()
    for title in ("Shorthand", "Compact", "Malli, as EDN", "JSON Schema", "gram", "TypeScript"):
        expect(page.locator("#pg-notations h3", has_text=title).first).to_be_visible()
    page.locator("#pg-tab-definitions").click()
    for title in ("OpenAI chat, strict", "Anthropic messages", "Gemini", "MCP", "xAI"):
        expect(page.locator("#pg-definitions h3", has_text=title).first).to_be_visible()
    expect(page.locator("#pg-definitions")).to_contain_text("an optional field")
    page.locator("#pg-tab-tokens").click()

    expect(page.locator("#pg-tokens tbody tr")).to_have_count(15)
    expect(page.locator("#pg-notations")).to_be_hidden()


def test_a_view_that_is_open_follows_what_is_typed(page: Any) -> None:
    page.locator("#pg-tab-notations").click()
    expect(page.locator("#pg-notations")).to_contain_text("seats")
    put(page, "(guests :int) -> :bool")

    expect(page.locator("#pg-notations")).to_contain_text("guests")
    expect(page.locator("#pg-notations")).not_to_contain_text("seats")


def test_each_example_is_read(page: Any) -> None:
    titles = page.locator("#pg-example option").all_inner_texts()
    for title in titles:
        page.locator("#pg-example").select_option(title)
        chosen = page.locator("#pg-verdict")
        expect(chosen).to_be_visible(timeout=STARTED)
        expect(page.locator("#pg-problem")).to_be_hidden()

    assert len(titles) >= 5


def test_a_pydantic_model_is_read_to_an_object(page: Any) -> None:
    page.locator("#pg-example").select_option("A pydantic model")

    expect(page.locator("#pg-outcome")).to_contain_text("Booking(room='Birch'", timeout=STARTED)


def test_a_wrong_input_has_its_feedback_as_one_types(page: Any) -> None:
    page.locator("#pg-sent").fill("")
    page.locator("#pg-sent").press_sequentially('{"seats": "a few"}')

    expect(page.locator("#pg-verdict")).to_have_text("It does not fit")
    expect(page.locator("#pg-feedback")).to_contain_text('// expected int, got string "a few"')


def test_a_mistake_in_what_is_pasted_has_its_place(page: Any) -> None:
    put(page, "(a :itn) -> :int")

    expect(page.locator("#pg-problem")).to_contain_text(
        'there is no type ":itn"; did you mean :int?'
    )
    expect(page.locator("#pg-contract")).to_have_count(0)


def test_the_function_is_called_if_that_is_asked_for(page: Any) -> None:
    page.locator("#pg-sent").fill('{"seats": 6}')
    page.locator("#pg-call").check()

    expect(page.locator("#pg-outcome")).to_contain_text('["Birch"]')
    page.locator("#pg-call").uncheck()


def test_each_mistake_is_underlined_at_its_place_with_its_message(page: Any) -> None:
    sent = page.locator("#pg-sent .cm-lintRange-error")
    expect(sent).to_have_text(['"six"', '"flor"'])
    sent.first.hover()
    expect(page.locator(".cm-tooltip")).to_contain_text('seats: expected int, got string "six"')
    page.mouse.move(0, 0)
    put(page, "(a :int,\n b :itn) -> :int")
    expect(page.locator("#pg-source .cm-lintRange-error")).to_have_text([":itn"])
    expect(sent).to_have_count(0)
    put(page, "(a :int) -> :int", '{"a": "1"}')
    expect(page.locator("#pg-sent .cm-lintRange-warning")).to_have_text(['"1"'])
    expect(page.locator("#pg-source .cm-lintRange")).to_have_count(0)


def test_a_mistake_in_python_is_underlined_in_its_line(page: Any) -> None:
    put(page, "def f(n: int): ...\nimport numpy\n")
    expect(page.locator("#pg-source .cm-lintRange-error")).to_have_text(["import numpy"])
    expect(page.locator("#pg-problem")).to_contain_text("This page has the standard library")


@pytest.mark.parametrize(
    ("title", "word"),
    [
        ("A function", "def"),
        ("A JSON Schema", '"type"'),
        ("A signature", ":int"),
        ("Malli", ":map"),
    ],
)
def test_the_words_of_each_language_have_colours(page: Any, title: str, word: str) -> None:
    page.locator("#pg-example").select_option(title)
    expect(page.locator("#pg-verdict")).to_be_visible(timeout=STARTED)
    found = page.locator("#pg-source .cm-line span").get_by_text(word, exact=True).first
    expect(found).to_be_visible()
    colour, plain = (
        each.evaluate("each => getComputedStyle(each).color")
        for each in (found, page.locator("#pg-source"))
    )

    assert plain != colour


def test_the_page_works_without_the_editor(make_page: Callable[..., Any], origin: str) -> None:
    page = make_page(starts=False)
    page.route("**/parts/editor.js", lambda route: route.abort())
    page.goto(f"{origin}playground/?plain")
    expect(page.locator("#pg-contract")).to_contain_text("seats", timeout=STARTED)
    page.locator("textarea#pg-sent").fill('{"seats": 6}')

    expect(page.locator("#pg-value")).to_contain_text('"seats": 6')


def test_the_licences_of_the_editor_are_in_the_site(page: Any, origin: str) -> None:
    answer = page.request.get(f"{origin}assets/playground/parts/editor.LICENSES.txt")

    assert answer.ok
    for name in ("@codemirror/view", "@lezer/python", "style-mod"):
        assert f"{name} " in answer.text()


def test_text_of_others_is_never_markup(page: Any) -> None:
    put(page, '(a :string "<img src=x onerror=alert(1)>") -> :int', '{"a": "<b>x</b>", "<i>": 1}')

    expect(page.locator("#pg-contract")).to_contain_text("<img src=x")
    expect(page.locator("#pg-outcome")).to_contain_text("<b>x</b>")
    assert 0 == page.locator("#pg img, #pg pre b, #pg i").count()


def test_pasted_code_reaches_no_other_origin(page: Any) -> None:
    # Another port is another origin; the fixture fails if something is asked for.
    source = (
        "from js import XMLHttpRequest\nsent = XMLHttpRequest.new()\n"
        "sent.open('GET', 'http://127.0.0.1:9/secret', False)\nsent.send()\n"
    )
    put(page, source)

    expect(page.locator("#pg-problem")).to_contain_text("NetworkError")


def test_a_link_restores_what_was_shared(page: Any, make_page: Callable[..., Any]) -> None:
    put(page, "(id :int, tags [:string] = []) -> :bool", "{id: 4,}")
    expect(page.locator("#pg-contract")).to_contain_text("tags")
    page.locator("#pg-mode").select_option("lenient")
    page.locator("#pg-form").select_option("gemini parameters")
    restored = make_page(link_of(page))

    expect(restored.locator("#pg-contract")).to_contain_text("tags", timeout=STARTED)
    assert "(id :int, tags [:string] = []) -> :bool" == text_of(restored, "source")
    assert "{id: 4,}" == text_of(restored, "sent")
    expect(restored.locator("#pg-mode")).to_have_value("lenient")
    expect(restored.locator("#pg-form")).to_have_value("gemini parameters")
    expect(restored.locator("#pg-value")).to_contain_text('"id": 4')
    expect(restored.locator("#pg-made")).to_be_hidden()


def test_python_of_a_link_runs_when_its_reader_says_so(page: Any) -> None:
    put(page, "print('it ran')\ndef g(n: int) -> int: ...", '{"n": "4"}')
    expect(page.locator("#pg-signature")).to_contain_text("it ran")
    fragment = link_of(page)
    put(page, "(other :int) -> :int")
    expect(page.locator("#pg-contract")).to_contain_text("other")
    follow(page, "#")
    follow(page, fragment)

    expect(page.locator("#pg-ask")).to_be_visible()
    expect(page.locator("#pg-contract")).to_have_count(0)
    page.locator("#pg-run").click()
    expect(page.locator("#pg-signature")).to_contain_text("it ran")
    expect(page.locator("#pg-value")).to_contain_text('"n": 4')
    expect(page.locator("#pg-ask")).to_be_hidden()


def test_a_text_that_is_too_long_for_a_link_says_so(page: Any) -> None:
    noise = "".join(f"{number * 7919 % 99991:05}" for number in range(9_000))
    put(page, f'(a :string "{noise}") -> :int')
    page.locator("#pg-copy").click()

    expect(page.locator("#pg-status")).to_contain_text("this is too long for a link: it would have")


@pytest.mark.parametrize("fragment", ["#v1=AAAA", "#v1=%%%", "#v1=", f"#v1={'A' * 13_000}"])
def test_a_damaged_link_says_so_and_the_page_works(page: Any, fragment: str) -> None:
    follow(page, fragment)

    expect(page.locator("#pg-status")).to_contain_text("This link cannot be read")
    put(page, "(again :int) -> :int")
    expect(page.locator("#pg-contract")).to_contain_text("again")


def test_a_link_of_another_version_says_so(page: Any) -> None:
    fragment = page.evaluate(
        """async () => {
          const { toFragment } = await import(document.querySelector("script[src*=page]").src
            .replace("page.js", "link.js"));
          return toFragment({ kind: "guess", source: "(old :int) -> :int", version: "0.0.1" });
        }"""
    )
    follow(page, fragment)

    expect(page.locator("#pg-made")).to_contain_text("made with typesig 0.0.1")
    expect(page.locator("#pg-contract")).to_contain_text("old")


def test_the_page_is_used_with_the_keyboard_alone(page: Any) -> None:
    page.locator("#pg-example").focus()
    for name in ("pg-copy", "pg-kind", "pg-source", "pg-tab-signature", "pg-signature"):
        page.keyboard.press("Tab")

        assert name == page.evaluate("document.activeElement.id")
    page.keyboard.press("Shift+Tab")
    for key, name in [
        ("ArrowRight", "notations"),
        ("ArrowRight", "definitions"),
        ("End", "tokens"),
        ("ArrowRight", "signature"),
        ("ArrowLeft", "tokens"),
        ("Home", "signature"),
    ]:
        page.keyboard.press(key)

        assert f"pg-tab-{name}" == page.evaluate("document.activeElement.id")
        expect(page.locator(f"#pg-tab-{name}")).to_have_attribute("aria-selected", "true")
        expect(page.locator(f"#pg-{name}")).to_be_visible()
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")

    assert "solid" == outline
    for _ in range(5):
        page.keyboard.press("Tab")
        if "pg-sent" == page.evaluate("document.activeElement.id"):
            break
    page.keyboard.press("Control+a")
    page.keyboard.type('{"seats": "x"}')
    expect(page.locator("#pg-feedback")).to_contain_text('got string "x"')


def test_an_endless_loop_is_stopped_and_the_page_goes_on(page: Any) -> None:
    put(page, LOOP)
    expect(page.locator("#pg-problem")).to_contain_text(
        "It took more than 10 seconds, so it was stopped.", timeout=30_000
    )
    put(page, "(n :int) -> :int", '{"n": "1"}')

    expect(page.locator("#pg-value")).to_contain_text('"n": 1', timeout=STARTED)
    expect(page.locator("#pg-problem")).to_be_hidden()


def test_what_ends_python_itself_is_told_and_the_page_goes_on(page: Any) -> None:
    put(page, "x = " + "-" * 50_000 + "1")
    expect(page.locator("#pg-problem")).to_contain_text("Stopped", timeout=30_000)
    put(page, "(n :int) -> :int")

    expect(page.locator("#pg-contract")).to_contain_text("n :int", timeout=STARTED)


def test_a_loaded_page_needs_no_network(page: Any) -> None:
    page.context.set_offline(True)
    put(page, "(offline :int) -> :int", '{"offline": "1"}')

    expect(page.locator("#pg-value")).to_contain_text('"offline": 1')
    page.context.set_offline(False)


def test_a_narrow_screen_shows_all_below_each_other(page: Any) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    for name in ("notations", "definitions", "tokens", "signature"):
        page.locator(f"#pg-tab-{name}").click()
        expect(page.locator(f"#pg-{name} >> css=h3, table").first).to_be_visible()

        assert 360 == page.evaluate("document.documentElement.scrollWidth")
    places = [
        page.locator(f"#pg-{name}").bounding_box()
        for name in ("source", "signature", "sent", "outcome")
    ]
    tops = [place["y"] for place in places]

    page.set_viewport_size(DESKTOP)

    assert tops == sorted(tops)
    assert all(place["x"] >= 0 and place["x"] + place["width"] <= 360 for place in places)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_has_the_colours_of_the_theme(make_page: Callable[..., Any], scheme: str) -> None:
    page = make_page(color_scheme=scheme, starts=False)
    expect(page.locator("#pg-source.cm-content")).to_be_visible()
    colours = page.evaluate(
        """() => {
          const shown = getComputedStyle(document.querySelector(".pg .cm-editor"));
          const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map(Number)
            .reduce((a, b) => a + b) / 3;
          return [light(shown.backgroundColor), light(shown.color)];
        }"""
    )

    assert (scheme == "light") == (colours[0] > 200)
    assert abs(colours[0] - colours[1]) > 100
