"""Totality: every operation on a sample of every shape and row.

A table keyed by the names of rows, here or in the package, has a key for each name, so a test fails
for a new row without a sample, and for each table that lacks the row.
"""

from __future__ import annotations

import string
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple

import pytest

import typesig
from typesig.algebra.constructors import find_kinds, make_refined
from typesig.algebra.nodes import SHAPES, STRING, Annotation, Refinement, Scalar
from typesig.algebra.rows.constraints import (
    CONSTRAINTS,
    TEXTS,
    Constraint,
    ConstraintName,
    ConstraintRow,
)
from typesig.algebra.rows.formats import FORMATS
from typesig.algebra.rows.scalars import SCALARS, ScalarName, ScalarRow
from typesig.algebra.rows.values import Keyword, make_hashable
from typesig.algebra.signature import Signature, make_type_signature
from typesig.algebra.traversal import (
    allows_nil,
    fold,
    get_children,
    iter_same_value_types,
    iter_types,
    rebuild,
    substitute,
)
from typesig.notations import NOTATIONS, readable
from typesig.validation.check.check import compile_checker
from typesig.validation.check.scalar_checks import make_format_check
from typesig.validation.check_state import CheckState
from typesig.validation.coercions import COERCIONS, CONVERSIONS, DEFAULTS, CoercionId
from typesig.validation.issues.excerpt import describe_type
from typesig.validation.issues.issues import SENTENCES, Issue, IssueCode
from typesig.validation.plain_data import to_plain
from typesig.validation.policy import ENABLED, MODES, STRICT, Policy

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


class Sample(NamedTuple):
    """A type as text, a value of it, the value in plain JSON, and a value of another type."""

    text: str
    value: Any
    plain: Any
    other: Any
    kinds: set[str] | None = None
    nil: bool = False


TREE = ":Tree where Tree = {value :int, children [:Tree]}"

SHAPE_SAMPLES: dict[str, Sample] = {
    "Scalar": Sample(":int", 1, 1, "x", {"int"}),
    "List": Sample("[:int]", [1], [1], ["x"], {"list"}),
    "Set": Sample("#{:int}", {2, 1}, [1, 2], [1], {"set"}),
    "Tuple": Sample("[:int, :string]", [1, "a"], [1, "a"], [1], {"list"}),
    "MapOf": Sample(":map[:int :string]", {1: "a"}, {"1": "a"}, {1: 1}, {"map"}),
    "Record": Sample("{id :int}!", {"id": 1}, {"id": 1}, {"id": 1, "x": 1}, {"map"}),
    "Maybe": Sample(":int?", None, None, "x", {"int", "nil"}, True),
    "Enum": Sample(':enum["a" 1 nil]', "a", "a", "b", {"string", "int", "nil"}, True),
    "Union": Sample(":string|:int", 1, 1, 1.5, {"string", "int"}),
    "One": Sample(":one[:int, :float]", 1.5, 1.5, 1, {"int", "float"}),
    "Both": Sample("{a :int} & {b :int}", {"a": 1, "b": 2}, {"a": 1, "b": 2}, {"a": 1}, {"map"}),
    "Not": Sample(":not[:string]", 1, 1, "x", None, True),
    "ItemCount": Sample(":count[2..3 :int]", [1, "a", 2], [1, "a", 2], [1, "a"], {"list"}),
    "Refinement": Sample(":int[1..5]", 5, 5, 6, {"int"}),
    "Annotation": Sample('(:int "a count")', 1, 1, "x", {"int"}),
    "Ref": Sample(TREE, {"value": 1, "children": []}, {"value": 1, "children": []}, {}, None),
}

SCALAR_SAMPLES: dict[ScalarName, Sample] = {
    "string": Sample(":string", "a", "a", 1, {"string"}),
    "int": Sample(":int", 1, 1, True, {"int"}),
    "float": Sample(":float", 1.5, 1.5, float("nan"), {"float", "int"}),
    "bool": Sample(":bool", True, True, 1, {"bool"}),
    "keyword": Sample(":keyword", Keyword("a"), "a", "a", {"keyword"}),
    "any": Sample(":any", {"a": {1}}, {"a": [1]}, ..., None, True),
    "nil": Sample(":nil", None, None, 0, {"nil"}, True),
    "datetime": Sample(
        ":datetime", NOON, "2026-01-31T12:00:00Z", NOON.replace(tzinfo=None), {"datetime"}
    ),
    "map": Sample(":map", {"a": NOON}, {"a": "2026-01-31T12:00:00Z"}, {1: 1}, {"map"}),
}

# The argument, the text in brackets, the base type, a value that meets it and one that does not.
CONSTRAINT_SAMPLES: dict[ConstraintName, tuple[Any, str, str, Any, Any]] = {
    "at_least": (2, "2..", ":int", 2, 1),
    "above": (2, ">2", ":int", 3, 2),
    "at_most": (2, "..2", ":string", "ab", "abc"),
    "below": (2.5, "<2.5", ":float", 2.4, 2.5),
    "multiple_of": (0.1, "%0.1", ":float", 0.3, 0.35),
    "pattern": ("^a/b$", r"/^a\/b$/", ":string", "a/b", "a"),
    "format": ("email", "email", ":string", "a@b.co", "a"),
    "unique": (True, "unique", "[:any]", [1, 1.0, True], [1, 1]),
}

# A text of the format, and a similar text that is not.
FORMAT_SAMPLES: dict[str, tuple[str, str]] = {
    "base64": ("aGk=", "aGk"),
    "complex": ("1-2.5j", "1+2"),
    "ipv4-network": ("10.0.0.0/8", "10.0.0.0/33"),
    "ipv6-network": ("2001:db8::/32", "::1/129"),
    "date": ("2024-02-29", "2026-02-29"),
    "date-time": ("2026-01-31T10:00:00Z", "2026-01-31T10:00:00"),
    "decimal": ("-1.50", "1,5"),
    "duration": ("P1DT2H", "P1M"),
    "fraction": ("-1/3", "1/0"),
    "email": ("a@b.co", "a@"),
    "hostname": ("a-b.example", "-a.example"),
    "ipv4": ("127.0.0.1", "127.0.0.256"),
    "ipv6": ("::1", "::g"),
    "json-pointer": ("/a~1b/0", "a"),
    "offset-time": ("23:59:60Z", "10:00:00"),
    "regex": ("^a+$", "(a"),
    "relative-json-pointer": ("1/a", "/a"),
    "time": ("10:00:00", "24:00:00"),
    "uri-reference": ("../a?b", "a b"),
    "whole-duration": ("P1Y2M3DT4H", "P1Y2D"),
    "uri": ("https://a.b/c", "a b"),
    "uuid": ("123e4567-e89b-12d3-a456-426614174000", "123e4567"),
}

# A type, an input value and the coerced value.
COERCION_SAMPLES: dict[CoercionId, tuple[str, Any, Any]] = {
    "int_from_string": (":int", "3", 3),
    "float_from_string": (":float", "3.5", 3.5),
    "bool_from_string": (":bool", "true", True),
    "float_from_int": (":float", 3, 3.0),
    "int_from_whole_float": (":int", 3.0, 3),
    "string_from_keyword": (":string", Keyword("a"), "a"),
    "keyword_from_string": (":keyword", ":a", Keyword("a")),
    "datetime_from_string": (":datetime", "2026-01-31T12:00:00Z", NOON),
    "absent_from_null": ("{x? :int}", {"x": None}, {}),
    "enum_from_string": (":enum[1 2]", "2", 2),
    "enum_ignoring_case": (':enum["low"]', "LOW", "low"),
    "decimal_from_number": (":string[decimal]", 1.5, "1.5"),
    "list_from_set": ("[:int]", {2, 1}, [1, 2]),
    "list_from_item": ("[:int]", 1, [1]),
    "item_from_list": (":int", [1], 1),
    "nil_from_word": (":int?", "null", None),
    "bool_from_word": (":bool", "yes", True),
    "datetime_from_iso": (":datetime", "2026-01-31 12:00Z", NOON),
    "enum_ignoring_separators": (':enum["in_progress"]', "In Progress", "in_progress"),
    "data_from_string": ("[:int]", "[1]", [1]),
    "key_ignoring_case": ("{max_rows :int}", {"maxRows": 1}, {"max_rows": 1}),
    "arguments_from_string": ("(x :int) -> :any", '{"x": 1}', {"x": 1}),
    "arguments_from_nothing": ("(x? :int) -> :any", "", {}),
    "arguments_from_wrapper": ("(x :int) -> :any", {"input": {"x": 1}}, {"x": 1}),
    "other_format": (":string[date-time]", "2026-01-31T12:00:00", "2026-01-31T12:00:00"),
    "naive_datetime": (":datetime", NOON.replace(tzinfo=None), NOON.replace(tzinfo=None)),
}


def _issues(text: str, value: Any, policy: Policy = ENABLED) -> list[Issue]:
    outcome = typesig.parse(text).validate_and_coerce(value, policy)
    return [*outcome.errors, *outcome.warnings]


def _mended(text: str, sent: Any, policy: Policy = ENABLED) -> Any:
    """Return the outcome of reading *sent* as arguments, if *text* has parameters, or a result."""
    s = typesig.parse(text)
    return (s.validate_input if text[0] == "(" else s.validate_and_coerce)(sent, policy)


def _coerced(text: str, value: Any) -> list[Issue]:
    return list(typesig.coerce(value, text).errors)


def _said(code: IssueCode) -> list[Issue]:
    return [Issue(code, ("x",), "one thing", "another")]


# A function that returns an issue of the code, and its line in a report.
SENTENCE_SAMPLES: dict[IssueCode, tuple[Callable[[], list[Issue]], str]] = {
    "type": (lambda: _issues(":int", "abc"), 'expected int, got string "abc"'),
    "missing": (lambda: _issues("{id :int}", {}), "id: expected int, got nil (missing)"),
    "enum": (
        lambda: _issues(":enum[pending active]", "unknown"),
        'expected one of ["pending", "active"], got "unknown"',
    ),
    "refined": (lambda: _issues(":int[1..100]", 500), "expected int[1..100], got int 500"),
    "key": (lambda: _issues(":map[:int :int]", {"a": 1}), 'a: keys are int, got string "a"'),
    "extra": (
        lambda: _issues("{name :string}!", {"name": "x", "nam": 1}),
        "nam: unexpected key (did you mean name?)",
    ),
    "twice": (
        lambda: _issues("{user_id :int}", {"user_id": 1, "user-id": 1}),
        'user_id: given twice, as "user_id" and "user-id"',
    ),
    "duplicate": (lambda: _issues("#{:int}", [1, 1]), "expected unique items, got list [1, 1]"),
    "length": (lambda: _issues("[:int, :int]", [1]), "expected 2 items, got 1"),
    "keys": (
        lambda: _issues(":map[:int :int]", {"1": 1, "01": 2}),
        '["01"]: two keys stand for int 1',
    ),
    "repeated": (lambda: _said("repeated"), "x: the key another is sent twice"),
    "several": (
        lambda: _issues(":one[:int, :float]", 1),
        "fits 2 of 2 alternatives, and must fit exactly one",
    ),
    "depth": (lambda: _issues(TREE, _tree(500))[-1:], "nested too deep: at most "),
    "filled": (
        lambda: _said("filled"),
        "x: its defaults would fill in more than one thing values",
    ),
    "size": (
        lambda: _said("size"),
        "x: more than one thing values, each counted where it stands, or inside itself",
    ),
    "json": (lambda: _said("json"), "x: another"),
    "mended": (lambda: _said("mended"), "x: another"),
    "tool": (lambda: _said("tool"), "x: another"),
    "passing": (lambda: _said("passing"), "x: another"),
    "late": (lambda: _said("late"), "x: another"),
    "refused": (lambda: _said("refused"), "x: another"),
    "refusal": (lambda: _said("refusal"), "x: the model refused to answer: another"),
    "filtered": (lambda: _said("filtered"), "x: a filter stopped the answer: another"),
    "truncated": (
        lambda: _said("truncated"),
        "x: the answer reached its limit of length, and is not whole: another",
    ),
    "retried": (
        lambda: _said("retried"),
        "x: the tool was run one thing times, since what went wrong may pass",
    ),
    "call": (lambda: _said("call"), "x: another"),
    "program": (lambda: _said("program"), "x: another"),
    "host": (lambda: _said("host"), "x: another"),
    "cannot": (lambda: _coerced(":int", "hello"), 'cannot coerce string "hello" to integer'),
    "cannot_be": (lambda: _coerced(':enum["a"]', "b"), 'cannot coerce "b" to one of ["a"]'),
    "coerced": (lambda: _issues(":int", "10"), 'coerced string "10" to int'),
    "parsed": (lambda: _issues("[:int]", "[1]"), "JSON text read as list"),
    "renamed": (lambda: _issues("{x_y :int}", {"xY": 1}), 'x_y: taken from the key "xY"'),
    "unwrapped": (
        lambda: list(_mended("(x :int) -> :any", {"input": {"x": 1}}).warnings),
        'the arguments were taken out of "input"',
    ),
    "empty": (
        lambda: list(_mended("() -> :any", "").warnings),
        'string "" taken as no arguments',
    ),
    "absent": (lambda: _issues("{x? :int}", {"x": None}), "x: nil taken as absent"),
    "dropped": (lambda: _issues("{}", {"x": 1}, ENABLED.for_call()), "x: unexpected key dropped"),
    "called": (lambda: _said("called"), "x: the tool one thing was called as another"),
    "unchecked": (lambda: _said("unchecked"), "x: not checked: another"),
    "kept": (
        lambda: _issues("{ab :int}", {"ab": 1, "aB": 2}, ENABLED),
        "aB: unexpected key kept (did you mean ab?)",
    ),
    "naive": (lambda: _said("naive"), "x: another has no offset, so its text has none"),
    "left_out": (
        lambda: _said("left_out"),
        "x: unexpected key left out of what the model sees",
    ),
    "not_json": (lambda: _said("not_json"), "x: JSON has no another, so null stands for it"),
}


def _tree(levels: int) -> Any:
    tree: Any = {"value": 1, "children": []}
    for _ in range(levels):
        tree = {"value": 1, "children": [tree]}
    return tree


ALL = {f"shape {k}": v for k, v in SHAPE_SAMPLES.items()}
ALL |= {f"scalar {k}": v for k, v in SCALAR_SAMPLES.items()}

each = pytest.mark.parametrize("sample", ALL.values(), ids=ALL)
each_mode = pytest.mark.parametrize("mode", MODES)


@pytest.mark.parametrize(
    ("samples", "rows"),
    [
        (SHAPE_SAMPLES, {shape.__name__: shape for shape in SHAPES}),
        (SCALAR_SAMPLES, SCALARS),
        (CONSTRAINT_SAMPLES, CONSTRAINTS),
        (FORMAT_SAMPLES, FORMATS),
        (COERCION_SAMPLES, COERCIONS),
        (SENTENCE_SAMPLES, SENTENCES),
    ],
    ids=["shapes", "scalars", "constraints", "formats", "coercions", "sentences"],
)
def test_every_row_has_a_sample(samples, rows):
    assert set(rows) == set(samples)


@pytest.mark.parametrize("name", SHAPE_SAMPLES)
def test_the_sample_of_a_shape_is_of_that_shape(name):
    assert name == type(typesig.parse(SHAPE_SAMPLES[name].text).returns).__name__


@pytest.mark.parametrize("name", SCALAR_SAMPLES)
def test_the_sample_of_a_scalar_is_of_that_scalar(name):
    assert Scalar(name) == typesig.parse(SCALAR_SAMPLES[name].text).returns


@each
@pytest.mark.parametrize("notation", NOTATIONS)
def test_every_notation_writes_and_reads_every_shape(sample, notation):
    s = typesig.parse(sample.text)

    written = typesig.render(s, notation, lossy=True)

    assert written
    if notation in readable():
        assert NOTATIONS[notation].expressible(s) == typesig.parse(written, notation)


@each
def test_the_shorthand_of_a_sample_is_canonical(sample):
    s = typesig.parse(sample.text)

    assert f"() -> {sample.text}".replace('("', "(").replace(
        '(:int "a count")', ':int "a count"'
    ) == typesig.render(s)


@each
def test_every_walk_visits_every_shape(sample):
    s = typesig.parse(sample.text)
    t = s.returns

    assert rebuild(t, get_children(t)) is t
    assert substitute(t, s.names) is not None
    assert len(list(iter_types(t))) == fold(t, lambda _, parts: 1 + sum(parts))
    assert t in list(iter_same_value_types(t, s.names))


@each
def test_every_shape_knows_its_kinds_and_whether_nil_is_one_of_its_values(sample):
    s = typesig.parse(sample.text)

    assert sample.kinds == find_kinds(s.returns)
    assert sample.nil == allows_nil(s.returns, s.names)
    assert sample.nil == s.accepts(None)


@each
def test_every_shape_is_named_in_a_message(sample):
    s = typesig.parse(sample.text)

    assert describe_type(s.returns, s.names)


@each
@each_mode
def test_every_shape_takes_its_value_as_it_is(sample, mode):
    s = typesig.parse(sample.text)
    run = CheckState(10)
    check = compile_checker(s.returns, s.definitions, MODES[mode].for_output())

    assert check(sample.value, run) is sample.value
    assert [] == run.found


@each
@each_mode
def test_every_shape_refuses_other_values(sample, mode):
    outcome = typesig.parse(sample.text).validate_output(sample.other, mode)
    ok = sample.other is ... or mode in ("warn_only", "disabled")
    # Of the other values, JSON spells a set as a list, and a keyword as text.
    ok = ok or (mode == "json" and sample.text in ("#{:int}", ":keyword"))

    assert ok == outcome.ok


@each
def test_every_shape_has_a_plain_form(sample):
    assert sample.plain == to_plain(sample.value)
    assert sample.plain == typesig.parse(sample.text).validate_output(sample.value).value


@pytest.mark.parametrize("name", CONSTRAINT_SAMPLES)
def test_every_constraint_is_written_and_read_and_checked(name):
    argument, text, base, meets, fails = CONSTRAINT_SAMPLES[name]
    s = typesig.parse(f"{base}[{text}]")
    inner = typesig.parse(base).returns

    assert s.returns == make_refined(inner, [Constraint(name, argument)])
    assert isinstance(s.returns, Refinement)
    assert f"() -> {base}[{text}]" == typesig.render(s)
    assert f"[{text}]" in describe_type(s.returns, {})
    assert s.accepts(meets)
    assert not s.accepts(fails)


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_every_constraint_applies_to_the_kinds_of_its_row_only(name):
    argument = CONSTRAINT_SAMPLES[name][0]
    for scalar in SCALARS:
        kinds = find_kinds(Scalar(scalar))
        if kinds is None or kinds & CONSTRAINTS[name].kinds:
            assert make_refined(Scalar(scalar), [Constraint(name, argument)])
        else:
            with pytest.raises(typesig.TypesigError, match="does not apply to"):
                make_refined(Scalar(scalar), [Constraint(name, argument)])


@pytest.mark.parametrize(
    ("kinds", "good", "bad", "other"),
    [({"string"}, "a" * 26, "a", 3), (set(), "a" * 26, "a", [])],
    ids=["of texts", "of any kind"],
)
def test_a_new_scalar_is_checked_by_its_row(monkeypatch, kinds, good, bad, other):
    row = ScalarRow("badge", frozenset(kinds), lambda v: len(v) == 26, "26 characters", json=False)
    monkeypatch.setitem(SCALARS, "badge", row)
    # Checks are kept by type, and another test may have made one of this name.
    compile_checker.cache_clear()
    t = Scalar("badge")
    s = make_type_signature(t)

    assert s.accepts(good)
    assert ['expected badge, got string "a" (26 characters)'] == [
        str(error) for error in s.validate_output(bad).errors
    ]
    assert not s.accepts(other)
    assert t.flags
    assert frozenset(kinds) == (find_kinds(t) or frozenset())


def test_a_new_scalar_may_take_values_whatever_their_kind(monkeypatch):
    fits, also = (lambda v: len(v) == 26), (lambda v: v == 3)
    row = ScalarRow("badge", frozenset({"string"}), fits, json=False, also=also)
    monkeypatch.setitem(SCALARS, "badge", row)
    compile_checker.cache_clear()
    s = make_type_signature(Annotation(Scalar("badge"), "of any kind"))

    assert [True, True, True] == [s.accepts(3) for _ in range(3)]
    assert [False, False, False] == [s.accepts("a") for _ in range(3)]


def test_a_new_constraint_is_checked_by_its_row(monkeypatch):
    row = ConstraintRow(
        "ends_with", "text", "an ending", TEXTS, lambda end: lambda v: v.endswith(end), str, None
    )
    monkeypatch.setitem(CONSTRAINTS, "ends_with", row)
    # Shorthand, in which messages are written, has no spelling of the constraint.
    monkeypatch.setattr("typesig.validation.check.check.describe_type", lambda *_: "any")
    s = make_type_signature(Refinement(Scalar("any"), (Constraint("ends_with", "x"),)))

    assert s.accepts("ax")
    assert s.accepts(3)
    assert not s.accepts("a")


@pytest.mark.parametrize("name", FORMAT_SAMPLES)
def test_every_format_is_written_and_read_and_checked(name):
    good, bad = FORMAT_SAMPLES[name]
    s = typesig.parse(f":string[{name}]")

    assert s.returns == make_refined(STRING, [Constraint("format", name)])
    assert f"() -> :string[{name}]" == typesig.render(s)
    assert s.accepts(good)
    assert not s.accepts(bad)


@pytest.mark.parametrize("name", COERCION_SAMPLES)
def test_every_coercion_has_a_switch(name):
    text, sent, made = COERCION_SAMPLES[name]
    is_always, silent = COERCIONS[name] == "always", {"list_from_set"}
    silent |= {row.id for row in CONVERSIONS.values() if not row.warns}
    on = _mended(text, sent, ENABLED.on(name))

    assert on.ok
    assert made == on.result
    assert type(made) is type(on.result)
    assert [name] * (name not in silent) == [warning.rule for warning in on.warnings]

    off = _mended(text, sent, ENABLED.off(name))
    if is_always:
        # JSON has no other form of the scalar, so coercions cannot turn the row off.
        off = _mended(text, sent, Policy(coercions=(), decoding=False))
        assert _mended(text, sent, STRICT).ok
    assert not off.ok or (off.result is sent and off.warnings == ())


@pytest.mark.parametrize("name", COERCION_SAMPLES)
def test_a_coercion_is_on_by_default_if_its_row_says_so(name):
    text, sent, _ = COERCION_SAMPLES[name]
    outcome = _mended(text, sent)

    assert (name in DEFAULTS) == outcome.ok


@pytest.mark.parametrize("name", COERCION_SAMPLES)
def test_no_coercion_applies_to_a_result(name):
    text, sent, _ = COERCION_SAMPLES[name]
    outcome = typesig.parse(text).validate_output(sent, ENABLED.on(name))

    assert not outcome.ok or outcome.result is sent


@pytest.mark.parametrize("code", SENTENCE_SAMPLES)
def test_every_code_has_its_sentence(code):
    make, line = SENTENCE_SAMPLES[code]
    issues = make()

    assert [code] == [issue.code for issue in issues]
    assert str(issues[0]) == line or (code == "depth" and line in str(issues[0]))


@pytest.mark.parametrize("code", SENTENCES)
def test_every_sentence_uses_the_parts_of_an_issue_only(code):
    parts = {name for _, name, _, _ in string.Formatter().parse(SENTENCES[code]) if name}

    assert parts <= {"expected", "got", "hint"}


@each_mode
def test_every_mode_checks_a_signature_at_every_stage(mode):
    s: Signature = typesig.parse("(id :int) -> {name :string}")

    assert s.validate_input({"id": 1}, mode).ok
    assert s.validate_output({"name": "x"}, mode).ok
    assert s.validate_and_coerce({"name": "x"}, mode).ok


def test_a_coercion_to_a_format_that_warns_says_so():
    row = CONVERSIONS["decimal_from_number"]._replace(warns=True)
    run = CheckState(1)

    made = make_format_check(lambda value, run: value, [row])(1.5, run)
    assert "1.5" == made
    assert ["coerced"] == [found.code for found in run.found]


def test_a_set_of_deep_lists_is_compared_by_what_lies_in_it():
    assert (1, (2,)) == make_hashable([1, [2]])
    deep: Any = []
    for _ in range(200):
        deep = [deep]
    assert make_hashable(deep)
