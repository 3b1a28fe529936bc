"""The blocks of the page on the tools of servers run as written."""

from __future__ import annotations

import doctest

import pytest

pytest.importorskip("mcp")

from tests.house.test_docs import ROOT, blocks

PAGE = ROOT / "docs" / "how-to" / "tools-of-servers.md"


def test_the_blocks_run_as_written() -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    globs: dict[str, object] = {"__name__": "page"}
    for language, text, line in blocks(PAGE):
        if language == "py":
            test = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), line)
            test.globs = globs
            failures: list[str] = []
            runner.run(test, out=failures.append, clear_globs=False)

            assert not failures, "".join(failures)
