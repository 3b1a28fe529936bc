"""The keywords of a schema that apply to maps: types by name, and by pattern of names."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from typesig.algebra.constructors import both, map_of, record
from typesig.algebra.nodes import ANY, MAP, STRING, Field, Matching, Record, Type
from typesig.algebra.rows.values import Const, const
from typesig.errors import TypesigError
from typesig.notations.json_schema.keywords.kinds import NEVER, JsonKind
from typesig.notations.json_schema.reading.places import Keywords

WORDS = frozenset(
    {"properties", "required", "additionalProperties", "patternProperties", "propertyNames"}
)

_KEYS: frozenset[JsonKind] = frozenset({"string"})


def read_map(keywords: Keywords) -> Type:
    """Return the type of the maps that *keywords* describe, with any number of keys."""
    made = keywords.attempt("properties", lambda: _record(keywords))
    found = record([]) if made is None else made
    if not keywords.has("propertyNames"):
        return found if found.fields or found.matching else _map(STRING, found)
    read = keywords.attempt("propertyNames", lambda: _keys(keywords))
    key = STRING if read is None or read == ANY else read
    if not found.fields and not found.matching and found.extra is not None:
        return _map(key, found)
    return found if key == STRING else both([found, map_of(key, ANY)])


def _map(key: Type, found: Record) -> Type:
    """Return the map that *found*, a record without fields, is; a closed record stays a record."""
    if found.extra is None:
        return found
    made = map_of(key, found.extra)
    return record([]) if made == MAP else made


def _keys(keywords: Keywords) -> Type:
    return keywords.reading.read_keys(keywords.inner("propertyNames"), _KEYS)


def _record(keywords: Keywords) -> Record:
    matching = _matching(keywords)
    extra = _extra(keywords)
    required = _required(keywords)
    properties = _object(keywords, "properties")
    fields = [_property(keywords, name, name in required) for name in properties]
    others = [name for name in required if name not in properties]
    matched = _matched(keywords, matching, others) if extra != ANY else frozenset(others)
    for name in others:
        t = ANY if name in matched else NEVER if extra is None else extra
        fields.append(Field(name, t, exact=True))
    return record(fields, extra, matching)


def _matched(
    keywords: Keywords, matching: Iterable[Matching], names: Iterable[str]
) -> frozenset[str]:
    """Return those of *names* that a pattern of *matching* matches."""
    found: set[str] = set()
    for test in [m.test() for m in matching]:
        for name in names:
            keywords.reading.count_schema()
            if name not in found and test(name):
                found.add(name)
    return frozenset(found)


def _object(keywords: Keywords, word: str) -> dict[str, Any]:
    found = keywords.get(word, {})
    if not isinstance(found, dict) or not all(isinstance(name, str) for name in found):
        raise keywords.refusal(word, "it must be an object of schemas by name")
    return found


def _required(keywords: Keywords) -> dict[str, None]:
    names = keywords.get("required", [])
    if isinstance(names, bool):
        why = "it must be a list of names; draft 3 wrote it with each property"
        raise keywords.refusal("required", why)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise keywords.refusal("required", "it must be a list of names")
    return dict.fromkeys(names)


def _property(keywords: Keywords, name: str, required: bool) -> Field:
    reading = keywords.reading
    place = keywords.inner("properties", name)
    reading.properties.add(place.pointer)
    read = reading.attempt(place, "", partial(reading.read, place))
    t = ANY if read is None else read
    default: Const | None = None
    if isinstance(place.schema, dict) and "default" in place.schema:
        path = (*place.pointer, "default")
        try:
            default = const(place.schema["default"])
        except TypesigError as error:
            reading.omit(path, "the default", str(error))
        if required and default is not None:
            # A field with a default may be absent, and this property may not.
            default = None
            reading.omit(path, f"the default of {name}", "the property is required")
    field = Field(name, t, required, default, True)
    if field.default is not None:
        reading.defaults[*place.pointer, "default"] = field
    return field


def _extra(keywords: Keywords) -> Type | None:
    if not keywords.has("additionalProperties"):
        return ANY
    if keywords.schema["additionalProperties"] is False:
        return None
    return keywords.reading.read(keywords.inner("additionalProperties"))


def _matching(keywords: Keywords) -> list[Matching]:
    found: dict[str, Matching] = {}
    for pattern in _object(keywords, "patternProperties"):
        t = keywords.reading.read(keywords.inner("patternProperties", pattern))
        try:
            made = Matching(pattern, t)
        except TypesigError as error:
            raise keywords.refusal("patternProperties", str(error)) from None
        if made.pattern in found:
            made = Matching(made.pattern, both([found[made.pattern].type, t]))
        found[made.pattern] = made
    return list(found.values())
