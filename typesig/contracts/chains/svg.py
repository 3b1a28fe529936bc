"""Chains as SVG for light and dark backgrounds, without scripts or links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from math import sqrt
from typing import NamedTuple
from unicodedata import east_asian_width

from typesig.contracts.chains.graph import Edge, Graph, Node, build_graph, to_drawable_text
from typesig.contracts.chains.layout import Arc, Box, Placement, place_boxes
from typesig.contracts.chains.links import Chain
from typesig.limits.contracts import MAX_GRAPH_WHOLE

#: The size of a character and of a line; the space around a text, between drawings, at the edge.
_CHARACTER, _LINE, _PAD, _GAP, _EDGE = 7.3, 16.0, 9.0, 30.0, 24.0

#: The height of the title of a box of tools.
_TITLE = 30.0

#: Hues of clusters, in degrees.
_HUES = (210, 28, 140, 275, 350, 180, 55, 310)

_STYLE = """
text{font:12px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#1b1f24}
.ground{fill:#fff}.tool{fill:#f6f8fa;stroke:#57606a}.value{fill:#fff8e0;stroke:#9a6700}
.frame{fill:none;stroke:#afb8c1}.edge{fill:none;stroke:#57606a;stroke-width:1.2}
.near{stroke-dasharray:5 4}.label{fill:#424a53;font-size:11px}.head{fill:#57606a;stroke:none}
.title{font-weight:bold;font-size:14px}.name{font-weight:bold}.more{fill:#57606a}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.ground{fill:#0d1117}
.tool{fill:#161b22;stroke:#8b949e}.value{fill:#2b2410;stroke:#d4a72c}.frame{stroke:#3d444d}
.edge{stroke:#8b949e}.label{fill:#b1bac4}.head{fill:#8b949e}.more{fill:#9198a1}}
"""


class _Canvas(NamedTuple):
    """A picture: SVG lines relative to its upper left corner, and its size."""

    lines: list[str]
    width: float
    height: float


def draw_svg(chain: Chain, clusters: Mapping[str, str]) -> str:
    """Draw *chain* as an SVG document; *clusters* maps tool names to clusters."""
    graph = build_graph(chain, clusters)
    linked = {end for edge in graph.edges for end in (edge.source, edge.target)}
    lone = [n for n in graph.nodes if n.key not in linked]
    named = sorted({node.cluster for node in graph.nodes} - {""})
    hues = {cluster: _HUES[at % len(_HUES)] for at, cluster in enumerate(named)}
    if len(graph.nodes) > MAX_GRAPH_WHOLE and len(named) > 1:
        drawings = [*_iter_boxes(graph, hues)]
        notes = ["→ and ← count the links to and from other boxes"]
    else:
        drawings = [_draw(*part, hues) for part in _iter_connected(graph, linked)]
        drawings += [_draw_list("not linked", lone, hues)] if lone else []
        notes = []
    if any(edge.is_near for edge in graph.edges):
        notes.append("dashed: fits nearly")
    return (
        "\n".join(_iter_document(_pack(drawings), len(chain.tools), [*notes, *graph.notes])) + "\n"
    )


def _iter_document(whole: _Canvas, tools: int, notes: list[str]) -> Iterator[str]:
    """Yield the lines of an SVG document: heading, picture *whole* and *notes*."""
    head = f"{tools} {'tool' if tools == 1 else 'tools'}: which result feeds which parameter"
    width = max(whole.width, *(_measure_width(text) for text in (head, *notes))) + 2 * _EDGE
    top = _EDGE + _TITLE
    height = top + whole.height + len(notes) * _LINE + 2 * _EDGE
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_format_number(width)}" '
        f'height="{_format_number(height)}" '
        f'viewBox="0 0 {_format_number(width)} {_format_number(height)}" role="img">'
    )
    yield f"<title>{escape(head)}</title>"
    yield f"<style>{_STYLE}</style>"
    yield (
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
        'markerHeight="8" markerUnits="userSpaceOnUse" orient="auto">'
        '<path class="head" d="M0 0 8 4 0 8z"/></marker></defs>'
    )
    yield (
        f'<rect class="ground" width="{_format_number(width)}" height="{_format_number(height)}"/>'
    )
    yield _draw_text(_EDGE, _EDGE + 6, head, "title")
    yield f'<g transform="translate({_format_number(_EDGE)} {_format_number(top)})">'
    yield from whole.lines
    yield "</g>"
    for place, text in enumerate(notes):
        yield _draw_text(_EDGE, top + whole.height + _EDGE + place * _LINE, text, "more")
    yield "</svg>"


def _iter_connected(graph: Graph, linked: set[str]) -> Iterator[tuple[list[Node], list[Edge]]]:
    """Yield the nodes and edges of each connected part of *graph*, largest first."""
    around: dict[str, list[str]] = {key: [] for key in linked}
    for edge in graph.edges:
        around[edge.source].append(edge.target)
        around[edge.target].append(edge.source)
    part: dict[str, int] = {}
    sizes: Counter[int] = Counter()
    for number, node in enumerate(graph.nodes):
        pending = [node.key] if node.key in linked and node.key not in part else []
        while pending:
            key = pending.pop()
            if key not in part:
                part[key] = number
                sizes[number] += 1
                pending += around[key]
    for number, _ in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
        nodes = [node for node in graph.nodes if part.get(node.key) == number]
        yield nodes, [edge for edge in graph.edges if part[edge.source] == number]


def _iter_boxes(graph: Graph, hues: Mapping[str, int]) -> Iterator[_Canvas]:
    """Yield a framed drawing per cluster; links between clusters become text."""
    cluster = {node.key: node.cluster for node in graph.nodes}
    inner = [e for e in graph.edges if cluster[e.source] == cluster[e.target] != ""]
    beyond = _list_external_links(graph, cluster)
    for name in [*hues, ""]:
        nodes = [
            node._replace(lines=(*node.lines, *beyond.get(node.key, ())))
            for node in graph.nodes
            if node.cluster == name and (name or node.is_tool)
        ]
        edges = [edge for edge in inner if cluster[edge.source] == name]
        ends = {end for edge in edges for end in (edge.source, edge.target)}
        parts = [
            _draw(*part, hues)
            for part in _iter_connected(Graph(tuple(nodes), tuple(edges), ()), ends)
        ]
        if rest := [node for node in nodes if node.key not in ends]:
            parts.append(_draw_list("", rest, hues))
        if parts:
            title = f"{name or 'others'}: {sum(node.is_tool for node in nodes)} tools"
            yield _draw_frame(to_drawable_text(title), _pack(parts))


def _list_external_links(graph: Graph, cluster: Mapping[str, str]) -> dict[str, list[str]]:
    """Write for each tool lines of text that count its links to other clusters."""
    after: dict[str, list[str]] = {}
    before: dict[str, list[str]] = {}
    for edge in graph.edges:
        after.setdefault(edge.source, []).append(edge.target)
        before.setdefault(edge.target, []).append(edge.source)
    found: dict[str, list[str]] = {}
    for node in graph.nodes:
        for sign, near in (("→", after), ("←", before)):
            others: set[str] = set()
            for key in near.get(node.key, ()) if node.is_tool else ():
                # A value between clusters is not drawn: what is behind it counts.
                others.update(near.get(key, ()) if key.startswith("value ") else [key])
            counts = Counter(
                cluster[key] or "others"
                for key in others
                if cluster[key] != cluster[node.key] or not cluster[key]
            )
            counts -= Counter({"others": int(node.key in others)})
            if counts:
                ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
                shown = ", ".join(f"{name} {count}" for name, count in ordered[:3])
                more = f", … {sum(count for _, count in ordered[3:])}" if ordered[3:] else ""
                found.setdefault(node.key, []).append(f"{sign} {to_drawable_text(shown)}{more}")
    return found


def _draw(nodes: list[Node], edges: list[Edge], hues: Mapping[str, int]) -> _Canvas:
    """Draw *nodes* and *edges* as a picture; *hues* are the colours of clusters."""
    boxes = {node.key: _measure_node(node.lines) for node in nodes}
    arcs = [Arc(edge.source, edge.target, _measure_label(edge.labels)) for edge in edges]
    made = place_boxes(boxes, arcs)
    lines = [*_iter_edges(edges, arcs, made)]
    for node in nodes:
        lines += _iter_node(node, *made.boxes[node.key], boxes[node.key], hues)
    return _Canvas(lines, made.width, made.height)


def _iter_edges(edges: list[Edge], arcs: list[Arc], made: Placement) -> Iterator[str]:
    """Yield the SVG lines of *edges* and their labels, placed by *made*."""
    for edge, route in zip(edges, made.routes, strict=True):
        style = "edge near" if edge.is_near else "edge"
        yield f'<path class="{style}" marker-end="url(#head)" d="{_draw_curve(route)}"/>'
    for edge, arc, (x, y) in zip(edges, arcs, made.labels, strict=True):
        width, height = arc.label
        yield (
            f'<rect class="ground" x="{_format_number(x)}" y="{_format_number(y)}" '
            f'width="{_format_number(width)}" '
            f'height="{_format_number(height)}"/>'
        )
        for place, line in enumerate(edge.labels):
            yield _draw_text(x + 3, y + 13 + place * _LINE, line, "label")


def _draw_curve(route: tuple[tuple[float, float], ...]) -> str:
    """Write the SVG path of a curve through the points of *route*."""
    (x, y), *rest = route
    out = [f"M{_format_number(x)} {_format_number(y)}"]
    for to, level in rest:
        middle = _format_number((x + to) / 2)
        out.append(
            f"C{middle} {_format_number(y)} {middle} {_format_number(level)} "
            f"{_format_number(to)} {_format_number(level)}"
        )
        x, y = to, level
    return "".join(out)


def _iter_node(node: Node, x: float, y: float, box: Box, hues: Mapping[str, int]) -> Iterator[str]:
    """Yield the SVG lines of *node*, a box of size *box* with its corner at *x*, *y*."""
    style, round_ = ("tool", 4) if node.is_tool else ("value", 14)
    yield (
        f'<rect class="{style}" x="{_format_number(x)}" y="{_format_number(y)}" '
        f'width="{_format_number(box.width)}" '
        f'height="{_format_number(box.height)}" rx="{round_}"/>'
    )
    if node.is_tool and node.cluster in hues:
        hue = f"hsl({hues[node.cluster]},60%,50%)"
        yield (
            f'<rect x="{_format_number(x)}" y="{_format_number(y)}" width="5" '
            f'height="{_format_number(box.height)}" rx="2" '
            f'fill="{hue}"/>'
        )
    for place, line in enumerate(node.lines):
        style = "label" if place else "name"
        yield _draw_text(x + _PAD + 2, y + 17 + place * _LINE, line, style)


def _draw_list(title: str, nodes: list[Node], hues: Mapping[str, int]) -> _Canvas:
    """Draw the tools without links, in rows and columns."""
    boxes = [_measure_node(node.lines) for node in nodes]
    columns = max(1, round(sqrt(len(nodes) / 4)))
    per = -(-len(nodes) // columns)
    lines: list[str] = []
    x, height = 0.0, 0.0
    for first in range(0, len(nodes), per):
        y, widest = 0.0, 0.0
        for node, box in list(zip(nodes, boxes, strict=True))[first : first + per]:
            lines += _iter_node(node, x, y, box, hues)
            y, widest = y + box.height + 8, max(widest, box.width)
        x, height = x + widest + 12, max(height, y - 8)
    made = _Canvas(lines, x - 12, height)
    return _draw_frame(title, made) if title else made


def _draw_frame(title: str, inner: _Canvas) -> _Canvas:
    """Draw a frame with *title* around the picture *inner*."""
    width = max(inner.width, _measure_width(title) * 1.2) + 2 * _PAD
    height = inner.height + _TITLE + _PAD
    lines = [
        (
            f'<rect class="frame" width="{_format_number(width)}" '
            f'height="{_format_number(height)}" rx="8"/>'
        ),
        _draw_text(_PAD, 20, title, "title"),
        f'<g transform="translate({_format_number(_PAD)} {_format_number(_TITLE)})">',
        *inner.lines,
        "</g>",
    ]
    return _Canvas(lines, width, height)


def _pack(drawings: Iterable[_Canvas]) -> _Canvas:
    """Pack *drawings* into one picture, in rows of about the shape of a screen."""
    ordered = sorted(drawings, key=lambda each: -each.height)
    area = sum((each.width + _GAP) * (each.height + _GAP) for each in ordered)
    most = max([sqrt(area) * 1.4, *(each.width for each in ordered)], default=0.0)
    lines: list[str] = []
    x, y, row, width = 0.0, 0.0, 0.0, 0.0
    for each in ordered:
        if x and x + each.width > most:
            x, y, row = 0.0, y + row + _GAP, 0.0
        lines += [
            f'<g transform="translate({_format_number(x)} {_format_number(y)})">',
            *each.lines,
            "</g>",
        ]
        width, row = max(width, x + each.width), max(row, each.height)
        x += each.width + _GAP
    return _Canvas(lines, width, y + row)


def _measure_node(lines: tuple[str, ...]) -> Box:
    """Measure the box of a node with *lines* of text."""
    return Box(max(map(_measure_width, lines)) + 2 * _PAD + 4, len(lines) * _LINE + _PAD)


def _measure_label(lines: tuple[str, ...]) -> Box:
    """Measure an edge label with *lines* of text."""
    # Its characters are smaller.
    return Box(max(map(_measure_width, lines)) * 0.92 + 8, len(lines) * _LINE + 2)


def _measure_width(text: str) -> float:
    """Measure the width of *text* in pixels; wide East Asian characters count twice."""
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in text) * _CHARACTER


def _draw_text(x: float, y: float, text: str, style: str) -> str:
    """Write *text* as an SVG element at *x*, *y* with the CSS class *style*."""
    return (
        f'<text class="{style}" x="{_format_number(x)}" '
        f'y="{_format_number(y)}">{escape(text)}</text>'
    )


def _format_number(number: float) -> str:
    """Format *number* for SVG with up to 1 decimal."""
    return f"{number:.1f}".removesuffix(".0")
