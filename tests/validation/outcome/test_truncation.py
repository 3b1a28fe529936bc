"""What a model reads of a result: as JSON, as a table, and within a budget."""

from __future__ import annotations

import copy
import json
import pickle
from decimal import Decimal
from typing import Any, TypedDict

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW, conforming, fields
from tests.validation.repair.test_repair_laws import KEYS, TEXTS, VALUES
from tests.validation.stream.test_incremental_reader_laws import check, cut
from typesig import Signature, contract
from typesig.algebra.constructors import make_field
from typesig.algebra.nodes import ANY, List, Record
from typesig.errors import TooLarge, TypesigError
from typesig.limits import MAX_COLUMNS, MAX_TABLE_HEAD
from typesig.validation.outcome.truncation import make_result_writer
from typesig.validation.policy import Policy
from typesig.validation.tables import Tables, convert_table_to_json, make_table


def text_within(data: Any, style: str, budget: int | None, count: Any) -> str:
    return make_result_writer(style, budget, count).write_text(data)


ROWS = st.lists(st.dictionaries(KEYS, VALUES, min_size=1, max_size=4), min_size=1, max_size=5)


class Priced(TypedDict):
    price: Decimal


ISSUES = contract("[{id :int, title :string, tags [:string], note :string?}]")


@LAW
@given(ROWS)
def test_a_table_reads_back_as_its_rows(rows: list[dict[str, Any]]) -> None:
    table = make_table(rows)
    assert table is not None

    read = convert_table_to_json(table, Tables(frozenset(key for row in rows for key in row), {}))

    assert read is not None
    # A row has its keys in the order of the columns.
    assert [json.dumps(row, sort_keys=True) for row in rows] == [
        json.dumps(row, sort_keys=True) for row in json.loads(read)
    ]


@LAW
@given(st.data())
def test_a_contract_reads_a_table_as_it_reads_the_json(data: st.DataObject) -> None:
    record = Record(data.draw(fields((), 1)))
    answer = contract(Signature([], List(record)))
    rows = data.draw(st.lists(conforming(record, {}), min_size=1, max_size=4))
    outcome = answer.signature.validate_output(rows)
    assume(outcome.ok)
    try:
        table = outcome.text("table")
    except TypesigError:
        assume(False)  # JSON has no form for a key of a map
    assume(Tables(frozenset(f.name for f in record.fields), {}).begins_with(table.split("\n")[0]))

    whole, read = answer.read(outcome.text()), answer.read(table)

    assert whole.ok == read.ok
    if whole.ok:
        assert json.dumps(whole.value, sort_keys=True) == json.dumps(read.value, sort_keys=True)


@LAW
@given(ROWS, st.dictionaries(KEYS, VALUES, max_size=3), KEYS)
def test_a_table_in_an_object_reads_back(
    rows: list[dict[str, Any]], others: dict[str, Any], key: str
) -> None:
    whole = others | {key: rows}
    longest = max((value for value in whole.values() if isinstance(value, list)), key=len)
    assume(longest is rows)
    table = make_table(whole)
    assert table is not None

    read = convert_table_to_json(
        table, Tables(frozenset(), {key: frozenset(k for row in rows for k in row)})
    )

    assert read is not None
    assert json.dumps(whole, sort_keys=True) == json.dumps(json.loads(read), sort_keys=True)


@LAW
@given(st.one_of(ROWS, VALUES))
def test_auto_is_the_shorter_of_both(data: Any) -> None:
    auto = text_within(data, "auto", None, len)

    assert len(auto) == min(len(text_within(data, style, None, len)) for style in ("json", "table"))


@LAW
@given(ROWS, st.data())
def test_a_table_that_arrives_in_pieces_is_read_as_the_whole(
    rows: list[dict[str, Any]], data: st.DataObject
) -> None:
    keys = sorted({key for row in rows for key in row})
    items = List(Record([make_field(k, ANY, required=False, exact=True) for k in keys]))
    whole = Record([make_field("items", items), make_field("n", ANY, required=False)])
    is_alone = data.draw(st.booleans())
    answer = contract(Signature([], items if is_alone else whole))
    made = make_table(rows if is_alone else {"items": rows, "n": {"a": "x"}})
    text = data.draw(st.sampled_from(["", "\r\n"])) + str(made)

    check(answer, text, data.draw(cut(text)), "enabled")


@LAW
@given(st.one_of(ROWS, VALUES, st.lists(TEXTS, max_size=50)), st.integers(60, 600))
def test_a_text_within_a_budget_is_whole_or_says_what_is_left_out(data: Any, budget: int) -> None:
    whole = text_within(data, "json", None, len)

    text = text_within(data, "json", budget, len)

    assert len(text) <= budget
    if text == whole:
        assert len(whole) <= budget
    else:
        *shown, told = text.split("\n")
        assert told.startswith("[not shown: ")
        assert told.endswith("]")
        assert not shown or json.loads(shown[0]) != data


@pytest.mark.parametrize(
    ("data", "table"),
    [
        ([{"a": 1}], "a\n1"),
        ([{"a": "x"}, {"b": None}], "a,b\nx,\n,null"),
        ([{"a": "1"}, {"a": "null"}, {"a": "1.5e3"}, {"a": "01"}], 'a\n"1"\n"null"\n"1.5e3"\n01'),
        ([{"a": ""}, {"a": " x"}, {"a": "x "}], 'a\n""\n" x"\n"x "'),
        ([{"a": "x,y"}, {"a": '"x"'}, {"a": 'say "x"'}], 'a\n"x,y"\n"\\"x\\""\nsay "x"'),
        ([{"a": "[1]"}, {"a": "{}"}, {"a": "x\ny"}], 'a\n"[1]"\n"{}"\n"x\\ny"'),
        ([{"a": [1, "x,y"], "b": {"c": "}"}}], 'a,b\n[1,"x,y"],{"c":"}"}'),
        ([{"a b": 1, "true": 2, "x,y": 3}], 'a b,"true","x,y"\n1,2,3'),
        ([{"a": "\ud800"}], 'a\n"\\ud800"'),
        ({"items": [{"a": 1}]}, "items\na\n1\n{}"),
        ({"x,y": [{"a": {}}], "b": [1], "c": "d"}, '"x,y"\na\n{}\n{"b":[1],"c":"d"}'),
        ({"b": [{"a": 1}], "c": [{"a": 2}, {"a": 3}]}, 'c\na\n2\n3\n{"b":[{"a":1}]}'),
    ],
)
def test_a_text_has_quotes_where_it_would_be_something_else(data: Any, table: str) -> None:
    assert table == make_table(data)


@pytest.mark.parametrize(
    "data",
    [
        [], {}, {"a": []}, {"a": [1], "b": 2}, {"a": [1, 2], "b": [{"c": 3}]}, [1], [{}], [{"a": 1}, {}], [{"a": 1}, 2], "a", None,
        [{f"c{n}": n for n in range(MAX_COLUMNS + 1)}],
        [{f"c{n}": n} for n in range(MAX_COLUMNS + 1)],
        [{"k" * MAX_TABLE_HEAD: 1}],
    ],
)  # fmt: skip
def test_what_is_no_list_of_objects_is_json(data: Any) -> None:
    assert make_table(data) is None
    assert json.dumps(data, separators=(",", ":")) == text_within(data, "table", None, len)


@pytest.mark.parametrize(
    "text",
    [
        "id,title,tags", "id\n1,2,3", "id,titel\n1,x", "id,id\n1,2", "id,\n1,", "id,title\n1", "id,title\n1,x,y",
        'id,"title\n1,x', 'id,title\n1,"x', "id,tags\n1,[", 'id,title\n1,"x"y', "true\n1",
        'id,"\\x"\n1,x', "id\n" + "x" * MAX_TABLE_HEAD + ",", "k" * (MAX_TABLE_HEAD + 1) + "\n1",
        "items", "items\nid", "items\nid\n1", "items\nid\n1\n2", "items\nid\n{}", "items\nx\n1\n{}",
        "items,items\nid\n1\n{}", "items\nid\n1\n[]", "items\n{}", "items\nid\n1\n{",
    ],
)  # fmt: skip
def test_what_is_no_table_of_the_declared_keys_is_not_read(text: str) -> None:
    keys = frozenset({"id", "title", "tags", "k" * (MAX_TABLE_HEAD + 1)})

    assert convert_table_to_json(text, Tables(keys, {"items": keys})) is None


def test_a_table_that_would_be_too_large_as_json_is_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("typesig.validation.tables.MAX_JSON", 40)

    tables = Tables(frozenset({"id"}), {})

    assert convert_table_to_json("id\n1\n2\n3", tables) is not None
    assert convert_table_to_json("id\n1\n2\n3\n4\n5", tables) is None


def test_a_table_is_read_with_a_warning_and_its_cells_are_mended() -> None:
    outcome = ISSUES.read('\r\nid,title,tags,note\r\n"1",Buy milk,["a"],\r\n2,3,[],x, \r\n')
    assert not outcome.ok

    outcome = ISSUES.read('\r\nid,title,tags,note\r\n"1",Buy milk,["a"],\r\n2,"3",[],x\r\n')

    assert [
        {"id": 1, "title": "Buy milk", "tags": ["a"]},
        {"id": 2, "title": "3", "tags": [], "note": "x"},
    ] == outcome.value
    assert ["read a table (line 1 column 1)", '[0].id: coerced string "1" to int'] == [
        str(warning) for warning in outcome.warnings
    ]


def test_what_is_wrong_in_a_table_is_told_at_its_row() -> None:
    outcome = ISSUES.read("id,title,tags\none,x,[]")

    assert ['[0].id: expected int, got string "one"'] == [str(each) for each in outcome.errors]


@pytest.mark.parametrize(
    ("cell", "error"),
    [
        ("[NaN]", "the answer is not valid JSON: NaN is not a JSON number"),
        ('[{"a":1,"a":2}]', 'the answer is not valid JSON: the key "a" occurs twice'),
        ("1e999", "the answer is not readable: the number 1e999 is too large"),
    ],
)
def test_a_cell_is_read_as_json_is(cell: str, error: str) -> None:
    outcome = contract("[{id :int, tags :any}]").read(f"id,tags\n1,{cell}")

    assert error in str(outcome.errors[0])


def test_a_policy_may_refuse_tables() -> None:
    outcome = ISSUES.read("id,title,tags\n1,x,[]", Policy().off("table"))

    assert "a table at line 1 column 1; send JSON text" in str(outcome.errors[0])


def test_a_number_in_a_table_keeps_its_digits() -> None:
    outcome = contract(list[Priced]).read("price\n12345678901234567.89")

    assert [{"price": Decimal("12345678901234567.89")}] == outcome.result


_MANY = [{"id": n, "title": f"Item {n}"} for n in range(100)]


@pytest.mark.parametrize(
    ("data", "style", "budget", "text"),
    [
        (_MANY, "table", 60, "id,title\n0,Item 0\n1,Item 1\n[not shown: 98 of 100 items]"),
        (_MANY, "auto", 60, "id,title\n0,Item 0\n1,Item 1\n[not shown: 98 of 100 items]"),
        (_MANY, "json", 60, '[{"id":0,"title":"Item 0"}]\n[not shown: 99 of 100 items]'),
        ({"n": 9, "items": _MANY}, "json", 85,
         '{"n":9,"items":[{"id":0,"title":"Item 0"}]}\n[not shown: 99 of 100 items of items]'),
        ("x" * 1000, "json", 60, f'"{"x" * 21}…"\n[not shown: 979 of 1000 characters]'),
        ({"a": "x" * 400, "b": "y"}, "json", 300,
         f'{{"a":"{"x" * 243}…","b":"y"}}\n[not shown: 157 of 400 characters of a]'),
        ([list(range(90)) for _ in range(9)], "json", 100,
         "[[0,1],[0,1]]\n[not shown: 7 of 9 items, 88 of 90 items of [0], 88 of 90 items of [1]]"),
        ({str(n): n for n in range(900)}, "json", 50, '{"0":0,"1":1}\n[not shown: 898 of 900 entries]'),
        ({"x" * 99: 1}, "json", 70,
         "[not shown: the whole, of size 105; at most 70 are shown]"),
        (dict.fromkeys("abcd", "x" * 999), "json", 170,
         '{"a":"xxxx…","b":"xxxx…","c":"xxxx…","d":"xxxx…"}\n[not shown: 995 of 999 characters of a, '
         "995 of 999 characters of b, 995 of 999 characters of c, parts at 1 other place]"),
        (dict.fromkeys("abcd", "x" * 999), "json", 80,
         '{"a":"xxxxxxxxxxxxxxx…"}\n[not shown: 3 of 4 entries, 984 of 999 characters of a]'),
    ],
)  # fmt: skip
def test_rows_are_left_out_first_and_then_the_ends_of_texts(
    data: Any, style: Any, budget: int, text: str
) -> None:
    assert len(text) <= budget
    assert text == text_within(data, style, budget, len)


def test_a_budget_is_in_the_unit_of_the_counter() -> None:
    outcome = contract("[:int]").read(list(range(100)))

    text = outcome.text(budget=8, counter=lambda text: len(text.replace(",", " ").split()))

    assert "[0,1]\n[not shown: 98 of 100 items]" == text


def test_little_is_written_however_long_the_value_is() -> None:
    written: list[int] = []

    def count(text: str) -> int:
        written.append(len(text))
        return len(text)

    text_within([{"id": n} for n in range(100_000)], "json", 1_000, count)

    assert sum(written[1:]) < 20_000


def test_firewalled_fields_are_in_no_table() -> None:
    outcome = typesig.parse("[{id :int, _key :string}]").validate_output([{"id": 1, "_key": "s3"}])

    assert "id\n1" == outcome.text("table")
    assert ISSUES.read("_key\n1").ok is False


def test_feedback_is_not_cut() -> None:
    outcome = ISSUES.read([{"id": "x"}])

    assert outcome.feedback() == outcome.text("table", budget=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"style": "yaml"}, "no style 'yaml'; there are json, table, auto"),
        ({"budget": 0}, "a budget is a whole number above 0, not 0"),
        ({"budget": True}, "a budget is a whole number above 0, not True"),
        ({"budget": 5, "counter": 3},
         "a counter is a function such as lambda text: len(encoding.encode(text)), not int"),
        ({"budget": 5}, "a budget of 5 is too small to tell that the result is left out"),
    ],
)  # fmt: skip
def test_options_of_a_text_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(TypesigError) as raised:
        contract("[:int]").read([1] * 20).text(**options)

    assert message == str(raised.value)
    assert isinstance(raised.value, TooLarge) == ("too small" in message)


def test_an_outcome_has_the_same_words_when_it_is_copied() -> None:
    outcome = ISSUES.read([{"id": "x"}])

    for copied in (copy.copy(outcome), copy.deepcopy(outcome), pickle.loads(pickle.dumps(outcome))):
        assert outcome.feedback() == copied.feedback()


@pytest.mark.parametrize(
    ("line", "may"),
    [
        ("", True), ("i", True), ("id", True), ("id,", True), ("id,ti", True), ("id,x", False),
        ("ids,", False), (",id", False), ('"', True), ('"a', True), ('"a"', False), ('"id"', True),
        ("[", False), ("{", False), ("id,[", True), ("[1]", False), ("Here it is:", False),
        ("id," * MAX_TABLE_HEAD, False), ('"\\x"', False), ("4", True), ("5", False),
    ],
)  # fmt: skip
def test_only_what_may_be_a_table_is_held_back(line: str, may: bool) -> None:
    tables = Tables(frozenset({"id", "title"}), {"4 a": frozenset({"x"})})

    assert may == tables.may_begin(line)


def test_json_is_shown_while_it_arrives_where_a_table_could_be_meant() -> None:
    stream = ISSUES.stream()

    assert [{"id": 1}] == stream.feed('[{"id": 1,').value
    assert ISSUES.stream().feed('Here it is: [{"id": 1,').value == [{"id": 1}]
