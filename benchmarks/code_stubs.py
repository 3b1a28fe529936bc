"""Whether the stubs that programs are written from are Python: for parsers, mypy and Monty.

    python -m pip install -e '.[code,test,openapi]' mypy
    python benchmarks/code_stubs.py               # tools of examples/, 100 generated toolsets
    python benchmarks/code_stubs.py --count 1000 --seed 7 --show 20
    python benchmarks/mcp_tools.py --list --save tools.json
    python benchmarks/code_stubs.py tools.json    # tools of real MCP servers
    python benchmarks/code_stubs.py bfcl_eval     # functions of a benchmark, if installed

A stub is what `tools.code().prompt()` returns: one of each toolset, one of the same with calls that
are awaited, and one of each tool alone.  The tools of an MCP server are a toolset.  Generated
toolsets have the signatures of the laws in the tests, and some names that Python uses itself.  The
columns count stubs:

- ast       `ast.parse` takes the stub
- mypy      `mypy --strict` finds nothing in it, as a .pyi file with the imports of its hints.  One
            rule is off: a result that nothing is known of has no hint.  Numbers of more than 64
            bits, which mypy does not read, are cut
- parsed    Monty's parser takes it; `(TypedDict)` is cut, since Monty has no classes with bases
- called    of the stubs of one tool: a program that only calls it, by its name in the stub and with
            arguments that conform, reaches a fake in Monty
- typed     of the same programs: Monty's own type check finds nothing, with the stub of the tool
- no call   tools of which no arguments that conform were found

A tool of a file that is not read without widening is left out, and counted.  The first failures are
printed.  The exit status is 1 if a stub is refused in a column, 2 if a judge is not installed.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

CHECKOUT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(CHECKOUT))

from hypothesis import HealthCheck, Phase, given, seed, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from tokens import from_file, toolset_of  # noqa: E402

from tests.generators import signatures, texts  # noqa: E402
from typesig import Signature, Tool, Toolset, TypesigError, tools_of  # noqa: E402
from typesig.algebra.constructors import record  # noqa: E402
from typesig.algebra.redaction import redact  # noqa: E402
from typesig.notations.python.writer import make_function_names, make_python_names  # noqa: E402
from typesig.relations.sampling.samples import samples  # noqa: E402

COLUMNS = ("ast", "mypy", "parsed", "called", "typed")

#: What a stub needs ahead to be a module.
IMPORTS = (
    "from datetime import datetime\n"
    "from typing import Any, Callable, Literal, NotRequired, TypeAlias, TypedDict\n"
)

#: All that `--strict` asks for, but for hints of results of which nothing is known.
STRICT = ("--strict", "--allow-untyped-defs", "--allow-incomplete-defs")

#: Names of generated tools: some that are no names in Python, and some that Python uses itself.
NAMES = ("search", "get-item", "a.b", "class", "list", "Item", "search_result", "dict", "Any")

#: Files for one process of mypy, whose memory grows with them.
FILES = 3_000

#: Whole numbers of more than 64 bits, which mypy does not read in `Literal`.
_HUGE = re.compile(r"\b[1-9][0-9]{18,}\b")

_CLASS = re.compile(r"^(class \w+)\(TypedDict\):", re.MULTILINE)


class Stub(NamedTuple):
    """A stub, and a call of its only tool as a program, or an empty text.

    #: name: the toolset, and the tool if the stub is of one alone
    """

    name: str
    text: str
    called: str
    program: str


# the stubs


def stubs_of(name: str, tools: Toolset) -> Iterator[Stub]:
    """Yield the stubs of *tools*: of all of them, and of each alone."""
    for awaited in (False, True):
        what = f"{name}, awaited" if awaited else name
        yield Stub(what, tools.code(awaited=awaited).prompt(), "", "")
    for one in tools:
        (called,) = make_function_names([one.name])
        text = tools.select(one.name).code().prompt()
        yield Stub(f"{name} {one.name}", text, called, program_of(called, one))


def program_of(called: str, one: Tool[..., Any]) -> str:
    """Return a call of the function *called*, or an empty text if no arguments are found."""
    signature = redact(one.signature)
    arguments = record(signature.params, None)
    try:
        (sent,) = samples(Signature((), arguments, signature.names), count=1, json=True)
    except (TypesigError, ValueError):
        return ""
    names = make_python_names(field.name for field in signature.params)
    given = [
        f"{name}={sent[field.name]!r}"
        for name, field in zip(names, signature.params, strict=True)
        if field.name in sent
    ]
    return f"{called}({', '.join(given)})"


def of_examples() -> Iterator[tuple[str, Toolset]]:
    """Yield the toolsets of `examples`."""
    from examples import booking, explicit, openapi_shop, repair, served, shop, streaming
    from typesig import openapi

    for module in (explicit, shop, streaming):
        yield module.__name__, tools_of(module)
    for held in (booking, repair, served):
        yield held.__name__, held.TOOLS
    tools = openapi.tools_from(openapi_shop.DOCUMENT, base="https://books.example")
    yield openapi_shop.__name__, tools


def of_file(path: Path) -> Iterator[tuple[str, Toolset]]:
    """Yield the toolsets of a file: one for each server."""
    servers: dict[str, list[Any]] = {}
    left_out = 0
    for tool in from_file(path, results=True):
        if tool is None:
            left_out += 1
        else:
            servers.setdefault(tool.server, []).append(tool)
    print(f"{path}: {left_out} tools are not read without widening", file=sys.stderr)
    for server, tools in servers.items():
        yield server, toolset_of(tools)


def generated(count: int, start: int) -> Iterator[tuple[str, Toolset]]:
    """Yield *count* toolsets of generated signatures."""
    made: list[Toolset] = []

    @seed(start)
    @settings(
        max_examples=count, database=None, deadline=None, suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )  # fmt: skip
    @given(
        st.lists(signatures(titled=True), min_size=1, max_size=3),
        st.permutations(NAMES),
        st.none() | texts,
    )
    def run(found: list[Signature], names: list[str], text: str | None) -> None:
        made.append(
            Toolset(
                Tool(lambda **sent: sent, each, name=name, description=text)
                for name, each in zip(names, found, strict=False)
            )
        )

    run()
    for number, tools in enumerate(made, 1):
        yield f"generated {number}", tools


# the judges: each returns what is wrong with a stub, by its place in the list

Judged = dict[int, str]


def by_ast(stubs: list[Stub]) -> Judged:
    """Return what `ast.parse` refuses."""
    found: Judged = {}
    for at, stub in enumerate(stubs):
        try:
            ast.parse(stub.text)
        except (SyntaxError, MemoryError, RecursionError) as error:
            found[at] = f"{type(error).__name__}: {error}"
    return found


def by_mypy(stubs: list[Stub]) -> Judged:
    """Return the first error of mypy in each stub."""
    found: Judged = {}
    for start in range(0, len(stubs), FILES):
        with tempfile.TemporaryDirectory(prefix="typesig-stubs-") as folder:
            for at in range(start, min(start + FILES, len(stubs))):
                text = IMPORTS + _HUGE.sub("9" * 18, stubs[at].text)
                Path(folder, f"stub_{at}.pyi").write_text(text, "utf-8", "surrogatepass")
            command = [sys.executable, "-m", "mypy", *STRICT, "--config-file=", "--no-incremental"]
            command += ["--no-error-summary", "--hide-error-context", "."]
            ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        lines = ran.stdout.splitlines()
        told = [re.match(r"stub_(\d+)\.pyi:(\d+): error: (.*)", line) for line in lines]
        errors = [match for match in told if match is not None]
        if ran.returncode and not errors:
            raise RuntimeError(f"mypy failed: {ran.stdout[-2000:]}{ran.stderr[-2000:]}")
        for match in errors:
            at, line = int(match[1]), int(match[2])
            source = (IMPORTS + stubs[at].text).splitlines()[line - 1]
            found.setdefault(at, f"{match[3]}\n    {source}")
    return found


def by_monty(stubs: list[Stub]) -> tuple[Judged, Judged, Judged]:
    """Return what Monty does not parse, and the programs that do not run, or are not typed."""
    import pydantic_monty as monty

    parsed: Judged = {}
    called: Judged = {}
    typed: Judged = {}
    with monty.Monty() as pool:
        for at, stub in enumerate(stubs):
            # The stub is read whole before the first line ends the program.
            source = "raise KeyError('read')\n" + _CLASS.sub(r"\1:", stub.text)
            try:
                with pool.checkout() as session:
                    session.feed_run(source)
            except monty.MontyError as error:
                if not isinstance(error.exception(), KeyError):
                    parsed[at] = str(error)
            if stub.program:
                reason = _run(monty, pool, stub)
                if reason:
                    called[at] = f"{reason}\n    {stub.program}"
                reason = _run(monty, pool, stub, type_check=True)
                if reason:
                    typed[at] = f"{reason}\n    {stub.program}"
    return parsed, called, typed


def _run(monty: Any, pool: Any, stub: Stub, type_check: bool = False) -> str:
    """Return why the program of *stub* does not reach its tool, or an empty text."""
    asked: list[str] = []

    def fake(*args: Any, **kwargs: Any) -> str:
        asked.extend(kwargs)
        return "done"

    try:
        stubs = {"type_check_stubs": IMPORTS + stub.text} if type_check else {}
        with pool.checkout(type_check=type_check, **stubs) as session:
            value = session.feed_run(stub.program, external_lookup={stub.called: fake})
    except monty.MontyError as error:
        return str(error)
    named = [
        each.arg for each in ast.walk(ast.parse(stub.program)) if isinstance(each, ast.keyword)
    ]
    return "" if (value, asked) == ("done", named) else f"it returned {value!r}"


# the report


def judged(stubs: list[Stub]) -> dict[str, Judged]:
    """Return what each judge refuses, by column."""
    made = (by_ast(stubs), by_mypy(stubs), *by_monty(stubs))
    return dict(zip(COLUMNS, made, strict=True))


def report(source: str, toolsets: list[tuple[str, Toolset]], show: int) -> bool:
    """Print a row for *source*, and the first *show* failures of each column; tell if all hold."""
    stubs = [stub for name, tools in toolsets for stub in stubs_of(name, tools)]
    found = judged(stubs)
    tools = sum(len(each) for _, each in toolsets)
    programs = sum(bool(stub.program) for stub in stubs)
    counts = {column: len(stubs) - len(found[column]) for column in COLUMNS}
    for column in ("called", "typed"):
        counts[column] = programs - len(found[column])
    row = f"{source:30}{len(toolsets):10}{tools:8}{len(stubs):8}"
    print(row + "".join(f"{counts[column]:8}" for column in COLUMNS) + f"{tools - programs:9}")
    for column, wrong in found.items():
        # One fault often refuses several stubs.
        told = {reason: stubs[at].name for at, reason in reversed(wrong.items())}
        for reason, name in [*reversed(told.items())][:show]:
            print(f"  {column}: {name}: {reason}")
    return not any(found.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path, help="saved listings, or bfcl_eval")
    parser.add_argument("--count", type=int, default=100, help="generated toolsets (100)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the toolsets (1)")
    parser.add_argument("--show", type=int, default=5, help="failures that a column prints (5)")
    asked = parser.parse_args()
    missing = [name for name in ("mypy", "pydantic_monty") if find_spec(name) is None]
    if missing:
        print(f"not installed: {', '.join(missing)}", file=sys.stderr)
        return 2
    warnings.simplefilter("ignore", FutureWarning)
    sources: dict[str, Callable[[], Iterator[tuple[str, Toolset]]]] = {}
    for path in asked.files:
        sources[path.name] = lambda path=path: of_file(path)
    if not asked.files:
        sources["examples"] = of_examples
        sources["generated"] = lambda: generated(asked.count, asked.seed)
    print(f"{'source':30}{'toolsets':>10}{'tools':>8}{'stubs':>8}", end="")
    print("".join(f"{column:>8}" for column in COLUMNS) + f"{'no call':>9}")
    right = [report(name, list(source()), asked.show) for name, source in sources.items()]
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
