"""Write grammars for answers and for texts with calls."""

from __future__ import annotations

from typing import assert_never

from typesig.algebra.loss import Loss
from typesig.errors import TooDeep
from typesig.providers.engines.engine import (
    Engine,
    EngineGrammar,
    RootType,
    Syntax,
    ToolCalls,
    WriteBounds,
    make_loss_recorder,
)
from typesig.providers.engines.grammar.builder import GrammarBuilder
from typesig.providers.engines.grammar.call_text import build_call_text
from typesig.providers.engines.grammar.gbnf_text import write_gbnf
from typesig.providers.engines.grammar.lark_text import write_lark
from typesig.providers.engines.grammar.regex_text import write_whole_regex
from typesig.providers.engines.grammar.shapes import Grammar, Part
from typesig.providers.engines.grammar.spellings import JSON
from typesig.providers.engines.grammar.tags import write_structural_tag
from typesig.providers.engines.lowering import lower_answer
from typesig.providers.engines.write_bounds import limit_type


def write_grammar(grammar: Grammar, syntax: Syntax) -> str:
    """Write *grammar* as text in *syntax*; raise `TooDeep` for deeply nested types."""
    try:
        match syntax:
            case "gbnf":
                return write_gbnf(grammar)
            case "lark":
                return write_lark(grammar)
            case "regex":
                return write_whole_regex(grammar)
            case "json_schema" | "structural_tag":  # pragma: no cover  # they are no texts
                raise AssertionError
            case _:
                assert_never(syntax)
    except RecursionError:
        raise TooDeep("its types nest too deep for a grammar") from None


def write_answer_grammar(engine: Engine, whole: RootType, bounds: WriteBounds) -> EngineGrammar:
    """Write the grammar of an answer of type *whole* for *engine*."""
    made = lower_answer(engine, whole)
    made = limit_type(made, bounds, engine.enforces, whole, spells=True)
    losses: list[Loss] = list(made.losses)
    rules: dict[str, Part] = {}
    spelling = JSON.limit(bounds)
    maker = GrammarBuilder(made.names, rules, make_loss_recorder(losses, engine.title), spelling)
    root = maker.build_part(made.type, whole.place)
    maker.finish()
    text = write_grammar(Grammar(root, rules), engine.syntax)
    return EngineGrammar(engine.syntax, text, tuple(dict.fromkeys(losses)))


def write_tools_grammar(engine: Engine, calls: ToolCalls) -> EngineGrammar:
    """Write the grammar of a text with *calls* for *engine*."""
    made = build_call_text(engine, calls)
    if engine.calls == "structural_tag":
        return EngineGrammar("structural_tag", write_structural_tag(made), made.losses)
    return EngineGrammar(
        engine.calls, write_grammar(made.build_grammar(), engine.calls), made.losses
    )
