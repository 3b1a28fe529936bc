"""What an engine that takes grammars is given, and what it enforces of types."""

from __future__ import annotations

from typing import assert_never

from typesig.algebra.loss import Loss
from typesig.errors import TooDeep
from typesig.providers.engines.engine import Calls, Engine, Syntax, Whole, Written, losing
from typesig.providers.engines.grammar.calling import spoken
from typesig.providers.engines.grammar.gbnf_text import gbnf_text
from typesig.providers.engines.grammar.lark_text import lark_text
from typesig.providers.engines.grammar.making import Maker
from typesig.providers.engines.grammar.regex_text import whole_regex
from typesig.providers.engines.grammar.shapes import Grammar, Part
from typesig.providers.engines.grammar.tags import structural_tag
from typesig.providers.engines.settling import settled_answer


def text_of(grammar: Grammar, syntax: Syntax) -> str:
    """Return *grammar* in *syntax*; raise as its writer, and `TooDeep`."""
    try:
        match syntax:
            case "gbnf":
                return gbnf_text(grammar)
            case "lark":
                return lark_text(grammar)
            case "regex":
                return whole_regex(grammar)
            case "json_schema" | "structural_tag":  # pragma: no cover  # they are no texts
                raise AssertionError
            case _:
                assert_never(syntax)
    except RecursionError:
        raise TooDeep("its types nest too deep for a grammar") from None


def grammar_of_answer(engine: Engine, whole: Whole) -> Written:
    """Return the grammar of an answer; raise `Unsupported` if no value fits."""
    made = settled_answer(engine, whole)
    losses: list[Loss] = list(made.losses)
    rules: dict[str, Part] = {}
    maker = Maker(made.names, rules, losing(losses, engine.title))
    root = maker.part(made.type, whole.place)
    maker.finish()
    text = text_of(Grammar(root, rules), engine.syntax)
    return Written(engine.syntax, text, tuple(dict.fromkeys(losses)))


def grammar_of_tools(engine: Engine, calls: Calls) -> Written:
    """Return the grammar of a text with *calls*; raise as `spoken`."""
    made = spoken(engine, calls)
    if engine.calls == "structural_tag":
        return Written("structural_tag", structural_tag(made), made.losses)
    return Written(engine.calls, text_of(made.grammar(), engine.calls), made.losses)
