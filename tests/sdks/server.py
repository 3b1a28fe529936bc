"""A stand-in for a provider, on loopback: scripted answers in the provider's wire format.

What it is sent is kept, and refused with status 400 where the provider's API would refuse it: a
call without a result, a result without a call, results in the wrong place.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.vendors import refusals

#: An answer: a JSON value, or the events of a stream, each with its name or none.
Events = list[tuple[str | None, Any]]

#: What is wrong with a request, or nothing.
Rule = Callable[[dict[str, Any]], str | None]


class Server:
    """A running server.

    #: url: its address; requests: the bodies that it was sent, in order; paths: where to
    """

    def __init__(self, rule: Rule, answers: Sequence[Any]) -> None:
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self._rule = rule
        self._answers = list(answers)
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                size = int(self.headers["Content-Length"])
                status, answer = server.answer(self.path, json.loads(self.rfile.read(size)))
                kind = "text/event-stream" if isinstance(answer, list) else "application/json"
                body = _streamed(answer) if isinstance(answer, list) else json.dumps(answer)
                sent = body.encode()
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def answer(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        """Return the status and the next answer, or what is wrong with *body*."""
        self.requests.append(body)
        self.paths.append(path)
        wrong = self._rule(body)
        if wrong is None and not self._answers:
            wrong = "there is no further answer"
        if wrong is not None:
            return 400, {
                "type": "error",
                "error": {"type": "invalid_request_error", "message": wrong},
            }
        return 200, self._answers.pop(0)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def _streamed(events: Events) -> str:
    lines = []
    for name, data in events:
        text = data if isinstance(data, str) else json.dumps(data)
        lines.append((f"event: {name}\n" if name else "") + f"data: {text}\n\n")
    return "".join(lines)


@contextmanager
def serving(rule: Rule, *answers: Any) -> Iterator[Server]:
    """Run a server that gives *answers*, one after the other, to requests that *rule* passes."""
    server = Server(rule, answers)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def tools_rule(vendor: str, profile: str, tools: Sequence[Any] | None) -> str | None:
    """Refuse the definitions that the vendor refuses."""
    found = refusals(vendor, profile, tools) if tools else []
    return str(found[0]) if found else None


def chat_rule(body: dict[str, Any]) -> str | None:
    """Refuse what Chat Completions refuses: each call has its result behind its message."""
    tools = body.get("tools") or []
    strict = any(tool["function"].get("strict") for tool in tools)
    if wrong := tools_rule("openai", "chat_strict" if strict else "chat", tools):
        return wrong
    owed: list[str] = []
    for message in body["messages"]:
        if message["role"] == "tool":
            if message["tool_call_id"] not in owed:
                return f"no call {message['tool_call_id']} precedes its result"
            owed.remove(message["tool_call_id"])
            if not isinstance(message["content"], str):
                return "the content of a tool is text"
            continue
        if owed:
            return f"tool_call_ids did not have response messages: {owed}"
        owed = [call["id"] for call in message.get("tool_calls") or ()]
    return f"tool_call_ids did not have response messages: {owed}" if owed else None


def responses_rule(body: dict[str, Any]) -> str | None:
    """Refuse what Responses refuses: a call without an output, an output without a call."""
    tools = body.get("tools") or []
    strict = any(tool.get("strict") for tool in tools)
    if wrong := tools_rule("openai", "responses_strict" if strict else "responses", tools):
        return wrong
    items = body["input"]
    asked = [item["call_id"] for item in items if item.get("type") == "function_call"]
    outputs = [item for item in items if item.get("type") == "function_call_output"]
    told = [item["call_id"] for item in outputs]
    if not all(isinstance(item["output"], str) for item in outputs):
        return "the output of a function is text"
    return None if sorted(asked) == sorted(told) else f"no tool output found for {asked}: {told}"


def anthropic_rule(body: dict[str, Any]) -> str | None:
    """Refuse what Anthropic refuses: results first, all of them in the very next message."""
    tools = body.get("tools") or []
    strict = any(tool.get("strict") for tool in tools)
    if wrong := tools_rule("anthropic", "tools_strict" if strict else "tools", tools):
        return wrong
    owed: list[str] = []
    previous = None
    for message in body["messages"]:
        if message["role"] == previous:
            return "roles must alternate"
        previous = message["role"]
        content = message["content"] if isinstance(message["content"], list) else []
        if message["role"] == "assistant":
            owed = [block["id"] for block in content if block["type"] == "tool_use"]
            continue
        told = [block["tool_use_id"] for block in content if block["type"] == "tool_result"]
        if told != owed:
            return f"tool_use ids {owed} without tool_result blocks immediately after: {told}"
        owed = []
    return None


def spelled(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema of Gemini, spelled as in the proto file, as JSON spells it."""
    out: dict[str, Any] = {}
    for name, value in schema.items():
        head, *words = name.split("_")
        name = head + "".join(map(str.capitalize, words))
        match name:
            case "properties":
                value = {key: spelled(each) for key, each in value.items()}
            case "items":
                value = spelled(value)
            case "anyOf":
                value = [*map(spelled, value)]
        out[name] = value
    return out


def gemini_rule(body: dict[str, Any]) -> str | None:
    """Refuse what Gemini refuses: another number of responses, a missing thought signature."""
    tools = [each for tool in body.get("tools", ()) for each in tool["functionDeclarations"]]
    # The client sends the names of the proto file, which the API reads too.
    tools = [{k: spelled(v) if k == "parameters" else v for k, v in tool.items()} for tool in tools]
    is_json = any("parameters_json_schema" in tool for tool in tools)
    if wrong := tools_rule("gemini", "json_schema" if is_json else "parameters", tools):
        return wrong
    owed: list[Any] = []
    for content in body["contents"]:
        parts = content["parts"]
        if content["role"] == "model":
            owed = [part["functionCall"] for part in parts if "functionCall" in part]
            signed = [part.get("thoughtSignature") for part in parts if "functionCall" in part]
            if owed and signed[0] != SIGNATURE:
                return "function call is missing a thought_signature in functionCall parts"
            continue
        told = [part["functionResponse"] for part in parts if "functionResponse" in part]
        if [(c.get("id"), c["name"]) for c in owed] != [(r.get("id"), r["name"]) for r in told]:
            return "the number of function response parts is not that of function call parts"
        if not all(isinstance(each["response"], dict) for each in told):
            return "a response is an object"
        owed = []
    return None


#: A thought signature, as JSON has it: base64 in the alphabet of URLs, or the usual one.
SIGNATURE = "c2lnbmVk"
