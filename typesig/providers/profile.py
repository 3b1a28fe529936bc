"""A profile: what a provider takes in one of its forms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias, TypedDict

ProviderName: TypeAlias = Literal["openai", "anthropic", "gemini", "mcp"]


class ProfileOptions(TypedDict, total=False):
    """The options of profiles.

    #: api: openai: "chat" or "responses"; gemini: "parameters" or "json" (`parametersJsonSchema`);
    #:     mcp: the version of the protocol
    #: strict: openai, anthropic: whether the provider holds the model to the schema
    #: limits: numbers in place of those of `typesig.providers.limits`, by name
    """

    api: str
    strict: bool
    limits: Mapping[str, int]


class Profile(NamedTuple):
    """What a provider takes.

    #: provider: the name of the provider; api: the form of definitions and messages, as "chat",
    #:     "responses", "messages", "parameters", "json" or "2025-11-25"
    #: strict: whether the provider holds the model to the schema
    """

    provider: str
    api: str = ""
    strict: bool = False
