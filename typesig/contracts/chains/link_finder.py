"""Find the links between the tools of a toolset that are worth showing.

A link between a text and a text tells nothing by itself: with many tools nearly everything would
fit nearly everything.  So a link counts only if the names agree, or if the type is special, such as
a record; see `is_telling`.  Ends are found by the words of their names, and by the keys and values
of their types, so that not each part is compared with each parameter.  Tools are looked at in the
order of their names: a limit leaves out the same links whatever their order in the toolset is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from typesig.algebra import nodes
from typesig.algebra.signature import Signature
from typesig.contracts.chains import ends, type_judge
from typesig.contracts.chains.ends import End, Ends, find_ends, find_prefixes
from typesig.contracts.chains.links import KINDS, Chain, Code, Link, Pipeline, Step, get_places
from typesig.errors import TooLarge, TypesigError
from typesig.limits.contracts import (
    MAX_CHAIN_DEPTH,
    MAX_CHAIN_PAIRS,
    MAX_CHAIN_PARTS,
    MAX_CHAIN_TYPES,
    MAX_LINKS,
    MAX_PIPELINE,
)
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset

_ABSENT: tuple[Code, ...] = ("nullable", "optional")

#: Reasons for which a special type is linked although the names do not agree.
_SMALL: tuple[Code, ...] = (*_ABSENT, "wrapped", "open")


def is_telling(agreed: int, special: int) -> bool:
    """Whether agreeing names or a special type make a link worth showing.

    The names agree at least as those of a thing and its id do, or the type is a record or an enum,
    or both hold in part.
    """
    return agreed >= 2 or agreed + special >= 2


def make_chain(tools: Iterable[ends.DescribedTool], everything: bool = False) -> Chain:
    """Find the links between *tools*; *everything* adds links not worth showing."""
    ordered = sorted(tools, key=lambda tool: tool.name)
    prefixes = ends.find_prefixes([tool.name for tool in ordered])
    found = [find_ends(tool, prefixes) for tool in ordered]
    notes = []
    if cut := sum(own.is_cut for own in found):
        notes.append(
            f"only {MAX_CHAIN_PARTS} parts, {MAX_CHAIN_DEPTH} levels deep, were looked at of {cut} "
            f"{'tool' if cut == 1 else 'tools'}"
        )
    sources = [end for own in found for end in own.sources]
    sinks = [end for own in found for end in own.sinks]
    linking = LinkFinder()
    pairs = product(sources, sinks) if everything else _iter_pairs(sources, sinks, notes)
    links: dict[tuple[Any, ...], Link] = {}
    for count, (source, sink) in enumerate(pairs):
        if count == MAX_CHAIN_PAIRS:
            notes.append(f"only {MAX_CHAIN_PAIRS} pairs of parts and parameters were looked at")
            break
        link = linking.link(source, sink, everything)
        if link is not None:
            key = (source.tool, source.path, sink.tool, sink.path)
            links[key] = min(links.get(key, link), link, key=get_rank)
    kept = sorted(_iter_without_implied(links.values()), key=get_rank)
    if len(kept) > MAX_LINKS:
        notes.append(f"{len(kept) - MAX_LINKS} weaker links were left out")
    if linking.judge.is_spent:
        notes.append("some types were not compared, since others took too many steps")
    return Chain(tuple(tool.name for tool in ordered), tuple(kept[:MAX_LINKS]), tuple(notes))


def _iter_without_implied(links: Iterable[Link]) -> Iterator[Link]:
    """Yield *links* except those that another link implies, such as a record's fields.

    If a record fits, its fields fit; if a list fits a list, each item fits an item; and if items do
    not fit because the whole list does, that is no news.
    """
    links = list(links)
    # What is in a record that may be nil may be absent.
    passed = [link for link in links if link.kind == "fits" or link.code in _ABSENT]
    fitting = {get_places(link) for link in passed}
    families: dict[tuple[Any, ...], Link] = {}
    for link in links:
        family = _get_family(link)
        families[family] = min(families.get(family, link), link, key=get_rank)
    for link in links:
        source, sink = get_places(link)
        if link.kind != "fits" and families[_get_family(link)] is not link:
            continue
        shared = 0
        for mine, theirs in zip(reversed(source[1:]), reversed(sink[2:]), strict=False):
            if mine != theirs:
                break
            shared += 1
        cuts = range(1, shared + 1)
        if not any((source[:-cut], sink[:-cut]) in fitting for cut in cuts):
            yield link


def _get_family(link: Link) -> tuple[Any, ...]:
    """Return the paths of both ends of *link* without list steps, as a group key."""
    return tuple([tuple([step for step in place if step != "[]"]) for place in get_places(link)])


def get_rank(link: Link) -> tuple[Any, ...]:
    """Sort key of a link: the best links come first."""
    return (
        KINDS.index(link.kind), -link.strength, link.source, len(link.path), link.path,
        link.target, link.parameter, len(link.into), link.into,
    )  # fmt: skip


class LinkFinder:
    """Finder of links between tools, within one budget of comparison steps."""

    def __init__(self) -> None:
        self.judge = type_judge.TypeJudge()
        self._specificity: dict[Signature, int] = {}
        self._texts: dict[Signature, str] = {}

    def link(self, source: End, sink: End, everything: bool = False) -> Link | None:
        """Link *source* to *sink*; None if the link is not worth showing.

        With *everything*, there is one if the value fits or nearly fits.
        """
        if source.tool == sink.tool and not everything and not sink.wording.own & ends.PAGING:
            # What it returns is most often what it was called with.
            return None
        agreed = ends.measure_agreement(source.wording, sink.wording)
        special = self._specificity.get(sink.type)
        if special is None:
            special = self._specificity[sink.type] = type_judge.measure_specificity(sink.type)
        if not everything and not is_telling(agreed, special):
            return None
        verdict = self._judge(source, sink, agreed, special)
        if not _is_kept(verdict, source, agreed, special, everything):
            return None
        return self._make_link(source, sink, verdict, agreed + special)

    def make_link(self, source: End, sink: End) -> Link:
        """Link *source* to *sink*, even if the link is not worth showing."""
        agreed = ends.measure_agreement(source.wording, sink.wording)
        special = type_judge.measure_specificity(sink.type)
        return self._make_link(
            source, sink, self._judge(source, sink, agreed, special), agreed + special
        )

    def _judge(self, source: End, sink: End, agreed: int, special: int) -> type_judge.Verdict:
        """Judge a link from *source* to *sink* by types, then optionality, then names."""
        verdict = self.judge.judge(source.type, sink.type)
        if verdict is not type_judge.FITS:
            return verdict
        if sink.path[-1] == "[]":
            return type_judge.WRAPPED
        if not source.required and sink.required:
            mend = "look whether it is there before the call, or make the parameter optional"
            return type_judge.Verdict("nearly", "optional", "may be absent", mend)
        if agreed < 1 and not special and source.is_named:
            reason = "the type tells nothing, and the names do not agree"
            return type_judge.Verdict(
                "nearly", "names", reason, "call both alike if they mean the same"
            )
        return verdict

    def _make_link(
        self, source: End, sink: End, verdict: type_judge.Verdict, strength: int
    ) -> Link:
        """Build the `Link` from *source* to *sink*, with the parameter type as text."""
        text = self._texts.get(sink.type)
        if text is None:
            text = self._texts[sink.type] = type_judge.write_result_type(sink.type)
        return Link(
            source.tool,
            source.path,
            sink.tool,
            sink.path[0],
            sink.path[1:],
            *verdict,
            type=text,
            strength=max(0, strength),
        )


def _is_kept(
    verdict: type_judge.Verdict, source: End, agreed: int, special: int, everything: bool
) -> bool:
    """Whether a link with *verdict* is worth showing; *everything* keeps near fits."""
    match verdict.kind:
        case "fits":
            return True
        case "nearly" if everything:
            return True
        case "nearly":
            return agreed >= 2 or (special == 2 and verdict.code in _SMALL)
        case "unknown":
            return agreed >= 2 or special == 2
        case _:
            # Two things of the same name that are no longer the same.
            return agreed == 3 and verdict.code == "type" and source.is_named


def _iter_pairs(
    sources: list[End], sinks: list[End], notes: list[str]
) -> Iterator[tuple[End, End]]:
    """Yield the pairs of ends whose names or types are related."""
    by_name: dict[object, list[int]] = {}
    by_type: dict[Signature, list[int]] = {}
    for place, sink in enumerate(sinks):
        by_type.setdefault(sink.type, []).append(place)
        for key in ends.iter_sink_keys(sink.wording):
            by_name.setdefault(key, []).append(place)
    related = _find_related({end.type: None for end in sources}, by_type, notes)
    for source in sources:
        found: set[int] = set()
        for key in ends.iter_source_keys(source.wording):
            found.update(by_name.get(key, ()))
        for t in related.get(source.type, ()):
            found.update(by_type[t])
        for place in sorted(found):
            yield source, sinks[place]


def _find_related(
    sources: Iterable[Signature], targets: Iterable[Signature], notes: list[str]
) -> dict[Signature, list[Signature]]:
    """Map each source to the special types of *targets* that share a key or value."""
    by_mark: dict[object, list[Signature]] = {}
    needed: dict[Signature, int] = {}
    for target in targets:
        if type_judge.measure_specificity(target) == 2:
            t = type_judge.find_core(target)
            required = sum(f.required for f in t.fields) if isinstance(t, nodes.Record) else 1
            needed[target] = max(1, required)
            for mark in _find_marks(target):
                by_mark.setdefault(mark, []).append(target)
    found: dict[Signature, list[Signature]] = {}
    count = 0
    for source in sources:
        marked: dict[Signature, int] = {}
        for mark in _find_marks(source):
            for target in by_mark.get(mark, ()):
                marked[target] = marked.get(target, 0) + 1
        # Of a record, all required keys.
        kept = [t for t, hits in marked.items() if hits >= needed[t]]
        count += len(kept)
        if count > MAX_CHAIN_TYPES:
            notes.append(f"only {MAX_CHAIN_TYPES} pairs of types were compared by their parts")
            break
        found[source] = kept
    return found


def _find_marks(signature: Signature) -> set[object]:
    """Collect the keys of a record type or values of an enum, inside lists and nil."""
    t = type_judge.find_core(signature)
    if isinstance(t, nodes.Record):
        return {field.key for field in t.fields}
    return set(t.values) if isinstance(t, nodes.Enum) else set()


def get_known_tool(tools: Toolset, name: str) -> Tool[..., Any]:
    """Get the tool *name*; raise `TypesigError` with a suggestion if there is none."""
    from typesig.calls.unknown_tools import explain_unknown_tool
    from typesig.errors import TypesigError

    if name not in tools.names:
        raise TypesigError(explain_unknown_tool(name, tools.names))
    return tools[name]


# --- Check pipelines of tools: each tool needs input from the result before it ---


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
    for earlier in before:
        for source in earlier.sources:
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
