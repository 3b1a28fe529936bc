"""The cost of one tool definition with new hints, by stage and compared with other libraries.

From a function with five parameters, a record as its result and a docstring in Google's style, to
the prompt and both schemas. Each function is new, with a new record and new texts, so that no cache
contains it. `extraction.py` has the function and the calls of each peer; this program runs them
faster, in one process for each library, and shows where the time of typesig goes.

    python -m pip install pydantic smolagents openai-agents toolschema pydantic-ai-slim \\
        docstring_parser typing_extensions
    python benchmarks/definitions.py                  # with the peers that are installed
    python benchmarks/definitions.py --postponed      # hints that are text (PEP 563)

Peers and typesig take turns; the smallest CPU time of all rounds counts. Columns: microseconds of
CPU time for one function; the time of typesig divided by the peer's, for the prompt and both
schemas, and for the definition that OpenAI takes, which toolschema and pydantic-ai make.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from extraction import COUNTED, PEERS, WARM, Peer, environment, has, measured, source, told

#: What toolschema makes too, without the docstrings.
MANY = Peer(
    "for openai", "typesig", "from typesig import tools_of",
    'tools_of([f]).project("openai").definitions', True,
)  # fmt: skip

COMPARED = (
    "pydantic",
    "pydantic described",
    "smolagents schema",
    "smolagents",
    "openai-agents",
    "pydantic-ai",
)
TOOLSCHEMA = Peer(
    "toolschema", "toolschema", "from toolschema import schema", "schema(f).to_openai()"
)

#: The steps of a definition; each uses what those before it made.
STAGES = {
    "the callable": "callee = read_callee(f)",
    "decorated": "t = tool(f)",
    "its docstring": "doc = read_docstring(f.__doc__)",
    "its record": "record = make_context(Options(), callee.scope).read(callee.returns)",
    "the whole signature": "signature = t.signature",
    "prompt": "t.prompt()",
    "schema of arguments": "signature.input_schema()",
    "schema of result": "signature.to_json_schema()",
}

#: Prints the seconds of CPU time of each stage for one function.
STAGED = """
import functions, gc, json, time
from typesig import tool
from typesig.extraction.callables.callables import read_callee
from typesig.extraction.docstrings.docs import _read, read_docstring
from typesig.extraction.readers import make_context
from typesig.extraction.callables.options import Options
stages = {stages!r}
codes = [compile(code, name, "exec") for name, code in stages.items()]
took = [0.0] * len(codes)
gc.disable()
for number, f in enumerate(functions.ALL):
    names = dict(globals())
    for place, code in enumerate(codes):
        if place == 4:
            # The docstring was read for the measurement alone.
            _read.cache_clear()
        begun = time.perf_counter()
        exec(code, names)
        if number >= {warm}:
            took[place] += time.perf_counter() - begun
print(json.dumps([each / {counted} for each in took]))
"""


def print_stages(python: str, rounds: int, env: dict[str, str], folder: Path) -> None:
    """Print the smallest time of each stage."""
    code = STAGED.format(stages=STAGES, warm=WARM, counted=COUNTED)
    found = [json.loads(told(python, code, env, folder)[0]) for _ in range(rounds)]
    print("\nstage                    us")
    for place, name in enumerate(STAGES):
        print(f"{name:22}{min(each[place] for each in found) * 1e6:6.0f}")
    print("The callable is a part of decorating, docstring and record are parts of the signature.")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7, help="turns of each peer (7)")
    parser.add_argument("--postponed", action="store_true", help="use hints that are text")
    parser.add_argument("--python", default=sys.executable, help="the Python to measure with")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        env = environment(folder)
        first = "from __future__ import annotations\n" if asked.postponed else ""
        (folder / "functions.py").write_text(first + source(WARM + COUNTED))
        ours = next(peer for peer in PEERS if peer.name == "typesig")
        peers = [ours, MANY, *[peer for peer in PEERS if peer.name in COMPARED], TOOLSCHEMA]
        peers = [p for p in peers if p.ours or has(asked.python, p.package, env, folder)]
        best = measured(asked.python, asked.rounds, env, folder, peers)
        print(f"{'':22}{'us':>6}{'typesig/':>12}{'for openai/':>12}")
        for peer in peers:
            shares = [best[each.name] / best[peer.name] for each in (ours, MANY)]
            share = "" if peer.ours else "".join(f"{each:12.3f}" for each in shares)
            print(f"{peer.name:22}{best[peer.name] * 1e6:6.0f}{share}")
        print_stages(asked.python, asked.rounds, env, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
