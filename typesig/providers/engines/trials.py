"""Try grammars in an engine that is installed, and widen those that it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from typesig.algebra.loss import Loss
from typesig.providers.engines.engine import Engine, EngineGrammar, Path


def write_accepted(
    engine: Engine, at: Path, write: Callable[[Engine], EngineGrammar]
) -> EngineGrammar:
    """Return the strictest grammar of *write* that *engine* takes.

    If it takes none, the widest one has a loss at *at*.
    """
    made = write(engine)
    why = engine.find_refusal(made)
    for enforced in engine.weaker:
        if not why:
            return made
        made = write(replace(engine, enforces=enforced))
        why = engine.find_refusal(made)
    if why:
        loss = Loss("refused", at, "the grammar", f"{engine.title} refuses it: {why}")
        return made._replace(losses=(*made.losses, loss))
    return made


def find_llguidance_refusal(made: EngineGrammar) -> str:
    """Compile *made* with llguidance; return the first line of its error, or an empty string.

    Without the package, nothing is refused.
    """
    try:
        from llguidance import LLMatcher, LLTokenizer  # pyright: ignore[reportMissingImports]
    except ImportError:
        return ""
    if made.syntax == "json_schema":
        grammar = LLMatcher.grammar_from_json_schema(json.dumps(made.grammar))
    else:
        grammar = LLMatcher.grammar_from_lark(made.grammar)
    error: str = LLMatcher.validate_grammar(grammar, LLTokenizer("byte"))
    return error.partition("\n")[0][:200]
