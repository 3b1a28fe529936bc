"""The blocks of the page on governed calls that need packages of extras run where these are."""

from __future__ import annotations

import doctest
import sys
import types

import pytest

pytest.importorskip("mcp")
pytest.importorskip("opentelemetry.trace")

from tests.house.test_docs import ROOT, blocks

PAGE = ROOT / "docs" / "how-to" / "govern-calls.md"


def test_the_page_on_governed_calls_runs_as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("page_on_governance")
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
