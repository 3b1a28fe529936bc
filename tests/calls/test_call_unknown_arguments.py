"""Arguments that no parameter declares: misspelt ones are refused, others are dropped and told."""

from __future__ import annotations

import asyncio
import json
import pickle
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW
from typesig import Injected, Outcome, Policy, ToolError, contract, tool, tools_of
from typesig.contracts.rehearsals.rehearsal import call_of
from typesig.errors import TooLarge
from typesig.limits import MAX_NEAR, MAX_REPORT
from typesig.validation.issues import suggestions
from typesig.validation.issues.ledger import Ledger

NOTICE = "Warnings about this call: "
RUNNING = [
    "enabled",
    "lenient",
    "warn_only",
    "json",
    "disabled",
    Policy(on_issue="warn", extras="reject"),
]


class Filter(TypedDict):
    column: str
    operator: NotRequired[str]


@dataclass
class Page:
    size: int = 10
    after: str = ""


@tool
def delete_rows(table: str, where: str | None = None) -> str:
    """Delete rows."""
    return f"{table} {where}"


@tool
def find(filter: Filter, pages: list[Page] = [], **others: int) -> int:  # noqa: B006
    """Find rows."""
    return len(pages) + len(others)


@tool
def select(filter: Filter, page: Page | None = None, filters: list[Filter] = []) -> list[str]:  # noqa: B006
    """Select rows."""
    return [*filter]


def lines(issues: Any) -> list[str]:
    return [str(issue) for issue in issues]


# misspelt arguments


@pytest.mark.parametrize("mode", [*RUNNING, "strict"], ids=str)
@pytest.mark.parametrize("key", ["wher", "whre", "wheer", "Wher", "where_", "whereas"])
def test_a_misspelling_of_an_absent_argument_is_refused_in_every_mode(mode: Any, key: str) -> None:
    if (key == "where_" and mode in ("enabled", "lenient", "warn_only")) or (
        mode == RUNNING[-1] and key == "where_"
    ):
        assert delete_rows.call({"table": "a", key: "b"}, mode=mode).value == "a b"
        return
    for call in (delete_rows.call, lambda *a, **k: asyncio.run(delete_rows.acall(*a, **k))):
        out = call({"table": "a", key: "b"}, mode=mode)

        assert [f"{key}: unexpected key (did you mean where?)"] == lines(out.errors)
        assert f'"{key}": "b"  // unexpected key (did you mean where?)' in out.feedback()


@pytest.mark.parametrize("mode", RUNNING, ids=str)
def test_null_for_an_argument_counts_as_not_sent(mode: Any) -> None:
    assert not delete_rows.call({"table": "a", "where": None, "wher": "b"}, mode=mode).ok
    assert delete_rows.call({"table": "a", "where": "b", "wher": "c"}, mode=mode).value == "a b"


@pytest.mark.parametrize("mode", RUNNING, ids=str)
@pytest.mark.parametrize("key", ["verbose", "dry_run", "other", "x", "W" * 200])
def test_any_other_argument_is_dropped_with_a_warning_that_the_model_reads(
    mode: Any, key: str
) -> None:
    for _ in range(4):
        # The first calls of a tool take the long way.
        out = delete_rows.call({"table": "a", key: 1}, mode=mode)

        assert "a None" == out.value == out.result == out.for_model()
        assert [key] == [issue.path[0] for issue in out.warnings]
        assert {"dropped"} == {issue.code for issue in out.warnings}
        assert out.text().startswith(f'"a None"\n{NOTICE}')
        assert key[:20] in out.notice
        assert out.text() == f'"a None"\n{out.notice}'


@pytest.mark.parametrize("mode", ["enabled", "lenient", "warn_only", "strict"])
@pytest.mark.parametrize(
    ("sent", "path"),
    [
        ({"filter": {"column": "a", "operatr": "<"}}, "filter.operatr"),
        (
            {"filter": {"column": "a"}, "filters": [{"column": "a", "opertor": "<"}]},
            "filters[0].opertor",
        ),
        ({"filter": {"column": "a"}, "page": {"sizes": 3}}, "page.sizes"),
        ({"filter": {"column": "a"}, "page": '{"siz": 3}'}, "page.siz"),
    ],
)
def test_keys_of_records_have_the_same_rule(mode: str, sent: Any, path: str) -> None:
    for _ in range(4):
        out = select.call(sent, mode=mode)

        assert not out.ok
        if mode != "strict" or "page" not in sent:
            assert [path] == [line.partition(":")[0] for line in lines(out.errors)]


def test_other_keys_of_records_are_dropped_and_told() -> None:
    for _ in range(4):
        out = select.call(
            {"filter": {"column": "a", "note": 1}, "filters": [{"column": "b", "note": 2}]}
        )

        assert ["column"] == out.value
        assert (
            f"{NOTICE}filter.note: unexpected key dropped; filters[0].note: unexpected key dropped"
            == out.notice
        )
        assert '["column"]' == out.text().splitlines()[0]


def test_functions_that_take_any_name_and_typed_extras_keep_them() -> None:
    out = find.call({"filter": {"column": "a"}, "page": 1, "pges": 2})

    assert (2, (), "") == (out.value, out.warnings, out.notice)


def test_an_intersection_refuses_what_no_member_declares() -> None:
    text = "(at {name :string} & {place? :string}) -> :any"
    call = Policy(extras="drop").for_call()
    refused = typesig.parse(text).validate_input({"at": {"name": "a", "plce": "b"}}, call)
    dropped = typesig.parse(text).validate_input({"at": {"name": "a", "view": "b"}}, call)

    assert ["at.plce: unexpected key (did you mean place?)"] == lines(refused.errors)
    assert ["at.view: unexpected key dropped"] == lines(dropped.warnings)
    assert {"at": {"name": "a"}} == dropped.value


def test_a_closed_record_that_only_warns_refuses_misspellings() -> None:
    out = typesig.parse("(at {name? :string}!) -> :any").validate_input(
        {"at": {"nme": "a"}}, Policy(on_issue="warn").for_call()
    )

    assert ["at.nme: unexpected key (did you mean name?)"] == lines(out.errors)


def test_the_policy_can_turn_both_off() -> None:
    dropped = delete_rows.call({"table": "a", "wher": "b"}, mode=Policy(refuse_misspelt=False))
    silent = delete_rows.call({"table": "a", "view": "b"}, mode=Policy(tell_model=False))

    assert ["wher: unexpected key dropped (did you mean where?)"] == lines(dropped.warnings)
    assert dropped.notice == f"{NOTICE}wher: unexpected key dropped (did you mean where?)"
    assert ("", '"a None"') == (silent.notice, silent.text())
    assert ["view: unexpected key dropped"] == lines(silent.warnings)
    for mode in ("disabled", "enabled"):
        off = typesig.validation.policy.get_policy(mode).changed(refuse_misspelt=False)
        assert delete_rows.call({"table": "a", "wher": "b"}, mode=off).ok


def test_what_only_the_host_gives_is_no_misspelling_and_is_never_suggested() -> None:
    @tool
    def order(tenant: Injected[str], item: str, note: str = "") -> str:
        return f"{tenant} {item} {note}"

    for mode in ("enabled", "disabled"):
        out = order.call(
            {"item": "a", "tenant": "eve", "tenan": "eve"}, given={"tenant": "ada"}, mode=mode
        )

        assert "ada a " == out.value
        assert {"tenant: unexpected key dropped", "tenan: unexpected key dropped"} == set(
            lines(out.warnings)
        )
        assert "tenan" in out.notice


def test_a_contract_refuses_misspelt_keys_of_an_answer() -> None:
    answer = contract(Page)

    assert ["siz: unexpected key (did you mean size?)"] == lines(answer.read({"siz": 3}).errors)
    assert Page() == answer.read({"view": 3}).result


def test_a_check_outside_of_calls_keeps_its_rule() -> None:
    signature = typesig.parse("(a :int, note? :string) -> :any")

    assert signature.validate_input({"a": 1, "nte": "x"}, Policy(extras="drop")).ok
    assert signature.validate_input({"a": 1, "nte": "x"}).ok


def test_the_search_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    signature = typesig.parse("(names? [{name :string, place? :string}], place? :string) -> :any")
    call = Policy(extras="drop").for_call()
    many = {f"k{n}": n for n in range(5_000)}

    assert signature.validate_input(many, call).ok
    # A record often has the same undeclared keys, which are searched for once.
    items = [{"name": "a", "view": 1}] * 500
    asked: list[str] = []
    monkeypatch.setattr(suggestions, "_find_meant", lambda word, _: asked.append(word) or "")
    assert signature.validate_input({"names": items}, call).ok
    assert ["view"] == asked
    monkeypatch.setattr(suggestions, "MAX_NEAR_WORK", 0)
    assert signature.validate_input({"plce": "x", "names": items}, call).ok
    monkeypatch.setattr(suggestions, "_MOST_MEANT", 0)
    monkeypatch.setattr(suggestions, "MAX_NEAR_WORK", 100)
    assert signature.validate_input({"names": items}, call).ok


def test_of_very_many_absent_names_none_is_searched_for() -> None:
    params = ", ".join(f"name_{n}? :int" for n in range(MAX_NEAR + 1))
    out = typesig.parse(f"({params}) -> :any").validate_input(
        {"name_z": 1}, Policy(extras="drop").for_call()
    )

    assert ["name_z: unexpected key dropped"] == lines(out.warnings)


# what the model reads


def test_an_error_of_the_tool_comes_with_the_notice() -> None:
    @tool
    def fail(a: int = 1) -> int:
        raise ToolError("no")

    @tool
    def lie(a: int = 1) -> int:
        return "x"  # type: ignore[return-value]

    for one in (fail, lie):
        for _ in range(4):
            out = one.call({"view": 1})

            assert not out.ok
            assert out.feedback().endswith(f"{NOTICE}view: unexpected key dropped")
            assert out.report().endswith(f"{NOTICE}view: unexpected key dropped")
            assert f"{NOTICE}view: unexpected key dropped" in out.text()
            assert (
                out.notice
                in one.project("openai").handle(message(one.name, {"view": 1}))[0]["content"]
            )


def message(name: str, sent: Any) -> Any:
    function = {"name": name, "arguments": json.dumps(sent)}
    return {
        "role": "assistant",
        "tool_calls": [{"id": "c", "type": "function", "function": function}],
    }


def test_a_budget_has_room_for_the_notice() -> None:
    @tool
    def numbers() -> list[int]:
        return list(range(100))

    out = numbers.call({"view": 1})
    text = out.text(budget=120)

    assert len(text) <= 120
    assert text.endswith(out.notice)
    assert out.text("auto").endswith(out.notice)
    assert out.text("table", budget=1_000).endswith(out.notice)
    with pytest.raises(TooLarge, match="too small for the warnings"):
        out.text(budget=20)
    pages = tools_of([numbers]).pages(150)
    assert pages.text(out).endswith(out.notice)


def test_guesses_are_told_and_lossless_coercions_are_not() -> None:
    @tool
    def take(n: int, flag: bool = False) -> int:
        return n

    for _ in range(4):
        guessed = take.call({"n": "3", "flag": "yes"}, mode="lenient")
        assert [True] == ["flag: coerced" in guessed.notice]
        assert "n:" not in guessed.notice
        assert ("", "3") == (take.call({"n": "3"}).notice, take.call({"n": "3"}).text())
        assert "" == take.call({"n": 3.0}).notice
        assert f'{NOTICE}n: taken from the key "N"' == take.call({"N": "3"}).notice


def test_a_long_list_of_warnings_is_counted() -> None:
    out = delete_rows.call({"table": "a", **{f"k{n}": 1 for n in range(MAX_REPORT + 5)}})

    assert out.notice.endswith("; and 5 more")


def test_an_outcome_with_a_notice_can_be_pickled() -> None:
    out = delete_rows.call({"table": "a", "view": 1})
    back = pickle.loads(pickle.dumps(out))

    assert (out.notice, out.text()) == (back.notice, back.text())


def test_the_result_of_each_provider_stays_as_it_is() -> None:
    @tool
    def shelf(id: int) -> dict[str, int]:
        return {"warnings": id}

    tools = tools_of([shelf, delete_rows])
    plain, noted = ({"id": 1}, {"id": 1, "view": 2})
    notice = f"{NOTICE}view: unexpected key dropped"

    def handled(provider: str, sent: Any, **options: Any) -> Any:
        made = tools.project(provider, **options)  # type: ignore[call-overload]
        [found] = made.handle(call_of(made.provider, made.profile.api, "shelf", sent))
        return found

    for _ in range(4):
        chat = handled("openai", noted)["content"]
        assert f"{handled('openai', plain)['content']}\n{notice}" == chat
        answer = handled("openai", noted, api="responses")["output"]
        assert f"{handled('openai', plain, api='responses')['output']}\n{notice}" == answer
        [block] = handled("anthropic", noted)["content"]
        text = handled("anthropic", plain)["content"][0]["content"]
        assert [{"type": "text", "text": text}, {"type": "text", "text": notice}] == block[
            "content"
        ]
        [part] = handled("gemini", noted)["parts"]
        assert {"output": {"warnings": 1}, "warnings": notice} == next(iter(part.values()))[
            "response"
        ]
        served, usual = handled("mcp", noted), handled("mcp", plain)
        assert usual["structuredContent"] == served["structuredContent"]
        assert [*usual["content"], {"type": "text", "text": notice}] == served["content"]


def test_a_program_reads_its_result_alone() -> None:
    @tool
    def ids() -> list[int]:
        return [1]

    made = tools_of([ids]).project("anthropic")
    call = {"type": "tool_use", "id": "c", "name": "ids", "input": {"view": 1},
            "caller": {"type": "code_execution_20250825", "tool_id": "t"}}  # fmt: skip
    [found] = made.handle({"type": "message", "role": "assistant", "content": [call]})

    assert "[1]" == found["content"][0]["content"]


# every unknown key, over every profile

PROFILES: list[tuple[Any, dict[str, Any]]] = [
    ("openai", {}),
    ("openai", {"strict": True}),
    ("openai", {"api": "responses", "strict": True}),
    ("anthropic", {}),
    ("anthropic", {"strict": True}),
    ("gemini", {}),
    ("gemini", {"api": "json"}),
    ("mcp", {}),
    ("mistral", {}),
    ("deepseek", {}),
    ("xai", {}),
    ("moonshot", {}),
]


class Inner(TypedDict):
    colour: str
    amount: NotRequired[int]


HINTS: list[tuple[Any, Any]] = [
    (int, 1), (str, "a"), (bool, True), (list[int], [1]), (dict[str, int], {"k": 1}),
    (Inner, {"colour": "a"}), (list[Inner], [{"colour": "a"}]), (Page, {"size": 1}),
    (Inner | None, {"colour": "a", "amount": 2}), (Page | str, {"after": "a"}),
]  # fmt: skip

NAMES = ["table", "where", "limit", "max_rows", "order_by", "user_id", "columns", "q"]
KEYS = st.text("abcdefghijklmnopqrstuvwxyz_0", min_size=2, max_size=12)


@st.composite
def misspelt(draw: st.DrawFn, name: str) -> str:
    at = draw(st.integers(0, len(name) - 1))
    return draw(
        st.sampled_from([
            name[:at] + name[at + 1 :], name[:at] + name[at] + name[at:], name[:at] + "z" + name[at:],
            name.upper(), f"the_{name}",
        ])
    )  # fmt: skip


@st.composite
def calls(draw: st.DrawFn) -> tuple[Any, dict[str, Any], list[str]]:
    """Draw a function, arguments for it, and the undeclared keys among them, at any depth."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
    hints: dict[str, Any] = {}
    sent: dict[str, Any] = {}
    required = []
    for name in names:
        hint, value = draw(st.sampled_from(HINTS))
        hints[name] = hint
        if is_needed := draw(st.booleans()):
            required.append(name)
        if is_needed or draw(st.booleans()):
            sent[name] = json.loads(json.dumps(value))
    optional = [name for name in names if name not in required]
    head = ", ".join([*required, *[f"{name}=None" for name in optional]])
    space: dict[str, Any] = {}
    exec(f"def f({head}): return 'ran'", space)
    function = space["f"]
    function.__annotations__ = {
        **{name: hints[name] if name in required else hints[name] | None for name in names},
        "return": str,
    }
    unknown: list[str] = []

    def add(data: dict[str, Any], declared: list[str]) -> None:
        for _ in range(draw(st.integers(0, 2))):
            key = draw(st.one_of(KEYS, st.sampled_from(declared).flatmap(misspelt)))
            if key and key not in data and key not in declared:
                data[key] = 1
                unknown.append(key)

    add(sent, names)
    for name in names:
        held = sent.get(name)
        first = held[0] if isinstance(held, list) and held else held
        if isinstance(first, dict) and "k" not in first:
            add(first, ["colour", "amount"] if "colour" in first else ["size", "after"])
    return function, sent, unknown


@LAW
@given(calls(), st.sampled_from(["enabled", "lenient", "warn_only", "strict", "disabled"]))
@pytest.mark.parametrize("profile", PROFILES, ids=str)
def test_every_unknown_key_is_refused_by_name_or_named_to_model_and_host(
    profile: tuple[Any, dict[str, Any]], drawn: tuple[Any, dict[str, Any], list[str]], mode: Any
) -> None:
    function, sent, unknown = drawn
    provider, options = profile
    made = tools_of([tool(function)], mode=mode).project(provider, **options)
    ledger = Ledger()
    [found] = made.handle(call_of(made.provider, made.profile.api, "f", sent), ledger=ledger)
    text = json.dumps(found)
    outcome: Outcome[Any] = made.tools["f"].call(sent)

    if mode == "disabled":
        # Values are not checked there, and records reach the function as they were sent.
        unknown = [key for key in unknown if key in sent]
    for key in unknown:
        assert key in text
        if outcome.ok:
            assert any(key in line for line in lines(outcome.warnings))
    assert outcome.ok or outcome.errors
    if unknown:
        assert ledger.rows()


@LAW
@given(calls(), st.sampled_from(["enabled", "warn_only", "lenient"]))
def test_the_fast_way_of_a_call_has_the_same_rule(
    drawn: tuple[Any, dict[str, Any], list[str]], mode: Any
) -> None:
    function, sent, _ = drawn
    one = tool(function)
    outs = [one.call(json.dumps(sent), mode=mode) for _ in range(5)]

    assert 1 == len({(out.ok, out.text(), *lines(out.warnings)) for out in outs})


def test_a_model_that_is_not_told_reads_the_result_alone() -> None:
    @typesig.tool
    def add(a: int) -> int:
        return a + 1

    policy = Policy(tell_model=False)

    assert ["2"] * 20 == [add.call({"a": "1", "b": 1}, mode=policy).text() for _ in range(20)]
