"""Models that are asked: an endpoint as OpenAI has it, or llama.cpp within this process."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any, TypeAlias

from typesig.errors import TypesigError
from typesig.providers.engines.engine import Constraint
from typesig.tools.answers.request_options import ServerName, write_body

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


def make_local_model(path: str, context: int, threads: int) -> Send:
    """Load the model at *path* with llama.cpp, with a *context* of so many tokens.

    It runs on so many *threads*, or on as many as llama.cpp chooses if that is 0.  Raises
    `TypesigError` if neither llama-cpp-python nor xllamacpp is installed.
    """
    for load in (_load_llama_cpp_python, _load_xllamacpp):
        try:
            return load(path, context, threads)
        except ImportError:
            continue
    raise TypesigError(
        "a model in this process needs a binding of llama.cpp: pip install xllamacpp, or pip "
        "install llama-cpp-python"
    )


def _load_llama_cpp_python(path: str, context: int, threads: int) -> Send:
    """Load the model at *path* with llama-cpp-python."""
    from llama_cpp import Llama, LlamaGrammar  # pyright: ignore[reportMissingImports]

    model = Llama(path, n_ctx=context, n_threads=threads or None, verbose=False)

    def send(body: dict[str, Any], held: Constraint[Any] | None) -> dict[str, Any]:
        grammar = None if held is None else LlamaGrammar.from_string(held.text, verbose=False)
        options = {name: value for name, value in body.items() if name != "model"}
        try:
            found: dict[str, Any] = model.create_chat_completion(**options, grammar=grammar)
        except (ValueError, RuntimeError) as error:
            raise RequestError(str(error)) from None
        return found

    return send


def _load_xllamacpp(path: str, context: int, threads: int) -> Send:
    """Load the model at *path* with xllamacpp, whose wheels need no compiler."""
    from xllamacpp import CommonParams, Server  # pyright: ignore[reportMissingImports]

    params = CommonParams()
    params.model.path = path
    params.n_ctx = context
    # More slots would divide the context.
    params.n_parallel = 1
    params.verbosity = -1
    if threads:
        params.cpuparams.n_threads = threads
        params.cpuparams_batch.n_threads = threads
    model = Server(params)

    def send(body: dict[str, Any], held: Constraint[Any] | None) -> dict[str, Any]:
        more = {} if held is None else {"grammar": held.text}
        try:
            found: dict[str, Any] = model.handle_chat_completions({**body, **more})
        except (ValueError, RuntimeError) as error:
            raise RequestError(str(error)) from None
        if "error" in found:
            # For example, a prompt that is longer than the context.
            raise RequestError(str(found["error"]))
        return found

    return send
