"""Laws of relations between types, checked on generated types."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import (
    LAW,
    conforming,
    lone_signatures,
    near_misses,
    signatures,
    types,
    without_defaults,
)
from typesig.algebra.constructors import make_both, make_field, make_maybe, make_union, record
from typesig.algebra.nodes import (
    ANY,
    INT,
    KEYWORD,
    NIL,
    Both,
    List,
    PatternField,
    Record,
    Refinement,
    Type,
)
from typesig.algebra.rows.constraints import get_identity
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import iter_types, transform
from typesig.errors import TypesigError
from typesig.relations import (
    NoSample,
    counterexample,
    difference,
    disjoint,
    equivalent,
    is_subtype,
    samples,
    simplify,
)
from typesig.relations import near_misses as misses
from typesig.relations.conformance import is_json
from typesig.relations.proofs.subtyping import align_definitions
from typesig.relations.step_budget import count_size

_FEW = [":int", ":string", ":float", ":bool", ":any", ":keyword", ":int[1..5]", ":int[0..3]"]
_FEW += [":string[..2]", ":string[/^x/]", ":string[date]", ':enum["a" 1]', "[:int]", ":map"]
_FEW += [":enum[nil 1.0]", ":float[>0]", ":int[%2]", "[:any][unique]", ":any[1..2]", ":datetime"]
_FEW += [":map[:keyword :int]", ":map[:enum[:a :x1] :any]", ":map[:keyword[/^x/]|:int :int]"]

#: Few types, so that two of them are often related.
_LEAVES = st.sampled_from([typesig.parse(text).returns for text in _FEW])

_NAMES = st.sampled_from(["a", "x1", "user_id", "user-id"])


@st.composite
def _records(draw: st.DrawFn, inner: st.SearchStrategy[Type]) -> Type:
    fields = []
    for name in draw(st.lists(_NAMES, max_size=2, unique_by=lambda name: name.replace("-", "_"))):
        required, exact = draw(st.booleans()), draw(st.booleans())
        fields.append(make_field(name, draw(inner), required=required, exact=exact))
    extra = draw(st.one_of(st.just(ANY), st.none(), inner))
    pairs = st.tuples(st.sampled_from(["^x", "_"]), inner)
    matching = draw(st.lists(pairs, max_size=draw(st.sampled_from([0, 0, 1]))))
    return record(fields, extra, [PatternField(pattern, t) for pattern, t in matching])


def _wider(inner: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    return st.one_of(
        _records(inner),
        _records(inner),
        inner.map(List),
        inner.map(make_maybe),
        st.lists(inner, min_size=2, max_size=3).map(make_union),
        st.lists(inner, min_size=2, max_size=2).map(make_both),
        types((), 2),
    )


small = st.recursive(_LEAVES, _wider, max_leaves=4)


@st.composite
def changed(draw: st.DrawFn, t: Type, definitions: Any = ()) -> Type:
    """Return *t* with one of its parts replaced."""
    target = draw(st.sampled_from(list(iter_types(t))))
    new = draw(
        st.sampled_from(
            [make_maybe(target), make_union([target, INT]), List(target), INT, ANY, NIL]
            + ([target.inner] if isinstance(target, Refinement) else [])
            + ([Record((), target.extra)] if isinstance(target, Record) else [])
        )
    )
    try:
        made = transform(t, lambda part: new if part == target else part)
        # A default may no longer fit its type.
        return Signature((), made, definitions).returns
    except TypesigError:
        return t


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Any, Any]:
    """Return two types that may be related."""
    a = draw(small)
    match draw(st.sampled_from(["any", "changed", "changed", "union", "both", "named"])):
        case "any":
            return a, draw(small)
        case "changed":
            b = draw(changed(a))
            return (a, b) if draw(st.booleans()) else (b, a)
        case "union":
            return a, make_union([draw(small), a])
        case "both":
            return make_both([a, draw(small)]), a
        case _:
            s = draw(lone_signatures())
            return s, Signature((), draw(changed(s.returns, s.definitions)), s.definitions)


def values(draw: st.DrawFn, *wholes: Signature) -> list[Any]:
    """Return values of the types *wholes*, and near misses."""
    found: list[Any] = [None, 1, "x", {}, []]
    for whole in wholes:
        try:
            found += samples(whole, draw(st.integers(0, 99)), 6)
            found += misses(whole, draw(st.integers(0, 99)), 12)
        except NoSample:
            continue
    return found


@LAW
@given(st.data())
def test_each_value_of_a_subtype_is_a_value_of_the_other(data):
    a, b = data.draw(pairs())
    if is_subtype(a, b) is True:
        x, y, definitions = align_definitions(a, b)
        one, other = Signature((), x, definitions), Signature((), y, definitions)

        assert [] == [v for v in values(data.draw, one, other) if one.accepts(v) > other.accepts(v)]


@LAW
@given(st.data())
def test_a_drawn_value_of_a_subtype_is_a_value_of_the_other(data):
    a, b = data.draw(pairs())
    one, other = typesig.parse(a), typesig.parse(b)
    value = data.draw(conforming(one.returns, one.names))
    if data.draw(st.booleans()):
        value = data.draw(near_misses(value))
    if one.accepts(value) and not other.accepts(value):
        assert is_subtype(a, b) is not True


@LAW
@given(st.data())
def test_a_type_that_is_not_a_subtype_has_a_counterexample(data):
    a, b = data.draw(pairs())
    if is_subtype(a, b) is False:
        found = counterexample(a, b)

        assert found is not None
        assert typesig.parse(a).accepts(found[0])
        assert not typesig.parse(b).accepts(found[0])


@LAW
@given(st.data())
def test_disjoint_types_have_no_value_in_common(data):
    a, b = data.draw(small), data.draw(small)
    one, other = typesig.parse(a), typesig.parse(b)
    if disjoint(a, b) is True:
        assert [] == [
            v for v in values(data.draw, one, other) if one.accepts(v) and other.accepts(v)
        ]


@LAW
@given(lone_signatures())
def test_a_type_is_a_subtype_of_itself_and_of_anything(s):
    assert is_subtype(s, s) is True
    assert is_subtype(s, ":any") is True
    assert is_subtype(":not[:any]", s) is True
    assert equivalent(s, s) is True


@LAW
@given(small, small)
def test_a_member_of_a_union_is_a_subtype_of_the_union(a, b):
    assert is_subtype(a, make_union([a, b])) is True


@LAW
@given(lone_signatures(), st.integers(0, 99), st.booleans())
def test_samples_are_accepted_and_near_misses_refused(s, seed, json):
    try:
        found = samples(s, seed, json=json)
        near = misses(s, seed, json=json)
    except NoSample:
        return

    assert [] == [value for value in found if not s.accepts(value)]
    assert [] == [value for value in near if s.accepts(value)]
    assert len(found) == len({get_identity(value) for value in found})
    assert not json or [] == [value for value in (*found, *near) if not is_json(value)]


@LAW
@given(st.data())
def test_a_type_with_a_value_has_a_sample(data):
    s = data.draw(lone_signatures())
    # Samples of intersections may be missed, and members of Python enums are never drawn.
    if not any(isinstance(part, Both) or part == KEYWORD for part in iter_types(s.returns)):
        data.draw(conforming(s.returns, s.names))

        assert samples(s)


@LAW
@given(st.data())
def test_a_simplified_type_accepts_the_same_values(data):
    s = data.draw(st.one_of(lone_signatures(), small.map(typesig.parse)))
    simpler = simplify(s)

    assert count_size(simpler.returns) <= count_size(s.returns)
    if s != simpler:
        for value in values(data.draw, s, simpler):
            assert s.accepts(value) == simpler.accepts(value)


@LAW
@given(st.data())
def test_a_simplified_type_coerces_input_as_before(data):
    s = without_defaults(data.draw(st.one_of(lone_signatures(), small.map(typesig.parse))))
    simpler = simplify(s)
    for value in values(data.draw, s, simpler) if s != simpler else ():
        sent = data.draw(near_misses(value))
        outcome = s.validate_and_coerce(sent)
        if outcome.ok:
            assert get_identity(outcome.value) == get_identity(
                simpler.validate_and_coerce(sent).value
            )


@LAW
@given(signatures(titled=True))
def test_simplifying_twice_changes_nothing_more(s):
    simpler = simplify(s)

    assert simpler == simplify(simpler)


@LAW
@given(signatures(1, True), signatures(1, True), st.data())
def test_signatures_have_differences_if_and_only_if_they_are_not_equal(a, b, data):
    if data.draw(st.booleans()):
        b = Signature(a.params, data.draw(changed(a.returns)), a.definitions, a.extra)
    found = difference(a, b)

    assert () == difference(a, a)
    assert (a == b) == (found == ())
    assert all(str(each).isprintable() for each in found)
