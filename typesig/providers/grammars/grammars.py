"""Write grammars and structural tags for answers and for texts with calls."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, assert_never

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
from typesig.providers.engines.lowering import lower_answer
from typesig.providers.engines.write_bounds import limit_type
from typesig.providers.grammars import shapes
from typesig.providers.grammars.builder import GrammarBuilder
from typesig.providers.grammars.call_text import CallText, build_call_text
from typesig.providers.grammars.gbnf_text import write_gbnf
from typesig.providers.grammars.lark_text import write_lark
from typesig.providers.grammars.regex_text import write_regex
from typesig.providers.grammars.shapes import JSON, Grammar, Part

# --- Texts with calls as structural tags, which XGrammar takes: formats with JSON Schemas ---


def _write_call_text(made: CallText) -> dict[str, Any]:
    """Write a grammar of texts with calls as an XGrammar format."""
    rules = made.rules
    if made.rest is None or not made.first or made.is_forced:
        return _write_format(made.build_grammar().root, rules)
    elements: list[dict[str, Any]] = []
    if made.implied is not None:
        elements.append({"type": "optional", "content": _write_format(made.implied, rules)})
    thoughts = {
        pair.open: _make_sequence(
            [
                {"type": "any_text", "excludes": [pair.close, *made.opens]},
                {"type": "const_string", "value": pair.close},
            ]
        )
        for pair in made.thoughts
    }
    if made.is_last and thoughts:
        tags = [
            _make_sequence([{"type": "const_string", "value": mark}, each])
            for mark, each in thoughts.items()
        ]
        elements.append({"type": "optional", "content": _make_either(tags)})
        thoughts = {}
    heard = {made.first: _write_format(made.rest, rules), **thoughts}
    elements.append(
        {
            "type": "dispatch",
            "rules": [list(each) for each in heard.items()],
            "loop": not made.is_last,
            "excludes": [mark for mark in made.before if mark not in heard],
        }
    )
    return _make_sequence(elements)


def _write_format(part: shapes.Part, rules: Mapping[str, shapes.Part]) -> dict[str, Any]:
    """Write the XGrammar format of *part*, as a grammar if it has no JSON Schema."""
    if isinstance(part, shapes.Literal):
        return {"type": "const_string", "value": part.text}
    if not _has_schema(part):
        return {"type": "grammar", "grammar": write_gbnf(shapes.Grammar(part, rules))}
    match part:
        case shapes.Schema(text):
            return {"type": "json_schema", "json_schema": json.loads(text)}
        case shapes.Sequence(parts):
            return _make_sequence([_write_format(each, rules) for each in parts])
        case shapes.Choice(branches):
            return _make_either([_write_format(each, rules) for each in branches])
        case shapes.Repeat(each, low, high):
            most = -1 if high is None else high
            content = _write_format(each, rules)
            return {"type": "repeat", "min": low, "max": most, "content": content}
        case _:  # pragma: no cover  # no other part has a JSON Schema within
            raise AssertionError


def _has_schema(part: shapes.Part) -> bool:
    """Whether *part* contains an embedded JSON Schema."""
    return isinstance(part, shapes.Schema) or any(map(_has_schema, shapes.iter_children(part)))


def _make_sequence(elements: list[dict[str, Any]]) -> dict[str, Any]:
    """Make the format of consecutive *elements*; a single element is unchanged."""
    return elements[0] if len(elements) == 1 else {"type": "sequence", "elements": elements}


def _make_either(elements: list[dict[str, Any]]) -> dict[str, Any]:
    """Make the format of alternative *elements*; a single element is unchanged."""
    return elements[0] if len(elements) == 1 else {"type": "or", "elements": elements}


# --- Write grammars for answers and for texts with calls ---


def write_grammar(grammar: Grammar, syntax: Syntax) -> str:
    """Write *grammar* as text in *syntax*; raise `TooDeep` for deeply nested types."""
    try:
        match syntax:
            case "gbnf":
                return write_gbnf(grammar)
            case "lark":
                return write_lark(grammar)
            case "regex":
                return write_regex(grammar.root, grammar.rules)
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
        tag = {"type": "structural_tag", "format": _write_call_text(made)}
        return EngineGrammar("structural_tag", tag, made.losses)
    return EngineGrammar(
        engine.calls, write_grammar(made.build_grammar(), engine.calls), made.losses
    )
