"""How values are written in each place of a request, against the tables of the specification."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

import pytest

from tests.openapi_shop import TEXT, document, parameter
from typesig import TypesigError
from typesig.openapi import Request, Response, tools_from
from typesig.openapi.messages import ALLOWED_STYLES, STYLES, Where, write_parameter

COLORS = ["blue", "black", "brown"]
RGB = {"R": 100, "G": 200, "B": 150}

#: The table of examples in OpenAPI 3.1.1 (4.8.12.4), the column `undefined` for an empty text.
TABLE = [
    # style, explode, empty, text, list, object
    ("matrix", False, ";color", ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"),
    ("matrix", True, ";color", ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"),
    ("label", False, ".", ".blue", ".blue,black,brown", ".R,100,G,200,B,150"),
    ("label", True, ".", ".blue", ".blue.black.brown", ".R=100.G=200.B=150"),
    ("simple", False, "", "blue", "blue,black,brown", "R,100,G,200,B,150"),
    ("simple", True, "", "blue", "blue,black,brown", "R=100,G=200,B=150"),
    ("form", False, "color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"),
    ("form", True, "color=", "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"),
    ("spaceDelimited", False, None, None, "color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"),
    ("pipeDelimited", False, None, None, "color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"),
    ("deepObject", True, None, None, None, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
    ("cookie", False, "color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"),
    ("cookie", True, "color=", "color=blue", "color=blue; color=black; color=brown", "R=100; G=200; B=150"),
]  # fmt: skip


def test_the_table_has_each_style() -> None:
    assert set(STYLES) == {style for style, *_ in TABLE}
    assert set(STYLES) == {style for styles in ALLOWED_STYLES.values() for style in styles}


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]}-{row[1]}")
def test_values_are_written_as_the_specification_shows(row: Any) -> None:
    style, explode, *texts = row
    found = [write_parameter("color", value, style, explode) for value in ("", "blue", COLORS, RGB)]

    assert texts == [None if want is None else got for got, want in zip(found, texts, strict=True)]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": {"b": 1, "c": {"d": "x y"}}}, "p%5Ba%5D%5Bb%5D=1&p%5Ba%5D%5Bc%5D%5Bd%5D=x%20y"),
        ({"tags": ["x", "y"]}, "p%5Btags%5D%5B0%5D=x&p%5Btags%5D%5B1%5D=y"),
        (["x"], "p%5B0%5D=x"),
        ({"a": [{"b": None}]}, "p%5Ba%5D%5B0%5D%5Bb%5D="),
        ({"a]&b": "c=d"}, "p%5Ba%5D%26b%5D=c%3Dd"),
        ({}, ""),
        ({"a": {}}, ""),
        ("text", "p=text"),
    ],
)
def test_objects_in_brackets_have_brackets_at_each_level(value: Any, text: str) -> None:
    assert text == write_parameter("p", value, "deepObject", True)


# whole requests


def sent(
    operation: dict[str, Any], arguments: dict[str, Any], path: str = "/x", **more: Any
) -> Request | list[str]:
    """Return the request that a call makes, or its errors."""

    def send(request: Request) -> Response:
        got.append(request)
        return Response(204)

    got: list[Request] = []
    made = document({path: {"post": {"operationId": "it", "responses": {}, **operation}}}, **more)
    tools = tools_from(made, base="http://h", send=send)
    outcome = tools["it"].call(arguments)
    return got[0] if got else [str(issue) for issue in outcome.errors]


@pytest.mark.parametrize("where", ALLOWED_STYLES)
def test_any_style_of_a_place_makes_a_request(where: Where) -> None:
    path = "/x/{p}" if where == "path" else "/x"
    for style in ALLOWED_STYLES[where]:
        for value in ("a b", 1, True, ["a", 1], {"k": "v"}, [["x"]], {"k": {"l": [1]}}):
            operation = {"parameters": [parameter("p", where, {}, style=style)]}
            got = sent(operation, {"p": value}, path, version="3.2.0")
            if style == "cookie" and value in ("a b", [["x"]], {"k": {"l": [1]}}):
                # It escapes nothing.
                assert ["p: a cookie takes printable ASCII without blanks, quotes, ; and \\"] == got
                continue

            assert isinstance(got, Request)
            assert got.url.isascii()
            assert got.url.isprintable()
            assert " " not in got.url


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("explode", [False, True])
def test_what_has_no_members_expands_to_nothing(style: str, explode: bool) -> None:
    assert (
        "" == write_parameter("p", [], style, explode) == write_parameter("p", {}, style, explode)
    )


def in_path(value: Any, path: str, style: str) -> Any:
    asked = [parameter("p", "path", {}, style=style)]
    got = sent({"parameters": asked}, {"p": value}, path)
    return got.url if isinstance(got, Request) else got


@pytest.mark.parametrize("empty", [[], {}])
def test_a_path_goes_without_a_list_that_has_no_items(empty: Any) -> None:
    assert "http://h/x" == in_path(empty, "/x{p}", "matrix")
    assert "http://h/x" == in_path(empty, "/x{p}", "label")
    assert "http://h/x;p=1;p=2/y" == in_path([1, 2], "/x{p}/y", "matrix").replace("1,2", "1;p=2")
    refused = ["p: a part of the path cannot be empty"]
    assert refused == in_path(empty, "/x/{p}", "matrix")
    assert refused == in_path(empty, "/x{p}", "simple")


def test_a_header_of_a_list_without_items_is_sent_only_if_it_is_required() -> None:
    for needs, headers in ((True, {"h": ""}), (False, {})):
        got = sent({"parameters": [parameter("h", "header", {}, required=needs)]}, {"h": []})

        assert isinstance(got, Request)
        assert headers == got.headers


@pytest.mark.parametrize("value", [" a", "a ", "\ta", ["a", "b "], " "])
def test_a_header_with_blanks_at_its_ends_is_refused_before_anything_is_sent(value: Any) -> None:
    got = sent({"parameters": [parameter("h", "header", {})]}, {"h": value})

    assert ["h: a header takes no blanks at its ends"] == got


def test_a_credential_with_blanks_at_its_ends_is_refused_where_it_is_a_header() -> None:
    schemes = {
        "h": {"type": "apiKey", "in": "header", "name": "X-Key"},
        "q": {"type": "apiKey", "in": "query", "name": "key"},
    }
    got: list[str] = []

    def send(request: Request) -> Response:
        got.append(request.url)
        return Response(204)

    for name in schemes:
        item = {"get": {"operationId": "it", "responses": {}, "security": [{name: []}]}}
        made = document({"/x": item}, components={"securitySchemes": schemes})
        tools = tools_from(made, base="http://h", send=send, credentials={name: "k "})
        if name == "q":
            assert tools.call("it").ok
            continue
        with pytest.raises(TypesigError) as raised:
            tools.call("it")

        assert (
            "the credential for X-Key has blanks at its ends, which no header takes; strip it"
        ) == str(raised.value)
    assert ["http://h/x?key=k%20"] == got


@pytest.mark.parametrize("value", [None, "", [], ".", "..", "%2e%2e", "%2e", "../a", "a/../b"])
def test_a_value_leads_to_no_other_path(value: Any) -> None:
    got = sent({"parameters": [parameter("p", "path", {})]}, {"p": value}, "/x/{p}/y")

    if isinstance(got, Request):
        # What looks like dots is text, whose percent sign is escaped.
        assert value in ("%2e%2e", "%2e", "../a", "a/../b")
        assert 5 == len(got.url.split("/")) - 1
        assert got.url.endswith(("/%252e%252e/y", "/%252e/y", "/..%2Fa/y", "/a%2F..%2Fb/y"))
    else:
        assert got in (
            ["p: a part of the path cannot be empty"],
            ['a part of the path cannot be "." or ".."'],
        )


def test_parts_that_are_dots_together_are_refused() -> None:
    asked = [parameter("a", "path"), parameter("b", "path")]
    got = sent({"parameters": asked}, {"a": ".", "b": "."}, "/x/{a}{b}")

    assert ['a part of the path cannot be "." or ".."'] == got


def test_there_is_one_header_for_cookies_whoever_names_it() -> None:
    asked = [parameter("COOKIE", "header"), parameter("c", "cookie"), parameter("l", "cookie", {})]
    got = sent({"parameters": asked}, {"COOKIE": "a=b", "c": "d", "l": []})

    assert isinstance(got, Request)
    assert {"Cookie": "c=d; a=b"} == got.headers


def test_headers_are_alike_in_any_case() -> None:
    shared = {"parameters": [parameter("X-A", "header", {"type": "integer"})]}
    own = {
        "operationId": "it",
        "parameters": [parameter("x-a", "header"), parameter("X-Key", "header")],
    }
    key = {"type": "apiKey", "in": "header", "name": "x-key"}
    made = document({"/x": {**shared, "get": own}}, components={"securitySchemes": {"k": key}})

    assert "(x-a? :string)! -> :any" == str(tools_from(made)["it"].signature).replace('"', "")


def test_a_parameter_that_is_deprecated_says_so() -> None:
    for text, told in (("Old.", "Old. Deprecated."), (None, "Deprecated.")):
        asked = parameter("p", "query", deprecated=True, description=text)
        tools = tools_from(document({"/x": {"get": {"operationId": "it", "parameters": [asked]}}}))
        schema = tools["it"].signature.input_schema()

        assert told == schema["properties"]["p"]["description"]


# bodies


def form(media: str, schema: Any, data: Any, **more: Any) -> Any:
    body = {"required": True, "content": {media: {"schema": schema, **more}}}
    return sent({"requestBody": body}, data, version="3.1.0")


OBJECT = {
    "type": "object",
    "properties": {"a": {"type": "object"}, "b": {"type": "array"}, "c": TEXT},
}


@pytest.mark.parametrize(
    ("encoding", "pairs"),
    [
        # An object in a form is JSON text unless a style says otherwise.
        ({}, [("a", '{"x":{"y":1}}'), ("b", "1"), ("b", "2"), ("c", "p/q")]),
        ({"a": {"contentType": "application/json"}}, [("a", '{"x":{"y":1}}'), ("b", "1"), ("b", "2"), ("c", "p/q")]),
        ({"a": {"style": "deepObject"}}, [("a[x][y]", "1"), ("b", "1"), ("b", "2"), ("c", "p/q")]),
        ({"a": {"explode": True}}, [("x", '{"y":1}'), ("b", "1"), ("b", "2"), ("c", "p/q")]),
        ({"b": {"style": "deepObject", "explode": True}},
         [("a", '{"x":{"y":1}}'), ("b[0]", "1"), ("b[1]", "2"), ("c", "p/q")]),
        ({"b": {"explode": False}}, [("a", '{"x":{"y":1}}'), ("b", "1,2"), ("c", "p/q")]),
    ],
)  # fmt: skip
def test_fields_of_a_form_are_pairs(encoding: Any, pairs: Any) -> None:
    data = {"a": {"x": {"y": 1}}, "b": [1, 2], "c": "p/q"}
    got = form("application/x-www-form-urlencoded", OBJECT, data, encoding=encoding)

    assert pairs == parse_qsl(got.body.decode())


def test_reserved_characters_stay_where_a_form_allows_them() -> None:
    data = {"b": [], "c": "p/q&r"}
    encoding = {"c": {"allowReserved": True}}
    got = form("application/x-www-form-urlencoded", OBJECT, data, encoding=encoding)

    assert b"c=p/q%26r" == got.body


@pytest.mark.parametrize(
    ("told", "media", "text"),
    [
        ("application/json", "application/json", '"p/q"'),
        ("application/xml", "application/xml", "p/q"),
        ("image/png, image/jpeg", "text/plain", "p/q"),
        ("image/*", "text/plain", "p/q"),
        ("text/plain\r\nX: y", "text/plain", "p/q"),
        (3, "text/plain", "p/q"),
    ],
)
def test_a_part_has_the_type_that_the_document_names(told: Any, media: str, text: str) -> None:
    encoding = {"c": {"contentType": told}}
    got = form("multipart/form-data", OBJECT, {"c": "p/q"}, encoding=encoding)

    assert f'name="c"\r\nContent-Type: {media}\r\n\r\n{text}\r\n' in got.body.decode()


@pytest.mark.parametrize(
    ("schema", "is_file"),
    [
        ({"type": "string", "format": "binary"}, True),
        ({"type": "string", "contentMediaType": "application/octet-stream"}, True),
        ({"contentMediaType": "image/png"}, True),
        ({"type": "string", "contentMediaType": "image/png", "contentEncoding": "base64"}, False),
        ({"type": "string", "contentMediaType": "text/html"}, False),
    ],
)
def test_a_file_is_what_either_version_calls_one(schema: Any, is_file: bool) -> None:
    whole = {"type": "object", "properties": {"f": schema}}
    encoding = {"f": {"contentType": "image/png"}}
    got = form("multipart/form-data", whole, {"f": "AAE="}, encoding=encoding)

    assert (b"image/png\r\n\r\n\x00\x01\r\n" in got.body) is is_file
    assert (b"AAE=" in got.body) is not is_file


@pytest.mark.parametrize(
    ("media", "schema", "shown"),
    [
        ("application/xml", {"type": "object", "properties": {"a": TEXT}}, "body :string"),
        ("application/xml", {}, "body :string"),
        ("text/plain", {"type": "integer"}, "body :int"),
        ("application/graphql", TEXT, "body :string"),
        ("application/x-ndjson", {}, "body [:any]"),
        ("application/x-ndjson", {"type": "integer"}, "body [:int]"),
        ("application/x-ndjson", TEXT, "body [:any]"),
        ("application/json-seq", {}, "body [:any]"),
        ("application/jsonl", {"type": "array", "items": {"type": "integer"}}, "body [:int]"),
    ],
)
def test_bodies_of_text_are_written_by_the_model(media: str, schema: Any, shown: str) -> None:
    body = {"required": True, "content": {media: {"schema": schema}}}
    paths = {"/x": {"post": {"operationId": "it", "requestBody": body}}}

    assert f"({shown})! -> :any" == str(tools_from(document(paths))["it"].signature)


def test_lines_of_json_are_lines() -> None:
    got = form("application/x-ndjson", {}, {"body": [{"index": {}}, {"a": "ü\n"}]})

    assert b'{"index":{}}\n{"a":"\\u00fc\\n"}\n' == got.body
    assert "application/x-ndjson" == got.headers["Content-Type"]


def test_texts_of_a_sequence_have_separators_before_them() -> None:
    got = form("application/geo+json-seq", {}, {"body": [1, {"a": None}]})

    assert b'\x1e1\n\x1e{"a":null}\n' == got.body


@pytest.mark.parametrize("media", ["application/x-www-form-urlencoded", "multipart/form-data"])
def test_a_form_of_what_is_no_object_is_refused(media: str) -> None:
    assert ["a form takes an object"] == form(media, {}, {"body": [1]})


FILE = {"type": "object", "properties": {"f": {"type": "string", "format": "binary"}}}


@pytest.mark.parametrize(
    ("value", "told", "head"),
    [
        ("AAE=", None, b'filename="f"\r\nContent-Type: application/octet-stream'),
        ("AAE=", "image/png", b'filename="f.png"\r\nContent-Type: image/png'),
        ("data:;base64,AAE=", "image/png", b'filename="f.png"\r\nContent-Type: image/png'),
        ("data:audio/mpeg;base64,AAE=", None, b'filename="f.mp3"\r\nContent-Type: audio/mpeg'),
        ("data:audio/mpeg;base64,AAE=", "audio/x", b'filename="f"\r\nContent-Type: audio/x'),
        (
            "data:image/png;name=a%20%22b.png;base64,AAE%3D",
            "image/png, image/jpeg",
            b'filename="a %22b.png"\r\nContent-Type: image/png',
        ),
        ("data:a*;name=;base64,AAE=", None, b'filename="f"\r\nContent-Type: application/octet'),
    ],
)
def test_a_file_has_the_name_that_the_model_writes_or_one_by_its_type(
    value: str, told: Any, head: bytes
) -> None:
    encoding = {"f": {"contentType": told}}
    got = form("multipart/form-data", FILE, {"f": value}, encoding=encoding)

    assert head in got.body
    assert b"\r\n\r\n\x00\x01\r\n" in got.body


def test_the_type_of_a_file_is_that_of_its_schema() -> None:
    schema = {"type": "object", "properties": {"f": {"contentMediaType": "image/png"}}}
    got = form("multipart/form-data", schema, {"f": "AAE="})

    assert b'filename="f.png"\r\nContent-Type: image/png\r\n\r\n\x00\x01' in got.body


@pytest.mark.parametrize("value", ["data:image/png,AAE=", "data:image/png;base64,%", "%"])
def test_a_file_that_is_no_base64_is_refused(value: str) -> None:
    got = form("multipart/form-data", FILE, {"f": value})

    assert ["f: write the bytes in base64"] == got


def test_a_body_of_bytes_may_be_such_a_url() -> None:
    got = form("image/png", {}, {"body": "data:image/png;name=a.png;base64,AAE="})

    assert b"\x00\x01" == got.body


def test_a_model_is_told_how_a_file_gets_its_name() -> None:
    whole = {
        "type": "object",
        "properties": {
            "files": {"type": "array", "items": {"type": "string", "format": "binary"}},
            "both": True,
            "text": TEXT,
            **FILE["properties"],
        },
    }
    bodies = {"requestBody": {"content": {"multipart/form-data": {"schema": whole}}}}
    paths = {"/x": {"post": {"operationId": "it", "responses": {}, **bodies}}}
    shown = tools_from(document(paths, "3.1.0"))["it"].signature.input_schema()["properties"]

    told = "Bytes, in base64, or data:TYPE;name=NAME;base64,DATA."
    assert told == shown["f"]["description"] == shown["files"]["items"]["description"]
    assert "description" not in shown["text"]
