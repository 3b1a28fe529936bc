"""The picture of a chain as data: tools and shared values as nodes, links as labelled edges.

If several parts fit the same several parameters, the value that they share is a node: each part has
an edge to it, and it has one to each parameter.  No path through such a node says more than the
links do, other than that a tool feeds itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Literal, NamedTuple, TypeAlias

from typesig.contract_limits import MAX_GRAPH_EDGES, MAX_GRAPH_FAN, MAX_GRAPH_LABELS, MAX_GRAPH_TEXT
from typesig.contracts.chains.links import Chain, Link, places_of
from typesig.contracts.chains.names import VERBS, Described
from typesig.contracts.locks.places import place_of
from typesig.tools.foreign.foreign_texts import seen_text
from typesig.tools.searching import words_of

#: What tools are clustered by.
Clustering: TypeAlias = Literal["name", "module", "annotation", "none"]

#: Characters that no document of XML has, besides those that are not seen.
_NO_XML = {0xFFFE: "\ufffd", 0xFFFF: "\ufffd"}

_End: TypeAlias = tuple[str, ...]


class Node(NamedTuple):
    """A tool, or a value that tools share.

    #: lines: the text, the first line the name
    """

    key: str
    lines: tuple[str, ...]
    is_tool: bool
    cluster: str


class Edge(NamedTuple):
    """An arrow from a node to another, with a line of text for each link."""

    source: str
    target: str
    labels: tuple[str, ...]
    is_near: bool


class Graph(NamedTuple):
    """Nodes and edges, each sorted.

    #: notes: what is not drawn
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    notes: tuple[str, ...]


def clusters_of(tools: Iterable[Described], by: Clustering) -> dict[str, str]:
    """Return the cluster of each tool, by its name; an empty text for a cluster of its own."""
    found = {tool.name: _CLUSTERS[by](tool) for tool in tools}
    sizes = Counter(found.values())
    return {name: cluster if sizes[cluster] > 1 else "" for name, cluster in found.items()}


def _by_name(tool: Described) -> str:
    """Return the first word of a tool's name that is no verb, such as the name of a service."""
    return next((word for word in words_of(tool.name) if word not in VERBS), "")


def _by_annotation(tool: Described) -> str:
    if tool.annotations.get("readOnlyHint") is True:
        return "reads"
    return "destroys" if tool.annotations.get("destructiveHint") is True else "writes"


_CLUSTERS: Mapping[Clustering, Callable[[Described], str]] = {
    "name": _by_name,
    # A tool has the name of its function's module, of which a lock says nothing.
    "module": lambda tool: str(getattr(tool, "__dict__", {}).get("__module__", "")),
    "annotation": _by_annotation,
    "none": lambda tool: "",
}


def graph_of(chain: Chain, clusters: Mapping[str, str], most: int = MAX_GRAPH_EDGES) -> Graph:
    """Return the picture of *chain*, of at most *most* edges, the strongest first."""
    notes = list(chain.notes)
    links = [link for link in chain if link.kind in ("fits", "nearly")]
    own = [link for link in links if link.source == link.target]
    links = [link for link in links if link.source != link.target]
    hubs, left = _hubs([link for link in links if link.kind == "fits"])
    busy = [hub for hub in hubs if sum(map(len, _sides(hub))) > MAX_GRAPH_FAN]
    hubs = [hub for hub in hubs if sum(map(len, _sides(hub))) <= MAX_GRAPH_FAN]
    lines: dict[str, list[str]] = {name: [drawn_text(name)] for name in chain.tools}
    for link in own:
        lines[link.source].append(f"↻ {_label(link)}")
    notes += _write_busy(busy, lines)
    nodes = [
        Node(name, tuple(_few(found, MAX_GRAPH_LABELS)), True, clusters.get(name, ""))
        for name, found in lines.items()
    ]
    weights: dict[Edge, int] = {}
    for number, hub in enumerate(hubs):
        key = f"value {number:06}"
        node, edges = _of_hub(key, hub, clusters)
        nodes.append(node)
        weights.update(dict.fromkeys(edges, 9))
    near = [link for link in links if link.kind == "nearly"]
    weights.update(_direct(left, False))
    weights.update(_direct(near, True))
    ordered = sorted(weights, key=lambda edge: (edge.is_near, -weights[edge], edge))
    if len(ordered) > most:
        notes.append(f"{len(ordered) - most} weaker edges are not drawn")
    kept = sorted(ordered[:most])
    used = {end for edge in kept for end in (edge.source, edge.target)}
    drawn = [node for node in nodes if node.is_tool or node.key in used]
    return Graph(tuple(drawn), tuple(kept), tuple(notes))


def _write_busy(busy: list[list[Link]], lines: dict[str, list[str]]) -> list[str]:
    """Add the values of *busy*, which many ends share, to the *lines* of tools; return notes."""
    notes = []
    taken: Counter[str] = Counter()
    for links in busy:
        name, shown = _shared_name(links)
        taken[name] += 1
        name = name if taken[name] == 1 else f"{name} {taken[name]}"
        sources, sinks = _sides(links)
        for end, link in sorted(sources.items()):
            lines[end[0]].append(f"{_field(link)} → ◇ {name}")
        for end in sorted(sinks):
            lines[end[0]].append(f"◇ {name} → {drawn_text(place_of(end[1:]))}")
        ends = f"{len(sources)} results, {len(sinks)} parameters"
        notes.append(f"◇ {name} {shown}: {ends}")
    return notes


def _shared_name(links: list[Link]) -> tuple[str, str]:
    """Return the name and the type that most of the parameters of *links* have."""
    sinks = _sides(links)[1]
    names = Counter((link.into or (link.parameter,))[-1] for link in sinks.values())
    types = Counter(link.type for link in links)
    first = (min(each, key=lambda text: (-each[text], text)) for each in (names, types))
    name, shown = map(drawn_text, first)
    return name, shown


def _label(link: Link) -> str:
    return f"{_field(link)} → {drawn_text(place_of((link.parameter, *link.into)))}"


def _field(link: Link) -> str:
    """Return the part of a result as a label: its path, or `result`."""
    return drawn_text(place_of(link.path) if link.path else "result")


def drawn_text(text: str) -> str:
    r"""Return *text* on one line without hidden characters, its middle left out if it is long.

    >>> drawn_text("a\u202eb\n" + "c" * 80)
    'ab ccccccccccccccc…cccccccccccccccccc'
    """
    # Long texts are cut first: what is cut is not looked at.
    text = text if len(text) <= 400 else f"{text[:200]}…{text[-200:]}"
    text = " ".join(seen_text(text).translate(_NO_XML).split())
    if len(text) <= MAX_GRAPH_TEXT:
        return text
    half = MAX_GRAPH_TEXT // 2
    return f"{text[:half]}…{text[-half:]}"


def _few(lines: list[str], most: int) -> list[str]:
    return lines if len(lines) <= most else [*lines[: most - 1], f"… {len(lines) - most + 1} more"]


def _direct(links: list[Link], is_near: bool) -> dict[Edge, int]:
    """Return an edge for all links between two tools, and how strong the best of them is."""
    together: dict[tuple[str, str], list[Link]] = {}
    for link in links:
        together.setdefault((link.source, link.target), []).append(link)
    return {
        Edge(source, target, tuple(_few([_label(x) for x in found], MAX_GRAPH_LABELS)), is_near):
            max(link.strength for link in found)
        for (source, target), found in together.items()
    }  # fmt: skip


def _hubs(links: list[Link]) -> tuple[list[list[Link]], list[Link]]:
    """Return the links of each shared value, and those that are drawn by themselves."""
    hubs: list[list[Link]] = []
    left: list[Link] = []
    for found in _components(links):
        parts = [found] if _is_whole(found) else _alike(found)
        for part in parts:
            sources, sinks = _sides(part)
            is_shared = (len(sources) > 1 and len(sinks) > 1) or len(sources) + len(sinks) > 4
            if is_shared and _is_whole(part):
                hubs.append(part)
            else:
                left += part
    return hubs, left


def _sides(links: list[Link]) -> tuple[dict[_End, Link], dict[_End, Link]]:
    return {places_of(x)[0]: x for x in links}, {places_of(x)[1]: x for x in links}


def _components(links: list[Link]) -> list[list[Link]]:
    """Return *links* in groups that have no end in common."""
    parents: dict[object, object] = {}

    def root(end: object) -> object:
        while (up := parents.setdefault(end, end)) != end:
            parents[end] = parents.setdefault(up, up)
            end = up
        return end

    for link in links:
        source, sink = places_of(link)
        parents[root((0, source))] = root((1, sink))
    found: dict[object, list[Link]] = {}
    for link in links:
        found.setdefault(root((0, places_of(link)[0])), []).append(link)
    return list(found.values())


def _is_whole(links: list[Link]) -> bool:
    """Tell whether each part fits each parameter, those of its own tool left out."""
    sources, sinks = _sides(links)
    tools = Counter(sink[0] for sink in sinks)
    return len(links) == sum(len(sinks) - tools[source[0]] for source in sources)


def _alike(links: list[Link]) -> list[list[Link]]:
    """Return *links* in groups of the parts that fit the same parameters."""
    sinks: dict[_End, list[Link]] = {}
    for link in links:
        sinks.setdefault(places_of(link)[0], []).append(link)
    found: dict[frozenset[_End], list[Link]] = {}
    for each in sinks.values():
        found.setdefault(frozenset(places_of(x)[1] for x in each), []).extend(each)
    return list(found.values())


def _of_hub(key: str, links: list[Link], clusters: Mapping[str, str]) -> tuple[Node, list[Edge]]:
    sources, sinks = _sides(links)
    found = {clusters.get(end[0], "") for end in (*sources, *sinks)}
    node = Node(key, _shared_name(links), False, found.pop() if len(found) == 1 else "")
    inward: dict[str, list[str]] = {}
    outward: dict[str, list[str]] = {}
    for source, link in sources.items():
        inward.setdefault(source[0], []).append(_field(link))
    for sink in sinks:
        outward.setdefault(sink[0], []).append(drawn_text(place_of(sink[1:])))
    few = MAX_GRAPH_LABELS
    edges = [Edge(tool, key, tuple(_few(found, few)), False) for tool, found in inward.items()]
    edges += [Edge(key, tool, tuple(_few(found, few)), False) for tool, found in outward.items()]
    return node, edges
