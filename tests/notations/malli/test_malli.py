"""Malli: forms that are read, refused or widened, and their messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import pytest

import typesig
from typesig import TypesigError
from typesig.algebra import Keyword, Loss
from typesig.algebra.constructors import make_refined
from typesig.algebra.nodes import Scalar, Type
from typesig.algebra.rows.constraints import CONSTRAINTS, Constraint
from typesig.algebra.rows.scalars import SCALARS, ScalarRow
from typesig.algebra.rows.values import ConstKind, Kind
from typesig.errors import ExtractionError, SignatureSyntaxError, TooDeep, TooLarge, Unsupported
from typesig.limits import MAX_EDN_DEPTH, MAX_FORMS
from typesig.listings import Template
from typesig.notations import NOTATIONS, convert, parse
from typesig.notations.edn import Symbol
from typesig.notations.malli.names import CONSTRAINT_FORMS, GROUPS, SCALAR_FORMS, WHOLES
from typesig.notations.malli.parser import is_function
from typesig.notations.malli.widening import WIDER_VALUES, widen_signature


def read(source: Any) -> str:
    return typesig.render(typesig.parse(source, "malli"))


# Forms that are read but written differently, and their shorthand; each as EDN text and as data.

READ = [
    # Other names of a type.
    (":float", ":float"),
    (":time/instant", ":datetime"),
    (":time/zoned-date-time", ":datetime"),
    (":map", "{}"),
    ("[:schema :int]", ":int"),
    ("[:schema [:schema [:maybe :int]]]", ":int?"),
    # Predicates.
    ("any?", ":any"),
    ("some?", ":not[:nil]"),
    ("nil?", ":nil"),
    ("string?", ":string"),
    ("int?", ":int"),
    ("integer?", ":int"),
    ("pos-int?", ":int[>0]"),
    ("neg-int?", ":int[<0]"),
    ("nat-int?", ":int[0..]"),
    ("number?", ":float"),
    ("float?", ":float"),
    ("double?", ":float"),
    ("pos?", ":float[>0]"),
    ("neg?", ":float[<0]"),
    ("zero?", ":float[0..0]"),
    ("boolean?", ":bool"),
    ("true?", ":enum[true]"),
    ("false?", ":enum[false]"),
    ("keyword?", ":keyword"),
    ("uuid?", ":string[uuid]"),
    ("uri?", ":string[uri]"),
    ("decimal?", ":string[decimal]"),
    ("bytes?", ":string[base64]"),
    ("char?", ":string[1..1]"),
    ("inst?", ":datetime"),
    ("map?", "{}"),
    ("vector?", "[:any]"),
    ("sequential?", "[:any]"),
    ("list?", "[:any]"),
    ("seq?", "[:any]"),
    ("set?", "#{:any}"),
    ('[int? {:description "n"}]', '(:int "n")'),
    ("[:map [:id int?] [:name [:maybe string?]]]", "{id :int, name :string|:nil}"),
    # Properties.
    ("[:int {}]", ":int"),
    ("[:int nil]", ":int"),
    ("[:int {:min 1 :max 5}]", ":int[1..5]"),
    ("[:double {:min 0.5}]", ":float[0.5..]"),
    ("[:float {:max 1}]", ":float[..1]"),
    ("[:sequential {:min 1} :int]", "[:int][1..]"),
    ("[:map-of {:max 2} :string :any]", ":map[..2]"),
    ("[:map {:closed false} [:id :int]]", "{id :int}"),
    ("[:map nil [:id :int]]", "{id :int}"),
    ('[:map [:id {:description "n"} :int]]', '{id :int "n"}'),
    ('[:map [:id {:description "n"} [:int {:description "m"}]]]', '{id (:int "m") "n"}'),
    # Entries.
    ("[:map [:id {} :int]]", "{id :int}"),
    ("[:map [:id nil :int]]", "{id :int}"),
    ("[:map [:id {:optional false} :int]]", "{id :int}"),
    ("[:map [:n {:optional true :default 1} :int]]", "{n :int = 1}"),
    ("[:map [:n [:int {:default 1}]]]", "{n :int = 1}"),
    ("[:map [:n {:default 2} [:int {:default 1}]]]", "{n :int = 2}"),
    ("[:map [:n [:and {:default 1} :int [:> 0]]]]", "{n :int[>0] = 1}"),
    ("[:map [:user/id :int]]", '{"user/id" :int}'),
    ("[:map [::id :int]]", "{id :int}"),
    # Choices.
    ("[:or :int :nil]", ":int?"),
    ("[:or :int]", ":int"),
    ("[:maybe [:maybe :int]]", ":int?"),
    ("[:orn [:a :int] [:b :string]]", ":int|:string"),
    ('[:orn [:a {:description "n"} :int] [:b :string]]', '(:int "n")|:string'),
    ("[:and :int]", ":int"),
    ("[:= 1]", ":enum[1]"),
    ('[:= "a"]', ':enum["a"]'),
    ("[:= :a]", ":enum[:a]"),
    ("[:= nil]", ":enum[nil]"),
    ("[:= {} {:a 1}]", ':enum[{"a": 1}]'),
    ("[:enum nil 1]", ":enum[nil 1]"),
    ("[:enum (1 2) [1 2]]", ":enum[[1, 2]]"),
    ("[:enum 1 1 1.0]", ":enum[1 1.0]"),
    # Constraints.
    ("[:> 0]", ":float[>0]"),
    ("[:<= 1.5]", ":float[..1.5]"),
    ('[:re "^a"]', ":string[/^a/]"),
    ("[:and [:> 0] [:< 1]]", ":float[>0, <1]"),
    ("[:and [:>= 1] :int [:>= 2]]", ":int[2..]"),
    ("[:and :int [:> {} 0]]", ":int[>0]"),
    ("[:and :any [:> 0]]", ":any & :float[>0]"),
    ("[:and [:or :int :string] [:> 0]]", "(:int|:string) & :float[>0]"),
    ("[:and [:maybe :int] [:> 0]]", ":int? & :float[>0]"),
    ('[:and :any [:re "a"]]', ":any & :string[/a/]"),
    ('[:and [:string {:min 1}] [:re "a"]]', ":string[1.., /a/]"),
    ("[:and :uuid [:string {:max 40}]]", ":string[uuid] & :string[..40]"),
    # Sequences as types of lists.
    ("[:cat :string :int]", "[:string, :int]"),
    ("[:cat :string]", "[:string][1..1]"),
    ("[:cat]", "[:any][0..0]"),
    ("[:tuple :string]", "[:string][1..1]"),
    ("[:tuple]", "[:any][0..0]"),
    ("[:catn [:a :int] [:b :string]]", "[:int, :string]"),
    ('[:catn [:a {:description "n"} :int] [:b :string]]', '[(:int "n"), :string]'),
    ("[:* :int]", "[:int]"),
    ("[:+ :int]", "[:int][1..]"),
    ("[:? :int]", "[:any][0..0]|[:int][1..1]"),
    ("[:cat [:* :int]]", "[:int]"),
    ("[:cat [:+ :int]]", "[:int][1..]"),
    ("[:cat :int [:+ :string]]", "[:int, :string, ** :string]"),
    ("[:cat :int [:? :string]]", "[:int][1..1]|[:int, :string]"),
    ("[:cat :int [:? :string] [:* :boolean]]", "[:int, ** :bool]|[:int, :string, ** :bool]"),
    ("[:cat [:? :int] [:? :string]]", "[:any][0..0]|[:int][1..1]|[:string][1..1]|[:int, :string]"),
    ("[:cat [:? :int] [:* :string]]", "[:string]|[:int, ** :string]"),
    ("[:cat [:schema [:cat :int :int]] :int]", "[[:int, :int], :int]"),
    ('[:cat [:? {:description "n"} :int]]', '[:any][0..0]|[(:int "n")][1..1]'),
    # Names.
    ("[:schema {:registry {::node [:map [:next [:maybe ::node]]]}} ::node]",
     ":node where node = {next :node|:nil}"),
    ("[:schema {:registry {::node [:map [:next [:maybe [:ref ::node]]]]}} [:ref ::node]]",
     ":node where node = {next :node|:nil}"),
    ('[:schema {:registry {"A" :int}} "A"]', ":A where A = :int"),
    ('[:schema {:registry {"A" :int}} ["A" {:description "n"}]]', '(:A "n") where A = :int'),
    ("[:schema {:registry {:int :string}} [:tuple :int :keyword]]", '[:"int", :keyword] where int = :string'),
    ("[:schema {:registry {:any :int}} [:map-of :keyword :any]]", ':map[:keyword :"any"] where any = :int'),
    ("[:schema {:registry {:id :int}} [:map :id [:name :string]]]", "{id :id, name :string} where id = :int"),
    ("[:map {:registry {:id :int}} [:id]]", "{id :id} where id = :int"),
    ("[:tuple [:schema {:registry {:a :int}} :a] [:schema {:registry {:a :string}} :a]]",
     "[:a, :a2] where a = :int, a2 = :string"),
    ("[:schema {:registry {:a :int}} [:schema {:registry {:a [:vector :string]}} :a]]",
     ":a2 where a = :int, a2 = [:string]"),
    ("[:ref {:registry {:a :int}} :a]", ":a where a = :int"),
    # Functions.
    ("[:=> :cat :int]", "() -> :int"),
    ("[:=> nil [:cat nil :int] :int]", "(arg1 :int) -> :int"),
    ("[:-> :int]", "() -> :int"),
    ("[:-> :int :string :boolean]", "(arg1 :int, arg2 :string) -> :bool"),
    ("[:-> [:? :int] [:* :string] :any]", "(arg1? :int, arg2? [:string]) -> :any"),
    ("[:=> [:cat :int [:* :string]] :any]", "(arg1 :int, arg2? [:string]) -> :any"),
    ("[:=> [:cat [:+ :string]] :any]", "(arg1 [:string][1..]) -> :any"),
    ("[:=> [:cat [:? {:description \"n\"} [:int {:default 1}]]] :any]", '(arg1 :int = 1 "n") -> :any'),
    ("[:=> [:catn [:q :string] [:more [:* :int]]] :any]", "(q :string, more? [:int]) -> :any"),
    ('[:=> [:catn [:q {:description "n"} :string]] :any]', '(q :string "n") -> :any'),
    ("[:=> [:cat [:schema [:cat :int :int]]] :any]", "(arg1 [:int, :int]) -> :any"),
    ("[:function [:=> [:cat :int] :int]]", "(arg1 :int) -> :int"),
    ("[:function [:=> [:cat :int] :int] [:-> :int :int :int] [:=> [:cat :string :any] :int]]",
     "(arg1 :int, arg2 :int) -> :int"),
    ("[:schema [:=> [:cat] :int]]", "() -> :int"),
    ("[:schema {:registry {:a :int}} [:schema {:registry {:b :a}} [:=> [:cat :a] :b]]]",
     "(arg1 :a) -> :b where a = :int, b = :a"),
]  # fmt: skip


def as_data(value: Any) -> Any:
    """Return a value read from EDN text as plain Python data."""
    if isinstance(value, Keyword):
        return f":{value}"
    if isinstance(value, Symbol):
        return value.name
    if isinstance(value, list | tuple):
        return [as_data(item) for item in value]
    if isinstance(value, dict):
        return {as_data(key): as_data(item) for key, item in value.items()}
    return value


@pytest.mark.parametrize(("text", "shorthand"), READ)
def test_a_form_is_read_from_text_and_from_data(text, shorthand):
    from typesig.notations import edn

    data = as_data(edn.read(text))
    assert typesig.render(shorthand) == read(text)
    assert typesig.render(shorthand) == read(data)
    assert typesig.render(shorthand) == read(tuple(data) if isinstance(data, list) else data)
    # Writing and reading it again changes nothing.
    s = typesig.parse(text, "edn")
    assert NOTATIONS["edn"].expressible(s) == typesig.parse(
        typesig.render(s, "edn", lossy=True), "edn"
    )


@pytest.mark.parametrize(
    ("data", "shorthand"),
    [
        ([":enum", ":a", "b"], ':enum[:a "b"]'),
        ([":enum", Keyword("a")], ":enum[:a]"),
        ([":enum", "::a"], ":enum[:a]"),
        ([Keyword("vector"), Keyword("int")], "[:int]"),
        (Keyword("int"), ":int"),
        ([":map", [":id", {Keyword("optional"): True}, ":int"]], "{id? :int}"),
        ([":map", ["id", ":int"], ["user-id", ":int"]], '{id :int, "user-id" :int}'),
        ([":int", {":description": ":x", ":title": "t"}], '(:int ":x")'),
        ([":re", ":a"], ":string[/:a/]"),
        (Symbol("int?"), ":int"),
        (
            [":schema", {":registry": {":a": ":int", "a": ":string"}}, [":tuple", ":a", "a"]],
            "[:a, :a2] where a = :int, a2 = :string",
        ),
        ([":enum", {}, {":a": [":b", {"c": None}]}], ':enum[{"a": [:b, {"c": nil}]}]'),
    ],
)
def test_python_data_tells_keywords_by_their_colon(data, shorthand):
    assert typesig.render(shorthand) == read(data)


# Forms that are refused, and the exact message.

REFUSED = [
    # Names.
    (":str", ":str: there is no such type; write :string"),
    (":list", ":list: there is no such type; write [:vector :any]"),
    (":email", ':email: there is no such type; write [:string {:format "email"}]'),
    (":strng", ":strng: there is no such type; the nearest is :string"),
    (":vectr", ":vectr: there is no such type; the nearest is :vector"),
    (":xyzzy", ":xyzzy: there is no such type, and no registry around it defines one"),
    (":int?", ":int?: there is no such type; write int?"),
    (":foo?", ":foo?: there is no such type; write [:maybe :foo]"),
    ("int", "int: write :int"),
    ("fn", "fn: write :fn"),
    ("map", "map: write :map"),
    ("strin?", "strin?: there is no such type; the nearest is string?"),
    ("fn?", "fn?: data has no functions"),
    ('"Tree"', '"Tree": there is no such type, and no registry around it defines one'),
    ("3", "3: a type is a keyword, or a list that begins with one"),
    ("nil", "nil: a type is a keyword, or a list that begins with one"),
    ("true", "true: a type is a keyword, or a list that begins with one"),
    ("[false]", "false: a type is a keyword, or a list that begins with one"),
    ("1.5", "1.5: a type is a keyword, or a list that begins with one"),
    ("{}", "a map: a type is a keyword, or a list that begins with one"),
    ("#{}", "a set: a type is a keyword, or a list that begins with one"),
    ("[[:int]]", "a list: a type is a keyword, or a list that begins with one"),
    ("1.5M", "a Decimal: a type is a keyword, or a list that begins with one"),
    ("[]", "[]: a form begins with a name; write [:vector :any]"),
    # By name.
    ("[:fn f]", ":fn: it runs code; write constraints such as [:and :int [:> 0]], or [:re …]"),
    ("[:multi {:dispatch f} [:a :int]]", ":multi: only a keyword can be its dispatch; write [:or [:map [:type [:= …]] …] …]"),
    ("[:multi [:a :int]]", ":multi: only a keyword can be its dispatch; write [:or [:map [:type [:= …]] …] …]"),
    ('[:multi {:dispatch "type"} [:a :map]]', ":multi: only a keyword can be its dispatch; write [:or [:map [:type [:= …]] …] …]"),
    ("[:multi {:dispatch :type} :a]", "a: :multi: a branch is a value and a type: [:a [:map …]]"),
    ("[:multi {:dispatch :type}]", ":multi: it takes one branch or more; a branch is a value and a type: [:a [:map …]]"),
    ("[:multi {:dispatch :type} [:a]]", ":a: it takes one type in a branch: [:a [:map …]]"),
    ("[:multi {:dispatch :type} [:malli.core/default :map]]", "malli.core/default: :multi: it takes every other value; write a branch for each of them"),
    ("[:multi {:dispatch :type} [:a [:map {:closed true} [:x :int]]]]", 'a: :map: the branch is closed and has no key "type", so nothing fits it'),
    ("[:not :int]", ":not: write it in shorthand, :not[:T]; anything but nil is :some"),
    ("[:not= 1]", ":not=: write it in shorthand, :not[:enum[…]]; anything but nil is :some"),
    ("[:merge :map :map]", ":merge: write one [:map …] with all the entries, or [:and [:map …] [:map …]]"),
    ("[:union :map]", ":union: write one [:map …] with all the entries"),
    ("[:select-keys :map [:a]]", ":select-keys: write one [:map …] with the entries that stay"),
    ("[:alt :int]", ":alt: write [:or …]"),
    ("[:repeat {:min 1} :int]", ":repeat: write [:vector {:min 1 :max 5} :T]"),
    (":time/local-date-time", ":time/local-date-time: it has no offset; write :time/offset-date-time"),
    ("[:vector [:=> [:cat] :int]]", "items: :=>: a function must be the root, not within a type"),
    # Parts.
    ("[:vector]", ":vector: it takes one type, as in [:vector :int]"),
    ("[:maybe :int :int]", ":maybe: it takes one type, as in [:maybe :int]"),
    ("[:set]", ":set: it takes one type, as in [:set :int]"),
    ("[:map-of :int]", ":map-of: it takes the type of keys and that of values, as in [:map-of :string :int]"),
    ("[:int :string]", ":int: it takes no types; did you mean [:tuple …]?"),
    ("[:boolean :string]", ":boolean: it takes no types; did you mean [:tuple …]?"),
    ("[:or]", ":or: it takes one type or more, as in [:or :int :string]"),
    ("[:and]", ":and: it takes one type or more, as in [:and :int :string]"),
    ("[:orn]", ":orn: it takes one type or more, as in [:orn [:a :int]]"),
    ("[:orn [:a]]", "0: :a: it takes one type in a branch: [:a :int]"),
    ("[:enum]", "an enum has one value or more"),
    ("[:enum a]", "a is a symbol; write :a, or text in quotes"),
    ("[:enum #{1}]", "JSON has no form for a value of frozenset"),
    ("[:=]", ":=: it takes one value, as in [:= 1]"),
    ("[:schema]", ":schema: it takes one type, as in [:schema :int]"),
    ("[:ref]", ':ref: it takes one name, as in [:ref "Tree"]'),
    # Properties.
    ('[:int {"min" 1}]', '"min": a property is named by a keyword; write :min'),
    ("[:int {1 2}]", "1: a property is named by a keyword"),
    ("[:int {:default 1}]", ":default: a default belongs to an entry of a map or to a parameter"),
    ("[:vector [:int {:default 1}]]", "items: :default: a default belongs to an entry of a map or to a parameter"),
    ("[:int {:optional true}]", ":optional: it belongs to an entry of a map; for a parameter write [:? :T]"),
    ("[:vector {:closed true} :int]", ":closed: it belongs to a :map"),
    ("[:boolean {:min 1}]", ":min: there is no such property here; there are :description, :registry, :title"),
    ("[:int {:mn 1}]", ":mn: there is no such property here; did you mean :min?"),
    ("[:int {:description 1}]", ":description: it must be text, not 1"),
    ("[:int {:title :a}]", ":title: it must be text, not :a"),
    ("[:string {:min :a}]", "a bound must be a number, not Keyword('a')"),
    ('[:string {:format "emial"}]', "there is no format 'emial'; did you mean email?"),
    ("[:map {:closed nil}]", ":closed: it must be true or false, not nil"),
    # Entries.
    ("[:map [:id]]", "id: :id: it takes one type in an entry: [:id :int]"),
    ("[:map :id]", "id: :id: it takes one type in an entry: [:id :int]"),
    ("[:map [:id :int :int]]", "id: :id: it takes one type in an entry: [:id :int]"),
    ("[:map [1 :int]]", "1: an entry is named by a keyword or a text"),
    ("[:map [id :int]]", "id: an entry is named by a keyword or a text"),
    ("[:map [:a [:map [:b [:vector :lst]]]]]", "a.b.items: :lst: there is no such type; the nearest is :set"),
    ('[:map [:id {:optional "yes"} :int]]', 'id: :optional: it must be true or false, not "yes"'),
    ("[:map [:id {:registry {}} :int]]", "id: :registry: there is no such property here; there are :default, :description, :optional, :title"),
    ("[:map [:id :int] [:id :int]]", "the name 'id' occurs twice"),
    ("[:map [:malli.core/default :any]]", ":malli.core/default: it types undeclared keys; write them in shorthand, {id :int, ** :string}"),
    # Constraints.
    ("[:and :string [:>= 1]]", ":and: its constraints are about a number, and nothing else in it is; a length is {:min 1 :max 5}"),
    ('[:and [:or :int :string] [:> 0] [:re "a"]]', ":and: its constraints are about a text, and nothing else in it is"),
    ('[:and :int [:re "a"]]', ":and: its constraints are about a text, and nothing else in it is"),
    ("[:>]", ":>: it takes one number"),
    ("[:> :a]", "a bound must be a number, not Keyword('a')"),
    ("[:re]", ':re: it takes one text, as in [:re "^a"]'),
    ("[:re 3]", "a pattern must be text, not 3"),
    ('[:re "("]', "the pattern /(/ is not a regular expression: missing ), unterminated subpattern at position 0"),
    ("[:and :int [:> {:min 3} 1]]", "1: :min: there is no such property here; it has none"),
    # Sequences.
    ("[:cat [:cat :int]]", "0: :cat: a sequence in a sequence would merge with it; write its places there, or [:tuple …]"),
    ("[:* [:cat :int]]", ":*: it takes one type that is not a sequence, as in [:* :int]"),
    ("[:?]", ":?: it takes one type that is not a sequence, as in [:? :int]"),
    ("[:cat [:* :int] :int]", "0: :*: it must come last"),
    ('[:map [:a {:default "x"} :int]]', 'a: :default: the default of a does not fit its type: expected int, got string "x"; correct it, or leave it out'),
    ('[:map [:b [:map [:a [:int {:default "x"}]]]]]', 'b.a: :default: the default of a does not fit its type: expected int, got string "x"; correct it, or leave it out'),
    ('[:=> [:catn [:q [:? [:int {:default "x"}]]]] :any]', 'params.q: :default: the default of q does not fit its type: expected int, got string "x"; correct it, or leave it out'),
    ("[:cat [:int {:default 1}]]", "0: :default: a default belongs to an entry of a map or to a parameter"),
    ("[:cat [:? :int] [:? :int] [:? :int] [:? :int] [:? :int] [:? :int]]", ":cat: optional places make more than 32 kinds of lists; write [:* :T]"),
    ("[:catn :a]", "0: :catn: each of its places is a name and a type, as in [:catn [:query :string]]"),
    # Names.
    ('[:ref "Tree"]', ':ref: "Tree" is not defined; no registry is around it'),
    ("[:ref 3]", ":ref: 3 is not defined; no registry is around it"),
    ('[:schema {:registry {"A" :int :b :int}} [:ref "b"]]', ':ref: "b" is not defined; there are "A", :b'),
    ("[:schema {:registry []} :int]", ":registry: it must be a map, not a list"),
    ("[:schema {:registry {1 :int}} :int]", ":registry: a type is named by a keyword or a text, not 1"),
    ('[:schema {:registry {"" :int}} :int]', ':registry: a type is named by a keyword or a text, not ""'),
    ("[:schema {:registry {:a :a}} :a]", "the type :a is defined only by itself; put a list, a map or a record in between"),
    ("[:schema {:registry {:a :lst}} :a]", "definitions.a: :lst: there is no such type; the nearest is :set"),
    ("[:schema {:registry {:a :int}} [:a :int]]", ":a: it takes no types; did you mean [:tuple …]?"),
    ("[:schema {:registry {:a [:=> [:cat] :int]}} :a]", "definitions.a: :=>: a function must be the root, not within a type"),
    # Functions.
    ("[:=>]", ":=>: it takes parameters and a result, as in [:=> [:cat :int] :string]"),
    ("[:=> :int :int]", ":=>: it takes parameters and a result, as in [:=> [:cat :int] :string]"),
    ("[:=> [:cat] :int [:fn f]]", ":=>: its third part is code; write constraints on the parameters and the result"),
    ("[:=> {:closed true} [:cat] :int]", ":closed: it belongs to a :map"),
    ("[:->]", ":->: it takes the types of the parameters and of the result, as in [:-> :int :int]"),
    ("[:function]", ":function: it takes one function or more, as in [:function [:=> [:cat] :int]]"),
    ("[:function :int]", ":function: it takes functions, as in [:function [:=> [:cat] :int]]"),
    ("[:=> [:cat :lst] :int]", "params.arg1: :lst: there is no such type; the nearest is :set"),
    ("[:=> [:catn [:q :lst]] :int]", "params.q: :lst: there is no such type; the nearest is :set"),
    ("[:=> [:cat] [:vector :lst]]", "returns.items: :lst: there is no such type; the nearest is :set"),
    ("[:=> [:cat [:* :int] :int] :int]", "params.arg1: :*: it must come last"),
    ("[:=> [:catn [:q :int] [:q :int]] :int]", "the name 'q' occurs twice"),
    ("[:=> [:cat [:? [:int {:default #{}}]]] :int]", "JSON has no form for a value of frozenset"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_a_form_that_cannot_be_read_is_refused_with_its_place(text, message):
    with pytest.raises(Unsupported) as caught:
        typesig.parse(text, "malli")

    assert message == str(caught.value)


def test_a_refusal_has_place_shape_and_reason():
    with pytest.raises(Unsupported) as caught:
        typesig.parse([":=>", [":cat"], [":map", [":id", [":fn", "odd?"]]]])

    assert ("returns", "id") == caught.value.path
    assert ":fn" == caught.value.shape
    assert caught.value.why.startswith("it runs code")


HIDDEN = "x" * 1_000_000


@pytest.mark.parametrize(
    "data",
    [
        HIDDEN,
        ":" + HIDDEN,
        [":" + HIDDEN],
        [":int", {":" + HIDDEN: 1}],
        [":int", {HIDDEN: 1}],
        [":int", {":description": [HIDDEN]}],
        [":ref", HIDDEN],
        [":map", [":" + HIDDEN, ":lst"]],
        [":schema", {":registry": {f"T{n}": ":int" for n in range(1000)}}, [":ref", "x"]],
        [10**100_000],
        [b"x" * 1000],
        [object()],
    ],
    ids=range(12),
)
def test_a_message_is_short_however_large_the_data_is(data):
    with pytest.raises(TypesigError) as caught:
        typesig.parse(data if isinstance(data, list) else [data], "malli")

    assert len(str(caught.value)) < 400


# Limits.


def nested(levels: int, head: str = ":vector") -> Any:
    data: Any = ":int"
    for _ in range(levels):
        data = [head, data]
    return data


def cyclic(*head: Any) -> Any:
    data: list[Any] = [*head]
    data.append(data)
    return data


@pytest.mark.parametrize(
    "data",
    [
        nested(129),
        nested(400, ":schema"),
        nested(100_000),
        cyclic(":vector"),
        cyclic(":schema"),
        cyclic(":enum"),
        cyclic(":map"),
        cyclic(":cat"),
        cyclic(":=>"),
        cyclic(":=>", [":cat"]),
        cyclic(":function"),
        cyclic(":and", ":int"),
        cyclic(":or"),
    ],
    ids=range(13),
)
def test_data_that_contains_itself_is_refused(data):
    with pytest.raises((TooDeep, Unsupported)):
        typesig.parse(data, "malli")


def test_data_that_nests_to_the_limit_is_read_and_written():
    s = typesig.parse(nested(127), "malli")

    assert nested(127) == typesig.render(s.returns, "malli")
    assert s == typesig.parse(typesig.render(s, "edn"), "edn")


def test_data_that_nests_deeper_is_too_deep():
    with pytest.raises(TooDeep, match="a type may nest 128 levels"):
        typesig.parse(nested(128), "malli")
    value: list[Any] = []
    for _ in range(MAX_EDN_DEPTH):
        value = [value]
    with pytest.raises(TooDeep, match=f"Malli data may nest {MAX_EDN_DEPTH} forms, this has more"):
        typesig.parse([":enum", value], "malli")


def test_running_out_of_stack_raises_too_deep():
    def down(levels: int) -> Any:
        return down(levels - 1) if levels else typesig.parse(nested(127), "malli")

    import sys

    here, frame = 0, sys._getframe()
    while frame.f_back is not None:
        here, frame = here + 1, frame.f_back
    with pytest.raises(TooDeep, match="more than the stack leaves room for"):
        down(sys.getrecursionlimit() - here - 150)


def test_forms_that_are_shared_many_times_are_too_large():
    data: Any = ":int"
    for _ in range(40):
        data = [":tuple", data, data]

    with pytest.raises(TooLarge, match=f"may have {MAX_FORMS} forms and values, this has more"):
        typesig.parse(data, "malli")


@pytest.mark.parametrize(
    "data",
    [
        [":and", ":int", *([":>", n] for n in range(MAX_FORMS))],
        [":tuple", *([":schema", {":registry": {"A": ":int"}}, "A"] for _ in range(MAX_FORMS))],
        [":map", *([f":f{n}", ":int"] for n in range(MAX_FORMS))],
        [":function", *([":=>", [":cat", ":int"], ":int"] for _ in range(MAX_FORMS))],
        [":or", [":enum", *range(MAX_FORMS)]],
    ],
    ids=["limits", "registries", "entries", "clauses", "values"],
)
def test_data_of_many_forms_is_too_large(data):
    with pytest.raises(TooLarge):
        typesig.parse(data, "malli")


def test_values_that_are_shared_many_times_are_too_large():
    value: Any = 1
    for _ in range(40):
        value = [value, value]

    with pytest.raises(TooLarge):
        typesig.parse([":enum", value], "malli")


# Widening.


def test_a_form_that_cannot_be_read_is_widened_if_lossy():
    form = [
        ":=>",
        [":catn", [":q", [":fn", "f"]]],
        [":map", [":id", [":not", ":int"]], [":n", ":int"]],
    ]

    s = parse(form, "malli", lossy=True)
    losses = s.losses

    assert "(q :any) -> {id :any, n :int}" == str(s)
    assert (
        Loss(
            "widened",
            ("params", "q"),
            ":fn",
            "it runs code; write constraints such as [:and :int [:> 0]], or [:re …]",
            "anything",
        ),
        Loss(
            "widened",
            ("returns", "id"),
            ":not",
            "write it in shorthand, :not[:T]; anything but nil is :some",
            "anything",
        ),
    ) == losses


def test_a_malformed_form_is_widened_if_lossy():
    s = parse("[:vector [:string {:min :a}]]", "edn", lossy=True)
    losses = s.losses
    why = "a bound must be a number, not Keyword('a')"

    assert "() -> [:any]" == str(s)
    assert (Loss("widened", ("items",), "a form", why, "anything"),) == losses


def test_a_registry_ends_where_its_form_was_widened():
    data = [":tuple", [":fn", {":registry": {":a": ":int"}}], ":a"]

    assert "() -> [:any, :any] where a = :int" == str(parse(data, "malli", lossy=True))


NOTHING = [
    ('[:int {:error/message "no"}]', (), "the property :error/message", "it does not constrain values"),
    ("[:orn [:a :int] [:b :string]]", ("0",), "the name of the branch :a", "a union has no names"),
    ("[:catn [:a :int] [:b :int]]", ("a",), "the name a", "the places of a list have no names"),
    ('[:=> {:title "t"} [:cat] :int]', (), "the title of :=>", "a signature has none"),
    ('[:schema {:description "t"} [:=> [:cat] :int]]', (), "the description of :schema", "a signature has none"),
    ("[:function [:=> [:cat] :int] [:=> [:cat :int] :int]]", (), "1 of 2 clauses", "a signature has one"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "path", "what", "why"), NOTHING)
def test_what_does_not_constrain_values_is_reported_as_omitted(text, path, what, why):
    losses = parse(text, "edn").losses

    assert Loss("omitted", path, what, why) == losses[0]


# Writing.

LOST = [
    # signature, notation, path, what, why, became, the written form
    (":one[:int, :float]", "malli", ("returns",), "exactly one of several types", "Malli has [:or …], any of them", "any of them", [":or", ":int", ":double"]),
    ("[:not[:int]]", "malli", ("returns", "items"), "anything but a type", "only :some is read back, anything but nil", ":any", [":vector", ":any"]),
    ("{id :int, ** :int}", "malli", ("returns", "**"), "the type of other keys", "a map is open or closed; [:map-of …] types all its keys", "an open map", [":map", [":id", ":int"]]),
    ("{id :int, /^x/ :int}!", "malli", ("returns",), "keys that match /^x/", "Malli has no patterns of keys", "any other keys", [":map", [":id", ":int"]]),
    (":int[%5, 1..]", "malli", ("returns",), "a multiple of 5", "Malli has only bounds for numbers", "no constraint", [":and", ":int", [":>=", 1]]),
    ("[:int][unique, 1..]", "malli", ("returns",), "unique items", "Malli has [:set …], whose values are sets", "no constraint", [":vector", {":min": 1}, ":int"]),
    (":keyword[1..]", "malli", ("returns",), "at least 1", "Malli has no form for it here", "no constraint", ":keyword"),
    (":keyword[/a/]", "malli", ("returns",), "the pattern /a/", "Malli has no form for it here", "no constraint", ":keyword"),
    (":any[email]", "malli", ("returns",), "the format email", "Malli has no form for it here", "no constraint", ":any"),
    (":any[..1]", "malli", ("returns",), "at most 1", "Malli has no form for it here", "no constraint", ":any"),
    (":any[>1]", "malli", ("returns",), "above 1", "Malli has no form for it here", "no constraint", ":any"),
    (":any[<1]", "malli", ("returns",), "below 1", "Malli has no form for it here", "no constraint", ":any"),
    ('{":x" :int}!', "malli", ("returns", ":x"), "the key ':x'", "text with a leading colon is a keyword in malli", "an open map", [":map"]),
    ('{a :string = ":x"}', "malli", ("returns", "a"), "a default", "text with a leading colon is a keyword in malli", "a field that may be absent", [":map", [":a", {":optional": True}, ":string"]]),
    ('{a :enum["b"]|:map = {":x": 1}}', "malli", ("returns", "a"), "a default", "text with a leading colon is a keyword in malli", "a field that may be absent", [":map", [":a", {":optional": True}, [":or", [":enum", "b"], [":map-of", ":keyword", ":any"]]]]),
    (':enum["a" ":x"]', "malli", ("returns",), "the value ':x'", "text with a leading colon is a keyword in malli", "any text", [":or", [":enum", "a"], ":string"]),
    (':enum[[":x"]]', "malli", ("returns",), "the value [':x']", "text with a leading colon is a keyword in malli", "any list", [":vector", ":any"]),
    (':enum[{":x": 1}]', "malli", ("returns",), "the value {':x': 1}", "text with a leading colon is a keyword in malli", "any map", [":map-of", ":keyword", ":any"]),
    (':enum[:"a b"]', "edn", ("returns",), "the value Keyword('a b')", "EDN has no keyword of such a name", "any keyword", ":keyword"),
    ('{a :keyword = :"a b"}', "edn", ("returns", "a"), "a default", "EDN has no keyword of such a name", "a field that may be absent", "[:map [:a {:optional true} :keyword]]"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "notation", "path", "what", "why", "became", "written"), LOST)
def test_a_type_that_malli_cannot_express_is_refused_or_widened(
    text, notation, path, what, why, became, written
):
    t = typesig.parse(text).returns
    with pytest.raises(Unsupported) as caught:
        typesig.render(t, notation)

    assert f"{'.'.join(path)}: {what}: {why}" == str(caught.value)
    assert (written, (Loss("widened", path, what, why, became),)) == convert(t, notation)


def test_every_scalar_constraint_and_kind_has_a_row():
    assert set(SCALARS) == set(SCALAR_FORMS)
    assert set(CONSTRAINTS) == set(CONSTRAINT_FORMS)
    assert set(get_args(Kind)) == set(GROUPS) == set(WHOLES)
    assert set(get_args(ConstKind)) == set(WIDER_VALUES)


@pytest.fixture
def ticket(monkeypatch) -> Iterator[Type]:
    row = ScalarRow("ticket", frozenset({"string"}), lambda text: len(text) == 26)
    monkeypatch.setitem(SCALARS, "ticket", row)
    yield Scalar("ticket")
    widen_signature.cache_clear()


def test_constraints_of_another_scalar_of_texts_stand_beside_it(ticket, monkeypatch):
    monkeypatch.setitem(SCALAR_FORMS, "ticket", "ticket")
    t = make_refined(ticket, [Constraint("at_most", 30), Constraint("pattern", "^0")])

    assert (
        '[:and [:and :ticket [:re "^0"]] [:string {:max 30}]]',
        (),
    ) == convert(t, "edn")


def test_a_definition_whose_name_would_be_a_keyword_is_renamed():
    t = typesig.parse(
        ':tuple where ":T" = :int, "T" = :string'.replace(":tuple", '[:":T", :T, :":"]')
        + ', ":" = :nil'
    )
    data, losses = convert(t, "malli")

    assert [
        ":schema",
        {":registry": {"T": ":string", "T2": ":int", "Type": ":nil"}},
        [":=>", [":cat"], [":tuple", [":ref", "T2"], [":ref", "T"], [":ref", "Type"]]],
    ] == data
    why = "text with a leading colon is a keyword in malli"
    assert {
        Loss("renamed", ("definitions", ":T"), "the name ':T'", why, "the name 'T2'"),
        Loss("renamed", ("definitions", ":"), "the name ':'", why, "the name 'Type'"),
    } == set(losses)
    assert () == convert(t, "edn")[1]


def test_names_of_parameters_are_a_loss_that_never_raises():
    data, losses = convert("(query :string, arg2 :int) -> :any", "malli")

    assert [":=>", [":cat", ":string", ":int"], ":any"] == data
    assert (
        Loss(
            "omitted",
            ("params", "query"),
            "the name 'query'",
            ":cat has no names; named=True writes :catn",
        ),
    ) == losses
    assert data == typesig.render("(query :string, arg2 :int) -> :any", "malli")


def test_names_of_parameters_are_written_on_request():
    s = typesig.parse('(query :string, "user-id" :int, limit :int = 10) -> :any')

    text = s.render("edn", named=True)
    assert (
        '[:=> [:catn [:query :string] ["user-id" :int] [:limit [:? [:int {:default 10}]]]] :any]'
        == text
    )
    assert s == typesig.parse(text, "edn")


def test_a_parameter_whose_name_would_be_a_keyword_is_renamed():
    data, losses = convert('(":x" :int, arg1 :int) -> :any', "malli", named=True)

    assert [":=>", [":catn", [":arg12", ":int"], [":arg1", ":int"]], ":any"] == data
    assert ["the name 'arg12'"] == [loss.became for loss in losses]


def test_an_unknown_option_is_refused_with_the_known_ones():
    with pytest.raises(
        TypesigError, match="the notation shorthand has no option 'named'; it has none"
    ):
        typesig.render(":int", "shorthand", named=True)
    with pytest.raises(TypesigError, match="the notation malli has no option 'nmed'; it has named"):
        typesig.render(":int", "malli", nmed=True)


SAME = [
    # refinements, and the equivalent forms that are written
    ("(:int?)[1..5]", "[:maybe [:and :int [:>= 1] [:<= 5]]]"),
    ("(:int|:string|:nil)[1..5]", "[:maybe [:or [:and :int [:>= 1] [:<= 5]] [:string {:min 1 :max 5}]]]"),
    ("(:int|:bool)[1..5]", "[:or [:and :int [:>= 1] [:<= 5]] :boolean]"),
    ('(:int "n")[1..]', '[:and {:description "n"} :int [:>= 1]]'),
    ('((:int[1..] "n"))[..5]', '[:and {:description "n"} :int [:>= 1] [:<= 5]]'),
    ("{id :int}[1..]", "[:and [:map [:id :int]] [:map-of {:min 1} :any :any]]"),
    ("[:int, :int][1..]", "[:and [:tuple :int :int] [:vector {:min 1} :any]]"),
    ('(#{:int} & #{:float})[1..]', "[:and [:set :int] [:set :double] [:set {:min 1} :any]]"),
    ('(:enum["a"])[1.., /a/]', '[:and [:and [:enum "a"] [:re "a"]] [:string {:min 1}]]'),
]  # fmt: skip


@pytest.mark.parametrize(("text", "written"), SAME)
def test_a_refinement_is_written_where_malli_has_a_place_for_it(text, written):
    t = typesig.parse(text).returns

    assert (written, ()) == convert(t, "edn")


# Functions that take Malli.


def test_data_without_a_notation_is_malli():
    assert typesig.parse(":int") == typesig.parse((":int",)) == typesig.parse(Keyword("int"))
    assert [":=>", [":cat"], ":int"] == typesig.parse([":int"]).render("malli")


def test_a_dict_without_a_notation_is_refused_with_a_remedy():
    with pytest.raises(TypesigError) as caught:
        typesig.parse({"type": "integer"})

    assert 'a dict is not a signature; for a JSON Schema, pass notation="json_schema"' == str(
        caught.value
    )


def test_text_is_shorthand_unless_malli_is_named():
    with pytest.raises(SignatureSyntaxError):
        typesig.parse("[:map [:id :int]]")

    assert "() -> {id :int}" == str(typesig.parse("[:map [:id :int]]", "malli"))


def test_a_mistake_in_edn_text_has_its_place():
    with pytest.raises(SignatureSyntaxError) as caught:
        typesig.parse("[:map [:id :int]", "edn")

    assert (1, 17) == (caught.value.line, caught.value.column)


def test_written_data_is_a_new_object_each_time():
    s = typesig.parse("{id :int = 1}")
    first = s.render("malli")
    first[2].append("changed")

    assert [":map", [":id", {":default": 1}, ":int"]] == s.render("malli")[2]


def test_a_form_is_recognized_as_a_function():
    assert is_function([":=>", [":cat"], ":int"])
    assert is_function("[:schema {:registry {}} [:-> :int]]")
    assert not is_function([":vector", ":int"])
    assert not is_function([":schema"])
    assert not is_function(cyclic(":schema"))


def test_a_tool_takes_malli_data_and_its_own_names():
    @typesig.tool(
        [":=>", [":cat", ":string", [":?", [":int", {":default": 3}]]], [":map", [":hits", ":int"]]]
    )
    def search(query, limit=10):
        return {"hits": limit}

    assert "(query :string, limit :int = 3) -> {hits :int}" == str(search.signature)
    assert {"hits": 3} == search.call({"query": "a"}).value


def test_a_tool_takes_names_that_malli_has():
    @typesig.tool((":=>", [":catn", [":limit", ":int"]], ":any"))
    def search(query="", limit=10):
        return limit

    assert "(limit :int) -> :any" == str(search.signature)


def test_parameters_without_names_leave_out_what_the_host_supplies():
    @typesig.tool([":=>", [":cat", ":int"], ":int"])
    def add(db: typesig.Injected[object], n: int, *, m: int = 1) -> int:
        return n + m

    assert "(n :int) -> :int" == str(add.signature)
    assert 4 == add.call({"n": 3}, given={"db": None}).value


def test_a_function_with_a_parameter_called_arg1_keeps_that_name():
    @typesig.tool([":=>", [":cat", ":int"], ":int"])
    def f(x=1, arg1=2):
        return arg1

    assert "(arg1 :int) -> :int" == str(f.signature)


def test_more_parameters_without_names_than_there_are_is_an_error():
    with pytest.raises(ExtractionError) as caught:
        typesig.tool([":=>", [":cat", ":int", ":int"], ":int"])(lambda_of("x"))
    assert (
        "f takes 1 parameter, and its signature has 2 without names; leave out what it does not take"
        == str(caught.value)
    )

    with pytest.raises(ExtractionError, match="f takes 0 parameters, and its signature has 1"):
        typesig.tool([":=>", [":cat", ":int"], ":int"])(lambda_of("**kwargs"))


def lambda_of(params: str) -> Any:
    found: dict[str, Any] = {}
    exec(f"def f({params}): return 1", found)
    return found["f"]


def test_a_lone_result_keeps_the_parameters_of_the_hints():
    @typesig.tool([":vector", ":int"])
    def ids(query: str) -> list[int]:
        return [1]

    assert "(query :string) -> [:int]" == str(ids.signature)


def test_a_function_without_parameters_is_one_in_malli_too():
    @typesig.tool([":=>", [":cat"], ":int"])
    def now():
        return 1

    assert "() -> :int" == str(now.signature)


def test_everything_that_takes_a_signature_takes_malli_data():
    from typesig import relations

    assert [1, 2] == typesig.contract([":vector", ":int"]).read('{"items": ["1", 2]}').value
    assert 3 == typesig.coerce("3", [":maybe", ":int"]).value
    assert "Hi Ann" == Template(
        "Hi {{name}}", [":=>", [":catn", [":name", ":string"]], ":any"]
    ).render({"name": "Ann"})
    assert relations.is_subtype([":and", ":int", [":>", 0]], ":int")
    assert typesig.parse([":map", [":id", ":int"]]).accepts({"id": 1})


@pytest.mark.parametrize(
    ("malli", "shorthand"),
    [
        ("[:multi {:dispatch :k} [:a [:map [:k [:= :a]] [:x :int]]] [:b [:map [:k [:= :b]]]]]",
         "{k :enum[:a], x :int}|{k :enum[:b]}"),
        # The tag is narrowed to the value of its branch, and required.
        ("[:multi {:dispatch :k} [:a [:map [:k :keyword]]] [:b [:map [:k {:optional true} [:enum :b :c]]]]]",
         "{k :enum[:a]}|{k :enum[:b]}"),
        ('[:multi {:dispatch :k} ["a" [:map [:k :string]]] [1 [:map [:k :any]]] [true [:map [:y :int]]]]',
         '{k :enum["a"]}|{k :enum[1]}|{k :enum[true], y :int}'),
        ('[:multi {:dispatch :k} [:a {:description "A"} [:map [:k [:keyword {:description "kind"}]]]]]',
         '{k :enum[:a] "kind"} "A"'),
        # A tag of another type fits nothing, as in Malli.
        ("[:multi {:dispatch :k} [:a [:map [:k :int]]]]", "{k :int & :enum[:a]}"),
        ("[:schema {:registry {:A [:map [:x :int]]}} [:multi {:dispatch :k} [:a :A]]]",
         ":A & {k :enum[:a]} where A = {x :int}"),
    ],
)  # fmt: skip
def test_a_multi_with_a_keyword_is_a_tagged_union(malli, shorthand):
    found = typesig.parse(malli, "malli")

    assert typesig.parse(f"() -> {shorthand}") == found
    # It is written as a union with the same meaning.
    assert found == typesig.parse(found.render("malli"), "malli")


def test_data_is_checked_against_the_branch_of_its_tag():
    found = typesig.parse(
        "[:multi {:dispatch :type} [:card [:map [:number :string]]] [:cash [:map [:sum :int]]]]",
        "malli",
    )

    assert ["sum: expected int, got nil (missing)"] == [
        str(each) for each in found.validate_and_coerce({"type": "cash"}).errors
    ]
    assert found.validate_and_coerce({"type": "card", "number": "1"}).ok
    (error,) = found.validate_and_coerce({"type": "coin"}).errors
    assert 'type: expected one of [:card, :cash], got "coin"' == str(error)
