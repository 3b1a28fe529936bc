"""Laws of JSON Schema: a schema is read back, and accepts what the type accepts."""

from __future__ import annotations

import json

import jsonschema
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW, conforming, literals, lone_signatures, near_misses, signatures
from tests.judge import CHECKER, JUDGE
from typesig.notations.json_schema import expressible


def _plain_json(value):
    """Tell whether *value* is JSON that every validator judges alike."""
    if isinstance(value, dict):
        return all(type(k) is str and "\n" not in k for k in value) and all(
            map(_plain_json, value.values())
        )
    if isinstance(value, list):
        return all(map(_plain_json, value))
    if type(value) is float:
        # For other validators an integral float is an int.
        return value - value == 0 and not value.is_integer()
    return value is None or (type(value) in (bool, int, str) and "\n" not in str(value))


@LAW
@given(signatures(titled=True))
def test_a_schema_reads_back_as_what_it_can_express(s):
    pair = typesig.render(s, "json_schema", lossy=True)

    assert expressible(s) == typesig.parse(pair, "json_schema")


@LAW
@given(signatures(titled=True))
def test_an_expressible_type_stays_as_it_is(s):
    once = expressible(s)

    assert once == expressible(once)


@LAW
@given(signatures(titled=True))
def test_what_is_written_is_json_and_a_valid_schema(s):
    pair = typesig.render(s, "json_schema", lossy=True)
    again = json.loads(json.dumps(pair))

    assert pair == again
    for schema in (*pair.values(), s.to_json_schema(), s.input_schema()):
        jsonschema.Draft202012Validator.check_schema(schema)


def _whole_floats(value):
    if isinstance(value, dict):
        return any(map(_whole_floats, value.values()))
    if isinstance(value, list):
        return any(map(_whole_floats, value))
    return type(value) is float and value.is_integer()


@LAW
@given(st.data())
def test_a_schema_accepts_what_the_type_accepts(data):
    s = expressible(data.draw(lone_signatures()))
    schema = typesig.render(s.returns, "json_schema") if not s.names else None
    schema = schema or typesig.render(s, "json_schema")["output"]
    value = data.draw(st.one_of(conforming(s.returns, s.names), literals()))
    if data.draw(st.booleans()):
        value = data.draw(near_misses(value))
    if not _plain_json(value) or _whole_floats(_constants(schema)):
        return
    judged = JUDGE(schema, format_checker=CHECKER).is_valid(value)

    assert judged == s.accepts(value)


def _constants(schema):
    if isinstance(schema, dict):
        return [
            v if k in ("const", "enum") else _constants(v)
            for k, v in schema.items()
            if isinstance(v, dict | list) or k == "const"
        ]
    return [_constants(v) for v in schema] if isinstance(schema, list) else None


@LAW
@given(st.data())
def test_a_part_that_is_referred_to_means_what_it_means_where_it_stands(data):
    s = expressible(data.draw(lone_signatures()))
    part = typesig.render(s, "json_schema")["output"]
    named = {"$defs": part.pop("$defs")} if "$defs" in part else {}
    parts = {"a": part, "b": {"$ref": "#/properties/a"}, "c": {"$ref": "#/properties/d/items"}}
    parts["d"] = {"type": "array", "items": part}
    whole = typesig.from_json_schema({"type": "object", "properties": parts, **named})
    value = data.draw(st.one_of(conforming(s.returns, s.names), literals()))
    verdict = s.accepts(value)

    assert [verdict] * 4 == [whole.accepts({k: [value] if k == "d" else value}) for k in parts]
    assert expressible(whole) == typesig.parse(typesig.render(whole, "json_schema"), "json_schema")
