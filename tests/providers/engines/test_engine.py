"""What an engine that is installed says of a grammar."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

from typesig.providers.engines.engine import find_llguidance_refusal


def test_what_an_engine_says_of_a_grammar_is_its_first_line(monkeypatch: Any) -> None:
    engine: Any = ModuleType("llguidance")
    engine.LLTokenizer = lambda name: name
    engine.LLMatcher = SimpleNamespace(
        grammar_from_json_schema=lambda text: f"schema {text}",
        grammar_from_lark=lambda text: f"lark {text}",
        validate_grammar=lambda grammar, tokenizer: f"{grammar} for {tokenizer}\nmore",
    )
    monkeypatch.setitem(sys.modules, "llguidance", engine)
    schema: Any = SimpleNamespace(syntax="json_schema", grammar={"a": 1})
    lark: Any = SimpleNamespace(syntax="lark", grammar="start: A")

    assert 'schema {"a": 1} for byte' == find_llguidance_refusal(schema)
    assert "lark start: A for byte" == find_llguidance_refusal(lark)
    monkeypatch.setitem(sys.modules, "llguidance", None)
    assert "" == find_llguidance_refusal(lark)
