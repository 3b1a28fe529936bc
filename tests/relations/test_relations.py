"""Relations between types: subtypes, differences, simplification, samples."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction
from random import Random
from typing import get_args

import pytest

import typesig
from typesig.algebra.constructors import make_field, make_noted, make_union, record
from typesig.algebra.nodes import ANY, INT, SHAPES, STRING, Both, List, Not, Ref, Scalar, Set
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.formats import FORMATS
from typesig.algebra.rows.scalars import SCALARS, ScalarRow
from typesig.algebra.rows.values import Kind
from typesig.algebra.signature import Signature
from typesig.relations import (
    Difference,
    NoSample,
    counterexample,
    difference,
    disjoint,
    equivalent,
    is_subtype,
    near_misses,
    normal_form,
    samples,
    simplify,
    step_budget,
)
from typesig.relations.bounds import Bounds, read_bounds
from typesig.relations.conformance import Judge, is_json
from typesig.relations.normal_form import ALL, WHOLE_KINDS, Heights, find_refused_kinds
from typesig.relations.proofs import simplification
from typesig.relations.proofs.differences import COMPARISONS, SENTENCES
from typesig.relations.proofs.emptiness import PROOFS, EmptinessProver
from typesig.relations.proofs.list_proofs import has_no_set
from typesig.relations.proofs.scalar_proofs import OBJECTS, has_no_value
from typesig.relations.proofs.simplification import RULES
from typesig.relations.sampling.drawing import KIND_MAKERS, SCALAR_MAKERS, Drawer, propose_texts
from typesig.relations.sampling.samples import CHANGES
from typesig.relations.sampling.text_samples import (
    FORMAT_TEXTS,
    are_disjoint,
    get_min_length,
    iter_matching_texts,
)
from typesig.relations.step_budget import Work, count_size

TREE = ":Tree where Tree = {value :int, children [:Tree]}"
NODE = ":Node where Node = {value :float, children [:Node]}"

# Rows


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        (WHOLE_KINDS, SCALARS),
        (SCALAR_MAKERS, SCALARS),
        (KIND_MAKERS, get_args(Kind)),
        (PROOFS, get_args(Kind)),
        (CHANGES, get_args(Kind)),
        (RULES, SHAPES),
        (COMPARISONS, SHAPES),
        (FORMAT_TEXTS, FORMATS),
    ],
    ids=["whole", "scalars", "kinds", "proofs", "changes", "rules", "comparisons", "formats"],
)
def test_a_table_has_every_row(table, rows):
    assert set(rows) == set(table)


@pytest.mark.parametrize("name", WHOLE_KINDS)
def test_every_value_of_a_kind_conforms_unless_the_scalar_has_a_test_of_its_own(name):
    row = SCALARS[name]

    # The integers that `:int` refuses have too many digits for a JSON text.
    if row.fits is None or name == "int":
        assert (row.kinds or set(get_args(Kind))) == WHOLE_KINDS[name]
    else:
        assert WHOLE_KINDS[name] < row.kinds


def test_a_scalar_with_a_test_of_its_own_has_fewer_values_than_its_kind(monkeypatch):
    def draw(drawer, clause, fuel):
        return drawer.choose_first(
            ("".join(drawer.rng.choices("XYZ", k=26)) for _ in range(9)), clause
        )

    row = ScalarRow("ticket", frozenset({"string"}), lambda text: len(text) == 26)
    monkeypatch.setitem(SCALARS, "ticket", row)
    monkeypatch.setitem(WHOLE_KINDS, "ticket", frozenset())
    monkeypatch.setitem(SCALAR_MAKERS, "ticket", draw)
    ticket = Scalar("ticket")

    assert is_subtype(ticket, STRING)
    assert is_subtype(STRING, ticket) is False
    assert disjoint(ticket, INT)
    assert disjoint(ticket, STRING) is False
    assert all(len(text) == 26 for text in samples(ticket))
    assert any(type(value) is str for value in samples(Both((STRING, Not(ticket)))))


# Subtypes

SUBTYPES = [
    # scalars and the kinds of their values
    (":int", ":float", True),
    (":float", ":int", False),
    (":bool", ":int", False),
    (":keyword", ":string", False),
    (":keyword", ":keyword", True),
    (":any", ":not[:not[:any]]", True),
    (":any", ":not[:nil]", False),
    (":nil", ":int?", True),
    (":int?", ":int|:nil", True),
    (":datetime", ":not[:string]", True),
    (":not[:float]", ":not[:int]", True),
    (":not[:int]", ":not[:float]", False),
    (":map", ":map[:string :any]", True),
    (":any", ":float|:not[:float]", True),
    # the empty type is a subtype of every type
    (":not[:any]", ":int", True),
    (":int[5..] & :int[..3]", ":string", True),
    ("{a :not[:any]}", ":string", True),
    (":T where T = {next :T}", ":string", True),
    # numbers
    (":int[1..5]", ":int[0..9]", True),
    (":int[1..5]", ":int[1..4]", False),
    (":int[>0]", ":int[1..]", True),
    (":float[>0]", ":float[1..]", False),
    (":float[>=1, <=1]", ":enum[1 1.0]", True),
    (f":float[{10**350}..{10**350}]", ":int", True),
    (":int[%6]", ":int[%3]", True),
    (":int[%3]", ":int[%6]", False),
    (":int", ":float[%0.5]", True),
    (":float[%0.1]", ":float[%0.05]", True),
    (":float[%0.2]", ":float[%0.3]", False),
    (":int[1..3]", ":enum[1 2 3]", True),
    (":int[1..4]", ":enum[1 2 3]", False),
    (":int[1..5000]", ":enum[1 2 3]", False),
    (":any[3..]", ":any[2..]", True),
    (":any[/^x/, >3] & :any[1..] & :int", ":int[>3]", True),
    (":not[:any[>5]]", ":float", False),
    (":not[:any[>5]] & :any[0..]", ":float", True),
    # enums, by value and kind
    (":enum[1]", ":int[1..]", True),
    (":enum[1.0]", ":int", False),
    (":enum[true]", ":bool", True),
    (":bool", ":enum[true false]", True),
    (':enum["a" "b"]', ':enum["b" "c" "a"]', True),
    (':enum["a" "b"]', ':enum["a"]', False),
    (':enum["a"]', ":string[..3]", True),
    (':enum["a"]', ":string[2..]", False),
    (":enum[1.5 2.5]", ":float[1..3]", True),
    (":enum[[1, 2]]", "[:int]", True),
    (':enum[{"a": 1}]', "{a :int}", True),
    (":enum[[1]]", "[:keyword]|[:int]", None),
    # texts
    (":string[/^a/, 3..]", ":string[/^a/]", True),
    (":string[/^a/]", ":string[/^b/]", False),
    (":string[/^a/]", ":string[1..]", True),
    (":string", ":string[/(?:)/]", True),
    (":string[..0]", ':enum[""]', True),
    (":keyword[..0]", ":keyword[..3]", True),
    (":string[date]", ":string[hostname]", True),
    (":string[date]", ":string[10..10]", True),
    (":string[date]", ":string[email]", False),
    (":string[uuid, ..8]", ":int", True),
    (":string[uri]", ":string[2..]", True),
    (":string[..5, uri]", ":string[..5]", True),
    # lists
    ("[:int]", "[:float]", True),
    ("[:int, :int]", "[:int]", True),
    ("[:int]", "[:int, :int]", False),
    ("[:int][2..2]", "[:int, :int]", True),
    ("[:int, :string]", "[:int, ** :string]", True),
    ("[:int, ** :string]", "[:int, :string]", False),
    ("[:int, :int, ** :int]", "[:int][2..]", True),
    ("[:int, ** :string]", "[:int, :string, ** :string]", False),
    ("[:int, ** :int]", "[:int, ** :float]", True),
    ("[:not[:any]]", "[:int][..0]", True),
    ("[:int][2.., ..1]", ":string", True),
    ("[:int, :not[:any]]", ":string", True),
    ("[:int][..1]", "[:int][unique]", True),
    ("[:int][unique]", "[:any][unique]", True),
    ("[:int]", "[:int][unique]", False),
    ("[:int|:string][..1]", "[:int]|[:string]", True),
    ("[:int|:string]", "[:int]|[:string]", False),
    ("[:int][..0]", "[:string]", True),
    ("[:int][..20]", "[:float][..30]", True),
    ("[:int, ** :not[:any]]", "[:int][..1]", True),
    # sets
    ("[:int, :int, :int]", "[:int, :int]", False),
    ("[" + ", ".join([":int"] * 9) + "]", "[" + ", ".join([":int"] * 10) + "]", False),
    ("#{:int}", "#{:float}", True),
    ("#{:int}[1..]", "#{:string}", False),
    ("#{:int|:string}[..1]", "#{:int}|#{:string}", True),
    ("#{:int}[..0]", "#{:string}", True),
    ("#{:not[:any]}[1..]", ":int", True),
    ("#{:int}[2.., ..1]", ":int", True),
    # records
    ("{a :int, b :string}", "{a :int}", True),
    ("{a :int}", "{a :int, b? :string}", False),
    ("{a :int}!", "{a :int, b? :string}", True),
    ("{a :int}", "{a? :int}", True),
    ("{a? :int}", "{a :int}", False),
    ("{a :int = 3}", "{a? :int}", True),
    ("{a :int}!", "{a :int}", True),
    ("{a :int}", "{a :int}!", False),
    ("{a :int, b :int}!", "{b :int, a :int}!", True),
    ("{a :int, ** :int}", "{a :int, ** :float}", True),
    ("{a :int, ** :float}", "{a :int, ** :int}", False),
    ("{}", ":map", True),
    ("{a :int}!", ":map[..1]", True),
    ("{a :int, b :int}", ":map[2..]", True),
    ("{a :int}", ":map[2..]", False),
    ("{a :int, b? :string}!", "{a :int, ** :string}", True),
    ("{a :int}", "{b? :int, ** :any}", False),
    ("{a :int}", ":string", False),
    # spellings of names
    ("{user_id :int}", "{user-id :float}", True),
    ('{"user_id" :int}', "{user_id :float}", False),
    ("{user_id :int}", '{"user_id" :float}', False),
    ('{"user_id" :int}!', "{user_id :float}", True),
    ("{user_id :int}", "{user_id? :int, a? :any}", True),
    ("{user_id? :int}!", "{** :int}", True),
    ("{user_id? :int}!", "{** :string}", False),
    ("{a_b_c_d_e_f :int}", "{a-b-c-d-e-f :float}", True),
    ("{a_b_c_d_e_f :int}!", "{** :float}", True),
    ("{a :int}", "{a :int, a_b_c_d_e_f? :any}", False),
    ('{"user_id" :int, user-id :string}!', '{"user_id" :int, user-id :string}', True),
    # keys by pattern
    ("{/^x/ :int}", "{/^x/ :float}", True),
    ("{/^x/ :float}", "{/^x/ :int}", False),
    ("{/^x/ :int}!", "{** :int}", True),
    ("{xa :float, /^x/ :int}!", "{xa :int}", True),
    ("{a_b_c_d_e_f :int, /^x/ :int}", "{a_b_c_d_e_f :int, /^x/ :int}", True),
    # maps with typed keys and values
    (":map[:int :int]", ":map[:float :float]", True),
    (":map[:int :int]", ":map[:int :string]", False),
    (":map[:int]", "{** :int}", True),
    (":map[:int]", "{a? :int, ** :int}", True),
    ("{a :int}!", ":map[:int]", False),
    ("{a :int}!", ":map[:any :int]", True),
    ("{a :int}!", ":map[:any :string]", False),
    ("{** :int}", ":map[(:string|:keyword) :int]", True),
    (":map[:int :int]", ":map", False),
    (":map[:int :int]", "{a? :int}", False),
    (":map[:not[:any] :int]", ":map[..0]", True),
    (":map[:string :not[:any]][1..]", ":string", True),
    (':map[:enum["a"] :int]', "{a? :int}", True),
    (":map[:string[/^x/] :int]", "{/^x/ :int}", True),
    ("{a :int}", ":map[:keyword :int]", False),
    (":map[:keyword :int] & {a :int}", "{a :int}", True),
    (":map[:keyword :int] & {a :int}", "{a :string}", False),
    # names with more spellings than are compared
    ("{a_b_c_d_e_f :int} & :map[:any :int]", "{a_b_c_d_e_f :int}", True),
    ("{a_b_c_d_e_f :int}!", ":map[:any :int]", None),
    ("{a_b_c_d_e_f :int}!", "{/a-b_c-d/ :string, ** :int}", None),
    ("{/^x/ :int}", "{a_b_c_d_e_f? :any, /^x/ :int}", False),
    ("{/1/ :int, /2/ :int, /3/ :int, /4/ :int, /5/ :int, /6/ :int}", "{/1/ :int}", None),
    # unions, intersections, one of
    (":int|:string", ":string|:float", True),
    (":string|:float", ":int|:string", False),
    ('{kind :enum["a" "b"]}', '{kind :enum["a"]}|{kind :enum["b"]}', True),
    ('{k :enum["a" "b"], x :int}', '{k :enum["a"], x :int}|{k :enum["b"]}', True),
    ('{k :enum["c"], x :int}', '{k :enum["a"], x :int}|{k :enum["b"]}', False),
    (':one[{k :enum["a"]}, {k :enum["b"]}]', '{k :enum["a" "b"]}', True),
    (":int", ":one[:int, :string]", True),
    (":int", ":one[:int, :float]", False),
    (":one[:int, :float]", ":float", True),
    ("{a :int} & {b :int}", "{a :int, b :int}", True),
    ("{a :int, b :int}", "{a :int} & {b :int}", True),
    ("{a :int}", "{a :int} & {b :int}", False),
    # members of an intersection that spell keys differently
    ("{user_id :int} & {user_id :int[3..]}", "{user_id :int[3..]}", True),
    ("{user_id :int} & {/-/ :string}", "{user_id :int}", True),
    ("{user_id :int} & {/-/ :string}", "{/-/ :string}", False),
    ("{a :int}", "{user_id :int} & {/-/ :string}", False),
    ('{"user_id" :int} & {user_id :float}', ":map", True),
    ("{user_id :int} & [:int]", ":string", True),
    ("[{user_id :int}][unique]", "[{user_id :int}][unique]", True),
    ("[{}][unique]", "[{user_id? :int}][unique]", False),
    ("{user_id :int} & :map[:int]", "{user_id :int}", True),
    ("{user_id :int} & :map[:int]", ":map[:int]", None),
    ("{user_id :int} & :map[:any :int]", "{** :int}", True),
    ('{user_id :int} & :enum[{"user_id": 1}]', ':enum[{"user_id": 1}]', False),
    ("{user_id :int} & :enum[[1]]", ":string", True),
    # a text stands for a keyword as the key of a map
    (":map[:enum[:a] :int]", ":map[:keyword :int]", True),
    ("{a :int}!", ":map[:keyword :int]", True),
    ("{a :int}!", ":map[:enum[:a :b] :int]", True),
    ("{a :int}!", ":map[:enum[:b] :int]", False),
    ('{":a" :int}!', ":map[:keyword :int]", False),
    ('{"" :int}!', ":map[:keyword :int]", False),
    ("{** :int}", ":map[:keyword :int]", False),
    (":map[:int]", ":map[:keyword :int]", False),
    (":map[:string[/^[^:]/] :int]", ":map[:keyword :int]", True),
    (":map[:keyword :int]", ":map[:int]", False),
    (":map[:keyword :int]", ":map[:keyword|:string :int]", True),
    (":map[:keyword[2..] :int]", ":map[:keyword[1..] :int]", True),
    (":map[:keyword[1..] :int]", ":map[:keyword[2..] :int]", False),
    (':map[:enum["a"] :int]', ":map[:enum[:a] :int]", True),
    (":map[:enum[:a] :int]", ':map[:enum["a"] :int]', False),
    (":map[:keyword & :not[:enum[:a]] :int]", ":map[:keyword :int]", True),
    (":map[:one[:keyword, :enum[:a]] :int]", ":map[:keyword :int]", True),
    (":map[:not[[:int]] :int]", ":map[:any :int]", True),
    (":map[:K :int] where K = :enum[:a]", ":map[:keyword :int]", True),
    (':map[(:keyword? "a name") :int]', ":map[:keyword? :int]", True),
    (':map[:enum[1 :""] :int]', ":map[:int|:keyword :int]", True),
    # names
    (TREE, NODE, True),
    (NODE, TREE, False),
    (":T where T = {next? :T}", ":U where U = {next? :V}, V = {next? :U}", True),
    (":T where T = [:U], U = :int", ":T where T = [:U], U = :float", True),
    (":T where T = [:U], U = :int, U2 = :nil", ":T where T = [:U], U = :nil", False),
    (":map[:one[:K, :not[:K]] :int] where K = :keyword", ":map[:any :int]", True),
    # choices that depend on each other
    ("({a :int}|{b :int}) & ({a :int}|{c :int})", "{a :int}|({b :int} & {c :int})", True),
    ("({a :int}|{b :int}) & ({a :int}|{c :int})", "{a :int}|{b :string}", False),
    ("[:int][..3]", "[:int, :int]", False),
    ("[:int][..3]", "[:int][..1]|[:int, :int]|[:int][3..]", True),
    ("[:int[1..4], :int]", "[:int[1..2], :int]|[:int[3..4], :int]|[:int]", True),
    # descriptions have no effect
    ('(:int "a count")', ":int", True),
    (":int", '(:int "a count")', True),
]


@pytest.mark.parametrize(("a", "b", "expected"), SUBTYPES)
def test_a_type_is_a_subtype_where_its_values_are(a, b, expected):
    assert expected is is_subtype(a, b)


@pytest.mark.parametrize(("a", "b", "expected"), [row for row in SUBTYPES if row[2] is False])
def test_a_type_that_is_not_a_subtype_has_a_counterexample(a, b, expected):
    found = counterexample(a, b)

    assert found is not None
    assert typesig.parse(a).accepts(found[0])
    assert not typesig.parse(b).accepts(found[0])


def test_a_subtype_has_no_counterexample():
    assert None is counterexample(":int", ":float")


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (":int|:float", ":float", True),
        (":int", ":float", False),
        (":float", ":int", False),
        (":keyword", ":keyword & :not[[{user_id :int} & {/-/ :int}]]", None),
    ],
)
def test_types_are_equivalent_where_each_is_a_subtype_of_the_other(a, b, expected):
    assert expected is equivalent(a, b)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (":int", ":string", True),
        (":int", ":float", False),
        # A member of a Python enum of texts is both.
        (":keyword", ":string", False),
        (":keyword", ":bool", True),
        (":string[date]", ":string[date-time]", True),
        (":string[ipv4]", ":string[ipv6]", True),
        (":string[date]", ":string[uuid]", True),
        (":string[uri]", ":string[email]", True),
        (":string[uri]", ":string[base64]", True),
        (":string[duration, 40..]", ":string[decimal]", True),
        (":string[time]", ":string[date-time]", None),
        (":string[/^usr_/]", ":string[/^org_/]", True),
        (":string[/^usr_/]", ":string[/^us/]", False),
        (":string[/^[a-c]+/]", ":string[/^b/]", False),
        (":string[/usr_/]", ":string[/org_/]", False),
        ('{k :enum["a"]}', '{k :enum["b"]}', True),
        ("{a :int}!", "{b :int}!", True),
        ("{a :int}", "{b :int}", False),
        ("[:int]", "[:string]", False),
        ("[:int][1..]", "[:string]", True),
        ("#{:int}[1..]", "#{:string}", True),
    ],
)
def test_types_are_disjoint_if_they_have_no_value_in_common(a, b, expected):
    assert expected is disjoint(a, b)


def test_signatures_are_compared_by_their_results():
    assert is_subtype("(q :string) -> :int", "() -> :float") is True
    assert is_subtype(List(INT), "[:float]") is True


def test_a_proof_that_takes_too_many_steps_is_not_found(monkeypatch):
    monkeypatch.setattr(step_budget, "MAX_PROOF_STEPS", 30)

    assert None is is_subtype("{a :int, b :int, c :int}", "{a :int, b :int}")


def test_many_members_of_many_unions_are_compared_in_time():
    a = make_union(
        [record([make_field("k", typesig.parse(f":enum[v{n}]").returns)]) for n in range(40)]
    )
    b = make_union(
        [record([make_field("k", typesig.parse(f":enum[v{n}]").returns)]) for n in range(41)]
    )

    assert is_subtype(a, b) is True
    assert is_subtype(b, a) is False


@pytest.mark.once
def test_deep_types_do_not_exhaust_the_stack():
    a, b = INT, typesig.parse(":float").returns
    for _ in range(120):
        a, b = List(a), List(b)

    assert is_subtype(a, b) in (True, None)
    assert is_subtype(b, a) in (False, None)
    assert samples(a, count=1)
    assert a == simplify(a)


# Samples

SAMPLED = [
    ":string",
    ":int[%7, 100..200]",
    ":int[..-5]",
    ":float[>0.1, <0.2]",
    ":float[%0.25, 3..]",
    ":float[%0.5, %0.75, >0]",
    ":string[hostname, 100..]",
    ":string[/(?=a)[a-z]+/]",
    "{/^[a-z]$/ :int}![20..]",
    ":float[..-1e300]",
    ":float[1e308..]",
    ":keyword[3..]",
    ":string[/^[A-Z]{2}-\\d{4}$/]",
    ":string[/^(?=.*[A-Z])(?=.*\\d).{8,}$/]",
    ":string[/^(?!foo)[a-z]+$/]",
    ":string[/a/, /b/]",
    ":string[/[^a-zA-Z0-9]/]",
    ":string[/^(?:ab|cd){2,3}?$/]",
    ":string[/^x{3,}$/, 40..]",
    ":string[/@example\\.com$/, email]",
    ":string[5000..]",
    ":string[..1]",
    ":string[/x/, ..1]",
    "[:enum[a b c]][unique, 3..3]",
    "[:int][2..] & :not[[:any][unique]]",
    "[:int, ** :string][3..3]",
    "[:int, :string] & [:any]",
    "#{:enum[1 2 3]}[3..]",
    "#{[:int]}[1..]",
    "#{#{:int}}[1..]",
    ":map[:string[/^x-/] :int][2..]",
    ":map[:int :int] & :map[:float :any]",
    ":map[3..]",
    "{a? :int, b? :int, c? :int}[2..2]",
    "{/^s_/ :string, /^i_/ :int, ** :bool}[2..]",
    "{/^x/ :int}![3..]",
    '{"" :int, "a b" :string, "$ref" :string}!',
    "{a :int} & {a :int[5..], b :int}!",
    "{user_id :int} & {user-id :int[5..]}",
    "{a? :not[:any]}!",
    ":one[{a :int}, {b :int}]",
    ":not[:string]",
    ":not[:any[..3]]",
    ":not[:int|:string|:bool]",
    ":not[{a :int}] & {a :any}",
    ":not[:map]",
    ":not[:int?]",
    ":not[:one[:int, :string]]",
    ":not[:int & :float]",
    ":datetime",
    TREE,
    ":T where T = :int|[:T][1..]",
    ":T where T = {l :T?, r? :T, v :int}",
    ":T where T = [:T, :T]|:nil",
    ":T where T = {x :map[:string :T], y #{:int}} & {z :int}",
    ":enum[1 2 3][2..]",
    '(:int "a count")',
    ":any",
    "{user_id :int} & {/-/ :string}",
]


@pytest.mark.parametrize("text", SAMPLED)
def test_samples_are_accepted_and_near_misses_are_not(text):
    s = typesig.parse(text)
    found = [value for seed in range(5) for value in samples(s, seed)]
    near = [] if text == ":any" else [value for seed in range(5) for value in near_misses(s, seed)]

    assert found
    assert [] == [value for value in found if not s.accepts(value)]
    assert [] == [value for value in near if s.accepts(value)]


@pytest.mark.parametrize(
    "text",
    [
        ":not[:any]",
        ":int[5..] & :int[..3]",
        ":int[%7, 1..6]",
        ":float[>1, <1]",
        ":float[>1, <0]",
        ":string[2..] & :string[..1]",
        ":string[/^[A-Z]{2}$/, date]",
        ":string[30000..]",
        ":string[/^a{90000}$/]",
        ":enum[1 2][3..]",
        "[:bool][unique, 3..]",
        "[:int][3000..]",
        "[:not[:any]][1..]",
        "#{:bool}[3..]",
        "#{:not[:any]}[1..]",
        "{a :not[:any]}",
        "{a :int}![2..]",
        "{a :int} & {b :int}!",
        ":map[:bool :int][3..]",
        ":map[:int :int] & {a :int}",
        ":T where T = {next :T}",
        ":T where T = {a :T} & {b :int}",
        ":T where T = #{:T}[1..]",
        ":T where T = :map[:T][1..] & :map",
        ":T where T = [:T][1..]",
        ":T where T = [:T, :int]|{x :T}",
    ],
)
def test_a_type_without_values_has_no_sample(text):
    with pytest.raises(NoSample, match="was found; the type is probably empty"):
        samples(text)


def test_the_message_of_a_missing_sample_shortens_a_long_type():
    fields = [make_field(f"name_{n}", INT) for n in range(50)]

    with pytest.raises(NoSample, match="…"):
        samples(record([*fields, make_field("x", Not(ANY))]))


def test_a_type_that_refuses_nothing_has_no_near_miss():
    with pytest.raises(NoSample, match="no value was found that"):
        near_misses(":any")
    with pytest.raises(NoSample, match="no value was found that"):
        near_misses(":any", json=True)


@pytest.mark.parametrize("text", [":int[1..5]", "{a :int, b? [:string]}", TREE, "#{:string}"])
def test_the_same_seed_gives_the_same_values(text):
    assert samples(text, 7) == samples(text, 7)
    assert near_misses(text, 7) == near_misses(text, 7)
    assert samples(text, 7) != samples(text, 8)


def test_samples_are_different_values():
    assert {False, True} == set(samples(":bool", count=10))
    assert [] == samples(":int", count=0)
    assert [] == near_misses(":int", count=0)


def test_samples_are_the_same_on_every_python():
    assert [4, 3, 5] == samples(":int[1..5]", count=3)
    assert [0, 2.5, 6] == near_misses(":int[1..5]", count=3)


@pytest.mark.needs_process
def test_samples_do_not_depend_on_the_order_of_hashes():
    code = "from typesig.relations import *; s = '#{:string|:keyword}|{a :any, ** :string}'; "
    code += "print(sorted(map(str, map(sorted, samples(s, 3, 20)))), "
    code += "[sorted(map(repr, m)) if isinstance(m, set) else m for m in near_misses(s, 3, 40)])"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        ).stdout
        for seed in ("1", "2")
    }

    assert 1 == len(outputs)


@pytest.mark.parametrize(
    "text", [":any", "{a :int|:keyword|:datetime|#{:int}}", ":map[:int :int]", "[:enum[:k 1]]"]
)
def test_samples_can_be_kept_to_json(text):
    s = typesig.parse(text)
    found = [value for seed in range(5) for value in samples(s, seed, json=True)]

    assert [] == [value for value in found if not is_json(value) or not s.accepts(value)]


def test_near_misses_can_be_kept_to_json():
    found = near_misses("{a :int, b [:string], c :map}", count=100, json=True)

    assert 100 == len(found)
    assert [] == [value for value in found if not is_json(value)]


@pytest.mark.parametrize("text", [":keyword", "#{:int}", ":datetime", ":enum[:k]"])
def test_a_type_without_json_values_has_no_sample_in_json(text):
    assert samples(text)
    with pytest.raises(NoSample):
        samples(text, json=True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (":int[1..5]", 6),
        (":int[1..5]", 0),
        (":int[1..5]", "3"),
        (":string[..3]", "a~~~"),
        ("[:int][unique]", [15, 15]),
        ("{a :int}!", {"a": 14, "extra_key": None}),
        ("{a :int}!", {}),
        ("{user_id :int}", {"user_id": 10, "user-id": 10}),
        (":datetime", "text"),
        (":keyword", "k"),
    ],
)
def test_typical_mistakes_of_models_are_near_misses(text, value):
    near = near_misses(text, count=500)
    kinds = {type(each) for each in near}

    assert value in near or (isinstance(value, str) and str in kinds)


# Texts


@pytest.mark.parametrize("name", FORMATS)
def test_the_facts_of_a_format_are_true_of_its_texts(name):
    row, rng = FORMAT_TEXTS[name], Random(0)
    made = [row.make(rng, size % 60) for size in range(600)]
    fit = [text for text in made if FORMATS[name](text)]

    assert len(fit) > 300
    for text in fit:
        assert len(text) >= row.low
        assert row.high is None or len(text) <= row.high
        assert set(row.marks) <= set(text)
        assert not row.letters or set(text) <= set(row.letters)
        assert all(FORMATS[other](text) for other in row.within)
        assert [] == [
            other for other in FORMATS if are_disjoint(name, other) and FORMATS[other](text)
        ]


def test_a_pattern_that_cannot_be_read_has_no_texts():
    assert [] == list(iter_matching_texts("(", Random(0), Work()))
    assert 0 == get_min_length("(")


@pytest.mark.parametrize(
    ("pattern", "fewest"), [("", 0), ("^ab?c{2}$", 3), ("(?=abc)", 0), ("a|bc", 1), ("[]", 1)]
)
def test_the_fewest_characters_of_a_pattern(pattern, fewest):
    assert fewest == get_min_length(pattern)
    assert all(len(text) >= fewest for text in iter_matching_texts(pattern, Random(0), Work()))


# Values


def test_values_are_accepted_as_by_the_signature():
    s = typesig.parse("{id :int}!")

    for value in ({"id": 1}, {"id": "1"}, {}, {"id": 1, "x": 2}):
        assert s.accepts(value) == Judge(s.definitions, Work()).accepts(s.returns, value)


# Simplifying

SIMPLER = [
    # one of
    (":one[:int, :string]", ":int|:string"),
    (":one[:int, :float]", ":one[:int, :float]"),
    (":one[:float, :string]", ":one[:float, :string]"),
    (":one[:one[:int, :string], :bool]", ":int|:string|:bool"),
    (
        ':one[{k :enum["a"], x :float = 1}, {k :enum["b"]}]',
        '{k :enum["a"], x :float = 1}|{k :enum["b"]}',
    ),
    (
        ':one[{k :enum["a"], x :float}, {k :enum["a"], x :string}]',
        ':one[{k :enum["a"], x :float}, {k :enum["a"], x :string}]',
    ),
    (
        ":one[{j :enum[x], k :enum[a]}, {k :enum[b], x :float}]",
        "{j :enum[x], k :enum[a]}|{k :enum[b], x :float}",
    ),
    (
        ':one[{k :enum[1], x :float}, {k :enum["a"]}]',
        ':one[{k :enum[1], x :float}, {k :enum["a"]}]',
    ),
    (
        ':one[{k? :enum["b"], x :float}, {k :enum["a"]}]',
        ':one[{k? :enum["b"], x :float}, {k :enum["a"]}]',
    ),
    (":one[:A, :B] where A = {k :enum[a]}, B = {k :enum[b], x :float}", None),
    (":one[:A, :string] where A = :int", ":A|:string where A = :int"),
    (":one[:int, :string, [:int]]", ":int|:string|[:int]"),
    # unions
    (":enum[a]|:enum[b]|:enum[1]", ':enum["a" "b" 1]'),
    (":enum[a 1]|:enum[b 2]", ':enum["a" 1]|:enum["b" 2]'),
    (":int[1..5]|:int", ":int"),
    (":int|:int[1..5]", ":int"),
    (":int[1..5]|:string|:int", ":int[1..5]|:string|:int"),
    (":int|:string|:int[1..5]", ":int|:string"),
    ('(:int[1..5] "few")|:int', '(:int[1..5] "few")|:int'),
    (":not[:any]|:int", ":int"),
    (":not[:any]|(:int & :string)", ":int & :string"),
    (":any|:int", ":any"),
    ('(:int "a count")|:any', '(:int "a count")|:any'),
    (":any?", ":any"),
    (":enum[a nil]?", ':enum["a" nil]'),
    (":enum[a]?", ':enum["a"]?'),
    # intersections
    ("{a :int} & {b :string[3..] & :any[..5]}", "{a :int, b :string[3..5]}"),
    ("{a :int}! & {a :any}", "{a :int}!"),
    ("{a :int}! & {a :any, b? :int}!", "{a :int}! & {a :any, b? :int}!"),
    ("{a :int} & {a :int, b? :int}!", "{a :int, b? :int}!"),
    ("{a? :int} & {a :int}", "{a :int}"),
    ("{a :any} & {a :any}!", "{a :any}!"),
    ("{a :int = 1} & {b :int}", "{a :int = 1} & {b :int}"),
    ("{a :float} & {b :int}", "{a :float} & {b :int}"),
    ("{a :int, ** :int} & {b :int}", "{a :int, ** :int} & {b :int}"),
    ("{user_id :int} & {user_id :int[3..]}", "{user_id :int[3..]}"),
    ("{user_id :int} & {user-id :int}", "{user_id :int} & {user-id :int}"),
    ('{user_id :int} & {"user_id" :int}', '{user_id :int} & {"user_id" :int}'),
    ("{user_id :int} & {/-/ :int}", "{user_id :int} & {/-/ :int}"),
    ('{"a-b" :int} & {"a-b" :int[3..]}', '{"a-b" :int[3..]}'),
    (":int[1..] & :int[..5]", ":int[1..5]"),
    (":int[1..] & :any[..5]", ":int[1..5]"),
    (":any[..5] & :int", ":any[..5] & :int"),
    (":any[..5] & :string", ":string[..5]"),
    (":bool & :any[..5]", ":bool & :any[..5]"),
    (":int & :string", ":int & :string"),
    (":any & :int", ":int"),
    (":any & :float", ":any & :float"),
    # constraints
    ("[:int][0..]", "[:int]"),
    (":float[>0, 0..]", ":float[>0]"),
    ("[:int, :string][2..]", "[:int, :string]"),
    (":enum[1 2 3][2..]", ":enum[2 3]"),
    (":enum[1 2 3][7..]", ":enum[1 2 3][7..]"),
    ("[:datetime][0..]", "[:datetime][0..]"),
    ("[{user_id :int}][unique, ..1]", "[{user_id :int}][..1, unique]"),
    ("[:string[decimal]][unique, ..1]", "[:string[decimal]][..1]"),
    (":string[decimal] & :string", ":string[decimal] & :string"),
]


@pytest.mark.parametrize(("text", "expected"), SIMPLER)
def test_a_type_is_simplified(text, expected):
    s = typesig.parse(text)
    if expected is None:
        expected = ":A|:B where A = {k :enum[a]}, B = {k :enum[b], x :float}"

    assert typesig.parse(expected) == simplify(text)
    if not s.definitions:
        assert typesig.parse(expected).returns == simplify(s.returns)


def test_every_type_of_a_signature_is_simplified():
    text = "(a :any?, ** :any|:int) -> :T where T = {b :int|:int[1..]}"

    assert typesig.parse("(a? :any) -> :T where T = {b :int}") == simplify(text)


def test_a_type_with_an_undefined_name_cannot_be_simplified():
    with pytest.raises(typesig.TypesigError, match="is not defined"):
        simplify(Ref("T"))


def test_after_too_many_proofs_the_rest_is_not_simplified(monkeypatch):
    monkeypatch.setattr(step_budget, "MAX_PROOF_STEPS", 0)

    assert typesig.parse(":int[1..5]|:int") == simplify(":int[1..5]|:int")


def test_a_proof_that_takes_too_long_simplifies_nothing(monkeypatch):
    monkeypatch.setattr(simplification, "MAX_PART_STEPS", 0)

    assert typesig.parse(":int[1..5]|:int") == simplify(":int[1..5]|:int")


def test_the_size_of_a_type_counts_its_parts():
    assert 11 == count_size(typesig.parse("{a :int[1..5], /x/ :enum[1 2]}").returns)


# Differences

OLD = "(q :string, n :int = 1) -> {id :int}"

DIFFERENCES = [
    # parameters and fields
    ("(q :string) -> :any", "() -> :any", "params.q: was removed: q :string"),
    ("() -> :any", "(k? :int) -> :any", "params.k: was added: k? :int"),
    ("(q? :int) -> :any", "(q :int) -> :any", "params.q: is required now"),
    ("(q :int) -> :any", "(q? :int) -> :any", "params.q: is optional now"),
    (
        "(q :int = 1) -> :any",
        "(q :int = 2) -> :any",
        "params.q: the default changed from 1 to 2",
    ),
    ("(q? :int) -> :any", "(q :int = 2) -> :any", "params.q: the default 2 was added"),
    ("(q :int = 2) -> :any", "(q? :int) -> :any", "params.q: the default 2 was dropped"),
    (
        "(a_b :int) -> :any",
        '("a_b" :int) -> :any',
        "params.a_b: the name must match exactly now",
    ),
    (
        '("a_b" :int) -> :any',
        "(a_b :int) -> :any",
        "params.a_b: the name no longer has to match exactly",
    ),
    (
        "(a :int, b :int) -> :any",
        "(b :int, a :int) -> :any",
        "params: the order changed from a, b to b, a",
    ),
    ("() -> :any", "()! -> :any", "params: accepts no other names now"),
    ("()! -> :any", "(** :int) -> :any", "params: accepts other names now: :int"),
    ("()! -> :any", "() -> :any", "params: accepts other names now: :any"),
    (
        "(** :int) -> :any",
        "(** :float) -> :any",
        "params.**: was widened from :int to :float",
    ),
    # types
    (":int", ":float", "returns: was widened from :int to :float"),
    (":float", ":int", "returns: was narrowed from :float to :int"),
    (":int", ":string", "returns: changed from :int to :string"),
    (
        ":int|:nil|:string",
        ":one[:int, :string, :nil]",
        "returns: was rewritten from (:int|:string)? to :one[:int, :string, :nil], which means"
        " the same",
    ),
    (":int", ":int?", "returns: is nullable now"),
    (":int?", ":int", "returns: is no longer nullable"),
    (":int?", ":string?", "returns: changed from :int to :string"),
    (":int?", ":string", "returns: changed from :int? to :string"),
    (":enum[a b]", ":enum[a b c]", 'returns: also accepts "c" now'),
    (":enum[a b]", ":enum[b]", 'returns: no longer accepts "a"'),
    (":enum[a b]", ":enum[b a]", 'returns: the order changed from "a", "b" to "b", "a"'),
    # constraints
    (":int[1..]", ":int[1.., %2]", "returns: is limited to %2 now"),
    (":int[1.., %2]", ":int[1..]", "returns: is no longer limited to %2"),
    (":int[1..]", ":int[2..]", "returns: the limit was tightened from 1.. to 2.."),
    (":int[2..]", ":int[1..]", "returns: the limit was loosened from 2.. to 1.."),
    (":int[1..]", ":int[1.0..]", "returns: the limit changed from 1.. to 1.0.."),
    (":string[/a/]", ":string[/b/]", "returns: the limit changed from /a/ to /b/"),
    (":int[1..]", ":float[2..]", "returns: changed from :int[1..] to :float[2..]"),
    # parts
    ("[:int]", "[:float]", "returns.[]: was widened from :int to :float"),
    ("#{:int}", "#{:float}", "returns.[]: was widened from :int to :float"),
    ("[:int, :int]", "[:int, :float]", "returns.1: was widened from :int to :float"),
    ("[:int, ** :int]", "[:int, ** :float]", "returns.**: was widened from :int to :float"),
    (
        "[:int, :int]",
        "[:int, ** :int]",
        "returns: was widened from [:int, :int] to [:int, ** :int]",
    ),
    (":map[:int :int]", ":map[:float :int]", "returns.key: was widened from :int to :float"),
    (":map[:int]", ":map[:float]", "returns.value: was widened from :int to :float"),
    ("{a :int}", "{a :int}!", "returns: accepts no other names now"),
    ("{a :int}", "{a :int, /x/ :int}", "returns./x/: was added: :int"),
    ("{/x/ :int}", "{}", "returns./x/: was removed: :int"),
    ("{/x/ :int}", "{/x/ :float}", "returns./x/: was widened from :int to :float"),
    (
        "{/x/ :int, /y/ :int}",
        "{/y/ :int, /x/ :int}",
        "returns: the order changed from /x/, /y/ to /y/, /x/",
    ),
    (":int|:string", ":int|:string|:bool", "returns: was added: :bool"),
    (":int|:string|:bool", ":int|:string", "returns: was removed: :bool"),
    (":int|:string", ":float|:string", "returns.|1: was widened from :int to :float"),
    (
        ":int|:string",
        ":string|:int",
        "returns: the order changed from :int, :string to :string, :int",
    ),
    (":one[:int, :bool]", ":one[:int, :nil]", "returns.|2: changed from :bool to :nil"),
    ("{a :int} & :map[2..]", "{a :float} & :map[2..]", None),
    (":not[:int]", ":not[:float]", "returns: was narrowed from :not[:int] to :not[:float]"),
    # descriptions
    ("{a :int}", '{a :int "count"}', 'returns.a: the description was added: "count"'),
    ('{a :int "count"}', "{a :int}", 'returns.a: the description was removed: "count"'),
    (
        '{a :int "count"}',
        '{a :int "sum"}',
        'returns.a: the description changed from "count" to "sum"',
    ),
    # names
    (
        ":T where T = [:int]",
        ":T where T = [:float]",
        "where.T.[]: was widened from :int to :float",
    ),
    ("[:int]", "[:int] where T = :int", "where.T: was added: :int"),
    ("[:int] where T = :int", "[:int]", "where.T: was removed: :int"),
    (":A where A = :int, B = :int", ":B where A = :int, B = :int", None),
]


@pytest.mark.parametrize(("a", "b", "expected"), DIFFERENCES)
def test_a_difference_has_a_sentence(a, b, expected):
    found = [str(each) for each in difference(a, b)]

    assert 1 == len(found)
    if expected is not None:
        assert [expected] == found


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (make_noted(INT, None, "T"), INT, 'returns: the title "T" was removed'),
        (INT, make_noted(INT, None, "T"), 'returns: the title "T" was added'),
        (
            make_noted(INT, None, "T"),
            make_noted(INT, None, "U"),
            'returns: the title changed from "T" to "U"',
        ),
        (
            make_noted(make_noted(INT, "a", "T"), "b"),
            make_noted(make_noted(INT, "a"), "b", "T"),
            "returns: was rewritten from ",
        ),
        (
            Both((STRING, INT)),
            Both((INT, STRING)),
            "returns: the order changed from :string, :int to :int, :string",
        ),
        (
            make_union([STRING, make_noted(INT, "a")]),
            make_union([STRING, make_noted(INT, None, "T")]),
            'returns.|2: the description was removed: "a"',
        ),
    ],
)
def test_differences_that_the_shorthand_cannot_show_are_listed(a, b, expected):
    found = [str(each) for each in difference(a, b)]

    assert expected in [text[: len(expected)] for text in found]


def test_equal_signatures_have_no_difference():
    assert () == difference(OLD, OLD)


def test_a_difference_is_data():
    (found,) = difference("(q? :int) -> :any", "(q :int) -> :any")

    assert Difference(("params", "q"), "required") == found
    assert found.code in SENTENCES
    assert {found: 1}[Difference(("params", "q"), "required")] == 1


def test_signatures_with_equal_params_are_compared_by_their_results():
    old, new = Signature([make_field("a", INT)], ANY), Signature([make_field("a", INT)], INT)

    assert ["narrowed"] == [found.code for found in difference(old, new)]


# What random drawing reaches only sometimes.


def test_a_value_without_a_form_in_any_notation_is_not_drawn():
    drawer = Drawer((), Random(0))

    with pytest.raises(NoSample, match=r"^only values that have a form in a notation are drawn"):
        KIND_MAKERS["object"].make(drawer, ((), ()), 0)


@pytest.mark.parametrize(
    ("text", "height"),
    [
        (":map[:int][1..]", 1),
        ("([:int] \"words\")[1..]", 1),
        ("[:int, [:int]][2..]", 1),
        (":T[1..] where T = [:int]", 0),
        ("(:not[:string])[1..]", 0),
    ],
)  # fmt: skip
def test_the_height_of_a_type_that_requires_items(text, height):
    s = typesig.parse(text)

    assert height == Heights(s.names).get_height(s.returns)


def test_a_type_that_joins_others_may_refuse_any_kind():
    for text in (":int?", ":int|:string", ":not[:int]", "{a :int} & {b :int}"):
        assert ALL == find_refused_kinds(typesig.parse(text).returns)


def test_constants_with_maps_depend_on_how_keys_are_spelled():
    constants = typesig.parse(':enum[{"a": 1} [{"b": 2}] 1]').returns

    assert normal_form._may_depend_on_spelling(constants)
    assert not normal_form._may_depend_on_spelling(typesig.parse(":enum[1]").returns)


def test_a_clause_without_a_length_allows_no_text():
    limits = [(Constraint("at_least", 3), True), (Constraint("at_most", 2), True)]

    assert [] == list(propose_texts(limits, Random(0), Work()))
    long = [(Constraint("at_most", 10**6), True)]
    assert next(propose_texts(long, Random(0), Work())) is not None


def test_values_without_a_form_in_json_are_proved_absent():
    prover = EmptinessProver(())

    assert has_no_value("object", OBJECTS, prover, ((INT,), ()))


def test_a_set_is_not_proved_absent_without_a_reason():
    assert not has_no_set(EmptinessProver(()), ((Set(INT),), ()))


def test_constraints_of_texts_and_lists_bound_no_number() -> None:
    others = [Constraint("pattern", "a"), Constraint("format", "uuid"), Constraint("unique", True)]
    limits = [(constraint, wanted) for constraint in others for wanted in (True, False)]

    assert Bounds() == read_bounds(limits)
    assert Bounds(low=Fraction(1)) == read_bounds([*limits, (Constraint("at_least", 1), True)])


@pytest.mark.parametrize(
    ("x", "y", "is_subtype_"),
    [
        # The only clause that is left is one that is had already.
        ("{a :int}", "({a :int}|:any) & :not[:any]", False),
        (":int", "(:T|:int) & (:T|:string) where T = {n :T}", False),
        # No finite value is of a type that needs itself, whatever its notes are.
        (':T where T = ({n :T} "d")', ":string", True),
        ("{a :int}", ':T where T = ({n :T} "d")', False),
        (':T where T = {n (:T "x")}|:int', ":int", False),
        # A record has no test of its own for the texts that are date-times.
        ("({a :int}|:datetime) & :not[{b :int}]", ":int", False),
    ],
)
def test_a_type_is_compared_with_what_is_left_of_another(x, y, is_subtype_):
    assert is_subtype_ is is_subtype(x, y)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{a-b :int} & {c (:int "n")}', "() -> {a-b :int, c :int}"),
        ("{a-b :int} & {c :T} where T = {n :int}", "() -> {a-b :int, c :T} where T = {n :int}"),
    ],
)
def test_records_are_joined_unless_one_depends_on_the_spelling_of_keys(text, wanted):
    assert wanted == str(simplify(text))


def test_each_part_that_changed_is_told():
    assert [("returns", "a"), ("returns", "b")] == [
        found.path for found in difference("{a :int, b :int}", "{a :string, b :string}")
    ]
