"""What vendors refuse whose interfaces are those of OpenAI: each from what is written of it alone.

None of them publishes which schemas it takes; what is known of the form of a definition is in the
types of their packages, or in those of clients that were tried with them.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tests.vendors import openai
from tests.vendors.documents import Document, Node, Place
from tests.vendors.rules import (
    Request,
    Rule,
    each_document,
    each_node,
    in_shape,
    names_differ,
    plain_json,
    short,
)


def _root(document: Document) -> Any:
    if document.root.get("type") != "object":
        yield f"type is {short(document.root.get('type'))}, not object"


def _not_strict(request: Request) -> Any:
    for definition in request.definitions:
        if definition.body.get("strict") not in (False, None):
            yield definition.place, "strict is asked for"


def _type_beside_union(node: Node, document: Document) -> str | None:
    return "type beside anyOf" if {"type", "anyOf"} <= node.keywords() else None


def _several_items(node: Node, document: Document) -> str | None:
    return "items is a list" if isinstance(node.get("items"), list) else None


def _count(request: Request) -> Any:
    if len(request.definitions) > 128:
        yield Place(None, 128), f"{len(request.definitions)} tools, more than 128"


def _vendor(prefix: str, shape: str, strict: str, *own: Rule, names: tuple[str, ...]) -> Any:
    """Return a stand-in like a module; *shape* and *strict* are the sources of two rules."""
    every = frozenset(names)
    tools = every & openai.TOOLS
    rules = (
        Rule(f"{prefix}-shape", "hard", every, "unknown keys, and missing ones", shape, in_shape),
        Rule(f"{prefix}-unique", "hard", tools, "two tools of one name", shape, names_differ),
        Rule(
            f"{prefix}-root",
            "hard",
            every,
            "a root that is no object",
            shape,
            each_document(_root),
        ),
        Rule(f"{prefix}-strict", "soft", every, "strict, of no known meaning", strict, _not_strict),
        Rule(f"{prefix}-json", "hard", every, "what is not plain JSON", "RFC 8259", plain_json),
        *own,
    )
    profiles = {name: openai.PROFILES[name] for name in names}
    return SimpleNamespace(PROFILES=profiles, RULES=rules, read=openai.read)


_MFJS = "@ai-sdk/moonshotai 2.0.61 src/normalize-json-schema-for-mfjs.ts"
_MOONSHOT = frozenset({"chat", "chat_format"})

MISTRAL = _vendor(
    "Mi",
    "mistralai 3.7.0 client/models/function.py, tool.py, jsonschema.py",
    "litellm 1.110 llms/mistral ('not supported by Mistral'); mistralai 3.7.0 has the field",
    names=("chat", "chat_format"),
)
DEEPSEEK = _vendor(
    "D",
    "@ai-sdk/deepseek 2.0.69 src/chat/deepseek-chat-api-types.ts; litellm 1.110 llms/deepseek",
    "langchain-deepseek 1.1.1 chat_models.py (a beta at another address)",
    names=("chat", "responses", "responses_format"),
)
MOONSHOT = _vendor(
    "K",
    "@ai-sdk/moonshotai 2.0.61 src/moonshotai-prepare-tools.ts",
    "pydantic-ai 2.68 providers/moonshotai.py ('does not support strict tool definitions')",
    Rule("K-union", "hard", _MOONSHOT, "type beside anyOf", _MFJS, each_node(_type_beside_union)),
    Rule("K-items", "hard", _MOONSHOT, "items that is a list", _MFJS, each_node(_several_items)),
    names=("chat", "chat_format"),
)
XAI = _vendor(
    "X",
    "@ai-sdk/xai 3.0.138 src/xai-prepare-tools.ts, src/responses",
    "litellm 1.110 llms/xai (leaves it out)",
    Rule(
        "X-count",
        "budget",
        frozenset({"chat", "responses"}),
        "more than 128 tools",
        "xai-sdk 1.21.0 chat.py",
        _count,
    ),
    names=("chat", "responses", "chat_format", "responses_format"),
)
