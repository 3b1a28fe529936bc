"""What only documents of OpenAPI 3.2 have: methods, whole queries, items of content, addresses."""

from __future__ import annotations

from typing import Any

import pytest

from tests.openapi_shop import TEXT, answer, document, parameter
from typesig import Outcome, Toolset
from typesig.openapi import Request, Response, tools_from

INTEGER = {"type": "integer"}


class Kept:
    """Keeps the requests, and answers each with the same response."""

    def __init__(self, response: Response) -> None:
        self.response = response
        self.got: list[Request] = []

    def __call__(self, request: Request) -> Response:
        self.got.append(request)
        return self.response


def read(
    item: Any, version: str = "3.2.0", response: Response | None = None, **more: Any
) -> tuple[Toolset, Kept]:
    kept = Kept(response or Response(204))
    return tools_from(document({"/x": item}, version, **more), base="http://h", send=kept), kept


def texts(outcome: Outcome[Any]) -> list[str]:
    return [str(issue) for issue in outcome.errors]


def told(warnings: Any) -> list[str]:
    return [str(each).replace('"', "'") for each in warnings]


QUERY = {
    "operationId": "find",
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": {"type": "object", "properties": {"a": TEXT}}}},
    },
    "responses": {},
}


def test_a_query_is_a_method_with_a_body() -> None:
    tools, kept = read({"query": QUERY})
    tools.call("find", {"a": "b"})
    [request] = kept.got

    assert ("QUERY", b'{"a":"b"}') == (request.method, request.body)
    assert {"readOnlyHint": True, "openWorldHint": True} == tools["find"].annotations
    assert () == read({"query": QUERY}, "3.1.0")[0].names


def test_additional_operations_have_the_methods_that_they_are_called() -> None:
    more = {"COPY": {"operationId": "copy"}, "Link": {}}
    tools, kept = read({"additionalOperations": more, "get": {"operationId": "it"}})
    tools.call("copy")
    tools.call("link_x")

    assert ("it", "copy", "link_x") == tools.names
    assert ["COPY", "Link"] == [request.method for request in kept.got]
    assert {"openWorldHint": True} == tools["copy"].annotations
    assert ("it",) == read({"additionalOperations": more, "get": {"operationId": "it"}}, "3.1.0")[
        0
    ].names
    assert () == read({"additionalOperations": 3})[0].names


@pytest.mark.parametrize(
    ("method", "why"),
    [
        ("POST", "the operation of POST stands under post"),
        ("Query", "the operation of Query stands under query"),
        ("A B", "'A B' cannot be the name of a method"),
        ("CONNECT", "a request of CONNECT opens a tunnel, and has no answer"),
    ],
)
def test_an_additional_operation_of_another_method_is_left_out(method: str, why: str) -> None:
    tools, _ = read({"additionalOperations": {method: {"operationId": "it"}}})

    assert () == tools.names
    [warning] = told(tools.warnings)
    assert f"paths./x.additionalOperations.{method}: {why}" in warning


def whole(content: Any, **more: Any) -> dict[str, Any]:
    asked = {"name": "q", "in": "querystring", "content": content, **more}
    return {"get": {"operationId": "it", "parameters": [asked], "responses": {}}}


@pytest.mark.parametrize(
    ("media", "schema", "value", "query"),
    [
        (
            "application/x-www-form-urlencoded",
            {"type": "object", "properties": {"a": TEXT, "b": {"type": "array"}}},
            {"a": "x&y", "b": [1, 2]},
            "?a=x%26y&b=1&b=2",
        ),
        ("application/json", {"type": "object"}, {"a": [1]}, "?%7B%22a%22%3A%5B1%5D%7D"),
        ("text/plain", TEXT, "a b&c", "?a%20b%26c"),
        ("application/x-www-form-urlencoded", {"type": "object"}, {}, ""),
        ("application/json", {}, None, ""),
    ],
)
def test_a_parameter_can_be_the_whole_query(
    media: str, schema: Any, value: Any, query: str
) -> None:
    tools, kept = read(whole({media: {"schema": schema}}, description="All of it."))
    tools.call("it", {"q": value})

    assert f"http://h/x{query}" == kept.got[0].url
    assert "All of it." == tools["it"].signature.input_schema()["properties"]["q"]["description"]


def test_a_whole_query_has_the_encoding_of_its_form() -> None:
    form = {"schema": {"type": "object"}, "encoding": {"b": {"explode": False}}}
    tools, kept = read(whole({"application/x-www-form-urlencoded": form}, required=True))
    tools.call("it", {"q": {"b": [1, 2]}})

    assert "http://h/x?b=1,2" == kept.got[0].url
    assert "(q {})! -> :any" == str(tools["it"].signature)


@pytest.mark.parametrize(
    ("item", "why"),
    [
        (whole({}), "parameters.0: a parameter in: querystring has a content that is text"),
        (
            whole({"image/png": {}}),
            "parameters.0: a parameter in: querystring has a content that is text",
        ),
        (
            {**whole({"text/plain": {}}), "parameters": [parameter("p", "query")]},
            "paths./x.get: a parameter in: querystring is the whole query, beside no other",
        ),
    ],
)
def test_a_whole_query_that_cannot_be_written_is_refused_with_its_place(
    item: Any, why: str
) -> None:
    tools, _ = read(item)

    assert () == tools.names
    assert why in told(tools.warnings)[0]


def test_older_documents_have_no_whole_query() -> None:
    [warning] = told(read(whole({"text/plain": {}}), "3.1.0")[0].warnings)

    assert "a parameter has a name, and in: path, query, header or cookie" in warning


def test_older_documents_have_no_style_of_cookies() -> None:
    item = {"get": {"parameters": [parameter("c", "cookie", {}, style="cookie")]}}
    [warning] = told(read(item, "3.1.0")[0].warnings)
    tools, kept = read(item)
    tools.call("get_x", {"c": ["a", "b/c"]})

    assert "there is no style 'cookie' of parameters in cookie" in warning
    assert {"Cookie": "c=a; c=b/c"} == kept.got[0].headers


ITEMS = {"itemSchema": INTEGER}


@pytest.mark.parametrize("media", ["application/jsonl", "application/json-seq"])
def test_items_of_content_have_a_schema(media: str) -> None:
    item = {
        "post": {
            "operationId": "it",
            "requestBody": {"required": True, "content": {media: ITEMS}},
            "responses": {"200": {"content": {media: {"$ref": "#/components/mediaTypes/I"}}}},
        }
    }
    body = b"1\n2\n" if media.endswith("l") else b"\x1e1\n\x1e2\n"
    tools, kept = read(
        item,
        response=Response(200, {"content-type": media}, body),
        components={"mediaTypes": {"I": ITEMS}},
    )
    outcome = tools.call("it", {"body": [3, 4]})

    assert "(body [:int])! -> [:int]" == str(tools["it"].signature)
    assert [1, 2] == outcome.value
    assert body == (kept.got[0].body or b"").replace(b"3", b"1").replace(b"4", b"2")
    assert "(body [:any])! -> [:any]" == str(read(item, "3.1.0")[0]["it"].signature)


def test_items_of_content_that_is_not_read_one_by_one_are_a_loss() -> None:
    events, mixed = {"text/event-stream": ITEMS}, {"multipart/mixed": {**ITEMS, "itemEncoding": {}}}
    item = {
        "post": {
            "operationId": "it",
            "requestBody": {"content": mixed},
            "responses": {"200": {"content": events}},
        }
    }
    losses = [
        "paths./x.post.requestBody.content.multipart/mixed.itemEncoding: itemEncoding: the items of "
        "multipart/mixed are not read one by one; it became the whole content",
        "paths./x.post.requestBody.content.multipart/mixed.itemSchema: itemSchema: the items of "
        "multipart/mixed are not read one by one; it became the whole content",
        "paths./x.post.responses.200.content.text/event-stream.itemSchema: itemSchema: the items of "
        "text/event-stream are not read one by one; it became the whole content",
    ]

    assert losses == told(read(item)[0]["it"].warnings)
    assert [] == told(read(item, "3.1.0")[0]["it"].warnings)


@pytest.mark.parametrize(
    ("address", "reference"),
    [
        ("https://a.test/api.json", "https://a.test/api.json#/components/schemas/A"),
        ("https://a.test/api.json#", "api.json#/components/schemas/A"),
        ("/v1/api", "/v1/api#/components/schemas/A"),
        ("/v1/api", "#/components/schemas/A"),
    ],
)
def test_a_reference_by_the_address_of_the_document_is_followed(
    address: str, reference: str
) -> None:
    item = {"get": {"operationId": "it", "responses": answer({"$ref": reference})}}
    parts = {"schemas": {"A": INTEGER}}
    tools, _ = read(item, components=parts, **{"$self": address})

    assert "()! -> :A where A = :int" == str(tools["it"].signature)
    assert () == tools["it"].warnings


@pytest.mark.parametrize("reference", ["https://b.test/api#/components/schemas/A", "http://[#/a"])
def test_a_reference_by_another_address_is_not_followed(reference: str) -> None:
    item = {"get": {"operationId": "it", "responses": answer({"$ref": reference})}}
    tools, _ = read(item, components={"schemas": {"A": INTEGER}}, **{"$self": "https://a.test/api"})

    assert "()! -> :any" == str(tools["it"].signature)
    [warning] = told(tools["it"].warnings)
    assert "it leaves the document, and nothing is fetched" in warning


def test_a_mapping_by_the_address_of_the_document_is_followed() -> None:
    branch = {"type": "object", "properties": {"kind": TEXT}}
    at = "https://a.test/api#/components/schemas/"
    choice = {
        "oneOf": [{"$ref": f"{at}A"}, {"$ref": "#/components/schemas/B"}],
        "discriminator": {"propertyName": "kind", "mapping": {"b": f"{at}B", "a": "A"}},
    }
    tools, _ = read(
        {"get": {"operationId": "it", "responses": answer(choice)}},
        components={"schemas": {"A": branch, "B": branch}},
        **{"$self": "https://a.test/api"},
    )

    assert '{kind? :enum["a"]} & :A, {kind? :enum["b"]} & :B' in str(tools["it"].signature)


def test_nullable_counts_in_each_version_since_documents_keep_it() -> None:
    schema = {"type": "string", "nullable": True}
    for version in ("3.0.3", "3.1.0", "3.2.0"):
        tools, _ = read({"get": {"operationId": "it", "responses": answer(schema)}}, version)

        assert "()! -> :string?" == str(tools["it"].signature)
