"""OpenAI's custom tools: grammars in Lark, or regular expressions."""

from __future__ import annotations

from dataclasses import replace

from typesig.notations.json_schema.writing.writer import STANDARD
from typesig.providers.engines.engine import Engine
from typesig.providers.engines.grammar.grammars import grammar_of_answer, grammar_of_tools
from typesig.providers.engines.grammar.making import ENFORCED

LARK = Engine(
    name="openai-grammar",
    title="OpenAI's grammars",
    source="github.com/openai/openai-cookbook, examples/gpt-5/gpt-5_new_params_and_tools.ipynb",
    syntax="lark",
    calls="lark",
    enforces=ENFORCED,
    style=STANDARD,
    has_schemas=False,
    of_answer=grammar_of_answer,
    of_tools=grammar_of_tools,
)

REGEX = replace(LARK, syntax="regex")
