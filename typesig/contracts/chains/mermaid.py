"""Chains as flowcharts in Mermaid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from typesig.contracts.chains.graph import Edge, Graph, Node, build_graph
from typesig.contracts.chains.links import Chain
from typesig.limits.contracts import MAX_MERMAID, MAX_MERMAID_EDGES

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
        yield f"  {ids[edge.source]} {_write_arrow(edge)}|{_quote(edge.labels)}| {ids[edge.target]}"
    for note in graph.notes:
        yield f"  %% {note}"


def _write_arrow(edge: Edge) -> str:
    """Write the Mermaid arrow for *edge*: dotted for a near fit, else solid."""
    return "-.->" if edge.is_near else "-->"


def _quote(lines: tuple[str, ...]) -> str:
    """Quote *lines* as a Mermaid string without code or markup."""
    return '"' + "<br/>".join(map(escape_mermaid, lines)) + '"'


def escape_mermaid(text: str) -> str:
    """Replace characters that are special in Mermaid, Markdown or HTML by codes.

    >>> escape_mermaid('a"]; click b <i>')
    'a#34;]#59; click b #60;i#62;'
    """
    return "".join(c if c.isalnum() or c in _PLAIN else f"#{ord(c)};" for c in text)
