"""The cost of a call of a served tool: the process of a server, over stdio and over HTTP.

`typesig serve`, the server of the official SDK and that of FastMCP serve the functions of
`serving.py`; over HTTP, those of the SDK and of typesig answer with JSON.  This process is a client
of its own that sends frames of JSON-RPC to each in turn; what counts is the CPU time of the
server's process for a call, the minimum of the rounds.

    python -m pip install -e '.[mcp]' fastmcp
    python benchmarks/served.py                 # over stdio
    python benchmarks/served.py --http
    python benchmarks/served.py --only typesig,SDK

Columns: what is sent; microseconds of each server for one call; the share of each other server's
time that typesig takes.  FastMCP is left out where it is not installed.
"""

from __future__ import annotations

import argparse
import http.client
import importlib.util
import json
import logging
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(CHECKOUT))
SERVERS = {"typesig": "typesig", "SDK": "mcp", "FastMCP": "fastmcp"}
VERSION = "2025-11-25"
INITIALIZE = {
    "protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}
}  # fmt: skip


def serve(kind: str, port: int | None) -> None:
    """Serve the functions over stdio, or over HTTP at *port*."""
    logging.disable(logging.CRITICAL)
    from serving import FUNCTIONS

    if kind == "typesig":
        from typesig.cli import main

        over = [] if port is None else ["--http", "--port", str(port)]
        sys.argv = ["typesig", "serve", "serving:FUNCTIONS", *over]
        main()
    elif kind == "SDK":
        from mcp.server import MCPServer

        official = MCPServer("official", log_level="CRITICAL")
        for function in FUNCTIONS:
            official.tool()(function)
        if port is None:
            official.run("stdio")
        else:
            official.run("streamable-http", port=port, json_response=True)
    else:
        fast: Any = importlib.import_module("fastmcp").FastMCP("fast")
        for function in FUNCTIONS:
            fast.tool(function)
        quiet = {"log_level": "critical", "access_log": False}
        over_http = {"port": port, "uvicorn_config": quiet}
        fast.run(
            "stdio" if port is None else "http",
            show_banner=False,
            **({} if port is None else over_http),
        )


class Server:
    """The process of a server, and a connection to it."""

    def __init__(self, kind: str, is_http: bool) -> None:
        self._port = _free_port() if is_http else None
        command = [sys.executable, __file__, "--serve", kind, *([str(self._port)] * is_http)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        )  # fmt: skip
        self._count = 0
        self._session: dict[str, str] = {}
        self._connection = None if self._port is None else _connected(self._port)
        self.ask("initialize", INITIALIZE)
        self._send({"method": "notifications/initialized"})

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return the result of a request."""
        self._count += 1
        answer = self._send({"id": self._count, "method": method, "params": params})
        while answer.get("id") != self._count:
            answer = json.loads(self._line())
        found: dict[str, Any] = answer["result"]
        return found

    def renew(self) -> None:
        """Let the next request open a connection: a server closes one that is idle."""
        if self._connection is not None:
            self._connection.close()

    def seconds(self) -> float:
        """Return the CPU time that the process has taken."""
        # The clock of another process, as clock_getcpuclockid of POSIX gives it on Linux.
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def _send(self, message: dict[str, Any]) -> dict[str, Any]:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        if self._connection is None:
            assert self.process.stdin is not None
            self.process.stdin.write(body + b"\n")
            self.process.stdin.flush()
            return {}
        headers = {
            "content-type": "application/json", "accept": "application/json, text/event-stream",
            **self._session,
        }  # fmt: skip
        self._connection.request("POST", "/mcp", body, headers)
        response = self._connection.getresponse()
        text = response.read().decode()
        if name := response.getheader("mcp-session-id"):
            self._session = {"mcp-session-id": name, "mcp-protocol-version": VERSION}
        lines = [each.removeprefix("data: ") for each in text.splitlines()]
        found = [json.loads(each) for each in lines if each.startswith("{")]
        return next((each for each in found if each.get("id") == message.get("id")), {})

    def _line(self) -> bytes:
        assert self.process.stdout is not None
        if line := self.process.stdout.readline():
            return line
        raise SystemExit(f"a server ended: {self.process.args}")


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def _connected(port: int) -> http.client.HTTPConnection:
    made = http.client.HTTPConnection("127.0.0.1", port)
    for _ in range(600):
        try:
            made.connect()
            return made
        except OSError:
            time.sleep(0.1)
    raise SystemExit("a server has not begun to listen")


def measure(servers: dict[str, Server], calls: int, rounds: int) -> None:
    from serving import CASES

    kinds = list(servers)
    called = {case.name: {"name": case.tool, "arguments": case.arguments} for case in CASES}
    requests = {"ping": ("ping", {}), "the list of tools": ("tools/list", {})} | {
        name: ("tools/call", params) for name, params in called.items()
    }
    shares = "".join(f"{'/ ' + kind:>11}" for kind in kinds[1:])
    print(f"{'µs of CPU time':24}" + "".join(f"{kind:>9}" for kind in kinds) + shares)
    for name, (method, params) in requests.items():
        best = dict.fromkeys(kinds, float("inf"))
        for _ in range(rounds):
            for kind, server in servers.items():
                server.renew()
                result = server.ask(method, params)
                assert result.get("isError", False) == (name == "wrong arguments"), result
                began = server.seconds()
                for _ in range(calls):
                    server.ask(method, params)
                best[kind] = min(best[kind], (server.seconds() - began) / calls)
        first, *others = best.values()
        figures = "".join(f"{each * 1e6:9.0f}" for each in best.values())
        print(f"{name:24}{figures}" + "".join(f"{first / each:11.2f}" for each in others))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--http", action="store_true", help="over HTTP, not over stdio")
    parser.add_argument("--only", default=",".join(SERVERS), help="the servers, first typesig")
    parser.add_argument("--calls", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--serve", nargs="+", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.serve:
        serve(chosen.serve[0], int(chosen.serve[1]) if chosen.serve[1:] else None)
        return
    installed = [kind for kind in SERVERS if importlib.util.find_spec(SERVERS[kind])]
    kinds = [kind for kind in chosen.only.split(",") if kind in installed]
    servers = {kind: Server(kind, chosen.http) for kind in kinds}
    try:
        measure(servers, chosen.calls, chosen.rounds)
    finally:
        for server in servers.values():
            server.process.kill()


if __name__ == "__main__":
    main()
