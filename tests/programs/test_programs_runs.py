"""Programs that run: in a sandbox that is a script here; see tests/sdks for the real one."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Generator, Sequence
from datetime import date
from typing import Any, TypedDict

import pytest

from typesig import Injected, Ledger, ToolError, TypesigError, tool, tools_of
from typesig.governance import Ask, Call, Governance, Refuse
from typesig.limits.programs import MAX_PROGRAM_CALLS
from typesig.programs import Answer, Asked, Bounds, Code, Failure, Ran, Runner
from typesig.programs.checks.flaws import Flaw
from typesig.programs.checks.sandbox import MONTY
from typesig.programs.runner import OpaqueValue
from typesig.programs.running import NotJson, to_plain_data


class Row(TypedDict):
    id: int
    _owner: str


@tool
def find(query: str, limit: int = 2, store: Injected[str] = "none") -> list[Row]:
    """Find rows."""
    return [{"id": n, "_owner": store} for n in range(limit)]


@tool
def refuse(id: int) -> int:
    raise ToolError("no such order")


@tool
def break_down() -> int:
    raise KeyError("private")


@tool
def wrong() -> list[int]:
    return ["a"] * 9  # type: ignore[list-item]


@tool(name="count-rows")
def count(n: int) -> int:
    return n


@tool
async def later(n: int) -> int:
    return n


class Script:
    """Asks for calls step by step, keeps the answers, and ends."""

    sandbox = MONTY

    def __init__(self, steps: Sequence[Sequence[Asked]], ran: Ran | None = None) -> None:
        self.steps, self.ran = steps, ran
        self.answers: list[Answer] = []
        self.is_closed = False

    def start(self, program: str, names: frozenset[str], awaited: bool, bounds: Bounds) -> Any:
        self.answers = []
        try:
            for step in self.steps:
                self.answers += yield step
        finally:
            self.is_closed = True
        return self.ran or Ran([answer.value for answer in self.answers])


def code_of(*steps: Sequence[Asked], ran: Ran | None = None, **options: Any) -> tuple[Code, Script]:
    script = Script(steps, ran)
    runner: Runner = script
    tools = tools_of([find, refuse, break_down, wrong, count])
    return tools.code(runner=runner, **options), script


def test_calls_reach_the_tools_and_hidden_fields_stay_hidden() -> None:
    asked = [Asked("find", ("a",), {"limit": "1"}, 1), Asked("count_rows", (), {"n": 3}, 2)]
    code, script = code_of([asked[0]], [asked[1]])
    ledger = Ledger()
    outcome = code.run("find('a')", given={"store": "s"}, ledger=ledger)

    assert ([[{"id": 0}], 3], "run") == (outcome.value, outcome.stage)
    assert [("find", 1), ("count-rows", 2)] == [(c.name, c.line) for c in outcome.calls]  # type: ignore[attr-defined]
    assert ["s"] == [row["_owner"] for row in outcome.calls[0].outcome.result]  # type: ignore[attr-defined]
    assert script.is_closed
    assert ledger.rows
    assert outcome.value == pickle.loads(pickle.dumps(outcome)).value


@pytest.mark.needs_process
def test_calls_that_are_gathered_run_at_once_in_order() -> None:
    asked = [Asked("count_rows", (n,)) for n in range(3)]
    code, _ = code_of([*asked, Asked("count_rows", ("x",))], awaited=True)

    assert [0, 1, 2, None] == code.run("1").value
    assert [0, 1, 2, None] == asyncio.run(code.arun("1")).value


@pytest.mark.parametrize(
    ("asked", "raised", "message"),
    [
        (Asked("refuse", (1,)), "RuntimeError", "refuse: no such order"),
        (Asked("refuse", ("x",)), "ValueError", 'refuse: id: expected int, got string "x"'),
        (Asked("refuse", (1, 2)), "ValueError", "refuse takes 1 arguments, not 2"),
        (Asked("refuse", (1,), {"id": 2}), "ValueError", "refuse is given an argument twice"),
        (Asked("refuse", (object(),)), "ValueError", "refuse: a value of object has no form in JSON"),
        (Asked("refuse", ({(): 1},)), "ValueError", "refuse: a key of tuple has no form in JSON"),
    ],
)  # fmt: skip
@pytest.mark.needs_process
def test_a_call_that_fails_raises_in_the_program(asked: Asked, raised: str, message: str) -> None:
    for is_async in (False, True):
        code, script = code_of([asked])
        outcome = asyncio.run(code.arun("1")) if is_async else code.run("1")

        assert outcome.ok
        assert [Answer(None, raised, message)] == script.answers  # type: ignore[arg-type]


def test_many_errors_of_a_result_are_counted() -> None:
    code, script = code_of([Asked("wrong")])
    code.run("1")

    assert "RuntimeError" == script.answers[0].raised
    assert script.answers[0].message.endswith("; and 4 more")


def test_an_argument_that_nests_too_deep_is_refused() -> None:
    deep: list[Any] = []
    for _ in range(5_000):
        deep = [deep]
    code, script = code_of([Asked("refuse", (deep,))])
    code.run("1")
    ended, _ = code_of(ran=Ran(deep))

    assert [Answer(None, "ValueError", "refuse: nested too deep")] == script.answers
    said = "line 1, column 1: the result of the program is nested too deep"
    assert str(ended.run("1").errors[0]).startswith(said)


@pytest.mark.needs_process
def test_an_exception_of_a_tool_passes_and_the_sandbox_is_closed() -> None:
    for is_async in (False, True):
        code, script = code_of([Asked("break_down")])
        with pytest.raises(KeyError):
            asyncio.run(code.arun("1")) if is_async else code.run("1")

        assert script.is_closed


def test_a_failure_tells_the_line() -> None:
    failure = Failure("raised", "ValueError: no", 2)
    code, _ = code_of(ran=Ran(None, "hello\n", failure))
    outcome = code.run("x = 1\n  \nif x:\n  1".replace("  \n", "if x: 2\n"))

    assert (
        "The program ran up to an error:\n- line 2, column 1: ValueError: no\n    if x: 2\n    ^^^^^^^"
    ) == outcome.report()
    assert "hello\n" == outcome.printed  # type: ignore[attr-defined]
    placed, _ = code_of(ran=Ran(failure=Failure("limit", "late", 1, 3)))
    assert "line 1, column 3: late\n  x=1\n    ^" == str(placed.run("x=1").errors[0])
    again = pickle.loads(pickle.dumps(outcome))
    assert (outcome.report(), "run") == (again.report(), again.stage)


def test_the_result_is_plain_data_or_what_was_printed() -> None:
    data, _ = code_of(ran=Ran({"at": date(2026, 1, 31), 1: (1, {2})}, "x"))
    printed, _ = code_of(ran=Ran(None, "x"))
    bad, _ = code_of(ran=Ran([object()]))

    assert {"at": "2026-01-31", "1": [1, [2]]} == data.run("1").value
    assert "x" == printed.run("1").value
    said = "line 1, column 1: the result of the program: a value of object has no form in JSON"
    assert str(bad.run("1").errors[0]).startswith(said)


@pytest.mark.needs_process
def test_too_many_calls_end_the_program() -> None:
    for is_async in (False, True):
        steps = [[Asked("count_rows", (1,), {}, 1)]] * (MAX_PROGRAM_CALLS + 1)
        code, script = code_of(*steps)
        outcome = asyncio.run(code.arun("1")) if is_async else code.run("1")

        assert outcome.errors[0].message == "the program makes more than 100 calls"
        assert script.is_closed


@pytest.mark.needs_process
def test_a_program_that_is_refused_is_not_run() -> None:
    code, script = code_of([Asked("find", ("a",))])

    for outcome in (code.run("fond('a')"), asyncio.run(code.arun("fond('a')"))):
        assert "program" == outcome.stage
    assert [] == script.answers


def test_coroutine_functions_need_arun() -> None:
    code = tools_of([later]).code(runner=Script([[Asked("later", (4,))]]))

    with pytest.raises(
        TypesigError, match="later cannot be called without await: write await code"
    ):
        code.run("later(4)")
    assert [4] == asyncio.run(code.arun("later(4)")).value


@pytest.mark.needs_process
def test_a_run_that_is_cancelled_closes_the_sandbox() -> None:
    import time

    class Slow(Script):
        def start(self, *given: Any) -> Any:
            time.sleep(0.2)
            yield from super().start(*given)
            return Ran()

    async def cancelled(code: Code) -> None:
        work = asyncio.ensure_future(code.arun("1"))
        await asyncio.sleep(0.05)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work

    script = Slow([[Asked("count_rows", (1,))]])
    asyncio.run(cancelled(tools_of([count]).code(runner=script)))

    assert script.is_closed


@pytest.mark.needs_process
def test_a_run_that_is_cancelled_twice_stops_the_sandbox() -> None:
    import threading

    released, stopped = threading.Event(), threading.Event()

    class Stoppable(Generator[Any, Any, Ran]):
        """Runs until it is stopped, and a while longer."""

        def send(self, answers: Any) -> Any:
            assert stopped.wait(10)
            assert released.wait(10)
            raise StopIteration(Ran())

        def throw(self, *raised: Any) -> Any:
            raise raised[0]

        def stop(self) -> None:
            stopped.set()

    class Runner(Script):
        def start(self, *given: Any) -> Any:
            return Stoppable()

    async def cancelled(code: Code) -> None:
        work = asyncio.ensure_future(code.arun("1"))
        for _ in range(3):
            await asyncio.sleep(0.05)
            work.cancel()
        await asyncio.sleep(0.05)
        assert not work.done()
        released.set()
        with pytest.raises(asyncio.CancelledError):
            await work

    asyncio.run(cancelled(tools_of([count]).code(runner=Runner([]))))
    assert stopped.is_set()


@pytest.mark.parametrize(
    ("bounds", "said"),
    [
        (3, "bounds are Bounds(…), not int"),
        (Bounds(seconds=0), "seconds is a positive number, not 0"),
        (Bounds(calls=1.5), "calls is a positive number, not 1.5"),  # type: ignore[arg-type]
        (Bounds(memory=True), "memory is a positive number, not True"),
    ],
)
def test_wrong_bounds_are_told(bounds: Any, said: str) -> None:
    code, _ = code_of()
    with pytest.raises(TypesigError) as caught:
        code.run("1", bounds=bounds)

    assert said == str(caught.value)


def test_without_a_runner_typescript_is_not_run() -> None:
    with pytest.raises(TypesigError, match="programs in TypeScript need your own runner"):
        tools_of([count]).code("typescript").run("tools.count()")
    assert [] == tools_of([count]).code("typescript", runner=Script([])).run("1").value


# Under a governance


def asks(call: Call) -> Ask | Refuse | None:
    return {"find": Ask("Find?"), "count-rows": Refuse("no counting")}.get(call.name)  # type: ignore[return-value]


STEPS = [[Asked("find", ("a",))], [Asked("count_rows", (1,))], [Asked("refuse", (1,))]]
GOVERNANCE = Governance(before=asks)


def test_calls_of_a_program_are_governed() -> None:
    code, script = code_of(*STEPS)
    seen: list[str] = []

    def person(asked: Ask, call: Call) -> Refuse | None:
        seen.append(asked.question)
        return None if call.arguments["query"] == "a" else Refuse("no")

    code.run("1", governance=GOVERNANCE, person=person)

    assert ["Find?"] == seen
    assert [{"id": 0}, {"id": 1}] == script.answers[0].value
    assert "count_rows: this call was not run: no counting" == script.answers[1].message
    assert "refuse: no such order" == script.answers[2].message


def test_without_a_person_a_call_that_needs_one_is_refused() -> None:
    for way in ("run", "arun"):
        code, script = code_of(*STEPS[:1])
        ran = getattr(code, way)("1", governance=GOVERNANCE)
        if way == "arun":
            asyncio.run(ran)

        told = "a person has to allow it, and the program cannot wait for one"
        assert f"find: this call was not run: {told}" == script.answers[0].message


def test_a_person_may_be_awaited() -> None:
    async def person(asked: Ask, call: Call) -> Refuse | None:
        return Refuse("not today")

    code, script = code_of(*STEPS[:1])
    asyncio.run(code.arun("1", governance=GOVERNANCE, person=person))

    assert "find: this call was not run: not today" == script.answers[0].message
    with pytest.raises(TypesigError, match=r"^person is a coroutine function: write await code\."):
        code.run("1", governance=GOVERNANCE, person=person)  # type: ignore[arg-type]

    class Later:
        def __await__(self) -> Any:
            yield

    with pytest.raises(TypesigError, match=r"^person is a coroutine function: write await code\."):
        code.run("1", governance=GOVERNANCE, person=lambda *_: Later())  # type: ignore[arg-type,return-value]
    with pytest.raises(TypesigError, match=r"^person returns None, or Refuse\(reason\), not bool$"):
        code.run("1", governance=GOVERNANCE, person=lambda *_: True)  # type: ignore[arg-type,return-value]


def test_the_calls_of_a_program_are_one_turn() -> None:
    code, script = code_of(*[[Asked("count_rows", (1,))]] * 3)
    code.run("1", governance=Governance(repeats=2))

    assert [1, 1, None] == [answer.value for answer in script.answers]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            OpaqueValue("<function f>"),
            "<function f> is an object of the program, which has no form in JSON",
        ),
        (
            {"a": [OpaqueValue("x" * 500)]},
            "x… is an object of the program, which has no form in JSON",
        ),
        (-(10**400), "an integer of more than 400 digits has no form; send it as text"),
        ([float("inf")], "inf has no form in JSON"),
        ({float("nan"): 1}, "nan has no form in JSON"),
        ({None: 1}, "a key of NoneType has no form in JSON"),
        (object(), "a value of object has no form in JSON"),
    ],
)
def test_a_value_without_a_form_in_json_is_refused(value: Any, message: str) -> None:
    with pytest.raises(NotJson) as raised:
        to_plain_data(value)

    assert str(raised.value).endswith(message)


def test_a_flaw_without_a_line_is_its_message() -> None:
    assert 'there is no name "x"' == str(Flaw("unknown_name", 'there is no name "x"'))
