"""The named arguments that a schema describes: the properties of its one object."""

from __future__ import annotations

from typesig.algebra import nodes
from typesig.algebra.constructors import record
from typesig.notations.json_schema.reading.places import Reading


def read_parameters(reading: Reading) -> nodes.Record:
    """Return the record of named arguments that the document describes."""
    place = reading.document.places[()]
    t = reading.read(place, frozenset({"object"}))
    reading.read_definitions(t)
    seen: set[str] = set()
    while isinstance(t, nodes.Noted | nodes.Ref):
        if isinstance(t, nodes.Ref):
            if t.name in seen:
                break
            seen.add(t.name)
            t = reading.definitions[t.name]
        else:
            for word, text in (("description", t.text), ("title", t.title)):
                if text is not None:
                    reading.omit((word,), f"the {word} of all parameters", "a signature has none")
            t = t.inner
    found = _as_record(t)
    if found is not None:
        return found
    limit = "a number of keys" if isinstance(t, nodes.Refined) else "any other condition"
    why = f"parameters are the properties of one object; {limit} cannot be kept"
    refusal = reading.refusal((), "", why)
    if not reading.lossy:
        raise refusal
    reading.widen((), "the conditions on all parameters", refusal.message, "the conditions on each")
    return _widest(t)


def _as_record(t: nodes.Type) -> nodes.Record | None:
    if t == nodes.ANY:
        return record([])
    if isinstance(t, nodes.MapOf) and t.key == nodes.STRING:
        return record([], t.value)
    return t if isinstance(t, nodes.Record) and not t.matching else None


def _widest(t: nodes.Type) -> nodes.Record:
    """Return a record that accepts everything that *t* accepts."""
    while isinstance(t, nodes.Noted | nodes.Refined):
        t = t.inner
    found = _as_record(t)
    if found is not None:
        return found
    if isinstance(t, nodes.Record):
        return record(t.fields, nodes.ANY)
    members = t.members if isinstance(t, nodes.Both) else ()
    records = [part for part in members if isinstance(part, nodes.Record) and not part.matching]
    return records[0] if records else record([])
