"""The cost of making tool definitions from typed functions, compared with other libraries.

Three things are measured, each in its own processes:

- definition: from one function with five parameters, a record as its result and a docstring in
  Google's style, to what is sent to a provider. Every function is different, with a different
  record and different texts, so that no cache contains it.
- module: a module of a hundred such decorated functions; in a process that has loaded the library
  and decorated functions before (warm), and in a new process that also imports the library (fresh),
  compared with the same module whose decorator does nothing; with tools whose hints are not read
  yet, and with tools whose hints are read at once.
- listing: `typesig list` of a module of ten, as a whole process, compared with bare Python, with
  `import pydantic` and with a start of pydantic (the import, and the schemas of one function).

Peers and typesig take turns, and each turn is a new process, so that a slow phase of the machine
affects all; the smallest CPU time of all rounds counts. A turn first warms up on functions that are
not counted.

    python -m pip install pydantic openai-agents fastmcp smolagents langchain-core \\
        pydantic-ai-slim docstring_parser typing_extensions click rich
    python benchmarks/extraction.py                    # with what is installed here
    python benchmarks/extraction.py --clean            # in a new environment, thrown away
    python benchmarks/extraction.py --postponed        # hints that are text (PEP 563)
    python benchmarks/extraction.py --profile          # where typesig spends its time
    python benchmarks/extraction.py --loaded           # what importing and decorating loads

What each peer does (`PEERS`): *decorated* is `tool(f)`, which reads the hints later, when they are
first needed; *read* reads them; *typesig* adds the schemas of arguments and result and the text of
the listing. *pydantic* is the minimum that makes both schemas, without the docstring: a
`TypeAdapter` of the function and one of its result. *pydantic described* makes a model of the
parameters with the texts of the docstring, as a definition needs them. The others are called as
their own documentation shows; most do not read the result.
Needs POSIX, for the CPU time of one child.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parent.parent
PACKAGES = (
    "pydantic", "openai-agents", "fastmcp", "smolagents", "langchain-core", "pydantic-ai-slim",
    "docstring_parser>=0.16", "typing_extensions>=4.12", "click", "rich",
)  # fmt: skip

HEAD = """
from typing import Literal, Optional
from typing_extensions import TypedDict
"""

#: pydantic refuses `typing.TypedDict` before Python 3.12, so this is that of typing_extensions.
FUNCTION = '''
class Order{n}(TypedDict):
    id: int
    customer: str
    total: float
    items: list[str]
    note: Optional[str]

{decorator}
def find_order{n}(
    customer: str,
    limit: int = 10,
    tags: Optional[list[str]] = None,
    exact: bool = False,
    sort: Literal["new", "old"] = "new",
) -> Order{n}:
    """Find order number {n} of a customer.

    Orders of the last {n} days come first, whatever their number.

    Args:
        customer: name of the customer, as order {n} has it
        limit: rows at most
        tags: keep only orders that have one of these
        exact: whether the name must be the same to the letter
        sort: which orders come first

    Returns:
        The first order found.
    """
    return {{"id": {n}, "customer": customer, "total": 1.5, "items": tags or [], "note": None}}
'''


class Peer(NamedTuple):
    """One way to make a definition: the *package* that it needs, its setup, its code for `f`.

    #: ours: whether it is typesig, which is compared with the others
    """

    name: str
    package: str
    setup: str
    act: str
    ours: bool = False


_PYDANTIC = "from pydantic import TypeAdapter\nfrom typing import get_type_hints"
_DESCRIBED = """
import inspect, docstring_parser
from typing import get_type_hints
from pydantic import Field, TypeAdapter, create_model

def described(f):
    hints = get_type_hints(f, include_extras=True)
    found = docstring_parser.parse(f.__doc__, docstring_parser.DocstringStyle.GOOGLE)
    texts = {param.arg_name: param.description for param in found.params}
    fields = {
        p.name: (hints[p.name], Field(... if p.default is p.empty else p.default,
                                      description=texts.get(p.name)))
        for p in inspect.signature(f).parameters.values()
    }
    create_model(f.__name__, **fields).model_json_schema()
    TypeAdapter(hints["return"]).json_schema()
"""
_SMOL = "from smolagents._function_type_hints_utils import get_json_schema"

PEERS = (
    Peer("decorated", "typesig", "from typesig import tool", "tool(f)", True),
    Peer("read", "typesig", "from typesig import tool", "tool(f).signature", True),
    Peer(
        "typesig", "typesig", "from typesig import tool",
        "t = tool(f); t.prompt(); t.signature.input_schema(); t.signature.to_json_schema()", True,
    ),
    Peer(
        "pydantic", "pydantic", _PYDANTIC,
        'TypeAdapter(f).json_schema(); TypeAdapter(get_type_hints(f)["return"]).json_schema()',
    ),
    Peer("pydantic described", "pydantic", _DESCRIBED, "described(f)"),
    Peer("smolagents schema", "smolagents", _SMOL, "get_json_schema(f)"),
    Peer("smolagents", "smolagents", "from smolagents import tool", "tool(f)"),
    Peer("openai-agents", "agents", "from agents import function_tool", "function_tool(f)"),
    Peer("FastMCP", "fastmcp", "from fastmcp.tools import Tool", "Tool.from_function(f)"),
    Peer(
        "LangChain", "langchain_core", "from langchain_core.tools import tool",
        "tool(f, parse_docstring=True).tool_call_schema.model_json_schema()",
    ),
    Peer("pydantic-ai", "pydantic_ai", "from pydantic_ai import Tool", "Tool(f).tool_def"),
)  # fmt: skip

#: Decorators of the module of a hundred; the first does nothing.
DECORATORS = {
    "bare": "def tool(f): return f",
    "typesig": "from typesig import tool",
    "typesig read": """
from typesig import tool as made
def tool(f):
    t = made(f)
    t.signature
    return t
""",
    "openai-agents": "from agents import function_tool as tool",
    "FastMCP": "from fastmcp.tools import Tool; tool = Tool.from_function",
    "pydantic": "from pydantic import validate_call as tool",
}

MANY = 100
#: Functions that one turn defines, after `WARM` functions that warm it up.
COUNTED = 40
WARM = 5

#: The code of one turn: prints the seconds of CPU time per function.
TURN = """
import functions, gc, json, time
{setup}
def act(f):
    {act}
for f in functions.ALL[:{warm}]:
    act(f)
gc.collect()
begun = time.process_time()
for f in functions.ALL[{warm}:]:
    act(f)
print(json.dumps((time.process_time() - begun) / len(functions.ALL[{warm}:])))
"""

#: Prints the seconds of CPU time that importing a decorated module takes with a warm library.
WARM_MODULE = """
import gc, json, time
import few_{key}
gc.collect()
begun = time.process_time()
import hundred_{key}
print(json.dumps(time.process_time() - begun))
"""

LOADED = """
import sys
before = set(sys.modules)
{code}
new = set(sys.modules) - before
watched = ("asyncio", "attr", "dataclasses", "docstring_parser", "json", "lark", "msgspec",
           "pydantic", "typing_extensions")
met = [name for name in watched if name in new]
mine = sorted(name for name in new if name.startswith("typesig"))
print(f"  {{len(new)}} modules, {{len(mine)}} of typesig; of those that are watched:",
      ", ".join(met) or "none")
if {every}:
    print("   ", " ".join(sorted(new)))
"""


def source(count: int, setup: str = "", decorator: str = "", postponed: bool = False) -> str:
    """Return the text of a module of *count* functions that share nothing a cache could keep."""
    first = "from __future__ import annotations\n" if postponed else ""
    functions = [FUNCTION.format(n=n, decorator=decorator) for n in range(count)]
    every = ", ".join(f"find_order{n}" for n in range(count))
    return f"{first}{HEAD}{setup}\n{''.join(functions)}\nALL = [{every}]\n"


def written(folder: Path, postponed: bool) -> None:
    """Write the measured modules into *folder*."""
    (folder / "functions.py").write_text(source(WARM + COUNTED, "", "", postponed))
    for name, setup in DECORATORS.items():
        for title, count in (("few", WARM), ("hundred", MANY)):
            text = source(count, setup, "@tool", postponed)
            (folder / f"{title}_{key(name)}.py").write_text(text)
    ten = source(10, DECORATORS["typesig"], "@tool", postponed)
    # pydantic needs typing_extensions before Python 3.12.
    (folder / "ten_tools.py").write_text(ten.replace("typing_extensions", "typing"))


def key(name: str) -> str:
    """Return *name* as a part of a module name."""
    return name.replace("-", "_").replace(" ", "_").lower()


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of a child process: this one without the settings of Python."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    path = os.pathsep.join((str(CHECKOUT), str(folder)))
    return {**kept, "PYTHONPATH": path, "PYTHONPYCACHEPREFIX": f"{folder}/cache"}


def told(python: str, code: str, env: dict[str, str], folder: Path) -> tuple[str, float]:
    """Return the output of a process that runs *code*, and its CPU seconds."""
    out = folder / "out.txt"
    with out.open("w") as stdout:
        child = subprocess.Popen(
            [python, "-W", "ignore", "-c", code], env=env, cwd=folder, stdout=stdout
        )
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"a process ended with status {child.returncode}; it ran:\n{code}")
    return out.read_text(), usage.ru_utime + usage.ru_stime


def measured(
    python: str, rounds: int, env: dict[str, str], folder: Path, peers: list[Peer]
) -> dict[str, float]:
    """Return the smallest CPU seconds per function of each peer."""
    best: dict[str, float] = {}
    for _ in range(rounds):
        for peer in peers:
            code = TURN.format(setup=peer.setup, act=peer.act, warm=WARM)
            took = json.loads(told(python, code, env, folder)[0])
            best[peer.name] = min(took, best.get(peer.name, took))
    return best


def print_definitions(best: dict[str, float]) -> None:
    """Print the microseconds per function, and the share of typesig in each peer's."""
    ours = [peer.name for peer in PEERS if peer.ours]
    print(f"\none definition      {'CPU us':>9}{''.join(f'{name + chr(47):>12}' for name in ours)}")
    for peer in PEERS:
        if peer.name not in best:
            continue
        shares = "".join(f"{best[name] / best[peer.name]:12.3f}" for name in ours)
        print(f"{peer.name:20}{best[peer.name] * 1e6:9.0f}{'' if peer.ours else shares}")
    for name, share, word in (("pydantic", 0.1, "bar"), ("pydantic", 0.05, "goal"),
                              ("pydantic described", 0.1, "bar"),
                              ("pydantic described", 0.05, "goal"),
                              ("smolagents schema", 1.0, "goal")):  # fmt: skip
        if name in best:
            print_verdict(f"typesig/{name}", best["typesig"] / best[name], share, word)


def print_verdict(what: str, share: float, most: float, word: str) -> None:
    """Print whether *share* is at most the bar or goal."""
    verdict = "reached" if share <= most else "MISSED"
    print(f"  {what:42}{share:8.3f}  {word} {most:.3f}  {verdict}")


def print_modules(
    python: str, rounds: int, env: dict[str, str], folder: Path, names: list[str]
) -> None:
    """Print the time to load the module of a hundred, minus the one with an empty decorator."""
    warm: dict[str, float] = {}
    fresh: dict[str, float] = {}
    for _ in range(rounds):
        for name in names:
            text, _ = told(python, WARM_MODULE.format(key=key(name)), env, folder)
            warm[name] = min(json.loads(text), warm.get(name, 1e9))
            _, whole = told(python, f"import hundred_{key(name)}", env, folder)
            fresh[name] = min(whole, fresh.get(name, 1e9))
    print(f"\nmodule of {MANY}       {'warm ms':>9}{'fresh ms':>10}   over the bare module")
    for name in names:
        over = [(each[name] - each["bare"]) * 1e3 for each in (warm, fresh)]
        if name == "bare":
            over = [warm[name] * 1e3, fresh[name] * 1e3]
        print(f"{name:20}{over[0]:9.1f}{over[1]:10.1f}")
    if "openai-agents" in names:
        for name in ("typesig", "typesig read"):
            for word, each in (("warm", warm), ("fresh", fresh)):
                share = (each[name] - each["bare"]) / (each["openai-agents"] - each["bare"])
                print_verdict(f"{name}/openai-agents, {word}", share, 0.1, "bar")


def print_listing(python: str, rounds: int, env: dict[str, str], folder: Path) -> None:
    """Print the time of `typesig list` for ten tools, minus bare Python."""
    listed = "from typesig.cli import main; import sys; sys.argv[1:] = ['list', 'ten_tools']; "
    codes = {
        "bare Python": "pass",
        "typesig list": listed + "sys.exit(main())",
        "import pydantic": "import pydantic",
        "pydantic in use": "from pydantic import TypeAdapter\nTypeAdapter(int).json_schema()",
    }
    cpu: dict[str, float] = {}
    wall: dict[str, float] = {}
    for name in [*codes] * (rounds + 1):
        begun = time.perf_counter()
        _, took = told(python, codes[name], env, folder)
        wall[name] = min(time.perf_counter() - begun, wall.get(name, 1e9))
        cpu[name] = min(took, cpu.get(name, 1e9))
    print(f"\nlisting of ten      {'CPU ms':>9}{'wall ms':>10}   over bare Python")
    for name in codes:
        less = (0.0, 0.0) if name == "bare Python" else (cpu["bare Python"], wall["bare Python"])
        print(f"{name:20}{(cpu[name] - less[0]) * 1e3:9.1f}{(wall[name] - less[1]) * 1e3:10.1f}")
    print_verdict("typesig list, seconds in all", wall["typesig list"], 1.0, "bar")
    for name in ("import pydantic", "pydantic in use"):
        share = (cpu["typesig list"] - cpu["bare Python"]) / (cpu[name] - cpu["bare Python"])
        print_verdict(f"typesig list/{name}", share, 1 / 3, "goal")


def print_loaded(python: str, env: dict[str, str], folder: Path, every: bool) -> None:
    """Print the modules that importing, decorating and listing load, minus those of bare Python."""
    plain = "from typesig import tool\n@tool\ndef f(a: int) -> int:\n    'Do.'\n    return a"
    for title, code in (
        ("import typesig", "import typesig"),
        ("one tool, a docstring without sections", plain),
        ("its schemas and prompt", f"{plain}\nf.prompt(); f.signature.input_schema()"),
        ("a module of five tools with sections", "import few_typesig"),
    ):
        print(title)
        print(told(python, LOADED.format(code=code, every=every), env, folder)[0], end="")


def print_profile(python: str, env: dict[str, str], folder: Path) -> None:
    """Print where typesig spends its time."""
    ours = next(peer for peer in PEERS if peer.name == "typesig")
    code = f"""
import cProfile, functions, pstats
{ours.setup}
def act(f):
    {ours.act}
for f in functions.ALL[:{WARM}]:
    act(f)
profile = cProfile.Profile()
for f in functions.ALL[{WARM}:]:
    profile.runcall(act, f)
pstats.Stats(profile).sort_stats("tottime").print_stats(40)
"""
    print(told(python, code, env, folder)[0])


def has(python: str, package: str, env: dict[str, str], folder: Path) -> bool:
    """Tell whether *python* can import *package*."""
    code = f"import importlib.util as u; print(u.find_spec({package!r}) is not None)"
    return told(python, code, env, folder)[0].strip() == "True"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7, help="turns of each peer (7)")
    parser.add_argument("--clean", action="store_true", help="measure in a new environment")
    parser.add_argument("--postponed", action="store_true", help="use hints that are text")
    parser.add_argument(
        "--only", default="definition,module,listing", help="the measurement to run"
    )
    parser.add_argument("--peers", help="names of peers, separated by commas (all installed)")
    parser.add_argument(
        "--profile", action="store_true", help="print where typesig spends its time"
    )
    parser.add_argument("--loaded", action="store_true", help="print which modules are loaded")
    parser.add_argument("--every", action="store_true", help="with --loaded, print all of them")
    parser.add_argument("--python", default=sys.executable, help="the Python to measure with")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python = cleaned(folder) if asked.clean else asked.python
        env = environment(folder)
        written(folder, asked.postponed)
        if asked.profile or asked.loaded:
            if asked.profile:
                print_profile(python, env, folder)
            if asked.loaded:
                print_loaded(python, env, folder, asked.every)
            return 0
        chosen = asked.peers.split(",") if asked.peers else [peer.name for peer in PEERS]
        peers = [p for p in PEERS if (p.ours or p.name in chosen)]
        peers = [p for p in peers if has(python, p.package, env, folder)]
        print(f"CPU time, the least of {asked.rounds} rounds; peers: "
              f"{', '.join(p.name for p in peers if not p.ours) or 'none installed'}")  # fmt: skip
        if "definition" in asked.only:
            print_definitions(measured(python, asked.rounds, env, folder, peers))
        known = {"bare", "typesig", "typesig read", *(peer.name for peer in peers)}
        if "module" in asked.only:
            names = [name for name in DECORATORS if name in known]
            print_modules(python, asked.rounds, env, folder, names)
        if "listing" in asked.only and "pydantic" in known:
            print_listing(python, asked.rounds, env, folder)
    return 0


def cleaned(folder: Path) -> str:
    """Return the Python of a new environment with the peers and the dependencies of typesig."""
    venv.create(folder / "venv", with_pip=True)
    python = str(folder / "venv" / "bin" / "python")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES]
    subprocess.run(pip, check=True)
    return python


if __name__ == "__main__":
    sys.exit(main())
