"""Pictures of chains: what is drawn, what is written instead, and what is left out."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from itertools import combinations

import pytest

import typesig
from tests.contracts.chains.test_links import SHOP, toolset
from typesig import Toolset
from typesig.contracts.chains import graph, layout
from typesig.contracts.chains.graph import build_graph, find_clusters, write_mermaid
from typesig.contracts.chains.layout import Arc, Box, place_boxes
from typesig.contracts.chains.links import Chain, Link
from typesig.contracts.chains.svg import draw_svg
from typesig.limits import contracts

THINGS = ("user", "order", "issue", "page", "team", "label", "branch", "ticket", "folder", "job")


def large(count: int) -> Toolset:
    """Return *count* tools of a few services, each of which deals with several things."""
    signatures: dict[str, str] = {}
    for number in range(count):
        service = ("hub", "desk", "shop", "mail", "bill")[number % 5]
        verb = ("list", "get", "update", "delete")[number // 5 % 4]
        name = f"{service}_{verb}_{THINGS[number // 20 % 10]}{number // 200 or ''}"
        result = "{id :int, title :string, mail :string[email], owner_id :int}"
        more = ", title :string, mail? :string[email]" if verb == "update" else ""
        signatures[name] = f"(id :int{more}) -> {result}"
    return toolset(**signatures)


def test_a_picture_in_mermaid_has_tools_shared_values_and_labelled_links() -> None:
    assert write_mermaid(SHOP.chain(), find_clusters(SHOP, "name")) == (
        "flowchart LR\n"
        '  n0["get_customer"]\n'
        '  n3["send_mail"]\n'
        '  n4["ship"]\n'
        '  n5(["id<br/>:int"])\n'
        '  subgraph c1["order"]\n'
        '    n1["get_order"]\n'
        '    n2["search_orders"]\n'
        "  end\n"
        '  n0 -.->|"address → address"| n4\n'
        '  n1 -->|"customer.id → customer_id"| n0\n'
        '  n1 -->|"customer.email → email"| n3\n'
        '  n1 -->|"id"| n5\n'
        '  n2 -->|"[].customer_id → customer_id"| n0\n'
        '  n2 -->|"[].id"| n5\n'
        '  n5 -->|"id"| n1\n'
        '  n5 -->|"order_id"| n4\n'
    )


def texts_of(picture: str) -> list[str]:
    root = ElementTree.fromstring(picture)
    return [str(each.text) for each in root.iter("{http://www.w3.org/2000/svg}text")]


def test_a_picture_in_svg_has_the_same_texts() -> None:
    found = texts_of(draw_svg(SHOP.chain(), find_clusters(SHOP, "name")))

    assert found[0] == "5 tools: which result feeds which parameter"
    assert {*SHOP.names, "id", ":int", "address → address", "dashed: fits nearly"} <= {*found}


def rectangles(picture: str, style: str) -> list[tuple[float, float, float, float]]:
    """Return the corners of the boxes with the class *style*, in one drawing."""
    found = []
    for each in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}rect"):
        if each.get("class") == style and each.get("x") is not None:
            x, y, w, h = (float(str(each.get(name))) for name in ("x", "y", "width", "height"))
            found.append((x, y, x + w, y + h))
    return found


@pytest.mark.parametrize("count", [5, 50])
def test_no_box_stands_on_another(count: int) -> None:
    tools = SHOP if count == 5 else large(count).select(*large(count).names[:50:5])
    picture = draw_svg(tools.chain(), {})
    boxes = [box for style in ("tool", "value") for box in rectangles(picture, style)]
    one = [
        pair
        for pair in combinations(boxes, 2)
        if pair[0][0] < pair[1][2]
        and pair[1][0] < pair[0][2]
        and pair[0][1] < pair[1][3]
        and pair[1][1] < pair[0][3]
    ]

    assert boxes
    assert [] == (one if picture.count("<g ") == 2 else [])


def test_many_tools_are_drawn_in_a_box_for_each_cluster() -> None:
    tools = large(200)
    picture = draw_svg(tools.chain(), find_clusters(tools, "name"))
    found = texts_of(picture)

    assert {"hub: 40 tools", "desk: 40 tools", "shop: 40 tools"} <= {*found}
    assert {*tools.names} <= {*found}
    assert "→ and ← count the links to and from other boxes" in found
    assert any(text.startswith("◇ mail ") for text in found)
    assert len(picture) < 1_000_000


def test_tools_of_no_cluster_have_a_box_of_their_own() -> None:
    links = [Link(f"a{n}", ("x",), f"b{n}", "x") for n in range(40)]
    names = tuple(sorted({end for link in links for end in (link.source, link.target)}))
    clusters = {name: "first" if name < "a5" else "second" if name < "b" else "" for name in names}
    found = texts_of(draw_svg(Chain(names, tuple(links)), clusters))

    assert "others: 40 tools" in found
    assert {"→ others 1", "← first 1"} <= {*found}


def test_tools_without_a_link_are_listed() -> None:
    found = texts_of(draw_svg(Chain(("a", "b"), ()), {}))

    assert ["2 tools: which result feeds which parameter", "not linked", "a", "b"] == found
    assert ["0 tools: which result feeds which parameter"] == texts_of(draw_svg(Chain((), ()), {}))
    assert "1 tool: which" in draw_svg(Chain(("a",), ()), {})


def test_the_weakest_edges_are_left_out_and_counted() -> None:
    made = build_graph(SHOP.chain(), {}, most=2)

    assert 2 == len(made.edges)
    assert ("6 weaker edges are not drawn",) == made.notes


def test_a_value_of_many_ends_is_written_in_the_boxes() -> None:
    links = [Link(f"a{n}", ("id",), f"b{m}", "id", type=":int") for n in range(8) for m in range(8)]
    links += [
        Link(f"c{n}", ("id",), f"d{m}", "id", type=":int") for n in range(8) for m in range(8)
    ]
    names = tuple(f"{x}{n}" for x in "abcd" for n in range(8))
    made = build_graph(Chain(names, tuple(links)), {})

    assert () == made.edges
    assert ("a0", "id → ◇ id") == made.nodes[0].lines
    assert ("d0", "◇ id 2 → id") == made.nodes[24].lines
    assert (
        "◇ id :int: 8 results, 8 parameters",
        "◇ id 2 :int: 8 results, 8 parameters",
    ) == made.notes


def test_parts_that_fit_other_parameters_share_no_value() -> None:
    pairs = [("a", "x"), ("b", "x"), ("a", "y"), ("b", "y"), ("c", "y"), ("c", "z"), ("d", "z")]
    links = [Link(one, ("id",), other, "id") for one, other in pairs]
    made = build_graph(Chain(tuple("abcdxyz"), tuple(links)), {"a": "k", "b": "k"})
    value = [node for node in made.nodes if not node.is_tool]

    assert ["value 000000"] == [node.key for node in value]
    assert [("c", "y"), ("c", "z"), ("d", "z")] == [
        (e.source, e.target) for e in made.edges if "value" not in e.source + e.target
    ]


def test_many_links_between_two_tools_are_counted() -> None:
    links = [Link("a", (f"x{n}",), "b", f"x{n}") for n in range(9)]
    (edge,) = build_graph(Chain(("a", "b"), tuple(links)), {}).edges

    assert ("x0 → x0", "x1 → x1", "x2 → x2", "… 6 more") == edge.labels


def test_what_mermaid_does_not_draw_is_left_out_and_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tools = large(60)
    chain, clusters = tools.chain(), find_clusters(tools, "name")
    whole = write_mermaid(chain, clusters)
    monkeypatch.setattr(graph, "MAX_MERMAID", 3_000)
    short = write_mermaid(chain, clusters)

    assert len(short) <= 3_000 < len(whole)
    assert re.search(r"  %% \d+ weaker edges are not drawn\n  %% \d+ tools without a link", short)


def test_hostile_names_are_texts() -> None:
    chain = Chain(('a"]; click b', "<b>"), (Link('a"]; click b', ("end",), "<b>", "x\n|y|"),))

    assert write_mermaid(chain, {}) == (
        'flowchart LR\n  n0["a#34;]#59; click b"]\n  n1["#60;b#62;"]\n'
        '  n0 -->|"end → #34;x#92;n#124;y#124;#34;"| n1\n'
    )
    assert "<b>" in texts_of(draw_svg(chain, {}))


def test_tools_are_clustered() -> None:
    tools = Toolset([
        typesig.tool("() -> :nil", name=name, annotations=hints)(lambda: None)
        for name, hints in [
            ("hub_get", {"readOnlyHint": True}), ("hub_put", {"destructiveHint": True}),
            ("get_hub", {}), ("list_hubs", {"readOnlyHint": True}), ("other", {}), ("get", {}),
            ("drop", {"destructiveHint": True}),
        ]
    ])  # fmt: skip
    annotated = ["reads", "destroys", "writes", "reads", "writes", "writes", "destroys"]

    assert [*["hub"] * 4, "", "", ""] == [*find_clusters(tools, "name").values()]
    assert annotated == [*find_clusters(tools, "annotation").values()]
    assert {__name__} == {*find_clusters(tools, "module").values()}
    assert {""} == {*find_clusters(tools, "none").values()}


def test_edges_back_and_over_several_layers_go_around_what_is_between() -> None:
    boxes = {name: Box(40, 20) for name in "abcd"}
    arcs = [Arc(*ends, Box(30, 10)) for ends in ("ab", "bc", "cd", "ad", "da")]
    made = place_boxes(boxes, arcs)
    xs = [made.boxes[name][0] for name in "abcd"]

    assert sorted(xs) == xs
    # From right to left.
    assert made.routes[4][0][0] > made.routes[4][-1][0]
    assert 5 == len(made.labels) == len(set(made.labels))
    for name in "bc":
        left, top = made.boxes[name]
        ys = [y for x, y in made.routes[3] if left <= x <= left + 40]
        assert not any(top <= y <= top + 20 for y in ys)


def test_long_edges_of_a_very_large_drawing_go_straight(monkeypatch: pytest.MonkeyPatch) -> None:
    boxes = {name: Box(40, 20) for name in "abcd"}
    arcs = [Arc(*ends, Box(30, 10)) for ends in ("ab", "bc", "cd", "ad")]
    around = place_boxes(boxes, arcs)
    monkeypatch.setattr(layout, "MAX_GRAPH_POINTS", 0)
    straight = place_boxes(boxes, arcs)

    assert len(straight.routes[3]) < len(around.routes[3])


def test_wide_characters_have_wide_boxes() -> None:
    (narrow,) = rectangles(draw_svg(Chain(("ab",), ()), {}), "tool")
    (wide,) = rectangles(draw_svg(Chain(("日本",), ()), {}), "tool")

    assert wide[2] > narrow[2]


@pytest.mark.once
@pytest.mark.parametrize("count", [500])
def test_five_hundred_tools_take_seconds(count: int) -> None:
    tools = large(count)
    chain = tools.chain()

    assert len(chain) <= contracts.MAX_LINKS
    assert len(draw_svg(chain, find_clusters(tools, "name"))) < 2_000_000
    assert len(write_mermaid(chain, find_clusters(tools, "name"))) <= contracts.MAX_MERMAID


def test_a_tool_that_feeds_itself_says_so_in_its_box() -> None:
    tools = toolset(next_page="(cursor {at :int, size :int}) -> {cursor {at :int, size :int}}")
    drawn = build_graph(tools.chain(), {})

    assert any("↻" in line for node in drawn.nodes for line in node.lines)
