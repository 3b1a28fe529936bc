"""Gram: reading, writing, losses, and the messages for mistakes."""

from __future__ import annotations

import pickle
import subprocess
import sys
import time
from typing import Any, get_args

import pytest

import typesig
from typesig import TypesigError
from typesig.algebra.constructors import make_enum, make_field, make_maybe, record
from typesig.algebra.nodes import INT, STRING, List, Maybe, Scalar, Type
from typesig.algebra.rows.names import has_positional_name, make_positional_name
from typesig.algebra.rows.scalars import SCALARS, ScalarRow
from typesig.algebra.rows.values import ConstKind
from typesig.algebra.signature import Signature
from typesig.errors import SignatureSyntaxError, TooDeep, TooLarge, Unsupported
from typesig.limits import MAX_DEPTH, MAX_INLINED, MAX_TEXT
from typesig.notations import NOTATIONS, convert
from typesig.notations.gram.remedies import GUESSES, MISTAKES
from typesig.notations.gram.widening import CONST_TYPES
from typesig.notations.gram.writer import CODES, SPELLINGS, WiderLabel
from typesig.relations import is_subtype

# spellings that are read but written differently


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("(name:Text)-->Text", "(name: Text) --> Text"),
        ("( name : Text , age : Maybe Int )\n-->\tIO Text", "(name: Text, age: Maybe Int) --> IO Text"),
        ("\r\n() --> Text\n", "() --> Text"),
        ("(a: String, b: Integer, c: Number, d: Boolean) --> Object", "(a: Text, b: Int, c: Double, d: Bool) --> Object"),
        ("(a: (Int)) --> (Text)", "(a: Int) --> Text"),
        ("(a: ((Int))) --> IO ((Text))", "(a: Int) --> IO Text"),
        ("((Int)) --> Text", "(Int) --> Text"),
        ("(a: Maybe (Maybe Int)) --> Text", "(a: Maybe Int) --> Text"),
        ("(a: Maybe Maybe Maybe Int) --> Text", "(a: Maybe Int) --> Text"),
        ("(a: [(Maybe (Int))]) --> Text", "(a: [Maybe Int]) --> Text"),
        ("(arg1: Text, arg2: Int) --> Text", "(Text, Int) --> Text"),
        ('("arg1": Text) --> Text', "(Text) --> Text"),
        ('("name": Text) --> Text', "(name: Text) --> Text"),
        ('(a: {"b": Int}) --> Text', "(a: {b: Int}) --> Text"),
        ("Maybe (Int)", "() --> Maybe Int"),
        ("[Int]", "() --> [Int]"),
        ("IO Int", "() --> IO Int"),
        ("(a: {IO: Int})-->Text", "(a: {IO: Int}) --> Text"),
    ],
)  # fmt: skip
def test_other_spellings_are_read(text: str, meant: str) -> None:
    s = typesig.parse(text, "gram")

    assert typesig.parse(meant, "gram") == s
    assert meant == s.render("gram")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("(name::Text)-->(::Int)", "(name::String)==>(::Integer)"),
        ("( name :: Double )~~>( :: Bool )", "(name::Number)==>(::Boolean)"),
        ("()-->(::String)", "()==>(::String)"),
        ("()~~>(::String)", "()==>(::String)"),
        ("(a::Int)-->(b::Int)==>(c::Int)~~>(::Int)", "(a::Integer)==>(b::Integer)==>(c::Integer)==>(::Integer)"),
        ("(a::Int {})==>(::Int {})", "(a::Integer)==>(::Integer)"),
        ('(a::Int{"default":1})==>(::Int)', "(a::Integer {default:1})==>(::Integer)"),
        ('(a::Object {default: {b: 1, "c": [ ]}})==>(::Int)', '(a::Object {default:{"b":1,"c":[]}})==>(::Integer)'),
        ("(arg1::Int)==>(::Int)", "(::Integer)==>(::Integer)"),
        ("(::Int)", "()==>(::Integer)"),
    ],
)  # fmt: skip
def test_other_spellings_of_the_path_form_are_read_by_the_same_parser(
    text: str, meant: str
) -> None:
    s = typesig.parse(text, "gram")

    assert typesig.parse(meant, "gram_path") == s
    assert meant == s.render("gram_path")


@pytest.mark.parametrize(
    ("gram", "shorthand"),
    [
        ("(name: Text, age: Maybe Int) --> IO Text", "(name :string, age :int?) -> :string"),
        ("(Text, Maybe Int) --> Text", "(arg1 :string, arg2 :int?) -> :string"),
        ("(a: {b: Maybe Int}) --> [Maybe Int]", "(a {b :int?}) -> [:int?]"),
        ("(a: Any) --> Any", "(a :any) -> :any"),
        ("(a: {}) --> Object", "(a {}) -> :map"),
        ('("a-b": Int, a_b: Int) --> Maybe Text', '("a-b" :int, a_b :int) -> :string?'),
        ('(name::String {default:"world"})==>(::String)', '(name :string = "world") -> :string'),
        ("(a::Integer {default:null})==>(::Array)", "(a :int?) -> [:any]"),
        ("(::Any)==>(b::Object)==>(::Any)", "(arg1 :any, b :map) -> :any"),
    ],
)
def test_gram_means_what_shorthand_means(gram: str, shorthand: str) -> None:
    assert typesig.parse(shorthand) == typesig.parse(gram, "gram")


def test_only_text_is_gram() -> None:
    with pytest.raises(TypesigError) as caught:
        typesig.parse(["a"], "gram")

    assert "gram is text such as '(id: Int) --> IO Bool', not list" == str(caught.value)


# the mark of an effect


def test_an_effect_is_kept_but_does_not_count_for_equality() -> None:
    effect = typesig.parse("(a: Int) --> IO Text", "gram")
    plain = typesig.parse("(a: Int) --> Text", "gram")

    assert (True, False) == (effect.io, plain.io)
    assert effect == plain
    assert "(a: Int) --> IO Text" == effect.render("gram")
    assert "(a: Int) --> Text" == plain.render("gram")
    assert pickle.loads(pickle.dumps(effect)).io


def test_an_effect_is_left_out_of_the_path_form() -> None:
    effect = typesig.parse("(a: Int) --> IO Text", "gram")

    assert ("(a::Integer)==>(::String)", ()) == convert(effect, "gram_path")


# parameters without a name


def test_a_parameter_without_a_name_is_named_by_its_place() -> None:
    s = typesig.parse("(Text, Maybe Int) --> Text", "gram")

    assert ["arg1", "arg2"] == [param.name for param in s.params]
    assert all(has_positional_name(param, place) for place, param in enumerate(s.params, 1))
    assert {"arg1": "a"} == s.validate_input({"arg1": "a"}).value


def test_the_positional_name_of_another_place_is_an_ordinary_name() -> None:
    assert not has_positional_name(make_field("arg2", INT), 1)
    assert has_positional_name(make_field(make_positional_name(2), INT), 2)
    assert "(arg2: Int) --> Int" == typesig.render("(arg2 :int) -> :int", "gram")


def test_a_parameter_called_by_its_place_is_written_without_a_name() -> None:
    s = typesig.parse("(arg1 :int) -> :int")

    assert ("(Int) --> Int", ()) == convert(s, "gram")
    assert s == typesig.parse("(Int) --> Int", "gram")


# types that gram cannot express


def test_every_scalar_has_a_spelling_or_a_wider_type() -> None:
    assert set(SCALARS) == set(SPELLINGS)
    assert set(get_args(ConstKind)) == set(CONST_TYPES)


@pytest.mark.parametrize(("form", "written"), [("gram", "[Text]"), ("gram_path", "(::String)")])
def test_a_scalar_that_gram_cannot_express_is_refused_or_widened(
    form: str, written: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    row: Any = ScalarRow("ticket", frozenset({"string"}))  # type: ignore[arg-type]
    monkeypatch.setitem(SCALARS, row.name, row)
    monkeypatch.setitem(SPELLINGS, row.name, WiderLabel(STRING, "gram has no tickets"))
    t: Type = Scalar(row.name)
    t = List(t) if form == "gram" else t
    with pytest.raises(Unsupported, match=":ticket: gram has no tickets"):
        typesig.render(t, form)

    assert written == typesig.render(t, form, lossy=True)
    assert NOTATIONS[form].expressible(Signature((), t)) == typesig.parse(written, form)


def taken(s: Signature) -> Signature:
    """Return the record of the arguments of *s* as a type of its own."""
    return Signature((), s.arguments, s.definitions)


LOSSES = [
    # shorthand, gram, the losses
    ("(a :keyword) -> :string", "(a: Any) --> Text", ["params.a: :keyword: gram has no keywords; use a text; became Any"]),
    ("(a :int = 5) -> :int", "(a: Maybe Int) --> Int", ["params.a: the default 5: gram has defaults only in its path form, gram_path; use :T?; became Maybe Int"]),
    ("(a :int? = 5) -> :int", "(a: Maybe Int) --> Int", ["params.a: the default 5: gram has defaults only in its path form, gram_path; use :T?; became Maybe Int"]),
    ("(a :keyword = :b) -> :int", "(a: Maybe Any) --> Int", ['params.a: the default "b": gram has defaults only in its path form, gram_path; use :T?; became Maybe Any', "params.a: :keyword: gram has no keywords; use a text; became Any"]),
    ('(a :int "the first") -> :int "the sum"', "(a: Int) --> Int", ['params.a: description "the first": gram has no descriptions; became nothing', 'returns: description "the sum": gram has no descriptions; became nothing']),
    ('[:int|(:string "b")]', "() --> [Any]", ["returns.items: a union: gram has no unions; use one type, or Maybe for null; became Any", 'returns.items: description "b": gram has no descriptions; became nothing']),
    ("{a :int}!|{b :int}", "() --> {}", ["returns: a union: gram has no unions; use one type, or Maybe for null; became {}"]),
    ("{a :int, b :int}|{a :float, c :int}", "() --> {a: Double}", ["returns: a union: gram has no unions; use one type, or Maybe for null; became {a: Double}"]),
    ("{a :int}|{a? :int}", "() --> {a: Maybe Int}", ["returns: a union: gram has no unions; use one type, or Maybe for null; became {a: Maybe Int}"]),
    ("{a :int}|:map", "() --> Object", ["returns: a union: gram has no unions; use one type, or Maybe for null; became Object"]),
    ("[:int]|[:float]", "() --> [Double]", ["returns: a union: gram has no unions; use one type, or Maybe for null; became [Double]"]),
    ("[:int?, :string]", "() --> [Any]", ["returns: a tuple: gram has no tuples; use a record, or a list of one type; became [Any]"]),
    ("[:int?, :float]", "() --> [Maybe Double]", ["returns: a tuple: gram has no tuples; use a record, or a list of one type; became [Maybe Double]"]),
    (":enum[1 2.5 nil]", "() --> Maybe Double", ["returns: an enum: gram has no enums; use the type of its values; became Maybe Double"]),
    (":enum[nil]", "() --> Any", ["returns: an enum: gram has no enums; use the type of its values; became Any"]),
    (":enum[true false]", "() --> Bool", ["returns: an enum: gram has no enums; use the type of its values; became Bool"]),
    (":enum[[1, 2], []]", "() --> [Any]", ["returns: an enum: gram has no enums; use the type of its values; became [Any]"]),
    (":enum[[1, 2], [nil, 3]]", "() --> [Maybe Int]", ["returns: an enum: gram has no enums; use the type of its values; became [Maybe Int]"]),
    (':enum[{"a": 1}]', "() --> Object", ["returns: an enum: gram has no enums; use the type of its values; became Object"]),
    (":enum[:a]", "() --> Any", ["returns: an enum: gram has no enums; use the type of its values; became Any"]),
    ("{a :int} & {b :int?} & {a :float}", "() --> {a: Int, b: Maybe Int}", ["returns: all of several types: gram has no intersections; use one record; became {a: Int, b: Maybe Int}"]),
    ("{a :any} & {a :int?}", "() --> {a: Maybe Int}", ["returns: all of several types: gram has no intersections; use one record; became {a: Maybe Int}"]),
    ("{a :int?} & {a :float?}", "() --> {a: Maybe Int}", ["returns: all of several types: gram has no intersections; use one record; became {a: Maybe Int}"]),
    (':map & {a :int}', "() --> {a: Int}", ["returns: all of several types: gram has no intersections; use one record; became {a: Int}"]),
    ("[{a :int}] & [{b :int}]", "() --> [{a: Int, b: Int}]", ["returns: all of several types: gram has no intersections; use one record; became [{a: Int, b: Int}]"]),
    ("{a :int}? & {b :int}?", "() --> Maybe {a: Int, b: Int}", ["returns: all of several types: gram has no intersections; use one record; became Maybe {a: Int, b: Int}"]),
    ("{a :int}? & {b :int}", "() --> {a: Int, b: Int}", ["returns: all of several types: gram has no intersections; use one record; became {a: Int, b: Int}"]),
    (":int & :string", "() --> Int", ["returns: all of several types: gram has no intersections; use one record; became Int"]),
    ('{user-id :int, "user_id" :int} & {x :int}', '() --> {user-id: Int, "user_id": Int, x: Int}', ["returns: all of several types: gram has no intersections; use one record; became " + '{user-id: Int, "user_id": Int, x: Int}']),
    ('{x :int} & {user-id :int, "user_id" :int}', "() --> {x: Int}", ["returns: all of several types: gram has no intersections; use one record; became {x: Int}"]),
    ('{user-id :int, "user_id" :int}|{user-id :int}', "() --> {}", ["returns: a union: gram has no unions; use one type, or Maybe for null; became {}"]),
    ("(a :A) -> :A where A = {b :B}, B = [:int]", "(a: {b: [Int]}) --> {b: [Int]}", [
        f"{at}{more}: a named type: gram has no names for types; write the type in its place; became {became}"
        for at in ("params.a", "returns") for more, became in (("", "{b: [Int]}"), (".b", "[Int]"))
    ]),
    (":T where T = :map[:T :int]?", "() --> Maybe Any", ["returns: a named type: gram has no names for types; write the type in its place; became Maybe Any", "returns: a map of one type: gram's Object may have any values; use :map, or a record; became Any"]),
    (":map[:K :int] where K = (:string[1..]|:L) & :any, L = :one[:enum[\"a\"], (:string \"k\")]", "() --> Object", [
        "returns: a map of one type: gram's Object may have any values; use :map, or a record; became Object",
        'definitions.L: description "k": gram has no descriptions; became nothing',
    ]),
    (":map[:string? :int]", "() --> Any", ["returns: a map of one type: gram's Object may have any values; use :map, or a record; became Any"]),
    ("() -> :int where T = :string", "() --> Int", ["definitions.T: a named type: nothing uses it; became nothing"]),
    (":T where T = [:T]", "() --> [[Any]]", [
        "returns: a named type: gram has no names for types; write the type in its place; became [[Any]]",
        "returns.items: a named type: gram has no names for types; write the type in its place; became [Any]",
    ]),
    (":T where T = {t :T?}|:int", "() --> Any", ["returns: a named type: gram has no names for types; write the type in its place; became Any", "returns: a union: gram has no unions; use one type, or Maybe for null; became Any"]),
    ('{a :int, ** (:int "b")}', "() --> {a: Int}", ["returns: a type of undeclared names: gram's records may have any other names; leave out the **; became an open record", 'returns: description "b": gram has no descriptions; became nothing']),
    ("{a :int, /^x/ :int}!", "() --> {a: Int}", ["returns: a closed record: gram's records are open; leave out the !; became an open record", "returns: names that match a pattern: gram has no patterns; leave them out; became an open record"]),
    ('(a :int, ** (:int "b")) -> :int', "(a: Int) --> Int", ["params.**: a type of other arguments: gram has no form for it; leave out the **; became open parameters", 'params.**: description "b": gram has no descriptions; became nothing']),
]  # fmt: skip


@pytest.mark.parametrize(("shorthand", "gram", "lost"), LOSSES)
def test_a_type_that_gram_cannot_express_is_widened_with_a_loss(
    shorthand: str, gram: str, lost: list[str]
) -> None:
    s = typesig.parse(shorthand)
    text, losses = convert(s, "gram")
    back = typesig.parse(text, "gram")

    assert gram == text
    assert lost == [str(loss) for loss in losses]
    assert is_subtype(s, back) is not False
    assert is_subtype(taken(s), taken(back)) is not False


PATH_LOSSES = [
    ("(a :int|:nil) -> :int", "(a::Integer {default:null})==>(::Integer)", ["params.a: a name that may be null, not absent: a default of null means both; use :T?; became Integer {default:null}"]),
    ("(a? :int) -> :int", "(a::Integer {default:null})==>(::Integer)", ["params.a: a name that may be absent, not null: a default of null means both; use :T?; became Integer {default:null}"]),
    ("(a :int? = 5) -> :int", "(a::Integer {default:null})==>(::Integer)", ["params.a: the default 5: a default of null means that it may be null; use :T?; became Integer {default:null}"]),
    ("(a :any = nil) -> :int", "(a::Any {default:null})==>(::Integer)", ["params.a: :any: gram has no type of everything; name a type; became Any {default:null}", "params.a: the default null: a default of null means that it may be null; use :T?; became Any {default:null}"]),
    ("(a :keyword = :b) -> :int", '(a::Any {default:"b"})==>(::Integer)', ['params.a: :keyword: gram has no keywords; use a text; became Any {default:"b"}', 'params.a: the default "b": JSON has no keywords; use a text; became Any {default:"b"}']),
    ("(a [:int]?) -> {b :int}?", "(a::Array {default:null})==>(::Any)", ["params.a: a list of one type: the path form has only Array; write the other form; became Array {default:null}", "returns: a result that may be null: the path form has this only for parameters; became Any"]),
    ('(a :int "n") -> [(:any "b")]', "(a::Integer)==>(::Array)", ['params.a: description "n": gram has no descriptions; became nothing', 'returns: description "b": gram has no descriptions; became nothing']),
    ("(a :enum[1 nil]) -> :enum[[1]]", "(a::Integer {default:null})==>(::Array)", ["params.a: an enum: gram has no enums; use the type of its values; became Integer {default:null}", "params.a: a name that may be null, not absent: a default of null means both; use :T?; became Integer {default:null}", "returns: an enum: gram has no enums; use the type of its values; became Array"]),
    ("(a :map[:enum[\"a\"] :int])! -> :map[:int :int]", "(a::Object)==>(::Any)", ["params.a: a map of one type: gram's Object may have any values; use :map, or a record; became Object", "params: closed parameters: gram's parameters are open; leave out the !; became open parameters", "returns: a map of one type: gram's Object may have any values; use :map, or a record; became Any"]),
    ("() -> :A where A = :one[:B, :B], B = {a :A}", "()==>(::Object)", ["returns: a named type: gram has no names for types; write the type in its place; became Object"]),
]  # fmt: skip


@pytest.mark.parametrize(("shorthand", "gram", "lost"), PATH_LOSSES)
def test_a_type_that_the_path_form_cannot_express_is_widened_with_a_loss(
    shorthand: str, gram: str, lost: list[str]
) -> None:
    s = typesig.parse(shorthand)
    text, losses = convert(s, "gram_path")
    back = typesig.parse(text, "gram")

    assert gram == text
    assert lost == [str(loss) for loss in losses]
    assert is_subtype(s, back) is not False
    assert is_subtype(taken(s), taken(back)) is not False


def test_a_title_is_omitted_with_a_loss() -> None:
    s = typesig.from_json_schema({"type": "integer", "title": "Count"})

    assert ['returns: title "Count": gram has no titles; became nothing'] == [
        str(loss) for loss in convert(s, "gram")[1]
    ]
    assert "Int" == typesig.render(s.returns, "gram")


def test_the_value_in_a_loss_is_shortened() -> None:
    s = Signature([make_field("a", STRING, default="x" * 100)], INT)
    (loss,) = convert(s, "gram")[1]

    assert f'the default "{"x" * 58}…' == loss.what


def test_a_refusal_has_place_shape_and_remedy() -> None:
    with pytest.raises(Unsupported) as caught:
        typesig.render("(a {b [#{:int}]}) -> :int", "gram")

    assert ("params", "a", "b", "items") == caught.value.path
    assert "params.a.b.items: a set: gram has no sets; use a list" == str(caught.value)


def test_omitted_descriptions_do_not_raise() -> None:
    assert "(a: Int) --> Int" == typesig.render('(a :int "n") -> :int "r"', "gram")


def test_named_types_are_written_in_place_up_to_a_size() -> None:
    names = [f"N{n}" for n in range(30)]
    refs = ", ".join(f"{name.lower()} :{name}" for name in names)
    text = "() -> :N0 where " + ", ".join(f"{name} = {{{refs}}}" for name in names)
    s = typesig.parse(text)
    started = time.process_time()
    written = typesig.render(s, "gram", lossy=True)
    back = typesig.parse(written, "gram")

    assert 1_000 < len(written) < 2 * MAX_INLINED
    assert NOTATIONS["gram"].expressible(s) == back
    assert time.process_time() - started < 60


def test_named_types_that_nest_too_deep_are_widened() -> None:
    count = 3 * MAX_DEPTH
    chain = ", ".join(f"N{n} = [:N{n + 1}]" for n in range(count)) + f", N{count} = :int"
    s = typesig.parse(f"() -> :N0 where {chain}")
    text = typesig.render(s, "gram", lossy=True)

    assert typesig.parse(text, "gram").returns.depth <= MAX_DEPTH
    assert "[Any]" in text


def test_names_that_lead_to_names_are_followed_only_so_far() -> None:
    deep = ":N{0}"
    for _ in range(20):
        deep = f"({deep}|:string) & :any"
    chain = ", ".join(f"N{n} = {deep.format(n + 1)}" for n in range(60)) + ", N60 = :int"
    s = typesig.parse(f"(a :map[:N0 :int]) -> :N0 where {chain}")

    for form in ("gram", "gram_path"):
        text = typesig.render(s, form, lossy=True)

        assert NOTATIONS[form].expressible(s) == typesig.parse(text, form)


def test_a_type_that_a_maybe_would_make_too_deep_is_widened() -> None:
    t = INT
    for _ in range(MAX_DEPTH - 2):
        t = record([make_field("a", t, required=False)])
    text, losses = convert(Signature((), t), "gram")

    assert typesig.parse(text, "gram").returns.depth <= MAX_DEPTH
    assert "a type that nests deeper: it would be too deep to be read back" in str(losses[-1])


def test_nested_values_that_are_too_deep_are_widened() -> None:
    value: Any = 1
    for _ in range(MAX_DEPTH - 4):
        value = [value, None]
    text = typesig.render(Signature((), List(make_enum([value]))), "gram", lossy=True)

    assert "() --> [[Any]]" == text


def test_the_deepest_type_is_written_and_read() -> None:
    t = INT
    while t.depth < MAX_DEPTH:
        t = List(t)
    text = typesig.render(Signature((), t), "gram")

    assert t == typesig.parse(text, "gram").returns


# mistakes

ERRORS = [
    # text, code, column, width, remedy
    ("", "invalid_syntax", 1, 1, "an empty text is not a signature; write () --> Text"),
    (" \n ", "invalid_syntax", 1, 1, "an empty text is not a signature; write () --> Text"),
    # invalid syntax
    ("(name: Text) -> Text", "invalid_syntax", 14, 1, "the arrow is written -->"),
    ("(name: Text) => Text", "invalid_syntax", 14, 1, "the arrow is written -->"),
    ("(name: Text) → Text", "invalid_syntax", 14, 1, "the arrow is written -->"),
    ("(name: Text) ---> Text", "invalid_syntax", 14, 1, "the arrow is written -->"),
    ("(name: Text) ==> Text", "invalid_syntax", 14, 3, "the arrow is written -->; in the path form names have two colons: (name::String)==>(::String)"),
    ("(name: Text)) --> Text", "invalid_syntax", 13, 1, ") closes nothing; take it away"),
    ("() --> Text }", "invalid_syntax", 13, 1, "} closes nothing; take it away"),
    ("() --> Text Text", "invalid_syntax", 13, 4, "the signature ends before it; take the rest away"),
    ("() --> Text ==> Int", "invalid_syntax", 13, 3, "the signature ends before it; take the rest away"),
    ("() --> -> Text", "invalid_syntax", 8, 1, '"-" means nothing here'),
    ("() --> : Text", "invalid_syntax", 8, 1, ": is not allowed here; expected a name or a type such as Text"),
    ("() --> Maybe", "invalid_syntax", 13, 1, "Maybe what? write its type, as in Maybe Text"),
    ("() --> [Maybe]", "invalid_syntax", 14, 1, "Maybe what? write its type, as in Maybe Text"),
    ("(a: [Text) --> Text", "invalid_syntax", 10, 1, "a closing ] is missing before it"),
    ("(a: []) --> Text", "invalid_syntax", 6, 1, "a list of what? write [Text] for a list of texts"),
    ("(a: [Text, Int]) --> Text", "invalid_syntax", 10, 1, "a list has one type, and gram has no tuples: [Text]"),
    ("[Text Int]", "invalid_syntax", 7, 3, "Int is not allowed here; expected a closing ]"),
    ("(a: [Int", "invalid_syntax", 9, 1, "the text ends too early: a closing ] is missing"),
    ("() --> (Int, Int)", "invalid_syntax", 12, 1, "a result is one type, and gram has no tuples: write {a: Int, b: Int}"),
    ("() --> IO ()", "invalid_syntax", 12, 1, "() is not a type; gram has no type of only null; write Maybe Text"),
    ("(a: Text)<--(b: Text)", "invalid_syntax", 10, 1, "an arrow leads from the parameters to the result: -->"),
    ("#", "invalid_syntax", 1, 1, '"#" means nothing here'),
    # unknown types
    ("(name: Str) --> IO Text", "unknown_type", 8, 3, 'there is no type "Str"; write Text'),
    ("(name: text) --> Text", "unknown_type", 8, 4, 'there is no type "text"; write Text'),
    ("(name: integer) --> Text", "unknown_type", 8, 7, 'there is no type "integer"; write Int'),
    ("(name: Float) --> Text", "unknown_type", 8, 5, 'there is no type "Float"; write Double'),
    ("(name: bool) --> Text", "unknown_type", 8, 4, 'there is no type "bool"; write Bool'),
    ("(name: Array) --> Text", "unknown_type", 8, 5, 'there is no type "Array"; write [Text] for a list of texts'),
    ("(name: List Text) --> Text", "unknown_type", 8, 4, 'there is no type "List"; write [Text] for a list of texts'),
    ("(name: Map Text Int) --> Text", "unknown_type", 8, 3, 'there is no type "Map"; write {name: Text}, or Object for any map'),
    ("(name: maybe Text) --> Text", "unknown_type", 8, 5, 'there is no type "maybe"; write Maybe Text'),
    ("(name: Null) --> Text", "unknown_type", 8, 4, 'there is no type "Null"; gram has no type of only null; write Maybe Text'),
    ("(name: DateTime) --> Text", "unknown_type", 8, 8, 'there is no type "DateTime"; gram has no times; write Text'),
    ("(name: Either) --> Text", "unknown_type", 8, 6, 'there is no type "Either"; gram has no unions; write one type, or Maybe Text for a nullable one'),
    ("(name: Pair) --> Text", "unknown_type", 8, 4, 'there is no type "Pair"; gram has no tuples; write {first: Text, second: Int}'),
    ("(name: any) --> Text", "unknown_type", 8, 3, 'there is no type "any"; write Any'),
    ("(Txt) --> Text", "unknown_type", 2, 3, 'there is no type "Txt"; did you mean Text?'),
    ("(name) --> Text", "unknown_type", 2, 4, 'there is no type "name"; types begin with a capital, and a name has one: name: Text'),
    ("() --> Order", "unknown_type", 8, 5, 'there is no type "Order"; there are Text, Int, Double, Bool, Any, Object'),
    ("() --> [{a: Order}]", "unknown_type", 13, 5, 'there is no type "Order"; there are Text, Int, Double, Bool, Any, Object'),
    (f"() --> {'A' * 50}", "unknown_type", 8, 50, f'there is no type "{"A" * 29}…"; there are Text, Int, Double, Bool, Any, Object'),
    ("() --> Io Text", "unknown_type", 8, 2, 'there is no type "Io"; IO is allowed only before the result'),
    ("(a: IO Text) --> Text", "unknown_type", 5, 2, 'there is no type "IO"; IO is allowed only before the result'),
    ("() --> IO IO Text", "unknown_type", 11, 2, 'there is no type "IO"; IO is allowed only before the result'),
    ("() --> [IO Text]", "unknown_type", 9, 2, 'there is no type "IO"; IO is allowed only before the result'),
    # malformed parameter lists
    ("Text --> Int", "malformed_parameters", 6, 3, "parameters are written in parentheses: (name: Text) --> Text"),
    ("name: Text --> Int", "malformed_parameters", 5, 1, "parameters are written in parentheses: (name: Text) --> Text"),
    ("(name Text) --> Text", "malformed_parameters", 7, 4, "a colon is missing between name and type: name: Text"),
    ("(name: Text age: Int) --> Text", "malformed_parameters", 13, 3, "a comma is missing before it"),
    ("(name: , age: Int) --> Text", "malformed_parameters", 8, 1, "a type is missing after the colon, as in name: Text"),
    ("(name:) --> Text", "malformed_parameters", 7, 1, "a type is missing after the colon, as in name: Text"),
    ("(: Text) --> Text", "malformed_parameters", 2, 1, "a name is missing before the colon: name: Text"),
    ("(a: Int,) --> Text", "malformed_parameters", 9, 1, "take away the comma before it"),
    ("(,a: Int) --> Text", "malformed_parameters", 2, 1, "something is missing before the comma, or take it away"),
    ("(a: Int,,b: Int) --> Text", "malformed_parameters", 9, 1, "something is missing before the comma, or take it away"),
    ("(1name: Text) --> Text", "malformed_parameters", 2, 1, 'a name is made of a-z, 0-9, _ and -; any other is written in double quotes: "1st"'),
    ("(a.b: Text) --> Text", "malformed_parameters", 3, 1, 'a name is made of a-z, 0-9, _ and -; any other is written in double quotes: "1st"'),
    ("(ä: Text) --> Text", "malformed_parameters", 2, 1, 'a name is made of a-z, 0-9, _ and -; any other is written in double quotes: "1st"'),
    ('(name: Text = "x") --> Text', "malformed_parameters", 13, 1, 'defaults are written only in the path form: (name::String {default:"a"})==>(::String)'),
    ("(name = Text) --> Text", "malformed_parameters", 7, 1, "a type follows a colon: name: Text"),
    ("(name: Text?) --> Text", "malformed_parameters", 12, 1, "a nullable type is written Maybe Text"),
    ("(name?: Text) --> Text", "malformed_parameters", 6, 1, "an optional name is written name: Maybe Text"),
    ("(a: Text | Int) --> Text", "malformed_parameters", 10, 1, "gram has no unions; write one type, or Maybe Text for a nullable one"),
    ("(a: Text", "malformed_parameters", 9, 1, "the text ends too early: a closing ) is missing"),
    ("(a: Text,", "malformed_parameters", 10, 1, "the text ends too early: a closing ) is missing, or take away the comma"),
    ("(a: Text] --> Text", "malformed_parameters", 9, 1, "a closing ) is missing before it"),
    ("(a: Int) --> (b: Int) --> Text", "malformed_parameters", 16, 1, "parameters are written in one list: (a: Int, b: Int) --> Text"),
    ("(Int) --> (Int) --> Text", "malformed_parameters", 17, 3, "parameters are written in one list: (a: Int, b: Int) --> Text"),
    ("(a: Int, a: Text) --> Text", "malformed_parameters", 10, 1, "the name 'a' occurs twice"),
    ("(a-b: Int, a_b: Text) --> Text", "malformed_parameters", 12, 3, "'a-b' and 'a_b' are one name here, since hyphen and underscore are the same; quote one to keep it exactly"),
    ("(arg2: Int, Text) --> Text", "malformed_parameters", 2, 4, "a parameter without a name is arg2 already; give it a name"),
    ("(f: (Int) --> Int) --> Int", "malformed_parameters", 11, 3, "a function is not a value that a model can send"),
    ("(a: 'x') --> Text", "malformed_parameters", 5, 1, "texts are written in double quotes"),
    ('(a: "x") --> Text', "malformed_parameters", 5, 3, "a value is not a type; write Text, Int, Double or Bool"),
    ("(a: 5) --> Text", "malformed_parameters", 5, 1, "a value is not a type; write Text, Int, Double or Bool"),
    ('("a) --> Text', "malformed_parameters", 2, 1, "this text has no closing double quote"),
    ('("a") --> Text', "malformed_parameters", 5, 1, "a text is not a type; a name is followed by a type: name: Text"),
    ("(a: Int; b: Int) --> Text", "malformed_parameters", 8, 1, '";" means nothing here'),
    ("(a: Int, ** Int) --> Text", "malformed_parameters", 10, 1, "gram has no type of other names; take it away"),
    ("(a: ()) --> Text", "malformed_parameters", 6, 1, "() is not a type; gram has no type of only null; write Maybe Text"),
    ("((a: Int)) --> Text", "malformed_parameters", 4, 1, "one pair of parentheses is enough"),
    # invalid records
    ("(a: {Text}) --> Text", "invalid_record", 10, 1, "a field has a name and a type: {name: Text}"),
    ("(a: {Text, b: Int}) --> Text", "invalid_record", 10, 1, "a field has a name and a type: {name: Text}"),
    ("(a: {b Int}) --> Text", "invalid_record", 8, 3, "a colon is missing between name and type: name: Text"),
    ("(a: {b = Int}) --> Text", "invalid_record", 8, 1, "a type follows a colon: name: Text"),
    ("(a: {b: Int = 1}) --> Text", "invalid_record", 13, 1, 'defaults are written only in the path form: (name::String {default:"a"})==>(::String)'),
    ("(a: {b: }) --> Text", "invalid_record", 9, 1, "a type is missing after the colon, as in name: Text"),
    ("(a: {b: Int,}) --> Text", "invalid_record", 13, 1, "take away the comma before it"),
    ("(a: {b: Int c: Int}) --> Text", "invalid_record", 13, 1, "a comma is missing before it"),
    ("(a: {b: Int) --> Text", "invalid_record", 12, 1, "a closing } is missing before it"),
    ("(a: {b: Int}!) --> Text", "invalid_record", 13, 1, "gram has no closed records; take away the !"),
    ("(a: {b: Int, b: Text}) --> Text", "invalid_record", 14, 1, "the name 'b' occurs twice"),
    ("() --> {", "invalid_record", 9, 1, "the text ends too early: a closing } is missing"),
    ("{a: Int", "invalid_record", 8, 1, "the text ends too early: a closing } is missing"),
    ("{b:: Int}", "invalid_record", 3, 2, "a name has one colon here: name: Text"),
    ('{"\\x": Int}', "invalid_syntax", 2, 4, "this text has an escape that JSON does not have"),
    # missing return types
    ("()", "missing_return_type", 3, 1, "the result is missing; write --> and its type, as in --> IO Text"),
    ("(name: Text)", "missing_return_type", 13, 1, "the result is missing; write --> and its type, as in --> IO Text"),
    ("(Text)", "missing_return_type", 7, 1, "the result is missing; write --> and its type, as in --> IO Text"),
    ("(name: Text) -->", "missing_return_type", 17, 1, "the result is missing; write its type, as in --> IO Text"),
    ("() --> IO", "missing_return_type", 10, 1, "IO of what? write its type, as in IO Text"),
    ("(a: Int) Text", "missing_return_type", 10, 4, "the result is missing before it; write --> and a type, as in --> IO Text"),
    # the path form
    ("(name:String)==>(::String)", "invalid_syntax", 14, 3, "the arrow is written -->; in the path form names have two colons: (name::String)==>(::String)"),
    ("(a::Int)==>", "missing_return_type", 12, 1, "the result is missing; write its type, as in --> IO Text"),
    ("(a::Int)==>Text", "invalid_syntax", 12, 4, "in the path form the result is a node too: (::Text)"),
    ("(a::Int)==>(r::Text)", "invalid_syntax", 13, 1, "the last node is the result, which has no name: write (::Text)"),
    ("(a::Int)==>(::Text {default:1})", "invalid_syntax", 21, 7, "the last node is the result, which has no default"),
    ("(a::Int {note:1})==>(::Text)", "invalid_syntax", 10, 4, 'a node has one property, default: (name::String {default:"a"})'),
    ("(a::Int {default:1, default:2})==>(::Text)", "invalid_syntax", 21, 7, "the property default occurs twice"),
    ("(a::Int {default})==>(::Text)", "invalid_syntax", 17, 1, "a property has a value, as in {default:1}"),
    ("(a::Int {default: x})==>(::Text)", "invalid_syntax", 19, 1, "a value is JSON; a text is written in double quotes"),
    ("(a::Int {default:1)==>(::Text)", "invalid_syntax", 19, 1, "a closing } is missing before it"),
    ('(a::Object {default:{"b":1,"b":2}})==>(::Text)', "invalid_syntax", 28, 3, "the key 'b' occurs twice"),
    ("(a::Int {default:1e999})==>(::Text)", "invalid_syntax", 18, 5, "this number is too large for a float"),
    (f"(a::Int {{default:{'1' * 500}}})==>(::Text)", "invalid_syntax", 18, 500, "a number may have 400 characters"),
    ("(a::Foo)==>(::Text)", "unknown_type", 5, 3, 'there is no label "Foo"; there are Any, Bool, Boolean, Double, Int, Integer, Number, Object, String, Text, Array'),
    ("(a::List)==>(::Text)", "unknown_type", 5, 4, 'there is no label "List"; write Array'),
    ("(a::Maybe)==>(::Text)", "unknown_type", 5, 5, 'there is no label "Maybe"; a nullable parameter has a default: (name::String {default:null})'),
    ("(a::str)==>(::Text)", "unknown_type", 5, 3, 'there is no label "str"; write Text'),
    ("(a::[Text])==>(::Text)", "malformed_parameters", 5, 1, "a label is one word: a list is Array, a record is Object"),
    ("(a::Int)==>(a::Int)==>(::Text)", "malformed_parameters", 13, 1, "the name 'a' occurs twice"),
    ("(arg2::Int)==>(::Int)==>(::Text)", "malformed_parameters", 2, 4, "a parameter without a name is arg2 already; give it a name"),
    ('(a::Int {default:"x"})==>(::Int)', "invalid_syntax", 10, 7, 'the default of a does not fit its type: expected int, got string "x"; correct it, or leave it out'),
    ("(a: Int) --> (b: Int) -->", "missing_return_type", 26, 1, "the result is missing; write its type, as in --> IO Text"),
    ("(a: Int) --> Int -->", "missing_return_type", 21, 1, "the result is missing; write its type, as in --> IO Text"),
    ("Int --> Int -->", "missing_return_type", 16, 1, "the result is missing; write its type, as in --> IO Text"),
    ("(a::Int)==>(b::Int)~~>", "missing_return_type", 23, 1, "the result is missing; write its type, as in --> IO Text"),
    ("(name)==>(::String)", "unknown_type", 2, 4, 'there is no type "name"; types begin with a capital, and a name has one: name: Text'),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "column", "width", "remedy"), ERRORS)
def test_a_mistake_has_code_place_and_remedy(
    text: str, code: str, column: int, width: int, remedy: str
) -> None:
    with pytest.raises(SignatureSyntaxError) as caught:
        typesig.parse(text, "gram")
    error = caught.value

    assert (code, 1, column, width, remedy) == (
        error.code, error.line, error.column, error.width, error.message,
    )  # fmt: skip
    assert text.split("\n")[0] == error.text


def test_every_code_is_that_of_some_mistake() -> None:
    assert set(CODES) == {code for _, code, *_ in ERRORS}


def test_a_mistake_is_shown_with_its_line_and_a_caret() -> None:
    with pytest.raises(SignatureSyntaxError) as caught:
        typesig.parse("(name: Text,\n age: Strng)\n--> IO Text", "gram")

    assert (
        "cannot parse this signature, line 2 column 7\n"
        "   age: Strng)\n"
        "        ^^^^^\n"
        '  there is no type "Strng"; did you mean String?'
    ) == str(caught.value)


def test_a_mistake_keeps_its_code_when_pickled_and_shorthand_has_one_too() -> None:
    with pytest.raises(SignatureSyntaxError) as caught:
        typesig.parse("(name: Str) --> Text", "gram")
    with pytest.raises(SignatureSyntaxError) as other:
        typesig.parse("(name :str) -> :string")

    assert "unknown_type" == pickle.loads(pickle.dumps(caught.value)).code
    assert "invalid_syntax" == other.value.code


@pytest.mark.parametrize("word", GUESSES)
def test_every_guessed_name_has_its_remedy(word: str) -> None:
    with pytest.raises(SignatureSyntaxError) as caught:
        typesig.parse(f"(a: {word}) --> Text", "gram")

    assert caught.value.message == f'there is no type "{word}"; {GUESSES[word]}'


def test_every_row_of_mistakes_is_the_remedy_of_some_text() -> None:
    told = {remedy for *_, remedy in ERRORS}
    told |= {remedy for *_, remedy in MORE}

    assert set() == {row.remedy for row in MISTAKES} - told


MORE = [
    ("()==>(a::Int)==>(::Text)", "() stands for no parameters: the result follows it, and that ends the text"),
    ("(a: Int, ()) --> Text", "a type is missing: write Text, or () before an arrow"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "remedy"), MORE)
def test_other_mistakes_have_remedies(text: str, remedy: str) -> None:
    with pytest.raises(SignatureSyntaxError) as caught:
        typesig.parse(text, "gram")

    assert remedy == caught.value.message


# bounds

HOSTILE = {
    "brackets": "[" * 25_000,
    "parentheses": "(" * 25_000,
    "braces": "{a: " * 15_000,
    "maybes": "Maybe " * 10_000,
    "maybes, and a type": "Maybe " * 10_000 + "Int",
    "escaped quotes": '"' + '\\"' * 30_000,
    "quotes": '"' * 60_000,
    "commas": "(" + "," * 50_000,
    "colons": ":" * 50_000,
    "hyphens": "a" + "-" * 50_000,
    "arrows": "-->" * 20_000,
    "words": "a " * 30_000,
    "one name again and again": "(" + ", ".join(["a: Int"] * 6_250) + ") --> Int",
    "many names, one twice": "(" + ", ".join(f"a{n}: Int" for n in range(3_750)) + ", a0: Int) --> Int",
    "many parameters": "(" + ", ".join(["Int"] * 7_500) + ") --> Int",
    "nodes": "==>".join(["(::Int)"] * 5_000),
    "values": "(a::Array {default:" + "[" * 25_000,
    "nested values": "(a::Array {default:" + "[" * 200 + "]" * 200 + "})==>(::Int)",
    "digits": "(a::Int {default:" + "1" * 50_000 + "})==>(::Int)",
    "control characters": "(" + "\x00" * 50_000,
    "blanks": " " * 60_000 + "Int",
    "blanks, and no type": "(" + " " * 60_000,
    "lines": "\n" * 60_000,
    "too long": "a" * (MAX_TEXT + 1),
}  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_ends_soon_in_the_right_error(text: str) -> None:
    started = time.process_time()
    try:
        typesig.parse(text, "gram")
    except (SignatureSyntaxError, TooDeep, TooLarge):
        pass

    assert time.process_time() - started < 60


def test_text_that_nests_too_deep_or_is_too_long_is_refused() -> None:
    with pytest.raises(TooDeep, match="a type may nest 128 levels, this text has more brackets"):
        typesig.parse("[" * 300 + "Int" + "]" * 300, "gram")
    with pytest.raises(TooDeep):
        typesig.parse("[" * 200 + "Int" + "]" * 200, "gram")
    with pytest.raises(TooLarge, match=f"a signature may have {MAX_TEXT} characters"):
        typesig.parse("Int" + " " * MAX_TEXT, "gram")


def test_parentheses_around_a_type_do_not_count_as_depth() -> None:
    assert INT == typesig.parse("() --> " + "(" * 200 + "Int" + ")" * 200, "gram").returns


def test_quoted_brackets_do_not_count_as_depth() -> None:
    name = "[" * 1000

    assert name == typesig.parse(f'("{name}": Int) --> Int', "gram").params[0].name


# the grammar


@pytest.mark.needs_process
def test_writing_gram_loads_no_parser() -> None:
    code = (
        "import sys, typesig; from typesig.algebra.nodes import INT; "
        "assert typesig.render(INT, 'gram') == 'Int'; "
        "assert typesig.render(INT, 'gram_path') == '(::Integer)'; "
        "print('typesig.notations.texts.table_reader' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "False\n" == ran.stdout


def test_a_maybe_of_a_maybe_is_one() -> None:
    assert make_maybe(INT) == typesig.parse("Maybe Maybe Int", "gram").returns
    assert isinstance(typesig.parse("Maybe Int", "gram").returns, Maybe)
