"""Programs run in the real sandbox, and it agrees with what is known of it."""

from __future__ import annotations

import ast
import asyncio
import doctest
import sys
import threading
import types
from typing import Any, TypedDict

import pytest

pytest.importorskip("pydantic_monty")

import pydantic_monty as monty

from tests.house.test_docs import ROOT, blocks
from typesig import ToolError, tool, tools_of
from typesig.programs import Bounds
from typesig.programs.checks.sandbox import MONTY


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
