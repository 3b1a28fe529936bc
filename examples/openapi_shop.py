"""The operations of an OpenAPI document as tools, called on a server that is made from it.

python examples/openapi_shop.py
"""

from __future__ import annotations

import json

from typesig import openapi

DOCUMENT = """
{
  "openapi": "3.1.0",
  "paths": {
    "/books": {
      "get": {
        "operationId": "search_books",
        "summary": "Search for books.",
        "parameters": [
          {"name": "q", "in": "query", "required": true, "description": "words of the title",
           "schema": {"type": "string"}},
          {"name": "limit", "in": "query",
           "schema": {"type": "integer", "minimum": 1, "default": 10}}
        ],
        "responses": {"200": {"description": "Those found.", "content": {"application/json": {
          "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Book"}}}}}}
      }
    },
    "/books/{id}": {
      "delete": {
        "operationId": "remove_book",
        "parameters": [
          {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}
        ],
        "responses": {"204": {"description": "It is gone."}}
      }
    }
  },
  "components": {"schemas": {"Book": {
    "type": "object",
    "required": ["id", "title"],
    "properties": {"id": {"type": "integer"}, "title": {"type": "string"}}
  }}}
}
"""

BOOKS = [{"id": 1, "title": "Dune"}, {"id": 2, "title": "Dubliners"}]


def send(request: openapi.Request) -> openapi.Response:
    """Answer as the server would; a client of httpx would ask it."""
    print(f"  {request.method} {request.url}")
    if request.method == "DELETE":
        return openapi.Response(204 if request.url.endswith("/1") else 404)
    return openapi.Response(200, {"Content-Type": "application/json"}, json.dumps(BOOKS).encode())


def demo() -> None:
    """Print the listing, and what comes of three calls."""
    tools = openapi.tools_from(DOCUMENT, base="https://books.example", send=send)
    print(tools.prompt())
    for name, arguments in (
        ("search_books", {"q": "du", "limit": "2"}),
        ("search_books", {"q": "du", "limit": 0}),
        ("remove_book", {"id": 3}),
    ):
        print(f"{name} {arguments}")
        print(tools.call(name, arguments).text())


if __name__ == "__main__":
    demo()
