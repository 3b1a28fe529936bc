"""The fast predicate: its answers by shape and policy, when it is compiled, and its source."""

from __future__ import annotations

import linecache
import pickle
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, tzinfo
from typing import Any

import pytest

import typesig
from tests.fast_pairs import difference_of_verdicts, disagreement
from tests.generators import OddText
from typesig import Policy, limits
from typesig.algebra import Keyword
from typesig.algebra.constructors import make_field, record
from typesig.algebra.nodes import ANY, INT, Annotation, List, Maybe, Refinement, Tuple, Type, Union
from typesig.algebra.rows.constraints import Constraint
from typesig.validation.check_state import CheckState
from typesig.validation.generated import program
from typesig.validation.generated.source import TooMuchSource
from typesig.validation.outcome.check_context import OutcomeDetails
from typesig.validation.policy import MODES
from typesig.validation.verdicts import get_check_cache

OUT = MODES["enabled"].for_output()
IN = MODES["enabled"]
STRICT = MODES["strict"]
CALL = MODES["enabled"].for_call()
AT = datetime(2026, 1, 31, 10, tzinfo=UTC)

UNION = "{kind :enum[:a], x :int} | {kind :enum[:b], y :string, z? :int} | :nil"
TREE = ":T where T = {id :int, kids [:T]}"
DEEP = ":T where T = :int|[:T]|{a :T}"


def kids(levels: int, leaf: Any = ()) -> Any:
    value: Any = {"id": 0, "kids": list(leaf)}
    for _ in range(levels):
        value = {"id": 1, "kids": [value]}
    return value


def doubled(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value, value]
    return value


class Loud(str):
    """A text that is longer than it is."""

    def __len__(self) -> int:
        return 99


#: Types, policies, values, and whether they are known to conform unchanged.
ROWS: list[tuple[str, Policy, Any, Any]] = [
    (":any", OUT, object(), True),
    (":string", OUT, "a", True),
    (":string", OUT, 1, False),
    (":string", OUT, OddText("a"), False),
    (":int", OUT, True, False),
    (":bool", OUT, True, True),
    (":bool", IN, "true", False),
    (":nil", OUT, None, True),
    (":nil", OUT, 0, False),
    (":float", OUT, 1.5, True),
    (":float", OUT, 2, True),
    (":float", OUT, float("nan"), False),
    (":float", IN, 2, False),
    (":float", IN, float("inf"), False),
    (":keyword", OUT, Keyword("a"), True),
    (":keyword", OUT, "a", False),
    (":keyword", IN, "a", False),
    (":datetime", OUT, AT, True),
    (":datetime", OUT, AT.replace(tzinfo=None), False),
    (":datetime", OUT.on("naive_datetime"), AT.replace(tzinfo=None), False),
    (":datetime", IN.changed(naive_datetime="UTC"), AT.replace(tzinfo=None), False),
    (":datetime", IN, "2026-01-31T10:00:00Z", False),
    (":map", OUT, {"a": 1}, True),
    (":map", OUT, {1: 1}, False),
    (":enum[:a :b]", OUT, "a", False),
    (':enum["a" "b"]', OUT, "a", True),
    (':enum["a" "b"]', OUT, "c", False),
    (':enum["a"]', OUT, "a", True),
    (':enum["a"]', OUT, Keyword("a"), False),
    (":enum[1 2]", IN, 1, True),
    (":enum[1 2]", IN, "1", False),
    (":enum[1 2]", OUT, True, False),
    (':enum[1 "a" nil]', OUT, None, True),
    (':enum[1 "a" nil]', OUT, [], False),
    (":int?", OUT, None, True),
    (":any?", OUT, None, True),
    (":int|:string", OUT, "a", True),
    (":int|:string", OUT, 1.5, False),
    (":float|:string", IN, 2, False),
    (":int|:any", OUT, [], True),
    (":int[1..5]", OUT, 5, True),
    (":int[1..5]", OUT, 6, False),
    (":float[>0, <1]", OUT, 0.5, True),
    (":float[>0, <1]", OUT, 1, False),
    (":int[%5]", OUT, 10, True),
    (":int[%5]", OUT, 11, False),
    (":string[2..3]", OUT, "ab", True),
    (":string[2..3]", OUT, "a", False),
    (":string[/^a+$/]", OUT, "aa", True),
    (":string[email]", OUT, "a@", False),
    (":any[2..3]", OUT, {}, False),
    (":any[2..3]", OUT, [1, 2], True),
    (":any[email]", OUT, 1, True),
    (":string[decimal]", IN, "1.5", True),
    (":string[decimal]", IN, 1.5, False),
    (":string[decimal]", OUT, 1.5, False),
    (":string[decimal]?", IN, 1.5, False),
    ("[:int]", OUT, [1, 2], True),
    ("[:int]", OUT, (1, 2), True),
    ("[:int]", OUT, [1, "2"], False),
    ("[:int]", OUT, {1}, False),
    ("[:int]", OUT.on("list_from_set"), {1}, False),
    ("[:any]", OUT, [1, "2"], True),
    ("[:int][2.., unique]", OUT, [1, 2], True),
    ("[:int][2.., unique]", OUT, [1, 1], False),
    ("[:int][2.., unique]", OUT, [1], False),
    ("#{:int}", OUT, {1, 2}, True),
    ("#{:int}", OUT, frozenset({1}), True),
    ("#{:int}[1..]", OUT, set(), False),
    ("#{:int}", IN, [1], False),
    ("[:int, :string]", OUT, [1, "a"], True),
    ("[:int, :string]", OUT, [1], False),
    ("[:int, :string, ** :bool]", OUT, [1, "a", True, False], True),
    ("[:int, :string, ** :bool]", OUT, [1, "a", 1], False),
    ("[:int, :string][unique]", OUT, [1, "a"], True),
    (":map[:int]", OUT, {"a": 1}, True),
    (":map[:int]", OUT, {1: 1}, False),
    (":map[:int]", IN, {Keyword("a"): 1}, False),
    (":map[:int]", OUT, {"a": "1"}, False),
    (":map[:int][1..]", OUT, {}, False),
    (":map[:int :any]", OUT, {1: 1}, True),
    (":map[:int :any]", OUT, {"1": 1}, False),
    (":map[:int :any]", IN, {1: 1}, True),
    (":map[:int :any]", IN, {"1": 1}, False),
    (":map[:keyword :any]", OUT, {"a": 1}, True),
    (":map[:keyword :any]", IN, {Keyword("a"): 1}, True),
    (":map[:T :any] where T = :string", OUT, {"a": 1}, True),
    ("{id :int}", OUT, {"id": 1}, True),
    ("{id :int}", OUT, {"id": 1, "more": 2}, True),
    ("{id :int}", OUT, {"id": 1, 2: 2}, False),
    ("{id :int}", OUT, {"id": 1, OddText("x"): 2}, False),
    ("{id :int}", OUT, {}, False),
    ("{id :int}", OUT, [], False),
    ("{id :int}", CALL, {"id": 1, "more": 2}, False),
    ("{id :int, _zq :int}", CALL, {"id": 1}, True),
    ("{id :int, _zq :int}", CALL, {"id": 1, "_zq": 1}, False),
    ("{id :int, _zq :int}", CALL.changed(extras="keep"), {"id": 1, "_zq": 1}, False),
    ("{user_id :int}", OUT, {"user-id": 1}, False),
    ("{user_id? :int}", OUT, {"user-id": 1}, False),
    ("{user_id? :int}!", OUT, {"user-id": 1}, False),
    ("{user_id? :int}!", OUT, {"other": 1}, False),
    ("{id? :int}!", OUT, {"other": 1}, False),
    ("{max_rows? :int}", IN, {"maxRows": 1}, False),
    ("{max_rows :int}", IN, {"max_rows": 1, "maxRows": 1}, False),
    ("{id :int, note :string?}", OUT, {"id": 1, "note": None}, True),
    ("{id :int, note? :string}", IN, {"id": 1, "note": None}, False),
    ("{a? :int, b? :int, c? :int, d? :int, e? :int}", OUT, {"a": 1}, True),
    ("{a? :int, b? :int, c? :int, d? :int, e? :int}", OUT, {}, False),
    ("{id :int = 3}", IN, {}, False),
    ("{id :int = 3}", OUT, {}, True),
    ("{a {b [:int]}, c [[:int]?]}", OUT, {"a": {"b": [1]}, "c": [None, [1]]}, True),
    ("{a {b [:int]}, c [[:int]?]}", OUT, {"a": {"b": [1]}, "c": [None, ["1"]]}, False),
    ("{a :int, ** :string}", OUT, {"a": 1, "b": "c"}, True),
    ("{a :int, ** :string}", OUT, {"a": 1, "b": 2}, False),
    ("{a :int, ** :string}", OUT, {"a": 1, 2: "c"}, False),
    ("{a_b? :int, ** :string}", OUT, {"a-b": 1}, False),
    ("{a :int, /^x/ :string}", OUT, {"a": 1, "xb": "c", "d": 1}, True),
    ("{a :int, /^x/ :string}", OUT, {"a": 1, "xb": 1}, False),
    ("{a :int, /^x/ :string}!", OUT, {"a": 1, "d": 1}, False),
    ("{a :int, /^x/ :string, ** :bool}", OUT, {"a": 1, "xb": "c", "d": True}, True),
    ("{a :int, /^x/ :string, ** :bool}", OUT, {"a": 1, "d": 1}, False),
    ("{a :int = 1}[1..]", IN, {"a": 2}, True),
    ("{a :int = 1}[1..]", IN, {"b": 2}, False),
    ("{a [:int]|[:string]}", OUT, {"a": ["x"]}, True),
    (":int|[:int]", OUT, [1], True),
    (":int|[:int]", OUT, [1.5], False),
    (":float|[:int]", IN, 2, False),
    ("[:string]|[:int]", OUT, [1], True),
    (UNION, OUT, {"kind": Keyword("a"), "x": 1}, True),
    (UNION, OUT, {"kind": Keyword("b"), "y": "1"}, True),
    (UNION, OUT, {"kind": Keyword("b"), "x": 1}, False),
    (UNION, OUT, None, True),
    (UNION, OUT, 3, False),
    (UNION.replace(":a", "a").replace(":b", "b"), OUT, {"kind": "a", "x": 1}, True),
    (UNION.replace(":a", "a").replace(":b", "b"), OUT, {"kind": "b", "x": 1}, False),
    (UNION.replace(":a", "a").replace(":b", "b"), OUT, {"kind": "c"}, False),
    ("{a :int} | {b :int} | :map", OUT, {"c": 1}, True),
    ("{a :int} | {b :int}", OUT, {"a": 1, "b": 1}, True),
    ("{a :int} | {b :int}", IN, {"a": 1}, True),
    ("{a :int} | {b :int}", IN, {"b": 1}, True),
    ("{a :int} | {b :int}", IN, {"b": 1, "c": 1}, True),
    ("{a :float} | {a :int, b? :int}", IN, {"a": 1}, False),
    ("{a :int} | {a :int, b? :int}", OUT, {"a": 1}, True),
    ("{a :int} | {a :int, b? :int}", IN, {"a": 1, "b": 1}, True),
    ("{a :int} | {a :int, b? :int}", IN, {"a": 1, "b": "1"}, False),
    ("{a :int} | {a :int, b? :int}", IN, {"a": 1, "c": 1}, True),
    ("{a :int} | {a :int, /^c/ :int}", IN, {"a": 1, "c": 1}, True),
    ('{k :enum["x"], l :enum["x"]} | {k :enum["y"], l :enum["y"]}', OUT, {"k": "y", "l": "y"}, True),
    ('{k :enum["x"], /^p/ :int} | {k :enum["y"]}', OUT, {"k": "y"}, True),
    ("{a :int = 1} & {b :int}", IN, {"a": 1, "b": 1}, True),
    ("{a :int = 1} & {b :int}", IN, {"b": 1}, False),
    ("{a {c :int} & {d :int}} & {b :int}", OUT, {"a": {"c": 1, "d": 1}, "b": 1}, True),
    (":one[{a :int}, {b :int}]", OUT, {"a": 1}, True),
    (":one[{a :int}, {b :int}]", OUT, {"a": 1, "b": 1}, False),
    (":one[{a :int}, {b :int}]", OUT, {}, False),
    (":one[{a :int}, {b :int}]", OUT, {"a": OddText("x")}, False),
    (":one[:int, :string]", IN, 1, True),
    (":one[:float, :string]", IN, 1, False),
    (":one[:float, :string]", IN, True, False),
    (":not[:int]", OUT, "a", True),
    (":not[:int]", OUT, 1, False),
    (":not[:int]", OUT, OddText("a"), False),
    (":count[2..3 :int]", OUT, [1, "a", 2], True),
    (":count[2..3 :int]", OUT, (1, 2), True),
    (":count[2..3 :int]", OUT, [1, "a"], False),
    (":count[2..3 :int]", OUT, [1, 2, 3, 4], False),
    (":count[2..3 :string]", OUT, ["a", "b", OddText("a")], True),
    (":count[2.. :int]", IN, ["1", 2], False),
    (":count[..2 :string[9..]]", OUT, ["a"], True),
    (":count[..2 :string[9..]]", OUT, [Loud("a")], False),
    (":count[2.. :int]", OUT, "a", False),
    ("[:int] & :count[2.. :int[5..]]", STRICT, [5, 6, 1], True),
    ("[:int] & :count[2.. :int[5..]]", STRICT, [5, 1], False),
    (":count[..1 :T] where T = [:T]", OUT, [1, [[]]], True),
    (":not[:T] where T = [:T]", OUT, [1], True),
    (":not[:T] where T = [:T]", OUT, kids(150), True),
    (":not[:T] where T = [:T]", OUT, [OddText("a")], True),
    ("{a :int} & {b :int}", OUT, {"a": 1, "b": 1}, True),
    ("{a :int} & {b :int}", OUT, {"a": 1}, False),
    ("{a :int} & {b :float}", IN, {"a": 1, "b": 1.5}, True),
    ("{a :int} & {b :float}", IN, {"a": 1, "b": 1}, True),
    ("{a :int} & {b :float}", IN, {"a": 1}, False),
    ("{a :int} & {b :float}", IN, {"a": 1, "b": OddText("x")}, False),
    ("{max_rows :int} & {b :int}", IN, {"max_rows": 1, "b": 1, "more": 1}, True),
    ("{max_rows? :int} & {b :int}", IN, {"maxRows": 1, "b": 1}, False),
    ("{a :int} & {b :int}", STRICT, {"a": 1, "b": 1}, True),
    ("{a :int} & {b :int}", STRICT, {"a": 1, "b": 1, "c": 1}, False),
    ("{a_x :int} & {b :int}", STRICT, {"a-x": 1, "b": 1}, False),
    ("{a :int} & {b :int}", STRICT, [], False),
    ("{a :int} & :map[:int]", STRICT, {"a": 1, "b": 1}, True),
    (":not[:int] & :not[:string]", STRICT, {}, True),
    (":not[:int] & :not[:string]", STRICT, 1.5, True),
    ("{a? :int}? & {b? :int}?", STRICT, None, True),
    ("{a? :int}? & {b? :int}?", STRICT, {"b": 1}, True),
    ("{a? :int}? & {b? :int}?", STRICT, {"z": 1}, False),
    (":one[{a :T}, {b :T}] where T = [:T]", OUT, {"a": []}, True),
    (":one[{a :T}, {b :T}] where T = [:T]", OUT, {"a": kids(200)}, False),
    (TREE, OUT, kids(3), True),
    (TREE, OUT, kids(3, [1]), False),
    (TREE, OUT, kids(200), False),
    (":A where A = :B, B = [:A]", OUT, [[], [[]]], True),
    (DEEP, OUT, doubled(3), True),
    (":int|[:int|[:int|[:int]]]", OUT, [[[1]]], True),
    (":int|[:int|[:int|[:int|[:int]]]]", OUT, [[[1]]], True),
    (":one[:int, [:one[:int, [:one[:int, [:one[:int, [:int]]]]]]]]", OUT, [[[1]]], True),
    (":int|[:T]|[:int] where T = :int|[:T]|:nil|{a :T}?", OUT, [[[1]]], True),
    (":T where T = :int|#{:int}|[:T]|[:string]", OUT, [[[1]]], True),
    ("[:S|:T] where S = :int|[:int], T = :string|[:T]", OUT, [[1], "a"], True),
    (":T where T = :int|#{:int}|[:T][0..3]?|{a :T}", OUT, [[{1}], {"a": []}], True),
    (":T where T = :int|[:T]|:not[[:T]]", OUT, [[[1]]], True),
    (DEEP, OUT, doubled(18), False),
    (":one[:T, :int] where T = [:T]", OUT, [[]], True),
    (":one[:T, [:int]] where T = {a :T} | :nil", OUT, [[[[1]]]], False),
    ("[[[[[[[[[[[[[[[[[[[[:int]]]]]]]]]]]]]]]]]]]]", OUT, [[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]], True),
    ("[[[[[[[[[[[[[[[[[[[[:int]]]]]]]]]]]]]]]]]]]]", OUT, [[[[[[[[[[[[[[[[[[[[""]]]]]]]]]]]]]]]]]]]], False),
]  # fmt: skip


AT_LEAST_TWO = (Constraint("at_least", 2),)

#: The same for types that text has another form of.
ROWS_OF_TYPES: list[tuple[Type, Policy, Any, Any]] = [
    (Maybe(Union((List(INT), ANY))), OUT, "a", True),
    (Union((INT, ANY)), OUT, "a", True),
    (Annotation(INT, "a number"), OUT, 1, True),
    (Annotation(List(INT), "numbers"), OUT, [1], True),
    (Maybe(Annotation(List(INT), "numbers")), OUT, [1], True),
    (Refinement(Annotation(List(INT), "numbers"), AT_LEAST_TWO), OUT, [1], False),
    (Refinement(Tuple((INT, INT)), AT_LEAST_TWO), OUT, [1, 2], True),
    (Refinement(Maybe(List(INT)), AT_LEAST_TWO), OUT, [1], False),
    (Refinement(ANY, (Constraint("format", "decimal"),)), IN, 1.5, False),
    (Refinement(List(INT), (Constraint("format", "decimal"),)), IN, [1], True),
    (Refinement(INT, (Constraint("format", "email"),)), OUT, 1, True),
]


@pytest.mark.parametrize(("t", "policy", "value", "answer"), [*ROWS, *ROWS_OF_TYPES])
def test_the_answer_for_a_type_a_policy_and_a_value(
    t: Any, policy: Policy, value: Any, answer: Any
) -> None:
    signature = typesig.parse(t)
    t, definitions = signature.returns, signature.definitions
    judge = program.compile_predicate(t, definitions, policy)

    assert "" == disagreement(judge, t, definitions, policy, value)
    assert answer is judge(value)


def test_arguments_of_a_signature_without_other_names_are_judged_as_such() -> None:
    closed = typesig.parse("(a :int)! -> :any")
    typed = typesig.parse("(a :int, ** :string) -> :any")
    for value, answers in ({"a": 1}, [True, True]), ({"a": 1, "b": ""}, [False, True]):
        judged = [
            program.compile_argument_predicate(s, OUT, "keep")(value) for s in (closed, typed)
        ]
        assert answers == judged
    assert program.compile_argument_predicate(closed, OUT, "keep")([]) is False
    assert (
        program.compile_argument_predicate(typesig.parse("() -> :any"), OUT, "keep")({"a": 1})
        is True
    )


def wide(count: int, item: str = "[:int]") -> Type:
    fields = [f"a{n} {item.replace('{n}', str(n))}" for n in range(count)]
    return typesig.parse("{" + ", ".join(fields) + "}").returns


@pytest.mark.once
def test_a_type_that_is_too_large_has_a_predicate_that_knows_nothing() -> None:
    large, small = wide(limits.MAX_GENERATED), wide(100)

    assert program.compile_predicate(large, (), OUT) is program._know_nothing
    assert program.compile_predicate(small, (), OUT) is not program._know_nothing


def test_a_type_that_shares_its_parts_is_generated_as_far_as_the_limit() -> None:
    t: Type = INT
    for _ in range(40):
        t = record([make_field("a", t), make_field("b", t)])

    assert program.compile_predicate(t, (), OUT) is program._know_nothing


@pytest.mark.generated
def test_a_predicate_is_compiled_after_some_calls() -> None:
    quick = program.Shortcut(lambda: program.compile_predicate(INT, (), OUT))

    assert [False, False, True, True] == [quick.passes(1) for _ in range(4)]
    assert quick.compile() is quick.judge


@pytest.mark.generated
@pytest.mark.parametrize("value", [[1] * 1_000, {"a": [1] * 1_000}])
def test_a_predicate_is_compiled_at_once_for_a_long_value(value: Any) -> None:
    quick = program.Shortcut(
        lambda: program.compile_predicate(typesig.parse(":any").returns, (), OUT)
    )

    assert quick.passes(value)


def test_a_value_too_deep_for_the_stack_is_left_to_the_check() -> None:
    def judge(value: Any) -> bool:
        return judge(value)

    quick = program.Shortcut(lambda: judge)
    signature = typesig.parse(":int")
    get_check_cache(signature).accepts = judge

    assert not any(quick.passes(1) for _ in range(4))
    assert signature.accepts(1)


def test_the_same_object_comes_back_where_nothing_is_wrong() -> None:
    signature = typesig.parse("(a [:int]) -> [{id :int}]")
    rows, arguments = [{"id": 1}], {"a": [1]}
    for _ in range(5):
        assert signature.validate_output(rows).result is rows
        assert signature.validate_and_coerce(rows).result is rows
        assert signature.validate_input(arguments).result is arguments
        assert signature.accepts(rows)
    assert not signature.accepts([{"id": "1"}])


def test_arguments_in_a_wrapper_are_taken_out_after_source_was_generated() -> None:
    signature = typesig.parse("(a? :int) -> :any")
    for _ in range(5):
        assert {"b": 1, "a": 2} == signature.validate_input({"b": 1, "a": 2}).result
        assert {"a": 1} == signature.validate_input({"arguments": {"a": 1}}).result
        assert {} == signature.validate_input(None).result


def test_the_outcome_of_generated_source_is_that_of_the_check() -> None:
    signature = typesig.parse("() -> {id :int, at :datetime, _zq? :any}")
    value = {"id": 1, "at": AT, "_zq": 1}
    first, *_, last = [signature.validate_output(value) for _ in range(5)]
    for read in (repr, lambda o: o.value, lambda o: o.for_model(), lambda o: o.stage):
        assert read(first) == read(last)
    assert (last.errors, last.warnings, last.rejected, last.unseen) == ((), (), None, 0)
    assert pickle.loads(pickle.dumps(last)).value == first.value
    with pytest.raises(AttributeError, match="an outcome cannot be changed"):
        last.stage = "call"  # type: ignore[misc]


def test_a_signature_that_was_unpickled_generates_source_again() -> None:
    signature = typesig.parse("() -> [{id :int}]")
    for _ in range(5):
        signature.accepts([{"id": 1}])
    again = pickle.loads(pickle.dumps(signature))

    assert again == signature
    assert again.accepts([{"id": 1}])
    assert not again.accepts([{"id": "1"}])


def test_names_and_values_of_a_type_are_not_in_the_source() -> None:
    name, word = "x'); raise SystemExit  #", "zq\n'"
    t = typesig.from_json_schema(
        {
            "type": "object",
            "required": [name],
            "properties": {name: {"enum": [word]}, "k0": {"type": "integer"}},
        }
    ).returns
    judge = program.compile_predicate(t, (), OUT)
    source = "".join(linecache.getlines(judge.__code__.co_filename, judge.__globals__))

    assert judge({name: word, "k0": 1}) is True
    assert judge({name: "", "k0": 1}) is False
    assert "SystemExit" not in source
    assert "zq" not in source


def test_a_traceback_shows_the_generated_line() -> None:
    class Broken(tzinfo):
        def utcoffset(self, moment: Any) -> Any:
            raise ValueError("no offset")

    judge = program.compile_predicate(typesig.parse(":datetime").returns, (), OUT)
    with pytest.raises(ValueError, match="no offset") as raised:
        judge(AT.replace(tzinfo=Broken()))

    assert "utcoffset() is None" in "".join(traceback.format_exception(raised.value))


@pytest.mark.needs_process
def test_many_threads_may_use_a_predicate_first() -> None:
    for number in range(20):
        signature = typesig.parse(f"() -> [{{a{number} :int}}]")
        with ThreadPoolExecutor(8) as pool:
            found = pool.map(signature.accepts, [[{f"a{number}": 1}] * 60] * 8)
        assert [True] * 8 == list(found)


ROW = "{id :int, score :float, tags [:string], note? :string, at :datetime?}"

#: Types and values that conform in part.
PARTLY: list[tuple[str, Policy, Any]] = [
    (f"[{ROW}]", IN, [{"id": "1", "score": 1, "tags": []}]),
    (f"[{ROW}]", IN, [{"id": "+1", "score": "1.5", "tags": [], "note": None}]),
    (f"[{ROW}]", IN, [{"id": 1, "score": 1.5, "tags": ["a", Keyword("b"), 3], "note": 4}]),
    (f"[{ROW}]", IN, [{"id": "x", "score": "y", "tags": 3, "at": "2026-01-31T10:00:00Z"}]),
    (f"[{ROW}]", OUT, [{"id": "1", "score": "1", "tags": {}, "note": None, "at": AT}]),
    (f"[{ROW}]", OUT, [{"id": 1, "score": 1, "tags": [], "more": 1}, {}, 3, None]),
    (f"[{ROW}]", CALL, [{"id": 1, "score": 1, "tags": [], "more": 1}]),
    (f"[{ROW}]", OUT, ()),
    (f"[{ROW}]", OUT, [{"id": 1, "score": 1.5, "tags": []}] * 9 + [{"id": "1"}] * 2),
    (f"[{ROW}]", IN, [{"id": n, "score": 1.5, "tags": []} for n in (1, "2", 3, 4, 5, 6, 7, "8")]),
    ("[:int]", IN, [1, "2", 3, 4, 5, 6, 7, 8, "9", 10]),
    ("[:int]", IN, ["1", 2, 3, 4, 5, 6]),
    ("[:int]", IN.changed(max_issues=1), ["1", "2", "+3", "x", "y"]),
    ("[:any]", OUT, (1,)),
    ("[:float]", IN.changed(max_issues=1), ["1", "2", "x", "y"]),
    ("[:float]", MODES["json"], [1, "2"]),
    ("[:bool?]", MODES["lenient"], ["true", "yes", "null", None, "x"]),
    ("[:string]", OUT, [1, None]),
    ("[[:int]|[:string]]", OUT, [[1], ["a"], [1, "a"], 3]),
    ("{a [:int] = [1], b? :int}", IN, {"b": 1}),
    ("{a [:int] = [1], b? :int}", IN, {"a": None}),
    ("{_zq :int, a :int}", CALL, {"_zq": 1, "a": "1"}),
    ("{_zq :int, a {_zq :int}}", OUT, {"_zq": "1", "a": {"_zq": "1"}}),
    ("{a {b {c :int}}, d [[:int]]}", IN, {"a": {"b": {"c": "1"}}, "d": [["1", 2], [3]]}),
    ("{a? :int, b? :any}!", OUT, {"a": 1, "c": 1}),
    ("{}", OUT, {1: 1}),
    ("[{a? :int, b? :int, c? :int, d? :int, e? :int}]", IN, [{"a": "1"}, {}]),
]


@pytest.mark.parametrize(("text", "policy", "value"), PARTLY)
def test_a_verdict_finds_and_makes_what_the_check_does(
    text: str, policy: Policy, value: Any
) -> None:
    t = typesig.parse(text).returns

    for each in (policy, policy.changed(on_issue="warn")):
        assert "" == difference_of_verdicts(t, (), each, value, Counter())


def test_issues_of_a_verdict_are_those_of_the_check() -> None:
    signature = typesig.parse("[{id :int, score :float}]")
    value = [{"id": "1", "score": 1.5}, {"id": "x", "score": "high"}] * 40
    outcomes = [signature.validate_and_coerce(value) for _ in range(4)]
    texts = [[*map(str, o.errors), *map(str, o.warnings)] for o in outcomes]

    assert texts == [texts[0]] * 4
    assert outcomes[0].errors == outcomes[3].errors
    assert {hash(issue) for issue in outcomes[0].errors} == {hash(i) for i in outcomes[3].errors}
    assert pickle.loads(pickle.dumps(outcomes[3])).errors == outcomes[0].errors
    assert outcomes[3].warnings[0].rule == "int_from_string"
    assert outcomes[3].errors[0].path == (1, "id")
    assert "1.id: expected int" not in outcomes[3].report()
    with pytest.raises(AttributeError):
        outcomes[3].errors[0].other  # type: ignore[attr-defined]  # noqa: B018


def test_parts_that_are_made_later_have_no_other_names() -> None:
    run = CheckState(1)
    told = OutcomeDetails(lambda: ((), ()), False, "output", None, 0, None, None)

    for made in (run, told):
        with pytest.raises(AttributeError, match="other"):
            made.other  # type: ignore[union-attr]  # noqa: B018
    assert () == told.warnings
    assert {} == run.memo


def test_no_more_undeclared_keys_are_remembered_than_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("typesig.validation.generated.conditions._MOST_KEYS", 0)
    signature = typesig.parse("{a :int}")
    judge = program.compile_predicate(signature.returns, (), Policy())

    assert [True, True] == [judge({"a": 1, "other": 2}) for _ in range(2)]


def test_a_type_whose_source_is_too_much_is_left_to_the_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def too_much(_program: object) -> str:
        raise TooMuchSource

    monkeypatch.setattr(program.Program, "write_source", too_much)
    judge = program.compile_predicate(typesig.parse("() -> {a :int}").returns, (), Policy())

    assert not judge({"a": 1})
