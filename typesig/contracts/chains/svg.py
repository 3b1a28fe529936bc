"""Pictures of chains in SVG: readable on a light and on a dark ground, without scripts or links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from math import sqrt
from typing import NamedTuple
from unicodedata import east_asian_width

from typesig.contract_limits import MAX_GRAPH_WHOLE
from typesig.contracts.chains.graph import Edge, Graph, Node, drawn_text, graph_of
from typesig.contracts.chains.layout import Arc, Box, Placed, placed
from typesig.contracts.chains.links import Chain

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


class _Drawing(NamedTuple):
    """A part of the picture: the lines of its SVG, for the corner at 0, and its size."""

    lines: list[str]
    width: float
    height: float


def svg_of(chain: Chain, clusters: Mapping[str, str]) -> str:
    """Return the picture of *chain* in SVG; *clusters* has the cluster of each tool."""
    graph = graph_of(chain, clusters)
    linked = {end for edge in graph.edges for end in (edge.source, edge.target)}
    lone = [n for n in graph.nodes if n.key not in linked]
    named = sorted({node.cluster for node in graph.nodes} - {""})
    hues = {cluster: _HUES[at % len(_HUES)] for at, cluster in enumerate(named)}
    if len(graph.nodes) > MAX_GRAPH_WHOLE and len(named) > 1:
        drawings = [*_boxes(graph, hues)]
        notes = ["→ and ← count the links to and from other boxes"]
    else:
        drawings = [_drawn(*part, hues) for part in _connected(graph, linked)]
        drawings += [_listed("not linked", lone, hues)] if lone else []
        notes = []
    if any(edge.is_near for edge in graph.edges):
        notes.append("dashed: fits nearly")
    return "\n".join(_document(_packed(drawings), len(chain.tools), [*notes, *graph.notes])) + "\n"


def _document(whole: _Drawing, tools: int, notes: list[str]) -> Iterator[str]:
    head = f"{tools} {'tool' if tools == 1 else 'tools'}: which result feeds which parameter"
    width = max(whole.width, *(_width(text) for text in (head, *notes))) + 2 * _EDGE
    top = _EDGE + _TITLE
    height = top + whole.height + len(notes) * _LINE + 2 * _EDGE
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(width)}" height="{_n(height)}" '
        f'viewBox="0 0 {_n(width)} {_n(height)}" role="img">'
    )
    yield f"<title>{escape(head)}</title>"
    yield f"<style>{_STYLE}</style>"
    yield (
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
        'markerHeight="8" markerUnits="userSpaceOnUse" orient="auto">'
        '<path class="head" d="M0 0 8 4 0 8z"/></marker></defs>'
    )
    yield f'<rect class="ground" width="{_n(width)}" height="{_n(height)}"/>'
    yield _text(_EDGE, _EDGE + 6, head, "title")
    yield f'<g transform="translate({_n(_EDGE)} {_n(top)})">'
    yield from whole.lines
    yield "</g>"
    for place, text in enumerate(notes):
        yield _text(_EDGE, top + whole.height + _EDGE + place * _LINE, text, "more")
    yield "</svg>"


def _connected(graph: Graph, linked: set[str]) -> Iterator[tuple[list[Node], list[Edge]]]:
    """Yield the nodes and edges of each connected part of *graph*, the largest first."""
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


def _boxes(graph: Graph, hues: Mapping[str, int]) -> Iterator[_Drawing]:
    """Yield a framed drawing for each cluster; links between clusters are counted as text."""
    cluster = {node.key: node.cluster for node in graph.nodes}
    inner = [e for e in graph.edges if cluster[e.source] == cluster[e.target] != ""]
    beyond = _beyond(graph, cluster)
    for name in [*hues, ""]:
        nodes = [
            node._replace(lines=(*node.lines, *beyond.get(node.key, ())))
            for node in graph.nodes
            if node.cluster == name and (name or node.is_tool)
        ]
        edges = [edge for edge in inner if cluster[edge.source] == name]
        ends = {end for edge in edges for end in (edge.source, edge.target)}
        parts = [
            _drawn(*part, hues) for part in _connected(Graph(tuple(nodes), tuple(edges), ()), ends)
        ]
        if rest := [node for node in nodes if node.key not in ends]:
            parts.append(_listed("", rest, hues))
        if parts:
            title = f"{name or 'others'}: {sum(node.is_tool for node in nodes)} tools"
            yield _framed(drawn_text(title), _packed(parts))


def _beyond(graph: Graph, cluster: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the lines of each tool about its links with tools of other clusters."""
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
                found.setdefault(node.key, []).append(f"{sign} {drawn_text(shown)}{more}")
    return found


def _drawn(nodes: list[Node], edges: list[Edge], hues: Mapping[str, int]) -> _Drawing:
    boxes = {node.key: _size(node.lines) for node in nodes}
    arcs = [Arc(edge.source, edge.target, _label_size(edge.labels)) for edge in edges]
    made = placed(boxes, arcs)
    lines = [*_edges(edges, arcs, made)]
    for node in nodes:
        lines += _node(node, *made.boxes[node.key], boxes[node.key], hues)
    return _Drawing(lines, made.width, made.height)


def _edges(edges: list[Edge], arcs: list[Arc], made: Placed) -> Iterator[str]:
    for edge, route in zip(edges, made.routes, strict=True):
        style = "edge near" if edge.is_near else "edge"
        yield f'<path class="{style}" marker-end="url(#head)" d="{_curve(route)}"/>'
    for edge, arc, (x, y) in zip(edges, arcs, made.labels, strict=True):
        width, height = arc.label
        yield (
            f'<rect class="ground" x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" '
            f'height="{_n(height)}"/>'
        )
        for place, line in enumerate(edge.labels):
            yield _text(x + 3, y + 13 + place * _LINE, line, "label")


def _curve(route: tuple[tuple[float, float], ...]) -> str:
    """Return the path through the points of *route*, whose pieces begin and end level."""
    (x, y), *rest = route
    out = [f"M{_n(x)} {_n(y)}"]
    for to, level in rest:
        middle = _n((x + to) / 2)
        out.append(f"C{middle} {_n(y)} {middle} {_n(level)} {_n(to)} {_n(level)}")
        x, y = to, level
    return "".join(out)


def _node(node: Node, x: float, y: float, box: Box, hues: Mapping[str, int]) -> Iterator[str]:
    style, round_ = ("tool", 4) if node.is_tool else ("value", 14)
    yield (
        f'<rect class="{style}" x="{_n(x)}" y="{_n(y)}" width="{_n(box.width)}" '
        f'height="{_n(box.height)}" rx="{round_}"/>'
    )
    if node.is_tool and node.cluster in hues:
        hue = f"hsl({hues[node.cluster]},60%,50%)"
        yield (
            f'<rect x="{_n(x)}" y="{_n(y)}" width="5" height="{_n(box.height)}" rx="2" '
            f'fill="{hue}"/>'
        )
    for place, line in enumerate(node.lines):
        style = "label" if place else "name"
        yield _text(x + _PAD + 2, y + 17 + place * _LINE, line, style)


def _listed(title: str, nodes: list[Node], hues: Mapping[str, int]) -> _Drawing:
    """Return tools without links, in rows and columns."""
    boxes = [_size(node.lines) for node in nodes]
    columns = max(1, round(sqrt(len(nodes) / 4)))
    per = -(-len(nodes) // columns)
    lines: list[str] = []
    x, height = 0.0, 0.0
    for first in range(0, len(nodes), per):
        y, widest = 0.0, 0.0
        for node, box in list(zip(nodes, boxes, strict=True))[first : first + per]:
            lines += _node(node, x, y, box, hues)
            y, widest = y + box.height + 8, max(widest, box.width)
        x, height = x + widest + 12, max(height, y - 8)
    made = _Drawing(lines, x - 12, height)
    return _framed(title, made) if title else made


def _framed(title: str, inner: _Drawing) -> _Drawing:
    width = max(inner.width, _width(title) * 1.2) + 2 * _PAD
    height = inner.height + _TITLE + _PAD
    lines = [
        f'<rect class="frame" width="{_n(width)}" height="{_n(height)}" rx="8"/>',
        _text(_PAD, 20, title, "title"),
        f'<g transform="translate({_n(_PAD)} {_n(_TITLE)})">',
        *inner.lines,
        "</g>",
    ]
    return _Drawing(lines, width, height)


def _packed(drawings: Iterable[_Drawing]) -> _Drawing:
    """Return *drawings* in rows of about the width of a screen that shows all of them."""
    ordered = sorted(drawings, key=lambda each: -each.height)
    area = sum((each.width + _GAP) * (each.height + _GAP) for each in ordered)
    most = max([sqrt(area) * 1.4, *(each.width for each in ordered)], default=0.0)
    lines: list[str] = []
    x, y, row, width = 0.0, 0.0, 0.0, 0.0
    for each in ordered:
        if x and x + each.width > most:
            x, y, row = 0.0, y + row + _GAP, 0.0
        lines += [f'<g transform="translate({_n(x)} {_n(y)})">', *each.lines, "</g>"]
        width, row = max(width, x + each.width), max(row, each.height)
        x += each.width + _GAP
    return _Drawing(lines, width, y + row)


def _size(lines: tuple[str, ...]) -> Box:
    return Box(max(map(_width, lines)) + 2 * _PAD + 4, len(lines) * _LINE + _PAD)


def _label_size(lines: tuple[str, ...]) -> Box:
    # Its characters are smaller.
    return Box(max(map(_width, lines)) * 0.92 + 8, len(lines) * _LINE + 2)


def _width(text: str) -> float:
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in text) * _CHARACTER


def _text(x: float, y: float, text: str, style: str) -> str:
    return f'<text class="{style}" x="{_n(x)}" y="{_n(y)}">{escape(text)}</text>'


def _n(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")
