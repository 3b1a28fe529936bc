"""The examples run, and print what they promise."""

from __future__ import annotations

import importlib

import pytest

EXPECTED = {
    "shop": 'limit :int[1..50] = 10 "maximum number',
    "explicit": "{'high': 43, 'low': 35}",
    "inferred": 'metadata {"order-id"? :string, "order_id"? :string, "_note"? :string}',
    "repair": "after 3 attempts\n[Finding(line=12, severity='high', text='divides by zero')]",
    "streaming": "Finding(line=40, severity='low', text='unused name')\n{'room': 'Birch'}",
    "openai_loop": "Elm is yours on 30 June.\n--- call_1\n",
    "anthropic_loop": '--- toolu_2 failed\nTool validation errors:\n{\n  "room": "Elm",\n',
    "gemini_loop": "{'output': 'Elm is booked for Wednesday, 2027-06-30'}",
    "openapi_shop": "remove_book {'id': 3}\n  DELETE https://books.example/books/3\nTool errors:\n",
    "served": '{"Budget 2027":10.45,"Budget 2028":13.2}',
    "transcript": 'model    book({"room": "Elm", "date": "30 June"})\n',
    "answer": "[Finding(line=12, severity='high', text='divides by zero')]",
}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_an_example_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    importlib.import_module(f"examples.{name}").demo()
    printed = capsys.readouterr().out

    assert EXPECTED[name] in printed
    assert "_supplier" not in printed


def test_the_types_of_answers_accept_the_answers() -> None:
    from examples import inferred

    assert inferred.ISSUES.accepts(inferred.answer("issues.json"))
    assert inferred.FORECAST.accepts(inferred.answer("forecast.json"))
    assert all(map(inferred.CHARGES.accepts, inferred.rows("charges.jsonl")))


def test_the_shop_decodes_and_checks_what_a_model_sends() -> None:
    import typesig
    from examples import shop

    store = shop.Store([{"id": 7, "title": "Budget 2027", "price": 9.5, "_supplier": "acme"}])
    tools = typesig.tools_of(shop)
    given = {"store": store}
    placed = tools.call("place_order", {"lines": [{"item": 7}], "tags": ["a"]}, given=given)

    assert shop.Order(1, [shop.Line(7, 1)], placed.result.placed, tags={"a"}) == placed.result
    assert "acme" == tools.call("search", {"query": "bud"}, given=given).value[0]["_supplier"]
    found = tools.call("orders", {"status": "open", "since": "2027-01-01T00:00:00Z"}, given=given)
    assert [1] == [order["id"] for order in found.value]
    assert tools.call("cancel", {"order": 1}, given=given).value["status"] == "cancelled"
