"""Programs run in the real sandbox, and it agrees with what is known of it."""

from __future__ import annotations

import ast
import asyncio
import doctest
import sys
import threading
import types
from pathlib import Path
from typing import Any, TypedDict

import pytest

pytest.importorskip("pydantic_monty")

import pydantic_monty as monty

from tests.house.test_docs import ROOT, blocks
from typesig import ToolError, tool, tools_of
from typesig.programs import Bounds
from typesig.programs.checks.sandbox import MONTY
from typesig.programs.monty import MontyRunner


class Row(TypedDict):
    id: int
    _owner: str


@tool
def find(query: str, limit: int = 2) -> list[Row]:
    return [{"id": n, "_owner": "ann"} for n in range(limit)]


@tool(name="get-row")
def get_row(id: int) -> Row | None:
    if id > 9:
        raise ToolError("no such row")
    return {"id": id, "_owner": "ann"}


CODE = tools_of([find, get_row]).code()
AWAITED = CODE.tools.code(awaited=True)


def test_a_program_runs() -> None:
    program = (
        "total = 0\nf = find\nfor row in f('a', limit='3'):\n    found = get_row(id=row['id'])\n"
        "    if found is not None:\n        total += found['id']\nprint('hello')\n"
        "{'total': total, 'rows': find(query='b')}"
    )
    outcome: Any = CODE.run(program)

    assert {"total": 3, "rows": [{"id": 0}, {"id": 1}]} == outcome.value
    assert "hello\n" == outcome.printed
    assert [3, 4, 4, 4, 8] == [call.line for call in outcome.calls]


def test_a_tool_called_as_a_builtin_is_called_by_the_name_in_the_stub() -> None:
    @tool(name="list")
    def list_rows(query: str) -> list[str]:
        return [f"row of {query}"]

    code = tools_of([list_rows]).code()

    assert 'def list_(query: str) -> list[str]: ... # called "list"' in code.prompt()
    assert ["row of ab"] == code.run("list_('ab')").value
    assert ["a", "b"] == code.run("list('ab')").value


@pytest.mark.parametrize("is_async", [False, True])
def test_gathered_calls_run_at_the_same_time(is_async: bool) -> None:
    meeting = threading.Barrier(3, timeout=20)

    def wait(n: int) -> int:
        meeting.wait()
        return n

    code = tools_of([wait]).code(awaited=True)
    program = "import asyncio\nx = await asyncio.gather(*[wait(n) for n in range(3)])\nx"
    outcome = asyncio.run(code.arun(program)) if is_async else code.run(program)

    assert [0, 1, 2] == outcome.value


@pytest.mark.parametrize(
    ("program", "line", "said"),
    [
        ("x = [10]\nget_row(x[0])", 2, "RuntimeError: get_row: no such row"),
        ("x = 'a'\nx = [x][0]\ny = [get_row(id=z) for z in x]", 3, "get_row: id: expected int"),
        ("x = {}\nx['a']", 2, "KeyError: a"),
        ("while True: pass", 0, "TimeoutError"),
        ("x = 'x' * 10 ** 9", 1, "MemoryError"),
        ("def f(): return f()\nf()", 1, "RecursionError"),
        ("print('x' * 3_000)", 0, "MemoryError"),
        ("open('/etc/passwd')", 1, "PermissionError"),
        ("eval('missing(1)')", 1, "name 'missing' is not defined"),
    ],
)
def test_what_goes_wrong_has_its_line(program: str, line: int, said: str) -> None:
    bounds = Bounds(seconds=0.5, memory=20_000_000, recursion=50, printed=2_000)
    outcome: Any = CODE.run(program, bounds=bounds)

    assert "run" == outcome.stage
    assert (line, True) == (outcome.errors[0].line, said in str(outcome.errors[0])), outcome


def test_a_program_can_catch_what_a_call_raises() -> None:
    program = (
        "try:\n    get_row([10][0])\nexcept RuntimeError as error:\n    text = str(error)\ntext"
    )

    assert "get_row: no such row" == CODE.run(program).value


def test_the_sandbox_knows_the_names_that_checks_know() -> None:
    with monty.Monty() as pool, pool.checkout() as session:
        for name in sorted(MONTY.builtins):
            session.feed_run(f"{name}\nNone")
        for module in sorted(MONTY.modules):
            session.feed_run(f"import {module}")


@pytest.mark.parametrize("text", ["def f():\n    yield 1", "def f():\n    yield from []", "del x",
    "async def f():\n    async with x: pass", "try:\n    pass\nexcept* ValueError:\n    pass"])  # fmt: skip
def test_the_sandbox_refuses_the_syntax_that_checks_refuse(text: str) -> None:
    refused = {type(node) for node in ast.walk(ast.parse(text))} & set(MONTY.refused)
    said = pytest.raises(monty.MontyError, match="does not yet support")
    with monty.Monty() as pool, pool.checkout() as session, said:
        session.feed_run(text)

    assert refused


def test_the_sandbox_reads_the_stubs() -> None:
    for code in (CODE, AWAITED):
        with monty.Monty() as pool, pool.checkout() as session:
            # It defines functions; a class of hints needs a module that it does not have.
            stubs = [part for part in code.prompt().split("\n\n") if "TypedDict" not in part]
            session.feed_run("\n".join(["from __future__ import annotations", *stubs]))


def test_the_page_runs_as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("page_programs")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    page = ROOT / "docs" / "how-to" / "programs.md"
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    failures: list[str] = []
    for language, text, line in blocks(page):
        if language == "python" and ">>>" not in text:
            exec(compile(text, f"{page.name}:{line}", "exec"), module.__dict__)
        elif language == "py":
            test = doctest.DocTestParser().get_doctest(text, {}, "page", str(page), line)
            test.globs = module.__dict__
            runner.run(test, out=failures.append, clear_globs=False)

    assert [] == failures


@tool
def send(text: str) -> str:
    return text


@tool
def keep(value: Any) -> str:
    return str(value)


SENDING = tools_of([send, keep]).code()

#: Values of the sandbox that JSON has no form for.
FORMLESS = (
    "10**400", "-(10**400)", "float('nan')", "1e309", "send", "[send]", "{'a': send}", "lambda: 1",
    "range(3)", "range(1, 9, 2)", "ValueError('x')", "ValueError", "int", "print", "{1: 2}.keys()",
    "{1: 2}.items()", "slice(1, 2)", "iter([1])", "...", "{'a': [float('inf')]}", "{send: 1}",
    "{float('nan'): 1}", "b'x'", "(1, send)", "{send}",
)  # fmt: skip


@pytest.mark.parametrize("value", FORMLESS)
def test_a_value_without_a_form_in_json_is_an_error_at_its_line(value: str) -> None:
    for program, line in ((f"a = 1\n{value}\n# end\n", 2), (f"a = 1\nb = 2\nkeep({value})", 3)):
        outcome = SENDING.run(program)

        assert not outcome.ok, outcome.text()
        assert f"line {line}, column" in outcome.report()
        assert "form" in outcome.report(), outcome.report()


@pytest.mark.parametrize("name", ["def f(): pass", "class A: pass", "import math", "import re"])
def test_what_a_program_defines_or_imports_is_no_value(name: str) -> None:
    word = {"def": "f", "class": "A", "import": name[7:]}[name.partition(" ")[0]]
    assert "has no form in JSON" in SENDING.run(f"{name}\nsend({word})").report()


@pytest.mark.parametrize(
    ("program", "value"),
    [
        ("send('range(0, 3)')", "range(0, 3)"),
        ("send('<function x>')", "<function x>"),
        ("send('<b>bold</b>')", "<b>bold</b>"),
        ("send('f(x)')", "f(x)"),
        ("send('send')", "send"),
        ("10**399", 10**399),
        ("1e308", 1e308),
        ("f = send\nf('a')", "a"),
        ("list(range(3))", [0, 1, 2]),
        ("(1, {2}, frozenset([3]))", [1, [2], [3]]),
        ("[send(text=str(n)) for n in range(2)]", ["0", "1"]),
    ],
)
def test_values_that_look_like_objects_or_are_converted_are_sent(program: str, value: Any) -> None:
    assert value == SENDING.run(program).value


def live(pid: int) -> bool:
    """Whether the process *pid* runs; one that has ended and is not waited for does not."""
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False


def children() -> set[int]:
    """Return the processes of the sandbox that this process has started."""
    tasks = Path("/proc/self/task").glob("*/children")
    return {int(pid) for each in tasks for pid in each.read_text().split()}


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_cancelling_a_program_ends_its_process() -> None:
    async def main() -> None:
        before = children()
        for times in (1, 3):
            task = asyncio.create_task(SENDING.arun("while True: pass", bounds=Bounds(seconds=60)))
            await asyncio.sleep(0.5)
            started = {pid for pid in children() - before if live(pid)}
            assert started
            begin = asyncio.get_running_loop().time()
            for _ in range(times):
                task.cancel()
                await asyncio.sleep(0)
            with pytest.raises(asyncio.CancelledError):
                await task
            assert asyncio.get_running_loop().time() - begin < 5
            assert not any(map(live, started))

    asyncio.run(main())


def test_a_program_that_is_cancelled_before_it_starts_does_not_run() -> None:
    runner = MontyRunner()
    running: Any = runner.start("while True: pass", frozenset(), False, Bounds(seconds=60))
    running.stop()
    with pytest.raises(StopIteration) as ended:
        next(running)

    assert "the program was stopped" == ended.value.value.failure.message
    running.stop()
    other: Any = runner.start("1", frozenset(), False, Bounds())
    with pytest.raises(StopIteration):
        next(other)
    with pytest.raises(KeyError):
        other.throw(KeyError("x"))


def test_programs_do_not_wait_for_cancelled_ones() -> None:
    async def main() -> float:
        endless = [
            asyncio.create_task(SENDING.arun("while True: pass", bounds=Bounds(seconds=60)))
            for _ in range(4)
        ]
        await asyncio.sleep(0.5)
        for each in endless:
            each.cancel()
        begin = asyncio.get_running_loop().time()
        assert "a" == (await SENDING.arun("send('a')")).value
        await asyncio.gather(*endless, return_exceptions=True)
        return asyncio.get_running_loop().time() - begin

    assert asyncio.run(main()) < 10
