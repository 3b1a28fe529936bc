"""A document of a shop, and a server that reads requests by it as a server would.

The server knows nothing of `typesig.openapi`: it splits paths and queries with the standard
library, and answers with what it understood, or with what a path asks for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

TEXT = {"type": "string"}
ORDER = {
    "type": "object",
    "required": ["id", "item"],
    "properties": {
        "id": {"type": "integer", "readOnly": True},
        "item": {"type": "string", "description": "What is ordered."},
        "count": {"type": "integer", "default": 1, "minimum": 1},
        "pin": {"type": "string", "writeOnly": True},
        "note": {"type": "string", "nullable": True},
    },
}


def answer(schema: Any, media: str = "application/json") -> dict[str, Any]:
    return {"200": {"description": "", "content": {media: {"schema": schema}}}}


def parameter(name: str, where: str, schema: Any = TEXT, **more: Any) -> dict[str, Any]:
    needs = {"required": True} if where == "path" else {}
    return {"name": name, "in": where, "schema": schema, **needs, **more}


def document(paths: Mapping[str, Any], version: str = "3.0.3", **more: Any) -> dict[str, Any]:
    return {"openapi": version, "info": {"title": "t", "version": "1"}, "paths": paths, **more}


SHOP = document(
    {
        "/orders/{id}": {
            "parameters": [parameter("id", "path", {"type": "integer"}, description="The order.")],
            "get": {
                "operationId": "get_order",
                "summary": "One order.",
                "parameters": [
                    parameter("fields", "query", {"type": "array", "items": TEXT}, explode=False),
                    parameter("X-Trace", "header"),
                ],
                "responses": answer({"$ref": "#/components/schemas/Order"}),
            },
            "put": {
                "operationId": "change order",
                "description": "Changes an order.",
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/Order"}}
                    },
                },
                "responses": answer({"$ref": "#/components/schemas/Order"}),
            },
            "delete": {
                "tags": ["danger"],
                "responses": {"204": {"description": "It is gone."}},
                "security": [{"key": []}, {"login": []}],
            },
        },
        "/search": {
            "get": {
                "operationId": "search",
                "parameters": [
                    parameter("q", "query"),
                    parameter("tag", "query", {"type": "array", "items": TEXT}),
                    parameter(
                        "price",
                        "query",
                        {"type": "object", "properties": {"from": TEXT, "to": TEXT}},
                        style="deepObject",
                    ),
                    parameter("session", "cookie"),
                    parameter("api_key", "query"),
                ],
                "responses": answer({}),
            }
        },
    },
    components={
        "schemas": {"Order": ORDER},
        "securitySchemes": {
            "key": {"type": "apiKey", "in": "query", "name": "api_key"},
            "login": {"type": "http", "scheme": "basic"},
            "token": {"type": "oauth2", "flows": {}},
        },
    },
)


class Seen:
    """A request as a server reads it.

    #: operation: its method and path template; path, query, headers: what they hold
    #: body: what was sent, JSON as data
    """

    def __init__(self, document: Mapping[str, Any], given: Any) -> None:
        parts = urlsplit(given.url)
        self.operation, self.path = self._matched(document, given.method, parts.path)
        self.query = parse_qsl(parts.query, keep_blank_values=True)
        self.headers = {name.lower(): value for name, value in given.headers.items()}
        media = self.headers.get("content-type", "")
        is_json = media.startswith("application/json")
        self.body = json.loads(given.body) if is_json else given.body

    def _matched(
        self, document: Mapping[str, Any], method: str, path: str
    ) -> tuple[str, dict[str, str]]:
        for template in document["paths"]:
            pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(template))
            found = re.fullmatch(f"/v1{pattern}", path)
            if found is not None:
                names = {name: unquote(value) for name, value in found.groupdict().items()}
                return f"{method} {template}", names
        return f"{method} nothing", {}
