"""Graph of a chain: tools and shared values as nodes, links as labelled edges.

If several parts fit the same several parameters, the value that they share is a node: each part has
an edge to it, and it has one to each parameter.  No path through such a node says more than the
links do, other than that a tool feeds itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal, NamedTuple, TypeAlias

from typesig.contracts.chains.ends import VERBS, DescribedTool
from typesig.contracts.chains.links import Chain, Link, get_places
from typesig.limits.contracts import (
    MAX_GRAPH_EDGES,
    MAX_GRAPH_FAN,
    MAX_GRAPH_LABELS,
    MAX_GRAPH_TEXT,
    MAX_MERMAID,
    MAX_MERMAID_EDGES,
)
from typesig.relations.proofs.differences import format_place
from typesig.tools.foreign.foreign_texts import strip_invisible
from typesig.tools.search import iter_words

#: What tools are clustered by.
Clustering: TypeAlias = Literal["name", "module", "annotation", "none"]

#: Characters that no document of XML has, besides those that are not seen.
_NO_XML = {0xFFFE: "\ufffd", 0xFFFF: "\ufffd"}

_End: TypeAlias = tuple[str, ...]


class Node(NamedTuple):
    """A tool, or a value that several tools share.

    #: lines: the text, the first line the name
    """

    key: str
    lines: tuple[str, ...]
    is_tool: bool
    cluster: str


class Edge(NamedTuple):
    """An arrow between two nodes, with one line of text per link."""

    source: str
    target: str
    labels: tuple[str, ...]
    is_near: bool


class Graph(NamedTuple):
    """Nodes and edges that draw a chain, each sorted.

    #: notes: what is not drawn
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    notes: tuple[str, ...]


def find_clusters(tools: Iterable[DescribedTool], by: Clustering) -> dict[str, str]:
    """Map tool names to clusters; empty text for tools without a cluster."""
    found = {tool.name: _CLUSTERS[by](tool) for tool in tools}
    sizes = Counter(found.values())
    return {name: cluster if sizes[cluster] > 1 else "" for name, cluster in found.items()}


def _cluster_by_annotation(tool: DescribedTool) -> str:
    """Name the cluster of *tool* by its hints: reads, destroys or writes."""
    if tool.annotations.get("readOnlyHint") is True:
        return "reads"
    return "destroys" if tool.annotations.get("destructiveHint") is True else "writes"


_CLUSTERS: Mapping[Clustering, Callable[[DescribedTool], str]] = {
    "name": lambda tool: next((word for word in iter_words(tool.name) if word not in VERBS), ""),
    # A tool has the name of its function's module, of which a lock says nothing.
    "module": lambda tool: str(getattr(tool, "__dict__", {}).get("__module__", "")),
    "annotation": _cluster_by_annotation,
    "none": lambda tool: "",
}


def build_graph(chain: Chain, clusters: Mapping[str, str], most: int = MAX_GRAPH_EDGES) -> Graph:
    """Build the graph of *chain*, with the *most* strongest edges."""
    notes = list(chain.notes)
    links = [link for link in chain if link.kind in ("fits", "nearly")]
    own = [link for link in links if link.source == link.target]
    links = [link for link in links if link.source != link.target]
    hubs, left = _split_hubs([link for link in links if link.kind == "fits"])
    busy = [hub for hub in hubs if sum(map(len, _index_by_ends(hub))) > MAX_GRAPH_FAN]
    hubs = [hub for hub in hubs if hub not in busy]
    lines: dict[str, list[str]] = {name: [to_drawable_text(name)] for name in chain.tools}
    for link in own:
        lines[link.source].append(f"↻ {_make_label(link)}")
    notes += _write_busy(busy, lines)
    nodes = [
        Node(name, tuple(_cut_lines(found, MAX_GRAPH_LABELS)), True, clusters.get(name, ""))
        for name, found in lines.items()
    ]
    weights: dict[Edge, int] = {}
    for number, hub in enumerate(hubs):
        key = f"value {number:06}"
        node, edges = _make_hub(key, hub, clusters)
        nodes.append(node)
        weights.update(dict.fromkeys(edges, 9))
    near = [link for link in links if link.kind == "nearly"]
    weights.update(_make_direct_edges(left, False))
    weights.update(_make_direct_edges(near, True))
    ordered = sorted(weights, key=lambda edge: (edge.is_near, -weights[edge], edge))
    if len(ordered) > most:
        notes.append(f"{len(ordered) - most} weaker edges are not drawn")
    kept = sorted(ordered[:most])
    used = {end for edge in kept for end in (edge.source, edge.target)}
    drawn = [node for node in nodes if node.is_tool or node.key in used]
    return Graph(tuple(drawn), tuple(kept), tuple(notes))


def _write_busy(busy: list[list[Link]], lines: dict[str, list[str]]) -> list[str]:
    """Write shared values with too many ends into the tool *lines*; return notes."""
    notes = []
    taken: Counter[str] = Counter()
    for links in busy:
        name, shown = _find_shared_name(links)
        taken[name] += 1
        name = name if taken[name] == 1 else f"{name} {taken[name]}"
        sources, sinks = _index_by_ends(links)
        for end, link in sorted(sources.items()):
            lines[end[0]].append(f"{_get_result_label(link)} → ◇ {name}")
        for end in sorted(sinks):
            lines[end[0]].append(f"◇ {name} → {to_drawable_text(format_place(end[1:]))}")
        ends = f"{len(sources)} results, {len(sinks)} parameters"
        notes.append(f"◇ {name} {shown}: {ends}")
    return notes


def _find_shared_name(links: list[Link]) -> tuple[str, str]:
    """Find the most frequent parameter name and type among *links*."""
    sinks = _index_by_ends(links)[1]
    names = Counter((link.into or (link.parameter,))[-1] for link in sinks.values())
    types = Counter(link.type for link in links)
    first = (min(each, key=lambda text: (-each[text], text)) for each in (names, types))
    name, shown = map(to_drawable_text, first)
    return name, shown


def _make_label(link: Link) -> str:
    """Write the edge label of *link*: its result, an arrow and its parameter."""
    return (
        f"{_get_result_label(link)} → "
        f"{to_drawable_text(format_place((link.parameter, *link.into)))}"
    )


def _get_result_label(link: Link) -> str:
    """Label for a part of a result: its path, or `result`."""
    return to_drawable_text(format_place(link.path) if link.path else "result")


def to_drawable_text(text: str) -> str:
    r"""Put *text* on one line without hidden characters; shorten the middle if long.

    >>> to_drawable_text("a\u202eb\n" + "c" * 80)
    'ab ccccccccccccccc…cccccccccccccccccc'
    """
    # Long texts are cut first: what is cut is not looked at.
    text = text if len(text) <= 400 else f"{text[:200]}…{text[-200:]}"
    text = " ".join(strip_invisible(text).translate(_NO_XML).split())
    if len(text) <= MAX_GRAPH_TEXT:
        return text
    half = MAX_GRAPH_TEXT // 2
    return f"{text[:half]}…{text[-half:]}"


def _cut_lines(lines: list[str], most: int) -> list[str]:
    """Limit *lines* to *most* lines; the last line counts the omitted lines."""
    return lines if len(lines) <= most else [*lines[: most - 1], f"… {len(lines) - most + 1} more"]


def _make_direct_edges(links: list[Link], is_near: bool) -> dict[Edge, int]:
    """Build one edge per pair of tools, with the strength of its best link."""
    together: dict[tuple[str, str], list[Link]] = {}
    for link in links:
        together.setdefault((link.source, link.target), []).append(link)
    return {
        Edge(source, target, tuple(_cut_lines([_make_label(x) for x in found], MAX_GRAPH_LABELS)),
        is_near): max(link.strength for link in found)
        for (source, target), found in together.items()
    }  # fmt: skip


def _split_hubs(links: list[Link]) -> tuple[list[list[Link]], list[Link]]:
    """Split *links* into groups that share a value, and links drawn directly."""
    hubs: list[list[Link]] = []
    left: list[Link] = []
    for found in _group_connected(links):
        parts = [found] if _is_whole(found) else _group_alike(found)
        for part in parts:
            sources, sinks = _index_by_ends(part)
            is_shared = (len(sources) > 1 and len(sinks) > 1) or len(sources) + len(sinks) > 4
            if is_shared and _is_whole(part):
                hubs.append(part)
            else:
                left += part
    return hubs, left


def _index_by_ends(links: list[Link]) -> tuple[dict[_End, Link], dict[_End, Link]]:
    """Index *links* by source and by sink, in two dicts."""
    return {get_places(x)[0]: x for x in links}, {get_places(x)[1]: x for x in links}


def _group_connected(links: list[Link]) -> list[list[Link]]:
    """Group *links* so that no two groups have an end in common."""
    parents: dict[object, object] = {}

    def root(end: object) -> object:
        while (up := parents.setdefault(end, end)) != end:
            parents[end] = parents.setdefault(up, up)
            end = up
        return end

    for link in links:
        source, sink = get_places(link)
        parents[root((0, source))] = root((1, sink))
    found: dict[object, list[Link]] = {}
    for link in links:
        found.setdefault(root((0, get_places(link)[0])), []).append(link)
    return list(found.values())


def _is_whole(links: list[Link]) -> bool:
    """Whether *links* connect every source to every parameter of the other tools."""
    sources, sinks = _index_by_ends(links)
    tools = Counter(sink[0] for sink in sinks)
    return len(links) == sum(len(sinks) - tools[source[0]] for source in sources)


def _group_alike(links: list[Link]) -> list[list[Link]]:
    """Group *links* by the set of parameters that their source fits."""
    sinks: dict[_End, list[Link]] = {}
    for link in links:
        sinks.setdefault(get_places(link)[0], []).append(link)
    found: dict[frozenset[_End], list[Link]] = {}
    for each in sinks.values():
        found.setdefault(frozenset(get_places(x)[1] for x in each), []).extend(each)
    return list(found.values())


def _make_hub(key: str, links: list[Link], clusters: Mapping[str, str]) -> tuple[Node, list[Edge]]:
    """Build the node *key* for the value shared by *links*, and its edges to tools."""
    sources, sinks = _index_by_ends(links)
    found = {clusters.get(end[0], "") for end in (*sources, *sinks)}
    node = Node(key, _find_shared_name(links), False, found.pop() if len(found) == 1 else "")
    inward: dict[str, list[str]] = {}
    outward: dict[str, list[str]] = {}
    for source, link in sources.items():
        inward.setdefault(source[0], []).append(_get_result_label(link))
    for sink in sinks:
        outward.setdefault(sink[0], []).append(to_drawable_text(format_place(sink[1:])))
    ends = [(tool, key, found) for tool, found in inward.items()]
    ends += [(key, tool, found) for tool, found in outward.items()]
    return node, [
        Edge(source, target, tuple(_cut_lines(found, MAX_GRAPH_LABELS)), False)
        for source, target, found in ends
    ]


# --- Chains as flowcharts in Mermaid ---

#: Characters that mean the same in Mermaid and in its texts.
_PLAIN = frozenset(" .,:_[]→↻…?")


def write_mermaid(chain: Chain, clusters: Mapping[str, str]) -> str:
    """Draw *chain* as a Mermaid flowchart, within the size that Mermaid can draw.

    If that is not all, tools without a link are left out, and so is what stands below the names of
    tools; then the weakest edges.
    """
    most = MAX_MERMAID_EDGES
    text = _write(build_graph(chain, clusters, most))
    while len(text) > MAX_MERMAID:
        text = _write(_shorten(build_graph(chain, clusters, most)))
        most //= 2
    return text


def _shorten(graph: Graph) -> Graph:
    """Reduce *graph* to the nodes that have edges, and to their names."""
    linked = {end for edge in graph.edges for end in (edge.source, edge.target)}
    nodes = [
        node._replace(lines=node.lines[:1] if node.is_tool else node.lines)
        for node in graph.nodes
        if node.key in linked
    ]
    left = f"{len(graph.nodes) - len(nodes)} tools without a link are not drawn"
    return Graph(tuple(nodes), graph.edges, (*graph.notes[-1:], left))


def _write(graph: Graph) -> str:
    """Write *graph* as the text of a Mermaid flowchart."""
    return "\n".join(_iter_lines(graph)) + "\n"


def _iter_lines(graph: Graph) -> Iterator[str]:
    """Yield the lines of a Mermaid flowchart of *graph*."""
    yield "flowchart LR"
    ids = {node.key: f"n{number}" for number, node in enumerate(graph.nodes)}
    clusters: dict[str, list[Node]] = {}
    for node in graph.nodes:
        clusters.setdefault(node.cluster, []).append(node)
    for number, (cluster, nodes) in enumerate(sorted(clusters.items())):
        indent = "    " if cluster else "  "
        if cluster:
            yield f"  subgraph c{number}[{_quote((cluster,))}]"
        for node in nodes:
            text = _quote(node.lines)
            yield f"{indent}{ids[node.key]}" + (f"[{text}]" if node.is_tool else f"([{text}])")
        if cluster:
            yield "  end"
    for edge in graph.edges:
        # A near fit is dotted.
        arrow = "-.->" if edge.is_near else "-->"
        yield f"  {ids[edge.source]} {arrow}|{_quote(edge.labels)}| {ids[edge.target]}"
    for note in graph.notes:
        yield f"  %% {note}"


def _quote(lines: tuple[str, ...]) -> str:
    """Quote *lines* as a Mermaid string without code or markup."""
    return '"' + "<br/>".join(map(escape_mermaid, lines)) + '"'


def escape_mermaid(text: str) -> str:
    """Replace characters that are special in Mermaid, Markdown or HTML by codes.

    >>> escape_mermaid('a"]; click b <i>')
    'a#34;]#59; click b #60;i#62;'
    """
    return "".join(c if c.isalnum() or c in _PLAIN else f"#{ord(c)};" for c in text)
