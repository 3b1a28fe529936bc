"""The rooms of generated code can be switched off as a whole."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

import typesig
from tests.generated_off import switch_off, switch_to_check
from typesig import tool
from typesig.codegen import Constants


@dataclass
class Part:
    n_off: int
    note: str = ""


def uses() -> list[Any]:
    """Return what many checks, calls and readings make, each often enough for code of its own."""
    signature = typesig.parse("(off_a :int) -> {off_b [:int]}")
    contract = typesig.contract(Part)

    def add(off_c: int) -> Part:
        return Part(off_c)

    add.__doc__ = "Add."
    made = tool(add)
    out: list[Any] = []
    for number in range(20):
        sent = {"off_a": number if number % 2 else f"{number}"}
        out.append(signature.validate_input(sent).result)
        out.append(signature.validate_output({"off_b": [number, "x"]}).report())
        out.append(signature.accepts({"off_b": [number] * 1_000}))
        out.append(contract.read({"n_off": number}).result)
        out.append(made.call({"off_c": number}).value)
    return out


@pytest.mark.parametrize("switch", [switch_off, switch_to_check], ids=["closures", "careful"])
def test_all_is_the_same_where_generated_code_is_switched_off(
    switch: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: Any) -> Any:
        raise AssertionError("source was generated")

    with monkeypatch.context() as patch:
        switch(patch)
        patch.setattr(Constants, "compile_function", refused)
        without = uses()

    assert without == uses()


@pytest.mark.generated
def test_code_is_generated_where_it_is_not_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    function = Constants.compile_function

    def counted(self: Constants, source: str, name: str) -> Any:
        made.append(name)
        return function(self, source, name)

    monkeypatch.setattr(Constants, "compile_function", counted)
    typesig.contract("{off_d [:int]}").signature.accepts({"off_d": [1] * 1_000})

    assert made


def lists() -> list[Any]:
    """Return what is read of long lists, and what is written of them."""
    out: list[Any] = []
    day, parts = datetime(2026, 1, 31, tzinfo=UTC), [Part(n, "x") for n in range(30)]
    values = {
        list[Part]: [parts, [*parts, None], parts],
        list[UUID]: [[UUID(int=n) for n in range(30)]] * 3,
        list[datetime]: [[day] * 30, [day] * 30, [day.replace(tzinfo=None)] * 30],
        list[int]: [[*range(30)], ["x"] * 30, [1]],
        dict[str, int | None]: [{f"{n}": n for n in range(30)}, {"a": None}, {1: 1}],
    }
    for hint, given in values.items():
        held: list[Any] = []

        def give() -> Any:
            return held[-1]  # noqa: B023

        async def agive() -> Any:
            return held[-1]  # noqa: B023

        for function in (give, agive):
            function.__annotations__["return"] = hint
            function.__doc__ = "Give."
        made, awaited, read = tool(give), tool(agive), typesig.contract(hint)
        for returned in given * 3:
            held.append(returned)
            outcome = made.call({})
            out += [outcome.text(), asyncio.run(awaited.acall({})).text()]
            known = read.read(outcome.text())
            out += [outcome.report(), known.report(), repr(known.result) if known.ok else ""]
    return out


def test_lists_are_the_same_by_closures(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        switch_off(patch)
        without = lists()

    assert without == lists()
