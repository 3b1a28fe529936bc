"""All links of a toolset that tell something.

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
from typesig.contract_limits import (
    MAX_CHAIN_DEPTH,
    MAX_CHAIN_PAIRS,
    MAX_CHAIN_PARTS,
    MAX_CHAIN_TYPES,
    MAX_LINKS,
)
from typesig.contracts.chains import judging, names
from typesig.contracts.chains.ends import End, ends_of
from typesig.contracts.chains.links import KINDS, Chain, Code, Link, places_of
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset

_ABSENT: tuple[Code, ...] = ("nullable", "optional")

#: Reasons for which a special type is linked although the names do not agree.
_SMALL: tuple[Code, ...] = (*_ABSENT, "wrapped", "open")


def is_telling(agreed: int, special: int) -> bool:
    """Tell whether a link is worth showing, by how well names agree and how special the type is.

    The names agree at least as those of a thing and its id do, or the type is a record or an enum,
    or both hold in part.
    """
    return agreed >= 2 or agreed + special >= 2


def chain_of(tools: Iterable[names.Described], everything: bool = False) -> Chain:
    """Return the links of *tools*; with *everything*, those that tell nothing, too."""
    ordered = sorted(tools, key=lambda tool: tool.name)
    prefixes = names.prefixes_of([tool.name for tool in ordered])
    found = [ends_of(tool, prefixes) for tool in ordered]
    notes = []
    if cut := sum(ends.is_cut for ends in found):
        notes.append(
            f"only {MAX_CHAIN_PARTS} parts, {MAX_CHAIN_DEPTH} levels deep, were looked at of {cut} "
            f"{'tool' if cut == 1 else 'tools'}"
        )
    sources = [end for ends in found for end in ends.sources]
    sinks = [end for ends in found for end in ends.sinks]
    linking = Linking()
    pairs = product(sources, sinks) if everything else _pairs(sources, sinks, notes)
    links: dict[tuple[Any, ...], Link] = {}
    for count, (source, sink) in enumerate(pairs):
        if count == MAX_CHAIN_PAIRS:
            notes.append(f"only {MAX_CHAIN_PAIRS} pairs of parts and parameters were looked at")
            break
        link = linking.link(source, sink, everything)
        if link is not None:
            key = (source.tool, source.path, sink.tool, sink.path)
            links[key] = min(links.get(key, link), link, key=rank)
    kept = sorted(_without_implied(links.values()), key=rank)
    if len(kept) > MAX_LINKS:
        notes.append(f"{len(kept) - MAX_LINKS} weaker links were left out")
    if linking.judge.is_spent:
        notes.append("some types were not compared, since others took too many steps")
    return Chain(tuple(tool.name for tool in ordered), tuple(kept[:MAX_LINKS]), tuple(notes))


def _without_implied(links: Iterable[Link]) -> Iterator[Link]:
    """Yield *links* without those that another one implies.

    If a record fits, its fields fit; if a list fits a list, each item fits an item; and if items do
    not fit because the whole list does, that is no news.
    """
    links = list(links)
    # What is in a record that may be nil may be absent.
    passed = [link for link in links if link.kind == "fits" or link.code in _ABSENT]
    fitting = {places_of(link) for link in passed}
    families: dict[tuple[Any, ...], Link] = {}
    for link in links:
        family = _family(link)
        families[family] = min(families.get(family, link), link, key=rank)
    for link in links:
        source, sink = places_of(link)
        if link.kind != "fits" and families[_family(link)] is not link:
            continue
        shared = 0
        for mine, theirs in zip(reversed(source[1:]), reversed(sink[2:]), strict=False):
            if mine != theirs:
                break
            shared += 1
        cuts = range(1, shared + 1)
        if not any((source[:-cut], sink[:-cut]) in fitting for cut in cuts):
            yield link


def _family(link: Link) -> tuple[Any, ...]:
    """Return what links from and to the same names have in common, within lists or not."""
    return tuple([tuple([step for step in place if step != "[]"]) for place in places_of(link)])


def rank(link: Link) -> tuple[Any, ...]:
    """Return the key by which links are sorted: the best first."""
    return (
        KINDS.index(link.kind), -link.strength, link.source, len(link.path), link.path,
        link.target, link.parameter, len(link.into), link.into,
    )  # fmt: skip


class Linking:
    """Makes links, within one budget."""

    def __init__(self) -> None:
        self.judge = judging.TypeJudge()
        self._specificity: dict[Signature, int] = {}
        self._texts: dict[Signature, str] = {}

    def link(self, source: End, sink: End, everything: bool = False) -> Link | None:
        """Return the link from *source* to *sink*, or None if it tells nothing.

        With *everything*, there is one if the value fits or nearly fits.
        """
        if source.tool == sink.tool and not everything and not sink.wording.own & names.PAGING:
            # What it returns is most often what it was called with.
            return None
        agreed = names.agreement(source.wording, sink.wording)
        special = self._specificity.get(sink.type)
        if special is None:
            special = self._specificity[sink.type] = judging.specificity(sink.type)
        if not everything and not is_telling(agreed, special):
            return None
        verdict = self._verdict(source, sink, agreed, special)
        if not _is_kept(verdict, source, agreed, special, everything):
            return None
        return self._made(source, sink, verdict, agreed + special)

    def any_link(self, source: End, sink: End) -> Link:
        """Return the link from *source* to *sink*, whatever it tells."""
        agreed = names.agreement(source.wording, sink.wording)
        special = judging.specificity(sink.type)
        return self._made(
            source, sink, self._verdict(source, sink, agreed, special), agreed + special
        )

    def _verdict(self, source: End, sink: End, agreed: int, special: int) -> judging.Verdict:
        verdict = self.judge.verdict(source.type, sink.type)
        if verdict is not judging.FITS:
            return verdict
        if sink.path[-1] == "[]":
            return judging.WRAPPED
        if not source.required and sink.required:
            mend = "look whether it is there before the call, or make the parameter optional"
            return judging.Verdict("nearly", "optional", "may be absent", mend)
        if agreed < 1 and not special and source.is_named:
            reason = "the type tells nothing, and the names do not agree"
            return judging.Verdict(
                "nearly", "names", reason, "call both alike if they mean the same"
            )
        return verdict

    def _made(self, source: End, sink: End, verdict: judging.Verdict, strength: int) -> Link:
        text = self._texts.get(sink.type)
        if text is None:
            text = self._texts[sink.type] = judging.text_of(sink.type)
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
    verdict: judging.Verdict, source: End, agreed: int, special: int, everything: bool
) -> bool:
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


def _pairs(sources: list[End], sinks: list[End], notes: list[str]) -> Iterator[tuple[End, End]]:
    """Yield the pairs of which the names, or the types, have something in common."""
    by_name: dict[object, list[int]] = {}
    by_type: dict[Signature, list[int]] = {}
    for place, sink in enumerate(sinks):
        by_type.setdefault(sink.type, []).append(place)
        for key in names.names_as_sink(sink.wording):
            by_name.setdefault(key, []).append(place)
    related = _related({end.type: None for end in sources}, by_type, notes)
    for source in sources:
        found: set[int] = set()
        for key in names.names_as_source(source.wording):
            found.update(by_name.get(key, ()))
        for t in related.get(source.type, ()):
            found.update(by_type[t])
        for place in sorted(found):
            yield source, sinks[place]


def _related(
    sources: Iterable[Signature], targets: Iterable[Signature], notes: list[str]
) -> dict[Signature, list[Signature]]:
    """Return the special types of *targets* that have a key or a value of each of *sources*."""
    by_mark: dict[object, list[Signature]] = {}
    for target in targets:
        if judging.specificity(target) == 2:
            for mark in _marks(target):
                by_mark.setdefault(mark, []).append(target)
    found: dict[Signature, list[Signature]] = {}
    count = 0
    for source in sources:
        marked: dict[Signature, int] = {}
        for mark in _marks(source):
            for target in by_mark.get(mark, ()):
                marked[target] = marked.get(target, 0) + 1
        # Of a record, all required keys.
        kept = [t for t, hits in marked.items() if hits >= _needed(t)]
        count += len(kept)
        if count > MAX_CHAIN_TYPES:
            notes.append(f"only {MAX_CHAIN_TYPES} pairs of types were compared by their parts")
            break
        found[source] = kept
    return found


def _marks(signature: Signature) -> set[object]:
    """Return the keys of a record, or the values of an enum, within lists and nil."""
    t = judging.core_of(signature)
    if isinstance(t, nodes.Record):
        return {field.key for field in t.fields}
    return set(t.values) if isinstance(t, nodes.Enum) else set()


def _needed(target: Signature) -> int:
    t = judging.core_of(target)
    required = sum(f.required for f in t.fields) if isinstance(t, nodes.Record) else 1
    return max(1, required)


def known_tool(tools: Toolset, name: str) -> Tool[..., Any]:
    """Return the tool called *name*; raise `TypesigError` with the nearest name."""
    from typesig.calls.unknown import unknown_tool
    from typesig.errors import TypesigError

    if name not in tools.names:
        raise TypesigError(unknown_tool(name, tools.names))
    return tools[name]
