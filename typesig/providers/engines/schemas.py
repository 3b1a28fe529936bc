"""JSON Schemas for engines: the settled type, by the one writer of schemas."""

from __future__ import annotations

from typesig.errors import Unsupported
from typesig.notations.json_schema.keywords.kinds import NEVER
from typesig.notations.json_schema.writing.writer import document_of
from typesig.providers.engines.engine import Engine, Whole, Written
from typesig.providers.engines.settling import settled_whole


def of_answer(engine: Engine, whole: Whole) -> Written:
    """Return the schema of an answer; raise `Unsupported` if no value fits."""
    made = settled_whole(engine.title, engine.enforces, whole)
    if made.type == NEVER:
        place = ".".join(whole.place)
        raise Unsupported(f"{place}: no value fits, so that {engine.title} has nothing to write")
    return Written("json_schema", document_of(made.type, made.names, engine.style), made.losses)
