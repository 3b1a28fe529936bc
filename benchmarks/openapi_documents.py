"""Published OpenAPI documents: what becomes a tool, and what reaches a server made from them.

    npm install --prefix DIR @octokit/openapi @figma/rest-api-spec @readme/oas-examples
    python -m pip install typesig[openapi] jsonschema
    python benchmarks/openapi_documents.py DIR            # all documents below DIR
    python benchmarks/openapi_documents.py --most 50 FILE # the first 50 paths

Each operation becomes a tool, which is called over HTTP with arguments drawn from its signature.
The server is made from the same document and knows nothing of the tools: it finds the operation by
its path, asks for what is required, judges a JSON body with `jsonschema` (for 3.1), and answers
with a value drawn from the schema of the result.  Columns:

- operations   of the document; left out: those that cannot be called, of which each is printed
- widened      tools whose schemas are not expressed as they are
- called       calls that fit a signature; refused: those that the tool does not send, such as "."
               in a path; wrong: those that the server does not understand
- ms           CPU time to make one tool, the document read
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from typesig import Signature, Toolset, openapi, relations
from typesig.algebra.nodes import Record
from typesig.algebra.signature import make_type_signature
from typesig.errors import TypesigError
from typesig.openapi.documents import Document, read_document

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_JSON = re.compile(r"application/(?:.*\+)?json")


class Served(NamedTuple):
    """An operation as the server knows it.

    #: path: matches the path of a request; required: the places and names of parameters
    #: body: the schema of a JSON body, or None
    """

    method: str
    template: str
    path: re.Pattern[str]
    required: tuple[tuple[str, str], ...]
    body: Any


def served(document: Document) -> Iterator[Served]:
    for template, node in document.root.get("paths", {}).items():
        item = document.resolve(node, ())
        # Fragments only tell paths of a document apart.
        template = template.partition("#")[0]
        pattern = re.sub(r"\\\{[^{}]+\\\}", "([^/]+?)", re.escape(template))
        for method in _METHODS:
            if not isinstance(item.get(method), dict):
                continue
            operation = item[method]
            given = [*item.get("parameters", ()), *operation.get("parameters", ())]
            known = [document.resolve(each, ()) for each in given]
            required = [
                (str(each["in"]), str(each["name"]))
                for each in known
                if each.get("required")
                and each["in"] in ("query", "header")
                # A parameter of this name means nothing.
                and each["name"] != "Authorization"
            ]
            yield Served(
                method.upper(), template, re.compile(pattern), tuple(required),
                body_of(document, operation),
            )  # fmt: skip


def body_of(document: Document, operation: dict[str, Any]) -> Any:
    if "requestBody" not in operation or document.is_old:
        return None
    content = document.resolve(operation["requestBody"], ()).get("content", {})
    return next((each.get("schema") for name, each in content.items() if _JSON.match(name)), None)


class Server:
    """Answers the requests of one document, and keeps what it does not understand."""

    def __init__(self, document: Document) -> None:
        resource = Resource(contents=document.root, specification=DRAFT202012)
        self._registry = Registry().with_resource("urn:document", resource)
        self._known = list(served(document))
        self.answer: bytes = b""
        self.wrong: list[str] = []

    def take(self, method: str, target: str, headers: dict[str, str], body: bytes) -> None:
        parts = urlsplit(target)
        # A literal path comes before one with templates.
        own = [each for each in self._known if each.method == method]
        found = [each for each in own if each.path.fullmatch(parts.path)]
        if not found:
            self.wrong.append(f"{method} {parts.path}: no operation")
            return
        one = min(found, key=lambda each: each.template.count("{"))
        given = {("query", name) for name, _ in parse_qsl(parts.query, keep_blank_values=True)}
        given |= {("query", unquote(name).partition("[")[0]) for _, name in given}
        given |= {("header", name.lower()) for name in headers}
        self.wrong += [
            f"{method} {one.template}: {place} {name} is missing"
            for place, name in one.required
            if (place, name.lower() if place == "header" else name) not in given
        ]
        if one.body is not None and body and "json" in headers.get("content-type", ""):
            schema = {"$id": "urn:request", **self._located(one.body)}
            judge = Draft202012Validator(schema, registry=self._registry)
            error = next(judge.iter_errors(json.loads(body)), None)
            if error is not None:
                self.wrong.append(f"{method} {one.template}: {error.message[:200]}")

    def _located(self, schema: Any) -> Any:
        """Return *schema* with references that lead into the document."""
        text = json.dumps(schema).replace('"$ref": "#/', '"$ref": "urn:document#/')
        return json.loads(text)


def handler_of(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            headers = {name.lower(): value for name, value in self.headers.items()}
            server.take(self.command, self.path, headers, self.rfile.read(length))
            is_empty = self.command == "HEAD" or not server.answer
            self.send_response(204 if is_empty else 200)
            self.send_header("content-type", "application/json")
            if not is_empty:
                self.send_header("content-length", str(len(server.answer)))
            self.end_headers()
            if not is_empty:
                self.wfile.write(server.answer)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    for method in _METHODS:
        setattr(Handler, f"do_{method.upper()}", Handler.handle_any)
    return Handler


def calls_of(tools: Toolset, server: Server, count: Counter[str]) -> None:
    for tool in tools:
        signature = tool.signature
        arguments = make_type_signature(
            Record(signature.params, signature.extra), signature.definitions
        )
        answer = drawn(signature, 1)
        server.answer = json.dumps(answer[0]).encode() if answer else b""
        for sent in drawn(arguments, 2):
            before = len(server.wrong)
            outcome = tool.call(sent)
            # A value that was drawn for the result may be one that HTTP has no body for.
            count["called" if outcome.ok or outcome.stage == "output" else "refused"] += 1
            count["wrong"] += len(server.wrong) > before


def drawn(x: Signature, most: int) -> list[Any]:
    try:
        return relations.samples(x, 1, most, json=True)
    except TypesigError:
        return []


def judged(path: Path, most: int) -> Counter[str]:
    document = read_document(path)
    if most:
        paths = dict(list(document.root.get("paths", {}).items())[:most])
        document = Document({**document.root, "paths": paths})
    server = Server(document)
    http = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(server))
    thread = Thread(target=http.serve_forever, args=(0.01,))
    thread.start()
    count: Counter[str] = Counter()
    try:
        began = time.process_time()
        address = f"http://127.0.0.1:{http.server_port}"
        tools = openapi.tools_from(document.root, base=address)
        count["ms"] = round((time.process_time() - began) * 1000 / max(len(tools), 1))
        count["operations"] = len(list(served(document)))
        count["left out"] = len(tools.warnings)
        count["widened"] = sum(1 for tool in tools if tool.warnings)
        for warning in tools.warnings:
            print(f"  left out: {warning}")
        calls_of(tools, server, count)
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
    for each in server.wrong[:5]:
        print(f"  wrong: {each}")
    return count


COLUMNS = ("operations", "left out", "widened", "called", "refused", "wrong", "ms")


def main() -> None:
    """Print a row for each document, and their sum."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("paths", nargs="+", type=Path, help="files, or folders of files")
    parser.add_argument("--most", type=int, default=0, help="the first so many paths of each")
    asked = parser.parse_args()
    total: Counter[str] = Counter()
    print(f"{'document':40} " + " ".join(f"{name:>10}" for name in COLUMNS))
    for path in asked.paths:
        for file in [path] if path.is_file() else documents_in(path):
            try:
                count = judged(file, asked.most)
            except TypesigError as error:
                print(f"{file.name:40} refused: {error}")
                total["documents refused"] += 1
                continue
            total.update(count)
            print(f"{file.name[:40]:40} " + " ".join(f"{count[name]:10}" for name in COLUMNS))
    print(dict(total))


def documents_in(folder: Path) -> Iterator[Path]:
    """Yield the files below *folder* that say they are documents of OpenAPI 3."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".json", ".yaml", ".yml") and path.is_file():
            with path.open(encoding="utf-8", errors="replace") as file:
                if re.search(r"""["']?openapi["']?: *["']?3""", file.read(2_000)):
                    yield path


if __name__ == "__main__":
    main()
