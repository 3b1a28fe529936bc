"""Pictures of chains in Mermaid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from typesig.contract_limits import MAX_MERMAID, MAX_MERMAID_EDGES
from typesig.contracts.chains.graph import Edge, Graph, Node, graph_of
from typesig.contracts.chains.links import Chain

#: Characters that mean the same in Mermaid and in its texts.
_PLAIN = frozenset(" .,:_[]→↻…?")


def mermaid_of(chain: Chain, clusters: Mapping[str, str]) -> str:
    """Return the picture of *chain* as a flowchart in Mermaid, as large as Mermaid draws it.

    If that is not all, tools without a link are left out, and so is what stands below the names of
    tools; then the weakest edges.
    """
    most = MAX_MERMAID_EDGES
    text = _text(graph_of(chain, clusters, most))
    while len(text) > MAX_MERMAID:
        text = _text(_shortened(graph_of(chain, clusters, most)))
        most //= 2
    return text


def _shortened(graph: Graph) -> Graph:
    """Return *graph* with only the nodes that have edges, and only their names."""
    linked = {end for edge in graph.edges for end in (edge.source, edge.target)}
    nodes = [
        node._replace(lines=node.lines[:1] if node.is_tool else node.lines)
        for node in graph.nodes
        if node.key in linked
    ]
    left = f"{len(graph.nodes) - len(nodes)} tools without a link are not drawn"
    return Graph(tuple(nodes), graph.edges, (*graph.notes[-1:], left))


def _text(graph: Graph) -> str:
    return "\n".join(_lines(graph)) + "\n"


def _lines(graph: Graph) -> Iterator[str]:
    yield "flowchart LR"
    ids = {node.key: f"n{number}" for number, node in enumerate(graph.nodes)}
    clusters: dict[str, list[Node]] = {}
    for node in graph.nodes:
        clusters.setdefault(node.cluster, []).append(node)
    for number, (cluster, nodes) in enumerate(sorted(clusters.items())):
        indent = "    " if cluster else "  "
        if cluster:
            yield f"  subgraph c{number}[{_quoted((cluster,))}]"
        for node in nodes:
            text = _quoted(node.lines)
            yield f"{indent}{ids[node.key]}" + (f"[{text}]" if node.is_tool else f"([{text}])")
        if cluster:
            yield "  end"
    for edge in graph.edges:
        yield f"  {ids[edge.source]} {_arrow(edge)}|{_quoted(edge.labels)}| {ids[edge.target]}"
    for note in graph.notes:
        yield f"  %% {note}"


def _arrow(edge: Edge) -> str:
    return "-.->" if edge.is_near else "-->"


def _quoted(lines: tuple[str, ...]) -> str:
    """Return *lines* as a text of Mermaid, in which nothing is read as code or markup."""
    return '"' + "<br/>".join(map(escaped, lines)) + '"'


def escaped(text: str) -> str:
    """Return *text* with codes for what Mermaid, Markdown or HTML would read.

    >>> escaped('a"]; click b <i>')
    'a#34;]#59; click b #60;i#62;'
    """
    return "".join(c if c.isalnum() or c in _PLAIN else f"#{ord(c)};" for c in text)
