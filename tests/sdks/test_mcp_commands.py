"""`list`, `call` and `check` with `--mcp`: the tools of another server on the command line."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

pytest.importorskip("mcp")

import mcp
from mcp.client._memory import InMemoryTransport

from tests.sdks.foreign import server, tool, using
from typesig.cli.command_serve import _ToolSelector
from typesig.cli.commands import typesig
from typesig.cli.inputs.options import ServerOptions
from typesig.mcp import Server, tools_from
from typesig.mcp.client import connection

SCHEMA = {"type": "object", "properties": {"n": {"enum": [1, 2]}}, "required": ["n"]}
TOOLS = [tool("echo", SCHEMA, description="Ech\u200boes\x1b[31m."), tool("paint"), tool("die")]


def answer(params: Any) -> Any:
    if params.name == "die":
        raise mcp.MCPError(mcp.types.METHOD_NOT_FOUND, "no such\x1b[2J method")
    text = "a\x1b[31mb" if params.name == "paint" else str(params.arguments)
    return {"content": [{"type": "text", "text": text}]}


@pytest.fixture
def options(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the server and options that a command connects with; the server is in this process."""
    given: dict[str, Any] = {}

    def command(asked: str, env: Any, *_: Any) -> Any:
        given.update(server=asked, env=env)
        return InMemoryTransport(server([[] if asked == "none" else TOOLS], answer))

    async def address(stack: Any, url: str, headers: Any, *_: Any) -> Any:
        given.update(server=url, headers=headers)
        return InMemoryTransport(server([TOOLS], answer))

    monkeypatch.setattr(connection, "_make_command_transport", command)
    monkeypatch.setattr(connection, "_make_http_transport", address)
    return given


def run(*arguments: str, stdin: str | None = None, **env: str) -> Result:
    return CliRunner().invoke(typesig, arguments, input=stdin, env=env)


def test_list_prints_the_tools_of_a_server(options: dict[str, Any]) -> None:
    result = run("list", "--mcp", "npx server")

    assert 0 == result.exit_code
    assert "echo(n :enum[1 2]) -> :any\n  Echoes[31m.\n" in result.stdout
    assert {"server": "npx server", "env": None} == options


def test_list_prints_definitions_of_the_tools_of_a_server(options: dict[str, Any]) -> None:
    result = run("list", "--mcp", "x", "--to", "mcp")

    assert '"inputSchema": {' in result.stdout
    assert '"description": "Echoes[31m."' in result.stdout


def test_list_of_a_server_without_tools_says_so(options: dict[str, Any]) -> None:
    result = run("list", "--mcp", "none")

    assert 1 == result.exit_code
    assert "typesig: the server has no tools that can be called\n" == result.stderr


def test_a_server_gets_the_variables_that_are_named(options: dict[str, Any]) -> None:
    result = run("list", "--mcp", "x", "--env", "A=1=2", "--env", "B", "--timeout", "3", B="b")

    assert 0 == result.exit_code
    assert {"server": "x", "env": {"A": "1=2", "B": "b"}} == options
    assert {"timeout": 3.0} == ServerOptions("x", timeout=3.0).get_connect_options()


def test_an_address_gets_the_token_of_a_variable(options: dict[str, Any]) -> None:
    run("list", "--mcp", "https://x", "--mcp-token-env", "T", T="abc")

    assert {"server": "https://x", "headers": {"Authorization": "Bearer abc"}} == options


@pytest.mark.parametrize("token", ["", "a b", "é", "a\n", "a\x7f"])
def test_a_variable_without_a_token_is_told_without_its_value(token: str) -> None:
    result = run("list", "--mcp", "https://x", "--mcp-token-env", "T", T=token)

    told = "typesig: the environment variable T has no token of plain ASCII\n"
    assert (2, told) == (result.exit_code, result.stderr)


def test_check_takes_the_calls_of_all_tools_of_a_server(options: dict[str, Any]) -> None:
    sent = [{"name": "echo", "arguments": {"n": 3}}, {"name": "paint", "arguments": {}}]
    lines = "\n".join(json.dumps(each) for each in [*sent, {"name": "pant", "arguments": {}}])
    result = run("check", "*", "--mcp", "x", stdin=lines)

    assert (
        "standard input:1: echo: n: expected one of [1, 2], got 3 [enum]\n"
        'standard input:3: there is no tool "pant"; did you mean paint? [call]\n'
        "3 calls: 1 fit, 2 do not\n"
    ) == result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("list",), "list takes a module, or --mcp with a server"),
        (("list", "examples.shop", "--mcp", "x"), "list takes a module, or --mcp with a server"),
        (("list", "x", "--env", "A"), "--env, --mcp-token-env and --timeout need --mcp"),
        (
            ("list", "--mcp", "x", "--env", "NO_SUCH"),
            "the environment variable NO_SUCH is not set",
        ),
        (
            ("check", "ecko", "--mcp", "x"),
            'there is no tool "ecko"; did you mean echo?',
        ),
        (("check", "*", "--mcp", "none"), "the server has no tools that can be called"),
        (("call", "die", "--mcp", "x"), "the server failed: no such[2J method"),
    ],
)
def test_wrong_usage_is_told(
    arguments: tuple[str, ...], message: str, options: dict[str, Any]
) -> None:
    result = run(*arguments, stdin="")

    assert (2, f"typesig: {message}\n") == (result.exit_code, result.stderr)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "serve takes a target, or --mcp with a server"),
        (("m", "--mcp", "x"), "serve takes a target, or --mcp with a server"),
        (("m", "--prefix", "x"), "--select, --prefix and --tools-only need --mcp"),
        (("m", "--tools-only"), "--select, --prefix and --tools-only need --mcp"),
        (("m", "--select", "x"), "--select, --prefix and --tools-only need --mcp"),
        (
            ("--mcp", "x", "--all"),
            "--all, --inferred, --results and --lifespan are for a target, not for --mcp",
        ),
        (
            ("--mcp", "x", "--lifespan", "a:b"),
            "--all, --inferred, --results and --lifespan are for a target, not for --mcp",
        ),
    ],
)
def test_wrong_usage_of_serve_is_told(arguments: tuple[str, ...], message: str) -> None:
    result = run("serve", *arguments)

    assert (2, f"typesig: {message}\n") == (result.exit_code, result.stderr)


def serving(monkeypatch: pytest.MonkeyPatch, use: Callable[[Any], Awaitable[Any]]) -> list[Any]:
    """Return what *use* returns of a session with each server that a command serves."""
    found: list[Any] = []

    async def serve_stdio(made: Server) -> None:
        async with mcp.Client(made.lowlevel, mode="legacy") as client:
            found.append(await use(client.session))

    monkeypatch.setattr(Server, "serve_stdio", serve_stdio)
    # Serving takes the signal over for the whole process.
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    return found


def test_serve_proxies_a_server_narrowed_renamed_and_mended(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def use(session: Any) -> Any:
        tools = await tools_from(session)
        texts = []
        for number in ("2", 7):
            result = await session.call_tool("x_echo", {"n": number})
            texts.append((result.is_error, result.content[0].text))
        return tools, texts

    found = serving(monkeypatch, use)
    result = run("serve", "--mcp", "x", "--select", "echo", "--prefix", "x_")

    assert (0, "") == (result.exit_code, result.stdout)
    [(tools, [mended, refused])] = found
    assert ("x_echo",) == tools.names
    assert SCHEMA == tools.project("mcp").definitions[0]["inputSchema"]
    assert (False, "{'n': 2}") == mended
    assert refused[0]
    assert 'A call that fits: x_echo with {"n": 1 or 2}' in refused[1]


def test_serve_proxies_all_tools_in_a_mode(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def use(session: Any) -> Any:
        listed = [each.name for each in (await session.list_tools()).tools]
        return listed, (await session.call_tool("echo", {"n": "2"})).is_error

    found = serving(monkeypatch, use)
    run("serve", "--mcp", "x", "--mode", "strict")

    assert [(["echo", "paint", "die"], True)] == found


def test_a_tool_that_is_named_and_goes_is_told_and_the_others_are_served(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    choose = _ToolSelector(("echo", "paint"), "x_")
    both = using(server([TOOLS]), tools_from)
    one = using(server([TOOLS[1:]]), tools_from)

    assert ("x_echo", "x_paint") == choose(both).names
    assert ("x_paint",) == choose(one).names
    assert ("x_echo", "x_paint") == choose(both).names
    assert "echo: the other server has this tool no longer\n" == capsys.readouterr().err


@pytest.mark.parametrize(
    ("asked", "is_passed"),
    [((), True), (("--tools-only",), False), (("--select", "echo"), False)],
)
def test_serve_passes_resources_on_unless_tools_are_asked_for(
    asked: tuple[str, ...],
    is_passed: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = server([TOOLS], answer)
    made.add_request_handler("resources/list", mcp.types.PaginatedRequestParams, no_resources)
    monkeypatch.setattr(connection, "_make_command_transport", lambda *_: InMemoryTransport(made))

    async def use(session: Any) -> Any:
        return session.server_capabilities.resources is not None

    found = serving(monkeypatch, use)
    run("serve", "--mcp", "x", *asked)

    assert [is_passed] == found


async def no_resources(*_: Any) -> Any:
    raise AssertionError


def test_a_proxy_tells_a_model_that_the_other_server_failed(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def use(session: Any) -> Any:
        result = await session.call_tool("die")
        return result.is_error, result.content[0].text

    found = serving(monkeypatch, use)
    result = run("serve", "--mcp", "x")

    assert [(True, "die cannot be called: its server failed; use another tool")] == found
    assert "die: the other server failed: no such[2J method\n" == result.stderr


def test_serve_of_a_tool_that_the_server_does_not_have_stops(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    serving(monkeypatch, tools_from)
    result = run("serve", "--mcp", "x", "--select", "ecko")

    told = 'typesig: there is no tool "ecko"; did you mean echo?\n'
    assert (2, told) == (result.exit_code, result.stderr)


@pytest.mark.parametrize("error", [KeyError("own"), ExceptionGroup("two", [KeyError("own")])])
def test_other_failures_of_serving_pass(
    error: Exception, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def use(session: Any) -> None:
        raise error

    serving(monkeypatch, use)
    result = run("serve", "--mcp", "x")

    assert isinstance(result.exception, BaseExceptionGroup)


def test_call_prints_what_the_tool_returned(options: dict[str, Any]) -> None:
    result = run("call", "echo", '{"n": "2"}', "--mcp", "x")

    assert (0, "{'n': 2}\n") == (result.exit_code, result.stdout)
    assert 'warning: n: coerced string "2" to int 2\n' == result.stderr


def test_call_tells_what_does_not_fit(options: dict[str, Any]) -> None:
    result = run("call", "echo", '{"n": 7}', "--mcp", "x")

    assert (1, "") == (result.exit_code, result.stdout)
    assert '"n": 7  // expected one of [1, 2], got 7' in result.stderr


def test_a_terminal_gets_no_escapes_and_a_pipe_gets_the_data(options: dict[str, Any]) -> None:
    assert "a\x1b[31mb\n" == run("call", "paint", "--mcp", "x").stdout
    assert "a[31mb\n" == run("call", "paint", "--mcp", "x", FORCE_COLOR="1").stdout


def test_check_checks_arguments_of_a_servers_tool(options: dict[str, Any]) -> None:
    result = run("check", "echo", "--mcp", "x", stdin='{"n": 1}\n{"n": 3}\n')

    assert 1 == result.exit_code
    assert "n: expected one of [1, 2], got 3" in result.stdout
    assert "2 calls: 1 fit, 1 do not\n" in result.stdout


@pytest.mark.needs_process
def test_the_last_lines_of_a_server_that_fails_are_shown(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(
        "import sys\nfor n in range(20): print(f'\\x1b[31mline {n}', file=sys.stderr)"
    )
    result = run("list", "--mcp", f"{sys.executable} {script}")

    assert 2 == result.exit_code
    lines = result.stderr.splitlines()
    assert [f"server: [31mline {n}" for n in range(10, 20)] == lines[:10]
    assert "does not answer as a server of MCP" in lines[10]
