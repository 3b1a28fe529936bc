"""`typesig list --to`: definitions on standard output, what they do not say on standard error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from typesig.cli.commands import typesig

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
        "omitted: find.params.limit: the default: openai responses, strict does not take it; "
        "became its description",
        "rewritten: find.params.limit: an optional field: openai responses, strict does not take "
        "it; became a nullable one",
        "rewritten: tag.params.words: a map: openai responses, strict does not take it; became a "
        "list of objects with key and value",
    ]


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

    assert "widened: rank.params.rows: unique" in run(str(file), "--to", "json_schema").stderr
