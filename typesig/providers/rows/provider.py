"""The names of the providers."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

ProviderName: TypeAlias = Literal["openai", "anthropic", "gemini", "mcp"]

PROVIDER_NAMES: tuple[ProviderName, ...] = get_args(ProviderName)

#: Names of models and of companies that stand for their provider, too.
OtherName: TypeAlias = Literal["claude", "google"]

ALIASES: dict[OtherName, ProviderName] = {"claude": "anthropic", "google": "gemini"}
