"""How an engine of constrained decoding holds a model to published JSON Schemas: raw, and by us.

    python -m pip install llguidance
    python benchmarks/engines_published.py PATH
    python benchmarks/engines_published.py PATH --engine xgrammar --show 20

PATH is a file, or a folder whose files are read at any depth.  Each file is a JSON object with a
`schema` and `tests`, each `{"data": …, "valid": true}`, or a list of such objects.  Nothing else in
them is read.

Each schema is given to the engine as it is, and then as `contract(from_json_schema(schema))
.project(engine)` makes it, without bounds.  The engine is asked whether a model may write each
instance, byte by byte: compact, with the keys in the order of the file, numbers without an
exponent.

- right          the engine takes the schema, and judges all its instances as the file does
- refused        the engine, or typesig, refuses the schema
- false rejects  schemas of which a valid instance cannot be written
- told accepts   schemas of which an invalid instance can be written, and a loss was told
- false accepts  such schemas, of which no loss was told: must be 0 by us

The exit status is 1 if there is a false accept by us, 2 if the engine is not installed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

CHECKOUT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(CHECKOUT))

from typesig import TypesigError, contract, from_json_schema  # noqa: E402

STATES = ("right", "refused", "false rejects", "told accepts", "false accepts")

#: Returns the test of texts of a schema, or None if the engine refuses it.
Compile = Callable[[Any], Callable[[str], bool] | None]


class Group(NamedTuple):
    """A schema with its instances."""

    where: str
    schema: Any
    tests: list[dict[str, Any]]


def groups_of(path: Path) -> Iterator[Group]:
    """Yield each schema in *path*."""
    files = [path] if path.is_file() else sorted(path.rglob("*.json"))
    for file in files:
        held = json.loads(file.read_text("utf-8"))
        for place, each in enumerate(held if isinstance(held, list) else [held]):
            if isinstance(each, dict) and "schema" in each and "tests" in each:
                yield Group(f"{file.name}[{place}]", each["schema"], each["tests"])


def text_of(value: Any) -> str:
    """Return *value* as a model writes it."""
    if isinstance(value, float):
        return f"{Decimal(repr(value)):f}".removesuffix(".0")
    if isinstance(value, list):
        return f"[{','.join(map(text_of, value))}]"
    if isinstance(value, dict):
        return f"{{{','.join(f'{text_of(k)}:{text_of(v)}' for k, v in value.items())}}}"
    return json.dumps(value, ensure_ascii=False)


def llguidance() -> Compile:
    """Return what compiles a schema for llguidance."""
    from llguidance import LLMatcher, LLTokenizer

    tokenizer = LLTokenizer("byte")

    def compiled(schema: Any) -> Callable[[str], bool] | None:
        grammar = LLMatcher.grammar_from_json_schema(json.dumps(schema))
        if LLMatcher.validate_grammar(grammar, tokenizer):
            return None
        matcher = LLMatcher(tokenizer, grammar)

        def accepts(text: str) -> bool:
            matcher.reset()
            tokens = tokenizer.tokenize_str(text)
            return matcher.try_consume_tokens(tokens) == len(tokens) and matcher.is_accepting()

        return accepts

    return compiled


def xgrammar() -> Compile:
    """Return what compiles a schema for XGrammar."""
    import xgrammar as xgr

    end = 256
    words = [bytes([code]) for code in range(end)] + [b"</s>"]
    compiler = xgr.GrammarCompiler(
        xgr.TokenizerInfo(words, vocab_type=xgr.VocabType.RAW, stop_token_ids=[end])
    )

    def compiled(schema: Any) -> Callable[[str], bool] | None:
        try:
            grammar = compiler.compile_json_schema(json.dumps(schema))
        except RuntimeError:
            return None

        def accepts(text: str) -> bool:
            matcher = xgr.GrammarMatcher(grammar)
            return matcher.accept_string(text) and matcher.accept_token(end)

        return accepts

    return compiled


ENGINES = {"llguidance": llguidance, "xgrammar": xgrammar}


def state_of(group: Group, accepts: Callable[[str], bool] | None, told: bool) -> tuple[str, str]:
    """Return the state of *group*, and the instance that it is judged by."""
    if accepts is None:
        return "refused", ""
    found = ("right", "")
    for test in group.tests:
        try:
            text = text_of(test["data"])
            text.encode()
        except UnicodeEncodeError:
            continue
        taken = accepts(text)
        if taken and not test["valid"]:
            return ("told accepts" if told else "false accepts"), text
        if test["valid"] and not taken:
            found = ("false rejects", text)
    return found


def ours(group: Group, compiled: Compile, engine: Any) -> tuple[str, str]:
    """Return the state of *group* by us."""
    try:
        signature = from_json_schema(group.schema, lossy=True)
        options: Any = {"longest": None, "digits": None, "items": None, "closed": False}
        made = contract(signature).project(engine, **options)
    except TypesigError as error:
        return "refused", str(error)
    told = bool(made.losses or signature.losses)
    return state_of(group, compiled(made.grammar), told)


def main(arguments: list[str] | None = None) -> int:
    """Print the table; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", type=Path)
    parser.add_argument("--engine", choices=ENGINES, default="llguidance")
    parser.add_argument("--show", type=int, default=0, help="how many of each state by us")
    chosen = parser.parse_args(arguments)
    try:
        compiled = ENGINES[chosen.engine]()
    except ImportError as error:
        print(f"{chosen.engine} is not installed: {error}")
        return 2
    tallies: dict[str, Counter[str]] = {"raw": Counter(), "by typesig": Counter()}
    shown: Counter[str] = Counter()
    for group in groups_of(chosen.path):
        tallies["raw"][state_of(group, compiled(group.schema), False)[0]] += 1
        state, why = ours(group, compiled, chosen.engine)
        tallies["by typesig"][state] += 1
        if state != "right" and shown[state] < chosen.show:
            shown[state] += 1
            print(f"{state}: {group.where}: {why[:200]}")
    print("".join(f"{head:>16}" for head in ("", *STATES, "schemas")))
    for name, tally in tallies.items():
        counts = (*[tally[state] for state in STATES], tally.total())
        print(f"{name:>16}" + "".join(f"{count:>16}" for count in counts))
    return 1 if tallies["by typesig"]["false accepts"] else 0


if __name__ == "__main__":
    sys.exit(main())
