"""Check pipelines of tools: each tool needs input from the result before it."""

from __future__ import annotations

from collections.abc import Iterable

from typesig.contracts.chains.ends import Ends, find_ends
from typesig.contracts.chains.link_finder import LinkFinder, get_known_tool, get_rank
from typesig.contracts.chains.links import Link, Pipeline, Step
from typesig.contracts.chains.names import find_prefixes
from typesig.errors import TooLarge, TypesigError
from typesig.limits.contracts import MAX_PIPELINE
from typesig.tools.toolset import Toolset


def check_pipeline(tools: Toolset, names: tuple[str, ...]) -> Pipeline:
    """Check that the tools *names* can be called in this order; see `check_chain`."""
    if len(names) < 2:
        raise TypesigError("a pipeline has two tools or more; write check_chain('find', 'fetch')")
    if len(names) > MAX_PIPELINE:
        raise TooLarge(f"a pipeline has up to {MAX_PIPELINE} tools, this one has {len(names)}")
    prefixes = find_prefixes(tools.names)
    chosen = [get_known_tool(tools, name) for name in names]
    ends = {tool.name: find_ends(tool, prefixes) for tool in chosen}
    linking = LinkFinder()
    steps: list[Step] = []
    for place, tool in enumerate(chosen):
        before = {name: ends[name] for name in reversed(names[:place])}
        needed = [f.name for f in tool.signature.params if f.required and not f.firewalled]
        steps.append(_make_step(tool.name, ends[tool.name], before, needed, linking))
    return Pipeline(tuple(steps))


def _make_step(
    name: str, own: Ends, before: dict[str, Ends], needed: list[str], linking: LinkFinder
) -> Step:
    """Build the step of the tool *name*; *before* has earlier results, latest first."""
    if not before:
        return Step(name, needs=tuple(needed))
    params = list(dict.fromkeys(sink.path[0] for sink in own.sinks))
    last, *others = before
    first = _find_best_links(own, [before[last]], linking)
    # What the last result does not feed may come from an earlier one.
    rest = _find_best_links(own, [before[other] for other in others], linking)
    fed, near = [], []
    for param in params:
        links = [each[param] for each in (first, rest) if param in each]
        fitting = [link for link in links if link.kind == "fits"]
        if fitting:
            fed.append(fitting[0])
        elif links and links[0].kind != "differs":
            near.append(links[0])
    given = {link.parameter for link in fed}
    needs = tuple(param for param in needed if param not in given)
    if any(link.source == last for link in fed):
        near = [link for link in near if link.parameter in needs and link.strength > 1]
        return Step(name, tuple(fed), tuple(near), needs)
    return Step(name, tuple(fed), tuple(near), needs, _explain_gap(last, params, near))


def _find_best_links(own: Ends, before: Iterable[Ends], linking: LinkFinder) -> dict[str, Link]:
    """Find the best link from the ends *before* to each parameter of *own*."""
    found: dict[str, Link] = {}
    for ends in before:
        for source in ends.sources:
            for sink in own.sinks:
                link = linking.make_link(source, sink)
                name = link.parameter
                found[name] = min(found.get(name, link), link, key=get_rank)
    return found


def _explain_gap(last: str, params: list[str], near: list[Link]) -> str:
    """Explain why no result part of tool *last* fits the parameters *params*."""
    if not params:
        return f"takes no arguments, so nothing of the result of {last}"
    kinds = {link.kind for link in near if link.source == last}
    if "nearly" in kinds:
        return f"a part of the result of {last} nearly fits"
    if "unknown" in kinds:
        return f"it is not known whether a part of the result of {last} fits"
    return f"no part of the result of {last} fits"
