"""The engines, one row each."""

from __future__ import annotations

from dataclasses import replace

from typesig.notations.json_schema.writer import STANDARD, Style
from typesig.patterns import to_raw_pattern, to_rust_pattern, to_whole_pattern
from typesig.providers.engines.engine import Engine, SchemaSupport
from typesig.providers.engines.grammar.builder import ENFORCED
from typesig.providers.engines.grammar.grammars import write_answer_grammar, write_tools_grammar
from typesig.providers.engines.schemas import write_answer_schema
from typesig.providers.engines.trials import find_llguidance_refusal

_FOR_LLGUIDANCE = SchemaSupport(
    formats=dict.fromkeys(("duration", "email", "hostname", "ipv4", "ipv6", "uri", "uuid"), ""),
    takes=lambda pattern: to_rust_pattern(pattern) is not None,
)
# What it refuses depends on the whole schema: a pattern of keys beside a declared key that leads
# back to the object, a pattern that no text of the length matches, an automaton that is too large.
_LESS = _FOR_LLGUIDANCE._replace(lengths_beside=False, many_patterns=False)
_WITHOUT_KEYS = _LESS._replace(key_patterns=False)
_WITHOUT_PATTERNS = _WITHOUT_KEYS._replace(takes=lambda _: False)
_WITHOUT_SIZES = _WITHOUT_PATTERNS._replace(lengths=False, most_size=255)

#: llguidance: JSON Schema, of which it enforces most, and refuses the rest.
LLGUIDANCE = Engine(
    name="llguidance",
    title="llguidance",
    source="llguidance 1.9.1, docs/json_schema.md",
    syntax="json_schema",
    calls="lark",
    enforces=_FOR_LLGUIDANCE,
    style=Style(falses=True, opening=True, pattern=to_rust_pattern),
    has_schemas=True,
    of_answer=write_answer_schema,
    of_tools=write_tools_grammar,
    weaker=(_LESS, _WITHOUT_KEYS, _WITHOUT_PATTERNS, _WITHOUT_SIZES),
    find_refusal=find_llguidance_refusal,
)

#: XGrammar: JSON Schema, of which it ignores what it does not enforce.
XGRAMMAR = Engine(
    name="xgrammar",
    title="XGrammar",
    source="XGrammar 0.2.8, compile_json_schema as it is by default",
    syntax="json_schema",
    calls="structural_tag",
    enforces=SchemaSupport(
        # Within a length or a pattern it takes no character that JSON writes as an escape.
        raw_length=255,
        formats=dict.fromkeys(
            ("duration", "ipv6", "json-pointer", "relative-json-pointer", "uuid"), ""
        )
        | {"email": "an address whose domain ends in two letters or more"},
        takes=lambda pattern: to_raw_pattern(pattern) is not None,
        narrows=lambda pattern: to_whole_pattern(pattern) is None,
        many_patterns=False,
        lengths_beside=False,
        open_patterns=False,
        forbidden=False,
        steps="integers",
        bounded_steps=False,
        long_constants=True,
    ),
    style=Style(opening=True, pattern=to_raw_pattern),
    has_schemas=True,
    of_answer=write_answer_schema,
    of_tools=write_tools_grammar,
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
    of_answer=write_answer_grammar,
    of_tools=write_tools_grammar,
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
