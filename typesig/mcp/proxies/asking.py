"""What the other server asks and logs, which a proxy passes on to the client that it is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from typesig.calls.errors import ToolError
from typesig.errors import Unsupported
from typesig.mcp.serving.requests import Request, current_request
from typesig.mcp.transport.sdk_internals import get_connection
from typesig.tools.foreign.foreign_texts import is_plain_name, seen_line, seen_text, strip_schema

#: What of a request is for the connection that it came by.
_OWN = ("_meta", "task")


class Back:
    """Passes on what the other server asks while *running* returns the requests that run."""

    __slots__ = ("_running",)

    def __init__(self, running: Callable[[], list[Request]]) -> None:
        self._running = running

    def options(self) -> dict[str, Any]:
        """Return the options of `connect` for this."""
        return {
            "on_elicit": self._elicit,
            "on_sample": self._sample,
            "on_roots": self._roots,
            "on_log": self._log,
        }

    def _request(self) -> Request:
        """Return the request whose client is asked; raise `ToolError` if that is not sure.

        The protocol of 2025-11-25 does not say which call a question belongs to, and another client
        must not be asked.
        """
        own, requests = current_request(), self._running()
        # The SDK runs this in the context of the sender, which may be a server of this process.
        if own is not None and any(own is each for each in requests):
            return own
        running = {id(get_connection(each.context)): each for each in requests}
        if not running:
            raise ToolError("nobody can be asked: no call of a client is running")
        if len(running) > 1:
            raise ToolError("nobody can be asked: calls of several clients are running")
        return running.popitem()[1]

    async def _elicit(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        sent = _without_own(params)
        sent["message"] = seen_text(sent["message"])
        if sent.get("mode") == "url":
            if not is_plain_name(sent["url"]):
                raise ToolError("the address has characters that are not seen")
        else:
            try:
                sent["requestedSchema"] = strip_schema(sent["requestedSchema"])
            except (Unsupported, RecursionError) as error:
                raise ToolError(f"the form cannot be shown: {error}") from None
        return await self._request().aask("elicitation/create", sent)

    async def _sample(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        sent = _without_own(params)
        if "systemPrompt" in sent:
            sent["systemPrompt"] = seen_text(sent["systemPrompt"])
        sent["messages"] = [
            {**each, "content": _seen_content(each["content"])} for each in sent["messages"]
        ]
        return await self._request().aask("sampling/createMessage", sent)

    async def _roots(self, _: Mapping[str, Any]) -> Mapping[str, Any]:
        return await self._request().aask("roots/list", {})

    def _log(self, entry: Mapping[str, Any]) -> None:
        try:
            request = self._request()
        except ToolError:
            # It may tell of the call of another client.
            return
        logger = entry.get("logger")
        named = None if logger is None else seen_line(logger)
        request.log(_seen_data(entry.get("data")), entry["level"], named)


def _without_own(params: Mapping[str, Any]) -> dict[str, Any]:
    return {key: each for key, each in params.items() if key not in _OWN}


def _seen_content(content: Any) -> Any:
    """Return *content*, a block or several, with texts in which everything is seen."""
    if isinstance(content, list):
        return [_seen_content(each) for each in content]
    return {**content, "text": seen_text(content["text"])} if "text" in content else content


def _seen_data(data: Any) -> Any:
    """Return JSON *data* with texts in which everything is seen."""
    if isinstance(data, str):
        return seen_text(data)
    if isinstance(data, list):
        return [_seen_data(each) for each in data]
    if isinstance(data, dict):
        return {seen_line(key): _seen_data(each) for key, each in data.items()}
    return data
