"""`typesig list --to`: definitions on standard output, what they do not say on standard error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from typesig.algebra.loss import Loss
from typesig.cli.command_list import list_losses
from typesig.cli.commands import typesig
from typesig.cli.inputs.targets import load_module
from typesig.tools.collection import tools_of
from typesig.tools.decorator import tool

SHOP = '''
from typesig import tool
@tool
def find(query: str, limit: int = 10) -> list[str]:
    """Find."""
    return []
@tool
def tag(words: dict[str, int]) -> {"_hidden": int}.get("x"):
    """Tag."""
'''


@tool(f"({', '.join(f'a{n} :int = {n}' for n in range(9))}) -> :int")
def lossy(**numbers: int) -> int:
    return 0


@pytest.fixture
def shop(tmp_path: Path) -> str:
    file = tmp_path / "tagged_shop.py"
    file.write_text(SHOP, encoding="utf-8")
    return str(file)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(typesig, ["list", *arguments])


@pytest.mark.parametrize("to", ["openai", "anthropic", "gemini", "mcp", "json_schema"])
def test_definitions_are_json_of_each_tool(shop: str, to: str) -> None:
    result = run(shop, "--to", to)
    found = json.loads(result.stdout)

    assert 0 == result.exit_code
    assert ["find", "tag"] == [each.get("function", each)["name"] for each in found]


def test_what_definitions_do_not_say_is_on_standard_error(shop: str) -> None:
    result = run(shop, "--to", "openai", "--strict", "--api", "responses")

    assert json.loads(result.stdout)[0]["strict"] is True
    assert result.stderr.splitlines() == [
        "lost: find.params.limit: the default: openai responses, strict does not take it; "
        "became its description (omitted)",
        "lost: find.params.limit: an optional field: openai responses, strict does not take "
        "it; became a nullable one (rewritten)",
        "lost: tag.params.words: a map: openai responses, strict does not take it; became a "
        "list of objects with key and value (rewritten)",
    ]


def test_many_losses_are_summed_up_unless_each_is_asked_for() -> None:
    options = ("tests.cli.test_command_list_definitions:lossy", "--to", "openai", "--strict")
    summed, each = run(*options), run(*options, "-v")

    assert summed.stderr.splitlines() == [
        "lost: the default (omitted): 9 in 1 tool, first lossy.params.a0",
        "lost: an optional field (rewritten): 9 in 1 tool, first lossy.params.a0",
        "-v shows each of these 18 losses",
    ]
    assert 18 == len(each.stderr.splitlines())
    assert summed.stdout == each.stdout


def test_more_sorts_of_losses_than_are_shown_are_counted() -> None:
    losses = [Loss("omitted", ("a",), f"w{n % 10}", "why") for n in range(12)]

    assert 9 == len(list_losses(losses, False))
    assert "2 other sorts: 2" == list_losses(losses, False)[-1]


def test_a_listing_as_json_has_signatures_and_texts(shop: str) -> None:
    [find, _] = json.loads(run(shop, "--json").stdout)

    assert find == {
        "name": "find",
        "signature": "(query :string, limit :int = 10) -> [:string]",
        "description": "Find.",
        "warnings": [],
    }


def test_a_dialect_lists_tools_as_the_template_of_its_models_does(shop: str) -> None:
    result = run(shop, "--dialect", "hermes")

    assert 0 == result.exit_code
    assert tools_of(load_module(shop)).prompt(dialect="hermes") == result.stdout.rstrip("\n")


def test_schemas_are_those_of_the_methods(shop: str) -> None:
    [find, _] = json.loads(run(shop, "--to", "json_schema").stdout)

    assert find["description"] == "Find."
    assert find["input"]["required"] == ["query"]
    assert find["output"]["required"] == ["items"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--to", "json_schema", "--strict"], "--strict and --api are for a provider"),
        (["--to", "mcp", "--strict"], "mcp has no option 'strict'; there are api, limits"),
        (["--to", "openai", "--api", "x"], "openai has no api 'x'; there are chat, responses"),
        (["--strict"], "--strict and --api need --to"),
        (["--dialect", "x"], "there is no dialect 'x'; there are "),
        (["--dialect", "hermes", "--tier", "full"], "--tokens do not go with --dialect"),
        (["--to", "mcp", "--json"], "--to and --json are forms of their own; give one of them"),
    ],
)
def test_a_wrong_option_is_named(shop: str, arguments: list[str], message: str) -> None:
    result = run(shop, *arguments)

    assert 2 == result.exit_code
    assert message in result.stderr


def test_losses_of_schemas_are_told(tmp_path: Path) -> None:
    file = tmp_path / "ranked_shop.py"
    file.write_text(
        "from typesig import tool\n"
        '@tool("(rows [{id :int, _rank :int}][unique]) -> :nil")\n'
        "def rank(rows): ...\n",
        encoding="utf-8",
    )

    assert "lost: rank.params.rows: unique" in run(str(file), "--to", "json_schema").stderr
