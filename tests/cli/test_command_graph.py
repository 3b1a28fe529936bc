"""`typesig graph`: which tool feeds which, printed and drawn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from typesig.cli.commands import typesig

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(typesig, ["graph", *arguments])


def test_graph_prints_the_links() -> None:
    result = run("examples.shop")

    assert 0 == result.exit_code
    assert "search.[].id → place_order.lines.[].item: fits" in result.stdout.splitlines()


@pytest.mark.parametrize(
    ("name", "start"),
    [("a.svg", "<svg "), ("a.mmd", "flowchart LR\n"), ("a.json", "{\n"), ("a.txt", "cancel.lines")],
)
def test_the_name_of_the_file_says_what_is_written(name: str, start: str, tmp_path: Path) -> None:
    file = tmp_path / name
    result = run("examples.shop", "-o", str(file))

    assert 0 == result.exit_code
    assert "" == result.stdout
    assert f"{file}: 4 tools: 9 fits\n" == result.stderr
    assert file.read_text(encoding="utf-8").startswith(start)


def test_only_some_tools_are_looked_at() -> None:
    made = json.loads(run("examples.shop", "--to", "json", "--only", "*order*").stdout)

    assert ["orders", "place_order"] == made["tools"]
    assert made["links"]


def test_only_the_links_around_a_tool_are_shown() -> None:
    found = run("examples.shop", "--to", "mermaid", "--around", "search").stdout

    assert 'n0["place_order"]' in found
    assert "cancel" not in found


@pytest.mark.parametrize("form", ["text", "mermaid", "svg", "json"])
def test_a_lock_is_drawn_as_its_module(form: str) -> None:
    lock = run("tests/contracts/shop.lock", "--to", form)

    assert 0 == lock.exit_code
    assert run("examples.shop", "--to", form).stdout == lock.stdout


def test_the_tools_of_a_server_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    from examples import shop
    from typesig import tools_of

    monkeypatch.setattr("typesig.cli.command_graph.read_toolset", lambda asked: tools_of(shop))

    assert run("examples.shop").stdout == run("--mcp", "python server.py").stdout


def test_definitions_of_tools_and_a_document_are_drawn(tmp_path: Path) -> None:
    user = {"type": "object", "properties": {"user_id": {"type": "integer"}}}
    definitions = [
        {"name": "find_user", "inputSchema": {"type": "object"}, "outputSchema": user},
        {"name": "get_user", "inputSchema": {**user, "required": ["user_id"]}},
    ]
    operation = {"200": {"description": "", "content": {"application/json": {"schema": user}}}}
    asked = {"name": "user_id", "in": "path", "required": True, "schema": {"type": "integer"}}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "users", "version": "1"},
        "paths": {
            "/find": {"get": {"operationId": "find_user", "responses": operation}},
            "/users/{user_id}": {
                "get": {"operationId": "get_user", "parameters": [asked], "responses": operation}
            },
        },
    }
    for name, data in (("tools.json", definitions), ("users.json", document)):
        (tmp_path / name).write_text(json.dumps(data), encoding="utf-8")

        assert "find_user.user_id → get_user.user_id: nearly; may be absent" in (
            run(str(tmp_path / name)).stdout
        )


def test_tools_of_a_lock_are_chosen_and_clustered_by_what_it_has() -> None:
    lock = "tests/contracts/shop.lock"
    made = json.loads(run(lock, "--to", "json", "--only", "*order*").stdout)

    assert ["orders", "place_order"] == made["tools"]
    assert 0 == run(lock, "--to", "svg", "--cluster", "module").exit_code


def test_links_that_tell_nothing_are_shown_if_asked_for() -> None:
    few, many = run("examples.shop").stdout, run("examples.shop", "--all").stdout

    assert len(few) < len(many)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "graph takes a module, or --mcp with a server"),
        (["examples.shop", "--only", "nope"], 'there is no tool "nope"; there are search, place_o'),
        (
            ["examples.shop", "--around", "cansel"],
            'there is no tool "cansel"; did you mean cancel?',
        ),
        (["examples.shop", "-o", "no/such/a.svg"], "no/such/a.svg cannot be written: No such file"),
    ],
)
def test_wrong_use_is_told(arguments: list[str], message: str) -> None:
    result = run(*arguments)

    assert 2 == result.exit_code
    assert message in result.stderr
