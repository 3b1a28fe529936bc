"""What published packages give when their functions become tools: one row per installed package.

The packages were not written for models.  Their public functions, or the methods of a client that
needs no network to be made, are taken with `tools_of(…, undecorated="inferred")`.

    python benchmarks/package_tools.py               # all packages that are installed
    python benchmarks/package_tools.py pandas jira
    python benchmarks/package_tools.py --markdown

Columns:

- tools          tools that were made; left out: functions that are no tools, with a warning
- parameters     parameters of the tools; any: those of which a model learns no type, which may be
                 one of several; described: those with a description
- any results    tools whose result has no type
- largest        characters of the longest signature
- call           one call with only the required arguments, where none leaves this machine: ok;
                 "ok, no data" if the result is an object without a JSON form; or the error

Packages: requests, httpx, stripe, PyGithub, slack_sdk, notion-client, jira, boto3, pandas,
yfinance, arxiv, wikipedia, google-api-python-client, SQLAlchemy, kubernetes.  One that is not
installed has no row.  The exit status is 1 if a row fails.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import typesig
from typesig import tools_of
from typesig.algebra import nodes
from typesig.algebra.traversal import drop_annotations

COLUMNS = (
    "package", "tools", "left out", "parameters", "any", "described", "any results", "largest",
    "call",
)  # fmt: skip


class Package(NamedTuple):
    """A package and what becomes tools.

    #: module: the module that is there if the package is installed
    #: targets: returns what `tools_of` is given
    #: tool: the tool that is called, or empty; arguments: returns its arguments, given an address
    #:     on this machine
    """

    name: str
    module: str
    targets: Callable[[], list[object]]
    tool: str = ""
    arguments: Callable[[str], dict[str, Any]] = lambda _: {}


def _module(name: str) -> Any:
    return importlib.import_module(name)


def _notion() -> list[object]:
    client = _module("notion_client").Client(auth="x")
    return [client.pages, client.databases, client.blocks, client.users, client.comments]


def _github() -> list[object]:
    client = _module("github").Github()
    return [client, client.get_repo("owner/name", lazy=True)]


def _stripe() -> list[object]:
    names = ("Customer", "PaymentIntent", "Invoice", "Subscription", "Product", "Price", "Refund")
    return [getattr(_module("stripe"), name) for name in names]


def _boto3() -> list[object]:
    keys = {"aws_access_key_id": "x", "aws_secret_access_key": "x", "region_name": "eu-west-1"}
    return [_module("boto3").client("s3", **keys)]


def _sqlalchemy() -> list[object]:
    engine = _module("sqlalchemy").create_engine("sqlite://")
    return [_module("sqlalchemy.orm").Session(engine), _module("sqlalchemy").inspect(engine)]


def _google() -> list[object]:
    discovery = _module("googleapiclient.discovery")
    return [discovery.build("drive", "v3", developerKey="x", static_discovery=True).files()]


def _jira() -> list[object]:
    return [_module("jira").JIRA("http://127.0.0.1:9", get_server_info=False)]


def _csv(_: str) -> dict[str, Any]:
    path = Path(tempfile.mkdtemp()) / "rows.csv"
    path.write_text("a,b\n1,2\n")
    return {"filepath_or_buffer": str(path)}


PACKAGES = (
    Package("requests", "requests", lambda: [_module("requests.api")], "get",
            lambda url: {"url": url}),
    Package("httpx", "httpx", lambda: [_module("httpx")], "get", lambda url: {"url": url}),
    Package("stripe", "stripe", _stripe),
    Package("PyGithub", "github", _github, "get_labels"),
    Package("slack_sdk", "slack_sdk", lambda: [_module("slack_sdk").WebClient("x")]),
    Package("notion-client", "notion_client", _notion),
    Package("jira", "jira", _jira),
    Package("boto3", "boto3", _boto3, "can_paginate",
            lambda _: {"operation_name": "list_objects"}),
    Package("pandas", "pandas", lambda: [_module("pandas")], "read_csv", _csv),
    Package("yfinance", "yfinance", lambda: [_module("yfinance"), _module("yfinance").Ticker("X")]),
    Package("arxiv", "arxiv", lambda: [_module("arxiv").Client()]),
    Package("wikipedia", "wikipedia", lambda: [_module("wikipedia")], "set_lang",
            lambda _: {"prefix": "de"}),
    Package("google-api-python-client", "googleapiclient", _google, "get",
            lambda _: {"fileId": "x"}),
    Package("SQLAlchemy", "sqlalchemy", _sqlalchemy, "in_transaction"),
    Package("kubernetes", "kubernetes", lambda: [_module("kubernetes.client").CoreV1Api()]),
)  # fmt: skip


class _Answer(BaseHTTPRequestHandler):
    """Answers every request with an empty object."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def serve_locally() -> Iterator[str]:
    """Address of a server on this machine that answers with an empty object."""
    server = HTTPServer(("127.0.0.1", 0), _Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def measure(package: Package, url: str) -> tuple[str, ...]:
    """Row of *package* in the table."""
    tools: list[Any] = []
    left_out = 0
    for target in package.targets():
        options: Any = {"undecorated": "inferred"}
        found = tools_of(target, **options)
        tools += found
        left_out += sum(each.kind == "left_out" for each in found.warnings)
    fields = [field for one in tools for field in one.signature.params]
    types = [drop_annotations(field.type) for field in fields]
    results = [drop_annotations(one.signature.returns) for one in tools]
    return (
        package.name,
        str(len(tools)),
        str(left_out),
        str(len(fields)),
        str(sum(map(is_untyped, types))),
        str(sum(isinstance(field.type, nodes.Annotation) for field in fields)),
        str(sum(t == nodes.ANY for t in results)),
        str(max((len(str(one.signature)) for one in tools), default=0)),
        call(package, {one.name: one for one in reversed(tools)}, url),
    )


def is_untyped(t: nodes.Type) -> bool:
    """Whether *t* takes any value, or a list of any values."""
    match t:
        case nodes.Maybe(inner) | nodes.List(inner):
            return is_untyped(inner)
        case nodes.Union(members):
            return any(map(is_untyped, members))
        case _:
            return t == nodes.ANY


def call(package: Package, tools: dict[str, Any], url: str) -> str:
    """Result of the call of *package*: "ok", or why there is none."""
    if not package.tool:
        return "needs a network"
    if package.tool not in tools:
        return f"no {package.tool}"
    try:
        outcome = tools[package.tool].call(package.arguments(url))
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:60].replace("\n", " ")
    if not outcome.errors:
        return "ok"
    return "ok, no data" if outcome.stage == "output" else str(outcome.errors[0])[:60]


def main() -> int:
    """Print the table; return 1 if a row fails."""
    parser = argparse.ArgumentParser(description="tools of published packages")
    parser.add_argument("names", nargs="*", help="packages, by default all that are installed")
    parser.add_argument("--markdown", action="store_true", help="print a Markdown table")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    rows, failed = [COLUMNS], False
    with serve_locally() as url:
        for package in PACKAGES:
            if arguments.names and package.name not in arguments.names:
                continue
            if importlib.util.find_spec(package.module) is None:
                continue
            try:
                rows.append(measure(package, url))
            except Exception as error:
                failed = True
                rows.append((package.name, f"{type(error).__name__}: {error}"[:80]))
    print(f"typesig of {Path(typesig.__file__).parent.parent}")
    for at, row in enumerate(rows):
        print("| " + " | ".join(row) + " |" if arguments.markdown else "\t".join(row))
        if arguments.markdown and not at:
            print("|" + "---|" * len(row))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
