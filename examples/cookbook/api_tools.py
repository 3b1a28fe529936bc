"""The operations of an OpenAPI document as tools, with a key that the model never sees."""

from __future__ import annotations

import json

from typesig import openapi

DOCUMENT = """
{"openapi": "3.1.0",
 "paths": {"/stations/{id}/trains": {"get": {
   "operationId": "list_trains",
   "summary": "List the next trains of a station.",
   "security": [{"key": []}],
   "parameters": [
     {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}},
     {"name": "limit", "in": "query",
      "schema": {"type": "integer", "minimum": 1, "maximum": 20}}],
   "responses": {"200": {"description": "", "content": {"application/json": {
     "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Train"}}}}}}
 }}},
 "components": {
   "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
   "schemas": {"Train": {"type": "object", "required": ["to", "at"],
     "properties": {"to": {"type": "string"}, "at": {"type": "string"}}}}}}
"""


def send(request: openapi.Request) -> openapi.Response:
    """Answer as the server would; without `send=`, a client of httpx asks it."""
    print("sent:", request.method, request.url, sorted(request.headers))
    body = json.dumps([{"to": "Bergen", "at": "10:05"}]).encode()
    return openapi.Response(200, {"content-type": "application/json"}, body)


TOOLS = openapi.tools_from(
    DOCUMENT, base="https://trains.example", send=send, credentials={"key": "s3cret"}
)


def demo() -> None:
    print(TOOLS.prompt())
    for arguments in ({"id": "oslo s", "limit": "2"}, {"id": "oslo s", "limit": 50}):
        print(TOOLS.call("list_trains", arguments).text())


if __name__ == "__main__":
    demo()
