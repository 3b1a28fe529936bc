"""Whether engines of constrained decoding take what typesig gives them, on generated types.

    python -m pip install -e '.[test]' llguidance
    python benchmarks/engine_grammars.py
    python benchmarks/engine_grammars.py --engines gbnf xgrammar --count 1000
    python benchmarks/engine_grammars.py --calls

Types and values are those of the laws in the tests.  GBNF is judged by the reader in tests/gbnf.py,
JSON Schemas, Lark and regular expressions by llguidance, and, if it is installed, schemas and
structural tags by XGrammar, which needs torch.

- types        that were drawn; without a form: no value fits, or values are within their own kind
- with losses  types of which something was told
- written      of the values that conform, those that a model can write, of all
- refused      of values next to these, which do not conform, those that it cannot write, of all
- told         those that it can write, where a loss was told
- untold       those that it can write, without a loss: must be 0

With `--calls`, each dialect has a row: of texts with calls that it writes, those let through; of
wrong calls, those refused.

The exit status is 1 if something untold is let through, or what conforms cannot be written.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(CHECKOUT))

from hypothesis import HealthCheck, Phase, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from tests.engines import Judge, orders, spelled  # noqa: E402
from tests.gbnf import Gbnf  # noqa: E402
from tests.generators import conforming, near_misses  # noqa: E402
from tests.providers.engines.answers import UNBOUNDED, answers  # noqa: E402
from typesig import tool, tools_of  # noqa: E402
from typesig.errors import Unsupported  # noqa: E402
from typesig.providers.dialects.call_writer import write_calls  # noqa: E402
from typesig.providers.dialects.registry import DIALECTS  # noqa: E402
from typesig.providers.engines.engine import Constraint  # noqa: E402
from typesig.providers.rewriting.descriptions import is_sendable  # noqa: E402
from typesig.tools.answers.contract import Contract  # noqa: E402
from typesig.validation.plain_data import to_plain  # noqa: E402

Accepts = Callable[[str], bool]

ENGINES: dict[str, Callable[[Any], Constraint[Any]]] = {
    "gbnf": lambda contract: contract.project("gbnf", **UNBOUNDED),
    "llguidance": lambda contract: contract.project("llguidance", **UNBOUNDED),
    "xgrammar": lambda contract: contract.project("xgrammar", **UNBOUNDED),
    "openai lark": lambda contract: contract.project("openai-grammar", syntax="lark", **UNBOUNDED),
    "openai regex": lambda contract: contract.project(
        "openai-grammar", syntax="regex", **UNBOUNDED
    ),
}


class XGrammar:
    """XGrammar with one token for each byte."""

    def __init__(self) -> None:
        import xgrammar

        self._module = xgrammar
        self._end = 256
        words = [bytes([code]) for code in range(self._end)] + [b"</s>"]
        raw = xgrammar.VocabType.RAW
        info = xgrammar.TokenizerInfo(words, vocab_type=raw, stop_token_ids=[self._end])
        self._compiler = xgrammar.GrammarCompiler(info)

    def compiled(self, made: Constraint[Any]) -> Accepts:
        """Return the test of texts."""
        is_tag = made.syntax == "structural_tag"
        compiler = self._compiler
        compiled = (compiler.compile_structural_tag if is_tag else compiler.compile_json_schema)(
            made.text
        )

        def accepts(text: str) -> bool:
            matcher = self._module.GrammarMatcher(compiled)
            return bool(matcher.accept_string(text) and matcher.accept_token(self._end))

        return accepts


def judges(names: list[str]) -> dict[str, Callable[[Constraint[Any]], Accepts]]:
    """Return the judges of the engines *names* that are installed."""
    found: dict[str, Callable[[Constraint[Any]], Accepts]] = {}
    for name in names:
        try:
            if name == "gbnf":
                found[name] = lambda made: Gbnf(made.grammar).accepts
            elif name == "xgrammar":
                found[name] = XGrammar().compiled
            else:
                import llguidance  # noqa: F401

                found[name] = lambda made: Judge(made.grammar, made.syntax).accepts
        except ImportError as error:
            print(f"{name}: its judge is not installed: {error}")
    return found


def answers_of(
    judge: Callable[[Constraint[Any]], Accepts], project: Any, count: int
) -> Counter[str]:
    """Return what was found of *count* types."""
    tally: Counter[str] = Counter()

    @settings(
        max_examples=count, database=None, derandomize=True, deadline=None,
        suppress_health_check=list(HealthCheck), phases=[Phase.generate],
    )  # fmt: skip
    @given(st.data())
    def run(data: st.DataObject) -> None:
        signature = data.draw(answers())
        value = to_plain(data.draw(conforming(signature.returns, signature.names)))
        wrong = to_plain(data.draw(near_misses(value)))
        tally["types"] += 1
        try:
            made = project(Contract[Any](signature))
        except Unsupported:
            tally["without a form"] += 1
            return
        tally["with losses"] += bool(made.losses)
        accepts = judge(made)
        if signature.accepts(value) and is_sendable(value):
            tally["conforming"] += 1
            tally["written"] += any(accepts(spelled(each)) for each in orders(value))
        if is_sendable(wrong) and not made.read(json.dumps(wrong)).ok:
            tally["near misses"] += 1
            taken = [text for text in map(spelled, orders(wrong)) if accepts(text)]
            if any(not made.read(text).ok for text in taken):
                tally["told" if made.losses else "untold"] += 1
            else:
                tally["refused"] += 1

    run()
    return tally


@tool
def book(city: str, days: int = 1, tags: list[str] | None = None) -> str:
    """Book a journey."""
    return f"{days} days in {city}, {tags}"


def of_calls(name: str, judge: Callable[[Constraint[Any]], Accepts]) -> bool:
    """Print a row for each dialect; return whether all is right."""
    tools = tools_of([book])
    is_right = True
    odd: dict[str, Any] = {"city": "<a>\n", "days": 2, "tags": ["x", "'"]}
    good = [
        [("book", {"city": "Bern"})],
        [("book", odd)],
        [("book", {"city": "é"}), ("book", {"city": "", "tags": None})],
    ]
    bad: list[list[tuple[str, dict[str, Any]]]] = [
        [("book", {"days": 2})], [("book", {"city": "a", "days": []})], [("boo", {"city": "a"})],
        [("book", {"city": "a", "size": 1})], [("book", {"city": "a", "tags": "x"})],
    ]  # fmt: skip
    for dialect, row in DIALECTS.items():
        project: Any = tools.project
        made = project(name, dialect=dialect, **UNBOUNDED)
        accepts = judge(made)
        through = sum(accepts(f"Yes.\n{write_calls(calls, row)}") for calls in good)
        refused = sum(not accepts(write_calls(calls, row)) for calls in bad)
        is_right = is_right and (through, refused) == (len(good), len(bad))
        size = f"{len(made.text):>8}"
        print(f"{name:>12}{dialect:>16}{size}{through:>6} of {len(good)}{refused:>6} of {len(bad)}")
    return is_right


def main(arguments: list[str] | None = None) -> int:
    """Print the tables; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=list(ENGINES))
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--calls", action="store_true", help="texts with calls, not answers")
    chosen = parser.parse_args(arguments)
    found = judges(chosen.engines)
    is_right = True
    if chosen.calls:
        print(f"{'':>12}{'dialect':>16}{'size':>8}{'written':>11}{'refused':>11}")
        for name, judge in found.items():
            if not name.startswith("openai"):
                is_right = of_calls(name, judge) and is_right
        return 0 if is_right else 1
    heads = ("types", "without a form", "with losses", "written", "refused", "told", "untold")
    print(f"{'':>14}" + "".join(f"{head:>16}" for head in heads))
    for name, judge in found.items():
        tally = answers_of(judge, ENGINES[name], chosen.count)
        cells = [str(tally[head]) for head in heads]
        cells[3] += f" of {tally['conforming']}"
        cells[4] += f" of {tally['near misses']}"
        print(f"{name:>14}" + "".join(f"{cell:>16}" for cell in cells))
        is_right = is_right and not tally["untold"] and tally["written"] == tally["conforming"]
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
