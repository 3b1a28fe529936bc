"""JSON Schemas for engines: the settled type, by the one writer of schemas."""

from __future__ import annotations

from typing import Any

from typesig.notations.json_schema.writing.writer import document_of
from typesig.providers.engines.engine import Engine, Whole, Written
from typesig.providers.engines.settling import Settled, settled_answer
from typesig.providers.rows.names import NameRule, with_legal_names

# XGrammar does not compile a schema with long names of definitions.
_NAMES = NameRule("A-Za-z_", "A-Za-z0-9_", 32)


def of_answer(engine: Engine, whole: Whole) -> Written:
    """Return the schema of an answer; raise `Unsupported` if no value fits."""
    made = settled_answer(engine, whole)
    return Written("json_schema", schema_of(engine, made), made.losses)


def schema_of(engine: Engine, made: Settled) -> dict[str, Any]:
    """Return *made* as *engine* spells schemas, its definitions by short names."""
    t, names = with_legal_names(made.type, made.names, _NAMES)
    return document_of(t, names, engine.style)
