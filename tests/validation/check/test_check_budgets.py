"""What checks find where they save work: tags of unions, defaults, intersections."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

import typesig
from typesig import Outcome, Policy
from typesig.algebra import Keyword
from typesig.errors import SignatureSyntaxError
from typesig.limits import MAX_DEFAULT_VALUES, MAX_ISSUES


def asked(shorthand: str, value: object, mode: str | Policy = "enabled") -> Outcome[Any]:
    """Return the outcome of *value* as an argument of the type *shorthand*."""
    return typesig.parse(shorthand).validate_and_coerce(value, mode=mode)


def lines(outcome: Outcome[Any]) -> list[str]:
    return [str(error) for error in outcome.errors]


TAGGED = '{k :enum["a"], x :int}|{k :enum["b"], y :int}|{k :enum["c"], z :enum["p" "q"]}'


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"k": "a", "x": 1}, []),
        ({"k": "b", "y": "1"}, []),
        ({"k": Keyword("a"), "x": 1}, []),
        ({"k": "a", "x": "no"}, ['x: expected int, got string "no"']),
        ({"k": "a"}, ["x: expected int, got nil (missing)"]),
        ({"k": "c", "z": "r"}, ['z: expected one of ["p", "q"], got "r"']),
        ({"k": "d"}, ['k: expected one of ["a", "b", "c"], got "d"']),
        ({"k": ["a"], "x": 1}, ['k: expected one of ["a", "b", "c"], got ["a"]']),
        ({"k": None, "x": 1}, ['k: expected one of ["a", "b", "c"], got nil']),
        ({"x": 1}, ['k: expected one of ["a", "b", "c"], got nil (missing)']),
    ],
)
def test_a_union_of_tagged_records_tells_what_is_wrong_with_the_branch_of_the_tag(
    value: object, found: list[str]
) -> None:
    # Twice: the second time it is known which branch a tag allows.
    assert [found, found] == [lines(asked(TAGGED, value)) for _ in range(2)]


def test_a_tag_that_no_branch_has_is_counted_beyond_the_limit() -> None:
    outcome = asked(f"[{TAGGED}]", [{"k": "d"}] * (MAX_ISSUES + 5))

    assert (MAX_ISSUES, 5) == (len(outcome.errors), outcome.unseen)


def test_a_missing_tag_is_counted_beyond_the_limit() -> None:
    outcome = asked(f"[{TAGGED}]", [{"x": 1}] * (MAX_ISSUES + 5))

    assert (MAX_ISSUES, 5) == (len(outcome.errors), outcome.unseen)


def test_a_tag_is_read_as_its_constant_and_tells_branches_apart_by_kind() -> None:
    shorthand = "{k :enum[1], x :int}|{k :enum[2.0], y :int}|{k :enum[true], z :int}"

    assert {"k": 1, "x": 3} == asked(shorthand, {"k": "1", "x": 3}).result
    assert {"k": True, "z": 3} == asked(shorthand, {"k": True, "z": 3}).result
    assert {"k": 2.0, "y": 3} == asked(shorthand, {"k": 2.0, "y": 3}).result
    assert [] != lines(asked(shorthand, {"k": True, "x": 3}, "strict"))


def test_a_branch_that_says_nothing_of_the_tag_may_take_any_map() -> None:
    patterned = '{k :enum["a"], /k/ :string}|{k :enum["b"], y :int}'
    hidden = '{_k :enum["a"], x :int}|{_k :enum["b"], y :int}'
    mapped = f"{TAGGED}|:map[:int]"

    assert asked(patterned, {"k": "a"}).ok
    assert asked(hidden, {"_k": "b", "y": 1}).ok
    assert not asked(hidden, {"_k": "c", "y": 1}).ok
    assert {"k": 3} == asked(mapped, {"k": 3}).result
    assert not asked(mapped, {"k": "d"}).ok


def test_tags_that_are_constants_with_a_format_of_their_own_are_checked_by_all_branches() -> None:
    found = asked('{k :enum["a"]?, x :int}|{k :enum["b"], y :int}', {"k": "c", "x": 1})

    assert ['k: expected one of ["a", "b"], got "c"'] == lines(found)


def test_the_first_of_several_tags_that_no_branch_has_is_told() -> None:
    shorthand = '{k :enum["a"], t :enum[1]}|{k :enum["b"], t :enum[2]}'

    assert ['k: expected one of ["a", "b"], got ["c"]'] == lines(
        asked(shorthand, {"k": ["c"], "t": 9})
    )


def test_each_record_gets_a_copy_of_a_default_of_its_own() -> None:
    shorthand = '[{a :map = {"x": [1, {"y": 2}]}, b #{:int} = [1, 2], c :datetime = "2026-01-31T10:00:00Z"}]'
    first, second = asked(shorthand, [{}, {}]).result

    assert first == second
    first["a"]["x"][1]["y"] = 3
    first["b"].add(4)
    assert {"x": [1, {"y": 2}]} == second["a"]
    assert {1, 2} == second["b"]
    assert second == asked(shorthand, [{}]).result[0]


def test_a_default_that_fills_in_too_much_is_refused_where_it_is_read() -> None:
    names = [f"A{i} = {{y :A{i + 1} = {{}}, z :A{i + 1} = {{}}}}" for i in range(40)]
    said = f"its defaults would fill in more than {MAX_DEFAULT_VALUES} values"

    with pytest.raises(SignatureSyntaxError, match=said):
        typesig.parse(f"() -> :A0 where {', '.join(names)}, A40 = {{r :int = 1}}")
    with pytest.raises(SignatureSyntaxError, match=said):
        typesig.parse("() -> :T where T = {kids? [:T] = [{}, {}]}")


def test_defaults_within_defaults_are_filled_in() -> None:
    found = asked(":A where A = {y :B = {}, z :B = {}}, B = {r :int = 1, s? [:int] = []}", {})

    assert {"y": {"r": 1, "s": []}, "z": {"r": 1, "s": []}} == found.result


def test_what_several_members_of_an_intersection_find_is_told_once() -> None:
    found = asked("{c :T} & {c :T, b? :int} where T = {a :int|:bool}", {"c": {"a": "x"}, "b": "y"})

    assert ['c.a: expected int|bool, got string "x"', 'b: expected int, got string "y"'] == lines(
        found
    )
    warned = asked("{a :int, b? :int} & {a :int, c? :int}", {"a": "5"})
    assert ['a: coerced string "5" to int'] == [str(warning) for warning in warned.warnings]
    naive = asked(
        "{a :datetime} & {a :datetime, b? :int}",
        {"a": datetime.datetime(2026, 1, 31)},
        Policy(coercions=["naive_datetime"]),
    )
    assert 1 == len(naive.warnings)
    both = asked("{a :T} & {a :T, b :int} where T = {d :int|:bool}", {"a": {"d": "x"}}, "warn_only")
    assert 2 == len(both.warnings + both.errors)


def test_names_that_a_member_spells_exactly_are_folded_in_other_records() -> None:
    shorthand = '{"a-b"? :int, n? {a_b? :int}} & {a_b? :int}'

    found = asked(shorthand, {"a-b": 1, "n": {"a-b": 2}})

    assert {"a-b": 1, "n": {"a_b": 2}} == found.result
