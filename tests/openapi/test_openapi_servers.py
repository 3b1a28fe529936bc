"""What servers answer, functions return and credentials hold, all of which may be wrong."""

from __future__ import annotations

import asyncio
import base64
import encodings.aliases
import json
import warnings
from typing import Any
from urllib.parse import quote

import pytest

from tests.openapi_shop import TEXT, answer, document
from typesig import Outcome, TypesigError
from typesig.openapi import Request, Response, tools_from

BASE = "http://h/v1"


def called(response: Any, responses: Any = None, **options: Any) -> Outcome[Any]:
    made = document({"/x": {"get": {"operationId": "it", "responses": responses or {}}}})
    outcome: Outcome[Any] = tools_from(made, base=BASE, send=lambda _: response, **options)[
        "it"
    ].call()
    return outcome


def texts(outcome: Outcome[Any]) -> list[str]:
    return [str(issue) for issue in outcome.errors]


# responses


@pytest.mark.parametrize(
    ("media", "body", "value"),
    [
        ("application/json", b'\xef\xbb\xbf{"a": 1}', {"a": 1}),
        ("application/json; charset=utf-8", b'"\xc3\xbc"', "ü"),
        ("application/json; charset=ISO-8859-1", b'"\xfc"', "ü"),
        ("application/json; charset=utf-16", '"ü"'.encode("utf-16"), "ü"),
        ("application/json; charset=nonsense", b'"\xc3\xbc"', "ü"),
        ("application/json", b" \r\n", None),
        ("text/plain", b"\xef\xbb\xbfa", "a"),
        ("application/x-ndjson", b'{"a": 1}\n{}\n', [{"a": 1}, {}]),
        (
            "application/jsonl; charset=utf-8",
            b'{"a":\t1}\r\n \n"\xe2\x80\xa8"',
            [{"a": 1}, "\u2028"],
        ),
        ("application/x-jsonlines; charset=utf-16", "1\n2".encode("utf-16"), [1, 2]),
        ("application/json-seq", b'\x1e{"a":\n1}\n\x1e2\n', [{"a": 1}, 2]),
        ("application/geo+json-seq", b"\x1e1\n", [1]),
        ("application/x-ndjson", b"\n", []),
        ("application/jsonl", b"", []),
        ("application/vnd.x.diff; charset=utf-8", b"+a", "+a"),
        ("application/vnd.x.diff", b"+a", {"content_type": "application/vnd.x.diff", "size": 2}),
        ("", b"+a", {"content_type": "", "size": 2}),
    ],
)
def test_answers_are_read_in_the_encoding_that_they_have(
    media: str, body: bytes, value: Any
) -> None:
    assert value == called(Response(200, {"content-type": media}, body)).value


@pytest.mark.parametrize(
    ("media", "body", "error"),
    [
        (
            "application/json",
            b'"\xfc"',
            "the server answered with not valid JSON: byte 1 is not UTF-8",
        ),
        (
            "application/json; charset=shift_jis",
            b'"\xff"',
            "the server answered with JSON whose byte 1 is not shift_jis",
        ),
        (
            "application/json",
            b"[" * 300,
            "the server answered with nested too deep: at most 128 levels",
        ),
        (
            "application/json",
            b'{"a": 1, "a": 2}',
            'the server answered with not valid JSON: the key "a" occurs twice',
        ),
        (
            "application/jsonl",
            b"1\n[\n",
            "the server answered with text 2 of several: not valid JSON: Expecting value at line 1 column 2",
        ),
        (
            "application/x-ndjson",
            b'1\n\n"\xfc"\n',
            "the server answered with text 3 of several: not valid JSON: byte 1 is not UTF-8",
        ),
    ],
)
def test_json_that_cannot_be_read_is_an_error(media: str, body: bytes, error: str) -> None:
    assert [error] == texts(called(Response(200, {"content-type": media}, body)))


def test_no_encoding_of_python_makes_a_call_fail() -> None:
    known = {*encodings.aliases.aliases, *encodings.aliases.aliases.values()}
    odd = {"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "mbcs", "a\0"}
    names = sorted(known | odd | {"x" * 5_000})
    bodies = iter(
        Response(200, {"content-type": f"text/plain; charset={name}"}, b"a\xff\xfe\\ud800 \\xzz")
        for name in names
    )
    made = document({"/x": {"get": {"operationId": "it", "responses": {}}}})
    tool = tools_from(made, base=BASE, send=lambda _: next(bodies))["it"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in names:
            outcome = tool.call()

            assert outcome.ok
            # It can be written again.
            json.dumps(outcome.value, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("response", "error"),
    [
        (Response(304), "the server answered 304 Not Modified"),
        (Response(300), "the server answered 300 Multiple Choices"),
        (
            Response(429, {"Retry-After": "30"}),
            "the server answered 429 Too Many Requests (try again after 30 seconds)",
        ),
        (
            Response(503, {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}),
            "the server answered 503 Service Unavailable (try again after 0 seconds)",
        ),
        (
            Response(503, {"Retry-After": "soon"}),
            "the server answered 503 Service Unavailable",
        ),
        (
            Response(503, {"Retry-After": "9" * 5_000}),
            "the server answered 503 Service Unavailable",
        ),
        (
            Response(400, {"content-type": "text/html"}, b"a\x1b[31m\xe2\x80\xae\nb"),
            "the server answered 400 Bad Request: a[31m b",
        ),
    ],
)
def test_a_failure_is_told_in_plain_text(response: Response, error: str) -> None:
    assert [error] == texts(called(response))


@pytest.mark.parametrize(
    ("content", "shown", "accept"),
    [
        (("application/xml", "application/json"), ":int", "application/json"),
        (("text/html", "application/hal+json"), ":int", "application/hal+json"),
        (("application/xml", "text/csv"), ":any", "application/xml, text/csv"),
        (("text/csv", " application/jsonl"), "[:int]", "application/jsonl"),
        (("application/x-ndjson", "application/json"), ":int", "application/json"),
    ],
)
def test_json_is_asked_for_where_a_server_has_it(content: Any, shown: str, accept: str) -> None:
    def send(request: Request) -> Response:
        got.append(request)
        return Response(200, {"content-type": "application/json"}, b"1")

    got: list[Request] = []
    schema = {"schema": {"type": "integer"}}
    responses = {"200": {"description": "", "content": dict.fromkeys(content, schema)}}
    made = document({"/x": {"get": {"operationId": "it", "responses": responses}}})
    tool = tools_from(made, base=BASE, send=send)["it"]
    tool.call()

    assert f"()! -> {shown}" == str(tool.signature)
    assert accept == got[0].headers["Accept"]


# what send returns


class Theirs:
    def __init__(self, status_code: Any = 200, headers: Any = None, content: Any = b"") -> None:
        self.status_code = status_code
        self.headers = {} if headers is None else headers
        self.content = content


@pytest.mark.parametrize(
    ("response", "error"),
    [
        (Response(200, {}, "{}"), "the body of the response that send returned is bytes, not str"),  # type: ignore[arg-type]
        (Response("200"), "the status of the response that send returned is an int, not str"),  # type: ignore[arg-type]
        (Response(200, None), "the headers of the response that send returned is a dict, not NoneType"),  # type: ignore[arg-type]
        (Theirs(content="x"), "the body of the response that send returned is bytes, not str"),
        (Theirs(status_code=None), "the status of the response that send returned is an int, not NoneType"),
        (3, "send returns a typesig.openapi.Response, or a response of httpx; not int"),
    ],
)  # fmt: skip
def test_a_response_of_wrong_parts_is_a_mistake(response: Any, error: str) -> None:
    with pytest.raises(TypesigError) as raised:
        called(response)

    assert error == str(raised.value)


def test_a_function_that_returns_an_awaitable_is_a_mistake() -> None:
    async def answer_later() -> Response:
        return Response(204)

    class Later:
        def __await__(self) -> Any:
            yield

    for response in (answer_later(), Later()):
        with pytest.raises(TypesigError) as raised:
            called(response)

        assert "send returned an awaitable; give an async def, or an httpx.AsyncClient" == str(
            raised.value
        )


def test_a_class_that_is_given_for_its_object_is_a_mistake() -> None:
    with pytest.raises(TypesigError, match=r"^send is the class Theirs; give an object of it$"):
        tools_from(document({}), send=Theirs)


def test_a_response_of_a_function_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typesig.openapi.http_client.MAX_RESPONSE", 3)

    assert ["the response has more than 3 bytes; ask for less"] == texts(
        called(Response(200, {}, b"abcd"))
    )


# credentials


def secured(scheme: Any, credential: Any, send: Any) -> Any:
    made = document(
        {"/x": {"get": {"operationId": "it", "responses": answer(TEXT)}}},
        security=[{"s": []}],
        components={"securitySchemes": {"s": scheme}},
    )
    return tools_from(made, base=BASE, send=send, credentials={"s": credential})["it"]


def test_a_credential_is_asked_for_once_in_each_call() -> None:
    def send(request: Request) -> Response:
        return Response(
            400, {"content-type": "text/plain"}, request.headers["Authorization"].encode()
        )

    tokens = iter(f"token-{n}" for n in range(9))
    tool = secured({"type": "http", "scheme": "bearer"}, lambda: next(tokens), send)

    assert ["the server answered 400 Bad Request: Bearer …"] == texts(tool.call())
    assert ["the server answered 400 Bad Request: Bearer …"] == texts(tool.call())
    assert "token-2" == next(tokens)


@pytest.mark.parametrize(
    "told",
    [
        "key s3cret/ü!",
        f"key {quote('s3cret/ü!', safe='')}",
        'key "s3cret\\/\\u00fc!"',
        "key " + base64.b64encode("me:s3cret/ü!".encode()).decode(),
    ],
)
def test_an_error_has_no_form_of_a_password(told: str) -> None:
    def send(request: Request) -> Response:
        return Response(403, {"content-type": "text/plain"}, told.encode())

    [text] = texts(secured({"type": "http", "scheme": "basic"}, ("me", "s3cret/ü!"), send).call())

    assert "s3cret" not in text.replace("\\/", "/")
    assert "bWU6" not in text


def test_a_text_for_basic_that_is_no_base64_is_hidden_too() -> None:
    def send(request: Request) -> Response:
        return Response(403, {"content-type": "text/plain"}, b"not s3cret!")

    tool = secured({"type": "http", "scheme": "basic"}, "s3cret!", send)

    assert ["the server answered 403 Forbidden: not …"] == texts(tool.call())


def test_a_credential_can_be_awaited_where_requests_are() -> None:
    async def send(request: Request) -> Response:
        return Response(
            200, {"content-type": "text/plain"}, request.headers["Authorization"].encode()
        )

    async def token() -> str:
        return "t0ken"

    scheme = {"type": "http", "scheme": "bearer"}

    assert "Bearer t0ken" == asyncio.run(secured(scheme, token, send).acall()).value
    assert "Bearer plain" == asyncio.run(secured(scheme, "plain", send).acall()).value

    class Later:
        def __await__(self) -> Any:
            yield

    for credential in (token, Later):
        with pytest.raises(TypesigError) as raised:
            secured(scheme, credential, lambda request: Response(204)).call()

        assert "the credential for Authorization is awaited; give an async send= with it" == str(
            raised.value
        )


@pytest.mark.parametrize(
    "base", ["https://me:s3cret@h/v1", "ftp://me:s3cret@h?x", "http://@h", "//a@["]
)
def test_a_base_with_a_password_is_refused_without_showing_it(base: str) -> None:
    with pytest.raises(TypesigError) as raised:
        tools_from(document({}), base=base)

    assert (
        "the base address has no user or password; give an address such as "
        'base="https://api.example.com/v1", and credentials='
    ) == str(raised.value)


def test_a_base_can_have_the_sign_in_its_path() -> None:
    def send(request: Request) -> Response:
        assert "https://h/@v1/x" == request.url
        return Response(204)

    made = document({"/x": {"get": {"operationId": "it", "responses": {}}}})

    assert tools_from(made, base="https://h/@v1", send=send)["it"].call().ok


# names


def test_no_operation_is_lost_by_its_name() -> None:
    paths = {
        "/a_b": {"get": {}},
        "/a-b": {"get": {}},
        "/y": {"get": {"operationId": "get /a-b"}},
        "/z": {"get": {"operationId": "get /a-b "}},
    }
    names = tools_from(document(paths)).names

    assert 4 == len(names) == len(set(names))
