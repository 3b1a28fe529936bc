"""Verdicts: outcomes of generated source, which coerces plain parts and notes what is wrong."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

import typesig
from tests.fast_pairs import (
    difference_of_verdicts,
    plain_type,
    plain_value,
)
from tests.generators import OddText
from typesig import Outcome, Policy, Signature, codegen
from typesig.algebra import Keyword
from typesig.validation.check.check import compile_checker
from typesig.validation.check_state import CheckState
from typesig.validation.generated import program
from typesig.validation.generated.compiled_verdicts import compile_verdict
from typesig.validation.issues.issues import Issue, get_issue_code
from typesig.validation.outcome.check_context import CheckContext
from typesig.validation.policy import MODES
from typesig.validation.verdicts import run_checker

IN = MODES["enabled"]
OUT = IN.for_output()
LENIENT = MODES["lenient"]
GIVEN_UP: Outcome[Any] = Outcome()
AT = datetime(2026, 1, 31, 10, tzinfo=UTC)
HEAVY = [[[1] * 10] * 10] * 10
MANY = "{a? :int, b? :int, c? :int, d? :int, e? :int}"


def judged(text: str, policy: Policy, value: Any, arguments: bool = False) -> Outcome[Any] | None:
    signature = typesig.parse(text)
    t = signature.arguments if arguments else signature.returns
    about = CheckContext("answer", t, signature.definitions, policy, arguments)
    return compile_verdict(about, lambda _: GIVEN_UP)(value)


#: Types, policies, values, and whether the outcome is found without the check.
ROWS: list[tuple[str, Policy, Any, bool]] = [
    ("{id :int}", IN, {"id": "42"}, True),
    ("{id :int}", IN, {"id": "300"}, True),
    ("{id :int}", IN, {"id": "-3"}, True),
    ("{id :int}", IN, {"id": "٣"}, True),
    ("{id :int}", IN, {"id": "x"}, True),
    ("{id :int}", IN, {"id": 1.5}, True),
    ("{id :int}", LENIENT, {"id": 1.0}, False),
    ("{id :int}", LENIENT, {"id": "x"}, True),
    ("{id :int}", LENIENT, {"id": ["4"]}, False),
    ("{id :int?}", LENIENT, {"id": "none"}, False),
    ("{id :int}", IN, {"id": OddText("4")}, False),
    ("{id :int}", IN, {"id": []}, False),
    ("{id :int}", IN, {}, True),
    ("{id :any}", IN, {}, False),
    ("{id :int, b [:int]}", OUT, {"b": [1]}, True),
    ("{id :int, b [:int]}", OUT, {"id": 1}, False),
    ("{a_b :int, c :int}", IN, {"a-b": 1}, False),
    ("{a :int, n? :int}", IN, {"n": "1"}, True),
    ("{n :int = 5, a :int}", IN, {"n": 1}, True),
    ("{n :int = 5, a :int}", IN, {"a": 1}, False),
    ("{e :int|:string, f :enum[1 2]}", IN, {}, True),
    ("{e :int|:string, f :enum[1 2]}", OUT, {}, True),
    ("{_zq :int, a {_b :int}}", OUT, {"a": {}}, True),
    ("{id :int}", IN, {"id": 1, "more": 2}, True),
    ("{id :int}", IN, {"id": 1, 2: 2}, False),
    ("{id :int}", IN, [], False),
    ("{id :int}!", IN, {"id": "1"}, True),
    ("{id :int}!", IN, {"id": "1", "more": 1}, False),
    ("{id :int}", MODES["warn_only"], {"id": "1"}, True),
    ("{id :int}", MODES["warn_only"], {"id": "x"}, True),
    ("{id :int}", MODES["warn_only"], {}, False),
    ("{id :int}", OUT, {"id": "1"}, True),
    ("{a :int, b :string}", OUT, {"a": "1", "b": 1}, True),
    ("{id :string}", IN, {"id": 1}, True),
    ("{id :string}", IN, {"id": Keyword("k")}, False),
    ("{id :int?}", IN, {"id": "5"}, True),
    ("{id :int[1..5]}", IN, {"id": "5"}, True),
    ("{id :int[1..5]}", IN, {"id": "7"}, False),
    ("{id :int[1..5]}", IN, {"id": "x"}, False),
    ("{id :int[1..5]?}", IN, {"id": "3"}, True),
    ("{id :string[decimal]}", IN, {"id": 1.5}, False),
    ("{id :string[decimal]}", IN, {"id": "1.5"}, True),
    ("{x :float}", IN, {"x": 2}, True),
    ("{x :float}", IN, {"x": 2**53 + 1}, True),
    ("{x :float}", IN, {"x": 10**400}, True),
    ("{x :float}", IN, {"x": "2.5"}, True),
    ("{x :float}", IN, {"x": "high"}, True),
    ("{x :float}", OUT, {"x": "2.5"}, True),
    ("{x :float}", Policy(["float_from_int"]), {"x": 2}, True),
    ("{x :float}", Policy(["float_from_int"]), {"x": "2"}, True),
    ("{x :bool}", IN, {"x": "true"}, True),
    ("{x :bool}", LENIENT, {"x": "yes"}, True),
    ("{x :keyword}", IN, {"x": "k"}, True),
    ("{at :datetime}", IN, {"at": "2026-01-31T10:00:00Z"}, True),
    ("{at :datetime}", IN, {"at": "x"}, True),
    ("{at :datetime}", IN, {"at": AT.replace(tzinfo=None)}, False),
    ("{at :datetime}", LENIENT, {"at": "2026-01-31T10:00:00Z"}, False),
    ("{at :datetime}", IN.changed(naive_datetime="UTC"), {"at": "2026-01-31T10:00:00"}, False),
    ("{e :enum[1 2]}", IN, {"e": "1"}, False),
    ("{e :int|:string}", IN, {"e": "1"}, True),
    ("{e :int|:string}", IN, {"e": 1.5}, False),
    ("{a :any, b :map}", IN, {"a": [1], "b": {"c": 1}}, True),
    ("{a :map[:int]}", IN, {"a": {"b": 1}}, True),
    ("{a :map[:int]}", IN, {"a": {"b": "1"}}, False),
    ("{a :map[:int], b [:int]}", IN, {"a": {"b": "1"}, "b": []}, True),
    ("{a {b :int}, c {d :float}?}", IN, {"a": {"b": "1"}, "c": {"d": 2}}, True),
    ("{a {b :int}, c {d :float}?}", IN, {"a": {"b": 1}, "c": None}, True),
    ("{note? :string}", IN, {"note": None}, False),
    ("{note? :any}", IN, {"note": None}, False),
    ("{n :any = 5}", IN, {"n": None}, False),
    ("{n :int = 5}", IN, {"n": "3"}, True),
    ("{n :int = 5}", IN, {}, False),
    ("{note? :string?}", IN, {}, True),
    ("{note? :int}", IN, {"note": "3"}, True),
    (MANY, IN, {"a": "1"}, True),
    (MANY, IN, {}, False),
    ("{_zq :int}", IN, {"_zq": "1"}, True),
    ("{a {_zq {b :int}}}", IN, {"a": {"_zq": {"b": "x"}}}, True),
    ("{_zq? :int}", IN.for_call(), {"_zq": "1"}, False),
    ("{_zq? :int, a :int}", IN.for_call(), {"a": 1}, True),
    ("{a :int, /^x/ :int}", IN, {"a": 1}, True),
    ("{a :int, /^x/ :int}", IN, {"a": "1"}, False),
    ("[:int]", IN, [1, "2", 3], True),
    ("[:int]", IN, ["x", "2"], True),
    ("[:int]", IN, (1,), False),
    ("[:int]", OUT, [1, "2"], True),
    ("[:any]", IN, [1, "2"], True),
    ("[[:int]]", IN, [[1], ["2", "x"], []], True),
    ("[{a [{b :int}]}]", IN, [{"a": [{"b": 1}, {"b": "2"}]}, {"a": [{"b": "y"}]}], True),
    ("[{a :float}]", OUT, [{"a": 1.5}, {"a": "x"}], True),
    ("[:int]?", IN, ["1"], True),
    (":int", IN, "1", True),
    (":int", IN, [1, 2], False),
    (":int", IN, 1, True),
    (":T where T = {id :int, kids [:T]}", IN, {"id": 1, "kids": []}, True),
    ("{a :int, t :T} where T = {id :int, t? :T}", IN, {"a": "1", "t": {"id": 1}}, True),
    ("[{a :int, t :T}] where T = {id :int, t? :T}", IN, [{"a": "1", "t": {"id": 1}}], True),
    ("{a [:int]|[[:int]]|{b [:string]|:int}}", IN, {"a": {"b": 1}}, True),
]


@pytest.mark.parametrize(("text", "policy", "value", "known"), ROWS)
def test_an_outcome_is_that_of_the_check_or_left_to_it(
    text: str, policy: Policy, value: Any, known: bool
) -> None:
    signature = typesig.parse(text)
    t, definitions = signature.returns, signature.definitions

    assert known == (judged(text, policy, value) is not GIVEN_UP)
    for most in (1, 1000):
        few = policy.changed(max_issues=most)
        assert "" == difference_of_verdicts(t, definitions, few, value, Counter())


def test_generated_types_and_values_are_coerced_and_refused_as_the_check_does() -> None:
    import random

    rng, tally = random.Random(1), Counter[str]()
    for _ in range(60):
        t = plain_type(rng, 3)
        values = [plain_value(t, rng) for _ in range(5)]
        assert not [v for v in values if difference_of_verdicts(t, (), IN, v, tally)]
    assert min(tally["coerced"], tally["refused"]) >= 10


def test_a_choice_within_choices_is_asked_of_the_check_alone() -> None:
    text = ":T where T = :int|[:T]|[:string]"

    assert judged(text, IN, 1) is not GIVEN_UP
    outcome = judged(f"(t :T) -> :any {text.removeprefix(':T ')}", IN, {"t": [["a"]]}, True)
    assert outcome is not None
    assert outcome is not GIVEN_UP
    assert judged(text, IN, [[1.5]]) is GIVEN_UP
    assert judged(":T where T = :int|[:T]|{a :T}", IN, [[1]]) is not GIVEN_UP


def test_source_that_would_be_too_large_is_left_to_the_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("typesig.validation.generated.source.MAX_GENERATED", 2)

    assert judged("{a :int, b :int, c :int}", IN, {"a": 1, "b": 1, "c": 1}) is GIVEN_UP
    assert judged("(a :int, b :int, c :int) -> :any", IN, {"a": 1}, True) is GIVEN_UP
    assert judged("(a :int, b :int, c :int) -> :any", IN, "{}", True) is None


def test_arguments_that_may_be_in_a_wrapper_have_no_verdict() -> None:
    for value in ("{}", {"arguments": {"a": 1}}):
        assert judged("(a :int) -> :any", IN, value, True) is None
    outcome = judged("(a :int) -> :any", IN, {"a": "1"}, True)
    assert outcome is not None
    assert {"a": 1} == outcome.result


def test_lists_with_more_values_than_the_limit_are_left_to_the_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("typesig.validation.generated.source.MAX_VALUES", 20)

    for policy in (IN, OUT):
        assert judged("[{a [:int]}]", policy, [{"a": [1] * 14}]) is not GIVEN_UP
        assert judged("[{a [:int]}]", policy, [{"a": [1] * 17}]) is GIVEN_UP
        assert judged("[{a [:int]}]", policy, [{"a": [1]}] * 5) is GIVEN_UP
        assert judged("{a [[:int]]}", policy, {"a": [[1] * 15]}) is not GIVEN_UP


class Hostile:
    """A key that is like "id" until it is compared."""

    def __hash__(self) -> int:
        return hash("id")

    def __eq__(self, other: object) -> bool:
        raise RecursionError


def test_what_a_value_raises_is_left_to_the_check() -> None:
    signature = typesig.parse("{id :int}")
    for _ in range(4):
        signature.validate_output({"id": 1})

    assert "nested too deep" in str(signature.validate_output({Hostile(): 1}).errors[0])


def kept(text: str) -> Signature:
    """Return the signature *text*, which has its verdicts."""
    signature = typesig.parse(text)
    for _ in range(4):
        signature.validate_and_coerce({"id": 1})
        signature.validate_output({"id": 1})
    return signature


def test_a_coerced_value_leaves_what_was_sent_as_it_was() -> None:
    sent = {"id": "42", "kept": [1]}
    outcome = kept("{id :int}").validate_and_coerce(sent)

    assert {"id": 42, "kept": [1]} == outcome.result == outcome.value
    assert outcome.result["kept"] is sent["kept"]
    assert "42" == sent["id"]
    assert outcome.ok
    assert ['id: coerced string "42" to int'] == [str(each) for each in outcome.warnings]
    assert ((), 0, None, "answer") == (
        outcome.errors,
        outcome.unseen,
        outcome.rejected,
        outcome.stage,
    )


@pytest.mark.parametrize(
    "read", ["warnings", "stage", "rejected", "unseen", "value", "ok", "errors"]
)
def test_each_part_of_a_noted_outcome_may_be_read_first(read: str) -> None:
    for sent in ({"id": "42"}, {"id": "x"}):
        known, new = (typesig.parse("{id :int}"), kept("{id :int}"))
        outcomes = [known.validate_and_coerce(sent), new.validate_and_coerce(sent)]
        if read != "value" or outcomes[0].ok:
            assert getattr(outcomes[0], read) == getattr(outcomes[1], read)
        again = pickle.loads(pickle.dumps(outcomes[1]))
        assert [str(w) for w in (*again.errors, *again.warnings)] == [
            str(w) for w in (*outcomes[0].errors, *outcomes[0].warnings)
        ]
        assert outcomes[0].for_model() == again.for_model() if again.ok else again.errors


def test_each_part_of_a_noted_issue_may_be_read_first() -> None:
    signature = kept("{id :int}")
    for name, meant in (("path", ("id",)), ("hidden", -1), ("code", "type"), ("got", 'string "x"')):
        [issue] = signature.validate_output({"id": "x"}).errors
        assert meant == getattr(issue, name)
        assert 'id: expected int, got string "x"' == str(issue)


def test_an_issue_that_was_not_read_is_an_issue() -> None:
    signature = kept("{id :int}")

    def new() -> Issue:
        [issue] = signature.validate_output({"id": "x"}).errors
        return issue

    meant = Issue("type", ("id",), "int", 'string "x"')
    assert meant == new()
    assert new() == meant
    assert new() == new()
    assert hash(meant) == hash(new())
    assert repr(meant) == repr(new())
    assert meant == pickle.loads(pickle.dumps(new()))
    assert isinstance(new(), Issue)
    assert str(meant) == str(new())
    for name in Issue.__match_args__:
        with pytest.raises(AttributeError, match="Issue cannot be changed"):
            setattr(new(), name, 1)
        with pytest.raises(AttributeError, match="Issue cannot be changed"):
            delattr(new(), name)
    with pytest.raises(AttributeError):
        new().other  # type: ignore[attr-defined]  # noqa: B018


def test_enums_are_refused_with_what_was_meant() -> None:
    t = typesig.parse('[{how :enum["asc" "desc"], n :int|:string}]').returns
    rows = [{"how": "ascc", "n": 1}, {"how": "desc", "n": 1.5}] * 150
    about = CheckContext("output", t, (), OUT)
    outcome = compile_verdict(about, lambda _: GIVEN_UP)(rows)
    assert outcome is not None

    assert 300 == len(outcome.errors)
    assert '[0].how: expected one of ["asc", "desc"], got "ascc" (did you mean "asc"?)' == str(
        outcome.errors[0]
    )
    assert "[1].n: expected int|string, got float 1.5" == str(outcome.errors[1])
    assert 'did you mean "asc"?' == outcome.errors[-2].hint
    assert "" == difference_of_verdicts(t, (), OUT, rows, Counter())


STRICT_INPUT = MODES["strict"]

#: Rows before one that is wrong: what was visited in them counts, too.
BEFORE: list[tuple[str, Policy, list[Any]]] = [
    ("[{id :int}]", OUT, [{"id": 1}, {"id": 1, "more": HEAVY}, {"id": "x"}, {"id": 2}, {"id": None}]),
    ("[{id :int}]", IN, [{"id": 1}, {"id": "2"}, {"id": "x"}, {"id": "3"}]),
    ("[{id :int}]", IN, [{"id": 1}, {"id": "2"}, {"more": 1}]),
    ("[{id :int, tags [:string]}]", OUT, [{"id": 1, "tags": ["a"]}, {"id": 1, "tags": ["b", 1]}]),
    ("[{id :int, tags [:string]}]", OUT, [{"id": 1, "tags": ["a"]}, {"id": 1, "tags": ("b",)}, 1]),
    ("[:int]", OUT, [1, 2, "x", 4, None]),
    ("[:any]", OUT, [1, 2, "x"]),
    ("[{a :int, b :int}]", OUT, [{"a": 1, "b": 1}, {"a": "x"}, {"b": 1}, {"a": "x", "b": 1}, 5]),
    ("[{a_b :int}]", OUT, [{"a_b": 1}, {"a-b": 1}, {"a_b": "x"}]),
    ("[{a :int}]", STRICT_INPUT, [{"a": 1}, {"a": 1, "b": 2}, {"a": "1"}]),
    ('[{a :enum["on" "off"], b {c :int}}]', OUT, [{"a": "onn", "b": {}}, {"a": "on", "b": {"c": ""}}]),
    ("[{a :int, b [[:int]]}]", OUT, [{"a": "x", "b": HEAVY}, {"a": 1, "b": HEAVY}, {"b": HEAVY}]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "policy", "rows"), BEFORE)
def test_a_list_goes_on_from_the_item_that_does_not_conform(
    text: str, policy: Policy, rows: list[Any]
) -> None:
    signature = typesig.parse(text)

    for value in (rows, rows[::-1], rows * 30, rows[:2] * 30 + rows):
        assert "" == difference_of_verdicts(signature.returns, (), policy, value, Counter())


def test_items_that_are_looked_at_alone_are_counted_and_noted_up_to_the_limit() -> None:
    t = typesig.parse("[{a :int, b {c :int}}]").returns
    policy = OUT.changed(max_issues=3)
    rows = [{"a": "x", "b": 1}, {"a": 1}] * 5

    for value in (rows, rows[1:]):
        assert "" == difference_of_verdicts(t, (), policy, value, Counter())
        outcome = compile_verdict(CheckContext("output", t, (), policy), lambda _: GIVEN_UP)(value)
        assert outcome is not None
        assert (3, 12 if value is rows else 10) == (len(outcome.errors), outcome.unseen)


@pytest.mark.parametrize("most", [1, 2, 4, 1_000])
@pytest.mark.parametrize("items", [1, 3])
def test_notes_beyond_the_limit_are_dropped_behind_each_chunk(
    most: int, items: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("typesig.validation.generated.coercion_source.CHUNK", items)
    t = typesig.parse("[{a :int, b {c :int}}]").returns
    # Wrong, wrong in what is looked at alone, both, coerced, and conforming rows.
    kinds: list[Any] = ["x", object(), "5", 1]
    rows = [{"a": a, "b": {"c": c}} for a in kinds for c in kinds]

    for policy in (OUT.changed(max_issues=most), IN.changed(max_issues=most)):
        for value in (rows, rows[::-1], [{"a": 1, "b": {"c": 1}}, *rows], rows[2:] + rows[:3]):
            assert "" == difference_of_verdicts(t, (), policy, value, Counter())


@pytest.mark.parametrize("mode", ["enabled", "warn_only", "strict"])
@pytest.mark.parametrize("most", [2, 1_000])
@pytest.mark.parametrize("before", [0, 30, 99, 100, 200])
def test_findings_have_hints_whatever_was_found_before(before: int, most: int, mode: Any) -> None:
    kind = ':enum["on" "off"]'
    t = typesig.parse(
        f"[{{a :int, b {kind}, c? {{d {kind}, e :int[1..5]}}, m? :map[{kind}]}}]"
    ).returns
    policy = MODES[mode].changed(max_issues=most)
    warned, near = {"a": "5", "b": "on"}, {"a": 1, "b": "onn"}
    inside: Any = {"a": 1, "b": "on", "c": {"d": "onn", "e": 7}, "m": {"x": "offf"}}
    named: Any = {"a": 1, "b": "on", "c": {"D": "on", "e": 1}}

    for rows in ([near, inside, named], [inside, warned, near, named], [warned, near] * 60):
        value = [warned] * before + rows
        assert "" == difference_of_verdicts(t, (), policy, value, Counter())


@pytest.mark.usefixtures("_low_limits")
@pytest.mark.parametrize("text", ["[{a :int, b [[[:int]]]}]", "[{a :int, b :map[:int]}]"])
def test_parts_that_are_shared_by_many_end_the_search_for_errors(text: str) -> None:
    t = typesig.parse(text).returns
    judge = compile_verdict(CheckContext("output", t, (), OUT), lambda _: GIVEN_UP)

    assert judge([{"b": HEAVY}] * 30) is GIVEN_UP
    assert judge([{"a": 1, "b": HEAVY}] * 30) is GIVEN_UP


@pytest.mark.usefixtures("_low_limits")
def test_many_parts_that_the_check_is_asked_about_are_counted_once() -> None:
    t = typesig.parse("[{a :int, b :map[:int]}]").returns
    rows = [{"a": 1, "b": [1, 2]}] * 30

    for value in (rows, [{"a": "x", "b": {}}, *rows]):
        assert "" == difference_of_verdicts(t, (), OUT, value, Counter())


def test_errors_are_the_same_in_a_long_value_and_after_some_calls() -> None:
    for count, row in ((15, [{"b": 1}]), (1, [{"b": 1}] * 1_000)):
        signature = kept(f"[{{a{count} :int}}]")
        told = [[str(e) for e in signature.validate_output(row).errors] for _ in range(count + 1)]
        assert all(each == told[0] for each in told)
        assert f"[0].a{count}: expected int, got nil (missing)" == told[0][0]


def test_what_collects_errors_may_be_too_large_where_the_predicate_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for text, wrong in (
        ("{a :int, b :int}", {"a": 1, "b": ""}),
        ("[{a :int, b :int}]", [{"a": 1}]),
    ):
        judge = compile_verdict(
            CheckContext("output", typesig.parse(text).returns, (), OUT), lambda _: GIVEN_UP
        )
        monkeypatch.setattr("typesig.validation.generated.source.MAX_GENERATED", 0)
        assert judge(wrong) is GIVEN_UP
        monkeypatch.undo()


def test_an_outcome_of_generated_source_cannot_be_changed() -> None:
    outcome = kept("{id :int}").validate_output({"id": 1})
    for name in ("errors", "warnings", "stage", "rejected", "unseen", "ok", "value", "result"):
        with pytest.raises(AttributeError, match="an outcome cannot be changed"):
            setattr(outcome, name, 1)
        with pytest.raises(AttributeError, match="an outcome cannot be changed"):
            delattr(outcome, name)
    with pytest.raises(AttributeError):
        outcome.other = 1  # type: ignore[attr-defined]


def test_secrets_are_not_in_what_generated_source_notes() -> None:
    signature = Signature(
        (), typesig.parse("{id :int, zq :int}").returns, secrets=frozenset({"zq"})
    )
    for _ in range(4):
        signature.validate_and_coerce({"id": 1, "zq": 1})
    for sent in ("12345", "x12345"):
        outcome = signature.validate_and_coerce({"id": "7", "zq": sent})
        assert "12345" not in "".join(map(str, (*outcome.warnings, *outcome.errors)))


@pytest.mark.generated
def test_other_modes_keep_a_verdict_until_there_are_many() -> None:
    signature = typesig.parse("(id :int) -> {id :int}")
    for count in range(1, 30):
        policy = Policy(max_issues=count)
        for _ in range(4):
            assert signature.validate_output({"id": 1}, policy).ok
            assert signature.validate_and_coerce({"id": "1"}, policy).warnings
            assert {"id": 1} == signature.validate_input({"id": "1"}, policy).result
    assert signature._judges is not None
    assert 20 == len(signature._judges.made)
    assert not signature.validate_and_coerce({"id": "1"}, "strict").ok
    assert not signature.validate_output({"id": "1"}, "strict").ok
    assert signature.validate_input({"arguments": {"id": 1}}, Policy(max_issues=1)).warnings


#: Types that leave parts of a value alone, or visit them many times, and values that share lists.
SHARED = {
    "any": ("[{a :any}]", [{"a": HEAVY}]),
    "an undeclared key": ("[{a :int}]", [{"a": 1, "b": HEAVY}]),
    "one of many undeclared keys": ("{a :int}", {"a": 1, **{str(n): HEAVY for n in range(30)}}),
    "an undeclared key beside a pattern": ("[{a :int, /^x/ :int}]", [{"a": 1, "b": HEAVY}]),
    "items": ("[:any]", [HEAVY] * 30),
    "a key of a branch": ("[{a :int}|:nil]", [{"a": 1, "b": HEAVY}]),
    "a key of a name": ("[:T] where T = {a :int, t? :T}", [{"a": 1, "b": HEAVY}]),
    "lists": ("[{a [[:int]]}]", [{"a": [[1] * 30] * 30}]),
    "short lists": ("[{a [:int], b [:int]}]", [{"a": [1] * 15, "b": [1] * 16}] * 3),
    "short lists of maps": (":map[[:int]]", {str(n): [1] * 16 for n in range(200)}),
    "short lists of other keys": ("{a? :int, **[:int]}", {str(n): [1] * 16 for n in range(200)}),
}


@pytest.fixture
def _low_limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for module in ("algebra.rows.builtin", "validation.generated.source"):
        monkeypatch.setattr(f"typesig.{module}.MAX_UNWATCHED", 20)
        monkeypatch.setattr(f"typesig.{module}.MAX_VALUES", 2_000)
    generated = "typesig.validation.generated"
    monkeypatch.setattr(f"{generated}.compiled_verdicts.MAX_UNWATCHED", 20)
    monkeypatch.setattr(f"{generated}.verdict_source.MAX_VALUES", 2_000)
    monkeypatch.setattr(program, "MAX_VALUES", 2_000)


@pytest.mark.usefixtures("_low_limits")
@pytest.mark.parametrize("repeat", [1, 5, 40])
@pytest.mark.parametrize("name", SHARED)
def test_a_value_is_too_large_for_generated_source_if_it_is_for_the_check(
    name: str, repeat: int
) -> None:
    text, value = SHARED[name]
    whole = value * repeat if isinstance(value, list) else value
    signature = typesig.parse(text)
    t, definitions = signature.returns, signature.definitions
    for policy in (IN, OUT):
        meant = CheckState(10)
        check = compile_checker(t, definitions, policy)
        run_checker(check, whole, meant)
        codes = [found.code for found in meant.found]
        judge = program.compile_predicate(t, definitions, policy)
        outcome = compile_verdict(
            CheckContext("answer", t, definitions, policy), lambda _: GIVEN_UP
        )(whole)
        assert codes in ([], ["size"])
        if codes:
            assert judge(whole) is not True
            assert outcome is GIVEN_UP


def test_a_list_of_many_values_that_are_not_shared_is_decided_by_generated_source(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("typesig.validation.generated.source.MAX_UNWATCHED", 20)
    monkeypatch.setattr("typesig.validation.generated.source.MAX_VALUES", 400)
    for text, row, fits in (
        ("[{a :int}]", {"a": 1}, True),
        ("[{a :int}]", {"a": 1, "b": 2}, False),
        ("[:any]", 1, True),
    ):
        t = typesig.parse(text).returns
        assert program.compile_predicate(t, (), OUT)([row] * 100)
        assert fits == program.compile_predicate(t, (), OUT)([row] * 190)


def test_a_list_deep_within_optional_records_is_judged_in_a_function_of_its_own() -> None:
    text, value, wrong = "[:int]", [1], ["x"]
    for _ in range(45):
        text, value, wrong = f"{{a? {text}}}", {"a": value}, {"a": wrong}  # type: ignore[assignment]
    t = typesig.parse(text).returns
    for policy in (IN, OUT):
        assert program.compile_predicate(t, (), policy)(value) is True
        assert program.compile_predicate(t, (), policy)(wrong) is not True
        for each in (value, wrong):
            assert "" == difference_of_verdicts(t, (), policy, each, Counter())


@pytest.mark.parametrize(("text", "policy", "value", "_"), ROWS)
def test_a_code_is_known_without_the_texts(
    text: str, policy: Policy, value: Any, _: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = judged(text, policy, value)
    assert outcome is not None
    issues = *outcome.errors, *outcome.warnings
    with monkeypatch.context() as patch:
        patch.setattr("typesig.validation.check_state.describe_value", None)
        alone = [get_issue_code(issue) for issue in issues]

    assert alone == [issue.code for issue in issues]
    assert [issue.code for issue in issues] == [get_issue_code(issue) for issue in issues]


@pytest.mark.parametrize(
    "text",
    [
        ":not[:T] where T = [(:string|:T)?]",
        ":one[:T, [:any]] where T = [(:string|:T)?]",
        "[:any] & :not[:T] where T = [:string|:T]",
        ":not[:T|:U] where T = [:string|:T], U = {a :U}",
    ],
)
def test_a_value_inside_itself_that_is_refused_otherwise_is_refused_on_each_call(
    text: str,
) -> None:
    signature = typesig.parse(text)
    value: list[Any] = [1]
    value.append(value)

    for policy in (OUT, OUT.changed(max_issues=1)):
        assert [()] * 5 == [signature.validate_output(value, policy).errors for _ in range(5)]
    assert signature.accepts(value)


@pytest.mark.once
@pytest.mark.parametrize(
    "text", [":not[:T] where T = [:string|:T]", ":one[:T, [:any]] where T = [(:string|:T)?]"]
)
@pytest.mark.parametrize("last", ["a", 1])
def test_a_value_inside_itself_of_which_nothing_else_is_known_is_too_deep(
    text: str, last: object
) -> None:
    signature = typesig.parse(text)
    value: list[Any] = [last]
    value.insert(0, value)

    for policy in (OUT, OUT.changed(max_issues=1)):
        told = [signature.validate_output(value, policy).errors for _ in range(5)]
        assert {"depth"} == {error.code for errors in told for error in errors}
        assert 1 == len({len(errors) for errors in told})
    assert not signature.accepts(value)


def test_the_code_of_an_item_that_was_looked_at_alone_is_known() -> None:
    rows = [{"id": object()}, {"id": {}}, {"more": 1}] * 200
    signature = typesig.parse("[{id :int}]")
    errors = [signature.validate_output(rows) for _ in range(3)][-1].errors

    assert ["type", "type", "missing"] * 200 == [get_issue_code(issue) for issue in errors]
    assert [get_issue_code(issue) for issue in errors] == [issue.code for issue in errors]


def test_a_code_of_a_part_that_the_check_saw_is_known() -> None:
    rows = [{"id": "x", "x": {}}, {"id": "5", "x": {"y": "x"}}] * 4_000
    signature = typesig.parse("[{id :int, x :map[:int]}]")
    outcome = [signature.validate_and_coerce(rows) for _ in range(3)][-1]
    issues = *outcome.errors[:6], *outcome.warnings[:3]

    assert ["type"] * 6 + ["coerced"] * 3 == [get_issue_code(issue) for issue in issues]
    assert [get_issue_code(issue) for issue in issues] == [issue.code for issue in issues]


@pytest.mark.parametrize("mode", ["enabled", "lenient", "warn_only", "json"])
@pytest.mark.parametrize("shown", [':enum["open" "in_t"]', ':enum["open"]?', ':enum["open" 3]'])
def test_a_wrong_text_of_an_enum_is_told_as_the_check_tells_it(shown: str, mode: Any) -> None:
    t, tally = typesig.parse(f"{{id :int, how {shown}}}").returns, Counter[str]()
    for sent in ("opne", "OPEN", 3, 1.5, None, True, Keyword("open"), [], "in-t", OddText("opne")):
        for value in ({"id": "1", "how": sent}, {"id": "x", "how": sent}):
            assert "" == difference_of_verdicts(t, (), MODES[mode], value, tally)
    if mode == "enabled" and "3" not in shown:
        assert tally["refused"] > 4


@pytest.mark.generated
def test_what_a_refusal_tells_is_made_when_it_is_asked_for() -> None:
    signature = kept("{id :int, name :string}")
    sent = {"id": "x", "name": 3}
    outcome = signature.validate_and_coerce(sent)

    assert ("answer", 0, sent) == (outcome.stage, outcome.unseen, outcome.rejected)
    assert sent == outcome._subject.value  # type: ignore[union-attr]
    assert outcome._told.plain is None  # type: ignore[union-attr]
    assert ["id", "name"] == [error.path[0] for error in outcome.errors]
    with pytest.raises(AttributeError):
        getattr(outcome._told, "other")  # noqa: B009


def test_issues_that_were_not_read_are_values_too() -> None:
    def errors() -> tuple[Issue, ...]:
        return kept("{ids [:int]}").validate_output({"ids": ["x"] * 9}).errors

    assert errors() == errors()
    assert len(set(errors())) == 9
    assert errors() == pickle.loads(pickle.dumps(errors()))
    assert "Issue('type', ('ids', 0), 'int', 'string \"x\"')" == repr(errors()[0])
    with pytest.raises(AttributeError, match="cannot be changed"):
        errors()[0].code = "enum"  # type: ignore[misc]


@pytest.mark.generated
def test_types_of_one_form_share_their_code_and_not_their_names() -> None:
    codegen.compile_source.cache_clear()
    for name in ("id", "size", "k0", "k1"):
        signature = typesig.parse(f"{{{name} :int}}")
        for _ in range(4):
            assert signature.validate_output({name: 1}).ok
            assert not signature.accepts({f"{name}s": 1})
    assert codegen.compile_source.cache_info().hits >= 3


def test_the_code_of_long_source_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codegen, "_SHARED", 0)
    codegen.compile_source.cache_clear()
    predicate = program.compile_predicate(typesig.parse("{zq_kept :int}").returns, (), OUT)

    assert predicate({"zq_kept": 1}) is True
    assert 0 == codegen.compile_source.cache_info().currsize
