"""Run the beginning of every page as a reader does who has installed typesig and has no checkout.

    python .ci/first_blocks.py DOCS

runs, for each page of the folder DOCS that teaches, its blocks up to the first that needs a
checkout, each page in a folder and a process of its own.  The exit status is 1 if a block fails, or
if typesig is not an installed package.  Blocks that need a server or an extra beyond `examples`,
`mcp` and `openapi` are marked as `py`, or not at all, and are not run.
"""

from __future__ import annotations

import doctest
import io
import os
import re
import subprocess
import sys
import tempfile
import types
from pathlib import Path

_BLOCK = re.compile(r'^```(\w+)(?: title="([\w.]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_CHECKOUT = re.compile(r"\b(?:examples|tests|benchmarks|docs)[./]")
_SECONDS = 300


def pages(docs: Path) -> list[Path]:
    """Return the pages that teach."""
    taught = [docs / "index.md", docs / "tutorial.md", *sorted((docs / "how-to").glob("*.md"))]
    return [page for page in taught if page.exists()]


def run_page(page: Path) -> int:
    """Run the blocks of *page* in this folder, and return how many ran."""
    text = page.read_text(encoding="utf-8")
    for _, name, body in _BLOCK.findall(text):
        if name:
            Path(name).write_text(body, encoding="utf-8")
    module = types.ModuleType("page")
    sys.modules[module.__name__] = module
    ran = 0
    for language, name, body in _BLOCK.findall(text):
        if name or language not in ("python", "console"):
            continue
        if _CHECKOUT.search(body):
            break
        if language == "console":
            _console(body)
        else:
            _python(body, page.name, module)
        ran += 1
    return ran


def _python(body: str, name: str, module: types.ModuleType) -> None:
    if ">>>" not in body:
        exec(compile(body, name, "exec"), module.__dict__)
        return
    test = doctest.DocTestParser().get_doctest(body, module.__dict__, name, name, 0)
    test.globs = module.__dict__
    told = io.StringIO()
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=told.write, clear_globs=False)
    if told.getvalue():
        sys.exit(told.getvalue())


def _console(body: str) -> None:
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        done = subprocess.run(  # what a reader types
            command,
            shell=True,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_SECONDS,
        )
        if sorted(done.stdout.splitlines()) != sorted(shown.splitlines()):
            sys.exit(f"$ {command}\nexpected:\n{shown}\ngot:\n{done.stdout}")


def main() -> int:
    if sys.argv[1:2] == ["--page"]:
        print(run_page(Path(sys.argv[2])))
        return 0
    import typesig

    if "site-packages" not in str(typesig.__file__):
        sys.exit(f"typesig is not installed: it is {typesig.__file__}")
    bad = 0
    commands = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    for page in pages(Path(sys.argv[1]).resolve()):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, str(Path(__file__).resolve()), "--page", str(page)]
            done = subprocess.run(
                command,
                cwd=folder,
                env={**os.environ, "PATH": commands, "PYTHONPATH": folder},
                text=True,
                capture_output=True,
            )
        said = done.stdout.strip() or "0"
        ok = done.returncode == 0
        bad += not ok
        print(f"{page.name}: {said.splitlines()[-1] + ' blocks' if ok else 'FAILED'}")
        if not ok:
            print(done.stdout[-1500:], done.stderr[-1500:])
    return min(bad, 1)


if __name__ == "__main__":
    sys.exit(main())
