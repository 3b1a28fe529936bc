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
from typesig.algebra.nodes import ANY, Field
from typesig.notations import NOTATIONS, convert
from typesig.notations.json_schema import expressible
from typesig.validation.rows.coercions import REFUSED, datetime_from_string
from typesig.validation.rows.keys import near_form


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


# What fits the published schema is accepted


def _names_of(schema):
    """Return the names of all properties in *schema*."""
    if isinstance(schema, list):
        return {name for part in schema for name in _names_of(part)}
    if not isinstance(schema, dict):
        return set()
    own = schema.get("properties", {})
    return {*own, *(name for part in schema.values() for name in _names_of(part))}


def _keys_of(value):
    if isinstance(value, list):
        return {key for part in value for key in _keys_of(part)}
    if not isinstance(value, dict):
        return set()
    return {*value, *(key for part in value.values() for key in _keys_of(part))}


def _respells(schema, value):
    """Tell whether a key is another spelling of a declared name, for which it stands."""
    names = _names_of(schema)
    near = set(map(near_form, names))
    return any(key not in names and near_form(key) in near for key in _keys_of(value))


def _read(value):
    """Return a key that two values share if they may be read as the same Python value."""
    if isinstance(value, list):
        return "list", tuple(map(_read, value))
    if isinstance(value, dict):
        return "map", frozenset((_read(key), _read(item)) for key, item in value.items())
    if not isinstance(value, str):
        return value
    moment = datetime_from_string(value)
    if moment is not REFUSED:
        return moment
    try:
        return float(value)
    except ValueError:
        return value.lstrip(":")


def _has_more_in_json(value):
    """Tell whether JSON Schema tells more of *value* apart than Python does, or has more of it.

    Items, or keys, may be read as the same: 1 and true, "a" and ":a", an instant in two zones.
    A leap second is no datetime of Python.
    """
    if isinstance(value, str):
        return ":60" in value
    if not isinstance(value, list | dict):
        return False
    parts = [*value, *value.values()] if isinstance(value, dict) else value
    return len(set(map(_read, value))) < len(value) or any(map(_has_more_in_json, parts))


def _with_colons(draw, value):
    if isinstance(value, list):
        return [_with_colons(draw, item) for item in value]
    if isinstance(value, dict):
        return {key: _with_colons(draw, item) for key, item in value.items()}
    return draw(st.sampled_from(["", ":", "::"])) + value if isinstance(value, str) else value


@st.composite
def _sent(draw, schema):
    """Draw a value that *schema* accepts, or that is near to such a value.

    Integral floats are left out, by what is drawn and by `_plain_json`: for a schema they are
    integers.  So is all that the reference of JSON Schema lists as refused on input.
    """
    read = typesig.from_json_schema(schema)
    value = draw(st.one_of(conforming(read.returns, read.names), literals()))
    if draw(st.integers(0, 3)) == 0:
        value = _with_colons(draw, value)
    return draw(near_misses(value)) if draw(st.booleans()) else value


def _is_told(schema, value):
    """Tell whether *value* fits *schema*, and is not among the documented exceptions."""
    if not _plain_json(value) or _whole_floats(_constants(schema)):
        return False
    if _respells(schema, value) or _has_more_in_json(value):
        return False
    return JUDGE(schema, format_checker=CHECKER).is_valid(value)


@LAW
@given(st.data())
def test_an_answer_that_fits_its_schema_is_accepted(data):
    s = data.draw(lone_signatures().filter(lambda s: not any(f.firewalled for f in fields_of(s))))
    exact = data.draw(st.booleans())
    schema = s.to_json_schema(exact=exact)
    value = data.draw(_sent(schema))
    if not _is_told(schema, value):
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
    value = data.draw(_sent(schema))
    if not _is_told(schema, value):
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
        (":one[:one[:keyword, :string], :string]", "a"),
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
