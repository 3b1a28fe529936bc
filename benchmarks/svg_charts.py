"""Charts as SVG, written by hand: points on a ratio axis, bars, and lines on two log axes.

Text stays text; colours follow the reader's scheme, light or dark, and every series also has a
mark of its own shape, so that colours need not be told apart.  A chart has its own background, for
pages whose colours are not those of the system.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape

WIDTH = 760
LEFT, RIGHT, TOP, STEP = 180, 24, 56, 30
#: The colours of series on a light and on a dark background.
COLOURS = (
    ("#c2410c", "#fb923c"),
    ("#1d4ed8", "#7ab0ff"),
    ("#047857", "#4ade9b"),
    ("#a21caf", "#f09bf5"),
    ("#4d7c0f", "#b6e04a"),
    ("#57534e", "#c9c4bf"),
    ("#0e7490", "#5ad1ea"),
    ("#9f1239", "#ff9aae"),
)
FONT = "font-family: system-ui, -apple-system, 'Segoe UI', sans-serif; font-size: 13px"


def style() -> str:
    """Return the rules of style of each chart."""

    def scheme(which: int, back: str, ink: str, soft: str, grid: str) -> str:
        series = "".join(
            f".s{n}{{fill:{pair[which]};stroke:{pair[which]}}}" for n, pair in enumerate(COLOURS)
        )
        return (
            f".back{{fill:{back}}}text{{fill:{ink}}}.soft{{fill:{soft}}}"
            f".grid{{stroke:{grid}}}.one{{stroke:{ink}}}.line{{fill:none}}{series}"
        )

    light = scheme(0, "#ffffff", "#1f2328", "#59636e", "#d8dde3")
    dark = scheme(1, "#0d1117", "#f0f6fc", "#9aa4af", "#343b45")
    # `.line` comes after the series, which fill.
    return (
        f"text{{{FONT}}}.title{{font-weight:600;font-size:15px}}{light}"
        f"@media (prefers-color-scheme:dark){{{dark}}}.line{{fill:none}}"
    )


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    """Return a line of text; *words* are escaped."""
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{named}>{escape(words)}</text>'


def rule(x1: float, y1: float, x2: float, y2: float, kind: str = "grid") -> str:
    """Return a straight line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def mark(place: int, x: float, y: float) -> str:
    """Return the mark of the series at *place*: a circle, or a shape with corners."""
    kind = f's{place % len(COLOURS)}"'
    if place % 6 == 0:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" class="{kind}/>'
    corners = {
        1: ((-4.5, -4.5), (4.5, -4.5), (4.5, 4.5), (-4.5, 4.5)),
        2: ((0, -6), (6, 0), (0, 6), (-6, 0)),
        3: ((0, -6), (5.5, 4.5), (-5.5, 4.5)),
        4: ((0, 6), (5.5, -4.5), (-5.5, -4.5)),
        5: ((-2.5, -6), (2.5, -6), (6, 0), (2.5, 6), (-2.5, 6), (-6, 0)),
    }[place % 6]
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    return f'<polygon points="{points}" class="{kind}/>'


def document(height: float, title: str, parts: Iterable[str]) -> str:
    """Return the whole file; *title* is what is read out for the chart."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" '
        f'width="{WIDTH}" height="{height:.0f}" role="img" aria-label="{escape(title)}">\n'
        f"<title>{escape(title)}</title>\n<style>{style()}</style>\n"
        f'<rect width="100%" height="100%" rx="6" class="back"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def legend(names: Sequence[str], y: float) -> tuple[list[str], float]:
    """Return the names of the series with their marks, and the height that they take."""
    parts: list[str] = []
    x = float(LEFT)
    for place, name in enumerate(names):
        wide = 30 + 7.2 * len(name)
        if x + wide > WIDTH - RIGHT and x > LEFT:
            x, y = LEFT, y + 20
        parts += [mark(place, x + 6, y - 4), text(x + 17, y, name)]
        x += wide
    return parts, y + 14


def ticks(low: float, high: float) -> list[float]:
    """Return the powers of ten from *low* to *high*; with 2 and 5 between if these are few."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1,) if math.log10(high / low) > 2.5 else (1, 2, 5)
    every = [float(f"{step}e{power}") for power in powers for step in steps]
    return [each for each in every if low * 0.999 <= each <= high * 1.001]


def short(value: float) -> str:
    """Return a number of an axis."""
    if value >= 1000:
        power = math.log10(value)
        return f"{value:,.0f}" if value < 1e5 else f"10{str(round(power)).translate(_RAISED)}"
    return f"{value:g}"


_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def bounds(values: Iterable[float | None], also: Iterable[float] = ()) -> tuple[float, float]:
    """Return a range that holds *values* and *also*, of which all must be above 0.

    Raises `ValueError` if there is none, or one is not above 0.
    """
    known = [each for each in values if each is not None]
    if not known or min(known) <= 0:
        raise ValueError("a chart on a log axis needs values above 0")
    low, high = min([*known, *also]), max([*known, *also])
    return low / 1.25, high * 1.25


def dots(
    title: str, note: str, rows: Sequence[str], series: Mapping[str, Sequence[float | None]]
) -> str:
    """Return a chart of ratios: a mark for each series in each row, on a log axis around 1."""
    low, high = bounds((value for values in series.values() for value in values), (1.0,))
    span = math.log(high / low)

    def at(value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(value / low) / span

    named, top = legend(list(series), TOP + 18)
    bottom = top + STEP * len(rows)
    parts = [text(16, 26, title, "title"), text(16, 46, note, "soft"), *named]
    for value in ticks(low, high):
        parts.append(rule(at(value), top, at(value), bottom, "one" if value == 1 else "grid"))
        parts.append(text(at(value), bottom + 18, short(value), "soft", "middle"))
    for number, row in enumerate(rows):
        y = top + STEP * (number + 0.5)
        parts += [text(LEFT - 12, y + 4, row, "", "end"), rule(LEFT, y, WIDTH - RIGHT, y)]
        for place, values in enumerate(series.values()):
            value = values[number]
            if value is not None:
                parts.append(mark(place, at(value), y))
    return document(bottom + 32, f"{title}. {note}", parts)


def bars(title: str, note: str, values: Mapping[str, float], unit: str) -> str:
    """Return a chart with a bar for each value, from 0; its number stands behind it."""
    most = max(values.values(), default=0) or 1
    wide = WIDTH - LEFT - RIGHT - 90
    parts = [text(16, 26, title, "title"), text(16, 46, note, "soft")]
    for number, (name, value) in enumerate(values.items()):
        y = TOP + 8 + STEP * number
        kind = "s0" if name.startswith("typesig") else "s1"
        long = max(1.0, wide * value / most)
        parts.append(text(LEFT - 12, y + 16, name, "", "end"))
        parts.append(
            f'<rect x="{LEFT}" y="{y + 2:.1f}" width="{long:.1f}" height="20" class="{kind}"/>'
        )
        told = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
        parts.append(text(LEFT + long + 8, y + 16, f"{told} {unit}", "soft"))
    return document(TOP + 16 + STEP * len(values), f"{title}. {note}", parts)


def lines(
    title: str,
    note: str,
    series: Mapping[str, Sequence[tuple[float, float]]],
    across: str,
) -> str:
    """Return a chart of lines on two log axes; *across* is the name of the horizontal one."""
    points = [point for line in series.values() for point in line]
    left, right = bounds(x for x, _ in points)
    # Whole powers of ten, so that small differences do not look large.
    low, high = (
        10.0 ** towards(math.log10(each))
        for each, towards in zip(bounds(y for _, y in points), (math.floor, math.ceil), strict=True)
    )
    named, top = legend(list(series), TOP + 18)
    start, bottom = 80.0, top + 220.0

    def at(x: float, y: float) -> tuple[float, float]:
        return (
            start + (WIDTH - start - RIGHT) * math.log(x / left) / math.log(right / left),
            bottom - (bottom - top) * math.log(y / low) / math.log(high / low),
        )

    parts = [text(16, 26, title, "title"), text(16, 46, note, "soft"), *named]
    for value in ticks(low, high):
        y = at(left, value)[1]
        parts.append(rule(start, y, WIDTH - RIGHT, y))
        parts.append(text(start - 10, y + 4, short(value), "soft", "end"))
    for value in sorted({x for x, _ in points}):
        x = at(value, low)[0]
        parts.append(text(x, bottom + 18, short(value), "soft", "middle"))
    parts.append(text((start + WIDTH - RIGHT) / 2, bottom + 38, across, "soft", "middle"))
    for place, line in enumerate(series.values()):
        path = " ".join("{:.1f},{:.1f}".format(*at(*point)) for point in line)
        parts.append(f'<polyline points="{path}" stroke-width="2" class="s{place} line"/>')
        parts += [mark(place, *at(*point)) for point in line]
    return document(bottom + 52, f"{title}. {note}", parts)
