"""JSON Schemas for engines: lowered types, written by the one writer of schemas."""

from __future__ import annotations

from typing import Any

from typesig.notations.json_schema.writer import write_document
from typesig.providers.engines.engine import Engine, EngineGrammar, RootType, WriteBounds
from typesig.providers.engines.lowering import lower_answer
from typesig.providers.engines.lowering_state import LoweredType
from typesig.providers.engines.write_bounds import limit_type
from typesig.providers.rows.names import NameRule, use_legal_names

# XGrammar does not compile a schema with long names of definitions.
_NAMES = NameRule("A-Za-z_", "A-Za-z0-9_", 32)


def write_answer_schema(engine: Engine, whole: RootType, bounds: WriteBounds) -> EngineGrammar:
    """Return the schema of an answer; raise `Unsupported` if no value fits."""
    made = lower_answer(engine, whole)
    made = limit_type(made, bounds, engine.enforces, whole, spells=False)
    return EngineGrammar("json_schema", write_schema(engine, made), made.losses)


def write_schema(engine: Engine, made: LoweredType) -> dict[str, Any]:
    """Write the lowered type *made* as a JSON Schema in the style of *engine*."""
    t, names = use_legal_names(made.type, made.names, _NAMES)
    return write_document(t, names, engine.style)
