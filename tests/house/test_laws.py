"""Laws: statements about every signature and value, tested on generated examples.

Each law is tested on 40 examples, the same ones in each run;
`TYPESIG_LAWS=10000 python -m pytest tests/house/test_laws.py` tests it on 10,000 random ones.
"""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import typesig
from tests.generators import (
    HIDDEN,
    LAW,
    SECRET,
    conforming,
    deep_types,
    fits,
    hostile,
    literals,
    lone_signatures,
    near_misses,
    parts_of,
    signatures,
    texts,
    types,
    valued,
    without_defaults,
)
from typesig.algebra import Keyword
from typesig.algebra.constructors import make_enum, make_field, make_union, record
from typesig.algebra.nodes import ANY, INT, Field, List, Record, Ref
from typesig.algebra.rows.constraints import get_identity
from typesig.algebra.rows.values import to_const
from typesig.algebra.signature import make_type_signature, with_fitting_defaults
from typesig.algebra.traversal import (
    find_references,
    fold,
    get_children,
    iter_types,
    rebuild,
    substitute,
    transform,
)
from typesig.errors import SignatureSyntaxError, TooDeep, TooLarge
from typesig.limits import MAX_DEPTH, MAX_REPORT
from typesig.validation.policy import ENABLED, MODES, STRICT, Policy

#: The policies that laws about checks are tested with.
POLICIES: dict[str, Policy] = {
    **MODES,
    "call": ENABLED.for_call(),
    "lenient": ENABLED.on("int_from_whole_float", "enum_ignoring_case"),
    "few": Policy(max_issues=2),
    "strict call": STRICT.for_call(),
}

# Notation


@LAW
@given(signatures())
def test_rendered_text_parses_to_the_same_signature(s):
    text = typesig.render(s)

    assert s == typesig.parse(text)


@LAW
@given(lone_signatures())
def test_a_rendered_type_parses_to_the_same_type(s):
    text = typesig.render(s.returns) if not s.definitions else typesig.render(s)

    assert s.returns == typesig.parse(text).returns


@LAW
@given(deep_types())
def test_a_rendered_deep_type_parses_to_the_same_type(t):
    assert t == typesig.parse(typesig.render(t)).returns


@LAW
@given(signatures())
def test_rendering_parsed_text_gives_the_same_text(s):
    text = typesig.render(s)

    assert text == typesig.render(typesig.parse(text))


@LAW
@given(signatures())
def test_the_text_without_descriptions_parses_to_the_same_text(s):
    text = str(s)

    assert text == str(typesig.parse(text))


@LAW
@given(signatures())
def test_canonical_text_is_one_line(s):
    text = typesig.render(s)

    assert [text] == text.splitlines()


@LAW
@given(signatures(), signatures())
def test_signatures_are_equal_if_their_texts_are(a, b):
    assert (a == b) == (typesig.render(a) == typesig.render(b))


@LAW
@given(literals(), literals())
def test_constants_are_equal_if_value_and_kind_are(a, b):
    same = get_identity(a) == get_identity(b)

    assert same == (make_enum([a]) == make_enum([b]))


# Values


@LAW
@given(signatures(titled=True))
def test_a_copy_is_equal_with_the_same_hash(s):
    for other in (pickle.loads(pickle.dumps(s)), copy.copy(s), copy.deepcopy(s)):
        assert s == other
        assert hash(s) == hash(other)
        assert repr(s) == repr(other)


@LAW
@given(signatures())
def test_equal_signatures_have_the_same_hash(s):
    other = typesig.parse(typesig.render(s))

    assert hash(s) == hash(other)
    assert 1 == len({s, other})


@pytest.mark.parametrize("a", [1, 1.0, True, "1"])
@pytest.mark.parametrize("b", [1, 1.0, True, "1"])
def test_1_and_true_and_1_0_are_different_constants(a, b):
    same = type(a) is type(b)

    assert same == (make_enum([a]) == make_enum([b]))
    assert same == (make_field("x", ANY, default=a) == make_field("x", ANY, default=b))
    assert same == make_type_signature(make_enum([a])).accepts(b)
    assert same == (typesig.render(make_enum([a])) == typesig.render(make_enum([b])))


# Shapes


@LAW
@given(types(("T",), 3, True))
def test_rebuilding_from_the_same_children_gives_the_same_object(t):
    assert rebuild(t, get_children(t)) is t


@LAW
@given(types(("T",), 3, True))
def test_transforming_by_the_identity_gives_the_same_object(t):
    assert transform(t, lambda part: part) is t
    assert substitute(t, {}) is t
    assert t == substitute(t, {"T": Ref("T")})


@LAW
@given(types(("T",), 3, True))
def test_substituting_leaves_no_reference(t):
    assert frozenset() == find_references(substitute(t, {"T": ANY}))


@LAW
@given(types(("T",), 3, True))
def test_a_fold_and_a_walk_visit_as_many_parts(t):
    def count(_: Any, parts: tuple[int, ...]) -> int:
        return 1 + sum(parts)

    assert fold(t, count) == len(list(iter_types(t)))


@LAW
@given(types(("T",), 2))
def test_a_type_is_deeper_than_its_children(t):
    assert all(child.depth < t.depth <= MAX_DEPTH for child in get_children(t))


# Checking


@LAW
@given(valued())
def test_a_conforming_value_is_accepted_unchanged(pair):
    s, value = pair
    outcome = s.validate_output(value)

    assert "" == outcome.report()
    assert outcome.result is value
    assert s.accepts(value)


@LAW
@given(valued())
def test_a_conforming_value_is_accepted_on_input(pair):
    s, value = pair
    s = without_defaults(s)
    outcome = s.validate_and_coerce(value)

    assert "" == outcome.report()


@LAW
@given(st.data())
def test_a_value_is_accepted_if_and_only_if_it_fits(data):
    s, value = data.draw(valued())
    if data.draw(st.booleans()):
        value = data.draw(near_misses(value))

    assert fits(s.returns, value, s.names) == s.accepts(value)


@LAW
@given(lone_signatures(), literals())
def test_any_literal_is_accepted_if_and_only_if_it_fits(s, value):
    assert fits(s.returns, value, s.names) == s.accepts(value)


@LAW
@given(st.data(), st.sampled_from(["enabled", "strict", "call", "lenient"]))
def test_checking_a_checked_value_changes_nothing(data, mode):
    s, value = data.draw(valued())
    s = without_defaults(s, fitting=True)
    value = data.draw(near_misses(value))
    first = s.validate_and_coerce(value, POLICIES[mode])
    if not first.ok:
        return

    again = s.validate_and_coerce(first.result, POLICIES[mode])
    assert "" == again.report()
    assert get_identity(first.result) == get_identity(again.result)
    assert "" == s.validate_output(first.result, POLICIES[mode]).report()


@LAW
@given(signatures(), st.sampled_from(["strict", "enabled", "call"]))
def test_an_accepted_signature_accepts_its_own_defaults(s, mode):
    records = [part for part in parts_of(s) if isinstance(part, Record)]
    outcomes = [s.validate_input({}, POLICIES[mode])]
    outcomes += [
        make_type_signature(t, s.definitions).validate_and_coerce({}, POLICIES[mode])
        for t in records
    ]

    # A field without a default may be missing.
    assert {"missing"} >= {issue.code for found in outcomes for issue in found.errors}


@LAW
@given(signatures(), literals())
def test_a_default_is_accepted_by_the_signature_or_refused_where_it_is_made(s, value):
    for f in s.params:
        params = [Field(f.name, f.type, False, to_const(value), f.exact)]
        made, unfit = with_fitting_defaults(params, s.returns, s.names, s.extra)

        assert "" == made.validate_input({}, "strict").report()
        assert made.params == tuple(params) or params == [field for field, _ in unfit]


@LAW
@given(st.data())
def test_the_arguments_of_a_call_are_checked_like_a_record(data):
    s = data.draw(signatures())
    value = data.draw(near_misses(data.draw(conforming(s.arguments, s.names))))
    if not isinstance(value, dict):
        return
    as_input = s.validate_input(value)
    as_result = make_type_signature(s.arguments, s.definitions).validate_and_coerce(value)

    # An answer has another heading.
    assert as_input.report() == as_result.report().replace("Answer", "Tool")


# Examples that are rarely generated


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (":one[:string, :keyword]", Keyword("id")),
        ("{a :int = 1} & {b :int}!", {"b": 2}),
        ("#{#{:int}}", {frozenset({1})}),
        ("#{[:int]}", {(1,)}),
    ],
)
def test_a_known_conforming_value_is_accepted_on_input(text, value):
    s = typesig.parse(text)

    assert s.accepts(value)
    assert "" == s.validate_and_coerce(value).report()


@pytest.mark.parametrize(
    ("text", "sent", "made"),
    [
        ("#{[:int]}", {("1",)}, {(1,)}),
        ("#{#{:int}}", {frozenset({"1"})}, {frozenset({1})}),
        ("#{#{:int}}", [[1], [2]], {frozenset({1}), frozenset({2})}),
    ],
)
def test_sets_of_collections_are_read(text, sent, made):
    assert made == typesig.parse(text).validate_and_coerce(sent).result


# Bounds of every check


_HEADS = (
    *("- ", "The tool ran; what it ", "Tool validation errors:", "Tool validation warnings:"),
    *("Answer validation errors:", "Answer validation warnings:"),
)


def _looked_at(s: typesig.Signature, value: Any, policy: Policy) -> list[typesig.Outcome[Any]]:
    out = [
        s.validate_input(value, policy),
        s.validate_output(value, policy),
        s.validate_and_coerce(value, policy),
    ]
    return [*out, typesig.coerce(value, s)] if policy is ENABLED else out


def _assert_sound(outcome: typesig.Outcome[Any], shows: bool = True) -> None:
    report = outcome.report()
    if shows or not outcome.ok:
        repr(outcome)
    if outcome.ok:
        assert outcome.value is outcome.value or outcome.value == outcome.value
    lines = report.splitlines()
    assert all(line == "" or line.startswith(_HEADS) for line in lines)
    assert len(lines) <= 2 * MAX_REPORT + 8
    assert all(len(issue.message) <= 2_000 for issue in outcome.errors + outcome.warnings)
    assert report.isprintable() or set("\n") == {c for c in report if not c.isprintable()}


@LAW
@given(signatures(), hostile(), st.sampled_from(sorted(POLICIES)))
def test_no_check_of_a_hostile_value_raises_or_exceeds_the_limits(s, value, mode):
    for outcome in _looked_at(s, value, POLICIES[mode]):
        _assert_sound(outcome)


@LAW
@given(st.data(), st.sampled_from(sorted(POLICIES)))
def test_no_check_of_a_near_miss_raises_or_exceeds_the_limits(data, mode):
    s, value = data.draw(valued())
    value = data.draw(near_misses(value))
    for outcome in _looked_at(s, value, POLICIES[mode]):
        _assert_sound(outcome)


@LAW
@given(st.data(), st.sampled_from(sorted(POLICIES)))
def test_no_hostile_part_of_a_value_raises_or_exceeds_the_limits(data, mode):
    s, value = data.draw(valued())
    if isinstance(value, dict):
        key = data.draw(st.one_of(st.sampled_from(sorted(map(str, value)) or ["x"]), texts))
        value = {**value, key: data.draw(hostile())}
    else:
        value = [value, data.draw(hostile())]
    for outcome in _looked_at(s, value, POLICIES[mode]):
        _assert_sound(outcome)


_ENDLESS = [10**5_000, -(10**5_000), 2**1024, float("nan"), float("inf")]
_TAKERS = [
    ":int",
    ":float",
    ":string",
    ":any",
    ":enum[1 1.5]",
    "#{:float}",
    ":int[%7]",
    ":float[%0.1]",
]
_TAKERS += [":map", ":map[:int :int]", ":map[:float :any]", ":one[:int, :float]", "[:int][unique]"]


@pytest.mark.parametrize("number", _ENDLESS, ids=["huge", "-huge", "2**1024", "nan", "inf"])
@pytest.mark.parametrize("text", _TAKERS)
def test_no_number_with_many_digits_raises(text, number):
    for value in (number, [number], {number}, {number: number}, {"a": number}):
        for policy in POLICIES.values():
            for outcome in _looked_at(typesig.parse(text), value, policy):
                _assert_sound(outcome, shows=False)


# The firewall


@st.composite
def secret_types(draw: st.DrawFn) -> Any:
    """Draw a type with firewalled fields at some depth."""
    # All names, so that each key below folds onto one of them.
    names = ["_zqname", "_zq-hyphen", "_zq_other"]
    fields = [make_field(name, draw(types((), 1)), required=draw(st.booleans())) for name in names]
    fields += [make_field("id", draw(types((), 1)), required=draw(st.booleans()))]
    whole = record(fields, draw(st.sampled_from([ANY, None, INT])))
    return draw(
        st.sampled_from(
            [whole, List(whole), make_union([INT, whole]), record([make_field("in", whole)])]
        )
    )


_SECRETS = st.sampled_from(
    [HIDDEN, [HIDDEN], {"a": HIDDEN}, {HIDDEN: 1}, Keyword(HIDDEN), {HIDDEN}, [[HIDDEN, 1]]]
)


@st.composite
def secret_values(draw: st.DrawFn) -> Any:
    """Draw a value for such a type, with firewalled values in it."""
    keys = ["_zqname", "_zq-hyphen", "_zq_hyphen", "-zqname", "_zq_other", "_zq-other"]
    inner = draw(st.dictionaries(st.sampled_from(keys), _SECRETS, max_size=3))
    inner |= draw(st.sampled_from([{}, {"id": "7"}, {"i": 1}]))
    return draw(st.sampled_from([inner, [inner], {"in": inner}, {"in": [inner]}, [inner, 1]]))


@LAW
@given(secret_types(), secret_values(), st.sampled_from(sorted(POLICIES)))
def test_no_firewalled_value_is_in_a_report_or_in_what_rich_and_notebooks_show(t, value, mode):
    # The arguments of a signature without parameters have no firewalled fields of their own.
    for outcome in _looked_at(make_type_signature(t), value, POLICIES[mode])[1:]:
        assert HIDDEN not in outcome.report()
        assert HIDDEN not in outcome.feedback()
        assert HIDDEN not in outcome._repr_html_()
        assert HIDDEN not in repr(list(outcome.__rich_repr__()))


@LAW
@given(secret_types(), secret_values(), st.sampled_from(sorted(POLICIES)))
def test_no_firewalled_name_is_in_a_report(t, value, mode):
    # In a call, the name that the model sent is reported as an unexpected key.
    if POLICIES[mode].firewall:
        return
    for outcome in _looked_at(make_type_signature(t), value, POLICIES[mode]):
        # An undeclared key is reported with the name that was sent.
        text = f"{outcome.report()}\n{outcome.feedback()}"
        lines = text.replace(HIDDEN, "").splitlines()

        assert not [line for line in lines if SECRET in line and "unexpected key" not in line]


# Texts that are not signatures


_ALPHABET = '()[]{}:;,.|&?!*=-><%/#"\\ \n\t\r_aZ09\x00é\u2028'


@LAW
@given(
    signatures(),
    st.sampled_from(["delete", "insert", "double", "cut", "swap"]),
    st.integers(0, 10_000),
    st.sampled_from(_ALPHABET),
)
def test_a_text_with_a_typo_is_read_or_refused_with_its_place(s, way, at, c):
    text = typesig.render(s)
    at %= len(text)
    changed = {
        "delete": text[:at] + text[at + 1 :],
        "insert": text[:at] + c + text[at:],
        "double": text[:at] + text[at] * 2 + text[at + 1 :],
        "cut": text[:at],
        "swap": text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :],
    }[way]

    _assert_read_or_refused(changed)


@LAW
@given(st.text(st.sampled_from(_ALPHABET), max_size=12))
@example("")
@example("\n")
@example("; no more")
def test_any_text_is_read_or_refused_with_its_place(text):
    _assert_read_or_refused(text)


def _assert_read_or_refused(text: str) -> None:
    try:
        s = typesig.parse(text)
    except SignatureSyntaxError as error:
        refused = error
    except (TooDeep, TooLarge):
        return
    else:
        assert s == typesig.parse(typesig.render(s))
        return

    said = str(refused).split("\n")
    lines = text.split("\n")
    assert f"line {refused.line} column {refused.column}" in said[0]
    assert "^" in said[2]
    assert {" ", "^"} == {*said[2], " "}
    assert refused.message
    assert 1 <= refused.line <= len(lines)
    assert 1 <= refused.column <= len(lines[refused.line - 1]) + 1
