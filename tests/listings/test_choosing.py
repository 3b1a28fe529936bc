"""What listings cost, and listings within a budget."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from typesig import Tool, Toolset, TypesigError
from typesig.errors import TooLarge
from typesig.listings.budget import Cost


def made(name: str, signature: str, description: str | None = None) -> Tool[..., Any]:
    return Tool(lambda **given: given, signature, name=name, description=description)


POINT = "{x :int, y :int, label :string, color :string}"
TOOLS = Toolset(
    [
        made(
            "search", '(query :string "words", limit :int = 10) -> [:string]', "Search it.\n\nAll."
        ),
        made("draw", f"(at {POINT}, to {POINT}) -> :bool", "Draw a line."),
        made("ping", "() -> :bool"),
        made("move", f"(by {POINT}) -> :bool", "Move it all to another place."),
    ]
)
STYLES = ("signature", "compact")


def words(text: str) -> int:
    return len(text.split())


def odd(text: str) -> int:
    """Count more for texts that stand together, as a tokenizer may."""
    return len(text) + 3 * max(0, text.count("\n\n") - 1)


# costs


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("sharing", ["inline", "shared"])
@pytest.mark.parametrize("tier", ["names", "signatures", "full"])
def test_the_costs_are_those_of_the_texts(style: Any, sharing: Any, tier: Any) -> None:
    listing = TOOLS.listing(style, tier, sharing, counter=len)
    costs = TOOLS.tokens(len, style, tier, sharing)

    assert costs.total == len(listing.text())
    assert costs.total == costs.sums.total + costs.around
    assert TOOLS.names == tuple(cost.name for cost in costs.tools)
    for cost, entry in zip(costs.tools, listing.entries, strict=True):
        assert cost.names == len(entry.names)
        assert cost.total == len(entry.text(tier))
    for cost, entry in zip(costs.ahead, listing.types, strict=True):
        assert (0, len(entry.text(tier))) == (cost.names, cost.total)


def test_the_parts_are_names_types_and_prose() -> None:
    costs = TOOLS.tokens(len, "compact")

    assert Cost("ping", len("ping"), len("() -> bool"), 0) == costs.tools[2]
    assert 0 == sum(cost.prose for cost in TOOLS.tokens(len, "compact", "signatures").tools)
    assert 0 == sum(cost.types for cost in TOOLS.tokens(len, "compact", "names").tools)


def test_a_type_ahead_of_the_tools_has_a_row() -> None:
    costs = TOOLS.tokens(len, "compact", types="shared")

    assert 1 == len(costs.ahead)
    assert costs.ahead[0].types > 0


def test_the_heading_is_all_that_an_empty_toolset_costs() -> None:
    costs = Toolset().tokens(len)

    assert () == costs.tools
    assert costs.around == costs.total == len(Toolset().prompt())


# budgets


@pytest.mark.parametrize(("style", "sharing"), list(product(STYLES, ("inline", "shared"))))
@pytest.mark.parametrize("counter", [len, words, odd])
def test_a_listing_fits_and_grows_with_its_budget(style: Any, sharing: Any, counter: Any) -> None:
    whole = TOOLS.prompt(style, types=sharing, counter=counter)
    least = counter(TOOLS.prompt(style, "names"))
    before = -1
    for budget in range(least, counter(whole) + 20, 11):
        found = TOOLS.fit(counter, budget, style, types=sharing)
        called = sum(tier != "names" for tier in found.tiers.values())

        assert found.size == counter(found.text) <= budget
        assert (
            str(found)
            == found.text
            == TOOLS.listing(style, types=sharing, counter=counter).text(found.tiers)
        )
        assert sharing == "shared" or counter is not len or called >= before
        before = called

    assert whole == TOOLS.fit(counter, counter(whole) + 20, style, types=sharing).text


def test_signatures_come_before_descriptions_the_shortest_first() -> None:
    listed = [
        TOOLS.fit(len, budget, "compact").tiers
        for budget in range(len(TOOLS.prompt("compact", "names")), len(TOOLS.prompt("compact")) + 1)
    ]
    order: list[tuple[str, str]] = []
    for tiers in listed:
        for name, tier in tiers.items():
            if tier != "names" and (name, tier) not in order:
                order.append((name, tier))

    assert ("ping", "full") in order  # it has no description: its signature is all
    assert ("draw", "signatures") in order
    for name in ("search", "draw", "move"):
        assert order.index((name, "signatures")) < order.index((name, "full"))


def test_ranked_tools_have_all_their_text_first() -> None:
    names = len(TOOLS.prompt("compact", "names"))
    best = TOOLS.fit(len, names + 100, "compact", ranking=["move", "draw"]).tiers

    assert best["move"] == "full"
    assert best["draw"] != "full"


def test_a_ranked_tool_has_its_signature_if_no_more_fits() -> None:
    names = len(TOOLS.prompt("compact", "names"))
    budget = names + len("(query, limit int=10) -> [string]") + 2

    assert "signatures" == TOOLS.fit(len, budget, "compact", ranking=["search"]).tiers["search"]


def test_the_result_of_a_search_is_a_ranking() -> None:
    found = TOOLS.search("line")

    assert TOOLS.fit(len, 300, "compact", ranking=["draw"]) == TOOLS.fit(
        len, 300, "compact", ranking=found
    )


def test_a_shared_type_is_paid_once() -> None:
    shared = TOOLS.prompt("compact", "signatures", "shared", counter=len)
    found = TOOLS.fit(len, len(shared) + 10, "compact", "signatures", "shared")

    assert shared == found.text


def test_at_the_tier_of_names_there_is_nothing_to_choose() -> None:
    assert TOOLS.prompt("compact", "names") == TOOLS.fit(len, 10_000, "compact", "names").text


def test_the_counter_is_called_a_few_times_for_each_tool() -> None:
    calls: list[int] = []

    def counter(text: str) -> int:
        calls.append(len(text))
        return odd(text)

    tools = Toolset([made(f"f{n}", "(a :int) -> :int", "Text.") for n in range(50)])
    tools.fit(counter, odd(tools.prompt("compact")) - 30, "compact")

    assert len(calls) < 4 * len(tools)


@pytest.mark.parametrize(
    ("counter", "message"),
    [
        ("o200k", r"a counter is a function such as .*, not str"),
        (lambda text: [1], r"a counter returns a whole number, not list; write lambda text: len\("),
        (lambda text: -1, r"a counter returns 0 or more, not -1"),
    ],
)
def test_a_wrong_counter_is_told(counter: Any, message: str) -> None:
    with pytest.raises(TypesigError, match=message):
        TOOLS.tokens(counter)
    with pytest.raises(TypesigError, match=message):
        TOOLS.fit(counter, 100)


@pytest.mark.parametrize(
    ("budget", "ranking", "error", "message"),
    [
        (-1, (), TypesigError, "a budget is a whole number, 0 or more, not -1"),
        (1.5, (), TypesigError, "a budget is a whole number, 0 or more, not float"),
        (True, (), TypesigError, "a budget is a whole number, 0 or more, not bool"),
        (900, "search", TypesigError, "a ranking is names of tools, as in .*, not str"),
        (900, 7, TypesigError, "a ranking is names of tools, as in .*, not int"),
        (900, ["find"], TypesigError, "the ranking has 'find', which is no tool of the toolset"),
        (900, [7], TypesigError, "the ranking has None, which is no tool"),
        (10, (), TooLarge, "the names of the tools alone have the size 44, and the budget is 10"),
    ],
)
def test_wrong_use_of_budgets_is_told(budget: Any, ranking: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        TOOLS.fit(len, budget, "compact", ranking=ranking)


def test_what_a_counter_raises_is_the_callers() -> None:
    def stop(text: str) -> int:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        TOOLS.tokens(stop)
