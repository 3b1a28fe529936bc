"""llguidance: JSON Schema, of which it enforces most, and refuses the rest."""

from __future__ import annotations

from typesig.errors import Unsupported
from typesig.notations.json_schema.writing.writer import document_of
from typesig.providers.engines.engine import Calls, Engine, Whole, Written


def of_answer(engine: Engine, whole: Whole) -> Written:
    """Return the schema of an answer."""
    return Written("json_schema", document_of(whole.type, whole.names), ())


def of_tools(engine: Engine, calls: Calls) -> Written:
    """Return the grammar of a text with calls."""
    raise Unsupported(f"{engine.name} has no form for calls of tools yet")


LLGUIDANCE = Engine(
    name="llguidance",
    title="llguidance",
    source="llguidance 1.9.1, docs/json_schema.md",
    of_answer=of_answer,
    of_tools=of_tools,
)
