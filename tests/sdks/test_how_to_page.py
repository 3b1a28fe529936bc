"""The blocks of the page on frameworks run, those of each framework where it is installed."""

from __future__ import annotations

import doctest
import re
import sys
import types

import pytest

from tests.house.test_docs import ROOT, blocks

PAGE = ROOT / "docs" / "how-to" / "frameworks.md"
FRAMEWORKS = {
    "LangChain": "langchain_core",
    "LangGraph": "langgraph",
    "openai-agents": "agents",
    "pydantic-ai": "pydantic_ai",
    "smolagents": "smolagents",
}


def section_at(line: int) -> str:
    """Return the heading that stands above *line* of the page."""
    above = PAGE.read_text(encoding="utf-8").splitlines()[:line]
    return next(text.removeprefix("## ") for text in reversed(above) if text.startswith("#"))


def test_every_section_of_a_framework_has_a_block() -> None:
    found = {section_at(line) for language, _, line in blocks(PAGE) if language == "py"}

    assert set(FRAMEWORKS) == found


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_the_blocks_of_a_framework_run_as_written(
    framework: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(FRAMEWORKS[framework])
    module = types.ModuleType("page_" + re.sub(r"\W", "_", framework))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for language, text, line in blocks(PAGE):
        if language == "python" and ">>>" not in text:
            exec(compile(text, f"{PAGE.name}:{line}", "exec"), module.__dict__)
        elif language == "py" and framework == section_at(line):
            test = doctest.DocTestParser().get_doctest(text, {}, framework, str(PAGE), line)
            test.globs = module.__dict__
            failures: list[str] = []
            runner.run(test, out=failures.append, clear_globs=False)

            assert not failures, "".join(failures)
