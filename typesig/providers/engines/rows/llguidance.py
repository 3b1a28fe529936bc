"""llguidance: JSON Schema, of which it enforces most, and refuses the rest."""

from __future__ import annotations

from typesig.notations.json_schema.writing.writer import Style
from typesig.patterns import rust_pattern
from typesig.providers.engines.enforced import Enforced
from typesig.providers.engines.engine import Engine
from typesig.providers.engines.grammar.grammars import grammar_of_tools
from typesig.providers.engines.schemas import of_answer

_ENFORCED = Enforced(
    formats=dict.fromkeys(("duration", "email", "hostname", "ipv4", "ipv6", "uri", "uuid"), ""),
    takes=lambda pattern: rust_pattern(pattern) is not None,
)


LLGUIDANCE = Engine(
    name="llguidance",
    title="llguidance",
    source="llguidance 1.9.1, docs/json_schema.md",
    syntax="json_schema",
    calls="lark",
    enforces=_ENFORCED,
    style=Style(falses=True, opening=True, pattern=rust_pattern),
    has_schemas=True,
    of_answer=of_answer,
    of_tools=grammar_of_tools,
)
