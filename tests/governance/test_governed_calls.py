"""Calls under a governance: what runs, how long, how often, and what a model is told of the rest."""

from __future__ import annotations

import asyncio
import json
import pickle
import threading
import time
from contextvars import ContextVar
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW
from typesig import Injected, Ledger, Outcome, ToolError, TypesigError
from typesig.governance import Ask, Call, Governance, Paused, Refuse

RAN: list[Any] = []
FLAGS: dict[str, threading.Event] = {}
WHERE: ContextVar[str] = ContextVar("where", default="nowhere")


@pytest.fixture(autouse=True)
def _none_ran() -> None:
    RAN.clear()
    FLAGS.clear()
    FLAGS["free"] = threading.Event()


@typesig.tool(annotations={"destructiveHint": True})
def note(n: int, text: str = "") -> int:
    """Take a note."""
    RAN.append((n, text))
    return n


@typesig.tool
def wait(n: int) -> str:
    """Wait until it is let go."""
    RAN.append(n)
    FLAGS["free"].wait(10)
    return WHERE.get()


@typesig.tool
async def later(n: int) -> int:
    """Wait for ever."""
    RAN.append(n)
    try:
        await asyncio.sleep(60)
    finally:
        RAN.append("cancelled")
    return n


@typesig.tool
async def stubborn(n: int) -> int:
    """Go on when it is cancelled."""
    while not FLAGS["free"].is_set():
        try:
            await asyncio.sleep(0.01)
        except asyncio.CancelledError:
            continue
    raise ValueError("nobody hears this")


@typesig.tool
def flaky(fails: int, pause: float | None = None) -> str:
    """Fail so often."""
    RAN.append(fails)
    if len(RAN) <= fails:
        raise ToolError("the line is busy", retry=0.0 if pause is None else pause)
    return f"after {len(RAN)}"


@typesig.tool
def always() -> str:
    """Fail for good."""
    RAN.append("always")
    raise ToolError("no such order")


@typesig.tool
def fail(key: str) -> str:
    """Raise."""
    raise KeyError(key)


@typesig.tool
def whose(n: int, db: Injected[str]) -> str:
    """Tell whose."""
    return db


PLAIN = typesig.tools_of([note, wait, flaky, always, fail, whose])
ALL = typesig.tools_of([note, wait, flaky, always, fail, whose, later, stubborn])


def message(*calls: tuple[str, Any]) -> Any:
    asked = [
        {
            "id": f"c{n}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(sent)},
        }
        for n, (name, sent) in enumerate(calls)
    ]
    return {"role": "assistant", "tool_calls": asked}


def handled(*calls: tuple[str, Any], governance: Governance, **options: Any) -> list[str]:
    wire = PLAIN.project("openai")
    found = wire.handle(message(*calls), governance=governance, **options)
    return [each["content"] for each in found]


def ahandled(*calls: tuple[str, Any], governance: Governance, **options: Any) -> list[str]:
    wire = ALL.project("openai")
    found = asyncio.run(wire.ahandle(message(*calls), governance=governance, **options))
    return [each["content"] for each in found]


@LAW
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["note", "always", "nothing"]),
            st.dictionaries(
                st.sampled_from(["n", "text", "m"]), st.integers() | st.text(), max_size=3
            ),
        ),
        max_size=5,
    ),
    st.sampled_from(["openai", "anthropic", "gemini"]),
)
def test_a_governance_that_says_nothing_changes_nothing(calls: list[Any], provider: Any) -> None:
    wire = PLAIN.project(provider)
    ids = [{"id": f"c{n}", "name": name, "input": sent} for n, (name, sent) in enumerate(calls)]
    sent: Any = {
        "openai": message(*calls),
        "anthropic": {
            "role": "assistant",
            "content": [{"type": "tool_use", **each} for each in ids],
        },
        "gemini": {
            "role": "model",
            "parts": [{"function_call": {"name": n, "args": a}} for n, a in calls],
        },
    }[provider]
    counted, plainly = Ledger(), Ledger()
    RAN.clear()
    expected = wire.handle(sent, ledger=plainly)
    ran = list(RAN)
    RAN.clear()

    assert expected == wire.handle(sent, governance=Governance(), ledger=counted)
    assert ran == RAN
    assert plainly.rows() == counted.rows()


@pytest.mark.needs_process
def test_a_slow_tool_gives_an_outcome_and_the_results_of_the_others_stay() -> None:
    ledger = Ledger()

    found = handled(
        ("note", {"n": 1}),
        ("wait", {"n": 2}),
        ("note", {"n": 3}),
        governance=Governance(seconds={"wait": 0.05}),
        ledger=ledger,
    )
    FLAGS["free"].set()

    told = "wait did not end within 0.05 s; it may go on, but its result will not be there"
    assert ["1", f"Tool errors:\n- {told}", "3"] == found
    assert [("refused", "late", "wait", "", 1)] == list(ledger.rows())


@pytest.mark.needs_process
def test_a_tool_within_its_limit_sees_the_context_and_its_exception_passes() -> None:
    FLAGS["free"].set()
    token = WHERE.set("here")
    try:
        found = handled(("wait", {"n": 2}), governance=Governance(seconds=10))
    finally:
        WHERE.reset(token)

    assert ["here"] == found
    with pytest.raises(KeyError) as caught:
        handled(("fail", {"key": "k"}), governance=Governance(seconds=10))
    assert [
        "raised by the tool fail (call c0); the other calls have ended"
    ] == caught.value.__notes__


@pytest.mark.needs_process
def test_the_calls_of_an_answer_have_so_much_time_together() -> None:
    found = handled(
        ("wait", {"n": 1}), ("note", {"n": 2}), governance=Governance(turn=0.05, seconds=10)
    )
    FLAGS["free"].set()

    assert "wait did not end within 0.0" in found[0]
    over = "this call was not run: the 0.05 s for all calls of the answer were over; send it again"
    assert f"Tool errors:\n- {over}" == found[1]
    assert [1] == RAN


def test_where_no_thread_can_be_started_a_limit_for_a_plain_function_is_a_mistake(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def start(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)

    with pytest.raises(TypesigError) as caught:
        handled(("note", {"n": 1}), governance=Governance(seconds=1, at_once=1))
    assert (
        "a time limit for the plain function note needs a thread, and none can be started here; "
        "leave out seconds and turn, or make it a coroutine function" == str(caught.value)
    )


@pytest.mark.needs_process
def test_a_slow_coroutine_function_is_cancelled_and_a_plain_one_goes_on() -> None:
    async def run() -> list[str]:
        wire = ALL.project("openai")
        sent = message(("later", {"n": 1}), ("wait", {"n": 2}), ("note", {"n": 3}))
        governance = Governance(seconds={"later": 0.05, "wait": 0.05})
        found = await wire.ahandle(sent, governance=governance)
        assert 1 == len(governance.left)
        FLAGS["free"].set()
        while governance.left:
            await asyncio.sleep(0.01)
        return [each["content"] for each in found]

    found = asyncio.run(run())

    stopped = "later did not end within 0.05 s and was stopped; it may have done a part of its work"
    left = "wait did not end within 0.05 s; it may go on, but its result will not be there"
    assert [f"Tool errors:\n- {stopped}", f"Tool errors:\n- {left}", "3"] == found
    assert "cancelled" in RAN


def test_a_coroutine_function_that_goes_on_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typesig.governance.timing.MAX_STOPPING", 0.02)

    async def run() -> str:
        wire = ALL.project("openai")
        governance = Governance(seconds=0.02)
        [found] = await wire.ahandle(message(("stubborn", {"n": 1})), governance=governance)
        FLAGS["free"].set()
        while governance.left:
            await asyncio.sleep(0.01)
        return str(found["content"])

    assert "stubborn did not end within 0.02 s; it may go on" in asyncio.run(run())


def test_a_cancelled_handling_cancels_its_calls_and_waits_for_them() -> None:
    async def run() -> None:
        wire = ALL.project("openai")
        sent = message(("later", {"n": 1}), ("stubborn", {"n": 1}))
        task = asyncio.ensure_future(wire.ahandle(sent, governance=Governance(seconds=50)))
        await asyncio.sleep(0.03)
        task.cancel()
        await asyncio.sleep(0.03)
        assert not task.done()
        task.cancel()
        FLAGS["free"].set()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())

    assert "cancelled" in RAN


def test_what_may_pass_is_run_again_and_told() -> None:
    ledger, seen = Ledger(), []
    governance = Governance(retries=3, after=lambda call, outcome: seen.append(outcome))

    assert ["after 3"] == handled(("flaky", {"fails": 2}), governance=governance, ledger=ledger)
    told = "the tool was run 3 times, since what went wrong may pass"
    assert [told] == [str(each) for each in seen[0].warnings]
    assert ("after 3", "after 3") == (seen[0].value, seen[0].result)
    assert [("let_through", "retried", "flaky", "", 1)] == list(ledger.rows())


def test_a_call_is_run_again_at_most_so_often() -> None:
    found = handled(("flaky", {"fails": 9}), governance=Governance(retries=2))

    assert ["Tool errors:\n- the line is busy"] == found
    assert [9, 9, 9] == RAN


@pytest.mark.parametrize(("name", "sent"), [("always", {}), ("note", {"n": "x"})])
def test_other_errors_are_not_run_again(name: str, sent: Any) -> None:
    [text] = handled((name, sent), governance=Governance(retries=5))

    assert text.startswith("Tool ")
    assert len(RAN) == (name == "always")


@pytest.mark.parametrize(
    "governance", [Governance(retries=5), Governance(retries=5, turn=30)], ids=["long", "turn"]
)
@pytest.mark.needs_process
def test_a_call_whose_tool_wants_a_long_pause_is_not_run_again(governance: Governance) -> None:
    pause = 30 if governance.turn else 61

    handled(("flaky", {"fails": 9, "pause": pause}), governance=governance)

    assert [9] == RAN


def test_without_a_time_of_its_own_each_pause_is_twice_as_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)

    @typesig.tool
    def busy() -> str:
        raise ToolError("busy", retry=True)

    typesig.tools_of([busy]).project("openai").handle(
        message(("busy", {})), governance=Governance(retries=3)
    )

    assert [0.1, 0.2, 0.4] == pauses


@pytest.mark.needs_process
def test_calls_are_run_again_in_a_loop_too() -> None:
    assert ["after 2"] == ahandled(
        ("flaky", {"fails": 1}), governance=Governance(retries=1, seconds=30)
    )


def test_a_tool_error_says_whether_it_may_pass() -> None:
    error = pickle.loads(pickle.dumps(ToolError("busy", retry=2.5)))

    assert ("busy", 2.5, False) == (str(error), error.retry, ToolError("no").retry)
    for wrong in ("soon", -1, float("inf"), None):
        with pytest.raises(TypesigError, match="retry is True, or a number of seconds, not "):
            ToolError("busy", retry=wrong)  # type: ignore[arg-type]


def test_equal_calls_are_run_so_often_in_a_conversation() -> None:
    governance = Governance(repeats=2)
    calls = [("note", {"n": 1, "text": "a"}), ("note", {"text": "a", "n": 1})]

    assert ["1", "1"] == handled(*calls, governance=governance)
    found = handled(calls[0], ("note", {"n": True, "text": "a"}), governance=governance)
    told = (
        "this call was not run: the same call was made 2 times before, and what came of it "
        "stands above; send other arguments, or go on without it"
    )
    assert f"Tool errors:\n- {told}" == found[0]
    assert "expected integer, got boolean true" in found[1]
    assert ["1"] == handled(calls[0], governance=governance.conversation())
    assert ["1"] == handled(calls[0], governance=pickle.loads(pickle.dumps(governance)))
    assert 4 == len(RAN)


def test_equal_arguments_that_are_no_json_are_equal_calls() -> None:
    wire, governance = PLAIN.project("openai"), Governance(repeats=1)
    sent = message(("note", {}))
    sent["tool_calls"][0]["function"]["arguments"] = "{n"

    found = [wire.handle(sent, governance=governance)[0]["content"] for _ in range(2)]

    assert "Tool validation errors" in found[0]
    assert "the same call was made once before" in found[1]


def test_of_many_equal_calls_the_oldest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typesig.governance.governance.MAX_REMEMBERED", 2)
    governance = Governance(repeats=1)
    for n in range(3):
        handled(("note", {"n": n}), governance=governance)

    assert ["0"] == handled(("note", {"n": 0}), governance=governance)


def test_before_sees_checked_arguments_and_refuses_with_a_reason() -> None:
    seen: list[Call] = []

    def before(call: Call) -> Refuse | None:
        seen.append(call)
        return Refuse("notes are closed") if call.annotations.get("destructiveHint") else None

    ledger = Ledger()
    found = handled(
        ("note", {"n": "4"}),
        ("flaky", {"fails": 0}),
        ("note", {"m": 4}),
        ("nothing", {}),
        governance=Governance(before=before),
        ledger=ledger,
    )

    assert "Tool errors:\n- this call was not run: notes are closed" == found[0]
    assert "after 1" == found[1]
    assert '// missing: "n": integer' in found[2]
    assert "there is no tool" in found[3]
    assert [0] == RAN
    assert [("c0", "note", {"n": 4, "text": ""}, True), ("c1", "flaky", {"fails": 0}, True)] == [
        (each.id, each.name, each.arguments, each.fits) for each in seen
    ]
    assert ("refused", "refused", "note", "", 1) in ledger.rows()


@given(st.lists(st.booleans(), max_size=6))
@LAW
def test_nothing_of_a_refused_call_runs(allowed: list[bool]) -> None:
    RAN.clear()
    calls = [("note", {"n": n}) for n in range(len(allowed))]

    found = handled(
        *calls,
        governance=Governance(
            before=lambda call: None if allowed[call.arguments["n"]] else Refuse("no"),
            retries=2,
        ),
    )

    assert [(n, "") for n, fine in enumerate(allowed) if fine] == RAN
    refused = "Tool errors:\n- this call was not run: no"
    assert [str(n) if fine else refused for n, fine in enumerate(allowed)] == found


def test_after_sees_each_outcome_and_may_return_another() -> None:
    seen: list[tuple[Call, bool]] = []

    def after(call: Call, outcome: Outcome[Any]) -> Outcome[Any] | None:
        seen.append((call, outcome.ok))
        return typesig.parse(":int").validate_output(100) if outcome.ok else None

    found = handled(("note", {"n": 1}), ("note", {"n": "x"}), governance=Governance(after=after))

    assert "100" == found[0]
    assert "Tool validation errors" in found[1]
    assert [(True, True), (False, False)] == [(call.fits, ok) for call, ok in seen]
    assert '{"n": "x"}' == seen[1][0].arguments


@pytest.mark.needs_process
def test_hooks_may_be_coroutine_functions_where_calls_are_awaited() -> None:
    seen: list[str] = []

    async def before(call: Call) -> Refuse | None:
        return Refuse("no") if call.arguments["n"] else None

    async def after(call: Call, outcome: Outcome[Any]) -> None:
        seen.append(call.name)

    governance = Governance(before=before, after=after)
    found = ahandled(("note", {"n": 0}), ("note", {"n": 1}), governance=governance)

    assert ["0", "Tool errors:\n- this call was not run: no"] == found
    assert ["note", "note"] == seen
    for hook, one in (("before", governance), ("after", Governance(after=after))):
        with pytest.raises(TypesigError) as caught:
            handled(("note", {"n": 0}), governance=one)
        told = f"{hook} is a coroutine function: write await ….ahandle(…), acall(…) or aask(…)"
        assert told == str(caught.value)


class Awaitable:
    def __await__(self) -> Any:
        yield


def test_awaitables_that_are_no_coroutines_are_told_too() -> None:
    for hooks in ({"before": lambda _: Awaitable()}, {"after": lambda *_: Awaitable()}):
        with pytest.raises(TypesigError, match="is a coroutine function"):
            handled(("note", {"n": 0}), governance=Governance(**hooks))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hooks", "told"),
    [
        (
            {"before": lambda _: True},
            "before returns None to let a call run, Refuse(reason) or Ask(question), not bool",
        ),
        (
            {"before": lambda _: Refuse(3)},  # type: ignore[arg-type]
            "before returns None to let a call run, Refuse(reason) or Ask(question), not Refuse of int",
        ),
        (
            {"after": lambda *_: "text"},
            "after returns another outcome, or None to keep this one, not str",
        ),
    ],
)
def test_a_hook_that_returns_anything_else_is_a_mistake(hooks: Any, told: str) -> None:
    with pytest.raises(TypesigError) as caught:
        handled(("note", {"n": 0}), governance=Governance(**hooks))

    assert told == str(caught.value)


def test_an_exception_of_a_hook_passes_and_no_call_has_run() -> None:
    def before(call: Call) -> None:
        raise LookupError("no such user")

    with pytest.raises(LookupError, match="no such user"):
        handled(("note", {"n": 0}), ("note", {"n": 1}), governance=Governance(before=before))
    assert [] == RAN


@pytest.mark.needs_process
def test_exceptions_of_tools_are_as_without_a_governance() -> None:
    def told(error: Exception, call: Any) -> str:
        return f"{call.name} failed"

    async def atold(error: Exception, call: Any) -> str:
        return f"{call.name} failed"

    calls = [("fail", {"key": "k"}), ("note", {"n": 1})]

    assert ["fail failed", "1"] == handled(*calls, governance=Governance(), on_exception=told)
    assert ["fail failed", "1"] == ahandled(*calls, governance=Governance(), on_exception=told)
    assert ["fail failed", "1"] == ahandled(*calls, governance=Governance(), on_exception=atold)
    with pytest.raises(KeyError):
        handled(*calls, governance=Governance())
    assert 4 == len(RAN)


@pytest.mark.needs_process
def test_so_many_calls_run_at_once() -> None:
    running, most = [0, 0], threading.Lock()

    @typesig.tool
    def work(n: int) -> int:
        """Work."""
        with most:
            running[0] += 1
            running[1] = max(running)
        time.sleep(0.01)
        with most:
            running[0] -= 1
        return n

    wire = typesig.tools_of([work]).project("openai")
    for at_once in (2, {"work": 2}):
        running[1] = 0
        calls = message(*[("work", {"n": n}) for n in range(8)])
        found = asyncio.run(wire.ahandle(calls, governance=Governance(at_once=at_once)))

        assert [str(n) for n in range(8)] == [each["content"] for each in found]
        assert running[1] <= 2


@pytest.mark.needs_process
def test_a_call_that_is_late_keeps_its_place_until_it_has_ended() -> None:
    governance = Governance(seconds={"wait": 0.02}, turn=0.2, at_once=1)

    found = handled(("wait", {"n": 1}), ("note", {"n": 2}), governance=governance)
    assert "this call was not run: the 0.2 s" in found[1]

    FLAGS["free"].set()
    assert ["3"] == handled(("note", {"n": 3}), governance=governance)
    assert ["4"] == handled(("note", {"n": 4}), governance=governance.conversation())


@pytest.mark.needs_process
def test_a_call_that_waits_in_a_loop_is_told_when_the_time_is_over() -> None:
    found = ahandled(
        ("later", {"n": 1}),
        ("note", {"n": 2}),
        governance=Governance(turn=0.1, at_once=1),
    )

    assert "later did not end within" in found[0]
    assert "the 0.1 s for all calls of the answer were over" in found[1]
    assert [1, "cancelled"] == RAN


def test_time_that_is_over_when_a_place_is_free_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "typesig.governance.timing.Deadline.get_remaining", lambda self, most=None: 0
    )
    governance = Governance(turn=1, at_once=1)

    for found in (
        handled(("note", {"n": 1}), governance=governance),
        ahandled(("note", {"n": 1}), governance=governance),
        ahandled(("note", {"n": 1}), governance=Governance(turn=1)),
    ):
        assert "were over; send it again" in found[0]
    assert [] == RAN


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            {"seconds": 0},
            "seconds of a governance is a positive number, or a dict of them by the names of tools, not 0",
        ),
        (
            {"seconds": {"f": "1"}},
            "seconds of a governance is a positive number, or a dict of them by the names of tools, not {'f': '1'}",
        ),
        (
            {"seconds": True},
            "seconds of a governance is a positive number, or a dict of them by the names of tools, not True",
        ),
        ({"turn": float("inf")}, "turn of a governance is a positive number, not inf"),
        (
            {"at_once": 0},
            "at_once of a governance is an int of at least 1, or a dict of them by the names of tools, not 0",
        ),
        ({"repeats": 0}, "repeats of a governance is an int of at least 1, not 0"),
        ({"retries": -1}, "retries of a governance is an int of at least 0, not -1"),
        ({"before": "x"}, "before of a governance is a function, not 'x'"),
        ({"after": 1}, "after of a governance is a function, not 1"),
        ({"spans": 1}, "spans of a governance is typesig.governance.Spans(), not 1"),
    ],
)
def test_a_wrong_governance_is_a_mistake(options: Any, told: str) -> None:
    with pytest.raises(TypesigError) as caught:
        Governance(**options)

    assert told == str(caught.value)


def test_what_is_no_governance_is_a_mistake() -> None:
    with pytest.raises(TypesigError) as caught:
        handled(("note", {"n": 1}), governance={"seconds": 1})  # type: ignore[arg-type]

    assert "governance takes a typesig.governance.Governance, not dict" == str(caught.value)


@pytest.mark.needs_process
def test_what_the_host_gives_reaches_the_tool_by_a_function_too() -> None:
    def db(call: Any) -> dict[str, str]:
        return {"db": f"of {call.name}"}

    async def adb(call: Any) -> dict[str, str]:
        return {"db": f"of {call.id}"}

    call = ("whose", {"n": 1})
    wire = PLAIN.project("openai")

    for governance in (Governance(), None):
        assert ["of whose"] == [
            each["content"] for each in wire.handle(message(call), governance=governance, given=db)
        ]
        for function, expected in ((db, "of whose"), (adb, "of c0")):
            made = wire.ahandle(message(call), governance=governance, given=function)
            assert [expected] == [each["content"] for each in asyncio.run(made)]
        with pytest.raises(TypesigError, match="whose needs db from its host: write"):
            wire.handle(message(call), governance=governance)
        with pytest.raises(TypesigError, match="given for whose is a coroutine function"):
            wire.handle(message(call), governance=governance, given=adb)
    assert ["1"] == handled(("note", {"n": 1}), governance=Governance(), given=db)
    assert ["1"] == ahandled(("note", {"n": 1}), governance=Governance(), given=adb)


def test_ask_pauses_before_anything_runs() -> None:
    with pytest.raises(Paused):
        handled(
            ("note", {"n": 1}),
            ("flaky", {"fails": 0}),
            governance=Governance(before=lambda call: Ask("?") if call.name == "flaky" else None),
        )

    assert [] == RAN


# limits by the names of tools


@typesig.tool
def book(room: str) -> str:
    """Book a room."""
    return room


@typesig.tool
def books() -> int:
    """Count the books."""
    return 3


@pytest.mark.parametrize("which", ["seconds", "at_once"])
@pytest.mark.parametrize("name", ["bok", "Book", "boook"])
def test_a_misspelt_limit_is_refused(which: Any, name: str) -> None:
    governance = Governance(**{which: {name: 3}})
    tools = typesig.tools_of([book])
    chosen = {"id": "c", "type": "function", "function": {"name": "book", "arguments": "{}"}}
    wire = tools.project("openai")
    calls: list[Any] = [
        lambda: tools.call("book", {"room": "a"}, governance=governance),
        lambda: asyncio.run(tools.acall("book", {"room": "a"}, governance=governance)),
        lambda: wire.handle([chosen], governance=governance),
        lambda: wire.handle([chosen], governance=pickle.loads(pickle.dumps(governance))),
    ]
    for call in calls:
        with pytest.raises(TypesigError) as raised:
            call()

        assert f'the governance has a limit for "{name}", no tool; did you mean book?' == str(
            raised.value
        ).replace("'", '"')


@pytest.mark.needs_process
def test_limits_for_other_tools_and_for_answers_stay() -> None:
    governance = Governance(seconds={"search": 3, "answer": 3, "books": 3, "book": 3})

    assert typesig.tools_of([book]).call("book", {"room": "a"}, governance=governance).ok
    assert typesig.tools_of([books]).call("books", governance=governance).ok
