"""Models that are asked: an endpoint as OpenAI has it, or llama.cpp within this process."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any, TypeAlias

from typesig.errors import TypesigError
from typesig.providers.engines.constraint import Constraint
from typesig.tools.answers.escalation import ServerName, write_body

#: Sends the body of a chat completion, with the constraint of the answer or None, and returns the
#: completion.
Send: TypeAlias = "Callable[[dict[str, Any], Constraint[Any] | None], dict[str, Any]]"

#: The states of an endpoint that is busy.
_BUSY = (429, 500, 502, 503, 529)

#: How many times more a busy endpoint is asked.
_MOST_RETRIES = 3


class RequestError(Exception):
    """Raised when a request has failed, which costs its case."""


def make_endpoint(
    url: str, key: str | None, server: ServerName, seconds: float, wait: float
) -> Send:
    """Make the function that posts to the endpoint at *url*; a busy one is asked up to four times.

    *server* says how the endpoint takes constraints; *wait* is the time before the second request.
    """
    address = f"{url.rstrip('/')}/chat/completions"
    headers = {"Content-Type": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"

    def send(body: dict[str, Any], held: Constraint[Any] | None) -> dict[str, Any]:
        more = {} if held is None else write_body(server, held)
        data = json.dumps({**body, **more}).encode()
        attempt = 0
        while True:
            try:
                request = urllib.request.Request(address, data, headers)
                with urllib.request.urlopen(request, timeout=seconds) as response:
                    found: dict[str, Any] = json.load(response)
                    return found
            except urllib.error.HTTPError as error:
                if attempt == _MOST_RETRIES or error.code not in _BUSY:
                    told = error.read(300).decode("utf-8", "replace")
                    raise RequestError(f"status {error.code}: {told}") from None
            except (OSError, ValueError) as error:
                raise RequestError(f"{type(error).__name__}: {error}") from None
            time.sleep(wait * 2**attempt)
            attempt += 1

    return send


def make_local_model(path: str, context: int) -> Send:
    """Load the model at *path* with llama.cpp, with a *context* of so many tokens.

    Raises `TypesigError` if llama-cpp-python is not installed.
    """
    try:
        from llama_cpp import Llama, LlamaGrammar  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise TypesigError(
            "a model in this process needs llama-cpp-python: pip install llama-cpp-python"
        ) from None
    model = Llama(path, n_ctx=context, verbose=False)

    def send(body: dict[str, Any], held: Constraint[Any] | None) -> dict[str, Any]:
        grammar = None if held is None else LlamaGrammar.from_string(held.text, verbose=False)
        options = {name: value for name, value in body.items() if name != "model"}
        try:
            found: dict[str, Any] = model.create_chat_completion(**options, grammar=grammar)
        except (ValueError, RuntimeError) as error:
            raise RequestError(str(error)) from None
        return found

    return send
