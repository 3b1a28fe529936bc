"""Laws of projections, on generated types and values.

What is sent is judged by `jsonschema`; what comes back is compared with what was sent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import LAW, conforming, hostile, near_misses, signatures
from tests.judge import CHECKER, JUDGE
from tests.providers_page import columns
from typesig.algebra.nodes import ANY, Field, Record, Type
from typesig.algebra.redaction import redact_types
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import allows_nil, transform
from typesig.errors import TooDeep, TooLarge
from typesig.notations.json_schema.widening import make_expressible_types
from typesig.notations.json_schema.writer import write_document as schema_of
from typesig.providers.projection.results import to_record
from typesig.providers.registry.calls import DecodingState
from typesig.providers.registry.codecs import decode_value, encode_value
from typesig.providers.registry.vendor import Profile
from typesig.providers.rewriting.rewriter import TypeTester
from typesig.providers.rewriting.shape_rewriter import RewrittenDocument, rewrite_document
from typesig.providers.vendors.registry import find_vendor
from typesig.validation.plain_data import to_plain

PROFILES: list[Profile] = [
    find_vendor(provider).profile_of(options) for _, provider, options in columns()
]

profiles = pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.title)


def _within_losses(t: Type, names: Mapping[str, Type]) -> Type:
    """Return *t* without what projections lose: undeclared keys, absence beside null."""

    def kept(field: Field) -> Field:
        if field.default is None or not allows_nil(field.type, names):
            return field
        return Field(field.name, field.type, False, None, field.exact)

    def step(part: Type) -> Type:
        if not isinstance(part, Record):
            return part
        closes = part.extra == ANY and (part.fields or part.matching)
        fields = tuple([kept(field) for field in part.fields])
        return Record(fields, None if closes else part.extra, part.matching)

    return transform(t, step)


def _types_of(signature: Signature) -> tuple[Record, dict[str, Type]]:
    """Return the arguments that a projection is made of, and their definitions."""
    t, names = redact_types(signature.arguments, signature.names)
    t, named = make_expressible_types(t, names)
    made = {name: _within_losses(each, named) for name, each in named.items()}
    root = to_record(_within_losses(t, named))
    # Undeclared arguments of a tool mean nothing.
    return Record(root.fields, None) if root.extra == ANY else root, made


def _document(profile: Profile, t: Record, names: Mapping[str, Type]) -> RewrittenDocument:
    try:
        return rewrite_document(profile, t, names, "params")
    except (TooDeep, TooLarge):
        pytest.skip("too large for a projection")


def _standard(schema: Any) -> Any:
    """Return *schema* with Gemini's `nullable` as JSON Schema has it; no name is so called."""
    if isinstance(schema, list):
        return [_standard(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: _standard(item) for key, item in schema.items() if key != "nullable"}
    return {"anyOf": [made, {"type": "null"}]} if schema.get("nullable") is True else made


def _is_plain(value: Any) -> bool:
    """Tell whether *value* is JSON that every validator judges alike."""
    if isinstance(value, dict):
        return all("\n" not in key for key in value) and all(map(_is_plain, value.values()))
    if isinstance(value, list):
        return all(map(_is_plain, value))
    if type(value) is float:
        return not value.is_integer()
    return "\n" not in str(value)


def _without_nulls(value: Any) -> Any:
    """Return *value* without fields that are null, which mean the same as absent ones."""
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


def _exactly(value: Any) -> str:
    return json.dumps(_without_nulls(value), sort_keys=True)


@profiles
@LAW
@given(data=st.data())
def test_what_is_decoded_is_what_was_encoded(profile: Profile, data: st.DataObject) -> None:
    t, names = _types_of(data.draw(signatures(titled=True)))
    made = _document(profile, t, names)
    value = to_plain(data.draw(conforming(t, names)))
    accepts = TypeTester(names).make_test(t)
    if not accepts(value):
        return
    again = decode_value(made.codec, encode_value(made.codec, value))

    assert _exactly(again) == _exactly(value)
    # A null is left out only where its field may be absent.
    assert accepts(again)


@profiles
@LAW
@given(data=st.data())
def test_a_value_under_a_near_name_is_decoded_as_that_of_the_field(
    profile: Profile, data: st.DataObject
) -> None:
    drawn, names = _types_of(data.draw(signatures(titled=True)))
    fields = [Field(f"field_{n}", each.type, each.required) for n, each in enumerate(drawn.fields)]
    t = Record(tuple(fields), None)
    made = _document(profile, t, names)
    value = to_plain(data.draw(conforming(t, names)))
    if not value or not TypeTester(names).make_test(t)(value):
        return
    key = data.draw(st.sampled_from(sorted(value)))
    near = data.draw(st.sampled_from([key.upper(), key.replace("_", "-")]))
    sent = encode_value(made.codec, value)
    if sent.get(key) is None:
        return

    def renamed(data: Any) -> Any:
        return {near if name == key else name: item for name, item in data.items()}

    how = DecodingState([], False, True)
    expected = renamed(decode_value(made.codec, sent, how))

    assert _exactly(expected) == _exactly(decode_value(made.codec, renamed(sent), how))


@profiles
@LAW
@given(data=st.data())
def test_the_schema_accepts_what_is_encoded(profile: Profile, data: st.DataObject) -> None:
    t, names = _types_of(data.draw(signatures(titled=True)))
    made = _document(profile, t, names)
    value = to_plain(data.draw(conforming(t, names)))
    if not TypeTester(names).make_test(t)(value) or not _is_plain(value):
        return
    schema = _standard(schema_of(made.type, made.names, profile.style))
    sent = encode_value(made.codec, value)

    jsonschema.Draft202012Validator.check_schema(schema)
    JUDGE(schema, format_checker=CHECKER).validate(sent)
    json.dumps(sent)


@profiles
@LAW
@given(data=st.data())
def test_decoding_raises_nothing(profile: Profile, data: st.DataObject) -> None:
    t, names = _types_of(data.draw(signatures()))
    made = _document(profile, t, names)
    value = data.draw(hostile())
    if data.draw(st.booleans()):
        sent = encode_value(made.codec, to_plain(data.draw(conforming(t, names))))
        value = data.draw(near_misses(sent))

    decode_value(made.codec, value)


@profiles
@LAW
@given(signatures(titled=True))
def test_a_projection_is_the_same_each_time(profile: Profile, signature: Signature) -> None:
    t, names = _types_of(signature)
    first, second = (_document(profile, t, names) for _ in range(2))

    assert json.dumps(schema_of(first.type, first.names, profile.style)) == json.dumps(
        schema_of(second.type, second.names, profile.style)
    )
    assert first.losses == second.losses


@profiles
@LAW
@given(data=st.data())
def test_without_losses_values_are_sent_as_they_are(profile: Profile, data: st.DataObject) -> None:
    t, names = _types_of(data.draw(signatures(titled=True)))
    made = _document(profile, t, names)
    value = to_plain(data.draw(conforming(t, names)))
    if made.losses or not TypeTester(names).make_test(t)(value):
        return

    assert _exactly(encode_value(made.codec, value)) == _exactly(value)
