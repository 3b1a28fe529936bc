"""Tools for the operations of an OpenAPI document: what is shown, sent, and made of answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import typesig
from tests.openapi_shop import ORDER, SHOP, TEXT, Seen, answer, document, parameter
from typesig import Outcome, Tool, Toolset, TypesigError
from typesig.openapi import Request, Response, tools_from
from typesig.openapi.requests import Secret

BASE = "http://shop.test/v1"


def ok(data: Any = None) -> Response:
    return Response(200, {"Content-Type": "application/json"}, json.dumps(data).encode())


class Server:
    """Keeps what it is sent, and answers each request with the same response."""

    def __init__(self, response: Response) -> None:
        self.response = response
        self.got: list[Request] = []

    def __call__(self, request: Request) -> Response:
        self.got.append(request)
        return self.response


def shop(response: Response | None = None, **options: Any) -> tuple[Toolset, Server]:
    server = Server(response or ok({"id": 1, "item": "x"}))
    return tools_from(SHOP, base=BASE, send=server, **options), server


def seen(server: Server, given: Any = SHOP) -> Seen:
    [request] = server.got
    return Seen(given, request)


def one(operation: dict[str, Any], path: str = "/x", response: Any = None, **more: Any) -> Any:
    """Return the tool for *operation* alone, and its server."""
    made = document({path: {"post": {"operationId": "it", **operation}}}, **more)
    server = Server(response or ok())
    tools = tools_from(made, base=BASE, send=server)
    return tools["it"], server


def texts(outcome: Outcome[Any]) -> list[str]:
    return [str(issue) for issue in outcome.errors]


# the room


def test_the_room_is_there_once_the_package_is_imported() -> None:
    assert ["Request", "Response", "tools_from"] == dir(typesig.openapi)
    for name in typesig.openapi.__all__:
        assert getattr(typesig.openapi, name).__doc__
    with pytest.raises(AttributeError) as raised:
        typesig.openapi.no_such  # type: ignore[attr-defined]  # noqa: B018

    assert "module 'typesig.openapi' has no attribute 'no_such'" == str(raised.value)


# what is shown


def test_each_operation_is_a_tool_with_one_flat_signature() -> None:
    tools, server = shop()

    assert ("get_order", "change_order", "delete_orders_id", "search") == tools.names
    assert (
        '(id :int, fields? [:string], "X-Trace"? :string)! -> '
        ":Order where Order = {id :int, item :string, count :int[1..] = 1, note :string?}"
    ) == str(tools["get_order"].signature)
    assert "One order." == tools["get_order"].description == tools["get_order"].title
    assert "Changes an order." == tools["change_order"].description
    assert () == tools.warnings
    assert [] == server.got


def test_fields_of_a_body_are_arguments_less_those_that_only_responses_have() -> None:
    tools, _ = shop()

    assert (
        "(id :int, item :string, count :int[1..] = 1, pin? :string, note :string?)!"
        == str(tools["change_order"].signature).partition(" ->")[0]
    )
    schema = tools["change_order"].signature.input_schema()
    assert {"type": "integer", "description": "The order."} == schema["properties"]["id"]
    assert "What is ordered." == schema["properties"]["item"]["description"]


def test_annotations_say_what_the_methods_mean() -> None:
    tools, _ = shop()

    assert {"readOnlyHint": True, "openWorldHint": True} == tools["search"].annotations
    assert tools["delete_orders_id"].annotations["destructiveHint"]
    assert not tools["change_order"].annotations["readOnlyHint"]


@pytest.mark.parametrize(
    ("schema", "shown"),
    [
        ({"type": "string", "nullable": True}, ":string?"),
        ({"type": "string", "nullable": False}, ":string"),
        ({"type": "string", "enum": ["a", "b"], "nullable": True}, ':enum["a" "b" nil]'),
        ({"type": "string", "enum": ["a", None], "nullable": True}, ':enum["a" nil]'),
        ({"nullable": True, "allOf": [{"type": "integer"}]}, ":int?"),
        ({"type": "integer", "minimum": 0, "exclusiveMinimum": True}, ":int[>0]"),
        ({"type": "integer", "maximum": 9, "exclusiveMaximum": False}, ":int[..9]"),
        ({"type": "integer", "exclusiveMaximum": True}, ":int"),
        ({"oneOf": [{"type": "integer"}, TEXT], "discriminator": {"propertyName": "a"}}, None),
        ({"type": "string", "xml": {}, "example": 3, "x-more": {"type": 3}}, ":string"),
        ({"type": "array", "items": {"type": "string", "nullable": True}}, "[:string?]"),
        (True, ":any"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, ":map[:int]"),
        ({"type": "string", "format": "date-time"}, ":string[date-time]"),
    ],
)
def test_schemas_of_the_old_dialect_are_read(schema: Any, shown: str | None) -> None:
    tool, _ = one({"responses": answer(schema)})
    want = ":one[:int, :string]" if shown is None else shown

    assert want == typesig.render(tool.signature).partition("-> ")[2]


def test_schemas_of_the_new_version_are_json_schema() -> None:
    schema = {"type": ["string", "null"], "exclusiveMinimum": 3}
    tool, _ = one({"responses": answer(schema)}, version="3.1.0")
    # Documents keep the word of 3.0, which the reader of JSON Schema takes.
    kept, _ = one({"responses": answer({"type": "string", "nullable": True})}, version="3.1.0")

    assert "()! -> :string?" == str(tool.signature) == str(kept.signature)


def test_a_reference_of_the_new_version_has_words_beside_it() -> None:
    parts = {"schemas": {"A": {"type": "integer"}}}
    ref = {"$ref": "#/components/schemas/A", "description": "Much."}
    for version, told in (("3.1.0", "Much."), ("3.0.0", None)):
        tool, _ = one(
            {"responses": answer({"type": "array", "items": ref})},
            version=version,
            components=parts,
        )
        items = tool.signature.to_json_schema()["properties"]["items"]["items"]

        assert told == items.get("description")


def test_recursive_schemas_and_references_to_any_place_are_read() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}}}
    schema = {"$ref": "#/paths/~1x/post/x-list/0"}
    operation = {
        "responses": answer(schema),
        "x-list": [{"type": "array", "items": {"$ref": "#/components/schemas/Node"}}],
    }
    tool, _ = one(operation, components={"schemas": {"Node": node}})

    assert "Node = {next? :Node}" in str(tool.signature)
    assert [] == texts(tool.signature.validate_output([{"next": {"next": {}}}]))


def test_names_that_clash_say_where_they_go() -> None:
    body = {"type": "object", "properties": {"id": TEXT, "body": TEXT, "a": TEXT}}
    operation = {
        "parameters": [
            parameter("id", "query"),
            parameter("id", "path"),
            parameter("query_id", "header"),
        ],
        "requestBody": {"content": {"application/json": {"schema": body}}},
        "responses": {},
    }
    tool, server = one(operation, "/x/{id}")
    names = [param.name for param in tool.signature.params]
    tool.call({"id": "p", "query_query_id": "q", "query_id": "h", "body_id": "b", "a": "c"})

    assert ["query_query_id", "id", "query_id", "body_id", "body", "a"] == names
    got = seen(server, document({"/x/{id}": {}}))
    assert ({"id": "p"}, [("id", "q")], "h") == (got.path, got.query, got.headers["query_id"])
    assert {"id": "b", "a": "c"} == got.body


@pytest.mark.parametrize(
    ("schema", "required"),
    [
        ({"type": "array", "items": TEXT}, True),
        ({"type": "object", "properties": {"a": TEXT}, "additionalProperties": True}, True),
        ({"type": "object", "properties": {"a": TEXT}, "minProperties": 1}, True),
        ({"type": "object", "properties": {"a": TEXT}, "required": ["b"]}, True),
        ({"type": "object", "properties": {"a": TEXT}, "required": ["a"]}, False),
        ({"oneOf": [{"type": "object", "properties": {n: TEXT}} for n in "ab"]}, True),
        ({"type": ["object", "null"], "properties": {"a": TEXT}}, True),
        ({"anyOf": [{"type": "object", "properties": {"a": TEXT}}, {"type": "null"}]}, True),
        ({"type": "object"}, True),
        (True, False),
    ],
)
def test_a_body_whose_properties_cannot_stand_alone_is_one_argument(
    schema: Any, required: bool
) -> None:
    body = {
        "required": required,
        "description": "All of it.",
        "content": {"application/json": {"schema": schema}},
    }
    tool, server = one({"requestBody": body, "responses": {}})
    [param] = tool.signature.params

    assert ("body", required) == (param.name, param.required)
    assert "All of it." == tool.signature.input_schema()["properties"]["body"]["description"]
    value: Any = ["x"] if isinstance(schema, dict) and schema.get("type") == "array" else {"a": "x"}
    tool.call({"body": value})
    assert [True] * bool(server.got) == [value == json.loads(r.body or b"") for r in server.got]


def test_schemas_of_arguments_share_their_definitions() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}}}
    fixed = {"type": "string", "readOnly": True}
    body = {
        "type": "object",
        "required": ["fixed", "a"],
        "properties": {
            "a": {"$ref": "#/components/schemas/Node"},
            "b": {"$ref": "#/components/schemas/Node"},
            "fixed": {"$ref": "#/components/schemas/Fixed"},
            "any": True,
            "all": {"type": "array", "items": True},
            "inner": {"type": "object", "properties": {"x": True, "fixed": fixed}},
        },
    }
    content = {"required": True, "content": {"multipart/form-data": {"schema": body}}}
    schemas = {"schemas": {"Node": node, "Fixed": fixed}}
    tool, server = one({"requestBody": content, "responses": {}}, components=schemas)
    tool.call({"a": {"next": {}}, "any": 3, "all": [1]})

    assert (
        "(a :Node, b? :Node, any? :any, all? [:any], inner? {x? :any})! -> :any where Node = {next? :Node}"
    ) == str(tool.signature)
    assert b'{"next":{}}' in (server.got[0].body or b"")


def test_a_required_field_that_only_responses_have_does_not_spoil_the_others() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "readOnly": True}},
        "required": "a",
    }
    whole = {"type": "array", "items": schema}
    content = {"content": {"application/json": {"schema": whole}}}
    tool, _ = one({"requestBody": content, "responses": {}})

    assert "(body? [{}])! -> :any" == str(tool.signature)


def test_a_path_given_as_json_text_or_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("\n" + json.dumps(SHOP), encoding="utf-8")

    assert 4 == len(tools_from(path)) == len(tools_from(json.dumps(SHOP)))


@pytest.mark.parametrize(
    ("summary", "description", "told"),
    [
        ("One.", None, "One."),
        ("One.", "One. And more.", "One. And more."),
        ("One.", "More.", "One.\n\nMore."),
        (None, " More.\n", "More."),
        (" ", "", None),
    ],
)
def test_descriptions_are_those_of_the_operation(
    summary: str | None, description: str | None, told: str | None
) -> None:
    tool, _ = one({"summary": summary, "description": description, "responses": {}})

    assert told == tool.description


def test_the_text_of_a_body_and_that_an_operation_is_deprecated_are_told() -> None:
    schema = {"type": "object", "properties": {"a": TEXT}}
    body = {"description": "What to change.", "content": {"application/json": {"schema": schema}}}
    tool, _ = one({"summary": "One.", "deprecated": True, "requestBody": body, "responses": {}})
    whole = {**body, "content": {"application/json": {"schema": {**schema, "default": {"a": "x"}}}}}
    other, _ = one({"summary": "One.", "requestBody": whole, "responses": {}})

    assert "One.\n\nWhat to change.\n\nDeprecated." == tool.description
    assert "One." == other.description
    assert '(body {a? :string} = {"a": "x"})! -> :any' == str(other.signature)


# names


def test_operations_without_a_name_of_their_own_are_named_by_method_and_path() -> None:
    get = {"responses": {}}
    paths = {
        "/a/{b}": {
            "parameters": [parameter("b", "path")],
            "get": get,
            "post": {**get, "operationId": "twice"},
        },
        "/a-b": {"get": get, "put": {**get, "operationId": "twice"}},
        "/": {"get": get, "post": {**get, "operationId": "ein Löffel"}},
    }
    names = tools_from(document(paths)).names
    turned = tools_from(document(dict(reversed(paths.items())))).names

    assert set(names) == set(turned)
    assert {"get_a_b_", "get_a-b", "post_a_b", "put_a_b", "get", "ein_L_ffel"} == set(names)
    assert 6 == len(set(names))


def test_operations_are_chosen_by_name_and_tag() -> None:
    assert ("search", "get_order") == shop(names=["search", "get_order", "search"])[0].names
    assert ("delete_orders_id",) == shop(tags="danger")[0].names
    assert () == shop(tags=["danger"], names="search")[0].names
    mistakes: tuple[tuple[dict[str, Any], str], ...] = (
        ({"names": ["serch"]}, 'there is no tool "serch"; did you mean search?'),
        ({"tags": ["dagner"]}, "no operation has the tag 'dagner'; those that there are: danger"),
    )
    for wrong, error in mistakes:
        with pytest.raises(TypesigError) as raised:
            shop(**wrong)

        assert error == str(raised.value)
    with pytest.raises(TypesigError, match=r"those that there are: none$"):
        tools_from(document({}), tags="a")


# what is sent


def test_arguments_go_where_the_document_says() -> None:
    tools, server = shop(ok({"id": 7, "item": "x"}))
    outcome = tools["get_order"].call({"id": "7", "fields": ["a", "b,c"], "X-Trace": "t"})
    got = seen(server)

    assert {"id": 7, "item": "x"} == outcome.value
    assert ("GET /orders/{id}", {"id": "7"}, [("fields", "a,b,c")]) == (
        got.operation,
        got.path,
        got.query,
    )
    assert "http://shop.test/v1/orders/7?fields=a,b%2Cc" == server.got[0].url
    assert ("t", "application/json") == (got.headers["x-trace"], got.headers["accept"])
    assert server.got[0].body is None


def test_a_query_has_lists_objects_and_what_needs_escapes() -> None:
    tools, server = shop()
    tools["search"].call(
        {"q": "a&b=c #ü", "tag": ["x", "y z"], "price": {"from": "1", "to": "2"}, "session": "s; t"}
    )
    got = seen(server)

    assert [
        ("q", "a&b=c #ü"), ("tag", "x"), ("tag", "y z"), ("price[from]", "1"), ("price[to]", "2"),
    ] == got.query  # fmt: skip
    assert "session=s%3B%20t" == got.headers["cookie"]


def test_a_default_is_for_the_server_to_fill_in() -> None:
    tools, server = shop(ok({"id": 1, "item": "x"}))
    tools["change_order"].call({"id": 1, "item": "x", "note": None})

    assert {"item": "x", "note": None} == seen(server).body
    assert " = 1" in str(tools["change_order"].signature)


def test_arguments_are_checked_before_anything_is_sent() -> None:
    tools, server = shop()
    outcome = tools["get_order"].call({"id": "seven"})

    assert ['id: expected int, got string "seven"'] == texts(outcome)
    assert [] == server.got


def test_undeclared_arguments_are_refused() -> None:
    tools, server = shop()
    outcome = tools["change_order"].call({"id": 1, "item": "x", "admin": True})

    assert ["admin: unexpected key"] == [text.partition(";")[0] for text in texts(outcome)]
    assert [] == server.got


def test_a_credential_is_not_in_what_a_plan_shows() -> None:
    assert "<Secret query api_key>" == repr(Secret("query", "api_key", "", lambda: "s3cret"))


@pytest.mark.parametrize(
    ("style", "explode", "value", "path"),
    [
        (None, None, ["a", "b"], "a,b"),
        (None, True, {"x": "1", "y": "2"}, "x=1,y=2"),
        (None, None, {"x": "1", "y": "2"}, "x,1,y,2"),
        ("label", False, ["a", "b"], ".a,b"),
        ("label", True, ["a", "b"], ".a.b"),
        ("label", True, {"x": "1", "y": "2"}, ".x=1.y=2"),
        ("matrix", False, ["a", "b"], ";p=a,b"),
        ("matrix", True, ["a", "b"], ";p=a;p=b"),
        ("matrix", True, {"x": "1", "y": "2"}, ";x=1;y=2"),
        ("matrix", False, "", ";p"),
        ("matrix", False, True, ";p=true"),
        (None, None, "a/b?c#d%2e", "a%2Fb%3Fc%23d%252e"),
        (None, None, 1.5, "1.5"),
        (None, None, [["a"], None], "%5B%22a%22%5D,"),
    ],
)
def test_styles_of_a_path(style: Any, explode: Any, value: Any, path: str) -> None:
    more = {} if style is None else {"style": style}
    more |= {} if explode is None else {"explode": explode}
    tool, server = one(
        {"parameters": [parameter("p", "path", {}, **more)], "responses": {}}, "/x/{p}/y"
    )
    tool.call({"p": value})

    assert f"{BASE}/x/{path}/y" == server.got[0].url


@pytest.mark.parametrize(
    ("more", "value", "query"),
    [
        ({}, ["a", "b"], "p=a&p=b"),
        ({"explode": False}, {"x": "1", "y": "2"}, "p=x,1,y,2"),
        ({}, {"x": "1", "y": "2"}, "x=1&y=2"),
        ({"style": "spaceDelimited", "explode": False}, ["a", "b"], "p=a%20b"),
        ({"style": "pipeDelimited", "explode": False}, ["a", "b"], "p=a%7Cb"),
        ({"style": "deepObject"}, {"x": "1"}, "p%5Bx%5D=1"),
        ({"style": "deepObject"}, "a", "p=a"),
        ({"allowReserved": True}, "a/b?c&d=e#f+g", "p=a/b?c%26d%3De%23f%2Bg"),
        ({}, [], ""),
        ({}, "", "p="),
        (
            {"content": {"application/json": {"schema": {}}}},
            {"x": [1]},
            "p=%7B%22x%22%3A%5B1%5D%7D",
        ),
        ({"content": {"text/plain": {}}}, "a b", "p=a%20b"),
        ({"content": {"text/plain": 3}}, "a", "p=a"),
    ],
)
def test_styles_of_a_query(more: dict[str, Any], value: Any, query: str) -> None:
    asked = {"name": "p", "in": "query", **({} if "content" in more else {"schema": {}}), **more}
    tool, server = one({"parameters": [asked], "responses": {}})
    tool.call({"p": value})

    assert f"{BASE}/x" + (f"?{query}" if query else "") == server.got[0].url


def test_reserved_characters_that_are_encoded_in_spite_of_the_document_are_told() -> None:
    asked = [
        {"name": where[0], "in": where, "required": True, "schema": {}, "allowReserved": allowed}
        for where, allowed in (("path", True), ("header", True), ("cookie", True), ("query", True))
    ]
    asked.append({"name": "k", "in": "cookie", "schema": {}, "allowReserved": False})
    tool, server = one({"parameters": asked, "responses": {}}, "/{p}")
    tool.call({"p": "a:b", "h": "a:b", "c": "a:b", "q": "a:b"})
    place = "paths./{p}.post.parameters"

    assert [
        f"{place}.0.allowReserved: allowReserved: reserved characters of a path are encoded; it became "
        "the encoded text",
        f"{place}.2.allowReserved: allowReserved: reserved characters of a cookie are encoded; it "
        "became the encoded text",
    ] == [str(warning) for warning in tool.warnings]
    assert f"{BASE}/a%3Ab?q=a:b" == server.got[0].url
    assert {"h": "a:b", "Cookie": "c=a%3Ab"} == server.got[0].headers


def test_parameters_of_json_are_written_in_any_place() -> None:
    text = {"content": {"application/json": {"schema": {}}}}
    asked = [
        {"name": w[0], "in": w, "required": True, **text} for w in ("path", "header", "cookie")
    ]
    tool, server = one({"parameters": asked, "responses": {}}, "/{p}")
    tool.call({"p": [1], "h": {"a": "ü"}, "c": [2]})
    request = server.got[0]

    assert f"{BASE}/%5B1%5D" == request.url
    assert {"h": '{"a":"\\u00fc"}', "Cookie": "c=%5B2%5D"} == request.headers


def test_cookies_of_a_list_are_several() -> None:
    tool, server = one({"parameters": [parameter("c", "cookie", {})], "responses": {}})
    tool.call({"c": ["a", "b"]})

    assert {"Cookie": "c=a; c=b"} == server.got[0].headers


def test_headers_that_the_request_itself_decides_are_no_arguments() -> None:
    names = ("Accept", "content-type", "Authorization", "HOST", "Content-Length", "X-Own")
    tool, _ = one({"parameters": [parameter(name, "header") for name in names], "responses": {}})

    assert ["X-Own"] == [param.name for param in tool.signature.params]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"h": "a\r\nX: y"}, "h: a header takes printable ASCII on one line"),
        ({"h": "ü"}, "h: a header takes printable ASCII on one line"),
        ({"p": ""}, "p: a part of the path cannot be empty"),
        ({"p": "."}, 'a part of the path cannot be "." or ".."'),
        ({"p": ".."}, 'a part of the path cannot be "." or ".."'),
    ],
)
def test_values_that_would_change_the_request_are_refused(
    arguments: dict[str, Any], error: str
) -> None:
    asked = [parameter("p", "path"), parameter("h", "header")]
    tool, server = one({"parameters": asked, "responses": {}}, "/x/{p}")
    outcome = tool.call({"p": "a", **arguments})

    assert [error] == texts(outcome)
    assert [] == server.got


@pytest.mark.parametrize(
    ("path", "url"),
    [
        ("/x?a=b{p}", "/x?a=bc&q="),
        ("/x#one", "/x?q="),
        ("/x#{p}", "/x?q="),
        ("/a b/ü", "/a%20b/%C3%BC?q="),
        ("/./../x", "/./../x?q="),
    ],
)
def test_queries_and_fragments_in_a_path_are_those_of_the_document(path: str, url: str) -> None:
    asked = [parameter("p", "path"), parameter("q", "query", {"type": "array"}, required=True)]
    tool, server = one({"parameters": asked, "responses": {}}, path)
    tool.call({"p": "c", "q": []})

    assert BASE + url == server.got[0].url


def test_a_number_is_sent_as_it_was_written() -> None:
    number = {"type": "number"}
    asked = [parameter("id", "path", number), parameter("n", "query", number)]
    tool, server = one({"parameters": asked, "responses": {}}, "/pets/{id}")
    for sent in ({"id": 7, "n": 3}, {"id": "7", "n": 2**53 + 1}, '{"id": 7, "n": 2.50}'):
        assert tool.call(sent).ok

    assert [
        f"{BASE}/pets/7?n=3",
        f"{BASE}/pets/7?n=9007199254740993",
        f"{BASE}/pets/7?n=2.5",
    ] == [request.url for request in server.got]


def test_null_and_absent_parameters_are_not_sent() -> None:
    asked = [parameter("p", "query", {"type": "string", "nullable": True}), parameter("q", "query")]
    tool, server = one({"parameters": asked, "responses": {}})
    tool.call({"p": None})

    assert f"{BASE}/x" == server.got[0].url


# bodies

FORM = {
    "type": "object",
    "properties": {
        "a": TEXT,
        "b": {"type": "array", "items": {"type": "integer"}},
        "c": {"type": "object"},
        "file": {"type": "string", "format": "binary"},
        "files": {"type": "array", "items": {"type": "string", "format": "binary"}},
    },
}


def body_of(media: str, schema: Any = FORM, **more: Any) -> dict[str, Any]:
    return {"requestBody": {"content": {media: {"schema": schema, **more}}}, "responses": {}}


def test_a_form_has_its_fields_in_pairs() -> None:
    encoding = {"b": {"style": "pipeDelimited", "explode": False}, "c": {"style": "other"}, "a": 3}
    tool, server = one(body_of("application/x-www-form-urlencoded", encoding=encoding))
    tool.call({"a": "x&y", "b": [1, 2], "c": {"k": "v"}})
    request = server.got[0]

    assert b"a=x%26y&b=1%7C2&k=v" == request.body
    assert "application/x-www-form-urlencoded" == request.headers["Content-Type"]


def test_a_form_of_parts_has_files() -> None:
    tool, server = one(body_of("multipart/form-data"))
    arguments = {"a": "ü", "b": [1, 2], "c": {"k": 1}, "file": "AAH/", "files": ["AA==", "AQ=="]}
    assert tool.call(arguments).ok
    request = server.got[0]
    media = request.headers["Content-Type"]
    boundary = media.partition("boundary=")[2].encode()
    parts = (request.body or b"").split(b"--" + boundary)

    assert b"--\r\n" == parts[-1]
    assert (
        b'\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: text/plain\r\n\r\n\xc3\xbc\r\n'
        == parts[1]
    )
    assert b'name="c"\r\nContent-Type: application/json\r\n\r\n{"k":1}\r\n' in parts[4]
    assert (
        b'name="file"; filename="file"\r\nContent-Type: application/octet-stream\r\n\r\n\x00\x01\xff\r\n'
        in parts[5]
    )
    assert 9 == len(parts)
    tool.call(arguments)
    assert server.got[0] == server.got[1]


def test_bytes_are_sent_in_base64() -> None:
    tool, server = one(body_of("image/png", {}))

    assert ["body: write the bytes in base64"] == texts(tool.call({"body": "%"}))
    assert tool.call({"body": "AAE="}).ok
    assert (b"\x00\x01", "image/png") == (server.got[0].body, server.got[0].headers["Content-Type"])
    assert "Bytes, in base64." == tool.signature.input_schema()["properties"]["body"]["description"]


def test_bytes_within_a_described_property_are_told() -> None:
    schema = {
        "type": "object",
        "properties": {"f": {"contentMediaType": "image/png", "description": "A picture"}},
    }
    tool, _ = one(body_of("multipart/form-data", schema), version="3.1.0")

    assert (
        "A picture (bytes, in base64, or data:TYPE;name=NAME;base64,DATA)"
        == tool.signature.input_schema()["properties"]["f"]["description"]
    )


@pytest.mark.parametrize(
    ("media", "sent", "schema"),
    [
        ("text/plain", b"<a>", TEXT),
        ("application/xml", b"<a>", {"type": "object"}),
        ("text/csv; charset=utf-8", b"<a>", {"type": "string", "format": "binary"}),
    ],
)
def test_a_body_of_text_is_one_text(media: str, sent: bytes, schema: Any) -> None:
    tool, server = one(body_of(media, schema))
    outcome = tool.call({"body": "<a>"})

    if schema.get("type") == "string":
        assert outcome.ok
        assert (sent, media) == (server.got[0].body, server.got[0].headers["Content-Type"])


@pytest.mark.parametrize("media", ["*/*", "application/*", "application/vnd.x+json"])
def test_json_is_preferred(media: str) -> None:
    content = {"text/plain": {}, "application/x-www-form-urlencoded": {}, media: {"schema": FORM}}
    tool, server = one({"requestBody": {"content": content}, "responses": {}})
    tool.call({"a": "ü"})
    sent_as = media if media.endswith("json") else "application/json"

    assert (b'{"a":"\\u00fc"}', sent_as) == (
        server.got[0].body,
        server.got[0].headers["Content-Type"],
    )


def test_a_body_without_content_is_none() -> None:
    tool, server = one({"requestBody": {"content": {}}, "responses": {}})
    tool.call()

    assert server.got[0].body is None


def test_an_optional_body_is_sent_if_a_field_is_there() -> None:
    tool, server = one(body_of("application/json"))
    tool.call({})
    tool.call({"a": "x"})

    assert [None, b'{"a":"x"}'] == [request.body for request in server.got]


def test_a_required_body_is_sent_empty() -> None:
    operation = body_of("application/json")
    operation["requestBody"]["required"] = True
    tool, server = one(operation)
    tool.call({})

    assert b"{}" == server.got[0].body


# credentials


def test_credentials_are_sent_and_never_shown() -> None:
    tools, server = shop(credentials={"key": "s3cret"})
    tool = tools["delete_orders_id"]
    server.response = Response(204)
    outcome = tool.call({"id": 1})

    assert (True, None) == (outcome.ok, outcome.value)
    assert [("api_key", "s3cret")] == seen(server).query
    for shown in (
        tools.prompt(),
        repr(tool),
        repr(server.got[0]),
        str(tool.signature),
        str(tools.project("openai").definitions),
    ):
        assert "s3cret" not in shown
        assert "api_key" not in shown


@pytest.mark.parametrize(
    ("scheme", "credential", "header"),
    [
        ({"type": "http", "scheme": "Basic"}, ("me", "pw"), "Basic bWU6cHc="),
        ({"type": "http", "scheme": "basic"}, "bWU6cHc=", "Basic bWU6cHc="),
        ({"type": "http", "scheme": "bearer"}, lambda: "t", "Bearer t"),
        ({"type": "http", "scheme": "digest"}, "t", "Digest t"),
        ({"type": "oauth2"}, "t", "Bearer t"),
        ({"type": "openIdConnect"}, "t", "Bearer t"),
        ({"type": "apiKey", "in": "header", "name": "Authorization"}, "t", "t"),
    ],
)
def test_credentials_go_where_their_scheme_says(scheme: Any, credential: Any, header: str) -> None:
    given = document(
        {"/x": {"get": {"operationId": "it", "responses": {}}}},
        security=[{"one": []}],
        components={"securitySchemes": {"one": scheme}},
    )
    server = Server(ok())
    tools_from(given, base=BASE, send=server, credentials={"one": credential})["it"].call()

    assert header == server.got[0].headers["Authorization"]


def test_a_cookie_can_be_a_credential() -> None:
    scheme = {"type": "apiKey", "in": "cookie", "name": "sid"}
    given = document(
        {"/x": {"get": {"operationId": "it", "responses": {}, "security": [{}, {"c": []}]}}},
        components={"securitySchemes": {"c": scheme}},
    )
    server = Server(ok())
    tools_from(given, base=BASE, send=server, credentials={"c": "a%3Ab.c+/="})["it"].call()
    tools_from(given, base=BASE, send=server, credentials={})["it"].call()
    tools_from(given, base=BASE, send=server)["it"].call()

    assert [{"Cookie": "sid=a%3Ab.c+/="}, {}, {}] == [request.headers for request in server.got]


def test_a_credential_does_not_end_its_cookie() -> None:
    scheme = {"type": "apiKey", "in": "cookie", "name": "sid"}
    given = document(
        {"/x": {"get": {"operationId": "it", "responses": {}, "security": [{"c": []}]}}},
        components={"securitySchemes": {"c": scheme}},
    )
    tool = tools_from(given, base=BASE, send=Server(ok()), credentials={"c": "a; b=c"})["it"]

    with pytest.raises(TypesigError) as raised:
        tool.call()

    assert (
        "the credential for sid has a semicolon, which ends a cookie; encode it as the server does"
    ) == str(raised.value)


def test_an_operation_without_its_credentials_is_left_out() -> None:
    tools, _ = shop(credentials={"token": "t"})

    assert ("get_order", "change_order", "search") == tools.names
    assert [
        "delete_orders_id: it needs credentials for key or login; give them in credentials=; "
        "the operation is left out"
    ] == [str(warning) for warning in tools.warnings]


@pytest.mark.parametrize(
    ("credentials", "error"),
    [
        (
            {"kee": "x"},
            "there is no security scheme 'kee'; those of the document: key, login, token",
        ),
        ({"key": ("a", "b")}, "'key' takes a str; a user and password are for Basic"),
        ({"key": 3}, "the credential for 'key' is a str, or a function that returns one"),
    ],
)
def test_wrong_credentials_are_a_mistake(credentials: Any, error: str) -> None:
    with pytest.raises(TypesigError) as raised:
        shop(credentials=credentials)

    assert error == str(raised.value).replace('"', "'")


@pytest.mark.parametrize("value", ["a\nb", "ü", None])
def test_a_credential_that_no_header_takes_is_a_mistake(value: Any) -> None:
    tools, _ = shop(credentials={"key": lambda: value})
    with pytest.raises(TypesigError) as raised:
        tools["delete_orders_id"].call({"id": 1})

    assert "the credential for api_key is not printable ASCII text" == str(raised.value)


@pytest.mark.parametrize(
    "scheme",
    [
        {"type": "mutualTLS"},
        {"type": "http"},
        {"type": "apiKey", "in": "path", "name": "x"},
        {"type": "apiKey", "in": "header", "name": "X: y"},
        {"type": "apiKey", "in": "cookie", "name": "a=b"},
    ],
)
def test_a_scheme_without_credentials_in_requests_is_a_mistake(scheme: Any) -> None:
    given = document(
        {"/x": {"get": {"operationId": "it", "responses": {}, "security": [{"tls": []}]}}},
        components={"securitySchemes": {"tls": scheme}},
    )
    with pytest.raises(TypesigError) as raised:
        tools_from(given, credentials={"tls": "x"})

    assert "tls is not a scheme for credentials in a request; add them in send=" == str(
        raised.value
    ).replace('"', "").replace("'", "")


# answers


def answered(response: Response, responses: Any = None) -> Outcome[Any]:
    tool, _ = one({"responses": responses or {}}, response=response)
    outcome: Outcome[Any] = tool.call()
    return outcome


@pytest.mark.parametrize(
    ("headers", "body", "value"),
    [
        ({"content-type": "application/problem+json"}, b'{"a": 1}', {"a": 1}),
        ({}, b"[1]", [1]),
        ({}, b"", None),
        ({"CONTENT-TYPE": "text/plain; charset=latin-1"}, b"\xfc", "ü"),
        ({"content-type": "text/plain; charset=none-such"}, b"\xfc", "\N{REPLACEMENT CHARACTER}"),
        ({"content-type": "image/png"}, b"\x00\x01", {"content_type": "image/png", "size": 2}),
    ],
)
def test_answers_are_data(headers: dict[str, str], body: bytes, value: Any) -> None:
    outcome = answered(Response(200, headers, body))

    assert value == outcome.value
    assert body == outcome.result.body


@pytest.mark.parametrize(
    ("response", "error"),
    [
        (Response(404), "the server answered 404 Not Found"),
        (Response(299 + 300), "the server answered 599"),
        (
            Response(422, {"content-type": "application/json"}, b'{"error":\n"no\x1b"}'),
            'the server answered 422 Unprocessable Content: {"error": "no"}',
        ),
        (
            Response(500, {"content-type": "image/png"}, b"x"),
            "the server answered 500 Internal Server Error",
        ),
        (
            Response(302, {"location": "http://other.test"}),
            "the server answered 302 Found; redirects to other hosts are not followed",
        ),
        (
            ok()._replace(body=b"{"),
            "the server answered with not valid JSON: Expecting property name enclosed in double quotes "
            "at line 1 column 2",
        ),
    ],
)
def test_what_went_wrong_is_told(response: Response, error: str) -> None:
    assert [error] == texts(answered(response))


def test_a_long_error_is_cut_and_has_no_credentials() -> None:
    tools, server = shop(credentials={"key": "s3cret"})
    server.response = Response(400, {"content-type": "text/plain"}, b"api_key s3cret " * 1000)
    [text] = texts(tools["delete_orders_id"].call({"id": 1}))

    assert text.startswith("the server answered 400 Bad Request: api_key … api_key … ")
    assert "s3cret" not in text
    assert 2_100 > len(text)


def test_a_result_that_does_not_fit_is_told() -> None:
    tools, _ = shop(ok({"id": "x", "item": "y"}))

    assert ['id: expected int, got string "x"'] == texts(tools["get_order"].call({"id": 1}))


@pytest.mark.parametrize(
    ("responses", "shown"),
    [
        ({}, ":any"),
        ({"204": {"description": ""}}, ":nil"),
        ({**answer({"type": "integer"}), "204": {"description": ""}}, ":int?"),
        ({**answer({"type": "integer"}), "201": answer({"type": "integer"})["200"]}, ":int"),
        ({**answer({"type": "integer"}), "404": answer(TEXT)["200"]}, ":int"),
        ({"default": answer({"type": "integer"})["200"]}, ":int"),
        (answer({"type": "integer"}, "text/plain"), ":any"),
        ({"200": {"content": {"application/json": {}}}}, ":any"),
        ({"200": {"content": {"application/json": 3}}}, ":any"),
        (3, ":any"),
        ({"2XX": answer({"type": "integer"})["200"]}, ":int"),
    ],
)
def test_the_result_is_that_of_success(responses: Any, shown: str) -> None:
    tool, _ = one({"responses": responses})

    assert f"()! -> {shown}" == str(tool.signature)


def test_the_head_of_a_response_says_nothing_of_its_type() -> None:
    tools = tools_from(document({"/x": {"head": {"responses": answer(TEXT)}}}))

    assert "()! -> :any" == str(tools["head_x"].signature)


# documents


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (
            3,
            "a document of OpenAPI is an object, not int; give it as a dict, as JSON or YAML text, ",
        ),
        ("{", "the document is not valid JSON: "),
        ({"swagger": "2.0"}, "this is a document of Swagger 2.0; convert it to OpenAPI 3 first"),
        (
            {},
            'this is not an OpenAPI document: it does not say its version, as in openapi: "3.1.0"',
        ),
        (
            {"openapi": "3.3.0"},
            "the version of the document, openapi: '3.3.0', is not read; 3.0, 3.1 and 3.2 are",
        ),
        ({"openapi": "3.0.0", "paths": []}, "paths: this is an object, not list"),
    ],
)
def test_what_is_no_document_is_refused(given: Any, error: str) -> None:
    with pytest.raises(TypesigError) as raised:
        tools_from(given)

    assert str(raised.value).startswith(error)


def test_documents_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    inside: dict[str, Any] = {"openapi": "3.0.0"}
    inside["paths"] = inside
    deep: Any = {}
    for _ in range(200):
        deep = {"items": deep}
    with pytest.raises(
        TypesigError, match=r"the document has more than 5000000 values, or is inside"
    ):
        tools_from(inside)
    monkeypatch.setattr("typesig.openapi.documents.MAX_DOCUMENT", 3)
    with pytest.raises(TypesigError, match=r"^the document has more than 3 characters$"):
        tools_from("{   }")
    monkeypatch.undo()
    paths = {
        "/x": {
            "get": {"operationId": "answers", "responses": answer(deep)},
            "post": body_of("application/json", deep),
        }
    }
    tools = tools_from(document(paths))

    assert ("answers",) == tools.names
    [left_out, told], [widened] = tools.warnings, tools["answers"].warnings
    assert widened.below("answers") == told
    assert "post_x: paths./x.post.body: the schema nests deeper than 64; " in str(left_out)
    assert "the schema nests deeper than 64; it became anything" in str(widened)


@pytest.mark.parametrize(
    ("item", "warning"),
    [
        (3, "paths./x: this is an object, not int"),
        ({"get": 3}, "paths./x.get: this is an object, not int"),
        (
            {"$ref": "other.json#/a"},
            "paths./x: the reference 'other.json#/a' leaves the document, and nothing is fetched",
        ),
        ({"$ref": "#/paths/~1x"}, "paths./x: the reference '#/paths/~1x' leads to itself"),
        (
            {"parameters": [parameter("X: y\r\nZ", "header")]},
            "paths./x.parameters.0: 'X: y\\r\\nZ' cannot be the name of a header",
        ),
        (
            {"parameters": [parameter("a=b; c", "cookie")]},
            "paths./x.parameters.0: 'a=b; c' cannot be the name of a cookie",
        ),
        (
            {"post": {"requestBody": {"content": {"text/plain\r\nX: y": {}}}}},
            "paths./x.post.requestBody: 'text/plain\\r\\nX: y' is not a media type",
        ),
        ({"$ref": "#/nowhere/3"}, "paths./x: the reference '#/nowhere/3' leads to nothing"),
        (
            {"parameters": [{"in": "query"}]},
            "paths./x.parameters.0: a parameter has a name, and in: path, query, header or cookie",
        ),
        (
            {"get": {"parameters": [parameter("a", "query", style="label")]}},
            "paths./x.get.parameters.0: there is no style 'label' of parameters in query",
        ),
        (
            {"get": {"parameters": [parameter("a", "query", {"title": {"a": "\u200b"}})]}},
            "get_x: ",
        ),
    ],
)
def test_an_operation_that_cannot_be_called_is_left_out(item: Any, warning: str) -> None:
    tools = tools_from(document({"x-not": {}, "/x": item, "/y": {"get": {"operationId": "y"}}}))

    assert ("y",) == tools.names
    [told] = tools.warnings
    assert warning in str(told).replace('"', "'")
    assert "left_out" == told.kind


@pytest.mark.parametrize(
    ("responses", "warning"),
    [
        (
            answer({"$ref": "#/no"}),
            "paths./x.get.responses: the reference '#/no': it leads to nothing",
        ),
        (
            {"200": {"$ref": "#/openapi/x"}},
            "output: the schema: paths./x.get.responses.200: the reference '#/openapi/x' leads to "
            "nothing",
        ),
    ],
)
def test_an_operation_whose_answers_cannot_be_read_may_answer_anything(
    responses: Any, warning: str
) -> None:
    tool = tools_from(document({"/x": {"get": {"operationId": "it", "responses": responses}}}))[
        "it"
    ]

    assert "()! -> :any" == str(tool.signature)
    [told] = tool.warnings
    assert f"{warning}; it became anything" == str(told).replace('"', "'")


@pytest.mark.parametrize(
    ("path", "why"),
    [("x", "a path begins with /"), ("/{a}", "no parameter in the path is called 'a'")],
)
def test_a_path_that_leads_elsewhere_is_left_out(path: str, why: str) -> None:
    [told] = tools_from(document({path: {"get": {}}})).warnings

    assert why in str(told).replace('"', "'")


def test_references_into_lists_are_followed() -> None:
    paths = {"/x": {"parameters": [{"$ref": "#/x-list/1"}], "get": {"operationId": "it"}}}
    tools = tools_from(document(paths, version="3.0.3", **{"x-list": [0, parameter("a", "query")]}))
    lost = tools_from(document(paths, version="3.0.3", **{"x-list": [0]}))

    assert "(a? :string)! -> :any" == str(tools["it"].signature)
    assert () == lost.names


def test_schemas_that_are_no_schemas_widen_what_is_accepted() -> None:
    tool, _ = one({"responses": answer({"type": "nonsense"})})

    assert ":any" in str(tool.signature)
    assert tool.warnings


@pytest.mark.parametrize(
    "base",
    ["shop.test", "ftp://x", "http://", "http://a b", "http://x?y", 3, "http://[", "http://ü"],
)
def test_a_base_that_is_no_address_is_a_mistake(base: Any) -> None:
    with pytest.raises(
        TypesigError, match=r'give an address such as base="https://api\.example\.com/v1"$'
    ):
        tools_from(SHOP, base=base)


def test_without_a_base_nothing_can_be_called() -> None:
    tools = tools_from(SHOP, send=Server(ok()))
    with pytest.raises(TypesigError) as raised:
        tools["search"].call()

    assert (
        "the base address is missing: tools_from(document, base=…); addresses in the document "
        "are not used"
    ) == str(raised.value)


# senders


def test_a_coroutine_function_makes_coroutine_tools() -> None:
    class Sender:
        async def __call__(self, request: Request) -> Response:
            return await send(request)

    async def send(request: Request) -> Response:
        return ok([request.method])

    for each in (send, Sender()):
        tools = tools_from(document({"/x": {"get": {"operationId": "it"}}}), base=BASE, send=each)

        assert ["GET"] == asyncio.run(tools["it"].acall()).value
        assert tools["it"].is_async


def test_what_is_no_sender_is_a_mistake() -> None:
    with pytest.raises(TypesigError, match=r"^send is a client of httpx, or takes a Request"):
        tools_from(SHOP, send=3)  # type: ignore[arg-type]


def test_a_response_of_another_library_is_taken() -> None:
    class Theirs:
        status_code, headers, content = 200, {"content-type": "text/plain"}, b"hi"

    get = document({"/x": {"get": {"operationId": "it"}}})

    assert "hi" == tools_from(get, base=BASE, send=lambda _: Theirs())["it"].call().value
    with pytest.raises(
        TypesigError, match=r"^send returns a typesig.openapi.Response, or a response"
    ):
        tools_from(get, base=BASE, send=lambda _: None)["it"].call()


def test_an_error_of_the_sender_passes() -> None:
    def send(request: Request) -> Response:
        raise OSError("down")

    tools = tools_from(SHOP, base=BASE, send=send)
    with pytest.raises(OSError, match=r"^down$"):
        tools["search"].call()


def test_without_httpx_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "httpx", None)
    with pytest.raises(TypesigError) as raised:
        tools_from(SHOP, base=BASE)["search"].call()

    assert (
        "calling an operation without send= needs httpx, of its extra: pip install 'typesig[openapi]'"
        == str(raised.value)
    )


def test_the_tools_are_tools_like_others() -> None:
    tools, _ = shop()
    mine: Callable[..., Any] = tools["search"]

    assert isinstance(mine, Tool)
    assert 4 == len(tools.project("mcp").definitions)
    assert "pre_search" in tools.prefixed("pre_").names
    assert ORDER["required"] == ["id", "item"]
