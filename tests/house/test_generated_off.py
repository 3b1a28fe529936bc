"""The rooms of generated code can be switched off as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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
