"""Draws the pictures of README and docs, whose texts are those that typesig writes.

    python -m benchmarks.page_pictures

writes each picture twice into `docs/assets/pictures`, for light and for dark pages.  A picture is
380 units wide, the width of a phone, so that its text is read there without zooming.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from typesig import tool
from typesig.contracts.chains.graph import find_clusters
from typesig.contracts.chains.link_finder import make_chain
from typesig.contracts.chains.svg import draw_svg

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "assets" / "pictures"

WIDTH, MARGIN, PADDING = 380, 8, 10
#: Characters of code in a line: a character of the fonts below is 0.6 of their size wide.
COLUMNS = 45
CODE_SIZE, LINE = 12.6, 18
SANS = "system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif"
MONO = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"


class Theme(NamedTuple):
    """The colours of a picture on one kind of page."""

    panel: str
    edge: str
    ink: str
    soft: str
    text: str
    name: str
    good: str
    bad: str
    accent: str


THEMES = {
    "light": Theme(
        "#f6f8fa", "#d0d7de", "#1f2328", "#59636e", "#0a3069", "#6639ba", "#116329", "#b3261e",
        "#3f51b5",
    ),
    "dark": Theme(
        "#161b22", "#343b45", "#e6edf3", "#9aa4af", "#a5d6ff", "#d2a8ff", "#7ee787", "#ff9a94",
        "#8c9eff",
    ),
}  # fmt: skip

# Comments, texts, types of a signature, and the words of Python and of signatures.
_WORD = re.compile(
    r'(?P<bad>//.*|^Tool validation errors:)|(?P<text>"""|"[^"]*")|(?P<name>(?<![\w"]):\w+\??)'
    r"|(?P<accent>\b(?:def|return)\b|@\w+|->)"
)


class Panel(NamedTuple):
    """A box of code below a caption.

    #: kind: the name of the colour of its number, of `Theme`
    """

    caption: str
    code: str
    kind: str = "accent"


@tool
def find_rooms(seats: int) -> list[str]:
    """Find rooms with enough seats."""
    return ["Birch"] if seats > 4 else ["Aspen"]


def panels_of_a_call() -> list[Panel]:
    """A function, its contract, a wrong call, the answer to it, and the corrected call."""
    source = "\n".join(inspect.getsource(find_rooms).splitlines()[:3])
    wrong, right = '{"seat": 6}', '{"seats": 6}'
    refused, done = find_rooms.call(wrong), find_rooms.call(right)
    assert not refused.ok
    assert done.ok
    return [
        Panel("You write a function", source),
        Panel("The model reads its contract", find_rooms.prompt()),
        Panel("The model makes a mistake", wrong, "bad"),
        Panel("typesig answers with feedback", refused.text(), "bad"),
        Panel("The model corrects the call", f"{right}\n-> {done.text()}", "good"),
    ]


def wrapped(line: str) -> list[str]:
    """Break *line* before a parenthesis or at a blank; the rest starts below its comment."""
    if len(line) <= COLUMNS:
        return [line]
    indent = line.find("//")
    indent = indent + 3 if indent >= 0 else len(line) - len(line.lstrip()) + 4
    cut = line.rfind(" (", indent, COLUMNS + 1)
    if cut <= indent:
        cut = line.rfind(" ", indent, COLUMNS + 1)
    if cut <= indent:
        return [line[:COLUMNS], *wrapped(" " * 4 + line[COLUMNS:])]
    mark = "// " if "//" in line[:cut] else ""
    rest = line[cut + 1 :]
    return [line[:cut], *wrapped(" " * (indent - len(mark)) + mark + rest)]


def spans(line: str, theme: Theme) -> str:
    """Text of *line* with the colours of its words."""
    out, last = [], 0
    for found in _WORD.finditer(line):
        colour = getattr(theme, found.lastgroup or "ink")
        out.append(escape(line[last : found.start()], quote=False))
        out.append(f'<tspan fill="{colour}">{escape(found[0], quote=False)}</tspan>')
        last = found.end()
    return "".join([*out, escape(line[last:], quote=False)])


def label(x: float, y: float, words: str, style: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" {style}>{escape(words, quote=False)}</text>'


def code(x: float, y: float, line: str, theme: Theme) -> str:
    """A line of code, whose blanks are kept."""
    return (
        f'<text x="{x:g}" y="{y:g}" class="code" xml:space="preserve" fill="{theme.ink}">'
        f"{spans(line, theme)}</text>"
    )


def box(x: float, y: float, width: float, height: float, theme: Theme, edge: str = "") -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="8" '
        f'fill="{theme.panel}" stroke="{edge or theme.edge}"/>'
    )


def document(title: str, height: float, parts: Sequence[str]) -> str:
    """The file; *title* is read out for the picture."""
    style = (
        f"text{{font-family:{SANS};font-size:13px}}.code{{font-family:{MONO};"
        f"font-size:{CODE_SIZE}px;white-space:pre}}.head{{font-weight:600;font-size:13.5px}}.small{{font-size:12px}}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" '
        f'width="{WIDTH}" height="{height:g}" role="img" aria-label="{escape(title)}">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n"
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def draw_call(theme: Theme) -> str:
    """The panels of a call, one below the other."""
    parts, y = [], float(MARGIN)
    for number, panel in enumerate(panels_of_a_call(), 1):
        colour = getattr(theme, panel.kind)
        lines = [each for line in panel.code.splitlines() for each in wrapped(line)]
        parts += [
            f'<circle cx="{MARGIN + 10}" cy="{y + 11:g}" r="10" fill="none" stroke="{colour}"/>',
            label(MARGIN + 10, y + 15.5, str(number), f'text-anchor="middle" fill="{colour}"'),
            label(MARGIN + 28, y + 16, panel.caption, f'class="head" fill="{theme.ink}"'),
        ]
        height = len(lines) * LINE + 2 * PADDING - 4
        parts.append(box(MARGIN, y + 28, WIDTH - 2 * MARGIN, height, theme))
        for place, line in enumerate(lines):
            base = y + 28 + PADDING + 11 + place * LINE
            parts.append(code(MARGIN + PADDING, base, line, theme))
        y += 28 + height + 14
    return document(
        "A function, the contract that a model reads, a call with a mistake, the feedback on it, "
        "and the corrected call",
        y - 14 + MARGIN,
        parts,
    )


#: The parts of a signature as they stand one after the other, and what each is.
ANATOMY = (
    ("find_rooms(", "the name of the tool"),
    ("seats :int[1..40]", "a type, with bounds"),
    (' "number of people", ', "a description for the model"),
    ("floor :int?, ", "may be omitted, or null"),
    ("limit :int = 10", "may be omitted: it has a default"),
    (") -> [", "the result: a list"),
    ("{name :string, ", "of records, each with a name"),
    ('size :enum["S" "L"]', "one of these values"),
    ("}]", ""),
)
#: How far the lines of the anatomy are indented.
INDENTS = (0, 2, 4, 2, 2, 0, 2, 3, 0)


def anatomy() -> str:
    """Text of the signature whose parts are explained."""
    return "".join(part for part, _ in ANATOMY).removeprefix("find_rooms")


def draw_anatomy(theme: Theme) -> str:
    """A signature, a line for each part, with a label below the part."""
    parts, y = [], MARGIN + 8.0
    high = sum(20 if note else 24 for _, note in ANATOMY) + 19 * sum(bool(n) for _, n in ANATOMY)
    parts.append(box(MARGIN, MARGIN, WIDTH - 2 * MARGIN, high + 8, theme))
    for (part, note), indent in zip(ANATOMY, INDENTS, strict=True):
        x = MARGIN + PADDING + indent * CODE_SIZE * 0.6
        y += 20
        parts.append(code(x, y - 4, part.strip(), theme))
        if note:
            y += 19
            parts.append(label(x + 14, y - 5, f"↑ {note}", f'fill="{theme.soft}"'))
    return document(f"The parts of the signature {anatomy()}", MARGIN * 2 + high + 8, parts)


class Step(NamedTuple):
    """A step of a call.

    #: title: what happens; note: in which words; fails: what the model gets if it does not succeed
    """

    title: str
    note: str
    fails: str = ""


FLOW = (
    Step("The model sends a call", '{"seats": "6"}'),
    Step("Find the JSON and repair it", "fences, quotes, commas", "not JSON: where it breaks"),
    Step("Check the arguments", '"6" becomes 6', "errors, each at its value"),
    Step("Apply governance", "permission, approval, limits", "the reason of the refusal"),
    Step("Run your function", "with injected arguments", "the text of a ToolError"),
    Step("Check the result", "strictly: nothing is coerced", "the tool ran, its result is bad"),
    Step("Write the text for the model", "without hidden fields"),
)


def draw_flow(theme: Theme) -> str:
    """The steps of a call, and what the model gets when a step fails."""
    parts: list[str] = []
    wide, high, gap = 232, 46, 22
    for number, step in enumerate(FLOW):
        y = MARGIN + number * (high + gap)
        edge = theme.good if number in (0, len(FLOW) - 1) else ""
        middle = MARGIN + wide / 2
        parts += [
            box(MARGIN, y, wide, high, theme, edge),
            label(MARGIN + PADDING, y + 19, step.title, f'class="head" fill="{theme.ink}"'),
            label(MARGIN + PADDING, y + 37, step.note, f'fill="{theme.soft}"'),
        ]
        if number + 1 < len(FLOW):
            parts.append(arrow(middle, y + high, middle, y + high + gap, theme.soft))
        if step.fails:
            right = MARGIN + wide
            parts.append(arrow(right, y + high / 2, right + 14, y + high / 2, theme.bad))
            for place, line in enumerate(in_two(step.fails)):
                at = y + high / 2 - 4 + place * 16
                parts.append(label(right + 18, at, line, f'class="small" fill="{theme.bad}"'))
    end = MARGIN * 2 + len(FLOW) * (high + gap) - gap
    return document("The steps of a call, and what the model reads if one fails", end, parts)


def in_two(words: str) -> tuple[str, str]:
    """*words* on two lines of about the same length."""
    spaces = [place for place, character in enumerate(words) if character == " "]
    middle = min(spaces, key=lambda place: abs(place - len(words) / 2))
    return words[:middle], words[middle + 1 :]


def arrow(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    """A line with a head at its end, to the right or downwards."""
    head = (
        f"{x2},{y2} {x2 - 4.5},{y2 - 7} {x2 + 4.5},{y2 - 7}"
        if x1 == x2
        else f"{x2},{y2} {x2 - 7},{y2 - 4.5} {x2 - 7},{y2 + 4.5}"
    )
    return (
        f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{colour}"/>'
        f'<polygon points="{head}" fill="{colour}"/>'
    )


#: The tools of `docs/how-to/chains.md`.
GRAPH_TOOLS = {
    "search_orders": "(query :string) -> [{id :int, customer_id :int}]",
    "get_order": "(id :int) -> {id :int, total :float, customer {id :int, email :string[email]}}",
    "get_customer": (
        "(customer_id :int) -> {id :int, address {street :string, city :string}?}"
    ),
    "send_mail": "(email :string[email], text :string) -> :bool",
    "ship": "(order_id :int, address {street :string, city :string}) -> :nil",
}  # fmt: skip

DRAWN: dict[str, Callable[[Theme], str]] = {
    "call": draw_call,
    "anatomy": draw_anatomy,
    "flow": draw_flow,
}


def graph() -> str:
    """The picture that `typesig graph` draws; it has the colours of both kinds of pages."""
    tools = [
        tool(signature, name=name)(lambda **_: None) for name, signature in GRAPH_TOOLS.items()
    ]
    return draw_svg(make_chain(tools), find_clusters(tools, "name"))


def pictures() -> Iterator[tuple[str, str]]:
    """Yield the file name and the text of each picture."""
    yield "graph.svg", graph()
    for name, draw in DRAWN.items():
        for scheme, theme in THEMES.items():
            yield f"{name}-{scheme}.svg", draw(theme)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in pictures():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
