"""The names of the providers, and of the engines of constrained decoding."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

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

#: The syntaxes of OpenAI's grammars.
Syntax: TypeAlias = Literal["lark", "regex"]
