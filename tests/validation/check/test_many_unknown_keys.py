"""Of many undeclared keys, those that a declared name may be like are told as of few."""

from __future__ import annotations

import pytest

import typesig
from typesig.validation.keys import KeyPlan


@typesig.tool
def search(_max_rows: int = 1, limit: int = 1, unit: str = "", x: int = 1) -> int:
    """Search."""
    return 1


#: Keys that are like a name, and others.
KEYS = [
    "limt", "Limit", "LIMITS", "max_rows", "_maxRow", "-max-row", "unit", "units", "y", "X", "", "_",
    "-", " ", "\n", "a\nb", "lim\nit", "timil", "ü", "ß", "li", "limitlimit", "maxrows", "__max_rows",
]  # fmt: skip


@pytest.mark.parametrize("mode", ["enabled", "strict", "lenient", "warn_only"])
@pytest.mark.parametrize("given", [{}, {"limit": 1, "unit": None}, {"_max_rows": 1, "x": 1}])
def test_a_key_is_told_alike_among_many(
    mode: typesig.ModeName, given: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    many = {f"key{n}": n for n in range(30)}
    for keys in ([*KEYS], *[[key] for key in KEYS]):
        data = {**given, **many, **dict.fromkeys(keys, 1)}
        found = search.call(data, mode=mode)
        with monkeypatch.context() as patch:
            patch.setattr(KeyPlan, "select_likely", lambda _self, all_keys, _sent: all_keys)
            known = search.call(dict(data), mode=mode)

        assert (found.errors, found.warnings) == (known.errors, known.warnings)


def test_a_key_that_is_not_likely_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []

    def suggest(_self: KeyPlan, key: str, *_: object) -> str:
        compared.append(key)
        return ""

    monkeypatch.setattr(KeyPlan, "suggest_absent_name", suggest)
    keys = ["limt", "abcdefghijklmnopq", "zzzzz"]
    search.call({**{f"{n}": n for n in range(30)}, **dict.fromkeys(keys, 1)})

    assert compared == ["limt"]


def test_the_first_unknown_argument_ends_a_quick_call() -> None:
    def add(first: int, second: int = 1) -> int:
        return first + second

    made = typesig.tool(add)
    data = {"first": 1, **{f"key{n}": n for n in range(50)}}

    assert [made.call(data).value for _ in range(3)] == [2] * 3
    assert len(made.call(data).warnings) == 50
    assert made.call({"FIRST": 1, "second": 2}).value == 3
