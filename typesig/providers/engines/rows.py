"""The engines, one row each."""

from __future__ import annotations

from dataclasses import replace

from typesig.notations.json_schema.writing.writer import STANDARD, Style
from typesig.patterns import rust_pattern, whole_pattern
from typesig.providers.engines.engine import Enforced, Engine
from typesig.providers.engines.grammar.grammars import grammar_of_answer, grammar_of_tools
from typesig.providers.engines.grammar.making import ENFORCED
from typesig.providers.engines.schemas import of_answer

#: llguidance: JSON Schema, of which it enforces most, and refuses the rest.
LLGUIDANCE = Engine(
    name="llguidance",
    title="llguidance",
    source="llguidance 1.9.1, docs/json_schema.md",
    syntax="json_schema",
    calls="lark",
    enforces=Enforced(
        formats=dict.fromkeys(("duration", "email", "hostname", "ipv4", "ipv6", "uri", "uuid"), ""),
        takes=lambda pattern: rust_pattern(pattern) is not None,
    ),
    style=Style(falses=True, opening=True, pattern=rust_pattern),
    has_schemas=True,
    of_answer=of_answer,
    of_tools=grammar_of_tools,
)

#: XGrammar: JSON Schema, of which it ignores what it does not enforce.
XGRAMMAR = Engine(
    name="xgrammar",
    title="XGrammar",
    source="XGrammar 0.2.8, compile_json_schema as it is by default",
    syntax="json_schema",
    calls="structural_tag",
    enforces=Enforced(
        # Within a length or a pattern it takes no character that JSON writes as an escape.
        lengths=False,
        formats=dict.fromkeys(
            ("duration", "ipv6", "json-pointer", "relative-json-pointer", "uuid"), ""
        ),
        takes=lambda pattern: whole_pattern(pattern) is not None,
        many_patterns=False,
        lengths_beside=False,
        open_patterns=False,
        forbidden=False,
        steps="integers",
        bounded_steps=False,
        long_constants=True,
    ),
    style=Style(opening=True, pattern=whole_pattern),
    has_schemas=True,
    of_answer=of_answer,
    of_tools=grammar_of_tools,
)

#: llama.cpp: grammars in GBNF.
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

#: OpenAI's custom tools: grammars in Lark, or regular expressions.
LARK = replace(
    GBNF,
    name="openai-grammar",
    title="OpenAI's grammars",
    source="github.com/openai/openai-cookbook, examples/gpt-5/gpt-5_new_params_and_tools.ipynb",
    syntax="lark",
    calls="lark",
)

REGEX = replace(LARK, syntax="regex")
