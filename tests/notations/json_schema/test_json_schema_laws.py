"""Laws of JSON Schema: a schema is read back, and accepts what the type accepts."""

from __future__ import annotations

import json
from itertools import count

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import (
    LAW,
    conforming,
    fields_of,
    literals,
    lone_signatures,
    near_misses,
    signatures,
)
from tests.judge import CHECKER, JUDGE
from tests.sent import constants, is_told, plain_json, sent, whole_floats
from typesig import relations
from typesig.algebra.nodes import ANY, Field
from typesig.notations import NOTATIONS, convert
from typesig.notations.json_schema import make_expressible
from typesig.notations.json_schema.references import WITH_LIST, WITH_NAMES, WITH_SCHEMA


@LAW
@given(signatures(titled=True))
def test_a_schema_reads_back_as_what_it_can_express(s):
    pair = typesig.render(s, "json_schema", lossy=True)

    assert make_expressible(s) == typesig.parse(pair, "json_schema")


@LAW
@given(signatures(titled=True))
def test_an_expressible_type_stays_as_it_is(s):
    once = make_expressible(s)

    assert once == make_expressible(once)


@LAW
@given(signatures(titled=True))
def test_what_is_written_is_json_and_a_valid_schema(s):
    pair = typesig.render(s, "json_schema", lossy=True)
    again = json.loads(json.dumps(pair))

    assert pair == again
    for schema in (*pair.values(), s.to_json_schema(), s.input_schema()):
        jsonschema.Draft202012Validator.check_schema(schema)


@LAW
@given(st.data())
def test_a_schema_accepts_what_the_type_accepts(data):
    s = make_expressible(data.draw(lone_signatures()))
    schema = typesig.render(s.returns, "json_schema") if not s.names else None
    schema = schema or typesig.render(s, "json_schema")["output"]
    value = data.draw(st.one_of(conforming(s.returns, s.names), literals()))
    if data.draw(st.booleans()):
        value = data.draw(near_misses(value))
    if not plain_json(value) or whole_floats(constants(schema)):
        return
    judged = JUDGE(schema, format_checker=CHECKER).is_valid(value)

    assert judged == s.accepts(value)


@LAW
@given(st.data())
def test_a_part_that_is_referred_to_means_what_it_means_where_it_stands(data):
    s = make_expressible(data.draw(lone_signatures()))
    part = typesig.render(s, "json_schema")["output"]
    named = {"$defs": part.pop("$defs")} if "$defs" in part else {}
    parts = {"a": part, "b": {"$ref": "#/properties/a"}, "c": {"$ref": "#/properties/d/items"}}
    parts["d"] = {"type": "array", "items": part}
    whole = typesig.from_json_schema({"type": "object", "properties": parts, **named})
    value = data.draw(st.one_of(conforming(s.returns, s.names), literals()))
    verdict = s.accepts(value)

    assert [verdict] * 4 == [whole.accepts({k: [value] if k == "d" else value}) for k in parts]
    assert make_expressible(whole) == typesig.parse(
        typesig.render(whole, "json_schema"), "json_schema"
    )


# What fits the published schema is accepted


@LAW
@given(st.data())
def test_an_answer_that_fits_its_schema_is_accepted(data):
    s = data.draw(lone_signatures().filter(lambda s: not any(f.firewalled for f in fields_of(s))))
    exact = data.draw(st.booleans())
    schema = s.to_json_schema(exact=exact)
    value = data.draw(sent(schema))
    if not is_told(schema, value):
        return
    if exact:
        out = s.validate_and_coerce(value)
    else:
        out = typesig.contract(s).read(json.dumps(value))

    assert () == out.errors


@LAW
@given(st.data())
def test_arguments_that_fit_their_schema_are_accepted(data):
    s = data.draw(signatures().filter(lambda s: not any(f.firewalled for f in fields_of(s))))
    schema = s.input_schema(exact=data.draw(st.booleans()))
    value = data.draw(sent(schema))
    if not is_told(schema, value):
        return

    assert () == s.validate_input(value).errors


ACCEPTED = [
    (":keyword", ["", ":", ":a", "::a", "a b", "\x00", " "]),
    (":keyword[2..]", ["ab", "a:", "  "]),
    ("{kind :keyword}", [{"kind": ""}, {"kind": "::x"}]),
    (":map[:keyword :int]", [{"": 1}, {":a": 1}, {"::a": 1}]),
    (':enum[:"" :a]', ["", "a"]),
    (':enum[[:a] {"k": :b}]', [["a"], {"k": "b"}]),
    (":one[:keyword, :int]", ["", "a", 5]),
    ("#{:map}", [[], [{}], [{}, {"a": 1}], [{"a": [{}]}]]),
    ("#{{id :int}}", [[{"id": 1}, {"id": 2}]]),
    ("#{[{id :int}]}", [[[{"id": 1}], []]]),
    ("#{#{:map}}", [[[{}], []]]),
    ("#{:int|{id :int}}", [[1, {"id": 1}]]),
    ("#{:T} where T = {next :T?}", [[{}, {"next": {}}]]),
    ("#{:any}", [[1, "1", {"a": 1}, [{}], None]]),
    ("#{{id :int = 1}}", [[{}, {"id": 1}], [{}]]),
    ("[{id :int = 1}][unique]", [[{}, {"id": 1}], [{}]]),
    ("[[{id :int = 1}]][unique]", [[[{}], [{"id": 1}]]]),
    ("[:float][unique]", [[2, 2.5], [1, 2]]),
    ("[:any][unique]", [[1, True], [[1], [True]], ["1", 1]]),
    (":one[:int, :string]", [1, "1", "a"]),
    (":one[:int, :float]", [1.5]),
    (":one[:float, :string]", [1, "1", 1.5]),
    (":one[{a :int}, {b :int}]", [{"a": 1}, {"b": 1}, {"a": 1, "b": "2"}, {"a": "x", "b": 2}]),
    (":one[{a :int = 1}, {b :int}]", [{}, {"a": "x", "b": 1}]),
    (":one[#{:int}, [:int]]", [[1, 1]]),
    (":one[:datetime, :int]", ["2026-01-31T10:00:00Z", 1]),
]


@pytest.mark.parametrize(
    ("text", "value"), [(text, value) for text, values in ACCEPTED for value in values]
)
def test_what_fits_a_published_schema_is_accepted(text, value):
    s = typesig.parse(text)
    wrapped = {"items": value} if s.returns_list() else value
    pairs = [(s.to_json_schema(), wrapped), (s.to_json_schema(exact=True), value)]
    asked = typesig.Signature([Field("a", s.returns)], ANY, s.names)
    verdicts = [JUDGE(schema, format_checker=CHECKER).is_valid(sent) for schema, sent in pairs]

    assert [True, True] == verdicts
    assert () == s.validate_and_coerce(value).errors
    assert () == typesig.contract(s).read(json.dumps(wrapped)).errors
    assert () == asked.validate_input({"a": value}).errors


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("#{:any}", [1, True]),
        ("#{:keyword}", ["a", ":a"]),
        ("[:datetime][unique]", ["2026-01-31T10:00:00Z", "2026-01-31T11:00:00+01:00"]),
        (":map[:keyword :int]", {"a": 1, ":a": 1}),
        (":datetime", "2016-12-31T23:59:60Z"),
        (":map[:float :int]", {"1e999": 1}),
        (":float", 2**53 + 1),
        ("{user_id? :int}", {"userId": "x"}),
        (":not[[:not[:keyword]]]", ["a"]),
        (":one[:not[:keyword], :string]", "a"),
        (":keyword & :string", "a"),
    ],
)
def test_what_is_documented_as_refused_is_refused_though_it_fits(text, value):
    s = typesig.parse(text)
    schema = s.to_json_schema(exact=True)

    assert JUDGE(schema, format_checker=CHECKER).is_valid(value)
    assert not s.validate_and_coerce(value).ok


# Titles and descriptions

_AS_A_SCHEMA = ["items", "additionalProperties", "propertyNames", "contains", "not"]
_AS_A_SCHEMA += ["unevaluatedProperties", "if", "then", "else"]
_AS_A_LIST = ["prefixItems", "anyOf", "oneOf", "allOf"]
_BY_NAME = ["properties", "patternProperties", "dependentSchemas", "$defs"]


@st.composite
def _described(draw, depth=2, numbers=None, refers=True):
    """Draw a schema in which each schema has a title or a description of its own, or both."""
    numbers = numbers or count()
    kind = draw(st.sampled_from([None, "integer", "string", "object", "array", "null"]))
    schema = {} if kind is None else {"type": kind}
    word = draw(st.sampled_from(["title", "description", "both"]))
    for each in ["title", "description"] if word == "both" else [word]:
        schema[each] = f"{each[0].upper()}{next(numbers)}."
    schema |= {"minContains": 0} if draw(st.integers(0, 5)) == 0 else {}
    if depth == 0:
        return schema | ({"$ref": "#/$defs/a"} if refers and draw(st.booleans()) else {})
    inner = _described(depth - 1, numbers)
    for word in draw(st.lists(st.sampled_from(_AS_A_SCHEMA), max_size=2)):
        schema[word] = draw(inner)
    for word in draw(st.lists(st.sampled_from(_AS_A_LIST), max_size=1)):
        schema[word] = draw(st.lists(inner, min_size=1, max_size=2))
    for word in draw(st.lists(st.sampled_from(_BY_NAME), max_size=1)):
        schema[word] = {"a": draw(inner)}
    return schema


def _notes_of(schema, path=()):
    """Yield each title and description of *schema*, with its path."""
    pairs = schema.items() if isinstance(schema, dict) else enumerate(schema)
    for key, part in pairs:
        at = (*path, str(key))
        if key in ("title", "description"):
            yield at, part
        elif isinstance(part, dict | list):
            yield from _notes_of(part, at)


@pytest.mark.parametrize("to", NOTATIONS)
@LAW
@given(_described(), st.data())
def test_each_title_and_description_is_kept_or_reported(to, schema, data):
    target = data.draw(_described(0, count(1000), refers=False))
    schema = {**schema, "$defs": {"a": target, "unused": {"title": "U."}}}
    signature = typesig.parse(schema, "json_schema", lossy=True)
    read = signature.losses
    written, lost = convert(signature, to)
    told = " ".join([json.dumps(written, ensure_ascii=False), *map(str, lost), *map(str, read)])
    places = {loss.path for loss in read}

    for path, text in _notes_of(schema):
        is_within = any(path[:length] in places for length in range(1, len(path) + 1))
        assert text in told or is_within, (path, text)


@pytest.mark.parametrize("to", NOTATIONS)
def test_the_notes_of_undeclared_arguments_are_kept_or_reported(to):
    schema = {"type": "object", "additionalProperties": {"title": "T.", "description": "D."}}
    signature = typesig.from_json_schema(schema, {"type": "boolean"})
    written, lost = convert(signature, to)
    told = " ".join([json.dumps(written), *map(str, lost)])

    assert "T." in told
    assert "D." in told


def test_a_title_within_other_keys_is_a_loss_of_shorthand():
    schema = {"type": "object", "additionalProperties": {"type": "integer", "title": "Count"}}
    signature = typesig.from_json_schema(schema, {})

    assert ["params.**: title 'Count': shorthand has no titles; became nothing"] == [
        str(loss) for loss in convert(signature, "shorthand")[1]
    ]


def test_a_note_of_a_schema_that_is_not_used_is_a_loss():
    resources = {"https://a.example/x": {"title": "not of this document"}}
    schema = {
        "title": "All",
        "type": "array",
        "contains": {"title": "Some", "description": ""},
        "minContains": 0,
        "$defs": {"unused": {"description": "Nobody asks."}},
        "items": {"$ref": "https://a.example/x"},
    }
    signature = typesig.parse(schema, "json_schema", resources=resources)

    assert [
        (("$defs", "unused", "description"), "the description 'Nobody asks.'"),
        (("contains", "title"), "the title 'Some'"),
    ] == sorted((loss.path, loss.what) for loss in signature.losses)


#: Keywords that are annotations in JSON Schema 2020-12, and those that nobody knows.
ANNOTATIONS = {
    "contentEncoding": "quoted-printable",
    "contentMediaType": "image/png",
    "contentSchema": {"type": "integer"},
    "deprecated": True,
    "examples": [1],
    "readOnly": True,
    "writeOnly": False,
    "x-more": {"type": "integer"},
}


def annotated(schema, word):
    """Return *schema* with the annotation *word* in it and in each schema in it."""
    if not isinstance(schema, dict):
        return schema
    out = {word: ANNOTATIONS[word]} if "$ref" not in schema else {}
    for key, value in schema.items():
        if key in WITH_SCHEMA and isinstance(value, dict):
            out[key] = annotated(value, word)
        elif key in WITH_LIST and isinstance(value, list):
            out[key] = [annotated(each, word) for each in value]
        elif key in WITH_NAMES and isinstance(value, dict):
            out[key] = {name: annotated(each, word) for name, each in value.items()}
        else:
            out[key] = value
    return out


@LAW
@given(signatures(), st.sampled_from(sorted(ANNOTATIONS)))
def test_schemas_that_differ_in_annotations_only_are_equal(s, word):
    pair = typesig.render(s, "json_schema", lossy=True)
    schema = pair["output"]
    other = annotated(schema, word)
    one, again = (typesig.from_json_schema(None, each) for each in (schema, other))

    assert one == again
    assert relations.equivalent(one, again) is not False
