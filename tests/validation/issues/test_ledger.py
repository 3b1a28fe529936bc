"""Ledgers count what is mended and refused, and never keep a value."""

from __future__ import annotations

import asyncio
import json
import pickle
import threading
from typing import Any

import pytest

import typesig
from typesig import Issue, Ledger, TypesigError, contract, tool, tools_of
from typesig.limits import MAX_LEDGER, MAX_LEDGER_NAME, MAX_PATH


@tool
def book(room: str, seats: int, days: list[str] | None = None) -> str:
    """Book a room."""
    return room


@tool
async def later(seats: int) -> int:
    """Return the seats."""
    return seats


def rows(ledger: Ledger) -> set[tuple[Any, ...]]:
    return set(ledger.rows())


def test_calls_count_what_was_mended_and_refused() -> None:
    ledger = Ledger()
    book.call({"Room": "Birch", "seats": "4", "days": '["Mo"]'}, ledger=ledger)
    book.call({"room": "Birch", "seats": "4", "zz": 1}, ledger=ledger)
    book.call({"seats": "many"}, ledger=ledger)
    tools_of([book]).call("book", '```\n{"room": "a", "seats": 1}\n```', ledger=ledger)
    tools_of([book]).call("bok", {}, ledger=ledger)

    assert rows(ledger) == {
        ("mended", "int_from_string", "book", "seats", 2),
        ("mended", "key_ignoring_case", "book", "room", 1),
        ("mended", "data_from_string", "book", "days", 1),
        ("mended", "extras", "book", "*", 1),
        ("mended", "code_fence", "book", "", 1),
        ("refused", "type", "book", "seats", 1),
        ("refused", "missing", "book", "room", 1),
        ("refused", "call", "", "", 1),
    }
    assert ("mended", "int_from_string", "book", "seats", 2) == ledger.rows()[0]
    assert 6 == ledger.count("mended")
    assert 2 == ledger.count(id="int_from_string")
    assert 8 == ledger.count(tool="book")
    assert 0 == ledger.count("let_through")


def test_calls_that_are_awaited_count() -> None:
    ledger = Ledger()
    asyncio.run(later.acall({"seats": "4"}, ledger=ledger))
    asyncio.run(tools_of([later]).acall("later", {"seats": "4"}, ledger=ledger))
    asyncio.run(tools_of([later]).acall("latr", {"seats": "4"}, ledger=ledger))

    assert {
        ("mended", "int_from_string", "later", "seats", 2), ("refused", "call", "", "", 1)
    } == rows(ledger)  # fmt: skip


def test_checks_and_answers_count() -> None:
    ledger = Ledger()
    sig = typesig.parse("(n :int, max_rows? :int) -> [{id :int}]")
    sig.validate_input({"n": "1"}, ledger=ledger)
    sig.validate_input(3, ledger=ledger)
    sig.validate_input({"n": "x"}, "disabled", ledger=ledger)
    sig.validate_and_coerce([{"id": "1"}, {"id": "2"}], ledger=ledger)
    contract("[{id :int}]").read('[{"id": "x"}]', ledger=ledger)
    contract("[{id :int}]").read('[{"id": "x"}]', "warn_only", ledger=ledger)
    sig.validate_input({"n": 1, "max_rows": 1, "maxRows": 2}, ledger=ledger)

    assert rows(ledger) == {
        ("mended", "int_from_string", "", "n", 1),
        ("refused", "type", "", "", 1),
        ("mended", "int_from_string", "", "[*].id", 2),
        ("refused", "type", "", "[*].id", 1),
        ("let_through", "type", "", "[*].id", 1),
        ("let_through", "kept", "", "*", 1),
    }


def test_asking_counts_each_answer() -> None:
    ledger = Ledger()
    answers = iter(["one", '["x"]', '["1"]'])
    contract(list[int]).ask(lambda _: next(answers), "Ask.", ledger=ledger)
    again = iter(["one", '["1"]'])
    asyncio.run(contract(list[int]).aask(lambda _: next(again), "Ask.", ledger=ledger))

    assert rows(ledger) == {
        ("refused", "json", "", "", 2),
        ("refused", "type", "", "[*]", 1),
        ("mended", "int_from_string", "", "[*]", 2),
    }


def test_no_value_no_key_of_data_and_nothing_hidden_is_kept() -> None:
    ledger = Ledger()
    sig = typesig.parse("(m :map[:string {n :int, _key :int}], _token :string) -> :any")
    sent = {"m": {"hunter2": {"n": "hunter3", "_key": "hunter4"}}, "hunter5": 1, "_token": 5}
    sig.validate_input(sent, ledger=ledger)
    sig.validate_input(sent, typesig.Policy().for_call(), ledger=ledger)
    text = json.dumps(ledger.to_json())

    assert "hunter" not in text
    assert "_key" not in text
    assert "_token" not in text
    assert ("refused", "type", "", "m.*.n", 2) in rows(ledger)
    assert ("refused", "type", "", "m.*.<Firewalled>", 1) in rows(ledger)
    assert ("refused", "type", "", "<Firewalled>", 1) in rows(ledger)


def test_names_and_paths_are_cut() -> None:
    ledger = Ledger()
    sig = typesig.parse('{"a b" :int, a :int}')
    ledger.note([Issue("type", ("a b", 0, "a"))], (), sig, "t" * 500)
    ledger.note([Issue("type", (0,) * 50)], (), sig)

    paths = {row.path: row for row in ledger.rows()}
    assert MAX_LEDGER_NAME == len(paths['["a b"][*].a'].tool)
    assert "[*]" * MAX_PATH + "…" in paths


def test_the_number_of_rows_is_bounded() -> None:
    ledger = Ledger()
    sig = typesig.parse(":int")
    for n in range(MAX_LEDGER + 5):
        ledger.note([Issue("type")], (), sig, f"t{n}")
    ledger.note([Issue("type")], (), sig, "t0")

    assert MAX_LEDGER == len(ledger)
    assert 5 == ledger.beyond
    assert 2 == ledger.count(tool="t0")
    assert "beyond" in ledger.to_json()


def test_ledgers_merge() -> None:
    one, other = Ledger(), Ledger()
    book.call({"seats": "4"}, ledger=one)
    book.call({"seats": "4"}, ledger=other)
    one.merge(other)
    one.merge(one)

    assert ("mended", "int_from_string", "book", "seats", 4) in rows(one)
    assert ("mended", "int_from_string", "book", "seats", 1) in rows(other)
    with pytest.raises(TypesigError, match="a ledger merges with a ledger, not dict"):
        one.merge({})  # type: ignore[arg-type]


def test_a_ledger_is_read_from_its_json_form() -> None:
    ledger = Ledger()
    book.call({"seats": "4"}, ledger=ledger)
    again = Ledger.from_json(json.loads(json.dumps(ledger.to_json())))

    assert ledger.rows() == again.rows() == pickle.loads(pickle.dumps(ledger)).rows()
    assert "<ledger of 2 rows: 1 mended, 1 refused, 0 let through>" == repr(again)
    assert bool(Ledger())


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "the JSON form of a ledger is"),
        ({}, "the JSON form of a ledger is"),
        ({"rows": [["refused"]]}, "a row of a ledger is"),
        ({"rows": ["a"]}, "a row of a ledger is"),
        ({"rows": [["lost", "a", "b", "c", 1]]}, "a row of a ledger is"),
        ({"rows": [["refused", 1, "b", "c", 1]]}, "a row of a ledger is"),
        ({"rows": [["refused", "a", "b", "c", 0]]}, "an int of at least 1, not 0"),
        ({"rows": [], "beyond": "a"}, "an int of at least 0"),
    ],
)
def test_other_data_is_no_ledger(data: object, message: str) -> None:
    with pytest.raises(TypesigError, match=message):
        Ledger.from_json(data)


@pytest.mark.needs_process
def test_threads_share_a_ledger() -> None:
    ledger = Ledger()

    def work() -> None:
        for _ in range(50):
            book.call({"room": "a", "seats": "4"}, ledger=ledger)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert 200 == ledger.count()


def test_something_else_is_no_ledger() -> None:
    with pytest.raises(TypesigError, match=r"ledger takes a typesig\.Ledger, not list"):
        book.call({"seats": "4"}, ledger=[])  # type: ignore[arg-type]
