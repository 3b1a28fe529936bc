"""The names of the providers, and of the engines of constrained decoding."""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict, get_args

ProviderName: TypeAlias = Literal[
    "openai", "anthropic", "gemini", "mcp", "mistral", "deepseek", "moonshot", "xai"
]

PROVIDER_NAMES: tuple[ProviderName, ...] = get_args(ProviderName)

#: Those that spell calls in a way of their own; the others do as one of these.
SpellingName: TypeAlias = Literal["openai", "anthropic", "gemini", "mcp"]

SPELLING_NAMES: tuple[SpellingName, ...] = get_args(SpellingName)

#: Names of models and of companies that stand for their provider, too.
OtherName: TypeAlias = Literal["claude", "google", "kimi", "grok"]

ALIASES: dict[OtherName, ProviderName] = {
    "claude": "anthropic",
    "google": "gemini",
    "kimi": "moonshot",
    "grok": "xai",
}

#: What holds a model to a grammar while it writes, where one serves it oneself.
DecoderName: TypeAlias = Literal["llguidance", "xgrammar", "gbnf"]

#: All that does so, that of OpenAI among them.
EngineName: TypeAlias = Literal["llguidance", "xgrammar", "gbnf", "openai-grammar"]

ENGINE_NAMES: tuple[EngineName, ...] = get_args(EngineName)


class BoundOptions(TypedDict, total=False):
    """The bounds of values in a grammar, for values whose type sets none; None is no bound.

    #: longest: the most characters of a text; digits: the most digits of a number, before its point
    #:     and behind it; items: the most items of a list or a map
    #: closed: whether objects with declared keys have no others, which they have not by default
    """

    longest: int | None
    digits: int | None
    items: int | None
    closed: bool


class CallOptions(BoundOptions, total=False):
    """The calls that a grammar lets a model write, and the bounds of their arguments.

    #: tool_choice: `auto`, with or without calls; `required`, calls without prose; `none`, no call;
    #:     or the name of the tool that is called, without prose
    #: parallel: whether there may be several calls, which there may by default
    """

    tool_choice: str
    parallel: bool


#: The syntaxes of OpenAI's grammars.
Syntax: TypeAlias = Literal["lark", "regex"]
