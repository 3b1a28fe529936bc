"""Cost of each part of a listing, and the most detailed listing within a budget."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from typesig.calls.protocols import ToolLike
from typesig.errors import TooLarge, TypesigError, format_value
from typesig.listings.entries import TIERS, Listing, Tier, TieredText
from typesig.notations.texts.quoting import Counter


class Cost(NamedTuple):
    """Size of a tool, or of a shared type, in a listing.

    #: names: the size of its entry at the tier of names, 0 for a type
    #: types: what its signature adds to that; prose: what its descriptions add to that
    """

    name: str
    names: int
    types: int
    prose: int

    @property
    def total(self) -> int:
        """The size of the entry with name, types and prose."""
        return self.names + self.types + self.prose


class Costs(NamedTuple):
    """Size of a listing and of its parts, in the unit of its counter.

    #: tools, ahead: the costs of the tools, and of the types that stand ahead of them
    #: total: the size of the whole text
    """

    tools: tuple[Cost, ...]
    ahead: tuple[Cost, ...]
    total: int

    @property
    def sums(self) -> Cost:
        """The sums of the sizes of all tools and types, without the text around entries."""
        rows = [*self.tools, *self.ahead]
        return Cost(
            "", sum(r.names for r in rows), sum(r.types for r in rows), sum(r.prose for r in rows)
        )

    @property
    def around(self) -> int:
        """Size of the heading, the legend and the blank lines between entries."""
        return self.total - self.sums.total


class FittedListing(NamedTuple):
    """A listing that fits a budget; `str()` returns its text.

    #: tiers: how much is told of each tool; size: that of the text, in the unit of the counter
    """

    text: str
    tiers: dict[str, Tier]
    size: int

    def __str__(self) -> str:
        return self.text


def measure_costs(listing: Listing, count: Counter) -> Costs:
    """Measure the size of each entry of *listing* by the counter *count*."""
    tools = tuple([_measure_entry(entry, listing.tier, count) for entry in listing.entries])
    ahead = tuple([_measure_entry(entry, listing.tier, count) for entry in listing.types])
    return Costs(tools, ahead, count(listing.text()))


def _measure_entry(entry: TieredText, tier: Tier, count: Counter) -> Cost:
    """Measure *entry* up to detail *tier*, split into name, types and prose."""
    sizes = [count(text) if (text := entry.text(each)) else 0 for each in _get_tiers_up_to(tier)]
    names, types, prose = [*sizes, *[sizes[-1]] * (len(TIERS) - len(sizes))]
    return Cost(entry.name, names, types - names, prose - types)


def _get_tiers_up_to(tier: Tier) -> tuple[Tier, ...]:
    """Return the detail tiers from the smallest up to *tier*, inclusive."""
    return TIERS[: TIERS.index(tier) + 1]


class _Budget:
    """State of fitting a listing to a budget: tier of each tool, and size so far.

    #: raised: the tools that were raised, in order, with the tier that each had before
    """

    def __init__(self, listing: Listing, count: Counter, spent: int, budget: int) -> None:
        self._budget, self._spent = budget, spent
        self.tiers: dict[str, Tier] = {entry.name: "names" for entry in listing.entries}
        self.raised: list[tuple[str, Tier]] = []
        tiers = _get_tiers_up_to(listing.tier)
        # An entry is counted with the blank line before it.
        self._sizes = {
            e.name: {tier: count(f"\n\n{e.text(tier)}") for tier in tiers} for e in listing.entries
        }
        self._needs: dict[str, list[int]] = {entry.name: [] for entry in listing.entries}
        self._types: list[dict[Tier, int]] = []
        self._told: list[Tier] = []
        for place, each in enumerate(listing.types):
            sizes: dict[Tier, int] = {tier: count(f"\n{each.text(tier)}") for tier in tiers}
            sizes["names"] = 0
            self._types.append(sizes)
            self._told.append("names")
            for name in each.tools:
                self._needs[name].append(place)

    def _get_extra_cost(self, name: str, tier: Tier) -> int:
        """Return the extra size of raising the tool *name* to *tier*."""
        return self._sizes[name][tier] - self._sizes[name][self.tiers[name]]

    def raise_the_shortest(self, names: Iterable[str], tier: Tier) -> None:
        """Raise the tools *names* to *tier*, the cheapest first, as far as they fit."""
        for name in sorted(names, key=lambda name: self._get_extra_cost(name, tier)):
            self.try_to_raise(name, tier)

    def try_to_raise(self, name: str, tier: Tier) -> bool:
        """Raise the tool *name* to *tier* if it fits; return whether it did."""
        cost = self._get_extra_cost(name, tier)
        higher = [
            place
            for place in self._needs[name]
            if TIERS.index(self._told[place]) < TIERS.index(tier)
        ]
        for place in higher:
            cost += self._types[place][tier] - self._types[place][self._told[place]]
        if self._spent + cost > self._budget:
            return False
        self._spent += cost
        self.raised.append((name, self.tiers[name]))
        self.tiers[name] = tier
        for place in higher:
            self._told[place] = tier
        return True


def fit_listing(
    listing: Listing, count: Counter, budget: int, ranking: Iterable[str | ToolLike]
) -> FittedListing:
    """Write the most detailed text of *listing* within *budget*; see `Toolset.fit`."""
    if type(budget) is not int or budget < 0:
        shown = format_value(budget) if type(budget) is int else type(budget).__name__
        raise TypesigError(f"a budget is a whole number, 0 or more, not {shown}")
    ranked = _check_ranking(listing, ranking)
    lowest: dict[str, Tier] = {entry.name: "names" for entry in listing.entries}
    spent = count(listing.text(lowest))
    if spent > budget:
        raise TooLarge(
            f"the names of the tools alone have the size {spent}, and the budget is {budget}; "
            "select fewer tools"
        )
    spending = _Budget(listing, count, spent, budget)
    above = _get_tiers_up_to(listing.tier)[1:]
    for name in ranked:
        # The richest tier that fits.
        any(spending.try_to_raise(name, tier) for tier in reversed(above))
    others = [name for name in lowest if name not in ranked]
    for tier in above:
        spending.raise_the_shortest(others, tier)
        # A tool without its signature has no description either.
        others = [name for name in others if spending.tiers[name] == tier]
    return _trim_to_budget(listing, count, budget, spending)


def _check_ranking(listing: Listing, ranking: Iterable[str | ToolLike]) -> dict[str, None]:
    """Return the distinct tool names of *ranking*; raise if *listing* lacks a tool."""
    if isinstance(ranking, str) or not isinstance(ranking, Iterable):
        raise TypesigError(
            f"a ranking is names of tools, as in ['search'], not {type(ranking).__name__}"
        )
    known = {entry.name for entry in listing.entries}
    ranked: dict[str, None] = {}
    for each in ranking:
        name = each if isinstance(each, str) else getattr(each, "name", None)
        if name not in known:
            raise TypesigError(
                f"the ranking has {format_value(name)}, which is no tool of the toolset"
            )
        ranked[name] = None
    return ranked


def _trim_to_budget(
    listing: Listing, count: Counter, budget: int, spending: _Budget
) -> FittedListing:
    """Write the text with as many raised tools of *spending* as fit.

    Where entries stand together, a tokenizer may count more than for each of them alone.
    """

    def made(steps: int) -> FittedListing:
        undone: dict[str, Tier] = dict(reversed(spending.raised[steps:]))
        tiers: dict[str, Tier] = {**spending.tiers, **undone}
        text = listing.text(tiers)
        return FittedListing(text, tiers, count(text))

    best = made(len(spending.raised))
    if best.size <= budget:
        return best
    fewest, most = 0, len(spending.raised)
    best = made(0)
    while most - fewest > 1:
        middle = (fewest + most) // 2
        tried = made(middle)
        if tried.size <= budget:
            fewest, best = middle, tried
        else:
            most = middle
    return best
