"""Laws of chains: what fits is accepted, and order does not matter."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW, signatures
from typesig import Toolset
from typesig.algebra.nodes import NIL, Field
from typesig.algebra.signature import Signature
from typesig.contracts.chains.ends import (
    GENERIC,
    NameWords,
    find_ends,
    iter_sink_keys,
    iter_source_keys,
    measure_agreement,
)
from typesig.contracts.chains.graph import escape_mermaid, write_mermaid
from typesig.contracts.chains.link_finder import LinkFinder, make_chain
from typesig.contracts.chains.links import Chain, Link
from typesig.contracts.chains.svg import draw_svg
from typesig.contracts.lock import Lock
from typesig.relations import NoSample, samples

#: Names that a picture could take for code or markup.
_ODD = ['a"]; click b', "</text><script>", "]]>", "%%{init: {}}%%", "end", "a|b", "x\n  y --> z"]
_ODD += ["\x00", "\ud800", "\u202eb", "`**b**`", "&amp;", "#34;", "", "\ufffe", "日本" * 30]
HOSTILE = st.one_of(st.sampled_from(_ODD), st.text(max_size=8))

_RECORDS = ["{id :int, name :string}", "{id :int, name :string?, at? :datetime}", "[{id :int}]"]
_RECORDS += [":enum[a b]", ":int[1..5]", "{item {user_id :int, tags [:string]}, next_page :int?}"]
_PARAMS = [
    "id :int",
    "user_id :int",
    "name :string",
    "item {id :int, name :string}",
    "tags [:string]",
]
_PARAMS += ["page? :int", "kind :enum[a b c]", "at :datetime?", "text :string", "ids [:int]"]
_NAMES = ["list_users", "get_user", "find", "fetch_item", "make_item", "hub_get", "hub_a", "hub_b"]


def tool_of(name: str, signature: object) -> Any:
    def function(**given: Any) -> None:
        """Do it."""

    function.__name__ = "f"
    return typesig.tool(signature, name=name)(function)


@st.composite
def toolsets(draw: st.DrawFn) -> Toolset:
    made = []
    for name in draw(st.lists(st.sampled_from(_NAMES), unique=True, min_size=1)):
        params = draw(
            st.lists(st.sampled_from(_PARAMS), unique_by=lambda p: p.split()[0], max_size=3)
        )
        made.append(tool_of(name, f"({', '.join(params)}) -> {draw(st.sampled_from(_RECORDS))}"))
    return Toolset(made)


@LAW
@given(signatures(), signatures())
def test_values_of_a_part_that_fits_are_accepted_by_the_check_of_the_parameter(
    one: Signature, other: Signature
) -> None:
    sources = find_ends(
        tool_of("a", Signature([], one.returns, one.definitions)), frozenset()
    ).sources
    sinks = find_ends(
        tool_of("b", Signature([Field("x", other.returns)], NIL, other.definitions)), frozenset()
    ).sinks
    linking = LinkFinder()
    for source in sources[:6]:
        for sink in sinks[:4]:
            if linking.make_link(source, sink).kind != "fits":
                continue
            check = Signature([Field("x", sink.type.returns)], NIL, sink.type.definitions)
            try:
                drawn = samples(source.type, count=5)
            except NoSample:
                continue
            for value in drawn:
                assert sink.type.accepts(value)
                assert check.validate_input({"x": value}).ok


_WORDS = st.frozensets(st.sampled_from(["user", "order", "id", "name", "title", "key"]), max_size=3)
_WORDINGS = st.builds(NameWords, _WORDS, _WORDS, _WORDS, st.sampled_from(["", "user", "hub"]))


@LAW
@given(_WORDINGS, _WORDINGS)
def test_names_that_agree_are_found_by_a_key(source: NameWords, target: NameWords) -> None:
    is_found = {*iter_source_keys(source)} & {*iter_sink_keys(target)}

    assume(len(source.own & GENERIC) < 3 > len(target.own & GENERIC))

    assert is_found or measure_agreement(source, target) < 1


@LAW
@given(toolsets(), st.booleans(), st.randoms(use_true_random=False))
def test_a_chain_does_not_depend_on_the_order_of_the_tools(
    tools: Toolset, everything: bool, random: Any
) -> None:
    others = list(tools)
    random.shuffle(others)

    assert make_chain(tools, everything) == make_chain(Toolset(others), everything)


@LAW
@given(toolsets(), st.booleans())
def test_the_lock_of_tools_has_their_chain(tools: Toolset, everything: bool) -> None:
    assert make_chain(tools, everything) == make_chain(Lock.of(tools).tools.values(), everything)


@LAW
@given(toolsets())
def test_every_link_of_a_chain_is_one_of_all_links(tools: Toolset) -> None:
    everything = {
        (x.source, x.path, x.target, x.parameter, x.into) for x in make_chain(tools, True)
    }
    told = [x for x in make_chain(tools) if x.kind in ("fits", "nearly")]

    assert {(x.source, x.path, x.target, x.parameter, x.into) for x in told} <= everything


@LAW
@given(st.data())
def test_a_picture_of_any_names_is_whole_and_the_same_each_time(data: st.DataObject) -> None:
    names = data.draw(st.lists(HOSTILE, min_size=1, max_size=8, unique=True))
    tool, path = st.sampled_from(names), st.lists(HOSTILE, max_size=2).map(tuple)
    kinds = st.sampled_from(["fits", "nearly", "unknown"])
    links = st.builds(Link, tool, path, tool, HOSTILE, path, kinds)
    chain = Chain(tuple(names), tuple(data.draw(st.lists(links, max_size=20))))
    clusters = data.draw(st.dictionaries(tool, HOSTILE))
    svg, mermaid = draw_svg(chain, clusters), write_mermaid(chain, clusters)
    root = ElementTree.fromstring(svg)

    assert (svg, mermaid) == (draw_svg(chain, clusters), write_mermaid(chain, clusters))
    assert {"svg", "title", "style", "defs", "marker", "path", "rect", "text", "g"} >= {
        each.tag.partition("}")[2] for each in root.iter()
    }
    # Each name is in a text of its own: no line is the code of another.
    assert {"flowchart LR"} == {line for line in mermaid.splitlines() if line.startswith("flow")}
    for line in mermaid.splitlines()[1:]:
        assert line.strip().startswith(("n", "subgraph c", "end", "%%"))
        assert line.count('"') in (0, 2)


@LAW
@given(HOSTILE)
def test_an_escaped_text_has_no_sign_of_mermaid(text: str) -> None:
    assert not set('"`<>{}()|\n;') & set(escape_mermaid(text).replace(";", ""))
