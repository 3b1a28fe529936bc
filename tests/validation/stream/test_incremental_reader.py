"""Reading an answer, or the arguments of a call, while its text arrives."""

from __future__ import annotations

import asyncio
import pickle
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

import typesig
from typesig import Injected, Ledger, Partial, Policy, TypesigError, contract, tool
from typesig.limits import MAX_JSON, MAX_OPEN

REPORT = contract(
    '{user {name :string, age :int}, tags [:string], level :enum["low" "high"], n :int?}'
)
NUMBERS = contract(list[int])
RECORD = contract("{id :int, note :string?}")


def shown(asked: Any, text: str, mode: Any = None) -> Any:
    return asked.read(text, mode, partial=True).value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("  ", None),
        ("{", None),
        ('{"user"', None),
        ('{"user": ', None),
        ('{"user": {"name": "', None),
        ('{"user": {"name": "An', {"user": {"name": "An"}}),
        ('{"user": {"name": "Ann"', {"user": {"name": "Ann"}}),
        ('{"user": {"name": "Ann", "age": 3', {"user": {"name": "Ann"}}),
        ('{"user": {"name": "Ann", "age": 3}', {"user": {"name": "Ann", "age": 3}}),
        ('{"tags": ["a", "b', {"tags": ["a", "b"]}),
        ('{"tags": [', None),
        ('{"tags": []', {"tags": []}),
        ('{"level": "lo', None),
        ('{"level": "low"', {"level": "low"}),
        ('{"n": 12', None),
        ('{"n": 12 ', {"n": 12}),
        ('{"n": nul', None),
        ('{"n": null', {"n": None}),
        ('{"n": nullx', None),
        ('{"n": null,', {"n": None}),
        ('{"tags": ["a\\', {"tags": ["a"]}),
        ('{"tags": ["a\\u00e', {"tags": ["a"]}),
        ('{"tags": ["a\\ud83d\\ude0', {"tags": ["a"]}),
        ('{"tags": ["a\\ud83d\\ude00', {"tags": ["a\U0001f600"]}),
        ('{"tags": ["a\\ud83d and more', {"tags": ["a"]}),
        ('{"tags": ["a\nb and much more', {"tags": ["a"]}),
        ('{"tags": ["a\nb"', None),
        ('{"tags": ["a\\x b and more', {"tags": ["a"]}),
        ('{"tags": ["a\\"", ', {"tags": ['a"']}),
        ('Here it is:\n\n```json\n{"n": 1, "tags', {"n": 1}),
        ('Here it is: {"n": 1, "tags', {"n": 1}),
        ('<think>{"n": 2}</think>{"n": 1, "tags', {"n": 1}),
        ('Perhaps {"n": 2}.</think>{"n": 1, "tags', {"n": 1}),
        ('\ufeff{"n": 1, "tags', {"n": 1}),
        ('"{\\"n\\": 1', None),
        ("{n: 1, ", None),
        ('{"n" = 1, ', None),
        ('{"n" ', None),
        ('{"n": 1"', None),
        ('{"n": 1, "n": 2, ', {"n": 1}),
        ('{"n": 1 "tags', {"n": 1}),
        ('{"n": 1,, ', {"n": 1}),
        ('{"n": 1a, ', None),
        ('{"n": tru, ', None),
        ("[1, ", None),
        ('{"n": "x", "level": "low", ', {"level": "low"}),
    ],
)  # fmt: skip
def test_what_is_complete_is_read_of_a_text_that_was_cut(text: str, value: Any) -> None:
    part = REPORT.read(text, partial=True)

    assert value == part.value
    assert not part.complete
    assert not REPORT.read(text).ok


def test_what_is_missing_is_told_by_its_path() -> None:
    part = REPORT.read('{"user": {"name": "Ann", "age": 3', partial=True)

    assert (("user", "age"), ("tags",), ("level",)) == part.missing
    assert part.report() == (
        "The answer is not complete:\n- user.age: not ended\n- tags: missing\n- level: missing"
    )
    assert repr(part) == "Partial(missing=['user.age', 'tags', 'level'])"
    assert ((), ("user",), ("tags",), ("level",)) == REPORT.read("{", partial=True).missing
    assert ((2,),) == NUMBERS.read("[1, 2, 3", partial=True).missing
    assert ((),) == NUMBERS.read("[1, 2, ", partial=True).missing


def test_many_missing_fields_are_counted() -> None:
    fields = ", ".join(f"a{n} :int" for n in range(60))

    assert contract(f"{{{fields}}}").read("{", partial=True).report().endswith("\n- … and 11 more")


def test_a_required_field_that_has_not_come_is_no_error() -> None:
    assert () == REPORT.read('{"tags": ["a"], "n": 1, ', partial=True).errors


def test_errors_are_those_of_what_has_ended() -> None:
    part = REPORT.read('{"user": {"name": 1, "age": "3"}, "level": "hgih", "n": "x', partial=True)

    assert ["user.name: expected string, got int 1"] == [str(e) for e in part.errors[:1]]
    assert "level: expected one of" in part.report()
    assert ['user.age: coerced string "3" to int'] == [str(w) for w in part.warnings]
    assert repr(part).startswith("Partial(missing=['n', 'tags'], errors=[")
    assert part.value is None or "name" not in part.value.get("user", {})


def test_a_list_ends_before_its_first_item_that_does_not_conform() -> None:
    part = NUMBERS.read('[1, "x", 3, 4', partial=True)

    assert [1] == part.value
    assert [(0,), (2,)] == [each.path for each in part.closed]
    assert ['[1]: expected int, got string "x"'] == [str(error) for error in part.errors]


def test_a_whole_text_is_complete() -> None:
    part = RECORD.read('{"id": "1"}', partial=True)

    assert part.complete
    assert {"id": 1} == part.value
    assert () == part.missing
    assert ((),) == tuple(each.path for each in part.closed)
    assert part.report() == 'Answer validation warnings:\n- id: coerced string "1" to int'
    assert repr(part) == "Partial(complete)"


def test_data_is_complete() -> None:
    assert RECORD.read({"id": 1}, partial=True).complete
    wrong = RECORD.read({"note": 1}, partial=True)

    assert wrong.complete
    assert wrong.value is None
    assert 2 == len(wrong.errors)


@pytest.mark.parametrize(
    ("hint", "text", "mode", "complete"),
    [
        (":int", "12", None, False),
        (":int", "12\n", None, True),
        (":float", "1.5e3", None, False),
        (":bool", "true", None, True),
        (":string", '"a"', None, True),
        (":string", "some words", "lenient", False),
        (':enum["yes" "no"]', "I say yes", "lenient", False),
        ("[{a :int}]", '{"a": 1} {"a": 2}', "lenient", False),
        ("{a :int}", '{"a": 1}\n{"b": 2}', "lenient", False),
        ("{a :int}", "{a: 1}", "lenient", True),
    ],
)
def test_what_may_go_on_is_held_back(hint: str, text: str, mode: Any, complete: bool) -> None:
    part = contract(hint).read(text, mode, partial=True)

    assert contract(hint).read(text, mode).ok
    assert complete == part.complete
    if not complete:
        assert ((),) == part.missing[:1]


def test_a_text_that_cannot_go_on_has_the_error_too() -> None:
    part = NUMBERS.read("[1, 2,, 3", partial=True)

    assert [1, 2] == part.value
    assert ["json"] == [error.code for error in part.errors]
    assert () == NUMBERS.read("[1, 2, 3", partial=True).errors
    assert ["json"] == [e.code for e in RECORD.read("{'id': 1, 'n", partial=True).errors]


def test_bytes_may_end_within_a_character() -> None:
    text = '["é", "é'.encode()

    assert ["é", "\ufffd"] != shown(contract(list[str]), text[:-1])  # type: ignore[arg-type]
    assert ["é", "é"] == shown(contract(list[str]), text)  # type: ignore[arg-type]


def test_a_text_beyond_the_limit_is_refused() -> None:
    text = "[" + " " * MAX_JSON
    part = NUMBERS.read(text, partial=True)
    stream = NUMBERS.stream()
    stream.feed(text)
    stream.feed("1]")

    assert "too large" in str(part.errors[0])
    assert "too large" in str(stream.close().errors[0])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Here: [1, 2", [1]),
        ("Here:\n\n[1, 2", [1]),
        ("See [1] for\n[4, 5", [4]),
        ("[1] says\n[2, 3", [2]),
        ("[1]", [1]),
        ("# [1, 2]\n[3, 4", [3]),
        ("x" * 90 + "\n# [1, 2]\n[3, 4", [3]),
        ("# " + "x" * 90 + " [1, 2]\n[3, 4", [3]),
        ("f(x)[0] and\n[1, 2", [1]),
        ("a[0]", None),
        ('{"items": [1, "2", 3', [1, 2]),
        ('{"items": [1, 2], "more": 1}', [1, 2]),
        ('{"more": 1', None),
        ('{"items": 1, ', None),
        ('{"items": {"a": 1}', None),
        ("{}", None),
        ("[1]\nHope it helps.", [1]),
        ('{"items": [1, 2]}', [1, 2]),
        ("```python\nx = [1]\n```\nSo: [1, 2", [1]),
        ("```\n[1, 2", [1]),
        ("[THINK]a [9]\n[/THINK][1, 2", [1]),
        ("Well, [THINK]a[/THINK]\n[1, 2", [1]),
        ("/* [1] */ [2, 3", None),
        ("<!-- [1] --> [2, 3", None),
        ('"a": [1, 2', None),
        ('so "a": [1, 2', None),
        ("Do {this}\n[1, 2", [1]),
        ("[x] done\n[ ] to do\n[1, 2", [1]),
        ("Of [a, b] take\n[1, 2", [1]),
        ("<think>[9]", None),
        ("[", None),
        ("So [ ", None),
    ],
)
def test_a_value_is_found_where_the_whole_text_has_it(text: str, value: Any) -> None:
    assert value == shown(NUMBERS, text)
    stream = NUMBERS.stream()
    for char in text:
        part = stream.feed(char)
    assert value == part.value


@pytest.mark.parametrize(
    ("repair", "text"),
    [
        ("code_fence", '```\n{"id": 1, '),
        ("prose", 'So: {"id": 1, '),
        ("reasoning", '<think>a</think>{"id": 1, '),
        ("reasoning", 'a</think>{"id": 1, '),
        ("byte_order_mark", '\ufeff{"id": 1, '),
    ],
)
def test_a_repair_that_is_off_is_not_made_in_part(repair: Any, text: str) -> None:
    assert {"id": 1} == shown(RECORD, text)
    assert None is shown(RECORD, text, Policy().off(repair))


def test_json_in_other_text_is_not_taken_where_text_is_wanted() -> None:
    assert None is shown(contract(":string|[:int]"), "So: [1, 2")
    assert [1] == shown(contract(":string|[:int]"), "[1, 2")


def test_empty_brackets_in_other_text_are_no_value() -> None:
    assert {"id": 1} == shown(RECORD, '{} is empty\n{"id": 1, ')
    assert {} == shown(contract(":map"), "{}\n")


@pytest.mark.parametrize(
    ("hint", "text", "value"),
    [
        (":any", '{"a": [1, {"b": 2', {"a": [1]}),
        (":map", '{"a": {"b": 1, "c": 2', {"a": {"b": 1}}),
        (":map[:string [:int]]", '{"a": [1, 2', {"a": [1]}),
        (":map[:int :int]", '{"1": 1, "2": 2, ', None),
        ("{a :int}?", '{"a": 1, ', {"a": 1}),
        ("{a :int}|:string", '{"a": 1, ', {"a": 1}),
        ("{a :int}|{b :int}", '{"a": 1, ', None),
        ("#{:int}", "[1, 2, ", None),
        ("[:int, :int]", "[1, 2, ", [1, 2]),
        ("[:int, :int]", "[1, 2, 3, ", [1, 2]),
        ("[:int, :string, ** :bool]", '[1, "a", true, fal', [1, "a", True]),
        (":one[[:int], :string]", "[1, 2, ", None),
        (":not[:string]", "[1, 2, ", None),
        ("{/^x-/ :int}", '{"x-a": 1, ', None),
        ("{a :int}", '{"b": 1, "a": 2, ', {"a": 2, "b": 1}),
        ("{a :int, ** :int}", '{"b": "1", "a": 2, ', {"a": 2, "b": 1}),
        ("{a :int}!", '{"b": 1, "a": 2, ', {"a": 2}),
        ("{max_rows :int}", '{"maxRows": 1, ', None),
        ("{max_rows :int}", '{"max-rows": 1, ', {"max_rows": 1}),
        ("{max_rows :int}", '{"max-rows": 1, "max_rows": 2, ', {"max_rows": 1}),
        ("{a :int, _b :int}", '{"_b": 1, "a": 2, ', {"a": 2}),
        ("{a? :int, b :int}", '{"a": null, "b": 2, ', {"b": 2}),
        ("{a {b :int = 3}}", '{"a": {"b": 1', None),
        ("{a [:int, :int]}", '{"a": [1, 2], ', {"a": [1, 2]}),
        ("{a [:int, :int]}", '{"a": [1, 2', {"a": [1]}),
        ("{a {b :int = 3}}", '{"a": {}', {"a": {"b": 3}}),
        ("[[:int]]", "[[1, 2], [3, 4", [[1, 2], [3]]),
        ("[[:int]]", "[[1,2,3,", [[1, 2, 3]]),
        ("[[:int]]", '[[1], ["x"], [3, 4, ', [[1]]),
        ("[{a :int, b :int}]", '[{"a": 1, "b": 2}, {"a": 3, "b', [{"a": 1, "b": 2}, {"a": 3}]),
        ("[{a :int}]", '[{"a": "x"}, {"a": 3, ', None),
        ("#{:int}", "[3, 1, ", None),
        ("{a #{:int}, b :int}", '{"b": 2, "a": [3, 1, ', {"b": 2}),
        ("[:int][2..]", "[1, 2, ", [1, 2]),
    ],
)
def test_a_part_is_shown_where_it_is_plain_what_it_is_of(hint: str, text: str, value: Any) -> None:
    assert value == shown(contract(hint), text)


def test_names_that_are_hidden_are_not_told() -> None:
    part = contract("{a :int, _b {c :int}}").read('{"_b": {"c": 1', partial=True)

    assert ((), ("a",)) == part.missing
    assert "_b" not in part.report()


def test_secrets_are_in_no_message() -> None:
    asked = contract(
        typesig.from_json_schema(
            {
                "type": "object",
                "properties": {
                    "key": {"type": "integer", "writeOnly": True},
                    "n": {"type": "integer"},
                },
            }
        )
    )
    part = asked.read('{"key": "hunter2", "n": ', partial=True)

    assert "hunter2" not in part.report() + repr(part)
    assert 1 == len(part.errors)


def test_maps_within_each_other_beyond_a_limit_are_shown_when_they_have_ended() -> None:
    asked = contract(":any")
    text = '{"a": ' * (MAX_OPEN + 1) + '1, "b": 2'
    inner: Any = {"a": {"a": 1}}
    for _ in range(MAX_OPEN - 1):
        inner = {"a": inner}

    assert None is shown(asked, text)
    assert inner == shown(asked, '{"a": ' * (MAX_OPEN + 1) + '1}, "b": 2')
    assert shown(asked, '{"a": ' * MAX_OPEN + '1, "b": 2') is not None


@dataclass
class Point:
    x: int
    y: int = 0


def test_items_are_told_as_objects() -> None:
    stream = contract(list[Point]).stream(['[{"x": 1}, {"x"', ': "2"}, {"x": 3', "}]"])
    told = [each for part in stream for each in part.closed if len(each.path) < 2]

    assert [Point(1), Point(2), Point(3), [Point(1), Point(2), Point(3)]] == [
        each.result for each in told
    ]
    assert {"x": 1, "y": 0} == told[0].value
    assert [(0,), (1,), (2,), ()] == [each.path for each in told]
    found = contract(deque[Point]).read('[{"x": 1}, {"x', partial=True).closed
    assert Point(1) == found[-1].result


@dataclass
class Track:
    points: list[Point]
    by: dict[str, tuple[list[Point], int]]
    more: list[list[Point]] | None = None


def objects(hint: Any, text: str) -> list[Any]:
    found = contract(hint).read(text, partial=True).closed
    return [each.result for each in found if isinstance(each.result, Point)]


def test_items_of_nested_lists_are_told_as_objects_as_soon_as_they_end() -> None:
    assert [Point(1), Point(2)] == objects(Track, '{"points": [{"x": 1}, {"x": 2}, {"x": 3')
    assert [Point(1)] == objects(Track, '{"by": {"a": [[{"x": 1}, {"x": 2')
    assert [Point(1), Point(2)] == objects(Track, '{"more": [[{"x": 1}], [{"x": 2}, {"x')
    assert [Point(1)] == objects(list[list[Point]], '[[{"x": 1}, {')
    assert [Point(1)] == objects(tuple[deque[Point], int], '[[{"x": 1}, {')
    stream = contract(Track).stream(['{"points": [{"x": 1}', ', {"x": 2', "}"])
    told = [(each.path, each.result) for part in stream for each in part.closed]
    assert (("points", 0), Point(1)) in told
    assert (("points", 1), Point(2)) in told


def test_items_of_a_list_within_a_choice_of_the_hint_are_told_as_data() -> None:
    @dataclass
    class Either:
        points: list[Point] | dict[str, Point]
        lines: list[list[Point]] | dict[str, Point]

    asked = contract(Either)
    items = asked.read('{"points": [{"x": 1}, {', partial=True).closed
    within = asked.read('{"lines": [[{"x": 1}, {', partial=True).closed

    assert Point(1) == items[-1].result
    assert {"x": 1, "y": 0} == within[-1].result


def test_items_of_nested_lists_are_told_as_objects_of_other_libraries_and_recursive_classes() -> (
    None
):
    pydantic = pytest.importorskip("pydantic")

    class Row(pydantic.BaseModel):
        n: int = pydantic.Field(alias="N")

    class Sheet(pydantic.BaseModel):
        rows: list[Row] = pydantic.Field(alias="Rows")

    found = contract(list[Sheet]).read('[{"Rows": [{"N": 1}, {"N', partial=True).closed
    tree = (
        contract(Tree, recursive=True).read('{"kids": [{"kids": [{"kids": []}', partial=True).closed
    )

    assert [Row(N=1)] == [each.result for each in found if isinstance(each.result, Row)]
    assert [Tree([])] == [each.result for each in tree if isinstance(each.result, Tree)]


@dataclass
class Tree:
    kids: list[Tree]


def test_fields_of_an_object_are_told_as_data() -> None:
    part = contract(Point).read('{"x": "1", "y"', partial=True)

    assert {"x": 1} == part.value
    assert [1] == [each.result for each in part.closed]


def test_an_item_that_the_hint_refuses_is_not_shown() -> None:
    @dataclass
    class Even:
        n: int

        def __post_init__(self) -> None:
            if self.n % 2:
                raise ValueError("odd")

    part = contract(list[Even]).read('[{"n": 2}, {"n": 3}, {"n": 4}, ', partial=True)

    assert [{"n": 2}] == part.value


def test_other_names_of_fields_are_read_when_all_are_known() -> None:
    pydantic = pytest.importorskip("pydantic")

    class Row(pydantic.BaseModel):
        size: int = pydantic.Field(alias="Size")
        name: str

    asked = contract(dict[str, Row])
    part = asked.read('{"a": {"name": "x", "Size": 1}, "b": {"Size": 2, "na', partial=True)
    assert asked.read('{"a": {"name": "x", "Size": 1}}').ok
    assert "a" in part.value


STORY = contract('{title :string, body :string?, mood :enum["calm" "wild"], by :string[3..]}')


def test_a_text_is_shown_while_it_arrives_and_marked_as_growing() -> None:
    stream = STORY.stream()
    first = stream.feed('{"title": "On')
    second = stream.feed("ce \\u00")
    third = stream.feed('e9t\\n"')

    assert [{"title": "On"}, {"title": "Once "}, {"title": "Once ét\n"}] == [
        each.value for each in (first, second, third)
    ]
    assert [(("title",),), (("title",),), ()] == [e.growing for e in (first, second, third)]
    assert ["On", "ce ", "ét\n"] == [e.pieces[0].text for e in (first, second, third)]
    assert [("title",)] * 3 == [e.pieces[0].path for e in (first, second, third)]
    assert [(), (), (("title",),)] == [
        tuple(closed.path for closed in each.closed) for each in (first, second, third)
    ]
    copy = pickle.loads(pickle.dumps(second))
    assert (second.value, second.growing, second.pieces) == (copy.value, copy.growing, copy.pieces)


def test_iterating_yields_whenever_a_text_has_grown() -> None:
    pieces = ['{"title": "a', "b", "", 'c", "mood', '": "cal', 'm", "by": "', 'Ann"}']

    assert ["a", "ab", "abc", "abc", "abc", "abc"] == [
        part.value["title"] for part in STORY.stream(pieces)
    ]


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (STORY, '{"mood": "cal'),
        (STORY, '{"by": "Ann'),
        (contract("{a :string[date]}"), '{"a": "2026'),
        (contract("{a :string|:int}"), '{"a": "2026'),
        (contract("{a :keyword}"), '{"a": "x'),
        (contract(":any"), '{"a": "x'),
        (contract("{_a :string}"), '{"_a": "x'),
        (contract("{max_rows :string}"), '{"maxRows": "x'),
        (contract("[[:string, :int]]"), '[["a", 1, "b'),
        (contract("[:string]"), '{"items": "a'),
    ],
)
def test_a_text_that_must_be_whole_is_not_shown_before_it_has_ended(hint: Any, text: str) -> None:
    part = hint.read(text, partial=True)

    assert () == part.growing
    assert () == part.pieces[1:]
    assert "x" not in str(part.value)


def test_secrets_are_not_shown_before_they_have_ended() -> None:
    from pydantic import BaseModel, SecretStr

    class Login(BaseModel):
        name: str
        password: SecretStr
        keys: list[SecretStr] = []

    for text in ('{"name": "a", "password": "hun', '{"name": "a", "keys": ["hun'):
        part = contract(Login).read(text, partial=True)
        assert ({"name": "a"}, ()) == (part.value, part.growing)
        assert "hun" not in str(part.pieces)


def test_a_stream_takes_pieces_and_ends_as_the_whole() -> None:
    stream = REPORT.stream()
    assert None is stream.feed('{"user": {"na').value
    assert {"user": {"name": "Ann"}} == stream.feed('me": "Ann", "age"').value
    assert (("user", "age"), ("tags",), ("level",)) == stream.feed(": 3").missing
    part = stream.feed('}, "tags": ["a", "b"], "level": "low"}')
    assert part.complete
    assert 2 == len([each for each in part.closed if each.path[:1] == ("tags",)]) - 1
    assert repr(stream) == "<stream of 71 characters>"
    outcome = stream.close()

    assert outcome is stream.close()
    assert outcome.value == part.value
    assert stream.text == '{"user": {"name": "Ann", "age": 3}, "tags": ["a", "b"], "level": "low"}'
    assert repr(stream) == "<stream of 71 characters, closed>"


def test_iterating_yields_when_something_has_ended_and_the_whole_last() -> None:
    parts = list(NUMBERS.stream('```\n[1, 2, "3"]\n```'))

    assert [[1], [1, 2], [1, 2, 3], [1, 2, 3], [1, 2, 3]] == [part.value for part in parts]
    assert [False, False, False, True, True] == [part.complete for part in parts]
    assert ["code_fence", "int_from_string"] == sorted(w.rule for w in parts[-1].warnings)


def test_a_value_that_is_judged_as_a_whole_is_shown_when_it_has_ended() -> None:
    for hint in ("#{:int}", "{a :int}|#{:int}", ":not[:string]"):
        stream = contract(hint).stream()
        assert None is stream.feed("[1, 2").value
        part = stream.feed("]")
        assert ([1, 2], True) == (part.value, part.complete)


def test_the_last_part_of_an_unreadable_text_is_not_complete() -> None:
    *_, last = NUMBERS.stream("[1, 2, 3")

    assert not last.complete
    assert [1, 2] == last.value
    assert ["json"] == [error.code for error in last.errors]


def test_what_is_mended_only_as_a_whole_is_told_last() -> None:
    *_, last = RECORD.stream("{'id': 1}", "lenient")

    assert last.complete
    assert {"id": 1} == last.value
    assert [()] == [each.path for each in last.closed]


@pytest.mark.parametrize("mode", ["strict", "enabled", "lenient"])
def test_a_value_that_its_quote_or_its_word_or_a_comma_ends_is_given(mode: Any) -> None:
    names = contract(list[str])

    assert {"bolt": ""} == shown(contract("{bolt :string, n :int}"), '{"bolt": ""', mode)
    assert {"id": 1, "note": "a"} == shown(RECORD, '{"id": 1, "note": "a"', mode)
    assert ["Ida", "Omar"] == shown(names, '["Ida", "Omar",', mode)
    assert ["fig"] == shown(names, '["fig"', mode)
    assert [[1, 2, 3]] == shown(contract(list[list[int]]), "[[1,2,3,", mode)
    assert [1, 3] == shown(NUMBERS, "[1, 3,", mode)
    assert {"ok": True} == shown(contract("{ok :bool}"), '{"ok": true', mode)
    assert {"id": 1} == shown(RECORD, '{"id": 1, "note": ', mode)


def test_a_text_that_goes_on_behind_its_quotes_is_withdrawn_in_lenient() -> None:
    names = contract(list[str])
    stream = names.stream(mode="lenient")

    first = stream.feed('["a", "b ')
    second = stream.feed('"')
    assert (["a", "b "], ["a", "b "], ["a"]) == (
        first.value,
        second.value,
        stream.feed('c" d"').value,
    )
    # What was given stays as it was.
    assert (["a", "b "], ((1,),), ()) == (second.value, first.growing, second.growing)
    assert ["a", 'b "c" d'] == (stream.feed("]"), stream.close().value)[1]
    assert ["a "] == shown(names, '["a ", ', "lenient")
    assert None is shown(names, '["a ", b" c", "d', "lenient")
    assert {"id": 1} == shown(RECORD, '{"id": 1, "note": "a "b" c", ', "lenient")
    assert {"id": 1, "note": "a"} == shown(RECORD, '{"id": 1, "note": "a", "b":', "lenient")


def test_the_errors_of_what_is_withdrawn_are_withdrawn() -> None:
    asked = contract('[:enum["a "b" c" "d"]]'.replace('"a "b" c"', '"a \\"b\\" c"'))
    stream = asked.stream(mode="lenient")

    assert 1 == len(stream.feed('["a "').errors)
    assert () == stream.feed('b" c"').errors
    stream.feed("]")
    assert stream.close().ok
    *_, told = asked.stream(['["d", "a "', "b"], "lenient")
    assert ["d"] == told.value


def test_a_word_that_goes_on_is_withdrawn() -> None:
    stream = contract(":any").stream()

    assert [True] == stream.feed("[true").value
    assert None is stream.feed("ish, ").value
    assert ((0,),) == stream.feed("").missing[:1]
    stream = contract(":any").stream(["[null", ", false", "]"])
    assert [[None], [None, False], [None, False], [None, False]] == [e.value for e in stream]


def test_thoughts_that_end_later_take_back_what_was_shown() -> None:
    stream = NUMBERS.stream()

    assert [9] == stream.feed("Maybe: [9, 8").value
    assert None is stream.feed("]. No.</think>").value
    assert [1] == stream.feed("[1, 2").value


def test_async_pieces() -> None:
    async def pieces() -> AsyncIterator[str | None]:
        for piece in ("[1, ", None, "2, ", "3]"):
            yield piece

    async def values() -> list[Any]:
        return [part.value async for part in NUMBERS.stream(pieces())]

    assert [[1], [1, 2], [1, 2, 3], [1, 2, 3]] == asyncio.run(values())

    async def wrong() -> None:
        async for _ in NUMBERS.stream(["[1]"]):
            pass

    with pytest.raises(TypesigError, match="no asynchronous pieces to iterate over; write for"):
        asyncio.run(wrong())
    with pytest.raises(TypesigError, match="no pieces to iterate over; write async for"):
        list(NUMBERS.stream(pieces()))

    async def none() -> None:
        async for _ in NUMBERS.stream():
            pass

    with pytest.raises(TypesigError, match="no asynchronous pieces to iterate over; call feed"):
        asyncio.run(none())


def test_closing_takes_the_pieces_that_were_not_taken() -> None:
    assert [1, 23] == NUMBERS.stream(["[1, 2", "3]"]).close().result
    stream = NUMBERS.stream(["[1, ", "2]"])
    next(iter(stream))
    # Whoever stops earlier has a text that was cut.
    assert not stream.close().ok

    async def pieces() -> AsyncIterator[str]:
        yield "[1]"

    with pytest.raises(TypesigError, match="write async for"):
        NUMBERS.stream(pieces()).close()


def test_a_text_in_quotes_is_shown_when_it_has_ended() -> None:
    words = contract(":string")

    assert () == words.read('"ab', partial=True).errors
    assert None is words.read('"[1] ab', partial=True).value
    assert "ab" == words.read('"ab"', partial=True).value
    stream = NUMBERS.stream()
    assert None is stream.feed('"Two"? [2, ').value
    assert [1] == stream.feed("</think>[1, 2").value


def test_wrong_use_of_a_stream() -> None:
    stream = NUMBERS.stream()
    with pytest.raises(TypesigError, match="no pieces to iterate over; call feed"):
        list(stream)
    with pytest.raises(TypesigError, match="a piece of a stream is text, not bytes"):
        stream.feed(b"[1]")  # type: ignore[arg-type]
    with pytest.raises(TypesigError, match="the text is not whole before the stream is closed"):
        stream.text  # noqa: B018
    stream.close()
    with pytest.raises(TypesigError, match="the stream is closed"):
        stream.feed("[1]")


def test_a_partial_is_not_an_outcome() -> None:
    part = NUMBERS.read("[1, 2", partial=True)

    with pytest.raises(TypesigError, match=r"write partial\.complete"):
        bool(part)
    with pytest.raises(AttributeError, match="cannot be changed"):
        part.complete = True
    with pytest.raises(AttributeError, match="cannot be changed"):
        del part.complete
    assert not isinstance(part, typesig.Outcome)
    assert not hasattr(part, "ok")
    assert not hasattr(part, "result")


def test_a_partial_stays_as_it_was_and_can_be_pickled() -> None:
    stream = contract("{a [:int], b :int}").stream()
    first = stream.feed('{"a": [1, 2')
    stream.feed('2, 3], "b": 4}')

    assert {"a": [1]} == first.value
    copy = pickle.loads(pickle.dumps(first))
    assert isinstance(copy, Partial)
    assert (first.value, first.missing, first.report()) == (copy.value, copy.missing, copy.report())


def test_errors_beyond_the_limit_are_not_kept() -> None:
    part = NUMBERS.read('["a", "b", "c", "d"', Policy(max_issues=2), partial=True)

    assert 2 == len(part.errors)


def test_modes() -> None:
    assert ["1", 2] == shown(NUMBERS, '["1", 2, ', "disabled")
    assert [1, 2] == shown(NUMBERS, '["1", 2, ')
    assert None is shown(NUMBERS, '["1", 2, ', "strict")
    part = NUMBERS.read('["x", 2, ', "warn_only", partial=True)
    assert (["x", 2], 0, 1) == (part.value, len(part.errors), len(part.warnings))


# The arguments of a call

CALLS: list[Any] = []


@tool
def find(query: str, tags: list[str], limit: int = 10, db: Injected[int] = 3) -> str:
    """Find it."""
    CALLS.append(query)
    return f"{query} {tags} {limit}"


def test_arguments_in_pieces_are_shown_and_nothing_is_called() -> None:
    CALLS.clear()
    stream = find.stream(['{"query": "a b", "ta', None, 'gs": ["x", "y"], "lim', 'it": "12"}'])
    parts = list(stream)

    assert [
        {"query": "a b"},
        {"query": "a b", "tags": ["x", "y"]},
        {"query": "a b", "tags": ["x", "y"], "limit": 12},
        {"query": "a b", "tags": ["x", "y"], "limit": 12},
    ] == [part.value for part in parts]
    assert "input" == parts[0].stage
    assert ("The arguments are not complete:\n- the whole: not ended\n- tags: missing") == parts[
        0
    ].report()
    outcome = stream.close()
    assert {"query": "a b", "tags": ["x", "y"], "limit": 12} == outcome.value
    assert ['limit: coerced string "12" to int'] == [str(w) for w in outcome.warnings]
    assert [] == CALLS
    assert "a b ['x', 'y'] 12" == find.call(stream.text).value
    assert ["a b"] == CALLS


def test_arguments_that_were_cut_are_refused() -> None:
    stream = find.stream(['{"query": "a", "tags": ["x"'])
    *_, last = stream

    assert not last.complete
    assert not stream.close().ok
    assert not find.call(stream.text).ok


@pytest.mark.parametrize(
    "text",
    [
        '{"arguments": {"query": "a", "tags": []}}',
        '"{\\"query\\": \\"a\\", \\"tags\\": []}"',
        '{"Query": "a", "tags": [], "other": 1, "db": 4}',
        "",
        "null",
        '{"query": "a"}',
        "[1]",
    ],
)
@pytest.mark.parametrize("mode", ["enabled", "lenient", "strict", "disabled"])
def test_arguments_in_pieces_end_as_the_whole(text: str, mode: Any) -> None:
    stream = find.stream(list(text), mode)
    *_, last = stream

    assert last.errors == stream.close().errors
    if mode != "disabled":
        called = find.call(text, mode=mode)
        assert called.errors == last.errors
        assert called.warnings == last.warnings


def test_a_toolset_streams_by_name() -> None:
    tools = typesig.tools_of([find], mode="strict")

    stream = tools.stream("find")
    stream.feed('{"query": "a", "tags": [], "limit": "1"}')
    assert not stream.close().ok


def test_a_stream_for_a_tool_that_is_not_there_has_the_outcome_of_the_call() -> None:
    tools = typesig.tools_of([find])
    text = '{"query": "a"}'
    ledger = Ledger()
    stream = tools.stream("fnd", list(text), ledger=ledger)
    last = [*stream][-1]
    called = tools.call("fnd", text)

    assert 'there is no tool "fnd"; did you mean find?' == str(called.errors[0])
    assert called.errors == last.errors == stream.close().errors
    assert text == stream.text
    assert 1 == len(ledger.rows())


def test_a_stream_counts_in_a_ledger_once() -> None:
    ledger = Ledger()
    stream = NUMBERS.stream(list('["1", "2"]'), ledger=ledger)
    list(stream)
    stream.close()
    NUMBERS.read('["1", "2', ledger=ledger, partial=True)
    arguments = find.stream(ledger=ledger)
    arguments.feed('{"query": "a", "tags": "[]"}')
    arguments.close()

    assert 3 == ledger.count("mended", "int_from_string")
    assert 1 == ledger.count(tool="find")
