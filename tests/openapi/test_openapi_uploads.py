"""Files in forms, in all the ways in which documents spell a schema of bytes."""

from __future__ import annotations

import base64
import email
import email.policy
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import LAW
from tests.openapi_shop import TEXT, document
from typesig.openapi import Request, Response, tools_from

BINARY: dict[str, Any] = {"type": "string", "format": "binary"}
NULL = {"type": "null"}
HELLO = base64.b64encode(b"hello").decode()


def parts_of(headers: Any, body: bytes) -> list[tuple[str, str | None, bytes]]:
    """Return the parts of a form as a server reads them: names, names of files, and contents."""
    kind = next(v for k, v in dict(headers).items() if k.lower() == "content-type")
    whole = b"Content-Type: " + kind.encode() + b"\r\n\r\n" + body
    found = []
    for part in email.message_from_bytes(whole, policy=email.policy.HTTP).iter_parts():  # type: ignore[attr-defined]
        name = part.get_param("name", header="content-disposition")
        found.append((name, part.get_filename(), part.get_payload(decode=True)))
    return found


def form(properties: Any, version: str = "3.1.0", **schemas: Any) -> dict[str, Any]:
    content = {"multipart/form-data": {"schema": {"$ref": "#/components/schemas/Body"}}}
    body = {"type": "object", "properties": properties}
    post = {"operationId": "p", "requestBody": {"required": True, "content": content}}
    paths = {"/x": {"post": post}}
    return document(paths, version, components={"schemas": {"Body": body, **schemas}})


def sent(made: Any, arguments: Any) -> list[tuple[str, str | None, bytes]]:
    seen: list[Request] = []

    def send(request: Request) -> Response:
        seen.append(request)
        return Response(204)

    outcome = tools_from(made, base="http://h", send=send).call("p", arguments)

    assert outcome.ok, outcome.report()
    [request] = seen
    return parts_of(request.headers, request.body or b"") if request.body else []


# The forms that FastAPI, NSwag, springdoc and others write.
WRAPPED: dict[str, Any] = {
    "itself": BINARY,
    "of 3.1": {"type": "string", "contentMediaType": "application/octet-stream"},
    "or null": {"anyOf": [BINARY, NULL]},
    "types": {"type": ["string", "null"], "format": "binary"},
    "nullable": {"type": "string", "format": "binary", "nullable": True},
    "reference": {"$ref": "#/components/schemas/F"},
    "reference, nullable": {"$ref": "#/components/schemas/F", "nullable": True},
    "allOf": {"allOf": [{"$ref": "#/components/schemas/F"}], "description": "x"},
    "or an address": {"oneOf": [BINARY, {"type": "string", "format": "uri"}]},
    "deep": {"anyOf": [{"allOf": [{"oneOf": [{"$ref": "#/components/schemas/F"}]}]}, NULL]},
}


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
@pytest.mark.parametrize("name", WRAPPED)
def test_a_file_is_sent_as_bytes_however_it_is_spelled(name: str, version: str) -> None:
    if version == "3.0.3" and "types" in name:
        return
    made = form({"f": WRAPPED[name]}, version, F=BINARY)

    assert [("f", "f", b"hello")] == sent(made, {"f": HELLO})
    assert "data:TYPE;name=NAME;base64,DATA" in tools_from(made, base="http://h").prompt()


@pytest.mark.parametrize("name", WRAPPED)
def test_a_list_of_files_is_sent_as_bytes(name: str) -> None:
    items = {"type": "array", "items": WRAPPED[name]}
    for schema in (items, {"anyOf": [items, NULL]}, {"allOf": [items]}):
        made = form({"f": schema}, F=BINARY)

        assert [("f", "f", b"hello")] * 2 == sent(made, {"f": [HELLO, HELLO]})


wrappers = st.sampled_from(
    [
        lambda s: {"anyOf": [s, NULL]},
        lambda s: {"oneOf": [NULL, s]},
        lambda s: {"allOf": [s]},
        lambda s: {"allOf": [s, {"description": "A file."}]},
        lambda s: {"oneOf": [s], "title": "File"},
    ]
)


@LAW
@given(st.lists(wrappers, max_size=5), st.integers(0, 5), st.booleans())
def test_any_nesting_of_references_unions_and_null_is_seen_through(
    chosen: list[Any], at: int, is_list: bool
) -> None:
    schema, schemas = BINARY, {}
    for n, wrap in enumerate(chosen):
        if n == at:
            schemas["F"], schema = schema, {"$ref": "#/components/schemas/F"}
        schema = wrap(schema)
    schema = {"type": "array", "items": schema} if is_list else schema
    value = [HELLO] if is_list else HELLO

    assert [("f", "f", b"hello")] == sent(form({"f": schema}, **schemas), {"f": value})


def test_an_address_in_place_of_a_file_is_a_text() -> None:
    made = form({"f": WRAPPED["or an address"]})

    assert [("f", None, b"https://h/a.png")] == sent(made, {"f": "https://h/a.png"})
    data = "data:text/plain;name=a.txt;base64,"
    assert [("f", "a.txt", b"hello")] == sent(made, {"f": data + HELLO})


@pytest.mark.parametrize("media", ["multipart/form-data", "application/x-www-form-urlencoded"])
def test_null_is_no_part_of_a_form(media: str) -> None:
    numbers = {"anyOf": [{"type": "array", "items": {"type": ["integer", "null"]}}, NULL]}
    schema = {
        "type": "object",
        "properties": {"f": {"anyOf": [BINARY, NULL]}, "k": numbers, "a": TEXT},
    }
    post = {"operationId": "p", "requestBody": {"content": {media: {"schema": schema}}}}
    seen: list[Request] = []

    def send(request: Request) -> Response:
        seen.append(request)
        return Response(204)

    tool = tools_from(document({"/x": {"post": post}}, "3.1.0"), base="http://h", send=send)["p"]

    assert tool.call({"f": None, "k": None, "a": "b"}).ok
    assert b"k" not in (seen[0].body or b"").replace(b"octet", b"")
    assert b"a" in (seen[0].body or b"")


def test_a_form_that_refers_to_itself_is_read() -> None:
    node = {"anyOf": [{"$ref": "#/components/schemas/F"}, BINARY, {"allOf": [True, 3]}]}

    assert [("f", "f", b"hello")] == sent(form({"f": node}, F=node), {"f": HELLO})


def test_parts_of_a_body_that_consists_of_several_are_arguments() -> None:
    own = {"type": "object", "required": ["b"], "properties": {"b": TEXT, "f": {"title": "F"}}}
    made = form({"f": BINARY}, Both={"allOf": [{"$ref": "#/components/schemas/Body"}, own]})
    content = made["paths"]["/x"]["post"]["requestBody"]["content"]
    content["multipart/form-data"]["schema"] = {"$ref": "#/components/schemas/Both"}
    tool = tools_from(made, base="http://h")["p"]

    assert {"b", "f"} == {field.name for field in tool.signature.params}
    assert [("b", None, b"x"), ("f", "f", b"hello")] == sorted(
        sent(made, {"f": HELLO, "b": "x"}), key=lambda part: part[0]
    )


def test_a_list_in_a_property_of_which_nothing_is_known_is_sent_as_texts() -> None:
    schema = {"type": "object", "additionalProperties": True, "properties": {"a": TEXT}}
    made = form({"f": BINARY})
    content = made["paths"]["/x"]["post"]["requestBody"]["content"]
    content["multipart/form-data"]["schema"] = schema

    assert [("z", None, b"1"), ("z", None, b"2")] == sent(made, {"body": {"z": [1, 2]}})


def test_bytes_that_are_no_base64_are_refused() -> None:
    tools = tools_from(form({"f": BINARY}), base="http://h", send=lambda _: Response(204))

    assert "f: write the bytes in base64" in tools.call("p", {"f": "no base64!"}).report()


class Handler(BaseHTTPRequestHandler):
    """Keeps the parts of forms."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        found: Any = self.server
        found.parts = parts_of(self.headers, body)
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[Any]:
    made: Any = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=made.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield made
    finally:
        made.shutdown()
        made.server_close()
        thread.join()


@pytest.mark.needs_process
def test_a_server_gets_files_as_a_document_of_fastapi_says(server: Any) -> None:
    pytest.importorskip("httpx")
    # As FastAPI 0.165 writes `fs: list[UploadFile] | None = None, k: Form[list[int] | None]`.
    binary = {"type": "string", "contentMediaType": "application/octet-stream"}
    files = {"anyOf": [{"items": binary, "type": "array"}, NULL], "title": "Fs"}
    numbers = {"anyOf": [{"items": {"type": "integer"}, "type": "array"}, NULL], "title": "K"}
    tools = tools_from(
        form({"fs": files, "k": numbers}), base=f"http://127.0.0.1:{server.server_port}"
    )

    assert tools.call("p", {"fs": [HELLO, HELLO], "k": [1, 2]}).ok
    assert [
        ("fs", "fs", b"hello"), ("fs", "fs", b"hello"), ("k", None, b"1"), ("k", None, b"2")
    ] == server.parts  # fmt: skip
    assert tools.call("p", {"fs": [HELLO], "k": None}).ok
    assert [("fs", "fs", b"hello")] == server.parts
