"""The blocks of the pages on the tools of servers run as written."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

pytest.importorskip("mcp")

from tests.house.test_docs import ROOT, blocks

PAGES = [ROOT / "docs" / "how-to" / name for name in ("tools-of-servers.md", "pin-tools.md")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_blocks_run_as_written(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A block may write a file.
    monkeypatch.chdir(tmp_path)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    globs: dict[str, object] = {"__name__": "page"}
    for language, text, line in blocks(page):
        if language == "py":
            test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), line)
            test.globs = globs
            failures: list[str] = []
            runner.run(test, out=failures.append, clear_globs=False)

            assert not failures, "".join(failures)
