"""One tool by each way to call it: each gives it the same, governs it alike, and tells the same."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

pytest.importorskip("mcp")

import mcp
import mcp_types as types

import typesig
from tests.governance.test_spans import Seen
from tests.tools.answers.test_client_asks import completion, openai
from typesig import Injected, Outcome, ToolError, TypesigError, tool, tools_of
from typesig.governance import Ask, Governance, Paused, Refuse, Spans
from typesig.mcp import Request, opened

pytestmark = pytest.mark.needs_process

RAN: list[Any] = []


@pytest.fixture(autouse=True)
def _none_ran() -> None:
    RAN.clear()


class Store:
    name = "store"


@tool
def find(n: int, store: Injected[Store], request: Request, _user: str = "nobody") -> str:
    """Find."""
    request.progress(1, 2)
    RAN.append(n)
    return f"{n} {store.name} {_user} {type(request).__name__}"


@tool(annotations={"destructiveHint": True})
def pay(amount: int) -> str:
    """Pay."""
    RAN.append(amount)
    return f"paid {amount}"


@tool
def wait(seconds: float) -> str:
    """Wait."""
    RAN.append(seconds)
    time.sleep(seconds)
    return "waited"


@tool
def flaky(fails: int) -> str:
    """Fail so often."""
    RAN.append(fails)
    if len(RAN) <= fails:
        raise ToolError("the line is busy", retry=0.0)
    return f"after {len(RAN)}"


TOOLS = tools_of([find, pay, wait, flaky])


def lifespan() -> Iterator[dict[str, Any]]:
    RAN.append("opened")
    yield {"store": Store(), "_user": "ann"}
    RAN.append("closed")


def message(name: str, arguments: Any) -> Any:
    return completion(None, (name, json.dumps(arguments)))


class Calls(NamedTuple):
    """Calls that a model makes one after the other, and how they are governed."""

    calls: list[tuple[str, Any]]
    governance: Governance | None = None
    given: Any = None
    decides: Refuse | None = None
    lifespan: Callable[[], Any] | None = None

    @property
    def wire(self) -> Any:
        return TOOLS.project("openai")


def handled(case: Calls, given: Any) -> list[str]:
    told = []
    for name, arguments in case.calls:
        options: Any = {"given": given, "governance": case.governance}
        try:
            [found] = case.wire.handle(message(name, arguments), **options)
        except Paused as paused:
            decided = paused.pending.decided({"c0": case.decides})
            [found] = case.wire.handle(decided, **options)
        told.append(found["content"])
    return told


async def ahandled(case: Calls, given: Any) -> list[str]:
    told = []
    for name, arguments in case.calls:
        options: Any = {"given": given, "governance": case.governance}
        try:
            [found] = await case.wire.ahandle(message(name, arguments), **options)
        except Paused as paused:
            decided = paused.pending.decided({"c0": case.decides})
            [found] = await case.wire.ahandle(decided, **options)
        told.append(found["content"])
    return told


def told_to(answer: Any) -> list[str]:
    roles = [each for each in answer.messages if isinstance(each, dict)]
    return [each["content"] for each in roles if each["role"] == "tool"]


def asked(case: Calls, given: Any) -> list[str]:
    client = openai(*[message(*each) for each in case.calls], completion('{"result": 7}'))
    options: Any = {"model": "m", "tools": TOOLS, "given": given, "governance": case.governance}
    contract, prompt, pending = typesig.contract(int), "Go.", None
    while True:
        try:
            answer = contract.ask(client, prompt, pending=pending, **options)
        except Paused as paused:
            prompt = paused.messages  # type: ignore[assignment]
            pending = paused.pending.decided({"c0": case.decides})
            continue
        assert 7 == answer.result
        return told_to(answer)


async def aasked(case: Calls, given: Any) -> list[str]:
    client = openai(*[message(*each) for each in case.calls], completion('{"result": 7}'))
    options: Any = {"model": "m", "tools": TOOLS, "given": given, "governance": case.governance}
    contract, prompt, pending = typesig.contract(int), "Go.", None
    while True:
        try:
            answer = await contract.aask(client, prompt, pending=pending, **options)
        except Paused as paused:
            prompt = paused.messages  # type: ignore[assignment]
            pending = paused.pending.decided({"c0": case.decides})
            continue
        assert 7 == answer.result
        return told_to(answer)


def called(case: Calls, given: Any) -> list[str]:
    told = []
    for name, arguments in case.calls:
        options: Any = {"given": given, "governance": case.governance}
        try:
            found = TOOLS.call(name, arguments, **options)
        except Paused as paused:
            found = TOOLS.call(paused.pending.decided({"0": case.decides}), **options)
        told.append(found.result if found.ok else found.feedback())
    return told


async def acalled(case: Calls, given: Any) -> list[str]:
    told = []
    for name, arguments in case.calls:
        options: Any = {"given": given, "governance": case.governance}
        try:
            found = await TOOLS.acall(name, arguments, **options)
        except Paused as paused:
            found = await TOOLS.acall(paused.pending.decided({"0": case.decides}), **options)
        told.append(found.result if found.ok else found.feedback())
    return told


async def served(case: Calls, given: Any) -> list[str]:
    server = typesig.mcp.server(
        TOOLS,
        given=given or {"store": None},
        governance=case.governance,
        lifespan=case.lifespan,
    )

    async def person(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        if case.decides is None:
            return types.ElicitResult(action="accept", content={"value": True})
        return types.ElicitResult(action="decline")

    told = []
    async with mcp.Client(server.lowlevel, elicitation_callback=person) as client:
        for name, arguments in case.calls:
            found = await client.call_tool(name, arguments)
            told.append(str(found.content[0].text))  # type: ignore[union-attr]
    return told


WAYS: dict[str, Any] = {
    "handle": handled,
    "ahandle": ahandled,
    "ask": asked,
    "aask": aasked,
    "call": called,
    "acall": acalled,
    "served": served,
}


def told_by(way: str, case: Calls) -> list[str]:
    """Return what the model reads of the calls."""
    run = WAYS[way]
    if way == "served":
        given = case.given if case.lifespan is None else (dict)
        return asyncio.run(served(case, given))
    if case.lifespan is None:
        found = run(case, case.given)
        return asyncio.run(found) if asyncio.iscoroutine(found) else found
    if not asyncio.iscoroutinefunction(run):
        with opened(case.lifespan) as values:
            return run(case, values)

    async def within() -> Any:
        async with opened(case.lifespan) as values:  # type: ignore[arg-type]
            return await run(case, values)

    return asyncio.run(within())


def before(call: Any) -> Any:
    if call.name == "answer":
        return None
    if not call.annotations.get("destructiveHint"):
        return None
    amount = call.arguments["amount"]
    return Refuse("too dear") if amount > 100 else Ask(f"Pay {amount}?")


def after(call: Any, outcome: Outcome[Any]) -> Any:
    # Another outcome in place of what the tool gave.
    return typesig.parse(":string").validate_output("seen") if call.name == "pay" else None


STORE = {"store": Store(), "_user": "bob"}
FAILED = "Tool errors:\n- "
AGAIN = (
    "this call was not run: the same call was made once before, and what came of it stands above; "
    "send other arguments, or go on without it"
)

CASES: dict[str, tuple[Calls, list[Any], list[Any]]] = {
    "nothing": (Calls([("pay", {"amount": 3})]), ["paid 3"], [3]),
    "a governance that says nothing": (
        Calls([("pay", {"amount": 3})], Governance()),
        ["paid 3"],
        [3],
    ),
    "given values and a request": (
        Calls([("find", {"n": "3"})], given=STORE),
        ["3 store bob Request"],
        [3],
    ),
    "the same under a governance": (
        Calls([("find", {"n": "3"})], Governance(), given=STORE),
        ["3 store bob Request"],
        [3],
    ),
    "what a lifespan function yields": (
        Calls([("find", {"n": 3})], lifespan=lifespan),
        ["3 store ann Request"],
        ["opened", 3, "closed"],
    ),
    "the same twice, under a governance": (
        Calls([("find", {"n": 3}), ("find", {"n": 4})], Governance(), lifespan=lifespan),
        ["3 store ann Request", "4 store ann Request"],
        ["opened", 3, 4, "closed"],
    ),
    "a limit of time": (
        Calls([("wait", {"seconds": 0.5}), ("pay", {"amount": 1})], Governance(seconds={"wait": 0.1})),
        ["wait did not end within 0.1 s", "paid 1"],
        [0.5, 1],
    ),
    "a tool in time": (
        Calls([("wait", {"seconds": 0})], Governance(seconds=30, at_once=1)),
        ["waited"],
        [0],
    ),
    "a hook refuses": (
        Calls([("pay", {"amount": 101})], Governance(before=before)),
        [f"{FAILED}this call was not run: too dear"],
        [],
    ),
    "a hook lets run": (
        Calls([("wait", {"seconds": 0})], Governance(before=before)),
        ["waited"],
        [0],
    ),
    "a person allows": (Calls([("pay", {"amount": 3})], Governance(before=before)), ["paid 3"], [3]),
    "a person refuses": (
        Calls([("pay", {"amount": 3})], Governance(before=before), decides=Refuse("not today")),
        ["this call was not run: "],
        [],
    ),
    "a hook sees the outcome": (
        Calls([("pay", {"amount": 3})], Governance(after=after)),
        ["seen"],
        [3],
    ),
    "retries": (Calls([("flaky", {"fails": 2})], Governance(retries=2)), ["after 3"], [2, 2, 2]),
    "too few retries": (
        Calls([("flaky", {"fails": 2})], Governance(retries=1)),
        [f"{FAILED}the line is busy"],
        [2, 2],
    ),
    "repeats": (
        Calls([("pay", {"amount": 3})] * 2, Governance(repeats=1)),
        ["paid 3", f"{FAILED}{AGAIN}"],
        [3],
    ),
    "arguments that do not fit": (
        Calls([("pay", {"amount": "much"})], Governance(before=before)),
        ["expected int"],
        [],
    ),
    "an unknown tool": (
        Calls([("pey", {"amount": 1})], Governance(before=before)),
        ['there is no tool "pey"'],
        [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", CASES)
def test_each_way_gives_and_governs_alike(name: str, way: str) -> None:
    case, expected, ran = CASES[name]
    if case.governance is not None:
        # What is counted is counted anew.
        case = case._replace(governance=case.governance.conversation())

    found = told_by(way, case)

    assert len(expected) == len(found)
    for part, text in zip(expected, found, strict=True):
        assert part in text
    assert ran == RAN


@pytest.mark.parametrize("way", WAYS)
def test_each_way_tells_opentelemetry_the_same(way: str) -> None:
    pytest.importorskip("opentelemetry.trace")
    seen = Seen()
    governance = Governance(spans=Spans(provider=seen))  # type: ignore[arg-type]
    told_by(way, Calls([("pay", {"amount": "3"}), ("pay", {"amount": "x"})], governance))

    spans = [each for each in seen.spans if each["gen_ai.operation.name"] == "execute_tool"]
    assert ["execute_tool pay"] * 2 == [each["name"] for each in spans]
    assert [("mended", "int_from_string", 1)] == spans[0]["events"]
    assert [False, True] == [each["failed"] for each in spans]
    assert "type" == spans[1]["error.type"]


def test_a_lifespan_that_is_awaited_needs_async_with() -> None:
    async def later() -> Any:
        yield {}

    with (
        pytest.raises(TypesigError, match=r"^this lifespan is asynchronous: write async with "),
        opened(later),
    ):
        pass
    with pytest.raises(TypesigError, match=r"^lifespan is a function, not dict$"):
        opened({})  # type: ignore[arg-type]
    with (
        pytest.raises(TypesigError, match=r"that does, not one that returns int$"),
        opened(lambda: 3),
    ):
        pass
