"""Values as a model writes them under a grammar, and the engines as judges of texts.

An engine has one spelling of a value: compact JSON with the declared keys first, in their order;
numbers without an exponent, and whole ones without a point.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice, permutations, product
from typing import Any

from typesig.providers.engines.engine import Syntax

#: The orders of keys that are tried for one value.
_MOST_ORDERS = 300


def spelled(value: Any) -> str:
    """Return *value* as an engine writes it."""
    match value:
        case bool() | None | str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case float():
            return f"{Decimal(repr(value)):f}".removesuffix(".0")
        case list():
            return f"[{','.join(map(spelled, value))}]"
        case dict():
            return f"{{{','.join(f'{spelled(k)}:{spelled(v)}' for k, v in value.items())}}}"
        case _:
            return str(value)


def orders(value: Any) -> Iterator[Any]:
    """Yield *value* with its keys in all orders, up to a number of them."""
    yield from islice(_orders(value), _MOST_ORDERS)


def _orders(value: Any) -> Iterator[Any]:
    match value:
        case list():
            yield from map(list, product(*[list(islice(_orders(v), 24)) for v in value]))
        case dict():
            for keys in permutations(value):
                each = [list(islice(_orders(value[key]), 24)) for key in keys]
                yield from (dict(zip(keys, values, strict=True)) for values in product(*each))
        case _:
            yield value


class Judge:
    """llguidance with one grammar.

    #: error: why it refuses the grammar, or empty
    """

    def __init__(self, grammar: Any, syntax: Syntax = "json_schema") -> None:
        # Without the extra, tests that need a judge are skipped.
        from llguidance import LLMatcher, LLTokenizer

        self._tokenizer = LLTokenizer("byte")
        match syntax:
            case "json_schema":
                self._grammar = LLMatcher.grammar_from_json_schema(json.dumps(grammar))
            case "lark":
                self._grammar = LLMatcher.grammar_from_lark(grammar)
            case "regex":
                self._grammar = LLMatcher.grammar_from_regex(grammar)
            case _:
                raise ValueError(syntax)
        self.error: str = LLMatcher.validate_grammar(self._grammar, self._tokenizer)
        self._matcher = LLMatcher(self._tokenizer, self._grammar)

    def accepts(self, text: str) -> bool:
        """Tell whether a model may write *text*, byte by byte, and then end."""
        self._matcher.reset()
        tokens = self._tokenizer.tokenize_str(text)
        taken = self._matcher.try_consume_tokens(tokens)
        return taken == len(tokens) and bool(self._matcher.is_accepting())

    def writes(self, value: Any) -> bool:
        """Tell whether a model may write *value*, with its keys in some order."""
        return any(self.accepts(spelled(each)) for each in orders(value))


class XGrammarJudge:
    """XGrammar with one JSON Schema or structural tag.

    #: error: why it refuses the grammar, or empty
    """

    def __init__(self, grammar: Any, syntax: Syntax = "json_schema") -> None:
        import xgrammar

        words = [*[bytes([code]) for code in range(256)], b"</s>"]
        info = xgrammar.TokenizerInfo(words, xgrammar.VocabType.RAW, stop_token_ids=[256])
        compiler = xgrammar.GrammarCompiler(info)
        self._matcher = xgrammar.GrammarMatcher
        self.error = ""
        try:
            if syntax == "structural_tag":
                self._grammar = compiler.compile_structural_tag(json.dumps(grammar))
            else:
                self._grammar = compiler.compile_json_schema(json.dumps(grammar))
        except RuntimeError as error:
            self.error = str(error)

    def accepts(self, text: str) -> bool:
        """Tell whether a model may write *text* and then end."""
        matcher = self._matcher(self._grammar)
        return bool(matcher.accept_string(text) and matcher.accept_token(256))

    def writes(self, value: Any) -> bool:
        """Tell whether a model may write *value*, with its keys in some order."""
        return any(self.accepts(spelled(each)) for each in orders(value))
