"""The cost of a start: a new process that imports typesig, decorates or parses.

Four things are measured, each compared with a peer that a user might start instead:

- import: `import typesig`, against `import pydantic`
- start: `from typesig import tool` and one documented function decorated and read, against
  `from pydantic import validate_call` and the same function decorated
- first parse: `from typesig import parse` and one signature parsed, against `import lark`: a
  common one, one with constraints, one with an intersection, a negation and a pattern, and one with
  a mistake; lark would only be the start of a parser for them
- list: `typesig list` of a module with ten tools, against `import pydantic`

Every round starts each case once in its own process, one after the other, so that a slow phase of
the machine affects all; the smallest figure of all rounds counts, minus that of bare Python.  Byte
code is compiled in advance, into a temporary folder.  typesig also reads the hint of the result,
which pydantic does not check here, so the comparison favours pydantic.

    python -m pip install pydantic lark docstring_parser typing_extensions click rich
    python benchmarks/start.py                  # in this environment
    python benchmarks/start.py --clean          # in a new one without lark's optional interegular
    python benchmarks/start.py --importtime     # where typesig spends its time

Columns: the case; CPU and wall milliseconds minus bare Python; for typesig the share of the peer's
time, by CPU and by wall; the maximum for the CPU share, and whether the share is below it.
Needs POSIX, for the CPU time of one child.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import venv
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parent.parent
NEEDED = (
    "pydantic",
    "lark>=1.2,<2",
    "docstring_parser>=0.16",
    "typing_extensions>=4.12",
    "click",
    "rich",
)

FUNCTION = '''
from typing import NotRequired, TypedDict

class Item(TypedDict):
    id: int
    title: str
    note: NotRequired[str | None]

ITEMS: list[Item] = [{"id": 1, "title": "Budget 2027"}]

@DECORATOR
def search(query: str, limit: int = 10) -> list[Item]:
    """Search for items matching query.

    Args:
        query: words to look for
        limit: rows at most
    """
    return [i for i in ITEMS if query.lower() in i["title"].lower()][:limit]
'''

PARSE = """
from typesig import parse
parse("(query :string, limit :int = 10) -> [{id :int, title :string}]")
"""
#: A module with ten tools, by its name.
TOOLS = "ten_tools"
LIST = f"""
import os, sys
sys.argv, sys.stdout = ["typesig", "list", "{TOOLS}"], open(os.devnull, "w")
from typesig.cli import main
main()
"""
PARSE_CONSTRAINTS = PARSE.replace(":int =", ":int[1..] =")
PARSE_PATTERN = PARSE_CONSTRAINTS.replace(
    "title :string", "title :string[/^[A-Z]/] & :not[:enum[None]]"
)
PARSE_MISTAKE = """
from typesig import TypesigError, parse
try:
    parse("(query :string, limit :int = 10) -> [{id :int, title :string]")
except TypesigError:
    pass
"""


class Case(NamedTuple):
    """The code of one process; only the cases of typesig have a *peer* and a *bar*."""

    name: str
    code: str
    peer: str = ""
    bar: float = 0.0


CASES = (
    Case("bare Python", "pass"),
    Case("import pydantic", "import pydantic"),
    Case("import typesig", "import typesig", "import pydantic", 0.02),
    Case(
        "pydantic start",
        "from pydantic import validate_call" + FUNCTION.replace("DECORATOR", "validate_call"),
    ),
    Case(
        "typesig start",
        # A tool reads its hints when they are first needed; here they are read, too.
        "from typesig import tool" + FUNCTION.replace("DECORATOR", "tool") + "search.signature\n",
        "pydantic start",
        0.28,
    ),
    Case("import lark", "import lark"),
    Case("typesig first parse", PARSE, "import lark", 0.6),
    Case("with constraints", PARSE_CONSTRAINTS, "import lark", 0.6),
    Case("with a pattern", PARSE_PATTERN, "import lark", 0.6),
    Case("with a mistake", PARSE_MISTAKE, "import lark", 0.7),
    Case("typesig list", LIST, "import pydantic", 0.8),
)
BARE = CASES[0]


def write_tools(folder: str) -> None:
    """Write the module `TOOLS` into *folder*."""
    head, decorator, function = FUNCTION.partition("@DECORATOR")
    tools = [(decorator + function).replace("search(", f"search_{n}(") for n in range(10)]
    text = "from typesig import tool" + head + "".join(tools).replace("DECORATOR", "tool")
    Path(folder, f"{TOOLS}.py").write_text(text)


def environment(cache: str) -> dict[str, str]:
    """Return the environment of a child process: default settings of Python, no byte code."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    path = os.pathsep.join((str(CHECKOUT), str(Path(cache).parent)))
    return {**kept, "PYTHONPATH": path, "PYTHONPYCACHEPREFIX": cache}


def once(python: str, code: str, env: dict[str, str]) -> tuple[float, float]:
    """Return the CPU and wall seconds of one process that runs *code*."""
    begun = time.perf_counter()
    child = subprocess.Popen([python, "-c", code], env=env, cwd=tempfile.gettempdir())
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - begun
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"a process ended with status {child.returncode}; it ran:\n{code}")
    return usage.ru_utime + usage.ru_stime, wall


def measured(python: str, rounds: int, env: dict[str, str]) -> dict[str, tuple[float, float]]:
    """Return the smallest CPU and wall seconds of each case."""
    for case in CASES:
        once(python, case.code, env)
    found: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for _ in range(rounds):
        for case in CASES:
            found[case.name].append(once(python, case.code, env))
    return {
        name: (min(cpu for cpu, _ in each), min(wall for _, wall in each))
        for name, each in found.items()
    }


def print_table(best: dict[str, tuple[float, float]]) -> None:
    """Print the figures minus bare Python, and the share of typesig in each peer's."""
    cpu0, wall0 = best[BARE.name]
    print(f"{'':22}{'CPU ms':>8}{'wall ms':>9}{'CPU share':>11}{'wall share':>12}{'bar':>8}")
    print(f"{BARE.name + ' itself':22}{cpu0 * 1e3:8.1f}{wall0 * 1e3:9.1f}")
    for case in CASES[1:]:
        cpu, wall = best[case.name][0] - cpu0, best[case.name][1] - wall0
        line = f"{case.name:22}{cpu * 1e3:8.1f}{wall * 1e3:9.1f}"
        if case.peer:
            share = cpu / (best[case.peer][0] - cpu0)
            wall_share = wall / (best[case.peer][1] - wall0)
            verdict = "reached" if share <= case.bar else "MISSED"
            line += f"{share:11.3f}{wall_share:12.3f}{case.bar:8.3f}  {verdict}"
        print(line)


_LINE = re.compile(r"import time:\s+(\d+) \|\s+(\d+) \| +(\S+)")


def print_importtime(python: str, env: dict[str, str], rounds: int, heaviest: int) -> None:
    """Print the slowest modules of each case of typesig, without those of bare Python."""
    known = set(import_times(python, BARE.code, env, 1))
    for case in CASES:
        if not case.peer:
            continue
        times = import_times(python, case.code, env, rounds)
        mine = {name: each for name, each in times.items() if name not in known}
        whole = sum(own for own, _ in mine.values()) / 1e3
        print(f"\n{case.name}: {len(mine)} modules, {whole:.1f} ms in their own code (wall)")
        print(f"{'own ms':>8}{'with what it imports':>22}  module")
        for name, (own, below) in sorted(mine.items(), key=lambda row: -row[1][0])[:heaviest]:
            print(f"{own / 1e3:8.2f}{below / 1e3:22.2f}  {name}")


def import_times(
    python: str, code: str, env: dict[str, str], rounds: int
) -> dict[str, tuple[int, int]]:
    """Return the smallest times of each module in µs: its own, and with its imports."""
    found: dict[str, tuple[int, int]] = {}
    for _ in range(rounds):
        told = subprocess.run(
            [python, "-X", "importtime", "-c", code],
            env=env, cwd=tempfile.gettempdir(), capture_output=True, text=True, check=True,
        ).stderr  # fmt: skip
        for own, below, name in _LINE.findall(told):
            before = found.get(name, (sys.maxsize, sys.maxsize))
            found[name] = (min(before[0], int(own)), min(before[1], int(below)))
    return found


def print_environment(python: str, env: dict[str, str]) -> bool:
    """Print the versions that are measured; return whether interegular is installed."""
    names = ("pydantic", "pydantic_core", "lark", "docstring_parser", "interegular")
    code = f"""
import platform
from importlib.metadata import PackageNotFoundError, version
def of(name):
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"
print(platform.python_implementation(), platform.python_version(), *(
    f"{{name}}={{of(name)}}" for name in {names!r}))
"""
    run = subprocess.run(
        [python, "-c", code], env=env, cwd=tempfile.gettempdir(), capture_output=True, text=True
    )
    print(run.stdout.strip())
    return "interegular=none" not in run.stdout


def clean_python(folder: str) -> str:
    """Return the Python of a new environment with only the peers and the dependencies."""
    venv.create(folder, with_pip=True)
    python = str(Path(folder, "bin", "python"))
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *NEEDED]
    subprocess.run(pip, check=True)
    return python


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15, help="processes per case (15)")
    parser.add_argument("--clean", action="store_true", help="measure in a new environment")
    parser.add_argument("--importtime", action="store_true", help="print the slowest modules")
    parser.add_argument(
        "--heaviest", type=int, default=15, help="the number of modules to print (15)"
    )
    parser.add_argument("--python", default=sys.executable, help="the Python to measure with")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        python = clean_python(f"{folder}/venv") if asked.clean else asked.python
        write_tools(folder)
        env = environment(f"{folder}/cache")
        if print_environment(python, env):
            print("note: lark imports interegular where it is installed; most users have none:")
            print("      --clean measures without it")
        if asked.importtime:
            measured(python, 1, env)
            print_importtime(python, env, max(1, min(5, asked.rounds)), asked.heaviest)
        else:
            print(f"smallest of {asked.rounds} rounds, over bare Python\n")
            print_table(measured(python, asked.rounds, env))
    return 0


if __name__ == "__main__":
    sys.exit(main())
