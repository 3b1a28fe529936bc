"""XGrammar: JSON Schema, of which it ignores what it does not enforce."""

from __future__ import annotations

from typesig.notations.json_schema.writing.writer import Style
from typesig.patterns import whole_pattern
from typesig.providers.engines.enforced import Enforced
from typesig.providers.engines.engine import Engine
from typesig.providers.engines.grammar.grammars import grammar_of_tools
from typesig.providers.engines.schemas import of_answer

_ENFORCED = Enforced(
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
)


XGRAMMAR = Engine(
    name="xgrammar",
    title="XGrammar",
    source="XGrammar 0.2.8, compile_json_schema as it is by default",
    syntax="json_schema",
    calls="structural_tag",
    enforces=_ENFORCED,
    style=Style(opening=True, pattern=whole_pattern),
    has_schemas=True,
    of_answer=of_answer,
    of_tools=grammar_of_tools,
)
