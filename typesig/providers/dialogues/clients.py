"""Which interface of which vendor a client is for, by the names of its classes and its address."""

from __future__ import annotations

from typing import Any, NamedTuple, assert_never
from urllib.parse import urlsplit

from typesig.errors import TypesigError, format_value
from typesig.providers.dialogues.anthropic_messages import MESSAGES
from typesig.providers.dialogues.dialogue import Dialogue
from typesig.providers.dialogues.gemini_contents import CONTENTS
from typesig.providers.dialogues.openai_requests import CHAT, MISTRAL, RESPONSES
from typesig.providers.registry.provider import ProviderName
from typesig.providers.vendors.openai import RESPONSES as RESPONSES_API
from typesig.providers.vendors.registry import find_spelling, find_vendor

#: The packages of clients that are known by their classes.
_PACKAGES: dict[str, ProviderName] = {
    "openai": "openai",
    "anthropic": "anthropic",
    "google.genai": "gemini",
}

#: The addresses of vendors that are asked by clients of OpenAI.
_HOSTS: dict[str, ProviderName] = {
    "api.mistral.ai": "mistral",
    "api.deepseek.com": "deepseek",
    "api.moonshot.ai": "moonshot",
    "api.moonshot.cn": "moonshot",
    "api.x.ai": "xai",
}

TAKEN = (
    "ask takes a function from messages to text or, with model=…, a client of openai, anthropic or "
    "google-genai, or another one with chat.completions.create"
)


class Client(NamedTuple):
    """A model client with its provider and the interface by which it is called.

    #: target: the client, or the part of it that has the methods
    #: is_async: whether its methods are known to be awaited
    """

    target: Any
    provider: ProviderName
    dialogue: Dialogue
    is_async: bool


def recognise_client(client: Any, provider: str | None, api: str | None, awaits: bool) -> Client:
    """Find the interface of *client*; *provider* and *api* override the detected values.

    With *awaits*, of a client for both ways the one that is awaited is taken.
    Raises `TypesigError` if the client is not known, or lacks the interface.
    """
    name = _find_provider(client) if provider is None else find_vendor(provider).name
    if name is None:
        raise TypesigError(f"{TAKEN}, not {type(client).__name__}")
    # Raises for an api that the vendor lacks.
    find_vendor(name).profile_of({} if api is None else {"api": api})
    found = _get_dialogue(name, api)
    names = [each.__name__ for each in type(client).__mro__]
    is_async = any(each.startswith("Async") for each in names)
    if name == "gemini" and awaits and not is_async and hasattr(type(client), "aio"):
        client, is_async = client.aio, True
    if get_method(client, found.method) is None:
        raise TypesigError(f"the client, {type(client).__name__}, has no {'.'.join(found.method)}")
    return Client(client, name, found, is_async)


def get_method(client: Any, names: tuple[str, ...]) -> Any:
    """Return the method of *client* at the attribute path *names*, or None."""
    for name in names:
        client = getattr(client, name, None)
    return client if callable(client) else None


def _find_provider(client: Any) -> ProviderName | None:
    """Provider of *client*, by the package of its classes and its address, or None."""
    modules = [f"{each.__module__}." for each in type(client).__mro__]
    for package, name in _PACKAGES.items():
        if any(module.startswith(f"{package}.") for module in modules):
            return name if name != "openai" else _HOSTS.get(_get_host(client), name)
    if get_method(client, CHAT.method) is not None:
        return _HOSTS.get(_get_host(client), "openai")
    return None


def _get_host(client: Any) -> str:
    """Host name in the base URL of *client*, or an empty text."""
    try:
        return urlsplit(str(getattr(client, "base_url", ""))).hostname or ""
    except ValueError:
        return ""


def _get_dialogue(name: ProviderName, api: str | None) -> Dialogue:
    """Dialogue of the provider *name*; *api* selects an API of OpenAI's."""
    spelling = find_spelling(find_vendor(name))
    match spelling:
        case "anthropic":
            return MESSAGES
        case "gemini":
            return CONTENTS
        case "openai":
            chat = MISTRAL if name == "mistral" else CHAT
            return RESPONSES if api == RESPONSES_API else chat
        case "mcp":
            raise TypesigError(f"{TAKEN}; mcp has no models: not {format_value(name)}")
        case _:
            assert_never(spelling)
