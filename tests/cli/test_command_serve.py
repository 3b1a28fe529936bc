"""The command `serve`: what it serves, to whom, and what it says where it cannot."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

pytest.importorskip("mcp")

from typesig.cli import command_serve
from typesig.cli.commands import typesig
from typesig.mcp import Server

TOKEN = "0123456789abcdef"
SHOP = """
import typesig
from typesig import Injected, tool, tools_of

def life():
    yield {"store": "the store"}

@tool
def find(query: str) -> str:
    return query

class Local:
    @staticmethod
    @tool
    def count(n: int) -> int:
        return n

class Injecting:
    @staticmethod
    @tool
    def whose(store: Injected[str]) -> str:
        return store

class Deep:
    @staticmethod
    @tool("(a " + "[" * 127 + ":int" + "]" * 127 + ") -> :int")
    def deep(a):
        return 1

def helper(text: str) -> str:
    return text

tools = tools_of([find, helper])
server = typesig.mcp.server(tools, name="own")
"""


class Served:
    """What was served instead of a process: the server, and the options of HTTP or None."""

    server: Server | None = None
    options: Any = None


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    (tmp_path / "served_shop.py").write_text(SHOP)
    (tmp_path / "plain_shop.py").write_text("def helper(text: str) -> str:\n    return text\n")
    (tmp_path / "held_shop.py").write_text("import typesig\n\ntools = typesig.Toolset()\n")
    (tmp_path / "bare_shop.py").write_text("x = 1\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delenv(command_serve.TOKEN, raising=False)
    monkeypatch.setenv("EMPTY", "")
    # It is for the whole process.
    monkeypatch.setattr(gc, "freeze", bool)
    found = Served()

    async def serve_stdio(self: Server) -> None:
        found.server = self

    async def serve_http(self: Server, *where: Any, on_start: Any, **options: Any) -> None:
        found.server, found.options = self, (where, options)
        on_start("http://127.0.0.1:8000/mcp")

    monkeypatch.setattr(Server, "serve_stdio", serve_stdio)
    monkeypatch.setattr(Server, "serve_http", serve_http)
    before = signal.getsignal(signal.SIGTERM)
    yield found
    signal.signal(signal.SIGTERM, before)
    for name in ("served_shop", "plain_shop", "bare_shop", "held_shop"):
        sys.modules.pop(name, None)


def serve(*arguments: str) -> Result:
    return CliRunner().invoke(typesig, ["serve", *arguments])


@pytest.mark.parametrize(
    ("arguments", "names", "name"),
    [
        (["served_shop"], ("find",), "served_shop"),
        (["served_shop.py"], ("find",), "served_shop"),
        (["served_shop", "--all"], ("find", "helper", "life"), "served_shop"),
        (["served_shop:Local"], ("count",), "served_shop"),
        (["served_shop:helper"], ("helper",), "served_shop"),
        (["served_shop:tools"], ("find", "helper"), "served_shop"),
        (["served_shop:server"], ("find", "helper"), "own"),
        (["served_shop:Injecting", "--lifespan", "served_shop:life"], ("whose",), "served_shop"),
        (["plain_shop", "--all"], ("helper",), "plain_shop"),
    ],
)
def test_what_is_served(
    served: Served, arguments: list[str], names: tuple[str, ...], name: str
) -> None:
    result = serve(*arguments)

    assert (0, "") == (result.exit_code, result.stdout)
    assert served.server is not None
    assert set(names) >= set(served.server.tools.names)
    assert set(names) - {"life"} <= set(served.server.tools.names)
    assert name == served.server.lowlevel.name


@pytest.mark.parametrize(
    ("program", "entry"),
    [
        ("/bin/typesig", '{"command": "/bin/typesig", "args": ["serve", "served_shop"]}'),
        (
            "/lib/typesig/__main__.py",
            f'{{"command": "{sys.executable}", "args": ["-m", "typesig", "serve", "served_shop"]}}',
        ),
    ],
)
def test_a_server_over_standard_input_says_how_a_client_starts_it(
    served: Served, monkeypatch: pytest.MonkeyPatch, program: str, entry: str
) -> None:
    monkeypatch.setattr(sys, "argv", [program, "serve", "served_shop"])
    result = serve("served_shop")

    assert (
        "1 tool over standard input and output; in the settings of a client: "
        f'{{"mcpServers": {{"served_shop": {entry}}}}}\n'
    ) == result.stderr


def test_the_name_and_the_version_that_clients_are_told_can_be_given(served: Served) -> None:
    assert 0 == serve("served_shop", "--name", "shop", "--server-version", "4").exit_code
    assert served.server is not None
    assert ("shop", "4") == (served.server.lowlevel.name, served.server.lowlevel.version)


def test_options_of_calls_are_those_of_the_server(served: Served) -> None:
    assert 0 == serve("served_shop", "--seconds", "3", "--mode", "strict").exit_code
    assert served.server is not None
    assert 3 == served.server.calls._seconds
    assert {"find": "strict"} == served.server.tools.modes


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no_such_module"], "typesig: there is no module no_such_module; name one that can be imported from here"),
        (["served_shop:xyz"], "typesig: there is no xyz in served_shop; its tools are find"),
        (["plain_shop"], "typesig: plain_shop decorates no tools; --all serves its public functions"),
        (["held_shop"], "typesig: held_shop decorates no tools, but has a toolset; write held_shop:tools"),
        (["bare_shop", "--all"], "typesig: bare_shop has no public functions with hints"),
        (["served_shop:Injecting"], "typesig: whose needs store from its host: --lifespan names a function that yields them"),
        (["served_shop:server", "--seconds", "3"], "typesig: served_shop:server is a server, which says itself how it serves; give no options"),
        (["served_shop", "--port", "1"], "typesig: --host, --port, --path, --token-env and --allow-… need --http"),
        (["served_shop", "--http", "--token-env", "NO_SUCH"], "typesig: the variable NO_SUCH has no token"),
        (["served_shop", "--http", "--token-env", "EMPTY"], "typesig: the variable EMPTY has no token"),
    ],
)  # fmt: skip
def test_what_cannot_be_served(served: Served, arguments: list[str], message: str) -> None:
    result = serve(*arguments)

    assert (2, message) == (result.exit_code, result.stderr.splitlines()[-1])
    assert served.server is None


def test_a_tool_that_the_protocol_cannot_take_is_complained_of(served: Served) -> None:
    result = serve("served_shop:Deep")

    assert 0 == result.exit_code
    assert (
        "deep: a type may nest 128 levels, this one has more; the tool is left out"
        == result.stderr.splitlines()[0]
    )


@pytest.mark.parametrize("options", [(), ("--http",)])
def test_the_garbage_collector_is_told_what_stays(
    served: Served, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[bool] = []
    monkeypatch.setattr(gc, "freeze", lambda: told.append("served_shop" in sys.modules))

    serve("served_shop", *options)

    assert [True] == told


def test_http_is_served_where_it_is_asked(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    result = serve("served_shop", "--http")

    told = (
        "1 tool at http://127.0.0.1:8000/mcp; in the settings of a client: "
        '{"mcpServers": {"served_shop": {"type": "http", "url": "http://127.0.0.1:8000/mcp"}}}\n'
    )
    assert ("", told) == (result.stdout, result.stderr)
    assert (("127.0.0.1", 8000), {"path": "/mcp", "token": None, "hosts": (), "origins": ()}) == (
        served.options
    )

    monkeypatch.setenv(command_serve.TOKEN, TOKEN)
    result = serve(
        "served_shop:tools", "--http", "--host", "0.0.0.0", "--port", "9", "--path", "/x",
        "--allow-host", "a.org", "--allow-host", "b.org", "--allow-origin", "https://c.org",
    )  # fmt: skip

    assert result.stderr.startswith("2 tools at http://127.0.0.1:8000/mcp, with a token; in the")
    assert (
        ("0.0.0.0", 9),
        {"path": "/x", "token": TOKEN, "hosts": ("a.org", "b.org"), "origins": ("https://c.org",)},
    ) == served.options


def test_a_variable_that_is_set_and_empty_is_no_server_without_a_token(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(command_serve.TOKEN, "")
    result = serve("served_shop", "--http")

    told = "typesig: the variable TYPESIG_MCP_TOKEN has no token\n"
    assert (2, told, None) == (result.exit_code, result.stderr, served.server)


def test_the_token_is_in_the_variable_that_is_named(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_TOKEN", TOKEN)

    assert 0 == serve("served_shop", "--http", "--token-env", "SHOP_TOKEN").exit_code
    assert TOKEN == served.options[1]["token"]


class Left(BaseException):
    """The process was ended."""


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    statuses: list[int] = []

    def leave(status: int) -> None:
        statuses.append(status)
        raise Left

    monkeypatch.setattr(os, "_exit", leave)
    return statuses


@pytest.mark.parametrize("count", [1, 2])
def test_calls_that_do_not_end_are_left(
    served: Served, left: list[int], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("typesig.mcp.serving.call_runner.Calls.unfinished_count", count)
    with pytest.raises(Left):
        CliRunner().invoke(typesig, ["serve", "served_shop"], catch_exceptions=False)

    assert [1] == left


def test_an_interrupt_closes_what_the_server_has_opened(
    served: Served, left: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[bool] = []

    async def interrupted(self: Server) -> None:
        async with self.start_lifetime():
            asyncio.get_running_loop().call_soon(interrupt)
            try:
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(0)
                closed.append(True)

    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Server, "serve_stdio", interrupted)
    with pytest.raises(Left):
        CliRunner().invoke(typesig, ["serve", "served_shop"], catch_exceptions=False)

    assert ([True], [130]) == (closed, left)


def test_a_module_may_print_where_there_is_no_standard_output(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(number: int) -> int:
        raise OSError("bad file descriptor")

    monkeypatch.setattr(os, "dup", refuse)
    with command_serve.redirect_prints():
        pass


def test_the_command_names_the_extra_without_the_sdk(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    result = serve("plain_shop", "--all")

    assert (
        "typesig: typesig.mcp needs mcp, of its extra: pip install 'typesig[mcp]'\n"
        == result.stderr
    )
