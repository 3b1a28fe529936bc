"""Records and maps: what becomes of optional fields, of undeclared keys, and of names."""

from __future__ import annotations

from collections.abc import Mapping

from typesig.algebra import constructors, nodes
from typesig.algebra.rows.values import Const, const
from typesig.algebra.traversal import children, rebuild, transform
from typesig.algebra.views.redaction import used
from typesig.notations.json_schema.writing.model_view import (
    is_shown_without_null,
    overlapping_keys,
    without_null,
)
from typesig.providers.rewriting.describing import is_sendable, sendable, words_of_default
from typesig.providers.rewriting.rewriter import Rewriter
from typesig.providers.rows.codecs import Coding, Entry, Fields, Pairs, Undeclared, encoded
from typesig.providers.rows.names import legal_names
from typesig.providers.rows.wire import Place, Wire

#: The field with the undeclared keys of a closed record.
REST = "additional_properties"

_OPEN = constructors.record([])


def root(rewriter: Rewriter, t: nodes.Record, at: Place, takes_any: bool) -> Wire:
    """Return what is sent in place of the root *t*, which stays an object."""
    undeclared = "nothing" if t.extra == nodes.ANY and not takes_any else _undeclared(t, takes_any)
    if t.extra == nodes.ANY and not takes_any and rewriter.profile.closed:
        # Undeclared arguments do not reach the function.
        t = nodes.Record(t.fields, None, t.matching)
    return _fields(rewriter, t, at._replace(level=1, is_open=takes_any), undeclared)


def closed_if_empty(
    t: nodes.Type, names: Mapping[str, nodes.Type]
) -> tuple[nodes.Type, Mapping[str, nodes.Type]]:
    """Return *t* and *names* with closed records in place of open ones without fields.

    They are those of classes, which have no place for undeclared keys; a map has.
    """

    def step(part: nodes.Type) -> nodes.Type:
        return nodes.Record((), None) if part == _OPEN else part

    closed = rebuild(t, [transform(part, step) for part in children(t)])
    return closed, {name: transform(part, step) for name, part in names.items()}


def map_of(rewriter: Rewriter, key: nodes.Type, value: nodes.Type, at: Place) -> Wire:
    """Return what is sent in place of a map."""
    profile = rewriter.profile
    if profile.closed:
        return _pairs(rewriter, key, value, at)
    values = rewriter.rewrite(value, at.below("values"))
    codec = None if values.codec is None else Fields((), "", values.codec)
    known = key == nodes.STRING or profile.key_patterns
    keys = rewriter.rewrite(key, at.below("keys")) if known else None
    words = ""
    if keys is None or keys.codec is not None:
        rewriter.lose("widened", at.path, "the type of the keys", "any keys")
        keys, words = Wire(nodes.STRING), rewriter.words_of(key, "(keys: {})")
    made = constructors.map_of(keys.type, values.type)
    return Wire(_OPEN if made == nodes.MAP else made, codec).described(words)


def _pairs(rewriter: Rewriter, key: nodes.Type, value: nodes.Type, at: Place) -> Wire:
    inner = at._replace(level=at.level + 1)
    if rewriter.is_too_deep(inner.level):
        return rewriter.as_text(constructors.map_of(key, value), at, "a map so deep")
    rewriter.lose("rewritten", at.path, "a map", "a list of objects with key and value")
    keys = rewriter.rewrite(key, inner.below("keys"))
    values = rewriter.rewrite(value, inner.below("values"))
    fields = (nodes.Field("key", keys.type), nodes.Field("value", values.type))
    return Wire(nodes.List(nodes.Record(fields, None)), Pairs(keys.codec, values.codec))


def record(rewriter: Rewriter, t: nodes.Record, at: Place) -> Wire:
    """Return what is sent in place of a record that is not the root."""
    profile = rewriter.profile
    if not t.fields and not t.matching and t.extra is not None and profile.closed:
        return _pairs(rewriter, nodes.STRING, t.extra, at)
    inner = at._replace(level=at.level + 1)
    if rewriter.is_too_deep(inner.level):
        return rewriter.as_text(t, at, "an object so deep")
    if not t.fields and not t.matching and not profile.empty_objects:
        return rewriter.as_text(t, at, "an object without properties")
    return _fields(rewriter, t, inner, _undeclared(t))


def _undeclared(t: nodes.Record, is_passed_on: bool = False) -> Undeclared:
    """Return what undeclared keys of *t* mean."""
    if t.matching or is_passed_on or t.extra not in (nodes.ANY, None):
        return "meant"
    return "nothing" if t.extra is None else "kept"


def _fields(rewriter: Rewriter, t: nodes.Record, at: Place, undeclared: Undeclared) -> Wire:
    """Return what is sent in place of a record; *at* counts it as a level."""
    profile = rewriter.profile
    names = legal_names([field.name for field in t.fields], profile.property_names)
    overlap = overlapping_keys(t)
    fields: list[nodes.Field] = []
    entries: list[Entry] = []
    for field in t.fields:
        place = at.below(field.name)
        sent = names[field.name]
        if sent != field.name:
            rewriter.lose("renamed", place.path, "the name", sent)
        if field.name in overlap.fields:
            place = place._replace(exact=True)
        made, entry = _field(rewriter, field, sent, place)
        fields.append(made)
        entries.append(entry)
    if profile.closed:
        return _closed(rewriter, t, fields, entries, at)
    return _open(rewriter, t, fields, entries, at, undeclared)


def _codec(
    entries: list[Entry], rest: str = "", others: Coding = None, undeclared: Undeclared = "nothing"
) -> Coding:
    if not rest and others is None and all(entry.is_trivial for entry in entries):
        return None
    return Fields(tuple(entries), rest, others, undeclared)


def _open(
    rewriter: Rewriter,
    t: nodes.Record,
    fields: list[nodes.Field],
    entries: list[Entry],
    at: Place,
    undeclared: Undeclared,
) -> Wire:
    """Return the record in a profile whose objects may have undeclared properties."""
    matching: list[nodes.Matching] = []
    rest = None if t.extra is None else rewriter.rewrite(t.extra, at.below("**"))
    if rewriter.closing and t.extra == nodes.ANY and (fields or t.matching) and not at.exact:
        rewriter.lose("narrowed", at.path, "undeclared keys", "a closed object")
        rest = None
    for each in t.matching:
        made = rewriter.rewrite(each.type, at.below(f"/{each.pattern}/")._replace(exact=True))
        if made.codec is not None or not rewriter.profile.key_patterns:
            rewriter.lose("widened", at.path, "types of keys by pattern", "any other keys")
            return Wire(
                nodes.Record(tuple(fields), nodes.ANY), _codec(entries, undeclared=undeclared)
            )
        matching.append(nodes.Matching(each.pattern, made.type))
    others = None if rest is None else rest.codec
    extra = None if rest is None else rest.type
    codec = _codec(entries, "", others, undeclared)
    return Wire(nodes.Record(tuple(fields), extra, tuple(matching)), codec)


def _closed(
    rewriter: Rewriter, t: nodes.Record, fields: list[nodes.Field], entries: list[Entry], at: Place
) -> Wire:
    """Return the record in a profile whose objects have declared properties only."""
    types = [each.type for each in t.matching] + ([] if t.extra is None else [t.extra])
    if types == [nodes.ANY] and not at.is_open:
        rewriter.lose("narrowed", at.path, "undeclared keys", "a closed object")
        types = []
    if not types:
        return Wire(nodes.Record(tuple(fields), None), _codec(entries))
    value = nodes.ANY if nodes.ANY in types else constructors.union(types)
    place = at.below("**")._replace(level=at.level + 1, is_open=False)
    rewriter.lose("rewritten", place.path, "undeclared keys", f"a list in {REST}")
    if t.matching:
        rewriter.lose("widened", place.path, "types of keys by pattern", "any of them for each key")
    made = rewriter.rewrite(value, place)
    name = REST
    while any(field.name == name for field in fields):
        name += "_"
    pair = nodes.Record((nodes.Field("key", nodes.STRING), nodes.Field("value", made.type)), None)
    fields.append(nodes.Field(name, nodes.List(pair), rewriter.profile.complete, None, True))
    return Wire(nodes.Record(tuple(fields), None), _codec(entries, name, made.codec))


def _field(
    rewriter: Rewriter, field: nodes.Field, sent: str, at: Place
) -> tuple[nodes.Field, Entry]:
    """Return *field* as it is sent by the name *sent*, and how its values travel."""
    profile = rewriter.profile
    at = at._replace(is_open=False)
    if profile.complete and not field.required:
        return _completed(rewriter, field, sent, at)
    t = field.type
    hides = not at.exact and field.default is None and is_shown_without_null(field)
    made = rewriter.rewrite(without_null(t) if hides else t, at)
    default = None if field.default is None else _sent_default(rewriter, field, made)
    if field.default is not None and not (default and profile.defaults):
        made = _with_words(rewriter, made, default or field.default, at)
        default = None
    entry = Entry(field.name, sent, made.codec, hides=hides)
    return nodes.Field(sent, made.type, field.required, default, True), entry


def _completed(
    rewriter: Rewriter, field: nodes.Field, sent: str, at: Place
) -> tuple[nodes.Field, Entry]:
    """Return an optional field where every property is required: null stands for its absence."""
    made = rewriter.rewrite(field.type, at)
    default = field.default
    if default is not None:
        words = _sent_default(rewriter, field, made) or default
        made = _with_words(rewriter, made, words, at)
    if default is not None and made.nullable:
        rewriter.lose("narrowed", at.path, "absence, which is not null", "the default")
        entry = Entry(field.name, sent, made.codec, filled=(default,))
        return nodes.Field(sent, made.type, True, None, True), entry
    rewriter.lose("rewritten", at.path, "an optional field", "a nullable one")
    # A null that is sent is never read by the codec, which has a form of its own for null values.
    made = made.or_null()._replace(codec=made.codec)
    entry = Entry(field.name, sent, made.codec, drops=True, adds=True)
    return nodes.Field(sent, made.type, True, None, True), entry


def _with_words(rewriter: Rewriter, made: Wire, default: Const, at: Place) -> Wire:
    rewriter.lose("omitted", at.path, "the default", "its description")
    return made.described(sendable(words_of_default(default)))


def _sent_default(rewriter: Rewriter, field: nodes.Field, made: Wire) -> Const | None:
    """Return the default of *field* as it is sent, or None if it cannot be, or is not known yet."""
    assert field.default is not None
    kept = [name for name in used(rewriter.names, [field.type]) if rewriter.is_kept(name)]
    if any(rewriter.definition(name) is None for name in sorted(kept)):
        # It is a default within the definition of its own type.
        return None
    sent = encoded(made.codec, field.default.thaw())
    return const(sent) if is_sendable(sent) else None
