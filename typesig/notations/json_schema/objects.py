"""What the keywords of a schema say of maps: names, patterns of names, and what depends on them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from typesig.algebra.constructors import both, map_of, negated, record, union
from typesig.algebra.nodes import (
    ANY,
    MAP,
    STRING,
    Field,
    MapOf,
    Matching,
    Noted,
    Record,
    Ref,
    Refined,
    Type,
)
from typesig.algebra.values import Const, const
from typesig.errors import TypesigError
from typesig.notations.json_schema.kinds import JsonKind
from typesig.notations.json_schema.rewriting import NEVER

if TYPE_CHECKING:
    from typesig.notations.json_schema.reader import Reader
    from typesig.notations.json_schema.references import Place
    from typesig.notations.json_schema.values import Values

WORDS = frozenset(
    {"properties", "required", "additionalProperties", "patternProperties", "propertyNames"}
)

_NAMES: frozenset[JsonKind] = frozenset({"string"})


def record_of(values: Values) -> Type:
    """Return the type of the maps that *values* takes, whatever their number of keys."""
    reader, place = values.reader, values.place
    made = reader.attempt(place, "properties", lambda: _record(values))
    found = record([]) if made is None else made
    if not values.has("propertyNames"):
        return found if found.fields or found.matching else _mapped(STRING, found)
    named = reader.attempt(place, "propertyNames", lambda: _names(values))
    key = STRING if named in (None, ANY) else named
    assert key is not None
    if not found.fields and not found.matching and found.extra is not None:
        return _mapped(key, found)
    return found if key == STRING else both([found, map_of(key, ANY)])


def _mapped(key: Type, found: Record) -> Type:
    """Return a record without fields as the map that it is, a closed one as itself."""
    if found.extra is None:
        return found
    made = map_of(key, found.extra)
    return record([]) if made == MAP else made


def _names(values: Values) -> Type:
    reader = values.reader
    return reader.of_names(reader.within(values.place, "propertyNames"), _NAMES)


def _record(values: Values) -> Record:
    matching = _matching(values)
    extra = _extra(values)
    required = _required(values, "required", values.schema.get("required", []))
    fields = [_property(values, name, name in required) for name in _object(values, "properties")]
    declared = {field.name for field in fields}
    for name in required:
        if name not in declared:
            spoken = any(m.test()(name) for m in matching)
            held = ANY if spoken else NEVER if extra is None else extra
            fields.append(Field(name, held, exact=True))
    return record(fields, extra, matching)


def _object(values: Values, word: str) -> dict[str, Any]:
    found = values.schema.get(word, {})
    if not isinstance(found, dict) or not all(isinstance(name, str) for name in found):
        raise values.refuse(word, "it must be an object of schemas by name")
    return found


def _required(values: Any, word: str, names: Any) -> dict[str, None]:
    if isinstance(names, bool) and word == "required":
        raise values.refuse(word, "it must be a list of names; draft 3 wrote it with each property")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise values.refuse(word, "it must be a list of names")
    return dict.fromkeys(names)


def _property(values: Values, name: str, required: bool) -> Field:
    reader = values.reader
    place = reader.within(values.place, "properties", name)
    reader.properties.add(place.pointer)
    read = reader.attempt(place, "", partial(reader.read, place))
    t = ANY if read is None else read
    default: Const | None = None
    if isinstance(place.schema, dict) and "default" in place.schema:
        path = (*place.pointer, "default")
        try:
            default = const(place.schema["default"])
        except TypesigError as error:
            reader.omit(path, "the default", str(error))
        if required and default is not None:
            # A default of ours says that the name may be absent, and here it may not.
            default = None
            reader.omit(path, f"the default of {name}", "the name is required all the same")
    return Field(name, t, required, default, True)


def _extra(values: Values) -> Type | None:
    if "additionalProperties" not in values.schema:
        return ANY
    if values.schema["additionalProperties"] is False:
        return None
    return values.reader.read(values.reader.within(values.place, "additionalProperties"))


def _matching(values: Values) -> list[Matching]:
    found: dict[str, Matching] = {}
    for pattern in _object(values, "patternProperties"):
        t = values.reader.read(values.reader.within(values.place, "patternProperties", pattern))
        try:
            made = Matching(pattern, t)
        except TypesigError as error:
            raise values.refuse("patternProperties", str(error)) from None
        if made.pattern in found:
            made = Matching(made.pattern, both([found[made.pattern].type, t]))
        found[made.pattern] = made
    return list(found.values())


# what depends on a name


def _lacks(name: str) -> Type:
    return negated(record([Field(name, ANY, exact=True)]))


def _depending(reader: Reader, place: Place, word: str, step: Callable[[str, Any], Type]) -> Type:
    found = place.schema[word]
    if not isinstance(found, dict) or not all(isinstance(name, str) for name in found):
        raise reader.refusal(place.pointer, word, "it must be an object")
    made = [union([_lacks(name), step(name, value)]) for name, value in found.items()]
    return both(made) if made else ANY


def _needs(reader: Reader, place: Place, word: str, names: Any) -> Type:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise reader.refusal(place.pointer, word, "it must hold lists of names")
    return record([Field(name, ANY, exact=True) for name in dict.fromkeys(names)])


def dependent_required(reader: Reader, place: Place, kinds: frozenset[JsonKind]) -> Type:
    """Return what `dependentRequired` at *place* says of values of *kinds*."""
    word = "dependentRequired"
    return _depending(reader, place, word, lambda _, names: _needs(reader, place, word, names))


def dependent_schemas(reader: Reader, place: Place, kinds: frozenset[JsonKind]) -> Type:
    """Return what `dependentSchemas` at *place* says of values of *kinds*."""
    word, objects = "dependentSchemas", kinds & {"object"}
    return _depending(
        reader, place, word, lambda name, _: reader.read(reader.within(place, word, name), objects)
    )


def dependencies(reader: Reader, place: Place, kinds: frozenset[JsonKind]) -> Type:
    """Return what the older drafts' `dependencies` at *place* says of values of *kinds*."""
    word, objects = "dependencies", kinds & {"object"}
    if reader.dialect.name not in ("draft-04", "draft-06", "draft-07"):
        why = "it is draft 7's; name that in $schema, or write dependentRequired"
        raise reader.refusal(place.pointer, word, why)

    def step(name: str, value: Any) -> Type:
        if isinstance(value, list):
            return _needs(reader, place, word, value)
        return reader.read(reader.within(place, word, name), objects)

    return _depending(reader, place, word, step)


# named arguments


def arguments(reader: Reader) -> Record:
    """Return the record of named arguments that the document describes."""
    place = reader.document.places[()]
    t = reader.read(place, frozenset({"object"}))
    reader.define(t)
    seen: set[str] = set()
    while isinstance(t, Noted | Ref):
        if isinstance(t, Ref):
            if t.name in seen:
                break
            seen.add(t.name)
            t = reader.definitions[t.name]
        else:
            for word, text in (("description", t.text), ("title", t.title)):
                if text is not None:
                    reader.omit((word,), f"the {word} of all parameters", "a signature has none")
            t = t.inner
    found = _as_record(t)
    if found is not None:
        return found
    words = "parameters are the properties of one object"
    limit = "its number of keys" if isinstance(t, Refined) else "what else it says of them"
    refusal = reader.refusal((), "", f"{words}; {limit} cannot be kept")
    if not reader.lossy:
        raise refusal
    reader.widen((), "what is said of all parameters", refusal.message, "what fits one by one")
    return _widest(t, reader)


def _as_record(t: Type) -> Record | None:
    if t == ANY:
        return record([])
    if isinstance(t, MapOf) and t.key == STRING:
        return record([], t.value)
    return t if isinstance(t, Record) and not t.matching else None


def _widest(t: Type, reader: Reader) -> Record:
    """Return a record that takes whatever *t* takes."""
    while isinstance(t, Noted | Refined):
        t = t.inner
    found = _as_record(t)
    if found is not None:
        return found
    if isinstance(t, Record):
        return record(t.fields, ANY)
    members = getattr(t, "members", ()) if type(t).__name__ == "Both" else ()
    records = [part for part in members if isinstance(part, Record) and not part.matching]
    return records[0] if records else record([])
