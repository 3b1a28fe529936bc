"""llama.cpp: grammars in GBNF."""

from __future__ import annotations

from typesig.notations.json_schema.writing.writer import STANDARD
from typesig.providers.engines.engine import Engine
from typesig.providers.engines.grammar.grammars import grammar_of_answer, grammar_of_tools
from typesig.providers.engines.grammar.making import ENFORCED

GBNF = Engine(
    name="gbnf",
    title="GBNF",
    source="github.com/ggml-org/llama.cpp, grammars/README.md",
    syntax="gbnf",
    calls="gbnf",
    enforces=ENFORCED,
    style=STANDARD,
    has_schemas=False,
    of_answer=grammar_of_answer,
    of_tools=grammar_of_tools,
)
