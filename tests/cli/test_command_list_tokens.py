"""`typesig list --tokens`: what the parts of a listing cost, and a listing within a budget."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from typesig.cli.commands import typesig

SHOP = '''
from typing import TypedDict
from typesig import tool
class Money(TypedDict):
    amount: float
    currency: str
    rounding: str
@tool
def price(item: str) -> Money:
    """Find a price."""
@tool
def pay(sum: Money) -> Money:
    """Pay."""
def count(text):
    return 2 * len(text)
def listed(text):
    return text.split()
'''


@pytest.fixture
def shop(tmp_path: Path) -> str:
    file = tmp_path / "money_shop.py"
    file.write_text(SHOP, encoding="utf-8")
    return str(file)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(typesig, ["list", *arguments])


def test_a_table_tells_what_each_part_costs(shop: str) -> None:
    result = run(shop, "--tokens", "characters", "--style", "compact", "--types", "shared")

    assert 0 == result.exit_code
    assert result.stdout.splitlines() == [
        "                names    types    prose    total",
        "price               5       22       15       42",
        "pay                 3       34        6       43",
        ":PriceResult        0       46        0       46",
        "all of them         8      102       21      131",
        "the heading and blank lines                   33",
        "the listing                                  164",
    ]
    text = run(shop, "--style", "compact", "--types", "shared").stdout
    assert 164 == len(text.rstrip("\n"))


@pytest.mark.parametrize(("counter", "factor"), [("bytes", 1), ("money_shop:count", 2)])
def test_counters_are_named(
    shop: str, counter: str, factor: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(shop).parent)
    whole = len(run(shop).stdout.rstrip("\n"))

    assert run(shop, "--tokens", counter).stdout.split()[-1] == str(factor * whole)


def test_a_listing_within_a_budget_is_printed(shop: str) -> None:
    result = run(shop, "--tokens", "characters", "--budget", "90", "--style", "compact")

    assert result.stdout == (
        "## Tools you can call\n\nprice(item) -> {amount float, currency, rounding}\n\npay\n"
    )


def test_an_encoding_of_tiktoken_counts(shop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def get_encoding(name: str) -> Any:
        if name != "words":
            raise ValueError(f"Cannot open {name}.\nPlugins found: []")
        return types.SimpleNamespace(encode_ordinary=str.split)

    fake = types.SimpleNamespace(
        get_encoding=get_encoding, list_encoding_names=lambda: ["words", "o2_base"]
    )
    monkeypatch.setitem(sys.modules, "tiktoken", fake)  # type: ignore[arg-type]
    whole = len(run(shop).stdout.split())

    assert run(shop, "--tokens", "words").stdout.split()[-1] == str(whole)
    for name, message in (
        ("o2", "tiktoken has no encoding o2; it has words, o2_base\n"),
        ("o2_base", "cannot load the encoding o2_base: Cannot open o2_base. Plugins found: []\n"),
    ):
        wrong = run(shop, "--tokens", name)
        assert 2 == wrong.exit_code
        assert message in wrong.stderr


def test_without_tiktoken_the_remedy_is_told(shop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tiktoken", None)  # type: ignore[arg-type]
    result = run(shop, "--tokens", "o200k_base")

    assert 2 == result.exit_code
    assert "--tokens o200k_base is an encoding of tiktoken, which is not installed" in result.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--tokens", "bytes", "--to", "openai"], "--tokens do not go with --to"),
        (["--budget", "9"], "--budget needs --tokens"),
        (["--tokens", "bytes", "--budget", "9"], "the names of the tools alone have the size"),
        (["--tokens", "money_shop:listed"], "a counter returns a whole number, not list"),
        (["--tokens", "money_shop:SHOP"], "SHOP"),
    ],
)
def test_wrong_use_is_told(
    shop: str, options: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(shop).parent)
    result = run(shop, *options)

    assert 2 == result.exit_code
    assert message in result.stderr
