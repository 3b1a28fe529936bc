"""JSON Schemas for engines: the settled type, by the one writer of schemas."""

from __future__ import annotations

from typing import Any

from typesig.algebra import nodes
from typesig.algebra.traversal import substitute
from typesig.errors import Unsupported
from typesig.notations.json_schema.keywords.kinds import NEVER
from typesig.notations.json_schema.writing.writer import document_of
from typesig.providers.engines.engine import Engine, Whole, Written
from typesig.providers.engines.settling import Settled, settled_whole
from typesig.providers.rows.names import NameRule, legal_names

# XGrammar does not compile a schema with long names of definitions.
_NAMES = NameRule("A-Za-z_", "A-Za-z0-9_", 32)


def of_answer(engine: Engine, whole: Whole) -> Written:
    """Return the schema of an answer; raise `Unsupported` if no value fits."""
    made = settled_whole(engine.title, engine.enforces, whole)
    if made.type == NEVER:
        place = ".".join(whole.place)
        raise Unsupported(f"{place}: no value fits, so that {engine.title} has nothing to write")
    return Written("json_schema", schema_of(engine, made), made.losses)


def schema_of(engine: Engine, made: Settled) -> dict[str, Any]:
    """Return *made* as *engine* spells schemas, its definitions by short names."""
    legal = legal_names(made.names, _NAMES)
    refs: dict[str, nodes.Type] = {old: nodes.Ref(new) for old, new in legal.items() if old != new}
    names = {legal[name]: substitute(t, refs) for name, t in made.names.items()}
    return document_of(substitute(made.type, refs), names, engine.style)
