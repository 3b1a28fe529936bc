"""The page on serving runs where the SDK is installed, and so does the server of the examples."""

from __future__ import annotations

import asyncio
import doctest
import sys
import types

import pytest

pytest.importorskip("mcp")

from mcp import Client

from tests.house.test_docs import ROOT, blocks

PAGE = ROOT / "docs" / "how-to" / "serve-mcp.md"


def test_the_page_on_serving_runs_as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("page_on_serving")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    failures: list[str] = []
    for language, text, line in blocks(PAGE):
        if language in ("python", "py") and ">>>" not in text:
            exec(compile(text, f"{PAGE.name}:{line}", "exec"), module.__dict__)
        elif language in ("python", "py"):
            test = doctest.DocTestParser().get_doctest(
                text, module.__dict__, f"{PAGE.name}:{line}", str(PAGE), line
            )
            test.globs = module.__dict__
            runner.run(test, out=failures.append, clear_globs=False)

    assert not failures, "".join(failures)


def test_the_server_of_the_examples_is_served() -> None:
    from examples import served

    async def use() -> list[str]:
        async with Client(served.server.lowlevel) as client:
            raised = await client.call_tool("raise_prices", {"percent": 10})
            found = await client.call_tool("search", {"query": "2027"})
        return [str(each.content[0].text) for each in (raised, found)]  # type: ignore[union-attr]

    raised, found = asyncio.run(use())

    assert '{"Budget 2027":10.45,"Budget 2028":13.2}' == raised
    assert '[{"id":7,"title":"Budget 2027","price":10.45}]' == found
    with pytest.raises(AttributeError):
        served.nothing  # noqa: B018
