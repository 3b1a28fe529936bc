"""Rewrites of records and maps: optional fields, unknown keys, and names."""

from __future__ import annotations

from collections.abc import Mapping

from typesig.algebra import constructors, nodes
from typesig.algebra.redaction import find_used_names
from typesig.algebra.rows.frozen import NAMES
from typesig.algebra.rows.values import Const, ConstKind, to_const
from typesig.algebra.traversal import get_children, rebuild, transform
from typesig.notations.json_schema.model_view import (
    find_overlapping_keys,
    is_shown_without_null,
    strip_null,
)
from typesig.providers.registry.codecs import (
    FieldCodec,
    OptionalCodec,
    PairsCodec,
    RecordCodec,
    Undeclared,
    encode_value,
)
from typesig.providers.registry.provider import make_legal_names
from typesig.providers.registry.vendor import SentType, TypePlace
from typesig.providers.rewriting.descriptions import (
    describe_default,
    is_sendable,
    replace_surrogates,
)
from typesig.providers.rewriting.rewriter import Rewriter

#: The field with the undeclared keys of a closed record.
REST = "additional_properties"

_OPEN = constructors.record([])


def rewrite_root(rewriter: Rewriter, t: nodes.Record, at: TypePlace, takes_any: bool) -> SentType:
    """Rewrite the root record *t* to an object type; *takes_any* allows undeclared keys."""
    undeclared = (
        "nothing" if t.extra == nodes.ANY and not takes_any else _get_extra_meaning(t, takes_any)
    )
    if t.extra == nodes.ANY and not takes_any and rewriter.profile.closed:
        # Undeclared arguments do not reach the function.
        t = nodes.Record(t.fields, None, t.matching)
    return _rewrite_fields(rewriter, t, at._replace(level=1, is_open=takes_any), undeclared)


def close_if_empty(
    t: nodes.Type, names: Mapping[str, nodes.Type]
) -> tuple[nodes.Type, Mapping[str, nodes.Type]]:
    """Close the open records without fields in *t* and *names*.

    They are those of classes, which have no place for undeclared keys; a map has.
    """

    def step(part: nodes.Type) -> nodes.Type:
        return nodes.Record((), None) if part == _OPEN else part

    closed = rebuild(t, [transform(part, step) for part in get_children(t)])
    return closed, {name: transform(part, step) for name, part in names.items()}


def rewrite_map(rewriter: Rewriter, key: nodes.Type, value: nodes.Type, at: TypePlace) -> SentType:
    """Rewrite a map, as an object or as a list of pairs."""
    profile = rewriter.profile
    if profile.closed:
        return _rewrite_as_pairs(rewriter, key, value, at)
    values = rewriter.rewrite(value, at.add_steps("values"))
    codec = None if values.codec is None else RecordCodec((), "", values.codec)
    known = key == nodes.STRING or profile.key_patterns
    keys = rewriter.rewrite(key, at.add_steps("keys")) if known else None
    words = ""
    if keys is None or keys.codec is not None:
        rewriter.record_loss("widened", at.path, "the type of the keys", "any keys")
        keys, words = SentType(nodes.STRING), rewriter.describe_type(key, "(keys: {})")
    made = constructors.map_of(keys.type, values.type)
    return SentType(_OPEN if made == nodes.MAP else made, codec).append_description(words)


def _rewrite_as_pairs(
    rewriter: Rewriter, key: nodes.Type, value: nodes.Type, at: TypePlace
) -> SentType:
    """Rewrite a map to a list of records with `key` and `value`, with its codec."""
    inner = at._replace(level=at.level + 1)
    if rewriter.is_too_deep(inner.level):
        return rewriter.as_text(constructors.map_of(key, value), at, "a map so deep")
    rewriter.record_loss("rewritten", at.path, "a map", "a list of objects with key and value")
    keys = rewriter.rewrite(key, inner.add_steps("keys"))
    values = rewriter.rewrite(value, inner.add_steps("values"))
    fields = (nodes.Field("key", keys.type), nodes.Field("value", values.type))
    return SentType(nodes.List(nodes.Record(fields, None)), PairsCodec(keys.codec, values.codec))


def rewrite_record(rewriter: Rewriter, t: nodes.Record, at: TypePlace) -> SentType:
    """Rewrite a record that is not the root."""
    profile = rewriter.profile
    if not t.fields and not t.matching and t.extra is not None and profile.closed:
        return _rewrite_as_pairs(rewriter, nodes.STRING, t.extra, at)
    inner = at._replace(level=at.level + 1)
    if rewriter.is_too_deep(inner.level):
        return rewriter.as_text(t, at, "an object so deep")
    if not t.fields and not t.matching and not profile.empty_objects:
        return rewriter.as_text(t, at, "an object without properties")
    return _rewrite_fields(rewriter, t, inner, _get_extra_meaning(t))


def _get_extra_meaning(t: nodes.Record, is_passed_on: bool = False) -> Undeclared:
    """Return the meaning of undeclared keys in the record *t* for its codec."""
    if t.matching or is_passed_on or t.extra not in (nodes.ANY, None):
        return "meant"
    return "nothing" if t.extra is None else "kept"


def _rewrite_fields(
    rewriter: Rewriter, t: nodes.Record, at: TypePlace, undeclared: Undeclared
) -> SentType:
    """Rewrite the record *t* with its fields; *at* includes the level of *t*."""
    profile = rewriter.profile
    names = make_legal_names([field.name for field in t.fields], profile.property_names)
    overlap = find_overlapping_keys(t)
    fields: list[nodes.Field] = []
    entries: list[FieldCodec] = []
    within = at._replace(is_open=False)
    for field in t.fields:
        place = within.add_steps(field.name)
        sent = names[field.name]
        if sent != field.name:
            rewriter.record_loss("renamed", place.path, "the name", sent)
        if field.name in overlap.fields:
            place = place._replace(exact=True)
        made, entry = _rewrite_field(rewriter, field, sent, place)
        fields.append(made)
        entries.append(entry)
    if profile.closed:
        return _make_closed_record(rewriter, t, fields, entries, at)
    return _make_open_record(rewriter, t, fields, entries, at, undeclared)


def _make_codec(
    entries: list[FieldCodec],
    rest: str = "",
    others: OptionalCodec = None,
    undeclared: Undeclared = "nothing",
) -> OptionalCodec:
    """Make a record codec from field *entries*, or None if it would change nothing."""
    if not rest and others is None and all(entry.is_trivial for entry in entries):
        return None
    return RecordCodec(tuple(entries), rest, others, undeclared)


def _make_open_record(
    rewriter: Rewriter,
    t: nodes.Record,
    fields: list[nodes.Field],
    entries: list[FieldCodec],
    at: TypePlace,
    undeclared: Undeclared,
) -> SentType:
    """Build the record *t* for a profile that allows unknown properties."""
    matching: list[nodes.PatternField] = []
    rest = None if t.extra is None else rewriter.rewrite(t.extra, at.add_steps("**"))
    if rewriter.closing and t.extra == nodes.ANY and (fields or t.matching) and not at.exact:
        rewriter.record_loss("narrowed", at.path, "undeclared keys", "a closed object")
        rest = None
    for each in t.matching:
        made = rewriter.rewrite(each.type, at.add_steps(f"/{each.pattern}/")._replace(exact=True))
        if made.codec is not None or not rewriter.profile.key_patterns:
            rewriter.record_loss("widened", at.path, "types of keys by pattern", "any other keys")
            return SentType(
                nodes.Record(tuple(fields), nodes.ANY), _make_codec(entries, undeclared=undeclared)
            )
        matching.append(nodes.PatternField(each.pattern, made.type))
    others = None if rest is None else rest.codec
    extra = None if rest is None else rest.type
    codec = _make_codec(entries, "", others, undeclared)
    return SentType(nodes.Record(tuple(fields), extra, tuple(matching)), codec)


def _make_closed_record(
    rewriter: Rewriter,
    t: nodes.Record,
    fields: list[nodes.Field],
    entries: list[FieldCodec],
    at: TypePlace,
) -> SentType:
    """Build the record *t* for a profile that allows declared properties only."""
    types = [each.type for each in t.matching] + ([] if t.extra is None else [t.extra])
    if types == [nodes.ANY] and not at.is_open:
        rewriter.record_loss("narrowed", at.path, "undeclared keys", "a closed object")
        types = []
    if not types:
        return SentType(nodes.Record(tuple(fields), None), _make_codec(entries))
    value = nodes.ANY if nodes.ANY in types else constructors.make_union(types)
    place = at.add_steps("**")._replace(level=at.level + 1, is_open=False)
    rewriter.record_loss("rewritten", place.path, "undeclared keys", f"a list in {REST}")
    if t.matching:
        rewriter.record_loss(
            "widened", place.path, "types of keys by pattern", "any of them for each key"
        )
    made = rewriter.rewrite(value, place)
    name = REST
    while any(field.name == name for field in fields):
        name += "_"
    pair = nodes.Record((nodes.Field("key", nodes.STRING), nodes.Field("value", made.type)), None)
    fields.append(nodes.Field(name, nodes.List(pair), rewriter.profile.complete, None, True))
    return SentType(nodes.Record(tuple(fields), None), _make_codec(entries, name, made.codec))


def _rewrite_field(
    rewriter: Rewriter, field: nodes.Field, sent: str, at: TypePlace
) -> tuple[nodes.Field, FieldCodec]:
    """Rewrite *field* under the name *sent*, and build the codec of its values."""
    profile = rewriter.profile
    if profile.complete and not field.required:
        return _make_required(rewriter, field, sent, at)
    t = field.type
    hides = not at.exact and field.default is None and is_shown_without_null(field)
    made = rewriter.rewrite(strip_null(t) if hides else t, at)
    default = None if field.default is None else _encode_default(rewriter, field, made)
    if field.default is not None and not (default and profile.defaults):
        made = _describe_default(rewriter, made, default or field.default, at)
        default = None
    entry = FieldCodec(field.name, sent, made.codec, hides=hides)
    return nodes.Field(sent, made.type, field.required, default, True), entry


def _make_required(
    rewriter: Rewriter, field: nodes.Field, sent: str, at: TypePlace
) -> tuple[nodes.Field, FieldCodec]:
    """Make an optional field required: null represents its absence."""
    made = rewriter.rewrite(field.type, at)
    default = field.default
    if default is not None:
        words = _encode_default(rewriter, field, made) or default
        made = _describe_default(rewriter, made, words, at)
    if default is not None and made.nullable:
        rewriter.record_loss("narrowed", at.path, "absence, which is not null", "the default")
        entry = FieldCodec(field.name, sent, made.codec, filled=(default,))
        return nodes.Field(sent, made.type, True, None, True), entry
    rewriter.record_loss("rewritten", at.path, "an optional field", "a nullable one")
    # A null that is sent is never read by the codec, which has a form of its own for null values.
    made = made.allow_null()._replace(codec=made.codec)
    entry = FieldCodec(field.name, sent, made.codec, drops=True, adds=True)
    return nodes.Field(sent, made.type, True, None, True), entry


def _describe_default(
    rewriter: Rewriter, made: SentType, default: Const, at: TypePlace
) -> SentType:
    """Append a *default* value to the description of the rewritten type *made*."""
    rewriter.record_loss("omitted", at.path, "the default", "its description")
    return made.append_description(replace_surrogates(describe_default(default)))


#: The kinds of constants that have no parts, and no other form where they are sent unchanged.
_SCALARS: tuple[ConstKind, ...] = ("bool", "int", "float", "string", "nil")


def _encode_default(rewriter: Rewriter, field: nodes.Field, made: SentType) -> Const | None:
    """Encode the default of *field*, or None if it cannot be sent or is not yet known."""
    assert field.default is not None
    is_final = made.codec is None and not field.type.flags & NAMES
    if is_final and field.default.kind in _SCALARS and is_sendable(field.default.value):
        return field.default
    kept = [
        name for name in find_used_names(rewriter.names, [field.type]) if rewriter.is_kept(name)
    ]
    if any(rewriter.get_definition(name) is None for name in sorted(kept)):
        # It is a default within the definition of its own type.
        return None
    sent = encode_value(made.codec, field.default.thaw())
    return to_const(sent) if is_sendable(sent) else None
